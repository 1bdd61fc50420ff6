"""
The arguments of macro calls, parsed again.

All calls of a file, nested ones too, are put into one text of small functions
and parsed in one go; what fails there is tried once more by itself, cut at its
separators. A call's contents are told by their shape, not by the macro's name:

* `a, b = c, "text"`: arguments; each is a region, a name before `=` its label
* `x; n`, in square brackets: the two are regions
* statements with `;`: one region
* arms `pattern = expr, if guard => handler`, `pattern => handler` (select! and
  its like): the expression with the pattern's text as label and the pattern; a
  guard, labelled `if`; the handler, whose label ends in `=>`
* `matches!(expr, pattern if guard)` and its like: the expression with the
  pattern; the guard, labelled `if`
"""

from __future__ import annotations

import re

from tree_sitter import Node

from inroads.rust import kinds as k
from inroads.rust.controls import guarded, mark_pattern, statements
from inroads.rust.parse import parse
from inroads.rust.reader import Reader, reads
from inroads.rust.text import Text, Wire, operands, widened
from inroads.rust.tokens import Site, inner_site, past_tree
from inroads.rust.types import macro_parts

_CAPTURE = re.compile(r"(?<!\{)(?:\{\{)*\{\s*((?:r#)?[A-Za-z_]\w*)\s*(?::([^{}]*))?\}")
_COUNT = re.compile(r"([A-Za-z_]\w*)\$")


class Piece:
    """
    A part of a call's text: how it is to be read, and where its function stands in the parsed text.

    `shift` is added to an offset of that text to get one of the file; `pattern`
    is the piece that holds the pattern which the expression is matched with.
    A piece of shape `literal` is not parsed; `span` is where it stands.
    """

    __slots__ = ("block", "label", "pattern", "shape", "shift", "span", "text")

    def __init__(self, shape: str, span: tuple[int, int], label: str = "") -> None:
        self.shape = shape
        self.span = span
        self.label = label
        self.shift = 0
        self.pattern: Piece | None = None
        self.block: Node | None = None
        self.text: Text | None = None


class Contents:
    """What is known of one call: its pieces, in order, and the names its strings capture."""

    __slots__ = ("captured", "pieces")

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.captured: tuple[str, ...] = ()


_AROUND = {
    "arguments": ("fn _(){_(", ");}\n"),
    "array": ("fn _(){[", "];}\n"),
    "statements": ("fn _(){", "}\n"),
    "expression": ("fn _(){(", ")}\n"),
    "pattern": ("fn _(){match _{", "=>0}}\n"),
}
_MOST_PARTS = 64
_MOST_LEVELS = 6
_WORTH = re.compile(r"[A-Za-z_]")
_STRING = re.compile(r"""\s*"[^"\\]*(?:\\.[^"\\]*)*"\s*""", re.DOTALL)


def prepare(text: Text, sites: list[Site]) -> dict[int, Contents]:
    """For each call, by the offset of its token tree, the contents ready to be read."""
    found: dict[int, Contents] = {}
    batch = _Batch(text)
    budget = 4 * len(text.chars) + 65536
    for site in sites:
        contents = found[site.start + text.shift] = Contents()
        contents.captured = captured(text.chars, site)
        budget -= site.end - site.start
        if 0 <= budget:
            contents.pieces = cut(text.chars, site)
            for piece in contents.pieces:
                batch.add(site, piece)
    for site in batch.parse():
        # The shape did not fit: cut at the separators, and keep what parses by itself.
        found[site.start + text.shift].pieces = _fitting(text, site, 0)
    return found


def _fitting(text: Text, site: Site, level: int) -> list[Piece]:
    """The parts of a call that parse; brackets that do not are cut in turn, as in `json!({"a": [f()]})`."""
    found: list[Piece] = []
    for piece in parts_of(text.chars, site):
        if piece.shape == "literal":
            if level == 0 and text.chars[piece.span[0]] in '"r':
                found.append(piece)
            continue
        alone = _Batch(text)
        alone.add(site, piece)
        if not alone.parse():
            found.append(piece)
        elif level < _MOST_LEVELS:
            start, end = piece.span
            while start < end and text.chars[start].isspace():
                start += 1
            if start < end and text.chars[start] in "{[":
                found.extend(_fitting(text, inner_site(text.chars, start, end), level + 1))
    return found


