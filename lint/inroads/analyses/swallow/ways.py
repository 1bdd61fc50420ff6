"""
How functions that can give a Result are called, read off all signatures.

By `Way` it is known how the calls of a function are written, so that a body that only uses the same
name for something else is told apart.
"""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from inroads.analyses.swallow.holding import EVERYDAY, has_name
from inroads.analyses.swallow.results import (
    FUTURES,
    RESTS,
    Rest,
    gives_results,
    is_result,
    last_name,
    rest_of,
    result_names,
    speaks,
    whole_aliases,
)
from inroads.facts import FunctionItem, FunctionType, ImplType, PathType, RefType, TypeRef

if TYPE_CHECKING:
    from inroads.program import Program
    from inroads.resolve.model import Function
    from inroads.resolve.tables import Tables


class Way(msgspec.Struct, frozen=True):
    """
    How a source may be called.

    Args:
        method: Whether it has a receiver.
        arguments: How many there are beside the receiver.
        free: Whether it belongs to no type; `owners` are then the modules that must stand before it.
        owners: The types whose function it is; None where nothing need be named.
        trait: Of a method of a trait, the trait that may stand before it instead of the type; else empty.
        declared: The trait from outside that declares it, which must be in sight; else empty.
        sure: Whether it gives a Result by itself, and not only where it is given one.
        rest: Whether what is behind a `?` may hold a Result again: if it was `given` one, or by its `own` type.
        awaited: Whether its value may be a future.
    """

    method: bool
    arguments: int
    free: bool
    owners: frozenset[str] | None
    trait: str
    declared: str
    sure: bool
    rest: Rest
    awaited: bool


class Written(msgspec.Struct, frozen=True):
    """
    What signatures tell.

    Args:
        ways: Sources by name.
        passing: Methods of Result and Option, whose error comes from what they are called on.
        results: Types that speak of a Result, by their last names.
        whole: Those of them that are a Result of something that holds no other.
        takers: Functions of the workspace that are given a Result, or a future of one.
    """

    ways: dict[str, tuple[Way, ...]]
    passing: frozenset[str]
    results: frozenset[str]
    whole: frozenset[str]
    takers: dict[str, tuple[Way, ...]]


def read_signatures(program: Program, foreign: Tables) -> Written:
    """Read all signatures of a program and of what it uses."""
    tables = program.tables
    results = result_names(tables, projected=True)
    whole = whole_aliases(tables, results)
    plain = result_names(tables, projected=False)
    ways, takers = _Ways(), _Ways()
    harmless: set[str] = set()
    for function in tables.functions:
        item = function.item
        way = _own_way(program, function, item, results, whole)
        if way is not None:
            ways.enter_all(program.names_for(function.name), way)
        elif item.receiver is None and function.impl is None:
            harmless.add(function.name)
        if _takes_results(item, plain) or _is_of_results(program, function, whole):
            takers.enter_all(program.names_for(function.name), _taking_way(program, function))
    passing = _add_foreign(ways, foreign, harmless)
    return Written(ways.all(), frozenset(passing), results, whole, takers.all())


class _Ways:
    """Ways by name, while they are read."""

    def __init__(self) -> None:
        self._ways: dict[str, dict[tuple[bool, int, bool, bool, str, str], Way]] = {}

    def enter_all(self, names: tuple[str, ...], way: Way) -> None:
        """Enter a way under some names."""
        for name in names:
            self.enter(name, way)

    def enter(self, name: str, way: Way) -> None:
        """Enter a way; two that are written alike become one that may be either."""
        ways = self._ways.setdefault(name, {})
        key = (way.method, way.arguments, way.free, way.sure, way.trait, way.declared)
        other = ways.get(key)
        if other is not None:
            owners = None if way.owners is None or other.owners is None else way.owners | other.owners
            rest = max(way.rest, other.rest, key=RESTS.index)
            way = replace(way, owners=owners, rest=rest, awaited=way.awaited or other.awaited)
        ways[key] = way

    def all(self) -> dict[str, tuple[Way, ...]]:
        """All that were entered."""
        return {name: tuple(ways.values()) for name, ways in self._ways.items()}


def _way(
    function: Function, owners: frozenset[str] | None, trait: str, *, sure: bool, rest: Rest, whole: Set[str]
) -> Way:
    item = function.item
    last = None if item.returns is None else last_name(item.returns)
    return Way(
        method=item.receiver is not None,
        arguments=len(item.parameters),
        free=function.impl is None and function.trait is None,
        owners=owners,
        trait=trait,
        declared="",
        sure=sure,
        rest=rest,
        awaited=item.is_async or not (last == "Result" or last in whole),
    )


def _own_owners(program: Program, function: Function) -> frozenset[str] | None:
    """The names of the type whose inherent function it is; None for other functions."""
    impl = None if function.impl is None else program.tables.impls[function.impl].item
    owner = None if impl is None or impl.trait is not None else last_name(impl.self_type)
    return None if owner is None else frozenset(program.names_for(owner))


