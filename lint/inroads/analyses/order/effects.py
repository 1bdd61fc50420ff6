"""
What the events of a function mean for one rule: its graph, boiled down to effects.

Most events mean nothing to a rule; the blocks of effects are short, and it is
these that the fixpoint runs over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec

from inroads.analyses.order.keys import Key
from inroads.facts import How
from inroads.lower.model import Call, Cause, Condition, Graph, Outcome, Place, Root


class TargetEffect(msgspec.Struct, frozen=True):
    """
    The target happens, so that the key must have been established.

    `how` is the edge by which it is known. `evidence` tells that what happens
    is the construction of evidence, which is checked like a target.
    """

    row: int
    key: Key
    how: How = "exact"
    evidence: str = ""
    callee: str = ""


class NeedEffect(msgspec.Struct, frozen=True):
    """
    The need happens.

    Args:
        success: The condition under which it counts: (condition, side); None where it counts on return.
        weak: Whether it is only perhaps the need.
        guard: The row of the call whose value must be held, for `while_held`.
    """

    row: int
    key: Key
    success: tuple[Condition, bool] | None = None
    weak: bool = False
    guard: int | None = None


class UndoEffect(msgspec.Struct, frozen=True):
    """An undo happens."""

    row: int
    key: Key


class CallEffect(msgspec.Struct, frozen=True):
    """
    A call into bodies that may do something.

    Args:
        targets: The functions whose summaries matter.
        opaque: Whether it may also run something that does nothing for the rule.
        need: What the targets do that a need's pattern speaks for.
    """

    event: Call
    targets: tuple[int, ...]
    opaque: bool
    need: NeedEffect | None = None


class RequireEffect(msgspec.Struct, frozen=True):
    """The same call, before it: what its bodies require must have been established."""

    event: Call
    targets: tuple[int, ...]


class MutateEffect(msgspec.Struct, frozen=True):
    """
    A value is handed on to be changed: what is known of its inside may end.

    Args:
        targets: The functions of the workspace that get it, each with the argument's number.
        foreign: Whether something else gets it.
        grows: Whether it is a collection that gets new elements, for which nothing was done yet.
    """

    place: Place
    targets: tuple[tuple[int, int], ...]
    foreign: bool
    grows: bool = False


class AssumeEffect(msgspec.Struct, frozen=True):
    """On this path the condition is `side`; `evidence` are the keys that this proves."""

    row: int
    condition: Condition
    side: bool
    cause: Cause
    tracked: bool
    evidence: tuple[Key, ...] = ()


class CopyEffect(msgspec.Struct, frozen=True):
    """Facts of the source hold for the target."""

    source: Place
    target: Place


class WriteEffect(msgspec.Struct, frozen=True):
    """A place gets a value: earlier facts of it end, and what is known of the value is known of it."""

    place: Place
    before: Place | None
    source: Place | None
    knows: tuple[tuple[Condition, bool], ...]
    condition: tuple[Condition, Condition, bool] | None
    is_code: bool = True


class HandEffect(msgspec.Struct, frozen=True):
    """A callable that came in as argument number `argument` is run on the one place."""

    row: int
    argument: int
    place: Place


class ReleaseEffect(msgspec.Struct, frozen=True):
    """The guards that these calls gave end."""

    rows: tuple[int, ...]


class HandOutEffect(msgspec.Struct, frozen=True):
    """The guards that these calls gave are returned."""

    rows: tuple[int, ...]


class ReturnEffect(msgspec.Struct, frozen=True):
    """A way out."""

    row: int | None
    outcome: Outcome
    value: Place | None


Effect: TypeAlias = (
    TargetEffect
    | NeedEffect
    | UndoEffect
    | CallEffect
    | RequireEffect
    | MutateEffect
    | AssumeEffect
    | CopyEffect
    | WriteEffect
    | HandEffect
    | ReleaseEffect
    | HandOutEffect
    | ReturnEffect
)


class Compiled(msgspec.Struct):
    """
    A function's graph as effects.

    Args:
        blocks: For each block of the graph its effects.
        canonical: The place by another name: of the argument that a result stands for.
        counted_loops: Loops of which it is told whether they made a turn: those in which a need or an undo
            speaks of this turn's element, and `sure_loops`, which are known to make one.
        crowded: Whether more conditions are tested twice than are followed.
        idle: Whether nothing in it matters to the rule, so that it ends as it began.
        into: The functions that its calls are looked into for; `called` those whose effects count.
        elements: The elements of arrays of several.
        runs: For closures that run more than once, by their rows, the roots of what each run is given.
        silent: What it depends on, where it is the same for every rule of which it holds no event; else None.
    """

    function: int
    graph: Graph
    blocks: list[tuple[Effect, ...]]
    canonical: Callable[[Place], Place]
    counted_loops: frozenset[int] = frozenset()
    sure_loops: frozenset[int] = frozenset()
    crowded: bool = False
    idle: bool = False
    calls: dict[Place, Call] = msgspec.field(default_factory=dict)
    into: tuple[int, ...] = ()
    called: tuple[int, ...] = ()
    silent: tuple[object, ...] | None = None
    elements: Mapping[Place, tuple[Place, ...]] = msgspec.field(default_factory=dict)
    runs: Mapping[int, tuple[Root, ...]] = msgspec.field(default_factory=dict)
