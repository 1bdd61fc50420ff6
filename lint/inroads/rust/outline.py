"""
The items of a file of which the parser sees as little as may be.

Most items are read off the text (see plain.py), and what a function or type says is read when somebody asks for
it (late.py). What is not plain is parsed by itself, and read by the code that reads whole files.
"""

from __future__ import annotations

import re
from functools import lru_cache

from inroads.rust import kinds as k
from inroads.rust.bodies import ITEM, VALUE_MARK, not_waiting, waiting_data, waits_beside
from inroads.rust.file import FileReader
from inroads.rust.heads import Place
from inroads.rust.parse import parse
from inroads.rust.plain import Entry, entries, items_in
from inroads.rust.signature import qualities
from inroads.rust.skeleton import read_items
from inroads.rust.text import Span, Text, Wire
from inroads.rust.used import use_entries
from inroads.rust.written import read_type

# What is written around an item that is parsed alone, by what holds it.
_AROUND = {"": b"", "impl": b"impl X{", "trait": b"trait X{"}
_SIMPLE = re.compile(r"(?!_\Z|as\b|dyn\b|impl\b)[A-Za-z_]\w*+(?:::[A-Za-z_]\w*+|(?!))*+\Z", re.ASCII)


def read_outline(chars: str, data: bytes) -> Wire | None:
    """
    Items, bodies and inner attributes of a file, and which items are late; None where it must be parsed whole.

    Args:
        chars: The text, each byte a character.
        data: The same as bytes.
    """
    found = entries(chars)
    return None if found is None else _Outline(chars, data).read(found)


class _NotPlainError(Exception):
    """The file must be parsed whole."""


