"""Pairs of a bug in the order of calls and its repair: the bug is found, the repair is quiet."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from inroads.facts import Finding
from inroads.rulebook import Choice, RuleTest, read_pack, select_rules
from inroads.settings import Settings, load_toml
from inroads.testkit import run_test

CASES = sorted(
    path.parent
    for path in (Path(__file__).parent / "cases").glob("*/rule.toml")
    if tomllib.loads((path.parent / "case.toml").read_text(encoding="utf-8"))["family"] == "order"
)


def findings(folder: Path, name: str, case: dict[str, Any]) -> list[Finding]:
    """What the rule of a case finds in one of its two files."""
    written = (folder / "rule.toml").read_text(encoding="utf-8")
    pack = read_pack(load_toml(written, "rule.toml"), "rule.toml", tests="optional")
    rulebook = select_rules((pack,), Settings(), Choice())
    text = (folder / case[name]["file"]).read_text(encoding="utf-8")
    test = RuleTest(pack.rules[0].head.id, name, (("src/lib.rs", text),), case["edition"])
    return list(run_test(rulebook, test).findings)


@pytest.mark.parametrize("folder", CASES, ids=[folder.name for folder in CASES])
def test_the_bug_is_found_once_and_the_repair_is_quiet(folder: Path) -> None:
    case = tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))
    accepted = {*case["before"]["expected_lines"], *case["before"]["accepted_lines"]}
    before = [finding.line for finding in findings(folder, "before", case)]
    assert len(before) == len(case["before"]["expected_lines"])
    assert set(before) <= accepted
    assert findings(folder, "after", case) == []


def test_all_order_cases_have_a_rule() -> None:
    assert len(CASES) == 14
