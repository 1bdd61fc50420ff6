"""Allow comments from outside: they are listed, written, and judged only where their rule has looked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings as hypothesis_settings, strategies

from gate_project import Project, make_project
from inroads.adding import add_allows, comment
from inroads.cli.run import group
from inroads.errors import UsageError
from inroads.facts import Finding
from inroads.rust.extract import extract
from inroads.texts import Texts
from inroads.tokens import tokenise
from made_finding import made_finding

LOST = """\
fn save() -> Result<(), String> {
    Err(String::new())
}

pub fn serve(ready: bool) {
    if ready {
        let _ = save();
    }
    save()
        .ok();
}
"""
WHY = "the next tick saves again"


def run(*arguments: str) -> Result:
    done = CliRunner().invoke(group, list(arguments), standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = make_project(tmp_path / "app")
    made.write("src/lost.rs", LOST)
    made.edit("src/main.rs", "mod pool;", "mod lost;\nmod pool;")
    made.edit("src/main.rs", "worker::serve();", "worker::serve();\n    lost::serve(true);")
    made.commit()
    return made


def add(project: Project, reason: str = WHY, *arguments: str) -> Result:
    return run("check", str(project.root), "--no-cache", "--add-allow", reason, *arguments)


def listed(project: Project, *arguments: str) -> list[dict[str, object]]:
    told = json.loads(run("allows", str(project.root), "--output-format", "json", *arguments).stdout)
    return [*told["allows"], *told["malformed"]]


def rules_of(project: Project, *arguments: str) -> list[str]:
    return sorted(str(one["rule"]) for one in project.check(*arguments).report["findings"])


def lost_lines(project: Project) -> list[int]:
    found = project.check().report["findings"]
    return sorted(int(str(one["line"])) for one in found if one["path"] == "src/lost.rs")


def test_the_program_loses_two_errors(project: Project) -> None:
    assert lost_lines(project) == [7, 9]


def test_a_comment_is_written_above_the_statement_of_each_finding(project: Project) -> None:
    done = add(project)
    text = (project.root / "src/lost.rs").read_text()
    assert f'        // inroads: allow(error-dropped) reason = "{WHY}"\n        let _ = save();\n' in text
    assert f'reason = "{WHY}"\n    save()\n        .ok();\n' in text
    assert done.return_value == 0
    assert project.check().code == 0


def test_it_is_said_what_was_written(project: Project) -> None:
    said = add(project).stderr
    assert said.startswith("added 2 comments in 1 file\n  src/lost.rs:7 error-dropped\n  src/lost.rs:10 ")


def test_writing_again_writes_nothing(project: Project) -> None:
    add(project)
    before = (project.root / "src/lost.rs").read_bytes()
    assert add(project).stderr.startswith("added 0 comments in 0 files")
    assert (project.root / "src/lost.rs").read_bytes() == before


def test_only_findings_that_are_left_get_a_comment(project: Project) -> None:
    project.edit("src/lost.rs", "pub fn serve", "pub fn other() {\n    let _ = save();\n}\n\npub fn serve")
    project.edit("src/main.rs", "lost::serve(true);", "lost::serve(true);\n    lost::other();")
    assert add(project, WHY, "--base", "HEAD").stderr.startswith("added 1 comment in 1 file\n")


def test_line_ends_indentation_and_byte_order_marks_stay(project: Project) -> None:
    text = "\ufeff" + LOST.replace("        let", "\t\tlet").replace("\n", "\r\n")
    (project.root / "src/lost.rs").write_bytes(text.encode())
    add(project)
    made = (project.root / "src/lost.rs").read_bytes().decode()
    assert made.startswith("\ufefffn save")
    assert f'\r\n\t\t// inroads: allow(error-dropped) reason = "{WHY}"\r\n\t\tlet _' in made
    assert made.count("\n") == made.count("\r\n")


def test_a_reason_is_required_and_one_line(project: Project) -> None:
    for reason in ("", "  ", "one\ntwo"):
        with pytest.raises(UsageError, match="reason"):
            add(project, reason)
    assert (project.root / "src/lost.rs").read_text() == LOST


def test_quotes_and_backslashes_in_a_reason_are_read_back(project: Project) -> None:
    reason = 'a "tick" \\ or two\\'
    add(project, reason)
    assert {one["reason"] for one in listed(project)} == {reason}


def test_what_is_staged_gets_no_comment(project: Project) -> None:
    with pytest.raises(UsageError, match="on disk"):
        add(project, WHY, "--staged")


def test_a_finding_about_a_comment_is_left_as_it_is(project: Project) -> None:
    project.write("src/lost.rs", f'// inroads: allow(error-logged) reason = "{WHY}"\n' + LOST)
    said = add(project).stderr
    assert "left: src/lost.rs:1: unknown-allow is about a comment: mend that" in said


def test_the_findings_of_one_line_share_a_comment() -> None:
    text = b"fn f() {\n    a(); b();\n}\n"
    texts = Texts(lambda path: text, {"a.rs": extract(text)})
    made = add_allows([finding(2, 5, "one"), finding(2, 10, "two")], texts, "r")
    assert made.texts["a.rs"] == (
        b'fn f() {\n    // inroads: allow(one, two) reason = "r"\n    a(); b();\n}\n'
    )


@hypothesis_settings(max_examples=60, deadline=None)
@given(strategies.integers(1, 14), strategies.sampled_from(["\n", "\r\n"]))
def test_the_tokens_stay_the_same_wherever_a_comment_is_written(line: int, end: str) -> None:
    source = (
        'fn f() {\n let s = "a\n  b \\\n  c";\n let r = r#"\n\n"#; /* one\n two */ g();\n'
        " m! { x\n y }\n match s {\n _ => g(),\n }\n}\n"
    ).replace("\n", end)
    text = source.encode()
    texts = Texts(lambda path: text, {"a.rs": extract(text)})
    made = add_allows([finding(line, 1, "one")], texts, "r")
    for new in made.texts.values():
        assert tokenise(new).texts == tokenise(text).texts
        assert new.replace(b'// inroads: allow(one) reason = "r"' + end.encode(), b"").split() == text.split()
    assert len(made.texts) + len(made.left) == 1


def test_comment_is_what_the_parser_reads() -> None:
    assert comment(("b", "a", "b"), " r ") == '// inroads: allow(a, b) reason = "r"'


def test_every_allow_is_listed_with_reason_place_date_and_state(project: Project) -> None:
    project.edit(
        "src/lost.rs", "        let _", '        // inroads: allow(error-dropped) reason = "x"\n        let _'
    )
    project.edit(
        "src/worker.rs",
        "pub fn",
        '// inroads: expect(take-before-fill) reason = "y", until = 2100-01-01\npub fn',
    )
    project.write("src/pool.rs", (project.root / "src/pool.rs").read_text() + "// inroads: allow() z\n")
    first, second, third = listed(project)
    assert (first["path"], first["line"], first["rule"], first["state"], first["reason"]) == (
        "src/lost.rs",
        7,
        "error-dropped",
        "used",
        "x",
    )
    assert (second["word"], second["item"], second["state"], second["until"]) == (
        "expect",
        "serve",
        "unused",
        "2100-01-01",
    )
    assert str(third["message"]).startswith("can't read")


def test_the_list_can_be_read_by_people(project: Project) -> None:
    add(project)
    told = run("allows", str(project.root / "src/lost.rs")).stdout
    assert told == (
        f"src/lost.rs:7: allow(error-dropped): used\n    {WHY}\n"
        f"src/lost.rs:10: allow(error-dropped): used\n    {WHY}\n2 allows: 2 used\n"
    )
    assert run("allows", str(project.root / "src/pool.rs")).stdout == "0 allows\n"


def test_an_allow_in_a_test_is_not_unused_where_tests_were_not_judged(project: Project) -> None:
    project.write(
        "src/worker.rs",
        (project.root / "src/worker.rs").read_text()
        + "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn empty() {\n"
        '        // inroads: allow(error-dropped) reason = "it is empty"\n'
        "        super::serve();\n    }\n}\n",
    )
    assert "unused-allow" not in rules_of(project)
    assert "unused-allow" in rules_of(project, "--tests")
    assert [one["state"] for one in listed(project)] == ["not-run"]


def test_an_allow_where_its_rule_is_switched_off_is_not_unused(project: Project) -> None:
    add(project)
    project.write(
        "inroads.toml",
        'packs = ["pool.toml"]\n[[paths]]\npaths = ["lost.rs"]\nlevels = { error-dropped = "allow" }\n',
    )
    assert "unused-allow" not in [
        str(one["rule"]) for one in project.check().report["findings"] if "error-dropped" in str(one)
    ]


def test_an_allow_in_code_that_is_not_compiled_is_not_unused(project: Project) -> None:
    project.edit(
        "src/worker.rs",
        "pub fn",
        '#[cfg(windows)]\npub fn elsewhere() {\n    // inroads: allow(error-dropped) reason = "x"\n'
        "    serve();\n}\n\npub fn",
    )
    assert "unused-allow" not in rules_of(project)


def finding(line: int, column: int, rule: str, message: str = "m") -> Finding:
    return made_finding(path="a.rs", line=line, end_line=line, column=column, rule=rule, message=message)
