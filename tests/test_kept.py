"""Tables that an earlier run linked are the same as those that would be linked now."""

from __future__ import annotations

import random
from collections.abc import Mapping

import msgspec
import pytest

from edited_program import Program
from inroads.intake import read_files
from inroads.resolve import kept
from inroads.resolve.kept import LinkedProgram, linked
from inroads.resolve.model import Module
from inroads.resolve.modules import link
from inroads.resolve.sources import Places
from inroads.resolve.tables import Tables
from inroads.store import Store
from inroads.workspace import MemoryTree, discover

MANIFEST = '[package]\nname = "app"\nedition = "2021"\n'


class Workshop:
    """Links one state after another, with one store."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = Store(None)
        self.relinked = 0
        monkeypatch.setattr(kept, "link", self._link)

    def _link(self, *arguments: object) -> Tables:
        self.relinked += 1
        return link(*arguments)  # type: ignore[arg-type]

    def take(self, files: Mapping[str, str]) -> LinkedProgram:
        """The tables of a state; they are what they would be if nothing had been kept."""
        tree = MemoryTree({path: text.encode() for path, text in files.items()})
        workspace = discover(tree)
        warm = read_files(tree, workspace.files, store=self.store)
        cold = read_files(tree, workspace.files)
        found = linked(workspace, warm.files, warm.keys, self.store, "head")
        assert plain(found.tables) == plain(link(workspace, cold.files))
        assert found.speaking == tuple(sorted(path for path, one in cold.files.items() if one.speaks))
        return found

    def keeps(self, before: str, after: str, **others: str) -> bool:
        """Whether the tables of a library hold after an edit of it."""
        rest = {
            "Cargo.toml": MANIFEST,
            **{path.replace("__", "/") + ".rs": text for path, text in others.items()},
        }
        self.take({"src/lib.rs": before, **rest})
        count = self.relinked
        self.take({"src/lib.rs": after, **rest})
        return self.relinked == count


@pytest.fixture
def workshop(monkeypatch: pytest.MonkeyPatch) -> Workshop:
    return Workshop(monkeypatch)


def plain(tables: Tables) -> object:
    """All that linking made, as values that can be compared."""
    made = _DECODER.decode(kept.encoded(tables))
    modules = [msgspec.msgpack.decode(one, type=Module) for one in made.modules]
    return [modules if name == "modules" else getattr(made, name) for name in made.__struct_fields__]


_NOWHERE = Places()
_DECODER = msgspec.msgpack.Decoder(kept.KeptTables, dec_hook=lambda type, value: _NOWHERE)


def test_an_edit_in_a_body_links_nothing_anew(workshop: Workshop) -> None:
    before = "pub fn a() { b(1) }\npub fn b(x: u8) {}\npub struct S;\nimpl S { pub fn c(&self) {} }\n"
    assert workshop.keeps(before, before.replace("b(1)", "\n\n  b(2); b(3)"))


def test_items_are_found_where_they_stand_now(workshop: Workshop) -> None:
    before = "pub fn a() { b(1) }\n/// Told.\npub fn b(x: u8) {}\n"
    rest = {"Cargo.toml": MANIFEST}
    workshop.take({"src/lib.rs": before, **rest})
    tables = workshop.take({"src/lib.rs": before.replace("b(1)", "b(1);\n b(2);\n"), **rest}).tables
    assert workshop.relinked == 1
    assert [one.position.line for one in tables.functions] == [1, 5]


def test_blocks_that_declare_items_are_found_where_they_stand_now(workshop: Workshop) -> None:
    before = "pub fn a() { b() }\npub fn b() { { use std::fs; { fn c() {} } } { use std::io; } }\nconst C: u8 = { fn d() -> u8 { 1 } d() };\n"
    assert workshop.keeps(before, before.replace("{ b() }", "{\n\n b(); b() }"))


def test_blocks_stay_where_they_were_found_after_an_edit_of_another_file(workshop: Workshop) -> None:
    moved = "pub fn a() { b() }\npub fn b() { { use std::fs; } }\nconst C: u8 = { fn d() -> u8 { 1 } d() };\n"
    other = "pub fn e() { }"
    files = {"Cargo.toml": MANIFEST, "src/lib.rs": "mod moved; mod other;"}
    workshop.take({**files, "src/moved.rs": moved, "src/other.rs": other})
    moved = moved.replace("{ b() }", "{ b(); b() }")
    workshop.take({**files, "src/moved.rs": moved, "src/other.rs": other})
    workshop.take({**files, "src/moved.rs": moved, "src/other.rs": other.replace("{ }", "{ 1; }")})
    workshop.take({**files, "src/moved.rs": moved, "src/other.rs": other})
    assert workshop.relinked == 1


def test_a_signature_links_anew(workshop: Workshop) -> None:
    assert not workshop.keeps("pub fn a(x: u8) {}", "pub fn a(x: u16) {}")


def test_a_body_that_calls_a_macro_which_brings_items_links_anew(workshop: Workshop) -> None:
    before = "use app_macros::*;\npub fn a() { 1; }"
    macros = "#[macro_export] macro_rules! bring { ($n:ident) => { fn $n() {} } }"
    after = before.replace("1;", "crate::bring!(b); b();")
    library = "mod deep; mod user;"
    rest = {"Cargo.toml": MANIFEST, "src/lib.rs": library, "src/deep.rs": macros}
    first = workshop.take({**rest, "src/user.rs": before}).tables
    second = workshop.take({**rest, "src/user.rs": after}).tables
    third = workshop.take({**rest, "src/user.rs": before}).tables
    assert workshop.relinked == 3
    assert len(second.functions) == len(first.functions) + 1 == len(third.functions) + 1


def test_an_initialiser_that_begins_to_call_something_links_anew(workshop: Workshop) -> None:
    assert not workshop.keeps(
        "static A: u8 = 1;\nfn f() -> u8 { 1 }", "static A: u8 = f();\nfn f() -> u8 { 1 }"
    )


def test_a_build_script_that_sets_another_name_links_anew(workshop: Workshop) -> None:
    files = {"Cargo.toml": MANIFEST, "src/lib.rs": "#[cfg(fast)] pub fn a() {}", "build.rs": "fn main() { }"}
    workshop.take(files)
    workshop.take({**files, "build.rs": 'fn main() { println!("cargo:rustc-cfg=fast"); }'})
    assert workshop.relinked == 2


def test_what_expands_in_a_file_that_moves_is_linked_anew(workshop: Workshop) -> None:
    before = "macro_rules! make { ($n:ident) => { pub fn $n() {} } }\npub fn a() { }\nmake!(b);\n"
    assert not workshop.keeps(before, before.replace("{ }", "{ \n }"))


def test_what_is_told_of_linking_moves_with_its_line(workshop: Workshop) -> None:
    before = "pub fn a() { }\nmod missing;\n"
    assert not workshop.keeps(before, before.replace("{ }", "{ \n }"))


def test_an_edit_of_another_file_keeps_what_expands_here(workshop: Workshop) -> None:
    here = "pub mod other;\nmacro_rules! make { ($n:ident) => { pub fn $n() {} } }\nmake!(b);\n"
    rest = {"Cargo.toml": MANIFEST, "src/lib.rs": here}
    workshop.take({**rest, "src/other.rs": "pub fn c() {}"})
    workshop.take({**rest, "src/other.rs": "pub fn c() { c() }"})
    assert workshop.relinked == 1


def test_files_that_speak_are_known_without_being_read(workshop: Workshop) -> None:
    files = {
        "Cargo.toml": MANIFEST,
        "src/lib.rs": "mod a; mod b; mod c;",
        "src/a.rs": 'fn a() { 1; }\n// inroads: allow(error-dropped) reason = "no"\n',
        "src/b.rs": "fn b( {",
        "src/c.rs": "fn c() { 1; }",
    }
    assert workshop.take(files).speaking == ("src/a.rs", "src/b.rs")
    said = {**files, "src/c.rs": "fn c() { /* in-road: allow */ 1; }"}
    assert workshop.take(said).speaking == ("src/a.rs", "src/b.rs", "src/c.rs")
    assert workshop.take(files).speaking == ("src/a.rs", "src/b.rs")
    assert workshop.relinked == 1


def test_damaged_tables_are_linked_anew(workshop: Workshop) -> None:
    files = {"Cargo.toml": MANIFEST, "src/lib.rs": "fn a() {}"}
    workshop.take(files)
    for name in ("frame:head", "tables:head", "facts:"):
        for key in [one for one in workshop.store._new if one.startswith(name)]:
            workshop.store.put(key, b"\x92\xc0")
        workshop.take({**files, "src/lib.rs": f"fn a() {{ {len(name)} }}"})
        workshop.take(files)


@pytest.mark.parametrize("seed", range(40))
def test_after_any_edits_tables_are_what_they_would_be(seed: int, workshop: Workshop) -> None:
    source = random.Random(seed)
    program = Program()
    for _ in range(12):
        files = program.files()
        if any(path.endswith(".rs") for path in files):
            workshop.take({path: text for path, text in files.items() if path.endswith((".rs", ".toml"))})
        program.edit(source)
