"""
Whether a function may lead to one of some others, told by the names that bodies hold.

Asked of a few functions only, it is followed downward, from a body to the functions that its words may
name: mostly it is soon met, or there is not far to go. So what is read is a few bodies, and an edit
elsewhere is no matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import msgspec

from inroads.reaching import named_in
from inroads.reads import Reads

if TYPE_CHECKING:
    from inroads.program import Program

MOST_BODIES = 300
"""Where more bodies than these would have to be looked through for one function, all are looked at from above."""


class Upward(msgspec.Struct, frozen=True):
    """
    All functions that lead to some goals.

    Args:
        below: Each with the function whose name its body holds; goals with themselves.
        ended: Those that only hold a value whose end comes to a goal.
    """

    below: dict[int, int]
    ended: set[int]


class Leading(msgspec.Struct):
    """
    The functions that are known to lead to the goals, and those that are known not to.

    Args:
        tests: Whether test code takes part.
        upward: Finds all functions that lead to the goals; the same answer at another price.
        below: What leads there -> the function that its body names next; itself for a goal.
        words: The names of those.
        apart: What leads to no goal -> all bodies that were looked through for that.
        far: Those of which that would take too long.
        all: What `upward` found, with what it read; None as long as nobody had to ask.
    """

    program: Program
    goals: Iterable[int]
    tests: bool
    upward: Callable[[], Upward]
    below: dict[int, int] = msgspec.field(default_factory=dict)
    words: dict[str, int] = msgspec.field(default_factory=dict)
    apart: dict[int, frozenset[int]] = msgspec.field(default_factory=dict)
    far: set[int] = msgspec.field(default_factory=set)
    all: tuple[Upward, Reads] | None = None

    def __post_init__(self) -> None:
        for goal in sorted(self.goals):
            self._note(goal, goal)

    def __contains__(self, function: int) -> bool:
        if not self.below:
            return False
        if function not in self.below and function not in self.apart:
            if self.all is None or (function not in self.all[0].below and function not in self.far):
                self._follow(function)
        reads = self.program.recorder.now
        if function in self.apart:
            reads.bodies |= self.apart[function]
            return False
        if function in self.below:
            reads.bodies.update(_way(function, self.below))
            return True
        assert self.all is not None
        upward = self.all[0]
        way = set(_way(function, upward.below)) if function in upward.below else set()
        reads.bodies |= way
        if not way or not upward.ended.isdisjoint(way):
            reads.add(self.all[1])
        return bool(way)

    def _note(self, function: int, following: int) -> None:
        self.below[function] = following
        for name in self.program.names_for(self.program.tables.functions[function].name):
            self.words.setdefault(name, function)

    def _follow(self, start: int) -> None:
        """Find out about one function."""
        functions, reaching = self.program.tables.functions, self.program.reaching
        above: dict[int, int] = {start: start}
        # Who is near, and has a name with few others, first: by a name that all have one comes to all sorts of bodies.
        waiting = [(0, start)] if self.tests or not functions[start].test else []
        looked: set[int] = set()
        seen: set[str] = set()
        while waiting and len(looked) < MOST_BODIES:
            near, function = heappop(waiting)
            looked.add(function)
            words = reaching.mentioned.words(function)
            goal = min((self.words[word] for word in words & self.words.keys()), default=None)
            if goal is not None:
                while function != start:
                    self._note(function, goal)
                    goal, function = function, above[function]
                self._note(start, goal)
                return
            for word in sorted(words - seen):
                named = reaching.named(word)
                for callee in named:
                    if callee not in above and (self.tests or not functions[callee].test):
                        above[callee] = function
                        if callee in self.apart:
                            looked |= self.apart[callee]
                        else:
                            heappush(waiting, (near + len(named).bit_length(), callee))
            seen |= words
        if not waiting and not self._may_end(seen):
            self.apart.update(dict.fromkeys((start, *looked), frozenset(looked)))
            return
        self.far.add(start)
        if self.all is None:
            self.all = self.program.recorder.apart(self.upward)

    def _may_end(self, words: set[str]) -> bool:
        """Whether bodies with these words may hold a value that has a `Drop` impl, which nobody calls by name."""
        tables, reaching = self.program.tables, self.program.reaching
        owners = reaching.dropped()
        if not owners:
            return False
        for word in words:
            if not owners.isdisjoint(reaching.names_behind(word)):
                return True
            for function in reaching.named(word):
                record = tables.functions[function]
                given = named_in(record.item.returns)
                if not owners.isdisjoint(given):
                    return True
                if "Self" in given and record.impl is not None:
                    if tables.impls[record.impl].head.rpartition("::")[2] in owners:
                        return True
        return False


def _way(function: int, below: Mapping[int, int]) -> Iterable[int]:
    """The functions on the way to a goal, without the goal."""
    while below[function] != function:
        yield function
        function = below[function]
