"""What a path names."""

from __future__ import annotations

import pytest

from linking import function, link_files, link_text, module_id, named


def test_paths_from_here_above_and_the_root() -> None:
    tables = link_text("mod a { pub fn f() {} pub mod b { pub fn g() {} } }")
    for path in ("super::f", "crate::a::f", "self::super::f", "super::super::a::f"):
        assert named(tables, "app::a::b", path) == "function app::a::f", path


def test_renames_groups_and_re_exports_are_followed() -> None:
    tables = link_text(
        """
        mod deep { pub mod er { pub fn f() {} pub struct S; } pub use self::er::f as g; pub use er::{self as inner}; }
        pub use deep::{g as h, inner::S};
        """
    )
    assert named(tables, "app", "h") == "function app::deep::er::f"
    assert named(tables, "app", "S", "type") == "type app::deep::er::S"
    assert named(tables, "app", "deep::inner::f") == "function app::deep::er::f"


def test_globs_lead_through_globs_in_cycles() -> None:
    tables = link_text(
        """
        mod a { pub use super::b::*; pub fn f() {} }
        mod b { pub use super::a::*; pub fn g() {} }
        use a::*;
        """
    )
    assert named(tables, "app", "g") == "function app::b::g"
    assert named(tables, "app::b", "f") == "function app::a::f"
    assert named(tables, "app", "nothing") is None


def test_a_glob_may_open_what_another_glob_brings() -> None:
    tables = link_text("mod a { pub mod inner { pub fn f() {} } } use inner::*; use a::*;")
    assert named(tables, "app", "f") == "function app::a::inner::f"


def test_what_is_declared_or_imported_by_name_shadows_globs() -> None:
    tables = link_text(
        """
        mod a { pub fn f() {} pub fn g() {} }
        mod b { pub fn g() {} }
        use a::*; use b::g; fn f() {}
        """
    )
    assert named(tables, "app", "f") == "function app::f"
    assert named(tables, "app", "g") == "function app::b::g"


def test_a_glob_brings_no_private_names_but_to_those_inside() -> None:
    tables = link_text(
        """
        mod a { fn hidden() {} use std::fmt::Result; pub mod inside { use super::*; } }
        use a::*;
        """
    )
    assert named(tables, "app", "hidden") is None
    assert named(tables, "app::a::inside", "hidden") == "function app::a::hidden"
    assert named(tables, "app", "Result", "type") == "foreign std::result::Result"
    assert named(tables, "app::a::inside", "Result", "type") == "foreign std::fmt::Result"


def test_imports_of_one_another_name_nothing() -> None:
    tables = link_text("mod a { pub use super::b::x; } mod b { pub use super::a::x; } use a::x;")
    assert named(tables, "app", "x") is None


def test_a_cycle_of_imports_does_not_hide_the_other_way() -> None:
    tables = link_text(
        """
        mod a { pub use super::b::*; pub use super::c::x; }
        mod b { pub use super::a::x; }
        mod c { pub fn x() {} }
        """
    )
    assert named(tables, "app::b", "x") == "function app::c::x"
    assert named(tables, "app::a", "x") == "function app::c::x"


def test_variants_are_imported_by_name_and_by_glob() -> None:
    tables = link_text("enum E { A, B(u8) } mod m { use super::E::{self, A}; } mod n { use super::E::*; }")
    assert named(tables, "app::m", "A") == "variant app::E::A"
    assert named(tables, "app::m", "E", "type") == "type app::E"
    assert named(tables, "app::n", "B") == "variant app::E::B"
    assert named(tables, "app", "E::B") == "variant app::E::B"


def test_the_namespaces_are_separate() -> None:
    tables = link_text("mod f {} fn f() {} struct T(u8); const T2: u8 = 0; struct Named { x: u8 }")
    assert named(tables, "app", "f", "type") == "module app::f"
    assert named(tables, "app", "f") == "function app::f"
    assert named(tables, "app", "T") == "type app::T"
    assert named(tables, "app", "Named") is None
    assert named(tables, "app", "T2") == "const app::T2"


