"""What holds for all syntax of Rust."""

from __future__ import annotations

import pytest

from consistency import faults
from inroads.facts import FileFacts, UnknownRow
from inroads.rust.extract import extract
from inroads.store import decode_body
from syntax_corpus import snippets

SNIPPETS = snippets()


def problems_of(facts: FileFacts, data: bytes) -> list[str]:
    """All that is wrong with facts: problems, inconsistent bodies, rows that could not be read."""
    found = [f"{problem.kind}: {data[problem.start : problem.end]!r}" for problem in facts.problems]
    for body in facts.bodies:
        rows = decode_body(body.data)
        found.extend(faults(rows, body.end - body.start))
        found.extend(row.reason for row in rows.rows if isinstance(row, UnknownRow))
    return found


@pytest.mark.parametrize("name", SNIPPETS)
def test_all_syntax_is_read(name: str) -> None:
    data = SNIPPETS[name].encode()
    assert problems_of(extract(data), data) == []


@pytest.mark.parametrize("name", SNIPPETS)
def test_line_ends_and_a_byte_order_mark_change_nothing_but_offsets(name: str) -> None:
    data = SNIPPETS[name].encode()
    odd = b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")
    facts = extract(odd)
    assert problems_of(facts, odd) == []
    plain = extract(data)
    assert [type(item) for item in facts.items] == [type(item) for item in plain.items]
    assert [body.names for body in facts.bodies] == [body.names for body in plain.bodies]


@pytest.mark.parametrize("name", SNIPPETS)
def test_half_a_snippet_is_read_as_far_as_it_goes(name: str) -> None:
    data = SNIPPETS[name].encode()
    for size in range(0, len(data), max(1, len(data) // 12)):
        half = data[:size]
        for body in extract(half).bodies:
            assert list(faults(decode_body(body.data), body.end - body.start)) == []
