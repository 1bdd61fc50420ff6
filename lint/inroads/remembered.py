"""
What the parts of a check answered in an earlier run, and which of those answers still hold.

An answer stands on two things: the skeletons of all files, and what was read for it (see `reads`). It holds
where no edit since (see `edits`) touched a body that was read or a name that was looked up, and
where it names no file in which anything has moved. Edits that reach further take all answers with them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from hashlib import blake2b

import msgspec

from inroads.edits import edits_between, owners_of
from inroads.facts import FileFacts, Problem
from inroads.intake import kept_facts
from inroads.lines import LineIndex
from inroads.lone import Edits
from inroads.mentioned import Mentions
from inroads.noted import Noted, packed, unpacked
from inroads.reads import ANY, MACRO, Reads
from inroads.resolve.tables import Tables
from inroads.store import Store
from inroads.workspace import Workspace


class Kept(msgspec.Struct, frozen=True, array_like=True):
    """
    An answer with what it stands on.

    `bodies` are FunctionIds, `names` numbers of `Journal.names`, each 4 bytes in the order of this machine;
    `glances` a FunctionId and a number, one pair after the other.
    """

    answer: bytes
    problems: tuple[Problem, ...]
    bodies: bytes
    names: bytes
    glances: bytes


class Journal(msgspec.Struct, array_like=True):
    """
    The answers of one run.

    Args:
        frame: Digest of what they stand on beside files: the crates, and what build scripts set.
        files: Path -> content key of all files that were read.
        owners: See `edits.owners_of`.
        parts: By the part's key.
        noted: Who mentions the names that parts looked up, but for those that look for lost errors.
    """

    frame: bytes
    files: dict[str, str]
    owners: bytes
    names: tuple[str, ...]
    parts: dict[str, Kept]
    noted: Noted


_encode = msgspec.msgpack.Encoder().encode
_encode_sorted = msgspec.msgpack.Encoder(order="deterministic").encode
_decode = msgspec.msgpack.Decoder(Journal).decode


class Memory(msgspec.Struct):
    """
    The answers of earlier runs of one program.

    Args:
        key: Names the program and all that is asked of it, and what the program is in this run.
        past: Where the answers under the key go when they are replaced.
        near: Keys of other answers to the same, which may be nearer.
        keys: Path -> content key of the files as they are now.
        asked: The keys of all parts of this run, in order.
    """

    store: Store
    key: str
    workspace: Workspace
    tables: Tables
    mentioned: Mentions
    keys: Mapping[str, str]
    kept: dict[str, Kept] = msgspec.field(default_factory=dict)
    names: tuple[str, ...] = ()
    new: dict[str, tuple[bytes, Reads]] = msgspec.field(default_factory=dict)
    frame: bytes = b""
    past: str | None = None
    near: tuple[str, ...] = ()
    asked: dict[str, None] = msgspec.field(default_factory=dict)

    def read(self) -> None:
        """Look for answers that still hold."""
        self.frame = frame_of(self.workspace, self.tables)
        journals = [one for key in (self.key, *self.near) if (one := self._journal(key)) is not None]
        if not journals:
            return
        journal = min(
            journals, key=lambda one: sum(one.files[path] != key for path, key in self.keys.items())
        )
        before = self._before(journal)
        edits = None if before is None else edits_between(journal.owners, before, self.tables)
        if before is None or edits is None:
            return
        self.names = journal.names
        self.mentioned.take_over(journal.noted.after(edits.rewritten, edits.names, edits.ids))
        touched = _Touched(edits, journal.names)
        moved = [self._name_if_moved(path, facts) for path, facts in before.items()]
        places = [name for name in moved if name is not None]
        for key, kept in journal.parts.items():
            if (
                not touched.has(kept)
                and not any(place in kept.answer for place in places)
                and not any(place in problem.path.encode() for problem in kept.problems for place in places)
            ):
                self.kept[key] = kept if edits.ids is None else _renumbered(kept, edits.ids)

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

    def recall(self, key: str) -> Kept | None:
        """The answer of an earlier run that still holds; None where there is none."""
        self.asked[key] = None
        return self.kept.get(key)

    def learn(self, key: str, answer: bytes, reads: Reads) -> None:
        """Keep an answer for later runs."""
        self.new[key] = (answer, reads)

    def write(self) -> None:
        """Put down the answers to what was asked in this run, where some are new."""
        if not self.new:
            return
        parts: dict[str, Kept] = {}
        numbers: dict[str, int] = {}
        for key in self.asked:
            if key in self.new:
                answer, reads = self.new[key]
                problems = tuple(sorted(reads.problems, key=_encode))
                looked = sorted(reads.names)
                bodies = packed(sorted(reads.bodies))
                looks = sorted(reads.glances)
            elif key in self.kept:
                kept = self.kept[key]
                answer, problems, bodies = kept.answer, kept.problems, kept.bodies
                looked = [self.names[number] for number in unpacked(kept.names)]
                looks = [
                    (function, self.names[number]) for function, number in _pairs(unpacked(kept.glances))
                ]
            else:
                continue
            own = [numbers.setdefault(name, len(numbers)) for name in looked]
            glances = [
                one for function, name in looks for one in (function, numbers.setdefault(name, len(numbers)))
            ]
            parts[key] = Kept(answer, problems, bodies, packed(own), packed(glances))
        asked = {
            number
            for key, kept in parts.items()
            if not key.startswith("swallow")
            for number in unpacked(kept.names)
        }
        names = tuple(numbers)
        noted = self.mentioned.asked(names[one] for one in sorted(asked))
        journal = Journal(self.frame, dict(self.keys), owners_of(self.tables), names, parts, noted)
        before = None if self.past is None else self.store.get(self.key)
        if self.past is not None and before is not None:
            self.store.put(self.past, before)
        self.store.put(self.key, _encode(journal))
        self.store.flush()

    def _before(self, journal: Journal) -> dict[str, FileFacts] | None:
        """The earlier facts of the files that are not as they were; None where those of one are lost."""
        before: dict[str, FileFacts] = {}
        for path, key in self.keys.items():
            if journal.files[path] != key:
                facts = kept_facts(self.store, journal.files[path])
                if facts is None:
                    return None
                before[path] = facts
        return before

    def _name_if_moved(self, path: str, before: FileFacts) -> bytes | None:
        """The last name of a file if anything in it stands at another line or column, or is not as it was."""
        now = self.tables.sources[self.tables.file_sources[path]].facts
        # What stands behind all else that was there has moved nothing.
        pairs = zip(_places(before), _places(now), strict=True)
        if all(old[: len(new)] == new[: len(old)] for old, new in pairs):
            return None
        return path.rpartition("/")[2].encode("utf-8", "surrogateescape")


def frame_of(workspace: Workspace, tables: Tables) -> bytes:
    """A digest of everything that an answer stands on beside files."""
    digest = blake2b(_encode_sorted(workspace), digest_size=16)
    digest.update(_encode_sorted(tables.externs))
    # A build script can take a function out of its crate, and in no file is there an edit of it.
    digest.update(_encode_sorted(tables.switches))
    return digest.digest()


def digest_of(*values: object) -> str:
    """A digest of plain values, for keys."""
    return blake2b(_encode_sorted(values), digest_size=16).hexdigest()


def _places(facts: FileFacts) -> tuple[list[tuple[int, int]], ...]:
    """The lines and columns at which the items of a file begin and end, and those at which bodies do."""
    lines = LineIndex(facts.line_starts, facts.size)
    items = [offset for one in facts.items for offset in (one.head.name_at, one.head.end)]
    bodies = [offset for one in facts.bodies for offset in (one.start, one.end)]
    return [lines.position(one) for one in items], [lines.position(one) for one in bodies]


def _matching(known: tuple[str, ...], names: set[str]) -> set[int]:
    """Numbers of the names that are among these, and of the patterns that one of these fits."""
    found: set[int] = set()
    for number, name in enumerate(known):
        if name in names or ("*" in name and any(fnmatchcase(one, name) for one in names)):
            found.add(number)
    return found


class _Touched:
    """
    What of an earlier run edits have touched.

    Args:
        known: `Journal.names`.
    """

    def __init__(self, edits: Edits, known: tuple[str, ...]) -> None:
        self._known = known
        self._names = _matching(known, edits.names)
        self._changed: set[int] = edits.bodies
        self._texts: Mapping[int, frozenset[str]] = edits.texts
        if edits.ids is not None:
            pairs = tuple(enumerate(edits.ids))
            self._changed = {then for then, now in pairs if now is None or now in edits.bodies}
            self._texts = {then: edits.texts[now] for then, now in pairs if now in edits.texts}
        self._lost = self._changed.union(self._texts)

    def has(self, kept: Kept) -> bool:
        """Whether an answer may be another one now."""
        return (
            not self._lost.isdisjoint(unpacked(kept.bodies))
            or not self._names.isdisjoint(unpacked(kept.names))
            or self._is_glanced_at(unpacked(kept.glances))
        )

    def _is_glanced_at(self, glances: array[int]) -> bool:
        return not self._lost.isdisjoint(glances[::2]) and any(
            function in self._lost and self._is_seen(function, self._known[number])
            for function, number in _pairs(glances)
        )

    def _is_seen(self, function: int, name: str) -> bool:
        """Whether a glance at a function that is not as it was may see it."""
        if function in self._changed:
            return True
        mentioned = self._texts[function]
        if name == ANY:
            return bool(mentioned)
        if name == MACRO:
            return any(one.endswith("!") for one in mentioned)
        return name in mentioned


def _renumbered(kept: Kept, ids: Sequence[int | None]) -> Kept:
    """The same, of the functions of now."""
    bodies = packed(now for then in unpacked(kept.bodies) if (now := ids[then]) is not None)
    glances = (
        one
        for then, number in _pairs(unpacked(kept.glances))
        if (now := ids[then]) is not None
        for one in (now, number)
    )
    return msgspec.structs.replace(kept, bodies=bodies, glances=packed(glances))


def _pairs(numbers: array[int]) -> Iterable[tuple[int, int]]:
    return zip(numbers[::2], numbers[1::2], strict=True)
