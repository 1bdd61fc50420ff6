"""Offsets, lines and columns."""

from __future__ import annotations

from hypothesis import given, strategies as st

from inroads.lines import LineIndex
from inroads.rust.extract import line_starts


def index_of(data: bytes) -> LineIndex:
    return LineIndex(line_starts(data), len(data))


def test_lines_and_columns_are_from_one() -> None:
    lines = index_of(b"ab\ncd\n\nef")
    assert [lines.position(offset) for offset in (0, 1, 2, 3, 5, 6, 7, 8, 9)] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (2, 3),
        (3, 1),
        (4, 1),
        (4, 2),
        (4, 3),
    ]


def test_columns_are_bytes() -> None:
    assert index_of("äx".encode()).position(2) == (1, 3)


def test_a_file_of_nothing_has_one_line() -> None:
    assert index_of(b"").position(0) == (1, 1)
    assert len(index_of(b"")) == 1


def test_a_carriage_return_ends_no_line() -> None:
    assert index_of(b"a\r\nb\rc").position(5) == (2, 3)


def test_offsets_come_back() -> None:
    lines = index_of(b"ab\ncd\n")
    assert lines.offset(2, 2) == 4
    assert lines.offset(99) == 6
    assert lines.span(1) == (0, 3)


@given(st.binary(max_size=200), st.integers(0, 200))
def test_a_position_leads_back_to_its_offset(data: bytes, offset: int) -> None:
    offset = min(offset, len(data))
    lines = index_of(data)
    line, column = lines.position(offset)
    assert lines.offset(line, column) == offset
    assert data[:offset].count(b"\n") == line - 1
