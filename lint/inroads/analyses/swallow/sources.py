"""
What can give a Result, told by signatures alone.

A function is a source if its return type speaks of a Result, or of something
generic that may be one. By `Way` it is known how its calls are written, so
that a body that only uses the same name for something else is told apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.holding import Held, Holding, held_in, spoken
from inroads.analyses.swallow.results import rest_of, speaks
from inroads.analyses.swallow.ways import Way, Written, read_signatures
from inroads.derived import derived
from inroads.facts import BodyFacts, StructItem, TypeRef
from inroads.resolve.by_name import MOST
from inroads.resolve.judge import world_of
from inroads.store import names_of

if TYPE_CHECKING:
    from inroads.program import Program

# What gives what it was given, whatever that is.
_PASSING = frozenset(
    (
        *methods.SPAWNS,
        *methods.DROPS,
        "block_on",
        "take",
        "replace",
        "join_next",
        "join_all",
        "try_join_all",
        "try_join",
    )
)
_KEYWORDS = frozenset(
    ("if", "while", "match", "return", "for", "in", "let", "fn", "move", "else", "loop", "as")
)


class Sources:
    """The functions of a program and of what it uses that can give a Result, by name."""

    def __init__(self, program: Program) -> None:
        tables = program.tables
        foreign = world_of(tables).foreign.tables
        self.program = program
        written = derived(tables, "sources", Written, lambda: read_signatures(program, foreign))
        # Methods of Result and Option, whose error comes from what they are called on.
        self.passing = written.passing
        self.results = written.results
        self.whole = written.whole
        # Functions of the workspace that are given a Result, or a future of one, and how they are called.
        self.takers = written.takers
        self._split = {
            name: (tuple(way for way in ways if way.sure), tuple(way for way in ways if not way.sure))
            for name, ways in written.ways.items()
        }
        # Names that may be those of sources; of those that may only hand on what they are given.
        self.names = frozenset((*self._split, *_PASSING))
        self.passing_names = _PASSING | {name for name, (_, given) in self._split.items() if given}
        self._holding: Holding | None = None
        self._stores: frozenset[str] | None = None
        self.functions = (
            _KEYWORDS | {one.name for one in tables.functions} | {one.name for one in foreign.functions}
        )
        self._outside = world_of(tables).outside_names()
        self._guessed: dict[tuple[str, int, int], bool] = {}
        self._fields: dict[str, dict[str, frozenset[str]]] = {}
        self._scopes: dict[int, frozenset[str]] = {}
        self._structs: dict[str, list[int]] | None = None

    def ways_of(self, name: str) -> tuple[tuple[Way, ...], tuple[Way, ...]]:
        """How sources of a name are called: those that give a Result, and those that hand one on."""
        return self._split.get(name, ((), ()))

    @property
    def holding(self) -> Holding:
        """Of which types values may be had by a name; made when somebody asks."""
        if self._holding is None:
            tables = self.program.tables
            every = (tables, world_of(tables).foreign.tables)
            ways = [way for split in self._split.values() for both in split for way in both]
            asked = {name for way in ways for name in (way.declared, *(way.owners or ()))}
            asked.update(name for ways in self.takers.values() for way in ways for name in way.owners or ())
            self._holding = Holding(derived(tables, "holding", Held, lambda: held_in(every)), asked)
        return self._holding

    @property
    def stores(self) -> frozenset[str]:
        """The fields, variants and statics in which a Result may stand."""
        if self._stores is None:
            self._stores = self.holding.stored(self.results)
        return self._stores

    def fields_of(self, path: str) -> dict[str, frozenset[str]]:
        """
        The names in the types of a struct's fields, those left out that hold a parameter of the struct.

        Empty where more than one type has the path.
        """
        known = self._fields.get(path)
        if known is None:
            known = self._fields[path] = self._find_fields(path)
        return known

    def _find_fields(self, path: str) -> dict[str, frozenset[str]]:
        tables = self.program.tables
        if self._structs is None:
            self._structs = {}
            for one in tables.types:
                self._structs.setdefault(one.path, []).append(one.id)
        found = self._structs.get(path, [])
        if len(found) != 1:
            return {}
        one = tables.types[found[0]]
        item = tables.sources[one.source].facts.items[one.item_index]
        if not isinstance(item, StructItem) or item.form == "tuple":
            return {}
        own = {one.name for one in item.generics.parameters}
        types = {one.name: frozenset(spoken((one.type,))) for one in item.fields}
        return {name: names for name, names in types.items() if names.isdisjoint(own)}

    def is_in_scope(self, trait: str, module: int) -> bool:
        """Whether a trait from outside, by its last name, may be in scope in a module."""
        known = self._scopes.get(module)
        if known is None:
            seen = self.program.tables.traits_in_scope(module)
            known = self._scopes[module] = frozenset(
                one.rpartition("::")[2] for one in seen if isinstance(one, str)
            )
        # A glob may bring in any.
        return trait in known or "*" in known

    def is_guessed(self, name: str, arguments: int, crate: int) -> bool:
        """Whether a method may be found by its name in a crate where the receiver's type is not known."""
        if name in self._outside:
            return False
        key = (name, arguments, crate)
        known = self._guessed.get(key)
        if known is None:
            tables = self.program.tables
            named = (tables.functions[one] for one in tables.functions_named(name))
            inherent = sum(
                one.crate == crate
                and one.item.receiver is not None
                and len(one.item.parameters) == arguments
                and one.item.head.visibility == "pub"
                and one.active
                and not one.test
                and one.impl is not None
                and tables.impls[one.impl].item.trait is None
                for one in named
            )
            known = self._guessed[key] = inherent <= MOST
        return known

    def is_harmless(self, name: str) -> bool:
        """Whether all functions of a name are known, and none of them can fail."""
        return name in self.functions and name not in self.names

    def is_nested(self, written: TypeRef) -> bool:
        """Whether a type holds a Result in something else than a Result."""
        return speaks(written, self.results) and rest_of(written, self.results, set(), self.whole) == "own"

    def named(self, body: BodyFacts) -> frozenset[str]:
        """The same as `Look.loose` for a body that is not kept as plain text, by the names in it alone."""
        return (names_of(body) & self.names) | {"map_err", "()"}
