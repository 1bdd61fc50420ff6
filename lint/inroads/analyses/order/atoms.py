"""Which conditions of a function are followed, and in which loops elements are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from inroads.analyses.order.effects import (
    AssumeEffect,
    CallEffect,
    Effect,
    NeedEffect,
    UndoEffect,
    WriteEffect,
)
from inroads.analyses.order.keys import Key, mentions_turn, places
from inroads.analyses.order.world import condition_places
from inroads.lower.model import Compare, Graph, Length, Opaque, Place, Same

MOST_ATOMS = 8
MOST_GIVEN = 100
"""Places of which it is known that they got a constant, where there are more of them."""


def mark_followed(blocks: list[list[Effect]], followed: set[Place]) -> bool:
    """
    Mark the conditions that are followed, in place; True where there are more than that.

    Followed are the results of calls that do something, and what is tested
    twice, or only gets constants: at most `MOST_ATOMS` of these.
    """
    rows: dict[Place, set[int]] = defaultdict(set)
    given: set[Place] = set()
    for effects in blocks:
        for effect in effects:
            match effect:
                case AssumeEffect(condition=condition):
                    for place in condition_places(condition):
                        rows[_bare(place)].add(effect.row)
                case WriteEffect(place=place) if effect.knows or effect.condition:
                    given.add(place)
                case _:
                    pass
    wanted = [
        place
        for place, tested in rows.items()
        if place not in followed and (len(tested) > 1 or place in given)
    ]
    atoms = {*wanted[:MOST_ATOMS], *followed}
    kept = {*wanted[:MOST_GIVEN], *followed}
    for number, effects in enumerate(blocks):
        blocks[number] = [
            replace(effect, tracked=_is_tracked(effect, atoms))
            if isinstance(effect, AssumeEffect)
            else replace(effect, knows=(), condition=None)
            if isinstance(effect, WriteEffect) and MOST_GIVEN < len(wanted) and effect.place not in kept
            else effect
            for effect in effects
        ]
    return MOST_ATOMS < len(wanted)


def keyed_loops(graph: Graph, blocks: Sequence[Sequence[Effect]]) -> frozenset[int]:
    """The loops in which something is done for this turn's element."""
    found: set[int] = set()
    for number, loop in enumerate(graph.loops):
        if loop.over is not None and loop.done is not None:
            if any(_is_of_turn(effect, loop.row) for effects in blocks for effect in effects):
                found.add(number)
    return frozenset(found)


def tested_loops(graph: Graph, blocks: Sequence[Sequence[Effect]]) -> frozenset[int]:
    """The loops over something of which it is tested whether it is empty."""
    tested = {
        _bare(place)
        for effects in blocks
        for effect in effects[:1]
        if isinstance(effect, AssumeEffect) and isinstance(effect.condition, Compare)
        for place in condition_places(effect.condition)
        if place.steps[-1:] == (Length(),)
    }
    return frozenset(
        number
        for number, loop in enumerate(graph.loops)
        if tested and loop.over in tested and loop.done is not None
    )


def _is_of_turn(effect: Effect, row: int) -> bool:
    match effect:
        case NeedEffect(key=key) | UndoEffect(key=key):
            keys: tuple[Key, ...] = (key,)
        case AssumeEffect(evidence=evidence):
            keys = evidence
        case CallEffect(event=event):
            return any(mentions_turn(place, row) for place in event.arguments)
        case _:
            return False
    return any(mentions_turn(place, row) for key in keys for place in places(key))


def _is_tracked(effect: AssumeEffect, atoms: set[Place]) -> bool:
    match effect.condition:
        case Opaque():
            return effect.cause == "may-run"
        case Compare(place=place, op="==", literal="1") if place.steps[-1:] == (Length(),):
            return True
        case Same(op="=="):
            return True
        case condition:
            return any(_bare(place) in atoms or place in atoms for place in condition_places(condition))


def _bare(place: Place) -> Place:
    """What a test looks at: the collection, for a test of its length."""
    if place.steps and isinstance(place.steps[-1], Length):
        return Place(place.root, place.steps[:-1])
    return place
