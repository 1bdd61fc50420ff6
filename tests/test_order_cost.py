"""Order rules cost what the cone and the rules call for: counted work, not seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, TypeAlias

import pytest

from inroads.analyses.base import Context
from inroads.analyses.order import OrderRule
from inroads.analyses.order.check import check
from inroads.analyses.order.shared import shared_of
from inroads.analyses.order.walk import MOST_STATES
from inroads.check import load
from inroads.facts import Finding
from inroads.program import Program
from inroads.rulebook import read_pack
from inroads.workspace import MemoryTree

WIDTH = 10
TraceFunction: TypeAlias = Callable[[FrameType, str, Any], Any]


def lattice(layers: int, rules: int, last: str) -> Iterator[str]:
    """Layers of functions, each of which calls two of the next one; the last ones do `last`."""
    yield "fn note(id: u32) { let _ = id; }"
    for rule in range(rules):
        yield f"fn t{rule}(id: u32) {{ let _ = id; }} fn n{rule}(id: u32) {{ let _ = id; }}"
    for layer in range(layers):
        for place in range(WIDTH):
            yield f"fn f{layer}_{place}(id: u32, go: bool) {{ if go {{ note(id); }}"
            if layer + 1 < layers:
                yield f"f{layer + 1}_{place}(id, go); f{layer + 1}_{(place * 3 + 1) % WIDTH}(id, !go); }}"
            else:
                yield f"{last} }}"
    targets = " ".join(f"t{rule}(id);" for rule in range(rules))
    yield f"fn sink(id: u32, go: bool) {{ if go {{ note(id); }} {targets} }}"
    calls = " ".join(f"f0_{place}(id, go);" for place in range(WIDTH))
    yield f"fn all(id: u32, go: bool) {{ {calls} }}"
    yield f"pub fn right(id: u32) {{ {' '.join(f'n{rule}(id);' for rule in range(rules))} all(id, true); }}"
    yield "pub fn wrong(id: u32) { note(id); all(id, true); }"


def found_by(program: Program, rules: int, needs: tuple[str, ...] = ()) -> list[Finding]:
    """What rules that speak of `t0` and `n0`, `t1` and `n1`, ... find."""
    tables = [
        {
            "id": f"r{rule}",
            "kind": "order",
            "title": "t",
            "why": "w",
            "target": [f"t{rule}(id: $id)"],
            "needs": [*needs] or [f"n{rule}(id: $id)"],
        }
        for rule in range(rules)
    ]
    pack = read_pack({"pack": "cost", "rule": tables}, "cost.toml", tests="optional")
    own = (rule for rule in pack.rules if isinstance(rule, OrderRule))
    found = (one for rule in own for one in check(rule, program, Context()))
    return [one for one in found if isinstance(one, Finding)]


def runs(layers: int, rules: int, last: str = "sink(id, go);") -> int:
    """How often a function is solved for the rules, which all find the same."""
    files = {"Cargo.toml": b'[package]\nname = "cost"\nversion = "0.1.0"\nedition = "2021"\n'}
    files["src/lib.rs"] = "\n".join(lattice(layers, rules, last)).encode()
    program = load(MemoryTree(files)).program
    findings = found_by(program, rules)
    assert len(findings) == rules
    assert {len(one.roads[0].steps) for one in findings} == {layers + 4}
    return shared_of(program).runs


TIED = "if id > 7 { all(id, go); } sink(id, go);"


@pytest.mark.parametrize("last", ["sink(id, go);", TIED])
def test_a_rule_more_solves_no_function_of_the_cone_again(last: str) -> None:
    few, many = runs(12, 2, last), runs(12, 12, last)
    # Each rule has its own sink, and its own root.
    assert many - few <= 10 * 6


@pytest.mark.parametrize("last", ["sink(id, go);", TIED])
def test_work_grows_as_the_cone_does(last: str) -> None:
    small, large = runs(10, 2, last), runs(20, 2, last)
    assert small <= 4 * 10 * WIDTH
    assert large <= 2.2 * small


def test_functions_outside_of_the_cone_are_not_judged() -> None:
    text = "\n".join(lattice(3, 1, "sink(id, go);")) + "\n"
    text += "\n".join(f"pub fn other{number}(id: u32) {{ note(id); }}" for number in range(50))
    files = {"Cargo.toml": b'[package]\nname = "cost"\nversion = "0.1.0"\nedition = "2021"\n'}
    program = load(MemoryTree({**files, "src/lib.rs": text.encode()})).program
    found_by(program, 1)
    judged = {program.tables.functions[function].name for function in program._judged}
    assert not any(name.startswith("other") for name in judged)


def lines_for(flags: int) -> int:
    """How many lines of the order rules run for a function of so many flags, each tested twice."""
    parameters = ", ".join(f"a{number}: bool" for number in range(flags))
    tests = (f"if a{number} {{ {name}(1); }}" for name in ("n0", "t0") for number in range(flags))
    text = "fn t0(id: u32) { let _ = id; } fn n0(id: u32) { let _ = id; }\n"
    text += f"pub fn long({parameters}) {{ {' '.join(tests)} }}"
    files = {"Cargo.toml": b'[package]\nname = "cost"\nversion = "0.1.0"\nedition = "2021"\n'}
    program = load(MemoryTree({**files, "src/lib.rs": text.encode()})).program
    program.graph(program.tables.functions_named("long")[0])
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        nonlocal count
        count += event == "line"
        return note if "/analyses/order/" in frame.f_code.co_filename else None

    sys.settrace(note)
    try:
        # The eight conditions that are followed are told apart; of the others it is said that they are not.
        assert len(found_by(program, 1)) == flags - 8
    finally:
        sys.settrace(None)
    return count


def test_the_stories_of_one_long_function_share_the_search_for_ways() -> None:
    few = lines_for(40)
    # One search takes some 200 lines for each of its states; 32 findings would take it 32 times.
    assert few < 400 * MOST_STATES
    assert lines_for(80) < 3 * few


@pytest.mark.parametrize("event", ["if $id.is_some()", "noted!($id)"])
def test_rules_without_a_name_of_their_own_share_what_no_event_of_theirs_is_in(event: str) -> None:
    text = "\n".join(lattice(12, 1, "sink(id, go);"))
    text += "macro_rules! say { ($x:expr) => { note($x) }; }\npub fn never(id: Option<u32>) { say!(3); }\n"
    files = {"Cargo.toml": b'[package]\nname = "cost"\nversion = "0.1.0"\nedition = "2021"\n'}
    program = load(MemoryTree({**files, "src/lib.rs": text.encode()})).program
    counts = []
    for _ in range(3):
        before = shared_of(program).runs
        found_by(program, 1, needs=(event,))
        counts.append(shared_of(program).runs - before)
    assert 12 * WIDTH <= counts[0]
    # Only the sink, which calls the target, has an event of the rule.
    assert max(counts[1:]) <= 3


def solved_with_finders(finders: int) -> int:
    """How often functions are solved where so many hold values of one type that could be evidence."""
    text = "pub struct Held { id: u32 }\nfn t0(id: u32) { let _ = id; } fn n0(id: u32) { let _ = id; }\n"
    text += "pub fn make(id: u32) -> Held { n0(id); Held { id } }\n"
    text += "\n".join(f"pub fn use{number}(held: &Held) {{ t0(held.id); }}" for number in range(finders))
    files = {"Cargo.toml": b'[package]\nname = "cost"\nversion = "0.1.0"\nedition = "2021"\n'}
    program = load(MemoryTree({**files, "src/lib.rs": text.encode()})).program
    found = found_by(program, 1)
    assert len(found) == finders
    assert all('evidence = ["Held { id: $id, .. }"]' in one.help for one in found)
    return shared_of(program).runs


def test_an_evidence_is_tried_once_for_all_findings() -> None:
    few, many = solved_with_finders(5), solved_with_finders(40)
    assert many <= 8 * few


def test_where_a_rule_is_held_again_only_what_may_come_out_otherwise_is_solved_again() -> None:
    right = "".join(f"pub fn r{at}(id: u32) {{ n0(id); t0(id) }}\n" for at in range(8))
    files = {
        "Cargo.toml": b'[package]\nname = "cost"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": f"""
fn t0(id: u32) {{ let _ = id; }}
fn n0(id: u32) {{ let _ = id; }}
fn end() -> u32 {{ loop {{}} }}
{right}
pub fn wrong(id: u32, go: bool) {{ if go {{ end(); }} t0(id) }}
""".encode(),
    }
    program = load(MemoryTree(files)).program
    assert len(found_by(program, 1)) == 1
    # Each once; and once more the one that calls what never returns, which is looked at with more care.
    assert shared_of(program).runs <= 10
