"""Whatever the input, there is an answer: a fixed number of mutated workspaces (tests/fuzzing.py runs more)."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzing import corpus, fault_of, made, write

HERE = Path(__file__).parent
TEXTS = corpus((HERE / "cases", HERE / "forms", HERE / "gaps", HERE / "syntax", HERE.parent / "examples"))


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_mutated_workspaces_are_answered(first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(first, first + 10):
        folder = tmp_path / str(seed)
        folder.mkdir()
        monkeypatch.chdir(folder)
        write(folder, made(seed, TEXTS))
        assert fault_of(folder, seed) is None, seed


def test_a_seed_gives_the_same_workspace_each_time() -> None:
    assert made(3, TEXTS) == made(3, TEXTS)
