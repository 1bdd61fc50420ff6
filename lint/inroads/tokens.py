"""
The tokens of a stretch of Rust text, without white space and comments.

Good enough for comparing text that parsed: it knows strings, raw strings,
characters, lifetimes and nested comments, and pairs the brackets. What is not
Rust gives tokens of one byte; nothing raises.
"""

from __future__ import annotations

import re

import msgspec

_TOKEN = re.compile(
    rb"""
      (?P<skip>\s+|//[^\n]*)
    | (?P<block>/\*)
    | (?P<raw>(?:br|cr|r)(?P<hashes>\#*)")
    | [bc]?"(?:[^"\\]|\\.)*"
    | b?'(?:[^'\\\n]|\\(?:x[0-9a-fA-F]{2}|u\{[^}']*\}|.))'
    | b?'[^\x00-\x7f]{1,4}'
    | '[A-Za-z_]\w*
    | (?:r\#)?[A-Za-z_\x80-\xff][\w\x80-\xff]*
    | [0-9][0-9A-Za-z_]*(?:\.[0-9][0-9A-Za-z_]*)?
    | ->|=>|::|&&|\|\||==|!=|<=|>=|\.\.=|\.\.\.|\.\.
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_SIGN = re.compile(rb"/\*|\*/")
_CLOSING = {b")": b"(", b"]": b"[", b"}": b"{"}
_OPENING = frozenset(_CLOSING.values())


class Tokens(msgspec.Struct, frozen=True):
    """
    Tokens in order.

    Args:
        texts: The text of each.
        starts: The offset of each in the text that was read.
        partner: For a bracket the index of its partner, for others their own index.
        opener: The index of the innermost bracket around each, None outside of all.
    """

    texts: tuple[bytes, ...]
    starts: tuple[int, ...]
    partner: tuple[int, ...]
    opener: tuple[int | None, ...]


def tokenise(text: bytes, start: int = 0, end: int | None = None) -> Tokens:
    """The tokens of `text[start:end]`; offsets are those of `text`."""
    limit = len(text) if end is None else end
    texts: list[bytes] = []
    starts: list[int] = []
    at = start
    while at < limit:
        match = _TOKEN.match(text, at, limit)
        assert match is not None, "the last alternative takes any byte"
        if match["skip"] is not None:
            at = match.end()
        elif match["block"] is not None:
            at = _past_comment(text, match.end(), limit)
        else:
            after = match.end()
            if match["raw"] is not None:
                close = b'"' + match["hashes"]
                found = text.find(close, after, limit)
                after = limit if found < 0 else found + len(close)
            texts.append(text[at:after])
            starts.append(at)
            at = after
    partner, opener = _paired(texts)
    return Tokens(tuple(texts), tuple(starts), partner, opener)


def _past_comment(text: bytes, at: int, limit: int) -> int:
    """Where the comment that was opened before `at` ends; comments nest."""
    depth = 1
    while depth:
        match = _COMMENT_SIGN.search(text, at, limit)
        if match is None:
            return limit
        depth += 1 if match.group() == b"/*" else -1
        at = match.end()
    return at


def _paired(texts: list[bytes]) -> tuple[tuple[int, ...], tuple[int | None, ...]]:
    """The partner of each bracket and the bracket around each token; a bracket without one is its own."""
    partner = list(range(len(texts)))
    opener: list[int | None] = []
    stack: list[int] = []
    for index, text in enumerate(texts):
        if text in _CLOSING:
            # A stray closing bracket ends nothing.
            if stack and texts[stack[-1]] == _CLOSING[text]:
                partner[index] = stack.pop()
                partner[partner[index]] = index
        opener.append(stack[-1] if stack else None)
        if text in _OPENING:
            stack.append(index)
    return tuple(partner), tuple(opener)
