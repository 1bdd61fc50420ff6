"""Whether a body may call a function, by how its name is written there."""

from __future__ import annotations

import pytest

from inroads.program import Program
from inroads.resolve.modules import link
from inroads.rust.extract import extract_encoded
from inroads.store import decode_facts
from inroads.work import DONE
from inroads.workspace import MemoryTree, discover

DECLARED = """
mod store {
    pub fn run() {}
    pub struct Store { pub run: u8 }
    impl Store {
        pub fn run(&self) {}
        pub fn new() -> Store { Store { run: 0 } }
    }
    pub struct Cache;
    impl Cache { pub fn new() -> Cache { Cache } }
    pub trait Job { fn go(&self); type Out; }
    impl Job for Store { fn go(&self) {} type Out = Store; }
    pub trait Maker { type Made; }
    impl Maker for Cache { type Made = Store; }
}
use store::{run as begin, Cache, Job, Maker, Store, Store as Shop};
type Depot = Store;
macro_rules! hidden { ($e:expr) => { $e.run() } }
"""


def program(text: str) -> Program:
    """The text as a crate whose bodies wait as text where they can, as they do in a run."""
    whole = (DECLARED + text).encode()
    tree = MemoryTree({"src/lib.rs": whole})
    return Program(link(discover(tree), {"src/lib.rs": decode_facts(extract_encoded(whole))}))


def may_call(body: str, callee: str, given: str = "store: &Store") -> bool:
    """Whether a function with that body may call another, by its path."""
    linked = program(f"fn caller({given}) {{ {body} }}")
    functions = {one.path.partition("::")[2]: one.id for one in linked.tables.functions}
    return linked.may_call(functions["caller"], functions[f"store::{callee}"])


@pytest.mark.parametrize(
    ("callee", "body"),
    [
        ("run", "store::run();"),
        ("run", "begin();"),
        ("run", "run ();"),
        ("run", "for one in 0..run() {}"),
        ("run", "let all = Table { run: run };"),
        ("run", "let all = (run, 1);"),
        ("run", "r#run();"),
        ("Store::run", "store.run();"),
        ("Store::run", "store\n    .run  ();"),
        ("Store::run", "store.run::<u8>();"),
        ("Store::run", "Store::run(store);"),
        ("Store::run", "Shop::run(store);"),
        ("Store::run", "all.map(Depot::run);"),
        ("Store::run", "<Store>::run(store);"),
        ("Store::run", "hidden!(store);"),
        ("Store::new", "Store::new();"),
        ("Store::new", "store::Store :: new();"),
        ("Store::new", "<Cache as Maker>::Made::new();"),
        ("Store::new", "T::Given::new();"),
        ("Store::go", "store.go();"),
        ("Store::go", "Job::go(store);"),
        ("Store::go", "T::go(store);"),
        # What is hard to read may be anything.
        ("run", '/* no " end */ store.run();'),
    ],
)
def test_what_may_be_a_call_is_one(callee: str, body: str) -> None:
    assert may_call(body, callee)


@pytest.mark.parametrize(
    ("callee", "body"),
    [
        ("run", "store.run();"),
        ("run", "let one = store.run;"),
        ("run", "Store { run: 1 };"),
        ("run", "// A run begins.\n store.go();"),
        ("run", 'log("run()");'),
        ("Store::run", "run();"),
        ("Store::run", "store::run();"),
        ("Store::run", "let run = store.run + 1;"),
        ("Store::run", "// store.run()\n run();"),
        ("Store::run", "Cache::run(store);"),
        ("Store::new", "Cache::new();"),
        ("Store::new", "Vec::new();"),
        ("Store::new", "std::vec::Vec::new();"),
        ("Store::new", "store.new();"),
        ("Store::go", "let go = 1;"),
    ],
)
def test_what_is_plainly_something_else_is_no_call(callee: str, body: str) -> None:
    assert not may_call(body, callee)


def test_self_is_the_type_of_the_impl() -> None:
    linked = program(
        "impl Store { fn mine() -> Store { Self::new() } } impl Cache { fn other() -> Cache { Self::new() } }"
    )
    functions = {one.path.rpartition("::")[2]: one.id for one in linked.tables.functions}
    new = next(one.id for one in linked.tables.functions if one.path.endswith("Store::new"))
    assert linked.may_call(functions["mine"], new)
    assert not linked.may_call(functions["other"], new)


def test_a_body_that_only_bears_the_name_is_not_judged_for_the_callers() -> None:
    bearing = "".join(f"fn bears{number}(store: &Store) -> u8 {{ store.run }}\n" for number in range(20))
    linked = program(f"{bearing} fn calls() {{ begin() }}")
    run = next(one.id for one in linked.tables.functions if one.path.endswith("store::run"))
    before = DONE.get("functions judged", 0)
    callers = [linked.tables.functions[edge.caller].name for edge in linked.callers(run)]
    assert callers == ["calls"]
    assert DONE["functions judged"] - before == 1
    # That they do not call it was found out from them, and from `Store::new`, which sets the field.
    _, reads = linked.recorder.apart(lambda: linked.callers(run))
    assert len(reads.bodies) == 22


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("store.run()", True),
        ("store.run::<u8>()", True),
        ("all.map(run)", True),
        ("run { one: 1 }", True),
        ("store.run", False),
        ("Table { run: 1 }", False),
        ("// run()\n store.go()", False),
    ],
)
def test_a_name_may_be_that_of_something_used(body: str, expected: bool) -> None:
    linked = program(f"fn caller(store: &Store) {{ {body} }}")
    caller = next(one.id for one in linked.tables.functions if one.name == "caller")
    assert linked.reaching.spelled.may_use(caller, "run") is expected
