"""
What the parts of a check answered in an earlier run, and which of those answers still hold.

An answer stands on two things: the frame, which is everything that bodies can see of each other (the
skeletons of all files, the crates, the rules), and what was read for it (see `reads`). Where the frame is
as it was, an answer holds if no body that was read has changed or moved, nothing whose
place was taken has moved, and no changed body begins or ceases to mention a name that was looked up.
Where the frame has changed, nothing is taken over.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

import msgspec

from inroads.facts import BodyFacts, FileFacts, FunctionItem, Problem
from inroads.facts.codec import decode_facts
from inroads.lines import LineIndex
from inroads.reads import EVERY_NAME, Reads
from inroads.resolve.tables import Tables
from inroads.store import Store, names_of
from inroads.workspace import Workspace


class Kept(msgspec.Struct, frozen=True, array_like=True):
    """
    An answer with what it stands on.

    `bodies` and `files` are FunctionIds and SourceIds, `names` numbers of
    `Journal.names`, each 4 bytes in the order of this machine.
    """

    answer: bytes
    problems: tuple[Problem, ...]
    bodies: bytes
    names: bytes
    files: bytes


class Journal(msgspec.Struct, array_like=True):
    """
    The answers of one run.

    Args:
        frame: Digest of the frame that they stand on.
        files: Path -> content key of all files that were read.
        parts: By the part's key.
    """

    frame: bytes
    files: dict[str, str]
    names: tuple[str, ...]
    parts: dict[str, Kept]


_encode = msgspec.msgpack.Encoder().encode
_encode_sorted = msgspec.msgpack.Encoder(order="deterministic").encode
_decode = msgspec.msgpack.Decoder(Journal).decode


@dataclass(frozen=True, slots=True)
class Changes:
    """
    What differs from the run of a journal, where the frame is the same.

    Args:
        bodies: FunctionIds of bodies that changed or moved.
        files: SourceIds of files in which something may have moved.
        names: Names that some body has begun or ceased to mention.
    """

    bodies: frozenset[int] = frozenset()
    files: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()


@dataclass(slots=True)
class Memory:
    """
    The answers of earlier runs of one program.

    Args:
        key: Names the program and all that is asked of it, and what the program is in this run.
        past: Where the answers under the key go when they are replaced.
        near: Keys of other answers to the same, which may be nearer.
        keys: Path -> content key of the files as they are now.
    """

    store: Store
    key: str
    workspace: Workspace
    tables: Tables
    keys: Mapping[str, str]
    kept: dict[str, Kept] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    new: dict[str, tuple[bytes, Reads]] = field(default_factory=dict)
    frame: bytes = b""
    past: str | None = None
    near: tuple[str, ...] = ()

    def recall(self) -> None:
        """Look for answers that still hold."""
        self.frame = frame_of(self.workspace, self.tables)
        journals = [one for key in (self.key, *self.near) if (one := self._journal(key)) is not None]
        if not journals:
            return
        journal = min(
            journals, key=lambda one: sum(one.files[path] != key for path, key in self.keys.items())
        )
        changes = self._changes(journal)
        if changes is None:
            return
        self.names = journal.names
        numbers = {number for number, name in enumerate(journal.names) if name in changes.names}
        if changes.names and EVERY_NAME in journal.names:
            numbers.add(journal.names.index(EVERY_NAME))
        shifted = {self.tables.sources[one].path for one in changes.files}
        self.kept = {
            key: kept
            for key, kept in journal.parts.items()
            if changes.bodies.isdisjoint(_unpacked(kept.bodies))
            and changes.files.isdisjoint(_unpacked(kept.files))
            and numbers.isdisjoint(_unpacked(kept.names))
            and shifted.isdisjoint(problem.path for problem in kept.problems)
        }

    def _journal(self, key: str) -> Journal | None:
        """The answers under a key, if they stand on the same frame."""
        data = self.store.get(key)
        try:
            journal = None if data is None else _decode(data)
        except msgspec.DecodeError:
            return None
        if journal is None or journal.frame != self.frame or journal.files.keys() != self.keys.keys():
            return None
        return journal

    def learn(self, key: str, answer: bytes, reads: Reads) -> None:
        """Keep an answer for later runs."""
        self.new[key] = (answer, reads)

    def write(self, asked: Iterable[str]) -> None:
        """Put down the answers to what was asked in this run, where some are new."""
        if not self.new:
            return
        parts: dict[str, Kept] = {}
        numbers: dict[str, int] = {}
        for key in asked:
            if key in self.new:
                answer, reads = self.new[key]
                problems = tuple(sorted(reads.problems, key=_encode))
                names = sorted(reads.names)
                bodies, files = _packed(sorted(reads.bodies)), _packed(sorted(reads.files))
            elif key in self.kept:
                kept = self.kept[key]
                answer, problems, bodies, files = kept.answer, kept.problems, kept.bodies, kept.files
                names = [self.names[number] for number in _unpacked(kept.names)]
            else:
                continue
            own = [numbers.setdefault(name, len(numbers)) for name in names]
            parts[key] = Kept(answer, problems, bodies, _packed(own), files)
        journal = Journal(self.frame, dict(self.keys), tuple(numbers), parts)
        before = None if self.past is None else self.store.get(self.key)
        if self.past is not None and before is not None:
            self.store.put(self.past, before)
        self.store.put(self.key, _encode(journal))
        self.store.flush()

    def _changes(self, journal: Journal) -> Changes | None:
        """What differs from the files of a journal with the same frame; None where that can't be told."""
        sources = {one.path: id for id, one in enumerate(self.tables.sources) if one.parent is None}
        owners: dict[tuple[int, int], list[int]] = {}
        changed = [path for path, key in self.keys.items() if journal.files[path] != key]
        wanted = {sources[path] for path in changed if path in sources}
        for function in self.tables.functions:
            if function.source in wanted and function.item.body is not None:
                owners.setdefault((function.source, function.item.body), []).append(function.id)
        bodies: set[int] = set()
        files: set[int] = set()
        names: set[str] = set()
        for path in changed:
            before = self._facts(journal.files[path])
            source = sources.get(path)
            if before is None or source is None:
                return None
            now = self.tables.sources[source].facts
            if len(now.bodies) != len(before.bodies):
                return None
            for at, (old, new, has_moved) in enumerate(_pairs(before, now)):
                if has_moved:
                    files.add(source)
                if old.data == new.data and not has_moved:
                    continue
                bodies.update(owners.get((source, at), ()))
                if old.data != new.data:
                    if not isinstance(now.items[new.owner], FunctionItem):
                        # What an initialiser mentions decides whether it is a function at all.
                        return None
                    names |= names_of(old) ^ names_of(new)
        return Changes(frozenset(bodies), frozenset(files), frozenset(names))

    def _facts(self, key: str) -> FileFacts | None:
        data = self.store.get(f"facts:{key}")
        try:
            return None if data is None else decode_facts(data)
        except msgspec.DecodeError:
            return None


