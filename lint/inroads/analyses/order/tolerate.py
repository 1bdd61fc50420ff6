"""Where the bad state hurts, and whether it is tolerated there: `fails` and `bad`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from inroads.analyses.order.cone import Cone
from inroads.analyses.order.present import named
from inroads.analyses.order.witness import step_at
from inroads.analyses.order.words import short
from inroads.analyses.order.world import condition_places
from inroads.facts import Position, Step
from inroads.lower.model import Assume, Call, Graph, Place, Return
from inroads.lower.places import is_within
from inroads.pattern import ConditionPattern, PlacePattern, captures
from inroads.pattern_match import calls_by_result
from inroads.pattern_syntax import Argument, CallPattern, Capture

if TYPE_CHECKING:
    from inroads.program import Program


def guards(cone: Cone) -> tuple[Position, ...]:
    """
    The guards' places, if every function that fails on the bad state tolerates it; else nothing.

    It is tolerated where a branch on the bad condition leaves without an error
    before every Err exit whose condition reads what the bad state is about.
    """
    found: list[Position] = []
    for function, pattern, bad in _failing_functions(cone):
        guard, _ = _in_bad_state(cone, function, pattern, bad)
        if guard is None:
            return ()
        found.append(guard)
    return tuple(sorted(set(found)))


def failures(cone: Cone) -> tuple[Step, ...]:
    """Where the functions that fail on the bad state do so: the condition that leaves with an error."""
    found: set[Step] = set()
    for function, pattern, bad in _failing_functions(cone):
        guard, place = _in_bad_state(cone, function, pattern, bad)
        if guard is None and place is not None:
            name = short(cone.program.tables.functions[function].path)
            state = _named(cone.rule.bad_text, pattern)
            found.add(step_at(place, f"`{name}` leaves with an Err here when `{state}`"))
    return tuple(sorted(found, key=lambda step: (step.path, step.line, step.column)))


def _named(bad: str, pattern: CallPattern) -> str:
    """The bad state in the words of the failing function: `target_lens.is_empty()`."""
    for argument in pattern.arguments.items if pattern.arguments is not None else ():
        if isinstance(argument.operand, Capture):
            name = argument.operand.name
            bad = re.sub(rf"\${name}\b", argument.name or name, bad)
    return bad


def _failing_functions(cone: Cone) -> Iterable[tuple[int, CallPattern, ConditionPattern]]:
    """The functions that the rule's `fails` name, each with its pattern and the bad condition."""
    rule = cone.rule
    if rule.bad is None:
        return
    functions = cone.program.tables.functions
    for pattern in rule.fails:
        if not isinstance(pattern, CallPattern):
            continue
        for function in named(pattern.path[-1], cone.program):
            record = functions[function]
            if (
                record.has_body
                and not record.test
                and record.active
                and cone.matcher.is_function(pattern, function)
            ):
                yield function, pattern, rule.bad


def _in_bad_state(
    cone: Cone, function: int, pattern: CallPattern, bad: ConditionPattern
) -> tuple[Position | None, Position | None]:
    """The guard that tolerates the bad state, or the condition whose Err exit is reached in it; else neither."""
    program = cone.program
    graph = program.graph(function)
    judged = program.judge(function)
    calls = calls_by_result(graph)
    read = _captured_places(program, function, graph, pattern, bad)
    if not read:
        return None, None
    guard: Assume | None = None
    cut: set[int] = set()
    for block in graph.blocks:
        for event in block.events[:1]:
            if not isinstance(event, Assume):
                continue
            holds = cone.matcher.condition(bad, event.condition, True, judged, calls) is not None
            fails = cone.matcher.condition(bad, event.condition, False, judged, calls) is not None
            about = any(is_within(place, one) for place in condition_places(event.condition) for one in read)
            if not about or not (holds or fails):
                continue
            if event.side == holds:
                if guard is None and _leaves_without_error(graph, block.id):
                    guard = event
            else:
                # In the bad state this branch is not taken.
                cut.add(block.id)
    error = _reached_error(graph, cut, read)
    if error is not None:
        return None, program.place(judged, error.row, "start")
    return (program.place(judged, guard.row, "start") if guard is not None else None), None


def _captured_places(
    program: Program, function: int, graph: Graph, pattern: CallPattern, bad: ConditionPattern
) -> tuple[Place, ...]:
    """The parameters that the bad condition speaks of."""
    subject = bad.subject
    wanted = (
        {subject.root.name}
        if isinstance(subject, PlacePattern) and isinstance(subject.root, Capture)
        else set(captures(subject) if not isinstance(subject, PlacePattern) else ())
    )
    item = program.tables.functions[function].item
    names = ["self"] if item.receiver is not None else []
    names.extend(getattr(parameter.pattern, "name", "") for parameter in item.parameters)
    found: list[Place] = []
    arguments: tuple[Argument, ...] = pattern.arguments.items if pattern.arguments is not None else ()
    for index, argument in enumerate(arguments):
        if isinstance(argument.operand, Capture) and argument.operand.name in wanted:
            at = names.index(argument.name) if argument.name in names else index
            if at < len(graph.parameters):
                found.append(graph.parameters[at])
    return tuple(found)


def _leaves_without_error(graph: Graph, start: int) -> bool:
    """Whether every way on from a block leaves the function, and none with an error."""
    outcomes: set[str] = set()
    seen = {start}
    waiting = [start]
    while waiting:
        block = graph.blocks[waiting.pop()]
        if any(isinstance(event, Call) for event in block.events):
            return False
        for event in block.events:
            if isinstance(event, Return):
                outcomes.add(event.outcome)
        for successor in block.successors:
            if successor not in seen:
                seen.add(successor)
                waiting.append(successor)
    return bool(outcomes) and "err" not in outcomes


def _reached_error(graph: Graph, cut: set[int], read: tuple[Place, ...]) -> Assume | None:
    """The first condition on the places that leads to an Err exit only and can be met in the bad state."""
    seen = {0}
    waiting = [0]
    while waiting:
        for successor in graph.blocks[waiting.pop()].successors:
            if successor not in seen and successor not in cut:
                seen.add(successor)
                waiting.append(successor)
    for number in sorted(seen):
        block = graph.blocks[number]
        for event in block.events[:1]:
            if not isinstance(event, Assume):
                continue
            about = any(is_within(place, one) for place in condition_places(event.condition) for one in read)
            if about and _only_errs(graph, number):
                return event
    return None


def _only_errs(graph: Graph, start: int) -> bool:
    """Whether every way on from a block is an Err exit."""
    outcomes: set[str] = set()
    seen = {start}
    waiting = [start]
    while waiting:
        block = graph.blocks[waiting.pop()]
        outcomes.update(event.outcome for event in block.events if isinstance(event, Return))
        for successor in block.successors:
            if successor not in seen:
                seen.add(successor)
                waiting.append(successor)
    return outcomes == {"err"}
