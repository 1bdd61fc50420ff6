"""
What running some rows does that anybody could notice: the effects of a body, and of all it may call.

Effects only ever grow, so those of a call graph with cycles are those of all that is reached. The
nearest are looked for first: an arm that says something by what it calls says it near.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.callee import call_name, call_paths
from inroads.facts import (
    AssignRow,
    AwaitRow,
    BorrowRow,
    CallRow,
    CastRow,
    FieldRow,
    IndexRow,
    MacroRow,
    MethodCallRow,
    PathRow,
    TryRow,
    UnaryRow,
)
from inroads.resolve.model import Judged
from inroads.resolve.types import Adt, Dyn, Generic, Never, Pointer, Reference, Type, Unknown

# How many bodies are read for one question before the answer is "unknown".
REACH = 300

SHARED = frozenset(
    {"Arc", "Rc", "Mutex", "RwLock", "Cell", "RefCell", "Sender", "SyncSender", "UnboundedSender"}
)


class Effects(msgspec.Struct, frozen=True):
    """
    What code may do: each is true if any way through it may.

    Args:
        logs: Writes a log line.
        writes: Changes state that outlives the call.
        replies: Sends something to somebody.
        counts: Counts, in a metric or an atomic.
        diverges: Never comes back (on every way).
        unknown: Runs something that can't be seen, for its effect only.
    """

    logs: bool = False
    writes: bool = False
    replies: bool = False
    counts: bool = False
    diverges: bool = False
    unknown: bool = False

    @property
    def handles(self) -> bool:
        """Whether an arm that does this acts on an error."""
        return self.writes or self.replies or self.counts

    def __or__(self, other: Effects) -> Effects:
        return Effects(
            self.logs or other.logs,
            self.writes or other.writes,
            self.replies or other.replies,
            self.counts or other.counts,
            self.diverges or other.diverges,
            self.unknown or other.unknown,
        )


NOTHING = Effects()
UNSEEN = Effects(unknown=True)


class RowEffects(msgspec.Struct, frozen=True):
    """The effects of one row by itself, and the workspace functions that it may run."""

    own: Effects
    calls: tuple[int, ...] = ()


def row_effects(judged: Judged, at: int, log_names: frozenset[str], discarded: bool) -> RowEffects | None:
    """
    What one row does by itself; None if nothing.

    `discarded` tells that the row's value is thrown away: a call that can't be
    seen then stands there for its effect only.
    """
    row = judged.body.rows[at]
    match row:
        case MacroRow(path=path):
            return _of_macro(path[-1] if path else "", log_names)
        case AssignRow(target=target):
            return RowEffects(Effects(writes=True)) if is_state(judged, target) else None
        case MethodCallRow() | CallRow():
            return _of_call(judged, at, row, log_names, discarded)
    return None


def _of_macro(name: str, log_names: frozenset[str]) -> RowEffects | None:
    if name in log_names:
        return RowEffects(Effects(logs=True))
    if name in methods.COUNT_MACROS:
        return RowEffects(Effects(counts=True))
    if name in methods.PANIC_MACROS:
        return RowEffects(Effects(diverges=True))
    return None


def _of_call(
    judged: Judged, at: int, row: MethodCallRow | CallRow, log_names: frozenset[str], discarded: bool
) -> RowEffects | None:
    call = judged.calls.get(at)
    name = call_name(judged, at)
    paths = call_paths(judged, at)
    functions = (
        tuple(one.function for one in call.targets if one.function is not None) if call is not None else ()
    )
    if call is not None and functions and call.how != "by-name":
        own = Effects(diverges=isinstance(call.returns, Never))
        return RowEffects(own, functions)
    if any(path in methods.EXITS for path in paths) or isinstance(judged.types[at], Never):
        return RowEffects(Effects(diverges=True))
    if isinstance(row, MethodCallRow):
        if name in methods.REPLIES:
            return RowEffects(Effects(replies=True))
        if name in methods.COUNTS:
            return RowEffects(Effects(counts=True))
        if name in methods.MUTATORS:
            return RowEffects(Effects(writes=True)) if is_state(judged, row.receiver) else None
    if name in methods.SLEEPS or name in methods.DROPS or name[:1].isupper() or name in log_names:
        return None
    if discarded and not _is_harmless(paths) and isinstance(row, (MethodCallRow, CallRow)):
        return RowEffects(UNSEEN)
    return None


# What std does to a value of the body's own, or to the log, is seen by nobody else.
HARMLESS = ("std::", "str::", "slice::", "tracing", "log::", "char::", "core::", "alloc::")


def _is_harmless(paths: Iterable[str]) -> bool:
    """Whether a foreign function leaves no trace that anybody would look for."""
    return any(path.startswith(HARMLESS) for path in paths)


def is_state(judged: Judged, place: int) -> bool:
    """Whether a place outlives the body: behind `self`, a reference, a lock or a static."""
    root = place_root(judged, place)
    row = judged.body.rows[root]
    if not isinstance(row, PathRow):
        return False
    local = judged.uses.get(root)
    if local is None:
        name = row.path.segments[-1].name if row.path.segments else ""
        return name.isupper()
    binding = judged.locals[local]
    if binding.parameter is not None or binding.name == "self":
        return not _is_owned(binding.type) or binding.name == "self"
    return _refers(binding.type)


def place_root(judged: Judged, place: int) -> int:
    """The row at the root of a place: `self` of `self.a.lock().unwrap().b[0]`."""
    rows = judged.body.rows
    for _ in range(len(rows)):
        row = rows[place]
        match row:
            case FieldRow(base=base) | IndexRow(base=base):
                place = base
            case UnaryRow(operand=operand) | BorrowRow(operand=operand) | CastRow(operand=operand):
                place = operand
            case TryRow(operand=operand) | AwaitRow(operand=operand):
                place = operand
            case MethodCallRow(receiver=receiver):
                place = receiver
            case _:
                return place
    return place


def _is_owned(type_: Type) -> bool:
    """Whether a parameter of this type is the body's own, so that a change to it is seen by nobody."""
    match type_:
        case Reference() | Pointer() | Unknown() | Dyn() | Generic():
            return False
        case Adt(path=path):
            name = path.rpartition("::")[2]
            return name not in SHARED and not name.startswith("Atomic")
    return True


def _refers(type_: Type) -> bool:
    """Whether a local of this type stands for something outside: a mutable reference, a guard, something shared."""
    match type_:
        case Reference(mutable=mutable, inner=inner):
            return mutable or _refers(inner)
        case Adt(path=path):
            name = path.rpartition("::")[2]
            return name in SHARED or name.endswith(("Guard", "RefMut", "Entry")) or name.startswith("Atomic")
    return False


def reached(
    functions: tuple[int, ...], body: Callable[[int], tuple[Effects, tuple[int, ...]] | None]
) -> Effects:
    """
    What running any of these functions may do: their own rows, and those of all that they may run.

    Args:
        body: The effects of a function's own rows and the functions it may run; None where it has no body.

    The search ends with the first effect that anybody could notice: who asks whether there is one need
    not know of all, and the bodies beyond need not be judged. At most the nearest REACH bodies are read;
    what lies beyond counts as unknown.
    """
    together = NOTHING
    waiting = list(dict.fromkeys(functions))
    seen = set(waiting)
    for read, function in enumerate(waiting):
        if read == REACH:
            return together | UNSEEN
        found = body(function)
        if found is None:
            together |= UNSEEN
            continue
        together |= found[0]
        if together.handles:
            break
        for callee in found[1]:
            if callee not in seen:
                seen.add(callee)
                # Breadth first: the list grows while it is walked.
                waiting.append(callee)
    return together
