"""The anonymous modules of blocks, and the imports that stand in them."""

from __future__ import annotations

from inroads.facts import UseItem
from inroads.resolve.model import Import, Module
from inroads.resolve.tables import Tables


def new_module(
    tables: Tables, name: str, around: Module, kind: str, source: int, test: bool, active: bool
) -> Module:
    """A new module inside another one."""
    module = Module(
        id=len(tables.modules),
        name=name,
        path=f"{around.path}::{name}",
        crate=around.crate,
        parent=around.id,
        kind=kind,
        source=source,
        edition=around.edition,
        test=test,
        active=active,
    )
    tables.modules.append(module)
    return module


def block_at(tables: Tables, id: int, offset: int) -> Module:
    """The innermost block of a body at an offset that has a module; made for the whole body if there is none."""
    function = tables.functions[id]
    found = tables.module_at(id, offset)
    if found != function.module:
        return tables.modules[found]
    body = tables.body_of(id)
    assert body is not None
    around = tables.modules[function.module]
    module = new_module(tables, "", around, "block", function.source, function.test, function.active)
    module.path = f"{around.path}::{function.name}"
    inner = tables.body_modules.get(id, ())
    for _, _, block in inner:
        if tables.modules[block].parent == around.id:
            tables.modules[block].parent = module.id
    tables.body_modules[id] = ((body.start, body.end, module.id), *inner)
    return module


def add_imports(
    module: Module, item: UseItem, source: int, test: bool, active: bool, order: tuple[int, ...]
) -> list[Import]:
    """Enter the leaves of a `use` into its module; the new imports, globs that are off left out."""
    private = item.head.visibility in ("", "self")
    found: list[Import] = []
    for entry in item.entries:
        path = entry.path
        if entry.glob:
            name = "*"
        elif entry.alias:
            name = entry.alias
        else:
            name = path[-1] if path else ""
            if name == "self" and 1 < len(path):
                name = path[-2]
        one = Import(module.id, path, name, private, test, active, order, source)
        if name == "*":
            if not active:
                continue
            module.globs.append(one)
            module.glob_targets.append(None)
        elif name == "_":
            module.traits.append(one)
        elif name:
            module.imports.setdefault(name, []).append(one)
        found.append(one)
    return found
