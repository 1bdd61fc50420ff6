"""Many repositories in one report; a bad one does not stop the rest, and what is done is not done again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gate_project import make_project

LINT = str(Path(__file__).parent.parent / "lint")


def fleet(where: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((LINT, os.environ.get("PYTHONPATH", "")))}
    return subprocess.run(
        (sys.executable, "-m", "inroads", "fleet", *arguments),
        cwd=where, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """A clean repository, one with a finding, one with broken settings, and an empty folder."""
    make_project(tmp_path / "clean")
    make_project(tmp_path / "bad").edit("src/main.rs", "    pool.fill();\n", "")
    make_project(tmp_path / "broken").write("inroads.toml", "levels = 3\n")
    (tmp_path / "empty").mkdir()
    return tmp_path


def test_a_bad_repository_is_a_row_and_the_others_go_on(harbour: Path) -> None:
    done = fleet(harbour, "clean", "bad", "broken", "empty", "--output-format", "json")
    report = json.loads(done.stdout)
    assert [one["exit_code"] for one in report["repositories"]] == [0, 1, 2, 2]
    assert "levels" in report["repositories"][2]["error"]
    assert report["rules"] == [{"rule": "take-before-fill", "findings": 1, "repositories": 1}]
    assert [one["repository"] for one in report["worst"]] == ["bad"]
    assert done.returncode == 2


def test_the_text_has_a_table_and_the_worst(harbour: Path) -> None:
    done = fleet(harbour, "clean", "bad")
    assert done.returncode == 1
    assert "bad/src/worker.rs:5" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 finding in 2 of 2 repositories"


def test_a_run_goes_on_where_the_last_one_stopped(harbour: Path) -> None:
    first = fleet(harbour, "bad")
    (kept,) = (harbour / ".inroads_fleet").glob("*.json")
    kept.write_text(kept.read_text().replace("taken from the pool", "kept from before"))
    assert "kept from before" in fleet(harbour, "clean", "bad").stdout
    assert fleet(harbour, "bad", "--fresh").stdout == first.stdout


def test_a_changed_repository_is_checked_again(harbour: Path) -> None:
    assert fleet(harbour, "bad").returncode == 1
    (harbour / "bad/src/worker.rs").write_text("pub fn serve() {}\n")
    assert fleet(harbour, "bad").returncode == 0
