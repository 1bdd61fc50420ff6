"""From the graph of a function to its effects under one rule: made once, and shared where rules are alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inroads.analyses.order.body import Body
from inroads.analyses.order.effects import (
    Compiled,
)
from inroads.analyses.order.evidence import Evidence
from inroads.analyses.order.inferred import Flag
from inroads.analyses.order.keys import Key
from inroads.analyses.order.rule import OrderRule
from inroads.analyses.order.shared import Shared
from inroads.analyses.order.speech import Speech
from inroads.lower.model import (
    Return,
)
from inroads.pattern_match import Matcher

if TYPE_CHECKING:
    from inroads.program import Program


@dataclass(slots=True)
class Compiler:
    """
    Makes the effects of a function.

    Args:
        relevant: Whether a callee, called in a function, may do something that the rule speaks of.
        is_called: Whether what a function leaves behind counts, since another looks into it.
        requires: The keys that a function is known to require at its entry.
        inferred: Flags that are evidence though nobody declared them.
        careful: Functions in which each call is looked at for whether it ever returns.
    """

    program: Program
    rule: OrderRule
    shared: Shared
    matcher: Matcher
    evidence: Evidence
    relevant: Callable[[int, int], bool]
    is_called: Callable[[int], bool]
    requires: Callable[[int], tuple[Key, ...]]
    inferred: tuple[Flag, ...] = ()
    careful: frozenset[int] = frozenset()
    known: dict[int, Compiled] = field(default_factory=dict)
    speech: Speech = field(init=False)

    def __post_init__(self) -> None:
        self.speech = Speech.of(self.rule, self.shared)

    def compiled(self, function: int) -> Compiled:
        """The effects of a function; kept."""
        found = self.known.get(function)
        if found is None:
            into = self._silence(function)
            if into is None:
                found = Body(self, function).compile()
            else:
                # What is required is one object for equal ones (`Shared.one`), and lives as long as the program.
                required = ((one, id(self.requires(one))) for one in into)
                silent = (function, self.is_called(function), *required)
                found = self.program.recorder.remembered(
                    self.shared.compiled,
                    silent,
                    lambda: replace(Body(self, function, into).compile(), silent=silent),
                )
            self.known[function] = found
        return found

    def _silence(self, function: int) -> tuple[int, ...] | None:
        """
        The callees that are looked into of a function of which no event is one of the rule's.

        With what they require, its effects depend on nothing else; None where the rule speaks of the function.
        """
        if not self.speech.shareable or self.inferred or function in self.careful:
            return None
        outline = self.shared.outline(self.program, function)
        if not self.speech.is_silent(outline) or self.speech.is_named(
            self.program.tables.functions[function].name
        ):
            return None
        return tuple(one for one in outline.callees if self.relevant(function, one))

    def is_muted(self, function: int) -> bool:
        """Whether the function is itself a target or a need, and so is not looked into."""
        return self.speech.is_named(self.program.tables.functions[function].name) and any(
            self.matcher.is_function(pattern, function) for pattern in (*self.rule.targets, *self.rule.needs)
        )

    def is_need(self, function: int) -> bool:
        """Whether the function is itself a need."""
        return any(self.matcher.is_function(pattern, function) for pattern in self.rule.needs)

    def never_returns(self, function: int) -> bool:
        """Whether no way out of a function is there to be reached."""
        if not self.program.tables.functions[function].has_body:
            return False
        return not any(
            isinstance(event, Return) and event.outcome != "detached"
            for block in self.program.graph(function).blocks
            for event in block.events
        )
