"""
What the default body of a trait's method does, and whether a wrapper could forward it at all.

    fn hint(&self) -> Option<u8> { None }                       constant
    fn put_all(&mut self, b: &[u8]) { while .. self.put(b) }    calls-self: put
    fn sync(&self, pool: &mut Pool) { pool.sync(self.id()) }    other
    fn identity(&self) -> TypeId { self.type_id() }             never
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from inroads.facts import (
    ArrayRow,
    Attribute,
    BlockRow,
    Body,
    BorrowRow,
    CallRow,
    CastRow,
    DiscardRow,
    FunctionItem,
    LetRow,
    LiteralRow,
    MacroRow,
    MethodCallRow,
    PathRow,
    PathType,
    PointerType,
    RefType,
    Row,
    StructRow,
    TupleRow,
    TypeRef,
    UnaryRow,
    WildcardPattern,
)

Shape: TypeAlias = Literal["constant", "calls-self", "other", "same"]

# A default that speaks of these answers for the very type that it is called on.
_IDENTITY = (
    "TypeId type_name type_name_of_val type_id addr_of addr_eq ptr_eq size_of size_of_val align_of needs_drop"
)
IDENTITY = frozenset(_IDENTITY.split())
HIDING = frozenset({"unstable", "rustc_deprecated", "deprecated"})


class Default(msgspec.Struct, frozen=True):
    """
    A default body.

    Args:
        shape: What it does.
        calls: The methods of self that it calls, sorted.
        text: The body as one short line of Rust, "" where it is longer than that.
        hands_self: Whether it gives `self` to somebody else, who may call any of its methods.
    """

    shape: Shape
    calls: tuple[str, ...]
    text: str
    hands_self: bool = False


def is_forwardable(item: FunctionItem) -> bool:
    """Whether a wrapper could hand the method on: it has a receiver by reference and is open to implementors."""
    if item.body is None or not borrows_self(item):
        return False
    if any(is_hiding(attribute) for attribute in item.head.attributes):
        return False
    if any(is_about_self(one.type) for one in item.parameters):
        return False
    return not any(is_named(of, "Self") and has_bound(bounds, "Sized") for of, bounds in item.generics.where)


def is_about_self(type_: TypeRef | None) -> bool:
    """Whether a type speaks of values for this very implementor, as `Formatted<Self>`: the inner value has its own."""
    while isinstance(type_, RefType | PointerType):
        type_ = type_.inner
    if not isinstance(type_, PathType):
        return False
    return any(
        is_named(argument, "Self") or is_about_self(argument)
        for segment in type_.segments
        for argument in segment.arguments
        if isinstance(argument, PathType | RefType)
    )


def borrows_self(item: FunctionItem) -> bool:
    """Whether the receiver is `&self`, `&mut self`, or a Pin of these."""
    match item.receiver, item.receiver_type:
        case (("ref" | "mut"), _):
            return True
        case "typed", RefType():
            return True
        case "typed", PathType(segments=segments):
            last = segments[-1]
            return last.name == "Pin" and len(last.arguments) == 1 and isinstance(last.arguments[0], RefType)
    return False


def default_of(body: Body, methods: Iterable[str]) -> Default | None:
    """
    What a default body does; None where it answers for the type itself and must never be forwarded.

    Args:
        methods: The names of the trait's methods and of its supertraits'.
    """
    rows = body.rows
    known = frozenset(methods)
    names = {name for row in rows for name in names_in(row)}
    if names & IDENTITY or any(isinstance(row, CastRow) and takes_address(row, rows) for row in rows):
        return None
    receivers = self_rows(rows)
    calls: set[str] = set()
    used: set[int] = set()
    works = False
    for row in rows:
        match row:
            case MethodCallRow():
                if row.receiver in receivers:
                    used.add(root_of(row.receiver, rows))
                    calls.add(row.name)
                elif not is_plain(rows[row.receiver]):
                    works = True
            case CallRow(arguments=(first, *_)) if first in receivers:
                callee = rows[row.callee]
                if isinstance(callee, PathRow):
                    used.add(root_of(first, rows))
                    calls.add(callee.path.segments[-1].name)
            case CallRow() if row.arguments and is_free_call(rows[row.callee]):
                works = True
            case LetRow(value=int() as value, pattern=WildcardPattern()) if value in receivers:
                used.add(root_of(value, rows))
            case MacroRow() if "self" in row.captured:
                calls.add("self")
    text = text_of(body)
    mentioned = {root_of(row, rows) for row in receivers}
    if not mentioned and "Self" in names:
        # It answers by the type's other items, which the wrapper has as well.
        return Default("calls-self", (), text)
    if not mentioned and "self" not in calls:
        return Default("other" if works else "constant", (), text)
    if mentioned - used or not calls <= known:
        shape: Shape = "other" if mentioned - used or calls else "constant"
        return Default(shape, tuple(sorted(calls & known)), text, bool(mentioned - used))
    return Default("calls-self" if calls else "constant", tuple(sorted(calls)), text)


def called_on_self(body: Body) -> frozenset[str]:
    """The methods that a body calls on `self`, under whatever spelling."""
    rows = body.rows
    receivers = self_rows(rows)
    found = set()
    for row in rows:
        match row:
            case MethodCallRow() if row.receiver in receivers:
                found.add(row.name)
            case CallRow(arguments=(first, *_)) if first in receivers:
                callee = rows[row.callee]
                if isinstance(callee, PathRow):
                    found.add(callee.path.segments[-1].name)
    return frozenset(found)


def says_the_same(left: Body, right: Body) -> bool:
    """Whether two bodies are, apart from layout, one short expression without a call of self."""
    if len(left.rows) != len(right.rows) or 12 < len(left.rows):
        return False
    if self_rows(left.rows) or self_rows(right.rows):
        return False
    return list(map(spelled, left.rows)) == list(map(spelled, right.rows))


def spelled(row: Row) -> tuple[object, ...]:
    """A row without its place."""
    match row:
        case LiteralRow():
            return ("literal", row.text)
        case PathRow():
            return ("path", row.path.segments[-1].name)
        case MethodCallRow():
            return ("method", row.name, row.receiver, row.arguments)
        case CallRow():
            return ("call", row.callee, row.arguments)
        case MacroRow():
            return ("macro", row.path, row.text)
        case StructRow():
            return ("struct", row.path.segments[-1].name, row.fields)
        case _:
            return (type(row).__name__, id(row) if not isinstance(row, SIMPLE) else 0)


SIMPLE = (TupleRow, ArrayRow, BorrowRow, UnaryRow)


def self_rows(rows: tuple[Row, ...]) -> set[int]:
    """The rows that are `self`, or a reference to it, or what a pointer to it points at."""
    found: set[int] = set()
    for at, row in enumerate(rows):
        match row:
            case PathRow(path=PathType(segments=(segment,))) if segment.name == "self":
                found.add(at)
            case BorrowRow() | UnaryRow(op="*") if row.operand in found:
                found.add(at)
            case MethodCallRow(name="as_mut" | "as_ref" | "get_mut", arguments=()) if row.receiver in found:
                found.add(at)
    return found


def root_of(at: int, rows: tuple[Row, ...]) -> int:
    """The `self` under borrows and dereferences; operands stand before, so this ends."""
    while True:
        match rows[at]:
            case BorrowRow(operand=inner) | UnaryRow(operand=inner) | MethodCallRow(receiver=inner):
                at = inner
            case _:
                return at


def names_in(row: Row) -> tuple[str, ...]:
    """The names by which a row could ask for a type's identity."""
    match row:
        case PathRow():
            own = tuple(segment.name for segment in row.path.segments)
            return (*own, "Self") if speaks_of_self(row.path.qself) else own
        case MethodCallRow():
            return (row.name,)
        case _:
            return ()


