"""
Bodies that are kept as their text until someone asks for their rows.

A body costs more to read than to parse, and most bodies are never asked for.
So where a body holds nothing that the skeleton needs, but for items among its
outermost statements, which are read, its text stands in place of its rows,
behind a byte with which no encoded body begins; its rows are read when they
are wanted, by the same code, and come out the same. What the index would say is
then told by the words of the text: more names than the rows would give, never
fewer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from tree_sitter import Node

from inroads.facts import Body
from inroads.facts.codec import rows_of
from inroads.rust import kinds as k
from inroads.rust.file import FileReader, finish_marks
from inroads.rust.parse import parse
from inroads.rust.reader import Reader
from inroads.rust.statements import statements
from inroads.rust.text import Span, Text, Wire, widened
from inroads.work import count

BLOCK_MARK = b"\xc1{"
VALUE_MARK = b"\xc1="

_WORDS = (
    rb"fn|use|struct|enum|trait|impl|mod|static|type|extern|union|pub|auto|safe|default|macro_rules!|macro"
)
# What begins an item inside a body; the last three words begin other things too.
_ITEM_WORD = (
    rb"[ \t]*+(?:(?:" + _WORDS + rb")[ \t\r\n/]|(?:unsafe|async|const)[ \t\r\n/]++(?![{|]|move[ \t\r\n/{]))"
)
_ITEM = re.compile(rb"(?:\A|[\n\r{};)\]]|\*/)" + _ITEM_WORD)
ITEM = re.compile(r"[\n\r{};)\]](?=[ \tacdefimpstu])" + _ITEM_WORD.decode())
"""How any item begins in a block without comments, with the sign behind which it stands."""

# A statement may begin behind these; where all are one sign, and there are no blanks, the search is fast.
_BEGINNINGS = bytes(10 if at in b"{};])\r/" else at for at in range(256))
# What follows `unsafe` and `async` on another line begins with a word of its own.
_ITEM_BEGINS = re.compile(
    rb"\n(?=[acdefimpstu])(?:" + _WORDS + rb"|const|(?:unsafe|async)(?![\n|]|move[\n|]))"
)
_NO_BRACKETS = bytes(at for at in range(256) if at not in b"()[]{}\0")
_BLANKS = (b" ", b"\n", b"\t", b"\r", b"/")
_MOST_BRACKETS = 60
_MOST_SIGNS = 100


def waiting_data(chars: str, node: Node, items: Sequence[Node]) -> bytes | None:
    """
    The data of a body that waits; None if it may hold an error or an item that is not given, or nest too deeply.

    Args:
        items: Those among its statements, in order; who asks reads them.
    """
    text = chars[node.start_byte : node.end_byte].encode("latin-1")
    if node.has_error or is_deep(text):
        return None
    base = node.start_byte
    rest = _without(text, [(item.start_byte - base, item.end_byte - base) for item in items])
    return None if _holds_item(rest) else marked_data(text, node)


def _without(text: bytes, items: Sequence[Span]) -> bytes:
    if not items:
        return text
    ends = (0, *(end for _, end in items))
    starts = (*(start for start, _ in items), len(text))
    return b"\n".join([text[end:start] for end, start in zip(ends, starts, strict=True)])


def marked_data(text: bytes, node: Node) -> bytes:
    """The data of a body that is known to wait."""
    return (BLOCK_MARK if node.kind_id == k.BLOCK else VALUE_MARK) + text


def not_waiting(texts: Sequence[bytes]) -> set[int]:
    """Which bodies, by index, must be read: they may hold an item, or nest too deeply."""
    # All are looked through at once, for what few files have.
    whole = b"\0".join(texts)
    found = _holding_items(texts)
    if _MOST_SIGNS < whole.count(b"<") or b"&&&&" in whole:
        found.update(at for at, text in enumerate(texts) if _many_signs(text))
    found.update(_not_shallow(whole))
    return found


def waits_beside(text: bytes, items: Sequence[Span]) -> bool:
    """Whether a body would wait if the items that stand at these places, in order, are read."""
    return not is_deep(text) and not _holds_item(_without(text, items))


def is_deep(text: bytes) -> bool:
    """Whether a body nests deeply."""
    return _many_signs(text) or bool(_not_shallow(text))


def _many_signs(text: bytes) -> bool:
    return _MOST_SIGNS < text.count(b"<") or b"&&&&" in text


def _holding_items(texts: Sequence[bytes]) -> set[int]:
    """In which texts a word of an item stands where a statement may begin."""
    # All are looked through at once, without blanks; what is found then is looked at with care.
    squeezed = b"\0\n".join((b"", *texts)).translate(_BEGINNINGS, b" \t")
    begins: dict[int, None] = {}
    at, text = 0, -1
    for match in _ITEM_BEGINS.finditer(squeezed):
        start = match.start() + 1
        text += squeezed.count(b"\0", at, start)
        at = start
        # Most such words are the beginnings of other ones.
        word, around = match[0][1:], texts[text]
        if any(word + blank in around for blank in _BLANKS):
            begins[text] = None
    return {text for text in begins if _ITEM.search(texts[text]) is not None}


def _holds_item(text: bytes) -> bool:
    """The same of one text."""
    squeezed = (b"\n" + text).translate(_BEGINNINGS, b" \t")
    return _ITEM_BEGINS.search(squeezed) is not None and _ITEM.search(text) is not None


def _not_shallow(texts: bytes) -> list[int]:
    """In which of the texts, which zeros separate, brackets nest deeply, brackets in strings counted as any others."""
    left = texts.translate(None, _NO_BRACKETS)
    for _ in range(_MOST_BRACKETS):
        fewer = left.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
        if len(fewer) == len(left):
            break
        left = fewer
    if not left.strip(b"\0"):
        return []
    return [at for at, brackets in enumerate(left.split(b"\0")) if _MOST_BRACKETS < len(brackets)]


def has_error(data: bytes) -> bool:
    """Whether a body whose data is its text does not parse."""
    return _read(data)[2]


def read_waiting(data: bytes) -> Body:
    """The rows of a body whose data is its text."""
    reader, root, _ = _read(data)
    return rows_of((reader.rows, root))


def read_marks(data: bytes) -> frozenset[str]:
    """The marks of a body whose data is its text, by reading it."""
    found = _MARKS.get(data)
    if found is None:
        reader, _, _ = _read(data)
        found = frozenset(reader.marks)
    return found


_MARKS: dict[bytes, frozenset[str]] = {}
"""The marks of bodies that were read: small beside their rows, and asked for by others, later."""

_MOST_REMEMBERED = 10_000


@lru_cache(maxsize=64)
def _read(data: bytes) -> tuple[Reader, Wire, bool]:
    """Rows, marks, whether there is an error; kept for a while, as who asks for one may ask for another next."""
    count("bodies read")
    reader, root, broken = _rows(data)
    finish_marks(reader)
    if _MOST_REMEMBERED < len(_MARKS):
        _MARKS.clear()
    _MARKS[data] = frozenset(reader.marks)
    return reader, root, broken


def _rows(data: bytes) -> tuple[Reader, Wire, bool]:
    chars, front = _whole(data)
    tree = parse(chars.encode("latin-1"))
    text = Text(chars, [])
    text.origin = front
    # Functions that stand in it are bodies of their own.
    reader = Reader(FileReader(text, lambda _chars, _node, _items: b""), text, front, None)
    for node in tree.root_node.named_children if tree is not None else ():
        block = node.child_by_field_id(k.F_BODY)
        if block is not None:
            return reader, statements(reader, block), tree is None or tree.root_node.has_error
    return reader, (0, 0), True


def _whole(data: bytes) -> tuple[str, int]:
    """The text of a function with that body, and where the body begins in it."""
    front, back = ("fn _()", "") if data.startswith(BLOCK_MARK) else ("fn _(){(", "\n)}")
    return f"{front}{data[2:].decode('latin-1')}{back}", len(front)


_WORD = re.compile(r"\.\d+|\$\w+|\.?(?:r#)?[A-Za-z_\x80-\xff][\w\x80-\xff]*+(?:!|\s*\{|::<)?")


@lru_cache(maxsize=256)
def words(data: bytes) -> frozenset[str]:
    """The names that a body may mention whose data is its text, in the spelling of `BodyFacts.names`."""
    count("bodies searched")
    found: set[str] = set()
    for word in set(_WORD.findall(data[2:].decode("latin-1"))):
        name = word.rstrip("!:<{ \t\r\n") if word[-1] in "!<{" else word
        point = name[0] == "."
        name = name.lstrip(".").removeprefix("r#")
        if not name.isascii():
            name = widened(name)
        found.add(name)
        if point:
            found.add(f".{name}")
        if word[-1] in "!<{":
            found.add(f"{name}!" if word[-1] == "!" else f"{name}{{")
    return frozenset(found)