def test_names_from_outside_keep_their_path_through_renames() -> None:
    tables = link_text(
        "use std::fs::{self, rename as mv}; use tokio::task as work; use std::collections::HashMap as M;"
    )
    assert named(tables, "app", "fs::rename") == "foreign std::fs::rename"
    assert named(tables, "app", "mv") == "foreign std::fs::rename"
    assert named(tables, "app", "work::spawn") == "foreign tokio::task::spawn"
    assert named(tables, "app", "M::new") == "foreign std::collections::HashMap::new"
    assert named(tables, "app", "tokio::spawn") == "foreign tokio::spawn"
    assert named(tables, "app", "unheard_of::spawn") == "foreign unheard_of::spawn"


def test_a_dependency_under_another_name_is_known_by_its_own() -> None:
    manifest = '[package]\nname = "app"\nedition = "2021"\n[dependencies]\n'
    dependency = 'rt = { package = "tokio-like", version = "1" }\n'
    tables = link_files({"Cargo.toml": manifest + dependency, "src/lib.rs": "use rt::spawn;"})
    assert named(tables, "app", "spawn") == "foreign tokio_like::spawn"


@pytest.mark.parametrize(
    ("path", "documented"),
    [
        ("core::fmt::Debug", "std::fmt::Debug"),
        ("alloc::vec::Vec::new", "std::vec::Vec::new"),
        ("std::collections::hash_map::HashMap::new", "std::collections::HashMap::new"),
        ("std::io::prelude::Read", "std::io::Read"),
        ("std::prelude::v1::Some", "std::option::Option::Some"),
        ("std::collections::hash_map::Entry", "std::collections::hash_map::Entry"),
    ],
)
def test_names_of_std_are_those_of_its_documentation(path: str, documented: str) -> None:
    assert named(link_text(""), "app", path) == f"foreign {documented}"


def test_the_prelude_follows_the_edition() -> None:
    assert named(link_text(""), "app", "Some") == "foreign std::option::Option::Some"
    assert named(link_text(""), "app", "TryFrom", "type") == "foreign std::convert::TryFrom"
    assert named(link_text("", "2018"), "app", "TryFrom", "type") is None
    assert named(link_text("", "2024"), "app", "Future", "type") == "foreign std::future::Future"
    assert named(link_text(""), "app", "u32", "type") == "primitive u32"


def test_own_names_come_before_the_prelude() -> None:
    tables = link_text("type Result<T> = std::result::Result<T, ()>; fn drop() {}")
    assert named(tables, "app", "Result", "type") == "type app::Result"
    assert named(tables, "app", "drop") == "function app::drop"


def test_globs_of_std_bring_what_they_hold() -> None:
    tables = link_text("use std::collections::*; use std::sync::atomic::Ordering::*;")
    assert named(tables, "app", "HashMap", "type") == "foreign std::collections::HashMap"
    assert named(tables, "app", "SeqCst") == "foreign std::sync::atomic::Ordering::SeqCst"
    assert named(tables, "app", "Mutex", "type") is None


def test_in_2015_a_use_begins_at_the_root_of_the_crate() -> None:
    tables = link_text("mod a { pub fn f() {} } mod b { use a::f; use std::fs; }", "2015")
    assert named(tables, "app::b", "f") == "function app::a::f"
    assert named(tables, "app::b", "fs::rename") == "foreign std::fs::rename"
    assert named(tables, "app::b", "::a::f") == "function app::a::f"


def test_in_2015_a_function_at_the_root_has_an_absolute_path() -> None:
    tables = link_text("pub fn f() {} mod b {}", "2015")
    assert named(tables, "app::b", "::f") == "function app::f"


def test_extern_crate_renames() -> None:
    tables = link_text(
        "extern crate tokio as rt; extern crate self as me; mod a { use rt::spawn; } fn f() {}"
    )
    assert named(tables, "app::a", "spawn") == "foreign tokio::spawn"
    assert named(tables, "app", "me::f") == "function app::f"