def speaks_of_self(type_: TypeRef | None) -> bool:
    """Whether a qualified path is of `Self`: `<Self as Trait>::f`, `<Self::Edge>::f`."""
    return isinstance(type_, PathType) and (type_.segments[0].name == "Self" or speaks_of_self(type_.qself))


def takes_address(row: CastRow, rows: tuple[Row, ...]) -> bool:
    """Whether `self` itself is cast to a pointer."""
    return isinstance(row.type, PointerType) and root_of(row.operand, rows) in self_rows(rows)


def is_plain(row: Row) -> bool:
    """Whether a receiver is a literal, a macro or a constant path: `"text".into()`, `format!(..).into()`."""
    match row:
        case LiteralRow() | MacroRow() | CallRow() | MethodCallRow() | StructRow() | ArrayRow():
            return True
        case PathRow():
            return row.path.segments[-1].name[:1].isupper()
        case _:
            return False


def is_free_call(callee: Row) -> bool:
    """Whether a call is neither a constructor nor an associated function of a type: it may do anything."""
    if not isinstance(callee, PathRow):
        return True
    names = [segment.name for segment in callee.path.segments]
    return not any(name[:1].isupper() for name in names[-2:])


def is_hiding(attribute: Attribute) -> bool:
    """`#[deprecated]`, `#[unstable(..)]`, `#[doc(hidden)]`."""
    if attribute.path in HIDING:
        return True
    return attribute.path == "doc" and "hidden" in attribute.text


