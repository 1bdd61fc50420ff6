"""
What can give a Result, told by signatures alone.

A function is a source if its return type speaks of a Result, or of something
generic that may be one. By `Way` it is known how its calls are written, so
that a body that only uses the same name for something else is told apart.
"""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.holding import Held, Holding, held_in, inside, spoken
from inroads.analyses.swallow.shapes import OF_RESULTS
from inroads.derived import derived
from inroads.facts import (
    BodyFacts,
    DynType,
    FunctionType,
    ImplType,
    ModuleItem,
    PathType,
    TypeAliasItem,
    TypeRef,
)
from inroads.resolve.by_name import MOST
from inroads.resolve.judge import world_of
from inroads.store import names_of

if TYPE_CHECKING:
    from inroads.program import Program
    from inroads.resolve.tables import Tables

Rest = Literal["none", "given", "own"]
_RESTS: tuple[Rest, ...] = ("none", "given", "own")


class Way(msgspec.Struct, frozen=True):
    """
    How a source may be called.

    Args:
        method: Whether it has a receiver.
        arguments: How many there are beside the receiver.
        free: Whether it belongs to no type; `owners` are then the modules that must stand before it.
        owners: The types whose inherent function it is; None where nothing need be named.
        sure: Whether it gives a Result by itself, and not only where it is given one.
        rest: Whether what is behind a `?` may hold a Result again: if it was `given` one, or by its `own` type.
    """

    method: bool
    arguments: int
    free: bool
    owners: frozenset[str] | None
    sure: bool
    rest: Rest


class _Written(msgspec.Struct, frozen=True):
    """What signatures tell; see the fields of `Sources`."""

    ways: dict[str, tuple[Way, ...]]
    passing: frozenset[str]
    results: frozenset[str]
    whole: frozenset[str]


# Types whose values come from literals and macros (`thread_local!`), without any name.
_EVERYDAY = frozenset(("String", "Vec", "Option", "Result", "Box", "Rc", "Arc", "LocalKey", "LazyLock"))
# Iterators whose every element is a Result: the name, and the modules where it is that one.
_OF_RESULTS: dict[str, list[str]] = {}
for _path in sorted(OF_RESULTS):
    _OF_RESULTS.setdefault(_path.rpartition("::")[2], []).append(_path.rpartition("::")[0])
# Those of them that have their name alone.
_LISTINGS = frozenset(("ReadDir", "Incoming", "Lines"))
_FUTURES = frozenset(("Pin", "Box", "BoxFuture", "LocalBoxFuture", "Future"))
# What gives what it was given, whatever that is.
_PASSING = frozenset(
    (
        *methods.SPAWNS,
        *methods.DROPS,
        "block_on",
        "take",
        "replace",
        "join_next",
        "join_all",
        "try_join_all",
        "try_join",
    )
)
_KEYWORDS = frozenset(
    ("if", "while", "match", "return", "for", "in", "let", "fn", "move", "else", "loop", "as")
)


