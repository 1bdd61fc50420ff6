"""
Who takes the value of each row, and in which region each row stands.

`facts.rows` names operands by index, from the user to the used; following a
value asks the other way round. Both tables are made in one pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from inroads.facts import (
    ArrayRow,
    AssignRow,
    AttributedRow,
    AwaitRow,
    BinaryRow,
    BlockRow,
    Body,
    BorrowRow,
    BreakRow,
    CallRow,
    CastRow,
    ClosureRow,
    ContinueRow,
    DiscardRow,
    FieldRow,
    ForRow,
    IfRow,
    IndexRow,
    ItemRow,
    LetConditionRow,
    LetRow,
    LiteralRow,
    LoopRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    PathRow,
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
    UnknownRow,
    WhileRow,
    WildcardRow,
    YieldRow,
)
from inroads.resolve.model import Judged


class Use(NamedTuple):
    """
    The row that takes a value, and as what.

    `role` is one of receiver argument callee field indexed operand borrow cast
    try await return break yield element stored base assigned target let
    let-condition discard condition branch scrutinee iterated tail closure
    macro returned. `order` counts arguments, elements, regions and arms from 0.
    For `returned`, the value of the whole body, `row` is None.
    """

    row: int | None
    role: str
    order: int = 0


class Home(NamedTuple):
    """
    The header whose region holds a row, and which: `condition`, `then`, `otherwise`, `arm`, `guard`,
    `body`, `right`, `macro`.
    """

    row: int
    part: str
    order: int = 0


class Uses(msgspec.Struct):
    """
    The consumers of a judged body.

    Args:
        taken: For each row, its user; None where nobody takes the value (a statement of its own).
        homes: For each row, the innermost header that holds it; None at the top of the body.
        locals: For each local, the rows that name it, in order.
        captured: For each local, the macro rows that format it by `{name}`.
        pasts: Row -> where evaluation goes on after it, see `past`; kept as far as somebody has asked.
        exits: The same for the exits of regions.
        logged: Variables named by tokens of log macros -> their rows; None before the first look.
    """

    taken: list[Use | None]
    homes: list[Home | None]
    locals: dict[int, list[int]] = msgspec.field(default_factory=dict)
    captured: dict[int, list[int]] = msgspec.field(default_factory=dict)
    pasts: dict[int, int] = msgspec.field(default_factory=dict)
    exits: dict[tuple[int, int], Exits] = msgspec.field(default_factory=dict)
    logged: dict[str, list[int]] | None = None


class Exits(NamedTuple):
    """
    The statements of a region that surely leave it, in order.

    Args:
        rows: Their rows.
        fails: For each, whether it leaves with an error.
        tail: The row of the region's value if that is surely an error; None otherwise.
    """

    rows: list[int]
    fails: list[bool]
    tail: int | None


# Rows without operands, and rows with regions; most rows are neither or the first.
LEAVES = frozenset({PathRow, LiteralRow, WildcardRow, ContinueRow, ItemRow, UnknownRow})
HEADERS = frozenset(
    {
        *(
            ShortCircuitRow,
            MacroRow,
            LetRow,
            IfRow,
            MatchRow,
            WhileRow,
            LoopRow,
            ForRow,
            BlockRow,
            ClosureRow,
        ),
        AttributedRow,
    }
)


# Rows with one operand and no region: its field, and its role.
_ONE_OPERAND: dict[type[Row], tuple[str, str]] = {
    FieldRow: ("base", "field"),
    UnaryRow: ("operand", "operand"),
    BorrowRow: ("operand", "borrow"),
    CastRow: ("operand", "cast"),
    TryRow: ("operand", "try"),
    AwaitRow: ("operand", "await"),
    ReturnRow: ("value", "return"),
    BreakRow: ("value", "break"),
    YieldRow: ("value", "yield"),
    LetConditionRow: ("value", "let-condition"),
    DiscardRow: ("value", "discard"),
}


def uses_of(judged: Judged) -> Uses:
    """The consumers of all rows of a judged body."""
    body = judged.body
    taken: list[Use | None] = [None] * len(body.rows)
    homes: list[Home | None] = [None] * len(body.rows)
    uses = Uses(taken, homes)
    # Headers come before their regions, outer before inner, so that the last to claim a row is the innermost.
    many = len(taken)
    for at, row in enumerate(body.rows):
        kind = type(row)
        if kind in LEAVES:
            continue
        plain = _ONE_OPERAND.get(kind)
        if plain is not None:
            operand = getattr(row, plain[0])
            if operand is not None and operand < many:
                taken[operand] = Use(at, plain[1], 0)
            continue
        for operand, role, index in operands(row):
            if operand < many:
                taken[operand] = Use(at, role, index)
        if kind in HEADERS:
            for region, part, index in regions(row):
                home = Home(at, part, index)
                for inside in top_rows(body, region):
                    homes[inside] = home
    for at, row in enumerate(body.rows):
        if type(row) not in HEADERS:
            continue
        for region, role, index in valued_regions(row):
            if region.value is not None and region.start <= region.value < region.end:
                taken[region.value] = Use(at, role, index)
    if body.root.value is not None and body.root.value < len(taken):
        taken[body.root.value] = Use(None, "returned")
    for macro, local in sorted(set(judged.captured)):
        uses.captured.setdefault(local, []).append(macro)
    for at in sorted(judged.uses):
        uses.locals.setdefault(judged.uses[at], []).append(at)
    return uses


def operands(row: Row) -> Iterator[tuple[int, str, int]]:
    """The operands of a row that stand before it: row, role, index."""
    plain = _ONE_OPERAND.get(type(row))
    if plain is not None:
        operand = getattr(row, plain[0])
        if operand is not None:
            yield operand, plain[1], 0
        return
    match row:
        case MethodCallRow():
            yield row.receiver, "receiver", 0
            for index, argument in enumerate(row.arguments):
                yield argument, "argument", index
        case CallRow():
            yield row.callee, "callee", 0
            for index, argument in enumerate(row.arguments):
                yield argument, "argument", index
        case LetRow():
            if row.value is not None:
                yield row.value, "let", 0
        case BinaryRow():
            yield row.left, "operand", 0
            yield row.right, "operand", 1
        case IndexRow():
            yield row.base, "indexed", 0
            yield row.index, "operand", 1
        case ShortCircuitRow():
            yield row.left, "condition", 0
        case AssignRow():
            yield row.target, "target", 0
            yield row.value, "assigned", 0
        case RangeRow():
            for index, end in enumerate((row.low, row.high)):
                if end is not None:
                    yield end, "operand", index
        case TupleRow() | ArrayRow():
            for index, element in enumerate(row.elements):
                yield element, "element", index
        case RepeatRow():
            yield row.value, "element", 0
            yield row.length, "operand", 1
        case StructRow():
            for index, (_, value) in enumerate(row.fields):
                yield value, "stored", index
            if row.base is not None:
                yield row.base, "base", 0
        case MatchRow():
            yield row.scrutinee, "scrutinee", 0
        case ForRow():
            yield row.iterable, "iterated", 0
        case _:
            return


def regions(row: Row) -> Iterator[tuple[Region, str, int]]:
    """The regions of a header: region, part, index."""
    match row:
        case ShortCircuitRow():
            yield row.right, "right", 0
        case MacroRow():
            for index, region in enumerate(row.regions):
                yield region, "macro", index
        case LetRow():
            if row.otherwise is not None:
                yield row.otherwise, "otherwise", 0
        case IfRow():
            yield row.condition, "condition", 0
            yield row.then, "then", 0
            if row.otherwise is not None:
                yield row.otherwise, "otherwise", 0
        case MatchRow():
            for index, arm in enumerate(row.arms):
                if arm.guard is not None:
                    yield arm.guard, "guard", index
                yield arm.body, "arm", index
        case WhileRow():
            yield row.condition, "condition", 0
            yield row.body, "body", 0
        case LoopRow() | ForRow() | BlockRow() | ClosureRow() | AttributedRow():
            yield row.body, "body", 0
        case _:
            return


def region_at(row: Row, home: Home) -> Region:
    """The region of a header that a home names."""
    match row, home.part:
        case MatchRow(arms=arms), "arm":
            return arms[home.order].body
        case MatchRow(arms=arms), "guard":
            guard = arms[home.order].guard
            assert guard is not None
            return guard
        case MacroRow(regions=inside), _:
            return inside[home.order]
    return next(region for region, part, _ in regions(row) if part == home.part)


def valued_regions(row: Row) -> Iterator[tuple[Region, str, int]]:
    """The regions whose value goes somewhere, with the role that it has there."""
    for region, part, index in regions(row):
        match row:
            case IfRow() | MatchRow():
                yield region, "condition" if part in ("condition", "guard") else "branch", index
            case ShortCircuitRow() | WhileRow():
                if part in ("right", "condition"):
                    yield region, "condition", 1
            case BlockRow() | AttributedRow():
                yield region, "tail", 0
            case ClosureRow():
                yield region, "closure", 0
            case MacroRow():
                yield region, "macro", index


def past(row: Row, at: int) -> int:
    """Where evaluation goes on after the row at `at`: the end of its last region, or the next row."""
    end = at + 1
    if type(row) not in HEADERS:
        return end
    for region, _, _ in regions(row):
        end = max(end, region.end)
    return end


def top_rows(body: Body, region: Region) -> Iterator[int]:
    """The rows that stand directly in a region, not in a region of one of them."""
    at = region.start
    while at < region.end and at < len(body.rows):
        yield at
        at = past(body.rows[at], at)


def enclosing(uses: Uses, at: int, body: Body) -> Iterator[tuple[Home, Row]]:
    """The headers around a row, from the innermost, with the part that holds it."""
    home = uses.homes[at]
    while home is not None:
        yield home, body.rows[home.row]
        home = uses.homes[home.row]


def frame_of(uses: Uses, at: int, body: Body) -> int | None:
    """The closure or async block whose code a row is; None where it is the function's own."""
    for home, row in enclosing(uses, at, body):
        if home.part == "body" and (isinstance(row, ClosureRow) or is_async_block(row)):
            return home.row
    return None


def is_async_block(row: Row) -> bool:
    """Whether a row is `async { .. }`."""
    return isinstance(row, BlockRow) and row.kind in ("async", "async-move")
