"""
What is known of types by declaration: the bounds of type parameters, projections, `dyn` and `impl` types.

Also how a bound `Fn(A) -> B` is read, and where answers about bounds are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

import msgspec

from inroads.resolve.impl_info import ImplInfo
from inroads.resolve.infos import TraitInfo
from inroads.resolve.inside import DECLARED, head_of_type, substitute_bound
from inroads.resolve.types import (
    UNKNOWN,
    Adt,
    Bound,
    Closure,
    Dyn,
    FunctionPointer,
    FunctionValue,
    Generic,
    Opaque,
    Primitive,
    Projection,
    Reference,
    Tuple,
    Type,
    Unknown,
    Variable,
)
from inroads.resolve.unify import FLOATS, INTEGERS, Unifier
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
# What is called like what it points to.
POINTERS = frozenset({"std::boxed::Box", "std::rc::Rc", "std::sync::Arc"})


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
        # What the closures and functions as values of this body take and give.
        self.callables: Callable[[Type], tuple[tuple[Type, ...] | None, Type] | None] = lambda _: None
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
        return type(type_) in DECLARED or (bool(self.bounded) and self.unifier.zonk(type_) in self.bounded)

    # Functions as values.

    def output_of(self, type_: Type) -> Type | None:
        """What calling a value of a type gives; None while that is open."""
        called = self.callable_of(type_)
        return UNKNOWN if called is None else called[1]

    def callable_of(self, type_: Type) -> tuple[tuple[Type, ...] | None, Type] | None:
        """The parameters (None: any) and result of calling a value of a type; None if it can't be called."""
        type_ = self.unifier.shallow(type_)
        match type_:
            case Adt():
                if type_.path not in POINTERS or not type_.arguments:
                    return None
                return self.callable_of(type_.arguments[0])
            case FunctionPointer(parameters=parameters, returns=returns):
                return parameters, returns
            case Closure() | FunctionValue():
                return self.callables(type_)
            case Reference(inner=inner):
                return self.callable_of(inner)
            case Generic() | Projection() | Dyn() | Opaque():
                for one in self.bounds_of(self.unifier.zonk(type_)):
                    if one.path in FN_TRAITS or one.path in ASYNC_FN:
                        return fn_bound(one)
        return None

    def bind_output(self, subject: Type, needs: Bound) -> None:
        """Give a parameter that stands for the result of a callable (`F: FnMut(A) -> B`) what that gives."""
        asked = fn_bound(needs)[1]
        if type(asked) is Variable and type(self.unifier.shallow(asked)) is Variable:
            have = self.output_of(self.unifier.shallow(subject))
            if have is not None and not isinstance(have, Unknown):
                self.unifier.unify(asked, have)

    def _same_projection(self, one: Type, other: Projection) -> bool:
        return (
            isinstance(one, Projection)
            and one.name == other.name
            and one.base == other.base
            and (not one.trait.path or not other.trait.path or one.trait.path == other.trait.path)
        )


def candidates(type_: Type, info: TraitInfo, test: bool, active: bool) -> Iterator[ImplInfo]:
    """The impls of a trait whose head may fit a type; those of test code only for test code."""
    head = head_of_type(type_)
    if head:
        heads = (head, family_of(head), "*") if type(type_) is Primitive else (head, "*")
        lists = [info.impls[one] for one in heads if one in info.impls]
    else:
        lists = list(info.impls.values())
    for impls in lists:
        for impl in impls:
            if (impl.active or not active) and (test or not impl.test):
                yield impl


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
