"""Bodies that run elsewhere than they stand: closures, async blocks, threads and tasks."""

from __future__ import annotations

from inroads.facts import (
    AwaitRow,
    BlockRow,
    BorrowRow,
    CallRow,
    ClosureRow,
    MethodCallRow,
    PathRow,
    Region,
)
from inroads.lower.build import End
from inroads.lower.model import Await, Build, Call, Is, Mode, Opaque, Place, Raise, Return
from inroads.lower.patterns import bind_pattern, standard
from inroads.lower.rows import operator
from inroads.lower.values import UNIT, Future, Value, replace
from inroads.lower.walk import Frame, Scope, Walk
from inroads.lower.words import changes
from inroads.resolve.model import Call as ResolvedCall
from inroads.resolve.types import UNIT as UNIT_TYPE, Reference

# Closures within closures that are run in one another.
DEEPEST = 24
# Regions within regions, beyond which no further body is unfolded: the walk is recursive.
MOST_NESTED = 40


def closure(walk: Walk, at: int, row: ClosureRow) -> None:
    """``|x| body``: nothing runs until somebody calls it; if nobody here does, it may run from here on."""
    walk.created.add(at)
    holds = walk.capture(at, row.body) if row.is_move else ()
    value = Value(walk.made(at), callable=at, holds=holds)
    walk.values[at] = value
    if at in walk.stray:
        may_run(walk, at, value)


def call_closure(walk: Walk, row: int, arguments: tuple[Value, ...]) -> list[End]:
    """Run the closure's body here; `return` and `?` in it end it with that value."""
    header = walk.rows[row]
    assert isinstance(header, ClosureRow)
    if header.is_async:
        cursor = walk.cursor
        future = Future("closure", row, arguments=arguments)
        return [] if cursor is None else [(cursor, Value(walk.made(row), future=future))]
    return run_body(walk, row, header.body, "closure", arguments)


def run_body(
    walk: Walk, row: int, body: Region, kind: str, arguments: tuple[Value, ...] | None = None
) -> list[End]:
    """
    Walk a body in a frame of its own.

    A second run gets a number, so that what it makes is not taken for what the
    first one made. Beyond the bounds on depth and size nothing is unfolded.
    """
    cursor = walk.cursor
    if cursor is None:
        return []
    if walk.full or DEEPEST < walk.depth or MOST_NESTED < walk.nested:
        return [(cursor, Value(walk.made(row)))]
    ran = walk.runs.get(row, 0)
    walk.runs[row] = ran + 1
    outer = walk.instance
    if ran:
        walk.instance = walk.fresh()
        walk.unfolded += 1
    walk.depth += 1
    frame = Frame(kind, len(walk.scopes), len(walk.jumps))
    walk.frames.append(frame)
    walk.scopes.append(Scope())
    header = walk.rows[row]
    if isinstance(header, ClosureRow) and arguments is not None:
        for number, parameter in enumerate(header.parameters):
            value = arguments[number] if number < len(arguments) else Value(walk.made(row))
            bind_pattern(walk, row, parameter.pattern, value)
    ends = walk.close(walk.run_scoped(body), row)
    walk.frames.pop()
    walk.depth -= 1
    walk.instance = outer
    return ends + [(left, value) for left, value, _ in frame.returns]


def run_callable(walk: Walk, at: int, value: Value, arguments: tuple[Value, ...]) -> list[End]:
    """Run a closure, or a function named as a value; what is neither makes a value of which nothing is known."""
    cursor = walk.cursor
    if cursor is None:
        return []
    row = value.callable
    if row is None:
        return [(cursor, Value(walk.made(at)))]
    noun = walk.rows[row]
    if isinstance(noun, ClosureRow):
        return call_closure(walk, row, arguments)
    if not isinstance(noun, PathRow):
        return [(cursor, Value(walk.made(at)))]
    resolved = walk.judged.paths.get(row, "")
    known = standard(resolved, noun.path)
    if known is not None and arguments:
        return [(cursor, literal_variant(walk, row, known[2], arguments[0]))]
    call = walk.judged.calls.get(row)
    if call is None:
        if resolved:
            fields = tuple((str(number), one.place) for number, one in enumerate(arguments))
            walk.emit(Build(row, resolved, fields, None, walk.made(row)))
        return [(cursor, Value(walk.made(row)))]
    if walk.context.is_async(call):
        return [(cursor, Value(walk.made(row), future=Future("call", row, call, arguments)))]
    modes: tuple[Mode, ...] = tuple("ref" for _ in arguments)
    name = noun.path.segments[-1].name
    result = walk.made(row, f"{name}()", walk.context.nominal(call.returns))
    walk.emit(Call(row, call, tuple(one.place for one in arguments), modes, result))
    holds = (row,) if walk.context.may_hold(call.returns) else ()
    return [(cursor, UNIT if call.returns == UNIT_TYPE else Value(result, holds=holds))]


