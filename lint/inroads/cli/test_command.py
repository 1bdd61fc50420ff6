"""`inroads test`."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from inroads.cli.options import read_rulebook
from inroads.cli.place import find_place
from inroads.cli.session import open_session
from inroads.errors import UsageError, did_you_mean
from inroads.marks import Verdict
from inroads.mutate import flips, mutate
from inroads.rulebook import Choice, Pack, Rulebook, RuleTest, select_rules
from inroads.settings import Settings, read_settings
from inroads.testkit import check_marks, examples, run_example, run_pack_test


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
    whose `//~ rule` marks all rules are held against, or a specification in
    Markdown. Without one: all packs.

    \b
    inroads test mine.toml             the tests of one pack
    inroads test mine.toml --mutate    and whether they would notice a missing need
    """
    folders = [pack for pack in packs if Path(pack).is_dir() and not list(Path(pack).glob("*.toml"))]
    folders += [pack for pack in packs if Path(pack).is_dir() and (Path(pack) / "Cargo.toml").is_file()]
    folders = list(dict.fromkeys(folders))
    files = [pack for pack in packs if pack not in folders and Path(pack).exists()]
    names = [pack for pack in packs if pack not in folders and pack not in files]
    specs = [file for file in files if file.endswith(".md")]
    files = [file for file in files if file not in specs]
    root = find_place(()).root
    rulebook = read_rulebook(root, read_settings(root), (*rules, *files))
    tally = Tally(verbose, mutating)
    for pack in _chosen(rulebook, names, files, everything=not packs):
        for test in pack.tests:
            tally.verdict(f"{pack.path}: {test.rule}: {test.name}", run_pack_test(rulebook, test))
            tally.mutations(rulebook, test, pack.path)
    for spec in specs:
        _run_specification(spec, tally)
    for folder in folders:
        session = open_session((folder,))
        rules_here = read_rulebook(session.texts, session.settings, rules)
        loaded = session.load(None, rules_here.externs)
        tally.verdict(folder, check_marks(loaded, rules_here, session.settings, session.options()))
    turned = tally.turned
    branches = f", {turned} {'branch' if turned == 1 else 'branches'} turned round" if mutating else ""
    click.echo(f"{tally.total} tests, {tally.failures} failed{branches}")
    return 1 if tally.failures else 0


class Tally(msgspec.Struct):
    """Counts what was run, and prints what went wrong, or everything."""

    verbose: bool
    mutating: bool
    total: int = 0
    failures: int = 0
    turned: int = 0

    def verdict(self, name: str, verdict: Verdict) -> None:
        """Count one test."""
        self.total += 1
        self.failures += not verdict.passed
        if self.verbose or not verdict.passed:
            click.echo(f"{'ok  ' if verdict.passed else 'FAIL'} {name}")
        for line in verdict.lines():
            click.echo(f"     {line}")

    def mutations(self, rulebook: Rulebook, test: RuleTest, path: str, *, strict: bool = True) -> None:
        """
        Count a clean test without its needs, and with each branch turned round.

        Args:
            strict:
                Whether one that stays quiet without the need fails. A snippet of a
                specification may have another reason to be quiet; it is told.
        """
        mutation = mutate(rulebook, test) if self.mutating else None
        name = f"{path}: {test.rule}: {test.name}"
        if mutation is not None:
            self.total += 1
            self.failures += strict and not mutation.fires
            if self.verbose or not mutation.fires:
                word = "ok  " if mutation.fires else "FAIL" if strict else "note"
                self._quiet(word, f"{name}, without the need at {', '.join(mutation.removed)}", mutation.why)
        for flip in flips(rulebook, test) if self.mutating else ():
            self.turned += 1
            if self.verbose or not flip.fires:
                self._quiet("ok  " if flip.fires else "note", f"{name}, {flip.words}", flip.why)

    def _quiet(self, word: str, name: str, why: str) -> None:
        click.echo(f"{word} {name}")
        if why:
            click.echo(f"     stays quiet: {why}")


def _run_specification(path: str, tally: Tally) -> None:
    """Run the blocks of Rust in a Markdown file, each under the rules above it."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: can't be read: {error}") from error
    for example in examples(text, path):
        tally.verdict(f"{path}:{example.line}: {example.name}", run_example(example))
        rulebook = select_rules((example.pack,), Settings(), Choice())
        for rule in example.pack.rules:
            test = RuleTest(rule.head.id, example.name, example.files, example.edition)
            tally.mutations(rulebook, test, path, strict=False)


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
