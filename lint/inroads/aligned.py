"""
Two states of a file laid beside each other, item by item; places count for nothing.

A function is known by its name, whatever else of it has changed. Any other item
is the same only where all that is written of it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

import msgspec

from inroads.facts import ConstItem, FileFacts, FunctionItem, Item

MOST_ALIGNED = 400
"""Of more items than these, between what is equal before and behind, it is not found out which is which."""

_PLACES = frozenset(("start", "end", "name_at", "full_start", "text_at", "block", "parent", "body"))


class Sides(msgspec.Struct, frozen=True):
    """
    Two states of a file.

    Args:
        now_at: Index of an item before -> index now, None for one that has gone.
        before_at: The other way round.
    """

    source: int
    before: FileFacts
    now: FileFacts
    now_at: list[int | None]
    before_at: list[int | None]

    @property
    def has_other_items(self) -> bool:
        """Whether more differs than what stands in bodies."""
        return self.before.skeleton_digest != self.now.skeleton_digest

    def lone(self) -> Iterator[tuple[tuple[Item, ...], Item]]:
        """The items that came or went, each with all items of its side."""
        for items, places in ((self.before.items, self.now_at), (self.now.items, self.before_at)):
            for one, at in zip(items, places, strict=True):
                if at is None:
                    yield items, one

    def functions(self) -> Iterator[tuple[FunctionItem | None, FunctionItem | None, int | None]]:
        """Each function that is not as it was: before, now, and its index now."""
        for at, new in enumerate(self.now.items):
            then = self.before_at[at]
            old = None if then is None else self.before.items[then]
            if isinstance(new, FunctionItem) and (old is None or as_written(old) != as_written(new)):
                yield old if isinstance(old, FunctionItem) else None, new, at
        for then, old in enumerate(self.before.items):
            if isinstance(old, FunctionItem) and self.now_at[then] is None:
                yield old, None, None


def aligned(source: int, before: FileFacts, now: FileFacts) -> Sides | None:
    """Which item is which; None where that can't be told, or something stands in something else than before."""
    if before.skeleton_digest == now.skeleton_digest:
        same: list[int | None] = list(range(len(now.items)))
        return Sides(source, before, now, same, same) if len(before.items) == len(now.items) else None
    if before.inner != now.inner:
        return None
    old, new = [_key(one) for one in before.items], [_key(one) for one in now.items]
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    sides = Sides(source, before, now, [None] * len(old), [None] * len(new))
    pairs = [(at, at) for at in range(first)]
    pairs += [(len(old) - 1 - at, len(new) - 1 - at) for at in range(last)]
    inside = old[first : len(old) - last], new[first : len(new) - last]
    if MOST_ALIGNED < len(inside[0]) or MOST_ALIGNED < len(inside[1]):
        return None
    for block in SequenceMatcher(None, *inside, autojunk=False).get_matching_blocks():
        pairs += [(first + block.a + turn, first + block.b + turn) for turn in range(block.size)]
    for then, at in pairs:
        sides.now_at[then], sides.before_at[at] = at, then
    return sides if _is_held_alike(sides) else None


def _is_held_alike(sides: Sides) -> bool:
    """Whether everything that is there still stands in what it stood in."""
    for one, at in zip(sides.before.items, sides.now_at, strict=True):
        if at is not None:
            then, now = one.head.parent, sides.now.items[at].head.parent
            if (None if then is None else sides.now_at[then]) != now or (then is None) != (now is None):
                return False
    return True


def _key(item: Item) -> tuple[object, ...]:
    """What makes an item the same in another state of its file."""
    if isinstance(item, FunctionItem):
        return (FunctionItem, item.head.name)
    return as_written(item)


def as_written(item: Item) -> tuple[object, ...]:
    """All that is written of an item, without the places at which it stands."""
    found: list[object] = [isinstance(item, FunctionItem | ConstItem) and item.body is None]
    waiting: list[object] = [item]
    while waiting:
        match waiting.pop():
            case msgspec.Struct() as one:
                found.append(type(one))
                waiting += [getattr(one, name) for name in one.__struct_fields__ if name not in _PLACES]
            case tuple() as several:
                found.append(len(several))
                waiting += several
            case one:
                found.append(one)
    return tuple(found)
