"""What each kind of run does, in counts that do not depend on the machine, held against bounds."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generated import workspace
from inroads.rust.parse import parse

SCRIPT = """
import contextlib, io, json, sys
from inroads.cli import _answer
from inroads.work import DONE
with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())) as out:
    code = _answer(sys.argv[1:])
out.seek(0)
loaded = [name for name in ("click", "msgspec", "networkx", "rich", "tree_sitter") if name in sys.modules]
print(json.dumps({"code": code, "done": DONE, "loaded": loaded, "said": out.read()}))
"""

CHECK = ("check", "-j", "1", "--output-format", "concise")
CRATES, MODULES = 4, 10
FILES = 2 + CRATES * (MODULES + 1)
"""The Rust files of the workspace."""


class Project:
    """A generated workspace on disk."""

    def __init__(self, root: Path, crates: int = CRATES) -> None:
        self.root = root
        for path, text in workspace(crates, MODULES).items():
            self.write(path, text)
        time.sleep(0.15)

    def write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def change(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text()
        assert old in text
        self.write(path, text.replace(old, new, 1))
        time.sleep(0.15)

    def git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(("git", *identity, *arguments), cwd=self.root, check=True, capture_output=True)

    def run(self, *arguments: str) -> Done:
        done = subprocess.run(
            (sys.executable, "-c", SCRIPT, *arguments),
            cwd=self.root,
            capture_output=True,
            text=True,
            check=True,
        )
        found = json.loads(done.stdout)
        return Done(found["code"], found["done"], found["loaded"], found["said"])


class Done:
    """What a run did and said."""

    def __init__(self, code: int, done: dict[str, int], loaded: list[str], said: str) -> None:
        self.code = code
        self.done = done
        self.loaded = loaded
        self.said = said

    def __getitem__(self, what: str) -> int:
        return self.done.get(what, 0)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("work"))


@pytest.fixture(scope="module")
def cold(project: Project) -> Done:
    return project.run(*CHECK)


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A cold check of half the crates: what does not grow is in it, too."""
    return Project(tmp_path_factory.mktemp("half"), CRATES // 2).run(*CHECK)


def test_a_cold_check_reads_each_file_once_and_few_bodies(project: Project, cold: Done, half: Done) -> None:
    texts = [path.read_bytes() for path in project.root.rglob("*.rs")]
    nodes = sum(parse(text).root_node.descendant_count for text in texts)
    functions = sum(text.count(b"fn ") for text in texts)
    assert cold.said.count("\n") == CRATES * MODULES * 3 // 5
    assert cold["files hashed"] == FILES
    assert cold["files extracted"] - half["files extracted"] == FILES // 2 - 1
    # Each file once, and once more the bodies that are looked into.
    assert 2 * (cold["syntax nodes"] - half["syntax nodes"]) <= 1.4 * nodes
    assert cold["bodies searched"] <= 0.6 * functions
    assert cold["functions judged"] <= 0.54 * functions
    assert cold["bodies read"] <= 0.25 * functions
    assert cold["functions lowered"] <= 0.2 * functions


def test_twice_the_code_is_twice_the_work(cold: Done, half: Done, tmp_path: Path) -> None:
    double = Project(tmp_path, 2 * CRATES).run(*CHECK)
    for what, number in cold.done.items():
        assert double[what] - number <= 2.05 * (number - half[what]), what


def test_where_nothing_changed_nothing_is_done(project: Project, cold: Done) -> None:
    again = project.run(*CHECK)
    assert (again.code, again.said) == (cold.code, cold.said)
    assert (again.done, again.loaded) == ({}, [])


def test_an_audit_of_one_function_judges_its_callers_only(tmp_path: Path) -> None:
    audit = Project(tmp_path).run("audit", "only12", "-j", "1")
    assert audit["functions judged"] <= 4
    assert audit["functions lowered"] <= 4
    again = Project(tmp_path).run("audit", "only12", "-j", "1")
    assert again.said == audit.said
    assert again["files extracted"] == 0


def test_after_an_edit_of_a_body_little_is_judged_again(cold: Done, tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.run(*CHECK)
    project.change("unit1/src/part12.rs", "sum += 1", "sum += 2")
    edited = project.run(*CHECK)
    assert edited.said == cold.said
    assert edited["files extracted"] == edited["files hashed"] == 1
    # The file as it was is looked at, too.
    assert edited["files decoded"] <= cold["files decoded"] + 1
    assert edited["syntax nodes"] <= 0.02 * cold["syntax nodes"]
    assert edited["functions judged"] <= 0.75 * cold["functions judged"]
    assert edited["bodies read"] <= cold["bodies read"] + 1
    assert edited["bodies searched"] <= cold["bodies searched"] + 2
    assert edited["functions lowered"] <= cold["functions lowered"]


def test_after_an_edit_of_a_signature_those_who_mention_it_are_judged_again(
    cold: Done, tmp_path: Path
) -> None:
    project = Project(tmp_path)
    project.run(*CHECK)
    project.change(
        "unit1/src/part12.rs", "only12(value: Option<u32>)", "only12(value: Option<u32>, _more: u8)"
    )
    edited = project.run(*CHECK)
    assert edited.said == cold.said
    assert edited["files extracted"] == edited["files hashed"] == 1
    # The file as it was is looked at for the tables and for the answers.
    assert edited["files decoded"] <= cold["files decoded"] + 2
    assert edited["syntax nodes"] <= 0.02 * cold["syntax nodes"]
    assert edited["functions judged"] <= 0.5 * cold["functions judged"]
    assert edited["bodies read"] <= cold["bodies read"]
    assert edited["functions lowered"] == 0


def test_commit_after_commit_only_what_is_staged_is_judged(cold: Done, tmp_path: Path) -> None:
    project = Project(tmp_path)
    staged = ("check", "--staged", "-j", "1", "--output-format", "concise")
    project.git("init", "-q")
    project.git("add", "-A")
    project.git("commit", "-q", "-m", "first")
    first = project.run(*staged)
    assert first["functions judged"] == cold["functions judged"]
    assert project.run(*staged)["functions judged"] == 0
    for number in (2, 3, 4):
        for path, old in (
            ("unit1/src/part12", number),
            ("unit1/src/part13", number),
            ("unit2/src/part25", number),
        ):
            project.change(f"{path}.rs", f"sum += {old - 1}", f"sum += {old}")
        project.git("add", "-A")
        done = project.run(*staged)
        assert (done.code, done.said) == (0, "")
        assert done["files extracted"] == 3
        # What is compared with was judged by the hook before; of it only these files are looked at.
        assert done["files decoded"] <= cold["files decoded"] + 3
        assert done["syntax nodes"] <= 0.04 * cold["syntax nodes"]
        assert done["functions judged"] <= 0.85 * cold["functions judged"]
        project.git("commit", "-q", "-m", "next")
