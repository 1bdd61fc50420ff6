"""Bytes to a syntax tree, within a deadline and a size."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from tree_sitter import Parser, Point, Range, Tree

from inroads.rust.kinds import LANGUAGE
from inroads.rust.text import Span
from inroads.work import count

MAX_BYTES = 4_000_000
"""A larger file is a problem; what people write stays far below, and generated code seldom comes near."""

SECONDS = 10.0
"""What error recovery may take at most for one file."""

SURE_BYTES = 50_000
"""A file of this size is through in time, whatever it holds."""

_CHUNK = 1 << 16
_NOWHERE = Point(0, 0)


def parse(data: bytes, seconds: float = SECONDS, left_out: Sequence[Span] = ()) -> Tree | None:
    """
    The tree, or None if the deadline passed first.

    Args:
        left_out: These parts are not read, and keep their place; sorted.
    """
    tree = _parse(data, seconds, left_out)
    count("texts parsed")
    count("bytes parsed", len(data) - sum(end - start for start, end in left_out))
    if tree is not None:
        count("syntax nodes", tree.root_node.descendant_count)
    return tree


def _parse(data: bytes, seconds: float, left_out: Sequence[Span]) -> Tree | None:
    parser = Parser(LANGUAGE)
    if left_out:
        ends = (0, *(end for _, end in left_out))
        starts = (*(start for start, _ in left_out), len(data))
        # Nobody asks for lines and columns. Without a range all would be read.
        parser.included_ranges = [
            Range(_NOWHERE, _NOWHERE, start, end)
            for start, end in zip(ends, starts, strict=True)
            if start < end or end == len(data)
        ]
    if len(data) < SURE_BYTES:
        return parser.parse(data)
    limit = monotonic() + seconds

    def read(offset: int, _point: Point) -> bytes:
        return data[offset : offset + _CHUNK]

    def late(_offset: int, _has_error: bool) -> bool:
        return limit < monotonic()

    # The binding answers None, or a ValueError, when the callback cancels.
    try:
        return parser.parse(read, progress_callback=late)
    except ValueError:
        return None
