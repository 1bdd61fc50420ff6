"""What a value is that stands in for a result which did not come: a default, an error of its own, a sentinel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from inroads.analyses.base import LOG_MACROS
from inroads.facts import (
    ArrayRow,
    AttributedRow,
    BlockRow,
    BorrowRow,
    BreakRow,
    CallRow,
    ContinueRow,
    FieldRow,
    IfRow,
    LiteralRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    PathRow,
    Region,
    RepeatRow,
    ReturnRow,
    StructRow,
    TupleRow,
    UnaryRow,
)
from inroads.resolve.model import Judged
from inroads.resolve.types import Never

Sort: TypeAlias = Literal["unit", "err", "ok", "none", "bool", "default", "sentinel", "other", "never"]

# Words that make a stand-in say that something went wrong.
ERROR_WORDS = re.compile(
    r"(?i)(err(or)?(_|s\b|\b)|error|fail|invalid|broken|reject|denied|deny|unavail|unhealth|poison|unauth|forbidden"
    r"|abort|timeout|timed_?out|(?<!de)fault|corrupt|decline|crash|bad_?request|bad_?gateway|not_?found|conflict|exhausted"
    r"|cannot|can_?t_|could_?not|unable|refus|unprocessable|too_?many|too_?large|unreachable|unsupported|malformed|\bunknown\b|_unknown\b)"
)
# Methods of Result that have the word in their own name.
RESULT_METHODS = frozenset(
    {
        *("map_err", "inspect_err", "is_err", "is_err_and", "unwrap_err", "expect_err", "err", "wrap_err"),
        *("wrap_err_with", "err_into", "chain_err", "timeout", "with_timeout", "error_for_status"),
    }
)
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
COPIES = frozenset({"to_string", "to_owned", "clone", "into", "to_vec"})
# Variants of an enum that hold nothing and say that there is nothing: `Value::Null`, `Answer::None`.
BLANK_VARIANTS = frozenset({"None", "Null", "Nil", "Empty", "Undefined"})
EMPTY_CONSTRUCTORS = frozenset({"new", "default", "with_capacity", "empty", "zero", "zeroed", "from"})


def says_error(name: str) -> bool:
    """Whether a name or a text speaks of an error: `BadRequest`, `error_response`, "timed out"."""
    return ERROR_WORDS.search(CAMEL.sub("_", name)) is not None


# What is put where a text is missing: `"_"`, `"?"`, `"<none>"`, `"n/a"`.
PLACEHOLDER = re.compile(r'"(?:[^\w\s"/.]{1,3}|_|<[\w ?-]+>|\[[\w ?-]+\]|(?i:n/a))"')


def is_placeholder(text: str) -> bool:
    """Whether a literal stands for a text that could not be had, so that who reads it sees that it is missing."""
    return PLACEHOLDER.fullmatch(text) is not None


def leaves(judged: Judged, at: int | None) -> Iterator[int | None]:
    """The rows that the value at a row may come from: the tails of blocks, branches and arms. None stands for unit."""
    rows = judged.body.rows
    stack: list[int | None] = [at]
    while stack:
        here = stack.pop()
        if here is None:
            yield None
            continue
        row = rows[here]
        match row:
            case BlockRow(kind=kind, body=body) if kind in ("plain", "unsafe", "expansion"):
                stack.append(_value(judged, body))
            case AttributedRow(body=body):
                stack.append(_value(judged, body))
            case IfRow(then=then, otherwise=otherwise):
                if otherwise is not None:
                    stack.append(_value(judged, otherwise))
                stack.append(_value(judged, then))
            case MatchRow(arms=arms):
                stack.extend(_value(judged, arm.body) for arm in reversed(arms))
            case BorrowRow(operand=operand):
                stack.append(operand)
            case _:
                yield here


def _value(judged: Judged, region: Region) -> int | None:
    """The tail of a region; where it has none but ends in a jump, that jump."""
    if region.value is not None:
        return region.value
    return jump_at_end(judged, region)


def jump_at_end(judged: Judged, region: Region) -> int | None:
    """The return, break, continue or panic that a region surely ends with; None if it goes on."""
    rows = judged.body.rows
    for at in range(region.end - 1, max(region.start, region.end - 4) - 1, -1):
        row = rows[at]
        if isinstance(row, (ReturnRow, BreakRow, ContinueRow)):
            return at
        if isinstance(row, (CallRow, MacroRow)) and isinstance(judged.types[at], Never):
            return at
    return None


def sort_of(judged: Judged, at: int | None) -> Sort:
    """What the value at a row is, looking at the one leaf only."""
    if at is None:
        return "unit"
    rows = judged.body.rows
    row = rows[at]
    match row:
        case ReturnRow() | BreakRow() | ContinueRow():
            return "never"
        case LiteralRow(kind="bool"):
            return "bool"
        case LiteralRow(text=text, kind=kind):
            return "sentinel" if kind == "str" and (says_error(text) or is_placeholder(text)) else "default"
        case UnaryRow(op="-", operand=operand) if isinstance(rows[operand], (LiteralRow, PathRow)):
            # -1, or -EIO, for a size: no real value looks like it.
            return "sentinel"
        case UnaryRow(operand=operand):
            return sort_of(judged, operand)
        case TupleRow(elements=elements):
            if not elements:
                return "unit"
            sorts = [sort_of(judged, one) for one in elements]
            return _together(sorts)
        case ArrayRow(elements=elements):
            return "default" if not elements else "other"
        case RepeatRow():
            return "default"
        case PathRow():
            return _of_path(judged, at, row)
        case CallRow():
            return _of_call(judged, at, row)
        case StructRow(path=path, fields=fields):
            if any(says_error(one.name) for one in path.segments):
                return "sentinel"
            return _together([sort_of(judged, value) for _, value in fields])
        case MethodCallRow(receiver=receiver, name=name, arguments=arguments):
            parts = (receiver, *arguments)
            if (says_error(name) and name not in RESULT_METHODS) or any(
                sort_of(judged, one) == "sentinel" for one in parts
            ):
                return "sentinel"
            inner = sort_of(judged, receiver)
            if isinstance(rows[receiver], PathRow) and inner == "default" and name not in COPIES:
                # What a constant does is done in its place.
                return "other"
            return inner if inner in ("default", "none", "err") else "other"
        case MacroRow(path=path):
            return _of_macro(judged, at, row, path)
        case FieldRow(name=name):
            return "sentinel" if says_error(name) else "other"
    if isinstance(judged.types[at], Never):
        return "never"
    return "other"


def _together(sorts: list[Sort]) -> Sort:
    for word in ("sentinel", "err", "other"):
        if word in sorts:
            return "sentinel" if word == "sentinel" else "other"
    return "default"


def _of_path(judged: Judged, at: int, row: PathRow) -> Sort:
    names = [one.name for one in row.path.segments]
    last = names[-1] if names else ""
    if last == "None" and names[-2:-1] in ([], ["Option"]):
        return "none"
    if at not in judged.uses and any(says_error(name) for name in names):
        return "sentinel"
    if last in ("NAN", "MAX", "INFINITY") and 1 < len(names):
        return "sentinel"
    if "exitcode" in names[:-1] and last != "OK":
        return "sentinel"
    if at in judged.uses:
        return "sentinel" if says_error(last) else "other"
    if last.isupper() and names[-2:-1] in (["libc"], ["Errno"], ["errno"]):
        return "sentinel"
    if last.isupper() or last in BLANK_VARIANTS:
        # A constant stands there whatever has failed.
        return "default"
    return "default" if len(names) == 1 and last[:1].islower() else "other"


def _of_call(judged: Judged, at: int, row: CallRow) -> Sort:
    rows = judged.body.rows
    callee = rows[row.callee]
    if not isinstance(callee, PathRow):
        return "other"
    names = [one.name for one in callee.path.segments]
    last = names[-1] if names else ""
    if last == "Err":
        return "err"
    if last == "Ok":
        inner = [sort_of(judged, leaf) for one in row.arguments for leaf in leaves(judged, one)]
        if "err" in inner:
            # A Result in a Result: the outer one tells of the call, the inner one of what was asked for.
            return "err"
        return "sentinel" if "sentinel" in inner else "ok"
    if isinstance(judged.types[at], Never):
        return "never"
    arguments = [sort_of(judged, one) for one in row.arguments]
    if any(says_error(name) for name in names) or "sentinel" in arguments:
        return "sentinel"
    if last in ("Some", "Ready") and arguments == ["err"]:
        return "err"
    if last == "Ready" and arguments == ["none"]:
        return "none"
    if last == "Some":
        return _together(arguments)
    if last in EMPTY_CONSTRUCTORS and all(one in ("default", "unit", "none", "bool") for one in arguments):
        return "default"
    return "other"


def _of_macro(judged: Judged, at: int, row: MacroRow, path: tuple[str, ...]) -> Sort:
    name = path[-1] if path else ""
    if name in LOG_MACROS and name != "dbg":
        return "unit"
    if name == "vec" and not row.regions:
        return "default"
    if name in ("panic", "unreachable", "todo", "unimplemented", "bail"):
        return "never"
    if name in ("format", "json", "vec") and says_error(row.text):
        return "sentinel"
    if name in ("anyhow", "eyre", "format_err"):
        return "sentinel"
    del at, judged
    return "other"
