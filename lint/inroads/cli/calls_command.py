"""`inroads calls`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

import click
import msgspec

from inroads.calls import CallLine, call_lines
from inroads.check import is_under
from inroads.cli.options import PATHS, run_options
from inroads.cli.session import keeping, open_session
from inroads.cli.terminal import Progress, write_output
from inroads.facts import HOW_ORDER
from inroads.pool import default_jobs


@click.command("calls")
@PATHS
@click.option(
    "--output-format", "format", type=click.Choice(("jsonl", "text")), default="jsonl", show_default=True
)
@click.option(
    "--foreign", is_flag=True, help="Calls of functions outside the workspace too; their file is null."
)
@click.option("--drops", is_flag=True, help="Drop impls that run at the end of a scope too.")
@click.option("--certain", is_flag=True, help="Without the edges that are known by name only.")
@run_options
def command(
    paths: tuple[str, ...],
    format: str,
    foreign: bool,
    drops: bool,
    certain: bool,
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
    session = keeping(open_session(paths), no_cache, cache_dir)
    with Progress(sys.stderr, enabled=True) as progress:
        program = session.load(jobs, progress=progress).program
        found = call_lines(
            program,
            jobs=jobs or default_jobs(),
            certain=certain,
            foreign=foreign,
            drops=drops,
            progress=progress,
        )
    only = session.place.only
    edges = [edge for edge in found if not only or is_under(edge.site.file, only)]
    lines = _as_json(edges) if format == "jsonl" else _as_text(edges)
    write_output("".join(f"{line}\n" for line in lines), None)
    return 0


def _as_json(edges: list[CallLine]) -> Iterator[str]:
    """One object an edge; its shape is a contract."""
    encode = msgspec.json.Encoder().encode
    for edge in edges:
        yield encode(edge).decode()


def _as_text(edges: list[CallLine]) -> Iterator[str]:
    """One line an edge, and how many there are of each sort."""
    for edge in edges:
        at = edge.site
        how = ", ".join((edge.how, *edge.via))
        yield f"{at.file}:{at.line}:{at.column}  {edge.caller.path} -> {edge.callee.path}  ({how})"
    counts = Counter(edge.how for edge in edges)
    told = ", ".join(f"{counts[how]} {how}" for how in HOW_ORDER if counts[how])
    yield f"{len(edges)} edges{': ' if told else ''}{told}"
