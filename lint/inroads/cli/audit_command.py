"""`inroads audit`."""

from __future__ import annotations

import sys

import click

from inroads.analyses.base import LOG_MACROS
from inroads.audit import audit
from inroads.check import Loaded
from inroads.cli.options import PATHS, read_rulebook, run_options
from inroads.cli.session import Session, keeping, open_session
from inroads.cli.terminal import Progress, look, parse_formats, write_output, write_said
from inroads.errors import UsageError
from inroads.ledger import Ledger, reviewed, write
from inroads.report.audit import FORMATS, render
from inroads.report.text import render_problems
from inroads.review import entries_of
from inroads.rulebook import Choice, Rulebook, select_rules
from inroads.rust.late import is_broken
from inroads.texts import Texts


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
@click.option("--review", is_flag=True, help="Write the call sites to the ledger, as reviewed.")
@click.option("--reviewer", metavar="NAME", default="", help="Who reviewed what is new in it.")
@click.option("--note", metavar="TEXT", default="", help="What the reviewer says of it.")
@click.option("--rules", multiple=True, metavar="PATH", help="Add rules from a pack, or a folder of packs.")
@run_options
def command(
    target: str,
    paths: tuple[str, ...],
    formats: tuple[str, ...],
    roads: int | None,
    tests: bool,
    review: bool,
    reviewer: str,
    note: str,
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
    inroads audit CachePool::allocate --review --reviewer ana
    """
    if (reviewer or note) and not review:
        raise UsageError("--reviewer and --note go with --review")
    targets = parse_formats(formats, tuple(FORMATS))
    session = keeping(open_session(paths), no_cache, cache_dir)
    rulebook = read_rulebook(session.texts, session.settings, rules)
    with Progress(sys.stderr, enabled=True) as progress:
        # An audit reads few bodies. Where one of those has an error, all files are parsed whole.
        for outlines in (False,) if review else (True, False):
            loaded = session.load(jobs, rulebook.externs, progress, outlines=outlines)
            found = audit(
                loaded.program,
                target,
                rules=rulebook.active,
                roads=max(3 if roads is None else roads, 1),
                tests=tests or session.settings.tests,
                log_macros=frozenset((*LOG_MACROS, *session.settings.log_macros)),
            )
            if not loaded.program.tables.unparsed and not any(map(is_broken, loaded.files.values())):
                break
    if review:
        write_said(_write_ledger(session, loaded, rulebook, target, reviewer, note))
    write_said(render_problems(loaded.problems, look(sys.stderr, session.root, colour)))
    for format, path in targets:
        told = (3 if format == "json" else 0) if roads is None else roads
        choice = colour if path is None else "never"
        write_output(render(found, format, look(sys.stdout, session.root, choice, roads=told)), path)
    return 0


def _write_ledger(
    session: Session, loaded: Loaded, rulebook: Rulebook, target: str, reviewer: str, note: str
) -> str:
    """Write the target's call sites as reviewed; the sentence that tells what that changed."""
    tests = session.settings.tests
    program = loaded.program
    # The same rules and the same code as in `check`, whatever the flags of this run show.
    rules = select_rules(rulebook.packs, session.settings, Choice()).active
    log_macros = frozenset((*LOG_MACROS, *session.settings.log_macros))
    found = audit(program, target, rules=rules, tests=tests, log_macros=log_macros)
    sites = entries_of(program, Texts(loaded.tree.read, loaded.files), target, found, tests=tests)
    functions = frozenset(function.path for function in program.tables.functions)
    path = session.root / session.ledger_name
    before = (session.ledger() if path.is_file() else None) or Ledger(session.ledger_name)
    made, beside = reviewed(before, target, sites, functions, reviewer=reviewer, note=note)
    write_output(write(made), str(path))
    same = len(sites) - len(beside.fresh) - len(beside.changed)
    counts = f"{len(beside.fresh)} new, {len(beside.changed)} changed, {same} as reviewed"
    noun = "call site" if len(sites) == 1 else "call sites"
    return f"{session.ledger_name}: {len(sites)} {noun} of {target}: {counts}, {len(beside.gone)} gone\n"
