"""The program: calls linked both ways, places, roots, roads."""

from __future__ import annotations

import random

import pytest

from inroads import program as program_module
from inroads.calls import call_lines
from inroads.facts import Position
from inroads.program import Edge, Program
from inroads.roads import MOST_COUNTED, cone_of
from linking import link_files, link_text


def load(text: str) -> Program:
    """A library of one file."""
    return Program(link_text(text))


def id_of(program: Program, path: str) -> int:
    """The one function of that path."""
    (found,) = [one.id for one in program.tables.functions if one.path == path]
    return found


def who(program: Program, edges: tuple[Edge, ...]) -> list[str]:
    """The callers of edges with line and column."""
    functions = program.tables.functions
    return [
        f"{functions[edge.caller].name} {edge.position.line}:{edge.position.column} {edge.how}"
        for edge in edges
    ]


def test_callers_are_found_by_name_and_resolved_by_type() -> None:
    program = load("""
pub struct A; pub struct B;
impl A { pub fn go(&self) {} }
impl B { pub fn go(&self) {} }
pub fn one(a: &A) { a.go() }
pub fn two(b: &B) { b.go() }
""")
    assert who(program, program.callers(id_of(program, "app::A::go"))) == ["one 5:23 exact"]


def test_a_renamed_import_leads_to_the_function() -> None:
    program = load("""
pub mod inner { pub fn go() {} }
use inner::go as run;
pub fn caller() { run() }
""")
    assert who(program, program.callers(id_of(program, "app::inner::go"))) == ["caller 4:19 exact"]


def test_an_associated_function_is_found_through_self_and_an_alias() -> None:
    calls = "\n".join(f"pub fn other{number}() {{ Other::new(); }}" for number in range(8))
    program = load(f"""
pub struct Own; pub struct Other;
type Short = Own;
impl Own {{ pub fn new() -> Own {{ Own }} pub fn again() -> Own {{ Self::new() }} }}
impl Other {{ pub fn new() -> Other {{ Other }} }}
pub fn short() {{ Short::new(); }}
{calls}
""")
    callers = program.callers(id_of(program, "app::Own::new"))
    assert [one.split()[0] for one in who(program, callers)] == ["again", "short"]


def test_a_private_function_is_looked_for_in_its_module_only() -> None:
    program = Program(
        link_files(
            {
                "src/lib.rs": "mod a { fn go() {} pub fn own() { go() } } mod b { fn go() {} pub fn own() { go() } }",
            }
        )
    )
    go = id_of(program, "app::a::go")
    assert [program.tables.functions[one].path for one in program.candidates(go)] == ["app::a::own"]


def test_a_trait_call_leads_to_all_impls() -> None:
    program = load("""
pub trait Run { fn run(&self) {} }
pub struct A; pub struct B;
impl Run for A { fn run(&self) {} }
impl Run for B { fn run(&self) {} }
pub fn all(r: &dyn Run) { r.run() }
""")
    (edge,) = program.callers(id_of(program, "app::A::run"))
    assert (edge.how, edge.declared and edge.declared.path) == ("trait", "app::Run::run")
    (trait,) = program.tables.traits
    assert len(program.impls_of(trait.id, "run")) == 2


def test_a_call_in_a_macros_body_says_so() -> None:
    program = load("""
macro_rules! call { ($e:expr) => { hidden($e) } }
macro_rules! pass { ($e:expr) => { $e } }
fn hidden(_: u32) {}
fn shown() -> u32 { 1 }
pub fn f() { call!(shown()); pass!(shown()); }
""")
    hidden = program.callers(id_of(program, "app::hidden"))
    shown = program.callers(id_of(program, "app::shown"))
    assert [(edge.how, edge.via) for edge in hidden] == [("macro", ())]
    assert [(edge.how, edge.position.line) for edge in shown] == [("exact", 6), ("exact", 6)]


def test_a_place_in_an_expansion_is_where_the_token_was_written() -> None:
    program = load("""
macro_rules! call { ($e:expr) => { hidden($e) } }
fn hidden(_: u32) {}
pub fn f() { call!(1) }
""")
    f = id_of(program, "app::f")
    (edge,) = program.edges(f)
    assert edge.position == Position("src/lib.rs", 2, 36)
    assert program.call_place(program.judge(f), edge.row) == Position("src/lib.rs", 4, 14)


