"""The turns of a loop: what is born in one dies with it, and what each of them did holds behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from inroads.analyses.order.keys import mentions_turn, sort_key, turned_whole
from inroads.analyses.order.world import UNDONE, YES, Turns, World
from inroads.facts import (
    ArrayRow,
    BorrowRow,
    ForRow,
    LiteralRow,
    MacroRow,
    MethodCallRow,
    PathRow,
    RangeRow,
    RepeatRow,
)
from inroads.lower.model import Each, Element, Gather, Loop, Part, Place, Turn
from inroads.resolve.model import Judged, Local

DEEPEST = 8
WHOLE = frozenset(("iter", "into_iter", "iter_mut", "enumerate", "rev", "cloned", "copied", "to_vec"))
"""Methods that give as many elements as their receiver has."""
_DIGITS = re.compile(r"\d+(?=(?:[iu](?:8|16|32|64|128|size))?$)")


def end_turn(loop: Loop, number: int, keyed: bool, world: World) -> World:
    """The world after a turn that came to its end, before what was born in it dies."""
    if keyed:
        before = next((one for one in world.turns if one.loop == number), Turns(number))
        turned = [
            (whole, bits)
            for key, bits in world.facts
            if (whole := turned_whole(key, loop.row, loop.instance)) is not None
        ]
        done = frozenset(key for key, bits in turned if bits == YES)
        spent = frozenset(key for key, bits in turned if bits & UNDONE)
        hollow = frozenset(
            whole[0]
            for place in world.empty
            if (whole := turned_whole((place,), loop.row, loop.instance)) is not None
            and isinstance(whole[0], Place)
        )
        others = frozenset(one for one in world.turns if one.loop != number)
        world = replace(world, turns=others | {before.after(done, spent, hollow)})
    return world


def end_loop(over: frozenset[Place], number: int, world: World) -> World:
    """
    The world where the turns are exhausted: what each of them did was done for each element.

    Args:
        over: What the loop goes over: see `gone_over`.
    """
    turns = next((one for one in world.turns if one.loop == number), None)
    world = replace(world, turns=frozenset(one for one in world.turns if one.loop != number))
    if turns is None:
        return world
    if turns.done is None:
        return replace(world, empty=world.empty | over) if over else world
    world = replace(world, empty=world.empty | turns.hollow)
    for key in sorted(turns.spent, key=sort_key):
        world = world.undo(key)
    for key in sorted(turns.done - turns.spent, key=sort_key):
        world = world.establish(key, YES)
    return world


def gone_over(over: Place | None) -> frozenset[Place]:
    """What is empty where a loop makes no turn: its collection, and the one of whose elements that was gathered."""
    if over is None:
        return frozenset()
    steps = over.steps
    first = next((at for at, step in enumerate(steps) if isinstance(step, Each)), None)
    if first is None or not isinstance(steps[-1], Gather):
        return frozenset({over})
    inner = steps[first + 1 : -1]
    if any(isinstance(step, (Each, Gather, Part, Turn)) for step in inner):
        # Some of the elements give nothing, or each of them several.
        return frozenset({over})
    return frozenset({over, Place(over.root, steps[:first])})


def makes_a_turn(loop: Loop, judged: Judged, constant: Callable[[str], int | None]) -> bool:
    """
    Whether a loop surely begins a turn: over a range of literals or constants, or an array that is not empty.

    Args:
        constant: The value of a constant of the workspace, None where it is no plain number.
    """
    rows = judged.body.rows
    header = rows[loop.row] if loop.row < len(rows) else None
    at = header.iterable if isinstance(header, ForRow) else None
    for _ in range(DEEPEST):
        match rows[at] if at is not None else None:
            case BorrowRow(operand=operand):
                at = operand
            case MethodCallRow(name=name, receiver=receiver) if name in WHOLE:
                at = receiver
            case ArrayRow(elements=elements):
                return bool(elements)
            case RepeatRow(length=length):
                return 0 < (_number(length, judged, constant) or 0)
            case MacroRow(path=(*_, "vec"), regions=regions):
                return bool(regions)
            case RangeRow(low=int() as low, high=int() as high, inclusive=inclusive):
                first, last = _number(low, judged, constant), _number(high, judged, constant)
                if first is None or last is None:
                    return False
                return first < last or (inclusive and first == last)
            case _:
                return False
    return False


def _number(at: int, judged: Judged, constant: Callable[[str], int | None]) -> int | None:
    """The value of a whole literal, or of a constant."""
    row = judged.body.rows[at]
    match row:
        case LiteralRow(text=text):
            return whole(text)
        case PathRow():
            path = judged.paths.get(at)
            return None if path is None else constant(path)
        case _:
            return None


def whole(text: str) -> int | None:
    """The value of a whole literal as it is written; None for any other text."""
    digits = _DIGITS.match(text.replace("_", ""))
    return int(digits[0]) if digits else None


def is_bound(place: Place, loop: Loop, locals_: Sequence[Local]) -> bool:
    """Whether a place is born in a turn and dies with it."""
    start, end = loop.rows
    root = place.root
    if root.kind == "result" and start <= root.index < end:
        return True
    if root.kind == "local" and root.index < len(locals_):
        row = locals_[root.index].row
        if row is not None and start <= row < end:
            return True
    for step in place.steps:
        match step:
            case Part(row=row) if start <= row < end:
                return True
            case Element(key=Place() as key) if is_bound(key, loop, locals_):
                return True
            case _:
                pass
    return mentions_turn(place, loop.row)
