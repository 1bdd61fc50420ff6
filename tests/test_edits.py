"""
A warm cache never changes an answer: random edits, each judged warm and cold, byte for byte.

    INROADS_EDITS=2000 INROADS_FROM=1000 pytest tests/test_edits.py      as many sequences, from that seed on
"""

from __future__ import annotations

import gc
import io
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from edited_program import Program
from inroads.cli import main

COUNT = int(os.environ.get("INROADS_EDITS", "0"))
FROM = int(os.environ.get("INROADS_FROM", "1000"))
SEEDS = range(FROM, FROM + COUNT) if COUNT else range(6)
STEPS = 7

CHECK = ("check", "--output-format", "json")
QUESTIONS = (
    CHECK,
    (*CHECK, "--tests", "--statistics"),
    ("check", "--output-format", "concise", "-D", "swallow"),
    ("check", "server", "--output-format", "sarif"),
    ("audit", "Pool::take", "--output-format", "json"),
    ("calls", "--output-format", "jsonl"),
    ("fates", "--output-format", "json"),
)
COMPARED = ((*CHECK, "--base", "HEAD"), (*CHECK, "--staged"))
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "gc.auto=0")


def said(arguments: tuple[str, ...]) -> tuple[object, bytes, bytes]:
    """Exit code, standard output and standard error of a command line, replayed where nothing has changed."""
    out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["inroads", *arguments])
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as ended:
            main()
    gc.unfreeze()
    out.flush()
    err.flush()
    assert isinstance(out.buffer, io.BytesIO) and isinstance(err.buffer, io.BytesIO)
    return ended.value.code, out.buffer.getvalue(), err.buffer.getvalue()


def write(root: Path, before: dict[str, str], after: dict[str, str], source: random.Random) -> None:
    """Bring the folder from one state to the next; some files keep the time that they had."""
    for path in before.keys() - after.keys():
        (root / path).unlink()
    for path, text in after.items():
        if before.get(path) == text:
            continue
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        times = os.stat(place) if place.exists() else None
        place.write_text(text)
        if times is not None and source.random() < 0.5:
            os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))


def git(*arguments: str) -> None:
    """Run git in the working directory."""
    subprocess.run((*GIT, *arguments), check=True, capture_output=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_warm_says_what_cold_says_after_any_edits(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Files as young as a test's are not replayed; a short rest makes them old enough.
    monkeypatch.setattr("inroads.cli.replay._YOUNG", 10_000_000)
    monkeypatch.setattr("inroads.workspace.tree.YOUNG", 10_000_000)
    jobs: tuple[str, ...] = ("-j", "1")
    if seed % 3 == 0:
        monkeypatch.setattr("inroads.judging.SMALL", 0)
        jobs = ("-j", "2")
    monkeypatch.chdir(tmp_path)
    source = random.Random(seed)
    questions = QUESTIONS
    has_git = seed % 2 == 1
    if has_git:
        git("init", "-q")
        questions = (*QUESTIONS, *3 * COMPARED)
    program = Program()
    on_disk: dict[str, str] = {}
    earlier = [program.copy()]
    story: list[str] = []
    for step in range(STEPS):
        if step and source.random() < 0.2:
            back = source.randrange(len(earlier))
            program = earlier[back].copy()
            story.append(f"back to {back}")
        elif step:
            story += [program.edit(source) for _ in range(source.choice((1, 1, 1, 2, 5)))]
        files = program.files()
        write(tmp_path, on_disk, files, source)
        on_disk = files
        earlier.append(program.copy())
        if has_git and (step == 0 or source.random() < 0.6):
            git("add", "-A")
            if step == 0 or source.random() < 0.4:
                git("commit", "-q", "--allow-empty", "-m", "step")
        question = CHECK if source.random() < 0.5 else source.choice(questions)
        cold = said((*question, "-j", "1", "--no-cache"))
        time.sleep(0.02)
        for turn in range(2):
            assert said((*question, *jobs)) == cold, (question, turn, story)
