"""Which calls of a function can matter for the keys that its targets ask for; the others are left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

import msgspec

from inroads.analyses.order.effects import CallEffect, Effect, RequireEffect, TargetEffect
from inroads.analyses.order.keys import Key, mentions_turn, places
from inroads.lower.model import Call, Graph, Loop, Place, Root
from inroads.lower.places import handed
from inroads.summary import closure


class Matter(msgspec.Struct):
    """
    Picks the calls that can matter.

    Args:
        blocks: The effects of each block; changed in place by `thin_out`.
        canonical: See `Compiled`.
        held: The roots of all that a place may hold which a call is given.
        requires: The keys that a callee is known to require.
        is_kept: Calls that matter in any case.
    """

    graph: Graph
    blocks: list[list[Effect]]
    canonical: Callable[[Place], Place]
    held: Callable[[Call, Place], set[Root]]
    requires: Callable[[int], tuple[Key, ...]]
    is_kept: Callable[[CallEffect], bool]

    def thin_out(self) -> None:
        """Calls that are given nothing of a key, and calls behind the last target, change nothing for it."""
        last = {
            number: max(
                at for at, effect in enumerate(effects) if isinstance(effect, TargetEffect | RequireEffect)
            )
            for number, effects in enumerate(self.blocks)
            if any(isinstance(effect, TargetEffect | RequireEffect) for effect in effects)
        }
        ahead = self._ahead(last)
        roots = self._key_roots()
        for number, effects in enumerate(self.blocks):
            self.blocks[number] = [
                effect
                for at, effect in enumerate(effects)
                if not isinstance(effect, CallEffect)
                or self.is_kept(effect)
                or (
                    (number in ahead or at < last.get(number, -1))
                    and (roots is None or self._is_given_key(effect.event, roots))
                )
            ]

    def _ahead(self, last: Mapping[int, int]) -> set[int]:
        """The blocks from which a target can still be reached; this turn's element is not seen again."""
        cut = {
            (loop.latch, loop.header)
            for loop in self.graph.loops
            if loop.latch is not None and self._targets_die_with_turn(loop, last)
        }
        above: dict[int, list[int]] = defaultdict(list)
        for block in self.graph.blocks:
            for successor in block.successors:
                if (block.id, successor) not in cut:
                    above[successor].append(block.id)
        return set(closure(sorted({one for number in last for one in above[number]}), above.__getitem__))

    def _targets_die_with_turn(self, loop: Loop, last: Mapping[int, int]) -> bool:
        """Whether each target inside a loop is about the element of the turn."""
        inside = closure(
            [loop.body],
            lambda block: [one for one in self.graph.blocks[block].successors if one != loop.header],
        )
        for number in last:
            for effect in self.blocks[number] if number in inside else ():
                match effect:
                    case TargetEffect(key=key):
                        if not any(mentions_turn(place, loop.row) for place in places(key)):
                            return False
                    case RequireEffect(event=event, targets=targets):
                        given = [
                            place for target in targets for place in self._required_places(target, event)
                        ]
                        if not given or not all(mentions_turn(place, loop.row) for place in given):
                            return False
                    case _:
                        pass
        return True

    def _required_places(self, target: int, event: Call) -> list[Place]:
        """What a call gives for the keys that the callee requires."""
        return [
            self.canonical(event.arguments[part.root.index])
            for key in self.requires(target)
            for part in places(key)
            if part.root.kind in ("self", "parameter") and part.root.index < len(event.arguments)
        ]

    def _key_roots(self) -> set[Root] | None:
        """The roots of all keys that are asked for; None where a key is about everything, or can't be told."""
        roots: set[Root] = set()
        for effects in self.blocks:
            for effect in effects:
                match effect:
                    case TargetEffect(key=key):
                        found = list(places(key))
                        if not found or len(found) < len(key):
                            return None
                        roots.update(place.root for place in found)
                    case RequireEffect(event=event, targets=targets):
                        for target in targets:
                            found = self._required_places(target, event)
                            if not found:
                                return None
                            roots.update(place.root for place in found)
                    case _:
                        pass
        return None if any(root.kind in ("static", "constant") for root in roots) else roots

    def _is_given_key(self, event: Call, roots: set[Root]) -> bool:
        return (
            event.result.root in roots
            or any(not roots.isdisjoint(self.held(event, place)) for place in event.arguments)
            or any(handed(row).root in roots for row in event.call.arguments)
        )
