"""Statements: a block becomes a region of rows."""

from __future__ import annotations

from tree_sitter import Node

from inroads.rust import kinds as k
from inroads.rust.heads import attribute, is_outer_doc
from inroads.rust.marks import (
    ANY,
    called_name,
    has_wildcard,
    origin_name,
    source_name,
    speaks_of_result,
    tried_name,
)
from inroads.rust.patterns import names_of, read_pattern, wildcard
from inroads.rust.reader import Reader
from inroads.rust.skeleton import is_item, nested_item
from inroads.rust.text import Wire, operands
from inroads.rust.written import read_type

KEPT_ATTRIBUTES = frozenset(("cfg", "cfg_attr", "allow", "expect"))


def statements(reader: Reader, block: Node | None, span: tuple[int, int] | None = None) -> Wire:
    """
    The statements of a block as a region; its value is that of the last expression without `;`.

    `span` is where the block stands in the file, None for where its syntax node does.
    """
    start = len(reader.rows)
    if block is None:
        return (start, start)
    outer = reader.block
    shift = reader.text.shift
    reader.block = (block.start_byte + shift, block.end_byte + shift) if span is None else span
    value = read_statements(reader, block.named_children)
    reader.block = outer
    return (start, len(reader.rows), value) if value is not None else (start, len(reader.rows))


def read_statements(reader: Reader, children: list[Node]) -> int | None:
    """Append the statements; the row of the tail expression, None for unit."""
    text = reader.text
    base = reader.base
    rows = reader.rows
    chars = text.chars
    pending: list[Node] = []
    full_start: int | None = None
    value: int | None = None
    last = len(children) - 1
    while 0 <= last and children[last].kind_id in _NO_STATEMENT:
        last -= 1
    for position, child in enumerate(children):
        kind = child.kind_id
        if kind == k.EXPRESSION_STATEMENT:
            heads = opened(reader, pending) if pending else ()
            end = child.end_byte
            parts = child.named_children
            inner = parts[0] if len(parts) == 1 else _only(child)
            found = reader.unknown(child, "a syntax error") if inner is None else reader.expression(inner)
            if chars[end - 1] == ";":
                value = None
                if rows[found][0] == 46:
                    as_statement(reader, found)
                reader.mark_call("statement", found)
                rows.append((67, child.start_byte - base, end - base, found))
                if heads:
                    closed(reader, heads, None)
            else:
                value = closed(reader, heads, found) if heads else found
                # Kept as the tail until another statement follows.
                if position < last:
                    rows.append((67, child.start_byte - base, end - base, value, False))
                    value = None
        elif kind == k.LET:
            heads = opened(reader, pending) if pending else ()
            value = None
            let(reader, child)
            if heads:
                closed(reader, heads, None)
        elif kind in k.EXTRAS:
            if kind == k.ERROR:
                reader.unknown(child, "a syntax error")
            elif full_start is None and is_outer_doc(chars, child):
                full_start = child.start_byte
            continue
        elif kind == k.ATTRIBUTE_ITEM:
            pending.append(child)
            if full_start is None:
                full_start = child.start_byte
            continue
        elif kind == k.MACRO_INVOCATION:
            heads = opened(reader, pending) if pending else ()
            found = reader.expression(child)
            if position == last:
                value = closed(reader, heads, found) if heads else found
            else:
                value = None
                as_statement(reader, found)
                reader.mark_call("statement", found)
                rows.append((67, child.start_byte - base, child.end_byte - base, found, False))
                if heads:
                    closed(reader, heads, None)
        elif is_item(kind):
            if not reader.in_macro:
                if nested_item(reader, child, pending, full_start):
                    rows.append((68, child.start_byte - base, child.end_byte - base))
        elif kind == k.EMPTY_STATEMENT or kind == k.INNER_ATTRIBUTE_ITEM or kind == k.LABEL:
            pass
        else:
            heads = opened(reader, pending) if pending else ()
            found = reader.expression(child)
            value = closed(reader, heads, found) if heads else found
        if pending:
            pending = []
        full_start = None
    return value


def read_items_alone(reader: Reader, block: Node) -> None:
    """Read the items among the statements of a block, and nothing else."""
    chars = reader.text.chars
    shift = reader.text.shift
    reader.block = (block.start_byte + shift, block.end_byte + shift)
    pending: list[Node] = []
    full_start: int | None = None
    for child in block.named_children:
        kind = child.kind_id
        if kind == k.ATTRIBUTE_ITEM:
            pending.append(child)
            if full_start is None:
                full_start = child.start_byte
        elif kind in k.EXTRAS:
            if full_start is None and kind != k.ERROR and is_outer_doc(chars, child):
                full_start = child.start_byte
        else:
            if is_item(kind):
                nested_item(reader, child, pending, full_start)
            pending = []
            full_start = None


