"""
Tests of tests: without the need, a clean test must fire.

A test that stays quiet though nothing was done proves nothing about the
rule. So each call that does a need is taken out of each clean test of an
order rule, and the rule is run again. Then each branch is turned round, one at
a time: what was done on one side is done on the other. A test that stays quiet
after that may be right, and is told with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from inroads.analyses.order.rule import OrderRule
from inroads.fingerprint import call_span
from inroads.pattern import Pattern, last_names
from inroads.rulebook import Rulebook, RuleTest
from inroads.rust.extract import extract
from inroads.testkit import run_test
from inroads.tokens import Tokens, tokenise

_WORD = re.compile(rb"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Mutation:
    """
    A clean test without its needs; `removed` are the places of the calls that were taken out.

    `why` says what may keep it quiet; "" where it fires.
    """

    test: RuleTest
    removed: tuple[str, ...]
    fires: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Flip:
    """A clean test with the sides of one branch exchanged; `why` says what may keep it quiet, "" where it fires."""

    place: str
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
    """Each branch of a clean test turned round, and whether the rule fires then."""
    rule = rulebook.find(test.rule)
    if test.fires or not isinstance(rule, OrderRule):
        return ()
    found = []
    for path, text in test.files:
        for branch in branches(text.encode()):
            changed = branch.flipped(text.encode()).decode()
            files = tuple((one, changed if one == path else old) for one, old in test.files)
            fires = _fires(rulebook, replace(test, files=files))
            place = f"{path}:{text.encode().count(10, 0, branch.start) + 1}"
            found.append(Flip(place, fires, "" if fires else _quiet_after(rule, text.encode(), branch)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Branch:
    """An `if` with its blocks; offsets of [start, end), `otherwise` None where there is no `else`."""

    start: int
    then: tuple[int, int]
    otherwise: tuple[int, int] | None

    @property
    def end(self) -> int:
        """Where the last block ends."""
        return self.then[1] if self.otherwise is None else self.otherwise[1]

    def flipped(self, text: bytes) -> bytes:
        """The text with the blocks exchanged; a missing `else` is an empty block, `else if` is put in braces."""
        then = text[slice(*self.then)]
        otherwise = b"{}" if self.otherwise is None else text[slice(*self.otherwise)]
        if not otherwise.startswith(b"{"):
            otherwise = b"{ " + otherwise + b" }"
        return text[: self.then[0]] + otherwise + b" else " + then + text[self.end :]


def branches(text: bytes) -> tuple[Branch, ...]:
    """Each `if` and `if let` of a text that has a block; guards of match arms have none."""
    tokens = tokenise(text)
    found = []
    for index, token in enumerate(tokens.texts):
        if token == b"if":
            branch = _branch(tokens, index)
            if branch is not None:
                found.append(branch)
    return tuple(found)


def _branch(tokens: Tokens, index: int) -> Branch | None:
    count = len(tokens.texts)
    at = index + 1
    while at < count and tokens.texts[at] != b"{":
        if tokens.texts[at] in (b"=>", b";", b"}"):
            return None
        at = max(tokens.partner[at], at) + 1 if tokens.texts[at] in (b"(", b"[") else at + 1
    if at >= count:
        return None
    close = tokens.partner[at]
    then = (tokens.starts[at], tokens.starts[close] + 1)
    if tokens.texts[close + 1 : close + 2] != (b"else",):
        return Branch(tokens.starts[index], then, None)
    after = close + 2
    if tokens.texts[after : after + 1] == (b"{",):
        end = tokens.starts[tokens.partner[after]] + 1
        return Branch(tokens.starts[index], then, (tokens.starts[after], end))
    # A chain `else if .. else if ..` ends where its last one ends.
    inner = _branch(tokens, after) if tokens.texts[after : after + 1] == (b"if",) else None
    return Branch(tokens.starts[index], then, (inner.start, inner.end)) if inner is not None else None


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


def _quiet_after(rule: OrderRule, text: bytes, branch: Branch) -> str:
    """Why it may be right that turning a branch round changes nothing."""
    inside = text[branch.start : branch.end]
    outside = text[: branch.start] + text[branch.end :]
    needs, targets = _names(rule.needs), _names(rule.targets)
    if _mentions(inside, needs):
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