def _is_of_results(program: Program, function: Function, whole: Set[str]) -> bool:
    """Whether it is a method that the workspace gives to a Result, by a trait of its own: `flush().log_err()`."""
    if function.impl is None or function.item.receiver is None:
        return False
    impl = program.tables.impls[function.impl].item
    name = last_name(impl.self_type) if impl.trait is not None else None
    return name == "Result" or name in whole


def _taking_way(program: Program, function: Function) -> Way:
    """How a function of the workspace is called that is given a Result."""
    owners, trait = _own_owners(program, function), ""
    impl = None if function.impl is None else program.tables.impls[function.impl]
    if impl is not None and impl.head and has_name(impl.item) and function.item.receiver is None:
        # Called by a path, behind the name of its type or trait.
        owners = frozenset(program.names_for(impl.head.rpartition("::")[2]))
        trait = "" if impl.item.trait is None else last_name(impl.item.trait) or "?"
    way = _way(function, owners, trait, sure=True, rest="none", whole=frozenset())
    return replace(way, awaited=True)


def _own_way(
    program: Program, function: Function, item: FunctionItem, results: frozenset[str], whole: frozenset[str]
) -> Way | None:
    """How a function of the workspace is called; None if it gives no Result."""
    if item.returns is None:
        return None
    tables = program.tables
    generics = {one.name for one in item.generics.parameters} | {"Self"}
    sure = speaks(item.returns, results)
    if not (sure or speaks(item.returns, generics)):
        return None
    owners = _own_owners(program, function)
    trait = ""
    if function.impl is not None:
        impl = tables.impls[function.impl]
        generics |= {one.name for one in impl.item.generics.parameters}
        # Where the type is not known, a receiver of any type may be one.
        trait = _trait_of(tables, function) if impl.head else ""
        if trait:
            # An alias is known by what it stands for.
            owners = frozenset(program.names_for(impl.head.rpartition("::")[2]))
    rest = rest_of(item.returns, results, generics, whole)
    return _way(function, owners, trait, sure=sure, rest=rest, whole=whole)


def _add_foreign(ways: _Ways, tables: Tables, harmless: Set[str]) -> set[str]:
    """
    Enter the functions of the described crates; the methods of Result and Option, which pass errors on.

    Args:
        harmless: Names of free functions of the workspace that cannot fail.
    """
    sure_names = result_names(tables, projected=False)
    names = result_names(tables, projected=True)
    whole = whole_aliases(tables, sure_names)
    passing: set[str] = set()
    for function in tables.functions:
        item = function.item
        if item.returns is None or function.name in ("Ok", "Err"):
            continue
        sure = speaks(item.returns, sure_names) or gives_results(item.returns, function.path)
        if not (sure or speaks(item.returns, names)):
            continue
        impl = None if function.impl is None else tables.impls[function.impl].item
        owner = None if impl is None else last_name(impl.self_type)
        if owner in ("Result", "Option"):
            passing.add(function.name)
            continue
        generics = {one.name for one in item.generics.parameters} | {"Self"}
        if impl is not None:
            generics |= {one.name for one in impl.generics.parameters}
        owners: frozenset[str] | None = None
        trait = _trait_of(tables, function)
        if impl is None and function.trait is None and function.name in harmless:
            # A function of the workspace has this name; one from outside is called by its module.
            owners = frozenset(function.path.split("::")[-2:-1])
        elif impl is not None and owner is not None and (impl.trait is None or trait):
            if owner[:1].isupper() and owner not in EVERYDAY:
                owners = frozenset((owner,))
        rest = rest_of(item.returns, names, generics, whole)
        way = _way(function, owners, trait, sure=sure, rest=rest, whole=whole)
        if function.trait is not None:
            way = replace(way, declared=tables.traits[function.trait].path.rpartition("::")[2])
        ways.enter(function.name, way)
    return passing


def _trait_of(tables: Tables, function: Function) -> str:
    """
    The trait of a method that the impl of a type has, where a value of the type need be at hand to call it.

    Empty for other functions; for types whose values come without a name; and where the impl by
    itself says Result: any receiver of the trait may then be taken for that type.
    """
    impl = None if function.impl is None else tables.impls[function.impl].item
    if impl is None or impl.trait is None or function.item.returns is None:
        return ""
    if is_result(function.item.returns) or not has_name(impl):
        return ""
    return last_name(impl.trait) or "?"


def _takes_results(item: FunctionItem, results: Set[str]) -> bool:
    """Whether a function is given a Result, or a future of one; what it is given as a callable does not count."""
    bounds: list[TypeRef] = []
    if item.generics.parameters:
        bounds += [bound for one in item.generics.parameters for bound in one.bounds]
        bounds += [bound for _, more in item.generics.where for bound in more]
    for one in item.parameters:
        written = one.type
        while isinstance(written, RefType):
            written = written.inner
        match written:
            case PathType(segments=(only,), qself=None) if not only.arguments:
                # Nearly all.
                if only.name in results or only.name.endswith("Result"):
                    return True
            case ImplType():
                bounds += written.bounds
            case None | FunctionType():
                pass
            case _ if speaks(written, results):
                return True
    return any(last_name(one) in FUTURES and speaks(one, results) for one in bounds)
