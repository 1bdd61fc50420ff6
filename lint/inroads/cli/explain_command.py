"""`inroads explain`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from inroads.builtin import BUILT_IN
from inroads.cli.options import complete_rule, read_rulebook
from inroads.cli.place import find_place
from inroads.cli.terminal import look, write_output
from inroads.facts import Report
from inroads.marks import stripped
from inroads.report import Look, render
from inroads.rulebook import Rulebook, RuleTest, load_rulebook
from inroads.settings import read_settings
from inroads.testkit import run_test


@click.command("explain")
@click.argument("rule", shell_complete=complete_rule)
@click.option("--rules", multiple=True, metavar="PATH", help="Add rules from a pack, or a folder of packs.")
@click.option("--color", "--colour", "colour", type=click.Choice(("auto", "always", "never")), default="auto")
def command(rule: str, rules: tuple[str, ...], colour: str) -> int:
    """
    Tell why a rule exists, with an example that fires, what is said of it, and one that is right.

    \b
    inroads explain error-dropped
    inroads explain my-rule --rules mine.toml
    """
    return explain(rule, rules, colour)


def explain(id: str, rules: Sequence[str], colour: str) -> int:
    """Print the explanation of a rule; raises UsageError for an unknown one."""
    root = find_place(()).root
    rulebook = read_rulebook(root, read_settings(root), rules)
    if id in BUILT_IN:
        write_output(_built_in(id, look(sys.stdout, Path(root), colour)), None)
        return 0
    head = rulebook.find(id).head
    parts = [f"{head.id} ({head.kind}, {head.level}, from {head.path or head.pack})\n{head.title}\n"]
    parts.append(f"{head.why}\n")
    if head.help:
        parts.append(f"help: {head.help}\n")
    tests = [_without_marks(test) for pack in rulebook.packs for test in pack.tests if test.rule == id]
    fires = [test.fires for pack in rulebook.packs for test in pack.tests if test.rule == id]
    parts += _examples(rulebook, list(zip(tests, fires, strict=True)), look(sys.stdout, Path(root), colour))
    parts.append(f'Allow one with:  // inroads: allow({id}) reason = "..."\n')
    write_output("\n".join(parts), None)
    return 0


def _examples(rulebook: Rulebook, tests: Sequence[tuple[RuleTest, bool]], shown: Look) -> list[str]:
    """The first test that fires with what is said of it, and the first that stays quiet."""
    parts = []
    bad = next((test for test, fires in tests if fires), None)
    good = next((test for test, fires in tests if not fires), None)
    if bad is not None:
        parts.append(f"Bad: {bad.name}\n\n{_code(bad)}")
        parts.append(_told(run_test(rulebook, bad), shown))
    if good is not None:
        parts.append(f"Good: {good.name}\n\n{_code(good)}")
        parts.append(_told(run_test(rulebook, good), shown))
    return parts


def _told(report: Report, shown: Look) -> str:
    """What is said of an example, indented: its findings, or the summary where there are none."""
    lines = render(report, "text", Look(colour=shown.colour, width=shown.width)).splitlines()
    kept = lines[:-1] if report.findings else lines[-1:]
    return "".join(f"    {line}\n" for line in kept).rstrip() + "\n"


def _built_in(id: str, shown: Look) -> str:
    """The explanation of a rule that no pack holds."""
    # Its examples are run with the rules that ship, whatever is settled here.
    from inroads.samples import SAMPLES, run_sample

    rulebook = load_rulebook()
    one = BUILT_IN[id]
    parts = [f"{id} ({one.kind}, {one.level})\n{one.title}\n", f"{one.why}\n"]
    for word, sample in zip(("Bad", "Good"), SAMPLES[id], strict=True):
        code = "".join(f"    {line}".rstrip() + "\n" for line in sample.code.splitlines())
        parts.append(f"{word}: {sample.name}\n\n{code}")
        parts.append(_told(run_sample(rulebook, id, sample), shown))
    return "\n".join(parts)


def _without_marks(test: RuleTest) -> RuleTest:
    return replace(test, files=tuple((path, stripped(text).strip("\n") + "\n") for path, text in test.files))


def _code(test: RuleTest) -> str:
    """The files of a test, indented."""
    parts = []
    for path, text in test.files:
        if len(test.files) > 1:
            parts.append(f"    // {path}\n")
        parts += [f"    {line}".rstrip() + "\n" for line in text.splitlines()]
    return "".join(parts)
