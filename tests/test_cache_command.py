"""The cache is told of, shrunk and emptied; what a run says does not depend on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from gate_project import make_project
from inroads.cli.run import group
from inroads.errors import UsageError


def run(*arguments: str) -> str:
    done = CliRunner().invoke(group, list(arguments), standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_a_cache_is_told_of_shrunk_and_emptied(tmp_path: Path) -> None:
    root = str(make_project(tmp_path / "app").root)
    assert "there is no cache" in run("cache", root)
    first = run("check", root, "--output-format", "concise")
    kept = re.search(r" files in (\d+) packs", run("cache", root))
    assert kept is not None
    assert int(kept[1]) > 1
    assert f"{kept[1]} packs deleted" in run("cache", root, "--prune", "0")
    assert run("check", root, "--output-format", "concise") == first
    assert run("cache", root, "--clear").startswith("emptied")
    assert "0 files in 0 packs" in run("cache", root)
    assert run("check", root, "--output-format", "concise") == first


def test_clear_and_prune_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        run("cache", str(tmp_path), "--clear", "--prune", "1")
