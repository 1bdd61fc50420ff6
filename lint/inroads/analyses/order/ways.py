"""What ways through a callee share, and what worlds lose: small steps of the solver."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from inroads.analyses.order.effects import NeedEffect
from inroads.analyses.order.keys import Key, covers, sort_key
from inroads.analyses.order.world import PERHAPS, YES, World
from inroads.lower.model import Each, Outcome, Place
from inroads.lower.places import is_within


def shared(left: Mapping[Key, int] | None, right: Mapping[Key, int] | None) -> dict[Key, int]:
    """What both ensure, at the lesser level."""
    if left is None or right is None:
        return {}
    found: dict[Key, int] = {}
    for one, other in ((left, right), (right, left)):
        for key, level in one.items():
            for have, bits in other.items():
                if covers(have, key) == "same":
                    found[key] = PERHAPS if PERHAPS in (bits, level) else YES
                    break
    return found


def holds_elements(place: Place, collection: Place) -> bool:
    """Whether a place is the collection, or each of its elements."""
    depth = len(collection.steps)
    return is_within(place, collection) and (
        len(place.steps) == depth or isinstance(place.steps[depth], Each)
    )


def release(world: World, rows: tuple[int, ...]) -> World:
    ended = {key for key, row in world.held if row in rows}
    if not ended:
        return world
    held = frozenset((key, row) for key, row in world.held if row not in rows)
    world = replace(world, held=held)
    still = {key for key, _ in held}
    for key in sorted(ended - still, key=sort_key):
        world = world.forget(key)
    return world


def with_need(
    need: NeedEffect, ways: Mapping[Outcome, dict[Key, int] | None]
) -> dict[Outcome, dict[Key, int] | None]:
    """The ways of the targets that the need's own pattern speaks for, joined with the ways of the others."""
    level = PERHAPS if need.weak else YES
    if need.success is None:
        outcomes = tuple(ways) or ("plain",)
        return {outcome: shared(ways.get(outcome), {need.key: level}) for outcome in outcomes}
    found: dict[Outcome, dict[Key, int] | None] = {
        "ok": shared(ways.get("ok"), {need.key: level}) if ways else {need.key: level},
        "err": {},
    }
    return {**ways, **found}
