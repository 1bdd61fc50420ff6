"""
Whether a function may lead to one of some others, told by the names that bodies hold.

Asked of a few functions only, it is followed downward, from a body to the functions that its words may
name: mostly it is soon met, or there is not far to go. So what is read is a few bodies, and an edit
elsewhere is no matter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from heapq import heappop, heappush
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from inroads.reaching import named_in
from inroads.reads import ANY, HEAD, Reads

if TYPE_CHECKING:
    from inroads.program import Program

MOST_BODIES = {True: 1000, False: 4000}
"""
Where more bodies than these would have to be looked through for one function, all are looked at from above; that
costs little where all are indexed already, and much where they are not.
"""

MOST_APART = 50
"""From more bodies than these it is not told that a function leads nowhere: they are read by whoever asks."""
MOST_FAR = 4
"""Functions for which that was in vain, before nobody looks ahead any more."""

Below: TypeAlias = tuple[int, str]
"""A function whose name stands in another body, and under which name; a goal has itself below."""


class Upward(msgspec.Struct, frozen=True):
    """
    All functions that lead to some goals.

    Args:
        ended: Those that only hold a value whose end comes to a goal.
    """

    below: dict[int, Below]
    ended: set[int]


class Leading(msgspec.Struct):
    """
    The functions that are known to lead to the goals, and those that are known not to.

    Args:
        tests: Whether test code takes part.
        upward: Finds all functions that lead to the goals; the same answer at another price.
        below: What leads there.
        words: The names of those.
        apart: What leads to no goal -> all bodies that were looked through for that.
        far: Those of which that would take too long.
        all: What `upward` found, with what it read; None as long as nobody had to ask.
        reader: Who asked last, and `told` what was answered, and noted for that.
    """

    program: Program
    goals: Iterable[int]
    tests: bool
    upward: Callable[[], Upward]
    below: dict[int, Below] = msgspec.field(default_factory=dict)
    words: dict[str, int] = msgspec.field(default_factory=dict)
    apart: dict[int, frozenset[int]] = msgspec.field(default_factory=dict)
    far: set[int] = msgspec.field(default_factory=set)
    all: tuple[Upward, Reads] | None = None
    reader: Reads | None = None
    told: dict[int, bool] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        for goal in sorted(self.goals):
            self._note(goal, (goal, HEAD))

    def __contains__(self, function: int) -> bool:
        if not self.below:
            return False
        reads = self.program.recorder.now
        if reads is not self.reader:
            self.reader, self.told = reads, {}
        found = self.told.get(function)
        if found is None:
            found = self.told[function] = self._is_found(function)
            self._tell(function, reads)
        return found

    def _is_found(self, function: int) -> bool:
        if function not in self.below and function not in self.apart and self._is_worth_it(function):
            self._follow(function)
        return function in self.below or (
            self.all is not None and function not in self.apart and function in self.all[0].below
        )

    def _tell(self, function: int, reads: Reads) -> None:
        """Note what an answer was read from."""
        if function in self.apart:
            reads.glances.update((one, ANY) for one in self.apart[function])
        elif function in self.below:
            self._tell_way(function, self.below, reads)
        elif self.all is not None:
            upward = self.all[0]
            if function not in upward.below or self._tell_way(function, upward.below, reads, upward.ended):
                reads.add(self.all[1])

    def _tell_way(
        self, function: int, below: Mapping[int, Below], reads: Reads, ended: Collection[int] = ()
    ) -> bool:
        """Note the names by which a way goes on, down to where that is told already; whether it comes by an end."""
        mentioned = self.program.reaching.mentioned
        is_by_end = False
        while below[function][0] != function:
            self.told[function] = True
            is_by_end = is_by_end or function in ended
            following, word = below[function]
            # What a macro brings in stands in no body.
            reads.glances.add((function, word if mentioned.has_word(function, word) else ANY))
            function = following
            if function in self.told and not ended:
                break
        return is_by_end

    def _is_worth_it(self, function: int) -> bool:
        """Whether to look ahead; where all is known already, what it is read from is mostly less."""
        if self.all is None:
            return True
        return function not in self.all[0].below and function not in self.far and len(self.far) < MOST_FAR

    def _note(self, function: int, below: Below) -> None:
        self.below[function] = below
        for name in self.program.names_for(self.program.tables.functions[function].name):
            self.words.setdefault(name, function)

    def _follow(self, start: int) -> None:
        """Find out about one function."""
        functions, reaching = self.program.tables.functions, self.program.reaching
        above: dict[int, Below] = {start: (start, HEAD)}
        # Who is near, and has a name with few others, first: by a name that all have one comes to all sorts of bodies.
        waiting = [(0, start)] if self.tests or not functions[start].test else []
        looked: set[int] = set()
        seen: set[str] = set()
        most = (
            MOST_APART
            if self.all is not None
            else MOST_BODIES[reaching.mentioned.is_indexed(tests=self.tests)]
        )
        while waiting and len(looked) < most:
            near, function = heappop(waiting)
            looked.add(function)
            words = reaching.mentioned.words(function)
            word = min(words & self.words.keys(), default=None)
            if word is not None:
                below = (self.words[word], word)
                while function != start:
                    self._note(function, below)
                    caller, word = above[function]
                    below, function = (function, word), caller
                self._note(start, below)
                return
            for word in sorted(words - seen):
                named = reaching.named(word)
                for callee in named:
                    if callee not in above and (self.tests or not functions[callee].test):
                        above[callee] = (function, word)
                        if callee in self.apart:
                            looked |= self.apart[callee]
                        else:
                            heappush(waiting, (near + len(named).bit_length(), callee))
            seen |= words
        if not waiting and len(looked) <= MOST_APART and not self._may_end(seen):
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
