"""What goes from one place to another: taken out of a slot or a collection, replaced, swapped."""

from __future__ import annotations

from inroads.facts import BorrowRow, MethodCallRow
from inroads.lower.model import Each, Field, Place, Write
from inroads.lower.places import extend
from inroads.lower.rows import element
from inroads.lower.values import Value, at_place, replace
from inroads.lower.walk import Walk

TAKEN = ("pop", "pop_front", "pop_back", "pop_first", "pop_last", "remove", "swap_remove")
EXCHANGES = {"std::mem::take": 1, "std::mem::replace": 2, "std::mem::swap": 2}
"""Functions that exchange what is in their first argument, and how many they have."""


def taken_from(walk: Walk, row: MethodCallRow) -> Place | None:
    """What ``xs.pop()`` gives, as it is named in the collection; None where it gives no element."""
    of = walk.judged.types[row.receiver]
    if row.name not in TAKEN or not walk.context.is_collection(of):
        return None
    place = walk.value(row.receiver).place
    if row.name == "remove" and walk.context.is_map(of):
        return extend(extend(place, element(walk.value(row.arguments[0]))), Field("1"))
    return extend(place, Each())


def tell_origin(walk: Walk, at: int, place: Place, source: Place) -> None:
    """A value that was taken out of something is one of its own; what was done for it was done for it there."""
    if place != source:
        walk.emit(Write(at, place, None, source, None, None, "join"))


def exchange(walk: Walk, at: int, path: str, rows: tuple[int, ...], places: list[Place]) -> None:
    """
    ``mem::replace(&mut a, b)``: what was in `a` comes out, and `b` is in it from here on.

    ``mem::swap(&mut a, &mut b)`` puts it into `b`; ``mem::take(&mut a)`` leaves a value of which nothing is known.
    """
    out = walk.made(at) if path == "std::mem::swap" else walk.value(at).place
    tell_origin(walk, at, out, places[0])
    into = Value(places[1]) if len(places) > 1 else Value(walk.made(at, "default()"))
    assign_place(walk, at, _lent(walk, rows[0]), places[0], into)
    if path == "std::mem::swap":
        assign_place(walk, at, _lent(walk, rows[1]), places[1], Value(out))


def _lent(walk: Walk, row: int) -> int:
    """The row of what is lent by ``&mut x``."""
    noun = walk.rows[row]
    return noun.operand if isinstance(noun, BorrowRow) else row


def assign_place(walk: Walk, at: int, row: int, place: Place, value: Value) -> None:
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
        walk.emit(Write(at, name, before, given.place, given.known, None, "="))
        cursor.env[local] = at_place(given, name)
        return
    walk.emit(Write(at, place, place, given.place, given.known, None, "="))
