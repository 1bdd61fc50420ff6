"""Which calls of a function the text of a body tells whole; judging the body tells the same."""

from __future__ import annotations

import pytest

from inroads.program import Program
from inroads.resolve.modules import link
from inroads.rust.extract import extract_encoded
from inroads.store import decode_facts
from inroads.work import DONE
from inroads.workspace import MemoryTree, discover
from test_same_report import files

DECLARED = """
mod store {
    pub fn run() {}
    pub fn other() {}
    pub struct Store;
    impl Store {
        pub fn new() -> Store { Store }
        pub fn go(&self) {}
    }
    pub enum Sort { First, build }
    impl Sort { pub fn make() -> Sort { Sort::First } }
    pub struct Box2<T>(T);
    impl Box2<u8> { pub fn open() {} }
    impl Box2<u16> { pub fn open() {} }
    pub trait Job { fn start(); }
    impl Job for Store { fn start() {} }
}
mod other { pub fn run() {} }
use store::{run, run as begin, Box2, Job, Sort, Store, Store as Shop};
type Depot = Store;
fn apply<T>(x: T) -> T { x }
macro_rules! hidden { ($e:expr) => { $e; run() } }
"""


def program(text: str) -> Program:
    """The text as a crate whose bodies wait as text where they can, as they do in a run."""
    whole = (DECLARED + text).encode()
    tree = MemoryTree({"src/lib.rs": whole})
    return Program(link(discover(tree), {"src/lib.rs": decode_facts(extract_encoded(whole))}))


def told(caller: str, callee: str = "run") -> tuple[int | None, int]:
    """How many calls of a function the text of a caller tells, None for nothing; how many there are."""
    linked = program(caller)
    functions = {one.path.partition("::")[2]: one.id for one in linked.tables.functions}
    found, wanted = functions["caller"], functions[f"store::{callee}"]
    plain = linked.direct.calls(found, wanted)
    edges = {edge.position for edge in linked.edges(found) if edge.target.function == wanted}
    if plain is not None:
        source = linked.tables.functions[found].source
        assert {linked.tables.position(source, at) for at in plain} == edges
    return None if plain is None else len(plain), len(edges)


@pytest.mark.parametrize(
    ("body", "callee", "number"),
    [
        ("run();", "run", 1),
        ("store::run(); crate :: store\n::run (); self::store::run();", "run", 3),
        ("begin(); apply(run()); if true { run() }", "run", 3),
        ("let all = [run(), run()]; for one in 0..run() {}", "run", 3),
        ("let later = || run(); async { run() };", "run", 2),
        ('"run()"; // run()\n r"run()"; b"run()"; \'"\'; run();', "run", 1),
        ("other::run();", "run", 0),
        ("x.run(); x.run;", "run", 0),
        ("use other::run; run();", "run", 0),
        ("use crate::store; run(); store::run(); other::run();", "run", 2),
        ("#[cfg(test)] run(); #[allow(x)] run();", "run", 2),
        ("Store::new(); Shop::new(); store::Store::new();", "Store::new", 3),
        ("Sort::make();", "Sort::make", 1),
    ],
)
def test_plain_calls_are_told_with_their_places(body: str, callee: str, number: int) -> None:
    assert told(f"fn caller() {{ {body} }}", callee) == (number, number)


def test_self_is_the_type_of_the_impl() -> None:
    linked = program("impl store::Store { fn caller() { Self::new(); } }")
    ids = {one.name: one.id for one in linked.tables.functions}
    assert len(linked.direct.calls(ids["caller"], ids["new"]) or ()) == 1
    assert [edge.caller for edge in linked.callers(ids["new"])] == [ids["caller"]]


@pytest.mark.parametrize(
    ("caller", "callee"),
    [
        # Something else may be meant.
        ("fn caller(run: fn()) { run(); }", "run"),
        ("fn caller() { let run = apply(run); run(); }", "run"),
        ("fn caller() { let run: fn() = other::run; run(); }", "run"),
        ("fn caller() { apply(|run: fn()| run()); }", "run"),
        ("fn caller() { fn run() {} run(); }", "run"),
        ("fn caller<Store: Job>() { Store::new(); }", "Store::new"),
        ("fn caller() { Depot::new(); }", "Store::new"),
        ("fn caller() { Box2::<u8>::open(); }", "Box2::open"),
        ("fn caller() { <Store>::new(); }", "Store::new"),
        # It is handed on, or types tell who is called.
        ("fn caller() { apply(run); }", "run"),
        ("fn caller() { Some(1).map(Store::new); }", "Store::new"),
        ("fn caller() { Store::start(); }", "Store::start"),
        ("fn caller() { Store.go(); }", "Store::go"),
        # Not all that stands there is read as it stands.
        ("fn caller() { hidden!(1); }", "run"),
        ('fn caller() { println!("{}", apply(run())); }', "run"),
        ("fn caller() { stringify!(run()); }", "run"),
        ("fn caller() { [0; run()]; }", "run"),
        ("fn caller() { run::<>(); }", "run"),
        ("fn caller() { crate::run(); ::other::run(); }", "run"),
        ("fn caller() { r#run(); }", "run"),
        ("fn caller() { /* run() */ }", "run"),
        ("fn caller() { { use other::run; run(); } }", "run"),
    ],
)
def test_what_is_not_plain_is_left_to_judging(caller: str, callee: str) -> None:
    assert told(caller, callee)[0] is None


def test_ways_are_those_of_judged_callers() -> None:
    tree = MemoryTree(files())
    facts = {
        path: decode_facts(extract_encoded(tree.read(path))) for path in tree.list() if path.endswith(".rs")
    }
    tables = link(discover(tree), facts)
    judged, plain = Program(tables), Program(tables)
    for one in tables.functions:
        expected = {
            (edge.caller, edge.position, edge.target, edge.how, edge.kind) for edge in judged.callers(one.id)
        }
        found = {(way.caller, way.position, way.target, way.how, way.kind) for way in plain.ways(one.id)}
        assert found == expected, one.path
    assert plain.root_kind(0) == judged.root_kind(0)


def test_a_caller_by_path_need_not_be_judged() -> None:
    linked = program("fn caller() { run(); }")
    wanted = next(one.id for one in linked.tables.functions if one.path.endswith("store::run"))
    before = DONE.get("functions judged", 0)
    assert len(linked.ways(wanted)) == 1
    assert DONE.get("functions judged", 0) == before
    assert len(linked.callers(wanted)) == 1
    assert DONE["functions judged"] == before + 1