class Sources:
    """The functions of a program and of what it uses that can give a Result, by name."""

    def __init__(self, program: Program) -> None:
        tables = program.tables
        foreign = world_of(tables).foreign.tables
        self.program = program
        self._ways: dict[str, dict[tuple[bool, int, bool, bool], Way]] = {}
        # Methods of Result and Option, whose error comes from what they are called on.
        self.passing: set[str] = set()
        self.results: frozenset[str] = frozenset()
        self.whole: frozenset[str] = frozenset()
        self._holding: Holding | None = None
        self._stores: frozenset[str] | None = None
        self._take(derived(tables, "sources", _Written, lambda: self._make(tables, foreign)))
        self.functions = (
            _KEYWORDS | {one.name for one in tables.functions} | {one.name for one in foreign.functions}
        )
        self._outside = world_of(tables).outside_names()
        self._guessed: dict[tuple[str, int, int], bool] = {}

    def _make(self, tables: Tables, foreign: Tables) -> _Written:
        """Read all signatures."""
        self.results = _result_names(tables, projected=True)
        self.whole = _whole_aliases(tables, self.results)
        harmless = self._add_own(tables)
        self._add_foreign(foreign, harmless)
        ways = {name: tuple(ways.values()) for name, ways in self._ways.items()}
        return _Written(ways, frozenset(self.passing), self.results, self.whole)

    def _take(self, written: _Written) -> None:
        """Begin with what was read."""
        self.passing = set(written.passing)
        self.results = written.results
        self.whole = written.whole
        self._split = {
            name: (tuple(way for way in ways if way.sure), tuple(way for way in ways if not way.sure))
            for name, ways in written.ways.items()
        }
        # Names that may be those of sources; of those that may only hand on what they are given.
        self.names = frozenset((*self._split, *_PASSING))
        self.passing_names = _PASSING | {name for name, (_, given) in self._split.items() if given}

    def ways_of(self, name: str) -> tuple[tuple[Way, ...], tuple[Way, ...]]:
        """How sources of a name are called: those that give a Result, and those that hand one on."""
        return self._split.get(name, ((), ()))

    @property
    def holding(self) -> Holding:
        """By which names values of a type may be had; made when somebody asks."""
        if self._holding is None:
            tables = self.program.tables
            every = (tables, world_of(tables).foreign.tables)
            self._holding = Holding(derived(tables, "holding", Held, lambda: held_in(every)))
        return self._holding

    @property
    def stores(self) -> frozenset[str]:
        """The fields, variants and statics in which a Result may stand."""
        if self._stores is None:
            self._stores = self.holding.stored(self.results)
        return self._stores

    def is_guessed(self, name: str, arguments: int, crate: int) -> bool:
        """Whether a method may be found by its name in a crate where the receiver's type is not known."""
        if name in self._outside:
            return False
        key = (name, arguments, crate)
        known = self._guessed.get(key)
        if known is None:
            tables = self.program.tables
            named = (tables.functions[one] for one in tables.functions_named(name))
            inherent = sum(
                one.crate == crate
                and one.item.receiver is not None
                and len(one.item.parameters) == arguments
                and one.item.head.visibility == "pub"
                and one.active
                and not one.test
                and one.impl is not None
                and tables.impls[one.impl].item.trait is None
                for one in named
            )
            known = self._guessed[key] = inherent <= MOST
        return known

    def is_harmless(self, name: str) -> bool:
        """Whether all functions of a name are known, and none of them can fail."""
        return name in self.functions and name not in self.names

    def is_nested(self, written: TypeRef) -> bool:
        """Whether a type holds a Result in something else than a Result."""
        return speaks(written, self.results) and _rest(written, self.results, set(), self.whole) == "own"

    def _add_own(self, tables: Tables) -> set[str]:
        """Enter the functions of the workspace; the names of the free ones that cannot fail."""
        harmless: set[str] = set()
        whole = self.whole
        for function in tables.functions:
            item = function.item
            generics = {one.name for one in item.generics.parameters} | {"Self"}
            sure = item.returns is not None and speaks(item.returns, self.results)
            if item.returns is None or not (sure or speaks(item.returns, generics)):
                if item.receiver is None and function.impl is None:
                    harmless.add(function.name)
                continue
            impl = None if function.impl is None else tables.impls[function.impl].item
            if impl is not None:
                generics |= {one.name for one in impl.generics.parameters}
            owner = None if impl is None or impl.trait is not None else last_name(impl.self_type)
            way = Way(
                item.receiver is not None,
                len(item.parameters),
                impl is None and function.trait is None,
                None if owner is None else frozenset(self.program.names_for(owner)),
                sure,
                _rest(item.returns, self.results, generics, whole),
            )
            for name in self.program.names_for(function.name):
                self._enter(name, way)
        return harmless

    def _add_foreign(self, tables: Tables, harmless: set[str]) -> None:
        """Enter the functions of the described crates."""
        sure_names = _result_names(tables, projected=False)
        names = _result_names(tables, projected=True)
        whole = _whole_aliases(tables, sure_names)
        for function in tables.functions:
            item = function.item
            if item.returns is None:
                continue
            sure = speaks(item.returns, sure_names) or _gives_results(item.returns, function.path)
            if not (sure or speaks(item.returns, names)):
                continue
            impl = None if function.impl is None else tables.impls[function.impl].item
            owner = None if impl is None else last_name(impl.self_type)
            if function.name in ("Ok", "Err"):
                continue
            if owner in ("Result", "Option"):
                self.passing.add(function.name)
                continue
            generics = {one.name for one in item.generics.parameters} | {"Self"}
            if impl is not None:
                generics |= {one.name for one in impl.generics.parameters}
            free = impl is None and function.trait is None
            owners: frozenset[str] | None = None
            if free and function.name in harmless:
                # A function of the workspace has this name; one from outside is called by its module.
                owners = frozenset(function.path.split("::")[-2:-1])
            elif impl is not None and impl.trait is None and owner is not None:
                if owner[:1].isupper() and owner not in _EVERYDAY:
                    owners = frozenset((owner,))
            rest = _rest(item.returns, names, generics, whole)
            self._enter(
                function.name, Way(item.receiver is not None, len(item.parameters), free, owners, sure, rest)
            )

    def named(self, body: BodyFacts) -> frozenset[str]:
        """The same as `Look.loose` for a body that is not kept as plain text, by the names in it alone."""
        return (names_of(body) & self.names) | {"map_err", "()"}

    def _enter(self, name: str, way: Way) -> None:
        """Enter a way; two that are written alike become one that may be either."""
        ways = self._ways.setdefault(name, {})
        key = _key(way)
        other = ways.get(key)
        if other is not None:
            owners = None if way.owners is None or other.owners is None else way.owners | other.owners
            rest = max(way.rest, other.rest, key=_RESTS.index)
            way = replace(way, owners=owners, rest=rest)
        ways[key] = way


