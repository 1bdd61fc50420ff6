"""
Rows put in the place of other rows, with all operands renumbered.

`OPERANDS` says for each kind of row which of its fields hold rows and regions;
everything that moves rows goes by it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import msgspec

from inroads.facts import (
    Arm,
    ArrayRow,
    AssignRow,
    AttributedRow,
    AwaitRow,
    BinaryRow,
    BlockRow,
    BorrowRow,
    BreakRow,
    CallRow,
    CastRow,
    ClosureRow,
    DiscardRow,
    FieldRow,
    ForRow,
    IfRow,
    IndexRow,
    LetConditionRow,
    LetRow,
    LoopRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    RangeRow,
    Region,
    RepeatRow,
    ReturnRow,
    Row,
    ShortCircuitRow,
    StructRow,
    TryRow,
    TupleRow,
    UnaryRow,
    WhileRow,
    YieldRow,
)

Shape: TypeAlias = Literal["row", "rows", "fields", "region", "regions", "arms"]

OPERANDS: dict[type, tuple[tuple[str, Shape], ...]] = {
    FieldRow: (("base", "row"),),
    IndexRow: (("base", "row"), ("index", "row")),
    CallRow: (("callee", "row"), ("arguments", "rows")),
    MethodCallRow: (("receiver", "row"), ("arguments", "rows")),
    MacroRow: (("regions", "regions"),),
    UnaryRow: (("operand", "row"),),
    BorrowRow: (("operand", "row"),),
    BinaryRow: (("left", "row"), ("right", "row")),
    ShortCircuitRow: (("left", "row"), ("right", "region")),
    AssignRow: (("target", "row"), ("value", "row")),
    RangeRow: (("low", "row"), ("high", "row")),
    CastRow: (("operand", "row"),),
    TryRow: (("operand", "row"),),
    AwaitRow: (("operand", "row"),),
    ReturnRow: (("value", "row"),),
    BreakRow: (("value", "row"),),
    YieldRow: (("value", "row"),),
    TupleRow: (("elements", "rows"),),
    ArrayRow: (("elements", "rows"),),
    RepeatRow: (("value", "row"), ("length", "row")),
    StructRow: (("fields", "fields"), ("base", "row")),
    LetConditionRow: (("value", "row"),),
    LetRow: (("value", "row"), ("otherwise", "region")),
    DiscardRow: (("value", "row"),),
    IfRow: (("condition", "region"), ("then", "region"), ("otherwise", "region")),
    MatchRow: (("scrutinee", "row"), ("arms", "arms")),
    LoopRow: (("body", "region"),),
    WhileRow: (("condition", "region"), ("body", "region")),
    ForRow: (("iterable", "row"), ("body", "region")),
    BlockRow: (("body", "region"),),
    ClosureRow: (("body", "region"),),
    AttributedRow: (("body", "region"),),
}

HEADERS = frozenset(
    kind
    for kind, fields in OPERANDS.items()
    if any(shape in ("region", "regions", "arms") for _, shape in fields)
)


def regions_of(row: Row) -> tuple[Region, ...]:
    """The regions of a header in the order in which they follow it; empty for other rows."""
    found: list[Region] = []
    for name, shape in OPERANDS.get(type(row), ()):
        value = getattr(row, name)
        if shape == "region" and value is not None:
            found.append(value)
        elif shape == "regions":
            found.extend(value)
        elif shape == "arms":
            for arm in value:
                if arm.guard is not None:
                    found.append(arm.guard)
                found.append(arm.body)
    return tuple(found)


def past(at: int, row: Row) -> int:
    """Where evaluation goes on after the row at `at`: behind the last region of a header."""
    regions = regions_of(row)
    return regions[-1].end if regions else at + 1


def moved(row: Row, place: Callable[[int], int]) -> Row:
    """The row with each operand, and each region's bounds, at the place that `place` gives."""
    shapes = OPERANDS.get(type(row))
    if shapes is None:
        return row
    # Any: the values have the types of their fields, which `OPERANDS` tells.
    changes: dict[str, Any] = {}
    for name, shape in shapes:
        value = getattr(row, name)
        if value is None or value == ():
            continue
        match shape:
            case "row":
                changes[name] = place(value)
            case "rows":
                changes[name] = tuple(place(one) for one in value)
            case "fields":
                changes[name] = tuple((field, place(one)) for field, one in value)
            case "region":
                changes[name] = moved_region(value, place)
            case "regions":
                changes[name] = tuple(moved_region(one, place) for one in value)
            case "arms":
                changes[name] = tuple(_moved_arm(arm, place) for arm in value)
    return msgspec.structs.replace(row, **changes) if changes else row


def moved_region(region: Region, place: Callable[[int], int]) -> Region:
    """The region with its bounds and its value at their new places."""
    value = None if region.value is None else place(region.value)
    return Region(place(region.start), place(region.end), value)


def _moved_arm(arm: Arm, place: Callable[[int], int]) -> Arm:
    guard = None if arm.guard is None else moved_region(arm.guard, place)
    return Arm(arm.start, arm.end, arm.pattern, guard, moved_region(arm.body, place), arm.attributes)
