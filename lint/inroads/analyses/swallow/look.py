"""
Which calls of a body may lose what they give, by its text and the signatures of what it may call.

A call is that of a source if the name, the way in which it is written and the
number of arguments fit; a method of a type of its own only where the body can
lay hold of a value of that type at all: by a name that stands in it, or by its
own signature. What only hands on what it was given counts where the body may
be given a Result, or makes one that is loose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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


class Look:
    """A body, held against the sources; `names` are the words in it, without those in strings and comments."""

    def __init__(self, sources: Sources, function: Function, data: bytes) -> None:
        self.sources = sources
        self.function = function
        self.text = BodyText(data)
        self.names = self.text.names
        self._given: bool | None = None
        self._signature: set[str] | None = None
        self._held: dict[frozenset[str], bool] = {}

    def loose(self) -> frozenset[str]:
        """
        The names of the calls that may give a Result to anything but `?` and `unwrap()`.

        `map_err` among them means that the old error may be left out, `()`
        that something without a name may be called.
        """
        sources, names, text = self.sources, self.names, self.text
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
        if not ways:
            return False
        text = self.text
        for call in text.named(name):
            if call.kind == "value":
                continue
            is_taken = text.is_taken(call.opened)
            for way in ways:
                if (
                    not (is_taken and way.rest == "none")
                    and self._fits(call, name, way)
                    and (not is_taken or way.rest == "own" or self.is_given)
                ):
                    return True
        return False

    def _may_pass(self, name: str, ways: tuple[Way, ...]) -> bool:
        """Whether a call may hand on a Result that it was given; without ways, each."""
        return any(
            call.kind != "value" and (not ways or any(self._fits(call, name, way) for way in ways))
            for call in self.text.named(name)
        )

    def _fits(self, call: Written, name: str, way: Way) -> bool:
        """Whether a call may be that of a source."""
        if call.kind == "method":
            if not way.method:
                return False
        elif not self._is_qualified(call.before, way):
            return False
        given = self.text.arguments(call)
        if given is not None and given != way.arguments + (way.method and call.kind == "path"):
            return False
        if not way.awaited and self.text.is_awaited(call):
            return False
        return way.owners is None or call.kind == "path" or self._holds(call, name, way, way.owners)

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
        receiver = self.text.receiver(call)
        if receiver == "self":
            owner = self._owner()
            return owner is not None and any(owner in holding.of(one) for one in owners)
        if receiver in holding.fields and receiver not in holding.open_fields:
            own = self._own_field(receiver[1:]) if self.text.is_of_self(call) else None
            return any(
                receiver in holding.of(one) and (own is None or not own.isdisjoint(holding.types(one)))
                for one in owners
            )
        if self.sources.is_guessed(name, way.arguments, self.function.crate):
            return True
        held = self._held.get(owners)
        if held is None:
            held = self._held[owners] = any(map(self._may_have, owners))
        return held

    def _may_have(self, owner: str) -> bool:
        """Whether a name in the body, or in its signature, may give a value of a type."""
        holding = self.sources.holding
        names = holding.of(owner)
        if not names.isdisjoint(self.signature):
            return True
        found = names & self.names
        if not found:
            return False
        fields = found & holding.fields_of(owner)
        if len(fields) < len(found):
            return True
        types = holding.types(owner)
        return any(self._may_read(name, types) for name in fields & self.text.uncalled)

    def _may_read(self, name: str, types: frozenset[str]) -> bool:
        """Whether a field of this name that is read may be of one of these types."""
        own = self._own_field(name)
        return own is None or not own.isdisjoint(types) or not self.text.is_only_of_self(name)

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

    def _is_given(self) -> bool:
        sources = self.sources
        if not sources.stores.isdisjoint(self.names) or not sources.results.isdisjoint(self.signature):
            return True
        returns = self.function.item.returns
        if returns is not None and sources.is_nested(returns):
            return True
        if self.text.speaks_of(sources.results) or self.text.gives():
            return True
        return any(
            call.kind == "value" and any(self._fits(call, name, way) for way in sources.ways_of(name)[0])
            for name in sources.names & self.names
            for call in self.text.named(name)
        )
