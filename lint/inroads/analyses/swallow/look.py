"""
Which calls of a body may lose what they give, by its text and the signatures of what it may call.

A call is that of a source if the name, the way in which it is written and the
number of arguments fit; a method of a type of its own only where the body can
lay hold of a value of that type at all: by a name that stands in it, or by its
own signature. What only hands on what it was given counts where the body may
be given a Result, or makes one that is loose.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.holding import spoken
from inroads.analyses.swallow.results import last_name
from inroads.analyses.swallow.sources import Sources
from inroads.analyses.swallow.ways import Way
from inroads.facts import PathType, SliceType
from inroads.rust.loose import BodyText, Written

if TYPE_CHECKING:
    from inroads.resolve.model import Function

REPLACING = frozenset(("map_err", "inspect_err"))
WRITES = frozenset(("write", "writeln"))
_PRIMITIVES = frozenset(
    (
        *("bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize"),
        *("i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"),
    )
)


_HANDED_ON = re.compile(r"\)\s*\.\s*(?:transpose|collect(?:::<[^;()]*Result[^;()]*>)?)\(\)\s*\?")
_RUN = re.compile(r"\.\s*(\w+)\(\s*(?:\w+\s*::\s*)*\Z")
_OPAQUE = re.compile(rb"::(?<!\w::)")


class Look:
    """
    A body, held against the sources.

    `names` are the words in it; those in strings and comments too until its text is asked for.
    """

    def __init__(self, sources: Sources, function: Function, data: bytes, words: frozenset[str]) -> None:
        self.sources = sources
        self.function = function
        self.names = words
        self._data = data
        self._text: BodyText | None = None
        self._given: bool | None = None
        self._signature: set[str] | None = None
        self._had: int | None = None
        self._signed: int | None = None
        self._sure: int | None = None
        self._may_have: dict[int, bool] = {}
        # Whether what stands before a `::` may have no name: `<T as Read>::read`.
        self._is_opaque = _OPAQUE.search(data) is not None

    @property
    def text(self) -> BodyText:
        """Its text, without strings and comments."""
        if self._text is None:
            self._text = BodyText(self._data)
            if self._text.names != self.names:
                self.names = self._text.names
                self._had = None
        return self._text

    def may_call_sources(self) -> bool:
        """Whether the names in it let it call what gives a Result, or be given one; that it writes `Ok` aside."""
        sources, names = self.sources, self.names
        if self._is_given_by_names() or not sources.results.isdisjoint(names):
            return True
        return any(self._reached(name, sources.ways_of(name)[0]) for name in names & sources.names)

    def loose(self) -> frozenset[str]:
        """
        The names of the calls that may give a Result to anything but `?` and `unwrap()`.

        `map_err` among them means that the old error may be left out, `()`
        that something without a name may be called.
        """
        sources, text, names = self.sources, self.text, self.names
        found = {f"{name}!" for name in names & WRITES if text.has_macro(name)}
        if any(text.replaces(name) for name in names & REPLACING):
            found.add("map_err")
        passing: list[str] = []
        for name in names & sources.names:
            if self._is_loose(name, sources.ways_of(name)[0]):
                found.add(name)
            elif name in sources.passing_names:
                passing.append(name)
        passing = [name for name in passing if self._may_pass(name, sources.ways_of(name)[1])]
        if passing and (found or self.is_given):
            found.update(passing)
        if not found and self._may_run_results() and text.has_unknown_calls(sources.functions):
            found.add("()")
        return frozenset(found)

    def hands_over(self) -> bool:
        """Whether the body may give a Result to a function of the workspace, or to an arm of `select!`."""
        takers = self.sources.takers
        return "select" in self.names or any(
            call.kind != "value" and any(self._fits(call, name, way) for way in takers[name])
            for name in self.names & takers.keys()
            for call in self.text.named(name)
        )

    def _may_run_results(self) -> bool:
        """Whether the body may hold a callable that gives a Result: in a field, a parameter, a closure of its own."""
        item = self.function.item
        if not self.sources.stores.isdisjoint(self.names) or ("|" in self.text.text and self.text.gives()):
            return True
        plain = all(isinstance(one.type, (PathType, SliceType)) for one in item.parameters)
        if plain and not item.generics.parameters:
            return False
        return not self.sources.results.isdisjoint(self.signature)

    def _is_loose(self, name: str, ways: tuple[Way, ...]) -> bool:
        """Whether a call that gives a Result whatever it is given may hand it on."""
        ways = self._reached(name, ways)
        if not ways:
            return False
        text = self.text
        for call in text.named(name):
            if call.kind == "value":
                if self._is_run(call) and any(self._fits(call, name, way) for way in ways):
                    return True
                continue
            for way in ways:
                if not self._is_written(call, way):
                    continue
                is_taken = text.is_taken(call.opened)
                if (
                    not (is_taken and way.rest == "none")
                    and self._fits(call, name, way)
                    and (not is_taken or way.rest == "own" or self.is_given)
                ):
                    return True
        return False

    def _is_run(self, value: Written) -> bool:
        """Whether a function that is handed on is run by a method whose value is made of what it gives."""
        text = self.text.text
        found = _RUN.search(text, max(0, value.start - 120), value.start)
        if text[value.opened] != ")" or found is None or found[1] not in methods.RUNS_EACH:
            return False
        return _HANDED_ON.match(text, value.opened) is None

    def _may_pass(self, name: str, ways: tuple[Way, ...]) -> bool:
        """Whether a call may hand on a Result that it was given; without ways, each."""
        reached = self._reached(name, ways)
        if ways and not reached:
            return False
        return any(
            call.kind != "value" and (not ways or any(self._fits(call, name, way) for way in reached))
            for call in self.text.named(name)
        )

    def _reached(self, name: str, ways: tuple[Way, ...]) -> tuple[Way, ...]:
        """Those of the ways of a name in which the body may call it, by the names in it."""
        return tuple(way for way in ways if self._is_reached(name, way))

    def _is_reached(self, name: str, way: Way) -> bool:
        owners = way.owners
        if way.declared and not self._sees(way.declared):
            return False
        if owners is None or (self._is_opaque and not way.free) or way.trait in self.names:
            return True
        if way.free:
            return not owners.isdisjoint(self.names)
        types = self.sources.holding.mask(owners)
        if types & self.had or types & self.signed:
            return True
        return way.method and self.sources.is_guessed(name, way.arguments, self.function.crate)

    def _sees(self, trait: str) -> bool:
        """Whether a method of a trait from outside may be called: it is in scope, or a name brings a value of it."""
        function = self.function
        tables = self.sources.program.tables
        # A `use` may stand in the body itself.
        if "use" in self.names or self.sources.is_in_scope(trait, tables.body_module(function.id)):
            return True
        types = self.sources.holding.mask(frozenset((trait,)))
        return bool(types & self.had or types & self.signed)

    def _fits(self, call: Written, name: str, way: Way) -> bool:
        """Whether a call may be that of a source."""
        if not self._is_written(call, way):
            return False
        given = self.text.arguments(call)
        if given is not None and given != way.arguments + (way.method and call.kind == "path"):
            return False
        if not way.awaited and self.text.is_awaited(call):
            return False
        return way.owners is None or call.kind == "path" or self._holds(call, name, way, way.owners)

    def _is_written(self, call: Written, way: Way) -> bool:
        """Whether a call stands behind what the source is called behind."""
        return way.method if call.kind == "method" else self._is_qualified(call.before, way)

    def _is_qualified(self, before: str, way: Way) -> bool:
        """Whether what stands before `::` may be what the source belongs to."""
        owners = way.owners
        if way.free:
            return not before[:1].isupper() and (owners is None or before in owners)
        if not before or (before[:1].islower() and before not in _PRIMITIVES):
            # A module, or nothing.
            return False
        if owners is None or before in ("?", way.trait) or before in owners:
            return True
        return before == "Self" and self._owner() in owners

    def _holds(self, call: Written, name: str, way: Way, owners: frozenset[str]) -> bool:
        """Whether what a method is called on may be of one of these types, or be taken for one."""
        holding = self.sources.holding
        types = holding.mask(owners)
        receiver = self.text.receiver(call)
        if receiver == "self":
            return bool(types & holding.by({self._owner() or ""}))
        if receiver in holding.fields and receiver not in holding.open_fields:
            own = self._own_field(receiver[1:]) if self.text.is_of_self(call) else None
            return bool(types & holding.by({receiver}) & (-1 if own is None else holding.reached(own)))
        return self._may_have_any(types) or self.sources.is_guessed(name, way.arguments, self.function.crate)

    def _may_have_any(self, types: int) -> bool:
        """Whether a name in the body, or in its signature, may give a value of one of these types."""
        known = self._may_have.get(types)
        if known is None:
            known = self._may_have[types] = self._find_any(types)
        return known

    def _find_any(self, types: int) -> bool:
        holding = self.sources.holding
        if self._sure is None:
            self._sure = self.signed | holding.otherwise(self.names)
        if types & self._sure:
            return True
        # Of the names of fields it is looked where they stand.
        types &= self.had
        return types != 0 and any(
            self._may_read(name, found)
            for name in self.names & self.text.uncalled
            if (found := types & holding.by({name}))
        )

    def _may_read(self, name: str, types: int) -> bool:
        """Whether a field of this name that is read may be of one of these types."""
        own = self._own_field(name)
        if own is None or not self.text.is_only_of_self(name):
            return True
        return bool(types & self.sources.holding.reached(own))

    def _own_field(self, name: str) -> frozenset[str] | None:
        """The names in the type of a field of `self`; None where that is not known, or may be any type."""
        impl = self.function.impl
        if impl is None:
            return None
        return self.sources.fields_of(self.sources.program.tables.impls[impl].head).get(name)

    def _owner(self) -> str | None:
        """The type whose impl the function stands in; None where it stands in none."""
        impl = self.function.impl
        return None if impl is None else last_name(self.sources.program.tables.impls[impl].item.self_type)

    @property
    def had(self) -> int:
        """The types of which the names in it may give a value."""
        if self._had is None:
            self._had = self.sources.holding.by(self.names)
        return self._had

    @property
    def signed(self) -> int:
        """The types of which its signature may give a value."""
        if self._signed is None:
            self._signed = self.sources.holding.by(self.signature)
        return self._signed

    @property
    def signature(self) -> set[str]:
        """The names in what the function is given, and in its impl."""
        if self._signature is None:
            item = self.function.item
            found = spoken((item.receiver_type, *(one.type for one in item.parameters)), item.generics)
            if self.function.impl is not None:
                impl = self.sources.program.tables.impls[self.function.impl].item
                found |= spoken((impl.self_type, impl.trait), impl.generics)
            self._signature = found
        return self._signature

    @property
    def is_given(self) -> bool:
        """Whether the body may be given a Result by anything but a call: a field, a parameter, an `Ok(..)`."""
        if self._given is None:
            self._given = self._is_given()
        return self._given

    def _is_given_by_names(self) -> bool:
        """The same, told by a name in it or by its signature."""
        sources = self.sources
        if not sources.stores.isdisjoint(self.names) or not sources.results.isdisjoint(self.signature):
            return True
        returns = self.function.item.returns
        return returns is not None and sources.is_nested(returns)

    def _is_given(self) -> bool:
        sources = self.sources
        if self._is_given_by_names():
            return True
        if self.text.speaks_of(sources.results) or self.text.gives():
            return True
        return any(
            call.kind == "value" and any(self._fits(call, name, way) for way in ways)
            for name in sources.names & self.names
            if (ways := self._reached(name, sources.ways_of(name)[0]))
            for call in self.text.named(name)
        )
