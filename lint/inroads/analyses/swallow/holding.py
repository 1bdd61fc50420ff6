"""By which names a body can lay hold of a value of a type: of fields, functions, variants, statics, types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from inroads.facts import (
    ArrayType,
    ConstItem,
    DynType,
    EnumItem,
    FunctionItem,
    FunctionType,
    Generics,
    ImplItem,
    ImplType,
    Item,
    PathType,
    PointerType,
    RefType,
    SliceType,
    StructItem,
    TupleType,
    TypeAliasItem,
    TypeRef,
    UseItem,
)

if TYPE_CHECKING:
    from inroads.resolve.tables import Tables


# Types whose values come from literals and macros (`thread_local!`), without any name.
EVERYDAY = frozenset(("String", "Vec", "Option", "Result", "Box", "Rc", "Arc", "LocalKey", "LazyLock"))
# Bounds that tell what a function is given, and nothing of what it gives.
_GIVEN = frozenset(
    (
        *("AsRef", "AsMut", "Into", "TryInto", "From", "TryFrom", "Borrow", "BorrowMut"),
        *("PartialEq", "PartialOrd", "ToString"),
    )
)


class Held(msgspec.Struct):
    """
    The names of a program, by the types that they speak of.

    A type is its last name; two of one name are taken for one. A field `f` is `.f`, and `f` as patterns name it.

    Args:
        stored: Type -> fields, variants, statics of it.
        returned: Type -> functions that give one.
        behind: Type -> its aliases, and types from whose values its own come by Deref, Index, Iterator or `.0`.
        projected:
            Type -> the associated types that it is for a type whose values come without a name
            (`str`, tuples, any type of a blanket impl); functions give values of those.
        fields: All fields.
        open_fields: Those whose type is, or holds, a parameter of their struct's.
    """

    stored: dict[str, set[str]] = {}
    returned: dict[str, set[str]] = {}
    behind: dict[str, set[str]] = {}
    projected: dict[str, set[str]] = {}
    fields: set[str] = set()
    open_fields: set[str] = set()


class Holding:
    """By which names a value of a type may be had."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self._known: dict[str, frozenset[str]] = {}
        self._known_any: dict[frozenset[str], frozenset[str]] = {}
        self._known_fields: dict[str, frozenset[str]] = {}
        self._known_types: dict[str, frozenset[str]] = {}

    @property
    def fields(self) -> set[str]:
        """All fields."""
        return self._held.fields

    @property
    def open_fields(self) -> set[str]:
        """Those whose type is, or holds, a parameter of their struct's."""
        return self._held.open_fields

    def of(self, type_: str) -> frozenset[str]:
        """All names by which a value of a type may be had, the type's own included."""
        known = self._known.get(type_)
        if known is None:
            types = self.types(type_)
            found = set(types)
            for one in types:
                for named in (one, *self._held.projected.get(one, ())):
                    found |= self._held.returned.get(named, frozenset())
            stored = set().union(*(self._held.stored.get(one, frozenset()) for one in types))
            fields = {name for name in stored if f".{name}" in stored} - found
            known = self._known[type_] = frozenset(found | stored)
            self._known_fields[type_] = frozenset(fields)
        return known

    def of_any(self, types: frozenset[str]) -> frozenset[str]:
        """All names by which a value of one of these types may be had."""
        known = self._known_any.get(types)
        if known is None:
            known = self._known_any[types] = frozenset().union(*map(self.of, types))
        return known

    def fields_of(self, type_: str) -> frozenset[str]:
        """Those of the names that are fields and nothing else: what is called by such a name gives no such value."""
        self.of(type_)
        return self._known_fields[type_]

    def stored(self, types: Iterable[str]) -> frozenset[str]:
        """The fields, variants, statics and tuple structs in which a value of these types may stand."""
        return frozenset(
            name
            for type_ in types
            for name in (*self._held.stored.get(type_, ()), *self._held.behind.get(type_, ()))
        ).difference(types)

    def types(self, type_: str) -> frozenset[str]:
        """The type, and those that lead to it; ends because each turn adds one."""
        known = self._known_types.get(type_)
        if known is None:
            found = {type_}
            waiting = [type_]
            while waiting:
                more = self._held.behind.get(waiting.pop(), set()) - found
                found |= more
                waiting.extend(more)
            known = self._known_types[type_] = frozenset(found)
        return known


def held_in(tables: Iterable[Tables]) -> Held:
    """The names of some programs by types."""
    held = Held()
    for one in tables:
        for source in one.sources:
            items = source.facts.items
            for item in items:
                _enter(held, item, items)
    return held


