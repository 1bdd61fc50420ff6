"""The text of a macro expansion, read as a file is."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tree_sitter import Node

from inroads.facts import FileFacts
from inroads.facts.codec import decode_facts, encode_wire
from inroads.rust import kinds as k
from inroads.rust.extract import OpenedText, as_facts, opened_text
from inroads.rust.file import finished
from inroads.rust.heads import Place
from inroads.rust.patterns import read_pattern
from inroads.rust.reader import Reader
from inroads.rust.skeleton import read_items as read_item_nodes
from inroads.rust.statements import statements
from inroads.rust.text import Wire
from inroads.rust.written import read_type

Position: TypeAlias = Literal["expression", "statements", "pattern", "type"]

_AROUND: dict[Position, tuple[str, str]] = {
    "expression": ("fn _(){(", "\n)}"),
    "statements": ("fn _(){", "\n}"),
    "pattern": ("fn _(){let ", "\n=0;}"),
    "type": ("fn _(){let _:", "\n=0;}"),
}

LATE: Wire = ("deadline", 0, 0, "an expansion took too long to parse")


def read_items(text: str) -> FileFacts:
    """
    The facts of a text in item position (also inside an impl or trait).

    Items that stand at its top have no parent. Offsets are bytes of the text.
    """
    data = text.encode("utf-8", "surrogatepass")
    opened = opened_text(data, 0)
    if opened is None:
        return decode_facts(encode_wire(as_facts(data, [LATE])))
    read_item_nodes(opened.file, opened.root.named_children, Place(None))
    return _closed(data, opened)


def read_body(text: str, position: Position) -> FileFacts:
    """
    The facts of a text in a body: one body, whose `owner` means nothing.

    Rows are relative to the start of the text. A pattern is a LetRow with that
    pattern, a type a LetRow with that type. Items declared in it have no parent.
    """
    data = text.encode("utf-8", "surrogatepass")
    front, back = _AROUND[position]
    whole = front.encode() + data + back.encode()
    opened = opened_text(whole, -len(front))
    if opened is None:
        return decode_facts(encode_wire(as_facts(data, [LATE])))
    file = opened.file
    if position == "expression" and file.text.problems:
        # Statements where an expression stands: the last one is its value.
        return read_body(text, "statements")
    base = len(front)
    reader = Reader(file, file.text, base, None)
    block = None
    for node in opened.root.named_children:
        if node.kind_id == k.FUNCTION_ITEM:
            block = node.child_by_field_id(k.F_BODY)
            break
    file.bodies.append(())
    if position == "pattern" or position == "type":
        root = _written(reader, block, position, len(data))
    else:
        root = statements(reader, block, (0, len(data)))
    # An open comment or bracket takes in what stands around the text.
    size = len(data)
    if any(row[1] < 0 or size < row[2] for row in reader.rows):
        reader.rows = [
            (row[0], max(0, min(row[1], size)), max(0, min(row[2], size)), *row[3:]) for row in reader.rows
        ]
    file.bodies[0] = finished(reader, root, 0, len(data))
    return _closed(data, opened)


def _written(reader: Reader, block: Node | None, position: Position, size: int) -> Wire:
    """The LetRow that holds a pattern or a type."""
    pattern: Wire = (20, 0, size)
    written: Wire | None = None
    for node in block.named_children if block is not None else ():
        if node.kind_id == k.LET:
            at = node.child_by_field_id(k.F_PATTERN)
            if position == "pattern" and at is not None:
                pattern = read_pattern(reader.text, reader.base, at)
            typed = node.child_by_field_id(k.F_TYPE)
            if typed is not None:
                written = read_type(reader.text, typed)
    reader.append((66, 0, size, pattern, written, None))
    return (0, 1)


def _closed(data: bytes, opened: OpenedText) -> FileFacts:
    problems = opened.file.text.problems
    return decode_facts(encode_wire(as_facts(data, problems, opened.file, opened.comments)))
