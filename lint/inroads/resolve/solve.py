"""
Does a type implement a trait, by which impl, and what are its associated types?

A solver belongs to one body: its unifier, and the bounds that hold there
(`env`). Test code sees impls of test code; what cfg switches off sees what is
switched off. It answers in favour of what it can't know: an open variable, an
Unknown and a trait that nobody described may implement anything.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from inroads.resolve.bounds import ASYNC_FN, AUTO, FN_TRAITS, POINTERS, STRUCTURAL, Declared, Memo, candidates
from inroads.resolve.impl_info import ImplInfo
from inroads.resolve.infos import TraitInfo, agree_on
from inroads.resolve.inside import (
    ATOMS,
    DECLARED,
    is_closed,
    is_ground,
    is_reduced,
    rebuild,
    rebuild_bound,
    substitute,
    substitute_bound,
)
from inroads.resolve.types import (
    UNKNOWN,
    Adt,
    Array,
    Bound,
    Closure,
    Dyn,
    FunctionPointer,
    FunctionValue,
    Generic,
    Never,
    Opaque,
    Pointer,
    Primitive,
    Projection,
    Reference,
    Tuple,
    Type,
    Unknown,
    Variable,
)
from inroads.resolve.unify import Unifier
from inroads.resolve.world import World

DEREF = "std::ops::Deref"
_DEREF_BOUND = Bound(DEREF)
# What may implement any trait.
_ANYTHING = frozenset({Variable, Unknown, Never})
_DEEPEST = 8
_LONGEST = 30
# The arguments of a bound are found through the bounds of so many impls, one behind the other.
_DEEPEST_CHOICE = 3
# A body may try so many impls; then what is left stays unknown.
_MOST_TRIALS = 10_000
_DEREFS = 10


class Solver(Declared):
    """Answers about traits for the types of one body."""

    def __init__(
        self, world: World, unifier: Unifier, env: list[tuple[Type, Bound]], test: bool, active: bool
    ) -> None:
        super().__init__(world, unifier, env)
        self.memo = Memo()
        self.spent = 0
        self.test = test
        self.active = active
        self.pending: list[tuple[Projection, Variable]] = []
        # What is being projected, the outermost first; and what of it was found to be defined by itself.
        self.projecting: list[Hashable] = []
        self.circles: set[Hashable] = set()

    def reduce_env(self) -> None:
        """Reduce the projections in the bounds themselves, which so far stand as written."""
        reduced = [(self.normal(one), rebuild_bound(bound, self.normal)) for one, bound in self.env]
        self.env = [*reduced, *(one for one in self.env if one not in reduced)]
        self._bounds.clear()
        self.pending.clear()
        self.memo = Memo()

    # Impls.

    def fits(self, impl: ImplInfo, type_: Type, bound: Bound, depth: int = 0) -> dict[Generic, Type] | None:
        """
        What an impl's parameters are if it is the impl of `type_: bound`, None if it is not.

        What this binds stays bound; take a mark of the trail first.
        """
        unifier = self.unifier
        self.spent += 1
        if _MOST_TRIALS < self.spent:
            return None
        own = impl.self_type
        mapping: dict[Generic, Type]
        if impl.is_simple and type(type_) is Adt and len(type_.arguments) == len(impl.generics):
            if type_.path != own.path or type_.definition != own.definition:  # type: ignore[union-attr]  # an Adt
                return None
            mapping = dict(zip(impl.generics, type_.arguments, strict=True))
        else:
            mapping = {one: unifier.fresh() for one in impl.generics}
            if not unifier.unify(self.instance(own, mapping) if mapping else own, type_):
                return None
        theirs = impl.bound()
        if theirs is not None and bound.arguments:
            for one, other in zip(theirs.arguments, bound.arguments, strict=False):
                if not unifier.unify(self.instance(one, mapping), other):
                    return None
        for written, needs in impl.bounds():
            subject = substitute(written, mapping)
            needs = substitute_bound(needs, mapping)
            if not self.holds(subject, needs, depth + 1) or not self._binds(subject, needs, depth + 1):
                return None
        return mapping

    def _binds(self, subject: Type, needs: Bound, depth: int) -> bool:
        """Whether the associated types are as a bound says; gives parameters that only they tell of."""
        if needs.path in FN_TRAITS:
            self.bind_output(subject, needs)
            return True
        if not needs.bindings or _DEEPEST < depth:
            return True
        whole = Bound(needs.path, needs.trait, needs.arguments)
        for name, want in needs.bindings:
            have = self.project(self.normal(subject), whole, name, depth)
            if have is not None and not self.unifier.unify(have, self.normal(want)):
                return False
        return True

    def matches(self, type_: Type, bound: Bound, depth: int = 0) -> list[ImplInfo]:
        """The impls that may be the one of `type_: bound`; one where all is known. Binds nothing."""
        info = self.world.trait_info(bound)
        if info is None:
            return []
        place = self._place(type_, bound)
        if place is None:
            return self._matches(type_, bound, info, depth)
        memo, key = place
        if key in memo.matched:
            return memo.matched[key]
        found = self._matches(type_, bound, info, depth)
        if self.spent <= _MOST_TRIALS:
            # What was given up is no answer for others.
            memo.matched[key] = found
        return found

    def _place(self, type_: Type, bound: Bound) -> tuple[Memo, Hashable] | None:
        """
        Where and under what the answer on `type_: bound` is remembered.

        For all bodies if nothing in it is one body's own, for this body if no
        variable is open; None otherwise.
        """
        arguments = bound.arguments
        if not self.bounded and is_ground(type_) and (not arguments or all(map(is_ground, arguments))):
            return self.world.memo, (type_, bound.path, bound.trait, arguments, self.test, self.active)
        type_ = self.unifier.zonk(type_)
        if not is_closed(type_):
            return None
        if arguments:
            arguments = tuple([self.unifier.zonk(one) for one in arguments])
            if not all(map(is_closed, arguments)):
                return None
        return self.memo, (type_, bound.path, bound.trait, arguments)

    def _matches(self, type_: Type, bound: Bound, info: TraitInfo, depth: int) -> list[ImplInfo]:
        if type(type_) is Adt and not bound.arguments:
            sure = info.sure_impl(type_, self.test, self.active)
            if sure is not None:
                return [sure]
        found = []
        pending = len(self.pending)
        for impl in candidates(type_, info, self.test, self.active):
            mark = len(self.unifier.trail)
            if self.fits(impl, type_, bound, depth) is not None:
                found.append(impl)
            self.unifier.rollback(mark)
            del self.pending[pending:]
        if 1 < len(found):
            # A specific impl hides a blanket one: they can't both apply, so a bound of the blanket one is unknown.
            specific = [impl for impl in found if impl.head != "*"]
            if specific:
                return specific
        return found

    def chosen(
        self, type_: Type, bound: Bound, depth: int = 0
    ) -> tuple[ImplInfo, dict[Generic, Type]] | None:
        """The one impl of `type_: bound`, with its header unified; None where there is none or a choice."""
        found = self.matches(type_, bound)
        if len(found) != 1:
            return None
        mapping = self.fits(found[0], type_, bound)
        if mapping is None:
            return None
        if depth < _DEEPEST_CHOICE:
            for subject, needs in found[0].bounds():
                if needs.arguments and needs.path not in FN_TRAITS:
                    inner = self.unifier.shallow(substitute(subject, mapping))
                    if not isinstance(inner, Variable):
                        self.chosen_for(inner, self.normal_bound(needs, mapping), depth + 1)
        return found[0], mapping

    def chosen_for(self, type_: Type, bound: Bound, depth: int = 0) -> None:
        """Unify the arguments of a bound with those of the one impl, or the one declared bound, that fits."""
        if self.is_bounded(type_):
            same = [
                one
                for one in self.bounds_of(self.unifier.zonk(type_))
                if one.path == bound.path and one.trait == bound.trait
            ]
            if len(same) == 1:
                mark = len(self.unifier.trail)
                if not self.unifier.unify_all(same[0].arguments, bound.arguments):
                    self.unifier.rollback(mark)
                return
        self.chosen(type_, bound, depth)

    # Does it hold?

    def holds(self, type_: Type, bound: Bound, depth: int = 0) -> bool:
        """Whether a type may implement a trait. Binds nothing for sure, but may unify a bound's arguments."""
        type_ = self.unifier.shallow(type_)
        if type(type_) is Projection:
            type_ = self.normal(type_)
        if type(type_) is Variable and type_.kind:
            type_ = Primitive("i32" if type_.kind == "int" else "f64")
        path = bound.path
        if type(type_) in _ANYTHING or path in AUTO or _DEEPEST < depth:
            return True
        place = self._place(type_, bound)
        if place is None:
            return self._holds(type_, bound, depth)
        memo, key = place
        whole = (key, bool(depth))
        if whole in memo.held:
            return memo.held[whole]
        found = self._holds(type_, bound, depth)
        if self.spent <= _MOST_TRIALS:
            memo.held[whole] = found
        return found

    def _holds(self, type_: Type, bound: Bound, depth: int) -> bool:
        path = bound.path
        if path in FN_TRAITS or path in ASYNC_FN:
            return self._callable(type_, depth)
        if path == DEREF and type(type_) is Reference:
            return True
        if self.is_bounded(type_):
            for one in self.bounds_of(self.unifier.zonk(type_)):
                if one.path == path and one.trait == bound.trait:
                    mark = len(self.unifier.trail)
                    if self.unifier.unify_all(one.arguments, bound.arguments):
                        return True
                    self.unifier.rollback(mark)
        info = self.world.trait_info(bound)
        if info is None:
            return True
        if type(type_) is Adt:
            derives = self.world.info_of(type_)
            if type_.definition is None and (derives is None or (depth and info.is_sketched)):
                return True
            if derives is not None and path.rpartition("::")[2] in derives.derives:
                return True
            if depth and type_.definition is None and path in STRUCTURAL:
                # The stubs don't list them all; a bound that is there was checked by the compiler.
                return True
            if not bound.arguments and info.sure_impl(type_, self.test, self.active) is not None:
                return True
        elif path in STRUCTURAL:
            by_parts = self._by_parts(type_, path, depth)
            if by_parts is not None:
                return by_parts
        pending = len(self.pending)
        for impl in candidates(type_, info, self.test, self.active):
            mark = len(self.unifier.trail)
            fits = self.fits(impl, type_, bound, depth + 1)
            self.unifier.rollback(mark)
            del self.pending[pending:]
            if fits is not None:
                return True
        return bool(depth) and info.is_sketched and type(type_) is not Adt

    def _by_parts(self, type_: Type, path: str, depth: int) -> bool | None:
        """Whether a type implements a trait that it has where its parts do; None where impls tell."""
        match type_:
            case Tuple(elements=elements):
                return all(self.holds(one, Bound(path), depth + 1) for one in elements)
            case Array(inner=inner):
                return self.holds(inner, Bound(path), depth + 1)
            case Reference(inner=inner, mutable=mutable):
                if path in ("std::clone::Clone", "std::marker::Copy"):
                    return not mutable
                return path != "std::default::Default" and self.holds(inner, Bound(path), depth + 1)
            case Closure() | FunctionPointer() | FunctionValue() | Pointer():
                return True
        return None

    def _callable(self, type_: Type, depth: int) -> bool:
        match type_:
            case Closure() | FunctionPointer() | FunctionValue():
                return True
            case Reference(inner=inner):
                return self.holds(inner, Bound("std::ops::Fn"), depth + 1)
            case Generic() | Projection() | Dyn() | Opaque():
                return any(one.path in FN_TRAITS or one.path in ASYNC_FN for one in self.bounds_of(type_))
            case Adt(path=path, arguments=(inner, *_)) if path in POINTERS:
                return self.holds(inner, Bound("std::ops::Fn"), depth + 1)
        return False

    # Associated types.

    def instance(self, type_: Type, mapping: Mapping[Generic, Type]) -> Type:
        """A signature's type with its parameters replaced and its projections reduced."""
        if type(type_) is Generic:
            return self.normal(mapping.get(type_, type_))
        if type(type_) is Primitive or is_ground(type_):
            return type_
        return self.normal(substitute(type_, mapping))

    def normal(self, type_: Type) -> Type:
        """The type with its projections reduced as far as is known; those of open variables wait."""
        if type(type_) is Projection:
            return self._normal_projection(type_)
        if type(type_) in ATOMS or is_reduced(type_):
            return type_
        return rebuild(type_, self.normal)

    def normal_bound(self, bound: Bound, mapping: Mapping[Generic, Type]) -> Bound:
        """A bound with its parameters replaced and its projections reduced."""
        if not bound.arguments and not bound.bindings:
            return bound
        return rebuild_bound(bound, lambda one: self.instance(one, mapping))

    def _normal_projection(self, projection: Projection) -> Type:
        base = self.normal(projection.base)
        trait = rebuild_bound(projection.trait, self.normal)
        projection = Projection(base, trait, projection.name)
        found = self.project(base, trait, projection.name)
        if found is not None:
            return found
        variable = self.unifier.fresh()
        self.pending.append((projection, variable))
        return variable

    def settle(self) -> bool:
        """Reduce the projections whose base is known by now; whether any was."""
        moved = False
        if not self.pending:
            return False
        waiting, self.pending = self.pending, []
        for projection, variable in waiting:
            base = self.unifier.shallow(projection.base)
            if type(base) is Variable and not base.kind:
                self.pending.append((projection, variable))
                continue
            found = self.project(base, projection.trait, projection.name)
            if found is None:
                self.pending.append((projection, variable))
            else:
                moved = True
                self.unifier.unify(variable, found)
        return moved

    def project(self, type_: Type, bound: Bound, name: str, depth: int = 0) -> Type | None:
        """`<type_ as bound>::name`; None while an open variable stands in the way."""
        type_ = self.unifier.shallow(type_)
        place = self._place(type_, bound)
        memo, key = place if place is not None else (self.memo, None)
        whole = (key, name)
        if place is not None and whole in memo.projected:
            return memo.projected[whole]
        if place is not None and whole in self.projecting:
            self.circles.add(whole)
            return UNKNOWN
        if _LONGEST < len(self.projecting):
            return UNKNOWN
        self.projecting.append(whole)
        found = self._project(type_, bound, name, depth)
        self.projecting.pop()
        if self.circles:
            # All that takes part in the circle is unknown, wherever it was entered.
            found = UNKNOWN
            self.circles.discard(whole)
        if place is None:
            return found
        if found is not None and (is_ground(found) if memo is self.world.memo else is_closed(found)):
            memo.projected[whole] = found
        return found

    def _project(self, type_: Type, bound: Bound, name: str, depth: int) -> Type | None:
        if type(type_) is Variable:
            if not type_.kind:
                return None
            type_ = Primitive("i32" if type_.kind == "int" else "f64")
        if type(type_) in _ANYTHING or _DEEPEST < depth:
            return UNKNOWN
        if not bound.path:
            found_bound = self._trait_with(type_, name)
            if found_bound is None:
                return UNKNOWN
            bound = found_bound
        if bound.path in FN_TRAITS and name == "Output":
            return self.output_of(type_)
        if bound.path == DEREF and type(type_) is Reference:
            return type_.inner
        if self.is_bounded(type_):
            whole = self.unifier.zonk(type_)
            declared = False
            for one in self.bounds_of(whole):
                if one.path != bound.path or one.trait != bound.trait:
                    continue
                mark = len(self.unifier.trail)
                if not self.unifier.unify_all(one.arguments, bound.arguments):
                    self.unifier.rollback(mark)
                    continue
                declared = True
                for key, value in one.bindings:
                    if key == name:
                        return self.normal(value) if value != Projection(type_, bound, name) else value
            if declared:
                return Projection(whole, bound, name)
        info = self.world.trait_info(bound)
        if info is None:
            return UNKNOWN
        found = self.matches(type_, bound, depth + 1)
        if len(found) != 1:
            if found and not agree_on(found, name):
                return None if self._is_open(type_, bound) else UNKNOWN
            if not found:
                return UNKNOWN
        mapping = self.fits(found[0], type_, bound, depth + 1)
        if mapping is None:
            return UNKNOWN
        written = found[0].type_named(name)
        if written is None:
            item = info.types.get(name)
            if item is None or item.type is None:
                return UNKNOWN
            return self.instance(info.scope.type(item.type), info.mapping(type_, bound))
        return self.instance(written, mapping)

    def _is_open(self, type_: Type, bound: Bound) -> bool:
        return not all(is_closed(self.unifier.zonk(one)) for one in (type_, *bound.arguments))

    def _trait_with(self, type_: Type, name: str) -> Bound | None:
        """The trait that gives a type an associated type of that name."""
        if self.is_bounded(type_):
            for one in self.bounds_of(self.unifier.zonk(type_)):
                info = self.world.trait_info(one)
                if info is not None and name in info.types:
                    return one
        for info in self.world.type_declaring.get(name, ()):
            bound = Bound(info.path, info.id)
            if self.matches(type_, bound):
                return bound
        return None

    # Dereferencing.

    def derefs(self, type_: Type) -> Iterator[Type]:
        """The type, and what it dereferences to, step by step."""
        for _ in range(_DEREFS):
            if type(type_) is Variable:
                type_ = self.unifier.shallow(type_)
            if type(type_) is Projection:
                type_ = self.unifier.shallow(self.normal(type_))
            yield type_
            following = self.deref(type_)
            if following is None:
                return
            type_ = following

    def deref_any(self, type_: Type) -> Type | None:
        """What `*x` is, raw pointers too."""
        return type_.inner if isinstance(type_, Pointer) else self.deref(type_)

    def deref(self, type_: Type) -> Type | None:
        """What `*x` is; None where it is nothing."""
        if type(type_) is Reference:
            return type_.inner
        if type(type_) is Adt:
            info = self.world.foreign_traits.get(DEREF)
            if info is None or type_.path not in info.impls:
                return None
            found = self.project(type_, _DEREF_BOUND, "Target")
            return None if type(found) is Unknown else found
        if type(type_) in DECLARED:
            for one in self.bounds_of(self.unifier.zonk(type_)):
                if one.path == DEREF:
                    return self.project(type_, one, "Target")
        return None
