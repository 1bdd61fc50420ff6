"""
LinkedProgram tables that are kept from run to run.

What is linked depends on skeletons; of bodies only where an own macro brings items into one, where an
initialiser begins or ceases to call something, and where a build script sets a name. So after an edit inside
bodies the tables of an earlier run still hold. They say nothing of places: an item is asked for its own, and
the few offsets that stand in them are found anew for the files that were edited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import SupportsIndex, cast

import msgspec

from inroads.facts import BodyFacts, ConstItem, FileFacts, MacroCallItem, MacroItem, Note, Problem
from inroads.intake import kept_facts
from inroads.resolve.body_items import bringing_items
from inroads.resolve.configuration import Switches
from inroads.resolve.initialisers import may_call
from inroads.resolve.model import Constant, Crate, Function, Impl, Macro, Module, Trait, TypeDefinition
from inroads.resolve.modules import link
from inroads.resolve.scopes import blocks_by_owner, sorted_blocks
from inroads.resolve.sources import Places, Source
from inroads.resolve.tables import Tables
from inroads.store import Store, names_of
from inroads.workspace import Workspace


class Frame(msgspec.Struct, array_like=True):
    """
    What tables that are kept were made from.

    Args:
        workspace: A digest of the crates, and of all else that is known before a file is read.
        files: Path -> content key.
        bringing: The own macros, as `name!`, that may bring items into a body.
        speaking: The files whose facts `speak`.
        bodies, constants:
            The parts of `Tables.body_modules` and `constant_modules` that were found anew since the tables were
            made: these are not written again.
    """

    workspace: bytes
    files: dict[str, str]
    bringing: frozenset[str]
    speaking: frozenset[str]
    bodies: dict[int, tuple[tuple[int, int, int], ...]] = {}
    constants: dict[int, tuple[tuple[int, int, int], ...]] = {}


class LinkedProgram(msgspec.Struct, frozen=True):
    """The tables of a program, and its files whose facts `speak`, sorted."""

    tables: Tables
    speaking: tuple[str, ...]


class KeptTables(msgspec.Struct, array_like=True):
    """All of `Tables` that linking makes; the names are those there."""

    sources: list[Source]
    crates: list[Crate]
    modules: list[msgspec.Raw]
    functions: list[Function]
    types: list[TypeDefinition]
    traits: list[Trait]
    impls: list[Impl]
    constants: list[Constant]
    macros: list[Macro]
    problems: list[Problem]
    notes: list[Note]
    file_sources: dict[str, int]
    crate_marks: dict[str, int]
    extern_names: list[dict[str, int]]
    textual: dict[tuple[int, str], list[tuple[tuple[int, ...], int]]]
    body_modules: dict[int, tuple[tuple[int, int, int], ...]]
    constant_modules: dict[int, tuple[tuple[int, int, int], ...]]
    switches: list[Switches]
    orders: list[tuple[int, ...]]
    constant_orders: list[tuple[int, ...]]
    foreign_names: list[dict[str, str]]
    macro_use_crates: dict[int, list[str]]
    settled: bool
    impls_of_head: dict[str, list[int]]
    impls_of_trait: dict[str, list[int]]
    own_macros: dict[str, list[int]]
    entered: set[int]
    initialisers: int
    skeleton: bytes


def linked(
    workspace: Workspace,
    facts: Mapping[str, FileFacts],
    keys: Mapping[str, str],
    store: Store | None,
    name: str,
) -> LinkedProgram:
    """
    The linked tables of a program: those of an earlier run where they still hold.

    Args:
        keys: Path -> content key, of the same files as `facts`.
        name: Whose tables they are; of each the newest are kept.
    """
    if store is None:
        return LinkedProgram(link(workspace, facts), _speaking(facts))
    frame = _frame(store, name)
    now = blake2b(_encode_sorted(workspace), digest_size=16).digest()
    if frame is not None and frame.workspace == now and frame.files.keys() == keys.keys():
        edited = {path: key for path, key in frame.files.items() if keys[path] != key}
        before = {path: kept_facts(store, key) for path, key in edited.items()}
        tables = None if None in before.values() else _decoded(store.get(f"tables:{name}"), facts)
        if tables is not None and all(
            old is not None and _holds(tables, frame.bringing, path, old, facts[path])
            for path, old in before.items()
        ):
            tables.body_modules.update(frame.bodies)
            tables.constant_modules.update(frame.constants)
            for path in edited:
                _place_blocks(tables, path, frame)
            speaking = (frame.speaking - edited.keys()).union(path for path in edited if facts[path].speaks)
            if edited:
                kept = msgspec.structs.replace(frame, files=dict(keys), speaking=speaking)
                store.put(f"frame:{name}", _encode(kept))
            return LinkedProgram(tables, tuple(sorted(speaking)))
    tables = link(workspace, facts)
    speaks = _speaking(facts)
    store.put(f"tables:{name}", encoded(tables))
    store.put(f"frame:{name}", _encode(Frame(now, dict(keys), bringing_items(tables), frozenset(speaks))))
    return LinkedProgram(tables, speaks)


def _speaking(facts: Mapping[str, FileFacts]) -> tuple[str, ...]:
    return tuple(sorted(path for path, one in facts.items() if one.speaks))


def encoded(tables: Tables) -> bytes:
    """Tables as bytes, without what is found out from them when it is asked for."""
    kept = [getattr(tables, name) for name in KeptTables.__struct_fields__]
    # The facts of a file are kept by themselves.
    kept[0] = [
        one if one.parent is not None else Source(one.id, one.path, None, one.places)
        for one in tables.sources
    ]
    return _encode_tables(kept)


def _decoded(data: bytes | None, facts: Mapping[str, FileFacts]) -> Tables | None:
    if data is None:
        return None
    tables = Tables()
    places = tables.places
    places.files = facts
    try:
        kept = msgspec.msgpack.Decoder(KeptTables, dec_hook=lambda type, value: places).decode(data)
    except msgspec.MsgspecError:
        return None
    for name in KeptTables.__struct_fields__:
        setattr(tables, name, getattr(kept, name))
    tables.modules = _Modules(kept.modules)
    return tables


class _Modules(list[Module]):
    """Modules that are decoded when they are asked for: they hold all names of a program, and few are looked up."""

    def __init__(self, kept: list[msgspec.Raw]) -> None:
        super().__init__(cast(list[Module], kept))

    def __getitem__(self, at: SupportsIndex) -> Module:  # type: ignore[override]
        found: object = super().__getitem__(at)
        if isinstance(found, msgspec.Raw):
            found = _decode_module(found)
            self[at] = found
        assert isinstance(found, Module)
        return found

    def __iter__(self) -> Iterator[Module]:
        return (self[at] for at in range(len(self)))


def _holds(tables: Tables, bringing: frozenset[str], path: str, old: FileFacts, new: FileFacts) -> bool:
    """Whether nothing of a file that linking looks at is another than before, but for where it stands."""
    if old.skeleton_digest != new.skeleton_digest or len(old.items) != len(new.items):
        return False
    if len(old.bodies) != len(new.bodies):
        return False
    # What points into the file from elsewhere.
    if any(isinstance(one, MacroItem | MacroCallItem) for one in new.items):
        return False
    if any(one.path == path for one in tables.problems) or any(one.path == path for one in tables.notes):
        return False
    if any(one.path == path and one.parent is not None for one in tables.sources):
        return False
    if any(one.root == path and one.kind == "build" for one in tables.crates):
        return False
    return all(
        before.owner == now.owner
        and (before.data == now.data or _is_alike(before, now, new.items[now.owner], bringing))
        for before, now in zip(old.bodies, new.bodies, strict=True)
    )


def _is_alike(before: BodyFacts, now: BodyFacts, owner: object, bringing: frozenset[str]) -> bool:
    """Whether two states of a body are the same to linking."""
    if isinstance(owner, ConstItem) and may_call(before) != may_call(now):
        return False
    return not bringing or (bringing.isdisjoint(names_of(before)) and bringing.isdisjoint(names_of(now)))


def _place_blocks(tables: Tables, path: str, frame: Frame) -> None:
    """Find anew where the blocks of a file stand that declare items; the frame keeps it."""
    source = tables.file_sources[path]
    blocks = blocks_by_owner(tables.sources[source].facts.items)
    if not blocks:
        return
    for holders, modules, placed in (
        (tables.functions, tables.body_modules, frame.bodies),
        (tables.constants, tables.constant_modules, frame.constants),
    ):
        for one in holders:
            if one.source == source and (old := modules.get(one.id)):
                spans = sorted_blocks(blocks[one.item_index])
                modules[one.id] = placed[one.id] = tuple(
                    (start, end, module) for (start, end), (_, _, module) in zip(spans, old, strict=True)
                )


def _frame(store: Store, name: str) -> Frame | None:
    data = store.get(f"frame:{name}")
    try:
        return None if data is None else _decode_frame(data)
    except msgspec.MsgspecError:
        return None


def _nothing(places: object) -> None:
    """Whoever decodes knows the places."""
    if not isinstance(places, Places):
        # So a hook of msgspec says that it can't encode something; tables hold nothing else that it is asked for.
        raise NotImplementedError(type(places))


_encode: Callable[[object], bytes] = msgspec.msgpack.Encoder().encode
_encode_sorted: Callable[[object], bytes] = msgspec.msgpack.Encoder(order="deterministic").encode
_encode_tables: Callable[[object], bytes] = msgspec.msgpack.Encoder(enc_hook=_nothing).encode
_decode_module = msgspec.msgpack.Decoder(Module).decode
_decode_frame = msgspec.msgpack.Decoder(Frame).decode
