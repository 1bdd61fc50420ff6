"""
The graph while it is made: open ends, what is known on each, joins and branches.

Control stands at a *cursor*: a block that takes events, with the values of the
rebound locals and written fields on that path. After an `if`, a `match`, a
short circuit it stands at a *fan*, several ends that each carry a value of the
same row. Whoever tests that value next (`?`, a condition, a return) takes the
fan end by end, so that no path loses what it knew; anybody else joins it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from inroads.lower.model import (
    Assume,
    Block,
    Call,
    Cause,
    Compare,
    Condition,
    Event,
    Graph,
    Is,
    Loop,
    Opaque,
    Outcome,
    Place,
    Raise,
    Return,
    Root,
    Same,
    Truth,
    Write,
)
from inroads.lower.values import FALSE, TRUE, UNIT, UNIT_PLACE, Grown, Value, at_place, replace, subject_of

# A body that unfolds into more than this (closures run at many places) is told coarsely from there on.
MOST_BLOCKS = 60_000
MOST_RUNS = 2_000
# Tests of one path that are remembered; a match of thousands of arms on one number needs none of them.
MOST_FACTS = 24
# Ends of one value that are followed each alone: a chain of `and_then` leaves one more with every call.
MOST_ENDS = 64

# What a known outcome says of a test: the variant it answers, and how.
ANSWERS: dict[Outcome, tuple[str, bool]] = {
    "ok": ("Ok", True),
    "err": ("Ok", False),
    "some": ("Some", True),
    "none": ("Some", False),
}

EnvKey = tuple[Place, str] | int


class Cursor:
    """
    An open end: the block it writes to, the rebound values by key, the locals moved away.

    `facts` are the tests passed since the block before last.
    """

    __slots__ = ("block", "env", "facts", "moved")

    def __init__(self, block: int, env: dict[EnvKey, Value], moved: frozenset[int]) -> None:
        self.block = block
        self.env = env
        self.moved = moved
        self.facts: dict[Condition, bool] = {}


End = tuple[Cursor, Value]


class Builder(ABC):
    """Blocks under construction, and the place where control stands."""

    def __init__(self) -> None:
        self.events: list[list[Event]] = []
        self.successors: list[list[int]] = []
        self.loops: list[Loop] = []
        self.values: dict[int, Value] = {}
        self.instance = 0
        # How often a body was run that had been run before.
        self.unfolded = 0
        # Roots that a callee may change behind our back: what parameters refer to, statics.
        self.fragile: set[Root] = set()
        self._instances = 0
        self._cursor: Cursor | None = None
        self._fan: tuple[int, list[End]] | None = None

    # Where control stands.

    @property
    def cursor(self) -> Cursor | None:
        """The open end; a fan that nobody took is joined first. None where control does not arrive."""
        if self._fan is not None:
            self._settle()
        return self._cursor

    @cursor.setter
    def cursor(self, cursor: Cursor | None) -> None:
        self._fan = None
        self._cursor = cursor

    @property
    def dead(self) -> bool:
        """Whether control does not arrive here."""
        return self._cursor is None and self._fan is None

    def spread(self, row: int, ends: list[End]) -> None:
        """Leave control at several ends with a value each; `row` is the row whose value it is."""
        if MOST_ENDS < len(ends):
            ends = self.meet_same(row, ends)
        if not ends:
            self.cursor = None
        elif len(ends) == 1:
            self._cursor, value = ends[0]
            self._fan = None
            self.values[row] = value
        elif all(value.place == UNIT_PLACE for _, value in ends):
            self.values[row] = UNIT
            self.cursor = self.join(row, [cursor for cursor, _ in ends])
        else:
            self._cursor = None
            self._fan = (row, ends)

    def take(self, row: int | None) -> list[End]:
        """The ends with their values of `row`, for one who treats each alone; unit where it is None."""
        if self._fan is not None and self._fan[0] == row:
            ends = self._fan[1]
            self._fan = None
            return ends
        cursor = self.cursor
        return [] if cursor is None else [(cursor, UNIT if row is None else self.value(row))]

    def relay(self, row: int, operand: int | None) -> None:
        """The value of `operand` is the value of `row`, a fan included."""
        if self._fan is not None and self._fan[0] == operand:
            self._fan = (row, self._fan[1])
        else:
            self.values[row] = UNIT if operand is None else self.value(operand)

    def _settle(self) -> None:
        assert self._fan is not None
        row, ends = self._fan
        self._fan = None
        self._cursor, self.values[row] = self.unite(row, ends)

    def value(self, row: int) -> Value:
        """The value of a row; a new one where control never made it."""
        if self._fan is not None and self._fan[0] == row:
            self._settle()
        value = self.values.get(row)
        return value if value is not None else Value(self.made(row))

    def made(self, row: int, name: str = "", nominal: str = "") -> Place:
        """The place of what this run of the row makes."""
        return Place(Root("result", row, name, "", self.instance, nominal))

    def fresh(self) -> int:
        """A number for a new run, version or rebinding."""
        self._instances += 1
        return self._instances

    # Blocks.

    def block(self) -> int:
        """A new, empty block."""
        self.events.append([])
        self.successors.append([])
        return len(self.events) - 1

    def begin(self) -> Cursor:
        """Control at the entry."""
        self._cursor = Cursor(self.block(), {}, frozenset())
        return self._cursor

    @property
    def full(self) -> bool:
        """Whether the body unfolded beyond the bound."""
        return MOST_BLOCKS < len(self.events) or MOST_RUNS < self.unfolded

    def emit(self, event: Event) -> None:
        """The event happens where control stands."""
        cursor = self.cursor
        if cursor is not None:
            self.events[cursor.block].append(event)
            if isinstance(event, Call) and cursor.facts:
                # What a callee can't reach stays as it was tested.
                cursor.facts = {one: side for one, side in cursor.facts.items() if self._is_settled(one)}

    def _is_settled(self, condition: Condition) -> bool:
        """Whether no callee can change what the condition is about: values of this function, whole."""
        return all(not place.steps and place.root not in self.fragile for place in places_of(condition))

    def emit_at(self, cursor: Cursor, event: Event) -> None:
        """The event happens at an end that was put aside."""
        self.events[cursor.block].append(event)

    def stop(self, event: Raise | Return) -> None:
        """Control ends with this event."""
        cursor = self.cursor
        if cursor is not None:
            self.events[cursor.block].append(event)
            self.cursor = None

    def goto(self, cursor: Cursor, block: int) -> None:
        """The end goes on to the block."""
        self.successors[cursor.block].append(block)

    def fork(self, cursor: Cursor) -> Cursor:
        """A new block after the end, which stays open for others."""
        new = Cursor(self.block(), cursor.env.copy(), cursor.moved)
        new.facts = cursor.facts.copy()
        self.goto(cursor, new.block)
        return new

    # Joins.

    def join(self, row: int, cursors: list[Cursor]) -> Cursor | None:
        """The one end where all of these meet; what they know differently gets a name of its own."""
        if len(cursors) < 2:
            return cursors[0] if cursors else None
        env = self._join_env(row, cursors)
        moved = frozenset.intersection(*[cursor.moved for cursor in cursors])
        joined = Cursor(self.block(), env, moved)
        for cursor in cursors:
            self.goto(cursor, joined.block)
        return joined

    def _join_env(self, row: int, cursors: list[Cursor]) -> dict[EnvKey, Value]:
        first = cursors[0].env
        if all(cursor.env is first or cursor.env == first for cursor in cursors[1:]):
            return first
        keys: dict[EnvKey, None] = {}
        for cursor in cursors:
            keys.update(dict.fromkeys(cursor.env))
        return {key: self._join_key(row, key, cursors) for key in keys}

    def _join_key(self, row: int, key: EnvKey, cursors: list[Cursor]) -> Value:
        values = [self.lookup(cursor, key) for cursor in cursors]
        first = values[0]
        if all(value == first for value in values[1:]):
            return first
        grown = _grown_alike(values)
        if grown is not None:
            return grown
        return self.meet(row, self.renamed(key), list(zip(cursors, values, strict=True)))

    def lookup(self, cursor: Cursor, key: EnvKey) -> Value:
        """What the key stands for on this path."""
        value = cursor.env.get(key)
        return value if value is not None else self.original(key)

    @abstractmethod
    def original(self, key: EnvKey) -> Value:
        """What the key stood for before anything was written to it; the walk over bodies knows."""

    @abstractmethod
    def renamed(self, key: EnvKey) -> Place:
        """A new name for the key's place, other than all before."""

    def meet(self, row: int, place: Place, ends: list[End]) -> Value:
        """The value that the ends have in common, called `place`; each end says what it brings."""
        for cursor, value in ends:
            self.emit_at(
                cursor,
                Write(row, place, None, value.place, value.known, value.test, "join"),
            )
        values = [value for _, value in ends]
        first = values[0]
        known = first.known if all(value.known == first.known for value in values) else None
        holds = tuple(sorted({hold for value in values for hold in value.holds}))
        shared = any(value.shared for value in values)
        if all(at_place(value, place) == at_place(first, place) for value in values):
            return at_place(first, place)
        return Value(place, known=known, holds=holds, shared=shared)

    def unite(self, row: int, ends: list[End]) -> tuple[Cursor | None, Value]:
        """The one end and value of a fan."""
        if len(ends) < 2:
            return ends[0] if ends else (None, UNIT)
        first = ends[0][1]
        if all(value == first for _, value in ends):
            return self.join(row, [cursor for cursor, _ in ends]), first
        values = [value for _, value in ends]
        if all(value.place == first.place and subject_of(value) == subject_of(first) for value in values):
            known = first.known if all(value.known == first.known for value in values) else None
            test = first.test if all(value.test == first.test for value in values) else None
            holds = tuple(sorted({hold for value in values for hold in value.holds}))
            shared = any(value.shared for value in values)
            value = Value(first.place, first.subject, known, test, holds=holds, shared=shared)
        else:
            value = self.meet(row, self.made(row), ends)
        return self.join(row, [cursor for cursor, _ in ends]), value

    def meet_same(self, row: int, ends: list[End]) -> list[End]:
        """Join the ends that say the same of a test, so that few are left."""
        groups: dict[str | None, list[End]] = {}
        for end in ends:
            groups.setdefault(end[1].known, []).append(end)
        found: list[End] = []
        for group in groups.values():
            cursor, value = self.unite(row, group)
            if cursor is not None:
                found.append((cursor, value))
        return found

    # Branches.

    def split(
        self, cursor: Cursor, row: int, condition: Condition, cause: Cause, certain: bool | None = None
    ) -> tuple[Cursor | None, Cursor | None]:
        """
        The ends where the condition holds and where it does not.

        One of them is None where the path already decided it. With `certain` control
        surely goes to that side (the last arm of a match), which is told all the same.
        """
        decided = _decided(cursor.facts, condition)
        if decided is not None and (certain is None or decided == certain):
            return (cursor, None) if decided else (None, cursor)
        ends: list[Cursor | None] = []
        for side in (True, False):
            if certain is not None and certain != side:
                ends.append(None)
                continue
            end = self.fork(cursor)
            self.emit_at(end, Assume(row, condition, side, cause))
            if not isinstance(condition, Opaque):
                if MOST_FACTS < len(end.facts):
                    end.facts = {}
                end.facts[condition] = side
            ends.append(end)
        return ends[0], ends[1]

    def split_variant(
        self, end: End, row: int, variant: str, cause: Cause, certain: bool | None = None
    ) -> tuple[Cursor | None, Cursor | None]:
        """The ends where the value has the variant and where it has not."""
        cursor, value = end
        if value.known is not None and value.known in ANSWERS:
            name, side = ANSWERS[value.known]
            if name == variant:
                return (cursor, None) if side else (None, cursor)
        return self.split(cursor, row, Is(subject_of(value), variant), cause, certain)

    def split_bool(self, end: End, row: int, cause: Cause) -> tuple[Cursor | None, Cursor | None]:
        """The ends where the value is true and where it is false."""
        cursor, value = end
        match value.known:
            case "true":
                return cursor, None
            case "false":
                return None, cursor
            case _:
                pass
        if value.test is None:
            return self.split(cursor, row, Truth(value.place), cause)
        condition, side = value.test
        yes, no = self.split(cursor, row, condition, cause)
        return (yes, no) if side else (no, yes)

    def split_all(self, ends: Iterable[End], row: int, cause: Cause) -> tuple[Cursor | None, Cursor | None]:
        """Split each end by its bool, and join each side."""
        yes: list[Cursor] = []
        no: list[Cursor] = []
        for end in ends:
            on, off = self.split_bool(end, row, cause)
            if on is not None:
                yes.append(on)
            if off is not None:
                no.append(off)
        return self.join(row, yes), self.join(row, no)

    def answer(self, row: int, yes: Cursor | None, no: Cursor | None) -> None:
        """Control goes on at both ends, where the row's value is true and where it is false."""
        ends: list[End] = []
        if yes is not None:
            ends.append((yes, TRUE))
        if no is not None:
            ends.append((no, FALSE))
        self.spread(row, ends)

    def graph(self, function: int, parameters: tuple[Place, ...]) -> Graph:
        """The finished graph: without blocks that nothing leads to, numbered in the order they were made."""
        reached = _reached(self.successors)
        number = {
            block: at for at, block in enumerate(block for block in range(len(reached)) if reached[block])
        }
        blocks = tuple(
            Block(
                number[block],
                tuple(self.events[block]),
                tuple(number[to] for to in dict.fromkeys(self.successors[block])),
            )
            for block in number
        )
        loops = tuple(
            Loop(
                loop.row,
                loop.instance,
                number[loop.header],
                number[loop.body],
                _renumber(loop.latch, number),
                _renumber(loop.done, number),
                _renumber(loop.after, number),
                loop.over,
                loop.rows,
            )
            for loop in self.loops
            if loop.header in number and loop.body in number
        )
        return Graph(function, blocks, loops, parameters)


