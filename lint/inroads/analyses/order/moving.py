"""Keys and conditions moved from place to place: to a caller, from a callee, along a write."""

from __future__ import annotations

from inroads.analyses.order.keys import ANY, RETURNED, Key, KeyPart, without_versions
from inroads.analyses.order.world import World
from inroads.lower.model import (
    Compare,
    Condition,
    Each,
    Element,
    Field,
    Gather,
    Is,
    Length,
    Outcome,
    Part,
    Place,
    Truth,
    Turn,
)
from inroads.lower.places import extend, is_within, rebase


def versioned(place: Place, depth: int, world: World) -> Place:
    """A callee's fields as they stand at the call: with the versions that the caller gave them."""
    if not world.versions or len(place.steps) == depth:
        return place
    versions = dict(world.versions)
    result = Place(place.root, place.steps[:depth])
    for step in place.steps[depth:]:
        longer = extend(result, step)
        if isinstance(step, Field):
            version = versions.get(without_versions(longer))
            if version:
                longer = extend(result, Field(step.name, step.variant, version, step.owner, step.type))
        result = longer
    return result


def moved_condition(condition: Condition, source: Place, target: Place) -> Condition | None:
    """What is known of the source, said of the target."""

    if not isinstance(condition, Is | Truth | Compare):
        return None
    place = condition.place
    if place.root != source.root or not is_within(place, source):
        return None
    own = Place(target.root, (*target.steps, *place.steps[len(source.steps) :]))
    if isinstance(condition, Is):
        return Is(own, condition.variant)
    return Truth(own) if isinstance(condition, Truth) else Compare(own, condition.op, condition.literal)


def replaced(key: Key, old: Place, new: Place) -> Key:
    return tuple(
        rebase(Place(part.root, part.steps[len(old.steps) :]), new)
        if isinstance(part, Place) and part.root == old.root and part.steps[: len(old.steps)] == old.steps
        else part
        for part in key
    )


def outcome_condition(outcome: Outcome, result: Place) -> tuple[Condition, bool] | None:
    """The test of a call's value that tells its way out."""
    match outcome:
        case "ok" | "err":
            return (Is(result, "Ok"), outcome == "ok")
        case "some" | "none":
            return (Is(result, "Some"), outcome == "some")
        case "true" | "false":
            return (Truth(result), outcome == "true")
        case _:
            return None


def is_outer(place: Place) -> bool:
    """Whether a place means something outside the function: it begins at a parameter, `self` or a static."""
    if place.root == RETURNED:
        return True
    return place.root.kind in ("self", "parameter", "static") and all(
        _is_outer_step(step) for step in place.steps
    )


def _is_outer_step(step: object) -> bool:
    match step:
        case Element(key=key):
            return isinstance(key, str)
        case Field() | Each() | Gather() | Length():
            return True
        case _:
            return False


def lifted_key(key: Key) -> Key | None:
    """
    What callers must have done, for a key that is not met here; None where it is born here.

    An element of a turn is any element, so each of them is wanted.
    """
    parts: list[KeyPart] = []
    for part in key:
        if not isinstance(part, Place):
            if part is not ANY:
                return None
            parts.append(part)
            continue
        steps = tuple(
            Each()
            if isinstance(step, Turn) or (isinstance(step, Element) and not isinstance(step.key, str))
            else step
            for step in part.steps
            if not isinstance(step, Part)
        )
        place = Place(part.root, steps)
        if place.root.kind not in ("self", "parameter", "static"):
            return None
        if any(isinstance(step, Field) and step.version for step in steps):
            return None
        parts.append(place)
    return tuple(parts)
