"""Bad input is a problem in the report, and never a traceback."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from inroads.cli.run import run
from inroads.workspace import tree

MANIFEST = '[package]\nname = "bad"\nversion = "0.1.0"\nedition = "2021"\n'
GOOD = "pub fn good() {}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "Cargo.toml").write_text(MANIFEST)
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text(GOOD)
    return tmp_path


def problems(root: Path, capfd: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    """(path, kind) of each problem of a check; the exit code is that of a clean run."""
    code = run(["check", str(root), "--output-format", "json", "--no-cache"])
    told = json.loads(capfd.readouterr().out)
    assert (code, told["findings"]) == (0, [])
    assert all(problem["line"] >= 1 and problem["column"] >= 1 for problem in told["problems"])
    return sorted({(problem["path"], problem["kind"]) for problem in told["problems"]})


def written(root: Path, data: bytes) -> Path:
    (root / "src/bad.rs").write_bytes(data)
    return root


def test_an_empty_file_is_fine(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert problems(written(root, b""), capfd) == []


def test_a_binary_file_is_told(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    [(path, _), *_] = problems(written(root, bytes(range(256)) * 20), capfd)
    assert path == "src/bad.rs"


def test_a_file_that_is_not_utf_8_is_told(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert ("src/bad.rs", "encoding") in problems(written(root, b'fn f() { "\xff\xfe"; }\n'), capfd)


def test_a_byte_order_mark_shifts_nothing(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert problems(written(root, b"\xef\xbb\xbf" + GOOD.encode()), capfd) == []


def test_crlf_is_fine(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert problems(written(root, b"fn f() {\r\n    g();\r\n}\r\nfn g() {}\r\n"), capfd) == []


def test_half_a_file_is_told(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert problems(written(root, b"pub fn f() {\n    if x {\n        g("), capfd) == [
        ("src/bad.rs", "syntax")
    ]


def test_a_file_of_ten_megabytes_is_read_or_told(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    line = b"pub const A_LONG_NAME_OF_A_CONSTANT_TO_FILL_THE_FILE: u64 = 0x0123_4567_89ab_cdef;\n"
    assert problems(written(root, line * (10_000_000 // len(line))), capfd) in (
        [],
        [("src/bad.rs", "too-large")],
    )


def test_fifty_thousand_nested_parentheses_are_read(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = b"fn f() { let x = " + b"(" * 50_000 + b"1" + b")" * 50_000 + b"; }\n"
    assert problems(written(root, source), capfd) == []


@pytest.mark.parametrize("pair", [b"[]", b"{}", b"<>"])
def test_fifty_thousand_nested_brackets_are_told(
    root: Path, capfd: pytest.CaptureFixture[str], pair: bytes
) -> None:
    source = b"fn f() { let x = " + pair[:1] * 50_000 + b"1" + pair[1:] * 50_000 + b"; }\n"
    [(path, kind)] = problems(written(root, source), capfd)
    assert (path, kind in ("nesting", "syntax", "deadline")) == ("src/bad.rs", True)


def test_a_file_without_permission_is_told(
    root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = written(root, GOOD.encode()) / "src/bad.rs"
    bad.chmod(0)
    if os.access(bad, os.R_OK):
        # The superuser may read all; then the system's answer is played.
        def refused(path: str, mode: str) -> object:
            if str(path).endswith("bad.rs"):
                raise PermissionError(13, "Permission denied")
            return open(path, mode)

        monkeypatch.setattr(tree, "open", refused, raising=False)
    assert problems(root, capfd) == [("src/bad.rs", "unreadable")]


def test_a_loop_of_directories_ends(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (root / "src/again").symlink_to(root / "src", target_is_directory=True)
    (root / "src/self").symlink_to(root / "src/self")
    assert problems(root, capfd) == []


def test_a_link_out_of_the_root_is_not_followed(
    root: Path, tmp_path_factory: pytest.TempPathFactory, capfd: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "bad.rs").write_text("fn f( {\n")
    (root / "src/out").symlink_to(outside, target_is_directory=True)
    (root / "src/bad.rs").symlink_to(outside / "bad.rs")
    assert problems(root, capfd) == []


@pytest.mark.parametrize(
    "text", ["[package\n", "[package]\nname = 3\n", "[workspace]\nmembers = 7\n", "\x00"]
)
def test_an_invalid_manifest_is_told(root: Path, capfd: pytest.CaptureFixture[str], text: str) -> None:
    (root / "Cargo.toml").write_text(text)
    assert [path for path, _ in problems(root, capfd)] == ["Cargo.toml"]


def test_a_named_pipe_is_not_read(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(root / "src/bad.rs")
    assert problems(root, capfd) == []


def test_a_missing_module_is_no_crash(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (root / "src/lib.rs").write_text("mod gone;\npub fn good() {}\n")
    assert {path for path, _ in problems(root, capfd)} <= {"src/lib.rs"}
