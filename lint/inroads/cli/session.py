"""What the commands that read a program share: from paths and flags to a loaded program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from inroads.check import Loaded, Options, Progress, is_under, load, no_progress
from inroads.cli.place import Place, find_place
from inroads.cli.replay import state_of
from inroads.facts import Problem
from inroads.settings import Settings, read_settings
from inroads.workspace import DirectoryTree, Tree


@dataclass(frozen=True, slots=True)
class Session:
    """Where the program is, and what is settled for it."""

    place: Place
    settings: Settings

    @property
    def root(self) -> Path:
        """The folder that all paths of the report are relative to."""
        return self.place.root

    def tree(self) -> Tree:
        """The files of the program."""
        tree = DirectoryTree(self.root)
        return NarrowTree(tree, self.place.files) if self.place.files else tree

    def state(self, packs: tuple[str, ...]) -> list[str] | None:
        """
        The state on disk of all that a run reads; to be taken before it reads.

        Args:
            packs: Rule packs, files or folders, that were given by flags.
        """
        tree = DirectoryTree(self.root)
        root = str(self.root)
        folders = [os.path.join(root, one) for one in tree.directories() if one]
        files = [os.path.join(root, one) for one in tree.list()]
        files += [os.path.join(one, ".gitignore") for one in (root, *folders)]
        above = [str(one) for one in self.root.parents]
        files += [os.path.join(one, name) for one in above for name in (".gitignore", ".git", "Cargo.toml")]
        files += [os.path.join(root, name) for name in (".inroads.toml", ".git/info/exclude")]
        files += [os.path.join(root, one) for one in (self.settings.baseline, self.settings.ledger) if one]
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
        externs: tuple[Mapping[str, object], ...] = (),
        progress: Progress = no_progress,
    ) -> Loaded:
        """Read and link the program."""
        return load(
            self.tree(),
            jobs=jobs or default_jobs(),
            exclude=self.settings.exclude,
            externs=(*externs, *self.settings.externs),
            progress=progress,
        )

    def options(
        self, *, certain: bool = False, tests: bool = False, progress: Progress = no_progress
    ) -> Options:
        """What a check asks for, from flags and settings."""
        return Options(
            root=self.root.as_posix(),
            only=self.place.only,
            certain=certain or self.settings.certain,
            tests=tests or self.settings.tests,
            progress=progress,
        )


@dataclass(frozen=True, slots=True)
class NarrowTree:
    """A tree of which only some files and folders are looked at."""

    whole: Tree
    paths: tuple[str, ...]

    @property
    def root(self) -> str:
        """How the tree is shown."""
        return self.whole.root

    def list(self) -> tuple[str, ...]:
        """The files under the paths."""
        return tuple(path for path in self.whole.list() if is_under(path, self.paths))

    def read(self, path: str) -> bytes:
        """The contents of a file."""
        return self.whole.read(path)

    def key(self, path: str) -> str:
        """A key of the contents."""
        return self.whole.key(path)

    def problems(self) -> tuple[Problem, ...]:
        """What could not be listed under the paths."""
        return tuple(one for one in self.whole.problems() if is_under(one.path, self.paths))


def open_session(paths: tuple[str, ...]) -> Session:
    """The session for the paths on the command line; raises UsageError and SettingsError."""
    place = find_place(paths)
    return Session(place, read_settings(place.root))


def default_jobs() -> int:
    """As many processes as this one may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
