"""
Text with styles, which colours or does not.

A line is a list of `Piece`s; where no colour is wanted only their texts are
left, so that a colour never carries meaning alone. This is done by hand, and not with
rich, because rich takes longer to import than a warm run may last.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import combining, east_asian_width

import msgspec

from inroads.report.common import visible

_CODES = {
    "": "",
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "gutter": "1;34",
    "bold": "1",
    "dim": "2",
    "good": "32",
    "help": "1;32",
}


class Piece(msgspec.Struct, frozen=True):
    """A stretch of text in one style; `link` is the address behind it, "" for none."""

    text: str
    style: str = ""
    link: str = ""


def coloured(pieces: Iterable[Piece], colour: bool) -> str:
    """
    One line of text, with escape sequences where colour is wanted.

    Names and messages come from the analysed code: what would move the cursor
    or turn the line around is shown by its number.
    """
    if not colour:
        return "".join(visible(piece.text) for piece in pieces).rstrip()
    parts = []
    for piece in pieces:
        code = _CODES[piece.style]
        shown = visible(piece.text)
        text = f"\x1b[{code}m{shown}\x1b[0m" if code and shown else shown
        if piece.link:
            text = f"\x1b]8;;{piece.link}\x1b\\{text}\x1b]8;;\x1b\\"
        parts.append(text)
    return "".join(parts)


def width_of(text: str) -> int:
    """The columns that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in ("W", "F") else 1 for sign in text)


def printable(text: str) -> str:
    """Source text for a terminal: tabs as four spaces, control characters (escape sequences too) made visible."""
    if text.isprintable():
        return text
    return "".join(
        "    " if sign == "\t" else sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for sign in text
    )


def shortened(text: str, width: int) -> str:
    """The text, cut with an ellipsis where it is wider."""
    if width_of(text) <= width:
        return text
    kept = text[: max(width - 1, 1)]
    while width_of(kept) > width - 1 and len(kept) > 1:
        kept = kept[:-1]
    return kept.rstrip() + "…"
