"""What the rows of an arm do: its effects, how it leaves, what it keeps, whether it tries again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.around import is_left_alone
from inroads.analyses.swallow.callee import call_name
from inroads.analyses.swallow.covers import variant_name
from inroads.analyses.swallow.effects import NOTHING, Effects, is_state, place_root
from inroads.analyses.swallow.uses import enclosing, frame_of, past, top_rows
from inroads.analyses.swallow.values import leaves, says_error, sort_of
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
    TryRow,
    UnaryRow,
    WhileRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower


class Survey(msgspec.Struct, frozen=True):
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
                    and not (name in methods.GATHERS and is_left_alone(f, receiver))
                ):
                    sorts = {sort_of(f.judged, leaf) for one in arguments for leaf in leaves(f.judged, one)}
                    keeps = keeps or bool(sorts - {"default", "none", "bool", "unit"})
                    # Where it is called for that, any word in it tells of a failure.
                    keeps = keeps or ("default" in sorts and is_named_for_errors(f, receiver))
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


def is_named_for_errors(f: Follower, place: int) -> bool:
    """Whether a place begins with a variable whose name speaks of errors: `failures`, `errors`."""
    row = f.rows[place_root(f.judged, place)]
    return isinstance(row, PathRow) and bool(row.path.segments) and says_error(row.path.segments[-1].name)


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
        value = f.rows[row.value]
        truth = value.text == "true" if isinstance(value, LiteralRow) else None
        return told_later(f, local, region) or acts_on_flag(f, local, region, truth), False
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
                if isinstance(row, IfRow) and (leaves_or_logs(f, row) or is_value(f, taken.row)):
                    return True
                break
            if taken.role not in ("operand", "condition", "tail", "borrow"):
                return True
            at = taken.row
    return False


def is_value(f: Follower, at: int) -> bool:
    """Whether a branch gives a value that a variable is bound to, or that is stored: what it tells goes on."""
    use = f.uses.taken[at]
    return use is not None and use.role in ("let", "stored", "argument", "assigned")


def acts_on_flag(f: Follower, local: int, region: Region, truth: bool | None) -> bool:
    """Whether what runs only because of a flag that an arm sets changes something: `if again { queue.push(job) }`."""
    for use in f.uses.locals.get(local, ()):
        taken = f.uses.taken[use]
        if taken is None or taken.row is None or use < region.end:
            continue
        row, is_true = f.rows[taken.row], truth
        if isinstance(row, UnaryRow) and row.op == "!" and is_true is not None:
            is_true, taken = not is_true, f.uses.taken[taken.row]
            row = f.rows[taken.row] if taken is not None and taken.row is not None else row
        if taken is None or taken.role != "condition" or not isinstance(row, IfRow) or is_true is None:
            continue
        branch = row.then if is_true else row.otherwise
        if branch is not None and (found := survey_of(f, branch, None)):
            if found.effects.handles or found.keeps:
                return True
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
            # `None` is no success: what was walked through has come to its end.
            others = [arm.body for arm in arms if arm.body != region and variant_name(arm.pattern) != "None"]
        case IfRow(then=then, otherwise=otherwise):
            others = [one for one in (then, otherwise) if one is not None and one != region]
    if others and all(jump_of(f, one) in ("break", "return") for one in others):
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
