"""
Where functions and their bodies stand, told by a lexical pass: the parser may leave them out.

A body that waits as text (see bodies.py) is not looked at when the items of its file are read, so
whoever asks about a few functions need not have all of them parsed. Of most functions all but the
types of their signature is plain, too: such a function is left out whole. The pass knows strings,
characters, lifetimes, comments and brackets; where it meets anything else it gives the file up,
and the file is parsed whole. Every loop moves forward, so it is linear.
"""

from __future__ import annotations

import re

from inroads.rust.bodies import not_waiting, waits_behind
from inroads.rust.text import Span, Wire

MOST_BODIES = 2000
"""The parser walks along the list of what it reads, so a file with more functions is parsed whole."""

_DEEPEST = 12
"""How deep braces may nest in a body that is left out."""

_CHARACTER = r"(?:[\x80-\xff]{2,4}|[^'\\\n\x80-\xff]|\\(?:u\{[^}']*\}|x[0-9a-fA-F]{2}|[^\n]))'"
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_RAW = r"""(?:"[^"]*+"|\#"[^"]*+(?:"(?!\#)[^"]*+)*+"\#|\#\#"[^"]*+(?:"(?!\#\#)[^"]*+)*+"\#\#)"""
# A comment inside a comment is not known here, nor is a string behind an `r` that ends a name.
_COMMENT = r"/(?:/[^\n]*+|\*(?:[^*/]++|\*(?!/)|/(?!\*))*+\*/)"
_LEXEME = rf"""r(?:(?!["\#])|(?!\#*")|(?:(?<![A-Za-z0-9_\x80-\xff]r)|(?<=\b[bc]r)){_RAW})
    |{_STRING}|{_COMMENT}|/(?![/*])|'(?:(?=[A-Za-z_]\w)|{_CHARACTER}|(?=[A-Za-z_\x80-\xff]))"""


def _block() -> str:
    nested = rf"""\{{(?:[^{{}}"'/r]++|{_LEXEME})*+\}}"""
    for _ in range(_DEEPEST):
        nested = rf"""\{{(?:[^{{}}"'/r]++|{_LEXEME}|{nested})*+\}}"""
    return nested


def _brackets() -> str:
    nested = ""
    for _ in range(6):
        plain = rf"""[^{{}};()\[\]"'/]++|{_COMMENT}|'(?=[A-Za-z_])"""
        nested = rf"(?:{plain}|[(\[](?:{nested}|;)*+[)\]])" if nested else f"(?:{plain})"
    return nested


_FLAGS = re.DOTALL | re.VERBOSE
_BLOCK = re.compile(_block(), _FLAGS)
_HEADER = re.compile(f"{_brackets()}*+", _FLAGS)
# Up to the next word `fn`, or the end.
_FUNCTION = re.compile(
    rf"""(?:[^f"'/r]++|f(?!n\s)|(?<=[A-Za-z0-9_\#\x80-\xff])f|{_LEXEME})*+(?:fn\s++|\Z)""", _FLAGS
)


# Documentation, comments and plain attributes, then visibility and words before a function.
_TOKENS = r"""[\w\s,=:.!&|<>*+-]|"[^"\\\x80-\xff]*+\""""
_PATH = r"(?!unsafe\b)[A-Za-z_]\w*+(?:::[A-Za-z_]\w*+)*+"
_ARGUMENTS = rf"(?:{_TOKENS}|\((?:{_TOKENS})*+\))*+"
_ATTRIBUTE = rf"\#\[{_PATH}(?:\({_ARGUMENTS}\))?\]"
_FRONT = re.compile(
    rf"""\s*+((?:(?://[^\n]*+\n|{_ATTRIBUTE})\s*+)*+)
    (pub\s++|pub\s*+\(\s*+(?:crate|self|super|in\s++[\w:]++)\s*+\)\s*+)?
    ((?:const\s++|async\s++|unsafe\s++|extern\s++(?:"[A-Za-z-]*+"\s++)?)*+)\Z""",
    _FLAGS | re.ASCII,
)
_ELEMENT = re.compile(rf"//[^\n]*+\n|\#\[({_PATH})(?:\(({_ARGUMENTS})\))?\]", _FLAGS | re.ASCII)
_DOCUMENTED = re.compile(r"(?:\A|\n)\s*+///(?!/)")
# Up to the last bracket or semicolon outside of strings and comments.
_BOUNDARY = re.compile(rf"""(?:(?:[^"'/r{{}};]++|{_LEXEME})*+[{{}};])*+""", _FLAGS)
_NAME = re.compile(
    r"""([A-Za-z_]\w*+)\s*+(?:<(?:[^<>(){}"]|<(?:[^<>(){}"]|<[^<>(){}"]*+>)*+>)*+>\s*+)?
    \(\s*+(?:(&)\s*+(?:'\w++\s++)?(mut\s++)?self\b|(?:mut\s++)?(self)\b(\s*+:)?|(?=[\w)(&\[*]))""",
    _FLAGS | re.ASCII,
)
_USES = re.compile(rb"\{(?:\s*+(?://[^\n]*+\n\s*+)*+use\s++[\w:{},*\s]++;)++")
_LEADING = re.compile(r"(?:\s*+//(?!/)[^\n]*+\n)*+")


class Outline:
    """
    What the parser may leave out of a text.

    Args:
        bodies: Of functions that wait as text, braces included, in order; empty where the text is not understood.
        functions: Those that may be left out whole, in order.
        spans: Where all of it stands, in order.
    """

    __slots__ = ("bodies", "functions", "spans")

    def __init__(self, bodies: list[Span], functions: list[PlainFunction], spans: list[Span]) -> None:
        self.bodies = bodies
        self.functions = functions
        self.spans = spans


