"""Expressions without control flow: one function for each kind of syntax."""

from __future__ import annotations

from tree_sitter import Node

from inroads.rust import kinds as k
from inroads.rust.marks import ASKS, GATHERS, ITERATES, METHOD_MARKS, ON_CALLS, origin_name, source_name
from inroads.rust.reader import LEAVES, METHOD, Reader, links, reads
from inroads.rust.text import Wire, operands
from inroads.rust.written import INFERRED, read_path, read_type, type_arguments

_LITERAL_KINDS = {
    k.INTEGER: "int",
    k.FLOAT: "float",
    k.STRING: "str",
    k.RAW_STRING: "str",
    k.CHARACTER: "char",
    k.BOOLEAN: "bool",
}
_CUT = 80


@reads(*_LITERAL_KINDS)
def literal(reader: Reader, node: Node) -> int:
    """`1`, `"text"`, `b'x'`."""
    start, end = node.start_byte, node.end_byte
    text = reader.text.cut(start, min(end, start + _CUT))
    named = _LITERAL_KINDS[node.kind_id]
    if named == "str" and text[0] != '"':
        named = {"b": "bytes", "c": "cstr"}.get(text[0], "str")
    rows = reader.rows
    rows.append((40, start - reader.base, end - reader.base, named, text))
    return len(rows) - 1


@reads(k.IDENTIFIER, k.SELF, k.SUPER, k.CRATE, k.METAVARIABLE)
def name(reader: Reader, node: Node) -> int:
    """`x`."""
    return reader.name(node)


@reads(k.SCOPED_IDENTIFIER)
def path(reader: Reader, node: Node) -> int:
    """`a::b`, `<T as Trait>::f`."""
    text = reader.text
    base = reader.base
    start, end = node.start_byte, node.end_byte
    found = read_path(text, node)
    written: str = found[1][-1][1]
    # The last name stands at the end, as it was written.
    name_at = end - len(written)
    if text.chars[name_at:end] != written:
        # It is a raw identifier, or one beyond ASCII.
        last = node.child_by_field_id(k.F_NAME)
        name_at = start if last is None else last.start_byte
    reader.names.add(written)
    mark = METHOD_MARKS.get(written)
    if mark is not None:
        reader.marks.add(mark)
    return reader.append((41, start - base, end - base, found, name_at - base))


@reads(k.GENERIC_FUNCTION)
def generic_path(reader: Reader, node: Node) -> int:
    """`f::<T>` as a value."""
    inner = node.child_by_field_id(k.F_FUNCTION)
    if inner is None:
        return reader.unknown(node, "a syntax error")
    if inner.kind_id == k.FIELD:
        return reader.expression(inner)
    at = path(reader, inner) if inner.kind_id == k.SCOPED_IDENTIFIER else name(reader, inner)
    row = reader.rows[at]
    if row[0] == 41:
        whole = read_path(reader.text, node)
        reader.rows[at] = (41, row[1], node.end_byte - reader.base, whole, row[4])
    return at


LEAVES.update(_LITERAL_KINDS)
LEAVES.update((k.IDENTIFIER, k.SELF, k.SUPER, k.CRATE, k.METAVARIABLE, k.SCOPED_IDENTIFIER))


