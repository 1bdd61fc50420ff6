"""
A macro call expanded until what comes out is no longer one call of an own macro.

Macros that work through their tokens one by one call themselves hundreds of
times; only the last text is worth parsing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from inroads.resolve.expand import DEFINITION, Failure, expand
from inroads.resolve.model import Macro
from inroads.resolve.origins import Pieces, flattened
from inroads.resolve.tokens import as_bytes, as_text, tokenize

# Crates may raise the compiler's 128 by `recursion_limit`.
_MOST_TURNS = 1024
_LONGEST_IN_ALL = 32_000_000

_CALL = re.compile(r"\s*((?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)\s*!\s*(?=[(\[{])")


@dataclass(frozen=True, slots=True)
class Unrolled:
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
) -> Unrolled | Failure:
    """
    Expand a call.

    Args:
        text: The call's token tree.
        pieces: Where that text was written; its origins as `pieces_of` knows them.
        find: The own macro that a path names at the call, if it does.
        pieces_of: For a SourceId the pieces of an expansion, None for a file.
    """
    pieces = flattened(pieces_of, pieces, len(text.encode()))
    spent = 0
    for _ in range(_MOST_TURNS):
        result = expand(macro.text, text, macro.mark)
        if isinstance(result, Failure):
            return result
        call_pieces = pieces
        defined = macro.source
        made = tuple(
            (at, defined, macro.text_at + start) if origin == DEFINITION else (at, _THE_CALL, start)
            for at, origin, start in result.pieces
        )
        length = len(result.text) if result.text.isascii() else len(result.text.encode())

        def below(source: int, call_pieces: Pieces = call_pieces) -> Pieces | None:
            return call_pieces if source == _THE_CALL else pieces_of(source)

        pieces = flattened(below, made, length)
        spent += length
        found = only_call(result.text)
        following = None if found is None else find(found[0])
        if found is None or following is None:
            return Unrolled(result.text, pieces, macro)
        if _LONGEST_IN_ALL < spent:
            break
        _, start, text = found
        macro = following
        pieces = flattened(lambda _, whole=pieces: whole, ((0, _THE_CALL, start),), len(text.encode()))  # type: ignore[misc]  # mypy cannot infer a lambda with a default.
    return Failure("it goes too deep")


def only_call(text: str) -> tuple[tuple[str, ...], int, str] | None:
    """The path, offset of the token tree, and token tree, if a text is one macro call and nothing else."""
    match = _CALL.match(text)
    if match is None or match.group(1) == "macro_rules":
        return None
    bytes_text = as_bytes(text)
    start = len(text[: match.end()].encode())
    tokens = tokenize(bytes_text[start:])
    if not len(tokens) or not tokens.balanced:
        return None
    last = tokens.close[0]
    rest = tokens.texts[last + 1 :]
    if rest not in ([], [";"]):
        return None
    path = tuple(part.strip() for part in match.group(1).split("::"))
    return path, start, as_text(bytes_text[start : start + tokens.ends[last]])


# Stands for the call's own text among the ids of sources; no source has it.
_THE_CALL = -1
