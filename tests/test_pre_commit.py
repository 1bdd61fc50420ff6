"""The hooks under the real pre-commit: a bad commit is stopped, a harmless one passes, staged text is what counts."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from gate_project import WORKER, Project, make_project

CHECKOUT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Hooked:
    """A project with both hooks installed."""

    project: Project
    environment: dict[str, str]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.project.root, env=self.environment, capture_output=True, text=True, check=False
        )

    def commit(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """`git commit`, hooks and all."""
        return self.run("git", "commit", "-qm", "change", *arguments)


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    project = make_project(tmp_path / "app")
    # The hooks as they ship, but run by this interpreter instead of a fresh environment.
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    text = (CHECKOUT / ".pre-commit-hooks.yaml").read_text().replace("language: python", "language: system")
    (hooks / ".pre-commit-hooks.yaml").write_text(text)
    store = Project(hooks)
    store.git("init", "-q", "-b", "main")
    store.commit("hooks")
    revision = store.git("rev-parse", "HEAD")
    project.write(
        ".pre-commit-config.yaml",
        f"repos:\n- repo: file://{hooks}\n  rev: {revision}\n  hooks:\n  - id: inroads\n  - id: inroads-full\n",
    )
    project.commit("hooks on")
    programs = tmp_path / "bin"
    programs.mkdir()
    shim = programs / "inroads"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m inroads "$@"\n')
    shim.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment.update(
        PATH=f"{programs}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}",
        PYTHONPATH=os.pathsep.join((str(CHECKOUT / "lint"), environment.get("PYTHONPATH", ""))),
        PRE_COMMIT_HOME=str(tmp_path / "store"),
        GIT_AUTHOR_NAME="a",
        GIT_AUTHOR_EMAIL="a@example.org",
        GIT_COMMITTER_NAME="a",
        GIT_COMMITTER_EMAIL="a@example.org",
        GIT_CONFIG_COUNT="1",
        GIT_CONFIG_KEY_0="protocol.file.allow",
        GIT_CONFIG_VALUE_0="always",
    )
    made = Hooked(project, environment)
    installed = made.run(
        sys.executable, "-m", "pre_commit", "install", "-t", "pre-commit", "-t", "pre-push", "--install-hooks"
    )
    assert installed.returncode == 0, installed.stdout + installed.stderr
    return made


def test_a_commit_that_adds_a_bad_call_site_is_stopped(hooked: Hooked) -> None:
    before = hooked.project.git("rev-parse", "HEAD")
    hooked.project.edit("src/main.rs", "    pool.fill();\n", "")
    hooked.project.git("add", "-A")
    done = hooked.commit()
    assert done.returncode == 1
    assert "take-before-fill" in done.stdout + done.stderr
    assert hooked.project.git("rev-parse", "HEAD") == before


def test_a_harmless_commit_passes(hooked: Hooked) -> None:
    hooked.project.edit("src/pool.rs", "items: 0", "items: 7")
    hooked.project.git("add", "-A")
    done = hooked.commit()
    assert done.returncode == 0, done.stdout + done.stderr


def test_unstaged_edits_do_not_count(hooked: Hooked) -> None:
    hooked.project.edit("src/pool.rs", "items: 0", "items: 7")
    hooked.project.git("add", "-A")
    hooked.project.edit("src/main.rs", "    pool.fill();\n", "")
    assert hooked.commit().returncode == 0


def test_a_partial_staging_is_read_as_staged(hooked: Hooked) -> None:
    hooked.project.write("src/worker.rs", WORKER + "\npub fn extra(pool: &Pool) {\n    pool.take();\n}\n")
    hooked.project.git("add", "-A")
    hooked.project.write("src/worker.rs", WORKER)
    assert hooked.commit().returncode == 1


def test_a_commit_of_named_files_is_judged_by_them(hooked: Hooked) -> None:
    hooked.project.edit("src/main.rs", "    pool.fill();\n", "")
    hooked.project.edit("src/pool.rs", "items: 0", "items: 7")
    assert hooked.commit("src/pool.rs").returncode == 0
    assert hooked.commit("src/main.rs").returncode == 1


def test_a_commit_that_only_deletes_is_judged_too(hooked: Hooked) -> None:
    hooked.project.write(
        "src/main.rs",
        "mod pool;\nmod worker;\nmod start;\nfn main() {\n    start::ready();\n    worker::serve();\n}\n",
    )
    hooked.project.write("src/start.rs", "pub fn ready() {\n    crate::pool::Pool::new().fill();\n}\n")
    hooked.project.git("add", "-A")
    assert hooked.commit().returncode == 0
    hooked.project.git("rm", "-q", "src/start.rs")
    assert hooked.commit().returncode == 1


def test_a_push_is_judged_whole(hooked: Hooked, tmp_path: Path) -> None:
    hooked.project.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    hooked.project.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    assert hooked.run("git", "push", "-q", "origin", "main").returncode == 0
    hooked.project.edit("src/main.rs", "    pool.fill();\n", "")
    hooked.project.git("commit", "-qam", "bad", "--no-verify")
    assert hooked.run("git", "push", "-q", "origin", "main").returncode != 0
