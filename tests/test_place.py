"""From paths to the root of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from inroads.cli.place import find_place
from inroads.errors import UsageError


def make(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_a_member_belongs_to_its_workspace_and_only_narrows(tmp_path: Path) -> None:
    make(tmp_path, {"Cargo.toml": "[workspace]\n", "a/Cargo.toml": "[package]\n", "a/src/lib.rs": ""})
    place = find_place([str(tmp_path / "a")])
    assert (place.root, place.only, place.files) == (tmp_path, ("a",), ())


def test_an_excluded_crate_is_its_own_root(tmp_path: Path) -> None:
    make(tmp_path, {"Cargo.toml": '[workspace]\nexclude = ["a"]\n', "a/Cargo.toml": "[package]\n"})
    assert find_place([str(tmp_path / "a")]).root == tmp_path / "a"


def test_a_crate_without_workspace_is_its_own_root(tmp_path: Path) -> None:
    make(tmp_path, {"a/Cargo.toml": "[package]\n", "a/src/lib.rs": ""})
    place = find_place([str(tmp_path / "a/src/lib.rs")])
    assert (place.root, place.only) == (tmp_path / "a", ("src/lib.rs",))


def test_a_file_without_manifest_is_all_there_is(tmp_path: Path) -> None:
    make(tmp_path, {"x/one.rs": "", "x/two.rs": ""})
    place = find_place([str(tmp_path / "x/one.rs")])
    assert (place.root, place.files) == (tmp_path / "x", ("one.rs",))


def test_a_manifest_that_cannot_be_read_is_still_a_root(tmp_path: Path) -> None:
    make(tmp_path, {"Cargo.toml": "[[[", "src/lib.rs": ""})
    assert find_place([str(tmp_path / "src")]).root == tmp_path


def test_a_missing_path_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        find_place([str(tmp_path / "gone")])


def test_two_programs_at_once_are_refused(tmp_path: Path) -> None:
    make(tmp_path, {"a/Cargo.toml": "[package]\n", "b/Cargo.toml": "[package]\n"})
    with pytest.raises(UsageError, match="different programs"):
        find_place([str(tmp_path / "a"), str(tmp_path / "b")])
