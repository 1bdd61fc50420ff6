"""Why a place that logs its error is not worth a warning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inroads.analyses.swallow import words
from inroads.analyses.swallow.answers import is_answered
from inroads.analyses.swallow.callee import call_name
from inroads.analyses.swallow.leaving import UNDOES, leaves_with_error
from inroads.analyses.swallow.reasons import closure_rows, headers_of
from inroads.analyses.swallow.survey import survey_of
from inroads.analyses.swallow.uses import enclosing, frame_of, past, top_rows
from inroads.analyses.swallow.values import leaves, sort_of
from inroads.facts import (
    AssignRow,
    AwaitRow,
    BinaryRow,
    BlockRow,
    CallRow,
    ClosureRow,
    DiscardRow,
    ForRow,
    IfRow,
    LoopRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    Region,
    ReturnRow,
    TryRow,
    WhileRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.place import Place


JUMPS = frozenset({"return", "break", "continue"})


def logged_mildness(p: Place) -> str | None:
    """Why a place that logs its error is not worth a warning."""
    end, nature = p.end, p.nature
    heavy = nature.changes and nature.unit
    if end.form == "let Err else" and end.fallback:
        return "another way is taken below, and it is logged"
    if end.arm is not None and end.function is None and end.gives == "return" and raises_another(p, end.arm):
        return "another error is raised in its place, and it is logged"
    if end.form.startswith("shown in"):
        return "the whole Result is shown in a log"
    if not heavy and is_whispered(p):
        return "whoever wrote it thought it worth a debug line only"
    if not nature.changes and any(SWITCHED_OFF.search(row.text) for row in logs_of(p)):
        return "the log says what is switched off for it"
    if not heavy and end.gives in ("return bool", "bool"):
        return "the caller hears of it by the bool, and it is logged"
    if not heavy and is_told_to_user(p):
        return "whoever runs the program reads it"
    if not nature.changes and only_reports(p):
        return "the function around is there to log"
    if is_voted(p):
        return "those that succeeded are counted, and too few of them are an error"
    if is_service_turn(p):
        return "a turn of an endless loop, and it is logged"
    if ends_task(p):
        return "the task ends with it, and it is logged"
    if (
        nature.guard
        and nature.functions
        and not p.world.returns_result(p.f.judged.function)
        and end.gives in ("", "unit")
    ):
        return "its error has one meaning, and it is logged"
    if nature.single and not heavy and end.gives not in ("none", "return None"):
        return "its error has one meaning, and it is logged"
    if is_removal(p):
        return "what could not be removed stays, and it is logged"
    if end.gives in JUMPS and words.CHECKS.search(nature.name) is not None:
        return "a check that said no, and it is logged"
    if is_answered(p):
        return "the caller acts on the None, and it is logged"
    if end.gives == "return" and (end.fallback or gives_nothing(p)) and not changes_after(p):
        return "what is skipped changes nothing, and it is logged"
    if (
        end.fallback
        and not nature.changes
        and end.gives not in ("none", "return None")
        and not nature.functions
    ):
        return "something else is done instead, and it is logged"
    return None


def gives_nothing(p: Place) -> bool:
    """Whether what a `return` leaves gives no value, which could be taken for one that was found."""
    frame = frame_of(p.f.uses, p.at, p.f.judged.body)
    return frame is not None or p.world.program.tables.functions[p.f.judged.function].item.returns is None


def only_reports(p: Place) -> bool:
    """Whether the function around gives nothing, changes nothing, and logs on the way that succeeds as well."""
    function = p.f.judged.function
    if p.world.program.tables.functions[function].item.returns is not None:
        return False
    arm = p.end.arm
    logs = any(
        isinstance(row, MacroRow)
        and bool(row.path)
        and row.path[-1] in p.world.log_names
        and (arm is None or not arm.start <= at < arm.end)
        for at, row in enumerate(p.f.rows)
    )
    if not logs:
        return False
    # Last, since what is called must be judged for that.
    effects = p.world.effects((function,))
    return not (effects.handles or effects.unknown)


REMOVAL = frozenset({"removal", "own", "none", "conversion"})


# What a log says of what was tried before, and is taken back.
_CLEANS = re.compile(
    r"(?i)\b(clean(ing|ed)?[ -]?up|revert\w*|roll(ed|ing)?[ -]?back|undo\w*|temporar\w+|orphan\w*|left ?over|stale)\b"
)
_TIDIES = re.compile(r"^(try_)?(clean_?up|prune|gc|collect_garbage|sweep|trim|evict|rotate)(_|$)")
_ASKED_TO_REMOVE = re.compile(r"^(delete|remove|revoke|unregister)(_|$)")


def is_removal(p: Place) -> bool:
    """Whether a call only takes something away: from outside by its name, ours by what fails in it."""
    if not p.nature.functions and words.REMOVES.match(p.nature.name) is not None:
        return True
    failures = p.nature.failures
    own = p.world.program.tables.functions[p.f.judged.function]
    tidies = own.item.returns is None and _TIDIES.match(own.name) is not None
    takes_back = tidies or (UNDOES.match(p.nature.name) is not None and p.end.gives not in JUMPS)
    if takes_back and any(_CLEANS.search(row.text) for row in logs_of(p)):
        return True
    if failures is not None and "removal" in failures.sources and _TIDIES.match(p.nature.name):
        return True
    if _ASKED_TO_REMOVE.match(p.world.program.tables.functions[p.f.judged.function].name) is not None:
        # Who asked for that takes it for done.
        return False
    return failures is not None and "removal" in failures.sources <= REMOVAL


QUIET_LEVELS = frozenset({"trace", "debug", "info"})


def is_whispered(p: Place) -> bool:
    """Whether all that is logged of the error is logged at a level that is off in most runs."""
    told = [row.path[-1] for row in logs_of(p)]
    return bool(told) and all(name in QUIET_LEVELS for name in told)


SWITCHED_OFF = re.compile(r"(?i)(?<!not )\b(disabled|disabling \w|unavailable)\b")


def logs_of(p: Place) -> list[MacroRow]:
    """The calls of log macros that tell of the error."""
    f, end = p.f, p.end
    if end.function is not None:
        return []
    rows = (
        list(range(end.arm.start, end.arm.end)) if end.arm is not None else [end.row, *closure_rows(f, p.at)]
    )
    macros = [row for at in rows if isinstance(row := f.rows[at], MacroRow) and row.path]
    return [row for row in macros if row.path[-1] in p.world.log_names]


PRINTS = frozenset({"println", "eprintln", "print", "eprint"})


def is_told_to_user(p: Place) -> bool:
    """Whether a program, not a library, prints the error."""
    f, end = p.f, p.end
    tables = p.world.program.tables
    if end.arm is None or end.function is not None:
        return False
    if tables.crates[tables.functions[f.judged.function].crate].kind != "bin":
        return False
    for at in range(end.arm.start, end.arm.end):
        row = f.rows[at]
        home = f.uses.homes[at]
        header = f.rows[home.row] if home is not None else None
        # What a macro of the program's own prints is its log.
        own = isinstance(header, BlockRow) and header.kind == "expansion"
        if isinstance(row, MacroRow) and row.path and row.path[-1] in PRINTS and not own:
            return True
    return False


def raises_another(p: Place, arm: Region) -> bool:
    """Whether the arm of a logged error leaves with another error."""
    return survey_of(p.f, arm, frame_of(p.f.uses, p.end.row, p.f.judged.body)).raises


def is_voted(p: Place) -> bool:
    """Whether the branch of the success counts, and below the count decides whether there is an error: a quorum."""
    f, arm = p.f, p.end.arm
    if arm is None or p.end.function is not None:
        return False
    others: list[Region] = []
    for _, header in headers_of(f, arm):
        match header:
            case MatchRow(arms=arms):
                others = [one.body for one in arms if one.body != arm]
            case IfRow(then=then, otherwise=otherwise):
                others = [one for one in (then, otherwise) if one is not None and one != arm]
        break
    counted = {
        local
        for region in others
        for at in range(region.start, region.end)
        if isinstance(row := f.rows[at], AssignRow)
        and row.op == "+="
        and (local := f.judged.uses.get(row.target)) is not None
    }
    return any(compares(f, use) for one in counted for use in f.uses.locals.get(one, ()) if arm.end <= use)


def compares(f: Follower, use: int) -> bool:
    """Whether a variable is compared in the condition of a branch that leaves with an error."""
    compared = False
    for _ in range(6):
        taken = f.uses.taken[use]
        if taken is None or taken.row is None:
            return False
        row = f.rows[taken.row]
        compared |= isinstance(row, BinaryRow) and row.op in ("<", "<=", ">", ">=", "==", "!=")
        if isinstance(row, IfRow):
            branches = [one for one in (row.then, row.otherwise) if one is not None]
            return (
                compared
                and taken.role == "condition"
                and any(leaves_with_error(f, one, one.start, frozenset()) for one in branches)
            )
        use = taken.row
    return False


def is_service_turn(p: Place) -> bool:
    """Whether a place is a turn of a `loop` or `while` that goes on with the next: it serves, and one turn failed."""
    if p.end.gives == "break" or (p.end.gives.startswith("return")):
        return False
    for _, row in enclosing(p.f.uses, p.at, p.f.judged.body):
        if isinstance(row, LoopRow):
            return True
        if isinstance(row, WhileRow):
            return not (takes_what_is_there(p, row) and p.end.gives in ("", "unit") and p.nature.changes)
        if isinstance(row, (ForRow, ClosureRow)):
            return False
    return False


_TAKES = re.compile(r"^(pop|dequeue)(_|$)|^(next|next_back|next_entry)$")


def takes_what_is_there(p: Place, loop: WhileRow) -> bool:
    """
    Whether a `while` ends like a `for`, with the last of what it goes through, and other errors end it before:
    `while let Some(x) = all.pop() { check(x)?; .. }`.
    """
    f, condition = p.f, range(loop.condition.start, loop.condition.end)
    waits = any(isinstance(f.rows[at], AwaitRow) for at in condition)
    names = [call_name(f.judged, at) for at in condition]
    if not any(_TAKES.match(name) and (not waits or name == "next_entry") for name in names):
        return False
    inside = range(loop.body.start, loop.body.end)
    return any(isinstance(f.rows[at], TryRow) or returns_error(f, at) for at in inside)


def returns_error(f: Follower, at: int) -> bool:
    """Whether a row is a `return` of an error."""
    row = f.rows[at]
    return isinstance(row, ReturnRow) and any(
        sort_of(f.judged, leaf) in ("err", "sentinel") for leaf in leaves(f.judged, row.value)
    )


def ends_task(p: Place) -> bool:
    """Whether the place is the last thing that a spawned task, a thread or `main` does."""
    f = p.f
    frame = frame_of(f.uses, p.at, f.judged.body)
    function = p.world.program.tables.functions[f.judged.function]
    if frame is None and function.name != "main":
        return False
    if frame is not None and not p.world.is_spawned(f, frame):
        return False
    body = f.rows[frame] if frame is not None else None
    region = body.body if isinstance(body, (BlockRow, ClosureRow)) else f.judged.body.root
    last = None
    for at in top_rows(f.judged.body, region):
        last = at if not is_quiet_row(p, at) else last
    return last is not None and last <= statement_of(p, region) + 1


def is_quiet_row(p: Place, at: int) -> bool:
    """Whether a row at the end of a task does nothing but log or drop."""
    row = p.f.rows[at]
    if isinstance(row, DiscardRow):
        row = p.f.rows[row.value]
    return isinstance(row, MacroRow)


def statement_of(p: Place, region: Region) -> int:
    """The row of the statement of a region that holds the place."""
    at = p.at
    tops = list(top_rows(p.f.judged.body, region))
    chosen = tops[0] if tops else region.start
    for top in tops:
        if top <= at or past(p.f.rows[top], top) <= at:
            chosen = top
    use = p.f.uses.taken[chosen]
    while use is not None and use.row is not None and region.start <= use.row < region.end:
        chosen = use.row
        use = p.f.uses.taken[chosen]
    return chosen


def changes_after(p: Place) -> bool:
    """Whether what a `return` skips would change state or call something that does."""
    f = p.f
    end = p.end.arm.end if p.end.arm is not None else p.at
    frame = frame_of(f.uses, p.at, f.judged.body)
    row = f.rows[frame] if frame is not None else None
    region = row.body if isinstance(row, (BlockRow, ClosureRow)) else f.judged.body.root
    called: list[tuple[int, ...]] = []
    for at in range(end, region.end):
        one = f.rows[at]
        if isinstance(one, AssignRow):
            return True
        if isinstance(one, (CallRow, MethodCallRow)):
            found = p.world.row_effects(f, at)
            if found is not None and (found.own.handles or found.own.unknown):
                return True
            if found is None or not found.calls:
                continue
            if not p.world.knows_effects(found.calls):
                called.append(found.calls)
            elif p.world.effects(found.calls).handles:
                return True
    # Last, since what is called must be judged for that.
    return any(p.world.effects(functions).handles for functions in called)
