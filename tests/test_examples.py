"""The examples show what their marks say."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from inroads.cli.run import run

EXAMPLES = sorted(path.parent for path in (Path(__file__).parent.parent / "examples").glob("*/*/Cargo.toml"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_marks_of_an_example_hold(example: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code = run(["test", str(example)])
    assert code == 0, capfd.readouterr().out


def test_the_mended_example_is_clean() -> None:
    before, after = (EXAMPLES[0].parent / side for side in ("before", "after"))
    assert run(["check", str(before), "--no-cache"]) == 1
    assert run(["check", str(after), "--no-cache"]) == 0


@pytest.mark.parametrize("example", EXAMPLES if shutil.which("cargo") else [], ids=lambda path: path.name)
def test_an_example_compiles_without_a_dependency(example: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(example, tmp_path / "copy")
    done = subprocess.run(
        ["cargo", "check", "--offline", "--quiet"], cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
