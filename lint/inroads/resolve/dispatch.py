"""
Which method does `receiver.name(..)` call, and which function does `Type::name` name?

The compiler's order: for each step of dereferencing the receiver, first taken
by value, then behind `&`, then behind `&mut`; at each, inherent methods and those
of the receiver's own bounds before those of traits in scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from inroads.resolve.bounds import family_of
from inroads.resolve.infos import FunctionInfo, TraitInfo
from inroads.resolve.inside import DECLARED, head_of_type, is_ground
from inroads.resolve.solve import Solver
from inroads.resolve.types import (
    Adt,
    Array,
    Bound,
    Generic,
    Primitive,
    Projection,
    Reference,
    Slice,
    Type,
    Unknown,
    Variable,
)
from inroads.resolve.world import World


class Pick(msgspec.Struct):
    """
    A method that was found.

    Args:
        mapping: What the parameters of its impl (or trait, with `Self`) stand for.
        self_type: What `Self` is.
        bound: For a trait's method, the trait with its arguments.
        dereferenced: The types that the receiver was dereferenced from, outer first.
    """

    function: FunctionInfo
    mapping: dict[Generic, Type]
    self_type: Type
    bound: Bound | None = None
    dereferenced: tuple[Type, ...] = ()


class Dispatch(msgspec.Struct):
    """
    Method lookup for one body; `in_scope` are the traits that may be used there.

    `literal` says what an integer of open width is taken for.
    """

    world: World
    solver: Solver
    in_scope: frozenset[TraitInfo]

    def method(self, receiver: Type, name: str) -> Pick | None:
        """The method that a call names; None if there is none, or the receiver is not known well enough."""
        solver = self.solver
        receiver = solver.unifier.shallow(receiver)
        if solver.bounded:
            return self._method(receiver, name)
        pick = self._sure(receiver, name)
        if pick is not None:
            return pick
        whole = solver.unifier.zonk(receiver)
        if not is_ground(whole):
            return self._method(receiver, name)
        key = (whole, name, self._scope_of(name), solver.test, solver.active)
        memo = self.world.methods
        if key in memo:
            known: Pick | None = memo[key]
            return known
        pick = self._method(whole, name)
        if pick is None or all(map(is_ground, pick.mapping.values())):
            memo[key] = pick
        return pick

    def _scope_of(self, name: str) -> tuple[TraitInfo, ...]:
        """The traits in scope that have a method of that name."""
        declaring = self.world.declaring.get(name)
        if declaring is None:
            return ()
        key = (name, self.in_scope)
        found = self.world.scoped.get(key)
        if found is None:
            found = self.world.scoped[key] = tuple([info for info in declaring if info in self.in_scope])
        return found

    def _sure(self, receiver: Type, name: str) -> Pick | None:
        """A method that the receiver's type has whatever its arguments are; None where that has to be looked into."""
        own: Type = receiver
        taken: tuple[str, ...] = _TAKEN
        if type(receiver) is Reference:
            own = self.solver.unifier.shallow(receiver.inner)
            taken = ("mut",) if receiver.mutable else ("ref",)
        if type(own) is not Adt:
            return None
        key = (
            own.path,
            own.definition,
            len(own.arguments),
            name,
            taken,
            self._scope_of(name),
            self.solver.test,
            self.solver.active,
        )
        memo = self.world.sure
        if key in memo:
            function = memo[key]
        else:
            function = memo[key] = self._sure_function(own, name, taken)
        if function is None:
            return None
        assert function.impl is not None
        return Pick(function, dict(zip(function.impl.generics, own.arguments, strict=True)), own)

    def _sure_function(self, own: Adt, name: str, taken: tuple[str, ...]) -> FunctionInfo | None:
        """The first inherent function that is looked at, if nothing else is before it and it fits for sure."""
        scope = self._scope_of(name)
        for way in taken:
            for function in self.inherent_functions(own, name):
                if function.receiver == way:
                    assert function.impl is not None
                    return function if function.impl.fits_all(own) else None
            if self.world.has_typed_self(name) or self.world.inherent("&", name):
                return None
            receivers = (way, "value")
            if any(info.methods[name].receiver in receivers for info in scope):
                return None
        return None

    def _method(self, receiver: Type, name: str) -> Pick | None:
        done: list[Type] = []
        steps = self.steps(receiver)
        if self.world.has_typed_self(name):
            # Such a method may be found by any of them.
            steps = list(steps)
        for step in steps:
            if type(step) is Unknown or (type(step) is Variable and not step.kind):
                return None
            for taken in _TAKEN:
                pick = self._at(step, steps, taken, name)
                if pick is not None:
                    pick.dereferenced = tuple(done)
                    return pick
            done.append(step)
        return None

    def steps(self, receiver: Type) -> Iterable[Type]:
        """The receiver dereferenced step by step, an array at the end as a slice too."""
        step: Type | None = None
        for step in self.solver.derefs(receiver):
            yield step
        if type(step) is Array:
            yield Slice(step.inner)

    def _at(self, step: Type, steps: Iterable[Type], taken: str, name: str) -> Pick | None:
        options = _selves(step, taken)
        for self_type, receivers in options:
            pick = self._inherent(self_type, receivers, name)
            if pick is not None:
                return pick
        if isinstance(steps, list):
            pick = self._typed(step, steps, taken, name)
            if pick is not None:
                return pick
        for self_type, receivers in options:
            pick = self._of_traits(self_type, receivers, name)
            if pick is not None:
                return pick
        return None

    # Inherent.

    def _inherent(self, self_type: Type, receivers: tuple[str, ...], name: str) -> Pick | None:
        self_type = self.solver.unifier.shallow(self_type)
        if self.solver.is_bounded(self_type):
            pick = self._of_bounds(self_type, receivers, name)
            if pick is not None:
                return pick
        for function in self.inherent_functions(self_type, name):
            if function.receiver in receivers:
                pick = self.apply_inherent(function, self_type)
                if pick is not None:
                    return pick
        return None

    def inherent_functions(self, self_type: Type, name: str) -> Iterator[FunctionInfo]:
        """Functions of inherent impls whose head is the type's."""
        heads: tuple[str, ...]
        if type(self_type) is Variable:
            heads = (*_LITERALS.get(self_type.kind, ()), self_type.kind)
        elif type(self_type) is Primitive:
            heads = (self_type.name, family_of(self_type.name))
        else:
            heads = (head_of_type(self_type),)
        for head in heads:
            for function in self.world.inherent(head, name):
                if (function.active or not self.solver.active) and (self.solver.test or not function.test):
                    yield function

    def apply_inherent(self, function: FunctionInfo, self_type: Type) -> Pick | None:
        """The function for a type, if its impl's header and bounds fit; unifies the header."""
        impl = function.impl
        assert impl is not None
        unifier = self.solver.unifier
        mark = len(unifier.trail)
        mapping = self.solver.fits(impl, self_type, Bound(""))
        if mapping is None:
            unifier.rollback(mark)
            return None
        return Pick(function, mapping, self_type)

    def _of_bounds(self, self_type: Type, receivers: tuple[str, ...], name: str) -> Pick | None:
        """A method of a trait that a parameter's bounds, a `dyn` or an `impl` type name."""
        for bound in self.solver.bounds_of(self.solver.unifier.zonk(self_type)):
            info = self.world.trait_info(bound)
            if info is None:
                continue
            function = info.methods.get(name)
            if function is not None and function.receiver in receivers:
                return Pick(function, info.mapping(self_type, bound), self_type, bound)
        return None

    # `self: Rc<Self>` and the like.

    def _typed(self, step: Type, steps: list[Type], taken: str, name: str) -> Pick | None:
        whole = step if taken == "value" else Reference(step, taken == "mut")
        unifier = self.solver.unifier
        for self_type in steps:
            for function in self.inherent_functions(self_type, name):
                if function.receiver != "typed":
                    continue
                mark = len(unifier.trail)
                pick = self.apply_inherent(function, self_type)
                receiver = function.signature().receiver
                if pick is not None and receiver is not None:
                    if unifier.unify(self.solver.instance(receiver, pick.mapping), whole):
                        return pick
                unifier.rollback(mark)
        for info in self.world.declaring.get(name, ()):
            function = info.methods[name]
            if function.receiver != "typed":
                continue
            for self_type in steps:
                if isinstance(self_type, Unknown | Variable):
                    continue
                pick = self.of_trait(info, function, self_type)
                # The impl's own words, if it was picked: the mapping is of its parameters.
                receiver = None if pick is None else pick.function.signature().receiver
                if pick is not None and receiver is not None:
                    mark = len(unifier.trail)
                    if unifier.unify(self.solver.instance(receiver, pick.mapping), whole):
                        return pick
                    unifier.rollback(mark)
        return None

    # Traits in scope.

    def _of_traits(self, self_type: Type, receivers: tuple[str, ...], name: str) -> Pick | None:
        scope = self._scope_of(name)
        if not scope:
            return None
        self_type = self.solver.unifier.shallow(self_type)
        if type(self_type) is Unknown or (type(self_type) is Variable and not self_type.kind):
            return None
        for info in scope:
            function = info.methods[name]
            if function.receiver in receivers:
                pick = self.of_trait(info, function, self_type)
                if pick is not None:
                    return pick
        return None

    def of_trait(self, info: TraitInfo, function: FunctionInfo, self_type: Type) -> Pick | None:
        """A trait's function for a type that may implement the trait, else None."""
        solver = self.solver
        open_bound = Bound(info.path, info.id, tuple(solver.unifier.fresh() for _ in info.generics))
        if type(self_type) is Variable and self_type.kind:
            for head in (*_LITERALS[self_type.kind], self_type.kind):
                if head in info.impls:
                    own = self_type if head == self_type.kind else Primitive(head)
                    return Pick(function, info.mapping(own, open_bound), own, open_bound)
            return None
        mark = len(solver.unifier.trail)
        if not solver.holds(self_type, open_bound):
            solver.unifier.rollback(mark)
            return None
        if type(self_type) not in DECLARED and type(self_type) is not Variable:
            chosen = solver.chosen(self_type, open_bound)
            if function.name in info.learned and chosen is not None and function.name in chosen[0].methods:
                # The impl tells more than what was put together from all of them.
                return Pick(chosen[0].methods[function.name], chosen[1], self_type)
        return Pick(function, info.mapping(self_type, open_bound), self_type, open_bound)

    # `Type::name`.

    def associated(self, base: Type, name: str) -> Pick | None:
        """The function that `Type::name` names: inherent, of the type's bounds, then of traits in scope."""
        base = self.solver.unifier.shallow(base)
        if isinstance(base, Projection):
            base = self.solver.unifier.shallow(self.solver.normal(base))
        for function in self.inherent_functions(base, name):
            pick = self.apply_inherent(function, base)
            if pick is not None:
                return pick
        if self.solver.is_bounded(base):
            for bound in self.solver.bounds_of(self.solver.unifier.zonk(base)):
                info = self.world.trait_info(bound)
                if info is not None and name in info.methods:
                    return Pick(info.methods[name], info.mapping(base, bound), base, bound)
        if isinstance(base, Unknown):
            return None
        for info in self._scope_of(name):
            pick = self.of_trait(info, info.methods[name], base)
            if pick is not None:
                return pick
        return None

    def constant(self, base: Type, name: str) -> tuple[str, Type] | None:
        """The path and type of `Type::NAME`."""
        solver = self.solver
        for universe, id in self.world.constants_named(name):
            one = universe.tables.constants[id]
            if one.impl is not None:
                impl = self.world.impl_info(universe, one.impl)
                if impl.head != "*" and impl.head != head_of_type(base):
                    continue
                mark = len(solver.unifier.trail)
                mapping = solver.fits(impl, base, Bound(""))
                if mapping is not None:
                    return one.path, solver.instance(self.world.constant_type(universe, id), mapping)
                solver.unifier.rollback(mark)
        for universe, id in self.world.constants_named(name):
            one = universe.tables.constants[id]
            if one.trait is None:
                continue
            for info in (self.world.traits[one.trait],) if not universe.foreign else ():
                bound = Bound(info.path, info.id, tuple(solver.unifier.fresh() for _ in info.generics))
                if solver.holds(base, bound):
                    type_ = self.world.constant_type(universe, id)
                    return one.path, solver.instance(type_, info.mapping(base, bound))
        return None


def _selves(step: Type, taken: str) -> tuple[tuple[Type, tuple[str, ...]], ...]:
    """What `Self` may be when a receiver of type `step` is taken by value, `&` or `&mut`, for which receivers."""
    if taken == "value":
        if type(step) is Reference:
            # `&mut T` as `&T` is a reborrow: of `*x`, one step on.
            return (step.inner, ("mut",) if step.mutable else ("ref",)), (step, ("value",))
        return ((step, ("value",)),)
    if taken == "ref":
        return (step, ("ref",)), (Reference(step), ("value",))
    return (step, ("mut",)), (Reference(step, True), ("value",))


_TAKEN = ("value", "ref", "mut")
_LITERALS = {
    "int": ("i32", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i64", "i128", "isize"),
    "float": ("f64", "f32"),
    "": (),
}
