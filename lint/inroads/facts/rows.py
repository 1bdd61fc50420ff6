"""
The rows of a body.

A body is a flat tuple of rows in evaluation order. A row names its operands
by index; an operand always stands before the row that uses it. A row that
governs control (If, Match, Loop, Closure, ...) is a *header*: its regions
follow it directly, one after the other, and `end` of the last region is
where evaluation goes on. So whoever walks a region does

    at = region.start
    while at < region.end:
        row = rows[at]
        ...                      # a header: walk its regions
        at = past(at, row)       # at + 1, or the end of the last region

and needs no recursion but for nested headers, whose depth extraction bounds.
The value of an If, Match, Block, ... is the index of its header.
"""

from __future__ import annotations

from typing import TypeAlias

from inroads.facts.written import (
    Attribute,
    Parameter,
    PathType,
    Pattern,
    Plain,
    Tagged,
    TypeRef,
)


class Region(Plain, frozen=True):
    """Rows [start, end) that run in order; `value` is the row of the tail expression, None for unit."""

    start: int
    end: int
    value: int | None = None


class LiteralRow(Tagged, frozen=True, tag=40):
    """A literal; `kind` is one of int float str bytes cstr char bool; text is cut at 80 bytes."""

    start: int
    end: int
    kind: str
    text: str


class PathRow(Tagged, frozen=True, tag=41):
    """A variable, function, constant, unit struct, ...: `x`, `self`, `a::b::<T>`, `<T as Tr>::f`.

    `name_at` is where the last segment's name begins.
    """

    start: int
    end: int
    path: PathType
    name_at: int


class FieldRow(Tagged, frozen=True, tag=42):
    """`base.name`, `base.0`."""

    start: int
    end: int
    base: int
    name: str
    name_at: int


class IndexRow(Tagged, frozen=True, tag=43):
    """`base[index]`."""

    start: int
    end: int
    base: int
    index: int


class CallRow(Tagged, frozen=True, tag=44):
    """`callee(arguments)`; the callee is a row, most often a PathRow."""

    start: int
    end: int
    callee: int
    arguments: tuple[int, ...] = ()


class MethodCallRow(Tagged, frozen=True, tag=45):
    """`receiver.name::<generics>(arguments)`; `name_at` is where the name begins."""

    start: int
    end: int
    receiver: int
    name: str
    name_at: int
    arguments: tuple[int, ...] = ()
    generics: tuple[TypeRef, ...] = ()


class MacroRow(Tagged, frozen=True, tag=46):
    """
    A macro call in expression or statement position: a hole until linking.

    `text` is the token tree with its delimiters, `text_at` where it begins.
    Header: `regions` hold the arguments that parse as expressions, each one
    region, in order (an argument written `name = expr` or an arm of `select!`
    too; see `labels`). `captured` are the names used inside format strings
    (`"{e:?}"`). `statement` is true for `m!(..);` and `m! {..}` as a statement.
    `labels` is as long as `regions`: "" for a plain argument, else what stood
    before `=` or `=>` as text. `patterns` is as long as `regions`: for arguments
    of the form `pattern = expr` (select!) the pattern, else None.
    """

    start: int
    end: int
    path: tuple[str, ...]
    name_at: int
    text: str
    text_at: int
    statement: bool = False
    regions: tuple[Region, ...] = ()
    labels: tuple[str, ...] = ()
    patterns: tuple[Pattern | None, ...] = ()
    captured: tuple[str, ...] = ()


class UnaryRow(Tagged, frozen=True, tag=47):
    """`!x`, `-x`, `*x`; op is that sign."""

    start: int
    end: int
    op: str
    operand: int


class BorrowRow(Tagged, frozen=True, tag=48):
    """`&x`, `&mut x`, `&raw const x`."""

    start: int
    end: int
    operand: int
    mutable: bool = False


class BinaryRow(Tagged, frozen=True, tag=49):
    """Arithmetic, comparison, bits; not `&&` and `||`."""

    start: int
    end: int
    op: str
    left: int
    right: int


class ShortCircuitRow(Tagged, frozen=True, tag=50):
    """`left && right`, `left || right`. Header: the right side runs or not."""

    start: int
    end: int
    op: str
    left: int
    right: Region


class AssignRow(Tagged, frozen=True, tag=51):
    """`target = value`; op is "=" or the sign of a compound assignment (`+=`)."""

    start: int
    end: int
    op: str
    target: int
    value: int


class WildcardRow(Tagged, frozen=True, tag=52):
    """`_` as the target of an assignment."""

    start: int
    end: int


class RangeRow(Tagged, frozen=True, tag=53):
    """`a..b`, `..=b`, `..`."""

    start: int
    end: int
    low: int | None
    high: int | None
    inclusive: bool = False


class CastRow(Tagged, frozen=True, tag=54):
    """`x as T`."""

    start: int
    end: int
    operand: int
    type: TypeRef


class TryRow(Tagged, frozen=True, tag=55):
    """`x?`."""

    start: int
    end: int
    operand: int


class AwaitRow(Tagged, frozen=True, tag=56):
    """`x.await`."""

    start: int
    end: int
    operand: int


class ReturnRow(Tagged, frozen=True, tag=57):
    """`return x`."""

    start: int
    end: int
    value: int | None = None


class BreakRow(Tagged, frozen=True, tag=58):
    """`break 'label x`; the label without its tick, None where there is none."""

    start: int
    end: int
    label: str | None = None
    value: int | None = None


