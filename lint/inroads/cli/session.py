"""What the commands that read a program share: from paths and flags to a loaded program."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from msgspec.structs import replace

from inroads.cachefolder import folder_for
from inroads.check import Loaded, Options, Progress, load, no_progress
from inroads.cli.gate import Gate, base_revision
from inroads.cli.options import CLUSTER
from inroads.cli.place import Place, find_place
from inroads.cli.replay import state_of
from inroads.errors import UsageError
from inroads.facts import FileFacts, Problem
from inroads.ledger import FILE as LEDGER, Ledger, read as read_ledger
from inroads.pool import default_jobs
from inroads.resolve.foreign import Extern
from inroads.settings import FILES, Settings, TextPath, read_settings
from inroads.store import Store
from inroads.workspace import DirectoryTree, MemoryTree, Tree

if TYPE_CHECKING:
    from concurrent.futures import Executor

STDIN = "stdin.rs"


class Session(msgspec.Struct, frozen=True):
    """
    Where the program is, and what is settled for it.

    `tree` is walked once; `disk` are the folders that were walked for it, None where it is not on disk.
    `texts` is where settings and packs are read from. `base` is what the program is compared with:
    None for nothing; the first commit of all is compared with an empty tree.
    """

    place: Place
    settings: Settings
    tree: Tree
    disk: NarrowTree | DirectoryTree | None
    texts: TextPath
    base: Tree | None = None
    store: Store | None = None

    @property
    def root(self) -> Path:
        """The folder that all paths of the report are relative to."""
        return self.place.root

    @property
    def ledger_name(self) -> str:
        """The file of reviewed call sites, relative to the root."""
        return self.settings.ledger or LEDGER

    def ledger(self) -> Ledger | None:
        """
        The reviewed call sites; None where nobody keeps them.

        Raises:
            SettingsError: With every mistake of the file.
            UsageError: The settings name a file that is not there.
        """
        path = self.texts / self.ledger_name
        if not path.is_file():
            if self.settings.ledger:
                raise UsageError(
                    f"{self.ledger_name}: there is no such file; write it with `inroads audit TARGET --review`"
                )
            return None
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{self.ledger_name}: can't be read: {error}") from error
        return read_ledger(text, self.ledger_name)

    def state(self, packs: tuple[str, ...]) -> list[str] | None:
        """
        The state on disk of all that a run reads; to be taken before it reads. None where it can't be told.

        Args:
            packs: Rule packs, files or folders, that were given by flags.
        """
        if self.disk is None:
            return None
        root = str(self.root)
        folders = [os.path.join(root, one) for one in self.disk.directories() if one]
        files = [os.path.join(root, one) for one in self.disk.list()]
        files += [os.path.join(one, ".gitignore") for one in (root, *folders)]
        above = [str(one) for one in self.root.parents]
        files += [os.path.join(one, name) for one in above for name in (".gitignore", ".git", "Cargo.toml")]
        files += [os.path.join(root, name) for name in (*FILES, "Cargo.toml", ".git/info/exclude")]
        files += [os.path.join(root, one) for one in (self.settings.baseline, self.ledger_name) if one]
        for pack in (*(os.path.join(root, one) for one in self.settings.packs), *packs):
            whole = os.path.abspath(pack)
            if os.path.isdir(whole):
                folders.append(whole)
                files += [os.path.join(whole, name) for name in sorted(os.listdir(whole))]
            else:
                files.append(whole)
        return state_of(root, folders, list(dict.fromkeys(files)))

    def load(
        self,
        jobs: int | None,
        externs: tuple[Extern, ...] = (),
        progress: Progress = no_progress,
        memo: dict[str, FileFacts] | None = None,
        base: bool = False,
        outlines: bool = False,
    ) -> Loaded:
        """
        Read and link the program, or what it is compared with; NothingToAnalyse where there is none.

        With `outlines` bodies that nobody asks for are not parsed; see `read_files`.
        """
        # What is loaded stays to the end of this run: the collector need not look at it again and again.
        # What an earlier run of this process has loaded may go.
        gc.unfreeze()
        gc.disable()
        with _executor() as executor:
            loaded = load(
                self.base if base and self.base is not None else self.tree,
                memo=memo,
                store=self.store,
                jobs=jobs or default_jobs(),
                exclude=self.settings.exclude,
                externs=(*externs, *self.settings.externs),
                progress=progress,
                executor=executor,
                outlines=outlines,
                role="base" if base else "head",
            )
        gc.freeze()
        # Little of what is made becomes rubbish that only the collector finds.
        gc.set_threshold(1_000_000, 10, 10)
        gc.enable()
        return loaded

    def options(
        self,
        *,
        jobs: int | None = None,
        certain: bool = False,
        tests: bool = False,
        progress: Progress = no_progress,
    ) -> Options:
        """What a check asks for, from flags and settings."""
        return Options(
            root=self.root.as_posix(),
            only=self.place.only,
            certain=certain or self.settings.certain,
            tests=tests or self.settings.tests,
            progress=progress,
            ledger=self.ledger(),
            jobs=jobs or default_jobs(),
        )


def _executor() -> AbstractContextManager[Executor | None]:
    """The cluster that the command line names, None for this machine."""
    context = click.get_current_context(silent=True)
    address = context.meta.get(CLUSTER) if context is not None else None
    if address is None:
        return nullcontext()
    from inroads.cluster import open_executor

    return open_executor(address)


class NarrowTree:
    """A few files and folders of a directory, which is not walked beyond them."""

    def __init__(self, root: Path, paths: tuple[str, ...]) -> None:
        self._whole = DirectoryTree(root)
        self._files = tuple(path for path in paths if not (root / path).is_dir())
        self._folders = {path: DirectoryTree(root / path) for path in paths if path not in self._files}

    @property
    def root(self) -> str:
        """How the tree is shown."""
        return self._whole.root

    def list(self) -> tuple[str, ...]:
        """The files under the paths, sorted."""
        inside = (f"{path}/{one}" for path, tree in self._folders.items() for one in tree.list())
        return tuple(sorted({*self._files, *inside}))

    def directories(self) -> tuple[str, ...]:
        """The folders that were walked."""
        return tuple(
            sorted(
                f"{path}/{one}".rstrip("/")
                for path, tree in self._folders.items()
                for one in tree.directories()
            )
        )

    def read(self, path: str) -> bytes:
        """The contents of a file."""
        return self._whole.read(path)

    def key(self, path: str) -> str:
        """A key of the contents."""
        return self._whole.key(path)

    def problems(self) -> tuple[Problem, ...]:
        """What could not be listed under the paths."""
        return tuple(
            msgspec.structs.replace(one, path=f"{path}/{one.path}")
            for path, tree in self._folders.items()
            for one in tree.problems()
        )

    def links(self) -> tuple[tuple[str, str], ...]:
        """The linked folders under the paths."""
        return tuple(
            (f"{path}/{link}", f"{path}/{to}")
            for path, tree in self._folders.items()
            for link, to in tree.links()
        )


def keeping(session: Session, no_cache: bool, folder: str | None) -> Session:
    """The session with what earlier runs kept; `folder` None for the usual one."""
    if no_cache or (session.disk is None and session.base is None):
        # What comes by standard input has no place on the disk.
        return session
    return replace(session, store=Store(folder or folder_for(str(session.root))))


def open_session(paths: tuple[str, ...], gate: Gate | None = None) -> Session:
    """
    The session for the paths on the command line; `-` alone reads one file from standard input.

    Raises:
        UsageError, SettingsError: See `find_place` and `read_settings`.
        RevisionError: A revision to compare with that is not here.
    """
    if paths == ("-",):
        place = find_place(())
        memory = MemoryTree({STDIN: sys.stdin.buffer.read()}, str(place.root))
        return Session(Place(place.root), read_settings(place.root), memory, None, place.root)
    place = find_place(paths)
    if gate is not None and gate.compares:
        return _compared(place, gate)
    tree = NarrowTree(place.root, place.files) if place.files else DirectoryTree(place.root)
    return Session(place, read_settings(place.root), tree, tree, place.root)


def _compared(place: Place, gate: Gate) -> Session:
    """A session with two trees. Without a Cargo.toml, too, the program is all that git has below the root."""
    # Runs that compare nothing don't pay for it.
    from inroads.changes import ObjectPath, Repository, index_tree, revision_tree, working_tree

    repository = Repository.around(place.root)
    revision = base_revision(gate, repository.commit, repository.merge_base)
    base: Tree = MemoryTree({}) if revision is None else revision_tree(repository, revision)
    whole = Place(place.root, (*place.only, *place.files))
    if gate.staged:
        index = index_tree(repository)
        texts: TextPath = ObjectPath(index)
        return Session(whole, read_settings(texts), index, None, texts, base)
    return Session(whole, read_settings(place.root), working_tree(repository), None, place.root, base)