class _Outline:
    """What is collected while one file is read."""

    __slots__ = ("block", "chars", "data", "file", "kept", "late", "parents")

    def __init__(self, chars: str, data: bytes) -> None:
        self.chars = chars
        self.data = data
        self.kept = Text("", [])
        self.file = FileReader(self.kept, waiting_data)
        self.late: list[int] = []
        # What holds the next item: its index, and what is written around such items; the block around it.
        self.parents: list[tuple[int | None, str]] = [(None, "")]
        self.block: Span | None = None

    def read(self, found: list[Entry]) -> Wire | None:
        """What `read_outline` tells."""
        texts = [self.data[start:end] for start, end in (one.body for one in found if one.body is not None)]
        reading = not_waiting(texts)
        number = 0
        file = self.file
        try:
            for one in found:
                waits = True
                if one.body is not None:
                    waits = number not in reading
                    number += 1
                self._item(one, waits)
        except _NotPlainError:
            return None
        return None if self.kept.problems else (file.items, file.bodies, file.inner, self.late)

    def _item(self, one: Entry, waits: bool) -> None:
        """Append one item, and what it brings; `waits` is whether its body need not be read."""
        file = self.file
        match one.kind:
            case "fn":
                self._function(one, waits)
            case "struct":
                self.late.append(file.add((101, self._head(one.head), "named", ())))
            case "enum":
                self.late.append(file.add((102, self._head(one.head), ())))
            case "use":
                self._use(one)
            case "mod":
                file.add((108, self._head(one.head), False))
            case "inline mod":
                self.parents.append((file.add((108, self._head(one.head), True)), ""))
            case "impl":
                self._implementation(one)
            case "const" | "static":
                self._constant(one, waits)
            case "header":
                self._header(one)
            case "odd":
                self._parse(one.cut, one.end)
            case "inner":
                if self.parents[-1][0] is None:
                    file.inner.append(one.head)
            case "end":
                self._end(one.end)

    def _head(self, head: Wire) -> Wire:
        """The ItemHead."""
        name, start, end, name_at, full_start, visibility, attributes, doc = head
        block = self.block
        if block is not None:
            # As in all blocks, it is only looked at what stands first.
            doc = self.chars.startswith("///", full_start)
        parent = self.parents[-1][0]
        return (name, parent, start, end, name_at, full_start, visibility, attributes, block, doc)

    def _function(self, one: Entry, waits: bool) -> None:
        body = one.body
        inside: list[Entry] = []
        if body is not None and not waits:
            inside = self._inside(body)
            if not inside:
                self._odd(one)
                return
        file = self.file
        receiver, modifiers = one.words
        more = qualities(modifiers) if modifiers else ()
        number = None if body is None else len(file.bodies)
        at = file.add((100, self._head(one.head), (), receiver, number, *more))
        self.late.append(at)
        if body is not None:
            file.bodies.append((at, *body, (), (), b""))
        if inside:
            self.parents.append((at, ""))
            self.block = body
            for item in inside:
                self._item(item, True)
            self.block = None
            self.parents.pop()

    def _inside(self, body: Span) -> list[Entry]:
        """The items in a body that would wait but for them; none if it would not, or they need the parser."""
        if self.block is not None:
            return []
        found = items_in(self.chars, body, ITEM)
        base = body[0]
        spans = [(one.head[1] - base, one.head[2] - base) for one in found]
        if not waits_beside(self.data[base : body[1]], spans):
            return []
        bodies = [self.data[one.body[0] : one.body[1]] for one in found if one.body is not None]
        return [] if not_waiting(bodies) else found

    def _use(self, one: Entry) -> None:
        tree = one.words[0] or ""
        end = one.end - 1
        read = use_entries(self.chars, end - len(tree), end)
        if read is None:
            self._odd(one)
        else:
            self.file.add((107, self._head(one.head), read))

    def _implementation(self, one: Entry) -> None:
        trait, of = one.words
        types = None if trait is None else type_of(trait), type_of(of or "")
        if types[1] is None or (trait is not None and types[0] is None):
            raise _NotPlainError
        at = self.file.add((104, self._head(one.head), (), *types, False))
        self.parents.append((at, "impl"))

    def _constant(self, one: Entry, waits: bool) -> None:
        of = type_of(one.words[0] or "")
        if of is None or not waits:
            self._odd(one)
            return
        assert one.body is not None
        start, end = one.body
        file = self.file
        body = len(file.bodies)
        at = file.add((106, self._head(one.head), of, body, one.kind == "static"))
        file.bodies.append((at, start, end, (), (), VALUE_MARK + self.data[start:end]))

    def _header(self, one: Entry) -> None:
        """Read the header of an impl or a trait as if it held nothing."""
        file = self.file
        at, bodies = len(file.items), len(file.bodies)
        self._parse(one.cut, one.end, b"}")
        if len(file.items) != at + 1 or bodies != len(file.bodies):
            raise _NotPlainError
        self.parents.append((at, one.words[0] or ""))

    def _end(self, end: int) -> None:
        """The item that holds the others ends here."""
        at = self.parents.pop()[0]
        assert at is not None
        kind, head, *more = self.file.items[at]
        self.file.items[at] = (kind, (*head[:3], end, *head[4:]), *more)

    def _odd(self, one: Entry) -> None:
        """Read an item with the parser that is not as plain as it seemed."""
        if self.block is not None:
            raise _NotPlainError
        self._parse(one.cut, one.end)

    def _parse(self, start: int, end: int, closed: bytes = b"") -> None:
        """Read what is not plain with the parser."""
        parent, around = self.parents[-1]
        front = _AROUND[around]
        written = front + self.data[start:end] + closed + (b"}" if front else b"")
        tree = parse(written)
        if tree is None or tree.root_node.has_error:
            raise _NotPlainError
        text = Text(written.decode("latin-1"), self.kept.problems)
        text.shift = start - len(front)
        text.names, text.paths, text.types = self.kept.names, self.kept.paths, self.kept.types
        nodes = tree.root_node.named_children
        if front:
            holder = nodes[0].child_by_field_id(k.F_BODY) if nodes else None
            if holder is None:
                raise _NotPlainError
            nodes = holder.named_children
        self.file.text = text
        read_items(self.file, nodes, Place(parent))


@lru_cache(maxsize=4096)
def type_of(written: str) -> Wire | None:
    """A type that is written without macros, as read by itself; None where it does not parse."""
    if _SIMPLE.match(written) is not None:
        return (2, tuple([(1, name) for name in written.split("::")]))
    data = f"type X={written};".encode("latin-1")
    tree = parse(data)
    item = None if tree is None or tree.root_node.has_error else tree.root_node.named_child(0)
    node = None if item is None or item.kind_id != k.TYPE_ITEM else item.child_by_field_id(k.F_TYPE)
    if node is None or "!" in written:
        return None
    text = Text(data.decode("latin-1"), [])
    found = read_type(text, node)
    return None if text.problems else found
