"""Offsets to lines and columns, and back."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right


class LineIndex:
    """
    Where the lines of a file begin; made from `FileFacts.line_starts`.

    Lines and columns are from 1, columns in UTF-8 bytes. A byte-order mark is
    no part of the first line's columns.
    """

    __slots__ = ("size", "starts")

    def __init__(self, packed: bytes, size: int, front: int = 0) -> None:
        starts = array("I")
        starts.frombytes(packed)
        if sys.byteorder == "big":
            starts.byteswap()
        if not starts:
            starts.append(0)
        starts[0] = front
        self.starts = starts
        self.size = size

    def line(self, offset: int) -> int:
        """The line that holds the offset."""
        return bisect_right(self.starts, offset) or 1

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect_right(self.starts, offset) or 1
        return line, max(1, offset - self.starts[line - 1] + 1)

    def offset(self, line: int, column: int = 1) -> int:
        """The offset of a line and column, held within the file."""
        if len(self.starts) < line:
            return self.size
        return min(self.starts[max(line, 1) - 1] + column - 1, self.size)

    def span(self, line: int) -> tuple[int, int]:
        """Start and end of a line, its line break included."""
        line = min(max(line, 1), len(self.starts))
        end = self.starts[line] if line < len(self.starts) else self.size
        return self.starts[line - 1], end

    def __len__(self) -> int:
        return len(self.starts)
