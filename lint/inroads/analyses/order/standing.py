"""How a key stands in a world, whatever other names it has there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from inroads.analyses.order.effects import Compiled
from inroads.analyses.order.keys import ELEMENTS, Key, first_element_as_whole
from inroads.analyses.order.moving import replaced
from inroads.analyses.order.world import ENTRY, PERHAPS, UNDONE, YES, World
from inroads.lower.model import Compare, Condition, Each, Length, Place, Same
from inroads.lower.places import is_within, rebase

Wanted = TypeVar("Wanted", Compare, Same)


class Standing(msgspec.Struct):
    """
    What holds of keys in the worlds of one function.

    Args:
        held: Whether evidence proves a key in this function.
    """

    compiled: Compiled
    held: Callable[[Key], bool]

    def status(self, key: Key, world: World) -> int:
        """The status of a key in one world, evidence and known equalities taken into account."""
        found = world.status(key)
        if found in (YES, UNDONE):
            return found
        if self.held(key):
            return YES
        if found in (ENTRY, PERHAPS) and self.compiled.elements:
            found = self._of_elements(key, world, found)
        if found in (ENTRY, PERHAPS):
            widened = self.widened(key, world)
            candidates = [widened] if widened != key else []
            for condition in _known(world, _equals):
                for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
                    equal = replaced(key, one, other)
                    if equal != key:
                        candidates.append(equal)
            for candidate in candidates:
                if world.status(candidate) == YES or self.held(candidate):
                    return YES
        return found

    def bits(self, key: Key, worlds: Iterable[World]) -> tuple[int, bool]:
        bits = 0
        crowded = False
        for world in worlds:
            found = self.status(key, world)
            bits |= found
            crowded = crowded or (world.merged and found not in (YES, PERHAPS, UNDONE, ENTRY))
        return bits, crowded or (self.compiled.crowded and bits & YES != 0)

    def widened(self, key: Key, world: World) -> Key:
        """`xs[0]` is `each(xs)` where `xs` is known to hold one."""
        for condition in _known(world, _is_single):
            whole = Place(condition.place.root, condition.place.steps[:-1])
            key = tuple(
                first_element_as_whole(part, whole) if isinstance(part, Place) else part for part in key
            )
        return key

    def _of_elements(self, key: Key, world: World, found: int) -> int:
        """
        The status of a key that stands for elements of an array of several, or for one of them.

        Each of the array is met where all elements are, and an element where each of the array is.
        """
        for number, part in enumerate(key):
            if not isinstance(part, Place):
                continue

            def with_part(place: Place, number: int = number) -> Key:
                return (*key[:number], place, *key[number + 1 :])

            inner = part.steps[1:] if part.steps and isinstance(part.steps[0], ELEMENTS) else part.steps
            elements = self.compiled.elements.get(Place(part.root), ())
            if elements and (not part.steps or inner != part.steps):
                owns = [rebase(Place(part.root, inner), self.compiled.canonical(one)) for one in elements]
                statuses = {world.status(with_part(own)) for own in owns}
                if statuses == {YES}:
                    return YES
                if UNDONE in statuses:
                    return UNDONE
            for array, members in self.compiled.elements.items():
                for member in map(self.compiled.canonical, members):
                    if is_within(part, member):
                        rest = Place(array.root, (Each(), *part.steps[len(member.steps) :]))
                        if world.status(with_part(rest)) == YES:
                            return YES
        return found


def _known(world: World, wanted: Callable[[Condition], Wanted | None]) -> list[Wanted]:
    """The conditions of one sort that hold in a world, in an order that is the same in every run."""
    found = [one for known, side in world.knowledge if side and (one := wanted(known)) is not None]
    return sorted(found, key=repr) if len(found) > 1 else found


def _equals(condition: Condition) -> Same | None:
    return condition if isinstance(condition, Same) and condition.op == "==" else None


def _is_single(condition: Condition) -> Compare | None:
    """A test that a collection holds one element."""
    match condition:
        case Compare(place=place, op="==", literal="1") if place.steps[-1:] == (Length(),):
            return condition
        case _:
            return None
