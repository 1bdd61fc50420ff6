"""
Judge what runs in place of the success: the arm of an error.

An arm handles the error if the error goes somewhere (`ends.ALIVE`), or if the
arm does something about it: changes state that outlives it, replies, counts,
retries, leaves with an error or a value that names one. An arm that only logs,
gives a default, or goes on without a word loses it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.callee import call_name
from inroads.analyses.swallow.covers import cover
from inroads.analyses.swallow.effects import NOTHING, Effects, is_state, place_root
from inroads.analyses.swallow.ends import ALIVE, Carried, End, best, settle
from inroads.analyses.swallow.shapes import ERROR, Shape
from inroads.analyses.swallow.uses import enclosing, frame_of, past, top_rows
from inroads.analyses.swallow.values import leaves, sort_of
from inroads.facts import (
    AssignRow,
    BlockRow,
    BreakRow,
    CallRow,
    ClosureRow,
    ContinueRow,
    DiscardRow,
    IfRow,
    LiteralRow,
    LoopRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    PathRow,
    Region,
    ReturnRow,
    Row,
    TryRow,
    WhileRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower

Names = tuple[tuple[int, str, Shape], ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """
    What the rows of an arm do.

    Args:
        raises: Leaves with an error (`return Err`, `bail!`, `Err(e)?`), on some way.
        names_error: Leaves or sets a variable with a value that names an error.
        returns: The sorts of the values that it returns from the function.
        jumps: `continue`, `break` or `return` where the arm surely ends so, else "".
        keeps: Keeps a note of the error in a variable from outside that somebody reads.
        defaults: Gives a variable from outside a default.
        works: Calls something else in place of what failed.
        sleeps: Waits.
    """

    effects: Effects = NOTHING
    raises: bool = False
    names_error: bool = False
    returns: tuple[str, ...] = ()
    jumps: str = ""
    keeps: bool = False
    defaults: bool = False
    works: bool = False
    sleeps: bool = False


@dataclass(frozen=True, slots=True)
class ClosureVerdict:
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
    match sort:
        case "err":
            return f.follow(replace(on, shape=("R",), replaced=True))
        case "sentinel":
            return replace(lost, fate="handled")
        case "none":
            return at_arm(f.follow(replace(on, shape=("Z",))), lost)
        case "bool":
            row = f.rows[leaf] if leaf is not None else None
            true = isinstance(row, LiteralRow) and row.text == "true"
            return at_arm(f.follow(replace(on, shape=("B+",) if true else ("B-",))), lost)
        case "unit" | "never":
            return lost
    taken = f.uses.taken[header]
    if taken is not None and taken.role == "discard":
        return replace(lost, fallback=lost.fallback or sort == "other")
    return replace(lost, fate="defaulted", gives=sort, fallback=lost.fallback or sort == "other")


def at_arm(end: End, lost: End) -> End:
    """An end of a stand-in, told at the arm that made it, unless somebody acts on it."""
    if end.fate in ALIVE or end.fate == "cause-lost":
        return end
    given = {"turned-into-option": "none", "turned-into-bool": "bool"}.get(end.fate, "")
    return replace(lost, fate=end.fate, gives=end.gives or lost.gives or given)


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


def judge_taken(
    f: Follower, carried: Carried, header: int, owner: Row, negated: bool, names: Names, at: int, form: str
) -> End:
    """The branch that runs when the condition holds."""
    del negated
    match owner:
        case IfRow(then=then):
            return judge(f, carried, then, names, at, header, form)
        case WhileRow(body=body):
            end = judge(f, carried, body, names, at, header, form)
            return end if end.fate in ALIVE else End("handled", header, "while, tries again")
    return End("handled", header, "guard", decided=True)


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


# Survey.


def survey_of(f: Follower, region: Region, frame: int | None) -> Survey:
    """What the rows of a region do; `frame` is the closure or async block whose `return` leaves it."""
    effects = NOTHING
    returns: list[str] = []
    raises = names_error = keeps = defaults = works = sleeps = False
    rows = f.rows
    calls: list[int] = []
    for at in range(region.start, min(region.end, len(rows))):
        row = rows[at]
        found = f.world.row_effects(f, at)
        if found is not None:
            if not (found.own.diverges and not surely(f, at, region)):
                effects |= found.own
            calls.extend(found.calls)
        match row:
            case ReturnRow(value=value) if frame_of(f.uses, at, f.judged.body) == frame:
                returns.extend(sort_of(f.judged, leaf) for leaf in leaves(f.judged, value))
            case TryRow(operand=operand):
                raises = raises or sort_of(f.judged, operand) == "err"
            case MacroRow(path=path) if path and path[-1] in methods.RAISES:
                raises = True
            case AssignRow():
                kept, defaulted = kept_in_variable(f, at, row, region)
                keeps, defaults = keeps or kept, defaults or defaulted
            case MethodCallRow(name=name, receiver=receiver, arguments=arguments):
                if name in methods.SLEEPS:
                    sleeps = True
                elif (
                    name in (methods.MUTATORS | methods.COUNTS)
                    and outer_local(f, receiver, region) is not None
                ):
                    sorts = {sort_of(f.judged, leaf) for one in arguments for leaf in leaves(f.judged, one)}
                    keeps = keeps or bool(sorts - {"default", "none", "bool", "unit"})
                    defaults = True
                elif found is not None and found.calls:
                    works = True
            case CallRow():
                name = call_name(f.judged, at)
                sleeps = sleeps or name in methods.SLEEPS
                works = works or (found is not None and bool(found.calls))
                works = works or name in WORKING_CALLS
            case _:
                pass
    if calls:
        effects |= replace(f.world.effects(tuple(dict.fromkeys(calls))), diverges=False)
    if "err" in returns:
        raises = True
    if "sentinel" in returns:
        names_error = True
    jumps = jump_of(f, region)
    return Survey(effects, raises, names_error, tuple(returns), jumps, keeps, defaults, works, sleeps)


WORKING_CALLS = frozenset(
    {"copy", "rename", "write", "read", "open", "create", "read_to_string", "connect", "remove_file"}
)


def surely(f: Follower, at: int, region: Region) -> bool:
    """Whether a row of a region runs on every way through it: it stands in no inner branch, loop or closure."""
    for home, row in enclosing(f.uses, at, f.judged.body):
        if home.row < region.start:
            return True
        if isinstance(row, (IfRow, MatchRow, WhileRow, ClosureRow)) and home.part != "condition":
            return False
    return True


def kept_in_variable(f: Follower, at: int, row: AssignRow, region: Region) -> tuple[bool, bool]:
    """
    Whether an assignment in an arm keeps a note of the error in a variable from outside, and whether it
    gives a default.
    """
    local = outer_local(f, row.target, region)
    if local is None or is_state(f.judged, row.target):
        return False, False
    if row.op != "=":
        return True, False
    sorts = {sort_of(f.judged, leaf) for leaf in leaves(f.judged, row.value)}
    if "sentinel" in sorts or "err" in sorts:
        return True, False
    if sorts <= {"bool"}:
        return told_later(f, local, region), False
    return False, True


def told_later(f: Follower, local: int, region: Region) -> bool:
    """Whether a flag that an arm sets is told to somebody: handed on, returned, or a reason to leave or to log."""
    for use in f.uses.locals.get(local, ()):
        if region.start <= use < region.end or f.is_target(use):
            continue
        at: int | None = use
        for _ in range(len(f.rows)):
            taken = f.uses.taken[at] if at is not None else None
            if taken is None or taken.row is None:
                return True
            row = f.rows[taken.row]
            if isinstance(row, (IfRow, WhileRow, MatchRow)):
                if isinstance(row, IfRow) and leaves_or_logs(f, row):
                    return True
                break
            if taken.role not in ("operand", "condition", "tail", "borrow"):
                return True
            at = taken.row
    return False


def leaves_or_logs(f: Follower, row: IfRow) -> bool:
    """Whether a branch on a flag ends in an error, or is told in a log."""
    for region in (row.then, row.otherwise):
        if region is None:
            continue
        for at in range(region.start, region.end):
            inner = f.rows[at]
            if isinstance(inner, ReturnRow) and inner.value is not None:
                return True
            if (
                isinstance(inner, MacroRow)
                and inner.path
                and inner.path[-1] in (f.world.log_names | methods.RAISES)
            ):
                return True
            if isinstance(inner, CallRow) and call_name(f.judged, at) == "Err":
                return True
    return False


def outer_local(f: Follower, place: int, region: Region) -> int | None:
    """The local at the root of a place, if it was declared outside a region."""
    root = place_root(f.judged, place)
    if not isinstance(f.rows[root], PathRow):
        return None
    local = f.judged.uses.get(root)
    if local is None:
        return None
    row = f.judged.locals[local].row
    return local if row is None or not region.start <= row < region.end else None


def jump_of(f: Follower, region: Region) -> str:
    """`return`, `break` or `continue` where a region's own statements end in one, else nothing."""
    found = ""
    for _ in range(8):
        last: int | None = None
        for at in top_rows(f.judged.body, region):
            row = f.rows[at]
            last = row.value if isinstance(row, DiscardRow) else at
            match f.rows[last]:
                case ReturnRow():
                    found = "return"
                case BreakRow():
                    found = "break"
                case ContinueRow():
                    found = "continue"
        inner = f.rows[last] if last is not None else None
        if found or not (isinstance(inner, BlockRow) and inner.kind in ("plain", "unsafe", "expansion")):
            break
        region = inner.body
    return found


