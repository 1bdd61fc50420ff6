"""
Macro calls: holes until linking, with their arguments read as far as they parse.

A call's text is parsed again where it stands; shapes.py tells as what. Rows
and patterns point into the file all the same: the small text that is parsed
has a shift of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from operator import itemgetter

from tree_sitter import Node, Parser

from inroads.rust import kinds as k
from inroads.rust.controls import guarded
from inroads.rust.parse import SURE_BYTES, parse
from inroads.rust.reader import Reader, reads
from inroads.rust.shapes import Piece, Shape, cut, parts_of
from inroads.rust.statements import mark_pattern, statements
from inroads.rust.text import Text, Wire, operands, widened
from inroads.rust.tokens import Site, inner_site, repeats
from inroads.rust.written import macro_parts

_CAPTURE = re.compile(r"\{\s*((?:r#)?[A-Za-z_\x80-\xff][\w\x80-\xff]*)\s*(?::[^{}]*)?\}")
_COUNT = re.compile(r"([A-Za-z_]\w*)\$")

_AROUND: dict[Shape, tuple[str, str]] = {
    "arguments": ("_(", "\n);"),
    "array": ("[", "\n];"),
    "statements": ("{", "\n}"),
    "expression": ("(", "\n);"),
    "pattern": ("match _{", "\n=>0}"),
}
_NO_CODE = frozenset(("quote", "parse_quote", "stringify", "cfg", "compile_error"))
_NO_CODE_AFTER_ARROW = frozenset(("quote_spanned", "parse_quote_spanned"))
"""Whose tokens are text for another program, and are not run here."""

_MOST_LEVELS = 6
_parser = Parser(k.LANGUAGE)


class Call:
    """What is collected of one call: regions, labels and patterns side by side, and captured names."""

    __slots__ = ("captured", "labels", "patterns", "regions")

    def __init__(self) -> None:
        self.regions: list[Wire] = []
        self.labels: list[str] = []
        self.patterns: list[Wire | None] = []
        self.captured: dict[str, None] = {}

    def add(self, region: Wire, label: str = "", pattern: Wire | None = None) -> None:
        """Add a region."""
        self.regions.append(region)
        self.labels.append(label)
        self.patterns.append(pattern)


@reads(k.MACRO_INVOCATION)
def invocation(reader: Reader, node: Node) -> int:
    """`name!(..)`."""
    text = reader.text
    base = reader.base
    path, tree = macro_parts(text, node)
    start, end = node.start_byte - base, node.end_byte - base
    name_at = start
    if 1 < len(path):
        named = node.child_by_field_id(k.F_MACRO)
        last = None if named is None else named.child_by_field_id(k.F_NAME)
        name_at = start if last is None else last.start_byte - base
    reader.names.add(f"{path[-1]}!")
    if tree is None:
        return reader.append((46, start, end, path, name_at, "", end))
    first, last_byte = tree.start_byte, tree.end_byte
    written = text.cut(first, last_byte)
    head = reader.header()
    call = Call()
    outer = reader.in_macro
    reader.in_macro = True
    _contents(reader, call, path[-1], first, last_byte)
    reader.in_macro = outer
    for name in call.captured:
        reader.mention(name)
    row: Wire = (46, start, end, path, name_at, written, first - base)
    if call.regions or call.captured:
        row = (
            *row,
            False,
            tuple(call.regions),
            tuple(call.labels),
            tuple(call.patterns),
            tuple(call.captured),
        )
    reader.rows[head] = row
    return head


def _contents(reader: Reader, call: Call, name: str, start: int, end: int) -> None:
    """Read the token tree of a call."""
    chars = reader.text.chars
    opening = chars[start]
    if name in _NO_CODE:
        return
    if name in _NO_CODE_AFTER_ARROW:
        arrow = chars.find("=>", start, end)
        if 0 <= arrow:
            _piece(reader, call, Piece("expression", (start + 1, arrow)), None)
        return
    inner = chars[start + 1 : end - 1].strip()
    if not inner or repeats(inner):
        return
    if inner[0] == '"' and inner.find('"', 1) == len(inner) - 1:
        at = chars.index('"', start)
        _literal(reader, call, (at, at + len(inner)), "")
        return
    if opening != "{" and not name.endswith("matches"):
        shape: Shape = "arguments" if opening == "(" else "array"
        if _piece(reader, call, Piece(shape, (start + 1, end - 1)), None):
            return
    site = inner_site(chars, start, end)
    pieces = cut(chars, site, name)
    rows, found = len(reader.rows), len(call.regions)
    for piece in pieces:
        if not _piece(reader, call, piece, site):
            break
    else:
        _capture_all(call, chars, site.strings)
        return
    # The shape does not fit: cut at the separators, and keep what parses by itself.
    del reader.rows[rows:], call.regions[found:], call.labels[found:], call.patterns[found:]
    _fitting(reader, call, site, 0)
    _capture_all(call, chars, site.strings)


def _fitting(reader: Reader, call: Call, site: Site, level: int) -> None:
    """Read the parts that parse; brackets that do not are cut in turn, as in `json!({"a": [f()]})`."""
    chars = reader.text.chars
    for piece in parts_of(chars, site):
        start, end = piece.span
        if piece.shape == "literal":
            if level == 0 and chars[start] in '"r':
                _literal(reader, call, piece.span, piece.label)
        elif not _piece(reader, call, piece, site) and level < _MOST_LEVELS:
            while start < end and chars[start].isspace():
                start += 1
            while start < end and chars[end - 1].isspace():
                end -= 1
            if start < end and chars[start] in "{[":
                _fitting(reader, call, inner_site(chars, start, end), level + 1)


def _literal(reader: Reader, call: Call, span: tuple[int, int], label: str) -> None:
    """A string that needs no parsing."""
    start, end = span
    chars = reader.text.chars
    at = reader.append(
        (40, start - reader.base, end - reader.base, "str", reader.text.cut(start, min(end, start + 80)))
    )
    call.add((at, at + 1, at), label)
    _capture_all(call, chars, [span])


def _capture_all(call: Call, chars: str, strings: list[tuple[int, int]]) -> None:
    """Note the variables named inside strings: `"{e:?} {:width$}"`."""
    for start, end in strings:
        written = chars[start:end]
        if "{" not in written:
            continue
        written = written.replace("{{", "")
        for pattern in (_CAPTURE, _COUNT):
            for found in pattern.finditer(written):
                name = found[1].removeprefix("r#")
                call.captured[name if name.isascii() else widened(name)] = None


def _parsed(
    reader: Reader, shape: Shape, span: tuple[int, int], site: Site | None
) -> tuple[Text, Node] | None:
    """Parse a part as that shape; None if it does not fit. The statement's syntax node is answered."""
    outer = reader.text
    front, back = _AROUND[shape]
    start, end = span
    chars = f"{front}{_cleaned(outer.chars, site, start, end)}{back}"
    data = chars.encode("latin-1")
    tree = _parser.parse(data) if len(data) < SURE_BYTES else parse(data)
    if tree is None or tree.root_node.has_error:
        return None
    children = tree.root_node.named_children
    if len(children) != 1:
        children = [child for child in children if child.kind_id not in k.EXTRAS]
        if len(children) != 1:
            return None
    inner = operands(children[0]) if children[0].kind_id == k.EXPRESSION_STATEMENT else []
    return (outer.inside(chars, start - len(front)), inner[0]) if len(inner) == 1 else None