class _Batch:
    """Pieces that are parsed in one go."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.parts: list[str] = []
        self.size = 0
        self.expected: list[tuple[int, Piece, Site]] = []

    def add(self, site: Site, piece: Piece) -> None:
        """Take a piece in, and its pattern."""
        if piece.shape == "literal":
            return
        front, back = _AROUND[piece.shape]
        start, end = piece.span
        self.expected.append((self.size, piece, site))
        piece.shift = start - self.size - len(front) + self.text.shift
        whole = f"{front}{_cleaned(self.text.chars, site, start, end)}{back}"
        self.parts.append(whole)
        self.size += len(whole)
        if piece.pattern is not None:
            self.add(site, piece.pattern)

    def parse(self) -> list[Site]:
        """Parse; the sites of which a piece did not fit, each once."""
        if not self.expected:
            return []
        chars = "".join(self.parts)
        tree = parse(chars.encode("latin-1"))
        text = Text(chars, self.text.plain, self.text.problems)
        failed: dict[int, Site] = {}
        root = tree.root_node if tree is not None else None
        whole = root is not None and not root.has_error
        functions = {node.start_byte: node for node in root.named_children} if root is not None else {}
        for start, piece, site in self.expected:
            node = functions.get(start)
            if node is None or node.kind_id != k.FUNCTION_ITEM or (not whole and node.has_error):
                failed[site.start] = site
                continue
            piece.block = node.child_by_field_id(k.F_BODY)
            piece.text = text
        return list(failed.values())


def _cleaned(chars: str, site: Site, start: int, end: int) -> str:
    """The text without the sigils of logging macros: `%error`, `?error`."""
    at = start
    parts: list[str] = []
    for sign, position in site.separators:
        if sign == "%" and start <= position < end:
            parts.append(chars[at:position])
            parts.append(" ")
            at = position + 1
    if not parts:
        return chars[start:end]
    parts.append(chars[at:end])
    return "".join(parts)


def cut(chars: str, site: Site) -> list[Piece]:
    """The pieces that the shape of the contents suggests; none if nothing is worth reading."""
    start, end = site.start + 1, site.end - 1
    inner = chars[start:end].strip()
    if not inner or "$(" in inner:
        return []
    signs = {sign for sign, _ in site.separators}
    if len(site.strings) == 1 and not signs:
        first, last = site.strings[0]
        if last - first == len(inner):
            return [Piece("literal", (first, last))]
    if "=>" in signs:
        return arms(chars, site)
    bang = chars.rfind("!", 0, site.start)
    if "," in signs and chars.endswith("matches", 0, bang):
        comma = next(at for sign, at in site.separators if sign == ",")
        whole = chars[comma + 1 : end].rstrip()
        last = comma + 1 + len(whole.removesuffix(","))
        if whole.removesuffix(",").strip():
            piece = Piece("expression", (start, comma))
            piece.pattern = Piece("pattern", (comma + 1, last))
            return [piece]
    opening = chars[site.start]
    semicolons = sum(sign == ";" for sign, _ in site.separators)
    if semicolons == 1 and opening == "[" and "," not in signs:
        return [Piece("array", (start, end))]
    if semicolons or (opening == "{" and "," not in signs):
        return [Piece("statements", (start, end))]
    return [Piece("arguments", (start, end))]


def arms(chars: str, site: Site) -> list[Piece]:
    """The pieces of `pattern = expr, if guard => handler`, and of simpler arms."""
    pieces: list[Piece] = []
    at = site.start + 1
    end = site.end - 1
    signs = site.separators
    position = 0
    while position < len(signs):
        # What leads, as in `biased;`.
        arrow = position
        equals = comma = None
        while arrow < len(signs) and signs[arrow][0] != "=>":
            sign, place = signs[arrow]
            if sign == ";":
                at, equals, comma = place + 1, None, None
            elif sign == "=" and equals is None:
                equals = place
            elif sign == "," and equals is not None and comma is None:
                comma = place
            arrow += 1
        if arrow == len(signs):
            break
        place = signs[arrow][1]
        label = chars[at : place if equals is None else equals].strip()
        if equals is not None:
            stop = place if comma is None else comma
            piece = Piece("expression", (equals + 1, stop), chars[at:equals].strip())
            piece.pattern = Piece("pattern", (at, equals))
            pieces.append(piece)
            if comma is not None:
                guard = chars[comma + 1 : place]
                if guard.strip().startswith("if"):
                    pieces.append(Piece("expression", (comma + 1 + guard.index("if") + 2, place), "if"))
        first = place + 2
        position = arrow + 1
        while first < end and chars[first].isspace():
            first += 1
        if first < end and chars[first] == "{":
            last = _past_braces(chars, first, end)
            shape = "statements"
            pieces.append(Piece(shape, (first + 1, last - 1), f"{label} =>"))
            while position < len(signs) and signs[position][1] < last:
                position += 1
            if (
                position < len(signs)
                and signs[position][0] == ","
                and not chars[last : signs[position][1]].strip()
            ):
                last = signs[position][1] + 1
                position += 1
        else:
            while position < len(signs) and signs[position][0] != ",":
                position += 1
            last = signs[position][1] if position < len(signs) else end
            if chars[first:last].strip():
                pieces.append(Piece("expression", (first, last), f"{label} =>"))
            last += 1
            position += 1
        at = last
    return pieces


def _past_braces(chars: str, start: int, end: int) -> int:
    found = past_tree(chars, start + 1)
    return min(found, end)


_LABEL = re.compile(r"\s*(?:([A-Za-z_][\w.]*|\"[^\"]*\")\s*(?:=(?![=>])|:(?!:)))?\s*")


def parts_of(chars: str, site: Site) -> list[Piece]:
    """What stands between commas and semicolons, each with the name before its `=` or `:`."""
    pieces: list[Piece] = []
    at = site.start + 1
    stops = [place for sign, place in site.separators if sign in ",;"]
    if _MOST_PARTS < len(stops) or "$(" in chars[site.start : site.end]:
        return []
    for stop in (*stops, site.end - 1):
        found = _LABEL.match(chars, at, stop)
        first = at if found is None else found.end()
        if chars[first:stop].strip():
            label = (found.group(1) or "") if found is not None else ""
            plain = _STRING.fullmatch(chars, first, stop) or not _WORTH.search(chars, first, stop)
            if plain:
                inner = chars[first:stop]
                stop_at = first + len(inner.rstrip())
                pieces.append(Piece("literal", (stop_at - len(inner.strip()), stop_at), label.strip('"')))
            else:
                pieces.append(Piece("expression", (first, stop), label.strip('"')))
        at = stop + 1
    return pieces


def captured(chars: str, site: Site) -> tuple[str, ...]:
    """The variables named inside the strings at the call's own level: `"{e:?} {:width$}"`."""
    names: dict[str, None] = {}
    for start, end in site.strings:
        written = chars[start:end]
        if "{" in written:
            written = written.replace("{{", "")
            for found in _CAPTURE.finditer(written):
                names[found.group(1).removeprefix("r#")] = None
            for found in _COUNT.finditer(written):
                names[found.group(1)] = None
    if not names:
        return ()
    return tuple([name if name.isascii() else widened(name) for name in names])


