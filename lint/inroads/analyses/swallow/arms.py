"""
Judge what runs in place of the success: the arm of an error.

An arm handles the error if the error goes somewhere (`ends.ALIVE`), or if the
arm does something about it: changes state that outlives it, replies, counts,
retries, leaves with an error or a value that names one. An arm that only logs,
gives a default, or goes on without a word loses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from inroads.analyses.swallow.covers import Cover, cover, holds_whole, says_err
from inroads.analyses.swallow.ends import ALIVE, Carried, End, best, settle
from inroads.analyses.swallow.methods import GATHERS
from inroads.analyses.swallow.shapes import ERROR, Shape
from inroads.analyses.swallow.standins import is_status
from inroads.analyses.swallow.survey import Survey, first_row, in_loop, outer_local, retries, survey_of
from inroads.analyses.swallow.uses import enclosing, frame_of, region_at
from inroads.analyses.swallow.values import leaves, sort_of
from inroads.facts import (
    Arm,
    AssignRow,
    BinaryRow,
    BindingPattern,
    BreakRow,
    ClosureRow,
    ForRow,
    IfRow,
    LetConditionRow,
    LetRow,
    LiteralRow,
    LoopRow,
    MethodCallRow,
    Region,
    Row,
    TryRow,
    UnaryRow,
    WhileRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower

Names = tuple[tuple[int, str, Shape], ...]

LET_ERR = "let Err else"


class ClosureVerdict(msgspec.Struct, frozen=True):
    """
    What a closure over an error does: whether it logs, whether its value is made of the error, and the
    error's own end.
    """

    logged: bool
    value_has_error: bool
    end: End | None


def judge(
    f: Follower, carried: Carried, region: Region, names: Names, at: int, header: int, form: str
) -> End:
    """
    How an error ends whose arm is `region`.

    Args:
        names: What the arm's pattern calls the error.
        at: The row whose pattern that is.
        header: The row whose value the arm's value becomes.
    """
    own = best_of_names(f, names, at)
    if own is not None and own.fate in ALIVE:
        return replace(own, arm=region) if own.arm is None else own
    survey = survey_of(f, region, frame_of(f.uses, header, f.judged.body))
    logged = carried.logged or survey.effects.logs or (own is not None and own.fate == "logged")
    with_log = replace(carried, logged=logged)
    first = own.row if own is not None and own.fate == "logged" else first_row(f, region, header)
    end = decided(
        f, region, survey, header, first, form, used=bool(names) and own is not None and own.fate == "logged"
    )
    if end is not None:
        return (
            settle(replace(end, arm=region), replace(with_log, replaced=False))
            if end.fate in ALIVE
            else replace(end, arm=region)
        )
    return settle(goes_on(f, with_log, region, survey, header, first, form), with_log)


def decided(
    f: Follower, region: Region, survey: Survey, header: int, first: int, form: str, *, used: bool
) -> End | None:
    """The end of an arm that acts; None if it only goes on."""
    if survey.effects.handles:
        return End("handled", first, form)
    if survey.raises:
        return End("propagated" if used else "cause-lost", first, form, gives="return")
    if survey.effects.diverges:
        return End("panicked", first, form)
    if survey.keeps or survey.names_error:
        return End("handled", first, form)
    if survey.effects.unknown:
        return End("handled", first, form, maybe=True)
    again = survey.jumps in ("", "continue") and not survey.returns
    if again and (survey.sleeps or retries(f, region, header)) and in_loop(f, header):
        return End("handled", first, f"{form}, tries again")
    return None


def keeps_all_but(f: Follower, at: int, arm: Arm, names: Names) -> bool:
    """Whether an arm's guard lets all errors in but one kind: `Err(e) if e.kind() != NotFound`."""
    if arm.guard is None or arm.guard.value is None:
        return False
    row = f.rows[arm.guard.value]
    if not isinstance(row, (BinaryRow, UnaryRow)) or row.op not in ("!=", "!"):
        return False
    bound = {f.judged.bound.get((at, start)) for start, _, _ in names} - {None}
    return any(f.judged.uses.get(one) in bound for one in range(arm.guard.start, arm.guard.end))


def goes_on(
    f: Follower, carried: Carried, region: Region, survey: Survey, header: int, first: int, form: str
) -> End:
    """The end of an arm that does nothing about the error: told by the value that it leaves in its place."""
    lost = End("dropped", first, form, region, fallback=survey.works, gives=survey.jumps)
    for sort in survey.returns:
        match sort:
            case "none":
                return replace(lost, fate="turned-into-option", gives="return None")
            case "bool":
                return replace(lost, fate="turned-into-bool", gives="return bool")
            case "default" | "other":
                return replace(
                    lost, fate="defaulted", gives="return", fallback=survey.works or sort == "other"
                )
            case "ok":
                return replace(lost, gives="return ok")
    if survey.jumps:
        return lost
    ends = [value_end(f, carried, region, leaf, header, lost) for leaf in leaves(f.judged, region.value)]
    end = best(ends)
    if end is not None and end.fate != "dropped":
        return end
    return replace(lost, fate="defaulted") if survey.defaults else lost


