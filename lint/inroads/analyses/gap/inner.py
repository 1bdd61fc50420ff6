"""
What stands inside a wrapper: from a place (`shared`, `Left.0`) to the type whose trait is forwarded to.

Types are followed as they are written, with names resolved and the parameters
of a struct replaced by what the impl gives for them. Pointers, cells, locks,
guards and Option are looked through. No body is read.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import TypeAlias

import msgspec

from inroads.facts import (
    DynType,
    EnumItem,
    ImplItem,
    ImplType,
    PathType,
    PointerType,
    RefType,
    Segment,
    StructItem,
    TypeAliasItem,
    TypeRef,
)
from inroads.resolve.model import Definition, Impl
from inroads.resolve.tables import Tables

# Types that hand on what they hold: the name, and the index of the argument that counts.
_HOLDERS = """
    Box Rc Arc Option Mutex RwLock RefCell Cell UnsafeCell Pin ManuallyDrop OnceCell OnceLock LazyLock
    LazyCell MutexGuard RwLockReadGuard RwLockWriteGuard Ref RefMut ReentrantMutex FairMutex Weak
    NonNull MaybeUninit OwnedMutexGuard ArcSwap ArcSwapAny AssertUnwindSafe CachePadded SyncWrapper
    AtomicRefCell Lazy Fragile MappedMutexGuard Exclusive Shared
