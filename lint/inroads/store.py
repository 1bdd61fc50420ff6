"""
A memo on disk, keyed by content; and what stands in it, as bytes and as facts.

A folder of packs. Each run that learns something writes one more pack, whole
or not at all, and never changes one that stands; when there are many, or they
grow too large, they are written anew as one. A reader maps the packs and looks
at a blob only when it is asked for, by its checksum. So two runs do each other
no harm, and whatever is wrong with a pack (cut short, foreign, damaged, of
another version) makes a cold run and never a wrong answer.
"""

from __future__ import annotations

import mmap
import os
import struct
import sys
import time
from collections.abc import Callable
from hashlib import blake2b
from importlib.util import find_spec
from zlib import crc32

import msgspec

from inroads import __version__
from inroads.cachefolder import own_state, prepare, remove, write_whole
from inroads.facts import FACTS_VERSION, Body, BodyFacts
from inroads.facts.codec import (
    decode_facts as decode_facts,
    decode_rows,
    encode_body as encode_body,
    encode_facts as encode_facts,
)

LIMIT = 512_000_000
"""What the packs may take together, in bytes."""

MOST_PACKS = 12
"""With so many packs a run writes the newest of them anew as one."""

_LONG_AGO = 3600
_MAGIC = b"INROADS2"
_FRONT = struct.Struct("<8s16sQI")  # Magic, version, length and checksum of the index.
_decode_index: Callable[[bytes], dict[str, tuple[int, int, int]]] = msgspec.msgpack.Decoder(
    dict[str, tuple[int, int, int]]
).decode
_encode: Callable[[object], bytes] = msgspec.msgpack.Encoder().encode


def decode_body(data: bytes) -> Body:
    """The rows behind `BodyFacts.data`."""
    if data.startswith(b"\xc1"):
        # It waits as text; the parser is loaded only for such a one.
        from inroads.rust.bodies import read_waiting

        return read_waiting(data)
    return decode_rows(data)


def parses(body: BodyFacts) -> bool:
    """Whether a body is free of syntax errors, as far as it is not told among the problems of its file."""
    if body.data.startswith(b"\xc1"):
        from inroads.rust.bodies import has_error

        return not has_error(body.data)
    return True


def is_waiting(body: BodyFacts) -> bool:
    """Whether the body is its text still: the words in it are the names that it may mention."""
    return body.data.startswith(b"\xc1")


def names_of(body: BodyFacts) -> frozenset[str]:
    """The names that a body may mention, in the spelling of `BodyFacts.names`."""
    if body.data.startswith(b"\xc1"):
        from inroads.rust.bodies import words

        return words(body.data)
    return frozenset(body.names)


def marks_of(body: BodyFacts) -> frozenset[str]:
    """The marks of a body; one that waits is read for that."""
    if body.data.startswith(b"\xc1"):
        from inroads.rust.bodies import read_marks

        return read_marks(body.data)
    return frozenset(body.marks)


def version_key() -> bytes:
    """What all that is kept depends on besides its own key: this program, the facts' shape, the grammar."""
    digest = blake2b(digest_size=16)
    # The version alone says little of a checkout.
    told = (__version__, FACTS_VERSION, msgspec.__version__, sys.version_info[:2], own_state())
    digest.update(" ".join(map(str, told)).encode())
    for name in ("tree_sitter", "tree_sitter_rust"):
        # The file tells the version without loading it.
        spec = find_spec(name)
        folder = os.path.dirname(spec.origin) if spec is not None and spec.origin is not None else ""
        for entry in sorted(os.listdir(folder)) if folder else ():
            if entry.endswith((".so", ".pyd", ".dylib")):
                status = os.stat(os.path.join(folder, entry))
                digest.update(f"{name} {status.st_size} {status.st_mtime_ns}".encode())
    return digest.digest()


class Pack:
    """A pack that stands on disk: an index, and blobs that are looked at when asked for."""

    __slots__ = ("data", "index", "path", "size", "start")

    def __init__(
        self, path: str, data: mmap.mmap, start: int, index: dict[str, tuple[int, int, int]]
    ) -> None:
        self.path = path
        self.data = data
        self.start = start
        self.index = index
        self.size = len(data)

    def blob(self, key: str) -> bytes | None:
        """The bytes of a key that is in the index; None if they are damaged."""
        offset, length, check = self.index[key]
        found = self.data[self.start + offset : self.start + offset + length]
        return found if len(found) == length and crc32(found) == check else None


