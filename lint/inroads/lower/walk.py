"""
The walk over the rows of one judged body: regions, scopes, frames, and what names stand for.

The functions that lower one kind of row each stand in the modules beside;
`table` in `lower/__init__` maps a kind to its function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from inroads.facts import (
    AttributedRow,
    BlockRow,
    BorrowRow,
    ClosureRow,
    ForRow,
    IfRow,
    LetRow,
    LoopRow,
    MacroRow,
    MatchRow,
    Region,
    Row,
    ShortCircuitRow,
    WhileRow,
)
from inroads.lower.build import Builder, Cursor, End, EnvKey, roots_of
from inroads.lower.model import Destination, Drop, Field, Move, Place, Root, Write
from inroads.lower.places import extend, rebase
from inroads.lower.scan import Scan
from inroads.lower.values import Future, Value, at_place, replace
from inroads.resolve.model import Judged

if TYPE_CHECKING:
    from inroads.lower.context import Context

Handler: TypeAlias = Callable[["Walk", int, Any], None]


class Scope:
    """Locals and temporaries that end together, in reverse order."""

    __slots__ = ("locals", "temporaries")

    def __init__(self) -> None:
        self.locals: list[tuple[int, Value]] = []
        self.temporaries: dict[int, Value] = {}


class Frame:
    """
    What `return` and `?` leave: the function, a closure, an async block, a try block.

    `returns` collects the ends, each with the row that leaves.
    """

    __slots__ = ("depth", "jumps", "kind", "returns")

    def __init__(self, kind: str, depth: int, jumps: int) -> None:
        self.kind = kind
        self.depth = depth
        self.jumps = jumps
        self.returns: list[tuple[Cursor, Value, int]] = []


class Jump:
    """What `break` and `continue` leave: a loop or a labelled block. `depth` is the number of scopes around it."""

    __slots__ = ("breaks", "condition", "continues", "depth", "is_loop", "label", "row")

    def __init__(self, row: int, label: str | None, is_loop: bool, depth: int) -> None:
        self.row = row
        self.label = label
        self.is_loop = is_loop
        self.depth = depth
        self.breaks: list[End] = []
        self.continues: list[Cursor] = []
        self.condition: Region | None = None


class Walk(Builder):
    """One judged body being lowered."""

    def __init__(
        self,
        judged: Judged,
        context: Context,
        table: Mapping[type[Row], Handler],
        stray: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__()
        self.judged = judged
        self.context = context
        self.rows = judged.body.rows
        self.table = table
        self.scopes: list[Scope] = []
        self.frames: list[Frame] = []
        self.jumps: list[Jump] = []
        self.bindings: dict[int, Value] = {}
        self.runs: dict[int, int] = {}
        # Closures and async blocks that were made, and those of them that nobody here is seen to run.
        self.created: set[int] = set()
        self.stray = stray
        # Inside of a scope that joins its threads: what was spawned, and how many scopes deep.
        self.spawned: list[tuple[Future, int]] = []
        self.late_tails = context.edition(judged.function) < "2024"
        self.depth = 0
        self.nested = 0
        self._scan: Scan | None = None
        self._drops: dict[int, bool] = {}

    @property
    def scan(self) -> Scan:
        """What one pass over the rows tells."""
        if self._scan is None:
            self._scan = Scan(self.judged, self.context)
        return self._scan

    # Regions.

    def run(self, region: Region) -> None:
        """Walk the rows of a region; it ends early where control does not arrive."""
        self.nested += 1
        self._run(region)
        self.nested -= 1

    def _run(self, region: Region) -> None:
        rows = self.rows
        table = self.table
        at = region.start
        while at < region.end:
            if self.dead:
                return
            row = rows[at]
            kind = type(row)
            table[kind](self, at, row)
            at = past(at, row) if kind in HEADERS else at + 1

    def run_scoped(self, region: Region) -> list[End]:
        """Walk a region with a scope of its own; the ends come out after its drops."""
        self.scopes.append(Scope())
        self.run(region)
        ends = self.take(region.value)
        if region.value is not None:
            self.pass_on(ends, region.value)
        return self.close(
            ends, region.value if region.value is not None else max(region.start, region.end - 1)
        )

    def pass_on(self, ends: list[End], row: int) -> None:
        """The tail's value leaves the scope: its owner is no longer dropped here."""
        local = self.judged.uses.get(row)
        for cursor, value in ends:
            if local is not None:
                cursor.moved |= {local}
            self.keep(value, row)

    def close(self, ends: list[End], row: int) -> list[End]:
        """End the innermost scope on each of the ends."""
        scope = self.scopes.pop()
        if scope.locals or scope.temporaries:
            for cursor, _ in ends:
                self.end_scope(cursor, scope, row)
        return ends

    def end_scope(self, cursor: Cursor, scope: Scope, row: int) -> None:
        """Tell the drops of a scope on one path: locals in reverse order, the tail's temporaries by edition."""
        if not self.late_tails:
            self.end_temporaries(cursor, scope, row)
        for local, value in reversed(scope.locals):
            if local not in cursor.moved:
                now = cursor.env.get(local, value)
                held = replace(now, holds=now.holds or value.holds)
                self.drop_at(cursor, row, held, self.judged.locals[local].type)
        if self.late_tails:
            self.end_temporaries(cursor, scope, row)

    def end_temporaries(self, cursor: Cursor, scope: Scope, row: int) -> None:
        """Tell the drops of the temporaries of a statement."""
        for made in reversed(scope.temporaries):
            value = scope.temporaries[made]
            self.drop_at(cursor, row, value, self.judged.types[made])

    def drop_at(self, cursor: Cursor, row: int, value: Value, of: Any, explicit: bool = False) -> None:
        """A value ends here; its Drop impl runs if it has one, and those of what it holds."""
        self.emit_at(cursor, Drop(row, value.place, value.holds, explicit))
        for steps, call in self.context.drop_calls(of, row):
            place = rebase(Place(value.place.root, steps), value.place)
            self.emit_at(cursor, self.context.drop_event(call, row, place, self.instance))

    def flush(self, row: int) -> None:
        """The statement ends: so do its temporaries."""
        scope = self.scopes[-1]
        if scope.temporaries:
            if not self.dead and self.cursor is not None:
                self.end_temporaries(self.cursor, scope, row)
            scope.temporaries = {}

    def leave(self, cursor: Cursor, depth: int, row: int) -> None:
        """Tell the drops of all scopes beyond `depth`, inner first; they stay open for other paths."""
        for scope in reversed(self.scopes[depth:]):
            self.end_scope(cursor, scope, row)

    def leave_frame(self, at: int, ends: list[End], row: int | None) -> None:
        """Leave the innermost frame with these ends; `row` is the row of the value that goes along, if one does."""
        frame = self.frames[-1]
        for cursor, value in ends:
            local = None if row is None else self.judged.uses.get(row)
            if local is not None:
                cursor.moved |= {local}
            if row is not None:
                self.keep(value, row)
            self.leave(cursor, frame.depth, at)
            frame.returns.append((cursor, value, at))
        self.cursor = None

    # Owners.

    def temporary(self, row: int, value: Value) -> None:
        """The value has no owner yet: it ends with the statement unless somebody takes it."""
        if self.scopes and (value.holds or self.context.drops(self.judged.types[row])):
            self.scopes[-1].temporaries[row] = value

    def keep(self, value: Value, row: int) -> None:
        """Somebody takes the temporary: it does not end with the statement."""
        for scope in reversed(self.scopes):
            if scope.temporaries:
                scope.temporaries.pop(row, None)
                for hold in value.holds:
                    scope.temporaries.pop(hold, None)

    def consume(self, row: int, into: Destination | None, by: int) -> Value:
        """The value of `row` is given away to `by`; a borrowed or copied one is not."""
        value = self.value(row)
        local = self.judged.uses.get(row)
        if into in ("call", "unknown") and isinstance(self.rows[row], BorrowRow):
            return value
        if local is None and not value.holds and not self.context.drops(self.judged.types[row]):
            return value
        cursor = self.cursor
        if cursor is None:
            return value
        if local is not None:
            if not self.owned(local):
                return value
            cursor.moved |= {local}
        self.keep(value, row)
        if into is not None and (
            value.holds or local is not None or self.context.drops(self.judged.types[row])
        ):
            self.emit(Move(by, value.place, into, value.holds))
        return value

    def capture(self, at: int, body: Region) -> tuple[int, ...]:
        """A `move` closure or block takes the owned locals that it names; gives what they hold."""
        cursor = self.cursor
        holds: set[int] = set()
        if cursor is None:
            return ()
        for row in range(body.start, body.end):
            local = self.judged.uses.get(row)
            if local is None or local in cursor.moved or not self.owned(local):
                continue
            born = self.judged.locals[local].row
            if born is None or born < at:
                value = self.local_value(local)
                cursor.moved |= {local}
                self.emit(Move(at, value.place, "capture", value.holds))
                holds.update(value.holds)
        return tuple(sorted(holds))

    def owned(self, local: int) -> bool:
        """Whether the local's own end means something, so that its moves and drops are told."""
        known = self._drops.get(local)
        if known is None:
            binding = self.bindings.get(local)
            known = self.context.drops(self.judged.locals[local].type) or bool(
                binding is not None and binding.holds
            )
            self._drops[local] = known
        return known

    # Names.

    def bind(self, local: int, value: Value, row: int, op: str = "let") -> None:
        """
        The local gets its first value. It is an alias of the value's place, unless it may change alone.
        """
        noun = self.judged.locals[local]
        place = value.place
        cursor = self.cursor
        if cursor is None:
            return
        cursor.env.pop(local, None)
        if local in cursor.moved:
            cursor.moved -= {local}
        if place.root.kind == "result" and not place.steps:
            root = place.root
            if not root.name or root.name.endswith("()"):
                named = Place(Root("result", root.index, noun.name, "", root.instance, root.type))
                value = replace(value, place=named)
        elif noun.mutable and not value.shared and local in self.scan.touched:
            own = Place(Root("local", local, noun.name, "", self.fresh(), self.context.nominal(noun.type)))
            self.emit(Write(row, own, None, place, value.known, value.test, op))
            value = at_place(value, own)
        self._drops.pop(local, None)
        self.bindings[local] = value
        if self.scopes and self.owned(local):
            self.scopes[-1].locals.append((local, value))

    def declare(self, local: int) -> None:
        """`let x;`: the local has no value yet."""
        noun = self.judged.locals[local]
        place = Place(Root("local", local, noun.name, "", self.fresh(), self.context.nominal(noun.type)))
        self.bindings[local] = Value(place)
        if self.scopes and self.owned(local):
            self.scopes[-1].locals.append((local, self.bindings[local]))

    def local_value(self, local: int) -> Value:
        """What the local stands for here."""
        cursor = self.cursor
        if cursor is not None:
            value = cursor.env.get(local)
            if value is not None:
                return value
        value = self.bindings.get(local)
        if value is None:
            noun = self.judged.locals[local]
            value = Value(Place(Root("local", local, noun.name, "", 0, self.context.nominal(noun.type))))
            self.bindings[local] = value
        return value

    def parameter_local(self, start: int) -> int | None:
        """The local of a plain parameter, by where its pattern begins."""
        return self.judged.bound.get((-1, start))

    def rebind(self, local: int, value: Value, row: int, op: str) -> None:
        """`local = value`: the place gets a new name."""
        cursor = self.cursor
        if cursor is None:
            return
        before = self.local_value(local)
        if op == "=" and local not in cursor.moved and self.owned(local):
            self.drop_at(cursor, row, before, self.judged.locals[local].type)
        cursor.moved -= {local}
        place = self.renamed(local)
        if op in ("=", "*="):
            self.emit(Write(row, place, before.place, value.place, value.known, value.test, op))
            cursor.env[local] = at_place(value, place)
        else:
            self.emit(Write(row, place, before.place, None, None, None, op))
            cursor.env[local] = Value(place)

    def forget(self, local: int) -> None:
        """Somebody may change the local behind our back: what its value was made of no longer holds."""
        cursor = self.cursor
        if cursor is not None:
            value = self.local_value(local)
            root = value.place.root
            cursor.facts = {one: side for one, side in cursor.facts.items() if root not in roots_of(one)}
            if value.grown is not None:
                cursor.env[local] = Value(value.grown.base, holds=value.holds)
            elif value.known or value.test or value.elements or value.fields or value.payload:
                cursor.env[local] = Value(value.place, holds=value.holds, shared=value.shared)

    def field(self, base: Value, name: str, owner: str, nominal: str) -> Value:
        """`base.name`, as it was last written on this path."""
        if base.fields is not None and name in base.fields:
            found = base.fields[name]
            key = (base.place, name)
            cursor = self.cursor
            return found if cursor is None else cursor.env.get(key, found)
        if base.elements is not None and name.isdigit() and int(name) < len(base.elements):
            return base.elements[int(name)]
        cursor = self.cursor
        if cursor is not None and cursor.env:
            value = cursor.env.get((base.place, name))
            if value is not None:
                return value
        return Value(
            extend(base.place, Field(name, "", 0, owner, nominal)), holds=base.holds, shared=base.shared
        )

    def value_now(self, row: int, place: Place) -> Value:
        """What stands at a place that was just written to, by the row that names it."""
        local = self.judged.uses.get(row)
        if local is not None:
            return self.local_value(local)
        last = place.steps[-1] if place.steps else None
        if isinstance(last, Field):
            base = Value(Place(place.root, place.steps[:-1]))
            return self.field(base, last.name, last.owner, last.type)
        return Value(place)

    def write_field(self, base: Value, field: Field, value: Value | None, row: int, op: str) -> None:
        """`base.name = value`: from here on the field is another place than before."""
        cursor = self.cursor
        if cursor is None:
            return
        key = (base.place, field.name)
        before = self.lookup(cursor, key).place
        place = extend(base.place, Field(field.name, "", self.fresh(), field.owner, field.type))
        if value is None:
            self.emit(Write(row, place, before, None, None, None, op))
            cursor.env[key] = Value(place)
        else:
            self.emit(Write(row, place, before, value.place, value.known, value.test, op))
            cursor.env[key] = at_place(value, place)

    def original(self, key: EnvKey) -> Value:
        if isinstance(key, int):
            value = self.bindings.get(key)
            if value is None:
                noun = self.judged.locals[key]
                value = Value(Place(Root("local", key, noun.name, "", 0, self.context.nominal(noun.type))))
            return value
        base, name = key
        return Value(extend(base, Field(name)))

    def renamed(self, key: EnvKey) -> Place:
        if isinstance(key, int):
            noun = self.judged.locals[key]
            return Place(Root("local", key, noun.name, "", self.fresh(), self.context.nominal(noun.type)))
        base, name = key
        return extend(base, Field(name, "", self.fresh()))


# Kinds of rows that regions follow.
HEADERS = frozenset(
    (
        *(IfRow, MatchRow, LoopRow, WhileRow, ForRow, BlockRow),
        *(ClosureRow, AttributedRow, ShortCircuitRow, LetRow, MacroRow),
    )
)


def past(at: int, row: Row) -> int:
    """The row where evaluation goes on after this one: the next, or the end of its last region."""
    match row:
        case IfRow(then=then, otherwise=otherwise):
            return (otherwise or then).end
        case MatchRow(arms=arms):
            return arms[-1].body.end if arms else at + 1
        case LoopRow(body=body) | WhileRow(body=body) | ForRow(body=body) | BlockRow(body=body):
            return body.end
        case ClosureRow(body=body) | AttributedRow(body=body):
            return body.end
        case ShortCircuitRow(right=right):
            return right.end
        case LetRow(otherwise=otherwise):
            return at + 1 if otherwise is None else otherwise.end
        case MacroRow(regions=regions):
            return regions[-1].end if regions else at + 1
        case _:
            return at + 1
