"""`inroads audit` on the command line: which bodies are read, and what is told of those with errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from inroads.cli.run import run
from inroads.work import DONE

MANIFEST = '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n'
TEXT = "pub mod other;\npub fn goal() {}\npub fn asks() { goal(); }\n"
OTHER = "pub fn elsewhere() { let x = ; }\n"


def crate(folder: Path, text: str, other: str) -> str:
    """A crate of two files."""
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text(MANIFEST)
    (folder / "src/lib.rs").write_text(text)
    (folder / "src/other.rs").write_text(other)
    return str(folder)


def test_an_error_in_a_body_that_nobody_asked_for_is_not_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = crate(tmp_path, TEXT, OTHER)
    assert run(["audit", "goal", place, "--no-cache"]) == 0
    assert capsys.readouterr().err == ""


def test_an_error_in_a_body_that_was_looked_at_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = crate(tmp_path, TEXT.replace("{ goal(); }", "{ goal(); let y = ; }"), OTHER)
    assert run(["audit", "goal", place, "--no-cache"]) == 0
    told = capsys.readouterr()
    assert "src/lib.rs:3" in told.err
    assert "1 call site" in told.out


def test_an_audit_tells_the_same_before_and_after_a_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = crate(tmp_path, TEXT, OTHER)
    told = []
    for command in (["audit", "goal"], ["check"], ["audit", "goal"]):
        run([*command, place])
        told.append(capsys.readouterr())
    assert told[0] == told[2]
    assert "src/other.rs:1" in told[1].err


def test_an_error_in_a_signature_is_told_where_it_was_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = crate(tmp_path, TEXT.replace("goal() {}", "goal(x: ,) {}"), "pub fn elsewhere(x: ,) {}\n")
    assert run(["audit", "asks", place, "--no-cache"]) == 0
    assert "src/other.rs" not in capsys.readouterr().err
    assert run(["audit", "goal", place, "--no-cache"]) == 0
    told = capsys.readouterr()
    assert "src/lib.rs:2" in told.err
    assert "1 call site" in told.out


def test_bodies_that_nobody_asked_for_are_not_parsed(tmp_path: Path) -> None:
    place = crate(tmp_path, TEXT, "pub fn long() { " + "goes(1, 2, 3);" * 500 + " }\n")
    before = DONE.get("syntax nodes", 0)
    run(["audit", "goal", place, "--no-cache"])
    assert DONE["syntax nodes"] - before < 2000
