"""Expressions that govern control, and statements: each becomes a header with its regions."""

from __future__ import annotations

from tree_sitter import Node

from inroads.rust import kinds as k
from inroads.rust.expressions import label_of, short_circuit
from inroads.rust.heads import attribute
from inroads.rust.marks import has_wildcard, speaks_of_result
from inroads.rust.patterns import elements_of, read_pattern, wildcard
from inroads.rust.reader import Reader, reads
from inroads.rust.statements import mark_tail, statements
from inroads.rust.text import Wire, operands
from inroads.rust.written import read_type


@reads(k.IF)
def branch(reader: Reader, node: Node) -> int:
    """`if condition { then } else { otherwise }`."""
    head = reader.header()
    condition = node.child_by_field_id(k.F_CONDITION)
    consequence = node.child_by_field_id(k.F_CONSEQUENCE)
    alternative = node.child_by_field_id(k.F_ALTERNATIVE)
    if condition is None or consequence is None:
        reader.rows.pop()
        return reader.unknown(node, "a syntax error")
    tested = condition_region(reader, condition, "if-let")
    then = statements(reader, consequence)
    otherwise = None
    if alternative is not None:
        inner = operands(alternative)
        if inner and inner[0].kind_id == k.BLOCK and not _labelled(inner[0]):
            otherwise = statements(reader, inner[0])
        elif inner:
            otherwise = reader.region(inner[0])
    base = reader.base
    reader.rows[head] = (69, node.start_byte - base, node.end_byte - base, tested, then, otherwise)
    return head


def condition_region(reader: Reader, node: Node, mark: str) -> Wire:
    """A condition, which may be `let`, or a chain that holds some."""
    start = len(reader.rows)
    value = _condition(reader, node, mark)
    return (start, len(reader.rows), value)


def _condition(reader: Reader, node: Node, mark: str) -> int:
    kind = node.kind_id
    if kind == k.LET_CONDITION:
        return let_condition(reader, node, mark)
    if kind != k.LET_CHAIN:
        return reader.expression(node)
    parts = operands(node)
    at = _condition(reader, parts[0], mark)
    for part in parts[1:]:
        if part.kind_id == k.LET_CONDITION:
            head = reader.header()
            start = len(reader.rows)
            value = let_condition(reader, part, mark)
            region = (start, len(reader.rows), value)
            base = reader.base
            reader.rows[head] = (50, node.start_byte - base, part.end_byte - base, "&&", at, region)
            at = head
        else:
            at = short_circuit(reader, node, "&&", at, part)
    return at


def let_condition(reader: Reader, node: Node, mark: str) -> int:
    """`let pattern = value` as a condition."""
    value_node = node.child_by_field_id(k.F_VALUE)
    if value_node is None:
        return reader.unknown(node, "a syntax error")
    value = reader.expression(value_node)
    pattern_node = node.child_by_field_id(k.F_PATTERN)
    base = reader.base
    if pattern_node is None:
        pattern = wildcard(node.start_byte - base + 4, node.start_byte - base + 5)
    else:
        pattern = read_pattern(reader.text, base, pattern_node)
        if speaks_of_result(pattern):
            reader.marks.add(mark)
        elif has_wildcard(pattern):
            reader.mark_call("let-part", value)
    return reader.append((65, node.start_byte - base, node.end_byte - base, pattern, value))


@reads(k.LET_CONDITION)
def loose_let(reader: Reader, node: Node) -> int:
    """A `let` condition inside an expression."""
    return let_condition(reader, node, "if-let")


@reads(k.LET_CHAIN)
def loose_chain(reader: Reader, node: Node) -> int:
    """A let chain inside an expression."""
    return _condition(reader, node, "if-let")


