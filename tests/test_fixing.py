"""`--fix` takes out what nothing needs, changes no code, and says what it leaves to people."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate_project import Project
from inroads.errors import UsageError
from inroads.fixing import without_unused
from inroads.tokens import tokenise
from test_allows import LOST, WHY, finding, lost_lines, project, run

__all__ = ["project"]

USED = f'        // inroads: allow(error-dropped) reason = "{WHY}"\n'
UNUSED = '    // inroads: allow(error-defaulted) reason = "it is not there any more"\n'


def fix(project: Project, *arguments: str) -> str:
    return run("check", str(project.root), "--no-cache", "--fix", *arguments).stderr


def lost(project: Project) -> str:
    return (project.root / "src/lost.rs").read_text()


def with_unused(project: Project) -> None:
    project.edit("src/lost.rs", "        let _", f"{USED}        let _")
    project.edit("src/lost.rs", "    save()\n        .ok", f"{UNUSED}    save()\n        .ok")


def test_a_comment_that_nothing_needs_goes_with_its_line(project: Project) -> None:
    with_unused(project)
    said = fix(project)
    assert lost(project) == LOST.replace("        let _", f"{USED}        let _")
    assert said.startswith("took out 1 unused allow in 1 file\n  src/lost.rs:10 error-defaulted\n")


def test_what_people_must_mend_is_left_and_said(project: Project) -> None:
    said = fix(project)
    assert lost(project) == LOST
    assert said.startswith("took out 0 unused allows in 0 files\nleft: 2 findings are for you to mend")
    assert 'inroads check --fix --add-allow "why"' in said


def test_with_a_reason_the_rest_gets_its_comments_and_nothing_is_left(project: Project) -> None:
    with_unused(project)
    said = fix(project, "--add-allow", WHY)
    assert UNUSED not in lost(project)
    assert lost_lines(project) == []
    assert "took out 1 unused allow in 1 file" in said
    assert "added 1 comment in 1 file" in said
    assert "left" not in said


def test_fixing_again_fixes_nothing(project: Project) -> None:
    with_unused(project)
    fix(project, "--add-allow", WHY)
    before = lost(project)
    said = fix(project, "--add-allow", WHY)
    assert lost(project) == before
    assert "took out 0 unused allows in 0 files\nadded 0 comments in 0 files\n" in said


def test_a_diff_is_shown_and_nothing_is_written(project: Project) -> None:
    with_unused(project)
    before = lost(project)
    done = run("check", str(project.root), "--no-cache", "--fix", "--add-allow", WHY, "--diff")
    assert lost(project) == before
    assert done.return_value == 1
    assert done.stdout.startswith("--- a/src/lost.rs\n+++ b/src/lost.rs\n")
    assert f"\n-{UNUSED}" in done.stdout
    assert "would take out 1 unused allow in 1 file" in done.stderr


def test_a_diff_of_nothing_is_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="--fix or --add-allow"):
        run("check", str(project.root), "--diff")


def test_what_is_staged_is_not_fixed(project: Project) -> None:
    with pytest.raises(UsageError, match="on disk"):
        fix(project, "--staged")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('a(); // inroads: allow(one) reason = "r"\nb();\n', "a();\nb();\n"),
        ('// inroads: allow(one, two) reason = "r"\nb();\n', '// inroads: allow(two) reason = "r"\nb();\n'),
        ('\t// inroads: allow(one) reason = "r"\r\n\tb();\r\n', "\tb();\r\n"),
        ('/* inroads: allow(one) reason = "r" */ b();\n', " b();\n"),
        # Another rule, and a comment that is none of ours.
        ('// inroads: allow(two) reason = "r"\nb();\n', '// inroads: allow(two) reason = "r"\nb();\n'),
        ("// one finds nothing\nb();\n", "// one finds nothing\nb();\n"),
    ],
)
def test_only_the_unused_rule_goes(before: str, after: str) -> None:
    text = f"fn f() {{\n{before}}}\n".encode()
    unused = finding(2, 1, "unused-allow", message="an allow comment: one finds nothing on this line")
    made = without_unused([unused], lambda _: text, lambda _, line: line)
    assert made.texts.get("a.rs", text) == f"fn f() {{\n{after}}}\n".encode()
    assert tokenise(made.texts.get("a.rs", text)).texts == tokenise(text).texts


def test_an_expectation_that_is_not_met_stays(project: Project, tmp_path: Path) -> None:
    expect = UNUSED.replace("allow(", "expect(")
    project.edit("src/lost.rs", "    save()\n        .ok", f"{expect}    save()\n        .ok")
    fix(project)
    assert expect in lost(project)
