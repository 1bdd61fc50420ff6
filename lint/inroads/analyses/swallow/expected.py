"""Failures that are none: they are what is wanted, decide only what is logged, or tell one value from another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.callee import call_arguments
from inroads.analyses.swallow.covers import says_err
from inroads.analyses.swallow.reasons import headers_of
from inroads.analyses.swallow.shapes import is_result, referent
from inroads.analyses.swallow.survey import survey_of
from inroads.analyses.swallow.uses import frame_of, top_rows
from inroads.analyses.swallow.values import leaves, sort_of
from inroads.facts import (
    BorrowRow,
    BreakRow,
    ClosureRow,
    ContinueRow,
    DiscardRow,
    FieldRow,
    IfRow,
    LiteralRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    Region,
    ReturnRow,
)
from inroads.resolve.types import Adt, Primitive, Reference

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.place import Place

# A walk over a tree, which hands each part to a visitor.
WALKS = re.compile(r"^(super_)?(visit|walk|traverse|for_each)(_|$)")
# What is asked for leave, and is safe where it says no.
PERMITS = re.compile(
    r"^(verify|authenticate|authori[sz]e|allows?|permits?|is_(allowed|permitted|authori[sz]ed))(_|$)"
)
RAISES = methods.PANIC_MACROS | {"bail", "throw", "whatever"}
COPIES = frozenset({"to_string", "to_owned", "clone", "into", "to_vec", "as_str", "as_ref"})
THROWN = frozenset({"let _", "_ =", "statement"})


def expectation(p: Place) -> str | None:
    """Why a failure loses nothing where it stands, in words; None if it may."""
    success = success_of(p)
    if success is not None:
        if surely_raises(p, success):
            return "it is wanted to fail: where it succeeds, an error is raised"
        if p.end.arm is None and not p.nature.changes and only_logs(p, success):
            return "it decides only whether something is logged"
    if says_no(p):
        return "a check that could not be made says no"
    if tells_apart(p):
        return "it gives one value or another, and none of them is an error"
    if keeps_what_was_given(p):
        return "what was given stays as it is"
    if is_walk(p):
        return "a walk, and what it found is in the visitor"
    return None


def success_of(p: Place) -> Region | None:
    """The branch that runs where a call succeeds, if another one, or none, runs where it fails; None if neither."""
    if p.end.function is not None or p.shape not in (("R",), ("F", "R")):
        return None
    row = p.f.rows[p.end.row]
    use = p.f.uses.taken[p.end.row]
    if use is not None and use.row is not None and use.role == "condition":
        row = p.f.rows[use.row]
    if isinstance(row, IfRow) and p.end.form.endswith("without else"):
        return row.then
    if p.end.arm is None or not p.end.form.startswith("match arm"):
        return None
    for _, header in headers_of(p.f, p.end.arm):
        if isinstance(header, MatchRow):
            others = [arm for arm in header.arms if arm.body != p.end.arm]
            if len(others) == 1 and not says_err(others[0].pattern):
                return others[0].body
        return None
    return None


def surely_raises(p: Place, region: Region) -> bool:
    """Whether all ways through a branch end in an error or a panic that is raised there."""
    f = p.f
    for at in top_rows(f.judged.body, region):
        row = f.rows[at]
        at = row.value if isinstance(row, DiscardRow) else at
        if isinstance(f.rows[at], (ReturnRow, MacroRow)) and is_raised(f, at):
            return True
    value = region.value
    if value is None or (isinstance(one := f.rows[value], IfRow) and one.otherwise is None):
        return False
    return all(leaf is not None and is_raised(f, leaf) for leaf in leaves(f.judged, value))


def is_raised(f: Follower, at: int) -> bool:
    """Whether a row leaves with an error, or with a panic, or is an error."""
    match f.rows[at]:
        case MacroRow(path=path):
            return bool(path) and path[-1] in RAISES
        case ReturnRow(value=value):
            return value is not None and all(
                sort_of(f.judged, leaf) == "err" for leaf in leaves(f.judged, value)
            )
    return sort_of(f.judged, at) == "err"


def only_logs(p: Place, region: Region) -> bool:
    """Whether a branch logs, and does nothing else."""
    if any(
        isinstance(row, (ReturnRow, BreakRow, ContinueRow)) for row in p.f.rows[region.start : region.end]
    ):
        return False
    survey = survey_of(p.f, region, frame_of(p.f.uses, p.end.row, p.f.judged.body))
    effects = survey.effects
    return effects.logs and not (
        effects.handles or effects.unknown or survey.keeps or survey.defaults or survey.works
    )


def tells_apart(p: Place) -> bool:
    """Whether success and failure give the same thing: what was there or what was put there, a place or the next."""
    type_ = p.world.type_at(p.f.judged, p.at)
    if p.shape != ("R",) or not isinstance(type_, Adt) or not is_result(type_) or len(type_.arguments) != 2:
        return False
    good, bad = type_.arguments
    if isinstance(bad, Reference) and bad.mutable:
        # A place that may be written: what was there already.
        return True
    # A text, borrowed or not, does tell of an error.
    return good == bad and isinstance(good, (Reference, Primitive)) and referent(good) != Primitive("str")


def says_no(p: Place) -> bool:
    """Whether what is asked for leave gives none where it can't tell: `verify(password).unwrap_or(false)`."""
    row = p.f.rows[p.end.row]
    if p.end.fate != "defaulted" or not isinstance(row, MethodCallRow) or not PERMITS.match(p.nature.name):
        return False
    if row.name == "unwrap_or_default":
        return True
    given = p.f.rows[row.arguments[0]] if row.name == "unwrap_or" and row.arguments else None
    return isinstance(given, LiteralRow) and given.text == "false"


