"""
Tests of tests: without the need, a clean test must fire.

A test that stays quiet though nothing was done proves nothing about the
rule. So each call that does a need is taken out of each clean test of an
order rule, and the rule is run again. Then each branch is turned round, one at
a time: what was done on one side is done on the other, an arm's guard or a `?` is
left out. A test that stays quiet after that may be right, and is told with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

import msgspec
from msgspec.structs import replace

from inroads.analyses.order.rule import OrderRule
from inroads.branches import WORDS, Branch, branches
from inroads.fingerprint import call_span
from inroads.pattern import Pattern, last_names
from inroads.rulebook import Rulebook, RuleTest
from inroads.rust.extract import extract
from inroads.testkit import run_test
from inroads.tokens import tokenise

_WORD = re.compile(rb"[A-Za-z_]\w*")


class Mutation(msgspec.Struct, frozen=True):
    """
    A clean test without its needs; `removed` are the places of the calls that were taken out.

    `why` says what may keep it quiet; "" where it fires.
    """

    test: RuleTest
    removed: tuple[str, ...]
    fires: bool
    why: str = ""


class Flip(msgspec.Struct, frozen=True):
    """
    A clean test with one branch turned round, in words that name its place.

    `why` says what may keep it quiet; "" where it fires.
    """

    words: str
    fires: bool
    why: str = ""


def mutate(rulebook: Rulebook, test: RuleTest) -> Mutation | None:
    """The test without what does the need, run; None where there is nothing to take out."""
    rule = rulebook.find(test.rule)
    if test.fires or not isinstance(rule, OrderRule):
        return None
    names = need_names(rule)
    files = []
    removed: list[str] = []
    for path, text in test.files:
        changed, places = without_calls(text.encode(), names)
        files.append((path, changed.decode()))
        removed += [f"{path}:{line}" for line in places]
    if not removed:
        return None
    mutant = replace(test, files=tuple(files))
    fires = _fires(rulebook, mutant)
    return Mutation(mutant, tuple(removed), fires, "" if fires else _quiet_without(rule, test))


def flips(rulebook: Rulebook, test: RuleTest) -> tuple[Flip, ...]:
    """Each branch of a clean test turned round, one at a time, and whether the rule fires then."""
    rule = rulebook.find(test.rule)
    if test.fires or not isinstance(rule, OrderRule):
        return ()
    found = []
    for path, text in test.files:
        for branch in branches(text.encode()):
            changed = branch.flipped(text.encode()).decode()
            files = tuple((one, changed if one == path else old) for one, old in test.files)
            fires = _fires(rulebook, replace(test, files=files))
            place = f"{path}:{line_of(text.encode(), branch)}"
            why = "" if fires else quiet_after(rule, text.encode(), branch)
            found.append(Flip(WORDS[branch.kind].format(place), fires, why))
    return tuple(found)


def _fires(rulebook: Rulebook, test: RuleTest) -> bool:
    return any(one.rule == test.rule for one in run_test(rulebook, test).findings)


def need_names(rule: OrderRule) -> set[str]:
    """The names of the calls that do what a rule needs; they may hold `*`."""
    return _names(rule.needs)


def _names(patterns: Iterable[Pattern]) -> set[str]:
    return {name for pattern in patterns for name in last_names(pattern)} - {"*"}


def _quiet_without(rule: OrderRule, test: RuleTest) -> str:
    """What else may keep a test quiet that has no need."""
    text = "\n".join(text for _, text in test.files).encode()
    if not _mentions(text, _names(rule.targets)):
        return "its target is never called"
    if _mentions(text, _names(rule.evidence)):
        return "it holds evidence of the need"
    if rule.initially == "met":
        return "the need is met at first, and nothing undoes it here"
    if rule.bad is not None and _mentions(text, _names(rule.fails)):
        return "the failing function may tolerate the bad state"
    return "something other than the need keeps it quiet, so it proves nothing about the need"


def line_of(text: bytes, branch: Branch) -> int:
    """The line of what is changed, from 1."""
    return text.count(10, 0, branch.edits[0][0]) + 1


def quiet_after(rule: OrderRule, text: bytes, branch: Branch) -> str:
    """Why it may be right that turning a branch round changes nothing."""
    inside = text[branch.start : branch.end]
    outside = text[: branch.start] + text[branch.end :]
    needs, targets = _names(rule.needs), _names(rule.targets)
    if branch.kind == "try":
        if not _mentions(inside, needs):
            return "what may fail here is not the need"
        return "the need counts though it may fail, or is done elsewhere as well"
    if _mentions(inside, needs):
        if branch.kind == "while":
            return "a loop may make no turn, whichever way its condition goes"
        if _mentions(outside, needs):
            return "the need is done outside of this branch as well"
        return "each side is right by itself, whichever way the condition goes"
    if _mentions(inside, targets):
        return "the call in this branch has its need before the branch"
    return "neither the call nor its need stands in this branch"


def _mentions(text: bytes, names: Iterable[str]) -> bool:
    """Whether one of the names, which may hold `*`, is a word of the text behind which no `fn` stands."""
    globs = [name.rstrip("!{").lstrip(".") for name in names]
    tokens = tokenise(text).texts
    return any(
        _WORD.fullmatch(token)
        and tokens[at - 1 : at] != (b"fn",)
        and any(fnmatchcase(token.decode("utf-8", "replace"), glob) for glob in globs)
        for at, token in enumerate(tokens)
    )


def without_calls(text: bytes, names: Iterable[str]) -> tuple[bytes, list[int]]:
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