def test_crates_of_the_workspace_are_named_with_underscores() -> None:
    tables = link_files(
        {
            "Cargo.toml": '[workspace]\nmembers = ["core-lib", "server"]\n',
            "core-lib/Cargo.toml": '[package]\nname = "core-lib"\nedition = "2021"\n',
            "core-lib/src/lib.rs": "mod cache; pub use cache::Pool;",
            "core-lib/src/cache.rs": "pub struct Pool; impl Pool { pub fn new() {} }",
            "server/Cargo.toml": (
                '[package]\nname = "server"\nedition = "2021"\n[dependencies]\n'
                'store = { package = "core-lib", path = "../core-lib" }\n'
            ),
            "server/src/main.rs": "use store::Pool; fn main() { Pool::new() }",
        }
    )
    assert named(tables, "server", "Pool", "type") == "type core_lib::cache::Pool"
    assert function(tables, "core_lib::cache::Pool::new").crate == 0


def test_associated_items_are_left_to_the_caller() -> None:
    tables = link_text("struct S; impl S { fn new() {} } trait T { fn go(); }")
    assert named(tables, "app", "S::new") is None
    found = tables.resolve_prefix(0, ("S", "new"), "value")
    assert found is not None and found[0].path == "app::S" and found[1] == 1


def test_blocks_see_outwards_to_their_module_and_no_further() -> None:
    tables = link_text(
        "mod m { fn f() { use super::E::*; fn g() {} } fn here() {} } enum E { A } fn there() {}"
    )
    body = tables.body_module(function(tables, "app::m::f").id)
    assert tables.resolve(body, ("A",), "value") is not None
    assert tables.resolve(body, ("here",), "value") is not None
    assert tables.resolve(body, ("there",), "value") is None
    found = tables.resolve(body, ("self", "here"), "value")
    assert found is not None and found.path == "app::m::here"


def test_the_block_around_a_place_is_found() -> None:
    text = "fn f() { { fn g() {} g(); } }"
    tables = link_text(text)
    outer = function(tables, "app::f")
    inner = tables.module_at(outer.id, text.index("g();"))
    assert tables.resolve(inner, ("g",), "value") is not None
    assert tables.resolve(tables.module_at(outer.id, len(text) - 2), ("g",), "value") is None


def test_traits_in_scope_come_by_name_by_glob_and_without_name() -> None:
    tables = link_text(
        """
        pub mod a { pub trait One {} pub trait Two {} trait Hidden {} }
        mod b { use super::a::One as _; use std::io::Read; }
        mod c { use super::a::*; use std::io::prelude::*; }
        """
    )
    ids = {trait.name: trait.id for trait in tables.traits}
    b = tables.traits_in_scope(module_id(tables, "app::b"))
    c = tables.traits_in_scope(module_id(tables, "app::c"))
    assert ids["One"] in b and ids["Two"] not in b and "std::io::Read" in b and "std::iter::Iterator" in b
    assert ids["One"] in c and ids["Two"] in c and ids["Hidden"] not in c and "std::io::Write" in c


def test_functions_of_a_cxx_bridge_are_public() -> None:
    tables = link_text(
        '#[cxx::bridge] mod ffi { unsafe extern "C++" { fn add(a: u8) -> u8; } } pub use ffi::*;'
    )
    assert named(tables, "app", "add") == "function app::ffi::add"


def test_many_globs_of_one_another_stay_cheap() -> None:
    count = 60
    globs = " ".join(f"pub use super::m{index}::*;" for index in range(count))
    modules = "".join(f"pub mod m{index} {{ {globs} pub fn f{index}() {{}} }}" for index in range(count))
    tables = link_text(modules)
    assert named(tables, "app::m0", f"f{count - 1}") == f"function app::m{count - 1}::f{count - 1}"
    assert named(tables, "app::m7", "nothing") is None