"""
HOLDERS = frozenset(_HOLDERS.split())
# `MockEngine`, `TxnTestEngine`, `FakeClock`; files of mocks and test helpers.
_DOUBLE = re.compile(r"(?:^|[a-z0-9])(?:Mock|Fake|Dummy|Stub|Test)(?![a-z])|(?:^|_)(?:Testing|Mocked)")
_TEST_FILE = re.compile(
    r"(?:^|[/_-])(?:testing|testkit|mocks?|mocking|fakes?|fuzz|fixtures?|test[_-](?:utils?|support|helpers?|suite))"
    r"(?:[/_-]|\.rs$)|(?:^|/)[a-z_]+[_-](?:mock|testutils?)/"
)
_TEST_MODULE = re.compile(r"(?:^|::)(?:tests?|test_[a-z_]+|[a-z_]+_tests?|mocks?)(?:::|$)")
POINTERS = frozenset({"Box", "Rc", "Arc", "Pin"})
_DEEPEST = 12


class Written(msgspec.Struct, frozen=True):
    """
    A type as written, and where its names are looked up.

    Args:
        names: What generic parameters stand for: (name, what it was replaced by), None for a parameter of the impl.
    """

    type: TypeRef
    module: int
    names: tuple[tuple[str, Written | None], ...] = ()


class Concrete(msgspec.Struct, frozen=True):
    """A type with a path: `head` is the key of `Tables.impls_of_head`; `definition` is None outside the workspace."""

    head: str
    definition: int | None
    written: Written


class Parameter(msgspec.Struct, frozen=True):
    """A type parameter of the impl."""

    name: str


class Object(msgspec.Struct, frozen=True):
    """`dyn Trait` or `impl Trait`: the traits that it names, as paths."""

    traits: tuple[str, ...]


Inside: TypeAlias = Concrete | Parameter | Object


class Types(msgspec.Struct):
    """Looks at types of one program; answers are kept for as long as it lives."""

    tables: Tables
    implementors: dict[str, dict[str, tuple[Impl, ...]]] = msgspec.field(default_factory=dict)

    # -- from types to what they hold ---------------------------------------------

    def self_of(self, impl: Impl) -> Written:
        """The self type of an impl, with the impl's own parameters marked."""
        parameters = tuple((parameter.name, None) for parameter in impl.item.generics.parameters)
        return Written(impl.item.self_type, impl.module, parameters)

    def layers(self, written: Written) -> list[Inside]:
        """A type and, where it only holds another, that one too; outermost first."""
        found: list[Inside] = []
        for _ in range(_DEEPEST):
            match written.type:
                case RefType(inner=inner) | PointerType(inner=inner):
                    written = Written(inner, written.module, written.names)
                case DynType(bounds=bounds) | ImplType(bounds=bounds):
                    found.append(Object(self.traits_of(bounds, written.module)))
                    return found
                case PathType(segments=segments, qself=None) as path_type:
                    name = segments[-1].name
                    replaced = dict(written.names)
                    if len(segments) == 1 and name in replaced:
                        target = replaced[name]
                        if target is None:
                            found.append(Parameter(name))
                            return found
                        written = target
                        continue
                    owner = self.owner_of(written, segments[0].name) if len(segments) == 2 else ""
                    if owner:
                        found.append(Parameter(f"{owner}::{name}"))
                        return found
                    definition = self.tables.resolve(written.module, path_type, "type")
                    alias = self.unalias(written, definition)
                    if alias is not None:
                        written = alias
                        continue
                    local = definition is not None and definition.kind == "type"
                    path = definition.path if definition is not None else name
                    found.append(Concrete(path, definition.id if definition and local else None, written))
                    arguments = segments[-1].arguments
                    if local or name not in HOLDERS or not arguments:
                        return found
                    written = Written(arguments[0], written.module, written.names)
                case _:
                    return found
        return found

    def owner_of(self, written: Written, name: str) -> str:
        """The parameter of the impl that a name stands for; "" where it stands for none."""
        replaced = dict(written.names)
        for _ in range(_DEEPEST):
            if name not in replaced:
                return ""
            target = replaced[name]
            if target is None:
                return name
            if not isinstance(target.type, PathType) or len(target.type.segments) != 1:
                return ""
            name, replaced = target.type.segments[0].name, dict(target.names)
        return ""

    def unalias(self, written: Written, definition: Definition | None) -> Written | None:
        """What an alias of the workspace stands for, with its arguments put in."""
        if definition is None or definition.kind != "type" or definition.id is None:
            return None
        one = self.tables.types[definition.id]
        item = self.tables.sources[one.source].facts.items[one.item_index]
        if not isinstance(item, TypeAliasItem) or item.type is None or not isinstance(written.type, PathType):
            return None
        return Written(item.type, one.module, self.given(item.generics.parameters, written))

    def given(
        self, parameters: tuple[object, ...], written: Written
    ) -> tuple[tuple[str, Written | None], ...]:
        """The parameters of a definition, replaced by the arguments of the path that names it."""
        if not isinstance(written.type, PathType):
            return ()
        arguments = written.type.segments[-1].arguments
        found: list[tuple[str, Written | None]] = []
        for index, parameter in enumerate(parameters):
            name = getattr(parameter, "name", "")
            default = getattr(parameter, "default", None)
            if index < len(arguments):
                found.append((name, Written(arguments[index], written.module, written.names)))
            elif default is not None:
                found.append((name, Written(default, written.module, tuple(found))))
        return tuple(found)

    # -- from places to types -----------------------------------------------------

    def at(self, start: Written, steps: tuple[str, ...]) -> list[Inside]:
        """What stands at a place inside a type: its layers, none where a step leads nowhere."""
        current = start
        for step in steps:
            if step.startswith("::"):
                named = self.named(step, start.module)
                if named is None:
                    return []
                current = named
                continue
            if step == "*":
                target = self.dereferenced(current)
                if target is not None:
                    current = target
                continue
            following = self.step(current, step)
            if following is None:
                return []
            current = following
        return self.layers(current)

    def named(self, step: str, module: int) -> Written | None:
        """The type of a static or a constant, or a unit struct, that a path names."""
        names = tuple(step.removeprefix("::").split("::"))
        found = self.tables.resolve(module, names, "value")
        if found is not None and found.kind in ("static", "const") and found.id is not None:
            constant = self.tables.constants[found.id]
            return Written(constant.item.type, constant.module)
        return Written(PathType(tuple(Segment(name) for name in names)), module)

    def step(self, current: Written, step: str) -> Written | None:
        """The type behind one step; looks through pointers and locks to find a type that has it."""
        for layer in self.layers(current):
            if not isinstance(layer, Concrete) or layer.definition is None:
                continue
            if step.endswith("()"):
                return self.returned(layer, step[:-2])
            found = self.member(layer, step)
            if found is not None:
                return found
        return self.tuple_element(current, step)

    def tuple_element(self, current: Written, step: str) -> Written | None:
        """`x.0` of a tuple."""
        elements = getattr(current.type, "elements", None)
        if elements is not None and step.isdigit() and int(step) < len(elements):
            return Written(elements[int(step)], current.module, current.names)
        return None

    def member(self, layer: Concrete, step: str) -> Written | None:
        """A field, or the payload of a variant (`Variant.0`; alternatives take the first)."""
        if layer.definition is None:
            return None
        one = self.tables.types[layer.definition]
        item = self.tables.sources[one.source].facts.items[one.item_index]
        variant, dot, name = step.partition(".")
        match item:
            case StructItem(fields=fields, generics=generics):
                wanted = name if dot else step
            case EnumItem(variants=variants, generics=generics) if dot:
                chosen = next((one for one in variants if one.name == variant), None)
                if chosen is None:
                    return None
                fields, wanted = chosen.fields, name
            case _:
                return None
        for one_field in fields:
            if one_field.name == wanted:
                return Written(one_field.type, one.module, self.given(generics.parameters, layer.written))
        return None

    def payloads(self, layer: Concrete) -> list[tuple[str, Written]]:
        """The variants of an enum that hold one value, with its type."""
        if layer.definition is None:
            return []
        one = self.tables.types[layer.definition]
        item = self.tables.sources[one.source].facts.items[one.item_index]
        if not isinstance(item, EnumItem):
            return []
        names = self.given(item.generics.parameters, layer.written)
        return [
            (variant.name, Written(variant.fields[0].type, one.module, names))
            for variant in item.variants
            if len(variant.fields) == 1
        ]

    def fields(self, layer: Concrete) -> list[tuple[str, Written]]:
        """The fields of a struct, with their types."""
        if layer.definition is None:
            return []
        one = self.tables.types[layer.definition]
        item = self.tables.sources[one.source].facts.items[one.item_index]
        if not isinstance(item, StructItem):
            return []
        names = self.given(item.generics.parameters, layer.written)
        return [(one_field.name, Written(one_field.type, one.module, names)) for one_field in item.fields]

    def arguments(self, layer: Concrete) -> list[Written]:
        """The generic arguments of a type from outside."""
        written = layer.written
        if layer.definition is not None or not isinstance(written.type, PathType):
            return []
        return [Written(one, written.module, written.names) for one in written.type.segments[-1].arguments]

    def returned(self, layer: Concrete, method: str) -> Written | None:
        """What an accessor of the type gives back, as its signature says."""
        for impl_id in self.tables.impls_of_head.get(layer.head, ()):
            impl = self.tables.impls[impl_id]
            function_id = impl.methods.get(method)
            if function_id is None:
                continue
            item = self.tables.functions[function_id].item
            if item.returns is None:
                return None
            return Written(item.returns, impl.module, self.as_seen_from(impl, layer))
        return None

    def as_seen_from(self, impl: Impl, layer: Concrete) -> tuple[tuple[str, Written | None], ...]:
        """An impl's parameters, replaced by the arguments that the type has at a place."""
        own = {parameter.name for parameter in impl.item.generics.parameters}
        if not isinstance(impl.item.self_type, PathType) or not isinstance(layer.written.type, PathType):
            return ()
        pattern = impl.item.self_type.segments[-1].arguments
        arguments = layer.written.type.segments[-1].arguments
        found: list[tuple[str, Written | None]] = []
        for parameter, argument in zip(pattern, arguments, strict=False):
            if isinstance(parameter, PathType) and len(parameter.segments) == 1:
                name = parameter.segments[0].name
                if name in own:
                    found.append((name, Written(argument, layer.written.module, layer.written.names)))
        return tuple(found)

    def dereferenced(self, current: Written) -> Written | None:
        """What `*x` is by the type's own impl of Deref; None where it has none."""
        for layer in self.layers(current)[:1]:
            if not isinstance(layer, Concrete) or layer.definition is None:
                return None
            for impl_id in self.tables.impls_of_head.get(layer.head, ()):
                impl = self.tables.impls[impl_id]
                if impl.trait_path != "std::ops::Deref":
                    continue
                items = self.tables.sources[impl.source].facts.items
                for item in items[impl.item_index + 1 :]:
                    if isinstance(item, TypeAliasItem) and item.head.parent == impl.item_index and item.type:
                        return Written(item.type, impl.module, self.as_seen_from(impl, layer))
                    if isinstance(item, ImplItem) or item.head.start >= impl.item.head.end:
                        break
        return None

    # -- traits -------------------------------------------------------------------

    def traits_of(self, bounds: tuple[TypeRef, ...], module: int) -> tuple[str, ...]:
        """The paths of the traits among bounds."""
        found = []
        for bound in bounds:
            if isinstance(bound, PathType):
                definition = self.tables.resolve(module, bound, "type")
                found.append(definition.path if definition is not None else bound.segments[-1].name)
        return tuple(found)

    def bounds_of(self, impl: Impl, name: str) -> tuple[str, ...]:
        """
        The traits that a parameter of an impl, or an associated type of one (`B::Store`), is bound by.

        What a parameter dereferences to (`P::Target: Trait`) counts as its own.
        """
        generics = impl.item.generics
        bounds: list[TypeRef] = []
        for parameter in generics.parameters:
            if parameter.name == name:
                bounds.extend(parameter.bounds)
        for subject, more in generics.where:
            if isinstance(subject, PathType):
                path = "::".join(one.name for one in subject.segments)
                if path == name or path == f"{name}::Target":
                    bounds.extend(more)
        own = self.traits_of(tuple(bounds), impl.module)
        owner, separated, associated = name.partition("::")
        if not separated:
            return own
        return (
            *own,
            *(path for trait in self.bounds_of(impl, owner) for path in self.promised(trait, associated)),
        )

    def promised(self, path: str, associated: str) -> tuple[str, ...]:
        """The traits that a trait of the workspace asks of one of its associated types."""
        trait = self.trait_named(path)
        if trait is None:
            return ()
        one = self.tables.traits[trait]
        for item in self.tables.sources[one.source].facts.items[one.item_index + 1 :]:
            if item.head.parent != one.item_index:
                if item.head.start >= one.item.head.end:
                    break
                continue
            if isinstance(item, TypeAliasItem) and item.head.name == associated:
                return self.traits_of(item.bounds, one.module)
        return ()

    def implies(self, traits: tuple[str, ...], wanted: str) -> bool:
        """Whether one of some traits is the wanted one, or has it among its supertraits."""
        pending, seen = list(traits), set()
        while pending:
            path = pending.pop()
            if path == wanted:
                return True
            if path in seen:
                continue
            seen.add(path)
            pending.extend(self.supertraits(path))
        return False

    def supertraits(self, path: str) -> tuple[str, ...]:
        """The direct supertraits of a trait of the workspace."""
        trait = self.trait_named(path)
        if trait is None:
            return ()
        one = self.tables.traits[trait]
        return self.traits_of(one.item.supertraits, one.module)

    def trait_named(self, path: str) -> int | None:
        """The TraitId of a path; None outside the workspace."""
        for impl_id in self.tables.impls_of_trait.get(path, ()):
            return self.tables.impls[impl_id].trait
        return next((trait.id for trait in self.tables.traits if trait.path == path), None)

    def impls_for(self, trait_path: str, head: str) -> tuple[Impl, ...]:
        """The impls of a trait for one type, as written for it."""
        return self.by_head(trait_path).get(head, ())

    def by_head(self, trait_path: str) -> dict[str, tuple[Impl, ...]]:
        """The impls of a trait by the head of the type that they are for."""
        found = self.implementors.get(trait_path)
        if found is None:
            found = {}
            for impl_id in self.tables.impls_of_trait.get(trait_path, ()):
                impl = self.tables.impls[impl_id]
                found[impl.head] = (*found.get(impl.head, ()), impl)
            self.implementors[trait_path] = found
        return found

    def is_off(self, impl: Impl) -> bool:
        """Whether an impl is test code, by its attributes or by its name, or is not compiled."""
        module = self.tables.modules[impl.module].path
        return impl.test or not impl.active or is_test_double(impl) or _TEST_MODULE.search(module) is not None

    def heads_with(self, trait_path: str) -> Container[str]:
        """The heads of all types that have an impl of a trait."""
        return self.by_head(trait_path)


def pointed_at(written: Written) -> Written | None:
    """What a pointer-like self type points at: `T` of `Arc<T>`, `&mut T`; None for any other type."""
    return held(written, POINTERS)


def held(written: Written, holders: frozenset[str] = HOLDERS) -> Written | None:
    """What a self type that only holds another holds: `T` of `Option<T>`, `Mutex<T>`; None for any other type."""
    match written.type:
        case RefType(inner=inner):
            return Written(inner, written.module, written.names)
        case PathType(segments=segments, qself=None) if (
            segments[-1].name in holders and segments[-1].arguments
        ):
            return Written(segments[-1].arguments[0], written.module, written.names)
    return None


def is_test_double(impl: Impl) -> bool:
    """Whether an impl stands for the real thing in tests, though it is compiled without them."""
    type_ = impl.item.self_type
    while isinstance(type_, RefType):
        type_ = type_.inner
    name = type_.segments[-1].name if isinstance(type_, PathType) else ""
    return bool(_DOUBLE.search(name) or _TEST_FILE.search(impl.position.path))