_NO_STATEMENT = k.EXTRAS | {k.EMPTY_STATEMENT}


def as_statement(reader: Reader, at: int) -> None:
    """Note that a macro call is a statement."""
    row = reader.rows[at]
    if row[0] == 46:
        reader.rows[at] = (*row[:7], True, *row[8:])


def _only(node: Node) -> Node | None:
    parts = operands(node)
    return parts[0] if parts else None


def opened(reader: Reader, pending: list[Node]) -> Wire:
    """Begin an AttributedRow: its row, the attributes that matter, where they begin; empty if none matters."""
    kept = [attribute(reader.text, node, reader.base) for node in pending]
    kept = [found for found in kept if found[0] in KEPT_ATTRIBUTES]
    if not kept:
        return ()
    return (reader.header(), tuple(kept), pending[0].start_byte)


def closed(reader: Reader, heads: Wire, value: int | None) -> int:
    """End an AttributedRow; its index."""
    head: int
    head, kept, start = heads
    rows = reader.rows
    region = (head + 1, len(rows), value)
    last = rows[-1][2] if head + 1 < len(rows) else start - reader.base
    rows[head] = (76, start - reader.base, last, kept, region)
    return head


def let(reader: Reader, node: Node) -> None:
    """`let pattern: type = value else { otherwise };`."""
    base = reader.base
    text = reader.text
    value_node = node.child_by_field_id(k.F_VALUE)
    value = None if value_node is None else reader.expression(value_node)
    reads = reader.reads
    pattern_node = node.child_by_field_id(k.F_PATTERN)
    start, end = node.start_byte - base, node.end_byte - base
    if pattern_node is None:
        at = text.chars.find("_", node.start_byte, node.end_byte)
        at = (node.start_byte if at < 0 else at) - base
        pattern = wildcard(at, at + 1)
        mark_origin(reader, "let-underscore", value)
    else:
        pattern = read_pattern(text, base, pattern_node)
        if pattern[0] == 20:
            mark_origin(reader, "let-underscore", value)
        elif pattern[0] == 22:
            source = None if value is None else source_name(reader.rows, value)
            reader.bind(pattern[3], source, reads.get(pattern[3], 0), again=False)
            front = text.chars[node.start_byte : pattern_node.start_byte]
            if "mut" in front.split():
                pattern = (22, pattern[1], pattern[2], pattern[3], None, True)
        else:
            if value is not None and has_wildcard(pattern):
                name = tried_name(reader.rows, value)
                if name is not None:
                    reader.marks.add(f"let-part:{name}")
            for name in names_of(pattern):
                reader.bind(name, ANY, reads.get(name, 0), again=False)
    type_node = node.child_by_field_id(k.F_TYPE)
    written = None if type_node is None else read_type(text, type_node)
    alternative = node.child_by_field_id(k.F_ALTERNATIVE)
    if alternative is None:
        reader.rows.append((66, start, end, pattern, written, value))
        return
    if speaks_of_result(pattern):
        reader.marks.add("let-else")
    head = reader.header()
    region = statements(reader, alternative)
    reader.rows[head] = (66, start, end, pattern, written, value, region)


def mark_pattern(reader: Reader, pattern: Wire, mark: str) -> None:
    """Mark a pattern that speaks of Ok or Err."""
    if speaks_of_result(pattern):
        reader.marks.add(mark)


def mark_origin(reader: Reader, mark: str, at: int | None) -> None:
    """Mark a value that began with a call; None is no value."""
    name = None if at is None else origin_name(reader.rows, at)
    if name is not None:
        reader.marks.add(f"{mark}:{name}")


def mark_tail(reader: Reader, region: Wire) -> None:
    """Mark a closure whose value is that of a call."""
    value = region[2] if 2 < len(region) else None
    while isinstance(value, int):
        row = reader.rows[value]
        if row and row[0] == 74:
            inner = row[5]
            assert isinstance(inner, tuple)
            value = inner[2] if 2 < len(inner) else None
            continue
        name = called_name(reader.rows, value)
        if name is not None:
            reader.marks.add(f"closure:{name}")
        return
