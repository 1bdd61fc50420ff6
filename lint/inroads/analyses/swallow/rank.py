"""How much a lost error matters: the level of a finding, its rank among others, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.swallow.expected import expectation
from inroads.analyses.swallow.mild import mildness
from inroads.analyses.swallow.uses import enclosing
from inroads.facts import (
    ForRow,
    Level,
    LoopRow,
    WhileRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.place import Place


class Weight(msgspec.Struct, frozen=True):
    """The level that a place deserves, its rank (higher is worse), and the reasons in words."""

    level: Level
    rank: int
    reasons: tuple[str, ...]


def weigh(p: Place, callers: int) -> Weight:
    """How much it matters that this place loses its error."""
    reasons: list[str] = []
    nature = p.nature
    rank = 10
    if nature.changes:
        rank += 30
        reasons.append("it changes state")
    if nature.io:
        rank += 15
        reasons.append("it meets disk, network or another process")
    if nature.unit:
        rank += 10
        reasons.append("only its error is of interest")
    if nature.failures is not None and nature.failures.half_way and nature.changes:
        rank += 10
        reasons.append("it can fail half-way")
    if in_any_loop(p):
        rank += 3
    if callers:
        rank += min(callers, 10)
        reasons.append(f"{callers} call site{'s' if callers != 1 else ''} cannot see this error")
    if p.end.fate != "logged":
        rank += 5
    mild = mildness(p) or expectation(p)
    if mild is not None:
        return Weight("allow", rank // 4, (mild,))
    goes_on = p.end.gives in ("", "return ok", "ok") and p.end.fate in ("logged", "dropped", "overwritten")
    heavy = nature.changes and nature.unit and goes_on and not nature.single and not nature.guard
    return Weight("deny" if heavy else "warn", rank, tuple(reasons))


def in_any_loop(p: Place) -> bool:
    """Whether the call runs again and again."""
    return any(
        isinstance(row, (ForRow, WhileRow, LoopRow)) for _, row in enclosing(p.f.uses, p.at, p.f.judged.body)
    )
