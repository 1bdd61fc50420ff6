"""
Traits from outside that nobody described, or not all of them, known by the impls that the workspace has of them.

Their methods are those that some impl writes, with the types that it writes, so that
`S: Serializer` has methods, and a call on a known type finds its impl.
"""

from __future__ import annotations

from msgspec.structs import replace

from inroads.facts import FunctionItem, Generics, ItemHead, PathType, TraitItem, TypeAliasItem
from inroads.resolve.impl_info import ImplInfo
from inroads.resolve.infos import FunctionInfo, TraitInfo
from inroads.resolve.scope import Scope
from inroads.resolve.types import Generic


def partial_trait(path: str, impls: list[ImplInfo], number: int) -> TraitInfo:
    """The trait at `path`, put together from its impls."""
    first = impls[0]
    owner = f"p:{number}"
    self_generic = Generic("Self", owner)
    length = max(_length(impl) for impl in impls)
    scope = Scope(first.scope.world, first.scope.universe, first.scope.module, self_type=self_generic)
    head = ItemHead(path.rpartition("::")[2], None, 0, 0, 0, 0)
    info = TraitInfo(
        path=path,
        id=None,
        item=TraitItem(head, Generics()),
        scope=scope,
        generics=tuple(Generic(f"#{at}", owner) for at in range(length)),
        test=False,
        self_generic=self_generic,
        partial=True,
    )
    scope.trait = info
    for impl in impls:
        impl.trait = info
        info.impls.setdefault(impl.head, []).append(impl)
        learn(info, impl)
    return info


def learn(info: TraitInfo, impl: ImplInfo) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Add to a trait from outside what an impl has and nobody told of it; the names of the methods and types."""
    types = tuple([name for name in impl.record.types if name not in info.types])
    for name in types:
        alias = ItemHead(name, None, 0, 0, 0, 0)
        info.types[name] = TypeAliasItem(alias, Generics(), None)
    methods = tuple([name for name in impl.record.methods if name not in info.methods])
    for name in methods:
        function = impl.methods[name]
        if isinstance(function.item, FunctionItem):
            own = replace(impl.scope, self_type=info.self_generic, trait=info, impl=None)
            info.learned.add(name)
            info.methods[name] = FunctionInfo(
                id=None,
                name=name,
                path=f"{info.path}::{name}",
                item=function.item,
                scope=own,
                owner=f"{info.self_generic.owner}:{name}",
                trait=info,
                receiver=function.receiver,
                has_body=False,
            )
    return methods, types


def _length(impl: ImplInfo) -> int:
    trait = impl.item.trait
    return len(trait.segments[-1].arguments) if isinstance(trait, PathType) and trait.segments else 0
