"""Crates where no manifest tells of any: a file that no other file declares as its module begins one."""

from __future__ import annotations

import posixpath
import re

from inroads.workspace.model import CrateRoot, TargetKind
from inroads.workspace.tree import Tree

_MODULE = re.compile(
    rb"(?:^|[;{}\])])[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?mod[ \t]+(?:r#)?(\w+)[ \t]*;", re.MULTILINE
)
_PATH = re.compile(rb"#\[path\s*=\s*\"([^\"]+)\"\]")
_MAIN = re.compile(rb"(?:^|[;{}\])])[ \t]*(?:pub[ \t]+)?(?:async[ \t]+)?fn[ \t]+main\b", re.MULTILINE)

EDITION = "2021"


def loose_crates(tree: Tree, files: tuple[str, ...]) -> tuple[CrateRoot, ...]:
    """
    The crates of a tree without a usable manifest.

    A `src/lib.rs`, `lib.rs` or `main.rs` begins one in any case; each crate may
    name the libraries beside it.
    """
    declared: set[str] = set()
    mains: set[str] = set()
    for path in files:
        try:
            data = tree.read(path)
        except OSError:
            continue
        if _MAIN.search(data):
            mains.add(path)
        directory, name = posixpath.split(path)
        stem = name.removesuffix(".rs")
        for found in _MODULE.finditer(data):
            module = found[1].decode("utf-8", "replace")
            for front in (directory, posixpath.join(directory, stem)):
                declared.add(posixpath.join(front, f"{module}.rs"))
                declared.add(posixpath.join(front, module, "mod.rs"))
        for found in _PATH.finditer(data):
            written = found[1].decode("utf-8", "replace")
            declared.add(posixpath.normpath(posixpath.join(directory, written)))
    roots = [
        path for path in files if posixpath.basename(path) in ("lib.rs", "main.rs") or path not in declared
    ]
    libraries: dict[str, int] = {}
    named: list[tuple[str, TargetKind, str]] = []
    for path in roots:
        kind: TargetKind = "bin" if path in mains and posixpath.basename(path) != "lib.rs" else "lib"
        name = _name(path)
        if kind == "lib":
            libraries.setdefault(name, len(named))
        named.append((name, kind, path))
    return tuple(
        CrateRoot(
            name,
            kind,
            path,
            EDITION,
            None,
            tuple(sorted((other, at) for other, at in libraries.items() if at != position)),
            (),
        )
        for position, (name, kind, path) in enumerate(named)
    )


def _name(path: str) -> str:
    directory, name = posixpath.split(path)
    stem = name.removesuffix(".rs")
    if stem in ("lib", "main", "mod"):
        parts = [part for part in directory.split("/") if part not in ("", "src")]
        stem = parts[-1] if parts else "crate_root"
    return re.sub(r"\W", "_", stem)
