"""
What of a program its settings may want to know: how it logs, what its errors are, what is not its own.
"""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from inroads.analyses.base import LOG_MACROS
from inroads.facts import FunctionItem, PathType, TypeRef
from inroads.program import Program

MOST_TOLD = 8
_LOGGING = re.compile(
    r"(?:[a-z]+_)*(?:log|trace|debug|info|notice|warn|warning|error|err|critical)(?:_[a-z]+)*"
)
# Macros of the language with such a name: they do not log.
_NO_LOGGING = re.compile(
    r"debug_assert\w*|compile_error|format_err|error_\w*chain|ensure_\w*|bail_\w*|\w+_span"
)
_FOREIGN_FOLDERS = ("vendor", "third_party", "third-party", "generated", "bindings")


class Fitting(msgspec.Struct, frozen=True):
    """
    What was found; each list is sorted by how often, then by name.

    Args:
        known_logs: Log macros that are known anyway, and in how many functions each is used.
        new_logs: Macros that seem to log, and are not known.
        errors: Error types of the functions' results.
        folders: Folders of code that is probably somebody else's.
    """

    known_logs: tuple[tuple[str, int], ...]
    new_logs: tuple[tuple[str, int], ...]
    errors: tuple[tuple[str, int], ...]
    folders: tuple[str, ...]


def fit(program: Program, files: tuple[str, ...]) -> Fitting:
    """Look through a program."""
    tables = program.tables
    macros: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    for function in tables.functions:
        if function.test or not function.active:
            continue
        if function.has_body:
            macros.update(name[:-1] for name in tables.names_of(function.id) if name.endswith("!"))
        error = error_type(function.item)
        if error:
            errors[error] += 1
    known = {name: count for name, count in macros.items() if name in LOG_MACROS}
    new = {
        name: count for name, count in macros.items() if name not in LOG_MACROS and _may_log(program, name)
    }
    folders = {
        "/".join(parts[: at + 1])
        for parts in (path.split("/") for path in files)
        for at, part in enumerate(parts[:-1])
        if part in _FOREIGN_FOLDERS
    }
    outermost = sorted(one for one in folders if not any(one.startswith(f"{other}/") for other in folders))
    return Fitting(_ranked(known), _ranked(new), _ranked(errors), tuple(outermost))


def error_type(item: FunctionItem) -> str:
    """The error of the function's `Result`, as it is written; "" where it returns none or an alias hides it."""
    returned = item.returns
    if not isinstance(returned, PathType) or returned.segments[-1].name != "Result":
        return ""
    arguments = returned.segments[-1].arguments
    if len(arguments) == 2:
        return _name(arguments[1])
    # `anyhow::Result<T>`, `io::Result<T>`: the crate or the module says which error.
    before = [segment.name for segment in returned.segments[:-1]]
    return "::".join((*before, "Error")) if before else ""


def _name(type: TypeRef) -> str:
    if isinstance(type, PathType):
        return "::".join(segment.name for segment in type.segments)
    return ""


def _may_log(program: Program, name: str) -> bool:
    """Whether a macro's name says that it logs. What an own macro does is seen by itself."""
    if name in program.tables.own_macros:
        return False
    return bool(_LOGGING.fullmatch(name)) and not _NO_LOGGING.fullmatch(name)


def _ranked(counts: dict[str, int] | Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MOST_TOLD])
