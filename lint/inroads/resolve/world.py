"""
The linked program and the crates from outside that are described, as one world of signatures.

Two sets of tables, the workspace's and the stubs', are kept apart: nothing
of a stub ever gets an id of the workspace. Types and traits meet by their path.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from inroads.facts import (
    Attribute,
    EnumItem,
    ImplItem,
    PathType,
    Segment,
    StructItem,
    TypeAliasItem,
)
from inroads.resolve.described import Described, Universe
from inroads.resolve.impl_info import ImplInfo
from inroads.resolve.infos import FunctionInfo, TraitInfo, TypeInfo, own_generics
from inroads.resolve.inside import substitute_bound
from inroads.resolve.model import Definition, Function, Impl
from inroads.resolve.partial import learn, partial_trait
from inroads.resolve.scope import Scope
from inroads.resolve.tables import Tables
from inroads.resolve.types import UNKNOWN, Adt, Bound, Generic, Projection, Type


class World(Described):
    """Signatures by id, by path and by name; built once a program, then only asked."""

    def __init__(self, tables: Tables, stubs: Tables, memo: Any) -> None:
        self.tables = tables
        self.home = Universe(tables, False, "")
        super().__init__(Universe(stubs, True, "x"))
        # Answers of solvers that are the same in every body.
        self.memo = memo
        self.methods: dict[Any, Any] = {}
        # For a name and the traits in scope those that declare it; methods that a type has whatever its arguments.
        self.scoped: dict[tuple[str, frozenset[TraitInfo]], tuple[TraitInfo, ...]] = {}
        self.sure: dict[Hashable, FunctionInfo | None] = {}
        self._types: dict[tuple[bool, int], TypeInfo] = {}
        self._foreign_types: dict[str, TypeInfo | None] = {}
        self._functions: dict[tuple[bool, int], FunctionInfo] = {}
        self._constructors: dict[tuple[TypeInfo, str], FunctionInfo] = {}
        self._constant_types: dict[tuple[bool, int], Type] = {}
        self._constants: dict[str, list[tuple[Universe, int]]] | None = None
        self._same_scope: dict[frozenset[TraitInfo], frozenset[TraitInfo]] = {}
        self._with_trait: dict[tuple[frozenset[TraitInfo], TraitInfo], frozenset[TraitInfo]] = {}
        self._in_scope: dict[tuple[bool, int], frozenset[TraitInfo]] = {}
        self.traits: list[TraitInfo] = []
        self.foreign_traits: dict[str, TraitInfo] = {}
        # Head of the self type -> name -> the inherent impls that have a function of it.
        self._inherent: dict[str, dict[str, list[ImplInfo]]] = {}
        self._inherent_functions: dict[tuple[str, str], tuple[FunctionInfo, ...]] = {}
        # Name of a method -> traits that declare it.
        self.declaring: dict[str, list[TraitInfo]] = {}
        self.type_declaring: dict[str, list[TraitInfo]] = {}
        self.impls: list[ImplInfo] = []
        # Impls of traits that are neither here nor described, by the trait's path.
        self.other_impls: dict[str, list[ImplInfo]] = {}
        # (crate, name) -> traits put together from their impls.
        self.partial: dict[tuple[str, str], list[TraitInfo]] = {}
        self._outside_names: frozenset[str] | None = None
        self._typed_self: frozenset[str] | None = None
        self._prefixes: dict[tuple[bool, int, tuple[str, ...], str], tuple[Definition, int] | None] = {}
        self._read_traits(self.foreign)
        self._read_traits(self.home)
        self._read_impls(self.foreign)
        self._read_impls(self.home)
        for number, path in enumerate(sorted(self.other_impls)):
            info = partial_trait(path, self.other_impls[path], number)
            self.foreign_traits[path] = info
            self.partial.setdefault((path.partition("::")[0], path.rpartition("::")[2]), []).append(info)
            for name in info.methods:
                self.declaring.setdefault(name, []).append(info)
            for name in info.types:
                self.type_declaring.setdefault(name, []).append(info)
        for impl in self.impls:
            trait = impl.trait
            if trait is not None and trait.id is None and not trait.partial and not impl.universe.foreign:
                # A description need not tell all that a trait asks for.
                methods, types = learn(trait, impl)
                for name in methods:
                    self.declaring.setdefault(name, []).append(trait)
                for name in types:
                    self.type_declaring.setdefault(name, []).append(trait)

    def _read_traits(self, universe: Universe) -> None:
        tables = universe.tables
        for trait in tables.traits:
            item = trait.item
            owner = f"{universe.mark}t:{trait.id}"
            self_generic = Generic("Self", owner)
            scope = Scope(self, universe, trait.module, self_type=self_generic)
            scope = scope.inner(item.generics, owner)
            info = TraitInfo(
                path=trait.path,
                id=None if universe.foreign else trait.id,
                item=item,
                scope=scope,
                generics=own_generics(scope, item.generics),
                test=trait.test,
                self_generic=self_generic,
            )
            scope.trait = info
            info.types = trait.types
            for name in trait.types:
                self.type_declaring.setdefault(name, []).append(info)
            for name, id in trait.methods.items():
                info.methods[name] = self.function_of(universe, tables.functions[id], trait=info)
                self.declaring.setdefault(name, []).append(info)
            if universe.foreign:
                self.foreign_traits[info.path] = info
            else:
                self.traits.append(info)

    def _read_impls(self, universe: Universe) -> None:
        for impl in universe.tables.impls:
            family = _family(impl.item) if universe.foreign else ""
            info = ImplInfo(
                world=self,
                universe=universe,
                record=impl,
                family=family,
                trait=self._trait_of_impl(universe, impl),
                head=family or self._head(impl),
            )
            self.impls.append(info)
            if impl.negative:
                continue
            if impl.inherent:
                names = self._inherent.setdefault(info.head, {})
                for name in impl.methods:
                    names.setdefault(name, []).append(info)
            elif info.trait is not None:
                info.trait.impls.setdefault(info.head, []).append(info)
            else:
                self.other_impls.setdefault(info.trait_path, []).append(info)

    def _trait_of_impl(self, universe: Universe, impl: Impl) -> TraitInfo | None:
        if impl.trait is not None:
            trait = universe.tables.traits[impl.trait]
            return self.foreign_traits[trait.path] if universe.foreign else self.traits[impl.trait]
        return self.trait_at(impl.trait_path) if impl.trait_path else None

    def _head(self, impl: Impl) -> str:
        """The head under which an impl is found: the documented path of a type from outside, "*" for any."""
        head = impl.head
        if head in ("", "*any"):
            return "*"
        if "::" in head and not head.startswith("dyn "):
            return self.canonical(head)
        return head

    def inherent(self, head: str, name: str) -> tuple[FunctionInfo, ...]:
        """The functions of that name in inherent impls for a head."""
        key = (head, name)
        found = self._inherent_functions.get(key)
        if found is None:
            impls = self._inherent.get(head, _NO_IMPLS).get(name, ())
            found = self._inherent_functions[key] = tuple(impl.methods[name] for impl in impls)
        return found

    def function_of(
        self,
        universe: Universe,
        function: Function,
        impl: ImplInfo | None = None,
        trait: TraitInfo | None = None,
    ) -> FunctionInfo:
        """What a function is; of a method, in its impl or trait."""
        key = (universe.foreign, function.id)
        found = self._functions.get(key)
        if found is not None:
            return found
        if impl is None and trait is None and function.impl is not None:
            around = self.impl_info(universe, function.impl)
            if around.record.methods.get(function.name) == function.id:
                return around.methods[function.name]
        item = function.item
        if impl is not None:
            scope = impl.scope
        elif trait is not None:
            scope = trait.scope
        else:
            scope = Scope(self, universe, function.module)
        attributes = item.head.attributes
        found = FunctionInfo(
            id=None if universe.foreign else function.id,
            name=function.name,
            path=function.path,
            item=item,
            scope=scope,
            owner=f"{universe.mark}f:{function.id}",
            impl=impl,
            trait=trait,
            receiver=function.receiver,
            test=function.test,
            active=function.active,
            has_body=item.body is not None,
            runs=_runs(attributes) if attributes else _NEVER,
            diverges=bool(attributes) and any(one.path == "diverges" for one in attributes),
        )
        self._functions[key] = found
        return found

    def function(self, universe: Universe, id: int) -> FunctionInfo:
        """The function with an id of the universe's tables."""
        found = self._functions.get((universe.foreign, id))
        return self.function_of(universe, universe.tables.functions[id]) if found is None else found

    def type_info(self, universe: Universe, id: int) -> TypeInfo:
        """The type with an id of the universe's tables."""
        key = (universe.foreign, id)
        found = self._types.get(key)
        if found is None:
            one = universe.tables.types[id]
            item = universe.tables.sources[one.source].facts.items[one.item_index]
            assert isinstance(item, StructItem | EnumItem | TypeAliasItem)
            scope = Scope(self, universe, one.module)
            scope = scope.inner(item.generics, f"{universe.mark}t:{id}:")
            found = TypeInfo(
                path=one.path,
                definition=None if universe.foreign else id,
                item=item,
                scope=scope,
                generics=own_generics(scope, item.generics),
                derives=_derives(item.head.attributes),
                outside=universe.tables.sources[one.source].outside,
            )
            self._types[key] = found
            if not found.is_alias:
                scope.self_type = found.instance(found.generics)
        return found

    def info_of(self, type_: Adt) -> TypeInfo | None:
        """The declaration of a struct or enum; None where nothing is known of it."""
        if type_.definition is not None:
            return self.type_info(self.home, type_.definition)
        path = type_.path
        if path not in self._foreign_types:
            opened = self.opened(path, "type")
            found = None
            if opened is not None and not opened[1] and opened[0].kind == "type" and opened[0].id is not None:
                found = self.type_info(self.foreign, opened[0].id)
            self._foreign_types[path] = found
        return self._foreign_types[path]

    def constructor(self, info: TypeInfo, variant: str) -> FunctionInfo:
        """A tuple struct or tuple variant as a function."""
        key = (info, variant)
        found = self._constructors.get(key)
        if found is None:
            found = FunctionInfo(
                id=None,
                name=variant or info.path.rpartition("::")[2],
                path=f"{info.path}::{variant}" if variant else info.path,
                item=None,
                scope=info.scope,
                owner="",
                constructs=info,
                variant=variant,
            )
            self._constructors[key] = found
        return found

    # Constants.

    def constant_type(self, universe: Universe, id: int) -> Type:
        """The type of a const or static, in terms of the parameters of what it stands in."""
        key = (universe.foreign, id)
        found = self._constant_types.get(key)
        if found is None:
            one = universe.tables.constants[id]
            scope = Scope(self, universe, one.module)
            if one.impl is not None:
                impl = self.impl_info(universe, one.impl)
                _ = impl.self_type
                scope = impl.scope
            elif one.trait is not None:
                scope = self._trait_by_id(universe, one.trait).scope
            self._constant_types[key] = UNKNOWN
            found = scope.type(one.item.type)
            wrapper = _WRAPPERS.get(universe.tables.sources[one.source].outside)
            if wrapper is not None and one.item.is_static:
                found = Adt(self.canonical(wrapper), None, (found,))
            self._constant_types[key] = found
        return found

    def constant_of_trait(self, info: TraitInfo, name: str) -> Type | None:
        """The type of a trait's associated constant."""
        for universe, id in self.constants_named(name):
            trait = universe.tables.constants[id].trait
            if trait is not None and self._trait_by_id(universe, trait) is info:
                return self.constant_type(universe, id)
        return None

    def constants_named(self, name: str) -> list[tuple[Universe, int]]:
        """All associated constants of that name."""
        if self._constants is None:
            self._constants = {}
            for universe in (self.home, self.foreign):
                for one in universe.tables.constants:
                    if one.impl is not None or one.trait is not None:
                        self._constants.setdefault(one.name, []).append((universe, one.id))
        return self._constants.get(name, [])

    def impl_info(self, universe: Universe, id: int) -> ImplInfo:
        """The impl with an id of the universe's tables."""
        return self.impls[id if universe.foreign else id + len(self.foreign.tables.impls)]

    def _trait_by_id(self, universe: Universe, id: int) -> TraitInfo:
        if universe.foreign:
            return self.foreign_traits[universe.tables.traits[id].path]
        return self.traits[id]

    # Traits from outside.

    def trait_at(self, path: str) -> TraitInfo | None:
        """A described trait from outside, by any of its paths."""
        found = self.foreign_traits.get(path)
        if found is None and path:
            opened = self.opened(path, "type")
            if opened is not None and not opened[1] and opened[0].kind == "trait":
                return self.foreign_traits.get(opened[0].path)
            # A crate may export a trait at several paths.
            same = self.partial.get((path.partition("::")[0], path.rpartition("::")[2]), [])
            if len(same) == 1:
                return same[0]
        return found

    def prefix(
        self, universe: Universe, module: int, names: tuple[str, ...], namespace: str
    ) -> tuple[Definition, int] | None:
        """The longest beginning of a path that names something; remembered, as `Tables.resolve_prefix` is asked."""
        if universe.tables.modules[module].kind == "block":
            # An expansion may bring a `use` into a block, when that is judged.
            return universe.tables.resolve_prefix(module, names, namespace)
        key = (universe.foreign, module, names, namespace)
        if key not in self._prefixes:
            self._prefixes[key] = universe.tables.resolve_prefix(module, names, namespace)
        return self._prefixes[key]

    def has_typed_self(self, name: str) -> bool:
        """Whether any function of that name takes `self: T`."""
        if self._typed_self is None:
            self._typed_self = frozenset(
                function.name
                for universe in (self.home, self.foreign)
                for function in universe.tables.functions
                if function.receiver == "typed"
            )
        return name in self._typed_self

    def outside_names(self) -> frozenset[str]:
        """The names of all methods that are described."""
        if self._outside_names is None:
            self._outside_names = frozenset(
                function.name for function in self.foreign.tables.functions if function.receiver is not None
            )
        return self._outside_names

    def trait_of(self, universe: Universe, definition: Definition) -> TraitInfo | None:
        """The trait that a definition names; None if it is none, or nothing is known of it."""
        if definition.kind == "trait" and definition.id is not None:
            if universe.foreign:
                return self.foreign_traits.get(definition.path)
            return self.traits[definition.id]
        return self.trait_at(definition.path) if definition.kind == "foreign" else None

    def trait_info(self, bound: Bound) -> TraitInfo | None:
        """The trait of a bound; None where nothing is known of it."""
        if bound.trait is not None:
            return self.traits[bound.trait]
        return self.foreign_traits.get(bound.path)

    # Traits.

    def elaborated(self, self_type: Type, bound: Bound) -> list[Bound]:
        """A bound, and those that its supertraits add; nearest first, each trait with the same arguments once."""
        found = [bound]
        seen = {bound}
        at = 0
        while at < len(found) and len(found) < 64:
            one = found[at]
            at += 1
            info = self.trait_info(one)
            if info is None:
                continue
            supers = info.supertraits()
            if not supers:
                continue
            mapping = info.mapping(self_type, one)
            for sup in supers:
                new = substitute_bound(sup, mapping)
                if new not in seen:
                    seen.add(new)
                    found.append(new)
        return found

    def traits_in_scope(self, universe: Universe, module: int) -> frozenset[TraitInfo]:
        """The traits whose methods may be called in a module."""
        key = (universe.foreign, module)
        found = self._in_scope.get(key)
        if found is None:
            traits: set[TraitInfo] = set()
            for one in universe.tables.traits_in_scope(module):
                if isinstance(one, int):
                    if universe.foreign:
                        traits.add(self.foreign_traits[universe.tables.traits[one].path])
                    else:
                        traits.add(self.traits[one])
                elif one.endswith("::*"):
                    prefix = one[:-1]
                    traits.update(
                        info for path, info in self.foreign_traits.items() if path.startswith(prefix)
                    )
                else:
                    info = self.trait_at(one)
                    if info is not None:
                        traits.add(info)
            # Equal sets are one object, so that what is remembered for one module serves the others.
            whole = frozenset(traits)
            found = self._in_scope[key] = self._same_scope.setdefault(whole, whole)
        return found

    def with_trait(self, traits: frozenset[TraitInfo], own: TraitInfo) -> frozenset[TraitInfo]:
        """The same traits and one more."""
        if own in traits:
            return traits
        found = self._with_trait.get((traits, own))
        if found is None:
            whole = traits | {own}
            found = self._with_trait[traits, own] = self._same_scope.setdefault(whole, whole)
        return found

    def declares_type(self, bound: Bound, name: str) -> Bound | None:
        """The bound itself, or the supertrait's, whose trait declares the associated type."""
        info = self.trait_info(bound)
        if info is None:
            return None
        if name in info.types:
            return bound
        for sup in self.elaborated(UNKNOWN, bound)[1:]:
            other = self.trait_info(sup)
            if other is not None and name in other.types:
                return sup
        return None

    def reduced(self, scope: Scope, projection: Projection) -> Type:
        """A projection as it was written; it is reduced where it is used."""
        return projection


