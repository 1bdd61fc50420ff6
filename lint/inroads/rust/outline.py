"""
Where functions and their bodies stand, told by a lexical pass: the parser may leave them out.

A body that waits as text (see bodies.py) is not looked at when the items of its file are read, so
whoever asks about a few functions need not have all of them parsed. Most functions, structs and enums
are left out whole (see plain.py). The pass knows strings, characters, lifetimes, comments and brackets;
where it meets anything else it gives the file up, and the file is parsed whole. Every loop moves
forward, so it is linear.
"""

from __future__ import annotations

import re

from inroads.rust.bodies import not_waiting, waits_behind
from inroads.rust.lexemes import BLOCK, FLAGS, HEADER, LEXEME
from inroads.rust.plain import PlainItem, add_types, front_after, front_of, plain_function
from inroads.rust.text import Span

MOST_BODIES = 2000
"""The parser walks along the list of what it reads, so of a file with more of them nothing is left out."""

# Up to the next word `fn`, or the end.
_FUNCTION = re.compile(
    rf"""(?:[^f"'/r]++|f(?!n\s)|(?<=[A-Za-z0-9_\#\x80-\xff])f|{LEXEME}|(?!))*+(?:fn\s++|\Z)""", FLAGS
)


_USES = re.compile(rb"\{(?:\s*+(?://[^\n]*+\n\s*+|(?!))*+use\s++[\w:{},*\s]++;|(?!))++")
_LEADING = re.compile(r"(?:\s*+//(?!/)[^\n]*+\n|(?!))*+")


class Outline:
    """
    What the parser may leave out of a text.

    Args:
        bodies: Of functions that wait as text, braces included, in order; empty where the text is not understood.
        items: Those that may be left out whole, in order.
        spans: Where all of it stands, in order.
    """

    __slots__ = ("bodies", "items", "spans")

    def __init__(self, bodies: list[Span], items: list[PlainItem], spans: list[Span]) -> None:
        self.bodies = bodies
        self.items = items
        self.spans = spans


class _Function:
    """
    A function: the end of what is before it, and where `fn`, its name and its body stand.

    The body is None where it has none; `waits` is whether it need not be read.
    """

    __slots__ = ("after", "body", "end", "keyword", "name", "waits")

    def __init__(self, after: int, keyword: int, name: int, end: int, body: Span | None) -> None:
        self.after = after
        self.keyword = keyword
        self.name = name
        self.end = end
        self.body = body
        self.waits = True


def outline(chars: str, data: bytes) -> Outline:
    """
    What may be left out: plain items whole, of others the bodies that wait.

    Args:
        chars: The text, each byte a character.
        data: The same as bytes.
    """
    spans: list[Span] = []
    functions, inner = _functions(chars, data, spans)
    bodies = [one.body for one in functions if one.waits and one.body is not None]
    bodies += inner
    bodies.sort()
    if MOST_BODIES < len(bodies):
        return Outline([], [], [])
    if not functions:
        return Outline(bodies, [], [])
    items: list[PlainItem] = []
    for one in functions:
        front = front_of(chars, one.after, one.keyword)
        if front is None:
            after = add_types(chars, one.after, one.keyword, items)
            front = front_after(chars, after, one.keyword)
        if one.waits:
            plain = None if front is None else plain_function(chars, front, one.name, one.end, one.body)
            if plain is not None:
                items.append(plain)
            elif one.body is not None:
                spans.append((one.body[0] + 1, one.body[1] - 1))
    add_types(chars, functions[-1].end, len(chars), items)
    spans += [(start + 1, end - 1) for start, end in inner]
    spans += [(one.cut, one.end) for one in items]
    if MOST_BODIES < len(spans):
        return Outline(bodies, [], [])
    spans.sort()
    leading = _LEADING.match(chars)
    if spans and leading is not None and 0 < leading.end() <= spans[0][0]:
        spans.insert(0, leading.span())
    return Outline(bodies, items, spans)


def _functions(chars: str, data: bytes, spans: list[Span]) -> tuple[list[_Function], list[Span]]:
    """
    The outermost functions, and the bodies that wait in those that do not, in order; none where the text
    is not understood.

    Where a body waits but for each `use` in its beginning, what follows is appended to `spans`.
    """
    outermost: list[_Function] = []
    inner: list[Span] = []
    regions: list[Span] = [(0, len(chars))]
    while regions:
        functions: list[_Function] = []
        for start, end in regions:
            if not _collect(chars, start, end, functions):
                return [], []
        bodies = [one.body for one in functions if one.body is not None]
        texts = [data[start:end] for start, end in bodies]
        reading = not_waiting(texts)
        regions = []
        for at in sorted(reading):
            start, end = bodies[at]
            uses = _USES.match(texts[at])
            if uses is not None and waits_behind(texts[at], uses.end()):
                spans.append((start + uses.end(), end - 1))
            else:
                # Functions inside of those that must be read may wait on their own.
                regions.append((start + 1, end - 1))
        if outermost:
            inner += [body for at, body in enumerate(bodies) if at not in reading]
        else:
            outermost = functions
            read = {bodies[at] for at in reading}
            for one in functions:
                one.waits = one.body not in read
    return outermost, inner


def _collect(chars: str, at: int, end: int, functions: list[_Function]) -> bool:
    """Append the outermost functions in a region; whether all of it was understood."""
    before = at
    while at < end:
        function = _FUNCTION.match(chars, at, end)
        if function is None:
            return False
        name = function.end()
        if name == end:
            break
        header = HEADER.match(chars, name, end)
        opening = name if header is None else header.end()
        sign = chars[opening : opening + 1]
        if header is None or sign not in ("{", ";"):
            at = name
            continue
        block = BLOCK.match(chars, opening, end) if sign == "{" else None
        if sign == "{" and block is None:
            return False
        keyword = chars.rindex("fn", at, name)
        if block is None:
            at = opening + 1
            functions.append(_Function(before, keyword, name, at, None))
        elif _is_body(chars, header.group(), block.end()):
            at = block.end()
            functions.append(_Function(before, keyword, name, at, block.span()))
        else:
            at = opening
            continue
        before = at
    return True


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
