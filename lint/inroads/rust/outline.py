"""
Where the bodies of functions stand, told by a lexical pass: the parser may leave them out.

A body that waits as text (see bodies.py) is not looked at when the items of its file are read, so
whoever asks about a few functions need not have all of them parsed. The pass knows strings,
characters, lifetimes, comments and brackets; where it meets anything else it gives the file up,
and the file is parsed whole. Every loop moves forward, so it is linear.
"""

from __future__ import annotations

import re

from inroads.rust.bodies import not_waiting
from inroads.rust.text import Span

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


def bodies_to_leave_out(chars: str, data: bytes) -> list[Span]:
    """
    The bodies of functions that wait as text, braces included, in order; none where the text is not understood.

    Args:
        chars: The text, each byte a character.
        data: The same as bytes.
    """
    found: list[Span] = []
    regions: list[Span] = [(0, len(chars))]
    while regions:
        bodies: list[Span] = []
        for start, end in regions:
            if not _collect(chars, start, end, bodies):
                return []
        reading = not_waiting([data[start:end] for start, end in bodies])
        # Functions inside of those that must be read may wait on their own.
        regions = [(bodies[at][0] + 1, bodies[at][1] - 1) for at in sorted(reading)]
        found += [body for at, body in enumerate(bodies) if at not in reading]
        if MOST_BODIES < len(found):
            return []
    found.sort()
    return found


def _collect(chars: str, at: int, end: int, bodies: list[Span]) -> bool:
    """Append the bodies of outermost functions in a region; whether all of it was understood."""
    while at < end:
        function = _FUNCTION.match(chars, at, end)
        if function is None:
            return False
        at = function.end()
        if at == end:
            break
        header = _HEADER.match(chars, at, end)
        if header is None or chars[header.end() : header.end() + 1] != "{":
            continue
        opening = header.end()
        block = _BLOCK.match(chars, opening, end)
        if block is None:
            return False
        if _is_body(chars, header.group(), block.end()):
            bodies.append(block.span())
            at = block.end()
        else:
            at = opening
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
