"""
Signatures, read when asked for: what inference knows of types, traits, impls and functions.

Each holds the item as written and the scope to read it in; what was read
stays. Type parameters are `Generic`s of the item that declares them, and whoever uses
a signature puts variables in their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from inroads.facts import (
    BindingPattern,
    EnumItem,
    FunctionItem,
    Generics,
    ImplType,
    StructItem,
    TraitItem,
    TypeAliasItem,
)
from inroads.resolve.inside import is_ground, substitute, trimmed
from inroads.resolve.model import Target
from inroads.resolve.scope import Scope
from inroads.resolve.types import (
    UNKNOWN,
    Adt,
    Bound,
    FunctionPointer,
    Generic,
    Opaque,
    Projection,
    Reference,
    Type,
)

if TYPE_CHECKING:
    from inroads.resolve.described import Universe
    from inroads.resolve.impl_info import ImplInfo

FUTURE = "std::future::Future"


def read_bounds(scope: Scope, generics: Generics) -> list[tuple[Type, Bound]]:
    """All bounds that a list of type parameters states, inline and in where clauses, as (type, bound)."""
    found: list[tuple[Type, Bound]] = []
    for parameter in generics.parameters:
        if parameter.bounds:
            generic = scope.generics[parameter.name]
            found.extend((generic, bound) for bound in scope.bounds(parameter.bounds))
    for ref, refs in generics.where:
        type_ = scope.type(ref)
        found.extend((type_, bound) for bound in scope.bounds(refs))
    return found


def own_generics(scope: Scope, generics: Generics) -> tuple[Generic, ...]:
    """The parameters that an item itself declares, in order."""
    return tuple(scope.generics[parameter.name] for parameter in generics.parameters)


class TypeInfo(msgspec.Struct, eq=False):
    """
    A struct, enum, union or alias.

    `definition` is None for one from outside; `outside` names the macro from
    outside among whose tokens it stands.
    """

    path: str
    definition: int | None
    item: StructItem | EnumItem | TypeAliasItem
    scope: Scope
    generics: tuple[Generic, ...]
    derives: frozenset[str]
    outside: str = ""
    _defaults: dict[int, Type | None] = msgspec.field(default_factory=dict)
    _forms: dict[str, tuple[str, dict[str, Type]]] | None = None
    _target: Type | None = None
    _bounds: list[tuple[Type, Bound]] | None = None
    _reading: bool = False

    @property
    def is_alias(self) -> bool:
        """Whether it is only another name."""
        return isinstance(self.item, TypeAliasItem)

    def instance(self, arguments: tuple[Type, ...]) -> Type:
        """The type with these arguments; an alias is looked through."""
        if not isinstance(self.item, TypeAliasItem):
            return Adt(self.path, self.definition, arguments)
        if self._target is None:
            if self._reading or self.item.type is None:
                return UNKNOWN
            self._reading = True
            self._target = self.scope.type(self.item.type)
            self._reading = False
        return trimmed(substitute(self._target, dict(zip(self.generics, arguments, strict=False))))

    def bounds(self) -> list[tuple[Type, Bound]]:
        """What the type asks of its parameters."""
        if self._bounds is None:
            self._bounds = []
            self._bounds = read_bounds(self.scope, self.item.generics)
        return self._bounds

    def default(self, at: int) -> Type | None:
        """The default of a type parameter; None where it has none."""
        if at not in self._defaults:
            ref = self.item.generics.parameters[at].default
            self._defaults[at] = None if ref is None else self.scope.type(ref)
        return self._defaults[at]

    def forms(self) -> dict[str, tuple[str, dict[str, Type]]]:
        """Variant (or "" for a struct) -> its form (named, tuple, unit, union) and fields."""
        if self._forms is None:
            read = self.scope.type
            match self.item:
                case StructItem():
                    # Nobody sees the private fields of a type from outside.
                    seen = self.definition is not None
                    fields = {one.name: read(one.type) for one in self.item.fields if seen or one.visibility}
                    self._forms = {"": (self.item.form, fields)}
                case EnumItem():
                    self._forms = {
                        variant.name: (variant.form, {one.name: read(one.type) for one in variant.fields})
                        for variant in self.item.variants
                    }
                case _:
                    self._forms = {}
        return self._forms

    def has_variant(self, name: str) -> bool:
        """Whether it is an enum with such a variant."""
        return isinstance(self.item, EnumItem) and any(one.name == name for one in self.item.variants)

    def pinned(self) -> dict[str, frozenset[str]]:
        """Variant (or "" for a struct) -> the fields that stand under `#[pin]`."""
        match self.item:
            case StructItem(fields=fields):
                return {"": frozenset(one.name for one in fields if one.pinned)}
            case EnumItem(variants=variants):
                return {
                    one.name: frozenset(field.name for field in one.fields if field.pinned)
                    for one in variants
                }
        return {}

    @property
    def is_projectable(self) -> bool:
        """Whether `pin_project` gives it a method `project`."""
        if self.outside == "pin_project":
            return True
        return any(one.path.rpartition("::")[2] == "pin_project" for one in self.item.head.attributes)

    def fields(self, variant: str, arguments: tuple[Type, ...]) -> dict[str, Type]:
        """The fields of a variant (or of the struct, "") for given arguments."""
        form = self.forms().get(variant)
        if form is None:
            return {}
        if not self.generics:
            return form[1]
        mapping = dict(zip(self.generics, arguments, strict=False))
        return {name: substitute(one, mapping) for name, one in form[1].items()}

    def field(self, name: str, arguments: tuple[Type, ...]) -> Type | None:
        """A struct's field; None if it has none of that name."""
        form = self.forms().get("")
        one = None if form is None else form[1].get(name)
        if one is None or not self.generics:
            return one
        return substitute(one, dict(zip(self.generics, arguments, strict=False)))


