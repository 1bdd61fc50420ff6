"""Calls: of functions, methods and closures; what is looked through, what diverges, what runs a closure."""

from __future__ import annotations

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
    spawn,
)
from inroads.lower.combine import CERTAIN, COMBINATORS, TESTS, combine, test, then
from inroads.lower.conditions import is_empty
from inroads.lower.iterators import adapt, consume, runs_anything
from inroads.lower.loops import LoopBuilder
from inroads.lower.model import Each, Element, Field, Gather, Is, Length, Opaque, Place, Raise, Turn, Write
from inroads.lower.patterns import standard
from inroads.lower.places import extend
from inroads.lower.rows import build, element
from inroads.lower.values import UNIT, Future, Value, at_place, replace, subject_of
from inroads.lower.walk import Walk
from inroads.lower.words import (
    ACCESS,
    CARRY_FUNCTIONS,
    CARRY_METHODS,
    CONSUME,
    CONSUME_TRY,
    CONSUME_UNTIL,
    GUARDS,
    ITERATE,
    KEEP,
    LAZY,
    REORDER,
    RUN_NOW,
    SAME,
    SPAWN,
    TIMEOUT,
)
from inroads.resolve.model import Call as ResolvedCall
from inroads.resolve.types import UNIT as UNIT_TYPE

ELEMENTS = ("get", "get_mut", "first", "last", "first_mut", "last_mut")


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
    if resolved_call is None:
        arguments = tuple(walk.consume(argument, "call", at) for argument in row.arguments)
        _run_closures(walk, at, None, arguments)
        walk.values[at] = Value(walk.made(at), holds=(at,))
        return
    path = _path(resolved_call)
    if path == "std::mem::drop" and row.arguments:
        _drop(walk, at, resolved_call, row.arguments[0])
        return
    invoke(walk, at, resolved_call, row.arguments)
    if path in CARRY_FUNCTIONS and row.arguments and not walk.dead:
        carried = walk.value(row.arguments[0])
        walk.values[at] = replace(carried, holds=carried.holds)


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


def _path(call: ResolvedCall) -> str:
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
    for number, row in enumerate(rows):
        if runs_anything(arguments[number]):
            walk.spread(row, consume(walk, row, "count", arguments[number], ()))
    if walk.context.is_async(call):
        walk.values[at] = Value(walk.made(at), future=Future("call", at, call, arguments))
        return
    foreign = all(target.function is None for target in call.targets)
    name = _path(call).rpartition("::")[2] or _name(walk, at)
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
        _run_closures(walk, at, call, arguments)
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
    _run_closures(walk, at, call, arguments)


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


def _run_closures(walk: Walk, at: int, call: ResolvedCall | None, arguments: tuple[Value, ...]) -> None:
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
        if word in ("later", "may") and call is not None:
            word = walk.context.word(call, number)
        _run_word(walk, at, word, value)


def _run_word(walk: Walk, at: int, word: str, value: Value) -> None:
    """Run a closure as its word says, on arguments of which nothing is known."""
    if walk.cursor is None:
        return
    match word:
        case "always":
            ends = run_apart_inline(walk, at, value, ())
            if ends:
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
            _run_where(walk, at, value, "Some" if word == "always-some" else "Ok")
        case _:
            may_run(walk, at, value)


def _run_where(walk: Walk, at: int, value: Value, variant: str) -> None:
    """A closure that has run wherever the call gives Ok or Some; elsewhere it may have."""
    cursor = walk.cursor
    assert cursor is not None
    result = walk.values[at]
    yes, no = walk.split(cursor, at, Is(subject_of(result), variant), "combinator")
    ends: list[End] = []
    if yes is not None:
        walk.cursor = yes
        given = run_apart_inline(walk, at, value, ())
        known = "ok" if variant == "Ok" else "some"
        ends += [(end, replace(result, known=known)) for end, _ in given]
    if no is not None:
        walk.cursor = no
        may_run(walk, at, value)
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


