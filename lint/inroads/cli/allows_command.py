"""`inroads allows`."""

from __future__ import annotations

import json
import sys

import click

from inroads.allow import Malformed, Standing
from inroads.check import check_allows
from inroads.cli.options import PATHS, read_rulebook, run_options
from inroads.cli.session import keeping, open_session
from inroads.cli.terminal import Progress, write_output


@click.command("allows")
@PATHS
@click.option("--output-format", "format", type=click.Choice(("text", "json")), default="text")
@click.option("--tests", is_flag=True, help="Judge test code too: else nobody knows what is used there.")
@click.option("--rules", multiple=True, metavar="PATH", help="Add rules from a pack, or a folder of packs.")
@run_options
def command(
    paths: tuple[str, ...],
    format: str,
    tests: bool,
    rules: tuple[str, ...],
    jobs: int | None,
    no_cache: bool,
    cache_dir: str | None,
    colour: str,
) -> int:
    """
    List every allow comment that stands: where, which rule, why, until when, and whether it is used.

    \b
    inroads allows                             the whole workspace
    inroads allows server/src                  one folder
    inroads allows --output-format json | jq '.allows[] | select(.state == "unused")'
    """
    session = keeping(open_session(paths), no_cache, cache_dir)
    rulebook = read_rulebook(session.texts, session.settings, rules)
    with Progress(sys.stderr, enabled=True) as progress:
        loaded = session.load(jobs, rulebook.externs, progress)
        options = session.options(jobs=jobs, tests=tests, progress=progress)
        told, malformed = check_allows(loaded, rulebook, session.settings, options)
    if format == "json":
        text = _json(session.root.as_posix(), told, malformed)
    else:
        text = _text(told, malformed)
    write_output(text, None)
    return 0


def _json(root: str, told: tuple[Standing, ...], malformed: tuple[Malformed, ...]) -> str:
    allows = [
        {
            "rule": one.mark.rule,
            "word": one.mark.word,
            "reason": one.mark.reason,
            "until": one.mark.until.isoformat() if one.mark.until is not None else None,
            "state": one.state,
            "path": one.mark.path,
            "line": one.mark.line,
            "column": one.mark.column,
            "first_line": one.mark.first,
            "last_line": one.mark.last,
            "item": one.mark.item,
        }
        for one in told
    ]
    wrong = [
        {"path": one.path, "line": one.line, "column": one.column, "message": one.message}
        for one in malformed
    ]
    return json.dumps({"version": 1, "root": root, "allows": allows, "malformed": wrong}, indent=2) + "\n"


def _text(told: tuple[Standing, ...], malformed: tuple[Malformed, ...]) -> str:
    """Two lines a comment: where, which rule and how it stands; then why."""
    lines = []
    for one in told:
        mark = one.mark
        what = f" for all of `{mark.item}`" if mark.item else ""
        until = f", until {mark.until}" if mark.until is not None else ""
        lines.append(f"{mark.path}:{mark.line}: {mark.word}({mark.rule}){what}: {one.state}{until}")
        lines.append(f"    {mark.reason}")
    lines += [f"{one.path}:{one.line}: malformed: {one.message}" for one in malformed]
    counts = [
        f"{number} {state}"
        for state in ("used", "unused", "expired", "unknown", "not-run")
        if (number := sum(one.state == state for one in told))
    ]
    counts += [f"{len(malformed)} malformed"] if malformed else []
    noun = "allow" if len(told) == 1 else "allows"
    lines.append(f"{len(told)} {noun}" + (f": {', '.join(counts)}" if counts else ""))
    return "".join(f"{line}\n" for line in lines)
