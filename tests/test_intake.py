"""The files of a tree to their facts."""

from __future__ import annotations

from pathlib import Path

from inroads.facts import FileFacts
from inroads.intake import read_files
from inroads.store import Store
from inroads.workspace import MemoryTree
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
