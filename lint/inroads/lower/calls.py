"""Calls: what is given to them, what diverges, what runs a closure, a future or a thread."""

from __future__ import annotations

from msgspec.structs import replace as replace_call

from inroads.facts import CallRow, ClosureRow, MethodCallRow, PathRow
from inroads.lower.build import End
from inroads.lower.closures import (
    call_closure,
    call_event,
    call_name,
    literal_variant,
    may_run,
    resolve,
    run_apart_inline,
    run_future,
    spawn,
)
from inroads.lower.context import NOTHING
from inroads.lower.exchange import EXCHANGES, exchange
from inroads.lower.growing import EMPTY, empty
from inroads.lower.iterators import consume, runs_anything
from inroads.lower.loops import LoopBuilder
from inroads.lower.model import Is, Opaque, Place, Raise, Turn
from inroads.lower.patterns import standard
from inroads.lower.places import extend, handed, rebase
from inroads.lower.rows import build
from inroads.lower.values import UNIT, Future, Value, replace, subject_of
from inroads.lower.walk import Walk
from inroads.lower.words import (
    CARRY_FUNCTIONS,
    JOIN_ALL,
    RUN_NOW,
    SPAWN,
    THREAD_SCOPES,
    TIMEOUT,
)
from inroads.resolve.model import Call as ResolvedCall
from inroads.resolve.types import UNIT as UNIT_TYPE


def call(walk: Walk, at: int, row: CallRow) -> None:
    """``f(a, b)``: a Call. ``Some(x)``, ``Kind::A(x)``: a value. A local closure runs here."""
    callee = walk.rows[row.callee]
    resolved_call = walk.judged.calls.get(at)
    if isinstance(callee, PathRow):
        resolved = walk.judged.paths.get(row.callee, "")
        known = standard(resolved, callee.path)
        if known is not None and row.arguments:
            _literal(walk, at, row, known[2])
            return
        if resolved_call is None and _is_type(resolved, callee):
            fields = [
                (str(number), walk.consume(argument, "build", at))
                for number, argument in enumerate(row.arguments)
            ]
            build(walk, at, resolved or "::".join(s.name for s in callee.path.segments), fields, None)
            return
    callable_value = walk.values.get(row.callee)
    if callable_value is not None and callable_value.callable is not None:
        noun = walk.rows[callable_value.callable]
        if isinstance(noun, ClosureRow):
            arguments = tuple(walk.consume(argument, None, at) for argument in row.arguments)
            walk.spread(at, call_closure(walk, callable_value.callable, arguments))
            return
    if callable_value is not None and callable_value.callable is not None:
        resolved_call = _pointed_at(walk, at, resolved_call, callable_value.callable)
    if resolved_call is None:
        arguments = tuple(walk.consume(argument, "call", at) for argument in row.arguments)
        run_closures(walk, at, None, arguments)
        walk.values[at] = Value(walk.made(at), holds=(at,))
        return
    path = called_path(resolved_call)
    if path == "std::mem::drop" and row.arguments:
        _drop(walk, at, resolved_call, row.arguments[0])
        return
    exchanged = path in EXCHANGES and len(row.arguments) == EXCHANGES[path] and not walk.dead
    before = [walk.value(argument).place for argument in row.arguments] if exchanged else []
    invoke(walk, at, resolved_call, row.arguments)
    if exchanged and not walk.dead:
        exchange(walk, at, path, row.arguments, before)
    if path in EMPTY and not walk.dead:
        walk.values[at] = empty(walk, walk.value(at))
    if path in CARRY_FUNCTIONS and row.arguments and not walk.dead:
        carried = walk.value(row.arguments[0])
        walk.values[at] = replace(carried, holds=carried.holds)


def _pointed_at(walk: Walk, at: int, call: ResolvedCall | None, row: int) -> ResolvedCall | None:
    """The call of a value of which a type tells no more than `fn(..)`, and which is known to be a function."""
    known = walk.judged.calls.get(row)
    if call is None or call.targets or known is None or not known.targets:
        return call
    return replace_call(call, kind="path", targets=known.targets, declared=known.declared, how="fn-value")


def _literal(walk: Walk, at: int, row: CallRow, known: str) -> None:
    """`Ok(x)`: the value of x, known to be Ok; a fan inside stays one."""
    if known == "err" or walk.rows[row.arguments[0]].__class__ is PathRow:
        payload = walk.consume(row.arguments[0], None, at)
        walk.values[at] = literal_variant(walk, at, known, payload)
        return
    ends = walk.take(row.arguments[0])
    walk.spread(at, [(cursor, literal_variant(walk, at, known, value)) for cursor, value in ends])


