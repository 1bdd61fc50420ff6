"""Losses of errors from real repairs: told before the repair, quiet after it, with the shipped rules alone."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inroads.check import Options, check, load
from inroads.facts import Finding
from inroads.rulebook import Choice, load_rulebook
from inroads.settings import Settings
from inroads.workspace import MemoryTree

CASES = Path(__file__).parent / "cases"
SLUGS = sorted(one.name for one in CASES.iterdir() if 31 <= int(one.name[:2]) <= 77)
TRAPS = sorted(one.name for one in CASES.iterdir() if one.name[:2] in ("21", "27"))


@cache
def case(slug: str) -> dict[str, Any]:
    return tomllib.loads((CASES / slug / "case.toml").read_text())


def swallowed(slug: str, side: str) -> list[Finding]:
    edition = case(slug)["edition"]
    cargo = f'[package]\nname = "sample"\nversion = "0.1.0"\nedition = "{edition}"\n'
    text = (CASES / slug / str(case(slug)[side]["file"])).read_bytes()
    loaded = load(MemoryTree({"Cargo.toml": cargo.encode(), "src/lib.rs": text}))
    report = check(loaded, load_rulebook((), Settings(), Choice()), Settings(), Options())
    return [one for one in report.findings if one.kind == "swallow"]


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if int(slug[:2]) < 71])
def test_each_loss_is_told_once_at_its_place(slug: str) -> None:
    before = case(slug)["before"]
    places = {*before["expected_lines"], *before["accepted_lines"]}
    found = [one.line for one in swallowed(slug, "before")]
    assert set(found) <= places
    assert len(found) == len(before["expected_lines"])


@pytest.mark.parametrize("slug", [*SLUGS, *TRAPS])
def test_the_repaired_program_is_quiet(slug: str) -> None:
    assert swallowed(slug, "after") == []


@pytest.mark.parametrize("slug", [*(slug for slug in SLUGS if 71 <= int(slug[:2])), *TRAPS])
def test_what_only_looks_like_a_loss_is_quiet(slug: str) -> None:
    assert swallowed(slug, "before") == []
