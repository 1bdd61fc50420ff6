"""
Ways through one function, for the witness: a shortest one on which a key is not met.

The search for them is breadth-first over pairs of a block and a world. It does
not depend on the key, so all requirements of a function share one search, which
goes on where the last question left it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable

import msgspec

from inroads.analyses.order.keys import Key
from inroads.analyses.order.solve import Solver
from inroads.analyses.order.world import State, World
from inroads.flow import dominators
from inroads.summary import closure, components

MOST_STATES = 4000
"""Pairs of a block and a world that are looked at for one function."""
MOST_TURNS = 200
"""Pairs of blocks in one loop of which it is asked where one leads without the other."""

Pair = tuple[int, World]


class Walk(msgspec.Struct):
    """
    A function, walked from its entry.

    Args:
        states: The worlds at the entry of each block, as they were solved.
        looked: How many pairs were looked at; what tests of cost count.
    """

    solver: Solver
    states: list[State | None]
    before: dict[Pair, Pair | None] = msgspec.field(default_factory=dict)
    found: dict[int, list[World]] = msgspec.field(default_factory=lambda: defaultdict(list))
    waiting: deque[Pair] = msgspec.field(default_factory=deque)
    looked: int = 0
    component: list[int] = msgspec.field(default_factory=list)
    rough: dict[Key, dict[int, int | None]] = msgspec.field(default_factory=dict)
    predecessors: list[list[int]] = msgspec.field(default_factory=list)
    dominating: list[int | None] = msgspec.field(default_factory=list)
    turned: dict[tuple[int, int], frozenset[int]] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        self._note((0, World()), None)

    def to(self, block: int, is_unmet: Callable[[World], bool]) -> list[int]:
        """The blocks of a shortest way to a block that is reached in such a world; empty where none is found."""
        for world in self._worlds(block):
            if is_unmet(world):
                return self._way((block, world))
        return []

    def _worlds(self, block: int) -> Iterable[World]:
        """The worlds in which a block is reached, the nearest first."""
        told = 0
        while True:
            while told < len(self.found[block]):
                told += 1
                yield self.found[block][told - 1]
            if not self.waiting or MOST_STATES <= self.looked:
                return
            self._go_on()

    def _go_on(self) -> None:
        pair = self.waiting.popleft()
        self.looked += 1
        block, world = pair
        for successor, state in self.solver.step(block, frozenset({world})):
            for after in sorted(state, key=repr) if len(state) > 1 else state:
                self._note((successor, after), pair)

    def _note(self, pair: Pair, before: Pair | None) -> None:
        if pair not in self.before:
            self.before[pair] = before
            self.found[pair[0]].append(pair[1])
            self.waiting.append(pair)

    def _way(self, pair: Pair) -> list[int]:
        way = [pair[0]]
        above = self.before[pair]
        while above is not None:
            way.append(above[0])
            above = self.before[above]
        return way[::-1]

    def roughly_to(self, block: int, key: Key, is_open: Callable[[World], bool]) -> list[int]:
        """
        A shortest way to a block over blocks that are each reached in such a world; empty where there is none.

        Its branches may be some that can't all be taken at once. It is for functions in which there are too
        many worlds to tell apart.

        Args:
            key: What it is asked for; the ways for one key are found once.
        """
        before = self.rough.get(key)
        if before is None:
            before = self.rough[key] = self._open_ways(is_open)
        way: list[int] = []
        at: int | None = block if block in before else None
        while at is not None:
            way.append(at)
            at = before[at]
        return way[::-1]

    def _open_ways(self, is_open: Callable[[World], bool]) -> dict[int, int | None]:
        """For each block that is reached over open ones the block before it."""
        blocks = self.solver.compiled.graph.blocks
        before: dict[int, int | None] = {0: None}
        waiting = deque([0])
        while waiting:
            at = waiting.popleft()
            for successor in blocks[at].successors:
                state = self.states[successor]
                if successor not in before and state is not None and any(map(is_open, state)):
                    before[successor] = at
                    waiting.append(successor)
        return before

    def leads_past(self, block: int, successor: int, goal: int, above: frozenset[int]) -> bool:
        """
        Whether going from a block to a successor gives up a goal that another successor still comes to.

        Args:
            above: The blocks that come to the goal: see `above`.
        """
        others = self.solver.compiled.graph.blocks[block].successors
        if not any(other != successor and self._comes(other, block, goal, above) for other in others):
            return False
        return not self._comes(successor, block, goal, above)

    def above(self, goal: int) -> frozenset[int]:
        """The blocks from which a block can be reached, itself among them."""
        if not self.predecessors:
            blocks = self.solver.compiled.graph.blocks
            self.predecessors = [[] for _ in blocks]
            for one in blocks:
                for successor in one.successors:
                    self.predecessors[successor].append(one.id)
        return frozenset(closure([goal], self.predecessors.__getitem__))

    def dominators(self) -> list[int | None]:
        """The immediate dominators of the function's blocks; kept."""
        if not self.dominating:
            blocks = self.solver.compiled.graph.blocks
            self.dominating = dominators(len(blocks), 0, [block.successors for block in blocks])
        return self.dominating

    def _comes(self, start: int, without: int, goal: int, above: frozenset[int]) -> bool:
        """Whether a block comes to a goal without coming back to another block."""
        if start not in above or goal == without:
            return start == goal
        if not self._is_turning(start, without):
            return True
        key = (start, without)
        reached = self.turned.get(key)
        if reached is None:
            if MOST_TURNS <= len(self.turned):
                return True
            reached = self.turned[key] = frozenset(self._reach(start, without))
        return goal in reached

    def _is_turning(self, one: int, other: int) -> bool:
        """Whether two blocks are in the same loop."""
        if not self.component:
            blocks = self.solver.compiled.graph.blocks
            self.component = [-1] * len(blocks)
            for number, group in enumerate(
                components(range(len(blocks)), lambda block: blocks[block].successors, lambda _: False)
            ):
                for block in group:
                    self.component[block] = number
        return self.component[one] == self.component[other]

    def _reach(self, start: int, without: int) -> set[int]:
        found = {start}
        waiting = [start]
        while waiting:
            for successor in self.solver.compiled.graph.blocks[waiting.pop()].successors:
                if successor not in found and successor != without:
                    found.add(successor)
                    waiting.append(successor)
        return found
