"""
Lexical passes that need no tree: a file's comments, and what separates the tokens of a macro call.

Both know strings, characters and nested comments. Every loop moves forward, so they are linear.
"""

from __future__ import annotations

import re

from inroads.rust.text import Wire, widened

_CHARACTER = r"'(?:[\x80-\xff]{2,4}|[^'\\]|\\(?:u\{[^}']*\}|x[0-9a-fA-F]{2}|.))'"
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'

# Code, strings, characters and documentation up to a comment, or to a quote that is no plain string.
# Documentation that speaks to this linter is kept, so that its author can be told that it is not heard.
_NO_COMMENT = re.compile(
    rf"""(?:[^/"']++|/(?![/*])|//(?:!|/(?!/|[ \t]*inroads:))[^\n]*+|(?<![r\#]){_STRING}|{_CHARACTER}|'|(?!))*+""",
    re.DOTALL,
)
# The same for a macro call: up to a bracket or a sign that separates.
_NO_SIGN = re.compile(
    r"""(?:[^/"'()\[\]{},;=!<>+\-*%?^&|]++|/(?![/*])|//[^\n]*+"""
    rf"""|{_CHARACTER}|'|[=!<>+\-*/%^&|]=|[!<>+\-*^&|]|(?!))*+""",
    re.DOTALL,
)
_STRING_REST = re.compile(r"""[^"\\]*+(?:\\.[^"\\]*+)*+\"""", re.DOTALL)
_BLOCK_COMMENT = re.compile(r"/\*|\*/")
_OPEN = frozenset("([{")
_CLOSE = frozenset(")]}")
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


_LITERAL = re.compile(rf"""{_CHARACTER}|\br(#*)".*?"\1|{_STRING}""", re.DOTALL)


_MOST_QUOTES = 200
_LONGEST_CALL = 50_000


def repeats(tokens: str) -> bool:
    """Whether tokens hold a repetition of a macro's body, `$(..)`; in a string it is text."""
    if "$(" not in tokens:
        return False
    # What looks like the beginning of a string is followed to the end, should there be no other.
    if _LONGEST_CALL < len(tokens) or _MOST_QUOTES < tokens.count('"'):
        return True
    return "$(" in _LITERAL.sub("", tokens)


class Site:
    """
    A token tree: where it stands and what separates it at its own level.

    `separators` are (sign, position) with sign one of `,` `;` `=>` `=` `%` (a
    sigil of a logging macro); `strings` are the string literals at its own level.
    """

    __slots__ = ("end", "separators", "start", "strings")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.separators: list[tuple[str, int]] = []
        self.strings: list[tuple[int, int]] = []


def read_comments(chars: str) -> list[Wire]:
    """The comments that are no documentation, in order."""
    comments: list[Wire] = []
    at = 0
    size = len(chars)
    skip = _NO_COMMENT.match
    while at < size:
        found = skip(chars, at)
        at = size if found is None else found.end()
        if at == size:
            break
        start = at
        if chars[at] == '"':
            end = _past_string(chars, at)
            if end is None:
                break
            at = end
        elif chars[at + 1] == "/":
            at = chars.find("\n", at)
            at = size if at < 0 else at
            _comment(chars, start, at, comments)
        else:
            at = _past_block_comment(chars, at + 2)
            _comment(chars, start, at, comments)
    return comments


def inner_site(chars: str, start: int, end: int) -> Site:
    """What separates the tokens of the tree from `start` to `end`, brackets included."""
    site = Site(start, end)
    at = start + 1
    end -= 1
    level = 0
    skip = _NO_SIGN.match
    while at < end:
        found = skip(chars, at, end)
        at = end if found is None else found.end()
        if end <= at:
            break
        sign = chars[at]
        place = at
        at += 1
        if sign in _OPEN:
            level += 1
        elif sign in _CLOSE:
            level -= 1
        elif sign == '"':
            past = _past_string(chars, place)
            if past is None:
                break
            at = past
            if not level:
                site.strings.append((_string_start(chars, place), at))
        elif sign == "/":
            at = _past_block_comment(chars, at + 1)
        elif level:
            continue
        elif sign == ",":
            site.separators.append((",", place))
        elif sign == ";":
            site.separators.append((";", place))
        elif sign == "=":
            if chars[at] == ">":
                site.separators.append(("=>", place))
                at += 1
            else:
                site.separators.append(("=", place))
        elif sign in "%?" and chars[start + 1 : place].rstrip()[-1:] in ("", ",", "="):
            site.separators.append(("%", place))
    return site


def _comment(chars: str, start: int, end: int, comments: list[Wire]) -> None:
    """Keep a comment, unless it is documentation."""
    front = chars[start : start + 4]
    if front[1] == "/":
        text = chars[start:end].lstrip("/").strip()
        if front[2:3] == "/" and front[3:4] != "/":
            text = f"/ {text}"
        if chars[end - 1] == "\r":
            end -= 1
    else:
        if front[2:3] == "!" or (front[2:3] == "*" and front[3:4] not in ("*", "/")):
            return
        text = chars[start + 2 : end - 2].strip("* \t\r\n")
    line = chars.rfind("\n", 0, start) + 1
    alone = not chars[line:start].strip("\ufeff \t\xef\xbb\xbf")
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


def _string_start(chars: str, quote: int) -> int:
    """Where a string whose quote stands there begins: before `r`, `b`, `c` and hashes."""
    at = quote
    while at and chars[at - 1] == "#":
        at -= 1
    if at and chars[at - 1] == "r":
        at -= 1
    elif at != quote:
        return quote
    return at - 1 if at and chars[at - 1] in "bc" else at


def _past_string(chars: str, quote: int) -> int | None:
    """The end of the string that opens with this quote; None if it never ends."""
    at = quote
    while at and chars[at - 1] == "#":
        at -= 1
    hashes = quote - at
    if at and chars[at - 1] == "r" and (at < 2 or chars[at - 2] not in _WORD or chars[at - 2] in "bc"):
        end = chars.find('"' + "#" * hashes, quote + 1)
        return None if end < 0 else end + 1 + hashes
    found = _STRING_REST.match(chars, quote + 1)
    return None if found is None else found.end()


def past_tree(chars: str, at: int) -> int:
    """The end of the token tree whose opening bracket stands before `at`."""
    level = 1
    size = len(chars)
    while level:
        found = _NO_SIGN.match(chars, at)
        at = size if found is None else found.end()
        if at == size:
            return size
        sign = chars[at]
        place = at
        at += 1
        if sign in _OPEN:
            level += 1
        elif sign in _CLOSE:
            level -= 1
        elif sign == '"':
            past = _past_string(chars, place)
            if past is None:
                return size
            at = past
        elif sign == "/":
            at = _past_block_comment(chars, at + 1)
    return at
