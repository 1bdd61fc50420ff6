"""Why a lost error is not worth a warning: what makes its level `allow`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inroads.analyses.swallow import methods, sorts, words
from inroads.analyses.swallow.answers import is_heard_as_none
from inroads.analyses.swallow.asked import gives_false, is_asked, is_heard_as_bool, is_pure
from inroads.analyses.swallow.callee import call_arguments, call_name, call_paths, owner_of
from inroads.analyses.swallow.covers import bindings, says_err
from inroads.analyses.swallow.documented import is_named_so
from inroads.analyses.swallow.leaving import holders, makes_error
from inroads.analyses.swallow.logged import JUMPS, logged_mildness
from inroads.analyses.swallow.probing import keeps_something
from inroads.analyses.swallow.quiet import reads_optional_file
from inroads.analyses.swallow.reasons import headers_of
from inroads.analyses.swallow.selfreports import self_report
from inroads.analyses.swallow.shapes import referent
from inroads.analyses.swallow.standins import fails_below
from inroads.analyses.swallow.survey import survey_of
from inroads.analyses.swallow.uses import enclosing, frame_of, top_rows
from inroads.facts import (
    BorrowRow,
    CallRow,
    ClosureRow,
    DiscardRow,
    IfRow,
    LetConditionRow,
    LetRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    WhileRow,
)
from inroads.resolve.types import Dyn, Slice, Tuple

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.place import Place


def mildness(p: Place) -> str | None:
    """Why a place is not worth a warning, in words; None if it is."""
    nature, end = p.nature, p.end
    serialising = nature.failures is not None and nature.failures.sources == {"serialising"}
    if sorts.is_serialising(nature.name, nature.paths) or serialising:
        return "serialising what derives it hardly fails"
    remote = any(path.startswith(words.REMOTE_CRATES) for path in nature.paths)
    # Where an Ok may hold a None, an error says something else than that there is nothing.
    other = nature.functions and nature.optional and end.fate != "dropped"
    if nature.lookup and not other and not (remote and nature.name not in words.LOCAL):
        return "a lookup or conversion"
    if nature.makes and end.fate != "logged":
        # Who logs it has missed what somebody sent.
        return "a conversion"
    if nature.converts and end.fate != "dropped" and not nature.optional:
        return "a conversion"
    if is_named_so(nature.name) or is_named_so(own_name(p)) or is_named_so(name_of_end(p)):
        return "the name says that it may fail"
    if is_shorthand(p) or nature.name in fallible_names(own_name(p)):
        return "the function around is there for those who don't want the error"
    if is_trivial(p):
        return "the end or the panic of a thread or task, which was told already"
    if end.fate == "cause-lost":
        return None if tells(p) and end.form in CAUSE_FORMS else "another error is raised in its place"
    if end.fate == "turned-into-bool" and not nature.changes and is_heard_as_bool(p):
        return "the caller hears of it by the bool"
    if nature.single and (end.gives in JUMPS or "H" in p.shape):
        return "its error has one meaning, and the way ends with it"
    if nature.error == Tuple(()) and (not nature.functions or end.form not in THROWN):
        return "its error holds nothing"
    if nature.error == Tuple(()) and p.world.effects(nature.functions).logs:
        return "its error holds nothing, and was logged where it came up"
    if is_later_one(p):
        return "the first error is kept, and this is a later one"
    if is_only_asserted(p):
        return "an assertion, which asks whether there is one"
    if is_tried_parser(p):
        return "a parser that was made on the spot, and is tried"
    if is_only_shown(p):
        return "what stands in for it is only shown"
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
    if is_accessor(p):
        return "an accessor of what may not be there"
    if sets_logger(p):
        return "a logger that is set already stays"
    if is_asked_for(p):
        return "done only where an environment variable asks for it"
    if nature.name in ("readable", "writable") and not nature.functions and end.fate == "dropped":
        return "a wait until something may be read or written, which tells"
    if is_drained(p):
        return "read to be thrown away"
    if clears_the_way(p):
        return "what is in the way is told of by what takes its place"
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
    if words.PROBES.search(nature.name) is not None and (end.fate == "turned-into-bool" or gives_false(p)):
        return "a probe, asked whether it works"
    if words.LEAVE.search(nature.name) is not None and is_asked(p, ("is_ok", "is_err")):
        return "asked for leave, and one that can't be had is none"
    if is_pure(p) and is_asked(p, ("is_ok", "is_err")):
        return "a check, asked for its yes or no"
    if end.fate in ("defaulted", "dropped", "turned-into-option") and reads_optional_file(p):
        return "a file that may be missing, read for settings"
    if end.fate == "turned-into-option" and is_heard_as_none(p):
        return "the caller hears of it by the None"
    if is_advice(p) and (end.fate == "logged" or nature.unit):
        return "advice to the system, which may be refused"
    report = self_report(p)
    if report is not None:
        return report
    if end.fate == "logged":
        return logged_mildness(p)
    if end.form == "let Err else" and end.fallback:
        return "another way is taken below"
    if end.fallback and not nature.changes:
        return "something else is done instead"
    if nature.single and not (nature.changes and nature.unit):
        return "its error has one meaning"
    return None


def is_tried_parser(p: Place) -> bool:
    """Whether what is called has no name, and is asked for its success; a closure called on the spot is a block."""
    if p.nature.name or p.nature.changes:
        return False
    row = p.f.rows[p.at]
    if isinstance(row, CallRow) and isinstance(p.f.rows[row.callee], ClosureRow):
        return False
    return p.end.form.startswith(("if let", "is_ok", "is_err", "while"))


def is_advice(p: Place) -> bool:
    """Whether a call only advises the system: by its name, or by all that fails in it."""
    failures = p.nature.failures
    return words.ADVISORY.search(p.nature.name) is not None or (
        failures is not None and failures.sources == {"advice"}
    )


def is_later_one(p: Place) -> bool:
    """
    Whether another arm of the match keeps an error where none was kept before:
    `Err(e) if first.is_none() => first = Some(e), Err(_) => {}`.
    """
    f, end = p.f, p.end
    if end.arm is None or end.function is not None or not end.form.startswith("match arm"):
        return False
    for _, header in headers_of(f, end.arm):
        if not isinstance(header, MatchRow):
            return False
        for arm in header.arms:
            if arm.guard is not None and arm.body != end.arm and says_err(arm.pattern):
                if keeps_something(f, arm.body):
                    return True
        return False
    return False


def is_only_asserted(p: Place) -> bool:
    """Whether it was only asserted that there is an element or none: `debug_assert!(rest.next().is_none())`."""
    if not p.end.form.endswith("of the outer layer"):
        return False
    return any(
        isinstance(row, MacroRow) and row.path and row.path[-1] in methods.ASSERTS | methods.DEBUG_ASSERTS
        for _, row in enclosing(p.f.uses, p.end.row, p.f.judged.body)
    )


def is_only_shown(p: Place) -> bool:
    """
    Whether what stands in for a value goes nowhere but into a log or into another error:
    `error!("{status}: {}", response.text().unwrap_or_default())`.
    """
    f = p.f
    if p.end.fate != "defaulted" or p.end.function is not None or p.nature.changes:
        return False
    at = p.end.row
    for _ in range(8):
        use = f.uses.taken[at]
        if use is None or use.row is None:
            return False
        row = f.rows[use.row]
        if isinstance(row, LetRow):
            names = [local for (bound, _), local in f.judged.bound.items() if bound == use.row]
            return len(names) == 1 and is_shown_local(f, names[0], p.world.log_names)
        if is_shown_by(f, use.row, p.world.log_names):
            return True
        if not isinstance(row, (MethodCallRow, BorrowRow, MacroRow)):
            return False
        at = use.row
    return False


def is_shown_local(f: Follower, local: int, log_names: frozenset[str]) -> bool:
    """Whether a variable is used, and only in logs and in errors that are made."""
    uses = f.uses.locals.get(local, ())
    captured = f.uses.captured.get(local, ())
    shown = [any(is_shown_by(f, at, log_names) for at in holders(f, use)) for use in (*uses, *captured)]
    return bool(shown) and all(shown)


def is_shown_by(f: Follower, at: int, log_names: frozenset[str]) -> bool:
    """Whether a row logs, or makes an error."""
    row = f.rows[at]
    if isinstance(row, MacroRow) and row.path and row.path[-1] in log_names:
        return True
    return makes_error(f, at)


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


THROWN = frozenset({"let _", "statement", "_ =", "drop()"})
"""Forms in which nobody looks whether it failed."""


def is_accessor(p: Place) -> bool:
    """Whether what is bound is called like the method that gives it: `if let Ok(body) = block.body()`."""
    f = p.f
    row = f.rows[p.at]
    if p.nature.functions or not isinstance(row, MethodCallRow) or row.arguments:
        return False
    use = f.uses.taken[p.at]
    taker = f.rows[use.row] if use is not None and use.row is not None else None
    if not isinstance(taker, (LetConditionRow, LetRow)):
        return False
    return any(name == row.name for _, name in bindings(taker.pattern))


LOGGING = (
    "tracing_subscriber::",
    "env_logger::",
    "pretty_env_logger::",
    "simple_logger::",
    "console_subscriber::",
)


def sets_logger(p: Place) -> bool:
    """Whether a call sets the logger of the process, which fails only where one is set already."""
    name = p.nature.name
    if p.nature.functions:
        return False
    if name in (
        "set_logger",
        "set_boxed_logger",
        "set_global_default",
        "set_global_recorder",
        "set_boxed_recorder",
    ):
        return True
    return name in ("init", "try_init") and any(path.startswith(LOGGING) for path in p.nature.paths)


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


READS = re.compile(r"^(read|lines|bytes|text|chunk|recv|next|copy|drain|collect|discard|skip|fill_buf)(_|$)")


def is_drained(p: Place) -> bool:
    """
    Whether what is read is thrown away with its error: it was read to get it out of the way. Of our own
    functions only those that read from memory are known to do no more.
    """
    skipped = p.end.form.startswith("`_") and p.end.form.endswith("never read")
    if p.nature.unit or not (skipped or p.end.form in ("let _", "statement", "_ =")):
        return False
    if p.nature.functions:
        memory = sorts.type_name(sorts.receiver_type(p.f, p.at)) in MEMORY
        return memory and READS.match(p.nature.name) is not None
    if any(p.at < use for one in locals_given(p.f, p.at) for use in p.f.uses.locals.get(one, ())):
        # What was read so far is used.
        return False
    return READS.match(p.nature.name) is not None


def clears_the_way(p: Place) -> bool:
    """Whether a file is removed at whose path another is made below: over it, or not while it is there."""
    if p.nature.functions or p.nature.name not in ("remove_file", "unlink"):
        return False
    f = p.f
    given = locals_given(f, p.at)
    home = f.uses.homes[p.at]
    return any(
        f.uses.homes[at] == home and not given.isdisjoint(locals_given(f, at))
        for at in range(p.at + 1, len(f.rows))
        if isinstance(f.rows[at], (CallRow, MethodCallRow)) and call_name(f.judged, at) in REPLACES
    )


REPLACES = frozenset(
    {"bind", "write", "create", "create_new", "rename", "copy", "symlink", "hard_link", "mkfifo"}
)


def locals_given(f: Follower, at: int) -> frozenset[int]:
    """The variables that a call is given, borrowed or not."""
    found = []
    for argument in call_arguments(f.judged, at):
        here = argument
        while isinstance(row := f.rows[here], BorrowRow):
            here = row.operand
        found.append(f.judged.uses.get(here))
    return frozenset(one for one in found if one is not None)


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


def is_shorthand(p: Place) -> bool:
    """Whether the function around only hands its parameters on to another of its type, which can be called as well."""
    f = p.f
    tables = p.world.program.tables
    function = tables.functions[f.judged.function]
    if p.end.fate == "logged" and function.item.returns is not None:
        # Who calls it for its value is told of none.
        return False
    if len(p.nature.functions) != 1 or function.impl is None or not tables.impls[function.impl].inherent:
        # Of a trait's method nobody can call another.
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


def fallible_names(name: str) -> tuple[str, ...]:
    """What the function is called for which one of a name is the other that cannot fail."""
    return (f"try_{name}", f"{name}_result", f"{name}_checked", f"{name}_fallible")


def name_of_end(p: Place) -> str:
    """The name of the function in which an error ends that is handed on; empty where it ends where it came up."""
    return "" if p.end.function is None else p.world.program.tables.functions[p.end.function].name


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
