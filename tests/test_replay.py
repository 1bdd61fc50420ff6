"""What was said is said again only where nothing has changed."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from inroads.cachefolder import folder_for, is_trusted, prepare
from inroads.cli.replay import keep, name_of, replay, state_of

ARGUMENTS = ["check"]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file whose output is kept."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text("fn f() {}\n")
    # A short rest makes the files old enough.
    monkeypatch.setattr("inroads.cli.replay._YOUNG", 10_000_000)
    time.sleep(0.02)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit_and_set_back(path: Path) -> None:
    """Other text of the same length, with the time of the last edit that the file had."""
    status = path.stat()
    path.write_text("fn g() {}\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def replace_and_set_back(path: Path) -> None:
    """Another file in its place; the folder's time is set back too."""
    folder = path.parent.stat()
    other = path.with_name("other")
    other.write_text("fn g() {}\n")
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    other.replace(path)
    os.utime(path.parent, ns=(folder.st_atime_ns, folder.st_mtime_ns))


def remember(root: Path) -> None:
    state = state_of(str(root), [str(root / "src")], [str(root / "src/lib.rs"), str(root / "inroads.toml")])
    assert state is not None
    keep(folder_for(str(root)), name_of(ARGUMENTS), state, 1, ("found, 0.50 s\n", "said\n"), "0.50")


def test_an_unchanged_tree_is_told_again_with_the_same_exit_code(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    remember(root)
    assert replay(ARGUMENTS) == 1
    out, err = capfd.readouterr()
    assert (out.split(",")[0], err) == ("found", "said\n")
    assert "0.50" not in out, "the time told is that of this run"


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "src/lib.rs").write_text("fn g() {}\n"),
        lambda root: (root / "src/new.rs").write_text(""),
        lambda root: (root / "src/lib.rs").unlink(),
        lambda root: (root / "inroads.toml").write_text(""),
        lambda root: (root / "other").mkdir(),
        lambda root: (root / "src/lib.rs").chmod(0o400),
        lambda root: edit_and_set_back(root / "src/lib.rs"),
        lambda root: replace_and_set_back(root / "src/lib.rs"),
    ],
    ids=[
        "edited",
        "added",
        "removed",
        "settings come",
        "folder added",
        "mode changed",
        "edited, the time set back",
        "replaced, the time set back",
    ],
)
def test_any_change_is_seen(root: Path, change: Callable[[Path], object]) -> None:
    remember(root)
    change(root)
    assert replay(ARGUMENTS) is None


def test_other_arguments_are_another_run(root: Path) -> None:
    remember(root)
    assert replay(["check", "--certain"]) is None
    assert replay(["check", "--no-cache"]) is None


def test_a_file_that_was_just_written_is_not_trusted(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inroads.cli.replay._YOUNG", 10**12)
    (root / "src/lib.rs").write_text("fn h() {}\n")
    assert state_of(str(root), [], [str(root / "src/lib.rs")]) is None


def test_a_damaged_file_is_no_answer(root: Path) -> None:
    remember(root)
    [kept] = (root / ".inroads_cache").glob("replay-*")
    for data in (b"", b"x", kept.read_bytes()[:-3], b"inroads replay 2\n-1 0 0 0\n"):
        kept.write_bytes(data)
        assert replay(ARGUMENTS) is None


def test_the_cache_holds_its_own_gitignore(root: Path) -> None:
    remember(root)
    assert "*" in (root / ".inroads_cache/.gitignore").read_text()


def test_the_cache_is_in_target_where_there_is_one(root: Path) -> None:
    (root / "target").mkdir()
    assert folder_for(str(root)) == str(root / "target/inroads")


def test_a_cache_that_git_tracks_is_not_read(root: Path) -> None:
    remember(root)
    folder = root / ".inroads_cache"
    assert is_trusted(str(folder))
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "-f", ".inroads_cache"], check=True)
    assert not is_trusted(str(folder))
    assert replay(ARGUMENTS) is None


def test_a_linked_cache_is_not_read(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (root / ".inroads_cache").symlink_to(elsewhere)
    assert not is_trusted(str(root / ".inroads_cache"))


def test_a_folder_that_cannot_be_made_means_no_cache(root: Path) -> None:
    (root / "file").write_text("")
    assert not prepare(str(root / "file/cache"))
