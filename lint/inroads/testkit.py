"""
Runs the `//~` expectations of rules, specifications and workspaces.

A specification is Markdown that tells behaviour as prose: a block of `toml`
gives the rules for the blocks of `rust` below it, up to the next block of
`toml`. A line `//# path` in a block begins another file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from inroads.analyses.base import Rule
from inroads.builtin import BUILT_IN
from inroads.check import Loaded, Options, check, load
from inroads.facts import Finding, Report
from inroads.marks import Verdict, compare
from inroads.rulebook import Choice, Pack, Rulebook, RuleTest, read_pack, select_rules
from inroads.settings import Settings, load_toml
from inroads.workspace import MemoryTree

_BLOCK = re.compile(
    r"^```(?P<language>toml|rust)[ ]*(?P<words>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_HEADING = re.compile(r"^#+ +(?P<text>.+)$", re.MULTILINE)
_FILE = re.compile(r"^//# +(?P<path>\S+)\s*\n", re.MULTILINE)


class Example(msgspec.Struct, frozen=True):
    """A block of Rust in a specification, with the rules that judge it; `name` is its heading and number."""

    name: str
    line: int
    files: tuple[tuple[str, str], ...]
    edition: str
    pack: Pack


def examples(text: str, path: str) -> tuple[Example, ...]:
    """
    The examples of a specification, in order.

    Raises:
        SettingsError: A block of rules that is wrong.
    """
    found: list[Example] = []
    pack: Pack | None = None
    heading = path
    number = 0
    pieces = sorted((*_BLOCK.finditer(text), *_HEADING.finditer(text)), key=lambda match: match.start())
    end = 0
    for match in pieces:
        if match.start() < end:
            # A comment of a TOML block looks like a heading.
            continue
        line = text.count("\n", 0, match.start()) + 1
        if match.re is _HEADING:
            heading, number = match["text"].strip(), 0
            continue
        end = match.end()
        if match["language"] == "toml":
            pack = read_pack(
                _filled(load_toml(match["text"], f"{path}:{line}")), f"{path}:{line}", tests="optional"
            )
        elif pack is not None:
            number += 1
            edition = match["words"].removeprefix("edition=") or "2021"
            name = heading if number == 1 else f"{heading}, {number}"
            found.append(Example(name, line, _files(match["text"]), edition, pack))
    return tuple(found)


def run_example(example: Example) -> Verdict:
    """Whether the rules of a specification find in an example what its marks say, and nothing else."""
    return compare(dict(example.files), findings_in(example))


def findings_in(example: Example) -> tuple[Finding, ...]:
    """What the rules of a specification find in an example."""
    rulebook = select_rules((example.pack,), Settings(), Choice())
    rulebook = replace(
        rulebook, active=tuple(_running(rule) for rule in rulebook.rules), disabled=tuple(BUILT_IN)
    )
    test = RuleTest("", example.name, example.files, example.edition)
    return _report(rulebook, test).findings


def run_test(rulebook: Rulebook, test: RuleTest) -> Report:
    """The report of a rule's test, by that rule alone."""
    return _report(
        replace(rulebook, active=(_running(rulebook.find(test.rule)),), disabled=tuple(BUILT_IN)), test
    )


def run_pack_test(rulebook: Rulebook, test: RuleTest) -> Verdict:
    """Whether a rule's test holds."""
    report = run_test(rulebook, test)
    verdict = compare(dict(test.files), report.findings, frozenset({test.rule}))
    return replace(verdict, hints=_hints(report))


def _hints(report: Report) -> tuple[str, ...]:
    """What a report says of its rule, or of code that could not be read: it may be why a test fails."""
    return (
        *(one.message for one in report.notes if one.kind in ("inactive-rule", "rule-health")),
        *(
            f"{one.path}:{one.line}: {one.message}" if one.kind != "rule" else one.message
            for one in report.problems
        ),
    )


def check_marks(loaded: Loaded, rulebook: Rulebook, settings: Settings, options: Options) -> Verdict:
    """Whether all rules find in a workspace what its marks say, and nothing else."""
    report = check(loaded, rulebook, settings, options)
    files = {path: loaded.tree.read(path).decode("utf-8", "replace") for path in loaded.files}
    return compare(files, report.findings)


def _report(rulebook: Rulebook, test: RuleTest) -> Report:
    """What the active rules say of the files of a test."""
    files = {path: text.encode() for path, text in test.files}
    manifest = f'[package]\nname = "example"\nversion = "0.1.0"\nedition = "{test.edition}"\n'
    files.setdefault("Cargo.toml", manifest.encode())
    loaded = load(MemoryTree(files), externs=rulebook.externs)
    # A target that is missing from a test is a mistake of the test, and shows as a missing finding.
    return check(loaded, rulebook, Settings(), Options(demand_targets=False))


def _files(text: str) -> tuple[tuple[str, str], ...]:
    """The files of a block of Rust, sorted; what stands before the first `//#` is src/lib.rs."""
    parts = _FILE.split(text)
    files = dict(zip(parts[1::2], parts[2::2], strict=True))
    if parts[0].strip() or not files:
        files["src/lib.rs"] = parts[0]
    return tuple(sorted(files.items()))


def _filled(table: Mapping[str, object]) -> Mapping[str, object]:
    """The table of rules with a title and a reason where a specification leaves them out."""
    rules = table.get("rule", [])
    if isinstance(rules, list):
        for rule in rules:
            if isinstance(rule, dict):
                rule.setdefault("title", str(rule.get("id", "")))
                rule.setdefault("why", "a specification")
    return table


def _running(rule: Rule) -> Rule:
    """The rule, even if it is switched off by default: its tests hold all the same."""
    if rule.head.level != "allow":
        return rule
    return cast(Rule, replace(cast(Any, rule), head=replace(rule.head, level="warn", forced=True)))
