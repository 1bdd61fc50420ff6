"""Where a statement stands: in which loop, under which cfg, before what, and which `if` a condition governs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.swallow.callee import call_name, call_owner
from inroads.analyses.swallow.methods import GATHERS
from inroads.analyses.swallow.shapes import COLLECTIONS, MAPS
from inroads.analyses.swallow.uses import Home, enclosing, past
from inroads.facts import (
    AttributedRow,
    BindingPattern,
    BlockRow,
    BreakRow,
    CallRow,
    ClosureRow,
    ForRow,
    IfRow,
    LetRow,
    LoopRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    RangeRow,
    ReturnRow,
    ShortCircuitRow,
    TupleRow,
    WhileRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.shapes import Shape

STEPS = 4000


def under_cfg(f: Follower, at: int) -> bool:
    """Whether a statement stands under a cfg of its own."""
    home = f.uses.homes[at]
    row = f.rows[home.row] if home is not None else None
    return isinstance(row, AttributedRow) and any(one.path in ("cfg", "cfg_attr") for one in row.attributes)


def in_same_run(f: Follower, before: int, after: int) -> bool:
    """Whether two rows stand in one straight run of statements."""
    return home_of_statement(f, before) == home_of_statement(f, after)


def home_of_statement(f: Follower, at: int) -> Home | None:
    home = f.uses.homes[at]
    while home is not None:
        row = f.rows[home.row]
        # The value of a statement may be nested in blocks of an expansion.
        if not isinstance(row, BlockRow) or row.kind not in ("expansion", "plain", "unsafe"):
            return home
        home = f.uses.homes[home.row]
    return None


def loops_round(f: Follower, use: int, at: int) -> bool:
    """Whether a use that stands before a binding or assignment can come after it: both are in one loop."""
    for home, row in enclosing(f.uses, at, f.judged.body):
        if isinstance(row, (LoopRow, WhileRow, ForRow)) and home.row < use < past(row, home.row):
            return True
    return False


def loop_without(f: Follower, local: int, at: int) -> int | None:
    """
    The loop whose turns assign a variable from outside of it again and again, with no look at it
    and no way out.
    """
    declared = f.judged.locals[local].row
    for home, row in enclosing(f.uses, at, f.judged.body):
        if isinstance(row, ClosureRow):
            return None
        if not isinstance(row, (LoopRow, WhileRow, ForRow)):
            if not isinstance(row, (BlockRow,)):
                return None
            continue
        end = past(row, home.row)
        if declared is not None and home.row < declared:
            return None
        reads = [one for one in f.uses.locals.get(local, ()) if home.row < one < end and not f.is_target(one)]
        jumps = any(isinstance(one, (BreakRow, ReturnRow)) for one in f.rows[home.row : end])
        return home.row if not reads and not jumps else None
    return None


def gathered(f: Follower, receiver: int) -> int | None:
    """The variable that a row names, if it began as an empty collection in this body; None if not."""
    local = f.judged.uses.get(receiver)
    declared = f.judged.locals[local].row if local is not None else None
    if local is None or declared is None:
        return None
    row = f.rows[declared]
    if not isinstance(row, LetRow) or row.value is None or not isinstance(row.pattern, BindingPattern):
        return None
    value = f.rows[row.value]
    if isinstance(value, MacroRow):
        return local if value.path[-1:] == ("vec",) and not value.regions else None
    return local if isinstance(value, CallRow) and is_empty_collection(f, row.value) else None


def is_left_alone(f: Follower, collection: int) -> bool:
    """Whether a collection of this body only gathers: nothing in it looks at what it holds."""
    local = gathered(f, collection)
    if local is None or f.uses.captured.get(local):
        return False
    for use in f.uses.locals.get(local, ()):
        taken = f.uses.taken[use]
        user = f.rows[taken.row] if taken is not None and taken.row is not None else None
        if not (isinstance(user, MethodCallRow) and user.receiver == use and user.name in GATHERS):
            return False
    return True


def is_empty_collection(f: Follower, at: int) -> bool:
    """Whether a call makes a collection with nothing in it: `Vec::new()`, `JoinSet::new()`."""
    owner = call_owner(f.judged, at)
    return call_name(f.judged, at) in ("new", "with_capacity", "default") and owner in COLLECTIONS | MAPS


def destructured(f: Follower, place: int, shape: Shape) -> tuple[int | None, Shape]:
    """Where the error goes in `(a, _) = x`, and its shape there; no place where that can't be told."""
    while isinstance(pair := f.rows[place], TupleRow) and shape[0][0] == "T":
        index = int(shape[0][1:])
        if len(pair.elements) <= index or any(isinstance(f.rows[one], RangeRow) for one in pair.elements):
            return None, shape
        place, shape = pair.elements[index], shape[1:]
    return place, shape


def governor(f: Follower, at: int) -> tuple[int | None, bool]:
    """The `if` or `while` whose condition a row is a part of, through `&&`."""
    for _ in range(STEPS):
        use = f.uses.taken[at]
        if use is None or use.row is None or use.role not in ("condition", "tail"):
            return None, False
        row = f.rows[use.row]
        if isinstance(row, (IfRow, WhileRow, MatchRow)):
            return use.row, False
        if not isinstance(row, ShortCircuitRow | BlockRow):
            return None, False
        at = use.row
    return None, False
