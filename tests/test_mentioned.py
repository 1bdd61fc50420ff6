"""Which bodies mention a name: one by one, by an index, and in macros."""

from __future__ import annotations

import pytest

from inroads import mentioned
from inroads.mentioned import Mentions
from inroads.resolve.modules import link
from inroads.resolve.tables import Tables
from inroads.rust.extract import extract_encoded
from inroads.store import decode_facts
from inroads.workspace import MemoryTree, discover

TEXT = """
macro_rules! hidden { ($e:expr) => { $e.whispered() } }
struct Point { x: u8 }
fn calls(p: Point) { p.moved(p.x) }
fn builds() -> Point { Point { x: 1 } }
fn names(x: u8) { let _: Option<Point> = None; x.moved_on(); }
fn expands(p: Point) { hidden!(p) }
fn holds() { { fn inside() { p.moved() } inside() } }
"""


def linked(text: str) -> Tables:
    """The text as a crate whose bodies wait as text where they can, as they do in a run."""
    tree = MemoryTree({"src/lib.rs": text.encode()})
    return link(discover(tree), {"src/lib.rs": decode_facts(extract_encoded(text.encode()))})


def functions_with(tables: Tables, name: str, mentions: Mentions) -> list[str]:
    """The names of the functions."""
    return [tables.functions[one].name for one in mentions.of(name)]


@pytest.mark.parametrize("scans", [0, 100])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("moved", ["calls", "inside"]),
        (".moved", ["calls", "inside"]),
        (".x", ["calls"]),
        ("x", ["calls", "builds", "names"]),
        ("Point", ["builds", "names"]),
        ("Point{", ["builds"]),
        ("hidden!", ["expands"]),
        ("whispered", ["expands"]),
        ("absent", []),
    ],
)
def test_a_name_is_found_where_it_stands_and_where_a_macro_brings_it(
    scans: int, name: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mentioned, "MOST_SCANS", scans)
    tables = linked(TEXT)
    assert functions_with(tables, name, Mentions(tables)) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [("mov*", ("moved", "moved_on")), ("*spered", ("whispered",)), (".mo?ed", (".moved",)), ("nothing*", ())],
)
def test_names_are_found_by_a_pattern(pattern: str, expected: tuple[str, ...]) -> None:
    assert Mentions(linked(TEXT)).like(pattern) == expected


def test_where_nobody_asks_for_tests_their_bodies_are_not_indexed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mentioned, "MOST_SCANS", 0)
    tables = linked("fn code() { moved() }\n#[cfg(test)] mod tests { fn tried() { moved(); only_tried() } }")
    mentions = Mentions(tables)
    names = [tables.functions[one].name for one in mentions.of("moved", tests=False)]
    assert (names, mentions.of("only_tried", tests=False)) == (["code"], ())
    assert mentions.like("*_tried", tests=False) == ()
    assert not mentions.is_indexed()
    assert functions_with(tables, "moved", mentions) == ["code", "tried"]
    assert mentions.like("*_tried") == ("only_tried",)
    assert mentions.is_indexed()