def method(walk: Walk, at: int, row: MethodCallRow) -> None:
    """``x.f(a)``: a Call with x as its first argument; combinators branch, accessors are looked through."""
    resolved = walk.judged.calls.get(at)
    own = resolved is not None and any(target.function is not None for target in resolved.targets)
    if not own and _well_known(walk, at, row, resolved):
        return
    if resolved is None:
        walk.consume(row.receiver, None, at)
        arguments = tuple(walk.consume(argument, "call", at) for argument in row.arguments)
        _run_closures(walk, at, None, arguments)
        walk.values[at] = Value(walk.made(at, f"{row.name}()"), holds=(at,))
        return
    invoke(walk, at, resolved, (row.receiver, *row.arguments))
    if own and row.name == "clone" and not walk.dead:
        walk.values[at] = walk.value(row.receiver)


def _well_known(walk: Walk, at: int, row: MethodCallRow, resolved: ResolvedCall | None) -> bool:
    """Lower a method that std defines; False where the name or receiver is another."""
    name = row.name
    receiver_type = walk.judged.types[row.receiver]
    family = _family(walk, row, resolved)
    if name in TESTS:
        _tell(walk, at, row, resolved)
        ends = walk.take(row.receiver)
        walk.spread(at, [test(walk, at, name, end) for end in ends])
        return True
    if family in ("result", "option") and name in COMBINATORS:
        arguments = tuple(walk.consume(argument, None, at) for argument in row.arguments)
        ends = walk.take(row.receiver)
        _tell_all(walk, at, row, resolved, ends)
        walk.spread(at, combine(walk, at, name, family, ends, arguments))
        return True
    if family == "bool" and name in ("then", "then_some"):
        arguments = tuple(walk.consume(argument, None, at) for argument in row.arguments)
        ends = walk.take(row.receiver)
        walk.spread(at, [after for end in ends for after in then(walk, at, name, end, arguments)])
        return True
    if name in KEEP and family != "iterator" and (family or name not in ("inspect", "flatten")):
        for argument in row.arguments:
            walk.consume(argument, None, at)
        ends = walk.take(row.receiver)
        _tell_all(walk, at, row, resolved, ends)
        walk.spread(at, ends)
        return True
    if family == "iterator" and _iterate(walk, at, row, resolved):
        return True
    if len(row.arguments) < 2 and (name in CARRY_METHODS):
        _tell(walk, at, row, resolved)
        walk.relay(at, row.receiver)
        return True
    if not row.arguments and name in SAME:
        _tell(walk, at, row, resolved)
        walk.relay(at, row.receiver)
        if name not in ("clone", "cloned", "copied", "to_owned", "to_vec"):
            value = walk.value(at)
            walk.values[at] = value if value.shared else replace(value, shared=True)
        return True
    if not row.arguments and name in ACCESS:
        _access(walk, at, row, resolved)
        return True
    if not row.arguments and (
        name in ITERATE or name in ("values", "keys", "values_mut", "into_values", "into_keys")
    ):
        _tell(walk, at, row, resolved)
        walk.values[at] = _iterator(walk, at, name, walk.consume(row.receiver, None, at))
        return True
    return _collection(walk, at, row, resolved, receiver_type)


def _tell(walk: Walk, at: int, row: MethodCallRow, resolved: ResolvedCall | None) -> None:
    """Tell the call of a method that is otherwise looked through."""
    _tell_all(walk, at, row, resolved, None)


def _tell_all(
    walk: Walk, at: int, row: MethodCallRow, resolved: ResolvedCall | None, ends: list[End] | None
) -> None:
    if resolved is None or walk.context.is_noise(resolved):
        return
    arguments = tuple(walk.values.get(argument, UNIT) for argument in row.arguments)
    if ends is None:
        arguments = (walk.value(row.receiver), *arguments)
        walk.emit(call_event(walk, resolved, arguments))
    else:
        for cursor, value in ends:
            walk.emit_at(cursor, call_event(walk, resolved, (value, *arguments)))


