"""Whether a key was made where it is used, or came out of something that stores it."""

from __future__ import annotations

from inroads.analyses.order.effects import Compiled
from inroads.analyses.order.keys import Key, places
from inroads.lower.model import Place

TAKING = frozenset(
    {
        "take",
        "replace",
        "recv",
        "try_recv",
        "recv_timeout",
        "blocking_recv",
        "pop",
        "try_pop",
        "pop_front",
        "pop_back",
        "pop_first",
        "pop_last",
        "remove",
        "remove_entry",
        "swap_remove",
        "swap",
        "next",
        "try_next",
        "get",
        "get_mut",
        "get_or_insert_with",
        "entry",
        "first",
        "last",
        "peek",
        "drain",
        "split_off",
        "load",
        "borrow",
        "dequeue",
        "find",
        "min",
        "max",
        "min_by_key",
        "max_by_key",
        "copied",
        "cloned",
    }
)
"""Methods of containers, cells and channels that give what was put in before."""


def is_stored(compiled: Compiled, key: Key) -> bool:
    """Whether some part of a key that is born here came out of stored state."""
    return any(_is_stored(compiled, place) for place in places(key))


def _is_stored(compiled: Compiled, place: Place) -> bool:
    root = place.root
    if root.kind in ("self", "static", "parameter"):
        return True
    if root.kind != "result":
        return False
    event = compiled.calls.get(Place(root))
    if event is None or not event.arguments:
        return False
    names = {target.path.rpartition("::")[2] for target in event.call.targets}
    names.add(root.name.removesuffix("()"))
    if event.call.declared is not None:
        names.add(event.call.declared.path.rpartition("::")[2])
    return bool(names & TAKING)
