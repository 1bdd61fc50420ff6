"""Bodies on demand: each decoded once, expanded only where a macro of the workspace stands in it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.gap.defaults import Default, default_of
from inroads.facts import Body, BodyFacts, PathType
from inroads.reads import MACRO
from inroads.resolve.bodies import expand_body
from inroads.resolve.model import Function
from inroads.resolve.tables import Tables
from inroads.store import decode_body, names_of

if TYPE_CHECKING:
    from inroads.program import Program


class Bodies(msgspec.Struct):
    """The bodies of one program's functions, and the shapes of its defaults."""

    program: Program
    macros: frozenset[str] = frozenset()
    read: dict[int, Body | None] = msgspec.field(default_factory=dict)
    shapes: dict[int, Default | None] = msgspec.field(default_factory=dict)

    @property
    def tables(self) -> Tables:
        """The linked tables."""
        return self.program.tables

    def facts(self, function: Function) -> BodyFacts | None:
        """The encoded body with its index; None for a declaration."""
        self.program.recorder.now.bodies.add(function.id)
        return self._facts(function)

    def _facts(self, function: Function) -> BodyFacts | None:
        at = function.body
        return None if at is None else self.tables.sources[function.source].facts.bodies[at]

    def body(self, function_id: int) -> Body | None:
        """The rows of a function, its macros expanded; None for a declaration."""
        if function_id not in self.read:
            self.read[function_id] = self._body(self.tables.functions[function_id])
        return self.read[function_id]

    def names(self, function_id: int) -> Collection[str]:
        """The index of a body: what it names, without decoding it."""
        facts = self.facts(self.tables.functions[function_id])
        return () if facts is None else names_of(facts)

    def may_forward(self, function_id: int) -> bool:
        """Whether the index of a body leaves it open that it calls a method of its own name."""
        function = self.tables.functions[function_id]
        name, facts = function.name, self._facts(function)
        looks = ((function_id, one) for one in (name, f"{name}_impl", MACRO))
        self.program.recorder.now.glances.update(looks)
        names = frozenset[str]() if facts is None else names_of(facts)
        return name in names or f"{name}_impl" in names or any(self.is_own_macro(one) for one in names)

    def is_own_macro(self, name: str) -> bool:
        """Whether a name of an index is that of a macro of the workspace."""
        if not self.macros:
            self.macros = frozenset(f"{macro.name}!" for macro in self.tables.macros) or frozenset({"!"})
        return name in self.macros

    def default(self, function_id: int) -> Default | None:
        """The shape of a default body; None where it must never be forwarded."""
        if function_id not in self.shapes:
            function = self.tables.functions[function_id]
            body = self.body(function_id)
            methods = self.methods_of(function.trait) if function.trait is not None else frozenset()
            self.shapes[function_id] = None if body is None else default_of(body, methods)
        return self.shapes[function_id]

    def methods_of(self, trait: int) -> frozenset[str]:
        """The methods of a trait and of its supertraits in the workspace."""
        found: set[str] = set()
        pending, seen = [trait], {trait}
        while pending:
            one = self.tables.traits[pending.pop()]
            found |= set(one.methods)
            for bound in one.item.supertraits:
                if not isinstance(bound, PathType):
                    continue
                definition = self.tables.resolve(one.module, bound, "type")
                if definition is not None and definition.kind == "trait" and definition.id is not None:
                    if definition.id not in seen:
                        seen.add(definition.id)
                        pending.append(definition.id)
        return frozenset(found)

    def _body(self, function: Function) -> Body | None:
        facts = self.facts(function)
        if facts is None:
            return None
        body = decode_body(facts.data)
        if not any(self.is_own_macro(name) for name in names_of(facts)):
            return body
        tables = self.tables
        module, order = tables.body_module(function.id), tables.orders[function.id]
        return expand_body(tables, body, function.source, facts.start, module, order, function.id).body
