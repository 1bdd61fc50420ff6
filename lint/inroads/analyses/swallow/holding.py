"""Of which types a body can lay hold of a value by its names: of fields, functions, variants, statics, types."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Set
from functools import reduce
from operator import or_
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
    The types that the names of a program speak of.

    A type is its last name; two of one name are taken for one. A field `f` is `.f`, and `f` as patterns name it.

    Args:
        stored: Field, variant or static -> the types in its own.
        returned: Function -> the types of what it gives.
        within: Type, or alias -> the types whose values come from its own by Deref, Index, Iterator or `.0`.
        projected:
            Associated type -> what it is for types whose values come without a name
            (`str`, tuples, any type of a blanket impl); functions give values of it.
        fields: All fields.
        open_fields: Those whose type is, or holds, a parameter of their struct's.
    """

    stored: dict[str, list[str]] = {}
    returned: dict[str, list[str]] = {}
    within: dict[str, list[str]] = {}
    projected: dict[str, list[str]] = {}
    fields: set[str] = set()
    open_fields: set[str] = set()


class _Found(dict[str, int]):
    """Answers that are found out when they are first asked for."""

    def __init__(self, find: Callable[[str], int]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, name: str) -> int:
        found = self[name] = self._find(name)
        return found


class Holding:
    """
    Of which types a value may be had by a name.

    A set of types is a whole number, with a bit for each: many names lead to hundreds of types.
    """

    def __init__(self, held: Held, asked: Iterable[str]) -> None:
        """
        Args:
            asked: The types that it may be asked about.
        """
        self._held = held
        self._bits = {type_: 1 << at for at, type_ in enumerate(sorted(set(asked)))}
        self._telling = frozenset((*self._bits, *held.stored, *held.returned, *held.within))
        self._masks: dict[frozenset[str], int] = {}
        self._reached = _Found(lambda type_: self._all(self._reach(type_)))
        self._had = _Found(lambda name: self._stored(name) | self._otherwise(name))
        self._more = _Found(self._find_more)

    @property
    def fields(self) -> set[str]:
        """All fields."""
        return self._held.fields

    @property
    def open_fields(self) -> set[str]:
        """Those whose type is, or holds, a parameter of their struct's."""
        return self._held.open_fields

    def mask(self, types: frozenset[str]) -> int:
        """These types."""
        known = self._masks.get(types)
        if known is None:
            known = self._masks[types] = self._all(types)
        return known

    def by(self, names: Set[str]) -> int:
        """The types of which a value may be had by some names, of fields, functions, variants, statics, types."""
        return reduce(or_, map(self._had.__getitem__, names & self._telling), 0)

    def otherwise(self, names: Set[str]) -> int:
        """Those of which one may be had by names that are more than a field's, since a call of a field gives none."""
        return reduce(or_, map(self._more.__getitem__, names & self._telling), 0)

    def reached(self, types: Iterable[str]) -> int:
        """The types, and those whose values come from theirs."""
        return reduce(or_, map(self._reached.__getitem__, types), 0)

    def _find_more(self, name: str) -> int:
        if f".{name}" not in self._held.stored:
            return self._had[name]
        return self._had[name] & ~(self._stored(name) & self._stored(f".{name}") & ~self._otherwise(name))

    def _stored(self, name: str) -> int:
        """What may be had by a name as that of a field, variant or static."""
        return self.reached(self._held.stored.get(name, ()))

    def _otherwise(self, name: str) -> int:
        """What may be had by a name as that of a type or function."""
        held, reached = self._held, self._reached
        found = reached[name] if name in held.within else self._bits.get(name, 0)
        for type_ in held.returned.get(name, ()):
            found |= reached[type_]
            if type_ in held.projected:
                found |= self.reached(held.projected[type_])
        return found

    def stored(self, types: frozenset[str]) -> frozenset[str]:
        """The fields, variants, statics and tuple structs in which a value of these types may stand."""
        return frozenset(
            name
            for table in (self._held.stored, self._held.within)
            for name, held in table.items()
            if not types.isdisjoint(held)
        ).difference(types)

    def _all(self, types: Iterable[str]) -> int:
        found = 0
        for type_ in types:
            found |= self._bits.get(type_, 0)
        return found

    def _reach(self, type_: str) -> set[str]:
        """Ends because each turn adds a type."""
        found = {type_}
        waiting = [type_]
        while waiting:
            more = [one for one in self._held.within.get(waiting.pop(), ()) if one not in found]
            found.update(more)
            waiting += more
        return found


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
            _add(held.returned, (head.name,), names)
        case StructItem(head=head, fields=fields, form=form, generics=generics):
            own = {one.name for one in generics.parameters}
            for parameter in generics.parameters:
                if parameter.default is not None:
                    _add(held.within, (head.name,), spoken((parameter.default,)))
            for one in fields:
                names = spoken((one.type,))
                if form == "tuple":
                    # A `.0` tells nothing.
                    _add(held.within, (head.name,), names)
                    continue
                _add(held.stored, (f".{one.name}", one.name), names)
                held.fields.add(f".{one.name}")
                if not names.isdisjoint(own):
                    held.open_fields.add(f".{one.name}")
        case EnumItem(variants=variants):
            for variant in variants:
                _add(held.stored, (variant.name,), spoken(one.type for one in variant.fields))
        case ConstItem(head=head, type=type_) if type_ is not None:
            _add(held.stored, (head.name,), spoken((type_,)))
        case TypeAliasItem(head=head, type=type_) if type_ is not None:
            names = spoken((type_,))
            outer = None if head.parent is None else items[head.parent]
            if isinstance(outer, ImplItem):
                if not has_name(outer):
                    _add(held.projected, (head.name,), names)
                _add(held.within, spoken((outer.self_type,)), names)
            else:
                _add(held.within, (head.name,), names)
        case UseItem(entries=entries):
            for entry in entries:
                if entry.alias not in ("", "_") and entry.path:
                    _add(held.within, (entry.alias,), (entry.path[-1],))
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


def _add(table: dict[str, list[str]], names: Iterable[str], types: Collection[str]) -> None:
    if not types:
        return
    for name in names:
        known = table.get(name)
        if known is None:
            table[name] = [*types]
        else:
            known.extend(types)


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
