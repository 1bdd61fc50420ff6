"""Answers of an earlier run are taken over where they hold, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from inroads.check import Options, check, load
from inroads.cli.options import read_rulebook
from inroads.facts import Report
from inroads.judging import _Runner
from inroads.settings import Settings
from inroads.store import Store
from inroads.workspace import MemoryTree

CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'
STORE = """
pub struct Store { rows: Vec<u32> }
impl Store {
    pub fn save(&mut self) -> Result<(), String> {
        if self.rows.is_empty() { return Err("nothing".to_string()); }
        self.rows.clear();
        Ok(())
    }
    pub fn note(&self) -> u32 {
        1
    }
}
"""
ONE = """
use crate::store::Store;
pub fn one(store: &mut Store) {
    let _ = store.save();
}
"""
TWO = """
use crate::store::Store;
pub fn two(store: &mut Store) {
    if let Err(error) = store.save() {
        report(&error);
    }
}
fn report(error: &str) {
    eprintln!("{error}");
}
"""
LIB = "pub mod store;\npub mod one;\npub mod two;\n"


class Runs:
    """Runs of one program, with the parts that each of them judged."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings | None = None
    ) -> None:
        self.folder = folder
        self.settings = settings or Settings()
        self.files = {"src/lib.rs": LIB, "src/store.rs": STORE, "src/one.rs": ONE, "src/two.rs": TWO}
        self.judged: list[str] = []
        run = _Runner._run

        def watched(runner: _Runner, part: object) -> object:
            self.judged.append(part.key)  # type: ignore[attr-defined]  # A Part.
            return run(runner, part)  # type: ignore[arg-type]  # The same one.

        monkeypatch.setattr(_Runner, "_run", watched)

    def check(self) -> Report:
        """The report; that of a cold run is the same."""
        reports = []
        for store in (None, Store(str(self.folder))):
            self.judged.clear()
            tree = MemoryTree(
                {"Cargo.toml": CARGO.encode(), **{k: v.encode() for k, v in self.files.items()}}
            )
            loaded = load(tree, store=store)
            rulebook = read_rulebook(self.folder, self.settings, ())
            reports.append(check(loaded, rulebook, self.settings, Options()))
        assert reports[0] == reports[1]
        return reports[1]

    def swallow_parts(self) -> list[str]:
        """The files in which lost errors were looked for in the last run."""
        return sorted(key.split()[1] for key in self.judged if key.startswith("swallow"))


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    made = Runs(tmp_path / "cache", monkeypatch)
    made.check()
    return made


def test_a_second_run_judges_no_file_again(runs: Runs) -> None:
    runs.check()
    assert runs.swallow_parts() == []


def test_a_body_that_others_looked_into_takes_their_answers_with_it(runs: Runs) -> None:
    runs.files["src/store.rs"] = STORE.replace("self.rows.clear();", "self.rows.len();")
    runs.check()
    assert "src/one.rs" in runs.swallow_parts()


def test_a_body_that_nobody_looked_into_costs_its_own_file(runs: Runs) -> None:
    runs.files["src/store.rs"] = STORE.replace("        1\n", "        2\n")
    runs.check()
    assert runs.swallow_parts() == ["src/store.rs"]


def test_a_signature_costs_those_who_mention_it(runs: Runs) -> None:
    runs.files["src/store.rs"] = STORE.replace("fn note(&self) -> u32", "fn note(&self, _more: u8) -> u32")
    runs.check()
    assert runs.swallow_parts() == ["src/store.rs"]
    runs.files["src/store.rs"] = STORE.replace("-> Result<(), String>", "-> Result<(), u32>")
    runs.check()
    assert runs.swallow_parts() == ["src/one.rs", "src/store.rs", "src/two.rs"]


