"""The block fixpoint and dominators on small graphs."""

from __future__ import annotations

from inroads.flow import common_dominator, dominators, ranks, solve

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