def test_a_drop_impl_is_an_edge_at_the_end_of_the_scope() -> None:
    program = load("""
pub struct Tidy;
impl Drop for Tidy { fn drop(&mut self) {} }
pub fn f() { let tidy = Tidy; }
""")
    (edge,) = program.drop_edges(id_of(program, "app::f"))
    assert (edge.kind, edge.target.path) == ("drop", "app::Tidy::drop")


def test_components_come_callees_first() -> None:
    program = load("")
    found = program.scc([1, 2, 3, 4], {1: [2], 2: [3], 3: [2, 4]})
    assert found == ((4,), (2, 3), (1,))


ROADS = """
pub fn target() {}
fn a() { target() }
fn b() { target(); a() }
fn main_like() { a(); b(); b() }
pub fn around() { around(); main_like() }
"""


def test_roads_are_told_shortest_first() -> None:
    program = load(ROADS)
    a = id_of(program, "app::a")
    cone = cone_of(program, [a])
    names = [[program.tables.functions[edge.caller].name for edge in road] for road in cone.shortest(a, 10)]
    assert names == [
        ["around", "main_like"],
        ["around", "main_like", "b"],
        ["around", "main_like", "b"],
    ]


def test_roads_are_counted_and_a_cycle_counts_once() -> None:
    program = load(ROADS)
    cone = cone_of(program, [id_of(program, "app::target")])
    assert cone.count(id_of(program, "app::target")) == 3 + 2
    assert cone.entry_points(id_of(program, "app::target")) == (id_of(program, "app::around"),)


def test_many_roads_are_more_than_the_bound() -> None:
    steps = "".join(f"fn f{number}() {{ f{number + 1}(); f{number + 1}() }}\n" for number in range(40))
    program = load(f"{steps} fn f40() {{}}")
    last = id_of(program, "app::f40")
    cone = cone_of(program, [last])
    assert cone.count(last) == MOST_COUNTED + 1
    assert [len(road) for road in cone.shortest(last, 2)] == [40, 40]


def test_roads_from_tests_are_left_out() -> None:
    program = load("""
pub fn target() {}
pub fn caller() { target() }
#[cfg(test)] mod tests { #[test] fn tested() { super::target() } }
""")
    target = id_of(program, "app::target")
    assert len(cone_of(program, [target]).into[target]) == 1
    assert len(cone_of(program, [target], tests=True).into[target]) == 2


def test_why_a_road_begins() -> None:
    program = Program(
        link_files(
            {
                "src/main.rs": """
struct S;
trait Own { fn own(&self) {} }
impl Own for S {}
impl Iterator for S { type Item = u32; fn next(&mut self) -> Option<u32> { None } }
extern "C" fn outside() {}
fn handed() {}
fn run_here() {}
fn nobody() { let f = handed; keep(f); Some(1).map(|_| run_here()); }
fn keep(_: fn()) {}
fn main() { keep(handed) }
#[cfg(test)] mod tests { #[test] fn tested() {} }
"""
            }
        )
    )
    kinds = {
        one.name: program.root_kind(one.id)
        for one in program.tables.functions
        if one.has_body and one.name != "keep"
    }
    assert kinds == {
        "own": "workspace-trait",
        "next": "foreign-trait",
        "outside": "extern",
        "handed": "value",
        "run_here": None,
        "nobody": "uncalled",
        "main": "main",
        "tested": "test",
    }


def test_call_lines_are_the_same_for_any_number_of_processes() -> None:
    text = "".join(f"fn f{number}() {{ f{(number * 7) % 900}(); }}\n" for number in range(900))
    alone, together = call_lines(load(text)), call_lines(load(text), jobs=2)
    assert alone == together
    assert len(alone) == 900


