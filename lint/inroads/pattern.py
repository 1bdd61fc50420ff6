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

import msgspec
from msgspec.structs import replace

from inroads.pattern_syntax import (
    Anything as Anything,
    Argument as Argument,
    Arguments as Arguments,
    BranchPattern as BranchPattern,
    BuildPattern as BuildPattern,
    CallPattern as CallPattern,
    Capture as Capture,
    ConditionPattern as ConditionPattern,
    Constant as Constant,
    MethodPattern as MethodPattern,
    Operand as Operand,
    Pattern as Pattern,
    PlacePattern as PlacePattern,
    Relation as Relation,
    WritePattern as WritePattern,
    captures as captures,
    condition_captures as condition_captures,
    last_names as last_names,
)


class PatternError(ValueError):
    """A pattern that can't be read; the message shows the pattern and points at the place."""


TOKEN = re.compile(
    r"\s*(?:(?P<capture>\$[A-Za-z_]\w*)|(?P<name>(?:r#)?[A-Za-z_*][\w*]*|_)|(?P<number>\d[\w.]*)"
    r"|(?P<text>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)')"
    r"|(?P<sign>::|->|=>|==|!=|<=|>=|&&|\|\||\.\.|[.,:(){}!=<>\[\]|&]))"
)


class _Token(msgspec.Struct, frozen=True):
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


def parse_condition(text: str) -> ConditionPattern:
    """The condition that `text` writes, as behind `if` or in `bad`; raises PatternError."""
    return _Parser(text).only_condition()


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

    def only_condition(self) -> ConditionPattern:
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

    def condition(self) -> ConditionPattern:
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

    def comparison(self) -> ConditionPattern:
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
        return ConditionPattern(subject, relation, operand, negated)


def _compared(
    subject: PlacePattern | CallPattern | MethodPattern, sign: str, operand: str, *, length: bool
) -> ConditionPattern:
    """`len() == 0`, `len() > 0` and `len() < 1` are one condition; `true` and `false` are no constants."""
    if sign in ("==", "!=") and operand in ("true", "false"):
        return ConditionPattern(subject, "true", "", (operand == "false") != (sign == "!="))
    if length:
        if (sign, operand) in ((">", "0"), (">=", "1")):
            return ConditionPattern(subject, "length", "0", True)
        if (sign, operand) in (("<", "1"), ("<=", "0")):
            return ConditionPattern(subject, "length", "0", False)
        if sign in ("==", "!="):
            return ConditionPattern(subject, "length", operand, sign == "!=")
    match sign:
        case "==" | "!=":
            return ConditionPattern(subject, "equals", operand, sign == "!=")
        case "<" | ">=":
            return ConditionPattern(subject, "less", operand, sign == ">=")
        case _:
            # `x <= 5` is read as `not (5 < x)`, which is written `x less 5+`.
            return ConditionPattern(subject, "less", f"{operand}+", sign == ">")


def _variant_test(subject: PlacePattern | CallPattern | MethodPattern, variant: str) -> ConditionPattern:
    if variant in ("true", "false"):
        return ConditionPattern(subject, "true", "", variant == "false")
    owner, _, last = variant.rpartition("::")
    if owner.rpartition("::")[2] not in ("", "Option", "Result"):
        return ConditionPattern(subject, "variant", variant, False)
    if last in _NEGATIVE_VARIANTS:
        return ConditionPattern(subject, "variant", _NEGATIVE_VARIANTS[last], True)
    return ConditionPattern(subject, "variant", last if last in ("Some", "Ok") else variant, False)
