"""The call edges of a program, as they are printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeVar

import msgspec

from inroads.facts import HOW_ORDER, CallRow, FunctionItem, How, MethodCallRow, Position
from inroads.pool import map_in_order
from inroads.program import Edge, Program
from inroads.resolve.tables import Tables

Answer = TypeVar("Answer")
Progress: TypeAlias = Callable[[str, int, int], None]

# Functions that one worker judges before it hands its lines back.
CHUNK = 200

# What can be a name only behind `r#`.
_WORDS = """
    abstract as async await become box break const continue do dyn else enum extern false final fn for
    if impl in let loop macro match mod move mut override priv pub ref return static struct trait true
    try type typeof unsafe unsized use virtual where while yield
"""
_RESERVED = frozenset(_WORDS.split())


class Named(msgspec.Struct, frozen=True, order=True):
    """A function: where it is declared (None and None outside the workspace), its name and its path."""

    file: str | None
    line: int | None
    name: str
    path: str


class Site(msgspec.Struct, frozen=True, order=True):
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


def call_lines(
    program: Program,
    *,
    jobs: int = 1,
    certain: bool = False,
    foreign: bool = False,
    drops: bool = False,
    progress: Progress | None = None,
) -> list[CallLine]:
    """
    All call edges, by place: no edge twice, the same for any number of jobs.

    Args:
        certain: Whether edges that are known by name only are left out.
        foreign: Whether calls of functions outside the workspace are told.
        drops: Whether Drop impls that run at ends of scopes are told; this lowers every body.
    """

    def run(chunk: list[int]) -> list[CallLine]:
        return [line for function in chunk for line in _lines_of(program, function, certain, foreign, drops)]

    found = [line for lines in _in_chunks(program, run, jobs, progress) for line in lines]
    found.sort(
        key=lambda one: (
            one.site,
            one.caller.path,
            one.callee.path,
            one.callee.file or "",
            one.callee.line or 0,
        )
    )
    return found


def call_counts(program: Program, *, jobs: int = 1, progress: Progress | None = None) -> dict[str, float]:
    """
    How many calls of the program are known, and how: every function is judged for it.

    `calls.own.HOW.KIND` lead to functions of the workspace, `calls.outside.KIND`
    only to functions outside it; `calls.unknown` are written calls of which nothing is known.
    """

    def run(chunk: list[int]) -> Counter[str]:
        counts: Counter[str] = Counter()
        for function in chunk:
            counts.update(_counted(program, function))
            program.forget(function)
        return counts

    total: Counter[str] = Counter()
    for counts in _in_chunks(program, run, jobs, progress):
        total.update(counts)
    return {name: float(total[name]) for name in sorted(total)}


def _in_chunks(
    program: Program, of: Callable[[list[int]], Answer], jobs: int, progress: Progress | None
) -> list[Answer]:
    """What is answered for each chunk of the functions that have a body."""
    all_of_them = program.tables.functions
    # A file may be a module twice (`#[cfg(x)] pub mod a;` beside `#[cfg(not(x))] mod a;`); one of them is compiled.
    compiled = {(one.source, one.item_index) for one in all_of_them if one.active}
    functions = [
        one.id
        for one in all_of_them
        if one.has_body and (one.active or (one.source, one.item_index) not in compiled)
    ]
    chunks = [functions[at : at + CHUNK] for at in range(0, len(functions), CHUNK)]
    done = 0

    def run(chunk: list[int]) -> Answer:
        nonlocal done
        done += len(chunk)
        if progress is not None and jobs == 1:
            progress("functions", done, len(functions))
        return of(chunk)

    return map_in_order(run, chunks, jobs=jobs, small=4)


def _counted(program: Program, function: int) -> Iterator[str]:
    """A name for each call of a body."""
    judged = program.judge(function)
    for call in judged.calls.values():
        if any(target.function is not None for target in call.targets):
            yield f"calls.own.{call.how}.{call.kind}"
        elif call.targets:
            yield f"calls.outside.{call.kind}"
        else:
            yield "calls.unknown"
    for at, row in enumerate(judged.body.rows):
        if at in judged.calls:
            continue
        # What builds a tuple struct or a variant is written like a call, and is none.
        if isinstance(row, MethodCallRow) or (isinstance(row, CallRow) and row.callee not in judged.paths):
            yield "calls.unknown"


def _lines_of(program: Program, function: int, certain: bool, foreign: bool, drops: bool) -> list[CallLine]:
    """The lines of one caller; what was judged for it is let go."""
    best: dict[tuple[Position, str, int | None], Edge] = {}
    edges = program.edges(function)
    if drops:
        edges = (*edges, *program.drop_edges(function))
    for edge in edges:
        if (edge.target.function is None and not foreign) or (certain and edge.how == "by-name"):
            continue
        key = (edge.position, edge.target.path, edge.target.function)
        known = best.get(key)
        if known is None or HOW_ORDER.index(edge.how) < HOW_ORDER.index(known.how):
            best[key] = edge
    caller = named(program, around(program.tables, function))
    program.forget(function)
    return [_line(program, caller, edge) for edge in best.values()]


def _line(program: Program, caller: Named, edge: Edge) -> CallLine:
    site = Site(edge.position.path, edge.position.line, edge.position.column)
    if edge.target.function is None:
        path = edge.target.path
        callee = Named(None, None, path.rpartition("::")[2], path)
    else:
        callee = named(program, edge.target.function)
    return CallLine(caller, site, callee, edge.how, edge.via, edge.kind)


def around(tables: Tables, function: int) -> int:
    """The function whose body holds a const or static, for the initialiser of one; else the function itself."""
    if function < len(tables.functions) - tables.initialisers:
        return function
    one = tables.functions[function]
    items = tables.sources[one.source].facts.items
    parent = items[one.item_index].head.parent
    if parent is None or not isinstance(items[parent], FunctionItem):
        return function
    named_so = tables.functions_named(items[parent].head.name)
    places = ((tables.functions[id].source, tables.functions[id].item_index, id) for id in named_so)
    return next((id for source, index, id in places if (source, index) == (one.source, parent)), function)


def named(program: Program, function: int) -> Named:
    """A function as it is printed: its name as it has to be written."""
    one = program.tables.functions[function]
    name = f"r#{one.name}" if one.name in _RESERVED else one.name
    return Named(one.position.path, one.position.line, name, one.path)
