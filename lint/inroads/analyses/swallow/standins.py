"""What a value that stands in for a result still tells of the failure: an exit code, a reason to raise an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inroads.analyses.swallow.callee import call_name, call_owner
from inroads.analyses.swallow.survey import survey_of
from inroads.analyses.swallow.uses import frame_of
from inroads.analyses.swallow.values import leaves, sort_of
from inroads.facts import (
    CallRow,
    IfRow,
    LetRow,
    LiteralRow,
    MethodCallRow,
    Region,
    ShortCircuitRow,
    UnaryRow,
)
from inroads.resolve.model import Judged

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.place import Place

_DEEP = 8
_ZERO = re.compile(r"0+(?:_?[iu](?:8|16|32|64|128|size))?")


def is_status(f: Follower, region: Region, leaf: int | None, header: int) -> bool:
    """
    Whether an arm gives a number for the failure: beside a zero for each success, or as the code with which
    the process ends.
    """
    if leaf is None or not is_number(f.judged, leaf) or is_zero(f.judged, leaf):
        return False
    others = [one for one in leaves(f.judged, header) if one is None or not region.start <= one < region.end]
    known = [one for one in others if sort_of(f.judged, one) != "never"]
    if known and all(one is not None and is_zero(f.judged, one) for one in known):
        return True
    return ends_process(f, header)


def is_number(judged: Judged, at: int) -> bool:
    """Whether a row is a whole number as it is written."""
    row = judged.body.rows[at]
    return isinstance(row, LiteralRow) and row.kind == "int"


def is_zero(judged: Judged, at: int) -> bool:
    """Whether a row is the number zero."""
    row = judged.body.rows[at]
    return isinstance(row, LiteralRow) and row.kind == "int" and _ZERO.fullmatch(row.text) is not None


def ends_process(f: Follower, at: int) -> bool:
    """Whether a value, or the variable that it is bound to, is what the process ends with."""
    use = f.uses.taken[at]
    if use is None or use.row is None:
        return False
    row = f.rows[use.row]
    if isinstance(row, CallRow):
        name = call_name(f.judged, use.row)
        return name == "exit" or (name == "from" and call_owner(f.judged, use.row) == "ExitCode")
    if not isinstance(row, LetRow):
        return False
    bound = [number for number, one in enumerate(f.judged.locals) if one.row == use.row]
    return any(
        (taken := f.uses.taken[one]) is not None
        and taken.row is not None
        and isinstance(f.rows[taken.row], CallRow)
        and ends_process(f, one)
        for local in bound
        for one in f.uses.locals.get(local, ())
    )


def fails_below(p: Place) -> bool:
    """
    Whether a bool that stands in for the result leads into a branch that raises an error or logs one:
    `if !store.exists(key).unwrap_or(false) { bail!("missing") }`.
    """
    f = p.f
    at = p.end.row
    truth = default_truth(f, at)
    for _ in range(_DEEP):
        use = f.uses.taken[at]
        if truth is None or use is None or use.row is None:
            return False
        row = f.rows[use.row]
        match row:
            case UnaryRow(op="!"):
                truth = not truth
            case ShortCircuitRow():
                pass
            case IfRow(then=then, otherwise=otherwise) if use.role == "condition":
                branch = then if truth else otherwise
                if branch is None:
                    return False
                survey = survey_of(f, branch, frame_of(f.uses, use.row, f.judged.body))
                return survey.raises or survey.names_error or survey.effects.logs
            case _:
                return False
        at = use.row
    return False


def default_truth(f: Follower, at: int) -> bool | None:
    """The bool that a row gives where the result is an error; None if that is not known."""
    row = f.rows[at]
    if not isinstance(row, MethodCallRow):
        return None
    if row.name == "unwrap_or_default":
        return False
    first = f.rows[row.arguments[0]] if row.name == "unwrap_or" and row.arguments else None
    return first.text == "true" if isinstance(first, LiteralRow) and first.kind == "bool" else None
