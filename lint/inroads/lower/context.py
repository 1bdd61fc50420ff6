"""What lowering asks of the linked program: what a type's end means, what a callee is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

import msgspec

from inroads.facts import Attribute, EnumItem, NeverType, PathType, StructItem, TypeRef
from inroads.lower.endings import Endings
from inroads.lower.model import Call, Mode, Place, Root, Step
from inroads.lower.words import COLLECTIONS, EXITS, GIVE, ITERATORS, MAPS, PANICS, PLAIN_TYPES, WRAPPERS
from inroads.resolve.configuration import activity
from inroads.resolve.model import Call as ResolvedCall, Target
from inroads.resolve.tables import Tables
from inroads.resolve.types import (
    UNIT,
    Adt,
    Array,
    Closure,
    Dyn,
    Never,
    Opaque,
    Pointer,
    Primitive,
    Reference,
    Slice,
    Tuple,
    Type,
    Unknown,
)

Family: TypeAlias = Literal["result", "option", "bool", "plain"]
# When a function of the workspace runs the callable that is its argument number `index`: a word of Call.closures.
Runs: TypeAlias = Callable[[int, int], str]


class Handed(msgspec.Struct, frozen=True):
    """
    How a function runs a callable that it is given.

    Args:
        places: What it hands to it, in terms of its own arguments; empty where that is not one and the same.
        gives: Whether the answer of the callable is its own.
        runs: Whether it runs it itself.
    """

    places: tuple[Place, ...] = ()
    gives: bool = False
    runs: bool = False


NOTHING = Handed()


class Context:
    """The linked program as lowering sees it; answers are remembered."""

    def __init__(self, tables: Tables, runs: Runs | None = None) -> None:
        self.tables = tables
        self.runs = runs
        self.handed: Callable[[int, int], Handed] | None = None
        self._drops: dict[Type, bool] = {}
        self._nominal: dict[Type, str] = {}
        self._copies: dict[int, bool] = {}
        self._endings: Endings | None = None
        self._kinds: dict[str, str] | None = None

    def drops(self, of: Type) -> bool:
        """Whether the end of such a value may mean something to a rule."""
        known = self._drops.get(of)
        if known is None:
            known = self._find_drops(of, 4)
            self._drops[of] = known
        return known

    def _find_drops(self, of: Type, depth: int) -> bool:
        if depth == 0:
            return False
        match of:
            case Adt(path=path, definition=definition, arguments=arguments):
                if path in ("std::rc::Rc", "std::sync::Arc"):
                    return False
                if path in PLAIN_TYPES:
                    return any(self._find_drops(argument, depth - 1) for argument in arguments)
                return definition is None or not self._is_copy(definition)
            case Tuple(elements=elements):
                return any(self._find_drops(element, depth - 1) for element in elements)
            case Array(inner=inner):
                return self._find_drops(inner, depth - 1)
            case _:
                return False

    def _is_copy(self, definition: int) -> bool:
        known = self._copies.get(definition)
        if known is None:
            noun = self.tables.types[definition]
            item = self.tables.sources[noun.source].facts.items[noun.item_index]
            known = isinstance(item, StructItem | EnumItem) and any(
                attribute.path == "derive" and "Copy" in attribute.text for attribute in item.head.attributes
            )
            self._copies[definition] = known
        return known

    def is_borrowed(self, of: Type) -> bool:
        """Whether a value of the type reaches into something else: a binding of it is an alias."""
        return isinstance(of, Reference | Pointer)

    def is_number(self, of: Type) -> bool:
        """Whether `!x` is no test: an integer, or a type with an operator of its own."""
        match of:
            case Primitive(name=name):
                return name != "bool"
            case Adt():
                return True
            case _:
                return False

    def awaited(self, of: Type) -> Type:
        """What an await of a value of the type gives."""
        match of:
            case Opaque(bounds=bounds):
                for bound in bounds:
                    for name, output in bound.bindings:
                        if name == "Output":
                            return output
            case _:
                pass
        return of

    def may_hold(self, of: Type) -> bool:
        """Whether what a call gives may be a guard or another value whose end means something."""
        match of:
            case Primitive() | Reference() | Pointer() | Slice() | Never():
                return False
            case Tuple(elements=()):
                return False
            case Adt() | Tuple() | Array():
                return self.drops(of)
            case _:
                return True

    def takes_self(self, call: ResolvedCall | None, name: str) -> bool:
        """Whether a method call gives its receiver away."""
        if call is not None:
            for target in call.targets:
                if target.function is not None:
                    return self.receiver_of(target.function) == "value"
        return name in GIVE or name.startswith("into_")

    def nominal(self, of: Type) -> str:
        """The path of the type that a place is said to have: looked through references and std's wrappers."""
        known = self._nominal.get(of)
        if known is None:
            known = self._nominal[of] = _nominal(of)
        return known

    def family(self, of: Type) -> Family | None:
        """Whether a value is a Result, an Option, a bool or neither; None where the type is unknown."""
        match of:
            case Reference(inner=inner):
                return self.family(inner)
            case Adt(path="std::result::Result"):
                return "result"
            case Adt(path="std::option::Option"):
                return "option"
            case Primitive(name="bool"):
                return "bool"
            case Adt() | Primitive() | Tuple() | Array() | Closure() | Dyn():
                return "plain"
            case _:
                return None

    def written_family(self, written: TypeRef | None) -> Family | None:
        """The same for a type as written; None where its name is no known one."""
        match written:
            case None:
                return "plain"
            case PathType(segments=(*_, last)):
                match last.name:
                    case "Result":
                        return "result"
                    case "Option":
                        return "option"
                    case "bool":
                        return "bool"
                    case _:
                        return None
            case _:
                return "plain"

    def returns(self, function: int) -> Family | None:
        """The family of what a function returns."""
        return self.written_family(self.tables.functions[function].item.returns)

    def takes(self, call: ResolvedCall) -> int | None:
        """How many arguments the one function of the workspace takes that a call leads to; None for others."""
        function = call.targets[0].function if len(call.targets) == 1 else None
        if function is None:
            return None
        item = self.tables.functions[function].item
        return len(item.parameters) + (item.receiver is not None)

    def receiver_of(self, function: int) -> str | None:
        """How a method takes self: value, ref, mut, typed; None for a function."""
        return self.tables.functions[function].item.receiver

    def is_async(self, call: ResolvedCall) -> bool:
        """Whether the call only makes a future: all that it may run are async functions of the workspace."""
        targets = [target.function for target in call.targets]
        return bool(targets) and all(
            function is not None and self.tables.functions[function].item.is_async for function in targets
        )

    def never_returns(self, call: ResolvedCall) -> Literal["panic", "exit", "diverge"] | None:
        """How a call that has no normal way out leaves; None for one that has."""
        if isinstance(call.returns, Never):
            path = call.targets[0].path if call.targets else ""
            return "exit" if path in EXITS else "panic" if path in PANICS else "diverge"
        for target in call.targets:
            if target.function is None:
                if target.path in EXITS:
                    return "exit"
                if target.path in PANICS:
                    return "panic"
                return None
            if not isinstance(self.tables.functions[target.function].item.returns, NeverType):
                return None
        return "diverge" if call.targets else None

    def word(self, call: ResolvedCall, argument: int) -> str:
        """When what is called runs the callable that is its argument: the weakest word over all targets."""
        if self.runs is None or not call.targets:
            return "may"
        words = {
            "may" if target.function is None else self.runs(target.function, argument)
            for target in call.targets
        }
        return words.pop() if len(words) == 1 else "may"

    def handed_on(self, call: ResolvedCall, argument: int) -> Handed:
        """What the one function that is called hands to the callable that is its argument."""
        if self.handed is None or len(call.targets) != 1 or call.targets[0].function is None:
            return NOTHING
        return self.handed(call.targets[0].function, argument)

    def is_noise(self, call: ResolvedCall) -> bool:
        """Whether nothing could ever be said of the call: no target and no name."""
        return not call.targets and call.declared is None

    def is_iterator(self, of: Type) -> bool:
        """Whether the type is known to be an iterator."""
        match of:
            case Reference(inner=inner):
                return self.is_iterator(inner)
            case Opaque(bounds=bounds) | Dyn(bounds=bounds):
                return any(bound.path.rpartition("::")[2] in ITERATORS for bound in bounds)
            case Adt(path=path):
                return path.startswith(
                    ("std::iter::", "std::slice::Iter", "std::vec::IntoIter", "std::ops::Range")
                )
            case _:
                return False

    def is_map(self, of: Type) -> bool:
        """Whether the type is a map from keys to values."""
        path = self.nominal(of)
        return path.rpartition("::")[2] in MAPS

    def is_collection(self, of: Type) -> bool:
        """Whether `get(k)` of the type gives an element; also where the type is not known."""
        match of:
            case Reference(inner=inner) | Pointer(inner=inner):
                return self.is_collection(inner)
            case Slice() | Array() | Unknown():
                return True
            case Adt(path=path, arguments=(first, *_)) if path in WRAPPERS:
                return self.is_collection(first)
            case Adt(path=path):
                return path.rpartition("::")[2] in COLLECTIONS
            case _:
                return False

    @property
    def has_drop_impls(self) -> bool:
        """Whether a type of the workspace has a Drop impl."""
        return bool(self.endings.impls)

    @property
    def endings(self) -> Endings:
        """The Drop impls that run at the ends of values."""
        if self._endings is None:
            self._endings = Endings(self.tables)
        return self._endings

    def drop_calls(self, of: Type, row: int) -> Iterable[tuple[tuple[Step, ...], ResolvedCall]]:
        """The calls of the workspace's Drop impls at the end of a value, each with the steps to what it ends."""
        for steps, function in self.endings.of(of):
            target = Target(self.tables.functions[function].path, function)
            declared = Target("std::ops::Drop::drop")
            yield steps, ResolvedCall(row, "drop", (target,), declared, "exact", (), (), (), UNIT)

    def drop_event(self, call: ResolvedCall, row: int, place: Place, instance: int) -> Call:
        """The run of a Drop impl at the end of a scope."""
        modes: tuple[Mode, ...] = ("mut",)
        return Call(row, call, (place,), modes, Place(Root("result", row, "drop()", "", instance)))

    def is_active(self, attributes: tuple[Attribute, ...]) -> bool:
        """Whether cfg attributes leave a statement on under the one configuration."""
        found = activity(attributes)
        return found.normal or found.test

    def is_variant(self, path: str) -> bool:
        """Whether the path names a variant of an enum of the workspace, or what looks like one from outside."""
        return self._kind(path) == "variant"

    def is_struct(self, path: str) -> bool:
        """Whether the path names a struct, whose pattern always matches."""
        return self._kind(path) == "struct"

    def is_constant(self, path: str) -> bool:
        """Whether the path names a constant."""
        return self._kind(path) == "const"

    def is_static(self, path: str) -> bool:
        """Whether the path names a static."""
        return self._kind(path) == "static"

    def _kind(self, path: str) -> str:
        """variant, struct, const, static, or "" for what is none of these."""
        kinds = self._kinds
        if kinds is None:
            kinds = self._kinds = self._find_kinds()
        known = kinds.get(path)
        if known is not None:
            return known
        head, _, name = path.rpartition("::")
        if kinds.get(head) == "enum":
            return "variant"
        if name.isupper():
            return "const"
        # Outside the workspace only the spelling tells `Enum::Variant` from `module::Struct`.
        return "variant" if head.rpartition("::")[2][:1].isupper() else ""

    def _find_kinds(self) -> dict[str, str]:
        kinds: dict[str, str] = {}
        for noun in self.tables.types:
            kinds[noun.path] = noun.kind
        for constant in self.tables.constants:
            kinds[constant.path] = "static" if constant.item.is_static else "const"
        return kinds

    def edition(self, function: int) -> str:
        """The edition of the function's crate."""
        return self.tables.crates[self.tables.functions[function].crate].edition


def _nominal(of: Type) -> str:
    for _ in range(12):
        match of:
            case Reference(inner=inner) | Pointer(inner=inner):
                of = inner
            case Adt(path=path, arguments=(first, *_)) if path in WRAPPERS:
                of = first
            case Adt(path=path):
                return path
            case Dyn(bounds=(bound, *_)) | Opaque(bounds=(bound, *_)):
                return bound.path
            case _:
                return ""
    return ""
