"""
What a text is made of, as regular expressions: strings, characters, lifetimes, comments, and blocks of them.

They match nothing where they are not sure. Every repetition is possessive, so none looks at a text twice.

A group that is repeated possessively has `(?!)` for its last choice, here and wherever files are read. It never
matches; but before Python 3.11.5 a turn that failed half-way was not taken back (gh-106052), and to try one
choice more does that. An atomic group would do, too, and keep a hundred bytes for every turn.
"""

from __future__ import annotations

import re

_DEEPEST = 12
"""How deep braces may nest in a body that is left out."""

_CHARACTER = r"(?:[\x80-\xff]{2,4}|[^'\\\n\x80-\xff]|\\(?:u\{[^}']*\}|x[0-9a-fA-F]{2}|[^\n]))'"
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_RAW = r"""(?:"[^"]*+"|\#"[^"]*+(?:(?:"(?!\#)|(?!))[^"]*+)*+"\#|\#\#"[^"]*+(?:(?:"(?!\#\#)|(?!))[^"]*+)*+"\#\#)"""
# A comment inside a comment is not known here, nor is a string behind an `r` that ends a name.
COMMENT = r"/(?:/[^\n]*+|\*(?:[^*/]++|\*(?!/)|/(?!\*)|(?!))*+\*/)"
LEXEME = rf"""r(?:(?!["\#])|(?!\#*")|(?:(?<![A-Za-z0-9_\x80-\xff]r)|(?<=\b[bc]r)){_RAW})
    |{_STRING}|{COMMENT}|/(?![/*])|'(?:(?=[A-Za-z_]\w)|{_CHARACTER}|(?=[A-Za-z_\x80-\xff]))"""


def _block() -> str:
    nested = rf"""\{{(?:[^{{}}"'/r]++|{LEXEME}|(?!))*+\}}"""
    for _ in range(_DEEPEST):
        nested = rf"""\{{(?:[^{{}}"'/r]++|{LEXEME}|{nested}|(?!))*+\}}"""
    return nested


def _brackets() -> str:
    nested = ""
    for _ in range(6):
        plain = rf"""[^{{}};()\[\]"'/]++|{COMMENT}|'(?=[A-Za-z_])"""
        nested = rf"(?:{plain}|[(\[](?:{nested}|;|(?!))*+[)\]])" if nested else f"(?:{plain})"
    return nested


FLAGS = re.DOTALL | re.VERBOSE
_SILENT = re.compile(
    rf"""(?<![A-Za-z0-9_\x80-\xff])[bc]?r(?P<signs>\#*+)"[^"]*+(?:(?:"(?!(?P=signs))|(?!))[^"]*+)*+"(?P=signs)
    |{_STRING}|{COMMENT}|'{_CHARACTER}""",
    FLAGS,
)
BLOCK = re.compile(_block(), FLAGS)
"""From a brace to the one that closes it."""

HEADER = re.compile(f"(?:{_brackets()}|(?!))*+", FLAGS)
"""Up to a brace or a semicolon outside of brackets."""


def blanked(chars: str) -> str:
    """The text with blanks for strings, characters and comments, so that all else keeps its place."""
    return _SILENT.sub(lambda found: " " * len(found[0]), chars)
