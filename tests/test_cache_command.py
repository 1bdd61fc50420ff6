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


def test_what_is_no_folder_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("")
    with pytest.raises(UsageError, match="is no folder"):
        run("cache", str(tmp_path), "--cache-dir", str(tmp_path / "cache"))


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inroads.cli.cache_command.os.scandir", _refused)
    with pytest.raises(UsageError, match="can't be read"):
        run("cache", str(tmp_path), "--cache-dir", str(tmp_path))


def test_a_cache_that_stays_is_not_called_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = str(make_project(tmp_path / "app").root)
    run("check", root)
    monkeypatch.setattr("inroads.cachefolder.os.unlink", _refused)
    with pytest.raises(UsageError, match="can't be emptied"):
        run("cache", root, "--clear")


def _refused(path: str) -> None:
    raise PermissionError(path)


def test_a_cache_that_cannot_be_used_is_told_of_once_in_each_run(tmp_path: Path) -> None:
    root = str(make_project(tmp_path / "app").root)
    (tmp_path / "cache").write_text("")
    for _ in range(2):
        done = CliRunner().invoke(group, ["check", root, "--cache-dir", str(tmp_path / "cache")])
        assert done.stderr.count("is not used") == 1


def test_that_a_pack_was_damaged_is_not_said_again(tmp_path: Path) -> None:
    project = make_project(tmp_path / "app")
    root = str(project.root)
    run("check", root)
    for pack in (project.root / ".inroads_cache").glob("*.pack"):
        pack.write_bytes(b"?")
    (project.root / "src" / "main.rs").touch()
    for found in (True, False, False):
        told = CliRunner().invoke(group, ["check", root]).stderr
        assert ("is damaged" in told) is found
