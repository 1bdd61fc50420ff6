"""What several formats share: the order of findings, words for levels, columns in characters, escapes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from inroads.facts import MOST_FROM_TESTS, Finding, Fingerprint, Level, Report

LEVEL_ORDER: dict[Level, int] = {"deny": 0, "warn": 1, "allow": 2}
LEVEL_WORD: dict[Level, str] = {"deny": "error", "warn": "warning", "allow": "note"}


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Denied before warned, sure before maybe, higher rank first, then by place."""
    return sorted(
        findings,
        key=lambda one: (
            LEVEL_ORDER[one.level],
            one.certainty == "maybe",
            -one.rank,
            one.path,
            one.line,
            one.column,
            one.rule,
        ),
    )


def digest(fingerprint: Fingerprint) -> str:
    """A fingerprint as 64 hex digits."""
    parts = (
        fingerprint.rule,
        fingerprint.function,
        fingerprint.callee,
        fingerprint.call,
        fingerprint.context,
    )
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()


def unique_digests(findings: Iterable[Finding]) -> list[str]:
    """A digest for each finding; equal ones are told apart by their number, in the given order."""
    seen: dict[str, int] = {}
    made = []
    for finding in findings:
        first = digest(finding.fingerprint)
        number = seen.get(first, 0)
        seen[first] = number + 1
        made.append(first if number == 0 else hashlib.sha256(f"{first}{number}".encode()).hexdigest())
    return made


def character_column(report: Report, path: str, line: int, column: int) -> int:
    """A column in bytes as a column in characters, where the report carries the line; else as it is."""
    text = report.sources.get(f"{path}:{line}")
    if text is None:
        return column
    return len(text.encode(errors="surrogatepass")[: column - 1].decode(errors="replace")) + 1


def visible(text: str, keep: str = "") -> str:
    """
    The text with control and bidirectional characters shown as `\\u{202e}`.

    So a name in the analysed code can neither move a terminal's cursor nor turn
    a line around. `keep` holds control characters to leave, a line feed for instance.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if one in keep or not _is_hidden(one) else f"\\u{{{ord(one):x}}}" for one in text)


def _is_hidden(one: str) -> bool:
    code = ord(one)
    return (
        code < 0x20
        or 0x7F <= code < 0xA0
        or 0xD800 <= code < 0xE000
        or one in "\u061c\u200b\u200e\u200f\u2028\u2029\ufeff"
        or 0x202A <= code <= 0x202E
        or 0x2060 <= code <= 0x206F
        or code in (0xFFFE, 0xFFFF)
    )


def counted(number: int, noun: str) -> str:
    """`1 finding`, `2 findings`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def from_tests(roads: int) -> str:
    """How many roads begin in tests; beyond 100 they are not counted."""
    return f"more than {MOST_FROM_TESTS} roads" if MOST_FROM_TESTS < roads else counted(roads, "road")
