"""
Which functions one rule looks at, and their summaries.

Bodies that hold a name of a target are solved first, then callers as long as
they have something to meet. Most sites are met by what stands beside them, so
a function's calls are looked into only where something is not met otherwise,
and then only those that may reach a need, as the index of names tells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.order.compile import Compiler
from inroads.analyses.order.effects import Compiled, ReturnEffect
from inroads.analyses.order.evidence import Evidence
from inroads.analyses.order.inferred import Flag
from inroads.analyses.order.keys import Key
from inroads.analyses.order.near import Near
from inroads.analyses.order.present import mentioning
from inroads.analyses.order.rule import OrderRule
from inroads.analyses.order.shared import Shared, shared_of
from inroads.analyses.order.solve import Solver
from inroads.analyses.order.standing import Standing
from inroads.analyses.order.summaries import BOTTOM, Solved, Summary, Verdict
from inroads.analyses.order.walk import Walk
from inroads.analyses.order.world import YES
from inroads.facts import Step
from inroads.pattern import CallPattern, Pattern
from inroads.pattern_match import Matcher
from inroads.reaching import UNNAMED
from inroads.reads import Reads
from inroads.summary import closure, components, is_cyclic, solve_component

if TYPE_CHECKING:
    from inroads.program import Edge, Program


SMALL = 3000
"""How many functions a program may have for an undo to be looked for far and wide; see `_below_an_undo`."""


class Run(msgspec.Struct, frozen=True):
    """
    A function that speaks of the rule, solved.

    Its effects, the summaries of its callees, which types were evidence and what was asked of them, and what
    came out.
    """

    compiled: Compiled
    given: tuple[Summary, ...]
    types: tuple[Pattern, ...]
    held: dict[Key, bool]
    solved: Solved
    reads: Reads

    def is_of(self, compiled: Compiled, given: tuple[Summary, ...]) -> bool:
        """Whether these effects and summaries are the same."""
        own = self.compiled
        return (
            len(given) == len(self.given)
            and all(one is other for one, other in zip(given, self.given, strict=True))
            and compiled.graph is own.graph
            and compiled.into == own.into
            and compiled.blocks == own.blocks
            and compiled.counted_loops == own.counted_loops
            and compiled.sure_loops == own.sure_loops
            and compiled.crowded == own.crowded
            and compiled.elements == own.elements
            and compiled.runs == own.runs
        )


@dataclass(slots=True)
class Cone:
    """
    The functions that a rule looks at, solved.

    Args:
        tests: Whether roads from tests are wanted, whatever the rule says.
        inferred, careful: See `Compiler`.
        called: The names by which the targets are called; see `_names_called`.
        solved: Each with its states, verdicts and summary.
        deep: Functions whose calls are looked into for needs, as far as a target lies ahead.
        undo_full, need_full: Functions that others call, so that all of their calls count.
        requiring: Functions that require something at their entry, and what.
        users: For each function those that were solved with its help.
        fresh: What was solved since the requirements were last looked at.
        lost: What was solved, and forgotten since then.
        told: What the witness tells of a frame: see `witness`.
        walks: The ways through the functions that the witness has looked at.
        proposals: Evidence that was tried, with the sites that it does not clear: see `proposal`.
        raised: For each (function, key) that is required at its entry, the verdicts of its callers on it.
        runs: What functions were solved from, and to what; cones of one rule share them.
        held: What was asked of evidence in the run that is going on.
    """

    program: Program
    rule: OrderRule
    tests: bool = False
    inferred: tuple[Flag, ...] = ()
    careful: frozenset[int] = frozenset()
    shared: Shared = field(init=False)
    matcher: Matcher = field(init=False)
    evidence: Evidence = field(init=False)
    compiler: Compiler = field(init=False)
    needing: Near = field(init=False)
    undoing: Near = field(init=False)
    called: tuple[str, ...] | None = field(init=False)
    solved: dict[int, Solved] = field(default_factory=dict)
    summaries: dict[int, Summary] = field(default_factory=dict)
    solvers: dict[int, Solver] = field(default_factory=dict)
    deep: set[int] = field(default_factory=set)
    undo_full: set[int] = field(default_factory=set)
    need_full: set[int] = field(default_factory=set)
    requiring: dict[int, tuple[Key, ...]] = field(default_factory=dict)
    users: dict[int, set[int]] = field(default_factory=dict)
    fresh: set[int] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)
    told: dict[tuple[int, int, Key], tuple[Step, ...]] = field(default_factory=dict)
    walks: dict[int, Walk] = field(default_factory=dict)
    proposals: dict[Pattern, frozenset[tuple[int, int]] | None] = field(default_factory=dict)
    raised: dict[tuple[int, Key], list[tuple[int, Verdict]]] = field(default_factory=dict)
    runs: dict[int, list[Run]] = field(default_factory=dict)
    held: dict[Key, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.shared = shared_of(self.program)
        self.matcher = Matcher(self.program)
        self.evidence = Evidence.of(self.program, self.rule)
        self.evidence.getters = self.shared.getters
        self.compiler = Compiler(
            self.program,
            self.rule,
            self.shared,
            self.matcher,
            self.evidence,
            self._is_looked_into,
            self.undo_full.__contains__,
            self._requires,
            self.inferred,
            self.careful,
        )
        tests = self.tests or self.rule.tests
        shipped = self.rule.head.optional
        self.needing = Near(self.program, (*self.rule.needs, *self.rule.evidence), tests, shipped)
        self.undoing = Near(self.program, self.rule.undone_by, tests, shipped)
        self.called = self._names_called()

    def grow(self) -> None:
        """Solve the bodies that the targets stand in, then callers as long as they have something to meet."""
        frontier = sorted(self._seeds())
        reached: set[int] = set()
        height = 0
        while frontier and (height <= self._reach()[0] or self.rule.initially == "unmet"):
            height += 1
            self.solve(frontier)
            unmet = [
                function for function in frontier if function not in self.deep and self._is_unmet(function)
            ]
            if unmet:
                self.look_into(unmet)
                self.solve(frontier)
            raising = {
                function
                for function in sorted(self.fresh)
                if function in self.solved
                and set(self.solved[function].summary.requires) - set(self._requires(function))
            }
            self.fresh.clear()
            for function in raising:
                self.requiring[function] = self.solved[function].summary.requires
            callers = {edge.caller for function in sorted(raising) for edge in self.callers(function)}
            self._forget(callers)
            # What was solved with the help of something forgotten must be solved again too.
            reached.update(frontier)
            frontier = sorted(callers | {one for one in self.lost & reached if one not in self.solved})
            self.lost.clear()
        self._index()

    def _seeds(self) -> set[int]:
        """The functions that may come to a target, or make evidence."""
        tests, shipped = self.tests or self.rule.tests, self.rule.head.optional
        seeds = Near(self.program, self.rule.targets, tests, shipped).speaking()
        making = Near(self.program, self.rule.evidence, tests, shipped).speaking()
        making.update(self.evidence.writers(), self.evidence.makers())
        if self.rule.initially == "met":
            below = self._below_an_undo()
            seeds, making = seeds & below, making & below
        # What is itself a target or a need only hands on.
        found = {one for one in seeds | making if self.is_wanted(one) and not self.compiler.is_muted(one)}
        if any(True for _ in self.evidence.deriving("Default")):
            return found
        return {one for one in sorted(found) if one in making or self._may_call_a_target(one)}

    def _may_call_a_target(self, function: int) -> bool:
        """Whether a body calls a target, as far as is told without its graph; see `_names_called`."""
        if self.called is None:
            return True
        # That it is none was read off the body.
        self.program.recorder.now.bodies.add(function)
        spelled = self.program.reaching.spelled
        return any(spelled.may_use(function, name) for name in self.called) and self._calls_a_target(function)

    def _calls_a_target(self, function: int) -> bool:
        """Whether a call of a function is one of a target; a tuple struct's construction looks the same."""
        patterns = [one for one in self.rule.targets if isinstance(one, CallPattern)]
        if any(one.arguments is None or one.path[-1][:1].isupper() for one in patterns):
            return True
        judged = self.program.judge(function)
        return any(
            self.matcher.may_match(pattern, call, judged)
            for call in (*judged.calls.values(), *judged.implied)
            for pattern in patterns
        )

    def _names_called(self) -> tuple[str, ...] | None:
        """The names by which the targets are called; None where they may happen without being called by name."""
        names: dict[str, None] = {}
        for pattern in self.rule.targets:
            if not isinstance(pattern, CallPattern) or pattern.macro:
                return None
            if "*" in pattern.path[-1] or pattern.path[-1] in UNNAMED:
                return None
            names.update(dict.fromkeys(self.program.names_for(pattern.path[-1])))
        return tuple(names)

    def _below_an_undo(self) -> set[int]:
        """
        The functions that something may call after an undo, or that may do one themselves.

        Where a need is met to begin with, all else is fine as it is.
        """
        highest, common = self._reach()
        tests = self.tests or self.rule.tests
        targets = Near(self.program, self.rule.targets, tests, self.rule.head.optional)
        meeting = self.undoing.levels(highest, common) & targets.levels(highest, common)
        functions = self.program.tables.functions
        found = set(meeting)
        for function in targets.speaking() - meeting:
            above = {function}
            for _ in range(highest):
                names = {functions[one].name for one in above}
                above = {one for name in names for one in mentioning(name, self.program)}
                if len(above) > common:
                    break
                if above & meeting:
                    found.add(function)
                    break
        return found

    def _reach(self) -> tuple[int, int]:
        """How many calls up an undo is looked for, and how many bodies may hold a name that is followed."""
        return (5, 20) if len(self.program.tables.functions) <= SMALL else (2, 12)

    def look_into(self, functions: Iterable[int]) -> None:
        """Look into the calls of the functions, and into theirs, where a need may be reached."""
        wanted = {function for function in functions if function not in self.deep}
        self._forget({function for function in wanted if self._may_gain(function)})
        self.deep |= wanted

    def _may_gain(self, function: int) -> bool:
        """Whether the function calls anything that may come to a need."""
        return any(callee in self.needing for callee in self.shared.outline(self.program, function).callees)

    def _settle(self, functions: Iterable[int]) -> None:
        """Say of all that is called and may do something, and so downward, that all of its calls count."""
        waiting = list(functions)
        for function in waiting:
            for callee in self.compiled(function).called:
                grown = False
                if callee not in self.undo_full and self._does_something(function, callee):
                    self.undo_full.add(callee)
                    grown = True
                if callee not in self.need_full and self._counts_needs(function, callee):
                    self.need_full.add(callee)
                    grown = True
                if grown:
                    self._forget({callee})
                    waiting.append(callee)

    def _does_something(self, function: int, callee: int) -> bool:
        """Whether a callee is called for what it leaves behind, and not only for what it requires."""
        return callee in self.undoing or self._counts_needs(function, callee)

    def _counts_needs(self, function: int, callee: int) -> bool:
        return (function in self.deep or function in self.need_full) and callee in self.needing

    def solve(self, functions: Collection[int]) -> None:
        """Solve the functions, their callees before them."""
        self._settle(functions)
        starts = [function for function in functions if function not in self.summaries]
        for component in list(components(starts, self.callees, self.summaries.__contains__)):
            solve_component(
                component,
                self.summaries,
                BOTTOM,
                self._compute,
                self.callees,
                cyclic=is_cyclic(component, self.callees),
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
                Standing(self.compiled(function), lambda key: self._is_held(function, key)),
                self.shared.writes.of,
            )
        return found

    def walk(self, function: int) -> Walk:
        """The ways through a function that is solved; kept."""
        found = self.walks.get(function)
        if found is None:
            found = self.walks[function] = Walk(self.solver(function), self.solved[function].states)
        return found

    def _compute(self, function: int) -> Summary:
        compiled = self.compiled(function)
        self.fresh.add(function)
        for callee in compiled.into:
            self.users.setdefault(callee, set()).add(function)
        self.solved[function] = solved = self._solve(compiled)
        return solved.summary

    def _solve(self, compiled: Compiled) -> Solved:
        """The function solved; a silent one once for all rules under which its callees are alike."""
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
            return Solved(compiled, self.shared.one(summary))
        if compiled.silent is None:
            return self._run_once(compiled)
        key = (compiled.silent, *(id(self.summaries.get(one, BOTTOM)) for one in compiled.into))
        return self.program.recorder.remembered(self.shared.solved, key, lambda: self._run(compiled))

    def _run_once(self, compiled: Compiled) -> Solved:
        """The function solved; it is asked for again whenever a callee is looked into, and mostly is as it was."""
        given = tuple(self.summaries.get(one, BOTTOM) for one in compiled.into)
        runs = self.runs.setdefault(compiled.function, [])
        for run in runs:
            if run.is_of(compiled, given) and self._is_as_held(run):
                self.program.recorder.now.add(run.reads)
                return run.solved
        self.held = {}
        solved, reads = self.program.recorder.apart(lambda: self._run(compiled))
        self.program.recorder.now.add(reads)
        runs.append(Run(compiled, given, self.evidence.types, self.held, solved, reads))
        return solved

    def _is_held(self, function: int, key: Key) -> bool:
        found = self.held[key] = self.evidence.is_held(function, key)
        return found

    def _is_as_held(self, run: Run) -> bool:
        """Whether evidence says the same as it did then, and nobody makes one whom the function calls."""
        if run.types == self.evidence.types:
            return True
        function = run.compiled.function
        return all(
            self.evidence.is_held(function, key) == found for key, found in run.held.items()
        ) and not any(
            self.evidence.may_build(callee) for callee in self.shared.outline(self.program, function).callees
        )

    def _run(self, compiled: Compiled) -> Solved:
        self.shared.runs += 1
        solved = self.solver(compiled.function).run()
        solved.summary = self.shared.one(solved.summary)
        return solved

    def callees(self, function: int) -> tuple[int, ...]:
        """The functions that calls of the function are looked into for."""
        return self.compiled(function).into

    def callers(self, function: int) -> tuple[Edge, ...]:
        """The calls of a function that count for the rule; those of tests only where it asks for them."""
        key = (function, self.tests or self.rule.tests)
        return self.program.recorder.remembered(
            self.shared.callers, key, lambda: tuple(self._find_callers(function))
        )

    def _find_callers(self, function: int) -> Iterable[Edge]:
        for caller in self.program.candidates(function, tests=self.tests or self.rule.tests):
            if self.is_wanted(caller) and self.program.may_call(caller, function):
                for edge in self.program.edges(caller):
                    if edge.target.function == function:
                        yield edge

    def is_wanted(self, function: int) -> bool:
        """Whether roads through the function are reported."""
        record = self.program.tables.functions[function]
        return record.active and (self.tests or self.rule.tests or not record.test)

    def _requires(self, function: int) -> tuple[Key, ...]:
        return self.requiring.get(function, ())

    def _is_unmet(self, function: int) -> bool:
        solved = self.solved.get(function)
        return solved is not None and any(verdict.bits != YES for verdict in solved.verdicts)

    def _is_looked_into(self, function: int, callee: int) -> bool:
        """Whether a call of the callee, made in the function, is more than a call."""
        if not self.program.tables.functions[callee].has_body:
            return False
        return callee in self.requiring or self._does_something(function, callee)

    def _forget(self, functions: set[int]) -> None:
        """Forget the functions, and all that was solved with their help."""
        for function in functions:
            self.compiler.known.pop(function, None)
        if not any(function in self.solved for function in functions):
            return
        for function in closure(sorted(functions), lambda one: sorted(self.users.get(one, ()))):
            if self.solved.pop(function, None) is not None:
                self.lost.add(function)
            self.summaries.pop(function, None)
            self.solvers.pop(function, None)

    def _index(self) -> None:
        raised: dict[tuple[int, Key], list[tuple[int, Verdict]]] = defaultdict(list)
        for function, solved in sorted(self.solved.items()):
            if self.is_wanted(function):
                for verdict in solved.verdicts:
                    if verdict.source is not None:
                        raised[verdict.source].append((function, verdict))
        self.raised = dict(raised)
