"""`inroads fates`."""

from __future__ import annotations

import sys

import click

from inroads.analyses.base import LOG_MACROS
from inroads.analyses.swallow.table import FateRow, as_csv, as_json, as_text, fate_table
from inroads.check import is_under
from inroads.cli.options import PATHS, run_options
from inroads.cli.session import keeping, open_session
from inroads.cli.terminal import Progress, write_output

WRITERS = {"text": as_text, "json": as_json, "csv": as_csv}


@click.command("fates")
@PATHS
@click.option(
    "--output-format", "format", type=click.Choice(tuple(WRITERS)), default="text", show_default=True
)
@click.option("--odd", is_flag=True, help="Only functions of which some sites do other than most.")
@run_options
def command(
    paths: tuple[str, ...],
    format: str,
    odd: bool,
    jobs: int | None,
    no_cache: bool,
    cache_dir: str | None,
    colour: str,
) -> int:
    """
    Show what becomes of each fallible function's error, the odd ones first.

    \b
    inroads fates
    inroads fates src/server --output-format csv > fates.csv
    """
    session = keeping(open_session(paths), no_cache, cache_dir)
    with Progress(sys.stderr, enabled=True) as progress:
        program = session.load(jobs, progress=progress).program
        log_macros = frozenset((*LOG_MACROS, *session.settings.log_macros))
        rows = fate_table(program, log_macros)
    only = session.place.only
    chosen = [row for row in rows if (not odd or row.odd) and (not only or stands_under(row, only))]
    write_output(WRITERS[format](chosen), None)
    return 0


def stands_under(row: FateRow, only: tuple[str, ...]) -> bool:
    """Whether a function is declared under one of the paths."""
    return row.position is not None and is_under(row.position.path, only)