def _family(walk: Walk, row: MethodCallRow, resolved: ResolvedCall | None) -> str | None:
    """Which std family a method call belongs to: result, option, bool, iterator; None where that is open."""
    value = walk.values.get(row.receiver)
    if value is not None:
        if value.stages is not None:
            return "iterator"
        if value.known in ("ok", "err"):
            return "result"
        if value.known in ("some", "none"):
            return "option"
        if value.test is not None:
            return "bool"
    if resolved is not None:
        path = _path(resolved)
        if path.startswith("std::option::Option::"):
            return "option"
        if path.startswith("std::result::Result::"):
            return "result"
        if path.startswith("std::iter::") or "Iterator::" in path or "StreamExt::" in path:
            return "iterator"
    of = walk.judged.types[row.receiver]
    family = walk.context.family(of)
    if family in ("result", "option", "bool"):
        return family
    if walk.context.is_iterator(of):
        return "iterator"
    certain = CERTAIN.get(row.name)
    if certain is None:
        return None
    return certain or "result"


def _access(walk: Walk, at: int, row: MethodCallRow, resolved: ResolvedCall | None) -> None:
    """``m.lock()``: what m protects; the lock itself is tested, and held, on its own."""
    _tell(walk, at, row, resolved)
    if walk.dead:
        return
    receiver = walk.value(row.receiver)
    holds = (*receiver.holds, at) if row.name in GUARDS else receiver.holds
    value = Value(receiver.place, walk.made(at, f"{row.name}()"), holds=holds, shared=True)
    walk.values[at] = value
    if row.name in GUARDS:
        walk.temporary(at, value)


def _iterator(walk: Walk, at: int, name: str, receiver: Value) -> Value:
    """``xs.iter()``, ``map.values()``: an iterator over the elements."""
    place = receiver.place
    if name in ("values", "values_mut", "into_values"):
        place = extend(extend(extend(place, Each()), Field("1")), Gather())
    elif name in ("keys", "into_keys"):
        place = extend(extend(extend(place, Each()), Field("0")), Gather())
    return Value(
        place,
        elements=receiver.elements,
        stages=receiver.stages or (),
        holds=receiver.holds,
        shared=receiver.shared or name in ("iter", "iter_mut", "values", "keys"),
    )


def _iterate(walk: Walk, at: int, row: MethodCallRow, resolved: ResolvedCall | None) -> bool:
    """Adaptors and consumers of iterators."""
    name = row.name
    if name in LAZY or name in CONSUME or name in CONSUME_TRY or name in CONSUME_UNTIL:
        _tell(walk, at, row, resolved)
        arguments = tuple(walk.consume(argument, None, at) for argument in row.arguments)
        value = walk.consume(row.receiver, None, at)
        adapted = adapt(walk, at, name, value, arguments)
        if adapted is not None:
            walk.values[at] = adapted
        else:
            walk.spread(at, consume(walk, at, name, value, arguments))
        return True
    if name == "next" and not row.arguments:
        _tell(walk, at, row, resolved)
        walk.values[at] = _next(walk, at, row)
        return True
    return False


def _next(walk: Walk, at: int, row: MethodCallRow) -> Value:
    """``it.next()``: in the condition of a loop this turn's element, of a new iterator the first one."""
    value = walk.value(row.receiver)
    if runs_anything(value):
        return Value(walk.made(at))
    jump = walk.jumps[-1] if walk.jumps else None
    if jump is not None and jump.condition is not None and jump.condition.start <= at < jump.condition.end:
        place = extend(value.place, Turn(jump.row, walk.instance))
    elif isinstance(walk.rows[row.receiver], MethodCallRow):
        place = extend(value.place, Element("0"))
    else:
        place = walk.made(at, "next()")
    return Value(place, walk.made(at, "next()"), shared=value.shared)


