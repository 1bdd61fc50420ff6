"""
Reads types as written into types as known, where they stand.

A `Scope` is a place in a program: a module, the type parameters in sight, and
what `Self` is. In a body it also makes a variable for each `_` and for
each argument that an expression's path leaves out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from inroads.facts import (
    ArrayType,
    DynType,
    FunctionType,
    Generics,
    ImplType,
    NeverType,
    PathType,
    PointerType,
    RefType,
    Segment,
    SliceType,
    TupleType,
    TypeRef,
)
from inroads.resolve.inside import substitute, trimmed
from inroads.resolve.model import Definition
from inroads.resolve.std_names import PRIMITIVES
from inroads.resolve.types import (
    NEVER,
    UNIT,
    UNKNOWN,
    Adt,
    Array,
    Bound,
    Dyn,
    FunctionPointer,
    Generic,
    Opaque,
    Pointer,
    Primitive,
    Projection,
    Reference,
    Slice,
    Tuple,
    Type,
)

if TYPE_CHECKING:
    from inroads.resolve.described import Universe
    from inroads.resolve.impl_info import ImplInfo
    from inroads.resolve.infos import TraitInfo, TypeInfo
    from inroads.resolve.world import World

_DEEPEST = 32


class Scope(msgspec.Struct):
    """
    Where types are written.

    Args:
        generics: Type parameters in sight, by name.
        written: Who declares them, for the bounds of `T` in `T::Item`, inner first.
        self_type: What `Self` is, None outside impls and traits.
        trait, impl: What it stands in.
        fresh: In a body, makes a variable for what is left out; None elsewhere.
        opaque: The function whose return type is read, which `impl Trait` then belongs to.
    """

    world: World
    universe: Universe
    module: int
    generics: dict[str, Generic] = msgspec.field(default_factory=dict)
    written: tuple[Generics, ...] = ()
    trait: TraitInfo | None = None
    impl: ImplInfo | None = None
    self_type: Type | None = None
    fresh: Callable[[], Type] | None = None
    opaque: tuple[int, tuple[Type, ...]] | None = None
    depth: int = 0

    def inner(self, generics: Generics, owner: str) -> Scope:
        """The scope inside an item with its own type parameters."""
        names, written = self.generics, self.written
        if generics.parameters or generics.where:
            names = dict(names)
            for parameter in generics.parameters:
                names[parameter.name] = Generic(parameter.name, owner)
            written = (generics, *written)
        return Scope(
            self.world,
            self.universe,
            self.module,
            names,
            written,
            self.trait,
            self.impl,
            self.self_type,
            self.fresh,
            self.opaque,
        )

    def type(self, ref: TypeRef | None) -> Type:
        """The type that is written; None is unit."""
        if ref is None:
            return UNIT
        if _DEEPEST < self.depth:
            return UNKNOWN
        self.depth += 1
        try:
            return self._type(ref)
        finally:
            self.depth -= 1

    def _type(self, ref: TypeRef) -> Type:
        match ref:
            case PathType():
                return self.path(ref)
            case RefType(inner=inner, mutable=mutable):
                return Reference(self.type(inner), mutable)
            case PointerType(inner=inner, mutable=mutable):
                return Pointer(self.type(inner), mutable)
            case TupleType(elements=elements):
                return Tuple(tuple(self.type(one) for one in elements))
            case SliceType(inner=inner):
                return Slice(self.type(inner))
            case ArrayType(inner=inner):
                return Array(self.type(inner))
            case FunctionType(parameters=parameters, returns=returns):
                return FunctionPointer(tuple(self.type(one) for one in parameters), self.type(returns))
            case NeverType():
                return NEVER
            case DynType(bounds=bounds):
                return Dyn(self.bounds(bounds))
            case ImplType(bounds=bounds):
                if self.opaque is not None:
                    return Opaque(self.bounds(bounds), self.opaque[0], self.opaque[1])
                return Opaque(self.bounds(bounds))
        return self.left_out()

    def left_out(self) -> Type:
        """What stands for a type that is not written."""
        return UNKNOWN if self.fresh is None else self.fresh()

    def bounds(self, refs: tuple[TypeRef, ...]) -> tuple[Bound, ...]:
        """The bounds that are written; what names no trait is left out."""
        found = (self.bound(one) for one in refs)
        return tuple(one for one in found if one is not None)

    def bound(self, ref: TypeRef, *, bare: bool = False) -> Bound | None:
        """`Trait<A, Item = B>`; `bare` leaves the arguments unread. None where no path stands."""
        if not isinstance(ref, PathType) or ref.qself is not None or not ref.segments:
            return None
        found = self.universe.tables.resolve(self.module, ref, "type")
        last = ref.segments[-1]
        if found is None:
            path, id, info = "::".join(one.name for one in ref.segments), None, None
        else:
            info = self.world.trait_of(self.universe, found)
            path = found.path if info is None else info.path
            id = None if info is None else info.id
        if bare:
            return Bound(path, id)
        arguments = tuple(self.type(one) for one in last.arguments)
        return Bound(path, id, arguments, tuple((name, self.type(one)) for name, one in last.bindings))

    def path(self, ref: PathType) -> Type:
        """The type that a path names, associated types too."""
        segments = ref.segments
        if ref.qself is not None:
            base = self.type(ref.qself)
            at = ref.trait_length
            if at and at < len(segments):
                bound = self.bound(PathType(segments[:at]))
                base = Projection(base, bound or Bound(""), segments[at].name)
                base = self.world.reduced(self, base)
                at += 1
            return self._associated(base, segments[at:])
        first = segments[0]
        if first.name == "Self" and self.self_type is not None:
            return self._associated(self.self_type, segments[1:])
        generic = self.generics.get(first.name)
        if generic is not None:
            if len(segments) == 1:
                return generic
            # In `impl<I: Iterator> .. for I` the type `I::Item` is that of the bound, and `Self::Item` the impl's own.
            bound = self._bound_of_parameter(generic, segments[1].name)
            first_type = self.world.reduced(self, Projection(generic, bound or Bound(""), segments[1].name))
            return self._associated(first_type, segments[2:])
        names = tuple([one.name for one in segments])
        found = self.world.prefix(self.universe, self.module, names, "type")
        if found is None:
            return UNKNOWN
        definition, used = found
        if definition.kind == "foreign" and used == 1 and first.name in PRIMITIVES:
            # `use std::char;` brings in a module, and the primitive keeps its name.
            return self._associated(Primitive(first.name), segments[1:])
        return self.named(definition, segments, used)

    def named(self, definition: Definition, segments: tuple[Segment, ...], used: int) -> Type:
        """The type that `definition` and the segments after it name; its arguments stand on the last it used."""
        universe = self.universe
        if definition.kind == "foreign":
            opened = self.world.opened(definition.path, "type")
            if opened is None:
                arguments = tuple(self.type(one) for one in segments[-1].arguments) if segments else ()
                return Adt(definition.path, None, arguments)
            definition, rest = opened
            universe = self.world.foreign
            used -= len(rest)
            if used < 1:
                return UNKNOWN
        written = segments[used - 1].arguments
        match definition.kind:
            case "primitive":
                return self._associated(Primitive(definition.name), segments[used:])
            case "type" | "variant":
                if definition.kind == "variant" and 1 < used and not written:
                    written = segments[used - 2].arguments
                assert definition.id is not None
                info = self.world.type_info(universe, definition.id)
                return self._associated(self.applied(info, written), segments[used:])
            case "trait":
                bound = self.bound(PathType(segments[:used]))
                return UNKNOWN if bound is None else Dyn((bound,))
        return UNKNOWN

    def applied(self, info: TypeInfo, written: tuple[TypeRef, ...], *, open_: bool = False) -> Type:
        """
        A type with its arguments; those left out take their defaults.

        With `open_`, as in an expression's path, they are found by inference.
        """
        generics = info.generics
        if not generics:
            return info.instance(())
        given = [self.type(one) for one in written[: len(generics)]]
        if len(given) < len(generics):
            mapping = dict(zip(generics, given, strict=False))
            for at in range(len(given), len(generics)):
                default = info.default(at)
                if default is None or (open_ and not written and self.fresh is not None):
                    one = self.left_out()
                else:
                    one = trimmed(substitute(default, mapping))
                mapping[generics[at]] = one
                given.append(one)
        return info.instance(tuple(given))

    def _associated(self, base: Type, segments: tuple[Segment, ...]) -> Type:
        for segment in segments:
            base = self.associated(base, segment)
        return base

    def associated(self, base: Type, segment: Segment) -> Type:
        """`base::Name` as a type."""
        name = segment.name
        if base == self.self_type and self.impl is not None:
            own = self.impl.type_named(name)
            if own is not None:
                return own
        bound = self._bound_with(base, name)
        return self.world.reduced(self, Projection(base, bound or Bound(""), name))

    def _bound_with(self, base: Type, name: str) -> Bound | None:
        """The bound of `base` in sight whose trait, or a supertrait of it, declares the associated type."""
        world = self.world
        if self.trait is not None and base == self.self_type:
            own = Bound(self.trait.path, self.trait.id, self.trait.generics)
            return world.declares_type(own, name)
        if self.impl is not None and base == self.self_type:
            bound = self.impl.bound()
            if bound is not None:
                return world.declares_type(bound, name)
            return None
        return self._bound_of_parameter(base, name) if isinstance(base, Generic) else None

    def _bound_of_parameter(self, base: Generic, name: str) -> Bound | None:
        for generics in self.written:
            for ref in _written_bounds(generics, base.name):
                bare = self.bound(ref, bare=True)
                if bare is not None and self.world.declares_type(bare, name) is not None:
                    whole = self.bound(ref)
                    return None if whole is None else self.world.declares_type(whole, name)
        return None


def _written_bounds(generics: Generics, name: str) -> list[TypeRef]:
    found: list[TypeRef] = []
    for parameter in generics.parameters:
        if parameter.name == name:
            found.extend(parameter.bounds)
    for type_, bounds in generics.where:
        if isinstance(type_, PathType) and len(type_.segments) == 1 and type_.segments[0].name == name:
            found.extend(bounds)
    return found