class ContinueRow(Tagged, frozen=True, tag=59):
    """`continue 'label`."""

    start: int
    end: int
    label: str | None = None


class YieldRow(Tagged, frozen=True, tag=60):
    """`yield x`."""

    start: int
    end: int
    value: int | None = None


class TupleRow(Tagged, frozen=True, tag=61):
    """`(a, b)`; `()` is the empty one."""

    start: int
    end: int
    elements: tuple[int, ...] = ()


class ArrayRow(Tagged, frozen=True, tag=62):
    """`[a, b]`."""

    start: int
    end: int
    elements: tuple[int, ...] = ()


class RepeatRow(Tagged, frozen=True, tag=63):
    """`[value; length]`."""

    start: int
    end: int
    value: int
    length: int


class StructRow(Tagged, frozen=True, tag=64):
    """`Path { name: value, ..base }`; `fields` pairs a name with a row."""

    start: int
    end: int
    path: PathType
    name_at: int
    fields: tuple[tuple[str, int], ...] = ()
    base: int | None = None


class LetConditionRow(Tagged, frozen=True, tag=65):
    """`let pattern = value` as a condition; its bindings reach to the end of the governed region."""

    start: int
    end: int
    pattern: Pattern
    value: int


class LetRow(Tagged, frozen=True, tag=66):
    """`let pattern: type = value else { otherwise };`. Header where `otherwise` is given."""

    start: int
    end: int
    pattern: Pattern
    type: TypeRef | None = None
    value: int | None = None
    otherwise: Region | None = None


class DiscardRow(Tagged, frozen=True, tag=67):
    """An expression statement: `value` is thrown away. `semicolon` is false for `if .. {}` and the like."""

    start: int
    end: int
    value: int
    semicolon: bool = True


class ItemRow(Tagged, frozen=True, tag=68):
    """An item declared inside a body: the one of `FileFacts.items` (or of the expansion) that begins there."""

    start: int
    end: int


class IfRow(Tagged, frozen=True, tag=69):
    """Header: `condition`, `then`, `otherwise`; `else if` is an otherwise region that holds another IfRow."""

    start: int
    end: int
    condition: Region
    then: Region
    otherwise: Region | None = None


class Arm(Plain, frozen=True):
    """One arm of a match. `attributes` holds the text of cfg attributes, mostly empty."""

    start: int
    end: int
    pattern: Pattern
    guard: Region | None
    body: Region
    attributes: tuple[Attribute, ...] = ()


class MatchRow(Tagged, frozen=True, tag=70):
    """Header: for each arm its guard, then its body. The scrutinee stands before."""

    start: int
    end: int
    scrutinee: int
    arms: tuple[Arm, ...] = ()


class LoopRow(Tagged, frozen=True, tag=71):
    """`'label: loop { body }`. Header."""

    start: int
    end: int
    label: str | None
    body: Region


class WhileRow(Tagged, frozen=True, tag=72):
    """`while condition { body }`, `while let`. Header."""

    start: int
    end: int
    label: str | None
    condition: Region
    body: Region


class ForRow(Tagged, frozen=True, tag=73):
    """`for pattern in iterable { body }`. Header; the iterable stands before."""

    start: int
    end: int
    label: str | None
    pattern: Pattern
    iterable: int
    body: Region


class BlockRow(Tagged, frozen=True, tag=74):
    """`{ .. }`; kind is plain, unsafe, const, async, async-move, try, gen, or expansion. Header."""

    start: int
    end: int
    kind: str
    label: str | None
    body: Region


class ClosureRow(Tagged, frozen=True, tag=75):
    """`async move |parameters| -> returns body`. Header."""

    start: int
    end: int
    parameters: tuple[Parameter, ...]
    body: Region
    is_async: bool = False
    is_move: bool = False
    returns: TypeRef | None = None


class AttributedRow(Tagged, frozen=True, tag=76):
    """
    A statement or expression under attributes that matter (cfg, allow, expect).

    Header; its value is the region's.
    """

    start: int
    end: int
    attributes: tuple[Attribute, ...]
    body: Region


class UnknownRow(Tagged, frozen=True, tag=77):
    """What could not be read: a syntax error, nesting beyond the bound. The reason in words."""

    start: int
    end: int
    reason: str


Row: TypeAlias = (
    LiteralRow
    | PathRow
    | FieldRow
    | IndexRow
    | CallRow
    | MethodCallRow
    | MacroRow
    | UnaryRow
    | BorrowRow
    | BinaryRow
    | ShortCircuitRow
    | AssignRow
    | WildcardRow
    | RangeRow
    | CastRow
    | TryRow
    | AwaitRow
    | ReturnRow
    | BreakRow
    | ContinueRow
    | YieldRow
    | TupleRow
    | ArrayRow
    | RepeatRow
    | StructRow
    | LetConditionRow
    | LetRow
    | DiscardRow
    | ItemRow
    | IfRow
    | MatchRow
    | LoopRow
    | WhileRow
    | ForRow
    | BlockRow
    | ClosureRow
    | AttributedRow
    | UnknownRow
)


class Body(Plain, frozen=True):
    """
    The rows of one function body or initialiser. `root` covers all rows.

    `rows` and their spans are relative to the body's start in its source.
    """

    rows: tuple[Row, ...]
    root: Region
