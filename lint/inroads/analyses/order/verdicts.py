"""What the targets of a solved function meet, and with what it is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.order.effects import HandEffect, RequireEffect, ReturnEffect, TargetEffect
from inroads.analyses.order.keys import Key, sort_key
from inroads.analyses.order.summaries import Verdict
from inroads.analyses.order.world import State, World
from inroads.lower.model import Call

if TYPE_CHECKING:
    from inroads.analyses.order.solve import Solver


def collect(
    solver: Solver,
    number: int,
    state: State,
    verdicts: list[Verdict],
    exits: list[tuple[ReturnEffect, World]],
    handed: list[tuple[HandEffect, World]],
) -> None:
    """Add what the targets, exits and hand-overs of a block meet in the worlds in which it begins."""
    worlds = list(state)
    for at, effect in enumerate(solver.compiled.blocks[number]):
        match effect:
            case TargetEffect():
                bits, crowded = solver.standing.bits(effect.key, worlds)
                if bits:
                    verdicts.append(
                        Verdict(
                            effect.row,
                            effect.key,
                            bits,
                            None,
                            effect.how,
                            effect.evidence,
                            crowded,
                            effect.callee,
                            number,
                            at,
                        )
                    )
            case RequireEffect(event=event, targets=targets):
                for target in targets:
                    for key in solver.summary(target).requires:
                        _required(solver, target, key, event, worlds, verdicts, (number, at))
            case ReturnEffect():
                exits.extend((effect, world) for world in worlds)
            case HandEffect():
                handed.extend((effect, world) for world in worlds)
            case _:
                pass
        worlds = solver.advance(effect, worlds)


def _required(
    solver: Solver,
    target: int,
    key: Key,
    event: Call,
    worlds: list[World],
    verdicts: list[Verdict],
    place: tuple[int, int],
) -> None:
    bits = 0
    crowded = False
    keys: set[Key] = set()
    for world in worlds:
        own = solver.inward(key, event, world)
        if own is None:
            continue
        keys.add(own)
        found, dark = solver.standing.bits(own, [world])
        bits |= found
        crowded = crowded or dark
    if keys and bits:
        # Worlds may differ in the versions of fields; which of them is told must not depend on their order.
        own = min(keys, key=sort_key)
        name = event.call.declared.path if event.call.declared is not None else ""
        verdicts.append(
            Verdict(event.row, own, bits, (target, key), event.call.how, "", crowded, name, *place)
        )
