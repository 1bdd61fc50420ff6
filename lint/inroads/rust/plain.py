"""
Functions, structs and enums whose heads are told without parsing.

What else such an item says is read when somebody asks for it (see late.py). An item is plain if nothing but
comments, documentation and simple attributes stands before it, and nothing odd in its first line.
"""

from __future__ import annotations

import re

from inroads.rust.lexemes import BLOCK, BOUNDARY, FLAGS
from inroads.rust.text import Span, Wire

# Documentation, comments and plain attributes, then visibility and words before a function.
_TOKENS = r"""[\w\s,=:.!&|<>*+-]|"[^"\\\x80-\xff]*+\""""
_PATH = r"(?!unsafe\b)[A-Za-z_]\w*+(?:::[A-Za-z_]\w*+|(?!))*+"
_ARGUMENTS = rf"(?:{_TOKENS}|\((?:{_TOKENS}|(?!))*+\)|(?!))*+"
_ATTRIBUTE = rf"\#\[{_PATH}(?:\({_ARGUMENTS}\))?\]"
_FRONT = re.compile(
    rf"""\s*+((?:(?://[^\n]*+\n|{_ATTRIBUTE}|(?!))\s*+)*+)
    (pub\s++|pub\s*+\(\s*+(?:crate|self|super|in\s++[\w:]++)\s*+\)\s*+)?
    ((?:const\s++|async\s++|unsafe\s++|extern\s++(?:"[A-Za-z-]*+"\s++)?|(?!))*+)\Z""",
    FLAGS | re.ASCII,
)
_ELEMENT = re.compile(rf"//[^\n]*+\n|\#\[({_PATH})(?:\(({_ARGUMENTS})\))?\]", FLAGS | re.ASCII)
_DOCUMENTED = re.compile(r"(?:\A|\n)[^\S\n]*+///(?!/)")
_NAME = r"""([A-Za-z_]\w*+)\s*+(?:<(?:[^<>(){}"]|<(?:[^<>(){}"]|<[^<>(){}"]*+>|(?!))*+>|(?!))*+>\s*+)?"""
_TYPE_NAME = re.compile(rf"{_NAME}\{{", FLAGS | re.ASCII)
_FUNCTION_NAME = re.compile(
    rf"""{_NAME}
    \(\s*+(?:(&)\s*+(?:'\w++\s++)?(mut\s++)?self\b|(?:mut\s++)?(self)\b(\s*+:)?|(?=[\w)(&\[*]))""",
    FLAGS | re.ASCII,
)


class PlainItem:
    """
    An item that the parser may leave out.

    Args:
        cut, end: Where it begins, what documents it included, and ends.
        kind: "fn", "struct" (with named fields) or "enum".
        head: As in `ItemHead`, its name first, its holder and its block left out.
        receiver, modifiers: Of a function, as they are written.
        body: Where the body of a function stands; None where it has none.
    """

    __slots__ = ("body", "cut", "end", "head", "kind", "modifiers", "receiver")

    def __init__(
        self,
        kind: str,
        cut: int,
        head: Wire,
        *,
        receiver: str | None = None,
        modifiers: str = "",
        body: Span | None = None,
    ) -> None:
        self.kind = kind
        self.cut = cut
        self.end: int = head[2]
        self.head = head
        self.receiver = receiver
        self.modifiers = modifiers
        self.body = body


def front_of(chars: str, after: int, keyword: int) -> re.Match[str] | None:
    """What stands before the keyword of an item, if it is plain and begins there."""
    return _FRONT.match(chars, after, keyword)


def front_after(chars: str, after: int, keyword: int) -> re.Match[str] | None:
    """The same, if other items stand before it."""
    boundary = BOUNDARY.match(chars, after, keyword)
    return None if boundary is None else _FRONT.match(chars, boundary.end(), keyword)


def plain_function(
    chars: str, front: re.Match[str], name: int, end: int, body: Span | None
) -> PlainItem | None:
    """The function of that name, if it is plain."""
    named = _FUNCTION_NAME.match(chars, name, end)
    if named is None:
        return None
    receiver = None
    if named[2]:
        receiver = "mut" if named[3] else "ref"
    elif named[4]:
        receiver = "typed" if named[5] else "value"
    head = _head(chars, front, named[1], name, end)
    return PlainItem("fn", front.start(1), head, receiver=receiver, modifiers=front[3], body=body)


def add_types(chars: str, at: int, end: int, items: list[PlainItem]) -> int:
    """Append the plain structs and enums of a region; where the last one ends, or the region begins."""
    found = after = at
    # So often it may be looked at in vain what stands before a word.
    left = 4 * (end - at) + _LINE
    # Where the words stand next; at the end where they do not.
    struct, enum = -1, -1
    while 0 < left:
        if struct < at:
            struct = chars.find("struct ", at, end) % (end + 1)
        if enum < at:
            enum = chars.find("enum ", at, end) % (end + 1)
        keyword = min(struct, enum)
        if keyword == end:
            break
        name = chars.index(" ", keyword) + 1
        left -= keyword - after + _LINE
        boundary = BOUNDARY.match(chars, after, keyword)
        after = after if boundary is None else boundary.end()
        front = _FRONT.match(chars, after, keyword)
        named = None if front is None or front[3] else _TYPE_NAME.match(chars, name, end)
        block = None if named is None else BLOCK.match(chars, named.end() - 1, end)
        if front is None or named is None or block is None:
            at = name
            continue
        found = after = at = block.end()
        kind = chars[keyword : name - 1]
        items.append(PlainItem(kind, front.start(1), _head(chars, front, named[1], name, at)))
    return found


_LINE = 100


def _head(chars: str, front: re.Match[str], name: str, name_at: int, end: int) -> Wire:
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
        name,
        start,
        end,
        name_at,
        start if full_start is None else full_start,
        visibility,
        attributes,
        doc,
    )


def _before(chars: str, start: int, end: int) -> tuple[int | None, tuple[Wire, ...], bool]:
    """Where documentation or an attribute begins (None for neither), the attributes, whether it is documented."""
    front = chars[start:end]
    if "#[" not in front:
        if front.startswith("///") and front[3:4] != "/":
            return start, (), True
        documented = _DOCUMENTED.search(front)
        return (None, (), False) if documented is None else (start + documented.end() - 3, (), True)
    full_start: int | None = None
    attributes: list[Wire] = []
    doc = False
    for element in _ELEMENT.finditer(front):
        at, past = element.span()
        if element[1]:
            attributes.append((element[1], element[2] or "", start + at, start + past))
        elif front.startswith("///", at) and not front.startswith("////", at):
            doc = True
        else:
            continue
        if full_start is None:
            full_start = start + at
    return full_start, tuple(attributes), doc
