"""One Cargo.toml, read with care: whatever it holds, what cannot be used is a problem and not a crash."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator
from typing import TypeAlias

from inroads.facts import Problem
from inroads.workspace.tree import Tree

Table: TypeAlias = dict[str, object]

_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")


class Manifest:
    """The tables of a manifest, and the directory that it stands in."""

    __slots__ = ("directory", "path", "problems", "tables")

    def __init__(self, path: str, tables: Table, problems: list[Problem]) -> None:
        self.path = path
        self.directory = posixpath.dirname(path)
        self.tables = tables
        self.problems = problems

    def table(self, *names: str) -> Table:
        """A table by its path; empty if there is none."""
        at: object = self.tables
        for name in names:
            at = at.get(name) if isinstance(at, dict) else None
        return at if isinstance(at, dict) else {}

    def tables_in(self, name: str) -> list[Table]:
        """The tables of an array like `[[bin]]`."""
        found = self.tables.get(name)
        return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []

    @property
    def is_package(self) -> bool:
        """Whether it describes a package."""
        return isinstance(self.table("package").get("name"), str)

    def inside(self, path: object, what: str) -> str | None:
        """
        A path as written, relative to the root of the tree.

        None, and a problem, if it leads out of the root or is no path.
        """
        if not isinstance(path, str) or "\0" in path:
            self.problem(f"{what} is no path")
            return None
        path = path.replace("\\", "/")
        joined = posixpath.normpath(posixpath.join(self.directory, path))
        if posixpath.isabs(path) or joined == ".." or joined.startswith("../"):
            self.problem(f"{what} = {path!r} leads out of the root; not read")
            return None
        return "" if joined == "." else joined

    def problem(self, message: str) -> None:
        """Report something about this manifest."""
        self.problems.append(Problem(kind="manifest", path=self.path, line=1, column=1, message=message))


def read_manifest(tree: Tree, path: str, problems: list[Problem]) -> Manifest | None:
    """Read a manifest; None, and a problem, if that is not possible."""
    try:
        text = tree.read(path).decode("utf-8-sig")
        manifest = Manifest(path, tomllib.loads(text), problems)
        _tell_shapes(manifest)
        return manifest
    except OSError as error:
        message, line, column = f"cannot be read: {error.strerror or error}", 1, 1
    except UnicodeDecodeError:
        message, line, column = "is not UTF-8", 1, 1
    except tomllib.TOMLDecodeError as error:
        message, line, column = f"is no valid TOML: {error}", 1, 1
        place = _PLACE.search(str(error))
        if place is not None:
            line, column = int(place[1]), int(place[2])
    except RecursionError:
        message, line, column = "is nested too deeply", 1, 1
    problems.append(Problem(kind="manifest", path=path, line=line, column=column, message=message))
    return None


def _tell_shapes(manifest: Manifest) -> None:
    """Report what is there and is not of the sort that it must be; it counts as absent."""
    for name in ("package", "workspace"):
        if name in manifest.tables and not isinstance(manifest.tables[name], dict):
            manifest.problem(f"{name} is no table")
    package = manifest.table("package")
    if package and not manifest.is_package:
        manifest.problem("package.name is missing" if "name" not in package else "package.name is no text")
    for key in ("members", "exclude"):
        value = manifest.table("workspace").get(key, [])
        if not isinstance(value, list) or strings(value) != value:
            manifest.problem(f"workspace.{key} is no list of texts")


def strings(value: object) -> list[str]:
    """The strings in a list; nothing else counts."""
    return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []


def dependency_tables(manifest: Manifest) -> Iterator[tuple[str, Table]]:
    """Each table of dependencies with its kind, those of `[target.*]` too."""
    places = [manifest.tables]
    places.extend(table for table in manifest.table("target").values() if isinstance(table, dict))
    for place in places:
        for kind in ("normal", "dev", "build"):
            front = "" if kind == "normal" else f"{kind}-"
            for name in dict.fromkeys((f"{front}dependencies", f"{front.replace('-', '_')}dependencies")):
                table = place.get(name)
                if isinstance(table, dict):
                    yield kind, table
