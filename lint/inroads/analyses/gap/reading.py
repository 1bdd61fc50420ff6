"""
What reading the body of one method gives: its forwards, its arms, what comes out of it.

    fn put(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.calls += 1;                        beside
        self.shared.lock().unwrap().put(buf)    a forward to the place `shared`
    }

No type is needed: a place is a path of steps from `self`. Which of them are
inner values of the trait is asked later, and only of what forwards.
"""

from __future__ import annotations

import re

import msgspec

from inroads.analyses.gap.values import (
    CONSTANT,
    Built,
    Constant,
    Deferred,
    Own,
    Place,
    Sent,
    Several,
    Value,
    holds_sent,
    join,
    leaves,
    mixed,
)
from inroads.analyses.gap.words import DRESSES
from inroads.facts import (
    Arm,
    AttributedRow,
    BindingPattern,
    BlockRow,
    BorrowRow,
    ClosureRow,
    ForRow,
    IfRow,
    LetRow,
    LiteralPattern,
    LiteralRow,
    LoopRow,
    MacroRow,
    MatchRow,
    OrPattern,
    PathPattern,
    PathRow,
    Pattern,
    ReferencePattern,
    Region,
    Row,
    ShortCircuitRow,
    StructPattern,
    TupleStructPattern,
    UnaryRow,
    WhileRow,
)

# The place of a forward inside a macro that can't be read.
UNSEEN = ("?",)


class Signature(msgspec.Struct, frozen=True):
    """
    What reading a body needs to know of its method.

    Args:
        name: Of the method.
        parameters: Names of its own parameters after the receiver, None where a pattern stands.
        own_types: Names under which the wrapper builds itself: `Self` and its type's name.
        pointer: Whether Self is itself a pointer to the inner value (`Box<T>`, `&T`), so that `*self` is inside.
        borrowed: Whether the receiver is a reference or a Pin, so that one dereference only undoes it.
    """

    name: str
    parameters: tuple[str | None, ...]
    own_types: frozenset[str]
    pointer: bool
    borrowed: bool


class Forward(msgspec.Struct, frozen=True):
    """
    One call of the same method on a place inside `self`.

    Args:
        steps: The place.
        fit:
            exact (own parameters in order), adapted (some wrapped in a value
            built around them, or constants added), altered.
        looped: Whether it stands in a loop.
        other: For the call of a method of another name, that name.
    """

    steps: tuple[str, ...]
    fit: str
    looped: bool
    row: int
    other: str = ""


class ArmReading(msgspec.Struct, frozen=True):
    """
    One arm of a match on a place inside `self`.

    `forwards` are those made in the arm; `value` is what the arm gives;
    `variants` is empty for a wildcard or a plain binding.
    """

    on: tuple[str, ...]
    variants: tuple[str, ...]
    guarded: bool
    forwards: tuple[Forward, ...]
    strays: tuple[Forward, ...]
    value: Value
    start: int


class Reading(msgspec.Struct):
    """
    All that a body says: its forwards, what it gives back on each way out, what it does beside.

    `shown` is whether it calls one of its parameters with `self`.
    """

    forwards: list[Forward] = msgspec.field(default_factory=list)
    strays: list[Forward] = msgspec.field(default_factory=list)
    arms: list[ArmReading] = msgspec.field(default_factory=list)
    exits: list[Value] = msgspec.field(default_factory=list)
    beside: bool = False
    guarded: bool = False
    shown: bool = False


def past(at: int, row: Row) -> int:
    """The row where evaluation goes on after `row` at `at`: the next one, or what follows its regions."""
    regions = regions_of(row)
    return max((region.end for region in regions), default=at + 1) if regions else at + 1


def regions_of(row: Row) -> tuple[Region, ...]:
    """The regions that a header governs, in order."""
    match row:
        case IfRow():
            return tuple(region for region in (row.condition, row.then, row.otherwise) if region is not None)
        case MatchRow():
            return tuple(region for arm in row.arms for region in (arm.guard, arm.body) if region is not None)
        case LoopRow() | ForRow() | BlockRow() | ClosureRow() | AttributedRow():
            return (row.body,)
        case WhileRow():
            return (row.condition, row.body)
        case ShortCircuitRow():
            return (row.right,)
        case LetRow():
            return (row.otherwise,) if row.otherwise is not None else ()
        case MacroRow():
            return row.regions
        case _:
            return ()


