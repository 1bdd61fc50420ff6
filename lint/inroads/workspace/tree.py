"""A tree of files: a directory, or a mapping in memory; git revisions are another (see changes.py)."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Mapping, MutableSequence
from hashlib import sha1
from typing import Protocol, runtime_checkable

from inroads.facts import Problem
from inroads.work import count
from inroads.workspace.ignore import Ignores, text_of

WANTED = (".rs", "Cargo.toml", "inroads.toml")
"""How the names end of the files that a tree lists."""

MAX_DEPTH = 100


class Tree(Protocol):
    """
    Files by path relative to the root, with `/`.

    `read` raises OSError for a file that is not there or cannot be read. `key`
    is equal for equal contents, and only then.
    """

    @property
    def root(self) -> str:
        """How the tree is shown."""

    def list(self) -> tuple[str, ...]:
        """The paths of Rust files and manifests, sorted."""

    def read(self, path: str) -> bytes:
        """The contents of a file."""

    def key(self, path: str) -> str:
        """A key of the contents."""

    def problems(self) -> tuple[Problem, ...]:
        """What could not be listed."""

    def links(self) -> tuple[tuple[str, str], ...]:
        """Folders that are links, each with the folder of this tree that it leads to, whose files are listed."""


@runtime_checkable
class Dated(Protocol):
    """A tree whose files can be told to be as they were, without reading them."""

    def state(self, path: str) -> tuple[int, ...] | None:
        """What stays the same as long as a file does; None where that can't be told."""


YOUNG = 100_000_000
"""Nanoseconds: of a file that changed so short a time ago a second change may leave the times as they are."""


def content_key(data: bytes) -> str:
    """
    A key of some bytes: the id that git gives a blob of them.

    So a file on the disk and the same file in a revision have one key, and
    the facts of a known blob are found without reading it.
    """
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


class MemoryTree:
    """A tree in memory."""

    def __init__(self, files: Mapping[str, bytes], root: str = ".") -> None:
        self._files = dict(files)
        self._root = root

    @property
    def root(self) -> str:
        """How the tree is shown."""
        return self._root

    def list(self) -> tuple[str, ...]:
        """All paths, sorted."""
        return tuple(sorted(path for path in self._files if path.endswith(WANTED)))

    def read(self, path: str) -> bytes:
        """The contents; FileNotFoundError if there are none."""
        try:
            return self._files[path]
        except KeyError:
            raise FileNotFoundError(path) from None

    def key(self, path: str) -> str:
        """A key of the contents."""
        return content_key(self.read(path))

    def problems(self) -> tuple[Problem, ...]:
        """Nothing can go wrong."""
        return ()

    def links(self) -> tuple[tuple[str, str], ...]:
        """There are none."""
        return ()


