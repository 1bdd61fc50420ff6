"""A call that loses its error, with what the switches and the weights ask about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inroads.analyses.swallow.callee import call_arguments
from inroads.analyses.swallow.nature import Nature
from inroads.facts import (
    BorrowRow,
    CallRow,
    FieldRow,
    LetConditionRow,
    LetRow,
    LiteralRow,
    MethodCallRow,
    PathRow,
    TryRow,
    UnaryRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.ends import End
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.shapes import Shape
    from inroads.analyses.swallow.world import World


class Place(NamedTuple):
    """A call that loses its error, with what the switches ask about it."""

    world: World
    f: Follower
    at: int
    shape: Shape
    end: End
    nature: Nature
    words: tuple[str, ...]


def argument_texts(p: Place) -> list[str]:
    """The names and literals in a call's arguments, and in what its variables were bound to."""
    found: list[str] = []
    for argument in call_arguments(p.f.judged, p.at):
        stack = [argument]
        seen: set[int] = set()
        while stack and len(found) < 40:
            at = stack.pop()
            row = p.f.rows[at]
            match row:
                case PathRow(path=path):
                    found.extend(one.name for one in path.segments)
                    made = value_of_local(p, at)
                    if made is not None and made not in seen:
                        seen.add(made)
                        stack.append(made)
                case FieldRow(name=name, base=base):
                    found.append(name)
                    stack.append(base)
                case LiteralRow(text=text):
                    found.append(text)
                case MethodCallRow(receiver=receiver, arguments=arguments, name=name):
                    found.append(name)
                    stack.extend((receiver, *arguments))
                case CallRow(arguments=arguments):
                    stack.extend(arguments)
                case BorrowRow(operand=operand) | UnaryRow(operand=operand) | TryRow(operand=operand):
                    stack.append(operand)
    return found


def value_of_local(p: Place, at: int) -> int | None:
    """The row of what the variable that a row names was bound to; None where that is no `let` or `if let`."""
    local = p.f.judged.uses.get(at)
    bound = p.f.judged.locals[local].row if local is not None else None
    row = p.f.rows[bound] if bound is not None else None
    return row.value if isinstance(row, (LetRow, LetConditionRow)) else None


def returns_result(p: Place) -> bool:
    """Whether the function around returns a Result, and so could tell."""
    return p.world.returns_result(p.f.judged.function)
