"""What the README shows is what the program prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from inroads.cli.run import run
from inroads.rulebook import parse_pack

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_report_of_the_example_is_the_one_that_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    run(["check", str(ROOT / "examples/paged_decode/before"), "--no-cache", "--color", "never"])
    printed = capfd.readouterr().out
    shown = re.search(r"<!-- report -->\n```text\n(.*?)```\n<!-- end -->", README, re.DOTALL)
    assert shown is not None
    assert shown[1] == printed, "run tools/readme.py"


def test_the_rule_that_is_shown_is_valid_and_its_tests_hold(tmp_path: Path) -> None:
    shown = re.search(r"```toml\n(\[\[rule\]\].*?)```", README, re.DOTALL)
    assert shown is not None
    assert parse_pack(shown[1], "mine.toml", own=True).rules[0].head.id == "read-before-open"
    pack = tmp_path / "mine.toml"
    pack.write_text(shown[1], encoding="utf-8")
    assert run(["test", str(pack)]) == 0
