"""
What of a finding stays the same when code moves or is formatted anew.

A fingerprint is the rule, the path of the enclosing function, the callee, the
call as tokens, and a hash of the call's statement with both neighbours. It is
made from text alone, so that it holds in macros and needs no syntax tree: a
statement reaches from one `;`, `{`, `}` (or, between braces, `,`) to the next.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from functools import lru_cache
from operator import attrgetter

import msgspec

from inroads.facts import FileFacts
from inroads.tokens import Tokens, tokenise

_LONGEST_CALL = 400


class Written(msgspec.Struct, frozen=True):
    """A call as it is written: its tokens, the hash of its surroundings, the offset of its statement."""

    call: str
    context: str
    statement: int


def written(text: bytes, facts: FileFacts, start: int, end: int) -> Written:
    """The call that begins or is named at `start`; `end` is the end of the span that a finding shows."""
    tokens, first, last = _call(text, facts, start)
    if not tokens.texts:
        return Written("", "", start)
    while last + 1 < len(tokens.starts) and tokens.starts[last + 1] < end:
        last += 1
    low_token, high_token = _statement(tokens, first, last)
    parts = (
        _text(tokens, *_before(tokens, low_token)),
        _text(tokens, low_token, high_token),
        _text(tokens, *_after(tokens, high_token)),
    )
    return Written(
        _shortened(_text(tokens, first, last + 1)),
        digest("\0".join(parts)),
        tokens.starts[low_token],
    )


def call_span(text: bytes, facts: FileFacts, start: int) -> tuple[int, int]:
    """Where the call that begins or is named at `start` begins and ends."""
    tokens, first, last = _call(text, facts, start)
    if not tokens.texts:
        return start, start
    return tokens.starts[first], tokens.starts[last] + len(tokens.texts[last])


def digest(text: str) -> str:
    """Sixteen hexadecimal digits."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _call(text: bytes, facts: FileFacts, start: int) -> tuple[Tokens, int, int]:
    """The tokens around, and the first and the last token of the call."""
    tokens = _tokens(text, *_around(facts, start))
    if not tokens.texts:
        return tokens, 0, 0
    name = max(bisect_right(tokens.starts, start) - 1, 0)
    return tokens, _receiver(tokens, name), _arguments(tokens, name)


# A body with many findings is read once: they come one after the other.
@lru_cache(maxsize=1)
def _tokens(text: bytes, start: int, end: int) -> Tokens:
    return tokenise(text, start, end)


def _around(facts: FileFacts, offset: int) -> tuple[int, int]:
    """The innermost body that holds the offset, else the innermost item, else the file."""
    bodies = facts.bodies
    # Bodies nest and stand in the order in which they begin, so the last that has not ended is innermost.
    for index in range(bisect_right(bodies, offset, key=attrgetter("start")) - 1, -1, -1):
        if offset < bodies[index].end:
            return bodies[index].start, bodies[index].end
    heads = [item.head for item in facts.items if item.head.start <= offset < item.head.end]
    if heads:
        head = min(heads, key=lambda head: (head.end - head.start, head.start))
        return head.start, head.end
    return 0, facts.size


def _receiver(tokens: Tokens, name: int) -> int:
    """Where the expression that ends in the token `name` begins: back over `.`, `::`, `?` and brackets."""
    at = name
    while at > 0:
        before = tokens.texts[at - 1]
        if before not in (b".", b"::"):
            break
        at -= 1
        # Now at the dot; what stands before it is a word, a bracket or `?`.
        while at > 0 and tokens.texts[at - 1] in (b"?", b")", b"]", b"}"):
            at = tokens.partner[at - 1]
        if at > 0 and _is_word(tokens.texts[at - 1]):
            at -= 1
    return at


def _arguments(tokens: Tokens, name: int) -> int:
    """The last token of the call that begins at `name`: past a path, a turbofish, `!`, and the brackets."""
    at = name
    count = len(tokens.texts)
    while at + 1 < count and tokens.texts[at + 1] == b"::":
        at += 1
        if at + 1 < count and _is_word(tokens.texts[at + 1]):
            at += 1
        elif at + 1 < count and tokens.texts[at + 1] == b"<":
            depth = 0
            while at + 1 < count:
                at += 1
                depth += {b"<": 1, b">": -1}.get(tokens.texts[at], 0)
                if depth == 0:
                    break
    if at + 1 < count and tokens.texts[at + 1] == b"!":
        at += 1
    if at + 1 < count and tokens.texts[at + 1] == b"(":
        at = tokens.partner[at + 1]
    return at


def _statement(tokens: Tokens, first: int, last: int) -> tuple[int, int]:
    """The tokens [low, high) of the statement around; a block that it opens is left out."""
    low, high = first, last + 1
    while low > 0 and not _is_boundary(tokens, low - 1):
        low -= 1
        if tokens.texts[low] in (b")", b"]"):
            low = tokens.partner[low]
    while high < len(tokens.texts) and not _is_boundary(tokens, high):
        if tokens.texts[high] in (b"(", b"["):
            high = max(tokens.partner[high], high)
        high += 1
    return low, high


def _is_boundary(tokens: Tokens, index: int) -> bool:
    text = tokens.texts[index]
    if text in (b";", b"{", b"}"):
        return True
    opener = tokens.opener[index]
    return text == b"," and opener is not None and tokens.texts[opener] == b"{"


def _before(tokens: Tokens, low: int) -> tuple[int, int]:
    """The statement that ends before the token `low`; empty at the start of a block."""
    if low == 0 or tokens.texts[low - 1] == b"{":
        return low, low
    end = low - 1
    if tokens.texts[end] == b"}":
        end = tokens.partner[end]
    if end == 0:
        return 0, 0
    return _statement(tokens, end - 1, end - 1) if not _is_boundary(tokens, end - 1) else (end, end)


def _after(tokens: Tokens, high: int) -> tuple[int, int]:
    """The statement that begins after the token `high`; empty at the end of a block."""
    at = high
    if at < len(tokens.texts) and tokens.texts[at] == b"{":
        at = max(tokens.partner[at], at)
    at += 1
    if at >= len(tokens.texts) or _is_boundary(tokens, at):
        return at, at
    return _statement(tokens, at, at)


def _text(tokens: Tokens, low: int, high: int) -> str:
    """The tokens [low, high), a space only between two words, without trailing commas."""
    kept = [
        tokens.texts[index]
        for index in range(low, high)
        if not (
            tokens.texts[index] == b","
            and index + 1 < len(tokens.texts)
            and tokens.texts[index + 1] in (b")", b"]", b"}")
        )
    ]
    parts: list[bytes] = []
    for token in kept:
        if parts and _ends_word(parts[-1]) and _is_word(token):
            parts.append(b" ")
        parts.append(token)
    return b"".join(parts).decode("utf-8", "replace")


def _ends_word(text: bytes) -> bool:
    return text[-1:].isalnum() or text[-1:] in (b"_", b'"') or text[-1:] > b"\x7f"


def _is_word(text: bytes) -> bool:
    return text[:1].isalnum() or text[:1] in (b"_", b'"') or text[:1] > b"\x7f"


def _shortened(call: str) -> str:
    """A long call (a closure of many lines) by its beginning and a hash of the whole."""
    return call if len(call) <= _LONGEST_CALL else f"{call[:120]} ... {digest(call)}"
