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
from inroads.rust.text import Text, Wire, operands

if TYPE_CHECKING:
    from inroads.rust.file import FileReader

Expression: TypeAlias = "Callable[[Reader, Node], int]"
Link: TypeAlias = "Callable[[Reader, Node, list[Node], int], int]"

EXPRESSIONS: dict[int, Expression] = {}
"""For each kind that starts afresh: the function that appends its rows and answers the index of its value."""

LINKS: dict[int, Link] = {}
"""For each kind with a leading operand: the function that finishes it once that operand has its row."""


def reads(*wanted: int) -> Callable[[Expression], Expression]:
    """Enter a function into EXPRESSIONS."""

    def enter(function: Expression) -> Expression:
        for kind in wanted:
            EXPRESSIONS[kind] = function
        return function

    return enter


def links(*wanted: int) -> Callable[[Link], Link]:
    """Enter a function into LINKS."""

    def enter(function: Link) -> Link:
        for kind in wanted:
            LINKS[kind] = function
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
    are the names bound by `let`, `used` the plain names read.
    """

    __slots__ = (
        "assigned",
        "base",
        "block",
        "closures",
        "file",
        "in_macro",
        "marks",
        "names",
        "owner",
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
        self.assigned: set[str] = set()
        self.used: set[str] = set()
        self.block: tuple[int, int] | None = None
        self.in_macro = False
        self.closures = 0

    def expression(self, node: Node) -> int:
        """Append the rows of an expression; the index of the row that is its value."""
        pending: list[tuple[Link, Node, list[Node]]] = []
        while True:
            kind = node.kind_id
            link = LINKS.get(kind)
            if link is None:
                break
            parts = node.named_children
            if kind == k.CALL:
                if len(parts) != 2 or parts[1].kind_id != k.ARGUMENTS:
                    parts = operands(node)
                callee = parts[0] if parts else node
                inner = callee.kind_id
                if inner == k.FIELD:
                    parts = [*operands(callee), parts[-1]]
                    if len(parts) == 3:
                        pending.append((METHOD[0], node, parts))
                        node = parts[0]
                        continue
                    parts = operands(node)
                elif inner == k.GENERIC_FUNCTION:
                    named = callee.child_by_field_id(k.F_FUNCTION)
                    if named is not None and named.kind_id == k.FIELD:
                        front = operands(named)
                        if len(front) == 2:
                            arguments = callee.child_by_field_id(k.F_TYPE_ARGUMENTS)
                            more = [arguments] if arguments is not None else []
                            pending.append((METHOD[0], node, [*front, parts[-1], *more]))
                            node = front[0]
                            continue
            else:
                for part in parts:
                    if part.kind_id in k.EXTRAS:
                        parts = operands(node)
                        break
            if not parts:
                return self.unknown(node, "an operand is missing")
            pending.append((link, node, parts))
            node = parts[-1] if kind in SIGNS else parts[0]
        found = EXPRESSIONS.get(kind)
        if found is None:
            at = self.unknown(node, "a syntax error" if kind == k.ERROR else "no expression")
        elif kind in LEAVES:
            at = found(self, node)
        elif self.text.enter(node):
            at = found(self, node)
            self.text.leave()
        else:
            at = self.unknown(node, "nested too deeply")
        while pending:
            finish, node, parts = pending.pop()
            at = finish(self, node, parts, at)
        return at

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


METHOD: list[Link] = []
"""How a method call is finished: parts are receiver, name, arguments and maybe generics."""

LEAVES: set[int] = set()
"""Kinds that hold no expression; they take no level."""

SIGNS = frozenset((k.UNARY, k.REFERENCE))
"""Kinds whose operand stands last."""