@links(1, k.PARENTHESES)
def parentheses(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`(x)` is x."""
    return at


@links(2, k.FIELD)
def field(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`base.name`."""
    named = parts[-1]
    written = reader.text.name(named)
    reader.names.add("." + written)
    base = reader.base
    rows = reader.rows
    rows.append((42, node.start_byte - base, node.end_byte - base, at, written, named.start_byte - base))
    return len(rows) - 1


def arguments(reader: Reader, node: Node) -> Wire:
    """The rows of the arguments between parentheses."""
    found: list[int] = []
    for child in node.named_children:
        kind = child.kind_id
        if kind == k.IDENTIFIER:
            found.append(reader.name(child))
        elif kind != k.ATTRIBUTE_ITEM and kind not in k.EXTRAS:
            found.append(reader.expression(child))
    return tuple(found)


@links(2, k.CALL)
def call(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`callee(arguments)`."""
    text = reader.text
    if not text.enter(node):
        return reader.unknown(node, "nested too deeply")
    given = arguments(reader, parts[-1])
    text.depth -= 1
    base = reader.base
    rows = reader.rows
    rows.append((44, node.start_byte - base, node.end_byte - base, at, given))
    return len(rows) - 1


def method(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`receiver.name::<T>(arguments)`."""
    named = parts[1]
    written = reader.text.name(named)
    reader.names.add(written)
    mark = METHOD_MARKS.get(written)
    if mark is not None:
        origin = origin_name(reader.rows, at) if mark in ON_CALLS else ""
        if origin is not None:
            reader.marks.add(f"{mark}:{origin}" if origin else mark)
    elif written in ITERATES:
        reader.mark_call("iterate", at)
    elif written in ASKS:
        reader.mark_call("ask", at)
    text = reader.text
    if not text.enter(node):
        return reader.unknown(node, "nested too deeply")
    given = arguments(reader, parts[2])
    text.depth -= 1
    if written == "extend":
        for one in given:
            reader.mark_call("iterate", one)
    elif written in GATHERS:
        for one in given:
            reader.mark_kept("gather", one)
    base = reader.base
    rows = reader.rows
    row: Wire = (
        45,
        node.start_byte - base,
        node.end_byte - base,
        at,
        written,
        named.start_byte - base,
        given,
    )
    if len(parts) == 4:
        generics = type_arguments(reader.text, parts[3])
        if generics is not None:
            row = (*row, generics[0])
    rows.append(row)
    return len(rows) - 1


METHOD.append(method)


@links(1, k.TRY)
def attempt(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`x?`."""
    if reader.closures:
        reader.marks.add("closure-try")
    return reader.append((55, node.start_byte - reader.base, node.end_byte - reader.base, at))


@links(1, k.AWAIT)
def wait(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`x.await`."""
    return reader.append((56, node.start_byte - reader.base, node.end_byte - reader.base, at))


@links(1, k.UNARY)
def unary(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`!x`, `-x`, `*x`."""
    start = node.start_byte
    sign = reader.text.chars[start]
    return reader.append((47, start - reader.base, node.end_byte - reader.base, sign, at))


@links(1, k.REFERENCE)
def borrow(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`&x`, `&mut x`, `&raw const x`."""
    start, end = node.start_byte - reader.base, node.end_byte - reader.base
    row: Wire = (48, start, end, at) if len(parts) == 1 else (48, start, end, at, True)
    return reader.append(row)


@links(2, k.INDEX)
def index(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`base[index]`."""
    inside = _right(reader, node, parts)
    return reader.append((43, node.start_byte - reader.base, node.end_byte - reader.base, at, inside))


def _right(reader: Reader, node: Node, parts: list[Node]) -> int:
    if len(parts) < 2:
        return reader.unknown(node, "an operand is missing")
    return reader.expression(parts[1])


def _operator(reader: Reader, parts: list[Node], node: Node) -> str:
    between = reader.text.chars[parts[0].end_byte : parts[-1].start_byte].strip()
    if between.isalnum() or len(between) <= 3:
        return between
    # A comment stands beside the operator.
    sign = node.child_by_field_id(k.F_OPERATOR)
    return "=" if sign is None else reader.text.cut(sign.start_byte, sign.end_byte)


@links(2, k.BINARY)
def binary(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`a + b`; `a && b` runs its right side or not."""
    sign = _operator(reader, parts, node)
    if sign == "&&" or sign == "||":
        return short_circuit(reader, node, sign, at, parts[-1])
    right = _right(reader, node, parts)
    left = reader.rows[at]
    if left[0] == 58:
        return _break_with(reader, node, sign, at, right)
    return reader.append((49, node.start_byte - reader.base, node.end_byte - reader.base, sign, at, right))


def _break_with(reader: Reader, node: Node, sign: str, at: int, right: int) -> int:
    """The grammar takes `break *x` for `break` times `x`; the sign belongs to the value."""
    _, start, stop, label, *rest = (*reader.rows[at], None)
    end = node.end_byte - reader.base
    before = rest[0] if rest else None
    # What was a `break` comes too early, and so becomes `()`; the value stands before the new one.
    reader.rows[at] = (61, start, stop)
    if before is not None:
        value = reader.append((49, start, end, sign, before, right))
    elif sign == "&":
        value = reader.append((48, stop, end, right))
    else:
        value = reader.append((47, stop, end, sign, right))
    return reader.append((58, start, end, label, value))


def short_circuit(reader: Reader, node: Node, sign: str, left: int, right: Node) -> int:
    """`left && right` as a header; the left side has its row."""
    head = reader.header()
    region = reader.region(right)
    base = reader.base
    reader.rows[head] = (50, node.start_byte - base, right.end_byte - base, sign, left, region)
    return head


@links(2, k.ASSIGNMENT, k.COMPOUND)
def assign(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`target = value`, `target += value`."""
    sign = _operator(reader, parts, node)
    target = reader.rows[at]
    plain = target[3][1][0][1] if target[0] == 41 and len(target[3][1]) == 1 else None
    # The target itself counts as one read.
    reads = reader.reads.get(plain, 0) if plain is not None else 0
    value = _right(reader, node, parts)
    if sign == "=":
        source = source_name(reader.rows, value)
        if target[0] == 52:
            origin = origin_name(reader.rows, value)
            if origin is not None:
                reader.marks.add(f"let-underscore:{origin}")
        elif plain is not None:
            reader.bind(plain, source, reader.reads[plain] - 1, again=reader.reads[plain] == reads)
        elif source is not None:
            reader.marks.add(f"store:{source}")
    return reader.append((51, node.start_byte - reader.base, node.end_byte - reader.base, sign, at, value))


@links(2, k.CAST)
def cast(reader: Reader, node: Node, parts: list[Node], at: int) -> int:
    """`x as T`."""
    written = read_type(reader.text, parts[1]) if 1 < len(parts) else INFERRED
    return reader.append((54, node.start_byte - reader.base, node.end_byte - reader.base, at, written))


@reads(k.RANGE)
def span(reader: Reader, node: Node) -> int:
    """`a..b`, `..=b`, `..`."""
    parts = operands(node)
    start = node.start_byte
    low = high = None
    chars = reader.text.chars
    if len(parts) == 2:
        low = reader.expression(parts[0])
        sign = chars[parts[0].end_byte : parts[1].start_byte]
        high = reader.expression(parts[1])
    elif not parts:
        sign = ".."
    elif parts[0].start_byte == start:
        low = reader.expression(parts[0])
        sign = chars[parts[0].end_byte : node.end_byte]
    else:
        sign = chars[start : parts[0].start_byte]
        high = reader.expression(parts[0])
    inclusive = "=" in sign or "..." in sign
    return reader.append((53, start - reader.base, node.end_byte - reader.base, low, high, inclusive))


def _jump(reader: Reader, node: Node, tag: int) -> int:
    parts = operands(node)
    value = reader.expression(parts[-1]) if parts else None
    return reader.append((tag, node.start_byte - reader.base, node.end_byte - reader.base, value))


@reads(k.RETURN)
def leave(reader: Reader, node: Node) -> int:
    """`return x`."""
    return _jump(reader, node, 57)


@reads(k.YIELD)
def hand_out(reader: Reader, node: Node) -> int:
    """`yield x`."""
    return _jump(reader, node, 60)


def label_of(reader: Reader, parts: list[Node]) -> str | None:
    """The label without its tick, if the first part is one."""
    if parts and parts[0].kind_id == k.LABEL:
        return reader.text.cut(parts[0].start_byte, parts[0].end_byte).lstrip("'").strip()
    return None


@reads(k.BREAK)
def stop(reader: Reader, node: Node) -> int:
    """`break 'label x`."""
    parts = operands(node)
    label = label_of(reader, parts)
    rest = parts if label is None else parts[1:]
    value = reader.expression(rest[-1]) if rest else None
    return reader.append((58, node.start_byte - reader.base, node.end_byte - reader.base, label, value))


@reads(k.CONTINUE)
def again(reader: Reader, node: Node) -> int:
    """`continue 'label`."""
    label = label_of(reader, operands(node))
    return reader.append((59, node.start_byte - reader.base, node.end_byte - reader.base, label))


@reads(k.UNIT)
def unit(reader: Reader, node: Node) -> int:
    """`()`."""
    return reader.append((61, node.start_byte - reader.base, node.end_byte - reader.base))


@reads(k.TUPLE)
def several(reader: Reader, node: Node) -> int:
    """`(a, b)`."""
    elements = arguments(reader, node)
    for one in elements:
        reader.mark_kept("part", one)
    return reader.append((61, node.start_byte - reader.base, node.end_byte - reader.base, elements))


@reads(k.ARRAY)
def array(reader: Reader, node: Node) -> int:
    """`[a, b]`, `[value; length]`."""
    length = node.child_by_field_id(k.F_LENGTH)
    elements = arguments(reader, node)
    start, end = node.start_byte - reader.base, node.end_byte - reader.base
    if length is not None and len(elements) == 2:
        return reader.append((63, start, end, *elements))
    return reader.append((62, start, end, elements))


@reads(k.STRUCT)
def build(reader: Reader, node: Node) -> int:
    """`Path { name: value, ..base }`."""
    base = reader.base
    text = reader.text
    parts = operands(node)
    named = parts[0]
    written = read_path(text, named)
    name_at = named.start_byte
    segments = written[1]
    assert isinstance(segments, tuple)
    if named.kind_id == k.SCOPED_TYPE_IDENTIFIER:
        last = named.child_by_field_id(k.F_NAME)
        name_at = name_at if last is None else last.start_byte
    reader.names.add(f"{segments[-1][1]}{{" if segments else "{")
    fields: list[Wire] = []
    rest: int | None = None
    for child in parts[-1].named_children if 1 < len(parts) else ():
        kind = child.kind_id
        if kind == k.FIELD_INITIALIZER:
            key = child.child_by_field_id(k.F_FIELD)
            value = child.child_by_field_id(k.F_VALUE)
            if key is not None and value is not None:
                at = reader.expression(value)
                reader.mark_kept("part", at)
                fields.append((text.name(key), at))
        elif kind == k.SHORTHAND_INITIALIZER:
            inner = operands(child)
            if inner:
                at = name(reader, inner[-1])
                fields.append((text.name(inner[-1]), at))
        elif kind == k.BASE_INITIALIZER:
            inner = operands(child)
            if inner:
                rest = reader.expression(inner[-1])
    row = (64, node.start_byte - base, node.end_byte - base, written, name_at - base, tuple(fields), rest)
    return reader.append(row)
