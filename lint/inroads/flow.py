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

    Lengauer and Tarjan 1979, the version that compresses paths: a match of
    thousands of arms is as deep as it is long, and climbing from each arm would
    take the square of it.
    """
    order, parent = _depth_first(count, entry, successors)
    number = [0] * count
    for place, block in enumerate(order):
        number[block] = place
    # From here on blocks are their numbers in depth-first order.
    predecessors: list[list[int]] = [[] for _ in order]
    for place, block in enumerate(order):
        for successor in successors[block]:
            predecessors[number[successor]].append(place)
    semi = list(range(len(order)))
    above = [0] * len(order)
    waiting: list[list[int]] = [[] for _ in order]
    forest = _Forest(semi)
    for place in range(len(order) - 1, 0, -1):
        for predecessor in predecessors[place]:
            semi[place] = min(semi[place], semi[forest.least(predecessor)])
        waiting[semi[place]].append(place)
        upper = parent[place]
        forest.link(upper, place)
        for one in waiting[upper]:
            least = forest.least(one)
            above[one] = least if semi[least] < semi[one] else upper
        waiting[upper].clear()
    for place in range(1, len(order)):
        if above[place] != semi[place]:
            above[place] = above[above[place]]
    found: list[int | None] = [None] * count
    for place in range(1, len(order)):
        found[order[place]] = order[above[place]]
    return found


def common_dominator(blocks: Sequence[int], above: Sequence[int | None]) -> int:
    """The closest block that is on every path from the entry to each of the blocks."""
    chain = list(_chain(blocks[0], above))
    # Where the chain of a block comes upon the first one; what was walked once is not walked again.
    meets = {block: place for place, block in enumerate(chain)}
    highest = 0
    for block in blocks[1:]:
        walked: list[int] = []
        for one in _chain(block, above):
            if one in meets:
                highest = max(highest, meets[one])
                meets.update(dict.fromkeys(walked, meets[one]))
                break
            walked.append(one)
    return chain[highest]


def _chain(block: int, above: Sequence[int | None]) -> Iterable[int]:
    """A block, its immediate dominator, and so on up to the entry."""
    upper: int | None = block
    while upper is not None:
        yield upper
        upper = above[upper]


def _depth_first(count: int, entry: int, successors: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """The blocks that the entry reaches, in depth-first order, and for each place the place of its parent."""
    order: list[int] = []
    parent: list[int] = []
    seen = [False] * count
    stack = [(entry, 0)]
    while stack:
        block, above = stack.pop()
        if seen[block]:
            continue
        seen[block] = True
        parent.append(above)
        stack.extend((one, len(order)) for one in reversed(successors[block]) if not seen[one])
        order.append(block)
    return order, parent


class _Forest:
    """Trees that grow upward; each place knows the one of least `semi` on its way to the root, root excluded."""

    def __init__(self, semi: list[int]) -> None:
        self.semi = semi
        self.upper: list[int | None] = [None] * len(semi)
        self.best = list(range(len(semi)))

    def link(self, upper: int, place: int) -> None:
        """Hang a root below another place."""
        self.upper[place] = upper

    def least(self, place: int) -> int:
        """The place of least `semi` from here up to the root; the way is shortened for the next time."""
        path: list[int] = []
        at = place
        while (upper := self.upper[at]) is not None:
            path.append(at)
            at = upper
        if not path:
            return place
        # `at` is the root; the topmost of the path hangs on it already.
        for one in reversed(path[:-1]):
            above = self.upper[one]
            assert above is not None
            if self.semi[self.best[above]] < self.semi[self.best[one]]:
                self.best[one] = self.best[above]
            self.upper[one] = at
        return self.best[place]
