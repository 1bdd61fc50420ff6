"""What becomes of a value, or of its error, in a macro from outside: logged, thrown, formatted, joined."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.callee import call_name
from inroads.analyses.swallow.covers import cover
from inroads.analyses.swallow.ends import Carried, End, Step
from inroads.analyses.swallow.shapes import ERROR, FALSE_ON_ERROR, RESULT, TRUE_ON_ERROR, awaited
from inroads.analyses.swallow.uses import Use
from inroads.analyses.swallow.values import leaves
from inroads.facts import MacroRow

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower


def into_macro(f: Follower, carried: Carried, use: Use) -> Step:
    """The value as an argument of a macro from outside."""
    assert use.row is not None
    at = use.row
    row = f.rows[at]
    assert isinstance(row, MacroRow)
    name = row.path[-1] if row.path else ""
    shape = carried.shape
    on = replace(carried, row=at)
    if shape == ERROR:
        return formatted(f, carried, at)
    if name in methods.DEBUG_ASSERTS:
        return End("dropped", at, f"{name}! is not run in release")
    if name in methods.ASSERTS or name in methods.PANIC_MACROS:
        return End("panicked", at, f"{name}!")
    if name == "matches" and use.order == 0:
        return matched(on, row)
    if name == "ready" and shape[0] == "P":
        return replace(on, shape=shape[1:])
    if name in ("pin", "dbg", "ready", "identity"):
        return on
    if name in ("try", "ensure"):
        return End("propagated", at, f"{name}!")
    if name in ("join", "try_join"):
        rest = shape[1:] if shape[0] == "F" else shape
        return replace(on, shape=(f"T{use.order}", *rest) if name == "join" else RESULT)
    if name in ("select", "select_biased"):
        return selected(f, on, row, use)
    if name == "vec":
        return replace(on, shape=("I", *shape))
    if name in f.world.log_names:
        return End("logged", at, f"shown in {name}!")
    if name in methods.FORMATS:
        return replace(on, shape=ERROR)
    return End("moved-away", at, f"{name}!")


# A variable in tokens of a log that are no expression: `"res" => ?res`.
SHOWN = re.compile(r"[?%]\s*([a-z_]\w*)")


def shown(f: Follower, name: str, at: int) -> int | None:
    """The first log below a row that names a variable in tokens which are no expression."""
    if f.uses.logged is None:
        f.uses.logged = {}
        for row_at, row in enumerate(f.rows):
            if isinstance(row, MacroRow) and row.path and row.path[-1] in f.world.log_names:
                for found in SHOWN.findall(row.text):
                    f.uses.logged.setdefault(found, []).append(row_at)
    return next((below for below in f.uses.logged.get(name, ()) if at < below), None)


def matched(on: Carried, row: MacroRow) -> Step:
    """`matches!(x, pattern)`: a bool; which way round, by what the pattern covers."""
    pattern = row.patterns[0] if row.patterns else None
    if pattern is None:
        return End("moved-away", on.row, "matches!")
    found = cover(pattern, on.shape)
    if found is None:
        return replace(on, shape=FALSE_ON_ERROR)
    if not found.total:
        return End("handled", on.row, "matches!")
    return replace(on, shape=TRUE_ON_ERROR)


def selected(f: Follower, on: Carried, row: MacroRow, use: Use) -> Step:
    """A branch of `select!`: on with the names of its pattern in its handler."""
    shape = awaited(on.shape) or on.shape
    pattern = row.patterns[use.order] if use.order < len(row.patterns) else None
    if pattern is None:
        return End("moved-away", on.row, "select!")
    found = cover(pattern, shape)
    if found is None:
        return End("dropped", on.row, "select! pattern")
    if not found.bound:
        return End("dropped" if found.total else "moved-away", on.row, "select! _")
    return f.bound(replace(on, shape=shape), on.row, found.bound, "select!")


def formatted(f: Follower, carried: Carried, at: int) -> Step:
    """The error in a macro: logged, thrown, or made into a text that goes on."""
    row = f.rows[at]
    assert isinstance(row, MacroRow)
    name = row.path[-1] if row.path else ""
    if name in methods.PANIC_MACROS or name in methods.ASSERTS:
        return End("panicked", at, f"{name}!")
    if name in methods.RAISES:
        return End("propagated", at, f"{name}!")
    if name in methods.WRITES:
        return written(f, carried, at, row)
    if name in f.world.log_names and name != "dbg":
        return End("logged", at, f"{name}!")
    if name in methods.FORMATS:
        return replace(carried, row=at, shape=ERROR)
    if name in methods.DEBUG_ASSERTS:
        return End("dropped", at, f"{name}!")
    return End("handled", at, f"{name}!", maybe=True)


def written(f: Follower, carried: Carried, at: int, row: MacroRow) -> Step:
    """`writeln!(out, "{e}")`: to standard error it is a log, anywhere else somebody gets it."""
    del carried
    target = row.regions[0].value if row.regions else None
    for leaf in leaves(f.judged, target) if target is not None else ():
        if leaf is not None and call_name(f.judged, leaf) in ("stderr", "stdout"):
            return End("logged", at, "writeln!")
    return End("handled", at, "write!", maybe=True)
