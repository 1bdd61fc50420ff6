"""
Event patterns: what a rule can speak of.

    pattern = event ["->" $x] | "if" ["!"] condition
    event   = path ["!"] [args]
            | place "." name [args] | place
            | place "=" (place | literal | "_")
            | Type "{" field ":" $x "," ".." "}"
    place   = ($x | path) { "." field }
    args    = "(" [name ":"] ($x | $x.field | literal | "_"), ... [".."] ")"

`parse` reads one pattern and says of a wrong one what was expected and where.
A pattern is a plain value; `pattern_match.py` holds it against the program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, assert_never

KEYWORDS = frozenset({"if", "let"})


class PatternError(ValueError):
    """A pattern that can't be read; the message shows the pattern and points at the place."""


@dataclass(frozen=True, slots=True)
class Capture:
    """`$x` or `$x.field`: what is found must end in the fields, the rest is the key."""

    name: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Anything:
    """`_`."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal or the path of a constant, a variant, a static: `true`, `0`, `State::Ready`."""

    text: str


Operand: TypeAlias = Capture | Anything | Constant


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call; `name` None where it is told by its position."""

    name: str | None
    operand: Operand


@dataclass(frozen=True, slots=True)
class Arguments:
    """What stands in the parentheses; `rest` if more may follow (`..`, or any name)."""

    items: tuple[Argument, ...] = ()
    rest: bool = False


@dataclass(frozen=True, slots=True)
class PlacePattern:
    """A root, a capture or the segments of a path, and the fields behind it."""

    root: Capture | tuple[str, ...]
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallPattern:
    """
    `path`, `path(..)`, `path!`.

    `arguments` None means any. A path without arguments also matches the use
    of a static of that name. `result` is the capture behind `->`.
    """

    path: tuple[str, ...]
    arguments: Arguments | None = None
    macro: bool = False
    result: str | None = None


@dataclass(frozen=True, slots=True)
class MethodPattern:
    """`place.name(..)`; without arguments it also matches any use of the place `place.name`."""

    place: PlacePattern
    name: str
    arguments: Arguments | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class WritePattern:
    """`place = value`; the value may be anything, a capture or a constant."""

    place: PlacePattern
    value: Operand


@dataclass(frozen=True, slots=True)
class BuildPattern:
    """`Type { field: $x, .. }`."""

    path: tuple[str, ...]
    fields: tuple[tuple[str, Operand], ...] = ()
    rest: bool = False
    result: str | None = None


Relation: TypeAlias = Literal["true", "variant", "length", "equals", "less"]


@dataclass(frozen=True, slots=True)
class Test:
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


@dataclass(frozen=True, slots=True)
class BranchPattern:
    """`if test`: on a branch where the test is known to hold, the event has happened."""

    test: Test


Pattern: TypeAlias = CallPattern | MethodPattern | WritePattern | BuildPattern | BranchPattern

TOKEN = re.compile(
    r"\s*(?:(?P<capture>\$[A-Za-z_]\w*)|(?P<name>(?:r#)?[A-Za-z_*][\w*]*|_)|(?P<number>\d[\w.]*)"
    r"|(?P<text>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)')"
    r"|(?P<sign>::|->|=>|==|!=|<=|>=|&&|\|\||\.\.|[.,:(){}!=<>\[\]|&]))"
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


def parse(text: str) -> Pattern:
    """
    The pattern that `text` writes.

    Raises:
        PatternError: where it is none; the message says what was expected.
    """
    return _Parser(text).pattern()


def parse_condition(text: str) -> Test:
    """The condition that `text` writes, as behind `if` or in `bad`; raises PatternError."""
    return _Parser(text).only_condition()


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
            names.extend(test_captures(test))
        case _:
            assert_never(pattern)
    return tuple(dict.fromkeys(names))


def test_captures(test: Test) -> tuple[str, ...]:
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


_CANONICAL: dict[str, tuple[Relation, str, bool]] = {
    "is_some": ("variant", "Some", False),
    "is_none": ("variant", "Some", True),
    "is_ok": ("variant", "Ok", False),
    "is_err": ("variant", "Ok", True),
    "is_empty": ("length", "0", False),
}
_NEGATIVE_VARIANTS = {"None": "Some", "Err": "Ok"}


class _Parser:
    """Recursive descent over the tokens of one pattern; nesting is bounded by the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[_Token] = []
        self.next = 0
        at = 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            if found is None:
                at += len(text[at:]) - len(text[at:].lstrip())
                raise self.error(f"`{text[at]}` has no meaning in a pattern", at)
            kind = found.lastgroup or ""
            self.tokens.append(_Token(kind, found.group(kind), found.start(kind)))
            at = found.end()

    def error(self, message: str, at: int) -> PatternError:
        return PatternError(f"`{self.text}`: {message} (column {at + 1})")

    def peek(self, ahead: int = 0) -> _Token:
        index = self.next + ahead
        return self.tokens[index] if index < len(self.tokens) else _Token("end", "", len(self.text))

    def take(self) -> _Token:
        token = self.peek()
        self.next += 1
        return token

    def sign(self, text: str) -> bool:
        """Whether the sign stood here; it is taken if so."""
        if self.peek().kind == "sign" and self.peek().text == text:
            self.next += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.sign(text):
            raise self.unexpected(f"`{text}`")

    def unexpected(self, wanted: str) -> PatternError:
        token = self.peek()
        found = "the pattern ends" if token.kind == "end" else f"found `{token.text}`"
        return self.error(f"expected {wanted}, {found}", token.at)

    def name(self, wanted: str) -> str:
        token = self.peek()
        if token.kind != "name":
            raise self.unexpected(wanted)
        self.next += 1
        return token.text.removeprefix("r#")

    def finish(self) -> None:
        if self.peek().kind != "end":
            raise self.unexpected("the end of the pattern")

    def pattern(self) -> Pattern:
        if self.peek().kind == "end":
            raise self.error("an empty pattern; write a path, a place, a type or `if condition`", 0)
        if self.peek() == _Token("name", "if", self.peek().at):
            self.take()
            test = self.condition()
            self.finish()
            return BranchPattern(test)
        event = self.event()
        if self.sign("->"):
            token = self.take()
            if token.kind != "capture":
                self.next -= 1
                raise self.unexpected("a capture such as `$x` behind `->`")
            match event:
                case CallPattern() | MethodPattern() | BuildPattern():
                    event = replace(event, result=token.text[1:])
                case _:
                    raise self.error("only a call or a construction has a result", token.at)
        self.finish()
        return event

    def only_condition(self) -> Test:
        if self.peek().kind == "end":
            raise self.error("an empty condition", 0)
        test = self.condition()
        self.finish()
        return test

    def event(self) -> CallPattern | MethodPattern | WritePattern | BuildPattern:
        token = self.peek()
        if token.kind == "capture":
            root: Capture | tuple[str, ...] = Capture(self.take().text[1:])
        elif token.kind == "name":
            root = self.path()
        else:
            raise self.unexpected("a path, a place or a type")
        if isinstance(root, tuple):
            if self.sign("!"):
                return CallPattern(root, self.arguments_if_any(), macro=True)
            if self.peek().text == "(":
                return CallPattern(root, self.arguments())
            if self.peek().text == "{":
                return self.build(root)
        return self.place_event(root)

    def place_event(self, root: Capture | tuple[str, ...]) -> CallPattern | MethodPattern | WritePattern:
        fields: list[str] = []
        while self.sign("."):
            token = self.peek()
            fields.append(self.take().text if token.kind == "number" else self.name("a field or method"))
            if self.peek().text == "(":
                place = PlacePattern(root, tuple(fields[:-1]))
                return MethodPattern(place, fields[-1], self.arguments())
        place = PlacePattern(root, tuple(fields))
        if self.sign("="):
            return WritePattern(place, self.operand("a value, `_` or a capture"))
        if fields:
            return MethodPattern(PlacePattern(root, tuple(fields[:-1])), fields[-1])
        if isinstance(root, Capture):
            raise self.unexpected(f"a field or method behind `${root.name}` (a capture alone is no event)")
        return CallPattern(root)

    def path(self) -> tuple[str, ...]:
        segments = [self.name("a name")]
        while self.sign("::"):
            if self.peek().text == "<":
                raise self.error(
                    "generic arguments are not part of a pattern; leave them out", self.peek().at
                )
            segments.append(self.name("a name behind `::`"))
        if self.peek().text == "<" and self.peek(1).kind == "name" and self.peek(2).text in (">", ",", "::"):
            raise self.error("generic arguments are not part of a pattern; leave them out", self.peek().at)
        return tuple(segments)

    def arguments_if_any(self) -> Arguments | None:
        return self.arguments() if self.peek().text == "(" else None

    def arguments(self) -> Arguments:
        self.expect("(")
        items: list[Argument] = []
        rest = False
        while not self.sign(")"):
            if self.sign(".."):
                rest = True
                self.expect(")")
                break
            items.append(self.argument())
            if not self.sign(",") and self.peek().text != ")":
                raise self.unexpected("`,` or `)`")
        return Arguments(tuple(items), rest or any(item.name is not None for item in items))

    def argument(self) -> Argument:
        name: str | None = None
        if self.peek().kind == "name" and self.peek(1).text == ":":
            name = self.name("a parameter's name")
            self.expect(":")
        return Argument(name, self.operand("a capture such as `$x`, a literal, `_` or `..`"))

    def operand(self, wanted: str) -> Operand:
        token = self.peek()
        self.sign("&")
        token = self.peek()
        if token.kind == "capture":
            self.take()
            fields: list[str] = []
            while self.sign("."):
                field = self.peek()
                fields.append(self.take().text if field.kind == "number" else self.name("a field"))
            return Capture(token.text[1:], tuple(fields))
        if token.kind == "name":
            if token.text == "_":
                self.take()
                return Anything()
            return Constant("::".join(self.path()))
        if token.kind in ("number", "text"):
            return Constant(self.take().text)
        raise self.unexpected(wanted)

    def build(self, path: tuple[str, ...]) -> BuildPattern:
        self.expect("{")
        fields: list[tuple[str, Operand]] = []
        rest = False
        while not self.sign("}"):
            if self.sign(".."):
                rest = True
                self.expect("}")
                break
            field = self.peek()
            name = self.take().text if field.kind == "number" else self.name("a field's name or `..`")
            self.expect(":")
            fields.append((name, self.operand("a capture such as `$x`, a literal or `_`")))
            if not self.sign(",") and self.peek().text != "}":
                raise self.unexpected("`,` or `}`")
        return BuildPattern(path, tuple(fields), rest)

    def condition(self) -> Test:
        negated = False
        while self.sign("!"):
            negated = not negated
        if self.sign("("):
            test = self.condition()
            self.expect(")")
        elif self.peek().text == "let":
            self.take()
            variant = self.variant()
            self.expect("=")
            test = _variant_test(self.subject(), variant)
        elif self.peek().text == "matches" and self.peek(1).text == "!":
            self.take()
            self.take()
            self.expect("(")
            subject = self.subject()
            self.expect(",")
            test = _variant_test(subject, self.variant())
            self.expect(")")
        else:
            test = self.comparison()
        return replace(test, negated=test.negated != negated)

    def variant(self) -> str:
        """The path of a pattern; what it binds is left out."""
        path = self.path()
        for opening, closing in (("(", ")"), ("{", "}")):
            if self.sign(opening):
                while not self.sign(closing):
                    if self.peek().kind == "end":
                        raise self.unexpected(f"`{closing}`")
                    self.take()
        return "::".join(path)

    def subject(self) -> PlacePattern | CallPattern | MethodPattern:
        self.sign("&")
        token = self.peek()
        if token.kind == "capture":
            self.take()
            root: Capture | tuple[str, ...] = Capture(token.text[1:])
        elif token.kind == "name":
            root = self.path()
            if self.peek().text == "(":
                return CallPattern(root, self.arguments())
        else:
            raise self.unexpected("a place or a call")
        fields: list[str] = []
        while self.peek().text == "." and self.peek(1).kind in ("name", "number"):
            if self.peek(2).text == "(" and (self.peek(1).text in _CANONICAL or self.peek(1).text == "len"):
                break
            self.take()
            fields.append(self.take().text)
            if self.peek().text == "(":
                place = PlacePattern(root, tuple(fields[:-1]))
                return MethodPattern(place, fields[-1], self.arguments())
        return PlacePattern(root, tuple(fields))

    def comparison(self) -> Test:
        subject = self.subject()
        relation: Relation = "true"
        operand = ""
        negated = False
        length = False
        if self.sign("."):
            method = self.name("a test such as `is_some()`")
            self.expect("(")
            self.expect(")")
            if method == "len":
                length = True
            elif method in _CANONICAL:
                relation, operand, negated = _CANONICAL[method]
            else:
                raise self.error(f"`{method}` is no test that is known", self.peek().at)
        token = self.peek()
        if token.kind == "sign" and token.text in ("==", "!=", "<", ">=", ">", "<="):
            self.take()
            value = self.operand("a constant")
            if not isinstance(value, Constant):
                raise self.error("a condition compares with a constant", token.at)
            return _compared(subject, token.text, value.text, length=length)
        if length:
            raise self.unexpected("a comparison behind `len()`")
        return Test(subject, relation, operand, negated)


