"""The gate tells what a change makes new, over the whole program, and nothing else."""

from __future__ import annotations

import subprocess
from datetime import date, timedelta
from pathlib import Path

import pytest

from gate_project import POOL, WORKER, Project, make_project
from inroads.cli.run import run
from inroads.errors import RevisionError, UsageError

HERE = "src/worker.rs:5 take-before-fill"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "app")


def test_the_project_is_clean_at_first(project: Project) -> None:
    checked = project.check()
    assert (checked.code, checked.report["findings"]) == (0, [])


def test_a_deleted_need_is_told_in_the_file_that_did_not_change(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    checked = project.check("--base", "HEAD")
    assert (checked.code, checked.told()) == (1, [HERE])


@pytest.mark.parametrize("flag", ["--base", "--since", "--new-from-rev"])
def test_the_flag_has_aliases(project: Project, flag: str) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    assert project.check(flag, "HEAD").told() == [HERE]


def test_a_finding_that_was_there_is_known(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.commit()
    project.edit("src/pool.rs", "items: 0", "items: 1")
    checked = project.check("--base", "HEAD")
    assert (checked.code, checked.told(), checked.told("known")) == (0, [], [HERE])


def test_a_new_caller_is_told_with_its_road_alone(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.commit()
    project.write("src/bin/other.rs", '#[path = "../pool.rs"]\nmod pool;\n')
    project.edit(
        "src/main.rs",
        "fn main() {",
        '#[no_mangle]\npub extern "C" fn hook() {\n    worker::serve();\n}\n\nfn main() {',
    )
    checked = project.check("--base", "HEAD")
    assert checked.told() == [HERE]
    (finding,) = checked.report["findings"]
    roads = finding["roads"]
    assert isinstance(roads, list)
    assert [road["root"].rpartition("::")[2] for road in roads] == ["hook"]


def test_moved_renamed_and_reformatted_code_makes_nothing_new(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.commit()
    project.git("mv", "src/worker.rs", "src/labour.rs")
    project.edit("src/main.rs", "worker", "labour")
    project.write(
        "src/labour.rs",
        "// moved\n\n" + WORKER.replace("serve", "toil").replace("pool.take()", "pool\n        . take( )"),
    )
    project.edit("src/main.rs", "labour::serve", "labour::toil")
    checked = project.check("--base", "HEAD")
    assert (checked.code, checked.told()) == (0, [])


def test_paths_narrow_what_is_told_and_not_the_program(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    assert project.check("--base", "HEAD", path="src/worker.rs").told() == [HERE]
    assert project.check("--base", "HEAD", path="src/pool.rs").told() == []


def test_staged_reads_the_index_and_not_the_disk(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    assert project.check("--staged").told() == []
    project.git("add", "src/main.rs")
    project.edit("src/main.rs", "    worker::serve", "    pool.fill();\n    worker::serve")
    assert project.check("--staged").told() == [HERE]


def test_staged_does_not_see_untracked_files(project: Project) -> None:
    project.write(
        "src/bin/stray.rs",
        'fn main() { app(); }\n#[path = "../pool.rs"] mod pool;\nfn app() { pool::Pool::new().take(); }\n',
    )
    assert project.check("--staged").told() == []
    assert project.check("--base", "HEAD").told() == ["src/bin/stray.rs:3 take-before-fill"]


def test_staged_reads_settings_and_packs_as_staged(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.git("add", "-A")
    project.write("inroads.toml", "nonsense = [\n")
    project.write("pool.toml", "")
    assert project.check("--staged").told() == [HERE]


def test_a_partial_staging_is_read_as_staged(project: Project) -> None:
    project.write("src/worker.rs", WORKER + "\npub fn extra(pool: &Pool) {\n    pool.take();\n}\n")
    project.git("add", "-A")
    project.write("src/worker.rs", WORKER)
    assert project.check("--staged").told() == ["src/worker.rs:9 take-before-fill"]


def test_the_first_commit_has_nothing_before_it(tmp_path: Path) -> None:
    project = make_project(tmp_path / "app")
    project.edit("src/main.rs", "    pool.fill();\n", "")
    subprocess.run(("rm", "-rf", ".git"), cwd=project.root, check=True)
    project.git("init", "-q", "-b", "main")
    project.git("add", "-A")
    assert project.check("--staged").told() == [HERE]


def test_since_a_branch_was_left(project: Project) -> None:
    project.git("checkout", "-qb", "work")
    project.git("checkout", "-q", "main")
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.commit("main goes bad")
    project.git("checkout", "-q", "work")
    project.edit("src/pool.rs", "items: 0", "items: 2")
    project.commit("harmless")
    checked = project.check("--new-from-merge-base", "main")
    assert (checked.code, checked.told()) == (0, [])


def test_a_merge_commit_is_a_base_like_any_other(project: Project) -> None:
    project.git("checkout", "-qb", "work")
    project.edit("src/pool.rs", "items: 0", "items: 2")
    project.commit()
    project.git("checkout", "-q", "main")
    project.git("merge", "-q", "--no-ff", "-m", "merge", "work")
    project.edit("src/main.rs", "    pool.fill();\n", "")
    assert project.check("--base", "HEAD").told() == [HERE]


def test_a_missing_base_tells_how_to_fetch_it(project: Project) -> None:
    with pytest.raises(RevisionError, match="git fetch origin main"):
        project.check("--base", "origin/main")


def test_two_bases_exclude_each_other(project: Project) -> None:
    with pytest.raises(UsageError):
        project.check("--base", "HEAD", "--new-from-merge-base", "main")


def test_a_finding_that_was_allowed_and_is_not_any_more_is_new(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    comment = '    // inroads: allow(take-before-fill) reason = "an empty pool gives zero"\n'
    project.edit("src/worker.rs", "    pool.take()", comment + "    pool.take()")
    project.commit()
    assert project.check("--base", "HEAD").told() == []
    project.edit("src/worker.rs", comment, "")
    assert project.check("--base", "HEAD").told() == [HERE]


def test_a_rule_that_the_base_has_no_target_for_is_no_error(project: Project) -> None:
    project.write("src/pool.rs", POOL.replace("fn take", "fn draw"))
    project.write("src/worker.rs", WORKER.replace("take", "draw"))
    project.write("inroads.toml", "")
    project.commit()
    project.write("src/pool.rs", POOL)
    project.write("src/worker.rs", WORKER)
    project.write("inroads.toml", 'packs = ["pool.toml"]\n')
    project.edit("src/main.rs", "    pool.fill();\n", "")
    assert project.check("--base", "HEAD").told() == [HERE]


def test_a_baseline_covers_what_it_knows_and_nothing_else(project: Project, tmp_path: Path) -> None:
    known = str(tmp_path / "known.toml")
    project.edit("src/main.rs", "    pool.fill();\n", "")
    assert project.check("--write-baseline", known).code == 0
    assert project.check("--baseline", known).told("known") == [HERE]
    project.edit("src/worker.rs", "    pool.take() + 1", "    pool.take();\n    pool.take() + 1")
    checked = project.check("--baseline", known)
    assert checked.code == 1
    assert len(checked.told()) + len(checked.told("known")) == 2


def test_a_baseline_entry_ends_on_its_day(project: Project, tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.check("--write-baseline", str(known))
    known.write_text(known.read_text() + f"until = {date.today() - timedelta(days=2)}\n")
    assert project.check("--baseline", str(known)).told() == [HERE]


def test_a_stale_entry_is_told_and_pruned(project: Project, tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.check("--write-baseline", str(known))
    project.edit("src/main.rs", "    worker::serve", "    pool.fill();\n    worker::serve")
    notes = project.check("--baseline", str(known)).report["notes"]
    assert "stale-baseline" in [note["kind"] for note in notes]
    project.check("--baseline", str(known), "--prune-baseline")
    assert "[[finding]]" not in known.read_text()


@pytest.mark.parametrize("flags", [("--base", "HEAD"), ("--select", "swallow"), ("--certain",), ()])
def test_what_a_run_does_not_tell_is_no_stale_entry(
    project: Project, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    known = tmp_path / "known.toml"
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.commit()
    project.check("--write-baseline", str(known))
    text = known.read_text()
    # Without a flag only one file is looked at.
    path = "" if flags else "src/pool.rs"
    checked = project.check("--baseline", str(known), *flags, path=path)
    assert (checked.code, [note["kind"] for note in checked.report["notes"]].count("stale-baseline")) == (
        0,
        0,
    )
    if "--base" in flags:
        project.check("--baseline", str(known), "--prune-baseline", *flags)
        project.check("--write-baseline", str(known), *flags)
    else:
        with pytest.raises(UsageError, match="whole program"):
            project.check("--baseline", str(known), "--prune-baseline", *flags, path=path)
    assert known.read_text() == text


def test_a_baseline_in_the_settings_holds(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    project.check("--write-baseline", str(project.root / "known.toml"))
    project.write("inroads.toml", 'packs = ["pool.toml"]\nbaseline = "known.toml"\n')
    assert project.check().code == 0


def test_a_baseline_that_is_not_there_is_an_error(project: Project) -> None:
    with pytest.raises(UsageError, match="write one with --write-baseline"):
        project.check("--baseline", "nowhere.toml")


def test_a_worktree_and_a_detached_head_are_compared(project: Project, tmp_path: Path) -> None:
    project.git("worktree", "add", "-q", "--detach", str(tmp_path / "other"))
    other = Project(tmp_path / "other")
    other.edit("src/main.rs", "    pool.fill();\n", "")
    assert other.check("--base", "HEAD").told() == [HERE]


def test_a_shallow_clone_is_compared_with_what_it_has(project: Project, tmp_path: Path) -> None:
    project.edit("src/pool.rs", "items: 0", "items: 3")
    project.commit()
    project.git("clone", "-q", "--depth", "1", f"file://{project.root}", str(tmp_path / "shallow"))
    shallow = Project(tmp_path / "shallow")
    shallow.edit("src/main.rs", "    pool.fill();\n", "")
    assert shallow.check("--base", "HEAD").told() == [HERE]
    with pytest.raises(RevisionError, match="git fetch --unshallow"):
        shallow.check("--base", "HEAD~1")


def test_a_target_that_may_stand_in_a_broken_file_is_told_with_what_is_broken(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    project = make_project(tmp_path)
    project.edit("src/pool.rs", "pub fn take(", "pub fn (")
    assert run(["check", str(project.root), "--no-cache"]) == 2
    told = capfd.readouterr().err.splitlines()
    assert "`Pool::take` is not in this program" in told[0]
    assert told[1].startswith("error: src/pool.rs:1")
