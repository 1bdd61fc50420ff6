"""Bytes to a syntax tree, within a deadline and a size."""

from __future__ import annotations

from time import monotonic

from tree_sitter import Parser, Point, Tree

from inroads.rust.kinds import LANGUAGE
from inroads.work import count

MAX_BYTES = 4_000_000
"""A larger file is a problem; what people write stays far below, and generated code seldom comes near."""

SECONDS = 10.0
"""What error recovery may take at most for one file."""

SURE_BYTES = 50_000
"""A file of this size is through in time, whatever it holds."""

_CHUNK = 1 << 16


def parse(data: bytes, seconds: float = SECONDS) -> Tree | None:
    """The tree, or None if the deadline passed first."""
    tree = _parse(data, seconds)
    count("texts parsed")
    count("bytes parsed", len(data))
    if tree is not None:
        count("syntax nodes", tree.root_node.descendant_count)
    return tree


def _parse(data: bytes, seconds: float) -> Tree | None:
    parser = Parser(LANGUAGE)
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
