"""Packages and crate roots, as Cargo would see them."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from inroads.facts import Problem

TargetKind: TypeAlias = Literal["lib", "bin", "test", "example", "bench", "build"]
DependencyKind: TypeAlias = Literal["normal", "dev", "build"]


class Dependency(msgspec.Struct, frozen=True):
    """
    One dependency of a package.

    `name` is what the code says (underscores, after a rename), `package` the
    package's own name; `target` is its index in `Workspace.packages`, None
    for one from outside.
    """

    name: str
    package: str
    kind: DependencyKind
    target: int | None


class Package(msgspec.Struct, frozen=True):
    """A package: its directory ("" for the root), edition, features by name (optional dependencies too)."""

    name: str
    directory: str
    edition: str
    dependencies: tuple[Dependency, ...]
    features: tuple[str, ...]


class CrateRoot(msgspec.Struct, frozen=True):
    """
    A target: `name` as code writes it, `root` the file that it begins with.

    `package` is an index in `Workspace.packages`, None where there is no
    manifest. `dependencies` pairs a name in code with the index of the library
    crate in `Workspace.crates` that it stands for (the own library included);
    names of foreign crates are in `foreign`. `harness` is false for a test or
    bench that brings its own `main`.
    """

    name: str
    kind: TargetKind
    root: str
    edition: str
    package: int | None
    dependencies: tuple[tuple[str, int], ...]
    foreign: tuple[str, ...]
    proc_macro: bool = False
    harness: bool = True


class Workspace(msgspec.Struct, frozen=True):
    """
    All that is known before a Rust file is read.

    `crates` are sorted: a library before the other targets of its package,
    packages by directory. `files` are all Rust files of the tree, sorted,
    whether a crate reaches them or not. `links` are folders that are links,
    each with the folder of the tree that it leads to.
    """

    root: str
    packages: tuple[Package, ...]
    crates: tuple[CrateRoot, ...]
    files: tuple[str, ...]
    problems: tuple[Problem, ...]
    links: tuple[tuple[str, str], ...] = ()

    def helpers(self) -> frozenset[int]:
        """The packages that are there for the tests of others: dev-dependencies, and nothing that anybody runs."""
        kinds: dict[int, set[DependencyKind]] = {}
        for number, package in enumerate(self.packages):
            for dependency in package.dependencies:
                if dependency.target is not None and dependency.target != number:
                    kinds.setdefault(dependency.target, set()).add(dependency.kind)
        run = {crate.package for crate in self.crates if crate.kind == "bin"}
        return frozenset(package for package, said in kinds.items() if said == {"dev"} and package not in run)
