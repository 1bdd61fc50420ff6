"""Answers of order rules are taken over where nothing was edited that they were found out from, and only there."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from inroads.settings import Settings
from test_remembered import Runs

SEQUENCES = int(os.environ.get("INROADS_EDITS", "0"))
FIRST = int(os.environ.get("INROADS_FROM", "0"))
# The last one hears what only a glance at a body has seen.
SEEDS = range(FIRST, FIRST + SEQUENCES) if SEQUENCES else (*range(10), 116)
RULES = """
pack = "jobs"
[[rule]]
id = "sent-before-open"
kind = "order"
title = "sent before it was opened"
level = "deny"
why = "Nobody hears it."
target = ["Line::send($l, ..)"]
needs = ["Line::open($l)"]
undone_by = ["Line::close($l)"]
[[rule.test]]
name = "sent"
code = "struct Line; impl Line { fn open(&self) {} fn send(&self, _a: u8) {} } fn main() { Line.send(1); } //~ sent-before-open"
[[rule.test]]
name = "opened"
code = "struct Line; impl Line { fn open(&self) {} fn send(&self, _a: u8) {} } fn main() { let l = Line; l.open(); l.send(1); }"
[[rule]]
id = "sent-before-tuned"
kind = "order"
title = "sent before it was tuned"
level = "warn"
why = "Nobody understands it."
target = ["Line::send($l, ..)"]
needs = ["tune_*($l)"]
[[rule.test]]
name = "sent"
code = "struct Line; impl Line { fn send(&self, _a: u8) {} } fn tune_all(_l: &Line) {} fn main() { Line.send(1); } //~ sent-before-tuned"
[[rule.test]]
name = "tuned"
code = "struct Line; impl Line { fn send(&self, _a: u8) {} } fn tune_all(_l: &Line) {} fn main() { let l = Line; tune_all(&l); l.send(1); }"
"""
LINE = """
use std::process::Command;
pub struct Line { up: bool, pub arg: u8 }
impl Line {
    pub fn open(&self) {}
    pub fn close(&self) {}
    pub fn send(&self, _word: u8) {}
}
pub fn tune_all(_l: &Line) {}
macro_rules! opened { ($l:expr) => { $l.open() }; }
pub(crate) use opened;
"""
# Each function with its texts; the first is the one to begin with.
FUNCTIONS = {
    "prepare": ("pub fn prepare(l: &Line) { @ }", "pub fn prepare(l: &Line) -> bool { @ true }"),
    "further": ("pub fn further(l: &Line) { @ }",),
    "start": ("pub fn start(l: &Line) { @ }", "pub fn start(l: &Line, _n: u8) { @ }", ""),
    "main": ("pub fn main_road(l: &Line) { @ }",),
    "other": (
        "fn other(l: &Line) { @ }",
        "#[cfg(test)] fn other(l: &Line) { @ }",
        "fn renamed(l: &Line) { @ }",
    ),
    "make": (
        'fn make() -> Command { @ Command::new("a") }',
        "fn make() -> u8 { @ 1 }",
        'fn make() -> Holder { @ Holder { held: Command::new("a") } }',
    ),
    "run": ("pub fn run(mut c: Command) { @ }", "pub fn run(c: &Line) { let _ = c; @ }"),
    "mention": (
        "pub fn mention(l: &Line) { let _ = l.arg; @ }",
        "pub fn mention(Holder { held, .. }: Holder) { @ }",
    ),
    "holder": ("pub struct Holder { held: Command }", "pub struct Holder { held: Command, more: u8 }"),
    "fails": (
        "pub fn fails(l: &Line) -> Result<u8, String> { @ if l.arg > 1 { return Err(String::new()); } Ok(1) }",
        "pub fn fails(l: &Line) -> u8 { @ 1 }",
        "fn fails(l: &Line) -> Result<u8, Fault> { @ Err(Fault) }",
        "#[test] fn fails(l: &Line) -> Result<u8, String> { @ Ok(1) }",
    ),
    "fault": ("pub struct Fault;", ""),
    "tool": (
        "pub struct Tool; impl Tool { pub fn go(&self, l: &Line) { @ } }",
        "pub struct Tool; impl Tool { pub fn go(l: &Line) { @ } }",
        "pub struct Tool; impl Tool { fn go(&self, l: &Line, _n: u8) { @ } }",
        "pub struct Tool; impl Tool { pub fn tune_first(&self, _l: &Line) {} pub fn go(&self, l: &Line) { @ } }",
    ),
    "ready": (
        "pub trait Ready { fn ready(&self, l: &Line) { @ } }",
        "pub trait Ready { fn ready(&self, l: &Line) { @ } fn other(&self) {} }",
    ),
    "implied": ("impl Ready for Tool {}", "impl Ready for Tool { fn ready(&self, l: &Line) { @ } }"),
    "shown": (
        "",
        'impl std::fmt::Display for Tool { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str("a") } }',
        "impl Iterator for Tool { type Item = u8; fn next(&mut self) -> Option<u8> { @ None } }",
    ),
    "hook": (
        "pub static HOOK: fn(&Line) = further;",
        "pub static HOOK: fn(&Line) = prepare_all;",
        "const LIMIT: u8 = 1;",
    ),
    "each": (
        "pub fn each(f: impl Fn()) { f(); @ }",
        "pub fn each(f: impl Fn()) { @ }",
        "pub fn each<F: Fn()>(_f: F) { @ }",
    ),
    "beside": (
        *(
            "",
            "use std::io::Write as _;",
            "mod inner { pub fn prepare(_l: &u8) {} }",
            "struct Extra;",
            "const EXTRA: u8 = 1;",
        ),
        *("fn extra(l: &Line) { @ }", "#[cfg(test)] mod tests { use super::*; #[test] fn extra() {} }"),
    ),
    "guard": (
        "pub struct Guard<'a>(&'a Line); impl Drop for Guard<'_> { fn drop(&mut self) { @ } }",
        "pub struct Guard<'a>(&'a Line);",
    ),
}
# What bodies are made of: what decides most, and what is rarer.
OFTEN = (
    "",
    "l.open();",
    "l.send(1);",
    "l.close();",
    "prepare(l);",
    "further(l);",
    "start(l);",
    "other(l);",
    "let _ = fails(l);",
    "tune_all(l);",
    "Tool.go(l);",
)
RARELY = (
    "opened!(l);",
    "let _g = Guard(l);",
    'let mut m = make(); m.spawn(); m.arg("b");',
    "let _ = make();",
    "c.spawn();",
    'c.arg("x");',
    "run(make());",
    "mention(l);",
    "let _n = l.arg;",
    "if l.arg > 1 { l.open(); }",
    "self.0.open();",
    "self.0.close();",
    'let h = make(); let mut k = h.held; k.spawn(); k.arg("x");',
    "let _x = 7;",
    'if let Err(e) = fails(l) { eprintln!("{e}"); }',
    "let _ = fails(l).map(|n| { l.open(); n });",
    "Tool.tune_first(l);",
    "Tool::go(l);",
    "Tool.ready(l);",
    "Ready::ready(&Tool, l);",
    'println!("{Tool}");',
    "for _ in Tool { l.send(1); }",
    "HOOK(l);",
    "each(|| l.open());",
    "each(|| prepare(l));",
    "extra(l);",
    "fn within() {} within(); // as it should be\n",
    "fn within() {} within(); // it cannot fail\n",
    "// the next one does it\n let _ = fails(l);",
)
FRONTS = ("", "// A line.\n", "\n\n")


@pytest.mark.parametrize("seed", SEEDS)
def test_warm_says_what_cold_says_of_any_order(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jobs.toml").write_text(RULES)
    runs = Runs(tmp_path, monkeypatch, Settings(packs=("jobs.toml",)))
    by = random.Random(seed)
    texts = {name: some[0] for name, some in FUNCTIONS.items()}
    bodies = {name: [_word(by) for _ in range(3)] for name in FUNCTIONS}
    fronts = dict.fromkeys(FUNCTIONS, "")
    spare = ""
    files = ("src/one.rs", "src/two.rs")
    homes = {name: files[number % 2] for number, name in enumerate(FUNCTIONS)}
    for _ in range(12):
        for _ in range(by.choice((1, 1, 1, 2))):
            name = by.choice(list(FUNCTIONS))
            chance = by.random()
            if chance < 0.1:
                # What comes before the others gives them other numbers.
                spare = "" if spare else "pub fn spare() {}\n"
            elif chance < 0.14:
                homes[name] = by.choice(files)
            elif chance < 0.2:
                fronts[name] = by.choice(FRONTS)
            elif chance < 0.35:
                # The same names in another order: only the body tells.
                by.shuffle(bodies[name])
            elif chance < 0.8:
                bodies[name][by.randrange(3)] = _word(by)
            else:
                texts[name] = by.choice(FUNCTIONS[name])
        runs.files = {
            "src/lib.rs": "pub mod line;\npub mod one;\npub mod two;\n",
            "src/line.rs": LINE + spare,
        }
        for file, beside in (files, files[::-1]):
            module = beside[4:-3]
            runs.files[file] = (
                f"use crate::line::*; use crate::{module}::*; use std::process::Command;\n"
                + "\n".join(
                    fronts[one] + texts[one].replace("@", " ".join(bodies[one]))
                    for one in FUNCTIONS
                    if homes[one] == file
                )
            )
        runs.check()


def _word(by: random.Random) -> str:
    return by.choice(OFTEN if by.random() < 0.6 else RARELY)


@pytest.fixture
def calling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    made = Runs(tmp_path, monkeypatch)
    made.files["src/one.rs"] = (
        'use std::process::Command;\npub fn started() -> Command { Command::new("a") }\n'
        'pub fn one() { let mut c = started(); c.spawn(); c.arg("y"); }\n'
    )
    made.files["src/two.rs"] = (
        "use std::process::Command;\nuse crate::one::started;\npub struct Job { arg: u8 }\n"
        "pub fn two(job: &Job) -> u8 { job.arg }\n"
    )
    made.check()
    return made


def order_parts(runs: Runs) -> list[str]:
    """The order rules that were held against the program in the last run."""
    return [key.split()[1] for key in runs.judged if key.startswith("order set-up")]


def test_an_edit_beside_a_name_that_a_rule_looks_for_costs_nothing(calling: Runs) -> None:
    calling.files["src/two.rs"] = calling.files["src/two.rs"].replace(
        "{ job.arg }", "{ let x = 1; job.arg + x }"
    )
    calling.check()
    assert order_parts(calling) == []


def test_a_value_that_comes_into_such_a_body_is_heard(calling: Runs) -> None:
    calling.files["src/two.rs"] = calling.files["src/two.rs"].replace(
        "{ job.arg }", '{ let mut d = started(); d.spawn(); d.arg("x"); job.arg }'
    )
    found = [one.rule for one in calling.check().findings]
    assert order_parts(calling) == ["set-up-after-start"]
    assert found.count("set-up-after-start") == 2


def test_a_parameter_of_the_type_is_heard(calling: Runs) -> None:
    calling.files["src/two.rs"] = calling.files["src/two.rs"].replace(
        "two(job: &Job) -> u8 { job.arg }", 'two(mut job: Command) { job.spawn(); job.arg("x"); }'
    )
    found = [one.rule for one in calling.check().findings]
    assert found.count("set-up-after-start") == 2


def test_a_function_that_is_no_test_any_more_is_heard(calling: Runs) -> None:
    text = 'pub fn three() { let mut e = started(); e.spawn(); e.arg("z"); }\n'
    calling.files["src/two.rs"] += f"#[cfg(test)]\n{text}"
    calling.check()
    calling.files["src/two.rs"] = calling.files["src/two.rs"].replace("#[cfg(test)]\n", "")
    found = [one.rule for one in calling.check().findings]
    assert found.count("set-up-after-start") == 2


def test_a_body_is_known_again_after_functions_came_before_it(calling: Runs) -> None:
    # In a file of which nothing is told, so that only numbers move.
    calling.files["src/store.rs"] += "pub fn spare() {}\npub fn spared() { spare(); }\n"
    assert "set-up-after-start" in [one.rule for one in calling.check().findings]
    # The same names in another order: only the body tells.
    calling.files["src/one.rs"] = calling.files["src/one.rs"].replace(
        'c.spawn(); c.arg("y");', 'c.arg("y"); c.spawn();'
    )
    assert "set-up-after-start" not in [one.rule for one in calling.check().findings]


def test_lines_that_move_take_the_answers_that_name_them_with_them(calling: Runs) -> None:
    before = [one.line for one in calling.check().findings]
    calling.files["src/one.rs"] = "// A line.\n" + calling.files["src/one.rs"]
    assert [one.line for one in calling.check().findings] == [line + 1 for line in before]
    assert before


JOB = "pub struct Job;\nimpl Job { pub fn spawn(&mut self) {} pub fn arg(&mut self, _a: &str) {} }\n"


@pytest.mark.parametrize(
    "text",
    [
        'pub fn two(mut held: Job) { held.spawn(); held.arg("x"); }\n',
        'enum Holder { Held(Job) }\npub fn two() { if let Holder::Held(h) = get() { h.spawn(); h.arg("x"); } }\n',
        'struct Holder { held: Job }\npub fn two() { let mut h: Holder = get(); h.held.spawn(); h.held.arg("x"); }\n',
    ],
    ids=("parameter", "variant", "field"),
)
def test_a_type_from_outside_that_is_named_for_the_first_time_is_heard(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = Runs(tmp_path, monkeypatch)
    command = text.replace("held: Job", "held: std::process::Command").replace(
        "Held(Job)", "Held(std::process::Command)"
    )
    for one, count in ((text, 0), (command, 1), (text, 0)):
        runs.files["src/two.rs"] = JOB + one
        assert [one.rule for one in runs.check().findings].count("set-up-after-start") == count
