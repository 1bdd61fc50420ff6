"""
Macro calls in item position, expanded until nothing new appears.

A macro in textual scope is expanded where the walk meets it, so that what it
defines is in scope for the items after it. The others are found by their path;
they wait until the walk is done, and then go in rounds, each after globs have
been settled again. Calls that name nothing in the workspace come last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from inroads.facts import FileFacts, MacroCallItem, Note, Position, Problem
from inroads.resolve.bombs import CHEAP, MOST_WRITTEN, Budget
from inroads.resolve.calls import Unrolled, unroll
from inroads.resolve.expand import DEEPEST, Endless, Failure
from inroads.resolve.model import Macro
from inroads.resolve.origins import flattened
from inroads.resolve.outside import readings
from inroads.resolve.register import Registrar
from inroads.resolve.scopes import Scope, unquoted
from inroads.resolve.sources import Source
from inroads.resolve.tables import Tables
from inroads.rust.fragment import read_items

_ROUNDS = 64
_MOST_EXPANSIONS = 200_000
# Few programs nest item macros so deeply at all; those that call themselves twice would never end.
_NESTED = 4
_MOST_NESTED = 5_000
# Macros that may show by a long expansion that they do not end.
_MOST_ENDLESS = 8


class Waiting(msgspec.Struct):
    """A call that the walk could not expand."""

    scope: Scope
    source: int
    item: MacroCallItem
    order: tuple[int, ...]


@dataclass(slots=True)
class ItemMacros:
    """Expands item macros into the tables, by way of the registrar that walks what comes out."""

    tables: Tables
    registrar: Registrar = field(init=False)
    include: Callable[[str, Scope], bool] = field(init=False)
    waiting: list[Waiting] = field(default_factory=list)
    expansions: int = 0
    nested: int = 0
    endless: set[int] = field(default_factory=set)
    settling: bool = False
    read: dict[str, FileFacts] = field(default_factory=dict)
    troubles: dict[tuple[int, str], list[Position]] = field(default_factory=dict)
    blind: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def call(self, scope: Scope, source: int, index: int, item: MacroCallItem) -> None:
        """Expand a call whose macro is in textual scope; let the others wait."""
        order = self.registrar.order(scope, item.head)
        if len(item.path) == 1:
            found = self.tables.textual_macro(scope.module, item.path[0], order)
            if found is not None and found.id is not None:
                self._expand(scope, source, item, self.tables.macros[found.id], order)
                return
        if item.path[-1] == "include" and self._include(scope, item, order):
            return
        self.waiting.append(Waiting(scope, source, item, order))

    def settle(self) -> None:
        """Expand what waits, in rounds; ends since depth, rounds and the number of expansions are bounded."""
        for _ in range(_ROUNDS):
            if not self.waiting:
                break
            self.tables.settle_globs()
            self.settling = True
            batch, self.waiting = self.waiting, []
            outside = []
            for call in batch:
                found = self.tables.resolve_macro(call.scope.module, call.item.path, call.order)
                if found is not None and found.kind == "macro" and found.id is not None:
                    self._expand(call.scope, call.source, call.item, self.tables.macros[found.id], call.order)
                else:
                    outside.append(call)
            if len(outside) == len(batch):
                for call in outside:
                    self._read_outside(call.scope, call.source, call.item, call.order)
            else:
                self.waiting = outside + self.waiting

    def tell(self) -> None:
        """Put what did not expand among the problems and notes of the tables."""
        self._tell_troubles()
        self._tell_blind()

    def _expand(
        self, scope: Scope, source: int, item: MacroCallItem, macro: Macro, order: tuple[int, ...]
    ) -> None:
        tables = self.tables
        self.expansions += 1
        self.nested += _NESTED <= scope.depth
        if DEEPEST <= scope.depth or _MOST_EXPANSIONS < self.expansions or _MOST_NESTED < self.nested:
            self._trouble(macro, source, item.head.start, f"{macro.name}! was not expanded: it goes too deep")
            return
        result = unroll(
            macro,
            item.text,
            ((0, source, item.text_at),),
            lambda path: self._own(scope.module, path, order),
            tables.pieces_of,
            Budget(lambda: self._most_written(macro)).spend,
        )
        if isinstance(result, Endless):
            self.endless.add(macro.id)
        if isinstance(result, Failure):
            if scope.active:
                self._trouble(
                    macro, source, item.head.start, f"{macro.name}! was not expanded: {result.reason}"
                )
            return
        self._walk(scope, source, item, result, macro, order)

    def _most_written(self, macro: Macro) -> int:
        """How much a call may write: little if one before it did not end. The walk has one order."""
        return CHEAP if macro.id in self.endless or _MOST_ENDLESS <= len(self.endless) else MOST_WRITTEN

    def _own(self, module: int, path: tuple[str, ...], order: tuple[int, ...]) -> Macro | None:
        """The own macro of a path, as far as textual scope tells or all names are known."""
        if len(path) == 1:
            found = self.tables.textual_macro(module, path[0], order)
        elif self.settling:
            found = self.tables.resolve_macro(module, path, order)
        else:
            found = None
        if found is None or found.kind != "macro" or found.id is None:
            return None
        return self.tables.macros[found.id]

    def _walk(
        self,
        scope: Scope,
        source: int,
        item: MacroCallItem,
        result: Unrolled,
        macro: Macro,
        order: tuple[int, ...],
    ) -> None:
        tables = self.tables
        facts = self.read.get(result.text)
        if facts is None:
            # Several crates that mount one file make the same text.
            facts = self.read[result.text] = read_items(result.text)
        id = len(tables.sources)
        head = item.head
        tables.sources.append(
            Source(
                id=id,
                path=tables.sources[source].path,
                own=facts,
                places=self.tables.places,
                parent=source,
                call=(head.start, head.end),
                pieces=result.pieces,
                macro=macro.id,
            )
        )
        if scope.active:
            for problem in facts.problems[:1]:
                self._trouble(macro, source, head.start, f"the expansion of {macro.name}!: {problem.message}")
        self.registrar.walk(id, replace(scope, order=order, origin=0, depth=scope.depth + 1))

    def _include(self, scope: Scope, item: MacroCallItem, order: tuple[int, ...]) -> bool:
        """Walk the items of a file that is named by a literal, where `include!` stands; False where it is not there."""
        path = _only_argument(item)
        return path.startswith(('"', 'r"', "r#")) and self.include(
            unquoted(path), replace(scope, order=order, origin=0)
        )

    def _read_outside(self, scope: Scope, source: int, item: MacroCallItem, order: tuple[int, ...]) -> None:
        first = self.tables.crate_marks.get(item.path[0])
        name = "::".join(item.path if first is None else ("$crate", *item.path[1:]))
        if item.path[-1] == "include":
            self.blind.setdefault(f"include!({_only_argument(item)})", []).append((source, item.head.start))
            return
        seen = False
        for reading in readings(item.path, item.text):
            active = scope.active and (reading.when.test if scope.test else any(reading.when))
            test = scope.test or (reading.when.test and not reading.when.normal)
            facts = read_items(reading.text)
            if facts.problems or not facts.items:
                continue
            seen = True
            id = len(self.tables.sources)
            pieces = tuple([(at, source, item.text_at + start) for at, start in reading.pieces])
            self.tables.sources.append(
                Source(
                    id=id,
                    path=self.tables.sources[source].path,
                    own=facts,
                    places=self.tables.places,
                    parent=source,
                    call=(item.head.start, item.head.end),
                    pieces=flattened(self.tables.pieces_of, pieces, len(reading.text.encode())),
                    outside=item.path[-1],
                )
            )
            inner = replace(scope, active=active, test=test, order=order, origin=0, depth=scope.depth + 1)
            self.registrar.walk(id, inner)
        if not seen and scope.active:
            self.blind.setdefault(f"{name}!", []).append((source, item.head.start))

    def _trouble(self, macro: Macro, source: int, offset: int, message: str) -> None:
        self.troubles.setdefault((macro.id, message), []).append(self.tables.position(source, offset))

    def _tell_troubles(self) -> None:
        """One problem for each macro and reason, at the first of its calls."""
        for (_, message), places in self.troubles.items():
            first = min(places)
            if 1 < len(places):
                message = f"{message} ({other_places(len(places))})"
            self.tables.problems.append(
                Problem(kind="macro", path=first.path, line=first.line, column=first.column, message=message)
            )

    def _tell_blind(self) -> None:
        for name, places in sorted(self.blind.items()):
            first = min(self.tables.position(source, offset) for source, offset in places)
            more = f" ({other_places(len(places))})" if 1 < len(places) else ""
            self.tables.notes.append(
                Note(
                    kind="blind",
                    path=first.path,
                    line=first.line,
                    message=f"items that {name} may declare are not seen{more}",
                )
            )


def _only_argument(item: MacroCallItem) -> str:
    return item.text[1:-1].strip().rstrip(",").strip()


def other_places(count: int) -> str:
    """`here and at 2 other places`, for 3 places in all."""
    return f"here and at {count - 1} other place{'s' if 2 < count else ''}"
