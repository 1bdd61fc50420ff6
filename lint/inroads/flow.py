"""The block fixpoint: one state for each basic block of a graph, by a work list."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from heapq import heappop, heappush
from typing import TypeVar

State = TypeVar("State", bound=Hashable)


def solve(
    count: int,
    entry: int,
    successors: Sequence[Sequence[int]],
    start: State,
    step: Callable[[int, State], Iterable[tuple[int, State]]],
    join: Callable[[int, State, State], State],
) -> list[State | None]:
    """
    Find the state that holds at the entry of each block.

    Args:
        count: How many blocks there are; a block is its index.
        step:
            From a block and the state at its entry to the state handed to each
            successor that control may go on to; a successor left out is not
            reached from this state.
        join:
            What two paths that meet at a block have in common. It must only
            ever lose information, and there must be finitely much to lose;
            that is what makes the search end.

    Returns:
        One state for each block, None where no path from the entry arrives.

    Kildall 1973, with a work list in reverse postorder, so that a block is
    mostly seen after the blocks that lead to it.
    """
    rank = ranks(count, entry, successors)
    states: list[State | None] = [None] * count
    states[entry] = start
    waiting = [(rank[entry], entry)]
    queued = {entry}
    while waiting:
        _, block = heappop(waiting)
        queued.discard(block)
        state = states[block]
        assert state is not None
        for successor, after in step(block, state):
            before = states[successor]
            joined = after if before is None else join(successor, before, after)
            if joined != before:
                states[successor] = joined
                if successor not in queued:
                    queued.add(successor)
                    heappush(waiting, (rank[successor], successor))
    return states


def ranks(count: int, entry: int, successors: Sequence[Sequence[int]]) -> list[int]:
    """The place of each block in reverse postorder; blocks that the entry does not reach come last."""
    order: list[int] = []
    seen = [False] * count
    seen[entry] = True
    stack = [(entry, iter(successors[entry]))]
    while stack:
        block, following = stack[-1]
        for successor in following:
            if not seen[successor]:
                seen[successor] = True
                stack.append((successor, iter(successors[successor])))
                break
        else:
            order.append(block)
            stack.pop()
    rank = [count] * count
    for place, block in enumerate(reversed(order)):
        rank[block] = place
    return rank


def dominators(count: int, entry: int, successors: Sequence[Sequence[int]]) -> list[int | None]:
    """
    The immediate dominator of each block; None for the entry and for what it does not reach.

    Cooper, Harvey and Kennedy 2001.
    """
    rank = ranks(count, entry, successors)
    predecessors: list[list[int]] = [[] for _ in range(count)]
    for block in range(count):
        if rank[block] < count:
            for successor in successors[block]:
                predecessors[successor].append(block)
    order = sorted((block for block in range(count) if rank[block] < count), key=lambda block: rank[block])
    above: list[int | None] = [None] * count
    above[entry] = entry
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            found: int | None = None
            for predecessor in predecessors[block]:
                if above[predecessor] is not None:
                    found = predecessor if found is None else _meet(found, predecessor, above, rank)
            if found != above[block]:
                above[block] = found
                changed = True
    above[entry] = None
    return above


def common_dominator(blocks: Sequence[int], above: Sequence[int | None]) -> int:
    """The closest block that is on every path from the entry to each of the blocks."""
    chains = [_chain(block, above) for block in blocks]
    shared = set(chains[0]).intersection(*chains[1:])
    return next(block for block in chains[0] if block in shared)


def _chain(block: int, above: Sequence[int | None]) -> list[int]:
    chain = [block]
    upper = above[block]
    while upper is not None:
        chain.append(upper)
        upper = above[upper]
    return chain


def _meet(left: int, right: int, above: Sequence[int | None], rank: Sequence[int]) -> int:
    while left != right:
        if rank[left] < rank[right]:
            left, right = right, left
        upper = above[left]
        assert upper is not None
        left = upper
    return left