def test_a_call_line_names_caller_site_and_callee() -> None:
    (line,) = call_lines(load("fn a() { b() }\nfn b() {}\n"))
    assert (line.caller.file, line.caller.line, line.caller.name) == ("src/lib.rs", 1, "a")
    assert (line.site.file, line.site.line, line.site.column) == ("src/lib.rs", 1, 10)
    assert (line.callee.file, line.callee.line, line.callee.name) == ("src/lib.rs", 2, "b")
    assert (line.how, line.via, line.kind) == ("exact", (), "path")


def test_calls_of_functions_from_outside_are_told_when_asked_for() -> None:
    program = load("fn a() { std::process::exit(1) }")
    assert call_lines(program) == []
    (line,) = call_lines(program, foreign=True)
    assert (line.callee.file, line.callee.path) == (None, "std::process::exit")


def test_drop_impls_are_told_when_asked_for() -> None:
    text = "struct Tidy; impl Drop for Tidy { fn drop(&mut self) {} } fn f() { let tidy = Tidy; }"
    assert call_lines(load(text)) == []
    assert [line.kind for line in call_lines(load(text), drops=True)] == ["drop"]


def test_a_name_that_is_a_word_of_the_language_is_printed_as_it_is_written() -> None:
    (line,) = call_lines(load("fn r#dyn() {} fn f() { r#dyn() }"))
    assert (line.callee.name, line.callee.path) == ("r#dyn", "app::dyn")


def test_of_a_file_that_is_a_module_twice_the_calls_of_the_compiled_one_are_told() -> None:
    manifest = '[package]\nname = "app"\nedition = "2021"\n[features]\nunstable = []\n'
    twice = """
#[cfg(not(feature = "unstable"))] mod part;
#[cfg(feature = "unstable")] pub mod part;
"""
    files = {
        "Cargo.toml": manifest,
        "src/lib.rs": twice,
        "src/part.rs": "use super::part::two as other; pub fn one() { other() } pub fn two() {}",
    }
    lines = call_lines(Program(link_files(files)))
    assert [(line.caller.name, line.callee.name, line.how) for line in lines] == [("one", "two", "exact")]


def test_an_initialiser_calls_what_its_closure_calls() -> None:
    program = load("""
use std::sync::LazyLock;
fn open() -> u32 { 1 }
pub static POOL: LazyLock<u32> = LazyLock::new(|| open());
const PLAIN: u32 = 3;
""")
    (edge,) = program.callers(id_of(program, "app::open"))
    caller = program.tables.functions[edge.caller]
    assert (caller.path, edge.position) == ("app::POOL::{init}", Position("src/lib.rs", 4, 51))
    assert program.root_kind(caller.id) == "uncalled"
    assert [one.name for one in program.tables.functions[-program.tables.initialisers :]] == ["POOL"]


def test_what_the_initialiser_of_an_inner_static_calls_is_called_by_the_function_around() -> None:
    inner = load("fn new() -> u32 { 1 }\nfn f() { static N: u32 = new(); }\nstatic M: u32 = 2;")
    assert [line.caller.name for line in call_lines(inner)] == ["f"]
    outer = load("const fn new() -> u32 { 1 }\nfn f() {}\nstatic N: u32 = new();")
    assert [line.caller.name for line in call_lines(outer)] == ["N"]


@pytest.mark.parametrize("few", [0, 64])
@pytest.mark.parametrize("seed", range(30))
def test_components_come_callees_first_whatever_leads_into_cycles(
    seed: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_module, "FEW_IN_CYCLES", few)
    chosen = random.Random(seed)
    size = chosen.randrange(1, 14)
    calls = {one: [chosen.randrange(size) for _ in range(chosen.randrange(3))] for one in range(size)}
    found = Program(link_text("")).scc(range(size), calls)
    assert sorted(one for component in found for one in component) == list(range(size))
    place = {one: at for at, component in enumerate(found) for one in component}
    assert all(place[callee] <= place[caller] for caller, callees in calls.items() for callee in callees)
    reached = {one: {one} for one in range(size)}
    for _ in range(size):
        for caller, callees in calls.items():
            reached[caller].update(*(reached[callee] for callee in callees))
    for one in range(size):
        for other in range(size):
            assert (place[one] == place[other]) == (other in reached[one] and one in reached[other])
