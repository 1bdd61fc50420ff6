"""
What is known of types by declaration: the bounds of type parameters, projections, `dyn` and `impl` types.

Also how a bound `Fn(A) -> B` is read, and where answers about bounds are kept.
"""

from __future__ import annotations

from collections.abc import Hashable

import msgspec

from inroads.resolve.infos import ImplInfo
from inroads.resolve.types import Bound, Dyn, Generic, Opaque, Projection, Tuple, Type
from inroads.resolve.unify import FLOATS, INTEGERS, Unifier, substitute_bound
from inroads.resolve.world import World

# What a type has by its parts.
AUTO = frozenset({"std::marker::Sized", "std::marker::Send", "std::marker::Sync", "std::marker::Unpin"})
STRUCTURAL = frozenset(
    {
        *("std::clone::Clone", "std::marker::Copy", "std::fmt::Debug", "std::hash::Hash"),
        *("std::cmp::PartialEq", "std::cmp::Eq", "std::cmp::PartialOrd", "std::cmp::Ord"),
        "std::default::Default",
    }
)
FN_TRAITS = frozenset({"std::ops::Fn", "std::ops::FnMut", "std::ops::FnOnce"})
ASYNC_FN = frozenset({"std::ops::AsyncFn", "std::ops::AsyncFnMut", "std::ops::AsyncFnOnce"})


class Memo(msgspec.Struct):
    """Answers that were given: which impls match, whether a bound holds, what an associated type is."""

    matched: dict[Hashable, list[ImplInfo]] = msgspec.field(default_factory=dict)
    held: dict[Hashable, bool] = msgspec.field(default_factory=dict)
    projected: dict[Hashable, Type] = msgspec.field(default_factory=dict)


class Declared:
    """The bounds that hold in one body (`env`), and what follows from them."""

    def __init__(self, world: World, unifier: Unifier, env: list[tuple[Type, Bound]]) -> None:
        self.world = world
        self.unifier = unifier
        self.env = env
        self._bounds: dict[Type, list[Bound]] = {}
        # What a where clause bounds that is neither a parameter nor a projection: `&'a T: IntoIterator`.
        self.bounded = frozenset(one for one, _ in env if not isinstance(one, Generic | Projection))

    def bounds_of(self, type_: Type) -> list[Bound]:
        """All traits that a parameter, projection, `dyn` or `impl` type implements by declaration."""
        found = self._bounds.get(type_)
        if found is None:
            # A bound that asks about itself sees none.
            self._bounds[type_] = []
            found = []
            for one in self._declared(type_):
                found.extend(new for new in self.world.elaborated(type_, one) if new not in found)
            self._bounds[type_] = found
        return found

    def _declared(self, type_: Type) -> list[Bound]:
        match type_:
            case Dyn(bounds=bounds) | Opaque(bounds=bounds):
                return list(bounds)
            case Generic():
                return [bound for one, bound in self.env if one == type_]
            case Projection(base=base, trait=trait, name=name):
                found = [bound for one, bound in self.env if self._same_projection(one, type_)]
                info = self.world.trait_info(trait)
                if info is not None:
                    mapping = info.mapping(base, trait)
                    found.extend(substitute_bound(one, mapping) for one in info.type_bounds(name))
                    for ref, refs in info.item.generics.where:
                        written = info.scope.type(ref)
                        if isinstance(written, Projection) and written.name == name:
                            found.extend(substitute_bound(one, mapping) for one in info.scope.bounds(refs))
                return found
        return [bound for one, bound in self.env if one == type_]

    def is_bounded(self, type_: Type) -> bool:
        """Whether bounds tell what a type implements, not only impls."""
        if isinstance(type_, Generic | Projection | Dyn | Opaque):
            return True
        return bool(self.bounded) and self.unifier.zonk(type_) in self.bounded

    def _same_projection(self, one: Type, other: Projection) -> bool:
        return (
            isinstance(one, Projection)
            and one.name == other.name
            and one.base == other.base
            and (not one.trait.path or not other.trait.path or one.trait.path == other.trait.path)
        )


def family_of(name: str) -> str:
    """`int` or `float` for a primitive of that kind, as the stubs name them; "" for others."""
    return "int" if name in INTEGERS else "float" if name in FLOATS else ""


def fn_bound(bound: Bound) -> tuple[tuple[Type, ...] | None, Type]:
    """The parameters and the result that a bound `Fn(A) -> B` states."""
    parameters = (
        bound.arguments[0].elements if bound.arguments and isinstance(bound.arguments[0], Tuple) else None
    )
    for name, value in bound.bindings:
        if name == "Output":
            return parameters, value
    return parameters, Tuple()
