"""
Traits from outside that nobody described, known by the impls that the workspace has of them.

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
        for name in impl.types:
            if name not in info.types:
                alias = ItemHead(name, None, 0, 0, 0, 0)
                info.types[name] = TypeAliasItem(alias, Generics(), None)
        for name, function in impl.methods.items():
            if name not in info.methods and isinstance(function.item, FunctionItem):
                own = replace(impl.scope, self_type=self_generic, trait=info, impl=None)
                info.methods[name] = FunctionInfo(
                    id=None,
                    name=name,
                    path=f"{path}::{name}",
                    item=function.item,
                    scope=own,
                    owner=f"{owner}:{name}",
                    trait=info,
                    receiver=function.receiver,
                    has_body=False,
                )
    return info


def _length(impl: ImplInfo) -> int:
    trait = impl.item.trait
    return len(trait.segments[-1].arguments) if isinstance(trait, PathType) and trait.segments else 0
