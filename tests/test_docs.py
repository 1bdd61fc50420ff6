"""The docs say what is true: every command in them runs and prints what they show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pages import DOCS, ROOT, follow

sys.path.insert(0, str(ROOT / "tools"))

import docs as generated  # tools/ is no package

PAGES = sorted(DOCS.glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    ran, _, reader = follow(page, tmp_path)
    for one in ran:
        assert one.holds, f"{page.name}: $ {one.command}\nshown:\n{one.shown}\nprinted:\n{one.printed}"
    for path, schema in reader.written:
        command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", sorted(generated.GENERATED))
def test_generated_pages_are_not_stale(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    assert text == generated.GENERATED[name](), "run tools/docs.py"


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_every_link_inside_the_project_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), target


def test_the_action_follows_githubs_schema() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions"]
    done = subprocess.run([*command, str(ROOT / "action.yml")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_page_can_be_found_from_the_contents() -> None:
    contents = (DOCS / "README.md").read_text(encoding="utf-8")
    for page in PAGES:
        if page.name != "README.md":
            assert f"]({page.name})" in contents, page.name