class Store:
    """
    The memo of one folder; without a folder it keeps things for this run only.

    `warnings` tells what was wrong with the folder; nothing of it matters to
    an answer.
    """

    def __init__(self, folder: str | None, *, version: bytes | None = None, limit: int = LIMIT) -> None:
        self.folder = folder
        self.limit = limit
        self.warnings: list[str] = []
        self._version = version
        self._packs: list[Pack] | None = None
        self._where: dict[str, Pack] = {}
        self._new: dict[str, bytes] = {}
        self._used: dict[str, None] = {}
        self._bad: list[str] = []

    def get(self, key: str) -> bytes | None:
        """What was kept under a key, by this run or an earlier one."""
        known = self._new.get(key)
        if known is not None:
            return known
        self._open()
        pack = self._where.get(key)
        if pack is None:
            return None
        found = pack.blob(key)
        if found is None:
            self._damaged(pack.path)
            del self._where[key]
        else:
            self._used[key] = None
        return found

    def holds(self, key: str) -> bool:
        """Whether something is kept under a key; it may turn out to be damaged."""
        if key in self._new:
            return True
        self._open()
        if key in self._where:
            self._used[key] = None
            return True
        return False

    def put(self, key: str, data: bytes) -> None:
        """Keep something; it is written by `flush`."""
        self._new[key] = data

    def flush(self) -> None:
        """Write what is new as a pack, and many packs as one; what is damaged goes."""
        if self.folder is None or not self._new:
            # Nothing was missing: a damaged pack that stayed would be told of in each run to come.
            while self._bad:
                remove(self._bad.pop())
            return
        if not prepare(self.folder):
            self._warn(
                f"the cache {self.folder} is not used: it can't be written, is another user's, or tracked by git"
            )
            return
        self._open()
        packs = self._packs or []
        total = sum(pack.size for pack in packs) + sum(map(len, self._new.values()))
        entries = dict(self._new)
        old: list[str] = list(self._bad)
        merged = packs if self.limit < total else _to_merge(packs)
        if merged:
            # What was used comes first, then the newest; what no longer fits is left out.
            room = self.limit - sum(map(len, entries.values()))
            for key in (*self._used, *(key for pack in reversed(merged) for key in pack.index)):
                holder = self._where.get(key)
                blob = holder.blob(key) if holder in merged and key not in entries else None
                if blob is not None and 0 <= room - len(blob):
                    room -= len(blob)
                    entries[key] = blob
            old.extend(pack.path for pack in merged)
        data = _packed(entries, self.version)
        name = blake2b(data, digest_size=8).hexdigest()
        newest = max((int(os.path.basename(pack.path)[:8], 16) for pack in packs), default=0)
        path = os.path.join(self.folder, f"{newest + 1:08x}-{name}.pack")
        write_whole(path, data)
        if not os.path.exists(path):
            self._warn(f"the cache {self.folder} cannot be written")
            return
        for one in (*old, *self._left_behind(_LONG_AGO)):
            if one != path:
                remove(one)
        self._packs = None
        self._new = {}
        self._bad = []

    @property
    def version(self) -> bytes:
        """The version that all packs must have."""
        if self._version is None:
            self._version = version_key()
        return self._version

    def clear(self) -> None:
        """Delete all packs."""
        for path in (*self._paths(), *self._left_behind(0)):
            remove(path)
        self._packs = None
        self._where = {}

    def prune(self, limit: int) -> int:
        """Delete the oldest packs until the others take no more than `limit` bytes; how many were deleted."""
        self._open()
        packs = list(self._packs or [])
        total = sum(pack.size for pack in packs)
        gone = 0
        while packs and limit < total:
            oldest = packs.pop(0)
            total -= oldest.size
            remove(oldest.path)
            gone += 1
        self._packs = None
        self._where = {}
        return gone

    def info(self) -> tuple[int, int, int]:
        """How many packs there are, how many blobs in them, and how many bytes they take."""
        self._open()
        packs = self._packs or []
        return len(packs), len(self._where), sum(pack.size for pack in packs)

    def _paths(self) -> list[str]:
        if self.folder is None:
            return []
        try:
            names = sorted(name for name in os.listdir(self.folder) if name.endswith(".pack"))
        except OSError:
            return []
        return [os.path.join(self.folder, name) for name in names]

    def _left_behind(self, seconds: int) -> list[str]:
        """What runs that were killed have left half written, at least so many seconds ago."""
        latest = time.time() - seconds
        try:
            with os.scandir(self.folder or ".") as listing:
                parts = [entry for entry in listing if ".pack." in entry.name]
            return [entry.path for entry in parts if entry.stat().st_mtime <= latest]
        except OSError:
            # Another run may tidy up at the same time.
            return []

    def _open(self) -> None:
        if self._packs is not None:
            return
        self._packs = []
        self._where = {}
        if self.folder is None or not os.path.isdir(self.folder) or not prepare(self.folder):
            return
        for path in self._paths():
            pack = self._read(path)
            if pack is None:
                self._damaged(path)
                continue
            self._packs.append(pack)
            # A later pack hides an earlier one.
            self._where.update(dict.fromkeys(pack.index, pack))

    def _read(self, path: str) -> Pack | None:
        """Map a pack; None if it is not whole, or of another version."""
        try:
            with open(path, "rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):
            return None
        if len(data) < _FRONT.size:
            return None
        magic, version, length, check = _FRONT.unpack_from(data)
        if magic == _MAGIC and version != self.version:
            # Of this program as it was before: it goes, and nobody need know.
            self._bad.append(path)
            return None
        packed = data[_FRONT.size : _FRONT.size + length]
        if magic != _MAGIC or len(packed) != length or crc32(packed) != check:
            return None
        try:
            int(os.path.basename(path)[:8], 16)
            return Pack(path, data, _FRONT.size + length, _decode_index(packed))
        except (msgspec.MsgspecError, ValueError):
            return None

    def _damaged(self, path: str) -> None:
        if path not in self._bad:
            self._bad.append(path)
            self._warn(f"{path} is damaged; it is not used")

    def _warn(self, text: str) -> None:
        # A run keeps things several times.
        if text not in self.warnings:
            self.warnings.append(text)


def _to_merge(packs: list[Pack]) -> list[Pack]:
    """The newest packs, where there are many: older ones that are larger than these together stay as they are."""
    size = 0
    if len(packs) < MOST_PACKS:
        return []
    for at in reversed(range(len(packs))):
        if MOST_PACKS // 2 <= len(packs) - 1 - at and size < packs[at].size:
            return packs[at + 1 :]
        size += packs[at].size
    return packs


def _packed(entries: dict[str, bytes], version: bytes) -> bytes:
    index: dict[str, tuple[int, int, int]] = {}
    offset = 0
    for key, blob in entries.items():
        index[key] = (offset, len(blob), crc32(blob))
        offset += len(blob)
    packed = _encode(index)
    front = _FRONT.pack(_MAGIC, version, len(packed), crc32(packed))
    return b"".join((front, packed, *entries.values()))
