"""
What is known at a point: a few worlds, each with what was established in it.

Property simulation (Das, Lerner, Seigle 2002): a world pairs what was done
(the property) with what is known of the branches taken (the simulation).
Worlds in which the same was done are merged, and keep what both know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from inroads.analyses.order.keys import ELEMENTS, Key, cover_place, covers, places
from inroads.lower.model import Compare, Condition, Is, Opaque, Part, Place, Root, Same, Step, Truth
from inroads.lower.places import is_within

YES, PERHAPS, UNDONE, ENTRY = 1, 2, 4, 8
"""The bits of a status: done; perhaps done; undone since; as it was at the entry."""

MOST_WORLDS = 32
MOST_ALIKE = 8
MOST_KEYS = 64

Facts: TypeAlias = frozenset[tuple[Key, int]]
Knowledge: TypeAlias = frozenset[tuple[Condition, bool]]


class Turns(msgspec.Struct, frozen=True, gc=False):
    """
    What the turns of a loop did so far.

    `done` are the keys that every turn has done, None before the first turn
    came to its end; `spent` those that some turn has undone; `hollow` the
    collections that were empty in every turn.
    """

    loop: int
    done: frozenset[Key] | None = None
    spent: frozenset[Key] = frozenset()
    hollow: frozenset[Place] = frozenset()

    def after(self, done: frozenset[Key], spent: frozenset[Key], hollow: frozenset[Place]) -> Turns:
        """The same after one more turn. What a turn's empty collection would have held is done, too."""
        spent = self.spent | spent
        if self.done is None:
            return Turns(self.loop, done, spent, hollow)
        kept = {key for key in self.done if key in done or is_element_of(key, hollow)}
        kept.update(key for key in done if is_element_of(key, self.hollow))
        return Turns(self.loop, frozenset(kept), spent, self.hollow & hollow)


