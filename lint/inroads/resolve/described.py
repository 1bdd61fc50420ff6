"""Names from outside the workspace, opened in the stubs that describe them."""

from __future__ import annotations

import msgspec

from inroads.resolve.model import Definition
from inroads.resolve.tables import Tables


class Universe(msgspec.Struct, eq=False):
    """The workspace's tables, or the stubs'."""

    tables: Tables
    foreign: bool
    mark: str


class Described:
    """What the stubs say of a path from outside."""

    def __init__(self, foreign: Universe) -> None:
        self.foreign = foreign
        self.roots = {crate.name: crate.module for crate in foreign.tables.crates}
        self._opened: dict[tuple[str, str], tuple[Definition, tuple[str, ...]] | None] = {}

    def opened(self, path: str, namespace: str) -> tuple[Definition, tuple[str, ...]] | None:
        """What a path from outside names in the stubs, with the segments that are left over; None if nothing."""
        key = (path, namespace)
        if key not in self._opened:
            self._opened[key] = self._open(path, namespace)
        return self._opened[key]

    def _open(self, path: str, namespace: str) -> tuple[Definition, tuple[str, ...]] | None:
        names = tuple(path.split("::"))
        root = self.roots.get(names[0])
        if root is None or len(names) < 2:
            return None
        for spaces in (namespace,) if namespace == "type" else (namespace, "type"):
            found = self.foreign.tables.resolve_prefix(root, ("crate", *names[1:]), spaces)
            if found is None:
                continue
            definition, used = found
            if definition.kind == "module":
                continue
            if definition.kind == "foreign":
                if definition.path == path:
                    continue
                again = self.opened(definition.path, namespace)
                if again is None:
                    return None
                return again[0], (*again[1], *names[used:])
            return definition, names[used:]
        return None

    def canonical(self, path: str) -> str:
        """The path under which the stubs declare what a path names, or the path itself."""
        opened = self.opened(path, "type")
        if opened is None or opened[1]:
            return path
        return opened[0].path
