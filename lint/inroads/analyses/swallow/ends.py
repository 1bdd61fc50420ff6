"""How a followed value ends, and which of several ends counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from inroads.analyses.swallow.shapes import Shape
from inroads.facts import Fate, Region

# From what survives most to what is lost most; of several looks at one value, the first counts.
SURVIVAL: tuple[Fate, ...] = (
    "propagated",
    "handled",
    "panicked",
    "moved-away",
    "cause-lost",
    "logged",
    "turned-into-bool",
    "turned-into-option",
    "defaulted",
    "overwritten",
    "dropped",
)
ALIVE: frozenset[Fate] = frozenset({"propagated", "handled", "panicked", "moved-away"})
LOST: frozenset[Fate] = frozenset(SURVIVAL) - ALIVE


class Carried(msgspec.Struct, frozen=True):
    """
    A value under way: the row that holds it, and where in it the error is.

    Args:
        logged: Whether anything logged the error on the way.
        replaced: Whether another error has taken its place (`map_err(|_| ..)`).
        hidden: The row that left only whether there was an error (`.ok()`, `.is_err()`); None before.
    """

    row: int
    shape: Shape
    logged: bool = False
    replaced: bool = False
    hidden: int | None = None


class End(msgspec.Struct, frozen=True):
    """
    Where a followed value ends.

    Args:
        row: The row at which the error can no longer be seen.
        form: How, in a few words: `let _`, `statement`, `if let Err`, ...
        arm: The rows that run instead, where an arm was judged.
        fallback: Whether the arm does other work in place of what failed.
        maybe: Whether the verdict rests on a call that can't be seen.
        gives: What the arm or stand-in gives: a `values.Sort`, or `return`, `continue`, `break`.
        function: The function in which it ends, if that is another one (the value was handed on).
    """

    fate: Fate
    row: int
    form: str
    arm: Region | None = None
    fallback: bool = False
    maybe: bool = False
    gives: str = ""
    function: int | None = None


Step: TypeAlias = Carried | End


def best(ends: Iterable[End]) -> End | None:
    """The end that loses least; None of none. Of equals the first."""
    chosen: End | None = None
    for end in ends:
        if chosen is None or SURVIVAL.index(end.fate) < SURVIVAL.index(chosen.fate):
            chosen = end
    return chosen


def worst(ends: Iterable[End]) -> End | None:
    """The end that loses most; None of none. Of equals the first."""
    chosen: End | None = None
    for end in ends:
        if chosen is None or SURVIVAL.index(chosen.fate) < SURVIVAL.index(end.fate):
            chosen = end
    return chosen


def settle(end: End, carried: Carried) -> End:
    """The end of a value with what happened to it on the way: a log wins over a loss, a replaced cause is lost."""
    if carried.hidden is not None and end.fate in LOST and (end.arm is None or end.function is not None):
        # Where only a None or a bool was left, nothing of the error could be seen any more.
        end = replace(end, row=carried.hidden, arm=None, function=None)
    if end.fate in LOST and end.fate != "logged" and carried.logged:
        return replace(end, fate="logged")
    if end.fate == "propagated" and carried.replaced:
        return replace(end, fate="handled" if carried.logged else "cause-lost")
    return end
