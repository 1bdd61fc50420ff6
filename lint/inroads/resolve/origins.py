"""Where the text of an expansion was written: pieces, sorted by their start in it, each with a place in a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from inroads.resolve.model import Source

Pieces: TypeAlias = tuple[tuple[int, int, int], ...]


def written_at(source: Source, offset: int) -> tuple[int, int]:
    """The file's SourceId, and the offset there, of a byte of an expansion whose pieces are flattened."""
    piece = piece_of(source.pieces, offset)
    if piece is None:
        return source.id, offset
    return piece[1], piece[2] + (offset - piece[0])


def piece_of(pieces: Pieces, offset: int) -> tuple[int, int, int] | None:
    """The piece that holds an offset of an expansion; None before the first."""
    low, high = 0, len(pieces)
    while low < high:
        middle = (low + high) // 2
        if pieces[middle][0] <= offset:
            low = middle + 1
        else:
            high = middle
    return pieces[low - 1] if low else None


def flattened(source: Callable[[int], Source], pieces: Pieces, length: int) -> Pieces:
    """The same pieces with every origin in a file: what points into an expansion is led on to its own origin."""
    found: list[tuple[int, int, int]] = []
    for index, (at, origin, offset) in enumerate(pieces):
        one = source(origin)
        if one.parent is None:
            found.append((at, origin, offset))
            continue
        stop = pieces[index + 1][0] if index + 1 < len(pieces) else length
        found.extend(_led_on(one, at, offset, stop - at))
    return tuple(found)


def _led_on(source: Source, at: int, offset: int, length: int) -> list[tuple[int, int, int]]:
    """The part [offset, offset + length) of an expansion, piece by piece, as it was written in files."""
    pieces = source.pieces
    low, high = 0, len(pieces)
    while low < high:
        middle = (low + high) // 2
        if pieces[middle][0] <= offset:
            low = middle + 1
        else:
            high = middle
    index = max(low - 1, 0)
    found: list[tuple[int, int, int]] = []
    while index < len(pieces) and (pieces[index][0] < offset + length or not found):
        start, origin, origin_offset = pieces[index]
        skipped = max(offset - start, 0)
        found.append((at + max(start - offset, 0), origin, origin_offset + skipped))
        index += 1
    return found
