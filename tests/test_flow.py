"""The block fixpoint and dominators on small graphs."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeAlias

from inroads.flow import common_dominator, dominators, ranks, solve

TraceFunction: TypeAlias = Callable[[FrameType, str, Any], Any]

DIAMOND = ((1, 2), (3,), (3,), ())
LOOP = ((1,), (2, 3), (1,), ())


def done(graph: tuple[tuple[int, ...], ...], adds: dict[int, str]) -> list[frozenset[str] | None]:
    """Which names every path has added before each block."""

    def step(block: int, state: frozenset[str]) -> list[tuple[int, frozenset[str]]]:
        after = state | {adds[block]} if block in adds else state
        return [(successor, after) for successor in graph[block]]

    return solve(len(graph), 0, graph, frozenset(), step, lambda _, left, right: left & right)


def test_what_one_branch_does_is_lost_at_the_join() -> None:
    assert done(DIAMOND, {1: "a"})[3] == frozenset()


def test_what_both_branches_do_holds_at_the_join() -> None:
    assert done(DIAMOND, {1: "a", 2: "a"})[3] == {"a"}


def test_a_loop_that_may_run_zero_times_establishes_nothing() -> None:
    assert done(LOOP, {2: "a"})[3] == frozenset()


def test_what_stands_before_a_loop_holds_in_it_and_after_it() -> None:
    states = done(LOOP, {0: "a", 2: "b"})
    assert states[2] == {"a"}
    assert states[3] == {"a"}


def test_a_block_that_no_path_reaches_has_no_state() -> None:
    assert done(((1,), (), (1,)), {})[2] is None


def test_ranks_put_a_block_before_its_successors_but_for_back_edges() -> None:
    rank = ranks(4, 0, DIAMOND)
    assert rank[0] < rank[1] < rank[3]
    assert rank[0] < rank[2] < rank[3]


def test_a_join_is_dominated_by_its_fork() -> None:
    assert dominators(4, 0, DIAMOND) == [None, 0, 0, 0]


def test_the_closest_common_dominator_of_two_branches_is_the_fork() -> None:
    assert common_dominator((1, 2), dominators(4, 0, DIAMOND)) == 0
    assert common_dominator((1, 3), dominators(4, 0, DIAMOND)) == 0


def test_a_chain_of_many_blocks_needs_no_recursion() -> None:
    count = 20_000
    chain = tuple((index + 1,) if index + 1 < count else () for index in range(count))
    assert done(chain, {0: "a"})[-1] == {"a"}
    assert dominators(count, 0, chain)[-1] == count - 2


def test_dominators_are_those_that_every_path_goes_through() -> None:
    pick = random.Random(7)
    for count in range(1, 40):
        graph = tuple(
            tuple(sorted({pick.randrange(count) for _ in range(pick.randrange(4))})) for _ in range(count)
        )
        assert dominators(count, 0, graph) == by_removal(graph)


def by_removal(graph: tuple[tuple[int, ...], ...]) -> list[int | None]:
    """The immediate dominators, found by taking each block out and looking what the entry still reaches."""
    count = len(graph)
    everything = reached(graph, without=None)
    above = {block: everything - reached(graph, without=block) - {block} for block in everything}
    over = {block: {one for one in everything if block in above[one]} for block in everything}
    # The closest of those over a block is the one that all others are over.
    return [
        max(over[block], key=lambda one: len(over[one])) if over.get(block) else None
        for block in range(count)
    ]


def reached(graph: tuple[tuple[int, ...], ...], without: int | None) -> set[int]:
    found = {0} - {without}
    waiting = sorted(found)
    for block in waiting:
        for one in graph[block]:
            if one not in found and one != without:
                found.add(one)
                waiting.append(one)
    return found


def lines_run(arms: int) -> int:
    """How many lines of flow.py run for a match of so many arms, one tested after the other."""
    # Arm n is tested at 2n and its body stands at 2n + 1; all bodies meet in the last block.
    last = 2 * arms
    graph = tuple(
        (last,) if block % 2 else (block + 1, block + 2) if block < last else () for block in range(last + 1)
    )
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        nonlocal count
        count += event == "line"
        return note if frame.f_code.co_filename.endswith("flow.py") else None

    sys.settrace(note)
    try:
        above = dominators(last + 1, 0, graph)
        assert common_dominator(range(1, last, 2), above) == 0
    finally:
        sys.settrace(None)
    return count


def test_the_work_for_a_long_match_grows_with_its_arms() -> None:
    assert lines_run(4000) < 4.4 * lines_run(1000)