def is_named(type_: TypeRef, name: str) -> bool:
    """Whether a type is a bare name."""
    return isinstance(type_, PathType) and len(type_.segments) == 1 and type_.segments[0].name == name


def has_bound(bounds: tuple[TypeRef, ...], name: str) -> bool:
    """Whether a bound's last segment is a name."""
    return any(isinstance(bound, PathType) and bound.segments[-1].name == name for bound in bounds)


def text_of(body: Body) -> str:
    """A short body as one line of Rust; "" where it is longer."""
    if 14 < len(body.rows):
        return ""
    if body.root.value is None:
        real = [row for row in body.rows if isinstance(row, DiscardRow | LetRow)]
        discards = all(isinstance(row, LetRow) and isinstance(row.pattern, WildcardPattern) for row in real)
        return "{}" if discards and len(body.rows) <= 2 * len(real) else ""
    return expression(body.rows, body.root.value, 6)


def expression(rows: tuple[Row, ...], at: int, depth: int) -> str:
    """One expression as text; "" as soon as a part of it is no simple one."""
    if depth == 0:
        return ""
    row = rows[at]
    match row:
        case LiteralRow():
            return row.text if len(row.text) < 60 else row.text[:56] + '.."'
        case PathRow():
            return "::".join(segment.name for segment in row.path.segments)
        case BorrowRow():
            inner = expression(rows, row.operand, depth - 1)
            return inner and ("&mut " if row.mutable else "&") + inner
        case UnaryRow():
            inner = expression(rows, row.operand, depth - 1)
            return inner and row.op + inner
        case TupleRow() | ArrayRow():
            parts = [expression(rows, one, depth - 1) for one in row.elements]
            if not all(parts):
                return ""
            inside = ", ".join(parts)
            return f"[{inside}]" if isinstance(row, ArrayRow) else f"({inside})"
        case CallRow():
            return called(expression(rows, row.callee, depth - 1), rows, row.arguments, depth)
        case MethodCallRow():
            receiver = expression(rows, row.receiver, depth - 1)
            return called(receiver and f"{receiver}.{row.name}", rows, row.arguments, depth)
        case MacroRow():
            text = " ".join(row.text.split())
            return f"{'::'.join(row.path)}!{text}" if len(text) < 60 else f"{'::'.join(row.path)}!(..)"
        case BlockRow(kind="plain", body=body) if body.value is not None:
            return expression(rows, body.value, depth - 1)
        case _:
            return ""


def called(callee: str, rows: tuple[Row, ...], arguments: tuple[int, ...], depth: int) -> str:
    """`callee(a, b)`; "" where a part is missing."""
    parts = [expression(rows, one, depth - 1) for one in arguments]
    return f"{callee}({', '.join(parts)})" if callee and all(parts) else ""
