"""What lowering knows of a value while it walks: where it came from, and how it would answer a test."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from inroads.lower.model import (
    Condition,
    Each,
    Failure,
    Field,
    Gather,
    Outcome,
    Part,
    Place,
    Root,
    Turn,
)
from inroads.lower.places import extend
from inroads.resolve.model import Call as ResolvedCall


class Stage(msgspec.Struct, frozen=True):
    """
    A lazy adaptor of an iterator, to be run by the consumer at each element.

    Args:
        kind:
            map, filter, filter_map, flat_map, inspect, while, map_while run `run`; part (take, skip),
            enumerate, zip (with `other`) and flatten run nothing.
        row: The adaptor's call.
        run: The closure or function value.
    """

    kind: str
    row: int
    run: Value | None = None
    other: Value | None = None


class Grown(msgspec.Struct, frozen=True):
    """
    A collection that was made empty, and what was pushed into it.

    Args:
        base: Its place when it was made.
        depth: The loops around its making.
        item: What was pushed last; None for nothing yet.
        loop: The loop in whose turn that was; None for outside.
        part: Whether some turn may push nothing.
    """

    base: Place
    depth: int
    item: Place | None = None
    loop: int | None = None
    part: bool = False


class Future(msgspec.Struct, frozen=True):
    """
    What an await will run.

    Args:
        kind:
            call (of an async function), block (an async block), closure (an async
            closure that was called), all (`join_all` of the futures in its one argument).
        row: The call or the header.
        call, arguments: Of a call, ready to be told.
        partial: It may be given up half-way (`timeout`).
        parameters: Of an async closure that was called: its arguments.
    """

    kind: Literal["call", "block", "closure", "all"]
    row: int
    call: ResolvedCall | None = None
    arguments: tuple[Value, ...] = ()
    partial: bool = False


Test: TypeAlias = tuple[Condition, bool]


class Value(msgspec.Struct, frozen=True):
    """
    The value of a row.

    Args:
        place: Looked through, canonical.
        subject: The place whose variant a test reads; None where it is `place`.
        known: How it answers a test, None where that depends.
        test: For a bool made by a test.
        elements: Of a tuple or array literal.
        fields: Of a struct literal, by name.
        payload: What is inside a literal Some, Ok or Err.
        stages: What a consumer of this iterator runs at each element; None where it is no iterator.
        callable: Row of the closure, or of the path of a function named as a value.
        future: What an await of it runs.
        spawned: What runs beside and is joined through this handle.
        holds: Rows of the calls whose results are in it.
        item: For a collection of futures, what each of its elements is.
        index_of: For the index of a loop over `0..xs.len()`, or of enumerate: xs, and the turn.
        grown: For a collection that is being filled.
        shared: It reaches into something else (a reference, a guard), so a mutable binding of it is an alias.
    """

    place: Place
    subject: Place | None = None
    known: Outcome | None = None
    test: Test | None = None
    elements: tuple[Value, ...] | None = None
    fields: dict[str, Value] | None = None
    payload: Value | None = None
    stages: tuple[Stage, ...] | None = None
    callable: int | None = None
    future: Future | None = None
    spawned: Future | None = None
    holds: tuple[int, ...] = ()
    shared: bool = False
    item: Value | None = None
    index_of: tuple[Place, Turn | None] | None = None
    grown: Grown | None = None


UNIT_PLACE = Place(Root("constant", 0, "()", "()"))
UNIT = Value(UNIT_PLACE)
TRUE = Value(Place(Root("constant", 0, "true", "true")), known="true")
FALSE = Value(Place(Root("constant", 0, "false", "false")), known="false")


def subject_of(value: Value) -> Place:
    """The place that a test of the value's variant reads."""
    return value.subject if value.subject is not None else value.place


def replace(value: Value, **changes: object) -> Value:
    """The value with some of its fields changed."""
    return msgspec.structs.replace(value, **changes)


def at_place(value: Value, place: Place) -> Value:
    """The same value under another name: what is known of it stays, where it came from does not."""
    return msgspec.structs.replace(value, place=place, subject=None, grown=None)


def inner(value: Value, variant: str) -> Value:
    """
    What stands inside Some, Ok or Err: the same place, or the failure of it, of which no test is known yet.

    A test of it is told from a test of the outside, as in `Some(Some(x))`.
    """
    if value.payload is not None:
        return value.payload
    subject = extend(subject_of(value), Field("0", variant))
    place = extend(value.place, Failure()) if variant == "Err" else value.place
    return msgspec.structs.replace(
        value, place=place, subject=subject, known=None, test=None, payload=None, elements=None, fields=None
    )


def all_of(item: Place, turn: Turn, row: int, instance: int, part: bool) -> Place:
    """
    The collection that a loop gathers, if `item` is what each turn adds to it.

    The turn's element becomes each element, so that a mapped collection keeps its
    elements; with `part` some turns add nothing. An item that has no part of the
    turn is gathered as it is: `vec![x; n]`.
    """
    steps = list(item.steps)
    place = Place(item.root)
    found = False
    for step in steps:
        if step == turn and not found:
            found = True
            if part:
                place = extend(place, Part(row, instance))
            place = extend(place, Each())
        else:
            place = extend(place, step)
    if not found:
        return Place(Root("result", row, "", "", instance))
    return extend(place, Gather())
