"""`inroads audit`."""

from __future__ import annotations

import sys

import click

from inroads.analyses.base import LOG_MACROS
from inroads.audit import audit
from inroads.cli.options import PATHS, read_rulebook, run_options
from inroads.cli.session import keeping, open_session
from inroads.cli.terminal import Progress, look, parse_formats, write_output, write_said
from inroads.report.audit import FORMATS, render
from inroads.report.text import render_problems


@click.command("audit")
@click.argument("target")
@PATHS
@click.option(
    "--output-format",
    "formats",
    multiple=True,
    metavar="X[=PATH]",
    help="text, json, markdown or dot; several in one run.",
)
@click.option(
    "--roads", type=click.IntRange(min=0), metavar="N", help="Roads told of each site [default: 0, json: 3]."
)
@click.option("--tests", is_flag=True, help="Call sites and roads in test code too.")
@click.option("--rules", multiple=True, metavar="PATH", help="Add rules from a pack, or a folder of packs.")
@run_options
def command(
    target: str,
    paths: tuple[str, ...],
    formats: tuple[str, ...],
    roads: int | None,
    tests: bool,
    rules: tuple[str, ...],
    jobs: int | None,
    no_cache: bool,
    cache_dir: str | None,
    colour: str,
) -> int:
    """
    Show every road into one function: who calls it, how that is known, what becomes of its error.

    TARGET is a path by its last segments: `sync`, `Store::sync`, `Trait::sync`, `Store::sync_*`.

    \b
    inroads audit LanguageModel::sync_sequence_storage
    inroads audit CachePool::allocate --roads 3 --output-format markdown
    """
    targets = parse_formats(formats, tuple(FORMATS))
    session = keeping(open_session(paths), no_cache, cache_dir)
    rulebook = read_rulebook(session.texts, session.settings, rules)
    with Progress(sys.stderr, enabled=True) as progress:
        loaded = session.load(jobs, rulebook.externs, progress)
        found = audit(
            loaded.program,
            target,
            rules=rulebook.active,
            roads=max(3 if roads is None else roads, 1),
            tests=tests or session.settings.tests,
            log_macros=frozenset((*LOG_MACROS, *session.settings.log_macros)),
        )
    write_said(render_problems(loaded.problems, look(sys.stderr, session.root, colour)))
    for format, path in targets:
        told = (3 if format == "json" else 0) if roads is None else roads
        choice = colour if path is None else "never"
        write_output(render(found, format, look(sys.stdout, session.root, choice, roads=told)), path)
    return 0
