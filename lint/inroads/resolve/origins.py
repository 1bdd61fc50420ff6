"""Where the text of an expansion was written: pieces, sorted by their start in it, each with a place in a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from inroads.resolve.sources import Source

Pieces: TypeAlias = tuple[tuple[int, int, int], ...]


def written_at(source: Source, offset: int) -> tuple[int, int]:
    """The file's SourceId, and the offset there, of a byte of an expansion whose pieces are flattened."""
    index = piece_index(source.pieces, offset)
    if index is None:
        return source.id, offset
    start, origin, origin_offset = source.pieces[index]
    return origin, origin_offset + (offset - start)


def piece_index(pieces: Pieces, offset: int) -> int | None:
    """The index of the piece that holds an offset; None before the first."""
    low, high = 0, len(pieces)
    while low < high:
        middle = (low + high) // 2
        if pieces[middle][0] <= offset:
            low = middle + 1
        else:
            high = middle
    return low - 1 if low else None


def flattened(pieces_of: Callable[[int], Pieces | None], pieces: Pieces, length: int) -> Pieces:
    """
    The same pieces with every origin in a file.

    What points into an expansion, for which `pieces_of` gives its own pieces
    and None for a file, is led on to where that was written. `length` is that
    of the text whose pieces they are.
    """
    found: list[tuple[int, int, int]] = []
    inner: dict[int, Pieces | None] = {}
    for index, piece in enumerate(pieces):
        at, origin, offset = piece
        if origin not in inner:
            inner[origin] = pieces_of(origin)
        below = inner[origin]
        if below is None:
            found.append(piece)
            continue
        stop = pieces[index + 1][0] if index + 1 < len(pieces) else length
        end = offset + stop - at
        position = piece_index(below, offset) or 0
        start, below_origin, below_offset = below[position]
        found.append((at, below_origin, below_offset + max(offset - start, 0)))
        position += 1
        while position < len(below) and below[position][0] < end:
            start, below_origin, below_offset = below[position]
            found.append((at + start - offset, below_origin, below_offset))
            position += 1
    return tuple(found)
