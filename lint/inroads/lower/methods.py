"""Methods: what std defines is read by its meaning, all else is a call."""

from __future__ import annotations

from inroads.facts import MethodCallRow
from inroads.lower.build import End
from inroads.lower.calls import called_path, invoke, run_closures
from inroads.lower.closures import (
    call_event,
    resolve,
)
from inroads.lower.combine import CERTAIN, COMBINATORS, TESTS, combine, test, then
from inroads.lower.conditions import is_empty
from inroads.lower.exchange import assign_place, taken_from, tell_origin
from inroads.lower.growing import ADD, add, changed
from inroads.lower.iterators import adapt, consume, runs_anything
from inroads.lower.model import Each, Element, Field, Gather, Length, Part, Place, Turn
from inroads.lower.places import extend
from inroads.lower.rows import element
from inroads.lower.values import UNIT, Value, replace, subject_of
from inroads.lower.walk import Walk
from inroads.lower.words import (
    ACCESS,
    CARRY_METHODS,
    CONSUME,
    CONSUME_TRY,
    CONSUME_UNTIL,
    GUARDS,
    ITERATE,
    KEEP,
    LAZY,
    REORDER,
    SAME,
    changes,
)
from inroads.resolve.model import Call as ResolvedCall

FILLED = ("get_or_insert", "get_or_insert_default")
"""Methods of an Option that give what is in it, and put something in before where it is None."""
ELEMENTS = ("get", "get_mut", "first", "last", "first_mut", "last_mut")


def method(walk: Walk, at: int, row: MethodCallRow) -> None:
    """``x.f(a)``: a Call with x as its first argument; combinators branch, accessors are looked through."""
    resolved = walk.judged.calls.get(at)
    own = resolved is not None and any(target.function is not None for target in resolved.targets)
    if not own and _well_known(walk, at, row, resolved):
        return
    if resolved is None:
        walk.consume(row.receiver, None, at)
        arguments = tuple(walk.consume(argument, "call", at) for argument in row.arguments)
        run_closures(walk, at, None, arguments)
        walk.values[at] = Value(walk.made(at, f"{row.name}()"), holds=(at,))
        return
    taken = None if own or walk.dead else taken_from(walk, row)
    invoke(walk, at, resolved, (row.receiver, *row.arguments))
    if taken is not None and not walk.dead:
        tell_origin(walk, at, walk.value(at).place, taken)
    if changes(row.name, (target.path for target in resolved.targets)):
        changed(walk, row.receiver)
    if (
        row.name in FILLED
        and not own
        and not walk.dead
        and walk.context.family(walk.judged.types[row.receiver]) == "option"
    ):
        # It gives the slot itself.
        place = walk.value(row.receiver).place
        walk.values[at] = replace(walk.value(at), place=place, subject=None, shared=True)
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
        combined = combine(walk, at, name, family, ends, arguments)
        if name == "get_or_insert_with" and len(ends) == 1:
            _filled(walk, at, row, ends[0][1].place, combined)
        else:
            walk.spread(at, combined)
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
        path = called_path(resolved)
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
    if name in ("split_at", "split_at_mut") and count == 1 and resolved is not None:
        _tell(walk, at, row, resolved)
        receiver = walk.value(row.receiver)
        halves = (extend(receiver.place, Part(at, walk.fresh())) for _ in range(2))
        walk.values[at] = Value(
            walk.made(at), elements=tuple(Value(half, shared=True) for half in halves), shared=True
        )
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
            ends = consume(walk, at, "collect", argument, ())
            walk.spread(at, [(cursor, UNIT) for cursor, _ in ends])
            _extended(walk, row, ends)
            return True
        _extended(walk, row, [] if walk.cursor is None else [(walk.cursor, argument)])
    if name in ADD and count == 1:
        item = walk.value(row.arguments[0])
        if add(walk, row, item):
            _tell(walk, at, row, resolved)
            walk.consume(row.arguments[0], "unknown", at)
            walk.values[at] = UNIT
            return True
        return False
    if name in REORDER and count == 0 and resolved is not None:
        _tell(walk, at, row, resolved)
        walk.values[at] = UNIT
        return True
    return False


def _extended(walk: Walk, row: MethodCallRow, ends: list[End]) -> None:
    """``xs.extend(ys)`` on a collection that was empty: it holds what ys holds."""
    local = walk.judged.uses.get(row.receiver)
    cursor = walk.cursor
    if local is None or cursor is None or len(ends) != 1:
        return
    value = walk.local_value(local)
    grown = value.grown
    if grown is None:
        return
    if grown.item is None and grown.depth == len(walk.jumps):
        cursor.env[local] = Value(ends[0][1].place, holds=value.holds)
    else:
        cursor.env[local] = Value(grown.base, holds=value.holds)


def _filled(walk: Walk, at: int, row: MethodCallRow, slot: Place, ends: list[End]) -> None:
    """``slot.get_or_insert_with(f)`` gives the slot itself, in which is what it had or what `f` gave."""
    for cursor, value in ends:
        walk.cursor = cursor
        if value.place != slot:
            assign_place(walk, at, row.receiver, slot, value)
    walk.cursor = walk.join(at, [cursor for cursor, _ in ends])
    if walk.cursor is not None:
        now = walk.value_now(row.receiver, slot)
        walk.values[at] = replace(now, subject=None, known=None, shared=True)


def _change_option(walk: Walk, at: int, row: MethodCallRow, resolved: ResolvedCall | None) -> None:
    """``slot.take()``: the slot is None from here on, and what was in it is a new value."""
    _tell(walk, at, row, resolved)
    arguments = tuple(walk.consume(argument, "unknown", at) for argument in row.arguments)
    if walk.dead:
        return
    receiver = walk.value(row.receiver)
    nominal = walk.context.nominal(walk.judged.types[at])
    result = Value(walk.made(at, f"{row.name}()", nominal), subject_of(receiver), receiver.known, holds=(at,))
    if row.name != "insert":
        tell_origin(walk, at, result.place, receiver.place)
    known = "none" if row.name == "take" else "some"
    after = Value(
        arguments[0].place if arguments else receiver.place, known="some" if known == "some" else "none"
    )
    assign_place(walk, at, row.receiver, receiver.place, after)
    if row.name == "insert":
        # It gives the slot itself, with what is in it now.
        result = replace(walk.value_now(row.receiver, receiver.place), subject=None, holds=(at,), shared=True)
    walk.values[at] = result
    walk.temporary(at, result)
