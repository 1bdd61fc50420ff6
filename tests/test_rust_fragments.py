"""Expansions that do not parse."""

from __future__ import annotations

import pytest

from consistency import faults
from inroads.rust.fragment import Position, read_body
from inroads.store import decode_body


@pytest.mark.parametrize("text", ["a) + (b", "} fn g() {", "/*", '"', ") /* ", "a =", "]", "(", ")}"])
@pytest.mark.parametrize("position", ["expression", "statements", "pattern", "type"])
def test_rows_stay_within_the_text(text: str, position: Position) -> None:
    [body] = read_body(text, position).bodies
    assert list(faults(decode_body(body.data), len(text))) == []
