"""`inroads calls`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator

import click

from inroads.check import is_under
from inroads.cli.options import PATHS, run_options
from inroads.cli.session import open_session
from inroads.cli.terminal import Progress, write_output
from inroads.facts import HOW_ORDER
from inroads.program import Edge, Program


@click.command("calls")
@PATHS
@click.option(
    "--output-format", "format", type=click.Choice(("jsonl", "text")), default="jsonl", show_default=True
)
@click.option(
    "--foreign", is_flag=True, help="Calls of functions outside the workspace too; their file is null."
)
@run_options
def command(
    paths: tuple[str, ...],
    format: str,
    foreign: bool,
    jobs: int | None,
    no_cache: bool,
    cache_dir: str | None,
    colour: str,
) -> int:
    """
    Print the call edges: who calls whom, where, and how that is known.

    \b
    inroads calls --output-format jsonl > edges.jsonl
    inroads calls src/server --output-format text
    """
    session = open_session(paths)
    with Progress(sys.stderr, enabled=True) as progress:
        program = session.load(jobs, progress=progress).program
        edges = []
        total = len(program.tables.functions)
        for function in range(total):
            progress("functions", function, total)
            edges += [
                edge
                for edge in program.edges(function)
                if (foreign or edge.target.function is not None)
                and (not session.place.only or is_under(edge.position.path, session.place.only))
            ]
    edges.sort(key=lambda edge: (edge.position, edge.caller, edge.target.path, edge.target.function or 0))
    lines = _as_json(program, edges) if format == "jsonl" else _as_text(program, edges)
    write_output("".join(f"{line}\n" for line in dict.fromkeys(lines)), None)
    return 0


def _as_json(program: Program, edges: list[Edge]) -> Iterator[str]:
    """One object an edge, as design.md, section 4, fixes it."""
    for edge in edges:
        at = edge.position
        yield json.dumps(
            {
                "caller": _function(program, edge.caller),
                "site": {"file": at.path, "line": at.line, "column": at.column},
                "callee": _target(program, edge),
                "how": edge.how,
                "via": list(edge.via),
            },
            ensure_ascii=False,
        )


def _as_text(program: Program, edges: list[Edge]) -> Iterator[str]:
    """One line an edge, and how many there are of each sort."""
    for edge in edges:
        at = edge.position
        how = ", ".join((edge.how, *edge.via))
        caller = program.tables.functions[edge.caller].path
        yield f"{at.path}:{at.line}:{at.column}  {caller} -> {edge.target.path}  ({how})"
    counts = Counter(edge.how for edge in edges)
    told = ", ".join(f"{counts[how]} {how}" for how in HOW_ORDER if counts[how])
    yield f"{len(edges)} edges{': ' if told else ''}{told}"


def _function(program: Program, function: int) -> dict[str, object]:
    one = program.tables.functions[function]
    return {"file": one.position.path, "line": one.position.line, "name": one.name, "path": one.path}


def _target(program: Program, edge: Edge) -> dict[str, object]:
    if edge.target.function is not None:
        return _function(program, edge.target.function)
    path = edge.target.path
    return {"file": None, "line": None, "name": path.rpartition("::")[2], "path": path}