def literal_variant(walk: Walk, at: int, known: str, payload: Value) -> Value:
    """`Some(x)`, `Ok(x)`: x, known to be there. `Err(e)`: a new failure."""
    match known:
        case "some" | "ok":
            return Value(
                payload.place,
                known="some" if known == "some" else "ok",
                payload=payload,
                holds=payload.holds,
                future=payload.future,
                shared=payload.shared,
            )
        case _:
            return Value(walk.made(at), known="err", payload=payload, holds=payload.holds)


def await_(walk: Walk, at: int, row: AwaitRow) -> None:
    """
    ``f(x).await``: the call's events happen here; an async block's body runs here.

    A task's handle is joined: where it is Ok, the task has run.
    """
    operator(walk, at, (row.operand,))
    ends: list[End] = []
    for cursor, value in walk.take(row.operand):
        walk.cursor = cursor
        ends += resolve(walk, at, value)
    for cursor, value in ends:
        walk.emit_at(cursor, Await(at, value.place))
    walk.spread(at, ends)


def resolve(walk: Walk, at: int, value: Value) -> list[End]:
    """Run what a future stands for; anything else is its own value."""
    cursor = walk.cursor
    if cursor is None:
        return []
    if value.spawned is not None:
        return join(walk, at, value.spawned)
    if value.future is not None:
        return run_future(walk, at, value.future)
    return [(cursor, value)]


def run_future(walk: Walk, at: int, future: Future) -> list[End]:
    """Run an async call, block or closure to its end; under a timeout perhaps not."""
    cursor = walk.cursor
    if cursor is None:
        return []
    if future.partial:
        whole, given_up = walk.split(cursor, at, Opaque(at, walk.fresh()), "may-run")
        assert whole is not None and given_up is not None
        walk.cursor = whole
        ends = [
            (end, literal_variant(walk, at, "ok", value))
            for end, value in run_future(walk, at, replace_partial(future))
        ]
        return [*ends, (given_up, Value(walk.made(at), known="err"))]
    row = walk.rows[future.row]
    match future.kind:
        case "block":
            assert isinstance(row, BlockRow)
            return run_body(walk, future.row, row.body, "async")
        case "closure":
            assert isinstance(row, ClosureRow)
            return run_body(walk, future.row, row.body, "async", future.arguments)
        case "all":
            # Whoever loops over elements needs to run their closures first.
            from inroads.lower.iterators import join_all

            return join_all(walk, future)
        case "call":
            assert future.call is not None
            call = future.call
            walk.runs[future.row] = walk.runs.get(future.row, 0) + 1
            walk.emit(call_event(walk, call, future.arguments))
            result = walk.made(
                call.row, call_name(walk, call.row), walk.context.nominal(walk.context.awaited(call.returns))
            )
            holds = (call.row,) if walk.context.may_hold(walk.context.awaited(call.returns)) else ()
            value = Value(result, holds=holds)
            never = walk.context.never_returns(call)
            if never is not None:
                walk.stop(Raise(call.row, never))
                return []
            return [(cursor, value)]


def replace_partial(future: Future) -> Future:
    """The future without its timeout."""
    return Future(future.kind, future.row, future.call, future.arguments)


def call_name(walk: Walk, row: int) -> str:
    """What a person calls the result of a call: `load()`."""
    match walk.rows[row]:
        case MethodCallRow(name=name):
            return f"{name}()"
        case CallRow(callee=callee):
            noun = walk.rows[callee]
            return f"{noun.path.segments[-1].name}()" if isinstance(noun, PathRow) else ""
        case PathRow(path=path):
            return f"{path.segments[-1].name}()"
        case _:
            return ""


def call_event(
    walk: Walk, call: ResolvedCall, arguments: tuple[Value, ...], callee: Place | None = None
) -> Call:
    """The event of a resolved call with these arguments."""
    result = walk.made(call.row, call_name(walk, call.row), walk.context.nominal(call.returns))
    rows = call.arguments[: len(arguments)]
    modes = tuple(argument_mode(walk, row) for row in rows)
    noun = walk.rows[call.row] if call.row < len(walk.rows) else None
    if isinstance(noun, MethodCallRow) and modes:
        modes = (_receiver_mode(walk, call, noun, modes[0]), *modes[1:])
    modes += tuple("ref" for _ in arguments[len(modes) :])
    return Call(call.row, call, tuple(value.place for value in arguments), modes, result, callee)


