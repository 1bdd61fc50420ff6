"""Pairs from public reports, in own words: a wrapper that forgets, and its repair; and some that look like it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from gap_program import gaps

CASES = sorted(path.parent for path in Path(__file__).parent.glob("gaps/*/case.toml"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("forced", [False, True], ids=["", "-W"])
def test_each_case_is_found_before_its_repair_and_quiet_after(case: Path, side: str, forced: bool) -> None:
    told = tomllib.loads((case / "case.toml").read_text())
    found = gaps((case / f"{side}.rs").read_text(), forced=forced)
    expected = told[side]["expected_lines"]
    assert [one.line for one in found] == expected
    words = "\n".join(f"{one.message}\n{one.details}" for one in found)
    if expected:
        assert [name for name in told["forgotten_in_file"] if f"`{name}`" not in words] == []
