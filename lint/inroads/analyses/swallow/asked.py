"""Whether of a result only the yes or no is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.swallow.callee import call_name
from inroads.analyses.swallow.uses import Use
from inroads.facts import CallRow, LetRow, LiteralRow, MethodCallRow

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.place import Place

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
        if isinstance(row, LetRow):
            bound = [local for (one, _), local in f.judged.bound.items() if one == use.row]
            asked = [f.uses.taken[one] for local in bound for one in f.uses.locals.get(local, ())]
            return bool(asked) and all(is_receiver_of(f, one, methods_of_result) for one in asked)
        if use.role not in ("await", "borrow"):
            return False
        at = use.row
    return False


def gives_false(p: Place) -> bool:
    """Whether an arm or a stand-in is a `false`, or one in a `Some(..)`, for what failed."""
    death = p.f.rows[p.end.row]
    if isinstance(death, MethodCallRow) and death.name == "unwrap_or" and p.end.function is None:
        given = p.f.rows[death.arguments[0]] if death.arguments else None
        return isinstance(given, LiteralRow) and given.text == "false"
    if p.end.fate != "defaulted" or p.end.arm is None or p.end.function is not None:
        return False
    at = p.end.arm.value
    row = p.f.rows[at] if at is not None else None
    if isinstance(row, CallRow) and call_name(p.f.judged, at or 0) == "Some" and row.arguments:
        row = p.f.rows[row.arguments[0]]
    return isinstance(row, LiteralRow) and row.text == "false"


def is_receiver_of(f: Follower, use: Use | None, names: tuple[str, ...]) -> bool:
    """Whether a value is taken by one of these methods, which is called on it."""
    row = f.rows[use.row] if use is not None and use.row is not None else None
    return use is not None and use.role == "receiver" and isinstance(row, MethodCallRow) and row.name in names
