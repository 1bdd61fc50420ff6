"""
The witness: how control comes to the call without the need, in steps that a person can follow.

Within one function a shortest way through (block, world) pairs is looked for
on which the key is not met; of the branches on it those are told that lead
past the need.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.order.cone import Cone
from inroads.analyses.order.effects import CallEffect, Compiled, NeedEffect, UndoEffect
from inroads.analyses.order.ends import End
from inroads.analyses.order.keys import Key, covers
from inroads.analyses.order.summaries import Verdict
from inroads.analyses.order.words import condition_words, needs_name, quoted, short
from inroads.analyses.order.world import UNDONE, YES, World
from inroads.facts import Position, Step
from inroads.flow import common_dominator
from inroads.lower.model import Assume, Is

if TYPE_CHECKING:
    from inroads.program import Program

MOST_MISSED = 20
"""Needs beside the way for which the branch past them is looked for."""


def road_steps(cone: Cone, end: End, last_note: str) -> tuple[Step, ...]:
    """The steps from the frame where the requirement ended to the site."""
    steps: list[Step] = []
    last = len(end.frames) - 1
    for number, (function, verdict) in enumerate(end.frames):
        if number == 0:
            record = cone.program.tables.functions[function]
            begins = ", an entry point" if end.kind == "root" else " begins"
            steps.append(step_at(record.position, f"`{short(record.path)}`{begins}"))
        if end.kind != "good":
            steps.extend(_past_needs(cone, function, verdict))
        steps.append(_call_step(cone, function, verdict) if number < last else _last(cone, end, last_note))
    return tuple(steps)


def _past_needs(cone: Cone, function: int, verdict: Verdict) -> tuple[Step, ...]:
    """The branches of a frame; kept, since many roads lead through one frame."""
    key = (function, verdict.row, verdict.key)
    found = cone.told.get(key)
    if found is None:
        found = cone.told[key] = tuple(_branches(cone, function, verdict))
    return found


def _call_step(cone: Cone, function: int, verdict: Verdict) -> Step:
    """The call of the next frame's function; kept by the function that is called."""
    source = -1 if verdict.source is None else verdict.source[0]

    def find() -> Step:
        position = row_position(cone.program, function, verdict.row)
        callee = cone.program.tables.functions[source]
        return step_at(position, f"calls `{short(callee.path)}`")

    key = (function, verdict.row, source)
    return cone.program.recorder.remembered(cone.shared.steps, key, find)


def _last(cone: Cone, end: End, note: str) -> Step:
    function, verdict = end.frames[-1]
    return step_at(row_position(cone.program, function, verdict.row), note)


def row_position(program: Program, function: int, row: int) -> Position:
    """Where the name of the called function, or of the field, stands."""
    return program.place(program.judge(function), row, "name")


def step_at(position: Position, note: str) -> Step:
    """A step of a road."""
    return Step(path=position.path, line=position.line, column=position.column, note=note)


class Place(msgspec.Struct, frozen=True):
    """A block and, behind it, where in the block."""

    block: int
    row: int


def need_places(cone: Cone, function: int, key: Key) -> list[Place]:
    """The calls in a function that do the need for the key, or may do it."""
    found: list[Place] = []
    for number, effects in enumerate(cone.compiled(function).blocks):
        for effect in effects:
            match effect:
                case NeedEffect(row=row, key=done) if covers(done, key) != "other":
                    found.append(Place(number, row))
                case CallEffect(event=event, targets=targets):
                    solver = cone.solver(function)
                    for target in targets:
                        summary = cone.summaries.get(target)
                        for _, ensured in summary.ensures if summary is not None else ():
                            for inner, _ in ensured:
                                own = solver.inward(inner, event, World())
                                if own is not None and covers(own, key) != "other":
                                    found.append(Place(number, event.row))
                case _:
                    pass
    return list(dict.fromkeys(found))


def bad_path(cone: Cone, function: int, verdict: Verdict) -> list[int]:
    """The blocks of a shortest way from the entry to the event on which the key is not met; empty if none is found."""
    walk = cone.walk(function)
    solver = cone.solver(function)
    wanted = UNDONE if verdict.bits & UNDONE else ~YES

    def is_unmet(world: World) -> bool:
        worlds = [world]
        for effect in cone.compiled(function).blocks[verdict.block][: verdict.at]:
            worlds = solver.advance(effect, worlds)
        return any(solver.standing.status(verdict.key, one) & wanted for one in worlds)

    def is_open(world: World) -> bool:
        return bool(solver.standing.status(verdict.key, world) & ~YES)

    path = walk.to(verdict.block, is_unmet)
    return path if path or verdict.bits & UNDONE else walk.roughly_to(verdict.block, verdict.key, is_open)


