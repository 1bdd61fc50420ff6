"""
Calls whose receiver's type was not found: by name, where only few functions fit.

A guess must earn its place. The name must be unknown to the described crates from outside
(`len` and `push` tell nothing), and what fits in arity, receiver, visibility, crate and
trait in scope must be at most `MOST`, a trait's method with its impls counted as one.
"""

from __future__ import annotations

from inroads.resolve.inferring import Inferring, Site
from inroads.resolve.infos import FunctionInfo
from inroads.resolve.model import Function
from inroads.resolve.tables import Tables

MOST = 3
"""With more unrelated functions than these that fit nothing is guessed."""

_MOST_OF_ONE = 24


def candidates(body: Inferring, site: Site) -> tuple[FunctionInfo, ...]:
    """The methods that a call with an unknown receiver may mean; none if they are too many to tell."""
    world = body.world
    if body.function is None or body.function.id is None or site.name in world.outside_names():
        return ()
    tables = world.tables
    caller = tables.functions[body.function.id]
    found: list[FunctionInfo] = []
    families: set[str] = set()
    for id in tables.functions_named(site.name):
        one = tables.functions[id]
        if one.item.receiver is None or len(one.item.parameters) != len(site.arguments) - 1:
            continue
        if (body.solver.active and not one.active) or (one.test and not body.solver.test):
            continue
        if not _reaches(tables, caller.crate, one.crate) or not _is_visible(body, caller, one):
            continue
        families.add(_family(body, one))
        if id != caller.id:
            # `fn m(&self) { self.inner.m() }`: what hands on calls something else than itself.
            found.append(world.function(world.home, id))
        if MOST < len(families) or _MOST_OF_ONE < len(found):
            return ()
    return tuple(found)


def _family(body: Inferring, one: Function) -> str:
    """A trait's method and its impls are one; others stand for themselves."""
    if one.trait is not None:
        return f"t:{body.world.tables.traits[one.trait].path}"
    if one.impl is not None:
        trait = body.world.impl_info(body.world.home, one.impl).trait
        if trait is not None:
            return f"t:{trait.path}"
    return f"f:{one.id}"


def _reaches(tables: Tables, crate: int, other: int) -> bool:
    """Whether a crate is, or depends on, another."""
    seen = {crate}
    waiting = [crate]
    while waiting:
        at = waiting.pop()
        if at == other:
            return True
        for one in tables.crates[at].dependencies.values():
            if one not in seen:
                seen.add(one)
                waiting.append(one)
    return False


def _is_visible(body: Inferring, caller: Function, one: Function) -> bool:
    tables = body.world.tables
    if one.trait is not None:
        return body.world.traits[one.trait] in body.dispatch.in_scope
    if one.impl is not None and tables.impls[one.impl].item.trait is not None:
        # That something unknown has a method of a trait from outside tells nothing of the impls here.
        trait = body.world.impl_info(body.world.home, one.impl).trait
        return trait is not None and trait.id is not None and trait in body.dispatch.in_scope
    if one.item.head.visibility:
        return one.item.head.visibility == "pub" or one.crate == caller.crate
    at: int | None = caller.module
    home = tables.real_module(one.module)
    while at is not None:
        if at == home:
            return True
        at = tables.modules[at].parent
    return False
