"""Macros from outside the workspace: those that branch, leave, join or select; all others use their arguments."""

from __future__ import annotations

from inroads.facts import MacroRow, Region
from inroads.lower.build import Cursor, End
from inroads.lower.closures import may_run, resolve, spawn
from inroads.lower.conditions import compare
from inroads.lower.growing import empty
from inroads.lower.model import Call, Gather, Mode, Opaque, Raise, Read
from inroads.lower.patterns import Match, Matcher, bind_all, bind_pattern, meet
from inroads.lower.places import extend
from inroads.lower.rows import several
from inroads.lower.values import UNIT, Value, replace
from inroads.lower.walk import Scope, Walk
from inroads.lower.words import (
    ASSERT_COMPARES,
    ASSERT_MACROS,
    BAIL_MACROS,
    ENSURE_MACROS,
    JOIN_MACROS,
    PANIC_MACROS,
    SELECT_MACROS,
)
from inroads.resolve.model import Call as Resolved, Target
from inroads.resolve.types import UNKNOWN


def macro(walk: Walk, at: int, row: MacroRow) -> None:
    """``m!(a, b)``: its arguments are evaluated in order; then what the macro is known to do."""
    name = row.path[-1] if row.path else ""
    if row.patterns and row.patterns[0] is not None and name not in SELECT_MACROS:
        matches(walk, at, row)
    elif name in SELECT_MACROS:
        select(walk, at, row)
    elif name in JOIN_MACROS:
        join(walk, at, row, name == "try_join")
    elif name in ASSERT_MACROS or name in ASSERT_COMPARES:
        assert_(walk, at, row, name)
    elif name in ENSURE_MACROS or name in BAIL_MACROS:
        ensure(walk, at, row, name)
    else:
        plain(walk, at, row, name)


def _arguments(walk: Walk, row: MacroRow, regions: tuple[Region, ...]) -> tuple[Value, ...]:
    """Evaluate regions in order, and say which values they have."""
    values: list[Value] = []
    for region in regions:
        if walk.dead:
            break
        walk.run(region)
        values.append(UNIT if region.value is None or walk.dead else walk.value(region.value))
    return tuple(values)


def _tell(walk: Walk, at: int, row: MacroRow, values: tuple[Value, ...]) -> None:
    call = walk.judged.calls.get(at)
    if call is None and row.path:
        # Nobody resolves the macros of other crates; a rule may speak of them all the same.
        named = Target("::".join(row.path))
        operands = tuple(region.value for region in row.regions if region.value is not None)
        call = Resolved(at, "macro", (named,), named, "exact", (), operands, (), UNKNOWN)
    if call is not None and not walk.dead:
        modes: tuple[Mode, ...] = tuple("ref" for _ in values)
        walk.emit(
            Call(at, call, tuple(value.place for value in values), modes, walk.made(at, f"{row.path[-1]}!"))
        )


def plain(walk: Walk, at: int, row: MacroRow, name: str) -> None:
    """``format!``, ``warn!``, ``vec!`` and whatever is not known; ``panic!`` and its like leave."""
    values = _arguments(walk, row, row.regions)
    if walk.dead:
        return
    _captured(walk, at, row)
    _tell(walk, at, row, values)
    if name in PANIC_MACROS:
        walk.stop(Raise(at, "panic"))
    elif name == "vec" and len(values) == 1:
        walk.values[at] = Value(extend(values[0].place, Gather()), elements=values, holds=values[0].holds)
    elif name == "vec" and not values:
        walk.values[at] = empty(walk, Value(walk.made(at)))
    elif name == "vec":
        several(walk, at, "[]", values)
        walk.values[at] = Value(walk.made(at), elements=values)
    elif name in ("dbg", "pin", "addr_of", "addr_of_mut", "ready") and values:
        walk.values[at] = values[0]
    else:
        for value in values:
            if value.future is not None or value.callable is not None:
                may_run(walk, at, value)
        walk.values[at] = Value(walk.made(at, f"{name}!"))


def _captured(walk: Walk, at: int, row: MacroRow) -> None:
    """Names inside format strings are uses of their places."""
    if not row.captured:
        return
    names = set(row.captured)
    for local, value in walk.bindings.items():
        if walk.judged.locals[local].name in names and value.place.root.kind in ("parameter", "self"):
            walk.emit(Read(at, walk.local_value(local).place))


def matches(walk: Walk, at: int, row: MacroRow) -> None:
    """``matches!(v, pattern if guard)``: true where the pattern matches and the guard holds."""
    walk.run(row.regions[0])
    pattern = row.patterns[0]
    assert pattern is not None
    found: list[Match] = []
    no: list[Cursor] = []
    for cursor, value in walk.take(row.regions[0].value):
        walk.cursor = cursor
        matcher = Matcher(walk, at, "if", False)
        if matcher.match(pattern, value) and walk.cursor is not None:
            found.append((walk.cursor, matcher.bound))
        no += matcher.nos
    walk.cursor, bound = meet(walk, at, found)
    bind_all(walk, at, bound)
    if not walk.dead and 1 < len(row.regions) and row.labels[1] == "if":
        walk.run(row.regions[1])
        on, off = walk.split_all(walk.take(row.regions[1].value), at, "guard")
        walk.cursor = on
        if off is not None:
            no.append(off)
    matched = None if walk.dead else walk.cursor
    walk.answer(at, matched, walk.join(at, no))


