"""Whether a place is one of several tries, of which another is made where this one fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.swallow.callee import call_name
from inroads.analyses.swallow.covers import says_err
from inroads.analyses.swallow.methods import SLEEPS
from inroads.analyses.swallow.reasons import headers_of
from inroads.analyses.swallow.survey import jump_of, outer_local
from inroads.analyses.swallow.uses import enclosing, frame_of, top_rows
from inroads.analyses.swallow.values import leaves, sort_of
from inroads.facts import (
    AssignRow,
    BreakRow,
    CallRow,
    ClosureRow,
    DiscardRow,
    ForRow,
    IfRow,
    LoopRow,
    MatchRow,
    MethodCallRow,
    Region,
    ReturnRow,
    WhileRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.place import Place


def probing(p: Place) -> bool:
    """One of several tries: the next is made where this one fails, or the first that succeeds is taken."""
    if p.end.form.startswith(".ok().or"):
        return True
    if not isinstance(p.f.rows[p.at], (CallRow, MethodCallRow)):
        return False
    if p.nature.unit and ends_well_all_the_same(p):
        return False
    if is_tried_again(p):
        return True
    if p.nature.changes:
        return takes_the_first(p)
    if goes_on_to_the_next(p) or is_alternative(p):
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


def is_tried_again(p: Place) -> bool:
    """Whether a loop that waits between its turns goes on with the next one, and ends where all has succeeded."""
    f = p.f
    if p.end.gives != "continue" or p.end.function is not None:
        return False
    for _, row in enclosing(f.uses, p.at, f.judged.body):
        if isinstance(row, ClosureRow):
            return False
        if isinstance(row, (ForRow, LoopRow, WhileRow)):
            waits = any(call_name(f.judged, at) in SLEEPS for at in range(row.body.start, row.body.end))
            last = [
                one.value if isinstance(one := f.rows[at], DiscardRow) else at
                for at in top_rows(f.judged.body, row.body)
                if p.at < at
            ]
            return waits and any(isinstance(f.rows[at], (BreakRow, ReturnRow)) for at in last[-2:])
    return False


def takes_the_first(p: Place) -> bool:
    """
    Whether a loop over what may be tried keeps the first success and ends with it, so that what stands below
    knows whether there was one: `match dial(a) { Ok(()) => { found = Some(a); break } Err(e) => warn!("{e}") }`.
    """
    f = p.f
    if p.end.arm is None or p.end.function is not None or p.end.gives not in ("", "unit", "continue"):
        return False
    if not any(isinstance(row, ForRow) for _, row in enclosing(f.uses, p.at, f.judged.body)):
        return False
    for _, row in headers_of(f, p.end.arm):
        if isinstance(row, MatchRow):
            others = [arm.body for arm in row.arms if arm.body != p.end.arm]
            return len(others) == 1 and jump_of(f, others[0]) == "break" and keeps_something(f, others[0])
    return False


def keeps_something(f: Follower, region: Region) -> bool:
    """Whether rows of a region give a variable from outside a value."""
    return any(
        isinstance(row := f.rows[at], AssignRow) and outer_local(f, row.target, region) is not None
        for at in range(region.start, region.end)
    )


def goes_on_to_the_next(p: Place) -> bool:
    """Whether a match leaves with the success, and its error arm goes on to what stands below: another try."""
    if p.end.arm is None or p.end.function is not None or p.end.gives not in ("", "unit"):
        return False
    for _, row in headers_of(p.f, p.end.arm):
        if isinstance(row, MatchRow):
            others = [arm for arm in row.arms if arm.body != p.end.arm]
            return bool(others) and all(
                jump_of(p.f, one.body) in ("return", "break") and not says_err(one.pattern) for one in others
            )
    return False


def is_alternative(p: Place) -> bool:
    """Whether a call stands in a closure that is run where a try before it gave nothing: `a().or_else(|| b().ok())`."""
    for home, row in enclosing(p.f.uses, p.at, p.f.judged.body):
        if not isinstance(row, ClosureRow):
            continue
        use = p.f.uses.taken[home.row]
        method = p.f.rows[use.row] if use is not None and use.row is not None else None
        return (
            isinstance(method, MethodCallRow) and method.name in ("or_else", "or_insert_with") and is_gone(p)
        )
    return False


def is_gone(p: Place) -> bool:
    """Whether the error leaves no more than a None behind."""
    return p.end.fate in ("turned-into-option", "dropped", "defaulted")


def first_success(p: Place) -> bool:
    """Whether a success leaves the loop or the function at once: `if let Ok(x) = try_it(c) { return Some(x); }`."""
    if p.nature.io and p.nature.optional and is_last_try(p):
        # What could not be asked is taken for what is not there.
        return False
    rows = (p.at, p.end.row) if p.end.function is None else (p.at,)
    return any(leaves_where_it_succeeds(p, at) for at in rows)


def ends_well_all_the_same(p: Place) -> bool:
    """Whether the function says `Ok(())` right below the loop of tries: that none succeeded is told to nobody."""
    body = p.f.judged.body
    if frame_of(p.f.uses, p.at, body) is not None:
        return False
    loops = [
        (home.row, row)
        for home, row in enclosing(p.f.uses, p.at, body)
        if isinstance(row, (ForRow, LoopRow, WhileRow))
    ]
    if not loops or not all(isinstance(row, ForRow) for _, row in loops):
        # A `loop` goes on until there is a success.
        return False
    tail = body.root.value
    if tail is None or sort_of(p.f.judged, tail) != "ok":
        return False
    below = [at for at in top_rows(body, body.root) if loops[-1][0] < at < tail]
    return not any(isinstance(p.f.rows[at], (CallRow, MethodCallRow, IfRow, MatchRow)) for at in below)


def is_last_try(p: Place) -> bool:
    """Whether a call stands in no loop, and all that stands below its statement is a `false` or a `None`."""
    body = p.f.judged.body
    if any(
        isinstance(row, (ForRow, LoopRow, WhileRow, ClosureRow)) for _, row in enclosing(p.f.uses, p.at, body)
    ):
        return False
    tail = body.root.value
    return (
        tail is not None
        and p.at < tail
        and sort_of(p.f.judged, tail) in ("bool", "none")
        and not any(
            p.at < at < tail and isinstance(p.f.rows[at], (CallRow, MethodCallRow))
            for at in top_rows(body, body.root)
        )
    )


def leaves_well(p: Place, at: int) -> bool:
    """Whether a row leaves a loop, or the function with no error."""
    row = p.f.rows[at]
    if isinstance(row, ReturnRow):
        sorts = {sort_of(p.f.judged, leaf) for leaf in leaves(p.f.judged, row.value)}
        return not sorts & {"err", "sentinel"}
    return isinstance(row, BreakRow)


def leaves_where_it_succeeds(p: Place, at: int) -> bool:
    """Whether a row, or what it is tested by, is an `if` that leaves with the success and has no `else`."""
    for _ in range(6):
        row = p.f.rows[at]
        if isinstance(row, IfRow):
            if row.otherwise is not None or p.end.arm == row.then:
                return False
            inside = range(row.then.start, row.then.end)
            return any(leaves_well(p, one) for one in inside)
        use = p.f.uses.taken[at]
        if (
            use is None
            or use.row is None
            or (isinstance(p.f.rows[use.row], IfRow) and use.role != "condition")
        ):
            return False
        at = use.row
    return False
