"""Functions are solved callees first, and cycles to a fixpoint."""

from __future__ import annotations

from inroads.summary import closure, components, is_cyclic, solve_component

CALLS: dict[str, tuple[str, ...]] = {
    "main": ("run", "stop"),
    "run": ("step", "log"),
    "step": ("run", "leaf"),
    "stop": ("log",),
    "log": (),
    "leaf": (),
}


def order(*starts: str) -> list[tuple[str, ...]]:
    return list(components(starts, CALLS.__getitem__, lambda _: False))


def test_callees_come_before_callers() -> None:
    places = {name: index for index, group in enumerate(order("main")) for name in group}
    assert places["log"] < places["run"] < places["main"]
    assert places["leaf"] < places["step"]


def test_a_cycle_is_one_component() -> None:
    assert ("run", "step") in [tuple(sorted(group)) for group in order("main")]


def test_what_is_done_is_not_looked_into() -> None:
    found = list(components(["main"], CALLS.__getitem__, lambda name: name == "run"))
    assert [name for group in found for name in group] == ["log", "stop", "main"]


def test_a_deep_chain_needs_no_recursion() -> None:
    depth = 20_000
    groups = list(components([0], lambda name: (name + 1,) if name < depth else (), lambda _: False))
    assert groups[0] == (depth,)


def test_a_cycle_is_computed_until_nothing_changes() -> None:
    known: dict[str, frozenset[str]] = {}

    def compute(name: str) -> frozenset[str]:
        return frozenset({name}).union(*(known.get(callee, frozenset()) for callee in CALLS[name]))

    solve_component(("run", "step"), known, frozenset(), compute, CALLS.__getitem__, cyclic=True)
    assert known["run"] == known["step"] == {"run", "step"}


def test_a_function_that_calls_itself_is_cyclic() -> None:
    assert is_cyclic(("a",), {"a": ("a",)})
    assert not is_cyclic(("a",), {"a": ("b",)})


def test_the_closure_tells_from_where_each_was_reached() -> None:
    assert closure(["stop"], CALLS.__getitem__) == {"stop": None, "log": "stop"}