def _branches(cone: Cone, function: int, verdict: Verdict) -> list[Step]:
    """The branches taken past a need, in the order of the way."""
    needs = need_places(cone, function, verdict.key)
    undoing = verdict.bits & UNDONE
    if not needs and not undoing:
        return []
    path = bad_path(cone, function, verdict)
    if undoing:
        undone = _undone(cone, function, path, verdict)
        if undone:
            return undone
    compiled = cone.compiled(function)
    walk = cone.walk(function)
    on_path = set(path)
    missed = [need for need in needs if need.block not in on_path][:MOST_MISSED]
    above = {need.block: walk.above(need.block) for need in missed}
    steps: list[Step] = []
    told: set[int] = set()
    last = {block: at for at, block in enumerate(path)}
    for at, (block, successor) in enumerate(pairwise(path)):
        # Where the way comes by again, a turn of a loop has led past nothing yet.
        if at < last[block] or len(compiled.graph.blocks[block].successors) < 2:
            continue
        for need in missed:
            goal = need.block
            if goal not in told and walk.leads_past(block, successor, goal, above[goal]):
                step = _branch_step(cone, function, compiled, block, successor, need)
                if step is not None:
                    told.add(goal)
                    steps.append(step)
    if not steps:
        steps.extend(_failed(cone, function, path, needs))
    return steps


def _branch_step(
    cone: Cone, function: int, compiled: Compiled, block: int, successor: int, need: Place
) -> Step | None:
    program = cone.program
    line = row_position(program, function, need.row)
    judged = program.judge(function)
    loop = next((one for one in compiled.graph.loops if one.header == block and one.done == successor), None)
    if loop is not None:
        over = f" over {quoted(loop.over)}" if loop.over is not None else ""
        position = program.place(judged, loop.row, "start")
        return step_at(position, f"the loop{over} may run zero times: the need at {line.line} is not reached")
    first = compiled.graph.blocks[successor].events[:1]
    if not first or not isinstance(first[0], Assume):
        return None
    assumed = first[0]
    position = program.place(judged, assumed.row, "start")
    words = condition_words(assumed.condition, assumed.side)
    if isinstance(assumed.condition, Is) and assumed.cause == "return":
        return step_at(position, f"{words}: the need at {line.line} is not reached")
    return step_at(position, f"{words}: the need at {line.line} is skipped")


def _undone(cone: Cone, function: int, path: list[int], verdict: Verdict) -> list[Step]:
    """The last undo on the way."""
    solver = cone.solver(function)
    rows: list[tuple[int, str]] = []
    for block in path:
        effects = cone.compiled(function).blocks[block]
        for effect in effects[: verdict.at] if block == verdict.block else effects:
            match effect:
                case UndoEffect(row=row, key=key) if covers(key, verdict.key) == "same":
                    named = (
                        "undoes it" if cone.rule.needs else f"{needs_name(cone.rule.undone_by)} stands here"
                    )
                    rows.append((row, named))
                case CallEffect(event=event, targets=targets):
                    for target in targets:
                        summary = cone.summaries.get(target)
                        for inner in summary.undoes if summary is not None else ():
                            own = solver.inward(inner, event, World())
                            if own is not None and covers(own, verdict.key) == "same":
                                rows.append((event.row, "may undo it"))
                case _:
                    pass
    return [step_at(row_position(cone.program, function, row), note) for row, note in rows[-1:]]


def _failed(cone: Cone, function: int, path: list[int], needs: list[Place]) -> list[Step]:
    """Needs on the way that did not count: they failed, and the error was not passed on."""
    steps: list[Step] = []
    graph = cone.compiled(function).graph
    at = {block: place for place, block in reversed(list(enumerate(path)))}
    tests: dict[int, list[tuple[int, Assume]]] = {}
    for place, block in enumerate(path):
        first = graph.blocks[block].events[:1]
        if (
            first
            and isinstance(first[0], Assume)
            and isinstance(first[0].condition, Is)
            and not first[0].side
        ):
            tests.setdefault(first[0].condition.place.root.index, []).append((place, first[0]))
    for need in [need for need in needs if need.block in at][:MOST_MISSED]:
        test = next((one for place, one in tests.get(need.row, ()) if at[need.block] <= place), None)
        position = row_position(cone.program, function, need.row)
        if test is None:
            note = "may fail here: its Result is not tested before the way goes on"
        else:
            outcome = "Err" if getattr(test.condition, "variant", "") == "Ok" else "None"
            note = f"gives {outcome} here, and the way goes on without it"
        steps.append(step_at(position, note))
    return steps


def mending_place(cone: Cone, function: int, verdict: Verdict) -> Position:
    """The nearest place where the need could be called so that all paths have it."""
    needs = need_places(cone, function, verdict.key)
    graph = cone.compiled(function).graph
    blocks = sorted({verdict.block, *(need.block for need in needs)})
    block = common_dominator(blocks, cone.walk(function).dominators())
    if block == verdict.block or not needs:
        return row_position(cone.program, function, verdict.row)
    # Where the ways part: before the test that the successors of the block begin with.
    tests = [
        first[0].row
        for one in graph.blocks[block].successors
        if (first := graph.blocks[one].events[:1]) and isinstance(first[0], Assume)
    ]
    if not tests:
        return row_position(cone.program, function, verdict.row)
    return cone.program.place(cone.program.judge(function), tests[0], "start")
