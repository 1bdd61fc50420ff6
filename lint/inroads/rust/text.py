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

MAX_DEPTH = 150
"""How deep headers, arguments, types and patterns may nest; chains and parentheses don't count."""


class Text:
    """
    One text; `name` and `cut` slice it.

    `problems` collects (kind, start, end, message). `depth` is how deep the
    reader stands; `shift` is added to an offset of this text to get one of the
    file (the text of macro arguments is parsed apart).
    """

    __slots__ = ("chars", "depth", "plain", "problems", "shift")

    def __init__(self, chars: str, plain: bool, problems: list[Wire]) -> None:
        self.chars = chars
        self.plain = plain
        self.problems = problems
        self.depth = 0
        self.shift = 0

    def name(self, node: Node) -> str:
        """An identifier as the compiler knows it: without `r#`."""
        found = self.chars[node.start_byte : node.end_byte]
        if self.plain:
            return found
        if found[:2] == "r#":
            found = found[2:]
        return found if found.isascii() else widened(found)

    def cut(self, start: int, end: int) -> str:
        """The text of a range of bytes."""
        found = self.chars[start:end]
        return found if self.plain or found.isascii() else widened(found)

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
