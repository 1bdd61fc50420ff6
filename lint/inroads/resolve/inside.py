"""
Types taken apart and put together again: one small function for each kind of type, in a table by kind.

What holds of a type by its content alone (that it is ground, closed, not too large) is remembered
for all bodies, since the same types come again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar

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
    Slice,
    Tuple,
    Type,
    Unknown,
    Variable,
)

Step: TypeAlias = Callable[[Type], Type]

# Types nest no deeper than this; a type that would is cut off as Unknown.
DEEPEST_TYPE = 40
# And has no more parts: `let a = (a, a);` doubles it with every line.
LARGEST_TYPE = 1_000

ATOMS = frozenset({Primitive, Variable, Never, Unknown, Generic})
"""Kinds of types that nothing stands in."""

DECLARED = frozenset({Generic, Projection, Dyn, Opaque})
"""Kinds of types of which bounds tell what they implement."""

# The owner of the parameters that tell functions named as values apart.
VALUE = "value"


def rebuild(type_: Type, step: Step) -> Type:
    """The same type with `step` applied to each type directly inside it; the same object if none changed."""
    inside = _REBUILT.get(type(type_))
    return type_ if inside is None else inside(type_, step)


def _adt(type_: Adt, step: Step) -> Type:
    if not type_.arguments:
        return type_
    arguments = _all(type_.arguments, step)
    return type_ if arguments is type_.arguments else Adt(type_.path, type_.definition, arguments)


def _reference(type_: Reference, step: Step) -> Type:
    inner = step(type_.inner)
    return type_ if inner is type_.inner else Reference(inner, type_.mutable)


def _tuple(type_: Tuple, step: Step) -> Type:
    elements = _all(type_.elements, step)
    return type_ if elements is type_.elements else Tuple(elements)


def _slice(type_: Slice, step: Step) -> Type:
    inner = step(type_.inner)
    return type_ if inner is type_.inner else Slice(inner)


def _array(type_: Array, step: Step) -> Type:
    inner = step(type_.inner)
    return type_ if inner is type_.inner else Array(inner)


def _pointer(type_: Pointer, step: Step) -> Type:
    inner = step(type_.inner)
    return type_ if inner is type_.inner else Pointer(inner, type_.mutable)


def _function_pointer(type_: FunctionPointer, step: Step) -> Type:
    parameters = _all(type_.parameters, step)
    returns = step(type_.returns)
    if parameters is type_.parameters and returns is type_.returns:
        return type_
    return FunctionPointer(parameters, returns)


def _function_value(type_: FunctionValue, step: Step) -> Type:
    arguments = _all(type_.arguments, step)
    if arguments is type_.arguments:
        return type_
    return FunctionValue(type_.path, type_.function, arguments)


def _closure(type_: Closure, step: Step) -> Type:
    returns = step(type_.returns)
    return type_ if returns is type_.returns else Closure(type_.function, type_.row, returns)


def _dyn(type_: Dyn, step: Step) -> Type:
    bounds = _bounds(type_.bounds, step)
    return type_ if bounds is type_.bounds else Dyn(bounds)


def _opaque(type_: Opaque, step: Step) -> Type:
    bounds = _bounds(type_.bounds, step)
    arguments = _all(type_.arguments, step)
    if bounds is type_.bounds and arguments is type_.arguments:
        return type_
    return Opaque(bounds, type_.function, arguments)


def _projection(type_: Projection, step: Step) -> Type:
    base = step(type_.base)
    trait = rebuild_bound(type_.trait, step)
    if base is type_.base and trait is type_.trait:
        return type_
    return Projection(base, trait, type_.name)


# Any: each function takes the kind that it stands for.
_REBUILT: dict[type, Callable[[Any, Step], Type]] = {
    Adt: _adt,
    Reference: _reference,
    Tuple: _tuple,
    Slice: _slice,
    Array: _array,
    Pointer: _pointer,
    FunctionPointer: _function_pointer,
    FunctionValue: _function_value,
    Closure: _closure,
    Dyn: _dyn,
    Opaque: _opaque,
    Projection: _projection,
}


def rebuild_bound(bound: Bound, step: Step) -> Bound:
    """The same bound with `step` applied to its arguments and bindings."""
    if not bound.arguments and not bound.bindings:
        return bound
    arguments = _all(bound.arguments, step)
    bindings = bound.bindings
    if bindings:
        made = tuple([(name, step(one)) for name, one in bindings])
        if any(new[1] is not old[1] for new, old in zip(made, bindings, strict=True)):
            bindings = made
    if arguments is bound.arguments and bindings is bound.bindings:
        return bound
    return Bound(bound.path, bound.trait, arguments, bindings)


def _all(types: tuple[Type, ...], step: Step) -> tuple[Type, ...]:
    changed = None
    for at, one in enumerate(types):
        new = step(one)
        if new is not one:
            if changed is None:
                changed = list(types)
            changed[at] = new
    return types if changed is None else tuple(changed)


def _bounds(bounds: tuple[Bound, ...], step: Step) -> tuple[Bound, ...]:
    made = tuple([rebuild_bound(one, step) for one in bounds])
    return bounds if all(new is old for new, old in zip(made, bounds, strict=True)) else made


def substitute(type_: Type, mapping: Mapping[Generic, Type]) -> Type:
    """The type with type parameters replaced; a parameter that the mapping lacks stays."""
    if not mapping:
        return type_

    def step(one: Type) -> Type:
        kind = type(one)
        if kind is Generic:
            return mapping.get(one, one)  # type: ignore[arg-type]  # kind says it is a Generic
        if kind in ATOMS or is_ground(one):
            return one
        return rebuild(one, step)

    return step(type_)


def substitute_bound(bound: Bound, mapping: Mapping[Generic, Type]) -> Bound:
    """The bound with type parameters replaced."""
    if not bound.arguments and not bound.bindings:
        return bound
    return rebuild_bound(bound, lambda one: substitute(one, mapping))


_MOST_REMEMBERED = 200_000
_GROUND: dict[Type, bool] = {}
_CLOSED: dict[Type, bool] = {}
_REDUCED: dict[Type, bool] = {}
_FITTING: dict[Type, Type] = {}
Known = TypeVar("Known")


def _remember(known: dict[Type, Known], type_: Type, found: Known) -> None:
    if _MOST_REMEMBERED < len(known):
        known.clear()
    known[type_] = found


def is_ground(type_: Type) -> bool:
    """Whether nothing in a type can be replaced or reduced: no parameter, variable or projection. Remembered."""
    found = _GROUND.get(type_)
    if found is None:
        # Closures and functions as values mean something in their own body only.
        found = type(type_) not in _OWN and all(is_ground(one) for one in parts(type_))
        _remember(_GROUND, type_, found)
    return found


_OWN = frozenset({Variable, Generic, Projection, Closure, FunctionValue})


def is_closed(type_: Type) -> bool:
    """Whether no variable stands in a type, but for those of literals, which change no answer. Remembered."""
    found = _CLOSED.get(type_)
    if found is None:
        if type(type_) is Variable:
            found = type_.kind != ""
        else:
            found = all(is_closed(one) for one in parts(type_))
        _remember(_CLOSED, type_, found)
    return found


def is_reduced(type_: Type) -> bool:
    """Whether no projection stands in a type. Remembered."""
    found = _REDUCED.get(type_)
    if found is None:
        found = type(type_) is not Projection and all(is_reduced(one) for one in parts(type_))
        _remember(_REDUCED, type_, found)
    return found


def trimmed(type_: Type) -> Type:
    """
    The type, or Unknown for one that is too deep or too large to be followed.

    What is not is remembered, and of equal types the same object is answered: that compares faster.
    """
    found = _FITTING.get(type_)
    if found is None:
        found = type_ if _fits(type_) else UNKNOWN
        _remember(_FITTING, type_, found)
    return found


def _fits(type_: Type) -> bool:
    level: tuple[Type, ...] | list[Type] = parts(type_)
    count = 0
    for _ in range(DEEPEST_TYPE):
        if not level:
            return True
        count += len(level)
        if LARGEST_TYPE < count:
            break
        level = [inner for one in level if type(one) not in ATOMS for inner in parts(one)]
    return False


def parts(type_: Type) -> tuple[Type, ...]:
    """The types directly inside a type."""
    found = _PARTS.get(type(type_))
    return () if found is None else found(type_)


def _inner(type_: Reference | Pointer | Slice | Array) -> tuple[Type, ...]:
    return (type_.inner,)


def _closure_parts(type_: Closure) -> tuple[Type, ...]:
    return (type_.returns,)


def _function_pointer_parts(type_: FunctionPointer) -> tuple[Type, ...]:
    return (*type_.parameters, type_.returns)


def _dyn_parts(type_: Dyn) -> tuple[Type, ...]:
    return tuple([one for bound in type_.bounds for one in bound_parts(bound)])


def _opaque_parts(type_: Opaque) -> tuple[Type, ...]:
    return (*(one for bound in type_.bounds for one in bound_parts(bound)), *type_.arguments)


def _projection_parts(type_: Projection) -> tuple[Type, ...]:
    return (type_.base, *bound_parts(type_.trait))


# Any: each function takes the kind that it stands for.
_PARTS: dict[type, Callable[[Any], tuple[Type, ...]]] = {
    Adt: attrgetter("arguments"),
    Reference: _inner,
    Pointer: _inner,
    Slice: _inner,
    Array: _inner,
    Tuple: attrgetter("elements"),
    FunctionPointer: _function_pointer_parts,
    FunctionValue: attrgetter("arguments"),
    Closure: _closure_parts,
    Dyn: _dyn_parts,
    Opaque: _opaque_parts,
    Projection: _projection_parts,
}


def bound_parts(bound: Bound) -> tuple[Type, ...]:
    """The types directly inside a bound."""
    if not bound.bindings:
        return bound.arguments
    return (*bound.arguments, *(one for _, one in bound.bindings))


def head_of_type(type_: Type) -> str:
    """The key of a type's outermost constructor, as `impls.head_of` writes it; "" where any impl may fit."""
    if type(type_) is Adt:
        return type_.path
    if type(type_) is Primitive:
        return type_.name
    if type(type_) is Tuple:
        return f"({len(type_.elements)})" if type_.elements else "()"
    if type(type_) is Dyn:
        return f"dyn {type_.bounds[0].path}" if type_.bounds else ""
    return _HEADS.get(type(type_), "")


_HEADS: dict[type, str] = {
    Reference: "&",
    Pointer: "*",
    Slice: "[]",
    Array: "[]",
    FunctionPointer: "fn",
    Never: "!",
}
