"""What is collected while one file is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from tree_sitter import Node

from inroads.facts.codec import encode_wire
from inroads.rust import controls as controls, kinds as k, macros as macros
from inroads.rust.marks import METHOD_MARKS
from inroads.rust.reader import Reader
from inroads.rust.skeleton import is_item
from inroads.rust.statements import read_items_alone, statements
from inroads.rust.text import Text, Wire

# Whoever reads a body needs all that is entered into the tables of reader.py: controls and macros are
# imported for that, and expressions with them.

_OPEN = ("(", "[", "{")
_LAST_WORD = re.compile(r"\w+$")
_LONGEST = 16

EXPRESSION_MACROS = frozenset(
    (
        *(
            "format",
            "print",
            "println",
            "eprint",
            "eprintln",
            "write",
            "writeln",
            "format_args",
            "panic",
            "todo",
        ),
        *(
            "unreachable",
            "unimplemented",
            "assert",
            "assert_eq",
            "assert_ne",
            "debug_assert",
            "debug_assert_eq",
        ),
        *(
            "debug_assert_ne",
            "matches",
            "vec",
            "dbg",
            "trace",
            "debug",
            "info",
            "warn",
            "error",
            "log",
            "bail",
        ),
        *("ensure", "anyhow", "join", "try_join", "select", "json", "env", "include_str", "include_bytes"),
        *("concat", "stringify", "line", "file", "cfg", "span", "addr_of", "addr_of_mut", "offset_of", "pin"),
    )
)
"""Macros by names that nobody gives to one that makes items."""

Waiting: TypeAlias = "Callable[[str, Node, Sequence[Node]], bytes | None]"
"""The data of a body that need not be read now, beside the items in it that are given; None if it must."""


class FileReader:
    """
    The items and bodies of one text, in the order in which they begin.

    `inner` are its inner attributes. `holes` are the (start, end) of bodies that
    no other file can see into. With `waiting`, bodies may be kept as text.
    """

    __slots__ = ("bodies", "holes", "inner", "items", "text", "waiting")

    def __init__(self, text: Text, waiting: Waiting | None = None) -> None:
        self.text = text
        self.waiting = waiting
        self.items: list[Wire] = []
        self.bodies: list[Wire] = []
        self.inner: list[Wire] = []
        self.holes: list[tuple[int, int]] = []

    def add(self, item: Wire) -> int:
        """Append an item; its index."""
        self.items.append(item)
        return len(self.items) - 1

    def body(self, text: Text, node: Node, owner: int | None, *, opaque: bool = False) -> int:
        """
        Read a function's block or an initialiser; the index of the body.

        `opaque` tells that the type of its value is seen by all callers and stands nowhere but in it.
        """
        at = len(self.bodies)
        self.bodies.append(())
        base, end = node.start_byte, node.end_byte
        items = len(self.items)
        if not opaque and self.waiting is not None:
            data = self.waiting(text.chars, node, ())
            if data is None and node.kind_id == k.BLOCK:
                data = self._beside_items(text, node, owner)
            if data is not None:
                self.bodies[at] = (owner, base + text.shift, end + text.shift, (), (), data)
                if items == len(self.items) and _is_hole(text.chars, base, end):
                    self.holes.append((base, end))
                return at
        reader = Reader(self, text, base, owner)
        outer = text.origin
        text.origin = base + text.shift
        if node.kind_id == k.BLOCK:
            root = statements(reader, node)
        else:
            root = reader.region(node)
        text.origin = outer
        shift = text.shift
        self.bodies[at] = finished(reader, root, base + shift, end + shift)
        if not opaque and items == len(self.items) and _is_hole(text.chars, base, end):
            self.holes.append((base, end))
        return at

    def _beside_items(self, text: Text, node: Node, owner: int | None) -> bytes | None:
        """The data of a block that waits, the items among its statements being read now; None if it must not."""
        found = [child for child in node.named_children if is_item(child.kind_id)]
        data = self.waiting(text.chars, node, found) if found and self.waiting is not None else None
        if data is not None:
            outer = text.origin
            text.origin = node.start_byte + text.shift
            read_items_alone(Reader(self, text, node.start_byte, owner), node)
            text.origin = outer
        return data


def _is_hole(chars: str, start: int, end: int) -> bool:
    """Whether a body can hold no item that others see, an impl for instance, by the macros that it calls."""
    at = chars.find("!", start, end)
    while 0 <= at:
        following = chars[at + 1 : at + 2]
        if following in _OPEN or (following.isspace() and chars[at + 1 : end].lstrip()[:1] in _OPEN):
            name = _LAST_WORD.search(chars, max(start, at - _LONGEST), at)
            if (name is None and chars[at - 1].isalnum()) or (
                name is not None and name[0] not in EXPRESSION_MACROS
            ):
                return False
        at = chars.find("!", at + 1, end)
    return True


def finish_marks(reader: Reader) -> None:
    """Mark what was bound and never read, and the functions that are known by a plain name."""
    for name in reader.used:
        mark = METHOD_MARKS.get(name)
        if mark in ("drop", "join", "spawn"):
            reader.marks.add(mark)
    for name, (source, reads) in reader.assigned.items():
        if source is not None and reader.reads.get(name, 0) == reads:
            reader.marks.add(f"let-unused:{source}")


def finished(reader: Reader, root: Wire, start: int, end: int) -> Wire:
    """The BodyFacts of a body whose rows are all there."""
    data = encode_wire((reader.rows, root))
    finish_marks(reader)
    reader.names.update(reader.used)
    return (
        reader.owner or 0,
        start,
        end,
        tuple(sorted(reader.names)),
        tuple(sorted(reader.marks)),
        data,
    )