class World(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """
    One way in which a point can be reached, as far as it matters.

    A struct, since worlds are made by the million, and one costs a sixth of a frozen dataclass.

    Args:
        facts: The status of each key that was touched; ENTRY for all others.
        turns: For each loop that is running.
        held: Which call's guard holds a key (`while_held`).
        empty: Collections that are empty here, since a loop over them made no turn.
        versions: Fields that were written: the place without versions, and its version.
        merged: Whether worlds in which different things were done had to be made one.
        knowledge: Conditions that are known.
    """

    facts: Facts = frozenset()
    turns: frozenset[Turns] = frozenset()
    held: frozenset[tuple[Key, int]] = frozenset()
    empty: frozenset[Place] = frozenset()
    versions: frozenset[tuple[Place, int]] = frozenset()
    merged: bool = False
    knowledge: Knowledge = frozenset()

    def status(self, key: Key) -> int:
        """The bits of a key's status."""
        exact = dict(self.facts).get(key) if self.facts else None
        if exact in (YES, UNDONE):
            return exact
        if self.empty and is_element_of(key, self.empty):
            return YES
        if exact is not None and self.merged:
            return exact
        best = ENTRY
        unclear = False
        for known, bits in self.facts:
            found = covers(known, key)
            if found == "same":
                if bits == UNDONE:
                    return UNDONE
                if bits == YES or best == ENTRY:
                    best = bits
            elif found == "unclear" and bits & (YES | PERHAPS):
                unclear = True
        return PERHAPS if best == ENTRY and unclear else best

    def establish(self, key: Key, level: int) -> World:
        """The need was done (YES) or perhaps done for the key."""
        if level == PERHAPS and self.status(key) == YES:
            return self
        kept = {
            known: bits
            for known, bits in self.facts
            if not (bits & UNDONE and level == YES and covers(key, known) == "same")
        }
        kept[key] = level
        return replace(self, facts=frozenset(kept.items()))

    def undo(self, key: Key) -> World:
        """What was done for the key, and for what it covers, is so no longer."""
        kept = {known: bits for known, bits in self.facts if bits == UNDONE or covers(key, known) != "same"}
        kept[key] = UNDONE
        return replace(self, facts=frozenset(kept.items()))

    def forget(self, key: Key) -> World:
        """Nothing is known of the key any more, as at the entry."""
        return replace(self, facts=frozenset(fact for fact in self.facts if fact[0] != key))

    def copied(self, source: Place, target: Place) -> World:
        """Facts of the source hold for the target too."""
        added = self.moved(source, target)
        if not added:
            return self
        facts = frozenset({**dict(self.facts), **added}.items())
        return self if facts == self.facts else replace(self, facts=facts)

    def moved(self, source: Place, target: Place) -> dict[Key, int]:
        """The facts of the source, said of the target."""
        found: dict[Key, int] = {}
        for key, bits in self.facts:
            said = tuple(
                Place(target.root, (*target.steps, *part.steps[len(source.steps) :]))
                if isinstance(part, Place) and part.root == source.root and is_within(part, source)
                else part
                for part in key
            )
            if said != key:
                found[said] = bits
        return found

    def without(
        self, is_dead: Callable[[Place], bool], is_unknown: Callable[[Place], bool] | None = None
    ) -> World:
        """
        All that speaks of dead places is forgotten.

        Args:
            is_unknown: The places of which no test is known any more; those that are dead where it is None.
        """
        facts = [fact for fact in self.facts if _speaks_of(fact[0], is_dead)]
        unknown = is_dead if is_unknown is None else is_unknown
        knowledge = [known for known in self.knowledge if any(map(unknown, condition_places(known[0])))]
        empty = [place for place in self.empty if is_dead(place)]
        held = [one for one in self.held if _speaks_of(one[0], is_dead)]
        if not facts and not knowledge and not empty and not held:
            return self
        return replace(
            self,
            facts=self.facts.difference(facts),
            knowledge=self.knowledge.difference(knowledge),
            empty=self.empty.difference(empty),
            held=self.held.difference(held),
        )

    def knows(self, condition: Condition) -> bool | None:
        """Which side of the condition holds here; None where nothing tells."""
        if (condition, True) in self.knowledge:
            return True
        if (condition, False) in self.knowledge:
            return False
        kind = type(condition)
        if (kind is Is or kind is Compare) and any(
            side and type(known) is kind and _excludes(known, condition) for known, side in self.knowledge
        ):
            return False
        return None

    def learn(self, condition: Condition, side: bool) -> World:
        """The condition is known from here on."""
        other = (condition, not side)
        if other in self.knowledge:
            return replace(self, knowledge=(self.knowledge - {other}) | {(condition, side)})
        if (condition, side) in self.knowledge:
            return self
        return replace(self, knowledge=self.knowledge | {(condition, side)})


State: TypeAlias = frozenset[World]


def _speaks_of(key: Key, is_dead: Callable[[Place], bool]) -> bool:
    """Whether a part of a key is a dead place."""
    return any(isinstance(part, Place) and is_dead(part) for part in key)


def condition_places(condition: Condition) -> tuple[Place, ...]:
    """The places that a condition speaks of."""
    # Asked by the hundred thousand.
    if isinstance(condition, Is | Truth | Compare):
        return (condition.place,)
    return (condition.left, condition.right) if isinstance(condition, Same) else ()


def unite(worlds: Iterable[World]) -> State:
    """
    The worlds of a point.

    Where the same was done, what is known tells worlds apart as long as there
    are no more than `MOST_ALIKE`; then they are made one, and keep what all of
    them know. Beyond `MOST_WORLDS`, or once any of them is merged, all become
    one whose statuses have every bit that one of them has.
    """
    by_property: dict[tuple[object, ...], list[World]] = {}
    apart = dict.fromkeys(worlds)
    if len(apart) == 1:
        return frozenset(apart)
    for world in apart:
        done = (world.facts, world.turns, world.held, world.empty, world.merged)
        by_property.setdefault(done, []).append(world)
    crowd = sum(len(alike) for alike in by_property.values())
    found: list[World] = []
    for alike in by_property.values():
        found.extend(_widest(alike) if crowd <= MOST_ALIKE else [_common(alike)])
    found = _perhaps_run(found)
    if len(found) > MOST_WORLDS or (len(found) > 1 and any(world.merged for world in found)):
        return frozenset({_merge(found)})
    return frozenset(found)


def _common(worlds: list[World]) -> World:
    """Worlds in which the same was done, as one."""
    knowledge = frozenset.intersection(*(world.knowledge for world in worlds))
    versions = frozenset.intersection(*(world.versions for world in worlds))
    return replace(worlds[0], knowledge=knowledge, versions=versions)


def _widest(worlds: list[World]) -> list[World]:
    """Worlds in which the same was done, without those that another one covers."""
    if len(worlds) == 1:
        return worlds
    versions = frozenset.intersection(*(world.versions for world in worlds))
    known = list(dict.fromkeys(world.knowledge for world in worlds))
    widest = [one for one in known if not any(other < one for other in known)]
    return [replace(worlds[0], knowledge=one, versions=versions) for one in widest]


def join(left: State, right: State) -> State:
    """The worlds of two paths that meet."""
    return left if left == right else unite((*left, *right))


def _merge(worlds: list[World]) -> World:
    keys = {key for world in worlds for key, _ in world.facts}
    if MOST_KEYS < len(keys):
        keys = set.intersection(*({key for key, _ in world.facts} for world in worlds))
    facts = frozenset((key, reduce(lambda bits, world: bits | world.status(key), worlds, 0)) for key in keys)
    loops = {turns.loop for world in worlds for turns in world.turns}
    turns = frozenset(
        _merge_turns(loop, [one for world in worlds for one in world.turns if one.loop == loop])
        for loop in loops
    )
    return World(
        facts,
        turns,
        frozenset.intersection(*(world.held for world in worlds)),
        frozenset.intersection(*(world.empty for world in worlds)),
        frozenset.intersection(*(world.versions for world in worlds)),
        True,
        frozenset.intersection(*(world.knowledge for world in worlds)),
    )


def _merge_turns(loop: int, turns: list[Turns]) -> Turns:
    done: frozenset[Key] | None = None
    spent: frozenset[Key] = frozenset()
    hollow = frozenset.intersection(*(one.hollow for one in turns))
    for one in turns:
        spent |= one.spent
        if one.done is not None:
            done = one.done if done is None else done & one.done
    return Turns(loop, done, spent, hollow)


def _perhaps_run(worlds: list[World]) -> list[World]:
    """Where a closure may have run, what it did was perhaps done in the world in which it did not."""
    rows = {known for world in worlds for known, side in world.knowledge if type(known) is Opaque and side}
    for row in sorted(rows, key=repr):
        ran = [world for world in worlds if (row, True) in world.knowledge]
        done = {key for world in ran for key, bits in world.facts if bits & (YES | PERHAPS)}
        worlds = [
            reduce(
                lambda world, key: world.establish(key, PERHAPS) if world.status(key) == ENTRY else world,
                sorted(done, key=repr),
                world,
            )
            if (row, False) in world.knowledge
            else world
            for world in worlds
        ]
    return worlds


def _excludes(known: Condition, condition: Condition) -> bool:
    """Whether one true condition makes the other false: another variant, another constant."""
    match known, condition:
        case Is(place=one, variant=first), Is(place=other, variant=second):
            return one == other and first != second
        case (
            Compare(place=one, op="==", literal=first),
            Compare(place=other, op="==", literal=second),
        ):
            return one == other and first != second
        case _:
            return False


def is_element_of(key: Key, empty: frozenset[Place]) -> bool:
    """Whether the key speaks of the elements of one of the collections, so that nothing is to be done for it."""
    return any(
        _is_inside(steps, part.root, whole)
        for part in places(key)
        for steps in _wholes(part)
        for whole in empty
    )


def _wholes(place: Place) -> tuple[tuple[Step, ...], ...]:
    """The steps, and the steps of the whole: a part of nothing is nothing."""
    whole = tuple(step for step in place.steps if not isinstance(step, Part))
    return (place.steps,) if len(whole) == len(place.steps) else (place.steps, whole)


def _is_inside(steps: tuple[Step, ...], root: Root, whole: Place) -> bool:
    depth = len(whole.steps)
    return (
        root == whole.root
        and depth <= len(steps)
        and all(isinstance(step, ELEMENTS) for step in steps[depth : depth + 1])
        and cover_place(whole, Place(root, steps[:depth])) == "same"
    )
