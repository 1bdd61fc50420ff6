"""
Keys: for what a need was done. One part for each variable that the targets capture.

A part is a place; LOST where something was captured that can't be told; ANY
where the pattern captures nothing for the variable, so that it speaks for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TypeAlias

from inroads.lower.model import Each, Element, Field, Gather, Part, Place, Root, Step, Turn
from inroads.lower.places import Comparison, describe, extend
from inroads.pattern_match import LOST, Bindings, Lost


class Whatever(Enum):
    """The variable is not captured: every key will do."""

    KEY = "any"


ANY = Whatever.KEY
KeyPart: TypeAlias = Place | Lost | Whatever
Key: TypeAlias = tuple[KeyPart, ...]

RETURNED = Root("result", 1 << 30, "return")
"""The root of keys that speak of what a function returns."""

HANDED = 1 << 29
"""Index, less the number of an argument, of the roots of keys that speak of what the callable there is run on."""

ELEMENTS = (Each, Turn, Element)


def make_key(variables: Sequence[str], bindings: Bindings) -> Key:
    """The key of a match."""
    return tuple(bindings.get(name, ANY) for name in variables)


def covers(established: Key, wanted: Key) -> Comparison:
    """Whether a need that was done for one key was done for the other."""
    clear = True
    for have, want in zip(established, wanted, strict=True):
        if have is ANY or want is ANY:
            continue
        if isinstance(have, Lost) or isinstance(want, Lost):
            clear = False
            continue
        found = cover_place(have, want)
        if found == "other":
            return "other"
        clear = clear and found == "same"
    return "same" if clear else "unclear"


def cover_place(have: Place, want: Place) -> Comparison:
    """
    Whether what holds for one place holds for the other.

    A whole covers its elements and parts; a collection is each of its
    elements. Elements at indices that are computed could be the same, and so
    could two values that the same function gave.
    """
    if have == want:
        return "same"
    if have.root != want.root:
        name = have.root.name
        alike = (
            have.root.kind == "result" == want.root.kind and name.endswith("()") and name == want.root.name
        )
        return "unclear" if alike and _steps(have.steps, want.steps) != "other" else "other"
    found = _steps(have.steps, want.steps)
    if found == "other" and _may_hold_elements(have, want):
        found = _steps(extend(have, Each()).steps, want.steps)
    if found == "other" and _may_hold_elements(want, have):
        found = _steps(have.steps, extend(want, Each()).steps)
    return found


def _may_hold_elements(whole: Place, inner: Place) -> bool:
    """Whether one place names a collection of which the other names elements."""
    if whole.steps and isinstance(whole.steps[-1], Gather):
        return True
    depth = len(whole.steps)
    return (
        depth < len(inner.steps)
        and isinstance(inner.steps[depth], (*ELEMENTS, Part))
        and all(isinstance(step, (*ELEMENTS, Part)) for step in inner.steps[depth:])
    )


def _steps(have: tuple[Step, ...], want: tuple[Step, ...]) -> Comparison:
    left = right = 0
    clear = True
    while left < len(have) or right < len(want):
        a = have[left] if left < len(have) else None
        b = want[right] if right < len(want) else None
        if a == b:
            left += 1
            right += 1
        elif isinstance(b, Part):
            right += 1
        elif isinstance(a, ELEMENTS) and isinstance(b, ELEMENTS):
            match a, b:
                case Each(), _:
                    pass
                case Element(key=str() as first), Element(key=str() as second) if first != second:
                    if first.isdigit() and second.isdigit():
                        return "other"
                    clear = False
                case (Element(), Element(key=Place())) | (Element(key=Place()), Element() | Turn()):
                    clear = False
                case Turn(), Element(key=Place()):
                    clear = False
                case _:
                    return "other"
            left += 1
            right += 1
        else:
            return "other"
    return "same" if clear else "unclear"


def mentions_turn(place: Place, loop: int) -> bool:
    """Whether a place is an element of the turn of that loop."""
    for step in place.steps:
        match step:
            case Turn(loop=row) if row == loop:
                return True
            case Element(key=Place() as key) if mentions_turn(key, loop):
                return True
            case _:
                pass
    return False


def turned_whole(key: Key, loop: int, instance: int) -> Key | None:
    """The key of all turns: this turn's element becomes each; None where the key is of no turn of the loop."""
    found = False
    parts: list[KeyPart] = []
    for part in key:
        if isinstance(part, Place):
            steps: list[Step] = []
            for step in part.steps:
                if isinstance(step, Turn) and step.loop == loop and step.instance == instance:
                    found = True
                    steps.append(Each())
                else:
                    steps.append(step)
            parts.append(Place(part.root, tuple(steps)))
        else:
            parts.append(part)
    return tuple(parts) if found else None


def first_element_as_whole(place: Place, whole: Place) -> Place:
    """`xs[0]` as `each(xs)`, where `xs` is known to hold one."""
    depth = len(whole.steps)
    if (
        place.root == whole.root
        and len(place.steps) > depth
        and place.steps[:depth] == whole.steps
        and isinstance(place.steps[depth], Element)
    ):
        return Place(place.root, (*place.steps[:depth], Each(), *place.steps[depth + 1 :]))
    return place


def without_versions(place: Place) -> Place:
    """The place with its fields as they are at the time."""
    if not any(isinstance(step, Field) and step.version for step in place.steps):
        return place
    return Place(
        place.root,
        tuple(
            Field(step.name, step.variant, 0, step.owner, step.type) if isinstance(step, Field) else step
            for step in place.steps
        ),
    )


def places(key: Key) -> Iterable[Place]:
    """The parts that are places."""
    return (part for part in key if isinstance(part, Place))


def is_lost(key: Key) -> bool:
    """Whether a part can't be told."""
    return LOST in key


def describe_key(key: Key) -> str:
    """What a person would write for the key, "" where it has no part."""
    return ", ".join(f"`{describe(part)}`" for part in places(key))


def sort_key(key: Key) -> str:
    """A text that orders keys the same way in every run."""
    return repr(key)
