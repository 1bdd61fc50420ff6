"""Link a few files, given as text, and name what came out."""

from __future__ import annotations

from inroads.resolve.model import Function
from inroads.resolve.modules import link
from inroads.resolve.tables import Tables
from inroads.rust.extract import extract
from inroads.workspace import MemoryTree, discover

MANIFEST = '[package]\nname = "app"\nedition = "{edition}"\n[dependencies]\ntokio = "1"\n'


def link_files(files: dict[str, str], edition: str = "2021") -> Tables:
    """
    The tables of a tree of files.

    Without a manifest among them they are the package `app`, which depends on
    `tokio` from outside.
    """
    whole = dict(files)
    if "Cargo.toml" not in whole:
        whole["Cargo.toml"] = MANIFEST.replace("{edition}", edition)
    data = {path: text.encode() for path, text in whole.items()}
    workspace = discover(MemoryTree(data))
    return link(workspace, {path: extract(data[path]) for path in workspace.files})


def link_text(text: str, edition: str = "2021") -> Tables:
    """The tables of a library that is one file."""
    return link_files({"src/lib.rs": text}, edition)


def paths(tables: Tables) -> list[str]:
    """The paths of all functions, sorted; without those of initialisers."""
    return sorted(
        function.path for function in tables.functions[: len(tables.functions) - tables.initialisers]
    )


def function(tables: Tables, path: str) -> Function:
    """The one function of a path."""
    found = [one for one in tables.functions if one.path == path]
    assert len(found) == 1, f"{path}: {len(found)} of {paths(tables)}"
    return found[0]


def module_id(tables: Tables, path: str) -> int:
    """The one module of a path that is no block."""
    found = [module.id for module in tables.modules if module.path == path and module.kind != "block"]
    assert len(found) == 1, f"{path}: {len(found)} of {[module.path for module in tables.modules]}"
    return found[0]


def named(tables: Tables, module: str, path: str, namespace: str = "value") -> str | None:
    """Kind and path of what `path` names in a module: `function app::a::f`; None for nothing."""
    found = tables.resolve(module_id(tables, module), tuple(path.split("::")), namespace)
    return None if found is None else f"{found.kind} {found.path}"