class TraitInfo(msgspec.Struct, eq=False):
    """
    A trait. `id` is None for one from outside.

    `impls` by head of the self type; under "*" those for a type parameter or
    for a type that is not known. A `partial` one is known by impls only;
    `learned` are the methods of which nothing but impls tells.
    `any_impl` keeps, for a method, which functions may run where nothing is
    known of the receiver (see `edges`).
    """

    path: str
    id: int | None
    item: TraitItem
    scope: Scope
    generics: tuple[Generic, ...]
    test: bool
    self_generic: Generic
    methods: dict[str, FunctionInfo] = msgspec.field(default_factory=dict)
    types: dict[str, TypeAliasItem] = msgspec.field(default_factory=dict)
    impls: dict[str, list[ImplInfo]] = msgspec.field(default_factory=dict)
    partial: bool = False
    learned: set[str] = msgspec.field(default_factory=set)
    any_impl: dict[tuple[str, bool, bool], tuple[Target, ...]] = msgspec.field(default_factory=dict)
    _supertraits: tuple[Bound, ...] | None = None
    _reading: bool = False
    _sure: dict[tuple[str, int | None, int, bool, bool], ImplInfo | None] = msgspec.field(
        default_factory=dict
    )

    @property
    def is_sketched(self) -> bool:
        """Whether types from outside may implement it though nothing here says so."""
        return self.partial or (self.id is None and not self.path.startswith("std::"))

    def supertraits(self) -> tuple[Bound, ...]:
        """The bounds of `Self`, in terms of `self_generic` and `generics`."""
        if self._supertraits is None:
            if self._reading:
                return ()
            self._reading = True
            found = list(self.scope.bounds(self.item.supertraits))
            for ref, refs in self.item.generics.where:
                if self.scope.type(ref) == self.self_generic:
                    found.extend(self.scope.bounds(refs))
            self._supertraits = tuple(found)
            self._reading = False
        return self._supertraits

    def type_bounds(self, name: str) -> tuple[Bound, ...]:
        """The bounds of an associated type, in terms of `self_generic` and `generics`."""
        item = self.types.get(name)
        return () if item is None else self.scope.bounds(item.bounds)

    def mapping(self, self_type: Type, bound: Bound) -> dict[Generic, Type]:
        """What the trait's parameters and `Self` stand for in a bound of `self_type`."""
        found = dict(zip(self.generics, bound.arguments, strict=False))
        for at in range(len(bound.arguments), len(self.generics)):
            # A trait that is known by its impls has no parameters written.
            parameters = self.item.generics.parameters
            ref = parameters[at].default if at < len(parameters) else None
            if ref is not None:
                found[self.generics[at]] = substitute(self.scope.type(ref), {self.self_generic: self_type})
        found[self.self_generic] = self_type
        return found

    def sure_impl(self, type_: Adt, test: bool, active: bool) -> ImplInfo | None:
        """The impl that is the one for a type whatever its arguments are; None where they have a say."""
        key = (type_.path, type_.definition, len(type_.arguments), test, active)
        if key not in self._sure:
            impls = [
                impl
                for impl in self.impls.get(type_.path, ())
                if (impl.active or not active) and (test or not impl.test)
            ]
            self._sure[key] = impls[0] if len(impls) == 1 and impls[0].fits_all(type_) else None
        return self._sure[key]

    def all_impls(self) -> list[ImplInfo]:
        """All impls, in order."""
        return [impl for impls in self.impls.values() for impl in impls]


