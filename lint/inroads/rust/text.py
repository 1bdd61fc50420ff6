"""
The text that syntax nodes point into, and what all readers of one file share.

Bytes are held as one character each (Latin-1), so that offsets are byte
offsets and a slice is a `str` at once; only a slice with a character beyond
ASCII is decoded again. In most files none is.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from tree_sitter import Node

from inroads.rust.kinds import EXTRAS

Wire: TypeAlias = "tuple[Any, ...]"
"""
A value in the shape in which msgspec encodes its struct: the tag first, trailing defaults left out.

Plain tuples cost a fifth of structs, and encode to the same bytes; the checker
cannot follow their shape, the decoder does.
"""

Span: TypeAlias = tuple[int, int]
"""Where something begins and ends."""

MAX_DEPTH = 100
"""How deep headers, arguments, types and patterns may nest; chains and parentheses don't count."""


class Names(dict[str, str]):
    """From an identifier as it stands in the text to the one the compiler knows; filled when asked."""

    def __missing__(self, written: str) -> str:
        found = written.removeprefix("r#")
        found = self[written] = found if found.isascii() else widened(found)
        return found


class Text:
    """
    One text; `name` and `cut` slice it.

    `problems` collects (kind, start, end, message). `depth` is how deep the
    reader stands; `shift` is added to an offset of this text to get one of the
    file (the text of macro arguments is parsed apart). `origin` is where the
    body begins that is being read, 0 outside of bodies. `paths` and `types` hold
    what was read of paths and types, by their text: they know no offsets, and
    the same ones come again and again.
    """

    __slots__ = ("chars", "depth", "names", "origin", "paths", "problems", "shift", "types")

    def __init__(self, chars: str, problems: list[Wire]) -> None:
        self.chars = chars
        self.problems = problems
        self.depth = 0
        self.shift = 0
        self.origin = 0
        self.names = Names()
        self.paths: dict[str, Wire] = {}
        self.types: dict[str, Wire] = {}

    def inside(self, chars: str, start: int) -> Text:
        """A small text made from a part of this one; `start` is where its first character would stand here."""
        found = Text(chars, self.problems)
        found.depth = self.depth + 1
        found.shift = self.shift + start
        found.origin = self.origin
        found.names = self.names
        found.paths = self.paths
        found.types = self.types
        return found

    def name(self, node: Node) -> str:
        """An identifier as the compiler knows it: without `r#`."""
        return self.names[self.chars[node.start_byte : node.end_byte]]

    def cut(self, start: int, end: int) -> str:
        """The text of a range of bytes."""
        found = self.chars[start:end]
        return found if found.isascii() else widened(found)

    def enter(self, node: Node) -> bool:
        """Whether there is room for one more level; the first time that there is none is a problem."""
        if self.depth < MAX_DEPTH:
            self.depth += 1
            return True
        if not any(problem[0] == "nesting" for problem in self.problems):
            start, end = node.start_byte + self.shift, node.end_byte + self.shift
            self.problems.append(("nesting", start, end, f"nested more than {MAX_DEPTH} levels deep"))
        return False

    def leave(self) -> None:
        """Go one level up."""
        self.depth -= 1


def widened(chars: str) -> str:
    """What the bytes behind these characters say; what is no UTF-8 is replaced."""
    return chars.encode("latin-1").decode("utf-8", "replace")


def operands(node: Node) -> list[Node]:
    """The named children without comments and what the parser skipped."""
    return [child for child in node.named_children if child.kind_id not in EXTRAS]
