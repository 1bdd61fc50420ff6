"""What a change is compared with is not judged again where an earlier run has."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from gate_project import Project, make_project
from inroads.cli import session
from inroads.cli.run import group
from inroads.past import recall
from inroads.store import Store


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = make_project(tmp_path / "app")
    made.write(".gitignore", ".inroads_cache\n")
    made.commit()
    return made


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The trees that are loaded."""
    loaded: list[str] = []
    load = session.load

    def watched(tree: object, **options: object) -> object:
        loaded.append(type(tree).__name__)
        return load(tree, **options)  # type: ignore[arg-type]  # What was given.

    monkeypatch.setattr(session, "load", watched)
    return loaded


def staged(project: Project, *arguments: str, path: str = "") -> dict[str, object]:
    """The report of a hook, which keeps what it has found out."""
    command = ["check", str(project.root / path), "--staged", "--output-format", "json", *arguments]
    done = CliRunner().invoke(group, command, standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    report = json.loads(done.stdout)
    assert isinstance(report, dict)
    return report


def test_the_index_of_one_hook_is_what_the_next_compares_with(project: Project, loads: list[str]) -> None:
    staged(project)
    assert len(loads) == 2
    project.edit("src/worker.rs", "+ 1", "+ 2")
    project.git("add", "-A")
    staged(project)
    project.git("commit", "-qm", "change")
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.git("add", "-A")
    loads.clear()
    report = staged(project)
    assert len(loads) == 1
    assert report == staged(project, "--no-cache")
    findings = report["findings"]
    assert isinstance(findings, list) and [one["status"] for one in findings] == ["new"]


def test_another_rulebook_judges_the_base_again(project: Project, loads: list[str]) -> None:
    staged(project)
    loads.clear()
    assert staged(project, "--ignore", "swallow") == staged(project, "--ignore", "swallow", "--no-cache")
    assert len(loads) == 4


def test_paths_that_narrow_the_head_are_no_report_of_a_base(project: Project, loads: list[str]) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.git("add", "-A")
    staged(project, path="src/worker.rs")
    project.git("commit", "-qm", "change")
    loads.clear()
    report = staged(project)
    assert len(loads) == 2
    assert report == staged(project, "--no-cache")


def test_a_kept_report_that_cannot_be_read_is_made_again(project: Project, loads: list[str]) -> None:
    staged(project)
    report = staged(project)
    for pack in (project.root / ".inroads_cache").glob("*.pack"):
        data = pack.read_bytes()
        pack.write_bytes(data[:-40] + bytes(40))
    loads.clear()
    assert staged(project) == report
    assert loads


@pytest.mark.parametrize(("end", "is_of_a_day"), [("", False), (", until = 2999-12-24", True)])
def test_a_report_is_of_its_day_only_where_a_comment_has_one(
    project: Project, end: str, is_of_a_day: bool
) -> None:
    project.edit(
        "src/worker.rs",
        "    pool.take",
        f'    // inroads: allow(take-before-fill) reason = "r"{end}\n    pool.take',
    )
    project.commit()
    staged(project)
    store = Store(str(project.root / ".inroads_cache"))
    store.info()
    (key,) = {key for key in store._where if key.startswith("report:")}
    assert recall(store, key, date.today()) is not None
    assert (recall(store, key, date(2999, 1, 1)) is None) == is_of_a_day