ORDER = """
pack = "rows"
[[rule]]
id = "save-before-open"
kind = "order"
title = "saved before it was opened"
level = "deny"
why = "There is nothing to save."
target = ["Store::save"]
needs = ["Store::open"]
[[rule.test]]
name = "saved"
code = "struct Store; impl Store { fn open(&self) {} fn save(&self) {} } fn main() { Store.save(); } //~ save-before-open"
[[rule.test]]
name = "opened"
code = "struct Store; impl Store { fn open(&self) {} fn save(&self) {} } fn main() { let s = Store; s.open(); s.save(); }"
"""


def test_an_order_rule_hears_nothing_of_functions_that_no_road_leads_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rows.toml").write_text(ORDER)
    runs = Runs(tmp_path, monkeypatch, Settings(packs=("rows.toml",)))
    runs.files["src/three.rs"] = "pub struct Three;\nimpl Three { pub fn new() -> Self { Three } }\n"
    runs.files["src/lib.rs"] = LIB + "pub mod three;\n"
    runs.files["src/store.rs"] = (
        STORE + "impl Store { pub fn open(&mut self) {} }\nstruct Guard<'a>(&'a mut Store);\n"
        "impl Drop for Guard<'_> { fn drop(&mut self) { self.0.open(); } }\n"
    )
    runs.check()
    runs.files["src/three.rs"] = runs.files["src/three.rs"].replace("new()", "new(_size: u8)")
    runs.check()
    assert not [key for key in runs.judged if key.startswith("order save")]
    runs.files["src/two.rs"] = TWO.replace("if let Err", "store.open();\n    if let Err")
    runs.check()
    assert [key for key in runs.judged if key.startswith("order save")]


def test_a_function_that_is_hidden_costs_those_who_called_it(runs: Runs) -> None:
    runs.files["src/store.rs"] = STORE.replace("pub fn save", "fn save")
    runs.check()
    assert runs.swallow_parts() == ["src/one.rs", "src/store.rs", "src/two.rs"]


def test_a_field_that_changed_costs_everything(runs: Runs) -> None:
    runs.files["src/store.rs"] = STORE.replace("rows: Vec<u32>", "rows: Vec<u8>")
    runs.check()
    assert len(runs.swallow_parts()) == 3


def test_a_function_that_comes_or_goes_renumbers_and_costs_those_who_mention_it(runs: Runs) -> None:
    before = runs.check()
    runs.files["src/one.rs"] = ONE.replace("pub fn one", "pub fn zero() {}\npub fn one")
    runs.check()
    assert runs.swallow_parts() == ["src/one.rs"]
    runs.files["src/one.rs"] = ONE
    assert runs.check() == before
    assert runs.swallow_parts() == ["src/one.rs"]


def test_a_method_that_is_called_without_its_name_costs_everything(runs: Runs) -> None:
    runs.files["src/store.rs"] = STORE + "impl Drop for Store { fn drop(&mut self) {} }\n"
    runs.check()
    assert len(runs.swallow_parts()) == 3
    runs.files["src/store.rs"] = STORE + "impl Drop for Store { fn drop(self: &mut Self) {} }\n"
    runs.check()
    assert len(runs.swallow_parts()) == 3


def test_a_new_type_costs_those_who_mention_its_names(runs: Runs) -> None:
    runs.files["src/one.rs"] = ONE + "struct Own { last: Option<u32> }\n"
    runs.check()
    assert runs.swallow_parts() == []
    runs.files["src/store.rs"] = STORE.replace("        1\n", "        self.depth\n")
    runs.check()
    runs.files["src/two.rs"] = TWO + "struct Two { depth: Result<u32, String> }\n"
    runs.check()
    assert runs.swallow_parts() == ["src/store.rs"]


def test_a_type_of_which_a_signature_speaks_costs_everything(runs: Runs) -> None:
    runs.files["src/one.rs"] = ONE + "struct Store;\n"
    runs.check()
    assert len(runs.swallow_parts()) == 3


