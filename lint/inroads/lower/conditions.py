"""Comparisons and tests in canonical form."""

from __future__ import annotations

from typing import Literal

from inroads.lower.model import Compare, Condition, Length, Place, Same
from inroads.lower.places import extend

Operator = Literal["==", "<", "<="]

# Each operator as one of three and the side on which it holds: `a != b` is the other side of `a == b`.
CANONICAL: dict[str, tuple[Operator, bool]] = {
    "==": ("==", True),
    "!=": ("==", False),
    "<": ("<", True),
    ">=": ("<", False),
    "<=": ("<=", True),
    ">": ("<=", False),
}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def compare(op: str, left: Place, right: Place) -> tuple[Condition, bool] | None:
    """The condition of `left op right` and the side on which that is true; None where op compares nothing."""
    if op not in CANONICAL:
        return None
    if left.root.kind == "constant" and right.root.kind != "constant":
        return compare(MIRRORED[op], right, left)
    operator, side = CANONICAL[op]
    if right.root.kind == "constant" and not right.steps:
        return _literal(left, operator, right.root.path, side)
    if operator == "==" and repr(right) < repr(left):
        left, right = right, left
    return Same(left, operator, right), side


def _literal(left: Place, op: Operator, literal: str, side: bool) -> tuple[Condition, bool]:
    """A comparison with a literal; a length below one, or not above zero, is an empty one."""
    if left.steps and isinstance(left.steps[-1], Length):
        if (op, literal) in (("<", "1"), ("<=", "0")):
            op, literal = "==", "0"
    return Compare(left, op, literal), side


def is_empty(place: Place) -> tuple[Condition, bool]:
    """The condition of `place.is_empty()`."""
    return Compare(extend(place, Length()), "==", "0"), True