class Signature(msgspec.Struct, eq=False):
    """
    What a call of a function takes and gives.

    Args:
        generics: Its own type parameters, one for each `impl Trait` parameter at the end.
        receiver: The type of `self`, None without one.
        parameters: Without the receiver.
        bounds: What it asks of type parameters, its own and others'.
    """

    generics: tuple[Generic, ...]
    receiver: Type | None
    parameters: tuple[Type, ...]
    returns: Type
    bounds: list[tuple[Type, Bound]]
    _plain: bool | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the types are the same in every call."""
        if self._plain is None:
            types = (*self.parameters, self.returns)
            self._plain = (
                not self.bounds
                and (self.receiver is None or is_ground(self.receiver))
                and all(is_ground(one) for one in types)
            )
        return self._plain


class FunctionInfo(msgspec.Struct, eq=False):
    """
    A function, method, or constructor of a tuple struct or variant.

    Args:
        id: None for one from outside, and for constructors.
        receiver: As in `FunctionItem.receiver`.
        trait: Where it is declared in a trait.
        variant: For a constructor, the variant ("" for a struct), else None.
    """

    id: int | None
    name: str
    path: str
    item: FunctionItem | None
    scope: Scope
    owner: str
    impl: ImplInfo | None = None
    trait: TraitInfo | None = None
    receiver: str | None = None
    test: bool = False
    active: bool = True
    has_body: bool = True
    runs: Mapping[str, str] = msgspec.field(default_factory=dict)
    diverges: bool = False
    constructs: TypeInfo | None = None
    variant: str | None = None
    target: Target | None = None
    _signature: Signature | None = None

    @property
    def universe(self) -> Universe:
        """Where it is from."""
        return self.scope.universe

    def signature(self) -> Signature:
        """The types of the function."""
        if self._signature is None:
            self._signature = self._constructor() if self.item is None else self._read(self.item)
        return self._signature

    def _constructor(self) -> Signature:
        info = self.constructs
        assert info is not None and self.variant is not None
        form = info.forms().get(self.variant)
        fields = () if form is None else tuple(form[1].values())
        return Signature(info.generics, None, fields, info.instance(info.generics), [])

    def _read(self, item: FunctionItem) -> Signature:
        if self.impl is not None:
            # Sets what `Self` is in the scope of the impl, which is that of its functions.
            _ = self.impl.self_type
        scope = self.scope.inner(item.generics, self.owner)
        generics = list(own_generics(scope, item.generics))
        bounds = read_bounds(scope, item.generics)
        parameters: list[Type] = []
        for at, parameter in enumerate(item.parameters):
            if isinstance(parameter.type, ImplType):
                generic = Generic(f"impl {at}", self.owner)
                generics.append(generic)
                bounds.extend((generic, bound) for bound in scope.bounds(parameter.type.bounds))
                parameters.append(generic)
            else:
                parameters.append(UNKNOWN if parameter.type is None else scope.type(parameter.type))
        receiver: Type | None = None
        own = UNKNOWN if scope.self_type is None else scope.self_type
        match item.receiver:
            case "value":
                receiver = own
            case "ref" | "mut":
                receiver = Reference(own, item.receiver == "mut")
            case "typed":
                receiver = scope.type(item.receiver_type) if item.receiver_type is not None else own
        arguments: tuple[Type, ...] = tuple(generics)
        if self.impl is not None:
            arguments = (*self.impl.generics, *arguments)
        elif self.trait is not None:
            arguments = (self.trait.self_generic, *self.trait.generics, *arguments)
        if self.id is not None:
            scope.opaque = (self.id, arguments)
        returns = scope.type(item.returns)
        if item.is_async:
            future = Bound(FUTURE, None, (), (("Output", returns),))
            returns = Opaque((future,), None)
        return Signature(tuple(generics), receiver, tuple(parameters), returns, bounds)

    def parameter_names(self) -> tuple[str, ...]:
        """The names of the parameters that are plain names, "" for others; without the receiver."""
        if self.item is None:
            return ()
        return tuple(
            one.pattern.name if isinstance(one.pattern, BindingPattern) else ""
            for one in self.item.parameters
        )

    def pointer(self) -> FunctionPointer:
        """The function as a value's type, in terms of its generics."""
        signature = self.signature()
        receiver = () if signature.receiver is None else (signature.receiver,)
        return FunctionPointer((*receiver, *signature.parameters), signature.returns)


def agree_on(impls: Iterable[ImplInfo], name: str) -> bool:
    """Whether all impls give an associated type of that name as one and the same type, which needs nothing else."""
    types = {impl.type_named(name) for impl in impls}
    return len(types) == 1 and not any(isinstance(one, Generic | Projection) for one in types)
