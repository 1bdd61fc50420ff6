"""
The items of a text, told by a lexical pass: of plain ones all that is asked at once is read off the text.

What stands between two items that are plain, and what is more than that, is told by its place only, and
left to the parser. Where brackets, strings and comments are not understood, or do not end, nothing is told.
Every loop moves forward, so it is linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from inroads.rust.lexemes import BLOCK, COMMENT, FLAGS, HEADER, LEXEME, blanked
from inroads.rust.text import Span, Wire

MOST_NESTED = 50
"""How deep modules may stand in each other."""

Kind: TypeAlias = Literal[
    "fn",
    "struct",
    "enum",
    "use",
    "mod",
    "const",
    "static",
    "inline mod",
    "impl",
    "header",
    "odd",
    "inner",
    "end",
]

# Documentation, comments and plain attributes, then visibility and words before a function.
_TOKENS = r"""[\w\s,=:.!&|<>*+-]|"[^"\\\x80-\xff]*+\""""
_PATH = r"(?!unsafe\b)[A-Za-z_]\w*+(?:::[A-Za-z_]\w*+|(?!))*+"
_ARGUMENTS = rf"(?:{_TOKENS}|\((?:{_TOKENS}|\((?:{_TOKENS}|(?!))*+\)|(?!))*+\)|(?!))*+"
_VALUE = r"""(?:\((?P<arguments>""" + _ARGUMENTS + r""")\)|\s*+=\s*+(?P<value>"[^"\\\x80-\xff]*+"))?"""
_ATTRIBUTE = rf"""\#\[{_PATH}(?:\({_ARGUMENTS}\)|\s*+=\s*+"[^"\\\x80-\xff]*+")?\]"""
_HEAD = re.compile(
    rf"""\s*+((?:(?://[^\n]*+\n|{_ATTRIBUTE}|(?!))\s*+)*+)
    (pub\s++|pub\s*+\(\s*+(?:crate|self|super|in\s++[\w:]++)\s*+\)\s*+)?
    ((?:const\s++(?=fn\b|async\b|unsafe\b|extern\b)|async\s++|unsafe\s++|extern\s++(?:"[A-Za-z-]*+"\s++)?|(?!))*+)
    (fn|struct|enum|use|mod|impl|const|static)\s++""",
    FLAGS | re.ASCII,
)
_ELEMENT = re.compile(rf"(?://[^\n]*+\n\s*+|(?!))++|\#\[(?P<path>{_PATH}){_VALUE}\]", FLAGS | re.ASCII)
_INNER = re.compile(rf"\s*+(?://[^\n]*+\n\s*+|(?!))*+(\#!\[(?P<path>{_PATH}){_VALUE}\])", FLAGS | re.ASCII)
_DOCUMENTED = re.compile(r"(?:\A|\n)[^\S\n]*+///(?!/)")
# `->` among parameters of types is no end of them.
_GENERIC = r"""[^<>(){}"\[\]/-]|->|\((?:[^<>(){}"/-]|->|(?!))*+\)|\[[^\[\]{}"/]*+\]"""
_GENERICS = rf"<(?:{_GENERIC}|<(?:{_GENERIC}|<(?:{_GENERIC}|(?!))*+>|(?!))*+>|(?!))*+>"
_NAME = rf"([A-Za-z_]\w*+)\s*+(?:{_GENERICS}\s*+)?"
_TYPE_NAME = re.compile(rf"{_NAME}\{{", FLAGS | re.ASCII)
_FUNCTION_NAME = re.compile(
    rf"""{_NAME}
    \(\s*+(?:(&)\s*+(?:'\w++\s++)?(mut\s++)?self\b|(?:mut\s++)?(self)\b(\s*+:)?|(?=[\w)(&\[*]))""",
    FLAGS | re.ASCII,
)
_TREE = re.compile(r"([A-Za-z_{][\w\s:{},*]*+);", FLAGS | re.ASCII)
_MODULE_NAME = re.compile(r"([A-Za-z_]\w*+)\s*+([;{])", FLAGS | re.ASCII)
_TYPE = r"[A-Za-z_](?:[\w\s:&',*]|<(?:[\w\s:&',*()]|<[\w\s:&',*()]*+>|(?!))*+>|(?!))*+"
_SUBJECT = re.compile(rf"({_TYPE})\{{", FLAGS | re.ASCII)
_CONSTANT = re.compile(
    r"""(?:mut\s++)?([A-Za-z_]\w*+)\s*+:\s*+
    ((?:[\w\s:&'<>,*()]|\[[\w\s:&'<>,*()]*+(?:;[\w\s:*()]*+)?\]|(?!))++)=(?!=)\s*+""",
    FLAGS | re.ASCII,
)
_BESIDE_ITEMS = re.compile(rf"(?:\s++|{COMMENT}|(?!))*+", FLAGS)
_IN_BRACKETS = rf"""[^\[\]"'/r]++|{LEXEME}"""
_ANY_FRONT = re.compile(
    rf"""(?:\s++|{COMMENT}|\#!?\s*+\[(?:{_IN_BRACKETS}|\[(?:{_IN_BRACKETS}|(?!))*+\]|(?!))*+\]|(?!))*+""",
    FLAGS,
)
_WORDS = re.compile(
    r"""(?:pub\b\s*+(?:\([^()]*+\)\s*+)?)?(?:(?:unsafe|default|auto)\s++|(?!))*+([a-z]\w*+)(?:\s++(\w++))?""",
    FLAGS | re.ASCII,
)
_PLAIN = re.compile(rf"""(?:[^(){{}}\[\];"'/r]++|{LEXEME}|(?!))*+""", FLAGS)
_WITH_SEMICOLON = frozenset(("use", "type", "static", "let"))
_FUNCTION_WORDS = frozenset(("fn", "async", "unsafe", "extern"))


class Entry:
    """
    An item, a part of one, or what is left to the parser.

    Args:
        kind:
            Of a plain item its word. "inline mod", "impl" and "header" hold what follows up to its "end"; a header is
            that of an impl or a trait and left to the parser, as what is "odd" is, be it several items.
        cut, end: Where it begins, with what stands before it, and ends; what holds others ends behind its brace.
        head: Of a plain item, as in `ItemHead`, its name first, its holder and its block left out.
        body: Where the body of a function, or the value of a constant stands; None where it has none.
        words: What else its kind asks for: receiver and modifiers, the tree of a `use`, a type, two types.
    """

    __slots__ = ("body", "cut", "end", "head", "kind", "words")

    def __init__(
        self,
        kind: Kind,
        cut: int,
        end: int,
        head: Wire = (),
        body: Span | None = None,
        words: tuple[str | None, ...] = (),
    ) -> None:
        self.kind = kind
        self.cut = cut
        self.end = end
        self.head = head
        self.body = body
        self.words = words


def entries(chars: str) -> list[Entry] | None:
    """The items of a text, each byte a character, in order; None where it is not understood."""
    found: list[Entry] = []
    around: list[str] = []
    at = 0
    while True:
        head = _HEAD.match(chars, at)
        one = None if head is None else _READERS[head[4]](chars, head)
        if one is None:
            rest = _end_of(_BESIDE_ITEMS, chars, at)
            sign = chars[rest : rest + 1]
            if not sign:
                return None if around else found
            if sign == "}":
                if not around:
                    return None
                around.pop()
                at = rest + 1
                found.append(Entry("end", rest, at))
                continue
            one = _inner(chars, at) or _header(chars, at) or _odd(chars, at)
            if one is None:
                return None
        at = one.end
        if one.kind in _HOLDING:
            around.append(one.kind)
            if MOST_NESTED < len(around):
                return None
        elif one.kind == "odd" and found and found[-1].kind == "odd":
            # It costs less to parse several at once.
            found[-1].end = at
            continue
        found.append(one)


def items_in(chars: str, block: Span, begins: re.Pattern[str]) -> list[Entry]:
    """
    The plain items among the outermost statements of a block, up to the first item that is none of these.

    Args:
        begins: What any item begins with, after the end of the statement before it.
    """
    found: list[Entry] = []
    start, end = block
    text = blanked(chars[start:end])
    at = past = depth = 0
    for begun in begins.finditer(text):
        if begun.end() <= past:
            continue
        between = text[at : begun.start() + 1]
        at += len(between)
        depth += sum(map(between.count, "([{")) - sum(map(between.count, ")]}"))
        statement = start + 1 + max(text.rfind(sign, past, at) for sign in "{};")
        head = _HEAD.match(chars, max(statement, start + past), end) if depth == 1 else None
        one = None if head is None or head[4] not in _ALONE else _READERS[head[4]](chars, head)
        if one is None or end <= one.end:
            break
        found.append(one)
        at = past = one.end - start
    return found


_ALONE = frozenset(("fn", "struct", "enum", "use", "const", "static"))


_HOLDING = frozenset(("inline mod", "impl", "header"))


def _end_of(pattern: re.Pattern[str], chars: str, at: int) -> int:
    found = pattern.match(chars, at)
    return at if found is None else found.end()


def _function(chars: str, head: re.Match[str]) -> Entry | None:
    named = _FUNCTION_NAME.match(chars, head.end())
    if named is None:
        return None
    header = HEADER.match(chars, named.end(1))
    if header is None:
        return None
    end = header.end()
    body: Span | None = None
    if chars.startswith("{", end):
        block = BLOCK.match(chars, end)
        if block is None or not _is_body(chars, header[0], block.end()):
            return None
        body = block.span()
        end = body[1]
    elif chars.startswith(";", end):
        end += 1
    else:
        return None
    receiver = None
    if named[2]:
        receiver = "mut" if named[3] else "ref"
    elif named[4]:
        receiver = "typed" if named[5] else "value"
    return Entry("fn", head.start(1), end, _head(chars, head, named, end), body, (receiver, head[3]))


def _is_body(chars: str, header: str, end: int) -> bool:
    """
    Whether the block after a header is a body that may wait.

    It may be a constant among type arguments. A function that returns `impl Trait` is read at once.
    """
    before = header.rstrip()[-1:]
    following = chars[end : end + 40].lstrip()[:1]
    if before in ("<", "=") or (before == "," and "where" not in header) or following in (">", ","):
        return False
    return "impl " not in header or "impl " not in header.partition("->")[2]


def _structure(chars: str, head: re.Match[str]) -> Entry | None:
    named = None if head[3] else _TYPE_NAME.match(chars, head.end())
    block = None if named is None else BLOCK.match(chars, named.end() - 1)
    if named is None or block is None:
        return None
    end = block.end()
    kind: Kind = "struct" if head[4] == "struct" else "enum"
    return Entry(kind, head.start(1), end, _head(chars, head, named, end))


def _use(chars: str, head: re.Match[str]) -> Entry | None:
    tree = None if head[3] else _TREE.match(chars, head.end())
    if tree is None:
        return None
    end = tree.end()
    return Entry("use", head.start(1), end, _head(chars, head, None, end), None, (tree[1],))


def _module(chars: str, head: re.Match[str]) -> Entry | None:
    named = None if head[3] else _MODULE_NAME.match(chars, head.end())
    if named is None:
        return None
    end = named.end()
    kind: Kind = "mod" if named[2] == ";" else "inline mod"
    return Entry(kind, head.start(1), end, _head(chars, head, named, end))


def _implementation(chars: str, head: re.Match[str]) -> Entry | None:
    subject = None if head[2] or head[3] else _SUBJECT.match(chars, head.end())
    if subject is None:
        return None
    trait, middle, of = subject[1].rstrip().partition(" for ")
    words = subject[1].split()
    if "where" in words or words.count("for") != (1 if middle else 0):
        return None
    end = subject.end()
    types = (trait, of) if middle else (None, trait)
    return Entry("impl", head.start(1), end, _head(chars, head, None, end), None, types)


def _constant(chars: str, head: re.Match[str]) -> Entry | None:
    named = None if head[3] else _CONSTANT.match(chars, head.end())
    if named is None or (head[4] == "const" and chars.startswith("mut ", head.end())):
        return None
    start = named.end()
    closed = _semicolon(chars, start)
    if closed is None:
        return None
    value = chars[start:closed].rstrip()
    if not value or value[0] in "{/#" or "//" in value or "/*" in value:
        return None
    kind: Kind = "static" if head[4] == "static" else "const"
    whole = _head(chars, head, named, closed + 1)
    return Entry(kind, head.start(1), closed + 1, whole, (start, start + len(value)), (named[2].strip(),))


_READERS: dict[str, Callable[[str, re.Match[str]], Entry | None]] = {
    "fn": _function,
    "struct": _structure,
    "enum": _structure,
    "use": _use,
    "mod": _module,
    "impl": _implementation,
    "const": _constant,
    "static": _constant,
}


def _inner(chars: str, at: int) -> Entry | None:
    """`#![..]`, if it is plain."""
    found = _INNER.match(chars, at)
    if found is None:
        return None
    told = found["path"], found["arguments"] or found["value"] or "", *found.span(1)
    return Entry("inner", at, found.end(), told)


def _header(chars: str, at: int) -> Entry | None:
    """The header of a trait or an impl."""
    start = _end_of(_ANY_FRONT, chars, at)
    words = _WORDS.match(chars, start)
    if words is None or words[1] not in ("impl", "trait"):
        return None
    end = _end_of(HEADER, chars, start)
    return Entry("header", at, end + 1, (), None, (words[1],)) if chars.startswith("{", end) else None


def _odd(chars: str, at: int) -> Entry | None:
    """Any other item; None if its end is not found."""
    start = _end_of(_ANY_FRONT, chars, at)
    words = _WORDS.match(chars, start)
    if words is not None and (
        words[1] in _WITH_SEMICOLON or (words[1] == "const" and words[2] not in _FUNCTION_WORDS)
    ):
        closed = _semicolon(chars, start)
        return None if closed is None else Entry("odd", at, closed + 1)
    while True:
        start = _end_of(_PLAIN, chars, start)
        if chars.startswith(";", start):
            return Entry("odd", at, start + 1)
        end = _closed(chars, start)
        if end is None:
            return None
        if chars.startswith("{", start):
            return Entry("odd", at, end)
        start = end


def _semicolon(chars: str, at: int) -> int | None:
    """Where the next semicolon stands that is in no bracket."""
    while True:
        at = _end_of(_PLAIN, chars, at)
        if chars.startswith(";", at):
            return at
        end = _closed(chars, at)
        if end is None:
            return None
        at = end


def _closed(chars: str, at: int) -> int | None:
    """The end of what a bracket opens; None if none opens there, or it does not end."""
    if chars.startswith("{", at):
        block = BLOCK.match(chars, at)
        if block is not None:
            return block.end()
    depth = 0
    while True:
        sign = chars[at : at + 1]
        if sign and sign in "([{":
            depth += 1
        elif sign and sign in ")]}":
            depth -= 1
        elif sign != ";" or not depth:
            return None
        at += 1
        if depth <= 0:
            return at if depth == 0 else None
        at = _end_of(_PLAIN, chars, at)


def _head(chars: str, front: re.Match[str], named: re.Match[str] | None, end: int) -> Wire:
    cut, start = front.span(1)
    visibility = front[2]
    if visibility is None:
        visibility = ""
    elif "(" in visibility:
        visibility = " ".join(visibility[visibility.index("(") + 1 :].rstrip(") \t\r\n").split())
    else:
        visibility = "pub"
    full_start, attributes, doc = _before(chars, cut, start) if cut < start else (None, (), False)
    return (
        "" if named is None else named[1],
        start,
        end,
        start if named is None else named.start(1),
        start if full_start is None else full_start,
        visibility,
        attributes,
        doc,
    )


def _before(chars: str, start: int, end: int) -> tuple[int | None, tuple[Wire, ...], bool]:
    """Where documentation or an attribute begins (None for neither), the attributes, whether it is documented."""
    front = chars[start:end]
    if "#[" not in front:
        at = _documented_at(front)
        return (None, (), False) if at is None else (start + at, (), True)
    full_start: int | None = None
    attributes: list[Wire] = []
    doc = False
    for element in _ELEMENT.finditer(front):
        at, past = element.span()
        if element["path"]:
            told = element["arguments"] or element["value"] or ""
            attributes.append((element["path"], told, start + at, start + past))
        else:
            documented = _documented_at(element[0])
            if documented is None:
                continue
            doc = True
            at += documented
        if full_start is None:
            full_start = start + at
    return full_start, tuple(attributes), doc


def _documented_at(comments: str) -> int | None:
    """Where documentation begins among comments."""
    if comments.startswith("///") and comments[3:4] != "/":
        return 0
    found = _DOCUMENTED.search(comments)
    return None if found is None else found.end() - 3