def test_an_import_costs_the_bodies_of_its_module_and_below(runs: Runs) -> None:
    # The finding in `one` tells of the other callers of `save`, so it has looked at `two`.
    for text in (f"use std::io::Write;\n{TWO}", TWO):
        runs.files["src/two.rs"] = text
        runs.check()
        assert runs.swallow_parts() == ["src/one.rs", "src/two.rs"]
    runs.files["src/store.rs"] = f"use std::io::Write;\n{STORE}"
    runs.files["src/lib.rs"] = LIB + "mod three;\n"
    runs.files["src/three.rs"] = 'pub fn three() -> u32 { let _ = std::fs::read("a"); 3 }\n'
    runs.check()
    runs.files["src/three.rs"] = "use std::io::Write;\n" + runs.files["src/three.rs"]
    runs.check()
    assert runs.swallow_parts() == ["src/three.rs"]


def test_an_import_that_others_can_see_costs_everything(runs: Runs) -> None:
    runs.files["src/two.rs"] = f"pub use std::io::Write;\n{TWO}"
    runs.check()
    assert len(runs.swallow_parts()) == 3


def test_a_build_script_that_switches_a_function_off_costs_everything(runs: Runs) -> None:
    runs.files["src/store.rs"] = STORE.replace("    pub fn save", "    #[cfg(not(fast))]\n    pub fn save")
    runs.files["build.rs"] = "fn main() { }"
    before = runs.check()
    runs.files["build.rs"] = 'fn main() { println!("cargo:rustc-cfg=fast"); }'
    assert runs.check() != before


def test_a_test_module_costs_nothing(runs: Runs) -> None:
    runs.files["src/one.rs"] = (
        ONE + "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn works() { helped(); }\n}\n"
    )
    runs.check()
    assert runs.swallow_parts() == []


def test_a_macro_that_comes_costs_everything(runs: Runs) -> None:
    runs.files["src/one.rs"] = "macro_rules! quiet { () => {} }\n" + ONE
    runs.check()
    assert len(runs.swallow_parts()) == 3


def test_a_comment_between_functions_costs_those_who_tell_of_the_file(runs: Runs) -> None:
    runs.files["src/store.rs"] = f"// More words.\n{STORE}"
    runs.files["src/one.rs"] = f"// More words.\n{ONE}"
    runs.check()
    assert runs.swallow_parts() == ["src/one.rs"]


def test_lines_that_moved_are_told_where_they_are(runs: Runs) -> None:
    runs.files["src/one.rs"] = ONE.replace("    let _", "\n\n    let _")
    report = runs.check()
    assert [one.line for one in report.findings if one.path == "src/one.rs"] == [6]


def test_a_new_caller_is_counted(runs: Runs) -> None:
    runs.files["src/store.rs"] = STORE.replace(
        "        1\n", "        crate::one::one(&mut Store { rows: vec![] }); 1\n"
    )
    report = runs.check()
    (told,) = [one for one in report.findings if one.path == "src/one.rs"]
    assert any("1 call site cannot see this error" in detail for detail in told.details)


def test_what_was_taken_back_is_as_before(runs: Runs) -> None:
    before = runs.check()
    runs.files["src/one.rs"] = ONE.replace("let _ =", "let _unused =")
    runs.check()
    runs.files["src/one.rs"] = ONE
    assert runs.check() == before


def test_a_journal_that_cannot_be_read_makes_a_cold_run(runs: Runs) -> None:
    store = Store(str(runs.folder))
    store._open()
    for key in [key for key in store._where if key.startswith("judged:")]:
        store.put(key, b"\x93\x01")
    store.flush()
    runs.check()
    assert len(runs.swallow_parts()) == 3


