"""
The facts of a file of which only the outline is known: the rest is read when it is asked for.

Comments, lines and the signatures of most functions take longer to find out than all else that an audit
asks of a file, and few are asked for.
"""

from __future__ import annotations

import re
from typing import cast

import msgspec
from msgspec.structs import force_setattr

from inroads.facts import Attribute, BodyFacts, Comment, FileFacts, FileProblem, FunctionItem, Item, Signature
from inroads.facts.codec import comments_of, decode_facts, signature_of
from inroads.facts.items import Late
from inroads.facts.written import Plain
from inroads.rust import kinds as k
from inroads.rust.bodies import BLOCK_MARK
from inroads.rust.extract import line_starts
from inroads.rust.newer import parse_newer
from inroads.rust.parse import parse
from inroads.rust.signature import read_signature
from inroads.rust.text import Text, Wire
from inroads.rust.tokens import read_comments
from inroads.work import count


class _Outline(Plain, frozen=True):
    """
    What is read of a file at once.

    Args:
        bodies: Without data where their text waits.
        late: The functions, among the items, whose signatures are read when they are asked for.
    """

    items: tuple[Item, ...]
    bodies: tuple[BodyFacts, ...]
    inner: tuple[Attribute, ...]
    late: tuple[int, ...]


_WORD = re.compile(r"\w+")
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
            function = self.items[at]
            assert isinstance(function, FunctionItem)
            force_setattr(function, "signature", _LateSignature(self, function))

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


class _LateSignature(Late):
    """The signature of a function."""

    __slots__ = ("_facts", "_function", "_now")

    def __init__(self, facts: LateFacts, function: FunctionItem) -> None:
        self._facts = facts
        self._function = function
        self._now: Signature | None = None

    def now(self) -> Signature:
        """The signature; an empty one if it does not parse."""
        if self._now is None:
            self._now = self._read()
        return self._now

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

    def _written(self) -> bytes:
        facts, function = self._facts, self._function
        assert function.body is not None
        return facts.data[function.head.start : facts.bodies[function.body].start]

    def _read(self) -> Signature:
        count("signatures read")
        function = self._function
        written = self._written()
        problems: list[Wire] = []
        text = Text(written.decode("latin-1"), problems)
        text.shift = function.head.start
        whole = written + b"{}"
        tree = parse(whole)
        if tree is not None and tree.root_node.has_error:
            tree = parse_newer(whole, tree)
        nodes = [] if tree is None or tree.root_node.has_error else tree.root_node.named_children
        if [node.kind_id for node in nodes] == [k.FUNCTION_ITEM]:
            receiver, wire = read_signature(text, nodes[0])
            if receiver == function.receiver and not problems:
                return signature_of(wire)
        self._facts.is_broken = True
        return Signature()


def words_of_return(function: FunctionItem) -> frozenset[str] | None:
    """All names that may stand in what a function returns, as "()" a tuple too; None where that is known already."""
    signature: object = function.signature
    return signature.words_of_return() if isinstance(signature, _LateSignature) else None


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