def _key(way: Way) -> tuple[bool, int, bool, bool]:
    """What makes two ways one."""
    return way.method, way.arguments, way.free, way.sure


def speaks(written: TypeRef, names: Set[str]) -> bool:
    """Whether a type as written holds one of these names, or one that ends in `Result`; `Self` alone is none."""
    waiting: list[TypeRef | None] = [written]
    while waiting:
        at = waiting.pop()
        # Nearly all are paths.
        if isinstance(at, PathType):
            for segment in at.segments:
                # `Self` alone is no Result; `Self::Item` may be one.
                if segment.name == "Self" and len(at.segments) == 1:
                    continue
                if segment.name in names or segment.name.endswith("Result"):
                    return True
                if segment.arguments:
                    waiting += segment.arguments
                if segment.bindings:
                    waiting += [value for _, value in segment.bindings]
            if at.qself is not None:
                waiting.append(at.qself)
            continue
        # Of a function only what it returns.
        waiting += (at.returns,) if isinstance(at, FunctionType) else inside(at)
    return False


def last_name(written: TypeRef) -> str | None:
    """The last name of a type; None where it has none."""
    return written.segments[-1].name if isinstance(written, PathType) and written.segments else None


def _result_names(tables: Tables, *, projected: bool) -> frozenset[str]:
    """
    `Result`, and the aliases of types that speak of it; ends because each turn adds one.

    Args:
        projected: Whether associated types count.
    """
    aliases: list[TypeAliasItem] = []
    for source in tables.sources:
        items = source.facts.items
        for item in items:
            if isinstance(item, TypeAliasItem):
                outer = None if item.head.parent is None else items[item.head.parent]
                if projected or outer is None or isinstance(outer, ModuleItem):
                    aliases.append(item)
    found = {"Result", *_LISTINGS}
    size = 0
    while size < len(found):
        size = len(found)
        names = frozenset(found)
        found.update(item.head.name for item in aliases if item.type is not None and speaks(item.type, names))
    return frozenset(found)


def _whole_aliases(tables: Tables, results: frozenset[str]) -> frozenset[str]:
    """Names of types that are all a Result of something that holds no other."""
    good: set[str] = set()
    bad: set[str] = set()
    for source in tables.sources:
        for item in source.facts.items:
            if isinstance(item, TypeAliasItem) and item.type is not None:
                last = item.type.segments[-1] if isinstance(item.type, PathType) else None
                if (
                    last is not None
                    and last.name.endswith("Result")
                    and not any(speaks(one, results) for one in last.arguments[:1])
                ):
                    good.add(item.head.name)
                else:
                    bad.add(item.head.name)
    return frozenset(good - bad)


def _rest(written: TypeRef, results: frozenset[str], generics: set[str], whole: frozenset[str]) -> Rest:
    """What a `?` on a value of this type leaves; an `.await` before it is looked through."""
    at = written
    while True:
        match at:
            case ImplType(bounds=(bound, *_)) | DynType(bounds=(bound, *_)):
                at = bound
                continue
            case PathType(segments=(*_, last)) if last.name in _FUTURES:
                inner = dict(last.bindings).get("Output", last.arguments[0] if last.arguments else None)
                if inner is not None:
                    at = inner
                    continue
        break
    if not isinstance(at, PathType) or not at.segments:
        return "own"
    last = at.segments[-1]
    if not last.name.endswith("Result"):
        return "none" if last.name in whole or (last.name in generics and not last.arguments) else "own"
    if not last.arguments:
        return "none" if last.name in whole else "own"
    if speaks(last.arguments[0], results):
        return "own"
    return "given" if not spoken(last.arguments[:1]).isdisjoint(generics - {"Self"}) else "none"


def _gives_results(written: TypeRef, path: str) -> bool:
    """Whether a function of std gives one of the iterators whose elements are Results."""
    return any(path.startswith(f"{module}::") for module in _OF_RESULTS.get(last_name(written) or "", ()))
