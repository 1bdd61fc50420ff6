"""The targets of a package: those its manifest names, and those that Cargo finds by itself."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Iterable, Iterator

import msgspec

from inroads.workspace.manifest import Manifest, Table
from inroads.workspace.model import TargetKind


class Target(msgspec.Struct, frozen=True):
    """A target with the file that it begins with."""

    name: str
    kind: TargetKind
    root: str
    edition: str
    proc_macro: bool = False
    harness: bool = True


class Files:
    """The files of a tree, each and in order."""

    __slots__ = ("_names", "_ordered")

    def __init__(self, paths: Iterable[str]) -> None:
        self._names = frozenset(paths)
        self._ordered = sorted(self._names)

    def __contains__(self, path: object) -> bool:
        return path in self._names

    def under(self, front: str) -> Iterator[str]:
        """Those whose path begins so, in order."""
        for at in range(bisect_left(self._ordered, front), len(self._ordered)):
            if not self._ordered[at].startswith(front):
                return
            yield self._ordered[at]


_DIRECTORIES: dict[TargetKind, str] = {
    "bin": "src/bin",
    "example": "examples",
    "test": "tests",
    "bench": "benches",
}


def targets(manifest: Manifest, edition: str, files: Files) -> list[Target]:
    """The targets, the library first; one whose file does not exist is a problem."""
    found: list[Target] = []
    library = _library(manifest, edition, files)
    if library is not None:
        found.append(library)
    for kind, directory in _DIRECTORIES.items():
        found.extend(_kind(manifest, kind, directory, edition, files))
    build = manifest.table("package").get("build")
    path = None
    if isinstance(build, str):
        path = manifest.inside(build, "package.build")
    elif build is None or build is True:
        path = posixpath.join(manifest.directory, "build.rs")
    if path in files and path is not None:
        found.append(Target("build_script_build", "build", path, edition))
    return found


def _library(manifest: Manifest, edition: str, files: Files) -> Target | None:
    table = manifest.table("lib")
    name = table.get("name")
    if not isinstance(name, str):
        name = str(manifest.table("package")["name"])
    written = table.get("path")
    if written is not None:
        path = manifest.inside(written, "lib.path")
    else:
        path = posixpath.join(manifest.directory, "src/lib.rs")
    if path is None:
        return None
    if path not in files:
        if written is not None:
            manifest.problem(f"lib.path = {written!r} is not there")
        return None
    macro = table.get("proc-macro") is True or table.get("proc_macro") is True
    return Target(_code(name), "lib", path, _edition(table, edition), macro)


def _kind(manifest: Manifest, kind: TargetKind, directory: str, edition: str, files: Files) -> list[Target]:
    found: dict[str, Target] = {}
    package = str(manifest.table("package")["name"])
    guesses = _guessed(manifest, kind, directory, package, files)
    for table in manifest.tables_in(kind):
        name = table.get("name")
        if not isinstance(name, str):
            manifest.problem(f"a [[{kind}]] has no name")
            continue
        written = table.get("path")
        path: str | None
        if written is not None:
            path = manifest.inside(written, f"{kind}.path")
        else:
            path = guesses.get(name)
        if path is None or path not in files:
            if written is None or path is not None:
                manifest.problem(f"the file of [[{kind}]] {name!r} is not there")
            continue
        harness = table.get("harness") is not False
        found[path] = Target(_code(name), kind, path, _edition(table, edition), harness=harness)
    if manifest.table("package").get(f"auto{'benches' if kind == 'bench' else kind + 's'}") is not False:
        for name, path in guesses.items():
            if path not in found:
                found[path] = Target(_code(name), kind, path, edition)
    return sorted(found.values(), key=lambda target: (target.name, target.root))


def _guessed(
    manifest: Manifest, kind: TargetKind, directory: str, package: str, files: Files
) -> dict[str, str]:
    """Name to file of what Cargo would find: `src/main.rs`, `tests/a.rs`, `tests/b/main.rs`."""
    found: dict[str, str] = {}
    main = posixpath.join(manifest.directory, "src/main.rs")
    if kind == "bin" and main in files:
        found[package] = main
    front = posixpath.join(manifest.directory, directory) + "/"
    for path in files.under(front):
        parts = path[len(front) :].split("/")
        if len(parts) == 1:
            found.setdefault(parts[0].removesuffix(".rs"), path)
        elif len(parts) == 2 and parts[1] == "main.rs":
            found.setdefault(parts[0], path)
    return found


def _code(name: str) -> str:
    return name.replace("-", "_")


def _edition(table: Table, otherwise: str) -> str:
    found = table.get("edition")
    return found if isinstance(found, str) else otherwise
