"""
Collections that are filled by hand: a loop that pushes each turn's item gathers them.

``let mut ids = Vec::new(); for s in seqs { ids.push(s.id) }``: after the loop `ids` holds each(seqs).id,
as if it had been collected; a part of them where a turn may push nothing.
"""

from __future__ import annotations

from inroads.facts import MethodCallRow, PathRow
from inroads.lower.build import Cursor
from inroads.lower.model import Gather, Turn
from inroads.lower.places import extend
from inroads.lower.values import Grown, Value, all_of, replace
from inroads.lower.walk import Walk

EMPTY = frozenset(
    f"std::{name}::{maker}"
    for name in (
        *("vec::Vec", "collections::VecDeque", "collections::HashSet", "collections::BTreeSet"),
        *(
            "collections::vec_deque::VecDeque",
            "collections::hash_set::HashSet",
            "collections::btree_set::BTreeSet",
        ),
    )
    for maker in ("new", "with_capacity", "default")
)
ADD = frozenset({"push", "push_back", "push_front", "insert"})


def empty(walk: Walk, value: Value) -> Value:
    """A new, empty collection, whose filling is followed from here on."""
    return replace(value, grown=Grown(value.place, len(walk.jumps)))


def add(walk: Walk, row: MethodCallRow, item: Value) -> bool:
    """``xs.push(item)``: follow it where xs is a local that was made empty; False where it is not."""
    if not isinstance(walk.rows[row.receiver], PathRow):
        return False
    local = walk.judged.uses.get(row.receiver)
    cursor = walk.cursor
    if local is None or cursor is None:
        return False
    value = walk.local_value(local)
    grown = value.grown
    if grown is None:
        return False
    depth = len(walk.jumps) - grown.depth
    if grown.item is not None or depth < 0 or 1 < depth:
        # A second push, or one from two loops in: what it holds can't be told any more.
        cursor.env[local] = Value(grown.base, holds=value.holds)
    elif depth == 0:
        cursor.env[local] = replace(
            value, place=extend(item.place, Gather()), grown=Grown(grown.base, grown.depth, item.place)
        )
    else:
        jump = walk.jumps[-1]
        if jump.is_loop:
            turned = Grown(grown.base, grown.depth, item.place, jump.row)
            cursor.env[local] = replace(value, grown=turned)
    return True


def gathered(walk: Walk, row: int, closing: Cursor | None, left: list[Cursor], broken: bool) -> None:
    """
    After the loop at `row`: what was pushed in its turns is what the collection holds.

    Args:
        closing: The end of a turn; None where no turn comes to its end.
        left: The ends after the loop.
        broken: Whether a `break` may have left turns out.
    """
    if closing is None:
        return
    for key, value in closing.env.items():
        grown = value.grown
        if not isinstance(key, int) or grown is None or grown.loop != row or grown.item is None:
            continue
        turn = Turn(row, walk.instance)
        place = all_of(grown.item, turn, row, walk.instance, grown.part or broken)
        for cursor in left:
            cursor.env[key] = Value(
                place, holds=value.holds, grown=Grown(grown.base, grown.depth, grown.item)
            )


def changed(walk: Walk, row: int) -> None:
    """The collection at `row` is changed in another way: what it holds can't be told any more."""
    local = walk.judged.uses.get(row)
    cursor = walk.cursor
    if local is not None and cursor is not None:
        value = walk.local_value(local)
        if value.grown is not None:
            cursor.env[local] = Value(value.grown.base, holds=value.holds)
