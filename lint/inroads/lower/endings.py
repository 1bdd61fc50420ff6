"""Which Drop impls of the workspace run at the end of a value: its own, and those of what it holds."""

from __future__ import annotations

from collections.abc import Iterable

from inroads.facts import ArrayType, FieldDefinition, PathType, StructItem, TupleType, TypeRef
from inroads.lower.model import Each, Field, Step
from inroads.resolve.model import TypeDefinition
from inroads.resolve.tables import Tables
from inroads.resolve.types import Adt, Array, Tuple, Type
from inroads.rust.late import words_of

DEEPEST = 3
"""Fields of fields that are looked into."""
MOST = 8
"""Drop impls that are told for one value."""
POINTERS = frozenset(("std::boxed::Box", "std::option::Option"))
ROWS = frozenset(("std::vec::Vec", "std::collections::VecDeque"))

Ending = tuple[tuple[Step, ...], int]


class Endings:
    """
    The ends of values by their types; what is found is kept.

    An ending is a pair: the steps from the value to what ends, and the Drop impl's function.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._paths = {noun.path: noun.id for noun in tables.types}
        self.impls = self._find_impls()
        self.holders = self._find_holders()
        self._known: dict[Type, tuple[Ending, ...]] = {}

    def of(self, type_: Type) -> tuple[Ending, ...]:
        """The endings of a value of the type, in the order in which they run."""
        if not self.impls:
            return ()
        known = self._known.get(type_)
        if known is None:
            known = self._known[type_] = tuple(self._of_type(type_, DEEPEST))[:MOST]
        return known

    def holding(self, path: str) -> frozenset[str]:
        """The names of the types whose values end with the end of a value of this type, itself among them."""
        found = {one for one in (self._paths.get(path),) if one is not None}
        grown = True
        while grown:
            more = {
                holder
                for holder, held in self.holders.items()
                if holder not in found and any(definition in found for _, definition in held)
            }
            found |= more
            grown = bool(more)
        return frozenset((path.rpartition("::")[2], *(self.tables.types[one].name for one in found)))

    def _of_type(self, type_: Type, depth: int) -> Iterable[Ending]:
        match type_:
            case Adt(path=path, arguments=(inner, *_)) if path in POINTERS:
                yield from self._of_type(inner, depth)
            case Adt(path=path, arguments=(inner, *_)) if path in ROWS and depth:
                yield from _below((Each(),), self._of_type(inner, depth - 1))
            case Adt(definition=int(definition)):
                yield from self._of_definition(definition, depth)
            case Tuple(elements=elements) if depth:
                for number, element in enumerate(elements):
                    yield from _below((Field(str(number)),), self._of_type(element, depth - 1))
            case Array(inner=inner) if depth:
                yield from _below((Each(),), self._of_type(inner, depth - 1))
            case _:
                pass

    def _of_definition(self, definition: int, depth: int) -> Iterable[Ending]:
        if definition in self.impls:
            yield (), self.impls[definition]
        for steps, inner in self.holders.get(definition, ()) if depth else ():
            yield from _below(steps, self._of_definition(inner, depth - 1))

    def _find_impls(self) -> dict[int, int]:
        """TypeId -> its Drop impl's function."""
        found: dict[int, int] = {}
        for impl in self.tables.impls:
            if (
                impl.trait is None
                and impl.trait_path.rpartition("::")[2] == "Drop"
                and "drop" in impl.methods
            ):
                definition = self._paths.get(impl.head)
                if definition is not None:
                    found[definition] = impl.methods["drop"]
        return found

    def _find_holders(self) -> dict[int, tuple[tuple[tuple[Step, ...], int], ...]]:
        """For each struct that holds a value with an ending: the steps to what it holds, and its TypeId."""
        found: dict[int, tuple[tuple[tuple[Step, ...], int], ...]] = {}
        ending = set(self.impls)
        naming = self._structs_naming() if ending else {}
        for _ in range(DEEPEST if ending else 0):
            names = {self.tables.types[one].name for one in ending}
            before = len(ending)
            for number in sorted({one for name in names for one in naming.get(name, ())} - found.keys()):
                noun = self.tables.types[number]
                held = tuple(
                    (steps, definition)
                    for field in self._fields(noun)
                    for steps, definition in self._held(noun.module, field.type, names)
                    for steps in ((Field(field.name, "", 0, noun.path), *steps),)
                    if definition in ending
                )
                if held:
                    found[number] = held
            ending.update(found)
            if len(ending) == before:
                break
        return found

    def _fields(self, noun: TypeDefinition) -> tuple[FieldDefinition, ...]:
        """The fields of a struct; none of other types."""
        item = self.tables.sources[noun.source].facts.items[noun.item_index]
        return item.fields if isinstance(item, StructItem) else ()

    def _structs_naming(self) -> dict[str, list[int]]:
        """
        The structs by the last names of the types whose values their fields may hold.

        One of which the fields are not read yet stands under all words in it.
        """
        found: dict[str, list[int]] = {}
        for noun in self.tables.types:
            words = words_of(self.tables.sources[noun.source].facts.items[noun.item_index])
            if words is not None:
                for word in words:
                    found.setdefault(word, []).append(noun.id)
                continue
            waiting = [field.type for field in self._fields(noun)]
            while waiting:
                written = waiting.pop()
                if type(written) is PathType and written.segments:
                    last = written.segments[-1]
                    found.setdefault(last.name, []).append(noun.id)
                    waiting.extend(last.arguments[:1])
                elif type(written) is TupleType:
                    waiting.extend(written.elements)
                elif type(written) is ArrayType:
                    waiting.append(written.inner)
        return found

    def _held(self, module: int, written: TypeRef, names: set[str]) -> Iterable[tuple[tuple[Step, ...], int]]:
        """The own types of which a field holds a value, by name, with the steps to them."""
        match written:
            case PathType(segments=(*_, last)) if last.name in ("Option", "Box") and last.arguments:
                yield from self._held(module, last.arguments[0], names)
            case PathType(segments=(*_, last)) if last.name in ("Vec", "VecDeque") and last.arguments:
                for steps, definition in self._held(module, last.arguments[0], names):
                    yield (Each(), *steps), definition
            case PathType(segments=segments) if segments[-1].name in names and written.qself is None:
                resolved = self.tables.resolve(module, tuple(one.name for one in segments), "type")
                own = None if resolved is None else self._paths.get(resolved.path)
                if own is not None:
                    yield (), own
            case TupleType(elements=elements):
                for number, element in enumerate(elements):
                    for steps, definition in self._held(module, element, names):
                        yield (Field(str(number)), *steps), definition
            case ArrayType(inner=inner):
                for steps, definition in self._held(module, inner, names):
                    yield (Each(), *steps), definition
            case _:
                pass


def _below(steps: tuple[Step, ...], endings: Iterable[Ending]) -> Iterable[Ending]:
    for inner, function in endings:
        yield (*steps, *inner), function
