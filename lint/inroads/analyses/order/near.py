"""
Which functions may come to an event, as far as the index of names can tell.

A body that holds a name of the pattern may come to it; so may a body that
holds the name of such a function, and so upward. A name that many bodies hold
is only followed where the function that bears it was looked at, and really
calls something of the kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inroads.analyses.order.present import mentioning
from inroads.pattern import Pattern, last_names

if TYPE_CHECKING:
    from inroads.program import Program

COMMON = 40
"""A name that more bodies hold is looked at before it is followed."""


@dataclass(slots=True)
class Near:
    """
    The functions from which an event of one of the patterns may be reached.

    Args:
        tests: Whether test code takes part.
    """

    program: Program
    patterns: tuple[Pattern, ...]
    tests: bool
    found: set[int] | None = field(default=None)

    def __contains__(self, function: int) -> bool:
        if self.found is None:
            self.found = self._upward()
        return function in self.found

    def speaking(self) -> set[int]:
        """The functions whose bodies hold a name of one of the patterns."""
        return {
            function
            for pattern in self.patterns
            for name in last_names(pattern)
            for function in self._holding(name)
        }

    def _holding(self, name: str) -> Iterable[int]:
        functions = self.program.tables.functions
        for function in mentioning(name, self.program):
            if self.tests or not functions[function].test:
                yield function

    def _upward(self) -> set[int]:
        direct = self.speaking()
        found = set(direct)
        names: set[str] = set()
        waiting = sorted(direct)
        for function in waiting:
            name = self.program.tables.functions[function].name
            if name in names:
                continue
            holding = tuple(self._holding(name))
            if len(holding) > COMMON and function not in direct and not self._calls(function, found):
                continue
            names.add(name)
            for caller in holding:
                if caller not in found:
                    found.add(caller)
                    waiting.append(caller)
        return found

    def _calls(self, function: int, found: set[int]) -> bool:
        """Whether the function really calls one of those that were found."""
        return any(edge.target.function in found for edge in self.program.edges(function))