def _cleaned(chars: str, site: Site | None, start: int, end: int) -> str:
    """The text without the sigils of logging macros: `%error`, `?error`."""
    if site is None:
        return chars[start:end]
    at = start
    parts: list[str] = []
    signs = site.separators
    for number in range(bisect_left(signs, start, key=itemgetter(1)), len(signs)):
        sign, position = signs[number]
        if end <= position:
            break
        if sign == "%":
            parts.append(chars[at:position])
            parts.append(" ")
            at = position + 1
    parts.append(chars[at:end])
    return "".join(parts)


def _piece(reader: Reader, call: Call, piece: Piece, site: Site | None) -> bool:
    """Read one piece; whether it parses."""
    if piece.shape == "literal":
        _literal(reader, call, piece.span, piece.label)
        return True
    parsed = _parsed(reader, piece.shape, piece.span, site)
    if parsed is None:
        return False
    matched = None
    if piece.pattern is not None:
        matched = _parsed(reader, "pattern", piece.pattern, site)
        if matched is None:
            return False
    outer, base = reader.text, reader.base
    true_base = base + outer.shift
    text, inner = parsed
    reader.text, reader.base = text, true_base - text.shift
    if piece.shape == "statements":
        call.add(statements(reader, inner), piece.label)
    elif piece.shape == "expression":
        call.add(reader.region(inner), piece.label)
    else:
        _arguments(reader, call, inner)
    if matched is not None:
        text, inner = matched
        reader.text, reader.base = text, true_base - text.shift
        pattern, guard = _pattern(reader, inner)
        if pattern is not None:
            call.patterns[-1] = pattern
            mark_pattern(reader, pattern, "matches")
        if guard is not None:
            call.add(guard, "if")
    reader.text, reader.base = outer, base
    return True


def _arguments(reader: Reader, call: Call, node: Node) -> None:
    """The arguments of a call, or the elements of an array; a name before `=` is a label."""
    text = reader.text
    listed = node
    if node.kind_id == k.CALL:
        # The callee is the name that was put there.
        found = node.child_by_field_id(k.F_ARGUMENTS)
        listed = node if found is None else found
    strings: list[tuple[int, int]] = []
    for child in listed.named_children:
        kind = child.kind_id
        label = ""
        if kind == k.ASSIGNMENT:
            left, right = child.child_by_field_id(k.F_LEFT), child.child_by_field_id(k.F_RIGHT)
            if left is not None and right is not None:
                label = text.cut(left.start_byte, left.end_byte)
                child = right
        elif kind == k.STRING or kind == k.RAW_STRING:
            strings.append((child.start_byte, child.end_byte))
        elif kind == k.ATTRIBUTE_ITEM or kind in k.EXTRAS:
            continue
        call.add(reader.region(child), label)
    _capture_all(call, text.chars, strings)


def _pattern(reader: Reader, node: Node) -> tuple[Wire | None, Wire | None]:
    """The pattern and the guard's region in `match _ { pattern if guard => 0 }`."""
    body = node.child_by_field_id(k.F_BODY)
    for arm in body.named_children if body is not None else ():
        if arm.kind_id == k.MATCH_ARM:
            patterned = arm.child_by_field_id(k.F_PATTERN)
            if patterned is not None:
                return guarded(reader, patterned)
    return None, None
