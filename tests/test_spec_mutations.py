"""Taken without its needs, each specification of order rules fires where it was quiet; what does not is told why."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from inroads.analyses.order import OrderRule
from inroads.mutate import need_names, without_calls
from inroads.testkit import Example, examples, run_example

SPEC = Path(__file__).parent / "spec"
EXAMPLES = [
    example
    for name in ("order.md", "order-pairs.md", "order-shapes.md")
    for example in examples((SPEC / name).read_text(encoding="utf-8"), name)
]
NO_NEED = "it is quiet, or fires, with no call of a need in it"
MARKED = "the one line that can fire is marked already"
QUIET = {
    "Collections, 2": MARKED,
    "Lifting, 2": MARKED,
    "Lifting, 4": MARKED,
    "Evidence, 6": MARKED,
    "Calls known by name only": MARKED,
    "Undone in a Drop impl, 2": MARKED,
    "A flag that is built set": MARKED,
    "Function pointers": "a function that is named is not called there, so the need stays",
    "Lifting, 7": NO_NEED,
    "Event patterns, 7": NO_NEED,
    "Names and arguments in patterns, 2": NO_NEED,
    "Names and arguments in patterns, 4": NO_NEED,
    "Tolerated": NO_NEED,
    "Tolerated, 2": NO_NEED,
    "Roots and roads, 2": NO_NEED,
    "The standard library, 3": NO_NEED,
    "Roots that are given": NO_NEED,
    "Writes and flags": NO_NEED,
    "A function that is given by its name, 2": NO_NEED,
    "A function that is given by its name, 4": NO_NEED,
    "A function that is given by its name, 5": NO_NEED,
}
"""The examples in which nothing new fires without needs, and why that is right."""


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.name for example in EXAMPLES])
def test_without_needs_more_lines_fire(example: Example) -> None:
    names = {name for rule in example.pack.rules if isinstance(rule, OrderRule) for name in need_names(rule)}
    changed = [(path, *without_calls(text.encode(), names)) for path, text in example.files]
    removed = sum(len(lines) for _, _, lines in changed)
    assert (removed == 0) == (QUIET.get(example.name) == NO_NEED)
    if removed:
        files = tuple((path, text.decode()) for path, text, _ in changed)
        fires = bool(run_example(replace(example, files=files)).noisy)
        assert fires == (example.name not in QUIET)
