"""
The machine that turns expressions into rows.

Each kind of syntax has one small function, found through a table. Operands
that hang to the left or inside signs and parentheses (`a.b().c()?`, `a + b + c`,
`((x))`) are followed with a list of what is still to be finished, so that a
chain of any length needs no recursion; all other nesting goes through
`Text.enter`, which bounds it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tree_sitter import Node

from inroads.rust import kinds as k
from inroads.rust.marks import ANY, called_name, tried_name
from inroads.rust.text import Text, Wire, operands

if TYPE_CHECKING:
    from inroads.rust.file import FileReader

Expression: TypeAlias = "Callable[[Reader, Node], int]"
Link: TypeAlias = "Callable[[Reader, Node, list[Node], int], int]"

EXPRESSIONS: dict[int, Expression] = {}
"""For each kind that starts afresh: the function that appends its rows and answers the index of its value."""

LINKS: dict[int, tuple[Link, int]] = {}
"""For each kind with a leading operand: what finishes it once that has its row, and the number of parts."""


def reads(*wanted: int) -> Callable[[Expression], Expression]:
    """Enter a function into EXPRESSIONS."""

    def enter(function: Expression) -> Expression:
        for kind in wanted:
            EXPRESSIONS[kind] = function
        return function

    return enter


def links(parts: int, *wanted: int) -> Callable[[Link], Link]:
    """Enter a function into LINKS."""

    def enter(function: Link) -> Link:
        for kind in wanted:
            LINKS[kind] = (function, parts)
        return function

    return enter


class Reader:
    """
    Reads one body.

    Args:
        file: Where items, bodies and problems of the file are collected.
        base: Offset of the body in the text; spans are relative to it.
        owner: Index of the item that the body belongs to.

    `rows` grows; a header is put down as a place-holder and filled in when its
    regions are known. `names` and `marks` become the body's index. `assigned`
    are the names bound, with the name of the call that each is bound to and how often
    it had been read by then; `used` are the plain names read, each with its path, and
    `reads` how often.
    """

    __slots__ = (
        "assigned",
        "base",
        "block",
        "closures",
        "file",
        "in_macro",
        "loops",
        "marks",
        "names",
        "owner",
        "reads",
        "rows",
        "text",
        "used",
    )

    def __init__(self, file: FileReader, text: Text, base: int, owner: int | None) -> None:
        self.file = file
        self.text = text
        self.base = base
        self.owner = owner
        self.rows: list[Wire] = []
        self.names: set[str] = set()
        self.marks: set[str] = set()
        self.assigned: dict[str, tuple[str | None, int]] = {}
        self.reads: dict[str, int] = {}
        self.loops = 0
        self.used: dict[str, Wire] = {}
        self.block: tuple[int, int] | None = None
        self.in_macro = False
        self.closures = 0

    def expression(self, node: Node) -> int:
        """Append the rows of an expression; the index of the row that is its value."""
        kind = node.kind_id
        if kind == k.IDENTIFIER:
            return self.name(node)
        link = LINKS.get(kind)
        if link is None:
            return self._start(node, kind)
        pending: list[tuple[Link, Node, list[Node]]] = []
        while link is not None:
            finish, expected = link
            parts = node.named_children
            if len(parts) != expected:
                parts = operands(node)
            if kind == k.CALL:
                chain = _method_parts(parts)
                if chain is not None:
                    finish, parts = METHOD[0], chain
            if not parts:
                break
            pending.append((finish, node, parts))
            node = parts[-1] if kind in SIGNS else parts[0]
            kind = node.kind_id
            link = LINKS.get(kind)
        at = self._start(node, kind)
        while pending:
            finish, node, parts = pending.pop()
            at = finish(self, node, parts, at)
        return at

    def _start(self, node: Node, kind: int) -> int:
        """The rows of what has no leading operand."""
        if kind == k.IDENTIFIER:
            return self.name(node)
        found = EXPRESSIONS.get(kind)
        if found is None:
            reason = "a syntax error" if kind == k.ERROR else "no expression"
            return self.unknown(node, "an operand is missing" if kind in LINKS else reason)
        if kind in LEAVES:
            return found(self, node)
        text = self.text
        if not text.enter(node):
            return self.unknown(node, "nested too deeply")
        at = found(self, node)
        text.depth -= 1
        return at

    def name(self, node: Node) -> int:
        """The row of a plain name."""
        text = self.text
        base = self.base
        start = node.start_byte
        end = node.end_byte
        found = text.names[text.chars[start:end]]
        path = self.used.get(found)
        if path is None:
            path = self.used[found] = (2, ((1, found),))
        self.reads[found] = self.reads.get(found, 0) + 1
        rows = self.rows
        start -= base
        if found == "_":
            rows.append((52, start, end - base))
        else:
            rows.append((41, start, end - base, path, start))
        return len(rows) - 1

    def bind(self, name: str, source: str | None, reads: int, *, again: bool) -> None:
        """
        Note that a name is bound to a call of `source`; None if to something else.

        Args:
            reads: How often the name had been read before the new value was made.
            again: Whether the next turn of a loop may bind it anew without a look at this value.
        """
        before = self.assigned.get(name)
        if before is not None and before[0] is not None and before[1] == reads:
            self.marks.add(f"reassign:{before[0]}")
        if again and source is not None and (self.loops or self.closures):
            self.marks.add(f"reassign:{source}")
        self.assigned[name] = (source, self.reads.get(name, 0))

    def mark_call(self, mark: str, at: int) -> None:
        """Mark what a row gives, where it is a call."""
        name = called_name(self.rows, at)
        if name is not None:
            self.marks.add(f"{mark}:{name}")

    def mark_kept(self, mark: str, at: int) -> None:
        """Mark what a row gives, where it is a call, or what that call gives inside of a Result."""
        name = tried_name(self.rows, at)
        if name is not None and name != ANY:
            self.marks.add(f"{mark}:{name}")

    def mention(self, name: str) -> None:
        """Note that a name is used without a row of its own."""
        self.reads[name] = self.reads.get(name, 0) + 1
        if name not in self.used:
            self.used[name] = (2, ((1, name),))

    def append(self, row: Wire) -> int:
        """Add a row; its index."""
        at = len(self.rows)
        self.rows.append(row)
        return at

    def header(self) -> int:
        """Keep a place for a header."""
        at = len(self.rows)
        self.rows.append(())
        return at

    def unknown(self, node: Node, reason: str) -> int:
        """A row for what could not be read."""
        return self.append((77, node.start_byte - self.base, node.end_byte - self.base, reason))

    def region(self, node: Node) -> Wire:
        """One expression as a region of its own."""
        start = len(self.rows)
        value = self.expression(node)
        return (start, len(self.rows), value)


def _method_parts(parts: list[Node]) -> list[Node] | None:
    """Receiver, name, arguments and maybe generics, of the parts of a call; None if it calls no method."""
    callee = parts[0] if parts else None
    if callee is None:
        return None
    kind = callee.kind_id
    if kind == k.FIELD:
        front = callee.named_children
        if len(front) != 2:
            front = operands(callee)
        return [*front, parts[-1]] if len(front) == 2 else None
    if kind == k.GENERIC_FUNCTION:
        named = callee.child_by_field_id(k.F_FUNCTION)
        if named is not None and named.kind_id == k.FIELD:
            front = operands(named)
            generics = callee.child_by_field_id(k.F_TYPE_ARGUMENTS)
            if len(front) == 2 and generics is not None:
                return [*front, parts[-1], generics]
    return None


METHOD: list[Link] = []
"""How a method call is finished: parts are receiver, name, arguments and maybe generics."""

LEAVES: set[int] = set()
"""Kinds that hold no expression; they take no level."""

SIGNS = frozenset((k.UNARY, k.REFERENCE))
"""Kinds whose operand stands last."""
