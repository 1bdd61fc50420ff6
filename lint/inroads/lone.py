"""
Items other than functions that came or went between two runs, and how far that is seen.

A type, a constant, or a private `use` is seen by the bodies that mention its names,
as long as no item that was there before speaks of them. What stands in a module
that came or went with it is nobody else's matter. Impls of traits, macros, aliases and modules of
files are seen by those who name nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from inroads.aligned import Sides, as_written
from inroads.facts import (
    ConstItem,
    EnumItem,
    FieldDefinition,
    FunctionItem,
    ImplItem,
    Item,
    ModuleItem,
    StructItem,
    TraitItem,
    UseItem,
)
from inroads.reaching import written_in
from inroads.reads import declared, written
from inroads.resolve.tables import Tables

MOST_FILES = 150
"""Of more files than these below a module it is not found out what they speak of."""

_WORD = re.compile(r"\w+")


class Edits(msgspec.Struct):
    """
    What differs between an earlier program and this one.

    Args:
        bodies: FunctionIds, of now, whose bodies differ or may be judged otherwise.
        rewritten: Those whose bodies differ.
        texts: Those of which nothing differs but the text of the body -> the names that only one of both mentions.
        names: What is mentioned elsewhere, or means something else, in the spelling of `Reads.names`.
        spread: Names that mean something else -> the functions that are meant, of now; None for whoever mentions it.
        ids: FunctionId then -> FunctionId now, None for one that has gone; all of it None where nothing has.
    """

    bodies: set[int] = msgspec.field(default_factory=set)
    rewritten: set[int] = msgspec.field(default_factory=set)
    texts: dict[int, frozenset[str]] = msgspec.field(default_factory=dict)
    names: set[str] = msgspec.field(default_factory=set)
    spread: dict[str, set[int] | None] = msgspec.field(default_factory=dict)
    ids: Sequence[int | None] | None = None


def note_lone(files: Sequence[Sides], edits: Edits, tables: Tables) -> bool:
    """Note the items other than functions that came or went; False where one reaches further than its names."""
    for file in files:
        if not file.has_other_items:
            continue
        own: set[str] = set()
        everywhere: set[str] = set()
        has_import = False
        for items, one in file.lone():
            if isinstance(one, FunctionItem):
                continue
            edits.names.add(declared(one.head.name))
            is_inside = _is_in_lone_module(file, items, one)
            if not is_inside and isinstance(one, UseItem):
                has_import = True
            if not _can_be_told(one, items, is_inside):
                return False
            if is_inside:
                continue
            names = set(_names(one))
            (own if one.head.visibility in ("", "self") or isinstance(one, UseItem) else everywhere).update(
                names
            )
            edits.spread.update(dict.fromkeys(names))
            edits.names.update(map(written, written_in(one) | names))
        if everywhere and not everywhere.isdisjoint(_said(range(len(tables.sources)), files, tables)):
            return False
        if own or has_import:
            modules = _below(file.source, tables)
            sources = {tables.modules[one].source for one in modules}
            if MOST_FILES < len(sources) or not own.isdisjoint(_said(sorted(sources), files, tables)):
                return False
            if has_import:
                # It may bring in a trait, whose methods are called without naming it.
                edits.bodies.update(one.id for one in tables.functions if one.module in modules)
    return True


def _can_be_told(one: Item, items: Sequence[Item], is_inside: bool) -> bool:
    """Whether an item is seen by its names alone."""
    holder = None if one.head.parent is None else items[one.head.parent]
    match one:
        case UseItem(entries=entries):
            plain = all(entry.alias in ("", "_") and entry.path for entry in entries)
            return plain and (
                is_inside
                or (one.head.visibility in ("", "self") and not any(entry.glob for entry in entries))
            )
        case StructItem() | EnumItem():
            return True
        case ConstItem():
            return not isinstance(holder, ImplItem | TraitItem)
        case ImplItem(trait=None, negative=False):
            return True
        case ModuleItem(inline=True):
            return not any(attribute.path == "macro_use" for attribute in one.head.attributes)
        case _:
            return False


def _is_in_lone_module(file: Sides, items: Sequence[Item], one: Item) -> bool:
    """Whether an item stands in an inline module that came or went with it."""
    places = file.now_at if items is file.before.items else file.before_at
    parent = one.head.parent
    while parent is not None:
        if places[parent] is None and isinstance(items[parent], ModuleItem):
            return True
        parent = items[parent].head.parent
    return False


def _names(one: Item) -> Iterator[str]:
    """The names by which an item is spoken of."""
    match one:
        case UseItem(entries=entries):
            for entry in entries:
                path = entry.path
                yield path[-2] if path[-1] == "self" and 1 < len(path) else path[-1]
        case ImplItem():
            pass
        case ConstItem(head=head) if head.name in ("", "_"):
            pass
        case EnumItem(variants=variants):
            yield one.head.name
            for variant in variants:
                yield variant.name
                yield from _fields(variant.fields)
        case StructItem(fields=fields):
            yield one.head.name
            yield from _fields(fields)
        case _:
            yield one.head.name


def _fields(fields: Iterable[FieldDefinition]) -> Iterator[str]:
    return (one.name for one in fields if not one.name.isdigit())


def _below(source: int, tables: Tables) -> set[int]:
    """The modules of a file, and all below them."""
    found = {one.id for one in tables.modules if one.source == source}
    children: dict[int, list[int]] = {}
    for one in tables.modules:
        if one.parent is not None:
            children.setdefault(one.parent, []).append(one.id)
    waiting = sorted(found)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def _said(sources: Iterable[int], files: Sequence[Sides], tables: Tables) -> set[str]:
    """All words of the items of some sources but those that came or changed."""
    sides = {one.source: one for one in files}
    found: set[str] = set()
    for source in sources:
        file = sides.get(source)
        changed = set() if file is None else {at for _, _, at in file.functions()}
        for at, item in enumerate(tables.sources[source].facts.items):
            if at in changed or (file is not None and file.before_at[at] is None):
                continue
            leaves = [leaf for leaf in as_written(item) if isinstance(leaf, str)]
            # To declare a name is not to speak of another that is called so.
            leaves.remove(item.head.name)
            for leaf in leaves:
                found.update((leaf,) if leaf.isidentifier() else _WORD.findall(leaf))
    return found