def _is_type(resolved: str, callee: PathRow) -> bool:
    """Whether a callee that is no known function is a tuple struct or variant by its name."""
    name = (resolved or callee.path.segments[-1].name).rpartition("::")[2]
    return name[:1].isupper()


def called_path(call: ResolvedCall) -> str:
    """The path of what is called: the one target, else what is declared."""
    if len(call.targets) == 1:
        return call.targets[0].path
    return call.declared.path if call.declared is not None else ""


def _drop(walk: Walk, at: int, call: ResolvedCall, argument: int) -> None:
    """``drop(x)``: x ends here."""
    value = walk.value(argument)
    local = walk.judged.uses.get(argument)
    walk.emit(call_event(walk, call, (value,)))
    cursor = walk.cursor
    if cursor is None:
        return
    walk.keep(value, argument)
    if local is not None:
        cursor.moved |= {local}
    walk.drop_at(cursor, at, value, walk.judged.types[argument], explicit=True)
    walk.values[at] = UNIT


def invoke(walk: Walk, at: int, call: ResolvedCall, rows: tuple[int, ...]) -> None:
    """A call that is nothing special in itself: its arguments go in, it runs, its closures run."""
    arguments = _given(walk, at, call, rows)
    if walk.cursor is None:
        return
    if _joins_all(walk, at, call, arguments):
        return
    for number, row in enumerate(rows):
        if runs_anything(arguments[number]):
            walk.spread(row, consume(walk, row, "count", arguments[number], ()))
    if walk.context.is_async(call):
        walk.created.add(at)
        walk.values[at] = Value(walk.made(at), future=Future("call", at, call, arguments))
        if at in walk.stray:
            may_run(walk, at, walk.values[at])
        return
    foreign = all(target.function is None for target in call.targets)
    name = called_path(call).rpartition("::")[2] or _name(walk, at)
    if foreign and name in TIMEOUT and arguments and arguments[-1].future is not None:
        future = arguments[-1].future
        partial = Future(future.kind, future.row, future.call, future.arguments, True)
        walk.emit(call_event(walk, call, arguments))
        walk.values[at] = Value(walk.made(at), future=partial)
        return
    walk.emit(call_event(walk, call, arguments, _callee(walk, at, call)))
    result = walk.made(at, call_name(walk, at), walk.context.nominal(call.returns))
    holds = (at,) if walk.context.may_hold(call.returns) else ()
    value = Value(result, holds=holds, shared=walk.context.is_borrowed(call.returns))
    walk.values[at] = UNIT if call.returns == UNIT_TYPE else value
    walk.temporary(at, value)
    never = walk.context.never_returns(call)
    if never is not None:
        run_closures(walk, at, call, arguments)
        walk.stop(Raise(at, never))
        return
    if foreign and name in SPAWN:
        spawned = [one for one in arguments if one.future is not None or one.callable is not None]
        if spawned:
            walk.values[at] = spawn(walk, at, spawned[-1])
            return
    if foreign and name in RUN_NOW:
        for one in arguments:
            if one.future is not None:
                walk.spread(at, resolve(walk, at, one))
                return
    if called_path(call) in THREAD_SCOPES:
        _run_scope(walk, at, call, arguments)
    elif called_path(call) not in CARRY_FUNCTIONS:
        # What is only carried inside runs where it is taken out.
        run_closures(walk, at, call, arguments)


def _run_scope(walk: Walk, at: int, call: ResolvedCall, arguments: tuple[Value, ...]) -> None:
    """``thread::scope(|s| ..)``: what the closure surely spawns has run when the scope has ended."""
    outer = walk.spawned
    walk.spawned = []
    # The scopes of the closure, of its block and of the statement.
    depth = len(walk.scopes) + 3
    run_closures(walk, at, call, arguments)
    spawned, walk.spawned = walk.spawned, outer
    result = walk.values.get(at)
    for future, scopes in spawned:
        if scopes <= depth and not walk.dead:
            walk.cursor = walk.join(at, [cursor for cursor, _ in run_future(walk, at, future)])
    if result is not None:
        walk.values[at] = result


def _joins_all(walk: Walk, at: int, call: ResolvedCall, arguments: tuple[Value, ...]) -> bool:
    """``join_all(xs.map(f))``: a future that runs those of all elements."""
    name = called_path(call).rpartition("::")[2]
    if name not in JOIN_ALL or len(arguments) != 1 or any(one.function is not None for one in call.targets):
        return False
    if arguments[0].stages is None and arguments[0].item is None:
        return False
    walk.emit(call_event(walk, call, arguments))
    walk.values[at] = Value(walk.made(at), future=Future("all", at, call, arguments))
    return True


def _callee(walk: Walk, at: int, call: ResolvedCall) -> Place | None:
    """Where the closure or function value that is called came from; None for a call of something named."""
    row = walk.rows[at]
    if call.kind != "closure" or not isinstance(row, CallRow):
        return None
    return walk.value(row.callee).place