class PlainFunction:
    """
    A function of which all is known but the types of its signature.

    Args:
        cut: Where it begins, what documents it included.
        head: As in `ItemHead`, from `start` on; the name first.
        receiver, modifiers: As they are written.
        body: Where its body stands.
    """

    __slots__ = ("body", "cut", "head", "modifiers", "receiver")

    def __init__(self, cut: int, head: Wire, receiver: str | None, modifiers: str, body: Span) -> None:
        self.cut = cut
        self.head = head
        self.receiver = receiver
        self.modifiers = modifiers
        self.body = body


class _Found:
    """A function: the end of what is before it, and where `fn`, its name and its body stand."""

    __slots__ = ("after", "body", "keyword", "name", "outermost")

    def __init__(self, after: int, keyword: int, name: int, body: Span, outermost: bool) -> None:
        self.after = after
        self.keyword = keyword
        self.name = name
        self.body = body
        self.outermost = outermost


def outline(chars: str, data: bytes) -> Outline:
    """
    The functions of a text, and their bodies.

    Args:
        chars: The text, each byte a character.
        data: The same as bytes.
    """
    functions: list[PlainFunction] = []
    spans: list[Span] = []
    found = _waiting(chars, data, spans)
    for one in found:
        plain = _plain(chars, one) if one.outermost else None
        if plain is None:
            spans.append((one.body[0] + 1, one.body[1] - 1))
        else:
            functions.append(plain)
            spans.append((plain.cut, plain.body[1]))
    spans.sort()
    leading = _LEADING.match(chars)
    if spans and leading is not None and 0 < leading.end() <= spans[0][0]:
        spans.insert(0, leading.span())
    return Outline([one.body for one in found], functions, spans)


def bodies_to_leave_out(chars: str, data: bytes) -> list[Span]:
    """The bodies of functions that wait as text, braces included, in order; none where the text is not understood."""
    return [one.body for one in _waiting(chars, data, [])]


def _waiting(chars: str, data: bytes, spans: list[Span]) -> list[_Found]:
    """
    The functions whose bodies wait as text, in order; none where the text is not understood.

    Where a body waits but for each `use` in its beginning, what follows is appended to `spans`.
    """
    found: list[_Found] = []
    regions: list[Span] = [(0, len(chars))]
    outermost = True
    while regions:
        functions: list[_Found] = []
        for start, end in regions:
            if not _collect(chars, start, end, functions, outermost):
                return []
        texts = [data[one.body[0] : one.body[1]] for one in functions]
        reading = not_waiting(texts)
        regions = []
        for at in sorted(reading):
            start, end = functions[at].body
            uses = _USES.match(texts[at])
            if uses is not None and waits_behind(texts[at], uses.end()):
                spans.append((start + uses.end(), end - 1))
            else:
                # Functions inside of those that must be read may wait on their own.
                regions.append((start + 1, end - 1))
        outermost = False
        found += [one for at, one in enumerate(functions) if at not in reading]
        if MOST_BODIES < len(found):
            return []
    found.sort(key=lambda one: one.body)
    return found


def _collect(chars: str, at: int, end: int, functions: list[_Found], outermost: bool) -> bool:
    """Append the outermost functions in a region; whether all of it was understood."""
    before = at
    while at < end:
        function = _FUNCTION.match(chars, at, end)
        if function is None:
            return False
        name = function.end()
        if name == end:
            break
        header = _HEADER.match(chars, name, end)
        if header is None or chars[header.end() : header.end() + 1] != "{":
            at = name
            continue
        opening = header.end()
        block = _BLOCK.match(chars, opening, end)
        if block is None:
            return False
        if _is_body(chars, header.group(), block.end()):
            keyword = chars.rindex("fn", at, name)
            functions.append(_Found(before, keyword, name, block.span(), outermost))
            before = at = block.end()
        else:
            at = opening
    return True


def _plain(chars: str, found: _Found) -> PlainFunction | None:
    """The function, if all that stands before it and its name are plain."""
    keyword = found.keyword
    front = _FRONT.match(chars, found.after, keyword)
    if front is None:
        boundary = _BOUNDARY.match(chars, found.after, keyword)
        front = None if boundary is None else _FRONT.match(chars, boundary.end(), keyword)
    named = _NAME.match(chars, found.name, found.body[0])
    if front is None or named is None:
        return None
    cut, visible = front.span(1)
    start = visible
    visibility = front[2]
    if visibility is None:
        visibility = ""
    elif "(" in visibility:
        visibility = " ".join(visibility[visibility.index("(") + 1 :].rstrip(") \t\r\n").split())
    else:
        visibility = "pub"
    full_start, attributes, doc = _before(chars, cut, visible) if cut < visible else (None, (), False)
    if named[2]:
        receiver = "mut" if named[3] else "ref"
    elif named[4]:
        receiver = "typed" if named[5] else "value"
    else:
        receiver = None
    head = (
        named[1],
        start,
        found.body[1],
        found.name,
        start if full_start is None else full_start,
        visibility,
        attributes,
        doc,
    )
    return PlainFunction(cut, head, receiver, front[3], found.body)


def _before(chars: str, start: int, end: int) -> tuple[int | None, tuple[Wire, ...], bool]:
    """Where documentation or an attribute begins (None for neither), the attributes, whether it is documented."""
    front = chars[start:end]
    if "#[" not in front:
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


def _is_body(chars: str, header: str, end: int) -> bool:
    """
    Whether the block after a header is a body that may wait.

    It may be a constant among type arguments. A function that returns `impl Trait` is read at once.
    """
    before = header.rstrip()[-1:]
    following = chars[end : end + 40].lstrip()[:1]
    if before in ("<", "=") or (before == "," and "where" not in header) or following in (">", ","):
        return False
    return "(" in header and "impl " not in header
