"""An audit: definitions, call sites, dispatch, fates, verdicts, roads, blind spots, renderings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inroads.audit import Audit, CallSite, audit
from inroads.check import load
from inroads.errors import UsageError
from inroads.program import Program
from inroads.report import Look
from inroads.report.audit import render
from inroads.rulebook import Choice, load_rulebook, read_pack, select_rules
from inroads.settings import Settings
from inroads.workspace import DirectoryTree
from linking import link_text

TEXT = """
pub trait Model { fn sync(&self, id: u32) -> Result<(), String> { Err(format!("{id}")) } fn forward(&self) {} }
pub struct Dense; pub struct Hybrid;
impl Model for Dense {}
impl Model for Hybrid { fn sync(&self, id: u32) -> Result<(), String> { Ok(()) } }
pub enum Loaded { Dense(Dense), Hybrid(Hybrid) }
macro_rules! delegate { ($s:expr, $m:ident, $a:expr) => { match $s {
    Loaded::Dense(inner) => Model::$m(inner, $a),
    Loaded::Hybrid(inner) => Model::$m(inner, $a),
} } }
impl Model for Loaded { fn sync(&self, id: u32) -> Result<(), String> { delegate!(self, sync, id) } }
pub struct Scheduler { model: Loaded }
impl Scheduler {
    fn sync(&self, id: u32) { if let Err(error) = self.model.sync(id) { eprintln!("{error}"); } }
    pub fn step(&self) { self.model.forward(); self.sync(1); }
    fn trim(&self) { self.sync(2) }
}
pub fn run(s: &Scheduler) { s.step(); s.trim() }
#[cfg(test)] mod tests { use super::*; #[test] fn tested() { let _ = Dense.sync(3); } }
"""


@pytest.fixture(scope="module")
def found() -> Audit:
    return audit(Program(link_text(TEXT)), "Model::sync", roads=2)


def site(found: Audit, line: int) -> CallSite:
    """The one call site in a line."""
    (one,) = [one for one in found.sites if one.line == line]
    return one


def test_a_traits_method_brings_its_impls_and_the_wrappers_of_its_name(found: Audit) -> None:
    assert [(one.line, one.kind, one.role) for one in found.definitions] == [
        (2, "default", ""),
        (5, "impl", ""),
        (11, "impl", "delegate"),
        (14, "inherent", "wrapper"),
    ]


def test_each_call_site_stands_at_the_callees_name(found: Audit) -> None:
    assert [(one.line, one.column) for one in found.sites] == [(11, 89), (14, 62), (15, 53), (16, 27)]


def test_a_delegating_macro_dispatches_by_the_payloads_type(found: Audit) -> None:
    one = site(found, 11)
    assert one.how == "macro"
    assert one.dispatch == ("app::Hybrid::sync", "app::Model::sync")


def test_the_fate_is_that_of_the_calls_result(found: Audit) -> None:
    assert [one.fate for one in found.sites] == ["propagated", "logged", "unseen", "unseen"]


def test_without_a_rule_there_is_no_verdict(found: Audit) -> None:
    assert {one.order for one in found.sites} == {"no-rule"}


def test_roads_lead_from_the_entry_point_to_the_site(found: Audit) -> None:
    (road,) = site(found, 16).roads
    assert [(step.line, step.note) for step in road] == [
        (18, "`run`: nobody here calls it"),
        (18, "calls `Scheduler::trim`"),
        (16, "calls `Scheduler::sync`"),
    ]
    assert site(found, 14).roads_total == 2
    assert found.entry_points == 1


def test_call_sites_of_tests_are_counted_and_told_when_asked_for(found: Audit) -> None:
    assert [one.message for one in found.notes] == ["1 function of tests calls it; --tests shows the places"]
    whole = audit(Program(link_text(TEXT)), "Model::sync", tests=True)
    assert [one.line for one in whole.sites] == [11, 14, 15, 16, 19]


def test_a_target_that_is_not_there_is_an_error_with_a_near_one() -> None:
    with pytest.raises(UsageError, match='no function is named "Model::synch"; did you mean "Model::sync"'):
        audit(Program(link_text(TEXT)), "Model::synch")


def test_a_bare_name_is_any_function_of_the_name() -> None:
    assert len(audit(Program(link_text(TEXT)), "sync").definitions) == 4
    assert [one.line for one in audit(Program(link_text(TEXT)), "Scheduler::s*").definitions] == [14, 15]


def test_a_call_on_an_unknown_type_is_a_blind_spot() -> None:
    types = "".join(f"pub struct S{at}; impl S{at} {{ pub fn odd_name(&self) {{}} }}\n" for at in range(20))
    program = Program(link_text(types + "fn f() { foreign::thing().odd_name(); }"))
    (note,) = audit(program, "S3::odd_name").notes
    assert (note.kind, note.line) == ("blind", 21)
    assert "type is not known" in note.message


def test_a_call_that_is_known_by_name_says_so() -> None:
    text = "pub struct S; impl S { pub fn odd_name(&self) {} } fn f() { foreign::thing().odd_name(); }"
    (one,) = audit(Program(link_text(text)), "S::odd_name").sites
    assert one.how == "by-name"


EXAMPLE = Path(__file__).parent.parent / "examples" / "paged_decode" / "before"


@pytest.fixture(scope="module")
def example() -> Audit:
    loaded = load(DirectoryTree(EXAMPLE))
    rulebook = load_rulebook([], Settings(), Choice())
    return audit(loaded.program, "LanguageModel::sync_sequence_storage", rules=rulebook.active, roads=3)


def test_order_rules_give_the_verdict_and_its_reason(example: Audit) -> None:
    verdicts = {f"{one.path.rpartition('/')[2]}:{one.line}": one.order for one in example.sites}
    assert set(verdicts.values()) == {"ordered", "unordered", "no-rule"}
    ordered = next(one for one in example.sites if one.order == "ordered")
    assert ordered.because[0].note == "the need is met here"
    unordered = next(one for one in example.sites if one.order == "unordered")
    assert unordered.because


def test_the_json_has_the_keys_of_the_contract(example: Audit) -> None:
    whole = json.loads(render(example, "json", Look(roads=3)))
    assert whole["version"] == 1
    assert whole["target"] == ["LanguageModel::sync_sequence_storage"]
    assert {"function", "path", "line", "kind"} <= set(whole["definitions"][0])
    keys = {
        "path",
        "line",
        "column",
        "function",
        "how",
        "via",
        "dispatch",
        "fate",
        "order",
        "because",
        "roads",
    }
    assert keys | {"entry_points"} <= set(whole["sites"][0])
    assert {"path", "line", "column", "note"} == set(whole["sites"][0]["roads"][0][0])


def test_the_text_has_a_table_of_definitions_and_one_of_sites(example: Audit) -> None:
    text = render(example, "text", Look(roads=0))
    assert text.startswith("5 definitions\n")
    assert "7 call sites, 21 roads from 1 entry point" in text
    assert "road 1 of" not in text
    assert "road 1 of" in render(example, "text", Look(roads=1))


def test_markdown_and_dot_hold_every_site(example: Audit) -> None:
    markdown = render(example, "markdown", Look(roads=1))
    dot = render(example, "dot", Look(roads=1))
    assert dot.startswith("digraph roads {")
    for one in example.sites:
        assert f":{one.line}:{one.column}" in markdown
        assert f":{one.line}" in dot


def test_names_that_would_break_out_are_escaped() -> None:
    program = Program(link_text("fn target() {}\nfn caller() { target() }"))
    dot = render(audit(program, "target"), "dot", Look())
    assert dot.count('"') % 2 == 0


def test_a_function_that_only_tests_have_is_told_from_one_that_nobody_has() -> None:
    program = Program(link_text("#[cfg(test)] mod tests { fn helper() {} #[test] fn t() { helper() } }"))
    with pytest.raises(UsageError, match="only in tests"):
        audit(program, "helper")
    assert len(audit(program, "helper", tests=True).sites) == 1


def test_roads_at_the_same_places_are_told_apart_by_who_makes_the_call() -> None:
    # Both impls come from one macro, so all of their calls stand at the same places.
    text = """
pub fn goal() {}
fn inner() { goal() }
pub struct A; pub struct B;
macro_rules! both { ($($t:ty),*) => { $( impl $t { pub fn go(&self) { inner(); } pub fn top(&self) { self.go(); } } )* } }
both!(A, B);
"""
    (one,) = audit(Program(link_text(text)), "goal", roads=4).sites
    assert [road[0].note for road in one.roads] == [
        "`A::top`: nobody here calls it",
        "`B::top`: nobody here calls it",
    ]


def test_roads_from_tests_are_counted_at_a_site_that_is_unordered() -> None:
    text = "fn open() {}\nfn read() {}\nfn log() {}\npub fn scan() { log(); read(); }\n"
    text += "#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() { super::scan(); super::scan(); }\n}\n"
    table = {"id": "r", "kind": "order", "title": "t", "why": "w", "target": ["read"], "needs": ["open"]}
    pack = read_pack({"pack": "t", "rule": [table]}, "t.toml", tests="optional")
    rules = select_rules((pack,), Settings(), Choice()).active
    (one,) = audit(Program(link_text(text)), "read", rules=rules).sites
    assert (one.order, one.roads_from_tests) == ("unordered", 2)
