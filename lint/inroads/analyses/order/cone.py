"""
Which functions one rule looks at, and their summaries.

The names in the rule's patterns pick the bodies that may speak of it, by the
index alone; callers of what may do a need are picked the same way. Only those
are judged that a requirement passes through on its way up, and what these call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inroads.analyses.order.compile import Compiler
from inroads.analyses.order.effects import CallEffect, Compiled, RequireEffect, ReturnEffect
from inroads.analyses.order.evidence import Evidence
from inroads.analyses.order.inferred import Flag
from inroads.analyses.order.keys import Key
from inroads.analyses.order.present import mentioning
from inroads.analyses.order.rule import OrderRule
from inroads.analyses.order.solve import BOTTOM, Solved, Solver, Summary, Verdict
from inroads.pattern import Pattern, last_names
from inroads.pattern_match import Matcher
from inroads.summary import components, is_cyclic, solve_component
from inroads.summary_writes import Writes

if TYPE_CHECKING:
    from inroads.program import Program


@dataclass(slots=True)
class Cone:
    """
    The functions that a rule looks at, solved.

    Args:
        solved: Each with its states, verdicts and summary.
        raised: For each (function, key) that is required at its entry, the verdicts of its callers on it.
    """

    program: Program
    rule: OrderRule
    tests: bool = False
    inferred: tuple[Flag, ...] = ()
    careful: frozenset[int] = frozenset()
    matcher: Matcher = field(init=False)
    evidence: Evidence = field(init=False)
    compiler: Compiler = field(init=False)
    writes: Writes = field(init=False)
    near: frozenset[int] = frozenset()
    solved: dict[int, Solved] = field(default_factory=dict)
    summaries: dict[int, Summary] = field(default_factory=dict)
    raised: dict[tuple[int, Key], list[tuple[int, Verdict]]] = field(default_factory=dict)
    solvers: dict[int, Solver] = field(default_factory=dict)
    test_callers: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.matcher = Matcher(self.program)
        self.evidence = Evidence.of(self.program, self.rule)
        self.writes = Writes(self.program)
        self.compiler = Compiler(
            self.program,
            self.rule,
            self.matcher,
            self.evidence,
            self._is_relevant,
            self.inferred,
            self.careful,
        )

    def grow(self) -> None:
        """Solve the bodies that the targets stand in, then callers as long as they have something to meet."""
        seeds = self._speaking((*self.rule.targets, *self.rule.evidence))
        others = self._speaking((*self.rule.needs, *self.rule.undone_by))
        self.near = self._upward(seeds | others)
        frontier = [function for function in sorted(seeds) if self.is_wanted(function)]
        lifted: set[int] = set()
        while frontier:
            self.solve(frontier)
            requiring = [
                function
                for function, solved in sorted(self.solved.items())
                if solved.summary.requires and function not in lifted
            ]
            lifted.update(requiring)
            frontier = sorted({caller for function in requiring for caller in self._callers(function)})
        self._index()

    def solve(self, functions: Iterable[int]) -> None:
        """Solve the functions, their callees before them."""
        starts = [function for function in functions if function not in self.summaries]
        for component in list(components(starts, self._callees, self.summaries.__contains__)):
            solve_component(
                component,
                self.summaries,
                BOTTOM,
                self._compute,
                cyclic=is_cyclic(component, self._callees),
            )

    def compiled(self, function: int) -> Compiled:
        """The effects of a function."""
        return self.compiler.compiled(function)

    def solver(self, function: int) -> Solver:
        """What runs the effects of a function; kept."""
        found = self.solvers.get(function)
        if found is None:
            found = self.solvers[function] = Solver(
                self.compiled(function),
                self.program.judge(function).locals,
                lambda callee: self.summaries.get(callee, BOTTOM),
                lambda key: self.evidence.is_held(function, key),
                self.writes.of,
            )
        return found

    def _compute(self, function: int) -> Summary:
        compiled = self.compiled(function)
        if compiled.idle:
            outcomes = sorted(
                {
                    effect.outcome
                    for effects in compiled.blocks
                    for effect in effects
                    if isinstance(effect, ReturnEffect) and effect.outcome != "detached"
                }
            )
            summary = Summary(tuple((outcome, ()) for outcome in outcomes))
            self.solved[function] = Solved(compiled, summary)
            return summary
        solved = self.solver(function).run()
        self.solved[function] = solved
        return solved.summary

    def _callees(self, function: int) -> tuple[int, ...]:
        found = {
            target
            for effects in self.compiled(function).blocks
            for effect in effects
            if isinstance(effect, CallEffect | RequireEffect)
            for target in effect.targets
        }
        return tuple(sorted(found))

    def _callers(self, function: int) -> Iterable[int]:
        for edge in self.program.callers(function):
            if self.is_wanted(edge.caller):
                yield edge.caller
            else:
                self.test_callers[function] = self.test_callers.get(function, 0) + 1

    def is_wanted(self, function: int) -> bool:
        """Whether roads through the function are reported."""
        record = self.program.tables.functions[function]
        return record.active and (self.tests or self.rule.tests or not record.test)

    def _is_relevant(self, function: int) -> bool:
        return function in self.near and self.program.tables.functions[function].has_body

    def _speaking(self, patterns: Iterable[Pattern]) -> set[int]:
        """The functions whose bodies hold a name of one of the patterns."""
        found: set[int] = set()
        for pattern in patterns:
            for name in last_names(pattern):
                found.update(mentioning(name, self.program))
        return found

    def _upward(self, functions: set[int]) -> frozenset[int]:
        """The functions, and all whose bodies hold the name of one of them, and so upward."""
        found = set(functions)
        names: set[str] = set()
        waiting = sorted(functions)
        for function in waiting:
            name = self.program.tables.functions[function].name
            if name not in names:
                names.add(name)
                for caller in mentioning(name, self.program):
                    if caller not in found:
                        found.add(caller)
                        waiting.append(caller)
        return frozenset(found)

    def _index(self) -> None:
        raised: dict[tuple[int, Key], list[tuple[int, Verdict]]] = defaultdict(list)
        for function, solved in sorted(self.solved.items()):
            if self.is_wanted(function):
                for verdict in solved.verdicts:
                    if verdict.source is not None:
                        raised[verdict.source].append((function, verdict))
        self.raised = dict(raised)
