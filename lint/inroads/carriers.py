"""
Which functions may hold a value of a type from outside.

Whatever a value is made by names its type, or gives it: a function whose signature names the type, a
field, a variant or a constant of it. A function that mentions none of these names, and whose own
signature and impl don't speak of the type, comes to no such value. It is a filter, and leaves none
out: where a value may come without any name, through an associated type for instance, it says so.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from hashlib import blake2b

from inroads.derived import derived
from inroads.facts import (
    BindingPattern,
    ConstItem,
    EnumItem,
    FieldDefinition,
    FunctionItem,
    ImplItem,
    Item,
    PathType,
    Pattern,
    StructItem,
    TraitItem,
    TypeAliasItem,
    WildcardPattern,
)
from inroads.facts.codec import encode_wire
from inroads.mentioned import Mentions
from inroads.resolve.judge import world_of
from inroads.resolve.sources import Source
from inroads.resolve.tables import Tables
from inroads.rust.late import may_name

_TAKING = frozenset(("From", "TryFrom", "PartialEq", "PartialOrd", "Extend", "FromIterator"))
"""Traits whose argument is a type of values that their methods are given, and never give."""


class Skeletons:
    """The items of all sources, encoded: in which of them a name stands is told by one search through bytes."""

    def __init__(self) -> None:
        self._encoded: dict[tuple[int, int], bytes] = {}

    def naming(self, tables: Tables, name: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """The sources in whose items the name stands, and their items."""
        # A name is encoded with its length before it, so no longer one holds it.
        written = encode_wire(name)
        for source in tables.sources:
            facts = source.facts
            if may_name(facts, name) and written in self._items(tables, source):
                yield source.id, facts.items

    def _items(self, tables: Tables, source: Source) -> bytes:
        key = (id(tables), source.id)
        found = self._encoded.get(key)
        if found is None:
            found = self._encoded[key] = encode_wire(source.facts.items)
        return found


class Carriers:
    """For types that are described and not written here, by their last name."""

    def __init__(self, tables: Tables, mentioned: Mentions, skeletons: Skeletons) -> None:
        self._tables = tables
        self._skeletons = skeletons
        self._mentioned = mentioned
        self._kept: dict[str, tuple[frozenset[int] | None, frozenset[str]]] = {}
        self._outside: frozenset[str] | None = None
        self._apart: frozenset[int] | None = None
        self._numbers = ""
        self._functions: dict[tuple[int, int], list[int]] | None = None

    def of(self, name: str, aliases: tuple[str, ...]) -> tuple[frozenset[int] | None, frozenset[str]]:
        """
        The functions that may hold a value of a struct of that name; None where that can't be told.

        Args:
            aliases: All names of the type, as `use` gives them.

        Returns:
            Beside them the names by which a body comes to a value.
        """
        if name not in self._kept:
            self._kept[name] = self._find(name, aliases) if name in self._structs() else (None, frozenset())
        return self._kept[name]

    def _structs(self) -> frozenset[str]:
        """The names of described structs that nothing else bears."""
        if self._outside is None:
            own, outside = self._tables, world_of(self._tables).foreign.tables
            structs = {one.name for one in outside.types if one.kind == "struct"}
            others = {one.name for tables in (own, outside) for one in tables.traits}
            others.update(one.name for tables in (own, outside) for one in tables.types if one.kind == "enum")
            self._outside = frozenset(structs - others)
        return self._outside

    def _find(self, name: str, aliases: tuple[str, ...]) -> tuple[frozenset[int] | None, frozenset[str]]:
        state = self._numbering()
        key, kind = f"carriers {name}", tuple[str, tuple[tuple[int, ...], tuple[str, ...]] | None]
        kept = derived(self._tables, key, kind, lambda: (state, self._told(name, aliases)))
        told = kept[1] if kept[0] == state else self._told(name, aliases)
        if told is None:
            return None, frozenset()
        functions, words = told
        return frozenset(functions).union(*map(self._mentioned.speaking, words)), frozenset(words)

    def _numbering(self) -> str:
        """Which function has which number, in a digest: skeletons alone don't tell that."""
        if not self._numbers and self._tables.store is not None:
            owners = array("I")
            for one in self._tables.functions:
                owners.append(one.source)
                owners.append(one.item_index)
            self._numbers = blake2b(owners.tobytes(), digest_size=16).hexdigest()
        return self._numbers

    def _told(self, name: str, aliases: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
        """The functions whose signatures speak of a type, and the names by which a value of it comes."""
        names = dict.fromkeys((name, *aliases))
        waiting = list(names)
        words: set[str] = set(names)
        found = set(self._taking_apart())
        while waiting:
            one = waiting.pop()
            written = encode_wire(one)
            for source, items in self._naming(one):
                for at, item in enumerate(items):
                    if written not in encode_wire(item):
                        continue
                    brought = _brought(items, item, written)
                    if brought is None:
                        return None
                    words.update(brought)
                    if isinstance(item, TypeAliasItem) and item.head.name not in names:
                        names[item.head.name] = None
                        waiting.append(item.head.name)
                    if source is not None:
                        found.update(self._inside(source, at, items))
        return tuple(sorted(found)), tuple(sorted(words))

    def _taking_apart(self) -> frozenset[int]:
        """The functions whose parameters are taken apart: what they are made of is named in the signature."""
        if self._apart is None:
            self._apart = frozenset(
                one.id
                for one in self._tables.functions
                if any(_takes_apart(given.pattern) for given in one.item.parameters)
            )
        return self._apart

    def _naming(self, name: str) -> Iterator[tuple[int | None, tuple[Item, ...]]]:
        """The items of the sources in which a name stands; the source is None for what is described."""
        for source, items in self._skeletons.naming(self._tables, name):
            yield source, items
        for _, items in self._skeletons.naming(world_of(self._tables).foreign.tables, name):
            yield None, items

    def _inside(self, source: int, at: int, items: tuple[Item, ...]) -> Iterator[int]:
        """The functions that an item is, or that stand in it where it is an impl."""
        if self._functions is None:
            self._functions = {}
            for one in self._tables.functions:
                self._functions.setdefault((one.source, one.item_index), []).append(one.id)
        yield from self._functions.get((source, at), ())
        if isinstance(items[at], ImplItem):
            for inner, item in enumerate(items):
                if item.head.parent == at:
                    yield from self._functions.get((source, inner), ())


def _brought(items: tuple[Item, ...], item: Item, written: bytes) -> set[str] | None:
    """The names by which a value of the type comes from an item that names it; None where it needs no name."""
    holder = None if item.head.parent is None else items[item.head.parent]
    match item:
        case FunctionItem(head=head):
            # Whoever calls a method of the type has a value of it already.
            own = isinstance(holder, ImplItem) and _is_of(holder, written)
            return set() if own else {head.name}
        case StructItem(generics=generics, fields=fields, head=head, form=form):
            if written in encode_wire(generics):
                return None
            return {*_fields(fields, written), *((head.name,) if form == "tuple" else ())}
        case EnumItem(generics=generics, variants=variants):
            if written in encode_wire(generics):
                return None
            return {
                name
                for one in variants
                if written in encode_wire(one)
                for name in (one.name, *_fields(one.fields, written))
            }
        case ImplItem(generics=generics, trait=trait):
            takes_only = isinstance(trait, PathType) and trait.segments[-1].name in _TAKING
            return None if written in encode_wire((generics, None if takes_only else trait)) else set()
        case TypeAliasItem(head=head):
            return None if isinstance(holder, ImplItem | TraitItem) else {head.name}
        case ConstItem(head=head):
            return {head.name}
        case TraitItem():
            return None
        case _:
            # A `use` gives no more than other names; macros are known by what they expand to.
            return set()


def _takes_apart(pattern: Pattern) -> bool:
    match pattern:
        case WildcardPattern() | BindingPattern(sub=None):
            return False
        case _:
            return True


def _fields(fields: tuple[FieldDefinition, ...], written: bytes) -> Iterator[str]:
    return (one.name for one in fields if written in encode_wire(one))


def _is_of(impl: ImplItem, written: bytes) -> bool:
    """Whether an impl is one of the type itself."""
    match impl.self_type:
        case PathType(segments=(*_, last)):
            return encode_wire(last.name) == written
        case _:
            return False
