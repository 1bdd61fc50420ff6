"""An impl block as inference sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from inroads.facts import ImplItem, TypeRef
from inroads.resolve.infos import FunctionInfo, TraitInfo, own_generics, read_bounds
from inroads.resolve.model import Impl
from inroads.resolve.scope import Scope
from inroads.resolve.types import UNKNOWN, Adt, Bound, Generic, Type

if TYPE_CHECKING:
    from inroads.resolve.described import Universe
    from inroads.resolve.world import World


class ImplInfo(msgspec.Struct, eq=False):
    """
    An impl block; what is written in it is read when it is asked for.

    Args:
        family: For one from outside whose self type is a family of primitives, its name; else "".
    """

    world: World
    universe: Universe
    record: Impl
    family: str
    trait: TraitInfo | None
    head: str
    _scope: Scope | None = None
    _generics: tuple[Generic, ...] = ()
    _methods: dict[str, FunctionInfo] | None = None
    _refs: dict[str, TypeRef] | None = None
    _types: dict[str, Type] = msgspec.field(default_factory=dict)
    _bound: Bound | None = None
    _bounds: list[tuple[Type, Bound]] | None = None
    _simple: bool | None = None
    _busy: bool = False

    @property
    def id(self) -> int | None:
        """Its ImplId; None for one from outside."""
        return None if self.universe.foreign else self.record.id

    @property
    def item(self) -> ImplItem:
        """What it was made from."""
        return self.record.item

    @property
    def trait_path(self) -> str:
        """The path of its trait, "" for an inherent one."""
        return self.record.trait_path

    @property
    def test(self) -> bool:
        """Whether it is compiled only for tests."""
        return self.record.test

    @property
    def active(self) -> bool:
        """Whether it is compiled at all."""
        return self.record.active

    @property
    def scope(self) -> Scope:
        """Where the types in it are written."""
        if self._scope is None:
            self._read()
            assert self._scope is not None
        return self._scope

    @property
    def generics(self) -> tuple[Generic, ...]:
        """Its own parameters, in order."""
        if self._scope is None:
            self._read()
        return self._generics

    def _read(self) -> None:
        generics = self.record.item.generics
        owner = f"{self.universe.mark}i:{self.record.id}"
        scope = Scope(self.world, self.universe, self.record.module).inner(generics, owner)
        own = own_generics(scope, generics)
        if self.family:
            # `impl int` is an impl for a type parameter that only integers fit; see `candidates`.
            own = (*own, Generic(self.family, owner))
            scope.generics = {**scope.generics, self.family: own[-1]}
        scope.impl = self
        self._scope, self._generics = scope, own

    @property
    def methods(self) -> dict[str, FunctionInfo]:
        """Its functions by name."""
        if self._methods is None:
            functions = self.universe.tables.functions
            self._methods = {
                name: self.world.function_of(self.universe, functions[id], impl=self)
                for name, id in self.record.methods.items()
            }
        return self._methods

    @property
    def types(self) -> dict[str, TypeRef]:
        """What its associated types are, as written."""
        if self._refs is None:
            aliases = self.record.types
            self._refs = {name: one.type for name, one in aliases.items() if one.type is not None}
        return self._refs

    @property
    def self_type(self) -> Type:
        """What `Self` is."""
        found = self.scope.self_type
        if found is None:
            self.scope.self_type = UNKNOWN
            found = self.scope.type(self.item.self_type)
            self.scope.self_type = found
        return found

    @property
    def is_simple(self) -> bool:
        """Whether `Self` is a type whose arguments are the impl's parameters, each once and in order."""
        if self._simple is None:
            own = self.self_type
            self._simple = isinstance(own, Adt) and own.arguments == self.generics
        return self._simple

    def fits_all(self, type_: Adt) -> bool:
        """Whether it is for a type whatever its arguments are."""
        own = self.self_type
        return (
            self.is_simple
            and isinstance(own, Adt)
            and (own.path, own.definition) == (type_.path, type_.definition)
            and len(type_.arguments) == len(self.generics)
            and not self.bounds()
        )

    def bound(self) -> Bound | None:
        """The trait with its arguments, defaults filled in; None for an inherent impl."""
        if self._bound is None:
            if self.item.trait is None or self._busy:
                return None
            self._busy = True
            found = self.scope.bound(self.item.trait)
            if (
                found is not None
                and self.trait is not None
                and len(found.arguments) < len(self.trait.generics)
            ):
                mapping = self.trait.mapping(self.self_type, found)
                arguments = tuple(mapping.get(one, UNKNOWN) for one in self.trait.generics)
                found = Bound(found.path, found.trait, arguments, found.bindings)
            self._bound = found
            self._busy = False
        return self._bound

    def bounds(self) -> list[tuple[Type, Bound]]:
        """What the impl asks of its type parameters."""
        if self._bounds is None:
            self._bounds = []
            self._bounds = read_bounds(self.scope, self.item.generics)
        return self._bounds

    def type_named(self, name: str) -> Type | None:
        """What an associated type of the impl is; None if it has none of that name."""
        found = self._types.get(name)
        if found is None:
            ref = self.types.get(name)
            if ref is None:
                return None
            # A cycle (`type A = Self::A`) ends here.
            self._types[name] = UNKNOWN
            found = self._types[name] = self.scope.type(ref)
        return found
