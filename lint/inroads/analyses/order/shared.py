"""
What all rules may share of a program: which events a function has by name, whom it calls, what was solved.

A function in which no event bears a name that a rule speaks of is silent for the
rule: how it stands depends on its callees alone. Fifty rules that lift the same
keys through the same functions so need each function solved once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.order.effects import Compiled
from inroads.analyses.order.keys import Key
from inroads.analyses.order.leading import Leading
from inroads.analyses.order.moving import lifted_key
from inroads.analyses.order.summaries import BOTTOM, Solved, Summary
from inroads.analyses.order.turns import whole
from inroads.analyses.order.world import condition_places
from inroads.facts import BlockRow, LiteralRow, Region, Step
from inroads.lower.model import (
    Assume,
    Build,
    Call,
    Compare,
    Condition,
    Drop,
    Event,
    Field,
    Is,
    Length,
    Place,
    Read,
    Truth,
    Write,
)
from inroads.pattern_match import CallsByResult, calls_by_result, place_type
from inroads.reads import Reads, valued
from inroads.resolve.model import Judged
from inroads.store import decode_body
from inroads.summary_writes import Writes

if TYPE_CHECKING:
    from inroads.program import Edge, Program

Position = tuple[int, int]


class Outline(msgspec.Struct, frozen=True):
    """
    A function in short.

    Args:
        names: The names by which a pattern may speak of its events: each with (block, index) of those; the
            workspace's macros that are called too, as `name!`.
        callees: The functions of the workspace that it calls, sorted.
    """

    names: dict[str, tuple[Position, ...]]
    callees: tuple[int, ...]


class Shared(msgspec.Struct):
    """
    Args:
        vocabulary: All names of all outlines, in the order in which they were met; `words` the same as a set.
        compiled, solved: Of silent functions, by all that they depend on.
        known: One object for each summary, so that equal ones are told by their identity.
        callers: See `Cone.callers`, by function and whether tests count.
        getters: See `Evidence.returned`.
        steps: Calls as steps of a road: (caller, row, callee).
        roots: See `roots.is_root`, by what a rule says of roots.
        lifted: See `moving.lifted_key`.
        near: From where an event of these patterns may be reached, see `Near`.
        ending: Whether a function calls one that never returns.
        numbers: The values of constants, by their paths.
        runs: How often a function was solved; what tests of cost count.
    """

    writes: Writes
    outlines: dict[int, tuple[Outline, Reads]] = msgspec.field(default_factory=dict)
    vocabulary: list[str] = msgspec.field(default_factory=list)
    words: set[str] = msgspec.field(default_factory=set)
    compiled: dict[tuple[object, ...], tuple[Compiled, Reads]] = msgspec.field(default_factory=dict)
    solved: dict[tuple[object, ...], tuple[Solved, Reads]] = msgspec.field(default_factory=dict)
    known: dict[Summary, Summary] = msgspec.field(default_factory=lambda: {BOTTOM: BOTTOM})
    callers: dict[tuple[int, bool], tuple[tuple[Edge, ...], Reads]] = msgspec.field(default_factory=dict)
    getters: dict[int, tuple[Place | None, Reads]] = msgspec.field(default_factory=dict)
    steps: dict[tuple[int, int, int], tuple[Step, Reads]] = msgspec.field(default_factory=dict)
    roots: dict[tuple[object, ...], dict[int, tuple[bool, Reads]]] = msgspec.field(default_factory=dict)
    lifted: dict[Key, Key | None] = msgspec.field(default_factory=dict)
    near: dict[tuple[object, ...], tuple[Leading, Reads]] = msgspec.field(default_factory=dict)
    ending: dict[int, tuple[bool, Reads]] = msgspec.field(default_factory=dict)
    numbers: dict[str, tuple[int | None, Reads]] = msgspec.field(default_factory=dict)
    tested: bool | None = None
    runs: int = 0

    def has_tests(self, program: Program) -> bool:
        """Whether there is test code at all."""
        if self.tested is None:
            self.tested = any(one.test for one in program.tables.functions)
        return self.tested

    def number(self, program: Program, path: str) -> int | None:
        """The value of the constant of this path, if it is written as a plain number; kept."""
        return program.recorder.remembered(self.numbers, path, lambda: _number(program, path))

    def outline(self, program: Program, function: int) -> Outline:
        """The outline of a function; kept."""
        known = self.outlines.get(function)
        if known is None:
            found = program.recorder.remembered(self.outlines, function, lambda: _outline(program, function))
            self.vocabulary.extend(name for name in found.names if name not in self.words)
            self.words.update(found.names)
            return found
        program.recorder.now.add(known[1])
        return known[0]

    def lift(self, key: Key) -> Key | None:
        """What callers must have done for a key, or None: see `lifted_key`."""
        if key not in self.lifted:
            self.lifted[key] = lifted_key(key)
        return self.lifted[key]

    def one(self, summary: Summary) -> Summary:
        """The one object that stands for this summary."""
        return self.known.setdefault(summary, summary)


def shared_of(program: Program) -> Shared:
    """What rules have found out about the program so far."""
    found = program.shared.get("order")
    if not isinstance(found, Shared):
        found = program.shared["order"] = Shared(Writes(program))
    return found


def _number(program: Program, path: str) -> int | None:
    # The value is no part of the skeleton.
    program.recorder.now.names.add(valued(path.rpartition("::")[2]))
    found = [one for one in program.tables.constants if one.path == path and not one.item.is_static]
    if len(found) != 1 or found[0].item.body is None:
        return None
    body = decode_body(program.tables.sources[found[0].source].facts.bodies[found[0].item.body].data)
    row = body.rows[body.root.value] if body.root.value is not None else None
    return whole(row.text) if isinstance(row, LiteralRow) else None


def _outline(program: Program, function: int) -> Outline:
    graph = program.graph(function)
    calls = calls_by_result(graph)
    names: dict[str, list[Position]] = {}
    callees: set[int] = set()
    for block in graph.blocks:
        for at, event in enumerate(block.events):
            for name in event_names(event, calls):
                names.setdefault(name, []).append((block.id, at))
            if isinstance(event, Call):
                callees.update(one.function for one in event.call.targets if one.function is not None)
    for _, macro in own_macros(program, program.judge(function)):
        names.setdefault(f"{macro}!", [])
    return Outline({name: tuple(places) for name, places in names.items()}, tuple(sorted(callees)))


def event_names(event: Event, calls: CallsByResult) -> Iterable[str]:
    """The names of which a pattern that matches the event must have one as its own: see `own_name`."""
    match event:
        case Call():
            return _call_names(event)
        case Build(path=path):
            return (path.rpartition("::")[2],)
        case Read(place=place) | Write(place=place):
            return _place_names(place)
        case Drop():
            return ("drop",)
        case Assume(condition=condition):
            found = set(_branch_names(condition))
            for place in condition_places(condition):
                found.update(_place_names(place))
                call = calls.get(place)
                if call is not None:
                    found.update(_call_names(call))
            return found
        case _:
            return ()


def _branch_names(condition: Condition) -> tuple[str, ...]:
    """The sort of a branch; see `speech.own_name`, which gives a pattern without a name the same ones."""
    match condition:
        case Is(variant="Some" | "Ok" as variant):
            return (f"if {variant}",)
        case Is():
            return ("if variant", "if compared")
        case Truth():
            return ("if true",)
        case Compare(place=place) if place.steps and isinstance(place.steps[-1], Length):
            return ("if length", "if compared")
        case Compare():
            return ("if compared",)
        case _:
            return ()


def own_macros(program: Program, judged: Judged) -> list[tuple[Region, str]]:
    """The calls of the workspace's macros in a body: what each became, and the macro's name."""
    found: list[tuple[Region, str]] = []
    for row in judged.body.rows if judged.sources else ():
        if isinstance(row, BlockRow) and row.kind == "expansion" and row.body.start < row.body.end:
            source = judged.sources.get(judged.origin[row.body.start])
            if source is not None and source.macro is not None:
                found.append((row.body, program.tables.macros[source.macro].name))
    return found


def _call_names(event: Call) -> set[str]:
    found = {target.path.rpartition("::")[2] for target in event.call.targets}
    if event.call.declared is not None:
        found.add(event.call.declared.path.rpartition("::")[2])
    found.add(event.result.root.name.removesuffix("()"))
    return found


def _place_names(place: Place) -> set[str]:
    found = {step.name for step in place.steps if isinstance(step, Field)}
    found.update(step.type.rpartition("::")[2] for step in place.steps if isinstance(step, Field))
    found.add(place_type(place).rpartition("::")[2])
    found.add(place.root.type.rpartition("::")[2])
    if place.root.kind == "static":
        found.add(place.root.path.rpartition("::")[2])
    return found
