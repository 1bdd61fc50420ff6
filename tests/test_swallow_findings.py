"""Levels, repairs, joins and the table of fates."""

from __future__ import annotations

import csv
import io
import json

import msgspec
import pytest

from inroads.analyses.base import LOG_MACROS, Context, RuleHead
from inroads.analyses.swallow.check import check
from inroads.analyses.swallow.finding import join
from inroads.analyses.swallow.rule import SwallowRule
from inroads.analyses.swallow.table import as_csv, as_json, fate_table
from inroads.check import load
from inroads.facts import Finding
from inroads.program import Program
from inroads.resolve.model import Judged
from inroads.workspace import MemoryTree
from judged_here import findings_of
from swallow_program import CARGO

HEAD = """
#[derive(Debug)]
pub enum E { Missing, Full(u32) }
pub struct S { n: u32 }
impl S {
    fn save(&mut self) -> Result<(), E> {
        if self.n == 0 { return Err(E::Missing); }
        self.n += 1;
        if 9 < self.n { return Err(E::Full(self.n)); }
        Ok(())
    }
}
"""


def program(source: str) -> Program:
    return load(MemoryTree({"Cargo.toml": CARGO, "src/lib.rs": (HEAD + source).encode()})).program


def findings(source: str) -> list[Finding]:
    head = RuleHead("error-lost", "swallow", "an error is lost", "warn")
    fates = ("logged", "dropped", "defaulted", "turned-into-option", "cause-lost", "overwritten")
    return findings_of(check((SwallowRule(head, ("*",), fates),), program(source), Context()))


def test_a_dropped_change_of_state_is_denied() -> None:
    (found,) = findings("pub fn x(s: &mut S) { let _ = s.save(); }")
    assert found.level == "deny"


def test_an_error_that_a_function_is_handed_and_only_logs_is_told_at_the_call() -> None:
    tell = 'fn tell(r: Result<(), E>) { if let Err(e) = r { tracing::warn!("{e:?}"); } }\n'
    for body in (
        "tell(s.save());",
        "let r = s.save(); tell(r);",
        "tokio::select! { r = async { s.save() } => tell(r), }",
    ):
        (found,) = findings(f"{tell}pub async fn x(s: &mut S) {{ {body} }}")
        assert (found.fate, found.message) == ("logged", "the error of `save` is only logged")


def test_a_lookup_with_a_default_is_not_told() -> None:
    assert findings("pub fn x(t: &str) -> u32 { t.parse().unwrap_or(0) }") == []


def test_the_callers_of_a_function_that_swallows_are_counted() -> None:
    source = """
    pub fn sync(s: &mut S) { if let Err(e) = s.save() { eprintln!("{e:?}"); } }
    pub fn a(s: &mut S) { sync(s); sync(s); }
    pub fn b(s: &mut S) { sync(s); }
    """
    (found,) = findings(source)
    assert "3 call sites cannot see this error" in found.details


def test_what_most_sites_do_is_told_as_a_reason() -> None:
    source = "".join(f"pub fn k{n}(s: &mut S) -> Result<(), E> {{ s.save()?; Ok(()) }}\n" for n in range(5))
    (found,) = findings(source + "pub fn x(s: &mut S) { let _ = s.save(); }")
    assert "elsewhere: propagated at 5 of 6 sites" in found.details


def test_the_repair_is_a_question_mark_where_a_result_is_returned() -> None:
    (found,) = findings("pub fn x(s: &mut S) -> Result<(), E> { let _ = s.save(); Ok(()) }")
    assert found.help.startswith("`save(..)?`")


def test_the_repair_names_the_signatures_that_would_change() -> None:
    (found,) = findings("pub fn x(s: &mut S) { let _ = s.save(); }")
    assert "with a Result returned by `x`" in found.help


REPAIRS = {
    "the same error": ("pub fn x(s: &mut S) -> Result<(), E> { let _ = s.save(); Ok(()) }", "`save(..)?`"),
    "an error that it becomes": (
        "pub struct F; impl From<E> for F { fn from(_: E) -> F { F } }"
        " pub fn x(s: &mut S) -> Result<(), F> { let _ = s.save(); Ok(()) }",
        "`save(..)?`",
    ),
    "any error": ("pub fn x(s: &mut S) -> anyhow::Result<()> { let _ = s.save(); Ok(()) }", "`save(..)?`"),
    "another error": (
        "pub struct F; pub fn x(s: &mut S) -> Result<(), F> { let _ = s.save(); Ok(()) }",
        "`save(..).map_err(..)?`: `x` returns a Result of `F`",
    ),
    "elements that are passed over": (
        "fn many(s: &mut S) -> Vec<Result<(), E>> { vec![s.save()] }"
        " pub fn x(s: &mut S) -> Result<Vec<()>, E> { Ok(many(s).into_iter().flatten().collect()) }",
        "`.collect::<Result<Vec<_>, _>>()?`",
    ),
    "a thread": (
        'pub fn x() { std::thread::spawn(|| std::fs::write("a", "b")); }',
        "keep the handle of `spawn(..)`",
    ),
}


@pytest.mark.parametrize("name", sorted(REPAIRS))
def test_the_smallest_repair_of(name: str) -> None:
    source, repair = REPAIRS[name]
    (found,) = findings(source)
    assert repair in found.help


def test_the_repair_of_a_trait_method_from_outside_keeps_its_signature() -> None:
    source = "impl Iterator for S { type Item = u32; fn next(&mut self) -> Option<u32> { let _ = self.save(); None } }"
    (found,) = findings(source)
    assert "is fixed by its trait" in found.help


