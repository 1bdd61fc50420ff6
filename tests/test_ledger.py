"""The ledger: a call site of a reviewed function fails the check until somebody has looked at it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gate_project import Project, make_project
from inroads import ledger
from inroads.cli.run import group
from inroads.errors import SettingsError, UsageError

TARGET = "Pool::take"
EXTRA = "\npub fn extra(pool: &Pool) -> u32 {\n    pool.fill();\n    pool.take()\n}\n"
CALLER = '\n#[no_mangle]\npub extern "C" fn hook() {\n    Pool::new().fill();\n    serve();\n}\n'


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = make_project(tmp_path / "app")
    review(made)
    made.commit("reviewed")
    return made


def review(project: Project, *arguments: str, target: str = TARGET) -> Result:
    done = CliRunner().invoke(
        group, ["audit", target, str(project.root), "--review", *arguments], standalone_mode=False
    )
    if done.exception is not None:
        raise done.exception
    return done


def written(project: Project) -> str:
    return (project.root / ledger.FILE).read_text()


def add_to_worker(project: Project, text: str) -> None:
    project.write("src/worker.rs", (project.root / "src/worker.rs").read_text() + text)


def rules(project: Project, *arguments: str, path: str = "") -> list[str]:
    return [str(one["rule"]) for one in project.check(*arguments, path=path).report["findings"]]


def test_a_program_as_it_was_reviewed_is_clean(project: Project) -> None:
    assert project.check().code == 0


def test_a_new_call_site_fails(project: Project) -> None:
    add_to_worker(project, EXTRA)
    checked = project.check()
    assert checked.code == 1
    (finding,) = checked.report["findings"]
    assert (finding["rule"], finding["kind"], finding["level"]) == ("unreviewed-road", "ledger", "deny")
    assert str(finding["message"]).startswith("new road into `Pool::take`, not reviewed: `extra` calls it")


def test_a_new_caller_of_the_function_around_a_site_fails(project: Project) -> None:
    add_to_worker(project, CALLER)
    (finding,) = project.check().report["findings"]
    assert (finding["rule"], finding["level"]) == ("changed-road", "deny")
    assert "hook` calls `serve` now" in str(finding["message"])


def test_a_new_entry_point_fails_far_from_the_site(project: Project) -> None:
    add_to_worker(project, "\npub fn between() -> u32 {\n    Pool::new().fill();\n    serve()\n}\n")
    review(project)
    assert project.check().code == 0
    add_to_worker(project, "\npub fn far() {\n    between();\n}\n")
    (finding,) = project.check("--select", "ledger").report["findings"]
    details = " ".join(str(finding["message"]).split())
    assert finding["rule"] == "changed-road"
    assert "far` now" in details


def test_an_order_that_changed_fails(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    found = project.check().report["findings"]
    told = {str(one["rule"]): str(one["message"]) for one in found}
    assert "its order was ordered, and is unordered" in told["changed-road"]


def test_flags_do_not_change_what_was_reviewed(project: Project) -> None:
    assert rules(project, "-A", "take-before-fill") == []
    assert rules(project, "--select", "ledger") == []


def test_a_lost_caller_is_a_warning(project: Project) -> None:
    add_to_worker(project, "\npub fn other() -> u32 {\n    Pool::new().fill();\n    serve()\n}\n")
    review(project)
    project.edit("src/worker.rs", "    serve()\n}", "    2\n}")
    (finding,) = project.check().report["findings"]
    assert (finding["rule"], finding["level"]) == ("changed-road", "warn")


def test_an_entry_whose_site_is_gone_is_told(project: Project) -> None:
    project.edit("src/worker.rs", "pool.take() + 1", "1")
    checked = project.check()
    assert checked.code == 0
    (note,) = [note for note in checked.report["notes"] if note["kind"] == "stale-ledger"]
    assert str(note["message"]).startswith(
        "the site is gone: Pool::take in app::worker::serve, `pool.take()`"
    )


def test_moved_renamed_and_reformatted_code_was_reviewed(project: Project) -> None:
    project.edit("src/worker.rs", "pool.take()", "// a pool\n        pool\n            . take( )")
    project.edit("src/worker.rs", "serve", "toil")
    project.edit("src/main.rs", "worker::serve", "worker::toil")
    assert rules(project) == []


def test_a_renamed_caller_was_reviewed(project: Project) -> None:
    add_to_worker(project, "\npub fn tick() -> u32 {\n    Pool::new().fill();\n    serve()\n}\n")
    review(project)
    project.edit("src/worker.rs", "fn tick", "fn tock")
    assert rules(project) == []


def test_reviewing_again_keeps_notes_and_reviewers(project: Project) -> None:
    text = written(project).replace('reviewer = ""', 'reviewer = "ana"').replace('note = ""', 'note = "fine"')
    project.write(ledger.FILE, text)
    add_to_worker(project, EXTRA)
    said = review(project, "--reviewer", "bo", "--note", "seen").stderr
    assert (
        said == "inroads.ledger.toml: 2 call sites of Pool::take: 1 new, 0 changed, 1 as reviewed, 0 gone\n"
    )
    entries = ledger.read(written(project), "l").entries
    assert sorted((one.fingerprint.function, one.reviewer, one.note) for one in entries) == [
        ("app::worker::extra", "bo", "seen"),
        ("app::worker::serve", "ana", "fine"),
    ]
    assert project.check().code == 0


def test_reviewing_takes_out_what_is_gone(project: Project) -> None:
    project.edit("src/worker.rs", "pool.take() + 1", "1")
    assert "1 gone" in review(project).stderr
    assert "[[site]]" not in written(project)


def test_a_function_without_call_sites_is_watched(project: Project) -> None:
    project.edit("src/pool.rs", "pub fn take", "pub fn drain(&self) {}\n    pub fn take")
    review(project, target="Pool::drain")
    assert ledger.read(written(project), "l").targets == ("Pool::drain", "Pool::take")
    add_to_worker(project, "\npub fn empty(pool: &Pool) {\n    pool.drain();\n}\n")
    assert rules(project) == ["unreviewed-road"]


def test_an_allow_comment_speaks_for_a_road(project: Project) -> None:
    reason = '    // inroads: allow(unreviewed-road) reason = "to be reviewed in the spring"\n'
    add_to_worker(project, EXTRA.replace("    pool.take", reason + "    pool.take"))
    assert rules(project) == []
    review(project)
    assert rules(project) == ["unused-allow"]


def test_paths_narrow_what_is_told(project: Project) -> None:
    add_to_worker(project, EXTRA)
    assert rules(project, path="src/pool.rs") == []
    assert rules(project, path="src/worker.rs") == ["unreviewed-road"]


def test_a_road_that_the_base_has_is_known(project: Project) -> None:
    add_to_worker(project, EXTRA)
    assert project.check("--base", "HEAD").told() == ["src/worker.rs:10 unreviewed-road"]
    project.commit()
    checked = project.check("--base", "HEAD")
    assert (checked.code, checked.told("known")) == (0, ["src/worker.rs:10 unreviewed-road"])


def test_staged_reads_the_ledger_as_staged(project: Project) -> None:
    add_to_worker(project, EXTRA)
    project.git("add", "src/worker.rs")
    review(project)
    assert project.check("--staged").told() == ["src/worker.rs:10 unreviewed-road"]
    project.git("add", ledger.FILE)
    assert project.check("--staged").told() == []


def test_a_target_that_was_renamed_away_is_an_error(project: Project) -> None:
    for path in ("src/pool.rs", "src/worker.rs"):
        project.edit(path, "take", "takes")
    project.write("inroads.toml", "")
    with pytest.raises(SettingsError, match=r'inroads.ledger.toml: targets: .*did you mean "Pool::takes"'):
        project.check()


def test_another_file_can_be_the_ledger(project: Project) -> None:
    project.write("inroads.toml", 'packs = ["pool.toml"]\nledger = "team/roads.toml"\n')
    with pytest.raises(UsageError, match=r"team/roads.toml: there is no such file; write it with"):
        project.check()
    (project.root / "team").mkdir()
    review(project)
    assert (project.root / "team/roads.toml").is_file()
    assert project.check().code == 0


def test_the_reviewers_words_go_with_review_only(project: Project) -> None:
    with pytest.raises(UsageError, match="go with --review"):
        CliRunner().invoke(
            group,
            ["audit", TARGET, str(project.root), "--note", "x"],
            standalone_mode=False,
            catch_exceptions=False,
        )


def test_what_is_written_reads_back_and_is_sorted() -> None:
    made = [
        ledger.entry(
            "T", f"a::{name}", 'x("ä\\n")', "c", order="ordered", fate="", callers=("z", "b"), entry_points=()
        )
        for name in ("g", "f")
    ]
    text = ledger.write(ledger.Ledger("l", ("T",), tuple(made)))
    assert text == ledger.write(ledger.Ledger("l", ("T", "T"), tuple(made[::-1])))
    again = ledger.read(text, "l")
    assert set(again.entries) == set(made)
    assert made[0].callers == ("b", "z")


def test_two_branches_that_each_add_a_site_merge(tmp_path: Path) -> None:
    project = make_project(tmp_path / "app")
    for name in ("alpha", "zeta"):
        add_to_worker(project, f"\npub fn {name}(p: &Pool) {{\n    p.fill();\n}}\n")
    review(project)
    project.commit()
    project.git("checkout", "-qb", "other")
    for branch, name in (("other", "alpha"), ("main", "zeta")):
        project.git("checkout", "-q", branch)
        text = (project.root / "src/worker.rs").read_text()
        old = f"fn {name}(p: &Pool) {{\n    p.fill();"
        project.write("src/worker.rs", text.replace(old, old + "\n    p.take();"))
        review(project)
        project.commit()
    project.git("merge", "-q", "-m", "merge", "other")
    assert rules(project) == []


def test_all_mistakes_of_a_file_are_told_at_once() -> None:
    text = (
        'version = 2\ntargets = ["T"]\nsites = 1\n[[site]]\ntarget = "T"\nfunction = "f"\nnotes = "x"\n'
        '[[site]]\ntarget = "U"\ncallers = [1]\n'
    )
    with pytest.raises(SettingsError) as caught:
        ledger.read(text, "l.toml")
    assert caught.value.messages == (
        "l.toml: version: expected 1, got 2",
        'l.toml: unknown key "sites"; did you mean "site"?',
        'l.toml: site 1: unknown key "notes"; did you mean "note"?',
        "l.toml: site 2: function: is missing",
        "l.toml: site 2: callers: expected a list of texts",
        'l.toml: site 2: target: "U" is not among `targets`',
    )
