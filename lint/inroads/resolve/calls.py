"""
A macro call expanded until what comes out is no longer one call of an own macro.

Macros that work through their tokens one by one call themselves hundreds of
times; only the last text is worth parsing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from inroads.resolve.expand import DEFINITION, Endless, Failure, expand_tokens
from inroads.resolve.model import Macro
from inroads.resolve.origins import Pieces, flattened
from inroads.resolve.rules import read_rules
from inroads.resolve.tokens import Tokens, as_bytes, inner, tokenize

# Crates may raise the compiler's 128 by `recursion_limit`.
_MOST_TURNS = 1024

_CALL = re.compile(r"\s*((?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)\s*!\s*(?=[(\[{])")


class Unrolled(msgspec.Struct, frozen=True):
    """The text that came out, its pieces (in files), and the macro that made it last."""

    text: str
    pieces: Pieces
    last: Macro


def unroll(
    macro: Macro,
    text: str,
    pieces: Pieces,
    find: Callable[[tuple[str, ...]], Macro | None],
    pieces_of: Callable[[int], Pieces | None],
    spend: Callable[[int], bool],
) -> Unrolled | Failure:
    """
    Expand a call.

    Args:
        text: The call's token tree.
        pieces: Where that text was written; its origins as `pieces_of` knows them.
        find: The own macro that a path names at the call, if it does.
        pieces_of: For a SourceId the pieces of an expansion, None for a file.
        spend: Told the length of each text; it answers whether there may be another.
    """
    tokens = tokenize(as_bytes(text))
    if not tokens.balanced:
        return Failure("the brackets of the call do not match")
    pieces = flattened(pieces_of, pieces, len(tokens.text))
    at, end = inner(tokens)
    for _ in range(_MOST_TURNS):
        result = expand_tokens(read_rules(macro.text), tokens, at, end, macro.mark)
        if isinstance(result, Failure):
            return result
        made = tuple(
            (place, macro.source, macro.text_at + start)
            if origin == DEFINITION
            else (place, _THE_CALL, start)
            for place, origin, start in result.pieces
        )
        length = len(as_bytes(result.text))
        pieces = flattened(_Below(pieces, pieces_of), made, length)
        if not spend(length):
            return Endless("it goes too deep")
        call = only_call(result.text)
        following = None if call is None else find(call.path)
        if call is None or following is None:
            return Unrolled(result.text, pieces, macro)
        macro, tokens, at, end = following, call.tokens, call.start, call.end
    return Endless("it goes too deep")


class _Below(msgspec.Struct, frozen=True):
    """The pieces of sources, with those of the call's own text among them."""

    call: Pieces
    pieces_of: Callable[[int], Pieces | None]

    def __call__(self, source: int) -> Pieces | None:
        return self.call if source == _THE_CALL else self.pieces_of(source)


class OnlyCall(msgspec.Struct, frozen=True):
    """A text that is one macro call: its path, and its arguments as tokens [start, end)."""

    path: tuple[str, ...]
    tokens: Tokens
    start: int
    end: int


def only_call(text: str) -> OnlyCall | None:
    """The call, if a text is one macro call and nothing else."""
    match = _CALL.match(text)
    if match is None or match.group(1) == "macro_rules" or text.rstrip()[-1] not in ")]};":
        return None
    tokens = tokenize(as_bytes(text))
    path: list[str] = []
    at = 0
    while tokens.texts[at] != "!":
        if tokens.texts[at] != "::" or not at:
            path.append("" if tokens.texts[at] == "::" else tokens.texts[at])
        at += 1
    close = tokens.close[at + 1]
    if not tokens.balanced or tokens.texts[close + 1 :] not in ([], [";"]):
        return None
    return OnlyCall(tuple(path), tokens, at + 2, close)


# Stands for the call's own text among the ids of sources; no source has it.
_THE_CALL = -1