def places_of(condition: Condition) -> tuple[Place, ...]:
    """The places that a condition reads."""
    match condition:
        case Is(place=place) | Compare(place=place) | Truth(place=place):
            return (place,)
        case Same(left=left, right=right):
            return (left, right)
        case Opaque():
            return ()


def roots_of(condition: Condition) -> tuple[Root, ...]:
    """The roots of the places that a condition reads."""
    return tuple(place.root for place in places_of(condition))


def _decided(facts: dict[Condition, bool], condition: Condition) -> bool | None:
    """Whether the path has decided the condition: by the same test, or because the value is another variant."""
    known = facts.get(condition)
    if isinstance(condition, Is) and condition.place.root.kind == "constant" and not condition.place.steps:
        path = condition.place.root.path
        if "::" in path and "::" in condition.variant:
            return path == condition.variant
    if known is None and isinstance(condition, Is) and "::" in condition.variant:
        for other, side in facts.items():
            if side and isinstance(other, Is) and other.place == condition.place and "::" in other.variant:
                return False
    return known


def _grown_alike(values: list[Value]) -> Value | None:
    """The collection that some of the paths have pushed an item to, and others not; None for other values."""
    pushed = [value for value in values if value.grown is not None and value.grown.item is not None]
    if not pushed or pushed[0].grown is None or pushed[0].grown.loop is None:
        return None
    first = pushed[0].grown
    for value in values:
        grown = value.grown
        if grown is None or grown.base != first.base or value.place != pushed[0].place:
            return None
        if grown.item is not None and (grown.item, grown.loop) != (first.item, first.loop):
            return None
    part = len(pushed) < len(values) or any(value.grown is not None and value.grown.part for value in pushed)
    return replace(pushed[0], grown=Grown(first.base, first.depth, first.item, first.loop, part))


def _renumber(block: int | None, number: dict[int, int]) -> int | None:
    return None if block is None else number.get(block)


def _reached(successors: list[list[int]]) -> list[bool]:
    """Which blocks the entry leads to."""
    reached = [False] * len(successors)
    if not successors:
        return reached
    reached[0] = True
    stack = [0]
    while stack:
        for to in successors[stack.pop()]:
            if not reached[to]:
                reached[to] = True
                stack.append(to)
    return reached
