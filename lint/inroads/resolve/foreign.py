"""
Crates from outside, described as Rust declarations without bodies.

`std.toml` describes the standard library, `crates.toml` widely used crates; the
settings may add others in the same form. Each described module becomes a file of a crate, read and linked
like any other.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import msgspec

from inroads.intake import read_files
from inroads.resolve.kept import linked
from inroads.resolve.tables import Tables
from inroads.store import Store
from inroads.workspace import CrateRoot, MemoryTree, Workspace


class Extern(msgspec.Struct, frozen=True):
    """`declarations` of a module ("" for the crate's root) of a crate from outside."""

    crate: str
    module: str
    declarations: str


def read_externs(text: str) -> tuple[Extern, ...]:
    """The `[[extern]]` tables of a TOML text."""
    return tuple(
        Extern(one["crate"], one.get("module", ""), one["declarations"])
        for one in tomllib.loads(text).get("extern", ())
    )


def _beside(name: str) -> str:
    # `importlib.resources` takes longer to import than the file to be read.
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def described() -> tuple[Extern, ...]:
    """The widely used crates that `crates.toml` describes."""
    return read_externs(_beside("crates.toml"))


def described_among(names: frozenset[str]) -> tuple[Extern, ...]:
    """Of the described crates those with these names, and those that they name in turn."""
    wanted = set(names)
    while True:
        chosen = tuple(one for one in described() if one.crate in wanted)
        text = "\n".join(one.declarations for one in chosen)
        more = {one.crate for one in described() if f"{one.crate}::" in text} - wanted
        if not more:
            return chosen
        wanted |= more


def stubs(extra: tuple[Extern, ...] = (), store: Store | None = None, outlines: bool = False) -> Tables:
    """
    The linked tables of the standard library and of the crates in `extra`.

    Args:
        store: What earlier runs read of them.
        outlines: Whether most of them is read when it is asked for; see `read_files`.
    """
    found = _STUBS.get(extra)
    if found is None:
        text = _beside("std.toml")
        if _MOST_STUBS <= len(_STUBS):
            _STUBS.clear()
        found = _STUBS[extra] = link_externs((*read_externs(text), *extra), store, outlines)
    return found


_STUBS: dict[tuple[Extern, ...], Tables] = {}
_MOST_STUBS = 4


def link_externs(externs: Iterable[Extern], store: Store | None = None, outlines: bool = False) -> Tables:
    """The linked tables of described crates; see `stubs`."""
    texts: dict[str, dict[str, list[str]]] = {}
    for one in externs:
        modules = texts.setdefault(one.crate, {"": []})
        parts = [part for part in one.module.split("::") if part]
        for length in range(len(parts)):
            child = f"pub mod {parts[length]};"
            lines = modules.setdefault("::".join(parts[:length]), [])
            if child not in lines:
                lines.append(child)
        modules.setdefault("::".join(parts), []).append(one.declarations)
    files: dict[str, bytes] = {}
    crates: list[CrateRoot] = []
    for crate in sorted(texts):
        for module, lines in sorted(texts[crate].items()):
            name = module.replace("::", "/") if module else "lib"
            files[f"{crate}/{name}.rs"] = "\n".join(lines).encode()
        crates.append(CrateRoot(crate, "lib", f"{crate}/lib.rs", "2021", None, (), ()))
    workspace = Workspace("", (), tuple(crates), tuple(sorted(files)), ())
    taken = read_files(MemoryTree(files), workspace.files, store=store, outlines=outlines)
    return linked(workspace, taken.files, taken.keys, store, f"described {' '.join(sorted(texts))}").tables
