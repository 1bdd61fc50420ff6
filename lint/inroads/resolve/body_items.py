"""
Items that own macros declare inside bodies: `make_helper!(name);` as a statement.

They are known only after the body's macros are expanded, and yet other lines
of the body call them; so bodies that call a macro which may bring an item are
expanded while linking. The others, nearly all, are left alone; a `use` in them
is entered when the body is asked for, see `bodies`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from inroads.resolve.blocks import block_at
from inroads.resolve.bodies import expand_bare
from inroads.resolve.register import Registrar
from inroads.resolve.scopes import Scope
from inroads.resolve.sources import Source
from inroads.resolve.tables import Tables

_ITEM_WORDS = frozenset(
    {"fn", "struct", "enum", "union", "impl", "trait", "mod", "static", "macro_rules", "item", "type"}
)
# A function in an expansion may call the macro that made it.
_DEEPEST = 8


def register_body_items(tables: Tables, registrar: Registrar) -> bool:
    """Register the items that own macros declare in bodies; whether there were any."""
    bringing = bringing_items(tables)
    if not bringing:
        return False
    words = [name[:-1].encode() for name in sorted(bringing)]
    called = re.compile(rb"\b(?:" + b"|".join(map(re.escape, words)) + rb")\s*!")
    known = len(tables.sources)
    holding = _holding(tables, words)
    busy = {source for source, _ in holding}
    quiet = {
        source.id
        for source in tables.sources
        if source.id not in busy and not any(body.names for body in source.facts.bodies)
    }
    depths: dict[int, int] = {}
    found = False
    at = 0
    # The list grows by the functions that are found.
    while at < len(tables.functions):
        function = tables.functions[at]
        at += 1
        index = function.body
        if index is None or function.source in quiet:
            continue
        body = tables.sources[function.source].facts.bodies[index]
        if body.names:
            if bringing.isdisjoint(body.names):
                continue
        elif (function.source < known and (function.source, index) not in holding) or not called.search(
            body.data
        ):
            # A body that waits as text has no names yet.
            continue
        if _DEEPEST <= depths.get(function.id, 0):
            continue
        before = len(tables.functions)
        found = _register(tables, registrar, function.id) or found
        for id in range(before, len(tables.functions)):
            depths[id] = depths.get(function.id, 0) + 1
    return found


def _holding(tables: Tables, words: list[bytes]) -> set[tuple[int, int]]:
    """The bodies, by source and index, in which one of the words stands; all text is looked through at once."""
    sources = [(source.id, source.facts.bodies) for source in tables.sources]
    texts = [b"\0".join([body.data for body in bodies]) for _, bodies in sources]
    whole = b"\0".join(texts)
    ends = list(accumulate(len(text) + 1 for text in texts))
    found: set[tuple[int, int]] = set()
    for word in words:
        at = whole.find(word)
        while at != -1:
            number = bisect_right(ends, at)
            id, bodies = sources[number]
            found.update((id, index) for index, body in enumerate(bodies) if word in body.data)
            at = whole.find(word, ends[number])
    return found


def bringing_items(tables: Tables) -> frozenset[str]:
    """The own macros, as `name!`, in whose definition, or one that it may call, stands a word of an item."""
    return frozenset(
        f"{name}!" for name in tables.own_macros if not _ITEM_WORDS.isdisjoint(tables.names_of_macro(name))
    )


def _register(tables: Tables, registrar: Registrar, id: int) -> bool:
    """Register the items in the expansions of one body."""
    expanded = expand_bare(tables, id)
    if expanded is None or not any(source.facts.items for source in expanded.sources.values()):
        return False
    function = tables.functions[id]
    tables.entered.add(id)
    kept: dict[int, int] = {}
    for old, source in sorted(expanded.sources.items()):
        if not source.facts.items:
            continue
        # The call of an expansion in an expansion counts where the outermost one stands.
        outer = source
        while outer.parent in expanded.sources:
            outer = expanded.sources[outer.parent]
        kept[old] = len(tables.sources)
        tables.sources.append(
            Source(
                id=kept[old],
                path=source.path,
                own=source.facts,
                places=tables.places,
                parent=function.source,
                call=outer.call,
                pieces=source.pieces,
                macro=source.macro,
            )
        )
        module = block_at(tables, id, outer.call[0])
        scope = Scope(
            module=module.id,
            directory="",
            base="",
            test=function.test,
            active=function.active,
            function=id,
            order=tables.order_at(id, outer.call[0]),
            depth=1,
        )
        registrar.walk(kept[old], scope)
    return True
