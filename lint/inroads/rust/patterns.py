"""Patterns as written; offsets are relative to `base`."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from inroads.rust import kinds as k
from inroads.rust.text import Text, Wire, operands
from inroads.rust.written import macro_parts, path_names, read_path

LITERALS = frozenset(
    (
        k.INTEGER,
        k.FLOAT,
        k.STRING,
        k.RAW_STRING,
        k.CHARACTER,
        k.BOOLEAN,
        k.NEGATIVE,
        k.RANGE_PATTERN,
        k.CONST_BLOCK,
    )
)


def wildcard(start: int, end: int) -> Wire:
    """`_`."""
    return (20, start, end)


def read_pattern(text: Text, base: int, node: Node) -> Wire:
    """Any pattern; what cannot be read is a literal of that text, which binds nothing."""
    kind = node.kind_id
    start, end = node.start_byte - base, node.end_byte - base
    if kind == k.UNDERSCORE:
        return (20, start, end)
    if kind == k.IDENTIFIER or kind == k.SELF or kind == k.METAVARIABLE:
        name = text.name(node)
        return (20, start, end) if name == "_" else (22, start, end, name)
    if kind == k.SCOPED_IDENTIFIER or kind == k.GENERIC_PATTERN:
        return (23, start, end, read_path(text, node))
    if kind in LITERALS:
        return (30, start, end, text.cut(node.start_byte, node.end_byte))
    if kind == k.REST_PATTERN:
        return (21, start, end)
    if not text.enter(node):
        return (20, start, end)
    found = _compound(text, base, node, kind, start, end)
    text.leave()
    return found


def _compound(text: Text, base: int, node: Node, kind: int, start: int, end: int) -> Wire:
    if kind == k.TUPLE_STRUCT_PATTERN:
        parts = operands(node)
        elements = tuple(elements_of(text, base, node, parts[1:]))
        return (24, start, end, read_path(text, parts[0]), elements)
    if kind == k.TUPLE_PATTERN:
        parts = operands(node)
        elements = tuple(elements_of(text, base, node, parts))
        # `(p)` is p; `(p,)` and `(..)` are tuples.
        single = len(parts) == 1 == len(elements) and parts[0].kind_id != k.REST_PATTERN
        if single and "," not in text.chars[parts[0].end_byte : node.end_byte]:
            return elements[0]
        return (26, start, end, elements)
    if kind == k.SLICE_PATTERN:
        return (27, start, end, tuple(elements_of(text, base, node, operands(node))))
    if kind == k.STRUCT_PATTERN:
        return _struct(text, base, node, start, end)
    if kind == k.OR_PATTERN:
        return _alternatives(text, base, node, start, end)
    if kind == k.REFERENCE_PATTERN:
        return (28, start, end, _last(text, base, node))
    if kind == k.MUT_PATTERN or kind == k.REF_PATTERN:
        inner = _last(text, base, node)
        if inner[0] != 22:
            return inner
        # The binding begins at its name, whatever stands before.
        mutable = kind == k.MUT_PATTERN or (4 < len(inner) and bool(inner[5:6] and inner[5]))
        by_reference = kind == k.REF_PATTERN or bool(inner[6:7] and inner[6])
        return (22, inner[1], inner[2], inner[3], inner[4] if 4 < len(inner) else None, mutable, by_reference)
    if kind == k.CAPTURED_PATTERN:
        parts = operands(node)
        sub = read_pattern(text, base, parts[1]) if 1 < len(parts) else (20, end, end)
        return (22, start, end, text.name(parts[0]), sub)
    if kind == k.MACRO_INVOCATION:
        path, tree = macro_parts(text, node)
        return (31, start, end, path, "" if tree is None else text.cut(tree.start_byte, tree.end_byte))
    if kind == k.CLOSURE:
        # The grammar takes `(|a, b| ..)` for a closure inside a tuple pattern.
        return (30, start, end, text.cut(node.start_byte, node.end_byte))
    if kind == k.SCOPED_TYPE_IDENTIFIER or kind == k.TYPE_IDENTIFIER:
        return (23, start, end, read_path(text, node))
    return (30, start, end, text.cut(node.start_byte, node.end_byte))


def _last(text: Text, base: int, node: Node) -> Wire:
    """The pattern after a sign; `_` has no syntax node."""
    parts = [part for part in operands(node) if part.kind_id != k.MUTABLE]
    if parts:
        return read_pattern(text, base, parts[-1])
    return (20, node.end_byte - base - 1, node.end_byte - base)


def elements_of(text: Text, base: int, node: Node, parts: Sequence[Node]) -> list[Wire]:
    """
    The patterns between brackets.

    `_` has no syntax node of its own, so where a gap between two elements holds
    one, it is put back.
    """
    if "_" not in text.chars[node.start_byte : node.end_byte]:
        return [read_pattern(text, base, part) for part in parts]
    found: list[Wire] = []
    wanted = {(part.start_byte, part.end_byte) for part in parts}
    named = {part.start_byte: part for part in parts}
    for child in node.children:
        at = child.start_byte
        if (at, child.end_byte) in wanted and child.is_named:
            found.append(read_pattern(text, base, named[at]))
        elif not child.is_named and child.end_byte - at == 1 and text.chars[at] == "_":
            found.append((20, at - base, at + 1 - base))
    return found


def _struct(text: Text, base: int, node: Node, start: int, end: int) -> Wire:
    fields: list[Wire] = []
    rest = False
    named = node.child_by_field_id(k.F_TYPE)
    for child in node.named_children:
        kind = child.kind_id
        if kind == k.REST_PATTERN:
            rest = True
        elif kind == k.FIELD_PATTERN:
            name = child.child_by_field_id(k.F_NAME)
            if name is None:
                continue
            written = text.name(name)
            pattern = child.child_by_field_id(k.F_PATTERN)
            if pattern is not None:
                fields.append((written, read_pattern(text, base, pattern)))
            elif name.kind_id != k.SHORTHAND_FIELD:
                # `field: _`
                fields.append((written, (20, child.end_byte - base - 1, child.end_byte - base)))
            else:
                front = text.chars[child.start_byte : name.start_byte].split()
                binding = (
                    22,
                    name.start_byte - base,
                    name.end_byte - base,
                    written,
                    None,
                    "mut" in front,
                    "ref" in front,
                )
                fields.append((written, binding if front else binding[:4]))
    path = (2, ()) if named is None else read_path(text, named)
    return (25, start, end, path, tuple(fields), rest)


def _alternatives(text: Text, base: int, node: Node, start: int, end: int) -> Wire:
    """`A | B | C`, which hangs to the left; `_` again has no node."""
    pieces: list[Wire] = []
    at = node
    while True:
        left: Node | None = None
        for child in reversed(at.children):
            if child.kind_id == k.OR_PATTERN and left is None:
                left = child
            elif child.is_named and child.kind_id not in k.EXTRAS:
                pieces.append(read_pattern(text, base, child))
            elif text.chars[child.start_byte : child.end_byte] == "_":
                pieces.append((20, child.start_byte - base, child.end_byte - base))
        if left is None:
            break
        at = left
    pieces.reverse()
    if len(pieces) == 1:
        return pieces[0]
    return (29, start, end, tuple(pieces))


def names_of(pattern: Wire) -> list[str]:
    """The names that a pattern binds, as far as syntax tells."""
    found: list[str] = []
    stack: list[Wire] = [pattern]
    while stack:
        at = stack.pop()
        tag = at[0]
        if tag == 22:
            found.append(str(at[3]))
            if 4 < len(at) and isinstance(at[4], tuple):
                stack.append(at[4])
        elif tag == 24:
            stack.extend(at[4])
        elif tag in (26, 27, 29):
            stack.extend(at[3])
        elif tag == 25:
            stack.extend(sub for _, sub in at[4])
        elif tag == 28:
            stack.append(at[3])
    return found


__all__ = ["elements_of", "names_of", "path_names", "read_pattern", "wildcard"]