def test_the_value_of_a_constant_costs_those_who_count_by_it(runs: Runs) -> None:
    text = (
        "use std::io::Write;\npub fn keep(file: std::fs::File) -> std::io::Result<()> {\n"
        '    let mut out = std::io::BufWriter::new(file);\n    out.write_all(b"x")?;\n'
        "    for _ in 0..crate::TURNS { out.flush()?; }\n    out.get_ref().sync_all()\n}\n"
    )
    runs.files["src/one.rs"] = text
    runs.files["src/lib.rs"] = LIB + "pub const TURNS: usize = 3;\n"
    assert [one.rule for one in runs.check().findings if one.kind == "order"] == []
    runs.files["src/lib.rs"] = LIB + "pub const TURNS: usize = 0;\n"
    assert len([one for one in runs.check().findings if one.kind == "order"]) == 1


def test_a_default_body_that_goes_and_comes_is_heard(runs: Runs) -> None:
    with_body = (
        'pub trait Tidy {\n    fn first(&self);\n    fn last(&self) {\n        let _ = std::fs::remove_file("a");\n'
        "    }\n}\n"
    )
    without = "pub trait Tidy {\n    fn first(&self);\n    fn last(&self);\n}\n"
    runs.files["src/lib.rs"] = LIB + "pub mod three;\n"
    for text, lost in ((with_body, 1), (without, 0), (with_body, 1)):
        runs.files["src/three.rs"] = text
        assert len([one for one in runs.check().findings if one.path == "src/three.rs"]) == lost


def test_a_function_that_shows_itself_may_be_what_a_name_means(runs: Runs) -> None:
    runs.files["src/two.rs"] = (
        "use crate::one::*;\nuse crate::store::*;\npub fn two() {\n    let _ = shared();\n}\n"
    )
    runs.files["src/store.rs"] = STORE + "pub fn shared() -> Result<(), String> {\n    Ok(())\n}\n"
    for text, lost in (("fn shared() -> u8 {\n    1\n}\n", 1), ("pub fn shared() -> u8 {\n    1\n}\n", 0)):
        runs.files["src/one.rs"] = text
        assert len([one for one in runs.check().findings if one.path == "src/two.rs"]) == lost


def test_a_public_type_of_which_another_file_speaks_costs_everything(runs: Runs) -> None:
    runs.files["src/two.rs"] = (
        "use crate::one::*;\npub fn two(extra: &mut Extra) {\n    let _ = extra.go();\n}\n"
    )
    runs.files["src/store.rs"] = (
        STORE
        + "impl crate::one::Extra {\n    pub fn go(&self) -> Result<(), String> {\n        Ok(())\n    }\n}\n"
    )
    for text, certainty in ((ONE, "maybe"), (ONE + "pub struct Extra;\n", "sure"), (ONE, "maybe")):
        runs.files["src/one.rs"] = text
        assert [one.certainty for one in runs.check().findings if one.path == "src/two.rs"] == [certainty]


def test_a_parameter_that_takes_an_error_no_longer_is_heard_by_who_hands_it_on(runs: Runs) -> None:
    runs.files["src/two.rs"] = (
        "use crate::one::Sink;\nuse crate::store::Store;\n"
        "pub fn two(sink: &impl Sink, store: &mut Store) {\n    sink.go(store.save());\n}\n"
    )
    taking = "pub trait Sink {\n    fn go(&self, r: Result<(), String>);\n}\n"
    for text in (taking, taking.replace("Result<(), String>", "T"), taking):
        runs.files["src/one.rs"] = text
        runs.check()


def test_the_last_body_that_mentions_a_need_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rows.toml").write_text(ORDER.replace('["Store::open"]', '["std::fs::canonicalize"]'))
    runs = Runs(tmp_path, monkeypatch, Settings(packs=("rows.toml",)))
    runs.files["src/lib.rs"] = LIB + "pub mod three;\n"
    first = "pub fn first() {}\n"
    for text, told in ((first + 'fn last() { drop(std::fs::canonicalize("a")); }\n', 0), (first, 1)):
        runs.files["src/three.rs"] = text
        problems = [one for one in runs.check().problems if "matches nothing" in one.message]
        assert len(problems) == told
