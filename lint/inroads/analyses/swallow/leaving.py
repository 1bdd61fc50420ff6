"""Whether a place is on the way out with another error, or helps to tell one."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.callee import call_name
from inroads.analyses.swallow.place import Place, argument_texts
from inroads.analyses.swallow.uses import Exits, enclosing, frame_of, region_at, top_rows
from inroads.analyses.swallow.values import leaves, says_error, sort_of
from inroads.analyses.swallow.words import SENDS
from inroads.facts import (
    BlockRow,
    BreakRow,
    CallRow,
    DiscardRow,
    ForRow,
    IfRow,
    LetConditionRow,
    LoopRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    NeverType,
    PathRow,
    Region,
    ReturnRow,
    ShortCircuitRow,
    WhileRow,
    YieldRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower


RAISES = methods.RAISES | {"panic", "unreachable"}
# Names that a variable has which holds an error, as it is returned.
ERROR_NAMES = ("err", "error", "e", "failure")


def already_failing(p: Place) -> bool:
    """An undoing on the way out with another error, or a part of the making of one: that one is told."""
    f = p.f
    if ends_program(p):
        return True
    own = holders(f, p.at)
    if any(makes_error(f, at) for at in own if at != p.at) or tells_error(p):
        return True
    frame = frame_of(f.uses, p.at, f.judged.body)
    if frame is not None and runs_for_error(f, frame):
        return True
    home = f.uses.homes[p.at]
    first = p.at
    # Ends at the outermost header.
    while True:
        region = f.judged.body.root if home is None else region_at(f.rows[home.row], home)
        if leaves_with_error(f, region, first, own):
            return True
        if home is None or home.row == frame:
            return False
        owner = f.rows[home.row]
        if isinstance(owner, IfRow) and home.part == "then" and is_of_error(f, home.row, owner.condition):
            return True
        if isinstance(owner, ShortCircuitRow) and owner.op == "&&" and is_asked_err(f, owner.left, home.row):
            return True
        if not isinstance(owner, (IfRow, MatchRow, BlockRow, ForRow, LetConditionRow, ShortCircuitRow)) or (
            isinstance(owner, IfRow) and home.part == "condition" and owner.otherwise is not None
        ):
            return False
        first = f.past(home.row)
        home = f.uses.homes[home.row]


def ends_program(p: Place) -> bool:
    """
    Whether a place is on the way to the end of the program: in a function that never comes back, outside of its
    loops, or where `exit` follows among the statements.
    """
    f = p.f
    around = list(enclosing(f.uses, p.at, f.judged.body))
    if any(isinstance(row, (LoopRow, WhileRow)) for _, row in around):
        return False
    if isinstance(p.world.program.tables.functions[f.judged.function].item.returns, NeverType):
        return True
    home = f.uses.homes[p.at]
    region = f.judged.body.root if home is None else region_at(f.rows[home.row], home)
    return UNDOES.match(p.nature.name) is not None and any(
        p.at < at and call_name(f.judged, at) in ("exit", "abort") for at in top_rows(f.judged.body, region)
    )


UNDOES = re.compile(
    r"^(remove|delete|safe_delete|clean|clear|close|shutdown|stop|abort|release|unlink|kill|purge|unregister|deregister"
    r"|detach|rollback|terminate|destroy|free|drop)(_|$)"
)


def runs_for_error(f: Follower, closure: int) -> bool:
    """Whether a closure runs where another call has failed, whose error goes on: `map_err(|e| { undo().ok(); e })`."""
    use = f.uses.taken[closure]
    user = f.rows[use.row] if use is not None and use.row is not None else None
    return isinstance(user, MethodCallRow) and user.name in ("map_err", "inspect_err")


def is_of_error(f: Follower, at: int, condition: Region) -> bool:
    """Whether a branch runs where a variable holds an error, and that is looked at below: `if first.is_err() {..}`."""
    return condition.value is not None and is_asked_err(f, condition.value, at)


def is_asked_err(f: Follower, asked: int, at: int) -> bool:
    """Whether a condition of the header `at` asks whether a variable holds an error that is looked at below."""
    row = f.rows[asked]
    if not isinstance(row, MethodCallRow) or row.name != "is_err":
        return False
    local = f.judged.uses.get(row.receiver)
    return local is not None and any(f.past(at) <= use for use in f.uses.locals.get(local, ()))


def tells_error(p: Place) -> bool:
    """Whether a call sends somebody the news of an error: that was told already, or there is nobody to tell."""
    if p.nature.name not in methods.REPLIES | SENDS or "K" in p.shape:
        return False
    return any(says_error(text) for text in argument_texts(p))


def holders(f: Follower, at: int) -> frozenset[int]:
    """The rows whose value is made of a row's."""
    found = set()
    here: int | None = at
    while here is not None and here not in found:
        found.add(here)
        use = f.uses.taken[here]
        here = use.row if use is not None else None
    return frozenset(found)


def makes_error(f: Follower, at: int) -> bool:
    """Whether a row builds an error or leaves with one: `Err(Status { body: response.text().unwrap_or_default() })`."""
    row = f.rows[at]
    if isinstance(row, CallRow):
        return call_name(f.judged, at) == "Err"
    return isinstance(row, MacroRow) and bool(row.path) and row.path[-1] in RAISES | {"anyhow", "eyre"}


def leaves_with_error(f: Follower, region: Region, first: int, own: frozenset[int]) -> bool:
    """
    Whether a region, from a row on, surely leaves with an error of its own: `return Err(..)`, `bail!`,
    a tail `Err(..)`.
    """
    key = (region.start, region.end)
    if key not in f.uses.exits:
        f.uses.exits[key] = exits_of(f, region)
    exits = f.uses.exits[key]
    # At most as many are passed over as values are nested.
    for index in range(bisect_left(exits.rows, first), len(exits.rows)):
        if exits.rows[index] not in own:
            return exits.fails[index]
    return exits.tail is not None and first <= exits.tail and exits.tail not in own


def exits_of(f: Follower, region: Region) -> Exits:
    """The exits of a region: found once, however many errors are lost in it."""
    rows: list[int] = []
    fails: list[bool] = []
    for at in top_rows(f.judged.body, Region(start=region.start, end=region.end)):
        row = f.rows[at]
        if isinstance(row, DiscardRow):
            row = f.rows[row.value]
        fail: bool | None = None
        if isinstance(row, ReturnRow) and row.value is not None:
            sorts = {sort_of(f.judged, leaf) for leaf in leaves(f.judged, row.value)}
            fail = bool(sorts & {"err", "sentinel"}) or is_error_name(f, row.value)
        elif isinstance(row, MacroRow) and row.path and row.path[-1] in RAISES:
            fail = True
        elif isinstance(row, YieldRow) and row.value is not None:
            # A stream that gives an error has told of one.
            fail = True if sort_of(f.judged, row.value) == "err" else None
        elif isinstance(row, BreakRow):
            fail = False
        if fail is not None:
            rows.append(at)
            fails.append(fail)
    value = region.value
    sorts = {sort_of(f.judged, leaf) for leaf in leaves(f.judged, value)} if value is not None else set()
    return Exits(rows, fails, value if sorts == {"err"} else None)


def is_error_name(f: Follower, at: int) -> bool:
    """Whether a returned variable is named for an error: `return result` after it was found to be one."""
    row = f.rows[at]
    return isinstance(row, PathRow) and bool(row.path.segments) and row.path.segments[-1].name in ERROR_NAMES
