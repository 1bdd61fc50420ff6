"""`inroads test`."""

from __future__ import annotations

from pathlib import Path

import click

from inroads.cli.options import read_rulebook
from inroads.cli.place import find_place
from inroads.cli.session import open_session
from inroads.errors import UsageError, did_you_mean
from inroads.mutate import flips, mutate
from inroads.rulebook import Pack, Rulebook
from inroads.settings import read_settings
from inroads.testkit import check_marks, run_pack_test


@click.command("test")
@click.argument("packs", nargs=-1, metavar="[PACK]...")
@click.option("--rules", multiple=True, metavar="PATH", help="Add rules from a pack, or a folder of packs.")
@click.option(
    "--mutate",
    "mutating",
    is_flag=True,
    help="Take each need out of the clean tests: then they must fire. Turn each branch round.",
)
@click.option("-v", "--verbose", is_flag=True, help="Name each test.")
def command(packs: tuple[str, ...], rules: tuple[str, ...], mutating: bool, verbose: bool) -> int:
    """
    Run the tests inside the rule packs.

    PACK is a pack's name, a pack file or a folder of them, or a Rust workspace
    whose `//~ rule` marks all rules are held against. Without one: all packs.

    \b
    inroads test mine.toml             the tests of one pack
    inroads test mine.toml --mutate    and whether they would notice a missing need
    """
    folders = [pack for pack in packs if Path(pack).is_dir() and not list(Path(pack).glob("*.toml"))]
    folders += [pack for pack in packs if Path(pack).is_dir() and (Path(pack) / "Cargo.toml").is_file()]
    folders = list(dict.fromkeys(folders))
    files = [pack for pack in packs if pack not in folders and Path(pack).exists()]
    names = [pack for pack in packs if pack not in folders and pack not in files]
    root = find_place(()).root
    rulebook = read_rulebook(root, read_settings(root), (*rules, *files))
    chosen = _chosen(rulebook, names, files, everything=not packs)
    failures = 0
    total = 0
    turned = 0
    for pack in chosen:
        for test in pack.tests:
            verdict = run_pack_test(rulebook, test)
            total += 1
            failures += not verdict.passed
            if verbose or not verdict.passed:
                click.echo(f"{'ok  ' if verdict.passed else 'FAIL'} {pack.path}: {test.rule}: {test.name}")
            for line in verdict.lines():
                click.echo(f"     {line}")
            mutation = mutate(rulebook, test) if mutating else None
            if mutation is not None:
                total += 1
                failures += not mutation.fires
                if verbose or not mutation.fires:
                    word = "ok  " if mutation.fires else "FAIL"
                    places = ", ".join(mutation.removed)
                    click.echo(f"{word} {pack.path}: {test.rule}: {test.name}, without the need at {places}")
                    if mutation.why:
                        click.echo(f"     stays quiet: {mutation.why}")
            for flip in flips(rulebook, test) if mutating else ():
                turned += 1
                if verbose or not flip.fires:
                    where = (
                        f"{pack.path}: {test.rule}: {test.name}, with the branch at {flip.place} turned round"
                    )
                    click.echo(f"{'ok   ' if flip.fires else 'note '}{where}")
                    if flip.why:
                        click.echo(f"     stays quiet: {flip.why}")
    for folder in folders:
        session = open_session((folder,))
        rules_here = read_rulebook(session.texts, session.settings, rules)
        loaded = session.load(None, rules_here.externs)
        verdict = check_marks(loaded, rules_here, session.settings, session.options())
        total += 1
        failures += not verdict.passed
        if verbose or not verdict.passed:
            click.echo(f"{'ok  ' if verdict.passed else 'FAIL'} {folder}")
        for line in verdict.lines():
            click.echo(f"     {line}")
    branches = f", {turned} {'branch' if turned == 1 else 'branches'} turned round" if mutating else ""
    click.echo(f"{total} tests, {failures} failed{branches}")
    return 1 if failures else 0


def _chosen(rulebook: Rulebook, names: list[str], files: list[str], *, everything: bool) -> list[Pack]:
    """The packs that were named, by name or by file."""
    known = {pack.name: pack for pack in rulebook.packs}
    for name in names:
        if name not in known:
            raise UsageError(f'no pack is called "{name}"{did_you_mean(name, known)}')
    return [
        pack
        for pack in rulebook.packs
        if everything
        or pack.name in names
        or any(pack.path == file or pack.path.startswith(file.rstrip("/") + "/") for file in files)
    ]
