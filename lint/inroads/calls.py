"""The call edges of a program, one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from inroads.facts import HOW_ORDER, How, Position
from inroads.pool import map_in_order
from inroads.program import Edge, Program

# Functions that one worker judges before it hands its lines back.
CHUNK = 200


class Named(msgspec.Struct, frozen=True):
    """A function: where it is declared, and its path."""

    file: str
    line: int
    name: str
    path: str


class Site(msgspec.Struct, frozen=True):
    """Where the callee's name begins."""

    file: str
    line: int
    column: int


class CallLine(msgspec.Struct, frozen=True):
    """One edge, as it is printed."""

    caller: Named
    site: Site
    callee: Named
    how: How
    via: tuple[How, ...]
    kind: str


def call_lines(program: Program, *, jobs: int = 1, certain: bool = False) -> Iterator[bytes]:
    """
    All call edges inside the workspace, by caller and place: no edge twice, the same for any number of jobs.

    Args:
        certain: Whether edges that are known by name only are left out.

    Yields:
        One JSON object without a newline each.
    """
    functions = [one.id for one in program.tables.functions if one.has_body]
    chunks = [functions[at : at + CHUNK] for at in range(0, len(functions), CHUNK)]

    def run(chunk: list[int]) -> list[bytes]:
        return [line for function in chunk for line in _lines_of(program, function, certain)]

    for lines in map_in_order(run, chunks, jobs=jobs, small=2):
        yield from lines


def _lines_of(program: Program, function: int, certain: bool) -> list[bytes]:
    """The lines of one caller; what was judged for it is let go."""
    edges = [*program.edges(function), *program.drop_edges(function)]
    best: dict[tuple[Position, int], Edge] = {}
    for edge in edges:
        if edge.target.function is None or (certain and edge.how == "by-name"):
            continue
        key = (edge.position, edge.target.function)
        known = best.get(key)
        if known is None or HOW_ORDER.index(edge.how) < HOW_ORDER.index(known.how):
            best[key] = edge
    caller = named(program, function)
    found = [_ENCODE(_line(program, caller, best[key])) for key in sorted(best)]
    program.forget(function)
    return found


_ENCODE = msgspec.json.Encoder().encode


def _line(program: Program, caller: Named, edge: Edge) -> CallLine:
    assert edge.target.function is not None
    site = Site(edge.position.path, edge.position.line, edge.position.column)
    return CallLine(caller, site, named(program, edge.target.function), edge.how, edge.via, edge.kind)


def named(program: Program, function: int) -> Named:
    """A function as it is printed."""
    one = program.tables.functions[function]
    return Named(one.position.path, one.position.line, one.name, one.path)