def _collection(
    walk: Walk, at: int, row: MethodCallRow, resolved: ResolvedCall | None, receiver_type: object
) -> bool:
    """Methods of collections and options that name a place or change one."""
    name = row.name
    count = len(row.arguments)
    if name == "len" and count == 0:
        receiver = walk.value(row.receiver)
        walk.values[at] = Value(extend(receiver.place, Length()))
        return True
    if name == "is_empty" and count == 0:
        receiver = walk.value(row.receiver)
        walk.values[at] = Value(walk.made(at), test=is_empty(receiver.place))
        return True
    if name in ELEMENTS and count < 2 and walk.context.is_collection(walk.judged.types[row.receiver]):
        _tell(walk, at, row, resolved)
        receiver = walk.value(row.receiver)
        if count:
            step = element(walk.value(row.arguments[0]))
        else:
            step = Element("0" if name.startswith("first") else "last")
        place = extend(receiver.place, step)
        if walk.context.is_map(walk.judged.types[row.receiver]):
            place = extend(place, Field("1"))
        walk.values[at] = Value(place, walk.made(at, f"{name}()"), shared=True)
        return True
    if name == "join" and count == 0:
        receiver = walk.value(row.receiver)
        if receiver.spawned is not None:
            _tell(walk, at, row, resolved)
            walk.consume(row.receiver, None, at)
            walk.spread(at, resolve(walk, at, receiver))
            return True
        return False
    if (
        name in ("take", "replace", "insert")
        and walk.context.family(walk.judged.types[row.receiver]) == "option"
    ):
        _change_option(walk, at, row, resolved)
        return True
    if name == "extend" and count == 1:
        argument = walk.value(row.arguments[0])
        if runs_anything(argument):
            _tell(walk, at, row, resolved)
            walk.spread(at, [(cursor, UNIT) for cursor, _ in consume(walk, at, "count", argument, ())])
            return True
    if name in REORDER and count == 0 and resolved is not None:
        _tell(walk, at, row, resolved)
        walk.values[at] = UNIT
        return True
    return False


def _change_option(walk: Walk, at: int, row: MethodCallRow, resolved: ResolvedCall | None) -> None:
    """``slot.take()``: the slot is None from here on, and what was in it is a new value."""
    _tell(walk, at, row, resolved)
    arguments = tuple(walk.consume(argument, "unknown", at) for argument in row.arguments)
    if walk.dead:
        return
    receiver = walk.value(row.receiver)
    nominal = walk.context.nominal(walk.judged.types[at])
    result = Value(walk.made(at, f"{row.name}()", nominal), subject_of(receiver), receiver.known, holds=(at,))
    known = "none" if row.name == "take" else "some"
    after = Value(
        arguments[0].place if arguments else receiver.place, known="some" if known == "some" else "none"
    )
    _assign_place(walk, at, row.receiver, receiver.place, after)
    walk.values[at] = result
    walk.temporary(at, result)


def _assign_place(walk: Walk, at: int, row: int, place: Place, value: Value) -> None:
    """Write to a place through a method: a field gets a new version, a local a new name."""
    cursor = walk.cursor
    if cursor is None:
        return
    last = place.steps[-1] if place.steps else None
    given = value if value.place != place else replace(value, place=walk.made(at))
    if isinstance(last, Field):
        base = Value(Place(place.root, place.steps[:-1]))
        walk.write_field(base, last, given, at, "=")
        return
    local = walk.judged.uses.get(row)
    if local is not None:
        before = walk.local_value(local).place
        name = walk.renamed(local)
        walk.emit(Write(at, name, before, None, given.known, None, "="))
        cursor.env[local] = at_place(given, name)
        return
    walk.emit(Write(at, place, place, None, given.known, None, "="))
