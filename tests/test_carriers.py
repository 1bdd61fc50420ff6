"""Which functions may hold a value of a type from outside: every way by which one comes is known."""

from __future__ import annotations

import pytest

from inroads.analyses.order.near import Near
from inroads.pattern import parse
from inroads.program import Program
from linking import link_text

FRONT = """
use std::process::Command;
use std::process::Command as Renamed;
type Short = Command;
type Boxed = Box<Command>;
pub struct Job { inner: Command, other: u8 }
pub struct Tuple(Command);
pub struct Wrap<T> { held: T }
pub enum Step { Run(Command), Named { what: Command }, Rest }
static SHARED: Option<Command> = None;
macro_rules! made { () => { Command::new("a") } }
fn make() -> Command { todo!() }
fn all() -> Vec<Wrap<Command>> { todo!() }
fn with(run: impl FnOnce(&mut Command)) {}
fn sized<F>(run: F) where F: FnOnce(&mut Command) {}
impl Job { fn named(&mut self) -> &mut Command { &mut self.inner } }
trait Own { fn own(&mut self); }
"""


def holds(text: str, function: str, owner: str = "Command") -> bool | None:
    """Whether a function may hold a value of the type; None where that can't be told."""
    program = Program(link_text(FRONT + text))
    found = program.holding(owner)
    (id,) = program.tables.functions_named(function)
    return None if found is None else id in found


@pytest.mark.parametrize(
    "text",
    [
        'fn f() { Command::new("a").arg("b"); }',
        'fn f() { std::process::Command::new("a").arg("b"); }',
        'fn f() { Renamed::new("a").arg("b"); }',
        'fn f() { Short::new("a").arg("b"); }',
        'fn f() { fn inside() {} Command::new("a").arg("b"); }',
        "fn f(c: &mut Command) { c.arg(1); }",
        "fn f(c: Boxed) { c.arg(1); }",
        "fn f(c: impl AsMut<Command>) { c.as_mut().arg(1); }",
        "fn f(job: &mut Job) { job.inner.arg(1); }",
        "fn f(Tuple(c): Tuple) { c.arg(1); }",
        "fn f(t: Tuple) { t.0.arg(1); }",
        "fn f(s: Step) { if let Step::Run(c) = s { c.arg(1); } }",
        "fn f(s: Step) { if let Step::Named { what } = s { what.arg(1); } }",
        "fn f() { SHARED.unwrap().arg(1); }",
        "fn f() { made!().arg(1); }",
        "fn f() { make().arg(1); }",
        "fn f() { all()[0].held.arg(1); }",
        "fn f() { with(|c| { c.arg(1); }) }",
        "fn f() { sized(|c| { c.arg(1); }) }",
        "fn f(job: &mut Job) { job.named().arg(1); }",
        "impl Own for Command { fn f(&mut self) { self.arg(1); } }",
        "impl Wrap<Command> { fn f(&mut self) { self.held.arg(1); } }",
    ],
)
def test_whoever_may_hold_a_value_is_found(text: str) -> None:
    assert holds(text, "f") is True


@pytest.mark.parametrize(
    "text",
    [
        "fn f(x: u8) { x.arg(1); }",
        "fn f(job: &Job) { job.other.arg(1); }",
        "fn f() { Step::Rest.arg(1); }",
        "impl Job { fn f(&self) { self.arg(1) } }",
    ],
)
def test_whoever_cannot_hold_one_is_left_out(text: str) -> None:
    assert holds(text, "f") is False


@pytest.mark.parametrize(
    "text",
    [
        "impl std::ops::Deref for Job { type Target = Command; fn deref(&self) -> &Command { &self.inner } }",
        "trait Give<T> { fn give(&self) -> T; } impl Give<Command> for Job { fn give(&self) -> Command { todo!() } }",
        "pub struct Plain<T = Command> { plain: T }",
        "trait Runs: AsMut<Command> {}",
        "impl Iterator for Job { type Item = Boxed; fn next(&mut self) -> Option<Boxed> { None } }",
    ],
)
def test_where_a_value_may_come_without_a_name_nothing_is_told(text: str) -> None:
    assert holds(f"{text} fn f() {{}}", "f") is None


@pytest.mark.parametrize("owner", ["Job", "Own", "Write", "Option", "Nowhere"])
def test_nothing_is_told_of_own_types_of_traits_and_of_enums(owner: str) -> None:
    assert holds("fn f() {}", "f", owner) is None


def test_taking_a_value_gives_none() -> None:
    text = "impl From<Command> for Job { fn from(inner: Command) -> Job { Job { inner, other: 1 } } } fn f(x: u8) {}"
    assert holds(text, "f") is False


def test_only_bodies_that_may_hold_the_type_come_to_a_call_of_its_method() -> None:
    text = (
        'fn yes() { Command::new("a").arg("b"); } fn no(job: &Job) { job.other.arg(1); } fn above() { no(); }'
    )
    program = Program(link_text(FRONT + text))
    near = Near(program, (parse("Command::arg($c, _)"),), tests=True)
    names = {program.tables.functions[one].name for one in near.speaking()}
    assert names == {"yes"}
    # Whether the other holds one is told by its signature and by names, so a new one in it is heard.
    glanced = {program.tables.functions[one].name for one, _ in program.recorder.now.glances}
    assert {"yes", "no"} <= glanced
    assert {"arg", "make", "Short", "inner", "SHARED"} <= program.recorder.now.names
