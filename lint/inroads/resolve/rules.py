"""The rules of a `macro_rules!`, read from its text: patterns and bodies."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

import msgspec

from inroads.resolve.tokens import IDENT, OPEN, Tokens, as_bytes, inner, tokenize

FRAGMENTS = frozenset(
    {
        *(
            "ident",
            "ty",
            "expr",
            "expr_2021",
            "stmt",
            "block",
            "item",
            "pat",
            "pat_param",
            "path",
            "tt",
            "vis",
        ),
        *("lifetime", "literal", "meta"),
    }
)
_DEEPEST = 60
# A pattern's repetitions are matched one inside the other.
_MOST_REPETITIONS = 60


class Word(msgspec.Struct, frozen=True):
    """A token that must stand there."""

    text: str


class Group(msgspec.Struct, frozen=True):
    """Brackets around patterns."""

    open: str
    children: tuple[Matcher, ...]


class Fragment(msgspec.Struct, frozen=True):
    """`$name:kind`."""

    name: str
    kind: str


class Repeat(msgspec.Struct, frozen=True):
    """`$( .. ) separator operator`; `names` are all variables inside."""

    children: tuple[Matcher, ...]
    separator: tuple[str, ...]
    operator: str
    names: tuple[str, ...]


Matcher: TypeAlias = Word | Group | Fragment | Repeat


class Run(msgspec.Struct, frozen=True):
    """Tokens [start, end) of the definition, copied as they are."""

    start: int
    end: int


class Variable(msgspec.Struct, frozen=True):
    """`$name`; `at` is the token of the name."""

    name: str
    at: int


class CrateMark(msgspec.Struct, frozen=True):
    """`$crate`; `at` is the token of the dollar."""

    at: int


class Repeated(msgspec.Struct, frozen=True):
    """`$( .. ) separator operator` of a body; the separator is tokens [start, end)."""

    children: tuple[Writer, ...]
    separator: Run | None
    operator: str
    names: tuple[str, ...]
    at: int


Writer: TypeAlias = Run | Variable | CrateMark | Repeated


class Rule(msgspec.Struct, frozen=True):
    """One arm."""

    pattern: tuple[Matcher, ...]
    body: tuple[Writer, ...]


class Rules(msgspec.Struct, frozen=True):
    """All arms of a definition, with the tokens that their bodies are copied from."""

    tokens: Tokens
    rules: tuple[Rule, ...]
    problem: str = ""


class _Unreadable(Exception):
    """The definition does not follow the grammar of macros; the reason in words."""


@lru_cache(maxsize=2048)
def read_rules(text: str) -> Rules:
    """Read a definition's text, its delimiters included; what cannot be read leaves `problem` set."""
    tokens = tokenize(as_bytes(text))
    if not tokens.balanced:
        return Rules(tokens, (), "its brackets do not match")
    rules: list[Rule] = []
    at, end = inner(tokens)
    try:
        while at < end:
            if tokens.kinds[at] != OPEN:
                raise _Unreadable("a rule does not begin with a bracket")
            close = tokens.close[at]
            pattern = _patterns(tokens, at + 1, close, 0)
            if end <= close + 2 or tokens.texts[close + 1] != "=>" or tokens.kinds[close + 2] != OPEN:
                raise _Unreadable("a rule has no body")
            body_close = tokens.close[close + 2]
            names = frozenset(names_in(pattern))
            body = _writers(tokens, close + 3, body_close, names, 0)
            rules.append(Rule(pattern, body))
            at = body_close + 1
            if at < end and tokens.texts[at] == ";":
                at += 1
    except _Unreadable as reason:
        return Rules(tokens, tuple(rules), str(reason))
    return Rules(tokens, tuple(rules))


def names_in(pattern: tuple[Matcher, ...]) -> list[str]:
    """The variables of a pattern, in order."""
    found: list[str] = []
    stack = list(reversed(pattern))
    while stack:
        match stack.pop():
            case Fragment(name=name):
                found.append(name)
            case Group(children=children) | Repeat(children=children):
                stack.extend(reversed(children))
            case Word():
                pass
    return found


# What holds no name comes first. A comment in a comment ends too early here, which only brings names more.
_NAMES = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\bb?c?r(?P<hashes>\#*)".*?"(?P=hashes)|"(?:\\.|[^"\\])*"|'(?:\\[^\n]{1,9}?|[^\\'\n])'"""
    r"""|(?P<point>\.\s*)?(?:r\#)?(?P<name>[^\W\d]\w*)(?:\s*(?P<after>[!{]))?""",
    re.DOTALL,
)


