"""
Types as the program knows them: names resolved, aliases looked through.

A `Type` is a plain value. What could not be found out is `Unknown`, which
never unifies with anything by accident: it only loses information.
Type paths of the standard library are normalised to `std::` (`core::` and
`alloc::` are rewritten) and to the module where the type is documented.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Adt:
    """
    A struct, enum or union; `definition` is its TypeId, None outside the workspace.

    `path` is whole: `core_crate::cache::CachePool`, `std::option::Option`.
    """

    path: str
    definition: int | None = None
    arguments: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Primitive:
    """`u32`, `bool`, `str`, `char`, ...; "int" and "float" are literals of unknown width."""

    name: str


@dataclass(frozen=True, slots=True)
class Reference:
    """`&T`, `&mut T`."""

    inner: Type
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class Pointer:
    """`*const T`, `*mut T`."""

    inner: Type
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class Tuple:
    """`(A, B)`; `()` is the empty one."""

    elements: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Slice:
    """`[T]`."""

    inner: Type


@dataclass(frozen=True, slots=True)
class Array:
    """`[T; N]`; the length is not kept."""

    inner: Type


@dataclass(frozen=True, slots=True)
class FunctionPointer:
    """`fn(A) -> B`, also a bound `Fn(A) -> B`."""

    parameters: tuple[Type, ...]
    returns: Type


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function named as a value: `function` is its id, None outside the workspace."""

    path: str
    function: int | None = None
    arguments: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Closure:
    """The closure whose header is `row` in the judged body of `function`; `returns` as far as known."""

    function: int
    row: int
    returns: Type


@dataclass(frozen=True, slots=True)
class Generic:
    """A type parameter of the item `owner` ("f:12", "t:3", "i:7" for function, type or trait, impl)."""

    name: str
    owner: str


@dataclass(frozen=True, slots=True)
class Bound:
    """`Trait<A, Item = B>`: `trait` is a TraitId, None outside the workspace."""

    path: str
    trait: int | None = None
    arguments: tuple[Type, ...] = ()
    bindings: tuple[tuple[str, Type], ...] = ()


@dataclass(frozen=True, slots=True)
class Dyn:
    """`dyn A + B`."""

    bounds: tuple[Bound, ...]


@dataclass(frozen=True, slots=True)
class Opaque:
    """
    `impl A + B`; an async function's value is an Opaque with the bound
    `std::future::Future` and its binding `Output`.
    """

    bounds: tuple[Bound, ...]


@dataclass(frozen=True, slots=True)
class Projection:
    """`<base as trait>::name` that could not be reduced."""

    base: Type
    trait: str
    name: str


@dataclass(frozen=True, slots=True)
class Never:
    """`!`."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not known."""


Type: TypeAlias = (
    Adt
    | Primitive
    | Reference
    | Pointer
    | Tuple
    | Slice
    | Array
    | FunctionPointer
    | FunctionValue
    | Closure
    | Generic
    | Dyn
    | Opaque
    | Projection
    | Never
    | Unknown
)

UNKNOWN = Unknown()
UNIT = Tuple()
NEVER = Never()
