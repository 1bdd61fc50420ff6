"""
Expectations written into Rust: `//~ rule-id` on the line that must fire, nothing elsewhere.

    save();                     //~ error-only-logged
    sync(a); sync(b);           //~ first-rule, second-rule
    //~^ other-rule             speaks of the line above; each further ^ of one more

A mark wants exactly one finding for each rule that it names, or as many as its
name is written. A word in brackets behind a name narrows it: `(maybe)`,
`(sure)`, `(deny)`, `(logged)`. What was wanted and not found is *missing*, what was found and not wanted is
*noisy*; either fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from inroads.facts import Finding

_MARK = re.compile(r"//~(?P<up>\^*)[ \t]*(?P<names>[^\n]*)")
_NAME = re.compile(r"(?P<rule>[a-z][a-z0-9-]*)\s*(?:\((?P<words>[^)]*)\))?")


class Expectation(msgspec.Struct, frozen=True, order=True):
    """One finding that must be there; `words` are certainties, levels or fates that it must have."""

    path: str
    line: int
    rule: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        words = f" ({', '.join(self.words)})" if self.words else ""
        return f"{self.path}:{self.line} {self.rule}{words}"

    def matches(self, finding: Finding) -> bool:
        """Whether the finding is the one that was expected."""
        having = {finding.certainty, finding.level, finding.fate, finding.how}
        return (
            (self.path, self.line, self.rule) == (finding.path, finding.line, finding.rule)
            and having.issuperset(self.words)
        )  # fmt: skip


class Verdict(msgspec.Struct, frozen=True):
    """What was wanted and not found, and what was found and not wanted; `hints` may be why."""

    missing: tuple[Expectation, ...]
    noisy: tuple[Finding, ...]
    hints: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all that was wanted was found, and nothing else."""
        return not self.missing and not self.noisy

    def lines(self) -> list[str]:
        """One line for each miss."""
        return (
            [f"missing: {one}" for one in self.missing]
            + [
                f"noisy:   {one.path}:{one.line}:{one.column} {one.rule} ({one.certainty}): {one.message}"
                for one in self.noisy
            ]
            + [f"hint:    {one}" for one in self.hints if not self.passed]
        )


def expectations(path: str, text: str) -> tuple[Expectation, ...]:
    """
    The marks of one file, sorted.

    Raises:
        ValueError: A mark that names no rule, or that points above the file.
    """
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        mark = _MARK.search(line)
        if mark is None:
            continue
        target = number - len(mark["up"])
        names = mark["names"].strip()
        at = 0
        while at < len(names):
            name = _NAME.match(names, at)
            if name is None or target < 1:
                raise ValueError(f"{path}:{number}: can't read the mark `//~{mark['up']} {names}`")
            words = tuple(sorted(word.strip() for word in (name["words"] or "").split(",") if word.strip()))
            found.append(Expectation(path, target, name["rule"], words))
            at = name.end()
            while at < len(names) and names[at] in ", \t":
                at += 1
        if not names:
            raise ValueError(f"{path}:{number}: the mark names no rule")
    return tuple(sorted(found))


def compare(
    files: Mapping[str, str], findings: Iterable[Finding], rules: frozenset[str] | None = None
) -> Verdict:
    """
    Hold findings against the marks of the files.

    Args:
        rules: Only these rules are compared; None means all.
    """
    wanted = [
        one
        for path in sorted(files)
        for one in expectations(path, files[path])
        if rules is None or one.rule in rules
    ]
    noisy = []
    # The most demanding marks choose first, so that a plain one takes what is left.
    wanted.sort(key=lambda one: (-len(one.words), one))
    for finding in findings:
        if rules is not None and finding.rule not in rules:
            continue
        match = next((one for one in wanted if one.matches(finding)), None)
        if match is None:
            noisy.append(finding)
        else:
            wanted.remove(match)
    return Verdict(tuple(sorted(wanted)), tuple(noisy))


def stripped(text: str) -> str:
    """The text without its marks."""
    return "\n".join(_MARK.sub("", line).rstrip() for line in text.splitlines() if line.strip()[:3] != "//~")