class DirectoryTree:
    """
    The files under a directory that git would not ignore.

    `.gitignore` files count at all levels, also above the root up to the top
    of the repository. `target/` beside a manifest and hidden directories are
    left out. A symbolic link is followed if it stays under the root, once.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = os.path.realpath(root)
        self._shown = os.fspath(root)
        self._paths: tuple[str, ...] | None = None
        self._directories: list[str] = []
        self._fresh: tuple[str, bytes] | None = None
        self._folders: dict[str, str] = {}
        self._problems: list[Problem] = []
        self._links: list[tuple[str, str]] = []

    @property
    def root(self) -> str:
        """The directory as it was given."""
        return self._shown

    def directories(self) -> tuple[str, ...]:
        """The directories that were walked, relative to the root ("" for itself), sorted."""
        self.list()
        return tuple(sorted(self._directories))

    def list(self) -> tuple[str, ...]:
        """The paths of Rust files and manifests, sorted; the disk is walked once."""
        if self._paths is None:
            self._paths = tuple(sorted(self._walk()))
        return self._paths

    def read(self, path: str) -> bytes:
        """The contents; OSError if it is no readable file under the root."""
        if self._fresh is not None and self._fresh[0] == path:
            data = self._fresh[1]
            self._fresh = None
            return data
        whole = os.path.join(self._root, path)
        if not self._inside(self._real(whole)):
            raise FileNotFoundError(path)
        with open(whole, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(f"{path} is no file")
            return file.read()

    def key(self, path: str) -> str:
        """A key of the contents; who reads the file next does not read it again from disk."""
        data = self.read(path)
        count("files hashed")
        self._fresh = (path, data)
        return content_key(data)

    def state(self, path: str) -> tuple[int, ...] | None:
        """
        The device, number, size and two times of a file; None for one that is too young to tell.

        The time of the last edit can be set back by anybody; that of the last change of the entry is
        the system's own. Where the system does not have it, nothing can be told.
        """
        if os.name == "nt":
            return None
        try:
            found = os.stat(os.path.join(self._root, path))
        except OSError:
            return None
        if time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < YOUNG:
            return None
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns

    def problems(self) -> tuple[Problem, ...]:
        """Directories and names that could not be read."""
        self.list()
        return tuple(sorted(self._problems, key=lambda problem: (problem.path, problem.message)))

    def links(self) -> tuple[tuple[str, str], ...]:
        """Linked folders that were listed where they stand, each with that place; sorted."""
        self.list()
        return tuple(sorted(self._links))

    def _real(self, whole: str) -> str:
        """Where a file is, links followed; what its folder is was asked before for most."""
        if os.path.islink(whole):
            return os.path.realpath(whole)
        folder, name = os.path.split(whole)
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = os.path.realpath(folder)
        return os.path.join(found, name)

    def _inside(self, real: str) -> bool:
        return real == self._root or real.startswith(self._root.rstrip(os.sep) + os.sep)

    def _walk(self) -> MutableSequence[str]:
        ignores = Ignores.above(self._root)
        found: list[str] = []
        seen: set[str] = set()
        # Real directories first, so that a link to one of them adds nothing.
        waiting: list[tuple[str, Ignores, int]] = [("", ignores, 0)]
        linked: list[tuple[str, Ignores, int]] = []
        while waiting or linked:
            if not waiting:
                linked.sort(key=lambda entry: entry[0])
                waiting = linked
                linked = []
            path, ignores, depth = waiting.pop()
            whole = os.path.join(self._root, path) if path else self._root
            try:
                real = os.path.realpath(whole)
            except OSError:
                # What was there a moment ago is gone.
                continue
            if real in seen and real not in (whole, self._root):
                self._links.append((path, os.path.relpath(real, self._root).replace(os.sep, "/")))
            if real in seen or not self._inside(real) or MAX_DEPTH < depth:
                continue
            seen.add(real)
            self._directories.append(path)
            try:
                with os.scandir(whole) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                self._problem(path, f"the directory cannot be read: {error.strerror}")
                continue
            names = {entry.name for entry in entries}
            if ".gitignore" in names:
                ignores = ignores.within(path, text_of(os.path.join(whole, ".gitignore")))
            for entry in entries:
                name = entry.name
                child = f"{path}/{name}" if path else name
                if entry.is_dir(follow_symlinks=False):
                    if name.startswith(".") or (name == "target" and _is_build_output(names, entry.path)):
                        continue
                    if not ignores.hides(child, directory=True):
                        waiting.append((child, ignores, depth + 1))
                elif name.endswith(WANTED) or entry.is_symlink():
                    self._file(entry, child, ignores, depth, found, linked)
        return found

    def _file(
        self,
        entry: os.DirEntry[str],
        child: str,
        ignores: Ignores,
        depth: int,
        found: MutableSequence[str],
        linked: MutableSequence[tuple[str, Ignores, int]],
    ) -> None:
        if entry.is_symlink():
            try:
                # A link may be gone by now, or lead to something that only the kernel knows.
                if not self._inside(os.path.realpath(entry.path)):
                    return
                if entry.is_dir():
                    if not entry.name.startswith(".") and not ignores.hides(child, directory=True):
                        linked.append((child, ignores, depth + 1))
                    return
            except OSError:
                return
        if not entry.name.endswith(WANTED) or ignores.hides(child, directory=False):
            return
        try:
            child.encode("utf-8")
        except UnicodeEncodeError:
            shown = child.encode("utf-8", "replace").decode()
            self._problem(shown, "the file's name is not UTF-8; not read")
            return
        if entry.is_file():
            found.append(child)

    def _problem(self, path: str, message: str) -> None:
        self._problems.append(Problem(kind="unreadable", path=path or ".", line=1, column=1, message=message))


def _is_build_output(siblings: set[str], path: str) -> bool:
    return "Cargo.toml" in siblings or os.path.exists(os.path.join(path, "CACHEDIR.TAG"))