def calls_inside(tokens: str, method: str) -> bool:
    """Whether the tokens of a macro from outside have a call of a method: `for_both!(self, x => x.m())`."""
    return re.search(rf"(?:\.|::)\s*{re.escape(method)}\s*\(", tokens) is not None


def built(parts: tuple[Value, ...]) -> Value:
    """A value constructed around others; one around constants is a constant."""
    if all(isinstance(part, Constant) for part in parts):
        return CONSTANT
    return Built(parts)


def part_of(value: Value, constructor: str, name: str) -> Value:
    """What a pattern's element names, of the value that is matched."""
    if constructor in DRESSES:
        return value
    match value:
        case Place():
            return Place((*value.steps, f"{constructor}.{name}"))
        case Several(values=values):
            return join([part_of(one, constructor, name) for one in values])
        case Sent():
            return Sent(mapped=True)
        case _:
            return mixed((value,))


def mixed_or_sent(value: Value) -> Value:
    """A part of a tuple that a forward gave back is still what it gave back."""
    return Sent(mapped=True) if isinstance(value, Sent) else mixed((value,))


def is_rewrapped(value: Value) -> bool:
    """Whether a value is what a forward gave back, in another dress."""
    return all(
        isinstance(leaf, Sent) or (isinstance(leaf, Built) and holds_sent(leaf)) for leaf in leaves(value)
    )


def variants_of(pattern: Pattern) -> tuple[str, ...]:
    """The variants that a pattern names; none for a wildcard, a binding or a literal."""
    match pattern:
        case TupleStructPattern() | StructPattern() | PathPattern():
            return (pattern.path.segments[-1].name,)
        case OrPattern():
            return tuple(name for one in pattern.alternatives for name in variants_of(one))
        case ReferencePattern():
            return variants_of(pattern.inner)
        case BindingPattern():
            if pattern.sub is not None:
                return variants_of(pattern.sub)
            return (pattern.name,) if pattern.name[:1].isupper() else ()
        case _:
            return ()


def fit_of(arguments: tuple[Value, ...], signature: Signature, *, loose: bool) -> str:
    """
    How the arguments of a call compare with the method's own parameters.

    Args:
        loose: Whether constants may stand between them (an inherent method with more parameters).
    """
    count = len(signature.parameters)
    if len(arguments) == count and all(
        isinstance(argument, Own) and argument.index == index for index, argument in enumerate(arguments)
    ):
        return "exact"
    expected = 0
    for argument in arguments:
        if isinstance(argument, Own):
            if argument.index < expected:
                return "altered"
            expected = argument.index + 1
        elif isinstance(argument, Built | Several | Deferred):
            index = wrapped_parameter(argument)
            if index is None:
                continue
            if index < expected:
                return "altered"
            expected = index + 1
        elif not (isinstance(argument, Constant) and loose):
            return "altered"
    if loose:
        return "exact"
    return "adapted" if len(arguments) == count and expected <= count else "altered"


def wrapped_parameter(value: Value) -> int | None:
    """The first parameter that a built value holds; None where it holds none, or what is hidden in a closure."""
    match value:
        case Own(index=index):
            return index
        case Built(parts=parts) | Several(values=parts):
            return next((found for found in map(wrapped_parameter, parts) if found is not None), None)
        case _:
            return None


def named(rows: tuple[Row, ...], at: int) -> str:
    """A receiver that is a static, a constant or a unit struct, as a step; "" for others."""
    row = rows[at]
    while isinstance(row, BorrowRow | UnaryRow):
        row = rows[row.operand]
    if not isinstance(row, PathRow) or row.path.qself is not None:
        return ""
    names = [segment.name for segment in row.path.segments]
    return "::" + "::".join(names) if names[-1][:1].isupper() else ""


def mirrors(rows: tuple[Row, ...], arm: Arm) -> bool:
    """Whether an arm gives what it matched: `true => true`, `None => None`."""
    at = arm.body.value
    row = None if at is None else rows[at]
    match arm.pattern, row:
        case LiteralPattern(text=text), LiteralRow(text=other):
            return text == other
        case _, PathRow():
            return variants_of(arm.pattern) == (row.path.segments[-1].name,)
        case _, BlockRow(body=body):
            return body.value is not None and mirrors(rows, Arm(arm.start, arm.end, arm.pattern, None, body))
    return False