# What a static is that stands among the tokens of these macros.
_WRAPPERS = {"thread_local": "std::thread::LocalKey", "lazy_static": "std::sync::LazyLock"}


def _family(item: ImplItem) -> str:
    """`int` or `float` where an impl of the stubs is for all types of that kind."""
    match item.self_type:
        case PathType(segments=(Segment(name=("int" | "float") as name),)):
            return name
    return ""


_NEVER: Mapping[str, str] = {}
_NO_IMPLS: Mapping[str, list[ImplInfo]] = {}


def _runs(attributes: tuple[Attribute, ...]) -> dict[str, str]:
    """`#[runs(f = "some", g = "none")]`: parameter -> when it runs."""
    found: dict[str, str] = {}
    for attribute in attributes:
        if attribute.path == "runs":
            for part in attribute.text.split(","):
                name, equals, word = part.partition("=")
                if equals:
                    found[name.strip()] = word.strip().strip('"')
    return found


def _derives(attributes: tuple[Attribute, ...]) -> frozenset[str]:
    """The last segments of all derived traits, also those under `cfg_attr`."""
    found: set[str] = set()
    for attribute in attributes:
        text = attribute.text
        if attribute.path == "cfg_attr" and "derive(" in text:
            text = text.partition("derive(")[2].partition(")")[0]
        elif attribute.path != "derive":
            continue
        found.update(part.strip().rpartition("::")[2].strip() for part in text.split(","))
    found.discard("")
    return frozenset(found)
