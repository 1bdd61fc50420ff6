"""One file's bytes to its facts."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from io import BytesIO
from itertools import accumulate
from typing import TYPE_CHECKING

from tree_sitter import Node

from inroads.facts import FileFacts
from inroads.facts.codec import decode_facts, encode_wire
from inroads.rust.bodies import marked_data, waiting_data
from inroads.rust.file import FileReader, Waiting
from inroads.rust.heads import Place
from inroads.rust.newer import error_nodes, parse_newer
from inroads.rust.parse import MAX_BYTES, parse
from inroads.rust.skeleton import read_items
from inroads.rust.text import Span, Text, Wire
from inroads.rust.tokens import read_comments

if TYPE_CHECKING:
    from inroads.rust.outline import Outline

MOST_PROBLEMS = 20


def extract(data: bytes) -> FileFacts:
    """All that is kept of one file. It answers for any bytes; what went wrong is among its problems."""
    return decode_facts(_extract(data, None))


def extract_encoded(data: bytes) -> bytes:
    """The encoded facts of a file, in which bodies that may wait are kept as text (see bodies.py)."""
    return _extract(data, waiting_data)


def extract_outline(data: bytes) -> bytes:
    """
    The encoded outline of a file for `late.facts_of`, without parsing bodies that wait, nor most functions at all.

    A file that parses has the same facts. What is wrong inside of what was not parsed is not among the
    problems; who reads a body asks `bodies.has_error`, and of signatures `late.LateFacts` tells.
    """
    outline = load_outline()
    found: Outline | None = None
    if len(data) <= MAX_BYTES and b"\0" not in data and _is_utf8(data):
        try:
            chars = data.decode("latin-1")
            found = outline(chars, data)
            read = _read_outline(chars, data, found) if found.items else None
        except _STUMBLES:
            read = None
        if read is not None:
            return encode_wire(read)
    known = [] if found is None else found.bodies
    return _extract(data, waiting_data, known)


def load_outline() -> Callable[[str, bytes], Outline]:
    """What tells outlines, loaded when it is needed: compiling its expressions takes longer than some runs."""
    from inroads.rust.outline import outline

    return outline


_STUMBLES = (RecursionError, MemoryError, LookupError, ValueError, TypeError, AttributeError)


def _is_utf8(data: bytes) -> bool:
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return False
    return True


def _read_outline(chars: str, data: bytes, found: Outline) -> Wire | None:
    """The items and bodies of a file that parses apart from what was left out; None where that is not sure."""
    tree = parse(data, left_out=found.spans)
    if tree is None or tree.root_node.has_error:
        return None
    text = Text(chars, [])
    known = {start for start, _ in found.bodies}
    file = FileReader(text, partial(_known_data, known), found.items)
    top = Place(None)
    read_items(file, tree.root_node.named_children, top)
    file.add_left_out(len(data), top)
    if file.misplaced or text.problems:
        return None
    return (file.items, file.bodies, file.inner, file.late)


def _extract(data: bytes, waiting: Waiting | None, left_out: Sequence[Span] = ()) -> bytes:
    try:
        return encode_wire(_read(data, waiting, left_out))
    except _STUMBLES as error:
        problem = ("internal", 0, len(data), f"this file could not be read ({error!r}); please report it")
        return encode_wire(as_facts(data, [problem]))


def _read(data: bytes, waiting: Waiting | None, left_out: Sequence[Span]) -> Wire:
    if MAX_BYTES < len(data):
        return as_facts(data, [("too-large", 0, len(data), f"larger than {MAX_BYTES} bytes; not read")])
    if b"\0" in data:
        at = data.index(b"\0")
        return as_facts(data, [("encoding", at, at + 1, "a binary file; not read")])
    opened = opened_text(data, 0, waiting, left_out)
    if opened is None:
        return as_facts(data, [("deadline", 0, len(data), "took too long to parse; not read")])
    file = opened.file
    read_items(file, opened.root.named_children, Place(None))
    return as_facts(data, file.text.problems, file, opened.comments)


class OpenedText:
    """A text that is parsed and ready to be read."""

    __slots__ = ("comments", "file", "root")

    def __init__(self, file: FileReader, root: Node, comments: list[Wire]) -> None:
        self.file = file
        self.root = root
        self.comments = comments


def opened_text(
    data: bytes, shift: int, waiting: Waiting | None = None, left_out: Sequence[Span] = ()
) -> OpenedText | None:
    """
    Parse a text; None if that takes too long.

    Args:
        shift: Added to its offsets.
        left_out: The bodies that wait and need no parsing; heard only if all else parses.
    """
    problems: list[Wire] = []
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            problems.append(("encoding", error.start, error.end, "not UTF-8"))
    chars = data.decode("latin-1")
    text = Text(chars, problems)
    text.shift = shift
    if left_out:
        rest = parse(data, left_out=[(start + 1, end - 1) for start, end in left_out])
        if rest is not None and not rest.root_node.has_error:
            known = {start for start, _ in left_out}
            root = rest.root_node
            return OpenedText(FileReader(text, partial(_known_data, known)), root, read_comments(chars))
    tree = parse(data)
    if tree is None:
        return None
    if tree.root_node.has_error:
        # Bodies are read at once: by themselves they might be read otherwise.
        waiting = None
        tree = parse_newer(data, tree)
        problems.extend(syntax_problems(tree.root_node, shift))
    root = tree.root_node
    return OpenedText(FileReader(text, waiting), root, read_comments(chars))


def _known_data(known: set[int], chars: str, node: Node, items: Sequence[Node]) -> bytes | None:
    """The data of a body that waits, some of which are known by where they begin."""
    if node.start_byte in known:
        return marked_data(chars[node.start_byte : node.end_byte].encode("latin-1"), node)
    return waiting_data(chars, node, items)


def as_facts(
    data: bytes, problems: list[Wire], file: FileReader | None = None, comments: list[Wire] | None = None
) -> Wire:
    """The FileFacts; without items if there is no reader."""
    problems.sort(key=lambda problem: (problem[1], problem[2], problem[0]))
    if file is None:
        return (
            (),
            (),
            (),
            (),
            line_starts(data),
            len(data),
            blake2b(data, digest_size=16).digest(),
            problems,
        )
    digest = skeleton_digest(data, file.holes)
    return (file.items, file.bodies, file.inner, comments, line_starts(data), len(data), digest, problems)


def line_starts(data: bytes) -> bytes:
    """The offsets at which lines begin, packed."""
    starts = array("I", accumulate(map(len, BytesIO(data)), initial=0))
    if starts[-1] == len(data) and 1 < len(starts) and not data.endswith(b"\n"):
        starts.pop()
    if sys.byteorder == "big":
        starts.byteswap()
    return starts.tobytes()


def skeleton_digest(data: bytes, holes: list[tuple[int, int]]) -> bytes:
    """A hash of the file without the bodies that no other file can see into."""
    digest = blake2b(digest_size=16)
    at = 0
    for start, end in sorted(holes):
        if at <= start:
            digest.update(data[at:start])
            digest.update(b"\0")
            at = end
    digest.update(data[at:])
    return digest.digest()


def syntax_problems(root: Node, shift: int) -> list[Wire]:
    """Where the parser skipped or missed something; the first ones."""
    found: list[Wire] = []
    for node in error_nodes(root)[:MOST_PROBLEMS]:
        message = "a syntax error" if node.is_error else f"`{node.type}` is missing"
        found.append(("syntax", node.start_byte + shift, node.end_byte + shift, message))
    return found
