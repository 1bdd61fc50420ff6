"""What an event pattern is: plain values, read by `pattern.parse`, matched by `pattern_match`."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

import msgspec


class Capture(msgspec.Struct, frozen=True):
    """`$x` or `$x.field`: what is found must end in the fields, the rest is the key."""

    name: str
    fields: tuple[str, ...] = ()


class Anything(msgspec.Struct, frozen=True):
    """`_`."""


class Constant(msgspec.Struct, frozen=True):
    """A literal or the path of a constant, a variant, a static: `true`, `0`, `State::Ready`."""

    text: str


Operand: TypeAlias = Capture | Anything | Constant


class Argument(msgspec.Struct, frozen=True):
    """One argument of a call; `name` None where it is told by its position."""

    name: str | None
    operand: Operand


class Arguments(msgspec.Struct, frozen=True):
    """What stands in the parentheses; `rest` if more may follow (`..`, or any name)."""

    items: tuple[Argument, ...] = ()
    rest: bool = False


class PlacePattern(msgspec.Struct, frozen=True):
    """A root, a capture or the segments of a path, and the fields behind it."""

    root: Capture | tuple[str, ...]
    fields: tuple[str, ...] = ()


class CallPattern(msgspec.Struct, frozen=True):
    """
    `path`, `path(..)`, `path!`.

    `arguments` None means any. A path without arguments also matches the use
    of a static of that name. `result` is the capture behind `->`.
    """

    path: tuple[str, ...]
    arguments: Arguments | None = None
    macro: bool = False
    result: str | None = None


class MethodPattern(msgspec.Struct, frozen=True):
    """`place.name(..)`; without arguments it also matches any use of the place `place.name`."""

    place: PlacePattern
    name: str
    arguments: Arguments | None = None
    result: str | None = None


class WritePattern(msgspec.Struct, frozen=True):
    """`place = value`; the value may be anything, a capture or a constant."""

    place: PlacePattern
    value: Operand


class BuildPattern(msgspec.Struct, frozen=True):
    """`Type { field: $x, .. }`."""

    path: tuple[str, ...]
    fields: tuple[tuple[str, Operand], ...] = ()
    rest: bool = False
    result: str | None = None


Relation: TypeAlias = Literal["true", "variant", "length", "equals", "less"]


class ConditionPattern(msgspec.Struct, frozen=True):
    """
    A condition in its canonical form.

    `relation` true: the subject itself, a bool. variant: the subject is of the
    variant `operand` (`Some`, `Ok`, `State::Ready`). length: its `len()` equals
    the number `operand`. equals: it equals the constant `operand`. less: it is
    less than `operand`. `negated` turns it round: `is_none` is a negated
    `variant Some`, `is_err` a negated `variant Ok`.
    """

    subject: PlacePattern | CallPattern | MethodPattern
    relation: Relation
    operand: str = ""
    negated: bool = False


class BranchPattern(msgspec.Struct, frozen=True):
    """`if test`: on a branch where the test is known to hold, the event has happened."""

    test: ConditionPattern


Pattern: TypeAlias = CallPattern | MethodPattern | WritePattern | BuildPattern | BranchPattern


def captures(pattern: Pattern) -> tuple[str, ...]:
    """The names that a pattern captures, in the order of their first place, each once."""
    names: list[str] = []
    match pattern:
        case CallPattern(arguments=arguments, result=result):
            _argument_captures(arguments, names)
            names.extend([result] if result else [])
        case MethodPattern(place=place, arguments=arguments, result=result):
            _place_captures(place, names)
            _argument_captures(arguments, names)
            names.extend([result] if result else [])
        case WritePattern(place=place, value=value):
            _place_captures(place, names)
            _operand_captures(value, names)
        case BuildPattern(fields=fields, result=result):
            for _, operand in fields:
                _operand_captures(operand, names)
            names.extend([result] if result else [])
        case BranchPattern(test=test):
            names.extend(condition_captures(test))
        case _:
            assert_never(pattern)
    return tuple(dict.fromkeys(names))


def condition_captures(test: ConditionPattern) -> tuple[str, ...]:
    """The names that a condition captures."""
    if isinstance(test.subject, PlacePattern):
        names: list[str] = []
        _place_captures(test.subject, names)
        return tuple(names)
    return captures(test.subject)


def last_names(pattern: Pattern) -> tuple[str, ...]:
    """
    The names of which one stands in the index of every body that the pattern can match.

    A name may hold `*`. Macros end in `!`, types that are built in `{`, fields
    begin with `.`: the spelling of `BodyFacts.names`.
    """
    match pattern:
        case CallPattern(path=path, macro=True):
            return (f"{path[-1]}!",)
        case CallPattern(path=("drop",)):
            # The end of a scope drops too, and no name stands there.
            return ("*",)
        case CallPattern(path=path, arguments=arguments):
            return (path[-1],) if arguments is not None else (path[-1], f"{path[-1]}{{")
        case MethodPattern(name=name, arguments=None):
            return (name, f".{name}")
        case MethodPattern(name=name):
            return (name,)
        case WritePattern(place=place):
            return _place_names(place)
        case BuildPattern(path=path):
            return (f"{path[-1]}{{", path[-1])
        case BranchPattern(test=test):
            if isinstance(test.subject, PlacePattern):
                return _place_names(test.subject)
            return last_names(test.subject)
        case _:
            assert_never(pattern)


def _place_names(place: PlacePattern) -> tuple[str, ...]:
    if place.fields:
        return (f".{place.fields[-1]}", f"{place.root[-1]}{{" if isinstance(place.root, tuple) else "*")
    return (place.root[-1],) if isinstance(place.root, tuple) else ("*",)


def _place_captures(place: PlacePattern, names: list[str]) -> None:
    if isinstance(place.root, Capture):
        names.append(place.root.name)


def _operand_captures(operand: Operand, names: list[str]) -> None:
    if isinstance(operand, Capture):
        names.append(operand.name)


def _argument_captures(arguments: Arguments | None, names: list[str]) -> None:
    for argument in arguments.items if arguments is not None else ():
        _operand_captures(argument.operand, names)