@reads(k.MACRO_INVOCATION)
def invocation(reader: Reader, node: Node) -> int:
    """`name!(..)`: a hole, with its arguments as far as they parse."""
    text = reader.text
    base = reader.base
    path, tree = macro_parts(text, node)
    named = node.child_by_field_id(k.F_MACRO)
    name_at = node.start_byte
    if named is not None and named.kind_id == k.SCOPED_IDENTIFIER:
        last = named.child_by_field_id(k.F_NAME)
        name_at = name_at if last is None else last.start_byte
    name_at -= base
    reader.names.add(f"{path[-1]}!")
    start, end = node.start_byte - base, node.end_byte - base
    if tree is None:
        return reader.append((46, start, end, path, name_at, "", end))
    written = text.cut(tree.start_byte, tree.end_byte)
    text_at = tree.start_byte - base
    contents = reader.file.macros.get(tree.start_byte + text.shift)
    if contents is None:
        return reader.append((46, start, end, path, name_at, written, text_at))
    for name in contents.captured:
        reader.used.add(name)
        reader.names.add(name)
    head = reader.header()
    regions: list[Wire] = []
    labels: list[str] = []
    patterns: list[Wire | None] = []
    outer = reader.in_macro
    reader.in_macro = True
    for piece in contents.pieces:
        read_piece(reader, piece, regions, labels, patterns)
    reader.in_macro = outer
    reader.rows[head] = (
        46,
        start,
        end,
        path,
        name_at,
        written,
        text_at,
        False,
        tuple(regions),
        tuple(labels),
        tuple(patterns),
        contents.captured,
    )
    return head


