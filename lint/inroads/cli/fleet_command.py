"""`inroads fleet`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path
from typing import Any

import click

from inroads import __version__
from inroads.cachefolder import prepare, write_whole
from inroads.cli.session import open_session
from inroads.cli.terminal import write_output
from inroads.errors import InroadsError
from inroads.fleet import Member, as_json, as_text, exit_code

WRITERS = {"text": as_text, "json": as_json}


@click.command("fleet", context_settings={"ignore_unknown_options": False})
@click.argument("repositories", nargs=-1, required=True, metavar="REPO...", type=click.Path())
@click.option(
    "--output-format", "format", type=click.Choice(tuple(WRITERS)), default="text", show_default=True
)
@click.option(
    "--worst", type=click.IntRange(min=0), default=10, show_default=True, help="Findings that are told."
)
@click.option(
    "--with", "given", multiple=True, metavar="OPTION", help="Give each check an option, `--with=--certain`."
)
@click.option(
    "--state",
    "folder",
    metavar="DIR",
    default=".inroads_fleet",
    show_default=True,
    help="Where answers are kept.",
)
@click.option("--fresh", is_flag=True, help="Check all anew.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Repositories at once."
)
def command(
    repositories: tuple[str, ...],
    format: str,
    worst: int,
    given: tuple[str, ...],
    folder: str,
    fresh: bool,
    jobs: int,
) -> int:
    """
    Check many repositories, and tell of all in one report.

    A repository that can't be checked is a row; the others go on. A run that
    was cut off goes on where it stopped, and what has not changed is not checked again.

    \b
    inroads fleet ../server ../client
    inroads fleet checkouts/* --with=--select=swallow --output-format json > fleet.json
    """
    names = tuple(dict.fromkeys(repositories))
    keeps = prepare(folder)

    def member(name: str) -> Member:
        return _member(name, given, folder if keeps else "", fresh)

    with ThreadPoolExecutor(jobs) as threads:
        members = tuple(threads.map(member, names))
    write_output(WRITERS[format](members, worst), None)
    return exit_code(members)


def _member(name: str, given: tuple[str, ...], folder: str, fresh: bool) -> Member:
    """One repository's answer: an earlier one if nothing has changed since, else its check's."""
    began = time.monotonic()
    key = _key(name, given)
    place = os.path.join(folder, f"{key}.json") if folder and key else ""
    if place and not fresh:
        kept = _kept(place)
        if kept is not None:
            return Member(name, kept["code"], "", kept["report"])
    done = subprocess.run(
        (sys.executable, "-m", "inroads", "check", name, "--output-format", "json", *given),
        capture_output=True,
        check=False,
    )
    seconds = time.monotonic() - began
    try:
        report = json.loads(done.stdout)
    except ValueError:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return Member(
            name, done.returncode or 2, said[-1] if said else f"exit code {done.returncode}", {}, seconds
        )
    if place:
        write_whole(place, json.dumps({"code": done.returncode, "report": report}).encode())
    return Member(name, done.returncode, "", report, seconds)


def _key(name: str, given: tuple[str, ...]) -> str:
    """What an answer depends on: the state of every file that a check reads; "" where that can't be told."""
    try:
        state = open_session((name,)).state(())
    except InroadsError:
        return ""
    if state is None:
        return ""
    parts = (__version__, str(Path(name).resolve()), *given, *state)
    return blake2b("\0".join(parts).encode(errors="surrogateescape"), digest_size=12).hexdigest()


def _kept(place: str) -> dict[str, Any] | None:
    try:
        found = json.loads(Path(place).read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and {"code", "report"} <= found.keys() else None