def _receiver_mode(walk: Walk, call: ResolvedCall, row: MethodCallRow, written: Mode) -> Mode:
    """How a method takes its receiver: by its signature, outside the workspace by its name."""
    for target in call.targets:
        if target.function is not None:
            match walk.context.receiver_of(target.function):
                case "ref":
                    return "ref"
                case "mut":
                    return "mut"
                case _:
                    return written
    if changes(row.name, (target.path for target in call.targets)):
        return "mut"
    return written if walk.context.takes_self(call, row.name) or written == "mut" else "ref"


def argument_mode(walk: Walk, row: int) -> Mode:
    """Whether an argument is given away or lent."""
    noun = walk.rows[row]
    if isinstance(noun, BorrowRow):
        return "mut" if noun.mutable else "ref"
    of = walk.judged.types[row]
    if isinstance(of, Reference):
        return "mut" if of.mutable else "ref"
    return "move"


def spawn(walk: Walk, at: int, value: Value) -> Value:
    """
    ``spawn(move || body)``: the body starts with the state of here and goes its own way.

    ::

        [..] -> [spawned] body; detached
             -> ..

    Returns:
        The handle, which knows what it joins.
    """
    future = spawned_future(walk, value)
    cursor = walk.cursor
    if future is None or cursor is None:
        return Value(walk.made(at))
    body, on = walk.split(cursor, at, Opaque(at, walk.fresh()), "spawn")
    assert body is not None
    walk.cursor = body
    for end, _ in run_apart(walk, at, future):
        walk.emit_at(end, Return(at, "detached", None))
    walk.cursor = on
    walk.spawned.append((future, len(walk.scopes)))
    return Value(walk.made(at), spawned=future)


def run_apart(walk: Walk, at: int, future: Future) -> list[End]:
    """Run a spawned body: no scope, frame or loop around it can be left from it."""
    scopes, jumps = walk.scopes, walk.jumps
    walk.scopes, walk.jumps = [Scope()], []
    walk.frames.append(Frame("spawned", 0, 0))
    ends = [end for end, _ in run_future(walk, at, future)]
    frame = walk.frames.pop()
    walk.scopes, walk.jumps = scopes, jumps
    return [(end, Value(walk.made(at))) for end in ends] + [(end, value) for end, value, _ in frame.returns]


def spawned_future(walk: Walk, value: Value) -> Future | None:
    """What a spawn of the value runs; None where nothing is known of it."""
    if value.future is not None:
        return value.future
    if value.callable is not None:
        row = walk.rows[value.callable]
        if isinstance(row, ClosureRow):
            return Future("closure", value.callable)
        call = walk.judged.calls.get(value.callable)
        if call is not None:
            return Future("call", value.callable, call)
    return None


def join(walk: Walk, at: int, spawned: Future) -> list[End]:
    """
    ``handle.join()``: where it is Ok, the body has run.

    ::

        [..] -> [the result is Ok] body -> .
             -> [the result is Err] -> .
    """
    cursor = walk.cursor
    if cursor is None:
        return []
    result = walk.made(at)
    yes, no = walk.split(cursor, at, Is(result, "Ok"), "combinator")
    ends: list[End] = []
    if yes is not None:
        walk.cursor = yes
        ends = [
            (end, replace(value, known="ok", payload=value, place=result))
            for end, value in run_future(walk, at, spawned)
        ]
    if no is not None:
        ends.append((no, Value(result, known="err")))
    return ends


def may_run(walk: Walk, at: int, value: Value, arguments: tuple[Value, ...] = ()) -> None:
    """A closure that somebody may run: its body stands on a branch that may be passed by."""
    cursor = walk.cursor
    if cursor is None:
        return
    runs, passes = walk.split(cursor, at, Opaque(at, walk.fresh()), "may-run")
    assert runs is not None and passes is not None
    walk.cursor = runs
    ends = [end for end, _ in run_apart_inline(walk, at, value, arguments)]
    walk.cursor = walk.join(at, [*ends, passes])


def run_apart_inline(walk: Walk, at: int, value: Value, arguments: tuple[Value, ...]) -> list[End]:
    """Run a closure and whatever future it gives."""
    ends: list[End] = []
    future = value.future
    if future is not None:
        return run_future(walk, at, future)
    for cursor, given in run_callable(walk, at, value, arguments):
        walk.cursor = cursor
        ends += resolve(walk, at, given)
    return ends