def read_piece(
    reader: Reader, piece: Piece, regions: list[Wire], labels: list[str], patterns: list[Wire | None]
) -> None:
    """Append the regions of one piece."""
    outer, base = reader.text, reader.base
    true_base = base + outer.shift
    at = len(reader.rows)
    if piece.shape == "literal":
        start, end = piece.span
        written = reader.file.text.cut(start, end)
        start, end = start + reader.file.text.shift, end + reader.file.text.shift
        reader.append((40, start - true_base, end - true_base, "str", written[:80]))
        regions.append((at, at + 1, at))
        labels.append(piece.label)
        patterns.append(None)
        return
    block, text = piece.block, piece.text
    if block is None or text is None:
        return
    shift, depth = text.shift, text.depth
    reader.text = text
    text.depth = outer.depth
    text.shift = piece.shift
    reader.base = true_base - piece.shift
    children = block.named_children
    if piece.shape == "statements":
        regions.append(statements(reader, block))
        labels.append(piece.label)
        patterns.append(None)
    else:
        inner = next(iter(operands(children[0])), None) if children else None
        if piece.shape == "expression":
            # Parentheses stand around it.
            regions.append(reader.region(children[0]))
            labels.append(piece.label)
            patterns.append(None)
        elif inner is not None:
            listed = operands(inner)[-1] if inner.kind_id == k.CALL else inner
            for child in operands(listed):
                label = ""
                if child.kind_id == k.ASSIGNMENT:
                    left, right = child.child_by_field_id(k.F_LEFT), child.child_by_field_id(k.F_RIGHT)
                    if left is not None and right is not None:
                        label = text.cut(left.start_byte, left.end_byte)
                        child = right
                if child.kind_id == k.ATTRIBUTE_ITEM:
                    continue
                regions.append(reader.region(child))
                labels.append(label)
                patterns.append(None)
    inner_piece = piece.pattern
    if inner_piece is not None and inner_piece.block is not None:
        text.shift = inner_piece.shift
        reader.base = true_base - inner_piece.shift
        pattern, guard = _pattern(reader, inner_piece.block)
        patterns[-1] = pattern
        if pattern is not None:
            mark_pattern(reader, pattern, "matches")
        if guard is not None:
            regions.append(guard)
            labels.append("if")
            patterns.append(None)
    text.shift, text.depth = shift, depth
    reader.text, reader.base = outer, base


def _pattern(reader: Reader, block: Node) -> tuple[Wire | None, Wire | None]:
    """The pattern and the guard's region in `match _ { pattern if guard => 0 }`."""
    at: Node | None = block
    for wanted in (k.EXPRESSION_STATEMENT, k.MATCH, k.MATCH_ARM, k.MATCH_PATTERN):
        if at is None:
            return None, None
        if wanted == k.MATCH_ARM:
            at = at.child_by_field_id(k.F_BODY)
        if at is None:
            return None, None
        nexts = [child for child in at.named_children if child.kind_id == wanted]
        if wanted == k.EXPRESSION_STATEMENT and not nexts:
            continue
        at = nexts[0] if nexts else None
    return (None, None) if at is None else guarded(reader, at)
