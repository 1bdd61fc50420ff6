"""The module tree: files, inline modules, crates, test code, cfg."""

from __future__ import annotations

from linking import function, link_files, link_text, module_id, named, paths


def test_a_module_is_found_beside_its_parent_or_in_its_directory() -> None:
    tables = link_files(
        {
            "src/lib.rs": "mod a; mod b;",
            "src/a.rs": "mod inner; fn f() {}",
            "src/a/inner.rs": "fn g() {}",
            "src/b/mod.rs": "mod inner; fn f() {}",
            "src/b/inner.rs": "fn g() {}",
        }
    )
    assert paths(tables) == ["app::a::f", "app::a::inner::g", "app::b::f", "app::b::inner::g"]
    assert tables.problems == []


def test_a_path_attribute_is_relative_to_the_file_that_holds_it() -> None:
    tables = link_files(
        {
            "src/lib.rs": "mod a;",
            "src/a.rs": '#[path = "odd/place.rs"] mod b;',
            "src/odd/place.rs": "mod deeper; fn f() {}",
            "src/odd/deeper.rs": "fn g() {}",
        }
    )
    assert paths(tables) == ["app::a::b::deeper::g", "app::a::b::f"]


def test_escapes_of_a_path_attribute_are_read() -> None:
    files = {"src/lib.rs": '#[path = "a\\x62\\u{63}.rs"] mod m;', "src/abc.rs": "fn f() {}"}
    assert paths(link_files(files)) == ["app::m::f"]


def test_a_path_attribute_that_leads_out_of_the_root_is_told_as_written() -> None:
    for path in ("/etc/passwd", "../../x.rs"):
        tables = link_files({"src/lib.rs": f'#[path = "{path}"] mod m;'})
        (problem,) = tables.problems
        assert problem.message == f'the file "{path}" of the module m leads out of the root'


def test_a_module_with_a_raw_name_has_its_files_under_the_plain_one() -> None:
    files = {"src/lib.rs": "mod r#match { mod r#in; }", "src/match/in.rs": "fn f() {}"}
    assert paths(link_files(files)) == ["app::match::in::f"]


def test_inside_an_inline_module_a_path_attribute_starts_in_the_modules_directory() -> None:
    tables = link_files(
        {
            "src/lib.rs": 'mod a { #[path = "x.rs"] mod b; mod c; }',
            "src/a/x.rs": "fn f() {}",
            "src/a/c.rs": "fn g() {}",
        }
    )
    assert paths(tables) == ["app::a::b::f", "app::a::c::g"]


def test_a_path_attribute_on_an_inline_module_renames_its_directory() -> None:
    tables = link_files(
        {"src/lib.rs": '#[path = "elsewhere"] mod a { mod b; }', "src/elsewhere/b.rs": "fn f() {}"}
    )
    assert paths(tables) == ["app::a::b::f"]


def test_a_conditional_path_attribute_counts_where_its_condition_holds() -> None:
    tables = link_files(
        {
            "src/lib.rs": '#[cfg_attr(unix, path = "unix.rs")] #[cfg_attr(windows, path = "win.rs")] mod sys;',
            "src/unix.rs": "fn f() {}",
        }
    )
    assert paths(tables) == ["app::sys::f"]


def test_a_file_mounted_twice_has_its_functions_in_both_modules() -> None:
    tables = link_files(
        {
            "src/lib.rs": 'mod a; #[path = "a.rs"] mod b;',
            "src/a.rs": "pub fn f() {}",
        }
    )
    assert paths(tables) == ["app::a::f", "app::b::f"]
    assert len({one.position for one in tables.functions}) == 1


def test_library_and_program_of_a_package_are_two_crates() -> None:
    tables = link_files(
        {
            "src/lib.rs": "pub mod a;",
            "src/a.rs": "pub fn f() {}",
            "src/main.rs": "use app::a::f; fn main() { f() }",
        }
    )
    main = next(crate for crate in tables.crates if crate.kind == "bin")
    found = tables.resolve(main.module, ("f",), "value")
    assert found is not None and found.path == "app::a::f"


def test_a_file_that_no_mod_reaches_is_an_orphan_with_the_names_of_its_crate() -> None:
    tables = link_files(
        {"src/lib.rs": "pub fn known() {}", "src/lost.rs": "use crate::known; fn f() { known() }"}
    )
    assert tables.modules[module_id(tables, "app::lost")].kind == "orphan"
    assert named(tables, "app::lost", "known") == "function app::known"


def test_an_orphan_directory_hangs_together() -> None:
    tables = link_files({"src/lib.rs": "", "src/old/mod.rs": "mod part;", "src/old/part.rs": "fn f() {}"})
    assert paths(tables) == ["app::old::part::f"]


def test_files_without_a_manifest_are_linked_too() -> None:
    tables = link_files({"Cargo.toml": "", "one.rs": "fn f() {} mod m { fn g() {} }"})
    assert [path.rpartition("::")[2] for path in paths(tables)] == ["f", "g"]


def test_a_missing_file_is_a_problem_unless_its_module_is_off() -> None:
    tables = link_text("mod there;\n#[cfg(windows)] mod not_here;\n#[cfg(test)] mod tests;")
    assert [(problem.line, problem.kind) for problem in tables.problems] == [(1, "module")]
    assert "src/there.rs or src/there/mod.rs" in tables.problems[0].message


def test_a_file_that_mounts_itself_is_a_problem() -> None:
    tables = link_files({"src/lib.rs": "mod a;", "src/a.rs": '#[path = "a.rs"] mod a;'})
    assert [problem.message for problem in tables.problems] == ["the file src/a.rs mounts itself"]