def first_row(f: Follower, region: Region, header: int) -> int:
    """The first row of an arm that shows where the error dies; the header where the arm is empty."""
    return region.start if region.start < region.end else header


def in_loop(f: Follower, at: int) -> bool:
    """Whether a row stands in a `loop` or `while` of its own function."""
    for _, row in enclosing(f.uses, at, f.judged.body):
        if isinstance(row, (LoopRow, WhileRow)):
            return True
        if isinstance(row, ClosureRow):
            return False
    return False


def retries(f: Follower, region: Region, header: int) -> bool:
    """Whether the loop goes round again only because of the error: its success leaves the loop."""
    owner = f.rows[header]
    others: list[Region] = []
    match owner:
        case MatchRow(arms=arms):
            others = [arm.body for arm in arms if arm.body != region]
        case IfRow(then=then, otherwise=otherwise):
            others = [one for one in (then, otherwise) if one is not None and one != region]
    if any(jump_of(f, one) in ("break", "return") for one in others):
        return True
    home = f.uses.homes[header]
    if home is None or not isinstance(f.rows[home.row], LoopRow):
        return False
    after = past(owner, header)
    loop = f.rows[home.row]
    assert isinstance(loop, LoopRow)
    return any(
        isinstance(f.rows[at], (BreakRow, ReturnRow))
        for at in top_rows(f.judged.body, Region(start=after, end=loop.body.end))
    )
