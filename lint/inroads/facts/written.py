"""Types, patterns and attributes as they are written; no name is resolved."""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class Plain(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A value with no identity: compared by content, encoded as an array."""


class Tagged(Plain, frozen=True, tag_field="tag_"):
    """A member of a closed union; its tag is the first element of the array."""


class Segment(Tagged, frozen=True, tag=1):
    """
    One segment of a path: `Vec<T>` in `std::vec::Vec<T>`.

    `arguments` are the generic type and const arguments (lifetimes are left
    out); `bindings` are `Item = T` and, for `Fn(A, B) -> C`, the pair
    `("Output", C)` with `arguments` being one tuple type.
    """

    name: str
    arguments: tuple[TypeRef, ...] = ()
    bindings: tuple[tuple[str, TypeRef], ...] = ()


class PathType(Tagged, frozen=True, tag=2):
    """`a::b::C<D>`, or `<qself as trait>::C` where the trait's segments come first in `segments`.

    For `<T as a::Trait>::Item`: qself=T, trait_length=2, segments=(a, Trait, Item).
    For `<T>::Item`: qself=T, trait_length=0. For a plain path: qself=None.
    A leading `::` is a first segment with the empty name.
    """

    segments: tuple[Segment, ...]
    qself: TypeRef | None = None
    trait_length: int = 0


class RefType(Tagged, frozen=True, tag=3):
    """`&T`, `&mut T`."""

    inner: TypeRef
    mutable: bool = False


class PointerType(Tagged, frozen=True, tag=4):
    """`*const T`, `*mut T`."""

    inner: TypeRef
    mutable: bool = False


class TupleType(Tagged, frozen=True, tag=5):
    """`(A, B)`; `()` is the empty one."""

    elements: tuple[TypeRef, ...] = ()


class SliceType(Tagged, frozen=True, tag=6):
    """`[T]`."""

    inner: TypeRef


class ArrayType(Tagged, frozen=True, tag=7):
    """`[T; N]`, the length as text."""

    inner: TypeRef
    length: str = ""


class FunctionType(Tagged, frozen=True, tag=8):
    """`fn(A) -> B`; `returns` None means unit."""

    parameters: tuple[TypeRef, ...] = ()
    returns: TypeRef | None = None


class NeverType(Tagged, frozen=True, tag=9):
    """`!`."""


class InferredType(Tagged, frozen=True, tag=10):
    """`_`, and whatever could not be read."""


class DynType(Tagged, frozen=True, tag=11):
    """`dyn A + B`; lifetimes left out. A bound is a PathType."""

    bounds: tuple[TypeRef, ...] = ()


class ImplType(Tagged, frozen=True, tag=12):
    """`impl A + B`."""

    bounds: tuple[TypeRef, ...] = ()


class MacroType(Tagged, frozen=True, tag=13):
    """A macro call in type position: the path, the text of its token tree, delimiters included, where it begins."""

    path: tuple[str, ...]
    text: str
    start: int


class ConstArgument(Tagged, frozen=True, tag=14):
    """A const generic argument, as text."""

    text: str


TypeRef: TypeAlias = (
    PathType
    | RefType
    | PointerType
    | TupleType
    | SliceType
    | ArrayType
    | FunctionType
    | NeverType
    | InferredType
    | DynType
    | ImplType
    | MacroType
    | ConstArgument
)


class GenericParameter(Plain, frozen=True):
    """A type or const parameter with its inline bounds (PathTypes); `const_type` is set for `const N: T`."""

    name: str
    bounds: tuple[TypeRef, ...] = ()
    default: TypeRef | None = None
    const_type: TypeRef | None = None


class Generics(Plain, frozen=True):
    """Type and const parameters in order (lifetimes left out), and the where clauses as (type, bounds)."""

    parameters: tuple[GenericParameter, ...] = ()
    where: tuple[tuple[TypeRef, tuple[TypeRef, ...]], ...] = ()


class WildcardPattern(Tagged, frozen=True, tag=20):
    """`_`."""

    start: int
    end: int


class RestPattern(Tagged, frozen=True, tag=21):
    """`..` inside a tuple, tuple struct or slice pattern."""

    start: int
    end: int


class BindingPattern(Tagged, frozen=True, tag=22):
    """
    `x`, `mut x`, `ref x`, `x @ sub`; also a bare name that may turn out to be
    a unit variant, unit struct or constant once names are resolved.
    """

    start: int
    end: int
    name: str
    sub: Pattern | None = None
    mutable: bool = False
    by_reference: bool = False


class PathPattern(Tagged, frozen=True, tag=23):
    """A path of two or more segments: `Kind::Empty`, `i32::MAX`."""

    start: int
    end: int
    path: PathType


class TupleStructPattern(Tagged, frozen=True, tag=24):
    """`Some(x)`, `Shape::Circle(r, ..)`."""

    start: int
    end: int
    path: PathType
    elements: tuple[Pattern, ...] = ()


class StructPattern(Tagged, frozen=True, tag=25):
    """`Point { x, y: 0, .. }`: pairs of field name and pattern; a shorthand field is a BindingPattern."""

    start: int
    end: int
    path: PathType
    fields: tuple[tuple[str, Pattern], ...] = ()
    rest: bool = False


class TuplePattern(Tagged, frozen=True, tag=26):
    """`(a, b, ..)`."""

    start: int
    end: int
    elements: tuple[Pattern, ...] = ()


class SlicePattern(Tagged, frozen=True, tag=27):
    """`[first, .., last]`."""

    start: int
    end: int
    elements: tuple[Pattern, ...] = ()


class ReferencePattern(Tagged, frozen=True, tag=28):
    """`&p`, `&mut p`."""

    start: int
    end: int
    inner: Pattern


class OrPattern(Tagged, frozen=True, tag=29):
    """`A | B`."""

    start: int
    end: int
    alternatives: tuple[Pattern, ...] = ()


class LiteralPattern(Tagged, frozen=True, tag=30):
    """A literal, a range or a const block, as text."""

    start: int
    end: int
    text: str


class MacroPattern(Tagged, frozen=True, tag=31):
    """A macro call in pattern position."""

    start: int
    end: int
    path: tuple[str, ...]
    text: str


Pattern: TypeAlias = (
    WildcardPattern
    | RestPattern
    | BindingPattern
    | PathPattern
    | TupleStructPattern
    | StructPattern
    | TuplePattern
    | SlicePattern
    | ReferencePattern
    | OrPattern
    | LiteralPattern
    | MacroPattern
)


class Attribute(Plain, frozen=True):
    """
    `#[path(text)]` or `#[path = text]`.

    The path is joined by `::`, the rest is text without its delimiters or `=`.
    """

    path: str
    text: str = ""
    start: int = 0
    end: int = 0


class Parameter(Plain, frozen=True):
    """A parameter of a function or closure; `type` None where a closure leaves it out."""

    pattern: Pattern
    type: TypeRef | None = None