@reads(k.MATCH)
def match(reader: Reader, node: Node) -> int:
    """`match scrutinee { pattern if guard => body, .. }`."""
    scrutinee_node, body = node.child_by_field_id(k.F_VALUE), node.child_by_field_id(k.F_BODY)
    if scrutinee_node is None or body is None:
        return reader.unknown(node, "a syntax error")
    scrutinee = reader.expression(scrutinee_node)
    head = reader.header()
    base = reader.base
    arms: list[Wire] = []
    marked = False
    for arm in body.named_children:
        if arm.kind_id != k.MATCH_ARM:
            continue
        attributes: list[Wire] = []
        patterned = value = None
        for part in arm.named_children:
            kind = part.kind_id
            if kind == k.ATTRIBUTE_ITEM:
                attributes.append(attribute(reader.text, part, base))
            elif kind == k.MATCH_PATTERN:
                patterned = part
            elif kind not in k.EXTRAS:
                value = part
        if patterned is None:
            continue
        pattern, guard = guarded(reader, patterned)
        if not marked:
            if speaks_of_result(pattern):
                marked = True
                reader.marks.add("match")
            elif has_wildcard(pattern):
                reader.mark_call("let-part", scrutinee)
        body_start = len(reader.rows)
        result = None if value is None else reader.expression(value)
        region = (body_start, len(reader.rows), result)
        row: Wire = (patterned.start_byte - base, arm.end_byte - base, pattern, guard, region)
        arms.append((*row, tuple(attributes)) if attributes else row)
    reader.rows[head] = (70, node.start_byte - base, node.end_byte - base, scrutinee, tuple(arms))
    return head


def guarded(reader: Reader, node: Node) -> tuple[Wire, Wire | None]:
    """The pattern of an arm and its guard's region; a bare `_` has no syntax node."""
    base = reader.base
    condition = node.child_by_field_id(k.F_CONDITION)
    parts = operands(node)
    if parts and (condition is None or parts[0].start_byte != condition.start_byte):
        pattern = read_pattern(reader.text, base, parts[0])
    else:
        start = node.start_byte - base
        pattern = wildcard(start, start + 1)
    guard = None if condition is None else condition_region(reader, condition, "if-let")
    return pattern, guard


def _turns(reader: Reader, body: Node | None) -> Wire:
    """The body of a loop."""
    reader.loops += 1
    region = statements(reader, body)
    reader.loops -= 1
    return region


@reads(k.LOOP)
def loop(reader: Reader, node: Node) -> int:
    """`'label: loop { body }`."""
    head = reader.header()
    parts = operands(node)
    body = node.child_by_field_id(k.F_BODY)
    region = _turns(reader, body)
    base = reader.base
    reader.rows[head] = (71, node.start_byte - base, node.end_byte - base, label_of(reader, parts), region)
    return head


@reads(k.WHILE)
def while_(reader: Reader, node: Node) -> int:
    """`while condition { body }`."""
    head = reader.header()
    condition = node.child_by_field_id(k.F_CONDITION)
    if condition is None:
        reader.rows.pop()
        return reader.unknown(node, "a syntax error")
    tested = condition_region(reader, condition, "while-let")
    region = _turns(reader, node.child_by_field_id(k.F_BODY))
    base = reader.base
    label = label_of(reader, operands(node))
    reader.rows[head] = (72, node.start_byte - base, node.end_byte - base, label, tested, region)
    return head


@reads(k.FOR)
def for_(reader: Reader, node: Node) -> int:
    """`for pattern in iterable { body }`."""
    base = reader.base
    value = node.child_by_field_id(k.F_VALUE)
    if value is None:
        return reader.unknown(node, "a syntax error")
    iterable = reader.expression(value)
    reader.mark_call("iterate", iterable)
    head = reader.header()
    pattern_node = node.child_by_field_id(k.F_PATTERN)
    if pattern_node is None:
        at = reader.text.chars.index("_", node.start_byte, value.start_byte) - base
        pattern = wildcard(at, at + 1)
    else:
        pattern = read_pattern(reader.text, base, pattern_node)
    region = _turns(reader, node.child_by_field_id(k.F_BODY))
    label = label_of(reader, operands(node))
    reader.rows[head] = (
        73,
        node.start_byte - base,
        node.end_byte - base,
        label,
        pattern,
        iterable,
        region,
    )
    return head