def assert_(walk: Walk, at: int, row: MacroRow, name: str) -> None:
    """
    ``assert!(c)``

    ::

        [c] -> [c is true] ..
            -> [c is false] panic

    A debug_assert is not there in a release: its branch may be passed by.
    """
    passed: Cursor | None = None
    if name.startswith("debug_") and walk.cursor is not None:
        runs, passed = walk.split(walk.cursor, at, Opaque(at, walk.fresh()), "may-run")
        walk.cursor = runs
    yes, no = (
        walk.split_all(_asserted(walk, at, row, name), at, "assert") if row.regions else (walk.cursor, None)
    )
    if no is not None:
        walk.emit_at(no, Raise(at, "panic"))
    walk.cursor = walk.join(at, [one for one in (yes, passed) if one is not None])
    walk.values[at] = UNIT


def _asserted(walk: Walk, at: int, row: MacroRow, name: str) -> list[End]:
    """The ends of what is asserted, of which each is a condition; none where control does not get there."""
    if name in ASSERT_COMPARES:
        values = _arguments(walk, row, row.regions[:2])
        cursor = walk.cursor
        if cursor is None:
            return []
        _tell(walk, at, row, values)
        test = compare(ASSERT_COMPARES[name], values[0].place, values[1].place) if len(values) == 2 else None
        return [(cursor, Value(walk.made(at), test=test))]
    walk.run(row.regions[0])
    ends = walk.take(row.regions[0].value)
    walk.cursor, value = walk.unite(at, ends)
    if walk.cursor is None:
        return []
    _tell(walk, at, row, (value,))
    return [(walk.cursor, value)]


def ensure(walk: Walk, at: int, row: MacroRow, name: str) -> None:
    """``bail!(..)`` leaves with an error; ``ensure!(c, ..)`` does where c is false."""
    failed = Value(walk.made(at), known="err")
    if name in BAIL_MACROS or not row.regions:
        values = _arguments(walk, row, row.regions)
        _tell(walk, at, row, values)
        cursor = walk.cursor
        if cursor is not None:
            walk.leave_frame(at, [(cursor, failed)], None)
        return
    walk.run(row.regions[0])
    yes, no = walk.split_all(walk.take(row.regions[0].value), at, "if")
    if no is not None:
        walk.cursor = no
        values = _arguments(walk, row, row.regions[1:])
        _tell(walk, at, row, values)
        cursor = walk.cursor
        if cursor is not None:
            walk.leave_frame(at, [(cursor, failed)], None)
    walk.cursor = yes
    walk.values[at] = UNIT


def join(walk: Walk, at: int, row: MacroRow, fallible: bool) -> None:
    """
    ``join!(a, b)``: all run, in an order that nobody knows; here one after the other.

    None orders another, so each but the first (which does) also begins with the state of here:
    that run is detached.

    ``try_join!``: goes on as Ok where all are, as Err at the first that is not.
    """
    futures = _arguments(walk, row, row.regions)
    failed: list[End] = []
    values: list[Value] = []
    for future in futures[1:]:
        if not walk.dead and future.future is not None:
            spawn(walk, at, future)
    for future in futures:
        if walk.dead:
            break
        ends = resolve(walk, at, future)
        if fallible:
            good: list[End] = []
            for end in ends:
                yes, no = walk.split_variant(end, at, "Ok", "combinator")
                if yes is not None:
                    good.append((yes, replace(end[1], known=None, payload=None)))
                if no is not None:
                    failed.append((no, replace(end[1], known="err")))
            ends = good
        walk.cursor, value = walk.unite(at, ends)
        values.append(value)
    made = Value(walk.made(at), elements=tuple(values))
    cursor = None if walk.dead else walk.cursor
    if not fallible:
        walk.values[at] = made
        return
    done: list[End] = [] if cursor is None else [(cursor, replace(made, known="ok", payload=made))]
    walk.spread(at, done + failed)


def select(walk: Walk, at: int, row: MacroRow) -> None:
    """
    ``select! { p = future => handler, .. }``: one arm wins.

    ::

        [..] -> [this arm] future; p; handler -> .
             -> [another] ..
    """
    ends: list[End] = []
    number = 0
    pending = walk.cursor
    regions = row.regions
    while number < len(regions) and pending is not None:
        first = number
        number += 1
        while number < len(regions) and (row.labels[number] == "if" or row.labels[number].endswith("=>")):
            number += 1
        last = number == len(regions)
        walk.cursor = pending
        taken, pending = walk.split(pending, at, Opaque(at, walk.fresh()), "select", True if last else None)
        assert taken is not None
        walk.cursor = taken
        walk.scopes.append(Scope())
        ends += walk.close(_arm(walk, at, row, first, number), at)
    if pending is not None:
        ends.append((pending, UNIT))
    walk.spread(at, ends)


def _arm(walk: Walk, at: int, row: MacroRow, first: int, end: int) -> list[End]:
    """The future of one arm, its pattern, guard and handler."""
    labels = row.labels
    regions = row.regions
    value = UNIT
    if not labels[first].endswith("=>"):
        walk.run(regions[first])
        if walk.dead:
            return []
        value = UNIT if regions[first].value is None else walk.value(regions[first].value or 0)
        walk.cursor, value = walk.unite(at, resolve(walk, at, value))
        if walk.dead:
            return []
        pattern = row.patterns[first]
        if pattern is not None:
            bind_pattern(walk, at, pattern, value)
        first += 1
    for number in range(first, end):
        if walk.dead:
            return []
        if labels[number] == "if":
            walk.run(regions[number])
            # Where it does not hold another arm is waited for.
            walk.cursor, _ = walk.unite(at, walk.take(regions[number].value))
            continue
        return walk.run_scoped(regions[number])
    cursor = walk.cursor
    return [] if cursor is None else [(cursor, value)]
