"""The files of a tree to their facts: read, extracted in processes, in the order of their paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from inroads.errors import InroadsError
from inroads.facts import FileFacts, Problem
from inroads.pool import map_in_order
from inroads.store import Store, decode_facts
from inroads.work import count
from inroads.workspace import Dated, Tree

if TYPE_CHECKING:
    from concurrent.futures import Executor


class Intake(msgspec.Struct, frozen=True):
    """
    What is known of the files of a tree.

    Args:
        files: Path -> facts.
        keys: Path -> content key.
        problems: Of the files that can't be read.
    """

    files: Mapping[str, FileFacts]
    keys: dict[str, str]
    problems: tuple[Problem, ...]


Progress: TypeAlias = Callable[[int, int], None]


def read_files(
    tree: Tree,
    paths: Sequence[str],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    memo: MutableMapping[str, FileFacts] | None = None,
    store: Store | None = None,
    progress: Progress = lambda done, total: None,
    outlines: bool = False,
) -> Intake:
    """
    The facts of each file that can be read, and a problem for each that can't.

    Args:
        memo:
            Facts by content key, of another revision for instance: equal files
            are one FileFacts object, and a known blob is not read. What is new is added.
        store: What earlier runs kept; what is new is kept there.
        outlines:
            Whether bodies that wait need no parsing: an error in one is not among the problems, and
            whoever reads the body has to look (`store.parses`). All else is the same.
        progress: Hears how many files are read, of all.
    """
    known: MutableMapping[str, FileFacts] = {} if memo is None else memo
    keys: dict[str, str] = {}
    texts: dict[str, bytes] = {}
    problems: list[Problem] = []
    unread = Unread(tree, store)
    for path in paths:
        try:
            as_it_was = unread.key(path)
            key = as_it_was or tree.key(path)
            if key not in known and key not in texts:
                if not _is_kept(store, key, known, outlines):
                    if as_it_was is not None:
                        # The key must be that of the bytes that are read now.
                        key = tree.key(path)
                    texts[key] = tree.read(path)
            unread.learn(path, key)
            keys[path] = key
        except OSError as error:
            message = error.strerror or str(error)
            problems.append(Problem(kind="unreadable", path=path, line=1, column=1, message=message))
    if texts:
        # Tree-sitter is loaded only where something is extracted.
        from inroads.rust.extract import extract_encoded, extract_outline, load_outline

        if outlines:
            # Here, and not in each process.
            load_outline()
        before = len(paths) - len(texts)
        count("files extracted", len(texts))
        encoded = map_in_order(
            extract_outline if outlines else extract_encoded,
            tuple(texts.values()),
            jobs=jobs,
            size=len,
            executor=executor,
            told=lambda done: progress(before + done, len(paths)),
        )
        if outlines:
            _learn_outlines(texts, encoded, known, store)
        else:
            for key, data in zip(texts, encoded, strict=True):
                known[key] = decode_facts(data)
                if store is not None:
                    store.put(f"facts:{key}", data)
    unread.keep()
    if texts and store is not None:
        store.flush()
    return Intake(Facts(tree, keys, known, store), keys, tuple(problems))


def _learn_outlines(
    texts: Mapping[str, bytes],
    encoded: Sequence[bytes],
    known: MutableMapping[str, FileFacts],
    store: Store | None,
) -> None:
    from inroads.rust.late import facts_of, packed

    for (key, text), data in zip(texts.items(), encoded, strict=True):
        known[key] = facts_of(key, text, data)
        if store is not None:
            store.put(f"outline:{key}", packed(text, data))


class Facts(Mapping[str, FileFacts]):
    """Path -> the facts of a file; what an earlier run kept is decoded when it is asked for."""

    def __init__(
        self,
        tree: Tree,
        keys: Mapping[str, str],
        known: MutableMapping[str, FileFacts],
        store: Store | None,
    ) -> None:
        self._tree = tree
        self._keys = keys
        self._known = known
        self._store = store

    def __getitem__(self, path: str) -> FileFacts:
        key = self._keys[path]
        found = self._known.get(key)
        if found is None:
            found = kept_facts(self._store, key) or self._read(path, key)
            self._known[key] = found
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, path: object) -> bool:
        return path in self._keys

    def _read(self, path: str, key: str) -> FileFacts:
        """The facts of a file for which what was kept is damaged."""
        from inroads.rust.extract import extract_encoded

        try:
            data = self._tree.read(path)
            if self._tree.key(path) != key:
                raise InroadsError(f"{path} was changed while it was read; run the command again")
        except OSError as error:
            raise InroadsError(f"{path}: {error.strerror or error}") from error
        return decode_facts(extract_encoded(data))


class Unread:
    """
    The content keys of files that are as they were when they were last read.

    They only save reading: a file whose state is not known, or is another, is read.
    """

    def __init__(self, tree: Tree, store: Store | None) -> None:
        self._tree = tree if isinstance(tree, Dated) and store is not None else None
        self._store = store
        self._known: dict[str, tuple[tuple[int, ...], str]] = {}
        self._now: dict[str, tuple[tuple[int, ...], str]] = {}
        self._states: dict[str, tuple[int, ...]] = {}
        data = store.get(_STATES) if store is not None and self._tree is not None else None
        if data is not None:
            try:
                self._known = _decode_states(data)
            except msgspec.DecodeError:
                self._known = {}

    def key(self, path: str) -> str | None:
        """The key of a file that is as it was; None for one that has to be read."""
        state = None if self._tree is None else self._tree.state(path)
        if state is None:
            return None
        self._states[path] = state
        known = self._known.get(path)
        return known[1] if known is not None and known[0] == state else None

    def learn(self, path: str, key: str) -> None:
        """The key of a file, found after its state was taken."""
        state = self._states.get(path)
        if state is not None:
            self._now[path] = (state, key)

    def keep(self) -> None:
        """Keep what is new for later runs; it is written with what else is."""
        if self._store is not None and self._now != self._known:
            self._store.put(_STATES, _encode_states(self._now))


_STATES = "states"
_encode_states = msgspec.msgpack.Encoder().encode
_decode_states = msgspec.msgpack.Decoder(dict[str, tuple[tuple[int, ...], str]]).decode


def _is_kept(store: Store | None, key: str, known: MutableMapping[str, FileFacts], outlines: bool) -> bool:
    """Whether an earlier run kept the facts of a file; an outline is decoded, since its problems decide."""
    if store is None:
        return False
    if not outlines:
        return store.holds(f"facts:{key}")
    whole = kept_facts(store, key)
    # Of a file with errors an outline may know other ones, and a run must not depend on those before it.
    if whole is None or whole.problems:
        outline = _kept_outline(store, key)
        if outline is None:
            return False
        known[key] = outline
    else:
        known[key] = whole
    return True


def kept_facts(store: Store | None, key: str) -> FileFacts | None:
    """The facts of a content that an earlier run kept; None if there are none that can be read."""
    data = None if store is None else store.get(f"facts:{key}")
    try:
        return None if data is None else decode_facts(data)
    except msgspec.DecodeError:
        return None


def _kept_outline(store: Store, key: str) -> FileFacts | None:
    """The same of an outline."""
    data = store.get(f"outline:{key}")
    if data is None:
        return None
    # Tree-sitter is loaded only where an outline is known.
    from inroads.rust.late import unpacked

    try:
        return unpacked(key, data)
    except msgspec.DecodeError:
        return None
