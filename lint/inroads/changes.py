"""
Git revisions, the index and the working tree, each as a Tree.

Nothing is ever checked out: texts are read from git's objects, through one
`git cat-file --batch` process a tree. Submodules that are checked out are read
from their own objects, at the commit that the superproject records.
"""

from __future__ import annotations

import os
import posixpath
import subprocess
import threading
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from inroads.errors import RevisionError, UsageError
from inroads.facts import Problem
from inroads.workspace.tree import WANTED, content_key

GIT_LINK = "160000"
SYMBOLIC_LINK = "120000"
SHA1_DIGITS = 40


class Repository(msgspec.Struct, frozen=True):
    """
    The git repository around a folder.

    Args:
        top: The top of its working tree.
        prefix: The folder inside it, with a `/` at the end; "" for the top itself.
    """

    top: Path
    prefix: str

    @classmethod
    def around(cls, folder: Path) -> Repository:
        """The repository that `folder` lies in; a UsageError where there is none, or git is missing."""
        try:
            top = _git(folder, "rev-parse", "--show-toplevel")
            prefix = _git(folder, "rev-parse", "--show-prefix")
        except FileNotFoundError as error:
            raise UsageError("git was not found: comparing with a revision needs it on the PATH") from error
        except subprocess.CalledProcessError as error:
            reason = _first_line(error.stderr)
            raise UsageError(f"{folder} is not in a git working tree ({reason})") from error
        return cls(Path(top.removesuffix("\n")), prefix.removesuffix("\n"))

    def commit(self, revision: str) -> str:
        """
        The commit id that `revision` names.

        Raises:
            RevisionError: with the command that would fetch what is missing.
        """
        if revision.startswith("-"):
            raise RevisionError(f'"{revision}" is no revision')
        try:
            return _git(self.top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()
        except subprocess.CalledProcessError as error:
            raise RevisionError(self._missing(revision)) from error

    def merge_base(self, branch: str) -> str:
        """The commit where the current head left `branch`; RevisionError where history is cut off before it."""
        other = self.commit(branch)
        try:
            return _git(self.top, "merge-base", other, "HEAD").strip()
        except subprocess.CalledProcessError as error:
            if self.is_shallow():
                raise RevisionError(
                    f'this clone is shallow and does not reach back to where it left "{branch}"; '
                    "fetch the history: git fetch --unshallow"
                ) from error
            raise RevisionError(f'"{branch}" and the current head have no commit in common') from error

    def is_shallow(self) -> bool:
        """Whether history was cut off when this clone was made."""
        return _git(self.top, "rev-parse", "--is-shallow-repository").strip() == "true"

    def _missing(self, revision: str) -> str:
        if not _git(self.top, "rev-list", "--max-count=1", "--all").strip():
            return f'revision "{revision}" does not exist: there is no commit in this repository yet'
        name = revision.removeprefix("origin/")
        # A relative revision (HEAD~3) is not a thing that a remote can be asked for.
        relative = any(sign in revision for sign in "~^@{")
        if self.is_shallow():
            command = "git fetch --unshallow" if relative else f"git fetch --depth=1 origin {name}"
            return f'revision "{revision}" is not in this shallow clone; fetch it: {command}'
        if relative:
            return f'revision "{revision}" does not exist here'
        return f'revision "{revision}" does not exist here; if a remote has it: git fetch origin {name}'


class ObjectTree(msgspec.Struct):
    """
    Files that git keeps as objects: of a revision, or of the index.

    `blobs` maps a path below the workspace root to (repository, blob id).
    """

    root: str
    blobs: Mapping[str, tuple[Path, str]]
    _readers: dict[Path, _ObjectReader] = msgspec.field(default_factory=dict)

    def list(self) -> tuple[str, ...]:
        """The paths of Rust files and manifests, sorted."""
        return tuple(sorted(path for path in self.blobs if path.endswith(WANTED)))

    def key(self, path: str) -> str:
        """The content key: git's own id of the blob."""
        blob = self.blobs[path][1]
        # A repository whose ids are SHA-256 has other ids than ours.
        return blob if len(blob) == SHA1_DIGITS else content_key(self.read(path))

    def problems(self) -> tuple[Problem, ...]:
        """Nothing is walked, so nothing can go wrong."""
        return ()

    def links(self) -> tuple[tuple[str, str], ...]:
        """Git keeps links as texts; none is followed."""
        return ()

    def read(self, path: str) -> bytes:
        """The bytes of a file; OSError for a path that is not listed or an object that git lacks."""
        if path not in self.blobs:
            raise FileNotFoundError(path)
        where, blob = self.blobs[path]
        reader = self._readers.get(where)
        if reader is None:
            reader = self._readers[where] = _ObjectReader(where)
        return reader.read(blob)

    def close(self) -> None:
        """End the reading processes."""
        for reader in self._readers.values():
            reader.close()
        self._readers.clear()


class ObjectPath(msgspec.Struct, frozen=True):
    """A file or folder of an ObjectTree, to be read like a path on the disk; "" is the root."""

    tree: ObjectTree
    path: str = ""

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    def __truediv__(self, name: str) -> ObjectPath:
        return ObjectPath(self.tree, posixpath.normpath(posixpath.join(self.path, name)))

    def is_file(self) -> bool:
        """Whether it is a file."""
        return self.path in self.tree.blobs

    def is_dir(self) -> bool:
        """Whether anything lies below it."""
        return any(path.startswith(self._inside) for path in self.tree.blobs)

    def glob(self, pattern: str) -> tuple[ObjectPath, ...]:
        """The files directly inside whose name matches, sorted."""
        inside = [path for path in self.tree.blobs if path.startswith(self._inside)]
        names = sorted(path.removeprefix(self._inside) for path in inside)
        return tuple(self / name for name in names if "/" not in name and fnmatchcase(name, pattern))

    def read_text(self, encoding: str) -> str:
        """The text; OSError where there is no such file."""
        return self.tree.read(self.path).decode(encoding)

    @property
    def _inside(self) -> str:
        return f"{self.path}/" if self.path else ""


def revision_tree(repository: Repository, revision: str) -> ObjectTree:
    """The files of a revision, below the repository's prefix; RevisionError where it does not exist."""
    blobs: dict[str, tuple[Path, str]] = {}
    _list_commit(repository.top, repository.commit(revision), "", repository.prefix, blobs)
    return ObjectTree(str(repository.top / repository.prefix), blobs)


def index_tree(repository: Repository) -> ObjectTree:
    """The files as staged: what a commit made now would hold. Of a conflict, our side."""
    blobs: dict[str, tuple[Path, str]] = {}
    links: list[tuple[str, str]] = []
    for record in _records(repository.top, "ls-files", "--stage", "-z", "--full-name", own_index=True):
        meta, path = record.split("\t", 1)
        mode, blob, stage = meta.split(" ")
        if stage not in ("0", "2"):
            continue
        if mode == GIT_LINK:
            links.append((path, blob))
        elif mode != SYMBOLIC_LINK and path.startswith(repository.prefix):
            blobs[path.removeprefix(repository.prefix)] = (repository.top, blob)
    for path, commit in links:
        _list_submodule(repository.top, path, commit, "", repository.prefix, blobs)
    return ObjectTree(str(repository.top / repository.prefix), blobs)


class WorkingTree(msgspec.Struct):
    """
    The files of the working tree that git tracks, or would if added: tracked
    and untracked ones, without those that are ignored; submodules too.
    """

    folder: Path
    paths: tuple[str, ...]
    _keys: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def root(self) -> str:
        """How the tree is shown."""
        return str(self.folder)

    def list(self) -> tuple[str, ...]:
        """The paths of Rust files and manifests, sorted."""
        return tuple(path for path in self.paths if path.endswith(WANTED))

    def problems(self) -> tuple[Problem, ...]:
        """What git can't list it does not tell."""
        return ()

    def links(self) -> tuple[tuple[str, str], ...]:
        """Git keeps links as texts; none is followed."""
        return ()

    def read(self, path: str) -> bytes:
        """The bytes of a file; OSError as the system says."""
        return (self.folder / path).read_bytes()

    def key(self, path: str) -> str:
        """The content key of the bytes as they are now."""
        known = self._keys.get(path)
        if known is None:
            known = self._keys[path] = content_key(self.read(path))
        return known


def working_tree(repository: Repository) -> WorkingTree:
    """The working tree below the repository's prefix, as it is now on the disk."""
    root = repository.top / repository.prefix
    found: set[str] = set()
    _list_working(root, "", found)
    return WorkingTree(root, tuple(sorted(found)))


def _list_working(folder: Path, lead: str, found: set[str]) -> None:
    """Add the files of one repository; those of submodules by asking git there. Nesting of submodules ends it."""
    for flags in (("--cached",), ("--others", "--exclude-standard")):
        for path in _records(folder, "ls-files", "-z", *flags):
            place = folder / path
            if place.is_symlink():
                continue
            if place.is_dir():
                if (place / ".git").exists():
                    _list_working(place, f"{lead}{path.rstrip('/')}/", found)
            elif place.exists():
                found.add(lead + path)


def _list_commit(
    where: Path, commit: str, lead: str, prefix: str, blobs: dict[str, tuple[Path, str]]
) -> None:
    """Add the blobs of a commit whose path, with `lead` before it, lies below `prefix`."""
    for record in _records(where, "ls-tree", "-r", "-z", "--full-tree", commit):
        meta, path = record.split("\t", 1)
        mode, _, blob = meta.split(" ")
        if mode == GIT_LINK:
            _list_submodule(where, path, blob, lead, prefix, blobs)
        elif mode != SYMBOLIC_LINK and (lead + path).startswith(prefix):
            blobs[(lead + path).removeprefix(prefix)] = (where, blob)


def _list_submodule(
    where: Path, path: str, commit: str, lead: str, prefix: str, blobs: dict[str, tuple[Path, str]]
) -> None:
    """Add a submodule's files, if it is checked out here and has the commit; else it is not part of the program."""
    folder = where / path
    inside = f"{lead}{path}/"
    if not (folder / ".git").exists() or not (inside.startswith(prefix) or prefix.startswith(inside)):
        return
    try:
        _git(folder, "cat-file", "-e", f"{commit}^{{commit}}")
    except subprocess.CalledProcessError:
        return
    _list_commit(folder, commit, inside, prefix, blobs)


class _ObjectReader:
    """One `git cat-file --batch` process, asked for one object at a time."""

    def __init__(self, where: Path) -> None:
        self._process = subprocess.Popen(
            ("git", "-C", str(where), "cat-file", "--batch"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._lock = threading.Lock()

    def read(self, blob: str) -> bytes:
        """The bytes of a blob; OSError where git does not have it (a partial clone that is offline)."""
        with self._lock:
            asked, answer = self._process.stdin, self._process.stdout
            assert asked is not None and answer is not None
            asked.write(f"{blob}\n".encode())
            asked.flush()
            head = answer.readline().split()
            if len(head) != 3:
                raise OSError(f"git has no object {blob}")
            data = answer.read(int(head[2]))
            answer.read(1)
            return data

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()


def _records(where: Path, *arguments: str, own_index: bool = False) -> list[str]:
    """The NUL-separated records that a git command prints; names that are not UTF-8 keep their bytes as surrogates."""
    return [record for record in _git(where, *arguments, own_index=own_index).split("\0") if record]


def _git(where: Path, *arguments: str, own_index: bool = False) -> str:
    """
    What git prints; CalledProcessError where it fails.

    Args:
        own_index: Whether the index that a hook was given holds: a partial commit (`git commit FILE`) has its own.
    """
    environment = _environment()
    index = os.environ.get("GIT_INDEX_FILE")
    if own_index and index is not None:
        # Git gives it relative to the top of the working tree, where hooks start.
        environment["GIT_INDEX_FILE"] = str(where / index)
    done = subprocess.run(
        ("git", "-C", str(where), *arguments), capture_output=True, check=True, env=environment
    )
    return os.fsdecode(done.stdout)


def _environment() -> dict[str, str]:
    """The environment for git, without what a hook's git has set: the folder itself tells the repository."""
    dropped = ("GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    # New objects of a commit that a server has not yet accepted lie in a folder of their own.
    for name in ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"):
        if "GIT_QUARANTINE_PATH" in os.environ and name in os.environ:
            kept[name] = os.environ[name]
    kept["GIT_OPTIONAL_LOCKS"] = "0"
    kept["LC_ALL"] = "C"
    return kept


def _first_line(text: bytes) -> str:
    lines = text.decode(errors="replace").splitlines()
    return lines[0] if lines else "git said nothing"
