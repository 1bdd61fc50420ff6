"""`inroads check`."""

from __future__ import annotations

import sys
import time

import click
import msgspec
from msgspec.structs import replace

from inroads.cachefolder import folder_for
from inroads.check import Loaded, Options, check
from inroads.cli.gate import Gate, beside_baseline, gate_options
from inroads.cli.options import PATHS, read_rulebook, rule_options, run_options
from inroads.cli.place import find_place
from inroads.cli.replay import keep, name_of
from inroads.cli.sections import Sectioned
from inroads.cli.session import Session, keeping, open_session
from inroads.cli.terminal import Progress, look, parse_formats, write_output, write_said
from inroads.errors import NothingToAnalyse, UsageError
from inroads.facts import FileFacts, Report
from inroads.pool import default_jobs
from inroads.report import render
from inroads.report.text import render_problems, summary
from inroads.rulebook import Rulebook
from inroads.settings import Settings
from inroads.workspace import Tree

SECTIONS = {
    "Rules": ("select", "ignore", "deny", "warn", "allow", "rules", "explained"),
    "What is told and written": (
        "formats",
        "certain",
        "tests",
        "roads",
        "statistics",
        "fix",
        "reason",
        "diff",
    ),
    "Only what is new": ("base", "merge_base", "staged", "baseline", "write_baseline", "prune"),
    "The exit code": ("fail_level", "exit_zero", "strict_parse"),
}


