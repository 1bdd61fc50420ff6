"""
Judges a function: expands its macros, binds its names, finds its types, resolves its calls.

`judge` is what the layers above ask. All it reads besides the function's
own body are signatures.
"""

from __future__ import annotations

from inroads.resolve.bodies import Expanded, expand_function
from inroads.resolve.bounds import Memo
from inroads.resolve.edges import call_of, implied_calls
from inroads.resolve.foreign import described_among, stubs
from inroads.resolve.infer import infer
from inroads.resolve.inferring import Inferring
from inroads.resolve.infos import FunctionInfo, read_bounds
from inroads.resolve.model import Call, Judged
from inroads.resolve.scope import Scope
from inroads.resolve.tables import Tables
from inroads.resolve.types import Bound, Type
from inroads.resolve.world import World
from inroads.work import count


def world_of(tables: Tables) -> World:
    """The signatures of a program and of what it uses from outside; made once."""
    if tables.world is None:
        names = frozenset(
            path.partition("::")[0] for known in tables.foreign_names for path in known.values()
        )
        described = (*described_among(names), *tables.externs)
        tables.world = World(tables, stubs(described, tables.store, tables.outlines), Memo())
    found = tables.world
    assert isinstance(found, World)
    return found


def judge(tables: Tables, function: int) -> Judged:
    """Judge the function with this id; one without a body is judged to hold nothing."""
    count("functions judged")
    world = world_of(tables)
    expanded = expand_function(tables, function)
    if expanded is None:
        expanded = _NO_BODY
    info = world.function(world.home, function)
    body = Inferring(world, info, _scope(info), environment(info), info.test, info.active, expanded.body)
    blocks = tables.body_modules.get(function)
    if blocks:
        own = tables.functions[function].source
        base = expanded.base.get(own, 0)
        module = tables.body_module(function)
        for at, row in enumerate(expanded.body.rows):
            if expanded.origin[at] == own:
                module = tables.module_at(function, base + row.start)
            body.modules.append(module)
        body.look_from(tables.body_module(function))
    infer(body)
    close = body.unifier.close
    # Rows share types by the hundred.
    closed = {one: close(one) for one in set(body.types)}
    types = [closed[one] for one in body.types]
    for local in body.locals:
        local.type = closed[local.type] if local.type in closed else close(local.type)
    calls: dict[int, Call] = {}
    for site in body.sites:
        call = call_of(body, site)
        if call is not None and (site.row not in calls or calls[site.row].kind in ("operator", "desugar")):
            calls[site.row] = call
    judged = Judged(
        function=function,
        body=expanded.body,
        origin=expanded.origin,
        base=expanded.base,
        types=types,
        locals=body.locals,
        uses=body.uses,
        bound=body.bound,
        calls=calls,
        paths=body.paths,
        pattern_paths=body.pattern_paths,
        sources=expanded.sources,
        problems=expanded.problems,
        implied=implied_calls(body),
        captured=tuple(body.captured),
    )
    body.part()
    return judged


def _scope(info: FunctionInfo) -> Scope:
    """The scope inside a function's body."""
    info.signature()
    item = info.item
    assert item is not None
    scope = info.scope.inner(item.generics, info.owner)
    scope.opaque = None
    return scope


def environment(info: FunctionInfo) -> list[tuple[Type, Bound]]:
    """The bounds that hold inside a function: its own, and those of the impl or trait around."""
    found = list(info.signature().bounds)
    if info.impl is not None:
        found.extend(info.impl.bounds())
    trait = info.trait
    if trait is not None:
        found.append((trait.self_generic, Bound(trait.path, trait.id, trait.generics)))
        found.extend(read_bounds(trait.scope, trait.item.generics))
    return found


def _empty() -> Expanded:
    from inroads.facts import Body, Region

    return Expanded(Body((), Region(0, 0)), [], {})


_NO_BODY = _empty()
