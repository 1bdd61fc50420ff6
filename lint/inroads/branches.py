"""
The branches of a stretch of Rust text, and the text with one of them turned round.

Told by tokens alone, so that a text need not be whole: `if` with its blocks, the arms of a `match`
and their guards, the condition of a `while`, and `?`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec

from inroads.tokens import Tokens, tokenise

Edit = tuple[int, int, bytes]

WORDS = {
    "if": "with the branch at {} turned round",
    "arms": "with the arms at {} exchanged",
    "guard": "with the guard at {} left out",
    "while": "with the condition of the loop at {} turned round",
    "try": "with the `?` at {} left out",
}
"""What was done, by the kind of the branch; `{}` is the place."""


class Branch(msgspec.Struct, frozen=True):
    """
    A place where control parts.

    Args:
        kind: One of `WORDS`.
        start, end: Offsets of the whole of it.
        edits: What turns it round: [start, end) and the new text, in order.
    """

    kind: str
    start: int
    end: int
    edits: tuple[Edit, ...]

    def flipped(self, text: bytes) -> bytes:
        """The text with this branch turned round; no line moves that stands outside of it."""
        for start, end, new in reversed(self.edits):
            text = text[:start] + new + text[end:]
        return text


def branches(text: bytes) -> tuple[Branch, ...]:
    """The branches of a text, by where they begin."""
    tokens = tokenise(text)
    found: list[Branch] = []
    for index, token in enumerate(tokens.texts):
        match token:
            case b"if":
                branch = _if(text, tokens, index)
                found.extend([branch] if branch is not None else ())
            case b"match":
                found.extend(_match(text, tokens, index))
            case b"while":
                branch = _while(text, tokens, index)
                found.extend([branch] if branch is not None else ())
            case b"?" if _is_try(tokens, index):
                start = tokens.starts[index]
                found.append(Branch("try", _statement(tokens, index), start + 1, ((start, start + 1, b""),)))
            case _:
                pass
    return tuple(sorted(found, key=lambda one: (one.edits[0][0], one.start)))


def _if(text: bytes, tokens: Tokens, index: int) -> Branch | None:
    """An `if` with its blocks exchanged; a missing `else` is an empty block, `else if` is put in braces."""
    opening = _block(tokens, index + 1)
    if opening is None:
        return None
    close = tokens.partner[opening]
    then = (tokens.starts[opening], tokens.starts[close] + 1)
    otherwise = _otherwise(tokens, close)
    start = tokens.starts[index]
    if otherwise is None:
        new = b"{} else " + text[slice(*then)]
        return Branch("if", start, then[1], ((*then, new),))
    other = text[slice(*otherwise)]
    if not other.startswith(b"{"):
        other = b"{ " + other + b" }"
    return Branch("if", start, otherwise[1], ((*then, other), (*otherwise, text[slice(*then)])))


def _otherwise(tokens: Tokens, close: int) -> tuple[int, int] | None:
    """The span of what follows `else` behind a block; None where there is no `else`."""
    first = close + 2
    at = close
    while tokens.texts[at + 1 : at + 2] == (b"else",):
        if tokens.texts[at + 2 : at + 3] == (b"{",):
            return tokens.starts[first], tokens.starts[tokens.partner[at + 2]] + 1
        opening = _block(tokens, at + 3) if tokens.texts[at + 2 : at + 3] == (b"if",) else None
        if opening is None:
            return None
        # A chain `else if .. else if ..` ends where its last one ends.
        at = tokens.partner[opening]
    return None if at == close else (tokens.starts[first], tokens.starts[at] + 1)


def _block(tokens: Tokens, at: int) -> int | None:
    """The `{` of the block behind a condition; None where there is none, as behind the guard of an arm."""
    count = len(tokens.texts)
    while at < count and tokens.texts[at] != b"{":
        if tokens.texts[at] in (b"=>", b";", b"}"):
            return None
        at = max(tokens.partner[at], at) + 1 if tokens.texts[at] in (b"(", b"[") else at + 1
    return at if at < count and at < tokens.partner[at] else None


def _while(text: bytes, tokens: Tokens, index: int) -> Branch | None:
    """A `while` with its condition denied; `while let` has none that could be."""
    opening = _block(tokens, index + 1)
    if opening is None or opening == index + 1 or b"let" in tokens.texts[index + 1 : opening]:
        return None
    first = tokens.starts[index + 1]
    last = tokens.starts[opening - 1] + len(tokens.texts[opening - 1])
    edits = ((first, last, b"!(" + text[first:last] + b")"),)
    return Branch("while", tokens.starts[index], tokens.starts[tokens.partner[opening]] + 1, edits)


class _Arm(msgspec.Struct, frozen=True):
    """An arm of a match: spans of its guard with its `if`, None without one, and of its body."""

    start: int
    guard: tuple[int, int] | None
    body: tuple[int, int]


def _match(text: bytes, tokens: Tokens, index: int) -> Iterator[Branch]:
    """A `match` with the bodies of two arms exchanged, and with a guard left out."""
    opening = _block(tokens, index + 1)
    arms = [] if opening is None else list(_arms(tokens, opening))
    for arm, following in pairwise(arms):
        one, other = (_braced(text[slice(*body)]) for body in (arm.body, following.body))
        edits = ((*arm.body, other), (*following.body, one))
        yield Branch("arms", arm.start, following.body[1], edits)
    for arm in arms:
        if arm.guard is not None:
            yield Branch("guard", arm.start, arm.body[1], ((*arm.guard, b""),))


def _braced(body: bytes) -> bytes:
    return body if body.startswith(b"{") else b"{ " + body + b" }"


def _arms(tokens: Tokens, opening: int) -> Iterator[_Arm]:
    close = tokens.partner[opening]
    at = opening + 1
    while at < close:
        start = at
        guard: int | None = None
        while at < close and tokens.texts[at] != b"=>":
            if tokens.texts[at] == b"if" and guard is None:
                guard = at
            at = max(tokens.partner[at], at) + 1
        arrow = at
        first = at = arrow + 1
        if close <= first:
            return
        if tokens.texts[first] == b"{":
            at = tokens.partner[first] + 1
            last = at - 1
            # A block that goes on is an expression: `{ a } + b`, `{ x }.go()`.
            if tokens.texts[at : at + 1] == (b".",):
                at = _end(tokens, at, close)
                last = at - 1
        else:
            at = _end(tokens, first, close)
            last = at - 1
        span = (tokens.starts[first], tokens.starts[last] + len(tokens.texts[last]))
        told = None
        if guard is not None:
            told = (tokens.starts[guard], tokens.starts[arrow])
        yield _Arm(tokens.starts[start], told, span)
        if tokens.texts[at : at + 1] == (b",",):
            at += 1


def _end(tokens: Tokens, at: int, close: int) -> int:
    """The token at which an expression of an arm ends: its comma, or the end of the match."""
    while at < close and tokens.texts[at] != b",":
        at = max(tokens.partner[at], at) + 1
    return at


def _is_try(tokens: Tokens, index: int) -> bool:
    """Whether a `?` is the operator: not a bound `?Sized`, and not one of a macro's patterns."""
    before = tokens.texts[index - 1] if index else b""
    after = tokens.texts[index + 1] if index + 1 < len(tokens.texts) else b""
    is_value = before in (b")", b"]", b"?", b"}") or before[:1].isalnum() or before[:1] == b"_"
    return is_value and after != b"Sized"


def _statement(tokens: Tokens, index: int) -> int:
    """Where the statement around a token begins."""
    at = index - 1
    while at >= 0 and tokens.texts[at] not in (b";", b"{", b"}"):
        at = tokens.partner[at] - 1 if tokens.texts[at] in (b")", b"]") else at - 1
    return tokens.starts[at + 1]
