"""What one function has to say to its callers, and how requirements stand in it."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from inroads.analyses.order.effects import Compiled
from inroads.analyses.order.keys import Key
from inroads.analyses.order.world import State
from inroads.facts import How
from inroads.lower.model import Outcome

Ensured: TypeAlias = tuple[tuple[Key, int], ...]

RETURNED_GUARD = -1
"""In `World.held`: the guard that the function returns."""


class Summary(msgspec.Struct, frozen=True):
    """
    What a caller must know.

    Args:
        ensures: For each way out that can be reached the keys that are met there (YES or PERHAPS).
        requires: Keys that must be met at the entry.
        undoes: Keys that may be undone when it returns.
        guards: Those ensured keys that hold as long as the returned guard.
        hands: Keys that are met wherever a callable that came in is run, in terms of what it is run on.
    """

    ensures: tuple[tuple[Outcome, Ensured], ...] = ()
    requires: tuple[Key, ...] = ()
    undoes: tuple[Key, ...] = ()
    guards: tuple[Key, ...] = ()
    hands: Ensured = ()


BOTTOM = Summary()
"""Of a function that was not solved yet: it never returns, so it ensures everything."""


class Verdict(msgspec.Struct, frozen=True):
    """
    How a requirement stands at one event.

    Args:
        row: Of the event.
        key: As this function sees it.
        bits: The statuses of all worlds, united.
        source: (callee, its key) for what a callee requires; None for the target itself.
        how: The edge by which the target or the callee is known.
        evidence: The evidence that is built here; "" for targets.
        crowded: Whether worlds were merged, so that the bits may be too dark.
    """

    row: int
    key: Key
    bits: int
    source: tuple[int, Key] | None
    how: How
    evidence: str = ""
    crowded: bool = False
    callee: str = ""
    block: int = 0
    at: int = 0


class Solved(msgspec.Struct):
    """A function, solved."""

    compiled: Compiled
    summary: Summary
    verdicts: tuple[Verdict, ...] = ()
    states: list[State | None] = msgspec.field(default_factory=list)
