"""Which events of a function a rule may speak of at all, told by their names."""

from __future__ import annotations

from fnmatch import fnmatchcase
from itertools import chain
from typing import assert_never

import msgspec

from inroads.analyses.order.rule import OrderRule
from inroads.analyses.order.shared import Outline, Position, Shared
from inroads.pattern import BranchPattern, BuildPattern, CallPattern, MethodPattern, Pattern, WritePattern
from inroads.pattern_syntax import ConditionPattern, PlacePattern


class Speech(msgspec.Struct):
    """
    The names that a rule's patterns have as their own.

    Args:
        names: Those written out, and those of the program that a glob stands for.
        globs: Those with `*`.
        everything: Whether a pattern has no name of its own, so that each event may match.
        shareable: Whether functions without such an event are the same for this rule as for others.
    """

    shared: Shared
    names: set[str]
    globs: tuple[str, ...]
    everything: bool
    shareable: bool
    read: int = 0

    @classmethod
    def of(cls, rule: OrderRule, shared: Shared) -> Speech:
        """The names of a rule."""
        patterns = (*rule.targets, *rule.needs, *rule.undone_by)
        own = [own_name(pattern) for pattern in patterns]
        written = {name for name in own if name is not None}
        written.update(f"{one.path[-1]}!" for one in patterns if isinstance(one, CallPattern) and one.macro)
        everything = None in own or "*" in written
        return cls(
            shared,
            {name for name in written if "*" not in name},
            tuple(sorted(name for name in written if "*" in name)),
            everything,
            not (everything or rule.evidence),
        )

    def is_named(self, name: str) -> bool:
        """Whether a name may be that of a pattern."""
        return self.everything or name in self.names or any(fnmatchcase(name, one) for one in self.globs)

    def is_silent(self, outline: Outline) -> bool:
        """Whether no event of a function bears a name that the rule speaks of."""
        self._catch_up()
        return not self.everything and self.names.isdisjoint(outline.names)

    def positions(self, outline: Outline) -> frozenset[Position] | None:
        """The events that may match, each (block, index); None for all."""
        if self.everything:
            return None
        self._catch_up()
        found = (outline.names[name] for name in outline.names.keys() & self.names)
        return frozenset(chain.from_iterable(found))

    def _catch_up(self) -> None:
        """Hold the globs against the names that were met since the last time."""
        vocabulary = self.shared.vocabulary
        if self.globs and self.read < len(vocabulary):
            for name in vocabulary[self.read :]:
                if any(fnmatchcase(name, glob) for glob in self.globs):
                    self.names.add(name)
            self.read = len(vocabulary)


def own_name(pattern: Pattern) -> str | None:
    """The name that an event must bear to match, which may hold `*`; None where any may match."""
    match pattern:
        case CallPattern(path=path) | BuildPattern(path=path):
            return path[-1]
        case MethodPattern(name=name):
            return name
        case WritePattern(place=place):
            return _place_name(place)
        case BranchPattern(test=test):
            if not isinstance(test.subject, PlacePattern):
                return own_name(test.subject)
            return _place_name(test.subject) or _branch_name(test)


def _branch_name(test: ConditionPattern) -> str:
    """The sort of branch that a test without a name of its own speaks of."""
    match test.relation:
        case "variant":
            return f"if {test.operand}" if test.operand in ("Some", "Ok") else "if variant"
        case "true":
            return "if true"
        case "length":
            return "if length"
        case "equals" | "less":
            return "if compared"
        case _:
            assert_never(test.relation)


def _place_name(place: PlacePattern) -> str | None:
    if place.fields:
        return place.fields[-1]
    return place.root[-1] if isinstance(place.root, tuple) else None
