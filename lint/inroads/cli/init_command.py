"""`inroads init`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from inroads.analyses import KINDS
from inroads.builtin import BUILT_IN
from inroads.cli.options import PATHS, run_options
from inroads.cli.session import keeping, open_session
from inroads.cli.terminal import Progress, write_output, write_said
from inroads.errors import UsageError
from inroads.fitting import Fitting, fit
from inroads.program import Program
from inroads.rulebook import Rulebook, load_rulebook
from inroads.settings import FILES

_HEAD = """\
# Settings of Inroads, a linter for Rust that sees the whole program.
# `inroads settings` tells what is in force; a key that is left out has its default.
# Editors that know TOML complete this file by its schema: `inroads settings --schema`.
"""


@click.command("init")
@PATHS
@click.option("--stdout", "printed", is_flag=True, help="Print the file instead of writing it.")
@run_options
def command(
    paths: tuple[str, ...],
    printed: bool,
    jobs: int | None,
    no_cache: bool,
    cache_dir: str | None,
    colour: str,
) -> int:
    """
    Write an inroads.toml that fits this workspace, with a comment on each key.

    It looks for the log macros and error types in use, and for folders of foreign code. A file that
    is there stays as it is.

    \b
    inroads init
    inroads init --stdout | less
    """
    session = keeping(open_session(paths), no_cache, cache_dir)
    target = session.root / FILES[0]
    there = [name for name in FILES if (session.root / name).exists()]
    if session.settings.origin and not there:
        there = [session.settings.origin]
    if there and not printed:
        raise UsageError(f"{there[0]} holds settings already; `inroads init --stdout` prints what would fit")
    with Progress(sys.stderr, enabled=True) as progress:
        loaded = session.load(jobs, progress=progress)
        found = fit(loaded.program, tuple(loaded.files))
    text = settings_text(found, load_rulebook(), loaded.program, session.root)
    if printed:
        write_output(text, None)
        return 0
    write_output(text, str(target))
    write_said(f"wrote {FILES[0]}; look through it, then run `inroads check`\n")
    return 0


def settings_text(found: Fitting, rulebook: Rulebook, program: Program, root: Path) -> str:
    """The file: what was found stands as settings or as comments, the rest as comments only."""
    parts = [_HEAD]
    own = sorted(one.name for one in root.glob("*.toml") if one.name.startswith("inroads-"))
    parts.append(
        f"# Rule packs of the project: files, or folders of them.\n# packs = {_list(own or ['rules/'])}\n"
    )
    parts.append('# What makes exit code 1: warn, or only deny.\n# fail-level = "warn"\n')
    parts.append(
        "# Leave out what is only `maybe`; look at test code, too.\n# certain = false\n# tests = false\n"
    )
    if found.folders:
        said = "# Files that are no part of the program, as in .gitignore. These look like somebody else's."
        parts.append(f"{said}\nexclude = {_list([f'{one}/' for one in found.folders])}\n")
    else:
        parts.append(
            '# Files that are no part of the program, as in .gitignore.\n# exclude = ["generated/"]\n'
        )
    parts.append(_logs(found))
    parts.append(
        "# Words that make a comment the reason for losing an error, beside those that are known.\n"
        '# reason-words = ["by design"]\n'
    )
    if found.errors:
        told = ", ".join(f"{name} ({count})" for name, count in found.errors)
        parts.append(
            f"# Error types in use, and how many functions return each: {told}.\n"
            "# One whose loss is harmless can be left out where it arises, with an allow comment and a reason.\n"
        )
    parts.append(
        "# Known findings, by `inroads check --write-baseline inroads.baseline.toml`.\n"
        '# baseline = "inroads.baseline.toml"\n'
    )
    parts.append(
        "# Reviewed call sites, by `inroads audit TARGET --review`. This file is read without the key, too.\n"
        '# ledger = "inroads.ledger.toml"\n'
    )
    parts.append(_levels(rulebook, program))
    parts.append(
        "# Levels under some paths; a later table beats an earlier one.\n"
        "# [[paths]]\n"
        '# paths = ["tools/", "examples/"]\n'
        '# levels = { swallow = "allow" }\n'
    )
    parts.append(
        "# Crates from outside whose signatures decide something here, without bodies.\n"
        "# [[extern]]\n"
        '# crate = "storage"\n'
        "# declarations = '''\n"
        "# pub struct Store;\n"
        "# impl Store { pub fn commit(&mut self) -> Result<(), Error>; }\n"
        "# pub struct Error;\n"
        "# '''\n"
    )
    return "\n".join(parts)


def _logs(found: Fitting) -> str:
    said = "# Macros that only log, beside those that are known: their last segments."
    if found.known_logs:
        told = ", ".join(f"{name}! ({count})" for name, count in found.known_logs)
        said += f"\n# Known and in use, with the number of functions: {told}."
    if found.new_logs:
        names = [name for name, _ in found.new_logs]
        return f"{said}\n# These seem to log; take out those that do more.\nlog-macros = {_list(names)}\n"
    return f'{said}\n# log-macros = ["audit_log"]\n'


def _levels(rulebook: Rulebook, program: Program) -> str:
    """All rules as comments, those that have nothing to look at here marked."""
    lines = [
        "# Levels of rules, kinds or packs: allow, warn or deny. The rules and what they say by themselves:"
    ]
    lines.append("# [levels]")
    rules = sorted(rulebook.rules, key=lambda rule: rule.head.id)
    width = max(len(rule.head.id) for rule in rules)
    for rule in rules:
        absent = KINDS[rule.head.kind].absent(rule, program)
        here = "" if absent is None else " (nothing to look at here)"
        level = f'{rule.head.id.ljust(width)} = "{rule.head.level}"'
        lines.append(f"# {level.ljust(width + 10)} # {rule.head.title}{here}")
    lines += [f'# {id.ljust(width)} = "{one.level}"  # {one.title}' for id, one in sorted(BUILT_IN.items())]
    return "\n".join(lines) + "\n"


def _list(values: list[str]) -> str:
    return f"[{', '.join(json.dumps(one, ensure_ascii=False) for one in values)}]"
