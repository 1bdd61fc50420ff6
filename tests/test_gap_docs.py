"""What docs/gaps.md shows is what the program prints, reads and knows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from inroads.analyses.base import RuleHead, TableReader
from inroads.analyses.gap import parse
from inroads.analyses.gap.traits import shipped
from inroads.cli.run import run

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/gaps.md").read_text(encoding="utf-8")


def test_the_report_is_the_one_that_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    run(["check", str(ROOT / "examples/forgotten_forward/before"), "--no-cache", "--color", "never"])
    printed = capfd.readouterr().out
    shown = re.search(
        r"<!-- report examples/forgotten_forward/before -->\n```text\n(.*?)```", PAGE, re.DOTALL
    )
    assert shown is not None
    assert shown[1] == printed, "run tools/readme.py"


def test_each_rule_that_is_shown_is_read_without_a_mistake() -> None:
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        (table,) = tomllib.loads(block)["rule"]
        mistakes: list[str] = []
        reader = TableReader(table, "docs/gaps.md", mistakes)
        assert parse(RuleHead(table["id"], "gap", "t", "warn"), reader) is not None
        assert mistakes == []
        assert set(table) <= {"id", "kind", "title", "level", "why", "traits", "shapes", "foreign"}


def test_the_number_of_listed_traits_is_true() -> None:
    told = re.search(r"lists (\d+) of the standard library", PAGE)
    text = (ROOT / "lint/inroads/analyses/gap/traits.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)["trait"]
    assert told is not None
    assert int(told[1]) == len(tables)
    assert {path for table in tables for path in table["paths"]} == set(shipped())
    assert all(table["source"].startswith("https://") and table["checked"] for table in tables)
