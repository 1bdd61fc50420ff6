"""Loops: written ones, and closures that a consumer runs for each element."""

from __future__ import annotations

from inroads.facts import FieldRow, LoopRow, PathRow, WhileRow
from inroads.lower.build import Cursor, End, EnvKey
from inroads.lower.growing import gathered
from inroads.lower.model import Loop, Place, Write
from inroads.lower.values import UNIT, Value
from inroads.lower.walk import Jump, Scope, Walk


class LoopBuilder:
    """A loop under construction: the header is open, turns are walked, then it is closed."""

    def __init__(
        self, walk: Walk, row: int, start: int, end: int, label: str | None, over: Place | None
    ) -> None:
        """Control enters the header; names that the rows in [start, end) write to get a new one for each turn."""
        self.walk = walk
        self.row = row
        self.rows = (start, end)
        self.over = over
        self.instance = walk.instance
        self.jump = Jump(row, label, True, len(walk.scopes))
        walk.jumps.append(self.jump)
        entry = walk.cursor
        assert entry is not None
        self.names: dict[EnvKey, Place] = {}
        env = entry.env.copy()
        for key in written(walk, start, end):
            value = walk.lookup(entry, key)
            place = walk.renamed(key)
            walk.emit_at(entry, Write(row, place, None, value.place, value.known, value.test, "join"))
            self.names[key] = place
            env[key] = Value(place, holds=value.holds, shared=value.shared)
        for local in walk.scan.changed(start, end):
            value = walk.lookup(entry, local)
            if value.grown is not None and value.grown.item is not None:
                # Filled before, and filled on in each turn.
                env[local] = Value(value.grown.base, holds=value.holds)
        header = Cursor(walk.block(), env, entry.moved)
        walk.goto(entry, header.block)
        self.header = header.block
        self.at_header = Cursor(header.block, env.copy(), header.moved)
        walk.cursor = header

    def close(
        self, body: int, turns: list[Cursor], done: Cursor | None, done_value: Value = UNIT
    ) -> list[End]:
        """
        Lead the turns that came to their end back to the header.

        Returns:
            The ends after the loop: where it was exhausted, and each `break`.
        """
        walk = self.walk
        walk.jumps.pop()
        back = walk.join(self.row, turns + self.jump.continues)
        latch = None
        closing = None
        if back is not None:
            # A latch of its own, so that one block stands for "a turn came to its end".
            closing = walk.fork(back)
            latch = closing.block
            for key, value in closing.env.items():
                if key in self.names:
                    place = self.names[key]
                else:
                    at_entry = self.at_header.env.get(key)
                    if at_entry is not None and at_entry == value:
                        continue
                    place = walk.lookup(self.at_header, key).place
                if value.place != place:
                    write = Write(self.row, place, None, value.place, value.known, value.test, "join")
                    walk.emit_at(closing, write)
            walk.goto(closing, self.header)
        ends: list[End] = []
        done_block = None
        if done is not None:
            done_block = done.block
            ends.append((done, done_value))
        ends += self.jump.breaks
        gathered(walk, self.row, closing, [cursor for cursor, _ in ends], bool(self.jump.breaks))
        after: int | None = None
        if 1 < len({value.known for _, value in ends}):
            # The ends answer differently: whoever tests the answer next goes on from each.
            pass
        elif ends:
            cursor, value = walk.unite(self.row, ends)
            assert cursor is not None
            # A block of its own, where the loop is over.
            cursor = walk.fork(cursor)
            after = cursor.block
            ends = [(cursor, value)]
        walk.loops.append(
            Loop(self.row, self.instance, self.header, body, latch, done_block, after, self.over, self.rows)
        )
        return ends


def written(walk: Walk, start: int, end: int) -> list[EnvKey]:
    """What the rows in [start, end) assign to, of what stands before them."""
    keys: dict[EnvKey, None] = {}
    for target in walk.scan.assigned(start, end):
        key = _key(walk, target, start)
        if key is not None:
            keys[key] = None
    return list(keys)


def _key(walk: Walk, target: int, start: int) -> EnvKey | None:
    """The key of an assigned row; None where it is bound inside or goes through an index."""
    names: list[str] = []
    row = target
    while True:
        match walk.rows[row]:
            case FieldRow(base=base, name=name):
                names.append(name)
                row = base
            case PathRow():
                local = walk.judged.uses.get(row)
                break
            case _:
                return None
    if local is None or _bound_at(walk, local) >= start:
        return None
    if not names:
        return local
    value = walk.local_value(local)
    for name in reversed(names[1:]):
        value = walk.field(value, name, "", "")
    return (value.place, names[0])


def _bound_at(walk: Walk, local: int) -> int:
    row = walk.judged.locals[local].row
    return -1 if row is None else row


def loop(walk: Walk, at: int, row: LoopRow) -> None:
    """
    ``loop { body }``

    ::

        [header] -> body -> [latch] -> header
        break -> .
    """
    if walk.cursor is None:
        return
    building = LoopBuilder(walk, at, row.body.start, row.body.end, row.label, None)
    header = walk.cursor
    assert header is not None
    turn = walk.fork(header)
    walk.cursor = turn
    turns = [cursor for cursor, _ in walk.run_scoped(row.body)]
    walk.spread(at, building.close(turn.block, turns, None))


def while_(walk: Walk, at: int, row: WhileRow) -> None:
    """
    ``while c { body }``, ``while let p = v { body }``

    ::

        [header] c -> [c is true] body -> [latch] -> header
                   -> [c is false] (done) -> .
    """
    if walk.cursor is None:
        return
    building = LoopBuilder(walk, at, row.condition.start, row.body.end, row.label, None)
    building.jump.condition = row.condition
    walk.scopes.append(Scope())
    walk.run(row.condition)
    yes, no = walk.split_all(walk.take(row.condition.value), at, "loop")
    turns: list[Cursor] = []
    body = building.header
    if yes is not None:
        body = yes.block
        walk.cursor = yes
        turns = [cursor for cursor, _ in walk.close(walk.run_scoped(row.body), at)]
    else:
        walk.scopes.pop()
    walk.spread(at, building.close(body, turns, no))
