"""
The facts of a file of which only the outline is known: the rest is read when it is asked for.

Comments, lines and the parts of most functions and types take longer to find out than all else that an audit
asks of a file, and few are asked for.
"""

from __future__ import annotations

import re
from typing import TypeAlias, cast

import msgspec
from msgspec.structs import force_setattr

from inroads.facts import (
    Attribute,
    BodyFacts,
    Comment,
    EnumItem,
    Fields,
    FileFacts,
    FileProblem,
    FunctionItem,
    Generics,
    Item,
    Signature,
    StructItem,
    Variants,
)
from inroads.facts.codec import comments_of, decode_facts, encode_wire
from inroads.facts.items import Late
from inroads.facts.written import Plain
from inroads.rust.bodies import BLOCK_MARK
from inroads.rust.extract import line_starts
from inroads.rust.file import FileReader
from inroads.rust.heads import Place
from inroads.rust.newer import parse_newer
from inroads.rust.parse import parse
from inroads.rust.skeleton import read_items
from inroads.rust.text import Text
from inroads.rust.tokens import read_comments
from inroads.work import count


class _Outline(Plain, frozen=True):
    """
    What is read of a file at once.

    Args:
        bodies: Without data where their text waits.
        late: The items of which all but the head is read when it is asked for.
    """

    items: tuple[Item, ...]
    bodies: tuple[BodyFacts, ...]
    inner: tuple[Attribute, ...]
    late: tuple[int, ...]


_NO_GENERICS = Generics()
_WORD = re.compile(r"\w+")
_GENERIC = re.compile(rb"(?:r#)?[\w\x80-\xff]+\s*<")
_decode_outline = msgspec.msgpack.Decoder(_Outline).decode


class LateFacts:
    """
    What `FileFacts` are, of a file that parses apart from what was not read yet.

    `is_broken` is whether something that was read late does not parse, so that other facts may be wrong, too.
    """

    def __init__(self, key: str, data: bytes, outline: _Outline) -> None:
        self.data = data
        # Anything of the file may change with its content; who looks at skeletons only is told so.
        self.skeleton_digest = key.encode()
        self.items = outline.items
        self.bodies = outline.bodies
        self.inner = outline.inner
        self.size = len(data)
        self.problems: tuple[FileProblem, ...] = ()
        self.is_broken = False
        self._comments: tuple[Comment, ...] | None = None
        self._line_starts: bytes | None = None
        for body in self.bodies:
            if not body.data:
                force_setattr(body, "data", BLOCK_MARK + data[body.start : body.end])
        for at in outline.late:
            item = self.items[at]
            assert isinstance(item, LateItem)
            force_setattr(item, "written", _LateParts(self, item))

    @property
    def comments(self) -> tuple[Comment, ...]:
        """As in `FileFacts`."""
        if self._comments is None:
            self._comments = comments_of(read_comments(self.data.decode("latin-1")))
        return self._comments

    @property
    def line_starts(self) -> bytes:
        """As in `FileFacts`."""
        if self._line_starts is None:
            self._line_starts = line_starts(self.data)
        return self._line_starts

    @property
    def speaks(self) -> bool:
        """Whether it has problems; comments are not looked for."""
        return False

    def __eq__(self, other: object) -> bool:
        return all(
            getattr(self, name) == getattr(other, name, None)
            for name in FileFacts.__struct_fields__
            if name != "skeleton_digest"
        )

    def __hash__(self) -> int:
        return hash((self.size, len(self.items)))


