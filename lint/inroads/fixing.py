"""
The repairs that can be made without changing what the program does: allow comments that nothing needs go.

Whatever else mends a finding (`?`, another signature, an act on the error)
changes what the program does, and is for a person to choose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from inroads.allow import unused_rule
from inroads.facts import Finding
from inroads.lines import LineIndex
from inroads.rust.extract import extract
from inroads.tokens import tokenise

_RULES = re.compile(rb"(?P<before>inroads:\s*allow\s*\()(?P<rules>[^()]*)(?P<after>\))")


class Fixed(msgspec.Struct, frozen=True):
    """
    What was taken out.

    Args:
        texts: Path -> the whole new text, for each file that changes.
        places: (path, line in the text before, rule) of each, sorted.
        left: Findings that no repair of this sort mends.
    """

    texts: dict[str, bytes]
    places: tuple[tuple[str, int, str], ...]
    left: tuple[Finding, ...]


def without_unused(
    findings: Iterable[Finding], text_of: Callable[[str], bytes], moved: Callable[[str, int], int]
) -> Fixed:
    """
    The texts without the rules of allow comments that nothing needs; a comment that names no other goes whole.

    Args:
        moved: Where the line of a finding stands in the text now.
    """
    wanted: dict[str, dict[int, set[str]]] = {}
    left: list[Finding] = []
    for one in findings:
        rule = unused_rule(one)
        if rule is None:
            left.append(one)
        else:
            wanted.setdefault(one.path, {}).setdefault(one.line, set()).add(rule)
    texts: dict[str, bytes] = {}
    places: list[tuple[str, int, str]] = []
    for path in sorted(wanted):
        text = text_of(path)
        # From the end, so that no line moves before its turn.
        for line in sorted(wanted[path], reverse=True):
            made = _without(text, moved(path, line), wanted[path][line])
            if made is not None:
                text = made
                places.extend((path, line, rule) for rule in sorted(wanted[path][line]))
        if text != text_of(path):
            texts[path] = text
    return Fixed(texts, tuple(sorted(places)), tuple(left))


def _without(text: bytes, line: int, rules: set[str]) -> bytes | None:
    """The text without these rules in the allow comment of a line; None where that is not surely all that changes."""
    facts = extract(text)
    lines = LineIndex(facts.line_starts, facts.size)
    comment = next((one for one in facts.comments if lines.line(one.start) == line), None)
    if comment is None:
        return None
    whole = text[comment.start : comment.end]
    match = _RULES.search(whole)
    if match is None:
        return None
    names = [name.strip() for name in match["rules"].decode().split(",") if name.strip()]
    kept = [name for name in names if name not in rules]
    if len(kept) == len(names):
        return None
    if kept:
        start, end = match.span("rules")
        new = whole[:start] + ", ".join(kept).encode() + whole[end:]
        made = text[: comment.start] + new + text[comment.end :]
    else:
        made = _cut(text, comment.start, comment.end)
    return made if tokenise(made).texts == tokenise(text).texts else None


def _cut(text: bytes, start: int, end: int) -> bytes:
    """The text without a comment: with its line, where it stands alone, else with the space before it."""
    first = text.rfind(b"\n", 0, start) + 1
    last = text.find(b"\n", end)
    last = len(text) if last < 0 else last + 1
    if not text[first:start].strip() and not text[end:last].strip():
        return text[:first] + text[last:]
    return text[:start].rstrip(b" \t") + text[end:]