def test_two_calls_whose_errors_die_in_one_arm_are_one_finding() -> None:
    source = """
    pub fn x(s: &mut S, a: bool) {
        let r = if a { s.save() } else { s.save() };
        if let Err(e) = r { eprintln!("{e:?}"); }
    }
    """
    (found,) = findings(source)
    assert [step.note for step in found.related][1:] == ["the error of this call dies there too"]


def test_the_body_of_a_macro_is_one_place_for_all_its_expansions() -> None:
    source = """
    macro_rules! put { ($s:expr) => { $s.save(); }; }
    pub fn x(s: &mut S) { put!(s); put!(s); }
    """
    assert len(findings(source)) == 1


def test_so_it_is_where_the_macro_is_given_the_name_of_what_it_calls() -> None:
    source = """
    impl S { fn load(&mut self) -> Result<(), E> { self.save()?; self.save() } }
    macro_rules! put { ($s:expr, $name:ident) => { let _ = S::$name($s); }; }
    pub fn x(s: &mut S) { put!(s, save); put!(s, load); }
    """
    assert len(findings(source)) == 1


def test_a_swallowed_error_whose_target_has_an_order_finding_is_joined_and_denied() -> None:
    (found,) = findings('pub fn x(s: &mut S) { if let Err(e) = s.save() { eprintln!("{e:?}"); } }')
    warned = msgspec.structs.replace(found, level="warn")
    order = msgspec.structs.replace(
        found, kind="order", rule="save-before-open", message="saved before opened"
    )
    joined = list(join((order, warned), program(""), Context()))
    assert joined[0].details[-1] == "its error is only logged at src/lib.rs:13"
    assert joined[1].level == "deny"
    assert found.rank < joined[1].rank
    assert "save-before-open" in joined[1].related[-1].note


MANY = (
    "".join(f"pub fn k{n}(s: &mut S) -> Result<(), E> {{ s.save()?; Ok(()) }}\n" for n in range(3))
    + "pub fn odd(s: &mut S) { let _ = s.save(); }\n"
    + "fn other() -> Result<(), E> { Err(E::Missing) } pub fn y() { other().unwrap(); }\n"
)


def test_the_table_shows_the_odd_site_first() -> None:
    rows = fate_table(program(MANY), frozenset(LOG_MACROS))
    assert rows[0].function.endswith("S::save")
    assert rows[0].sentence().startswith("propagated at 3 of 4 sites, dropped at src/lib.rs:")
    assert rows[-1].oddness == 0


def test_the_table_is_written_as_json_and_csv() -> None:
    rows = fate_table(program(MANY), frozenset(LOG_MACROS))
    first = json.loads(as_json(rows))["functions"][0]
    assert first["fates"] == {"propagated": 3, "dropped": 1}
    table = list(csv.DictReader(io.StringIO(as_csv(rows))))
    assert (table[0]["propagated"], table[0]["dropped"], table[0]["handled"]) == ("3", "1", "0")


def test_an_error_handed_to_a_function_that_does_nothing_is_followed_into_it() -> None:
    source = """
    fn ignore(_error: E) {}
    pub fn x(s: &mut S) { if let Err(e) = s.save() { ignore(e); } }
    """
    assert [one.fate for one in findings(source)] == ["dropped"]


def judged(source: str) -> set[str]:
    """The names of the functions that are judged to find what a program loses."""
    made = program(source)
    seen: set[str] = set()
    judge = made.judge

    def noted(function: int) -> Judged:
        seen.add(made.tables.functions[function].name)
        return judge(function)

    head = RuleHead("error-lost", "swallow", "an error is lost", "warn")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(made, "judge", noted)
        findings_of(check((SwallowRule(head, ("*",), ("logged", "dropped")),), made, Context()))
    return seen


def test_nobody_is_judged_to_count_sites_that_are_too_few() -> None:
    lost = "pub fn x(s: &mut S) { let _ = s.save(); }\n"
    other = "pub fn other{}(s: &mut S) -> Result<(), E> {{ s.save()?; Ok(()) }}\n"
    assert "other1" not in judged(lost + other.format(1))
    assert "other1" in judged(lost + other.format(1) + other.format(2))


def test_what_is_called_after_a_return_is_not_judged_where_a_write_tells() -> None:
    lost = "fn away(s: &S) {{ print_it(s.n); }}\nfn print_it(_: u32) {{}}\n" + (
        'pub fn x(s: &mut S, t: &str) {{ if let Err(e) = std::fs::read(t) {{ log::warn!("{{e}}"); return; }} away(s); {} }}'
    )
    assert "away" in judged(lost.format(""))
    assert "away" not in judged(lost.format("s.n = 1;"))


def test_nobody_is_judged_for_names_under_which_others_fail() -> None:
    others = """
    use std::collections::HashMap;
    pub struct Table { now: std::time::SystemTime, table: HashMap<u32, u32> }
    impl Table { pub fn insert(&mut self, a: u32, b: u32) -> Result<(), E> { self.table.insert(a, b); Ok(()) } }
    impl Iterator for Table { type Item = Result<u32, E>; fn next(&mut self) -> Option<Result<u32, E>> { None } }
    mod inner { macro_rules! info { ($e:expr) => { let _ = $e; }; } pub fn own() { info!(1); } }
    """
    plain = "pub fn plain{}(m: &mut HashMap<u32, u32>, t: &str, n: Option<u32>) -> usize {{ {} n.unwrap_or(1) as usize }}\n"
    bodies = (
        "m.insert(1, 2); // not into a Table",
        "t.split(',').count();",
        "t.chars().next();",
        "let began = std::time::Instant::now(); began.elapsed();",
        'info!("a Table");',
    )
    source = others + "".join(plain.format(at, f"{body}\n") for at, body in enumerate(bodies))
    assert not {one for one in judged(source) if one.startswith("plain")}
