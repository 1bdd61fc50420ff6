"""
One lexical pass over a file: its comments, and what its macro calls hold.

The parser leaves the inside of a macro call as loose tokens. This pass finds
each call, its end, and what separates its arguments, without a tree; so that
all of a file's arguments can be parsed again in one go (see macros.py).
Comments and strings are known on the way. Every loop moves forward: the pass is linear.
"""

from __future__ import annotations

import re

from inroads.rust.text import Wire, widened

MAX_MACRO_DEPTH = 6
"""Calls inside calls deeper than this stay closed, so that the text that is parsed again stays linear."""

_CHARACTER = r"'(?:[\x80-\xff]{2,4}|[^'\\]|\\(?:u\{[^}']*\}|x[0-9a-fA-F]{2}|.))'"
_OUTSIDE = re.compile(rf"""//[^\n]*|/\*|\#*"|{_CHARACTER}|'|!\s*[(\[{{]|!\s*\w+\s*[(\[{{]""")
_INSIDE = re.compile(
    rf"""//[^\n]*|/\*|\#*"|{_CHARACTER}|'|!\s*[(\[{{]|[()\[\]{{}},;]|=>|[=!<>+\-*/%^&|]=|=|(?<=[,(=])\s*[%?]"""
)
_STRING_REST = re.compile(r"""[^"\\]*+(?:\\.[^"\\]*+)*+\"""", re.DOTALL)
_BLOCK_COMMENT = re.compile(r"/\*|\*/")
_OPEN = "([{"
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Site:
    """
    A macro call: where its token tree stands and what separates it at its own level.

    `separators` are (sign, position) with sign one of `,` `;` `=>` `=` `%` (a
    sigil of a logging macro); `strings` are the string literals at its own level.
    """

    __slots__ = ("depth", "end", "separators", "start", "strings")

    def __init__(self, start: int, depth: int) -> None:
        self.start = start
        self.end = start
        self.depth = depth
        self.separators: list[tuple[str, int]] = []
        self.strings: list[tuple[int, int]] = []


def scan(chars: str) -> tuple[list[Wire], list[Site]]:
    """The comments that are no documentation, and the macro calls in order of their ends."""
    comments: list[Wire] = []
    sites: list[Site] = []
    stack: list[Site | None] = []
    depth = 0
    at = 0
    size = len(chars)
    outside, inside = _OUTSIDE.search, _INSIDE.search
    while at < size:
        found = inside(chars, at) if stack else outside(chars, at)
        if found is None:
            break
        start, at = found.span()
        sign = chars[start]
        if sign == "/" and chars[start + 1] in "/*":
            if chars[start + 1] == "*":
                at = _past_block_comment(chars, at)
            comment(chars, start, at, comments)
        elif sign == '"' or (sign == "#" and chars[at - 1] == '"'):
            end = _past_string(chars, start, at)
            if end is None:
                break
            at = end
            if stack and stack[-1] is not None:
                stack[-1].strings.append((start, at))
        elif sign == "'":
            continue
        elif sign == "!" and chars[at - 1] in _OPEN:
            if 0 < start and chars[start - 1] in _WORD:
                if chars[start + 1 : at - 1].strip():
                    if chars.endswith("macro_rules", 0, start):
                        at = past_tree(chars, at)
                elif depth < MAX_MACRO_DEPTH:
                    depth += 1
                    stack.append(Site(at - 1, depth))
                else:
                    stack.append(None)
            elif stack:
                stack.append(None)
        elif not stack:
            continue
        elif sign in _OPEN:
            stack.append(None)
        elif sign in ")]}":
            closed = stack.pop()
            if closed is not None:
                depth -= 1
                closed.end = at
                sites.append(closed)
        elif stack[-1] is not None:
            top = stack[-1]
            if sign in ",;":
                top.separators.append((sign, start))
            elif sign == "=" and at - start <= 2:
                if at - start == 1 or chars[start + 1] == ">":
                    top.separators.append((chars[start:at], start))
            elif chars[at - 1] in "%?":
                top.separators.append(("%", at - 1))
    return comments, sites


def inner_site(chars: str, start: int, end: int) -> Site:
    """A bracketed range, as if it were the tokens of a macro call."""
    _, found = scan(f"_!{chars[start:end]}")
    site = found[-1] if found else Site(2, 1)
    shifted = Site(start, 1)
    shifted.end = site.end + start - 2
    shifted.separators = [(sign, place + start - 2) for sign, place in site.separators]
    shifted.strings = [(first + start - 2, last + start - 2) for first, last in site.strings]
    return shifted


def comment(chars: str, start: int, end: int, comments: list[Wire]) -> None:
    """Keep a comment, unless it is documentation."""
    front = chars[start : start + 4]
    if front[1] == "/":
        if front[2:3] == "!" or (front[2:3] == "/" and front[3:4] != "/"):
            return
        text = chars[start:end].lstrip("/").strip()
        if chars[end - 1 : end] == "\r":
            end -= 1
    else:
        if front[2:3] == "!" or (front[2:3] == "*" and front[3:4] not in ("*", "/")):
            return
        text = chars[start + 2 : end - 2].strip("* \t\r\n")
    line = chars.rfind("\n", 0, start) + 1
    alone = not chars[line:start].strip()
    comments.append((start, end, text if text.isascii() else widened(text), alone))


def _past_block_comment(chars: str, at: int) -> int:
    level = 1
    while level:
        found = _BLOCK_COMMENT.search(chars, at)
        if found is None:
            return len(chars)
        at = found.end()
        level += 1 if chars[at - 1] == "*" else -1
    return at


def _past_string(chars: str, start: int, at: int) -> int | None:
    """The end of the string that opens at `at - 1`; None if it never ends."""
    hashes = at - 1 - start
    before = chars[start - 1] if start else ""
    if before == "r" and (start < 2 or chars[start - 2] not in _WORD or chars[start - 2] in "bc"):
        end = chars.find('"' + "#" * hashes, at)
        return None if end < 0 else end + 1 + hashes
    found = _STRING_REST.match(chars, at)
    return None if found is None else found.end()


def past_tree(chars: str, at: int) -> int:
    """The end of the token tree whose opening sign stands before `at`; comments inside are passed over."""
    level = 1
    size = len(chars)
    while level and at < size:
        found = _INSIDE.search(chars, at)
        if found is None:
            return size
        start, at = found.span()
        sign = chars[start]
        if sign == "/" and chars[start + 1 : start + 2] == "*":
            at = _past_block_comment(chars, at)
        elif sign == '"' or (sign == "#" and chars[at - 1] == '"'):
            end = _past_string(chars, start, at)
            if end is None:
                return size
            at = end
        elif chars[at - 1] in _OPEN and sign not in "/'":
            level += 1
        elif sign in ")]}":
            level -= 1
    return at
