"""What a call names: the last segment, the whole path, the workspace functions that it may run."""

from __future__ import annotations

from inroads.facts import AwaitRow, CallRow, MacroRow, MethodCallRow, PathRow
from inroads.resolve.model import Function, Judged


def call_name(judged: Judged, at: int) -> str:
    """The last segment of what a row calls: `insert`, `spawn`, `write` for `write!`; empty where it has none."""
    row = judged.body.rows[at]
    match row:
        case MethodCallRow(name=name):
            return name
        case CallRow(callee=callee):
            inner = judged.body.rows[callee]
            if isinstance(inner, PathRow) and inner.path.segments:
                return inner.path.segments[-1].name
        case MacroRow(path=path) if path:
            return path[-1]
        case AwaitRow():
            return "await"
        case PathRow(path=one) if at in judged.calls and one.segments:
            return one.segments[-1].name
    return ""


def call_owner(judged: Judged, at: int) -> str:
    """The segment before the last of what a path call names: `Box` of `Box::new`."""
    row = judged.body.rows[at]
    if isinstance(row, CallRow):
        inner = judged.body.rows[row.callee]
        if isinstance(inner, PathRow) and len(inner.path.segments) > 1:
            return inner.path.segments[-2].name
    return ""


def call_paths(judged: Judged, at: int) -> tuple[str, ...]:
    """The whole paths of what a row may run, as far as known; the declared one first."""
    call = judged.calls.get(at)
    if call is None:
        return ()
    paths = [call.declared.path] if call.declared is not None else []
    return tuple(dict.fromkeys((*paths, *(target.path for target in call.targets))))


def call_functions(judged: Judged, at: int) -> tuple[int, ...]:
    """The workspace functions that a row may run."""
    call = judged.calls.get(at)
    if call is None:
        return ()
    return tuple(target.function for target in call.targets if target.function is not None)


def call_arguments(judged: Judged, at: int) -> tuple[int, ...]:
    """The rows given to a call, the receiver first."""
    row = judged.body.rows[at]
    match row:
        case MethodCallRow(receiver=receiver, arguments=arguments):
            return (receiver, *arguments)
        case CallRow(arguments=arguments):
            return arguments
    return ()


def owner_of(function: Function) -> str:
    """The path of the type or trait that a function belongs to; of a free one its module."""
    return function.path.rpartition("::")[0]


def is_constructor(judged: Judged, at: int) -> bool:
    """Whether a call row builds a tuple struct or variant: its last segment begins with a capital."""
    return isinstance(judged.body.rows[at], CallRow) and call_name(judged, at)[:1].isupper()
