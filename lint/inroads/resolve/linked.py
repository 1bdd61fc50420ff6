"""The lists of a linked program, and where a thing of it was written by hand."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right

import msgspec

from inroads.facts import EnumItem, Note, Position, Problem
from inroads.resolve.configuration import Switches
from inroads.resolve.model import (
    Constant,
    Crate,
    Definition,
    Function,
    Impl,
    Macro,
    Module,
    Trait,
    TypeDefinition,
)
from inroads.resolve.origins import Pieces, written_at
from inroads.resolve.sources import Places, Source


class Linked(msgspec.Struct):
    """
    All that the skeletons of a workspace declare; ids are indices into these lists.

    Args:
        file_sources: Path of a file -> its SourceId; absent for a file that is not part of the run.
        crate_marks: What `$crate` became in expansions -> CrateId.
        extern_names: For each crate, name -> CrateId of the workspace crates that it may name.
        textual: (module, name) -> sorted (order, MacroId): the `macro_rules!` that are in textual scope there.
        body_modules:
            FunctionId -> (start, end, ModuleId) of each block of its body that
            declares items, outer ones first; offsets in the function's source.
        constant_modules: The same for const and static initialisers.
        switches: For each crate, the cfg names and features of its own.
        constant_orders: ConstantId -> where it stands among the textual scopes of macros.
        orders: FunctionId -> where it stands among the textual scopes of macros.
    """

    places: Places = msgspec.field(default_factory=Places)
    sources: list[Source] = msgspec.field(default_factory=list)
    crates: list[Crate] = msgspec.field(default_factory=list)
    modules: list[Module] = msgspec.field(default_factory=list)
    functions: list[Function] = msgspec.field(default_factory=list)
    types: list[TypeDefinition] = msgspec.field(default_factory=list)
    traits: list[Trait] = msgspec.field(default_factory=list)
    impls: list[Impl] = msgspec.field(default_factory=list)
    constants: list[Constant] = msgspec.field(default_factory=list)
    macros: list[Macro] = msgspec.field(default_factory=list)
    problems: list[Problem] = msgspec.field(default_factory=list)
    notes: list[Note] = msgspec.field(default_factory=list)
    file_sources: dict[str, int] = msgspec.field(default_factory=dict)
    crate_marks: dict[str, int] = msgspec.field(default_factory=dict)
    extern_names: list[dict[str, int]] = msgspec.field(default_factory=list)
    textual: dict[tuple[int, str], list[tuple[tuple[int, ...], int]]] = msgspec.field(default_factory=dict)
    body_modules: dict[int, tuple[tuple[int, int, int], ...]] = msgspec.field(default_factory=dict)
    constant_modules: dict[int, tuple[tuple[int, int, int], ...]] = msgspec.field(default_factory=dict)
    switches: list[Switches] = msgspec.field(default_factory=list)
    orders: list[tuple[int, ...]] = msgspec.field(default_factory=list)
    constant_orders: list[tuple[int, ...]] = msgspec.field(default_factory=list)
    lines: dict[str, array[int]] = msgspec.field(default_factory=dict)
    variant_memo: dict[int, dict[str, int]] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        self.places.linked = self

    def position(self, source: int, offset: int) -> Position:
        """Where the byte at `offset` of a source was written by hand: a place in a file."""
        file, at = self.written_at(source, offset)
        return self.file_position(self.sources[file].path, at)

    def written_at(self, source: int, offset: int) -> tuple[int, int]:
        """The file's SourceId, and the offset there, of a byte that may stand in an expansion."""
        one = self.sources[source]
        return (source, offset) if one.parent is None else written_at(one, offset)

    def pieces_of(self, source: int) -> Pieces | None:
        """The pieces of an expansion; None for a file."""
        one = self.sources[source]
        return None if one.parent is None else one.pieces

    def file_position(self, path: str, offset: int) -> Position:
        """Line and column, from 1, of an offset in a file."""
        starts = self.lines.get(path)
        if starts is None:
            starts = array("I")
            starts.frombytes(self.sources[self.file_sources[path]].facts.line_starts)
            if sys.byteorder == "big":
                starts.byteswap()
            self.lines[path] = starts
        line = bisect_right(starts, offset)
        begin = starts[line - 1] if line else 0
        return Position(path, max(line, 1), offset - begin + 1)

    def variants(self, type_id: int) -> dict[str, int]:
        """The variants of an enum by name, as indices into its item; empty for other types."""
        found = self.variant_memo.get(type_id)
        if found is None:
            one = self.types[type_id]
            item = self.sources[one.source].facts.items[one.item_index]
            found = {}
            if isinstance(item, EnumItem):
                found = {variant.name: index for index, variant in enumerate(item.variants)}
            self.variant_memo[type_id] = found
        return found

    def order_at(self, function: int, offset: int) -> tuple[int, ...]:
        """Where a place in a function's body stands among the textual scopes of macros."""
        return (*self.orders[function], offset - self.functions[function].item.head.start)

    def is_off(self, definition: Definition) -> int:
        """How far a definition is from the code that is judged: 0 compiled, 1 in tests only, 2 never."""
        if definition.id is None:
            return 0
        match definition.kind:
            case "function":
                function = self.functions[definition.id]
                return _rank(function.test, function.active)
            case "module":
                module = self.modules[definition.id]
                return _rank(module.test, module.active)
            case "type" | "variant":
                one = self.types[definition.id]
                return _rank(one.test, one.active)
            case "trait":
                trait = self.traits[definition.id]
                return _rank(trait.test, trait.active)
            case "const" | "static":
                constant = self.constants[definition.id]
                return _rank(constant.test, constant.active)
        return 0


def _rank(test: bool, active: bool) -> int:
    return 2 if not active else 1 if test else 0
