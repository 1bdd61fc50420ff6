"""The files of a tree to their facts."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from inroads.facts import FileFacts
from inroads.intake import Intake, read_files
from inroads.store import Store
from inroads.workspace import DirectoryTree, MemoryTree
from syntax_corpus import snippets

FILES = {f"{at:03}.rs": text.encode() for at, text in enumerate(snippets().values())}


class Failing(MemoryTree):
    """A tree in which one file may not be read."""

    def read(self, path: str) -> bytes:
        if path == "secret.rs":
            raise PermissionError(13, "Permission denied", path)
        return super().read(path)


def test_a_file_without_permission_is_a_problem() -> None:
    tree = Failing({"a.rs": b"fn f() {}", "secret.rs": b""})
    taken = read_files(tree, tree.list())
    files, problems = taken.files, list(taken.problems)
    assert list(files) == ["a.rs"]
    assert [(one.kind, one.path, one.message) for one in problems] == [
        ("unreadable", "secret.rs", "Permission denied")
    ]


def test_one_job_equals_three() -> None:
    tree = MemoryTree({**FILES, "big.rs": b"fn f() { g(1); }\n" * 70_000})
    assert read_files(tree, tree.list(), jobs=3) == read_files(tree, tree.list(), jobs=1)


def test_cold_equals_warm(tmp_path: Path) -> None:
    tree = MemoryTree(FILES)
    cold = read_files(tree, tree.list())
    for _ in range(2):
        assert read_files(tree, tree.list(), store=Store(str(tmp_path), version=b"v" * 16)) == cold


def test_a_cache_that_holds_nonsense_is_a_cold_run(tmp_path: Path) -> None:
    tree = MemoryTree(FILES)
    store = Store(str(tmp_path), version=b"v" * 16)
    for path in tree.list():
        store.put(f"facts:{tree.key(path)}", b"nonsense")
    assert read_files(tree, tree.list(), store=store) == read_files(tree, tree.list())


def test_equal_files_are_one_object() -> None:
    memo: dict[str, FileFacts] = {}
    tree = MemoryTree({"a.rs": b"fn f() {}", "b.rs": b"fn f() {}"})
    files = read_files(tree, tree.list(), memo=memo).files
    assert files["a.rs"] is files["b.rs"]
    again = read_files(tree, tree.list(), memo=memo).files
    assert again["a.rs"] is files["a.rs"]


class Counting(DirectoryTree):
    """A directory that counts how often a file is read."""

    reads = 0

    def read(self, path: str) -> bytes:
        self.reads += 1
        return super().read(path)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two files that are old enough to be told apart."""
    monkeypatch.setattr("inroads.workspace.tree.YOUNG", 10_000_000)
    (tmp_path / "a.rs").write_text("fn a() {}")
    (tmp_path / "b.rs").write_text("fn b() {}")
    time.sleep(0.02)
    return tmp_path


def taken(folder: Path) -> tuple[Intake, int]:
    """What is known of a folder with a cache in it, and how often a file was read for it."""
    tree = Counting(folder)
    found = read_files(tree, tree.list(), store=Store(str(folder / "cache"), version=b"v" * 16))
    assert found == read_files(DirectoryTree(folder), tree.list())
    return found, tree.reads


def test_a_file_that_is_as_it_was_is_not_read(folder: Path) -> None:
    first, reads = taken(folder)
    assert reads == 4, "each is read for its key, and again for its facts"
    again, reads = taken(folder)
    assert (again, reads) == (first, 0)


def test_a_file_of_the_same_size_and_time_is_read(folder: Path) -> None:
    taken(folder)
    status = (folder / "a.rs").stat()
    (folder / "a.rs").write_text("fn c() {}")
    os.utime(folder / "a.rs", ns=(status.st_atime_ns, status.st_mtime_ns))
    time.sleep(0.02)
    found, reads = taken(folder)
    assert reads
    assert [item.head.name for item in found.files["a.rs"].items] == ["c"]


def test_what_is_known_of_a_state_whose_facts_are_gone_is_read(folder: Path) -> None:
    taken(folder)
    store = Store(str(folder / "cache"), version=b"v" * 16)
    states = store.get("states")
    assert states is not None
    store.clear()
    store.put("states", states)
    store.flush()
    assert taken(folder)[1]


def test_a_young_file_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inroads.workspace.tree.YOUNG", 10**12)
    taken(folder)
    assert taken(folder)[1]


def test_outlines_do_not_depend_on_what_earlier_runs_kept(tmp_path: Path) -> None:
    tree = MemoryTree({"plain.rs": b"fn f() { g(1); }\n", "broken.rs": b"fn f() { let x = ; }\n"})
    plain = read_files(tree, tree.list(), outlines=True)
    store = Store(str(tmp_path), version=b"v" * 16)
    whole = read_files(tree, tree.list(), store=store)
    assert [one.kind for one in whole.files["broken.rs"].problems] == ["syntax"]
    assert plain.files["broken.rs"].problems == ()
    for _ in range(2):
        assert read_files(tree, tree.list(), outlines=True, store=store) == plain
        assert read_files(tree, tree.list(), store=store) == whole