def frame_of(workspace: Workspace, tables: Tables) -> bytes:
    """A digest of everything that bodies can see of each other."""
    digest = blake2b(_encode_sorted(workspace), digest_size=16)
    digest.update(_encode_sorted(tables.externs))
    for source in tables.sources:
        if source.parent is None:
            digest.update(source.path.encode("utf-8", "surrogateescape") + b"\0")
            digest.update(source.facts.skeleton_digest)
    return digest.digest()


def digest_of(*values: object) -> str:
    """A digest of plain values, for keys."""
    return blake2b(_encode_sorted(values), digest_size=16).hexdigest()


def _pairs(before: FileFacts, now: FileFacts) -> Iterable[tuple[BodyFacts, BodyFacts, bool]]:
    """The bodies of two states of a file, and whether one begins or ends at another line and column."""
    old_lines, new_lines = LineIndex(before.line_starts, before.size), LineIndex(now.line_starts, now.size)
    for old, new in zip(before.bodies, now.bodies, strict=True):
        has_moved = any(
            old_lines.position(start) != new_lines.position(end)
            for start, end in ((old.start, new.start), (old.end, new.end))
        )
        yield old, new, has_moved


def _packed(numbers: Iterable[int]) -> bytes:
    return array("I", numbers).tobytes()


def _unpacked(data: bytes) -> array[int]:
    numbers = array("I")
    numbers.frombytes(data)
    return numbers
