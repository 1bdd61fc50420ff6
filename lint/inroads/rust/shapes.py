"""
What stands inside a macro call, told by its shape.

The cheap shape, arguments between commas, is tried by macros.py at once. Here
are the others, cut by a lexical pass over the call's own tokens:

* `x; n`, in square brackets: the two are arguments
* statements with `;`: one region
* arms `pattern = expr, if guard => handler`, `pattern => handler` (select! and
  its like): the expression with the pattern's text as label, and the pattern; a
  guard, labelled `if`; the handler, whose label ends in `=>`
* `matches!(expr, pattern if guard)` and its like: the expression with the
  pattern; the guard, labelled `if`
* what does not parse as a whole is cut at commas and semicolons, and kept
  where it parses by itself; a name before `=` or `:` is its label
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Literal, TypeAlias

from inroads.rust.tokens import Site, past_tree, repeats

Shape: TypeAlias = Literal["arguments", "array", "statements", "expression", "pattern", "literal"]


class Piece:
    """
    A part of a call: how it is to be read, where it stands, and its label.

    `pattern` is what the expression is matched with, as in `pattern = expr =>`.
    A piece of shape `literal` needs no parsing.
    """

    __slots__ = ("label", "pattern", "shape", "span")

    def __init__(self, shape: Shape, span: tuple[int, int], label: str = "") -> None:
        self.shape: Shape = shape
        self.span = span
        self.label = label
        self.pattern: tuple[int, int] | None = None


_MOST_PARTS = 64
_WORTH = re.compile(r"[A-Za-z_]")
# Up to three deep; each part begins with what no other may, so that nothing is tried twice.
_PLAIN = "[^<>;{}]*"
_NESTED = f"<{_PLAIN}(?:<{_PLAIN}>{_PLAIN})*>"
_TURBOFISH = re.compile(rf"::\s*<{_PLAIN}(?:{_NESTED}{_PLAIN})*>")
_STRING = re.compile(r"""\s*"[^"\\]*(?:\\.[^"\\]*)*"\s*""", re.DOTALL)


def cut(chars: str, site: Site, name: str) -> list[Piece]:
    """The pieces that the shape of a call of that name suggests; none if nothing is worth reading."""
    start, end = site.start + 1, site.end - 1
    inner = chars[start:end].strip()
    if not inner:
        return []
    signs = {sign for sign, _ in site.separators}
    if len(site.strings) == 1 and not signs:
        first, last = site.strings[0]
        if last - first == len(inner):
            return [Piece("literal", (first, last))]
    if "=>" in signs:
        return arms(chars, site)
    if "," in signs and name.endswith("matches"):
        comma = next(at for sign, at in site.separators if sign == ",")
        whole = chars[comma + 1 : end].rstrip()
        last = comma + 1 + len(whole.removesuffix(","))
        if whole.removesuffix(",").strip():
            piece = Piece("expression", (start, comma))
            piece.pattern = (comma + 1, last)
            return [piece]
    opening = chars[site.start]
    semicolons = sum(sign == ";" for sign, _ in site.separators)
    if semicolons == 1 and opening == "[" and "," not in signs:
        return [Piece("array", (start, end))]
    if semicolons or (opening == "{" and "," not in signs):
        return [Piece("statements", (start, end))]
    return [Piece("arguments", (start, end))]


def arms(chars: str, site: Site) -> list[Piece]:
    """The pieces of `pattern = expr, if guard => handler`, and of simpler arms."""
    pieces: list[Piece] = []
    at = site.start + 1
    end = site.end - 1
    signs = _outside_of_generics(chars, site)
    position = 0
    while position < len(signs):
        # What leads, as in `biased;`.
        arrow = position
        equals = comma = None
        while arrow < len(signs) and signs[arrow][0] != "=>":
            sign, place = signs[arrow]
            if sign == ";":
                at, equals, comma = place + 1, None, None
            elif sign == "=" and equals is None:
                equals = place
            elif sign == "," and equals is not None and comma is None:
                comma = place
            arrow += 1
        if arrow == len(signs):
            break
        place = signs[arrow][1]
        label = chars[at : place if equals is None else equals].strip()
        if equals is not None:
            stop = place if comma is None else comma
            piece = Piece("expression", (equals + 1, stop), chars[at:equals].strip())
            piece.pattern = (at, equals)
            pieces.append(piece)
            if comma is not None:
                guard = chars[comma + 1 : place]
                if guard.strip().startswith("if"):
                    pieces.append(Piece("expression", (comma + 1 + guard.index("if") + 2, place), "if"))
        first = place + 2
        position = arrow + 1
        while first < end and chars[first].isspace():
            first += 1
        if first < end and chars[first] == "{":
            last = _past_braces(chars, first, end)
            pieces.append(Piece("statements", (first + 1, last - 1), f"{label} =>"))
            while position < len(signs) and signs[position][1] < last:
                position += 1
            if (
                position < len(signs)
                and signs[position][0] == ","
                and not chars[last : signs[position][1]].strip()
            ):
                last = signs[position][1] + 1
                position += 1
        else:
            while position < len(signs) and signs[position][0] != ",":
                position += 1
            last = signs[position][1] if position < len(signs) else end
            if chars[first:last].strip():
                pieces.append(Piece("expression", (first, last), f"{label} =>"))
            last += 1
            position += 1
        at = last
    return pieces


def _outside_of_generics(chars: str, site: Site) -> list[tuple[str, int]]:
    """The separators that stand in no type arguments: `Ok::<_, E>(())` is one handler."""
    spans = [found.span() for found in _TURBOFISH.finditer(chars, site.start, site.end)]
    starts = [start for start, _ in spans]
    return [
        (sign, place)
        for sign, place in site.separators
        if not (before := bisect_left(starts, place)) or spans[before - 1][1] <= place
    ]


def _past_braces(chars: str, start: int, end: int) -> int:
    found = past_tree(chars, start + 1)
    return min(found, end)


_LABEL = re.compile(r"\s*(?:([A-Za-z_][\w.]*|\"[^\"]*\")\s*(?:=(?![=>])|:(?!:)))?\s*")


def parts_of(chars: str, site: Site) -> list[Piece]:
    """What stands between commas and semicolons, each with the name before its `=` or `:`."""
    pieces: list[Piece] = []
    at = site.start + 1
    stops = [place for sign, place in site.separators if sign in ",;"]
    if _MOST_PARTS < len(stops) or repeats(chars[site.start : site.end]):
        return []
    for stop in (*stops, site.end - 1):
        found = _LABEL.match(chars, at, stop)
        first = at if found is None else found.end()
        if chars[first:stop].strip():
            label = (found.group(1) or "") if found is not None else ""
            plain = _STRING.fullmatch(chars, first, stop) or not _WORTH.search(chars, first, stop)
            if plain:
                inner = chars[first:stop]
                stop_at = first + len(inner.rstrip())
                pieces.append(Piece("literal", (stop_at - len(inner.strip()), stop_at), label.strip('"')))
            else:
                pieces.append(Piece("expression", (first, stop), label.strip('"')))
        at = stop + 1
    return pieces
