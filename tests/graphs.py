"""Small programs and the control-flow graphs of their functions as text."""

from __future__ import annotations

from textwrap import dedent

from inroads.lower.consistency import violations
from inroads.lower.model import Graph
from inroads.lower.show import show
from inroads.program import Program
from linking import link_text

# What the snippets call.
PRELUDE = """
pub struct Item { pub id: u32, pub live: bool, pub ids: Vec<u32>, pub slot: Option<u32> }
pub struct Store { pub items: std::sync::Mutex<Vec<u32>>, pub id: u32 }
pub enum Kind { One(u32), Two { to: u32 }, Three }
pub fn go(_: u32) {}
pub fn get() -> Option<u32> { None }
pub fn load() -> Result<u32, String> { Ok(1) }
pub fn yes() -> bool { true }
pub fn never() -> ! { loop {} }
pub async fn task() -> Result<u32, String> { Ok(1) }
"""


def program(text: str, edition: str = "2024") -> Program:
    """A library of one file, after the prelude."""
    return Program(link_text(PRELUDE + dedent(text), edition))


def graph_of(text: str, name: str = "f", edition: str = "2024") -> Graph:
    """The graph of the function of that name."""
    whole = program(text, edition)
    found = next(one.id for one in whole.tables.functions if one.name == name)
    graph = whole.graph(found)
    assert list(violations(graph)) == []
    return graph


def shown(
    text: str, name: str = "f", *, drops: bool = False, reads: bool = False, edition: str = "2024"
) -> str:
    """The graph of the function of that name as text; calls of std's own methods are left out."""
    lines = []
    for line in show(graph_of(text, name, edition), drops=drops, reads=reads).splitlines():
        head, _, rest = line.partition(": ")
        events, _, to = rest.partition("-> ") if "-> " in rest else (rest, "", "")
        kept = [one for one in events.strip().split("; ") if one and not one.startswith(STD)]
        lines.append(
            f"{head}: {'; '.join(kept)}{' ' if kept and to else ''}{f'-> {to}' if to else ''}".rstrip()
        )
    return "\n".join(lines)


STD = tuple(
    f"call {name}("
    for name in (
        *(
            "unwrap",
            "expect",
            "map",
            "and_then",
            "or_else",
            "map_err",
            "ok",
            "is_ok",
            "is_err",
            "is_some",
            "is_none",
        ),
        *(
            "unwrap_or",
            "unwrap_or_else",
            "unwrap_or_default",
            "iter",
            "into_iter",
            "filter",
            "collect",
            "lock",
        ),
        *(
            "for_each",
            "any",
            "all",
            "find",
            "then",
            "clone",
            "ok_or",
            "take",
            "push",
            "pop",
            "enumerate",
            "zip",
        ),
        *("spawn", "join", "filter_map", "try_for_each", "next", "map_or", "values", "first", "all"),
    )
)


def same(found: str, wanted: str) -> None:
    """Two graphs as text are equal; an indented one may be given."""
    assert found == dedent(wanted).strip()
