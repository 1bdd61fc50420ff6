"""One file's bytes to its facts."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from hashlib import blake2b
from io import BytesIO
from itertools import accumulate

from tree_sitter import Node

from inroads.facts import FileFacts
from inroads.facts.codec import decode_facts, encode_wire
from inroads.rust.bodies import waiting_data
from inroads.rust.file import FileReader, Waiting
from inroads.rust.heads import Place
from inroads.rust.newer import error_nodes, parse_newer
from inroads.rust.parse import MAX_BYTES, parse
from inroads.rust.skeleton import read_items
from inroads.rust.text import Text, Wire
from inroads.rust.tokens import read_comments

MOST_PROBLEMS = 20


def extract(data: bytes) -> FileFacts:
    """All that is kept of one file. It answers for any bytes; what went wrong is among its problems."""
    return decode_facts(_extract(data, None))


def extract_encoded(data: bytes) -> bytes:
    """The encoded facts of a file, in which bodies that may wait are kept as text (see bodies.py)."""
    return _extract(data, waiting_data)


def extract_outline(data: bytes) -> bytes:
    """
    The encoded outline of a file for `late.facts_of`, without parsing bodies that wait, nor most items at all.

    A file that parses has the same facts. What is wrong inside of what was not parsed is not among the
    problems; who reads a body asks `bodies.has_error`, and of signatures `late.LateFacts` tells.
    """
    read_outline = load_outline()
    if len(data) <= MAX_BYTES and b"\0" not in data and _is_utf8(data):
        try:
            read = read_outline(data.decode("latin-1"), data)
        except _STUMBLES:
            read = None
        if read is not None:
            return encode_wire(read)
    return _extract(data, waiting_data)


def load_outline() -> Callable[[str, bytes], Wire | None]:
    """What tells outlines, loaded when it is needed: compiling its expressions takes longer than some runs."""
    from inroads.rust.outline import read_outline

    return read_outline


_STUMBLES = (RecursionError, MemoryError, LookupError, ValueError, TypeError, AttributeError)


def _is_utf8(data: bytes) -> bool:
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return False
    return True


def _extract(data: bytes, waiting: Waiting | None) -> bytes:
    try:
        return encode_wire(_read(data, waiting))
    except _STUMBLES as error:
        problem = ("internal", 0, len(data), f"this file could not be read ({error!r}); please report it")
        return encode_wire(as_facts(data, [problem]))


def _read(data: bytes, waiting: Waiting | None) -> Wire:
    if MAX_BYTES < len(data):
        return as_facts(data, [("too-large", 0, len(data), f"larger than {MAX_BYTES} bytes; not read")])
    if b"\0" in data:
        at = data.index(b"\0")
        return as_facts(data, [("encoding", at, at + 1, "a binary file; not read")])
    opened = opened_text(data, 0, waiting)
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


def opened_text(data: bytes, shift: int, waiting: Waiting | None = None) -> OpenedText | None:
    """
    Parse a text; None if that takes too long.

    Args:
        shift: Added to its offsets.
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
