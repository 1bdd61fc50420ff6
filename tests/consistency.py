"""What must hold of every body: operands stand before their users, regions follow their header without gaps."""

from __future__ import annotations

from collections.abc import Iterator

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


def operands(row: Row) -> tuple[int, ...]:
    """The rows that a row names."""
    found: tuple[int | None, ...]
    match row:
        case FieldRow(base=base):
            found = (base,)
        case IndexRow(base=base, index=index):
            found = (base, index)
        case CallRow(callee=callee, arguments=arguments):
            found = (callee, *arguments)
        case MethodCallRow(receiver=receiver, arguments=arguments):
            found = (receiver, *arguments)
        case UnaryRow() | BorrowRow() | CastRow() | TryRow() | AwaitRow():
            found = (row.operand,)
        case BinaryRow(left=left, right=right):
            found = (left, right)
        case ShortCircuitRow(left=left):
            found = (left,)
        case AssignRow(target=target, value=value):
            found = (target, value)
        case RangeRow(low=low, high=high):
            found = (low, high)
        case ReturnRow() | BreakRow() | YieldRow() | LetRow() | LetConditionRow() | DiscardRow():
            found = (row.value,)
        case TupleRow(elements=elements) | ArrayRow(elements=elements):
            found = elements
        case RepeatRow(value=value, length=length):
            found = (value, length)
        case StructRow(fields=fields, base=base):
            found = (*[value for _, value in fields], base)
        case MatchRow(scrutinee=scrutinee):
            found = (scrutinee,)
        case ForRow(iterable=iterable):
            found = (iterable,)
        case _:
            found = ()
    return tuple(at for at in found if at is not None)


def regions(row: Row) -> tuple[Region, ...]:
    """The regions of a header, in order."""
    found: tuple[Region | None, ...]
    match row:
        case IfRow(condition=condition, then=then, otherwise=otherwise):
            found = (condition, then, otherwise)
        case MatchRow(arms=arms):
            found = tuple(region for arm in arms for region in (arm.guard, arm.body))
        case WhileRow(condition=condition, body=body):
            found = (condition, body)
        case LoopRow() | ForRow() | BlockRow() | ClosureRow() | AttributedRow():
            found = (row.body,)
        case LetRow(otherwise=otherwise):
            found = (otherwise,)
        case ShortCircuitRow(right=right):
            found = (right,)
        case MacroRow(regions=several):
            found = several
        case _:
            found = ()
    return tuple(region for region in found if region is not None)


def faults(body: Body, size: int) -> Iterator[str]:
    """Each thing that is wrong with a body of so many bytes."""
    rows = body.rows
    if (body.root.start, body.root.end) != (0, len(rows)):
        yield f"the root is {body.root}, of {len(rows)} rows"
    stack = [body.root]
    seen = 0
    while stack:
        region = stack.pop()
        at = region.start
        if region.value is not None and not region.start <= region.value < region.end:
            yield f"the value of {region} is outside"
        while at < region.end:
            row = rows[at]
            seen += 1
            if not 0 <= row.start <= row.end <= size:
                yield f"row {at} spans {row.start}..{row.end} of {size}"
            for operand in operands(row):
                if not 0 <= operand < at:
                    yield f"row {at} uses row {operand}"
            following = at + 1
            for inner in regions(row):
                if inner.start != following or inner.end < inner.start:
                    yield f"row {at}: {inner} should begin at {following}"
                stack.append(inner)
                following = inner.end
            if isinstance(row, MacroRow) and not len(row.regions) == len(row.labels) == len(row.patterns):
                yield f"row {at}: labels and patterns don't fit its regions"
            at = following
        if at != region.end:
            yield f"{region} ends at {at}"
    if seen != len(rows):
        yield f"{seen} of {len(rows)} rows are in a region"