def _enter(held: Held, item: Item, items: tuple[Item, ...]) -> None:
    match item:
        case FunctionItem(head=head, generics=generics, parameters=parameters, returns=returns):
            # A closure that is given to it is given what its type says.
            runs = [run for one in parameters if one.type is not None for run in _runs(one.type)]
            if returns is None and not runs and not generics.parameters:
                return
            names = spoken((returns, *runs, *_bounds(generics)))
            outer = None if head.parent is None else items[head.parent]
            if isinstance(outer, ImplItem):
                # Whoever calls it has one already, or names the type before it.
                names -= spoken((outer.self_type,))
            _add(held.returned, names, (head.name,))
        case StructItem(head=head, fields=fields, form=form, generics=generics):
            own = {one.name for one in generics.parameters}
            for parameter in generics.parameters:
                if parameter.default is not None:
                    _add(held.behind, spoken((parameter.default,)), (head.name,))
            for one in fields:
                names = spoken((one.type,))
                if form == "tuple":
                    # A `.0` tells nothing.
                    _add(held.behind, names, (head.name,))
                    continue
                _add(held.stored, names, (f".{one.name}", one.name))
                held.fields.add(f".{one.name}")
                if not names.isdisjoint(own):
                    held.open_fields.add(f".{one.name}")
        case EnumItem(variants=variants):
            for variant in variants:
                _add(held.stored, spoken(one.type for one in variant.fields), (variant.name,))
        case ConstItem(head=head, type=type_) if type_ is not None:
            _add(held.stored, spoken((type_,)), (head.name,))
        case TypeAliasItem(head=head, type=type_) if type_ is not None:
            names = spoken((type_,))
            outer = None if head.parent is None else items[head.parent]
            if isinstance(outer, ImplItem):
                if not has_name(outer):
                    _add(held.projected, names, (head.name,))
                _add(held.behind, names, spoken((outer.self_type,)))
            else:
                _add(held.behind, names, (head.name,))
        case UseItem(entries=entries):
            for entry in entries:
                if entry.alias not in ("", "_") and entry.path:
                    _add(held.behind, (entry.path[-1],), (entry.alias,))
        case _:
            pass


def _runs(written: TypeRef) -> list[TypeRef]:
    """The types of callables in that of a parameter; and other bounds than those of what is only given."""
    if isinstance(written, PathType) and not any(one.arguments for one in written.segments):
        return []
    found: list[TypeRef] = []
    waiting: list[TypeRef | None] = [written]
    while waiting:
        at = waiting.pop()
        match at:
            case FunctionType():
                found.append(at)
            case DynType(bounds=bounds) | ImplType(bounds=bounds):
                found += [one for one in bounds if not _is_given(one)]
            case PathType(segments=segments):
                waiting += [one for segment in segments for one in segment.arguments]
            case _:
                waiting += inside(at)
    return found


def _bounds(generics: Generics) -> list[TypeRef]:
    """The bounds that may tell what a function gives, and the types that they bound."""
    found = [bound for one in generics.parameters for bound in one.bounds if not _is_given(bound)]
    for bounded, bounds in generics.where:
        more = [bound for bound in bounds if not _is_given(bound)]
        if more:
            found += (bounded, *more)
    return found


def _is_given(bound: TypeRef) -> bool:
    """Whether a bound tells only what a function is given: `AsRef<Path>`."""
    return isinstance(bound, PathType) and bool(bound.segments) and bound.segments[-1].name in _GIVEN


def has_name(impl: ImplItem) -> bool:
    """Whether values of the type of an impl come by a name: its own, or that of what holds or gives one."""
    at = impl.self_type
    name = at.segments[-1].name if isinstance(at, PathType) and at.segments else ""
    own = {one.name for one in impl.generics.parameters}
    return name[:1].isupper() and name not in EVERYDAY and name not in own


def _add(table: dict[str, set[str]], types: Iterable[str], names: Iterable[str]) -> None:
    for type_ in types:
        known = table.get(type_)
        if known is None:
            table[type_] = set(names)
        else:
            known.update(names)


def spoken(written: Iterable[TypeRef | None], generics: Generics | None = None) -> set[str]:
    """All names in types as written, and in the bounds of the generics beside them."""
    found: set[str] = set()
    waiting = list(written)
    if generics is not None:
        for parameter in generics.parameters:
            waiting += parameter.bounds
        for bounded, bounds in generics.where:
            waiting.append(bounded)
            waiting += bounds
    while waiting:
        at = waiting.pop()
        # Nearly all are paths, and nearly all of these are one name.
        if isinstance(at, PathType):
            for segment in at.segments:
                found.add(segment.name)
                if segment.arguments:
                    waiting += segment.arguments
                if segment.bindings:
                    waiting += [value for _, value in segment.bindings]
            if at.qself is not None:
                waiting.append(at.qself)
            continue
        waiting += inside(at)
    return found


def inside(at: TypeRef | None) -> tuple[TypeRef | None, ...]:
    """The types that one holds which is no path; what a path holds stands in its segments."""
    match at:
        case (
            RefType(inner=inner) | PointerType(inner=inner) | SliceType(inner=inner) | ArrayType(inner=inner)
        ):
            return (inner,)
        case TupleType(elements=elements):
            return elements
        case FunctionType(parameters=parameters, returns=returns):
            return (*parameters, returns)
        case DynType(bounds=bounds) | ImplType(bounds=bounds):
            return bounds
        case _:
            return ()