def test_test_code_is_known_across_files() -> None:
    tables = link_files(
        {
            "src/lib.rs": "#[cfg(test)] mod helpers; #[test] fn t() {} fn f() {}",
            "src/helpers.rs": "pub fn help() {}",
            "tests/whole.rs": "fn in_tests() {}",
        }
    )
    tests = {one.name: one.test for one in tables.functions}
    assert tests == {"help": True, "t": True, "f": False, "in_tests": True}


def test_test_attributes_of_frameworks_are_known() -> None:
    tables = link_text("#[tokio::test] async fn a() {} #[rstest] fn b() {} #[cfg_attr(unix, test)] fn c() {}")
    assert all(one.test for one in tables.functions)


def test_cfg_switches_items_off() -> None:
    tables = link_text(
        """
        #[cfg(windows)] fn a() {}
        #[cfg(all(unix, feature = "x"))] fn b() {}
        #[cfg(not(feature = "x"))] fn c() {}
        #[cfg(any(windows, target_os = "linux"))] fn d() {}
        #[cfg(tokio_unstable)] fn e() {}
        """
    )
    assert [one.name for one in tables.functions if one.active] == ["b", "d"]


def test_of_two_definitions_the_compiled_one_has_the_name() -> None:
    tables = link_text(
        """
        #[cfg(windows)] mod sys { pub fn f() {} }
        #[cfg(unix)] mod sys { pub fn g() {} }
        #[cfg(test)] fn pick() {}
        #[cfg(not(test))] fn pick() {}
        """
    )
    assert named(tables, "app", "sys::g") == "function app::sys::g"
    assert named(tables, "app", "sys::f") is None
    found = tables.resolve(0, ("pick",), "value")
    assert found is not None and found.id is not None and not tables.functions[found.id].test


def test_methods_are_named_by_their_type_wherever_the_impl_stands() -> None:
    tables = link_text(
        """
        pub mod kinds { pub struct Kind<T>(T); }
        mod impls {
            use super::kinds::Kind;
            impl<T> Kind<T> { fn new() {} }
            impl<T> Clone for Kind<T> { fn clone(&self) -> Self { loop {} } }
            impl super::Work for Vec<u8> { fn work(&self) {} }
            impl super::Work for &str { fn work(&self) {} }
        }
        trait Work { fn work(&self); fn twice(&self) { self.work() } }
        """
    )
    assert paths(tables) == [
        "app::Work::twice",
        "app::Work::work",
        "app::impls::&str::work",
        "app::kinds::Kind::clone",
        "app::kinds::Kind::new",
        "std::vec::Vec::work",
    ]
    work = tables.traits[0]
    assert sorted(work.methods) == ["twice", "work"] and len(work.impls) == 2


def test_items_in_bodies_stand_in_the_module_of_their_block() -> None:
    tables = link_text(
        """
        fn outer() {
            fn inner() {}
            { struct Local; impl Local { fn go(&self) {} } }
        }
        """
    )
    assert paths(tables) == ["app::outer", "app::outer::Local::go", "app::outer::inner"]
    outer, inner = function(tables, "app::outer"), function(tables, "app::outer::inner")
    assert inner.parent == outer.id
    assert tables.resolve(outer.module, ("inner",), "value") is None
    assert tables.resolve(tables.body_module(outer.id), ("inner",), "value") is not None


def test_the_order_of_the_files_changes_nothing() -> None:
    files = {
        "src/lib.rs": "mod a; mod b;",
        "src/a.rs": "pub fn f() {}",
        "src/b.rs": "pub use crate::a::f;",
        "src/lost.rs": "fn g() {}",
    }
    one = link_files(files)
    other = link_files(dict(reversed(files.items())))
    assert [f.path for f in one.functions] == [f.path for f in other.functions]


def test_positions_are_those_of_the_name() -> None:
    tables = link_text("\n    /// Documented.\n    pub fn f() {}\n")
    assert (tables.functions[0].position.line, tables.functions[0].position.column) == (3, 12)


def test_a_file_can_switch_itself_off() -> None:
    files = {"src/a.rs": "#![cfg(test)] fn f() {}", "src/b.rs": "#![cfg(windows)] fn g() {}"}
    tables = link_files({"src/lib.rs": "mod a; mod b;", **files})
    assert [(one.name, one.test, one.active) for one in tables.functions] == [
        ("f", True, True),
        ("g", False, False),
    ]


def test_cfg_names_that_the_build_script_sets_are_on() -> None:
    tables = link_files(
        {
            "build.rs": 'fn main() { println!("cargo:rustc-cfg=simd"); println!("cargo:rustc-cfg=no_atomics"); }',
            "src/lib.rs": "#[cfg(simd)] fn a() {} #[cfg(no_atomics)] fn b() {} #[cfg(other)] fn c() {}",
        }
    )
    assert [one.name for one in tables.functions if one.active and one.name != "main"] == ["a"]


def test_an_included_file_is_beside_the_file_that_names_it_even_in_an_inline_module() -> None:
    tables = link_files(
        {
            "src/lib.rs": 'mod a; mod m { include!("part.rs"); }',
            "src/part.rs": "fn f() { super::g() }",
            "src/a.rs": 'mod n { include!("a/deep.rs"); }',
            "src/a/deep.rs": 'include!("more.rs");',
            "src/a/more.rs": "fn h() {}",
        }
    )
    assert paths(tables) == ["app::a::n::h", "app::m::f"]
