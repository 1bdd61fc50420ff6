"""Files of the user are written whole, or stay as they were."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from inroads.cli.files import write_file
from inroads.errors import UsageError


def test_a_file_is_written_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.rs"
    write_file(path, b"one")
    path.chmod(0o755)
    write_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    assert os.listdir(tmp_path) == ["a.rs"]


def test_what_stood_there_stays_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.rs"
    path.write_bytes(b"one")

    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("inroads.cli.files.os.replace", full)
    with pytest.raises(UsageError, match=r"a\.rs: can't be written: No space left on device"):
        write_file(path, b"two")
    assert path.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["a.rs"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"one")
    (tmp_path / "link").symlink_to("real")
    write_file(tmp_path / "link", b"two")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"two"


def test_what_is_no_file_is_written_to_as_it_is(tmp_path: Path) -> None:
    write_file("/dev/null", b"one")
    assert not os.path.isfile("/dev/null")
    with pytest.raises(UsageError, match="can't be written: Is a directory"):
        write_file(tmp_path, b"one")