def value_end(f: Follower, carried: Carried, region: Region, leaf: int | None, header: int, lost: End) -> End:
    """The end of an error in whose place the arm has a value: that value goes on as what stands for the error."""
    sort = sort_of(f.judged, leaf)
    on = replace(carried, row=header)
    row = f.rows[leaf] if leaf is not None else None
    if leaf is not None and is_accumulated(f, leaf):
        return replace(lost, fate="defaulted", gives="default")
    if isinstance(row, MethodCallRow) and row.name in GATHERS:
        # It gives nothing, whatever the collection is called.
        return lost
    match sort:
        case "err":
            return f.follow(replace(on, shape=("R",), replaced=True))
        case "sentinel":
            return replace(lost, fate="handled")
        case "none":
            return at_arm(f.follow(replace(on, shape=("Z",))), replace(lost, gives=lost.gives or "none"))
        case "bool":
            true = isinstance(row, LiteralRow) and row.text == "true"
            end = f.follow(replace(on, shape=("B+",) if true else ("B-",)))
            return at_arm(end, replace(lost, gives=lost.gives or "bool"))
        case "unit" | "never":
            return lost
        case "default" if is_status(f, region, leaf, header):
            return replace(lost, fate="handled")
    taken = f.uses.taken[header]
    if taken is not None and taken.role == "discard":
        return replace(lost, fallback=lost.fallback or sort == "other")
    return replace(lost, fate="defaulted", gives=sort, fallback=lost.fallback or sort == "other")


def is_accumulated(f: Follower, leaf: int) -> bool:
    """Whether a row names what a closure of `fold` has come to so far: it goes on as if there had been nothing."""
    local = f.judged.uses.get(leaf)
    if local is None:
        return False
    closure = f.judged.locals[local].row
    row = f.rows[closure] if closure is not None else None
    if closure is None or not isinstance(row, ClosureRow) or not row.parameters:
        return False
    use = f.uses.taken[closure]
    user = f.rows[use.row] if use is not None and use.row is not None else None
    first = row.parameters[0].pattern
    return (
        isinstance(user, MethodCallRow)
        and user.name == "fold"
        and isinstance(first, BindingPattern)
        and f.judged.locals[local].name == first.name
    )


def at_arm(end: End, lost: End) -> End:
    """An end of a stand-in, told at the arm that made it, unless somebody acts on it."""
    if end.fate in ALIVE or end.fate == "cause-lost":
        return end
    return replace(lost, fate=end.fate, gives=end.gives or lost.gives)


def best_of_names(f: Follower, names: Names, at: int) -> End | None:
    """The best end of the names that hold the error; None where there is none."""
    ends = []
    done = set()
    for start, name, shape in names:
        local = f.judged.bound.get((at, start))
        if local is None or local in done or not shape:
            continue
        done.add(local)
        ends.append(f.local(Carried(at, shape), local, name, start_row(f, at, local)))
    return best(ends)


def start_row(f: Follower, at: int, local: int) -> int:
    """The row from which on a name of a pattern is looked for."""
    row = f.judged.locals[local].row
    return max(at, row) if row is not None else at


def judge_rest(f: Follower, carried: Carried, names: Names, at: int, row: LetRow) -> End:
    """`let Err(e) = x else { return };`: the arm of the error is what stands below."""
    own = best_of_names(f, names, at)
    if own is not None and own.fate in ALIVE:
        return own
    home = f.uses.homes[at]
    around = f.judged.body.root if home is None else region_at(f.rows[home.row], home)
    region = Region(start=f.past(at), end=around.end, value=around.value)
    survey = survey_of(f, region, frame_of(f.uses, at, f.judged.body))
    used = own is not None and own.fate == "logged"
    logged = carried.logged or survey.effects.logs or used
    first = own.row if own is not None and used else at
    end = decided(f, region, survey, at, first, LET_ERR, used=used)
    tries = any(isinstance(f.rows[one], TryRow) for one in range(region.start, region.end))
    lost = End("dropped", at, LET_ERR, fallback=survey.works or tries)
    return settle(end if end is not None else lost, replace(carried, logged=logged))


def judge_arm(f: Follower, carried: Carried, at: int, arm: Arm, names: Names) -> End:
    """An arm of a match that an error may run."""
    if holds_whole(names, carried.shape):
        return f.finish(f.bound(carried, at, names, "match arm"), carried)
    pattern = "_" if not names and not says_err(arm.pattern) else "Err"
    return judge(f, carried, arm.body, names, at, at, f"match arm {pattern}")


def judge_let(
    f: Follower, carried: Carried, header: int, owner: Row, negated: bool, found: Cover, at: int, form: str
) -> End:
    """The branch that runs when a pattern matches."""
    if holds_whole(found.bound, carried.shape):
        # The branch runs for a success, too: only what is done with the name tells.
        return f.finish(f.bound(carried, at, found.bound, form), carried)
    if isinstance(owner, WhileRow) and found.total and not (found.named or found.bound):
        return settle(End("dropped", at, f"{form} _"), carried)
    return judge_taken(f, carried, header, owner, negated, found.bound, at, form)


