"""What makes it pleasant: hints, completion, progress on a terminal and nothing in a pipe."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from gate_project import Project, make_project
from inroads.check import Options, Progress as Told, check, load
from inroads.cli import terminal
from inroads.cli.options import read_rulebook
from inroads.cli.run import COMMANDS, group, run
from inroads.pool import map_in_order
from inroads.settings import Settings
from inroads.workspace import MemoryTree

ENVIRONMENT = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "app")


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_help_shows_an_example(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    run([command, "--help"])
    assert f"\n  inroads {command}" in capfd.readouterr().out


def test_the_help_of_the_group_fits_a_screen(capfd: pytest.CaptureFixture[str]) -> None:
    run(["--help"])
    assert len(capfd.readouterr().out.splitlines()) <= 35


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["chek"], 'did you mean "check"?'),
        (["check", "--select", "swalow"], 'did you mean "swallow"?'),
        (["check", "--selct", "x"], "--select"),
        (["check", "--output-format", "sarrif"], 'did you mean "sarif"?'),
        (["audit", "Pool::tke"], 'did you mean "Pool::take"?'),
        (["explain", "error-droped"], 'did you mean "error-dropped"?'),
        (["test", "erors"], 'did you mean "errors"?'),
        (["settings", "-D", "errors-dropped"], 'did you mean "error-dropped"?'),
    ],
)
def test_a_slip_is_told_with_what_was_meant(
    arguments: list[str],
    hint: str,
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(project.root)
    assert run(arguments) == 2
    assert hint in capfd.readouterr().err


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (["check", "--sel"], "--select"),
        (["check", "-D", "error-d"], "error-dropped"),
        (["check", "--select", "order,take-b"], "order,take-before-fill"),
        (["explain", "changed"], "changed-road"),
        (["se"], "settings"),
    ],
)
def test_the_shell_completes_commands_flags_and_rules(
    typed: list[str], found: str, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.root)
    words = ["inroads", *typed]
    environment = {
        "_INROADS_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    done = CliRunner().invoke(group, [], prog_name="inroads", env=environment)
    assert f"plain,{found}" in done.output.splitlines()


def test_a_mistake_in_the_settings_does_not_stop_the_completion(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.root)
    project.write("inroads.toml", "packs = 3\n")
    environment = {
        "_INROADS_COMPLETE": "bash_complete",
        "COMP_WORDS": "inroads check -A error-o",
        "COMP_CWORD": "3",
    }
    done = CliRunner().invoke(group, [], prog_name="inroads", env=environment)
    assert done.output.splitlines() == ["plain,error-only-logged"]


def on_a_terminal(command: list[str], folder: Path, **more: str) -> str:
    """What a command writes to a terminal, standard error included."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
        env={**ENVIRONMENT, **more},
    )
    os.close(follower)
    text = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            # Linux says EIO where the other side is closed.
            break
        if not piece:
            break
        text += piece
    os.close(leader)
    process.wait()
    return text.decode("utf-8", "replace")


SLOW = """
import sys
from inroads.cli import terminal
from inroads.cli.run import run
terminal._PATIENCE = terminal._BREATH = 0.0
sys.exit(run(["check", "--no-cache", "-j", "1"]))
"""


def test_progress_is_drawn_on_a_terminal(project: Project) -> None:
    text = on_a_terminal([sys.executable, "-c", SLOW], project.root)
    assert "files" in text
    assert "judging" in text
    assert text.rstrip().endswith(" s") or " functions, " in text


def test_nothing_is_drawn_in_a_pipe(project: Project) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW], cwd=project.root, capture_output=True, env=ENVIRONMENT, check=False
    )
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout


def test_a_terminal_gets_colours_and_links_unless_it_wants_none(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    command = [sys.executable, "-m", "inroads", "check", "--no-cache"]
    text = on_a_terminal(command, project.root)
    assert "\x1b]8;;file://" in text
    assert "\x1b[" in text
    plain = on_a_terminal(command, project.root, NO_COLOR="1")
    # The progress may move the cursor; it has no colours.
    assert not re.search(r"\x1b\[[\d;]*m|\x1b\]8", plain)


def test_progress_tells_files_then_judging() -> None:
    stages: list[str] = []

    def told(stage: str, done: int, total: int) -> None:
        assert 0 < done <= total
        stages.append(stage)

    heard: Told = told
    code = b"fn a() { let _ = b(); }\nfn b() -> Result<(), String> { Ok(()) }\n"
    files = {"src/lib.rs": code, "Cargo.toml": b'[package]\nname = "x"\n'}
    check(
        load(MemoryTree(files), progress=heard),
        read_rulebook(Path(), Settings(), ()),
        Settings(),
        Options(progress=heard),
    )
    assert stages[0] == "files"
    assert set(stages[1:]) == {"judging"}


def test_processes_tell_how_far_they_are() -> None:
    heard: list[int] = []
    answers = map_in_order(len, ["a" * at for at in range(40)], jobs=2, small=1, told=heard.append)
    assert answers == list(range(40))
    assert heard[-1] == 40
    assert heard == sorted(heard)


def test_a_forked_worker_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    progress = terminal.Progress(Terminal(), enabled=True)  # type: ignore[arg-type]  # only asked whether it is one
    monkeypatch.setattr(terminal, "_PATIENCE", 0.0)
    monkeypatch.setattr(os, "getpid", lambda: 1)
    progress("files", 1, 2)
    assert progress._rich is None


def wait_for_workers(pid: int) -> None:
    """Wait until a process has started others; where that can't be seen, for a while."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    if not children.exists():
        time.sleep(5)
        return
    end = time.monotonic() + 60
    while not children.read_text() and time.monotonic() < end:
        time.sleep(0.05)


def test_ctrl_c_ends_a_run_with_130_and_no_traceback(tmp_path: Path) -> None:
    project = make_project(tmp_path / "app")
    body = "".join(
        f"pub fn f{at}(x: u32) -> u32 {{ if x > {at} {{ f{at}(x) }} else {{ 1 }} }}\n" for at in range(9000)
    )
    for name in range(8):
        project.write(f"src/bin/b{name}.rs", body + "fn main() {}\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "inroads", "check", "--no-cache"],
        cwd=project.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        start_new_session=True,
    )
    # Ctrl-C reaches the whole group, workers included; before click is loaded it would be the interpreter's.
    wait_for_workers(process.pid)
    assert process.poll() is None, "the program is too small to be interrupted"
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.decode().strip() == "interrupted"
