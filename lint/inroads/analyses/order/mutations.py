"""What a call may change of what it is lent."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from inroads.analyses.order.effects import MutateEffect
from inroads.lower.model import Call, Place

GROWING = frozenset(
    ("push()", "push_back()", "push_front()", "insert()", "extend()", "append()", "extend_from_slice()")
)
"""Methods of collections after which there are elements that were not there before."""

EXCHANGING = frozenset(
    (
        *("std::option::Option::take", "std::option::Option::replace", "std::option::Option::insert"),
        *("std::mem::take", "std::mem::replace", "std::mem::swap"),
    )
)
"""Functions that put one value in the place of another."""


def mutations(event: Call, canonical: Callable[[Place], Place]) -> Iterable[MutateEffect]:
    """The arguments that are lent to be changed, each with who gets it."""
    if any(target.path in EXCHANGING for target in event.call.targets):
        # What they change is told by the writes behind them.
        return
    for index, (place, mode) in enumerate(zip(event.arguments, event.modes, strict=False)):
        if mode == "mut":
            targets = tuple(
                (target.function, index) for target in event.call.targets if target.function is not None
            )
            foreign = not event.call.targets or len(targets) < len(event.call.targets)
            grows = index == 0 and foreign and event.result.root.name in GROWING
            yield MutateEffect(canonical(place), targets, foreign, grows)
