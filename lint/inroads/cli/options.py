"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from inroads.builtin import BUILT_IN
from inroads.cli.place import find_place
from inroads.errors import InroadsError, SettingsError, UsageError
from inroads.facts import Level
from inroads.rulebook import Choice, Rulebook, load_rulebook
from inroads.settings import Settings, TextPath, read_settings

CLUSTER = "inroads.cluster"
"""Key of the cluster's address in the context of a command."""

Command = TypeVar("Command", bound=Callable[..., Any])

PATHS = click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())


def complete_rule(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The rules, kinds and packs whose names begin like what was typed; behind a comma, the last one."""
    before, sign, word = typed.rpartition(",")
    try:
        root = find_place(()).root
        rulebook = read_rulebook(root, read_settings(root), context.params.get("rules") or ())
    except InroadsError:
        # A shell that completes is no place for mistakes; the run itself will tell them.
        rulebook = load_rulebook()
    titles = {rule.head.id: rule.head.title for rule in rulebook.rules}
    titles |= {id: one.title for id, one in BUILT_IN.items()}
    for rule in rulebook.rules:
        titles.setdefault(rule.head.kind, f"all rules of kind {rule.head.kind}")
        titles.setdefault(rule.head.pack, f"all rules of pack {rule.head.pack}")
    return [
        CompletionItem(f"{before}{sign}{name}", help=titles[name])
        for name in sorted(titles)
        if name.startswith(word)
    ]


def rule_options(function: Command) -> Command:
    """`--rules`, `--select`, `--ignore`, `-D`, `-W`, `-A`."""
    for option in reversed(
        (
            click.option(
                "--select",
                multiple=True,
                metavar="RULE,...",
                help="Run only these rules, kinds or packs.",
                shell_complete=complete_rule,
            ),
            click.option(
                "--ignore",
                multiple=True,
                metavar="RULE,...",
                help="Leave these out.",
                shell_complete=complete_rule,
            ),
            click.option(
                "-D",
                "--deny",
                multiple=True,
                metavar="RULE",
                help="Raise a rule to deny.",
                shell_complete=complete_rule,
            ),
            click.option(
                "-W",
                "--warn",
                multiple=True,
                metavar="RULE",
                help="Set a rule to warn.",
                shell_complete=complete_rule,
            ),
            click.option(
                "-A",
                "--allow",
                multiple=True,
                metavar="RULE",
                help="Switch a rule off.",
                shell_complete=complete_rule,
            ),
            click.option(
                "--rules", multiple=True, metavar="PATH", help="Add rules from a pack, or a folder of packs."
            ),
        )
    ):
        function = option(function)
    return function


def run_options(function: Command) -> Command:
    """`-j`, `--no-cache`, `--cache-dir`, `--color`."""
    for option in reversed(
        (
            click.option(
                "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes [default: cores]."
            ),
            click.option(
                "--executor",
                "cluster",
                metavar="dask://HOST:PORT",
                help="Read files on a Dask cluster.",
                callback=_remember_cluster,
                expose_value=False,
            ),
            click.option("--no-cache", is_flag=True, help="Neither read nor write the cache."),
            click.option("--cache-dir", metavar="DIR", help="Where the cache is."),
            click.option(
                "--color",
                "--colour",
                "colour",
                type=click.Choice(("auto", "always", "never")),
                default="auto",
            ),
        )
    ):
        function = option(function)
    return function


def _remember_cluster(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Keep the address where `session.load` finds it: every command that reads a program has the option."""
    context.meta[CLUSTER] = value


def words(values: Sequence[str]) -> tuple[str, ...]:
    """Values that were given one by one or with commas between."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def read_rulebook(
    root: TextPath,
    settings: Settings,
    rules: Sequence[str],
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    deny: Sequence[str] = (),
    warn: Sequence[str] = (),
    allow: Sequence[str] = (),
) -> Rulebook:
    """The rules under flags and settings; a later word beats an earlier one, deny beats warn beats allow."""
    for path in rules:
        if not Path(path).exists():
            raise UsageError(f"--rules: {path}: there is no such file or folder")
    absent = [path for path in settings.packs if not ((root / path).is_file() or (root / path).is_dir())]
    if absent:
        raise SettingsError(
            tuple(f"{settings.path}: packs: {path}: there is no such file or folder" for path in absent)
        )
    own: list[tuple[str, TextPath]] = [(path, root / path) for path in settings.packs]
    own += [(path, Path(path)) for path in rules]
    levels: list[tuple[str, Level]] = [(word, "allow") for word in words(allow)]
    levels += [(word, "warn") for word in words(warn)]
    levels += [(word, "deny") for word in words(deny)]
    return load_rulebook(own, settings, Choice(words(select), words(ignore), tuple(levels)))