@click.command("check", cls=Sectioned, sections=SECTIONS)
@PATHS
@click.option(
    "--output-format",
    "formats",
    multiple=True,
    metavar="X[=PATH]",
    help="text, json, sarif, ...; several in one run.",
)
@rule_options
@click.option("--certain", is_flag=True, help="Leave out what is only `maybe`.")
@click.option("--tests", is_flag=True, help="Look at test code, and at roads from tests, too.")
@click.option(
    "--fail-level", type=click.Choice(("warn", "deny")), help="What makes exit code 1 [default: warn]."
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option("--strict-parse", is_flag=True, help="Exit with 2 if a file can't be read or parsed.")
@click.option(
    "--statistics",
    is_flag=True,
    help="Count findings, and calls by how each is known.",
)
@click.option("--roads", type=click.IntRange(min=0), default=1, metavar="N", help="Roads told of a finding.")
@click.option("--fix", is_flag=True, help="Take out allows that nothing needs; no code.")
@click.option("--add-allow", "reason", metavar="REASON", help="Allow each finding that is left.")
@click.option("--diff", is_flag=True, help="Only show what these two would write.")
@click.option("--watch", is_flag=True, help="Run again whenever a file changes.")
@click.option("--explain", "explained", metavar="RULE", help="Tell why a rule exists, and stop.")
@gate_options
@run_options
def command(
    paths: tuple[str, ...],
    gate: Gate,
    formats: tuple[str, ...],
    rules: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    deny: tuple[str, ...],
    warn: tuple[str, ...],
    allow: tuple[str, ...],
    certain: bool,
    tests: bool,
    fail_level: str | None,
    exit_zero: bool,
    strict_parse: bool,
    statistics: bool,
    roads: int,
    fix: bool,
    reason: str | None,
    diff: bool,
    watch: bool,
    explained: str | None,
    jobs: int | None,
    no_cache: bool,
    cache_dir: str | None,
    colour: str,
) -> int:
    """
    Find what the rules object to.

    The program is always the whole workspace; a PATH only narrows what is told.

    \b
    inroads check server/src -D swallow        one folder, lost errors as errors
    inroads check --output-format sarif=o.sarif --output-format text
    """
    if explained:
        from inroads.cli.explain_command import explain

        return explain(explained, rules, colour)
    arguments = click.get_current_context().obj
    if watch:
        from inroads.cli.run import run
        from inroads.cli.watching import run_on_change

        again = [word for word in arguments if word != "--watch"]
        return run_on_change(find_place(paths).root, lambda: run(again))
    began = time.monotonic()
    targets = parse_formats(formats)
    session = keeping(open_session(paths, gate), no_cache, cache_dir)
    rulebook = read_rulebook(session.texts, session.settings, rules, select, ignore, deny, warn, allow)
    narrowed = bool(select or ignore or allow or certain)
    edits = fix or reason is not None
    if diff and not edits:
        raise UsageError("--diff shows what --fix or --add-allow would write, and neither is there")
    state = None if no_cache or gate.writes or edits else session.state((*rules, *gate.reads))
    with Progress(sys.stderr, enabled=True) as progress:
        options = session.options(jobs=jobs, certain=certain, tests=tests, progress=progress)
        report = judge(session, gate, rulebook, options, jobs, statistics, narrowed)
        if edits:
            from inroads.cli.adding import Edits

            made = Edits(session, gate, report, fix=fix, reason=reason)
            if diff:
                write_said(made.told(done=False))
                write_output(made.diff(), None)
                return int(bool(made.new))
            made.write()
            write_said(made.told())
            # What is told is what is left: the comments are held against the rules like any others.
            session = open_session(paths, gate)
            report = judge(session, gate, rulebook, options, jobs, statistics, narrowed)
    seconds = f"{time.monotonic() - began:.2f}"
    said = render_problems(report.problems, look(sys.stderr, session.root, colour))
    printed = ""
    for format, path in targets:
        choice = colour if path is None else "never"
        shown = look(sys.stdout, session.root, choice, roads=roads, statistics=statistics, seconds=seconds)
        text = render(report, format, shown)
        if path is None:
            printed = text
        else:
            write_output(text, path)
    only_files = all(path is not None for _, path in targets)
    if only_files:
        said += summary(report) + "\n"
    level = fail_level or session.settings.fail_level or "warn"
    code = exit_code(report, level, exit_zero=exit_zero, strict_parse=strict_parse)
    # Of the cache only this run speaks: what is kept of it is said again by others.
    warnings = session.store.warnings if session.store is not None else ()
    write_said(said + "".join(f"warning: {one}\n" for one in warnings))
    write_output(printed, None)
    if state is not None and not only_files and len(targets) == 1 and isinstance(arguments, list):
        keep(
            cache_dir or folder_for(str(session.root)),
            name_of(arguments),
            state,
            code,
            (printed, said),
            seconds,
        )
    return code


def judge(
    session: Session,
    gate: Gate,
    rulebook: Rulebook,
    options: Options,
    jobs: int | None,
    statistics: bool,
    narrowed: bool,
) -> Report:
    """
    The report on the program, beside its base and its baseline where they are asked for.

    Args:
        narrowed: Whether flags leave out some of what would be told.
        statistics: Whether the calls of the whole program are counted, which judges every function.
    """
    memo: dict[str, FileFacts] = {}
    loaded = session.load(jobs, rulebook.externs, options.progress, memo)
    judged = report = check(loaded, rulebook, session.settings, options)
    if statistics:
        from inroads.calls import call_counts

        counts = call_counts(loaded.program, jobs=jobs or default_jobs(), progress=options.progress)
        report = msgspec.structs.replace(report, statistics={**report.statistics, **counts})
    if session.base is not None:
        from inroads.compare import since

        base, before = _base_report(session, session.base, rulebook, options, jobs, memo)
        report = since(base, report, before, loaded.functions)
        _keep(judged, loaded, rulebook, session.settings, options)
    whole = not narrowed and not session.place.only
    return beside_baseline(
        report, gate, session.root, session.settings.baseline, lambda: loaded.functions, whole
    )


def _base_report(
    session: Session,
    base: Tree,
    rulebook: Rulebook,
    options: Options,
    jobs: int | None,
    memo: dict[str, FileFacts],
) -> tuple[Report, frozenset[str]]:
    """The report on what the program is compared with, and its functions; empty where there was no Rust yet."""
    from inroads.past import key_of, recall

    # Paths narrow what is told of the head only, and a target that is yet to come is no mistake.
    options = replace(options, only=(), demand_targets=False, role="base")
    key = None if session.store is None else key_of(base, rulebook, session.settings, options)
    past = None if session.store is None or key is None else recall(session.store, key, options.today)
    if past is not None:
        return past.report, past.paths
    try:
        loaded = session.load(jobs, rulebook.externs, options.progress, memo, base=True)
    except NothingToAnalyse:
        empty = Report(
            root=options.root, findings=(), allowed=(), notes=(), problems=(), statistics={}, sources={}
        )
        return empty, frozenset()
    judged = check(loaded, rulebook, session.settings, options)
    _keep(judged, loaded, rulebook, session.settings, options)
    return judged, loaded.functions


def _keep(report: Report, loaded: Loaded, rulebook: Rulebook, settings: Settings, options: Options) -> None:
    """Keep the report on a state that a later change may be compared with."""
    from inroads.past import keep, key_of

    if loaded.store is None:
        return
    key = key_of(loaded.tree, rulebook, settings, options, loaded.keys)
    if key is not None:
        keep(loaded.store, key, report, loaded, options.today)


def exit_code(report: Report, fail_level: str, *, exit_zero: bool, strict_parse: bool) -> int:
    """0 clean, 1 a finding at or above the level, 2 where a problem counts as an error."""
    if strict_parse and report.problems:
        return 2
    failing = ("deny",) if fail_level == "deny" else ("warn", "deny")
    found = any(finding.level in failing for finding in report.findings)
    return 1 if found and not exit_zero else 0