def judge_taken(
    f: Follower, carried: Carried, header: int, owner: Row, negated: bool, names: Names, at: int, form: str
) -> End:
    """The branch that runs when the condition holds."""
    del negated
    match owner:
        case IfRow(then=then):
            return judge(f, carried, then, names, at, header, form)
        case WhileRow(body=body):
            own = best_of_names(f, names, at)
            row = f.rows[at]
            says = not isinstance(row, LetConditionRow) or says_err(row.pattern)
            if says and (own is None or own.fate not in ALIVE) and gives_up(f, header, body):
                survey = survey_of(f, body, frame_of(f.uses, header, f.judged.body))
                if not (survey.effects.handles or survey.raises or survey.names_error):
                    logged = (
                        carried.logged or survey.effects.logs or (own is not None and own.fate == "logged")
                    )
                    lost = End("dropped", at, f"{form}, given up", body, gives="break")
                    return settle(lost, replace(carried, logged=logged))
            end = judge(f, carried, body, names, at, header, form)
            return end if end.fate in ALIVE else End("handled", header, "while, tries again")
    return End("handled", header, "guard")


def gives_up(f: Follower, header: int, body: Region) -> bool:
    """
    Whether a loop that tries again as long as there is an error is left with it, by a `break` in its body,
    and nothing below looks at what the body counted.
    """
    end = f.past(header)
    for at in range(body.start, body.end):
        row = f.rows[at]
        local = outer_local(f, row.target, body) if isinstance(row, AssignRow) else None
        if local is not None and any(end <= use for use in f.uses.locals.get(local, ())):
            return False
    return any(
        isinstance(f.rows[at], BreakRow)
        and next(
            (home.row for home, row in enclosing(f.uses, at, f.judged.body) if isinstance(row, LOOPS)), -1
        )
        == header
        for at in range(body.start, body.end)
    )


LOOPS = (ForRow, LoopRow, WhileRow)


def judge_other(f: Follower, carried: Carried, header: int, owner: Row, negated: bool, form: str) -> End:
    """The branch that runs when the condition fails: an `else`, or what stands after."""
    del negated
    match owner:
        case IfRow(otherwise=None):
            lost = End("dropped", header, f"{form} without else")
            return settle(lost, carried)
        case IfRow(otherwise=otherwise) if otherwise is not None:
            return judge(f, carried, otherwise, (), header, header, f"{form} else")
        case WhileRow():
            return settle(
                End("dropped", header, f"while {form.removeprefix('while ')} ends the loop"), carried
            )
    return End("moved-away", header, form)


def closure(f: Follower, on: Carried, argument: int, row: ClosureRow) -> ClosureVerdict:
    """What a closure does with the error it is given, the closure's value apart."""
    f.stops.append(argument)
    try:
        names: Names = ()
        if row.parameters:
            found = cover(row.parameters[0].pattern, ERROR)
            names = found.bound if found is not None else ()
        end = best_of_names(f, names, argument)
    finally:
        f.stops.pop()
    survey = survey_of(f, row.body, argument)
    value_has_error = end is not None and end.fate in ("propagated", "moved-away")
    if survey.effects.handles:
        end = End("handled", argument, "closure") if value_has_error is False else end
    if survey.effects.diverges:
        end = End("panicked", argument, "closure")
    acts = end if end is not None and end.fate in ("handled", "panicked") else None
    logged = survey.effects.logs or (end is not None and end.fate == "logged")
    return ClosureVerdict(logged, value_has_error or (acts is not None and acts.fate == "handled"), acts)


def stand_in(f: Follower, on: Carried, at: int, argument: int, row: ClosureRow, name: str) -> End:
    """`unwrap_or_else(|e| ..)` and its kin: the closure is the error's arm, its value the call's."""
    names: Names = ()
    if row.parameters and on.shape[0] == "R":
        found = cover(row.parameters[0].pattern, ERROR)
        names = found.bound if found is not None else ()
    own = best_of_names(f, names, argument)
    if own is not None and own.fate in ALIVE:
        return own
    survey = survey_of(f, row.body, argument)
    logged = on.logged or survey.effects.logs or (own is not None and own.fate == "logged")
    carried = replace(on, logged=logged)
    form = f".{name}()"
    end = decided(f, row.body, replace(survey, returns=()), at, at, form, used=False)
    if end is not None and not (end.fate == "cause-lost" and name != "or_else"):
        return replace(end, arm=row.body)
    lost = End("defaulted", at, form, row.body, fallback=survey.works)
    ends = []
    for leaf in leaves(f.judged, row.body.value):
        sort = sort_of(f.judged, leaf)
        if name == "or_else" and sort in ("ok", "default"):
            ends.append(replace(lost, gives=sort))
        elif name == "or_else" and sort == "other":
            ends.append(End("handled", at, "or_else", row.body, fallback=True))
        elif sort in ("unit", "default", "ok", "other", "bool"):
            ends.append(replace(lost, gives=sort, fallback=survey.works or sort == "other"))
        elif sort == "never":
            ends.append(End("panicked", at, form, row.body))
        else:
            ends.append(value_end(f, carried, row.body, leaf, at, lost))
    return settle(best(ends) or lost, carried)
