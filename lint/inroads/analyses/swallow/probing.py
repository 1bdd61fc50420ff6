"""Whether a place is one of several tries, of which another is made where this one fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.swallow.reasons import headers_of
from inroads.analyses.swallow.survey import jump_of
from inroads.analyses.swallow.uses import enclosing
from inroads.facts import (
    BreakRow,
    CallRow,
    ClosureRow,
    ForRow,
    IfRow,
    LoopRow,
    MatchRow,
    MethodCallRow,
    ReturnRow,
    WhileRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.place import Place


def probing(p: Place) -> bool:
    """One of several tries: the next is made where this one fails, or the first that succeeds is taken."""
    if p.end.form.startswith(".ok().or"):
        return True
    if p.nature.changes or not isinstance(p.f.rows[p.at], (CallRow, MethodCallRow)):
        return False
    if goes_on_to_the_next(p):
        return True
    if p.end.fate == "logged":
        return False
    for home, row in enclosing(p.f.uses, p.at, p.f.judged.body):
        if isinstance(row, IfRow) and home.part == "condition" and row.otherwise is not None:
            # `if let Ok(a) = x { } else if let Ok(b) = y { } else { .. }`
            value = row.otherwise.value
            return isinstance(p.f.rows[value], IfRow) if value is not None else False
        if isinstance(row, (ForRow, LoopRow, WhileRow, ClosureRow)):
            break
    return first_success(p)


def goes_on_to_the_next(p: Place) -> bool:
    """Whether a match leaves with the success, and its error arm goes on to what stands below: another try."""
    if p.end.arm is None or p.end.function is not None or p.end.gives not in ("", "unit"):
        return False
    for _, row in headers_of(p.f, p.end.arm):
        if isinstance(row, MatchRow):
            others = [arm.body for arm in row.arms if arm.body != p.end.arm]
            return bool(others) and all(jump_of(p.f, one) in ("return", "break") for one in others)
    return False


def first_success(p: Place) -> bool:
    """Whether a success leaves the loop or the function at once: `if let Ok(x) = try_it(c) { return Some(x); }`."""
    at = p.at
    for _ in range(6):
        use = p.f.uses.taken[at]
        if use is None or use.row is None:
            return False
        row = p.f.rows[use.row]
        if isinstance(row, IfRow) and use.role == "condition":
            jumps = [
                one
                for one in range(row.then.start, row.then.end)
                if isinstance(p.f.rows[one], (ReturnRow, BreakRow))
            ]
            return bool(jumps) and row.otherwise is None
        at = use.row
    return False
