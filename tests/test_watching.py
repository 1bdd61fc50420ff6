"""Running again on change."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest

from gate_project import make_project
from inroads.cli.run import run
from inroads.cli.watching import is_wanted, run_on_change

CHECKOUT = Path(__file__).parent.parent
LONGEST = 60.0


class Watched:
    """A running `inroads check --watch`, and what it has said since it was last asked."""

    def __init__(self, root: Path) -> None:
        self.process = subprocess.Popen(
            (sys.executable, "-m", "inroads", "check", "--watch"),
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT / "lint")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            # A shell lets what it starts in the background ignore it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        self._lines: Queue[str] = Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def said(self, text: str) -> str:
        """All lines up to the one that holds a text."""
        end = time.monotonic() + LONGEST
        heard = ""
        while time.monotonic() < end:
            try:
                heard += self._lines.get(timeout=1)
            except Empty:
                continue
            if text in heard.splitlines()[-1]:
                return heard
        raise AssertionError(f"{text!r} was not said: {heard!r}")


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[tuple[Path, Watched]]:
    # A folder of this name above the program has nothing to do with build output.
    project = make_project(tmp_path / "target" / "app")
    watched = Watched(project.root)
    try:
        yield project.root, watched
    finally:
        watched.process.kill()
        watched.process.wait()


def test_each_change_is_a_run_and_the_last_code_is_given(tmp_path: Path) -> None:
    codes = iter([0, 1, 2])
    assert run_on_change(tmp_path, lambda: next(codes), iter([set(), {"a"}, {"b"}])) == 2


def test_ctrl_c_in_a_run_ends_the_watching_too(tmp_path: Path) -> None:
    codes = iter([0, 130, 0])
    assert run_on_change(tmp_path, lambda: next(codes), iter([set(), {"a"}, {"b"}])) == 130


def test_build_output_and_the_cache_are_not_watched(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").touch()
    root = str(tmp_path)
    assert is_wanted(tmp_path, f"{root}/src/lib.rs")
    assert is_wanted(tmp_path, f"{root}/inroads.toml")
    assert is_wanted(tmp_path, f"{root}/.inroads.toml")
    assert is_wanted(tmp_path, f"{root}/src/target/mod.rs")
    assert not is_wanted(tmp_path, f"{root}/target/debug/build/x.rs")
    assert not is_wanted(tmp_path, f"{root}/.inroads_cache/replay-1.toml")
    assert not is_wanted(tmp_path, f"{root}/README.md")


def test_a_watched_program_is_checked_after_each_edit(watched: tuple[Path, Watched]) -> None:
    root, running = watched
    running.said("0 findings")
    main = root / "src/main.rs"
    good = main.read_text()
    main.write_text(good.replace("fn main() {", "fn main( {"))
    running.said("1 problem in")
    # As many editors save.
    (root / "src/.main.rs.swp").write_text(good.replace("    pool.fill();\n", ""))
    (root / "src/.main.rs.swp").rename(main)
    assert "take-before-fill" in running.said("1 finding ")
    main.unlink()
    (root / "inroads.toml").write_text("packs = 3\n")
    running.said("packs: expected a list of texts")
    (root / "inroads.toml").write_text('packs = ["pool.toml"]\n')
    main.write_text(good)
    running.said("0 findings, 6 notes, 0 problems in 3 files")


def test_watching_ends_with_ctrl_c(watched: tuple[Path, Watched]) -> None:
    _, running = watched
    running.said("0 findings")
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(LONGEST) == 130


def test_a_missing_watcher_is_told_before_anything_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    project = make_project(tmp_path)
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert run(["check", str(project.root), "--watch"]) == 2
    out, err = capfd.readouterr()
    assert (out, err) == ("", "error: --watch wants the package watchfiles: pip install watchfiles\n")