def identifiers(text: str) -> frozenset[str]:
    """
    The names that a definition may bring into a body, in the spelling of `BodyFacts.names`.

    A name followed by `!` is a macro, after a point a field or method, before a brace a type built.
    """
    found: set[str] = set()
    for _, point, name, after in _NAMES.findall(text):
        if name:
            found.add(name)
            if after:
                found.add(f"{name}{after}")
            if point:
                found.add(f".{name}")
    return frozenset(found)


def _patterns(tokens: Tokens, at: int, end: int, depth: int) -> tuple[Matcher, ...]:
    if _DEEPEST < depth:
        raise _Unreadable("it is nested too deeply")
    texts, kinds = tokens.texts, tokens.kinds
    found: list[Matcher] = []
    while at < end:
        text = texts[at]
        if text == "$" and at + 1 < end:
            following = texts[at + 1]
            if following == "(":
                close = tokens.close[at + 1]
                children = _patterns(tokens, at + 2, close, depth + 1)
                separator, operator, at = _repetition(tokens, close + 1, end)
                words = () if separator is None else tuple(texts[separator.start : separator.end])
                match children:
                    case (Fragment(name=name, kind="pat"),) if words == ("|",):
                        children = (Fragment(name, "pat_param"),)
                found.append(Repeat(children, words, operator, tuple(names_in(children))))
                continue
            if following == "crate":
                found.append(Word("$crate"))
                at += 2
                continue
            if kinds[at + 1] == IDENT:
                if at + 3 < end and texts[at + 2] == ":" and kinds[at + 3] == IDENT:
                    kind = texts[at + 3]
                    if kind not in FRAGMENTS:
                        raise _Unreadable(f"the fragment specifier {kind} is not known")
                    at += 4
                    if kind == "pat" and at < end and texts[at] == "|":
                        # As in editions before 2021: what `|` follows is no alternative.
                        kind = "pat_param"
                    found.append(Fragment(following, kind))
                    continue
                raise _Unreadable(f"${following} has no fragment specifier")
        if kinds[at] == OPEN:
            close = tokens.close[at]
            found.append(Group(text, _patterns(tokens, at + 1, close, depth + 1)))
            at = close + 1
            continue
        found.append(Word(text))
        at += 1
    if _MOST_REPETITIONS < sum(isinstance(one, Repeat) for one in found):
        raise _Unreadable("a rule has too many repetitions")
    return tuple(found)


def _writers(tokens: Tokens, at: int, end: int, names: frozenset[str], depth: int) -> tuple[Writer, ...]:
    if _DEEPEST < depth:
        raise _Unreadable("it is nested too deeply")
    texts, kinds = tokens.texts, tokens.kinds
    found: list[Writer] = []
    run = at
    while at < end:
        if texts[at] != "$" or end <= at + 1:
            at += 1
            continue
        following = texts[at + 1]
        writer: Writer
        if following == "(":
            close = tokens.close[at + 1]
            children = _writers(tokens, at + 2, close, names, depth + 1)
            separator, operator, after = _repetition(tokens, close + 1, end)
            writer = Repeated(children, separator, operator, tuple(_used(children)), at)
        elif following == "crate":
            writer, after = CrateMark(at), at + 2
        elif kinds[at + 1] == IDENT and following in names:
            writer, after = Variable(following, at), at + 2
        elif following == "{":
            raise _Unreadable("it uses `${..}`, which is not stable Rust")
        else:
            # `$x` of a macro that this one defines, or `$$`.
            at += 2 if following == "$" else 1
            continue
        if run < at:
            found.append(Run(run, at))
        found.append(writer)
        at = run = after
    if run < end:
        found.append(Run(run, end))
    return tuple(found)


def _used(writers: tuple[Writer, ...]) -> list[str]:
    found: list[str] = []
    for writer in writers:
        match writer:
            case Variable(name=name):
                found.append(name)
            case Repeated(names=names):
                found.extend(names)
    return found


def _repetition(tokens: Tokens, at: int, end: int) -> tuple[Run | None, str, int]:
    """The separator and operator after `$( .. )`, and the index after them."""
    texts = tokens.texts
    if at < end and texts[at] in ("*", "+", "?"):
        return None, texts[at], at + 1
    stop = at + 1
    while stop < end and stop < at + 3 and tokens.touches(stop) and texts[at] in ("<", ">"):
        if texts[stop] in ("*", "+", "?"):
            break
        stop += 1
    if stop < end and texts[stop] in ("*", "+", "?"):
        return Run(at, stop), texts[stop], stop + 1
    raise _Unreadable("a repetition has no operator")
