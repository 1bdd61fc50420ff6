"""Why a lost error is not worth a warning: what makes its level `allow`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inroads.analyses.swallow import methods, sorts, words
from inroads.analyses.swallow.answers import is_answered, is_heard_as_none
from inroads.analyses.swallow.callee import call_arguments, call_name, call_paths, owner_of
from inroads.analyses.swallow.leaving import holders
from inroads.analyses.swallow.quiet import reads_optional_file
from inroads.analyses.swallow.reasons import closure_rows
from inroads.analyses.swallow.shapes import referent
from inroads.analyses.swallow.standins import fails_below
from inroads.analyses.swallow.survey import survey_of
from inroads.analyses.swallow.uses import enclosing, frame_of, past, top_rows
from inroads.facts import (
    AssignRow,
    BlockRow,
    CallRow,
    ClosureRow,
    DiscardRow,
    ForRow,
    IfRow,
    LetRow,
    LoopRow,
    MacroRow,
    MethodCallRow,
    Region,
    WhileRow,
)
from inroads.resolve.types import Dyn, Slice, Tuple

if TYPE_CHECKING:
    from inroads.analyses.swallow.place import Place


def mildness(p: Place) -> str | None:
    """Why a place is not worth a warning, in words; None if it is."""
    nature, end = p.nature, p.end
    serialising = nature.failures is not None and nature.failures.sources == {"serialising"}
    if sorts.is_serialising(nature.name, nature.paths) or serialising:
        return "serialising what derives it hardly fails"
    if nature.lookup and not any(path.startswith(words.REMOTE_CRATES) for path in nature.paths):
        return "a lookup or conversion"
    if nature.converts and end.fate != "dropped":
        return "a conversion"
    if is_shorthand(p) or nature.name == f"try_{own_name(p)}":
        return "the function around is there for those who don't want the error"
    if is_trivial(p):
        return "the end or the panic of a thread or task, which was told already"
    if end.fate == "cause-lost":
        return None if tells(p) and end.form in CAUSE_FORMS else "another error is raised in its place"
    if end.fate == "turned-into-bool" and not nature.changes and is_heard_as_bool(p):
        return "the caller hears of it by the bool"
    if nature.single and (end.gives in JUMPS or "H" in p.shape):
        return "its error has one meaning, and the way ends with it"
    if nature.error == Tuple(()) and not nature.functions:
        return "its error holds nothing"
    if is_only_asserted(p):
        return "an assertion, which asks whether there is one"
    if not nature.name and not nature.changes and end.form.startswith(("if let", "is_ok", "is_err", "while")):
        return "a parser that was made on the spot, and is tried"
    if only_shows(p):
        return "what is read is only shown, up to where it ends"
    if is_entry(p):
        return "an entry of a folder, which itself was read"
    if is_counted(p):
        return "the elements are counted, those that failed too"
    if end.fate == "defaulted" and fails_below(p):
        return "an error is raised or logged where it fails"
    if end.fate in ("defaulted", "turned-into-bool") and asks_for_program(p):
        return "whether a program can be run: where there is none, the answer is no"
    if is_asked_for(p):
        return "done only where an environment variable asks for it"
    if is_drained(p):
        return "read to be thrown away"
    if was_peeked(p):
        return "it was peeked at before"
    if reads_memory(p):
        return "a read from memory, which fails at its end only"
    if end.form.endswith("is not run in release"):
        return "an assertion of debug builds: in a release nothing is called, and nothing is lost"
    if (
        not nature.io
        and words.CHECKS.search(nature.name) is not None
        and is_asked(p, ("is_ok", "is_err", "ok"))
    ):
        return "a check, asked for its yes or no"
    if is_pure(p) and is_asked(p, ("is_ok", "is_err")):
        return "a check, asked for its yes or no"
    if end.fate in ("defaulted", "dropped", "turned-into-option") and reads_optional_file(p):
        return "a file that may be missing, read for settings"
    if end.fate == "turned-into-option" and is_heard_as_none(p):
        return "the caller hears of it by the None"
    if is_advice(p) and (end.fate == "logged" or nature.unit):
        return "advice to the system, which may be refused"
    if end.fate == "logged":
        return logged_mildness(p)
    if end.form == "let Err else":
        return "another way is taken below"
    if end.fallback and not nature.changes:
        return "something else is done instead"
    if nature.single and not (nature.changes and nature.unit):
        return "its error has one meaning"
    return None


def is_advice(p: Place) -> bool:
    """Whether a call only advises the system: by its name, or by all that fails in it."""
    failures = p.nature.failures
    return words.ADVISORY.search(p.nature.name) is not None or (
        failures is not None and failures.sources == {"advice"}
    )


JUMPS = frozenset({"return", "break", "continue"})


def is_only_asserted(p: Place) -> bool:
    """Whether it was only asserted that there is an element or none: `debug_assert!(rest.next().is_none())`."""
    if not p.end.form.endswith("of the outer layer"):
        return False
    return any(
        isinstance(row, MacroRow) and row.path and row.path[-1] in methods.ASSERTS | methods.DEBUG_ASSERTS
        for _, row in enclosing(p.f.uses, p.end.row, p.f.judged.body)
    )


def only_shows(p: Place) -> bool:
    """Whether a loop over what is read ends with the error, and does no more than log what it reads."""
    if not p.end.form.startswith("while let ends"):
        return False
    row = p.f.rows[p.end.row]
    if not isinstance(row, WhileRow):
        return False
    survey = survey_of(p.f, row.body, frame_of(p.f.uses, p.end.row, p.f.judged.body))
    effects = survey.effects
    return effects.logs and not (effects.handles or effects.unknown or survey.keeps or survey.defaults)


READ_DIRS = ("std::fs::read_dir", "std::path::Path::read_dir", "fs_err::read_dir")


def is_entry(p: Place) -> bool:
    """Whether only single entries of a folder are lost, in passing over all of them."""
    return (
        p.shape[-2:] == ("I", "R")
        and p.end.fate == "dropped"
        and any(path.endswith(READ_DIRS) for path in p.nature.paths)
    )


def is_counted(p: Place) -> bool:
    """Whether the elements of an iterator are only counted."""
    return p.end.form in (".count()", ".len()") and p.shape[0] == "I"


def asks_for_program(p: Place) -> bool:
    """Whether a program is run for its status only."""
    return any(path.endswith("process::Command::status") for path in p.nature.paths)


def is_asked_for(p: Place) -> bool:
    """Whether a write is made only where a variable of the environment says so: a dump, a probe, a trace."""
    if not p.nature.unit:
        return False
    for home, row in enclosing(p.f.uses, p.at, p.f.judged.body):
        if isinstance(row, IfRow) and home.part == "then":
            condition = range(row.condition.start, row.condition.end)
            if any(
                path.startswith(("std::env::var", "std::env::var_os"))
                for at in condition
                for path in call_paths(p.f.judged, at)
            ):
                return True
    return False


READS = re.compile(r"^(read|bytes|text|chunk|recv|next|copy|drain|collect|discard|skip|fill_buf)(_|$)")


def is_drained(p: Place) -> bool:
    """Whether what a foreign call reads is thrown away with its error: it was read to get it out of the way."""
    if p.nature.functions or p.nature.unit or p.end.form not in ("let _", "statement", "_ ="):
        return False
    return READS.match(p.nature.name) is not None


def was_peeked(p: Place) -> bool:
    """Whether what `next` gives was looked at by a `peek` above, so that passing over it loses nothing."""
    if p.nature.name != "next" or p.end.form not in ("let _", "statement", "_ ="):
        return False
    return any(call_name(p.f.judged, at).startswith("peek") for at in range(p.at))


MEMORY = frozenset({"Cursor", "Bytes", "BytesMut", "Vec", "VecDeque"})


def reads_memory(p: Place) -> bool:
    """Whether a foreign call reads from bytes in memory."""
    if p.nature.functions or not p.nature.name.startswith(("read", "get_", "try_get")):
        return False
    type_ = sorts.receiver_type(p.f, p.at)
    return isinstance(type_, Slice) or sorts.type_name(type_) in MEMORY


CAUSE_FORMS = ("returned", "closure value", "closure")


def tells(p: Place) -> bool:
    """Whether the error held something that the one who reads it needs: an I/O error, a text."""
    error = p.nature.error
    if error is None or p.nature.single:
        return False
    return sorts.is_io_error(error) or (
        sorts.type_name(error) in ("String", "Error", "Report") and p.nature.io
    )


def logged_mildness(p: Place) -> str | None:
    """Why a place that logs its error is not worth a warning."""
    end, nature = p.end, p.nature
    heavy = nature.changes and nature.unit
    if end.form == "let Err else":
        return "another way is taken below, and it is logged"
    if end.form.startswith("shown in"):
        return "the whole Result is shown in a log"
    if not heavy and is_whispered(p):
        return "whoever wrote it thought it worth a debug line only"
    if not heavy and end.gives in ("return bool", "bool"):
        return "the caller hears of it by the bool, and it is logged"
    if not heavy and is_told_to_user(p):
        return "whoever runs the program reads it"
    if not nature.changes and only_reports(p):
        return "the function around is there to log"
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
    if end.gives == "return" and not changes_after(p):
        return "what is skipped changes nothing, and it is logged"
    if (
        end.fallback
        and not nature.changes
        and end.gives not in ("none", "return None")
        and not nature.functions
    ):
        return "something else is done instead, and it is logged"
    return None


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


def is_removal(p: Place) -> bool:
    """Whether a call only takes something away: from outside by its name, ours by what fails in it."""
    if not p.nature.functions:
        return words.REMOVES.match(p.nature.name) is not None
    failures = p.nature.failures
    return failures is not None and "removal" in failures.sources <= REMOVAL


PURE = frozenset({"own", "none", "conversion"})


def is_pure(p: Place) -> bool:
    """Whether a call of ours only tests something: it changes nothing, gives nothing and fails by itself."""
    nature = p.nature
    if not nature.functions or nature.changes or nature.io or not nature.unit or nature.failures is None:
        return False
    return bool(nature.failures.points) and nature.failures.sources <= PURE


def is_heard_as_bool(p: Place) -> bool:
    """Whether a bool goes straight to the caller, or stands in what he gets."""
    return (
        p.end.form == "returned" or p.end.form.startswith("field") or p.end.gives in ("return bool", "bool")
    )


def is_asked(p: Place, methods_of_result: tuple[str, ...]) -> bool:
    """Whether of a Result only the success is asked for: `.is_ok()`."""
    f = p.f
    at = p.at
    for _ in range(4):
        use = f.uses.taken[at]
        if use is None or use.row is None:
            return False
        row = f.rows[use.row]
        if use.role == "receiver" and isinstance(row, MethodCallRow):
            return row.name in methods_of_result
        if use.role not in ("await", "borrow"):
            return False
        at = use.row
    return False


def is_trivial(p: Place) -> bool:
    """Whether the error tells only that a thread or task has panicked or is at its end."""
    nature = p.nature
    if nature.name in ("join", "catch_unwind") and not nature.functions and p.shape == ("R",):
        return True
    if nature.error is None:
        return False
    error = referent(nature.error)
    return sorts.type_name(error) in words.TRIVIAL_ERRORS or (
        isinstance(error, Dyn) and sorts.type_name(error) == "Any"
    )


QUIET_LEVELS = frozenset({"trace", "debug", "info"})


def is_whispered(p: Place) -> bool:
    """Whether all that is logged of the error is logged at a level that is off in most runs."""
    f, end = p.f, p.end
    if end.function is not None:
        return False
    rows = (
        list(range(end.arm.start, end.arm.end)) if end.arm is not None else [end.row, *closure_rows(f, p.at)]
    )
    macros = [row.path[-1] for at in rows if isinstance(row := f.rows[at], MacroRow) and row.path]
    told = [name for name in macros if name in p.world.log_names]
    return bool(told) and all(name in QUIET_LEVELS for name in told)


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


def is_shorthand(p: Place) -> bool:
    """Whether the function around only hands its parameters on to another of its type, which can be called as well."""
    f = p.f
    tables = p.world.program.tables
    function = tables.functions[f.judged.function]
    if len(p.nature.functions) != 1 or function.impl is None or p.world.is_foreign_method(f.judged.function):
        return False
    other = tables.functions[p.nature.functions[0]]
    if other.impl is None or owner_of(other) != owner_of(function):
        return False
    given = [f.judged.uses.get(at) for at in call_arguments(f.judged, p.at)]
    parameters = [f.judged.locals[one].parameter for one in given if one is not None]
    whole = len(function.item.parameters) + (function.item.receiver is not None)
    if not len(parameters) == len(given) == whole:
        return False
    root = f.judged.body.root
    if root.value is not None and root.value not in holders(f, p.at):
        return False
    tops = [at for at in top_rows(f.judged.body, root) if isinstance(f.rows[at], (DiscardRow, LetRow))]
    return len(tops) <= 1 and calls_nothing_else(p)


def own_name(p: Place) -> str:
    """The name of the function around."""
    return p.world.program.tables.functions[p.f.judged.function].name


def calls_nothing_else(p: Place) -> bool:
    """Whether the function around runs no other function of the workspace, and changes nothing."""
    f = p.f
    for at in range(len(f.rows)):
        found = p.world.row_effects(f, at) if at != p.at else None
        if found is not None and (found.calls or found.own.handles):
            return False
    return True


def is_service_turn(p: Place) -> bool:
    """Whether a place is a turn of a `loop` or `while` that goes on with the next: it serves, and one turn failed."""
    if p.end.gives == "break" or (p.end.gives.startswith("return")):
        return False
    for _, row in enclosing(p.f.uses, p.at, p.f.judged.body):
        if isinstance(row, LoopRow):
            return True
        if isinstance(row, WhileRow):
            return True
        if isinstance(row, (ForRow, ClosureRow)):
            return False
    return False


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
