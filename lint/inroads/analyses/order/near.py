"""
Which functions may come to an event, as far as the index of names can tell.

A body that holds a name of the pattern may come to it; so may a body that
holds the name of such a function, and so upward. It is a filter, and coarse:
what passes it is looked at only where something depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.order.leading import Below, Leading, Upward
from inroads.analyses.order.present import mentioning
from inroads.analyses.order.shared import shared_of
from inroads.lower.model import Call
from inroads.pattern import (
    BranchPattern,
    BuildPattern,
    CallPattern,
    Pattern,
    PlacePattern,
    last_names,
)
from inroads.pattern_match import Matcher, calls_by_result
from inroads.reaching import named_in
from inroads.reads import HEAD, giving
from inroads.rust.late import words_of_return

if TYPE_CHECKING:
    from inroads.program import Program


class Near(msgspec.Struct):
    """
    The functions from which an event of one of the patterns may be reached.

    Args:
        tests: Whether test code takes part.
        foreign: Whether the patterns speak of types from outside, by their short names: a pattern
            whose type no `use`, no signature and no body names is passed over.
    """

    program: Program
    patterns: tuple[Pattern, ...]
    tests: bool
    foreign: bool = False
    leading: Leading | None = None

    def __contains__(self, function: int) -> bool:
        if self.leading is None:
            # A rule is run more than once where evidence is tried.
            key = (self.patterns, self.tests, self.foreign)
            kept = shared_of(self.program).near
            self.leading = self.program.recorder.remembered(
                kept, key, lambda: Leading(self.program, self.speaking(), self.tests, self._upward)
            )
        return function in self.leading

    def speaking(self) -> set[int]:
        """The functions whose bodies hold a name of one of the patterns, and may hold a value of its type."""
        found: set[int] = set()
        for pattern in self.patterns:
            named = self._naming(pattern)
            owner = _owner(pattern)
            able = None if owner is None or not named else self.program.holding(owner)
            if able is not None:
                # That the others hold no such value is told by their signatures, and by names.
                self.program.recorder.now.glances.update((one, HEAD) for one in named)
                named &= able
            found |= named
        return found | self._building_self()

    def _naming(self, pattern: Pattern) -> set[int]:
        """The functions whose bodies hold a name of the pattern, whatever they call by it."""
        if self.foreign and not self._is_written(pattern):
            return set()
        return {function for name in last_names(pattern) for function in self._holding(name)}

    def _building_self(self) -> set[int]:
        """The functions that may build or call what a pattern speaks of by the name `Self`."""
        built = {
            pattern.path[-1] for pattern in self.patterns if isinstance(pattern, BuildPattern | CallPattern)
        }
        if not any(one.name in built for one in self.program.tables.types):
            return set()
        return {function for function in self._holding("Self") if self._own_type(function) in built}

    def _own_type(self, function: int) -> str:
        """The name of the type that `Self` is in a function; "" where there is none."""
        tables = self.program.tables
        impl = tables.functions[function].impl
        return "" if impl is None else tables.impls[impl].head.rpartition("::")[2]

    def _is_written(self, pattern: Pattern) -> bool:
        owner = _owner(pattern) if isinstance(pattern, CallPattern) else None
        return owner is None or self.program.is_written(owner) or bool(self.program.mentions(owner))

    def levels(self, most: int, common: int) -> set[int]:
        """The functions from which an event may be reached in a few calls, by names that few bodies hold."""
        functions = self.program.tables.functions
        found = self._building_self().union(*map(self._naming, self.patterns))
        level = sorted(found)
        for _ in range(most):
            following: list[int] = []
            for name in dict.fromkeys(functions[function].name for function in level):
                holding = tuple(self._holding(name))
                if len(holding) <= common:
                    following.extend(function for function in holding if function not in found)
                    found.update(holding)
            level = following
        return found

    def _holding(self, name: str) -> Iterable[int]:
        return mentioning(name, self.program, tests=self.tests)

    def _upward(self) -> Upward:
        functions = self.program.tables.functions
        found = {function: (function, HEAD) for function in sorted(self.speaking())}
        ended: set[int] = set()
        drops: list[int] = []
        names: set[str] = set()
        waiting = list(found)
        while waiting:
            for function in waiting:
                name = functions[function].name
                if name == "drop" and self._is_drop(function):
                    drops.append(function)
                if name not in names:
                    waiting += self._note_callers(name, function, names, found)
            waiting = []
            ending = self._ended_by(drops, found) if drops else {}
            for function, ends in ending.items():
                fresh = [name for name in ends if self._has_more(name, names, found)]
                if fresh and self._comes_to(function, found):
                    for name in fresh:
                        more = self._note_callers(name, function, names, found)
                        ended.update(more)
                        waiting += more
        # Most names of a program come by here, so they are noted at once.
        self.program.recorder.now.names |= names
        return Upward(found, ended)

    def _note_callers(self, name: str, function: int, names: set[str], found: dict[int, Below]) -> list[int]:
        """Add the functions whose bodies hold the name of one that was found; those that are new."""
        fresh: list[int] = []
        for alias in self.program.names_for(name):
            if alias not in names:
                names.add(alias)
                for caller in self.program.reaching.mentioned.of(alias, tests=self.tests):
                    if caller not in found:
                        found[caller] = (function, alias)
                        fresh.append(caller)
        return fresh

    def _has_more(self, name: str, names: set[str], found: Mapping[int, Below]) -> bool:
        """Whether a function that was not found holds the name."""
        mentioned = self.program.reaching.mentioned
        return any(
            caller not in found
            for alias in self.program.names_for(name)
            if alias not in names
            for caller in mentioned.of(alias, tests=self.tests)
        )

    def _is_drop(self, function: int) -> bool:
        """Whether a function is that of a `Drop` impl, which nobody calls by its name."""
        tables = self.program.tables
        impl = tables.functions[function].impl
        return impl is not None and tables.impls[impl].trait_path.rpartition("::")[2] == "Drop"

    def _ended_by(self, drops: list[int], found: Mapping[int, Below]) -> dict[int, list[str]]:
        """
        For each `Drop` impl the names of which a body must hold one to call it.

        It is called by whoever holds a value of its type: who builds
        one names the type, others call a function that gives one. The names of what was found are known.
        """
        tables = self.program.tables
        heads = {
            one: tables.impls[impl].head for one in drops if (impl := tables.functions[one].impl) is not None
        }
        owners = {head.rpartition("::")[2] for head in heads.values()}
        self.program.recorder.now.names.update(map(giving, (*owners, "Self")))
        wanted = {*owners, "Self"}
        givers: dict[str, set[str]] = {}
        for one in tables.functions:
            if one.id in found or (one.test and not self.tests):
                continue
            item = one.item
            words = words_of_return(item)
            if words is not None and words.isdisjoint(wanted):
                continue
            given = named_in(item.returns)
            for owner in owners & given:
                givers.setdefault(owner, set()).add(one.name)
            if "Self" in given and one.impl is not None:
                givers.setdefault(tables.impls[one.impl].head, set()).add(one.name)
        ending: dict[int, list[str]] = {}
        for function, head in heads.items():
            owner = head.rpartition("::")[2]
            ending[function] = [owner, *sorted(givers.get(owner, set()) | givers.get(head, set()))]
        return ending

    def _comes_to(self, function: int, found: Mapping[int, Below]) -> bool:
        """Whether a function really has an event of a pattern, or calls one that was found."""
        graph = self.program.graph(function)
        judged = self.program.judge(function)
        calls = calls_by_result(graph)
        matcher = Matcher(self.program)
        return any(
            any(matcher.match(pattern, event, judged, calls) for pattern in self.patterns)
            or (isinstance(event, Call) and any(target.function in found for target in event.call.targets))
            for block in graph.blocks
            for event in block.events
        )


def _owner(pattern: Pattern) -> str | None:
    """The type whose method a pattern speaks of, by its last name; None where it speaks of no type."""
    match pattern:
        case BranchPattern(test=test):
            return None if isinstance(test.subject, PlacePattern) else _owner(test.subject)
        case CallPattern(path=(*front, owner, _)):
            named = owner[:1].isupper() and not any("*" in one for one in (*front, owner))
            return owner if named else None
        case _:
            return None
