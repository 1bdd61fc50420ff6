"""From the worlds at the ways out of a function to its summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from inroads.analyses.order.effects import HandEffect, ReturnEffect
from inroads.analyses.order.keys import (
    HANDED,
    RETURNED,
    Key,
    KeyPart,
    covers,
    places,
    sort_key,
    without_versions,
)
from inroads.analyses.order.moving import is_outer, lifted_key, replaced
from inroads.analyses.order.summaries import RETURNED_GUARD, Ensured, Summary, Verdict
from inroads.analyses.order.world import ENTRY, PERHAPS, UNDONE, YES, World
from inroads.lower.model import Outcome, Place, Root
from inroads.lower.places import is_within


def summarise(
    exits: list[tuple[ReturnEffect, World]],
    verdicts: list[Verdict],
    handed: list[tuple[HandEffect, World]],
    canonical: Callable[[Place], Place],
) -> Summary:
    """What callers must know, from the ways out and from how requirements stand."""
    by_outcome: dict[Outcome, list[tuple[dict[Key, int], ReturnEffect, World]]] = {}
    undoes: set[Key] = set()
    guards: set[Key] = set()
    for effect, world in exits:
        if effect.outcome == "detached":
            continue
        own: dict[Key, int] = {}
        values: tuple[Place, ...] = ()
        if effect.value is not None and world.facts:
            values = tuple(dict.fromkeys((effect.value, canonical(effect.value))))
        for key, bits in world.facts:
            for out in _outward(key, values):
                rows = {
                    RETURNED_GUARD if _is_row(effect.value, row) else row
                    for held, row in world.held
                    if held == key
                }
                if bits & UNDONE:
                    undoes.add(out)
                if bits in (YES, PERHAPS) and rows <= {RETURNED_GUARD}:
                    own[out] = bits
                    if rows:
                        guards.add(out)
        by_outcome.setdefault(effect.outcome, []).append((own, effect, world))
    ensures: list[tuple[Outcome, Ensured]] = []
    for outcome in sorted(by_outcome):
        ways = by_outcome[outcome]
        candidates = {key for own, _, _ in ways for key in own}
        met: list[tuple[Key, int]] = []
        for key in sorted(candidates, key=sort_key):
            levels = [_level(key, own, world) for own, _, world in ways]
            if all(levels):
                met.append((key, YES if all(level == YES for level in levels) else PERHAPS))
        ensures.append((outcome, tuple(met)))
    requires = {
        lifted
        for verdict in verdicts
        if verdict.bits & ENTRY and (lifted := lifted_key(verdict.key)) is not None
    }
    return Summary(
        tuple(ensures),
        tuple(sorted(requires, key=sort_key)),
        tuple(sorted(undoes, key=sort_key)),
        tuple(sorted(guards, key=sort_key)),
        _hands(handed),
    )


def _hands(handed: list[tuple[HandEffect, World]]) -> Ensured:
    """What is met wherever a callable that came in is run, of what it is run on."""
    found: dict[int, dict[Key, int]] = {}
    for effect, world in handed:
        root = Root("result", HANDED + effect.argument, "handed")
        own: dict[Key, int] = {}
        for key, bits in world.facts:
            if bits in (YES, PERHAPS):
                moved = replaced(key, effect.place, Place(root))
                if moved != key and all(is_outer(part) or part.root == root for part in places(moved)):
                    own[moved] = bits
        before = found.get(effect.argument)
        if before is not None:
            own = {
                key: PERHAPS if PERHAPS in (bits, before[key]) else YES
                for key, bits in own.items()
                if key in before
            }
        found[effect.argument] = own
    met = ((key, bits) for own in found.values() for key, bits in own.items())
    return tuple(sorted(met, key=lambda one: sort_key(one[0])))


def _level(key: Key, own: Mapping[Key, int], world: World) -> int:
    """How an exit ensures the key: YES, PERHAPS, or 0."""
    if world.empty and World(empty=world.empty).status(key) == YES:
        return YES
    level = 0
    for known, bits in own.items():
        found = covers(known, key)
        if found == "same":
            level = YES if bits == YES else level or PERHAPS
    return level


def _outward(key: Key, values: tuple[Place, ...]) -> Iterable[Key]:
    """A key as callers may say it: in terms of parameters and statics, and of the returned value."""
    if all(is_outer(part) for part in places(key)):
        yield tuple(without_versions(part) if isinstance(part, Place) else part for part in key)
    for value in values:
        returned = _of_returned(key, value)
        if returned is not None:
            yield returned


def _of_returned(key: Key, value: Place) -> Key | None:
    """The key with what is in the returned value said of it; None where nothing of it is."""
    parts: list[KeyPart] = []
    found = False
    for part in key:
        if not isinstance(part, Place):
            parts.append(part)
        elif part.root == value.root and is_within(part, value):
            found = True
            parts.append(Place(RETURNED, part.steps[len(value.steps) :]))
        elif is_outer(part):
            parts.append(without_versions(part))
        else:
            return None
    return tuple(parts) if found else None


def _is_row(value: Place | None, row: int) -> bool:
    """Whether a value is what the call at the row gave."""
    return value is not None and value.root.kind == "result" and value.root.index == row
