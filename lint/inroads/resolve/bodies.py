"""
A body with the workspace's own macros expanded.

The rows of an expansion stand in the place of the MacroRow, under a BlockRow
of kind "expansion" whose span is the call's. Macros from outside keep their
MacroRow and the regions of their arguments.
"""

from __future__ import annotations

import msgspec

from inroads.facts import BlockRow, Body, MacroRow, Position, Problem, Region, Row, UseItem
from inroads.resolve.blocks import add_imports, block_at
from inroads.resolve.bombs import CHEAP, Budget, most_written, sampled_functions
from inroads.resolve.calls import unroll
from inroads.resolve.expand import DEEPEST, Endless, Failure
from inroads.resolve.model import Macro
from inroads.resolve.origins import Pieces, written_at
from inroads.resolve.sources import Source
from inroads.resolve.splice import moved, past
from inroads.resolve.tables import Tables
from inroads.rust.fragment import read_body
from inroads.store import decode_body, parses

_MOST_ROWS = 400_000
_MOST_EXPANSIONS = 5_000


class Expanded(msgspec.Struct):
    """
    An expanded body.

    Args:
        origin: For each row the id of the source that its span points into.
        base: For each source in `origin`, what is added to a row's span to get an offset of that source.
        sources:
            The expansions made for this body, by id. Their ids follow those of
            `Tables.sources`, and mean something for this body only.
        problems: Own macros that did not expand; their MacroRow is left as it is.
        unending: The MacroIds of calls of the body itself whose expansions did not come to an end.
    """

    body: Body
    origin: list[int]
    base: dict[int, int]
    sources: dict[int, Source] = msgspec.field(default_factory=dict)
    problems: list[Problem] = msgspec.field(default_factory=list)
    unending: set[int] = msgspec.field(default_factory=set)

    def position(self, tables: Tables, source: int, offset: int) -> Position:
        """Where the byte at `offset` of a row's span was written by hand; `source` is the row's origin."""
        whole = self.base[source] + offset
        own = self.sources.get(source)
        if own is None:
            return tables.position(source, whole)
        file, at = written_at(own, whole)
        return tables.position(file, at)


class _Place(msgspec.Struct):
    """Where rows are expanded: the module of their names, and their place among textual macros."""

    module: int
    order: tuple[int, ...]
    function: int | None
    depth: int


def expand_body(
    tables: Tables,
    body: Body,
    source: int,
    base: int,
    module: int,
    order: tuple[int, ...],
    function: int | None,
    sample: bool = False,
) -> Expanded:
    """
    Expand the own macros of a body, those in their expansions too, to a bounded depth.

    Args:
        sample: Whether the body is one by which its macros are judged; see `bombs`.
        source, base: The source of the body, and where the body begins there.
        module: Where the body's names are looked up; the innermost block of `function` is found for each call.
    """
    expanded = Expanded(body, [source] * len(body.rows), {source: base})
    if not _calls_own_macro(body, tables):
        return expanded
    work = _Work(tables, expanded, sample)
    rows, origin, root = work.rows_of(body, source, _Place(module, order, function, 0))
    expanded.body = Body(tuple(rows), root)
    expanded.origin = origin
    return expanded


def _calls_own_macro(body: Body, tables: Tables) -> bool:
    own = tables.own_macros
    for row in body.rows:  # noqa: SIM110  # a loop costs half of what `any` does
        if type(row) is MacroRow and row.path and row.path[-1] in own:
            return True
    return False


def expand_function(tables: Tables, function: int) -> Expanded | None:
    """
    The expanded body of a function; None where it has none.

    A `use` that an expansion brings is entered into the body's block.
    """
    expanded = expand_bare(tables, function)
    if expanded is not None and expanded.sources and function not in tables.entered:
        tables.entered.add(function)
        _enter_uses(tables, function, expanded)
    return expanded


def expand_bare(tables: Tables, function: int, sample: bool = False) -> Expanded | None:
    """The expanded body of a function, and nothing entered anywhere; None where it has none."""
    one = tables.functions[function]
    if one.body is None:
        return None
    facts = tables.sources[one.source].facts.bodies[one.body]
    module, order = tables.body_module(function), tables.orders[function]
    body = decode_body(facts.data)
    if not parses(facts):
        tables.unparsed.add(one.source)
    return expand_body(tables, body, one.source, facts.start, module, order, function, sample)


def _explodes(tables: Tables, macro: Macro) -> bool:
    """Whether a call of the macro, of a few in the program, does not come to an end."""
    found = tables.exploding.get(macro.id)
    if found is None:
        found = any(
            expanded is not None and macro.id in expanded.unending
            for function in sampled_functions(tables, macro)
            if (expanded := expand_bare(tables, function, sample=True)) is not None
        )
        tables.exploding[macro.id] = found
    return found


def _enter_uses(tables: Tables, function: int, expanded: Expanded) -> None:
    one = tables.functions[function]
    for source in expanded.sources.values():
        for item in source.facts.items:
            if isinstance(item, UseItem):
                # The call of an expansion in an expansion counts where the outermost one stands.
                outer = source
                while outer.parent in expanded.sources:
                    outer = expanded.sources[outer.parent]
                module = block_at(tables, function, outer.call[0])
                order = tables.order_at(function, outer.call[0])
                added = add_imports(module, item, one.source, one.test, one.active, order)
                tables.settle_late(module, added)


