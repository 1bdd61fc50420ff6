"""
Unification with an undo log.

A `Unifier` belongs to one body. Its variables are bound once; what was bound
in a trial (does this impl fit?) is taken back by `rollback`. `Unknown` fits
everything and binds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inroads.resolve.inside import ATOMS, DEEPEST_TYPE, LARGEST_TYPE, is_ground, parts, rebuild, trimmed
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
    Opaque,
    Pointer,
    Primitive,
    Projection,
    Reference,
    Slice,
    Tuple,
    Type,
    Unknown,
    Variable,
)

INTEGERS = frozenset(["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"])
FLOATS = frozenset(["f16", "f32", "f64", "f128"])


class Unifier:
    """The variables of one body and what they are bound to."""

    __slots__ = ("bindings", "closures", "left", "trail")

    def __init__(self) -> None:
        # What closures give, by the row of their header; their types don't say it before they are closed.
        self.closures: dict[int, Type] = {}
        self.bindings: list[Type | None] = []
        self.trail: list[int] = []
        # How many parts a walk may still visit: through variables a small type may stand for a huge one.
        self.left = 0

    def fresh(self, kind: str = "") -> Variable:
        """A new variable; `kind` "int" or "float" for a literal's type."""
        self.bindings.append(None)
        return Variable(len(self.bindings) - 1, kind)

    def shallow(self, type_: Type) -> Type:
        """What a variable is bound to, or the type itself; what is inside is left as it is."""
        bindings = self.bindings
        while type(type_) is Variable:
            bound = bindings[type_.id]
            if bound is None:
                return type_
            type_ = bound
        return type_

    def zonk(self, type_: Type) -> Type:
        """The type with all bound variables replaced, also inside."""
        if type(type_) is Variable:
            type_ = self.shallow(type_)
        if type(type_) in ATOMS or is_ground(type_):
            return type_
        self.left = LARGEST_TYPE
        return self._zonk(type_, 0)

    def _zonk(self, type_: Type, depth: int) -> Type:
        if type(type_) is Variable:
            type_ = self.shallow(type_)
        if type(type_) in ATOMS or is_ground(type_):
            return type_
        self.left -= 1
        if DEEPEST_TYPE < depth or self.left < 0:
            return UNKNOWN
        return rebuild(type_, lambda one: self._zonk(one, depth + 1))

    def close(self, type_: Type) -> Type:
        """The final type: open literals become `i32` and `f64`, other open variables Unknown."""
        self.left = LARGEST_TYPE
        return self._close(type_, 0)

    def _close(self, type_: Type, depth: int) -> Type:
        if type(type_) is Variable:
            type_ = self.shallow(type_)
            if type(type_) is Variable:
                return _LITERALS.get(type_.kind, UNKNOWN)
        if type(type_) in ATOMS or is_ground(type_):
            return type_
        self.left -= 1
        if DEEPEST_TYPE < depth or self.left < 0:
            return UNKNOWN
        if type(type_) is Closure:
            returns = self.closures.get(type_.row, UNKNOWN)
            return Closure(type_.function, type_.row, self._close(returns, depth + 8))
        if type(type_) is FunctionValue:
            return FunctionValue(type_.path, type_.function)
        return rebuild(type_, lambda one: self._close(one, depth + 1))

    def rollback(self, mark: int) -> None:
        """Take back every binding made since the trail was `mark` long."""
        trail = self.trail
        while mark < len(trail):
            self.bindings[trail.pop()] = None

    def bind(self, variable: Variable, type_: Type) -> bool:
        """Bind an open variable; False if a literal's kind forbids it, the type holds the variable or is too large."""
        if variable.kind:
            if type(type_) is Variable:
                if not type_.kind:
                    variable, type_ = type_, variable
                elif type_.kind != variable.kind:
                    return False
            elif type(type_) is not Primitive or type_.name not in (
                INTEGERS if variable.kind == "int" else FLOATS
            ):
                return False
        elif type(type_) not in ATOMS:
            if is_ground(type_):
                # It holds no variable, but may be too large.
                if trimmed(type_) is UNKNOWN:
                    return False
            else:
                self.left = LARGEST_TYPE
                if self._holds(type_, variable.id, 0):
                    return False
        self.bindings[variable.id] = type_
        self.trail.append(variable.id)
        return True

    def _holds(self, type_: Type, id: int, depth: int) -> bool:
        if type(type_) is Variable:
            type_ = self.shallow(type_)
            if type(type_) is Variable:
                return type_.id == id
        if type(type_) is Primitive or type(type_) is Generic:
            return False
        self.left -= 1
        if DEEPEST_TYPE < depth or self.left < 0:
            return True
        for one in parts(type_):  # noqa: SIM110  # a loop costs half of what `any` does
            if self._holds(one, id, depth + 1):
                return True
        return False

    def unify(self, left: Type, right: Type) -> bool:
        """
        Make two types equal; False if they can't be.

        What was bound before the difference was found stays bound: whoever
        only tries takes a mark of the trail first.
        """
        if left is right:
            return True
        if type(left) is Variable:
            left = self.shallow(left)
        if type(right) is Variable:
            right = self.shallow(right)
        if left is right or left == right:
            return True
        if type(left) is Variable:
            return type(right) is Unknown or self.bind(left, right)
        if type(right) is Variable:
            return type(left) is Unknown or self.bind(right, left)
        if type(left) is Unknown or type(right) is Unknown:
            return True
        if type(left) is not type(right):
            return False
        same = _SAME.get(type(left))
        return same is not None and same(self, left, right)

    def unify_bounds(self, left: Bound, right: Bound) -> bool:
        """Make the arguments and common bindings of two bounds of one trait equal."""
        if left.trait != right.trait or left.path != right.path:
            return False
        if not self.unify_all(left.arguments, right.arguments):
            return False
        other = dict(right.bindings)
        return all(self.unify(one, other[name]) for name, one in left.bindings if name in other)

    def unify_all(self, left: tuple[Type, ...], right: tuple[Type, ...]) -> bool:
        """Make two rows of types equal, as far as both go: arguments that were left out fit all."""
        for one, other in zip(left, right, strict=False):  # noqa: SIM110
            if not self.unify(one, other):
                return False
        return True


