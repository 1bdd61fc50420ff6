"""
Walks the rows of a region in evaluation order, and closures when their time has come.

What a row means is told by `Inferring.handlers`, one function for each kind of row.
"""

from __future__ import annotations

from inroads.facts import Region
from inroads.resolve.infer_patterns import bind
from inroads.resolve.inferring import Frame, Inferring
from inroads.resolve.inside import trimmed
from inroads.resolve.splice import HEADERS, past
from inroads.resolve.types import NEVER, UNIT, UNKNOWN, Never, Type


def walk_region(body: Inferring, region: Region, want: Type | None = None) -> Type:
    """Walk rows in order; the type of the region's value, Never where it is left before its end."""
    mark = len(body.open_closures)
    body.marks.append(mark)
    rows = body.rows
    types = body.types
    handlers = body.handlers
    modules = body.modules
    at = region.start
    end = region.end
    last: Type = UNIT
    while at < end:
        row = rows[at]
        if modules:
            body.move_to(at)
        kind = type(row)
        handler = handlers.get(kind)
        types[at] = last = UNKNOWN if handler is None else trimmed(handler(body, at, row))
        at = past(at, row) if kind in HEADERS else at + 1
    if region.value is None:
        found: Type = NEVER if isinstance(last, Never) else UNIT
    else:
        found = body.types[region.value]
    if want is not None:
        body.coerce(found, want)
    flush(body, mark)
    body.marks.pop()
    return found


def in_frame(body: Inferring, region: Region) -> Type:
    """Walk a region with names of its own."""
    outer = body.enter()
    found = walk_region(body, region)
    body.frame = outer
    return found


def flush(body: Inferring, mark: int) -> None:
    """Walk the closures that were met since `mark` and that no call walked."""
    waiting = body.open_closures
    while mark < len(waiting):
        walk_closure(body, waiting.pop())


def walk_closure(body: Inferring, at: int) -> None:
    """Walk the body of a closure, once, with what is known of its parameters by now."""
    state = body.closures[at]
    if state.walked:
        return
    state.walked = True
    outer, labels = body.frame, body.labels
    body.frame, body.labels = Frame({}, state.frame), []
    header = state.header
    for parameter, type_ in zip(header.parameters, state.parameters, strict=True):
        bind(body, parameter.pattern, type_, at)
    inner = state.inner
    body.returns.append(inner)
    found = walk_region(body, header.body)
    body.coerce(found, inner)
    if isinstance(found, Never):
        body.trial(inner, UNKNOWN)
    body.returns.pop()
    body.frame, body.labels = outer, labels


def join(body: Inferring, types: list[Type]) -> Type:
    """The type of a value that comes from one of several places; those that never come don't count."""
    found: Type | None = None
    for one in types:
        if isinstance(one, Never):
            continue
        if found is None:
            found = one
        else:
            body.coerce(one, found)
    if found is None:
        return NEVER if types else body.fresh()
    return found