class _Work:
    def __init__(self, tables: Tables, expanded: Expanded, sample: bool) -> None:
        self.tables = tables
        self.expanded = expanded
        self.sample = sample
        self.budget = Budget(lambda: 0)
        self.outer = -1
        self.made = 0
        self.rows_made = 0

    def rows_of(self, body: Body, source: int, place: _Place) -> tuple[list[Row], list[int], Region]:
        """The rows of a body with own macros expanded, for each its source, and the root region."""
        rows: list[Row] = []
        origin: list[int] = []
        old = body.rows
        places = [0] * (len(old) + 1)
        spliced: set[int] = set()
        at = 0
        while at < len(old):
            places[at] = len(rows)
            row = old[at]
            if type(row) is MacroRow:
                made = self.expansion(row, source, place)
                if made is not None:
                    inner_rows, inner_origin, inner_root = made
                    shift = len(rows) + 1
                    body_region = Region(
                        inner_root.start + shift,
                        inner_root.end + shift,
                        None if inner_root.value is None else inner_root.value + shift,
                    )
                    spliced.add(len(rows))
                    spliced.update(range(shift, shift + len(inner_rows)))
                    rows.append(BlockRow(row.start, row.end, "expansion", None, body_region))
                    origin.append(inner_origin[0] if inner_origin else source)
                    origin[-1] = source
                    rows.extend(moved(one, lambda index, shift=shift: index + shift) for one in inner_rows)  # type: ignore[misc]  # mypy cannot infer a lambda with a default.
                    origin.extend(inner_origin)
                    after = past(at, row)
                    for index in range(at + 1, after):
                        places[index] = len(rows)
                    at = after
                    continue
            rows.append(row)
            origin.append(source)
            at += 1
        places[len(old)] = len(rows)
        if spliced:
            rows = [
                row if index in spliced else moved(row, places.__getitem__) for index, row in enumerate(rows)
            ]
        root = body.root
        value = None if root.value is None else places[root.value]
        return rows, origin, Region(places[root.start], places[root.end], value)

    def expansion(
        self, row: MacroRow, source: int, place: _Place
    ) -> tuple[list[Row], list[int], Region] | None:
        """The rows of a call of an own macro; None for a macro from outside, or where it does not expand."""
        place = self.at(row, source, place)
        macro = self.own(row.path, place)
        if macro is None:
            return None
        if place.depth == 0:
            self.outer = macro.id
            self.budget = Budget(lambda: self.written_by(macro))
        elif self.outer in self.expanded.unending:
            return None
        self.made += 1
        if DEEPEST <= place.depth or _MOST_EXPANSIONS < self.made or _MOST_ROWS < self.rows_made:
            self.stop(row, source, macro)
            return None
        base = self.expanded.base[source]
        result = unroll(
            macro,
            row.text,
            ((0, source, base + row.text_at),),
            lambda path: self.own(path, place),
            self.pieces_of,
            self.budget.spend,
        )
        if isinstance(result, Endless):
            self.stop(row, source, macro)
            return None
        if isinstance(result, Failure):
            self.problem(row, source, f"{macro.name}! was not expanded: {result.reason}")
            return None
        facts = read_body(result.text, "statements" if row.statement else "expression")
        body = decode_body(facts.bodies[0].data)
        id = len(self.tables.sources) + len(self.expanded.sources)
        self.expanded.sources[id] = Source(
            id=id,
            path=self.source(source).path,
            own=facts,
            places=self.tables.places,
            parent=source,
            call=(base + row.start, base + row.end),
            pieces=result.pieces,
            macro=macro.id,
        )
        self.expanded.base[id] = facts.bodies[0].start
        for problem in facts.problems[:1]:
            self.problem(row, source, f"the expansion of {macro.name}!: {problem.message}")
        self.rows_made += len(body.rows)
        inner = _Place(place.module, place.order, place.function, place.depth + 1)
        return self.rows_of(body, id, inner)

    def stop(self, row: MacroRow, source: int, macro: Macro) -> None:
        """Give up on all that the call in the body itself brings, as the compiler does."""
        self.expanded.unending.add(self.outer)
        self.budget.exhaust()
        self.problem(row, source, f"{macro.name}! was not expanded: it goes too deep")

    def written_by(self, macro: Macro) -> int:
        """How much a call of the macro may write."""
        if not self.sample and _explodes(self.tables, macro):
            return CHEAP
        return most_written(self.tables)

    def at(self, row: MacroRow, source: int, place: _Place) -> _Place:
        """Where a call looks up names: in the body's own text that depends on where it stands."""
        if place.depth:
            return place
        offset = self.expanded.base[source] + row.start
        if place.function is None:
            return _Place(place.module, (*place.order, offset), None, 0)
        tables, function = self.tables, place.function
        return _Place(tables.module_at(function, offset), tables.order_at(function, offset), function, 0)

    def own(self, path: tuple[str, ...], place: _Place) -> Macro | None:
        """The own macro that a path names, if it does."""
        found = self.tables.resolve_macro(place.module, path, place.order)
        if found is None or found.kind != "macro" or found.id is None:
            return None
        return self.tables.macros[found.id]

    def pieces_of(self, source: int) -> Pieces | None:
        """The pieces of an expansion; None for a file."""
        one = self.source(source)
        return None if one.parent is None else one.pieces

    def source(self, id: int) -> Source:
        """A source of the tables or of this body."""
        return self.tables.sources[id] if id < len(self.tables.sources) else self.expanded.sources[id]

    def problem(self, row: MacroRow, source: int, message: str) -> None:
        place = self.expanded.position(self.tables, source, row.name_at)
        self.expanded.problems.append(
            Problem(kind="macro", path=place.path, line=place.line, column=place.column, message=message)
        )
