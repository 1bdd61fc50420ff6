"""
Types as the program knows them: names resolved, aliases looked through.

A `Type` is a plain value. What could not be found out is `Unknown`, which
never unifies with anything by accident: it only loses information.
Type paths of the standard library are normalised to `std::` (`core::` and
`alloc::` are rewritten) and to the module where the type is documented.

They are msgspec structs because those cost a sixth of a frozen dataclass to
make, and inference makes millions of them.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class TypeNoun(msgspec.Struct, frozen=True, array_like=True, gc=False, cache_hash=True, tag_field="tag_"):
    """A type: compared by content, its hash kept."""


class Adt(TypeNoun, frozen=True, tag=201):
    """
    A struct, enum or union; `definition` is its TypeId, None outside the workspace.

    `path` is whole: `core_crate::cache::CachePool`, `std::option::Option`.
    """

    path: str
    definition: int | None = None
    arguments: tuple[Type, ...] = ()


class Primitive(TypeNoun, frozen=True, tag=202):
    """`u32`, `bool`, `str`, `char`, ...; "int" and "float" are literals of unknown width."""

    name: str


class Reference(TypeNoun, frozen=True, tag=203):
    """`&T`, `&mut T`."""

    inner: Type
    mutable: bool = False


class Pointer(TypeNoun, frozen=True, tag=204):
    """`*const T`, `*mut T`."""

    inner: Type
    mutable: bool = False


class Tuple(TypeNoun, frozen=True, tag=205):
    """`(A, B)`; `()` is the empty one."""

    elements: tuple[Type, ...] = ()


class Slice(TypeNoun, frozen=True, tag=206):
    """`[T]`."""

    inner: Type


class Array(TypeNoun, frozen=True, tag=207):
    """`[T; N]`; the length is not kept."""

    inner: Type


class FunctionPointer(TypeNoun, frozen=True, tag=208):
    """`fn(A) -> B`, also a bound `Fn(A) -> B`."""

    parameters: tuple[Type, ...]
    returns: Type


class FunctionValue(TypeNoun, frozen=True, tag=209):
    """A function named as a value: `function` is its id, None outside the workspace."""

    path: str
    function: int | None = None
    arguments: tuple[Type, ...] = ()


class Closure(TypeNoun, frozen=True, tag=210):
    """The closure whose header is `row` in the judged body of `function`; `returns` as far as known."""

    function: int
    row: int
    returns: Type


class Generic(TypeNoun, frozen=True, tag=211):
    """A type parameter of the item `owner` ("f:12", "t:3", "i:7" for function, type or trait, impl)."""

    name: str
    owner: str


class Bound(TypeNoun, frozen=True, tag=212):
    """`Trait<A, Item = B>`: `trait` is a TraitId, None outside the workspace."""

    path: str
    trait: int | None = None
    arguments: tuple[Type, ...] = ()
    bindings: tuple[tuple[str, Type], ...] = ()


class Dyn(TypeNoun, frozen=True, tag=213):
    """`dyn A + B`."""

    bounds: tuple[Bound, ...]


class Opaque(TypeNoun, frozen=True, tag=214):
    """
    `impl A + B`; an async function's value is an Opaque with the bound
    `std::future::Future` and its binding `Output`. `function` is the function
    whose return type it is, with its type arguments; None elsewhere.
    """

    bounds: tuple[Bound, ...]
    function: int | None = None
    arguments: tuple[Type, ...] = ()


class Projection(TypeNoun, frozen=True, tag=215):
    """`<base as trait>::name` that could not be reduced."""

    base: Type
    trait: Bound
    name: str


class Never(TypeNoun, frozen=True, tag=216):
    """`!`."""


class Unknown(TypeNoun, frozen=True, tag=217):
    """Not known."""


class Variable(TypeNoun, frozen=True, tag=218):
    """
    A type that inference has yet to find. `kind` is "int" or "float" for a
    literal's, else "". None is left when a function has been judged.
    """

    id: int
    kind: str = ""


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
    | Variable
)

UNKNOWN = Unknown()
UNIT = Tuple()
NEVER = Never()