class _LateParts(Late):
    """What is written in a function, struct or enum."""

    __slots__ = ("_facts", "_item", "_now")

    def __init__(self, facts: LateFacts, item: LateItem) -> None:
        self._facts = facts
        self._item = item
        self._now: _Parts | None = None

    def now(self) -> _Parts:
        """The parts; none if the item does not parse."""
        if self._now is None:
            self._now = self._read()
        return self._now

    @property
    def generics(self) -> Generics:
        """Its type and const parameters; most types are named, have none, and are asked for nothing else."""
        if self._now is None and not isinstance(self._item, FunctionItem):
            data, name_at = self._facts.data, self._item.head.name_at
            if b"<" not in data[name_at : data.index(b"{", name_at)]:
                return _NO_GENERICS
        return self.now().generics

    def words(self) -> frozenset[str] | None:
        """See `words_of`."""
        written = self._written()
        if self._now is not None or not written.isascii():
            return None
        return frozenset(_WORD.findall(written.decode()))

    def words_of_return(self) -> frozenset[str] | None:
        """See the function of that name."""
        written = self._written()
        if self._now is not None or not written.isascii():
            return None
        # What a parameter returns stands behind the first arrow, too.
        found = written.decode().partition("->")[2]
        words = set(_WORD.findall(found))
        if "(" in found:
            words.add("()")
        return frozenset(words)

    def words_of_generics(self) -> frozenset[str] | None:
        """See the function of that name."""
        if self._now is None and _GENERIC.match(self._facts.data, self._item.head.name_at) is None:
            return frozenset()
        return self.words()

    def _written(self) -> bytes:
        """The text, without a body."""
        facts, item = self._facts, self._item
        end = item.head.end
        if isinstance(item, FunctionItem):
            end = end - 1 if item.body is None else facts.bodies[item.body].start
        return facts.data[item.head.start : end]

    def _read(self) -> _Parts:
        count("items read late")
        item = self._item
        written = self._written()
        is_function = isinstance(item, FunctionItem)
        if is_function:
            written += b"{}"
        text = Text(written.decode("latin-1"), [])
        text.shift = item.head.start
        tree = parse(written)
        if tree is not None and tree.root_node.has_error:
            tree = parse_newer(written, tree)
        if tree is not None and not tree.root_node.has_error:
            file = FileReader(text, lambda _chars, _node, _items: b"")
            read_items(file, tree.root_node.named_children, Place(None))
            if len(file.items) == 1 and not text.problems:
                found = _decode_item(encode_wire(file.items[0]))
                if type(found) is type(item) and _front(found) == _front(item):
                    return found.written
        self._facts.is_broken = True
        return Signature() if is_function else Fields() if isinstance(item, StructItem) else Variants()


LateItem: TypeAlias = FunctionItem | StructItem | EnumItem
_Parts: TypeAlias = Signature | Fields | Variants
_decode_item = msgspec.msgpack.Decoder(LateItem).decode


def _front(item: LateItem) -> tuple[object, ...]:
    """What is known of an item before it is read, and must not be otherwise then."""
    known = item.receiver if isinstance(item, FunctionItem) else ""
    return item.head.name, item.head.name_at, item.head.visibility, known


def words_of(item: Item) -> frozenset[str] | None:
    """All words in an item but those of a body; None where the item is read already."""
    written: object = item.written if isinstance(item, LateItem) else None
    return written.words() if isinstance(written, _LateParts) else None


def words_of_generics(function: FunctionItem) -> frozenset[str]:
    """Names among which those of a function's type parameters are; none where it has none."""
    written: object = function.written
    found = written.words_of_generics() if isinstance(written, _LateParts) else None
    return frozenset(one.name for one in function.generics.parameters) if found is None else found


def words_of_return(function: FunctionItem) -> frozenset[str] | None:
    """All names that may stand in what a function returns, as "()" a tuple too; None where that is known already."""
    written: object = function.written
    return written.words_of_return() if isinstance(written, _LateParts) else None


def facts_of(key: str, data: bytes, encoded: bytes) -> FileFacts:
    """
    The facts of a file by what `extract_outline` has made of it.

    Args:
        key: The content key.

    Raises:
        DecodeError: It is something else.
    """
    # Outlines and facts are arrays of four and of eight values.
    if encoded[:1] != _FOUR:
        return decode_facts(encoded)
    return cast(FileFacts, LateFacts(key, data, _decode_outline(encoded)))


_FOUR = b"\x94"


def is_broken(facts: FileFacts) -> bool:
    """Whether something that was read late does not parse."""
    return isinstance(facts, LateFacts) and facts.is_broken


def may_name(facts: FileFacts, name: str) -> bool:
    """Whether a name may stand in a file; False only where that is told without reading its items."""
    return not isinstance(facts, LateFacts) or name.encode() in facts.data


def packed(data: bytes, encoded: bytes) -> bytes:
    """What `extract_outline` has made of a file, with the text that it needs, for `unpacked`."""
    return encoded + (data if encoded[:1] == _FOUR else b"") + len(encoded).to_bytes(8, "big")


def unpacked(key: str, data: bytes) -> FileFacts:
    """
    The facts of a file that were kept by `packed`.

    Raises:
        DecodeError: They are damaged.
    """
    size = int.from_bytes(data[-8:], "big")
    return facts_of(key, data[size:-8], data[:size])
