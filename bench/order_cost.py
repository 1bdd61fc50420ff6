"""
What order rules cost: CPU seconds by number of functions and of rules.

    python bench/order_cost.py [--functions 5000 10000 20000] [--rules 10 50] [--shape lattice ...]

Each shape is a workspace that is made here. In `lattice`, `chain` and `knot`
every function stands on a road from the root to all targets, and in `deep` on
the way to all needs, so the cone of every rule is all functions: the worst
that can be. In `ordinary` each rule speaks of
a type of its own, whose methods a few functions use. Nothing is read from a
cache; the time of reading, linking and judging is shown beside, since it is
the same for one rule and for fifty.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterable, Iterator

from inroads.analyses.base import Context
from inroads.analyses.order import OrderRule
from inroads.analyses.order.check import check
from inroads.check import load
from inroads.facts import Finding
from inroads.program import Program
from inroads.rulebook import read_pack
from inroads.settings import load_toml
from inroads.workspace import MemoryTree

WIDTH = 100
"""Functions in a layer of the lattice."""


def lattice(functions: int, rules: int) -> Iterator[str]:
    """Layers of functions; each calls two of the next layer, the last ones one that calls all targets."""
    yield from _events(rules)
    yield from _layers(functions, "sink(id, go)")
    yield from _ends(rules)


def knot(functions: int, rules: int) -> Iterator[str]:
    """The lattice with its ends tied: the last layer calls the first, so that all is one cycle."""
    yield from _events(rules)
    yield from _layers(functions, "if id > 7 { all(id, go); } sink(id, go)")
    yield from _ends(rules)


def deep(functions: int, rules: int) -> Iterator[str]:
    """The need at the bottom of the lattice and the target after its top: what is ensured must be lifted."""
    yield from _events(rules)
    yield from _layers(functions, "sink(id, go)")
    yield "fn sink(id: u32, go: bool) {"
    yield "    if go { note(id); }"
    yield from (f"    n{rule}(id);" for rule in range(rules))
    yield "}"
    yield "pub fn right(id: u32) {"
    yield "    f0_0(id, true);"
    yield from (f"    t{rule}(id);" for rule in range(rules))
    yield "}"


def _ends(rules: int) -> Iterator[str]:
    """What calls all targets, what calls the whole first layer, and the roots above that."""
    yield "fn sink(id: u32, go: bool) {"
    yield "    if go { note(id); }"
    yield from (f"    t{rule}(id);" for rule in range(rules))
    yield "}"
    yield "fn all(id: u32, go: bool) {"
    yield from (f"    f0_{place}(id, go);" for place in range(WIDTH))
    yield "}"
    yield from _roots(rules, "all(id, true)")


def _layers(functions: int, last: str) -> Iterator[str]:
    layers = max(1, functions // WIDTH)
    for layer in range(layers):
        for place in range(WIDTH):
            yield f"fn f{layer}_{place}(id: u32, go: bool) {{"
            yield "    if go { note(id); }"
            if layer + 1 < layers:
                yield f"    f{layer + 1}_{place}(id, go);"
                yield f"    f{layer + 1}_{(place * 7 + layer) % WIDTH}(id, !go);"
            else:
                yield f"    {last};"
            yield "}"


def chain(functions: int, rules: int) -> Iterator[str]:
    """Functions that each call the next one, so deep that anything quadratic in the depth shows."""
    yield from _events(rules)
    for number in range(functions):
        yield f"fn f{number}(id: u32) {{"
        if number + 1 < functions:
            yield f"    f{number + 1}(id);"
        else:
            yield from (f"    t{rule}(id);" for rule in range(rules))
        yield "}"
    yield from _roots(rules, "f0(id)")


def ordinary(functions: int, rules: int) -> Iterator[str]:
    """A type for each rule, functions that use it rightly, and one that does not; the others do other things."""
    yield "fn note(id: u32) { let _ = id; }"
    for rule in range(rules):
        yield f"pub struct S{rule} {{ open: bool }}"
        yield f"impl S{rule} {{ pub fn n{rule}(&self, id: u32) {{ let _ = id; }}"
        yield f"    pub fn t{rule}(&self, id: u32) {{ let _ = id; }} }}"
        yield f"pub fn wrong{rule}(s: &S{rule}, id: u32) {{ note(id); s.t{rule}(id); }}"
    for number in range(functions):
        rule = number % rules
        yield f"pub fn f{number}(s: &S{rule}, id: u32) {{"
        if number % 20 == 0:
            yield f"    s.n{rule}(id); if id > 3 {{ note(id); }} s.t{rule}(id);"
        elif number > 7:
            yield f"    note(id); f{number - 7}_{rule}(s, id);"
            yield "}"
            yield f"fn f{number - 7}_{rule}(s: &S{rule}, id: u32) {{ if s.open {{ note(id); }}"
        yield "}"


def _events(rules: int) -> Iterator[str]:
    yield "fn note(id: u32) { let _ = id; }"
    for rule in range(rules):
        yield f"fn t{rule}(id: u32) {{ let _ = id; }}"
        yield f"fn n{rule}(id: u32) {{ let _ = id; }}"


def _roots(rules: int, call: str) -> Iterator[str]:
    """One root that has done all that is needed, and one that has done nothing."""
    yield "pub fn right(id: u32) {"
    yield from (f"    n{rule}(id);" for rule in range(rules))
    yield f"    {call};"
    yield "}"
    yield f"pub fn wrong(id: u32) {{ note(id); {call}; }}"


SHAPES: dict[str, Callable[[int, int], Iterator[str]]] = {
    "lattice": lattice,
    "knot": knot,
    "deep": deep,
    "chain": chain,
    "ordinary": ordinary,
}


def made_rules(shape: str, rules: int) -> tuple[OrderRule, ...]:
    """The rules of a shape."""
    text = ['pack = "cost"']
    for rule in range(rules):
        owner = f"S{rule}::" if shape == "ordinary" else ""
        text += [
            f'[[rule]]\nid = "r{rule}"\nkind = "order"\ntitle = "t"\nwhy = "w"\nlevel = "warn"',
            f'target = ["{owner}t{rule}(id: $id)"]\nneeds = ["{owner}n{rule}(id: $id)"]',
        ]
    pack = read_pack(load_toml("\n".join(text), "cost.toml"), "cost.toml", tests="optional")
    return tuple(rule for rule in pack.rules if isinstance(rule, OrderRule))


def made_program(shape: str, functions: int, rules: int) -> Program:
    """The linked program of a shape."""
    text = "\n".join(SHAPES[shape](functions, rules))
    manifest = '[package]\nname = "cost"\nversion = "0.1.0"\nedition = "2021"\n'
    return load(MemoryTree({"Cargo.toml": manifest.encode(), "src/lib.rs": text.encode()})).program


def findings(program: Program, rules: Iterable[OrderRule]) -> list[Finding]:
    """What the rules find."""
    return [one for rule in rules for one in check(rule, program, Context()) if isinstance(one, Finding)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--functions", type=int, nargs="+", default=[5_000, 10_000, 20_000])
    parser.add_argument("--rules", type=int, nargs="+", default=[10, 50])
    parser.add_argument("--shape", nargs="+", default=list(SHAPES), choices=list(SHAPES))
    given = parser.parse_args()
    gc.disable()
    print("shape     functions  rules  load + judge   rules' own   a function and rule")
    for shape in given.shape:
        for functions in given.functions:
            for rules in given.rules:
                began = time.process_time()
                program = made_program(shape, functions, rules)
                for record in program.tables.functions:
                    if record.has_body:
                        program.edges(record.id)
                        program.graph(record.id)
                judged = time.process_time()
                found = findings(program, made_rules(shape, rules))
                ended = time.process_time()
                each = (ended - judged) / functions / rules * 1e6
                print(
                    f"{shape:9} {functions:9,} {rules:6} {judged - began:11.1f} s {ended - judged:10.1f} s"
                    f" {each:16.1f} us   {len(found)} findings",
                    flush=True,
                )


if __name__ == "__main__":
    main()