def keeps_what_was_given(p: Place) -> bool:
    """Whether the value that stands in is what the call was given: `normalize(ty).unwrap_or(ty)`, or a copy of it."""
    row = p.f.rows[p.end.row]
    if p.end.form not in (".unwrap_or()", ".unwrap_or_else()") or p.nature.changes or p.nature.io:
        return False
    if not isinstance(row, MethodCallRow) or not row.arguments:
        return False
    at: int | None = row.arguments[0]
    if isinstance(closure := p.f.rows[row.arguments[0]], ClosureRow):
        at = closure.body.value
    for _ in range(4):
        copied = p.f.rows[at] if at is not None else None
        if not isinstance(copied, MethodCallRow) or copied.name not in COPIES:
            break
        at = copied.receiver
    kept = place_of(p.f, at) if at is not None else None
    return kept is not None and kept in [place_of(p.f, one) for one in call_arguments(p.f.judged, p.at)]


def place_of(f: Follower, at: int) -> tuple[int, tuple[str, ...]] | None:
    """The variable that a row names, and the fields of it, behind borrows and copies; None for anything else."""
    fields: list[str] = []
    for _ in range(8):
        row = f.rows[at]
        match row:
            case FieldRow(name=name, base=base):
                fields.append(name)
                at = base
            case BorrowRow(operand=operand):
                at = operand
            case MethodCallRow(name=name, receiver=receiver) if name in COPIES:
                at = receiver
            case _:
                break
    local = f.judged.uses.get(at)
    return None if local is None else (local, tuple(fields))


def is_walk(p: Place) -> bool:
    """Whether a tree is walked by a visitor that keeps what it finds, and the result is thrown away on purpose."""
    if p.end.fate != "dropped" or p.end.form not in THROWN or not WALKS.match(p.nature.name) or p.nature.io:
        return False
    row = p.f.rows[p.at]
    if isinstance(row, MethodCallRow) and p.f.judged.uses.get(row.receiver) is not None:
        receiver = p.f.judged.locals[p.f.judged.uses[row.receiver]]
        if receiver.mutable and receiver.row is not None:
            return True
    given = [p.f.rows[at] for at in call_arguments(p.f.judged, p.at)]
    return any(isinstance(one, BorrowRow) and one.mutable for one in given)