def _compared(
    subject: PlacePattern | CallPattern | MethodPattern, sign: str, operand: str, *, length: bool
) -> Test:
    """`len() == 0`, `len() > 0` and `len() < 1` are one condition; `true` and `false` are no constants."""
    if sign in ("==", "!=") and operand in ("true", "false"):
        return Test(subject, "true", "", (operand == "false") != (sign == "!="))
    if length:
        if (sign, operand) in ((">", "0"), (">=", "1")):
            return Test(subject, "length", "0", True)
        if (sign, operand) in (("<", "1"), ("<=", "0")):
            return Test(subject, "length", "0", False)
        if sign in ("==", "!="):
            return Test(subject, "length", operand, sign == "!=")
    match sign:
        case "==" | "!=":
            return Test(subject, "equals", operand, sign == "!=")
        case "<" | ">=":
            return Test(subject, "less", operand, sign == ">=")
        case _:
            # `x <= 5` is read as `not (5 < x)`, which is written `x less 5+`.
            return Test(subject, "less", f"{operand}+", sign == ">")


def _variant_test(subject: PlacePattern | CallPattern | MethodPattern, variant: str) -> Test:
    if variant in ("true", "false"):
        return Test(subject, "true", "", variant == "false")
    last = variant.rsplit("::", 1)[-1]
    if last in _NEGATIVE_VARIANTS:
        return Test(subject, "variant", _NEGATIVE_VARIANTS[last], True)
    return Test(subject, "variant", last if last in ("Some", "Ok") else variant, False)
