"""
The initialisers of consts and statics, as functions that nobody calls.

`static POOL: LazyLock<Pool> = LazyLock::new(|| open())` calls `open`: so its
body is judged like that of a function without parameters, whose path ends in
`{init}`, which no pattern can name.
"""

from __future__ import annotations

from inroads.facts import BodyFacts
from inroads.resolve.model import Function
from inroads.resolve.tables import Tables
from inroads.store import names_of

INITIALISER = "{init}"


def add_initialisers(tables: Tables) -> None:
    """Append a function for each initialiser that may call something."""
    for constant in tables.constants:
        item = constant.item
        if item.body is None:
            continue
        if not may_call(tables.sources[constant.source].facts.bodies[item.body]):
            continue
        id = len(tables.functions)
        tables.initialisers += 1
        tables.functions.append(
            Function(
                id=id,
                name=constant.name,
                path=f"{constant.path}::{INITIALISER}",
                source=constant.source,
                item_index=constant.item_index,
                receiver=None,
                body=item.body,
                crate=constant.crate,
                module=constant.module,
                impl=constant.impl,
                trait=constant.trait,
                parent=None,
                test=constant.test,
                active=constant.active,
                places=tables.places,
            )
        )
        tables.orders.append(tables.constant_orders[constant.id])
        blocks = tables.constant_modules.get(constant.id)
        if blocks:
            tables.body_modules[id] = blocks


def may_call(body: BodyFacts) -> bool:
    """Whether an initialiser may call something."""
    return any(_may_be_called(name) for name in (body.names or names_of(body)))


def _may_be_called(name: str) -> bool:
    """Whether a name of the index may be that of a function: not a field, a type, or another constant."""
    return name[:1].islower() or name.endswith("!")
