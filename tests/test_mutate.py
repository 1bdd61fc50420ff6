"""Tests of tests, and the health of rules: what can't fail proves nothing, and is told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from gate_project import PACK, Project, make_project
from inroads.branches import branches
from inroads.cli.run import group
from inroads.mutate import flips, mutate
from inroads.rulebook import Choice, Rulebook, parse_pack, select_rules
from inroads.settings import Settings

HEAD = "pub struct Pool;\nimpl Pool { pub fn fill(&self) {} pub fn take(&self) -> u32 { 1 } }\n"


def book(code: str, **keys: str) -> Rulebook:
    """The pack with one more clean test."""
    text = PACK + f"\n[[rule.test]]\nname = \"another\"\ncode = '''\n{HEAD}{code}'''\n"
    for key, value in keys.items():
        text = text.replace('needs = ["Pool::fill"]', f'needs = ["Pool::fill"]\n{key} = {value}')
    return select_rules((parse_pack(text, "pool.toml", own=True),), Settings(), Choice())


def quiet_flips(code: str) -> list[str]:
    rulebook = book(code)
    return [flip.why for flip in flips(rulebook, rulebook.packs[0].tests[-1]) if not flip.fires]


def test_a_clean_test_without_its_need_fires() -> None:
    rulebook = book("fn main() { let p = Pool; p.fill(); p.take(); }")
    mutation = mutate(rulebook, rulebook.packs[0].tests[-1])
    assert mutation is not None
    assert (mutation.removed, mutation.fires, mutation.why) == (("src/lib.rs:3",), True, "")


def test_a_test_that_never_calls_the_target_proves_nothing() -> None:
    rulebook = book("fn main() { let p = Pool; p.fill(); }")
    mutation = mutate(rulebook, rulebook.packs[0].tests[-1])
    assert mutation is not None
    assert (mutation.fires, mutation.why) == (False, "its target is never called")


def test_a_condition_that_matters_is_noticed() -> None:
    assert quiet_flips("fn main(r: bool) { let p = Pool; if r { p.fill(); } if r { p.take(); } }") == []
    body = "if cold() { return Err(()); } self.fill(); Ok(())"
    need = f"impl Pool {{ pub fn try_fill(&self) -> Result<(), ()> {{ {body} }} }}"
    # The branch inside of `try_fill` is right either way; the one around the call is not.
    found = quiet_flips(f"{need} fn main() {{ let p = Pool; if p.try_fill().is_ok() {{ p.take(); }} }}")
    assert found == ["neither the call nor its need stands in this branch"]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("p.fill(); if ready() { log(); } p.take();", "neither the call nor its need stands in this branch"),
        ("p.fill(); if ready() { p.take(); }", "the call in this branch has its need before the branch"),
        (
            "if ready() { p.fill(); p.take(); }",
            "each side is right by itself, whichever way the condition goes",
        ),
        (
            "if ready() { p.fill(); } p.fill(); p.take();",
            "the need is done outside of this branch as well",
        ),
        (
            "if ready() { p.fill(); } else { p.fill(); } p.take();",
            "each side is right by itself, whichever way the condition goes",
        ),
    ],
)
def test_a_branch_that_does_not_matter_is_explained(code: str, why: str) -> None:
    assert quiet_flips(f"fn main() {{ let p = Pool; {code} }}") == [why]


@pytest.mark.parametrize(
    ("text", "flipped"),
    [
        ("if a { b } c", "if a {} else { b } c"),
        ("if a { b } else { c } d", "if a { c } else { b } d"),
        ("if let Some(x) = f(|y| { y }) { b }", "if let Some(x) = f(|y| { y }) {} else { b }"),
        ("if a { b } else if c { d } else { e }", "if a { if c { d } else { e } } else { b }"),
    ],
)
def test_the_sides_of_a_branch_are_exchanged(text: str, flipped: str) -> None:
    assert branches(text.encode())[0].flipped(text.encode()).decode() == flipped


@pytest.mark.parametrize(
    ("text", "flipped"),
    [
        ("match x { A => a(), B => b() }", ["match x { A => { b() }, B => { a() } }"]),
        (
            "match x { A(y) if y > 1 => { a } B | C => b(1, 2), _ => {} }",
            [
                "match x { A(y) => { a } B | C => b(1, 2), _ => {} }",
                "match x { A(y) if y > 1 => { b(1, 2) } B | C => { a }, _ => {} }",
                "match x { A(y) if y > 1 => { a } B | C => {}, _ => { b(1, 2) } }",
            ],
        ),
        ("while a && b { c }", ["while !(a && b) { c }"]),
        ("while let Some(x) = y { c }", []),
        ("f()?; g(x?.y[0]?)", ["f(); g(x?.y[0]?)", "f()?; g(x.y[0]?)", "f()?; g(x?.y[0])"]),
        ("fn f<T: ?Sized>(t: &T) {}", []),
        ("if a", []),
        ("match x { A =>", []),
    ],
)
def test_each_kind_of_branch_is_turned_round(text: str, flipped: list[str]) -> None:
    found = branches(text.encode())
    assert [re.sub(" +", " ", one.flipped(text.encode()).decode()) for one in found] == flipped


def test_the_command_tells_what_stays_quiet(tmp_path: Path) -> None:
    pack = tmp_path / "pool.toml"
    more = "fn main() { let p = Pool; p.fill(); if ready() { log(); } p.take(); }"
    pack.write_text(PACK + f"\n[[rule.test]]\nname = \"logs\"\ncode = '''\n{HEAD}{more}'''\n")
    done = CliRunner().invoke(group, ["test", str(pack), "--mutate"], standalone_mode=False)
    assert done.return_value == 0
    assert done.stdout.splitlines()[-1] == "5 tests, 0 failed, 1 branch turned round"
    assert "logs, with the branch at src/lib.rs:3 turned round\n     stays quiet: neither" in done.stdout


def test_a_test_that_proves_nothing_fails_the_command(tmp_path: Path) -> None:
    pack = tmp_path / "pool.toml"
    pack.write_text(PACK.replace("p.fill(); p.take();", "p.fill();"))
    done = CliRunner().invoke(group, ["test", str(pack), "--mutate"], standalone_mode=False)
    assert done.return_value == 1
    assert "stays quiet: its target is never called" in done.stdout


def test_the_quiet_snippets_of_a_specification_are_mutated(tmp_path: Path) -> None:
    spec = tmp_path / "spec.md"
    rule = PACK.partition("[[rule.test]]")[0]
    code = HEAD + "fn main() { let p = Pool; p.fill(); if log() { log(); } p.take(); }\n"
    spec.write_text(
        f"# Pools\n\n```toml\n{rule}```\n\n## Filled first\n\n```rust\n{code}```\n\n"
        f"## Not taken\n\n```rust\n{HEAD}fn main() {{ Pool.fill(); }}\n```\n"
    )
    done = CliRunner().invoke(group, ["test", str(spec), "--mutate"], standalone_mode=False)
    assert done.return_value == 0
    assert done.stdout.splitlines() == [
        f"note {spec}: take-before-fill: Filled first, with the branch at src/lib.rs:3 turned round",
        "     stays quiet: neither the call nor its need stands in this branch",
        f"note {spec}: take-before-fill: Not taken, without the need at src/lib.rs:3",
        "     stays quiet: its target is never called",
        "4 tests, 0 failed, 1 branch turned round",
    ]


def notes(project: Project, *kinds: str) -> list[str]:
    found = project.check("--select", "take-before-fill").report["notes"]
    return [str(note["message"]) for note in found if note["kind"] in kinds]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "app")


def test_a_rule_that_is_satisfied_everywhere_is_told(project: Project) -> None:
    assert notes(project, "rule-satisfied") == ["take-before-fill: satisfied at its call site"]


def test_a_rule_that_can_never_fire_is_told(project: Project) -> None:
    project.edit("src/worker.rs", "pool.take() + 1", "1")
    assert notes(project, "rule-health") == [
        "take-before-fill: can't fire here: its target is called nowhere"
    ]


def test_a_need_that_matches_nothing_is_told_with_the_nearest(project: Project) -> None:
    project.edit("pool.toml", 'needs = ["Pool::fill"]', 'needs = ["Pool::fill", "Pool::fil"]')
    assert notes(project, "rule-health") == [
        'take-before-fill: needs: `Pool::fil` matches nothing in this program; did you mean "Pool::fill"?'
    ]


def test_a_target_that_was_renamed_away_is_told(project: Project) -> None:
    project.edit("pool.toml", 'target = ["Pool::take"]', 'target = ["Pool::take", "Pool::takes"]')
    assert notes(project, "rule-health") == [
        'take-before-fill: target: `Pool::takes` matches nothing in this program; did you mean "Pool::take"?'
    ]


def test_the_list_of_rules_tells_their_health(project: Project) -> None:
    arguments = ["rules", str(project.root), "--health", "--output-format", "json"]
    done = CliRunner().invoke(group, arguments, standalone_mode=False)
    rows = {row["id"]: row for row in json.loads(done.stdout)}
    assert rows["take-before-fill"]["reason"] == "satisfied at its call site"
    project.edit("src/main.rs", "    pool.fill();\n", "")
    done = CliRunner().invoke(group, arguments, standalone_mode=False)
    rows = {row["id"]: row for row in json.loads(done.stdout)}
    assert rows["take-before-fill"]["reason"] == "1 finding"
