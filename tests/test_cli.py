"""The command line: exit codes, streams, flags."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from inroads.cli.run import COMMANDS, run

SWALLOW = """\
use std::fs;

fn save(text: &str) -> Result<(), std::io::Error> {
    fs::write("a", text)
}

pub fn keep(text: &str) {
    let _ = save(text);
}
"""
MANIFEST = '[package]\nname = "kept"\nversion = "0.1.0"\nedition = "2021"\n'
PACK = """\
[[rule]]
id = "late-start"
kind = "order"
title = "used before it is started"
level = "warn"
why = "because"
target = ["{target}"]
needs = ["start"]

[[rule.test]]
name = "fires"
code = "fn start() {{}} fn go() {{}} pub fn f() {{ go(); }} //~ late-start"

[[rule.test]]
name = "quiet"
code = "fn start() {{}} fn go() {{}} pub fn f() {{ start(); go(); }}"
"""


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def crate(tmp_path: Path) -> Path:
    """A crate in which one error is thrown away."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text(SWALLOW)
    (tmp_path / "Cargo.toml").write_text(MANIFEST)
    return tmp_path


def check_json(crate: Path, *flags: str, capfd: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    code = run(["check", str(crate), "--output-format", "json", "--no-cache", *flags])
    return code, json.loads(capfd.readouterr().out)


def found(told: dict[str, object]) -> list[tuple[object, object, object]]:
    findings = told["findings"]
    assert isinstance(findings, list)
    return [(one["rule"], one["line"], one["level"]) for one in findings]


def test_a_finding_is_exit_code_1_and_a_clean_crate_0(crate: Path) -> None:
    assert run(["check", str(crate), "--no-cache"]) == 1
    (crate / "src/lib.rs").write_text("pub fn f() {}\n")
    assert run(["check", str(crate), "--no-cache"]) == 0


def test_findings_go_to_standard_output_and_problems_to_standard_error(
    crate: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (crate / "src/broken.rs").write_text("fn f( {\n")
    run(["check", str(crate), "--no-cache"])
    out, err = capfd.readouterr()
    assert "let _ = save(text);" in out
    assert "problem[" not in out
    assert "src/broken.rs:1" in err


def test_the_fail_level_and_exit_zero_change_only_the_exit_code(
    crate: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, told = check_json(crate, capfd=capfd)
    assert code == 1
    levels = {level for _, _, level in found(told)}
    assert check_json(crate, "--exit-zero", capfd=capfd) == (0, told)
    assert check_json(crate, "--fail-level", "deny", capfd=capfd)[0] == (1 if "deny" in levels else 0)
    assert check_json(crate, "-D", "swallow", "--fail-level", "deny", capfd=capfd)[0] == 1


def test_rules_are_selected_ignored_and_switched_off(crate: Path, capfd: pytest.CaptureFixture[str]) -> None:
    [(rule, _, _)] = found(check_json(crate, capfd=capfd)[1])
    assert isinstance(rule, str)
    assert found(check_json(crate, "--ignore", rule, capfd=capfd)[1]) == []
    assert found(check_json(crate, "-A", rule, capfd=capfd)[1]) == []
    assert found(check_json(crate, "--select", "gap,order", capfd=capfd)[1]) == []
    assert found(check_json(crate, "--select", rule, capfd=capfd)[1]) == [(rule, 8, "deny")]
    assert found(check_json(crate, "-W", rule, capfd=capfd)[1]) == [(rule, 8, "warn")]


def test_an_allow_comment_moves_a_finding_to_the_allowed(
    crate: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    [(rule, _, _)] = found(check_json(crate, capfd=capfd)[1])
    comment = f'    // inroads: allow({rule}) reason = "the next run writes it again"\n    let _'
    (crate / "src/lib.rs").write_text(SWALLOW.replace("    let _", comment))
    code, told = check_json(crate, capfd=capfd)
    assert (code, found(told)) == (0, [])
    [allowed] = told["allowed"] if isinstance(told["allowed"], list) else []
    assert (allowed["rule"], allowed["reason"]) == (rule, "the next run writes it again")


def test_levels_may_differ_by_path(crate: Path, capfd: pytest.CaptureFixture[str]) -> None:
    [(rule, _, _)] = found(check_json(crate, capfd=capfd)[1])
    (crate / "inroads.toml").write_text(f'[[paths]]\npaths = ["src/"]\nlevels = {{ {rule} = "allow" }}\n')
    assert found(check_json(crate, capfd=capfd)[1]) == []


def test_excluded_files_are_not_read(crate: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (crate / "src/made.rs").write_text("fn f( {\n")
    (crate / "inroads.toml").write_text('exclude = ["src/made.rs"]\n')
    assert check_json(crate, capfd=capfd)[1]["problems"] == []


def test_a_path_narrows_what_is_told_and_not_what_is_read(
    crate: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (crate / "src/other.rs").write_text("")
    code = run(["check", str(crate / "src/other.rs"), "--output-format", "json", "--no-cache"])
    told = json.loads(capfd.readouterr().out)
    assert (code, told["findings"], told["statistics"]["files"]) == (0, [], 2)


def test_a_syntax_error_is_a_problem_and_exit_code_2_only_when_asked(crate: Path) -> None:
    (crate / "src/lib.rs").write_text("fn f( {\n")
    assert run(["check", str(crate), "--no-cache"]) == 0
    assert run(["check", str(crate), "--no-cache", "--strict-parse"]) == 2


def test_several_formats_go_to_several_places(crate: Path, capfd: pytest.CaptureFixture[str]) -> None:
    target = crate / "out.json"
    code = run(
        ["check", str(crate), "--no-cache", "--output-format", "text", "--output-format", f"json={target}"]
    )
    assert code == 1
    assert "let _ = save(text);" in capfd.readouterr().out
    assert json.loads(target.read_text())["version"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chekc"], 'no command is called "chekc"; did you mean "check"?'),
        (["check", "--selct", "x"], 'no option is called "--selct"; did you mean "--select"?'),
        (["check", "gone"], "gone: there is no such file or folder"),
        (["check", "--output-format", "jsn"], 'unknown format "jsn"; did you mean "json"?'),
        (
            ["check", "--output-format", "text", "--output-format", "json"],
            "two formats go to standard output",
        ),
        (["check", "--output-format", "json=/no/such/folder/x"], "/no/such/folder/x: can't be written"),
        (["check", "--select", "gapp"], 'is called "gapp"; did you mean "gap"?'),
        (["check", "--rules", "gone.toml"], "gone.toml: there is no such file"),
        (["explain", "forgoten-forward"], 'did you mean "forgotten-forward"?'),
        (["test", "erors"], 'no pack is called "erors"; did you mean "errors"?'),
    ],
)
def test_a_mistake_on_the_command_line_is_exit_code_2_and_says_how_to_mend_it(
    crate: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(crate)
    assert run(arguments) == 2
    assert message in capfd.readouterr().err


def test_a_folder_without_rust_is_exit_code_2(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path)]) == 2
    assert "no Rust file" in capfd.readouterr().err


def test_an_own_rule_without_target_is_an_error_and_a_shipped_one_is_inactive(
    crate: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pack = crate / "mine.toml"
    pack.write_text(PACK.format(target="no_such_function"))
    assert run(["check", str(crate), "--no-cache", "--rules", str(pack)]) == 2
    assert "late-start" in capfd.readouterr().err
    _, told = check_json(crate, capfd=capfd)
    notes = told["notes"]
    assert isinstance(notes, list)
    assert "inactive-rule" in {note["kind"] for note in notes}


def test_settings_name_all_mistakes_at_once(crate: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (crate / "inroads.toml").write_text('selct = []\ntests = 1\n[levels]\n"no-such" = "warn"\n')
    assert run(["check", str(crate)]) == 2
    err = capfd.readouterr().err
    assert 'unknown key "selct"' in err and "tests: expected true or false" in err


def test_the_own_tests_of_the_packs_hold() -> None:
    assert run(["test"]) == 0


def test_a_failing_rule_test_is_exit_code_1(crate: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pack = crate / "mine.toml"
    wrong = PACK.format(target="go").replace("start(); go(); }", "go(); }")
    pack.write_text(wrong)
    assert run(["test", str(pack)]) == 1
    out = capfd.readouterr().out
    assert "FAIL" in out and "noisy" in out and "2 tests, 1 failed" in out


def test_the_rules_are_listed_with_their_status(crate: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", str(crate), "--output-format", "json"]) == 0
    rows = {row["id"]: row for row in json.loads(capfd.readouterr().out)}
    assert rows["sync-before-lengths"]["status"] == "inactive"
    assert rows["forgotten-forward"]["status"] == "active"


def test_a_rule_is_explained_with_a_bad_and_a_good_example(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "forgotten-forward"]) == 0
    out = capfd.readouterr().out
    assert "\nBad: " in out and "\nGood: " in out and "//~" not in out


def test_one_job_equals_four_and_cold_equals_warm(crate: Path, capfd: pytest.CaptureFixture[str]) -> None:
    one = check_json(crate, "-j", "1", capfd=capfd)
    assert check_json(crate, "-j", "4", capfd=capfd) == one
    for _ in range(2):
        run(["check", str(crate), "--output-format", "json"])
        assert json.loads(capfd.readouterr().out) == one[1]


def python(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def test_the_version_is_told_before_anything_is_imported(tmp_path: Path) -> None:
    done = python("-X", "importtime", "-m", "inroads", "--version", cwd=tmp_path)
    assert done.stdout.startswith("inroads ")
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not imported & {"click", "rich", "msgspec", "networkx", "tree_sitter"}


def test_cargo_calls_it_as_a_subcommand(crate: Path) -> None:
    call = (
        "import sys; from inroads.cli import cargo_main; sys.argv[1:] = ['inroads', 'check', '--no-cache']; "
    )
    call += "cargo_main()"
    assert python("-c", call, cwd=crate).returncode == 1


def test_a_closed_pipe_is_no_traceback(crate: Path) -> None:
    script = f'"{sys.executable}" -m inroads check --no-cache | true'
    done = subprocess.run(["bash", "-c", script], cwd=crate, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_no_color_beats_force_color(crate: Path) -> None:
    arguments = ("-m", "inroads", "check", "--no-cache")
    assert "\x1b[" in python(*arguments, cwd=crate, FORCE_COLOR="1").stdout
    assert "\x1b[" not in python(*arguments, cwd=crate, FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b[" not in python(*arguments, cwd=crate).stdout


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_fits_a_screen(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 100


def test_one_file_is_read_from_standard_input(crate: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "inroads", "check", "-"],
        cwd=crate,
        input=SWALLOW,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "--> stdin.rs:8:13" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_printed(shell: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "_INROADS_COMPLETE" in capfd.readouterr().out


def test_a_clean_test_that_does_not_depend_on_its_need_is_told(
    crate: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pack = crate / "mine.toml"
    pack.write_text(PACK.format(target="go"))
    assert run(["test", str(pack), "--mutate"]) == 0
    assert "3 tests, 0 failed" in capfd.readouterr().out
    pack.write_text(PACK.format(target="go").replace("start(); go(); }", "start(); }"))
    assert run(["test", str(pack), "--mutate"]) == 1
    assert "quiet, without the need at src/lib.rs:1" in capfd.readouterr().out


def test_an_error_of_a_crate_from_outside_is_seen_once_the_crate_is_described(
    crate: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (crate / "Cargo.toml").write_text(MANIFEST + '[dependencies]\noven = "1"\n')
    (crate / "src/lib.rs").write_text("pub fn bake() {\n    let _ = oven::heat(200);\n}\n")
    assert found(check_json(crate, capfd=capfd)[1]) == []
    (crate / "inroads.toml").write_text(
        '[[extern]]\ncrate = "oven"\ndeclarations = "pub struct Cold; pub fn heat(to: u32) -> Result<(), Cold>;"\n'
    )
    assert [(rule, line) for rule, line, _ in found(check_json(crate, capfd=capfd)[1])] == [
        ("error-dropped", 2)
    ]


def test_ctrl_c_ends_with_the_usual_exit_code(
    crate: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("inroads.cli.check_command.judge", interrupted)
    assert run(["check", str(crate), "--no-cache"]) == 130
    assert capfd.readouterr().err.strip() == "interrupted"


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", "<&-", ">/dev/full 2>/dev/full"])
def test_whatever_stream_is_closed_the_exit_code_is_that_of_the_answer(crate: Path, closed: str) -> None:
    command = f"exec {shlex.quote(sys.executable)} -m inroads check --no-cache -A swallow {closed}"
    done = subprocess.run(["sh", "-c", command], cwd=crate, capture_output=True, text=True, check=False)
    assert done.returncode == (2 if "full" in closed else 0), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [("rules",), ("--help",)])
def test_a_full_disk_is_told_in_a_sentence(crate: Path, arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "inroads", *arguments],
            cwd=crate,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "error: the output can't be written: No space left on device\n"
