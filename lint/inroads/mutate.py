"""
Tests of tests: without the need, a clean test must fire.

A test that stays quiet though nothing was done proves nothing about the
rule. So each call that does a need is taken out of each clean test of an
order rule, and the rule is run again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from inroads.analyses.order.rule import OrderRule
from inroads.fingerprint import call_span
from inroads.pattern import last_names
from inroads.rulebook import Rulebook, RuleTest
from inroads.rust.extract import extract
from inroads.testkit import run_test
from inroads.tokens import tokenise

_WORD = re.compile(rb"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Mutation:
    """A clean test without its needs; `removed` are the places of the calls that were taken out."""

    test: RuleTest
    removed: tuple[str, ...]
    fires: bool


def mutate(rulebook: Rulebook, test: RuleTest) -> Mutation | None:
    """The test without what does the need, run; None where there is nothing to take out."""
    rule = rulebook.find(test.rule)
    if test.fires or not isinstance(rule, OrderRule):
        return None
    names = {name for pattern in rule.needs for name in last_names(pattern)} - {"*"}
    files = []
    removed: list[str] = []
    for path, text in test.files:
        changed, places = _without_calls(text.encode(), names)
        files.append((path, changed.decode()))
        removed += [f"{path}:{line}" for line in places]
    if not removed:
        return None
    mutant = replace(test, files=tuple(files))
    report = run_test(rulebook, mutant)
    return Mutation(mutant, tuple(removed), any(one.rule == test.rule for one in report.findings))


def _without_calls(text: bytes, names: Iterable[str]) -> tuple[bytes, list[int]]:
    """The text with `()` for each call of these names, and the lines where they stood; no line moves."""
    globs = [name.rstrip("!{").lstrip(".") for name in names]
    facts = extract(text)
    tokens = tokenise(text)
    spans: list[tuple[int, int]] = []
    for index, token in enumerate(tokens.texts):
        after = tokens.texts[index + 1 : index + 2]
        before = tokens.texts[index - 1 : index]
        if not _WORD.fullmatch(token) or after not in ((b"(",), (b"!",), (b"::",)) or before == (b"fn",):
            continue
        if any(fnmatchcase(token.decode("utf-8", "replace"), glob) for glob in globs):
            spans.append(call_span(text, facts, tokens.starts[index]))
    places = []
    for start, end in sorted(_outermost(spans), reverse=True):
        places.append(text.count(b"\n", 0, start) + 1)
        text = text[:start] + b"()" + b"\n" * text.count(b"\n", start, end) + text[end:]
    return text, sorted(places)


def _outermost(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that lie in no other."""
    kept: list[tuple[int, int]] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not kept or kept[-1][1] <= start:
            kept.append((start, end))
    return kept