def _same_adt(unifier: Unifier, left: Adt, right: Adt) -> bool:
    if left.definition != right.definition or left.path != right.path:
        return False
    return unifier.unify_all(left.arguments, right.arguments)


def _same_pointed(unifier: Unifier, left: Reference | Pointer, right: Reference | Pointer) -> bool:
    return left.mutable == right.mutable and unifier.unify(left.inner, right.inner)


def _same_row(unifier: Unifier, left: Slice | Array, right: Slice | Array) -> bool:
    return unifier.unify(left.inner, right.inner)


def _same_tuple(unifier: Unifier, left: Tuple, right: Tuple) -> bool:
    if len(left.elements) != len(right.elements):
        return False
    return unifier.unify_all(left.elements, right.elements)


def _same_pointer(unifier: Unifier, left: FunctionPointer, right: FunctionPointer) -> bool:
    if len(left.parameters) != len(right.parameters):
        return False
    return unifier.unify_all(left.parameters, right.parameters) and unifier.unify(left.returns, right.returns)


def _same_value(unifier: Unifier, left: FunctionValue, right: FunctionValue) -> bool:
    if left.path != right.path or left.function != right.function:
        return False
    return unifier.unify_all(left.arguments, right.arguments)


def _same_closure(unifier: Unifier, left: Closure, right: Closure) -> bool:
    return left.row == right.row and left.function == right.function


def _same_dyn(unifier: Unifier, left: Dyn, right: Dyn) -> bool:
    if not left.bounds or not right.bounds:
        return True
    return unifier.unify_bounds(left.bounds[0], right.bounds[0])


def _same_opaque(unifier: Unifier, left: Opaque, right: Opaque) -> bool:
    if left.function != right.function or len(left.bounds) != len(right.bounds):
        return False
    return all(unifier.unify_bounds(a, b) for a, b in zip(left.bounds, right.bounds, strict=True))


def _same_projection(unifier: Unifier, left: Projection, right: Projection) -> bool:
    return left.name == right.name and unifier.unify(left.base, right.base)


_LITERALS: dict[str, Type] = {"int": Primitive("i32"), "float": Primitive("f64")}

# Of two types that are not equal but of one kind; kinds that are not here are equal or not.
# Any: each function takes the kind that it stands for.
_SAME: dict[type, Callable[[Unifier, Any, Any], bool]] = {
    Adt: _same_adt,
    Reference: _same_pointed,
    Pointer: _same_pointed,
    Slice: _same_row,
    Array: _same_row,
    Tuple: _same_tuple,
    FunctionPointer: _same_pointer,
    FunctionValue: _same_value,
    Closure: _same_closure,
    Dyn: _same_dyn,
    Opaque: _same_opaque,
    Projection: _same_projection,
}