def _given(walk: Walk, at: int, call: ResolvedCall, rows: tuple[int, ...]) -> tuple[Value, ...]:
    """The arguments' values; what is given away has another owner from here on."""
    row = walk.rows[at]
    if isinstance(row, MethodCallRow) and rows and not walk.context.takes_self(call, row.name):
        receiver = walk.value(rows[0])
        return (receiver, *(walk.consume(one, "call", at) for one in rows[1:]))
    return tuple(walk.consume(one, "call", at) for one in rows)


def _name(walk: Walk, at: int) -> str:
    row = walk.rows[at]
    return row.name if isinstance(row, MethodCallRow) else ""


def run_closures(walk: Walk, at: int, call: ResolvedCall | None, arguments: tuple[Value, ...]) -> None:
    """Run the closures and futures among the arguments where the callee does, as far as that is known."""
    words = dict(call.closures) if call is not None else {}
    for number, value in enumerate(arguments):
        if value.future is not None and value.callable is None:
            if call is None or not words:
                _run_word(walk, at, "may", value)
            continue
        if value.callable is None:
            continue
        if not isinstance(walk.rows[value.callable], ClosureRow) and value.callable not in walk.judged.calls:
            continue
        word = words.get(value.callable, "may")
        run_there = NOTHING
        if word in ("later", "may") and call is not None:
            word = walk.context.word(call, number)
            run_there = walk.context.handed_on(call, number)
        given = tuple(
            Value(place if place.root.kind == "static" else rebase(place, arguments[place.root.index].place))
            for place in run_there.places
            if place.root.kind == "static" or place.root.index < len(arguments)
        )
        if run_there.runs and not given:
            given = _made_there(walk, value)
        _run_word(walk, at, word, value, given, run_there.gives)


def _made_there(walk: Walk, value: Value) -> tuple[Value, ...]:
    """What a function by its name is run on that its runner makes; a closure has a parameter for it."""
    row = value.callable
    call = None if row is None else walk.judged.calls.get(row)
    if row is None or call is None or walk.context.takes(call) != 1:
        return ()
    return (Value(handed(row)),)


def _run_word(
    walk: Walk, at: int, word: str, value: Value, given: tuple[Value, ...] = (), gives: bool = False
) -> None:
    """Run a closure as its word says, on what it is given as far as that is known."""
    if walk.cursor is None:
        return
    match word:
        case "always":
            ends = run_apart_inline(walk, at, value, given)
            if ends and gives:
                walk.spread(at, ends)
            elif ends:
                result = walk.values[at]
                walk.cursor = walk.join(at, [cursor for cursor, _ in ends])
                walk.values[at] = result
            else:
                walk.cursor = None
        case "each":
            _run_each(walk, at, value)
        case "spawned":
            walk.values[at] = spawn(walk, at, value)
        case "ok" | "always-ok" | "always-some":
            _run_where(walk, at, value, "Some" if word == "always-some" else "Ok", given)
        case _:
            may_run(walk, at, value, given)


def _run_where(walk: Walk, at: int, value: Value, variant: str, arguments: tuple[Value, ...] = ()) -> None:
    """A closure that has run wherever the call gives Ok or Some; elsewhere it may have."""
    cursor = walk.cursor
    assert cursor is not None
    result = walk.values[at]
    yes, no = walk.split(cursor, at, Is(subject_of(result), variant), "combinator")
    ends: list[End] = []
    if yes is not None:
        walk.cursor = yes
        given = run_apart_inline(walk, at, value, arguments)
        known = "ok" if variant == "Ok" else "some"
        ends += [(end, replace(result, known=known)) for end, _ in given]
    if no is not None:
        walk.cursor = no
        may_run(walk, at, value, arguments)
        if walk.cursor is not None:
            ends.append((walk.cursor, replace(result, known="err" if variant == "Ok" else "none")))
    walk.spread(at, ends)


def _run_each(walk: Walk, at: int, value: Value) -> None:
    """A closure that runs for each of something: a loop over a new collection."""
    assert value.callable is not None
    result = walk.values[at]
    building = LoopBuilder(walk, at, value.callable, at + 1, None, walk.made(at))
    header = walk.cursor
    assert header is not None
    yes, no = walk.split(header, at, Opaque(at, walk.instance), "loop")
    assert yes is not None
    walk.cursor = yes
    item = Value(extend(walk.made(at), Turn(at, walk.instance)))
    ends = run_apart_inline(walk, at, value, (item,))
    after = building.close(yes.block, [cursor for cursor, _ in ends], no)
    walk.cursor = walk.join(at, [cursor for cursor, _ in after])
    walk.values[at] = result