_BLOCK_KINDS = {
    k.UNSAFE_BLOCK: "unsafe",
    k.CONST_BLOCK: "const",
    k.ASYNC_BLOCK: "async",
    k.TRY_BLOCK: "try",
    k.GEN_BLOCK: "gen",
}


def _labelled(block: Node) -> bool:
    children = block.named_children
    return bool(children) and children[0].kind_id == k.LABEL


@reads(k.BLOCK)
def plain_block(reader: Reader, node: Node) -> int:
    """`'label: { .. }`."""
    head = reader.header()
    label = label_of(reader, operands(node))
    region = statements(reader, node)
    base = reader.base
    reader.rows[head] = (74, node.start_byte - base, node.end_byte - base, "plain", label, region)
    return head


@reads(*_BLOCK_KINDS)
def special_block(reader: Reader, node: Node) -> int:
    """`unsafe { .. }`, `async move { .. }`, `const { .. }`, `try { .. }`, `gen { .. }`."""
    named = _BLOCK_KINDS[node.kind_id]
    parts = operands(node)
    block = parts[-1] if parts else None
    deferred = named in ("async", "gen")
    if named == "async" and block is not None:
        front = reader.text.chars[node.start_byte : block.start_byte]
        named = "async-move" if "move" in front.split() else named
    head = reader.header()
    if deferred:
        reader.closures += 1
    region = statements(reader, block)
    if deferred:
        reader.closures -= 1
        mark_tail(reader, region)
    base = reader.base
    reader.rows[head] = (74, node.start_byte - base, node.end_byte - base, named, None, region)
    return head


@reads(k.CLOSURE)
def closure(reader: Reader, node: Node) -> int:
    """`async move |parameters| -> returns body`."""
    base = reader.base
    text = reader.text
    head = reader.header()
    listed = node.child_by_field_id(k.F_PARAMETERS)
    body = node.child_by_field_id(k.F_BODY)
    returned = node.child_by_field_id(k.F_RETURN_TYPE)
    parameters: list[Wire] = []
    front: list[str] = []
    if listed is not None:
        front = text.chars[node.start_byte : listed.start_byte].split()
        parts = operands(listed)
        plain = [part for part in parts if part.kind_id != k.PARAMETER]
        if len(plain) == len(parts):
            parameters = [(pattern,) for pattern in elements_of(text, base, listed, parts)]
        else:
            for part in parts:
                parameters.append(parameter(reader, part))
    reader.closures += 1
    start = len(reader.rows)
    value = None if body is None else reader.expression(body)
    region = (start, len(reader.rows), value)
    reader.closures -= 1
    mark_tail(reader, region)
    returns = None if returned is None else read_type(text, returned)
    reader.rows[head] = (
        75,
        node.start_byte - base,
        node.end_byte - base,
        tuple(parameters),
        region,
        "async" in front,
        "move" in front,
        returns,
    )
    return head


def parameter(reader: Reader, node: Node) -> Wire:
    """A closure's parameter."""
    base = reader.base
    if node.kind_id != k.PARAMETER:
        return (read_pattern(reader.text, base, node),)
    pattern_node = node.child_by_field_id(k.F_PATTERN)
    type_node = node.child_by_field_id(k.F_TYPE)
    start = node.start_byte - base
    pattern = (
        wildcard(start, start + 1) if pattern_node is None else read_pattern(reader.text, base, pattern_node)
    )
    if pattern[0] == 22 and reader.text.chars[node.start_byte : node.start_byte + 4] == "mut ":
        pattern = (22, pattern[1], pattern[2], pattern[3], None, True)
    return (pattern,) if type_node is None else (pattern, read_type(reader.text, type_node))
