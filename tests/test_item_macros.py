"""Macro calls in item position: own ones expanded, others read as far as they show items."""

from __future__ import annotations

from calling import judged_in, shown
from linking import function, link_files, link_text, named, paths


def test_an_item_macro_gives_functions_where_their_tokens_were_written() -> None:
    tables = link_text(
        """
macro_rules! cfg_rt { ($($item:item)*) => { $( #[cfg(feature = "rt")] $item )* } }
cfg_rt! {
    /// Documented.
    pub fn written_here() {}
}
"""
    )
    place = function(tables, "app::written_here").position
    assert (place.line, place.column) == (5, 12)


def test_what_the_body_writes_stands_in_the_definition() -> None:
    tables = link_text("macro_rules! m { ($t:ty) => { impl $t { fn made(&self) {} } } }\nstruct S;\nm!(S);")
    assert function(tables, "app::S::made").position.line == 1


def test_modules_declared_by_macros_are_mounted() -> None:
    tables = link_files(
        {
            "src/lib.rs": "macro_rules! pick { ($($i:item)*) => { $($i)* } } pick! { mod a; pub use a::f; }",
            "src/a.rs": "pub fn f() {}",
        }
    )
    assert named(tables, "app", "f") == "function app::a::f"


def test_textual_scope_ends_with_its_module_unless_macro_use() -> None:
    tables = link_text(
        """
        mod a { macro_rules! inside { () => { fn wrong() {} } } }
        #[macro_use] mod b { macro_rules! kept { () => { fn right() {} } } }
        kept!();
        inside!();
        """
    )
    assert paths(tables) == ["app::right"]


def test_textual_scope_reaches_into_files_that_come_after() -> None:
    tables = link_files(
        {
            "src/lib.rs": "mod before; macro_rules! m { ($n:ident) => { fn $n() {} } } mod after;",
            "src/before.rs": "m!(early);",
            "src/after.rs": "m!(late);",
        }
    )
    assert paths(tables) == ["app::after::late"]


def test_the_last_definition_before_the_call_counts() -> None:
    tables = link_text(
        """
        macro_rules! m { () => { fn one() {} } }
        m!();
        macro_rules! m { () => { fn two() {} } }
        m!();
        """
    )
    assert paths(tables) == ["app::one", "app::two"]


def test_exported_macros_are_called_by_path_from_other_crates() -> None:
    tables = link_files(
        {
            "src/lib.rs": (
                "pub mod deep { #[macro_export] macro_rules! make {"
                " ($n:ident) => { fn $n() { $crate::help() } } } } pub fn help() {}"
            ),
            "src/main.rs": "app::make!(one); use app::make as mk; mk!(two);",
        }
    )
    assert paths(tables) == ["app::help", "app::one", "app::two"]


def test_a_macro_that_is_used_by_name_has_a_path() -> None:
    tables = link_text(
        """
        mod a { macro_rules! m { ($n:ident) => { fn $n() {} } } pub(crate) use m; }
        mod b { use crate::a::m; m!(one); crate::a::m!(two); }
        """
    )
    assert paths(tables) == ["app::b::one", "app::b::two"]


def test_macros_that_define_macros() -> None:
    tables = link_text(
        """
        macro_rules! outer { ($name:ident) => { macro_rules! $name { ($f:ident) => { fn $f() {} } } } }
        outer!(inner);
        inner!(made);
        """
    )
    assert paths(tables) == ["app::made"]


def test_macros_that_work_through_their_tokens_end() -> None:
    names = " ".join(f"f{index}" for index in range(200))
    tables = link_text(
        "macro_rules! each { (@done $($f:ident)*) => { $(fn $f() {})* };"
        " (@go [$($done:ident)*] $next:ident $($rest:ident)*) => { each!(@go [$($done)* $next] $($rest)*); };"
        " (@go [$($done:ident)*]) => { each!(@done $($done)*); }; }"
        f" each!(@go [] {names});"
    )
    assert len(tables.functions) == 200 and tables.problems == []
    assert tables.functions[7].position == min(tables.functions[7].position, tables.functions[8].position)


def test_a_macro_without_end_is_a_problem() -> None:
    tables = link_text("macro_rules! m { ($($t:tt)*) => { m!($($t)* x); } }\nm!(a);")
    assert [(one.line, one.message) for one in tables.problems] == [
        (2, "m! was not expanded: it goes too deep")
    ]
    tables = link_text("macro_rules! m { () => { fn f() {} m!(); } }\nm!();")
    assert "it goes too deep" in tables.problems[0].message


def test_an_own_macro_that_does_not_match_is_a_problem_with_its_reason() -> None:
    tables = link_text("macro_rules! m { (a) => {} }\nm!(b);\nm!(c);")
    assert [(one.line, one.message) for one in tables.problems] == [
        (2, "m! was not expanded: no rule matches (here and at 1 other place)")
    ]


def test_methods_made_inside_an_impl() -> None:
    tables = link_text(
        "macro_rules! forward { ($($n:ident),*) => { $( fn $n(&self) { self.inner.$n() } )* } }"
        " struct S; impl S { forward!(a, b); } trait T { forward!(c); }"
    )
    assert paths(tables) == ["app::S::a", "app::S::b", "app::T::c"]
    assert sorted(tables.impls[0].methods) == ["a", "b"] and sorted(tables.traits[0].methods) == ["c"]


def test_associated_types_made_inside_an_impl() -> None:
    tables = link_text(
        "trait Make { type Out; fn make(&self) -> Self::Out; } struct A; struct B; impl B { fn go(&self) {} }"
        " macro_rules! made { ($t:ty, $v:expr) => { type Out = $t; fn make(&self) -> Self::Out { $v } } }"
        " impl Make for A { made!(B, B); }"
        " fn f(a: &A) { a.make().go() }"
    )
    calls = shown(judged_in(tables, "app::f"))
    assert calls == ["A::make exact", "B::go exact"]


def test_impls_for_many_types() -> None:
    tables = link_text(
        "trait Size { fn size() -> usize; }"
        " macro_rules! sizes { ($($t:ty => $n:expr),* $(,)?) => {"
        " $( impl Size for $t { fn size() -> usize { $n } } )* } }"
        " sizes! { u8 => 1, Vec<u8> => 2, }"
    )
    assert [impl.head for impl in tables.impls] == ["u8", "std::vec::Vec"]
    assert tables.impls_of_trait == {"app::Size": [0, 1]}


def test_items_in_macros_from_outside_are_seen() -> None:
    tables = link_text(
        """
        thread_local! { static LOCAL: u32 = start(); }
        lazy_static! { static ref LAZY: u32 = start(); }
        some::wrapper! { fn wrapped() {} }
        """
    )
    assert sorted(constant.name for constant in tables.constants) == ["LAZY", "LOCAL"]
    assert paths(tables) == ["app::wrapped"]
    assert tables.notes == []


def test_what_bitflags_declares_is_a_type_with_constants_and_operators() -> None:
    tables = link_text(
        """
        bitflags::bitflags! {
            /// As in `é`: of the kernel.
            #[repr(C)]
            pub struct Flags: ::std::os::raw::c_int { const A = 1; const B = Self::A.bits(); const _ = !0; }
            impl Other: u8 { const C=2; }
        }
        impl Flags { fn go(&self) {} }
        pub struct Other;
        impl Other { fn go(&self) {} }
        fn f(x: Flags) { Flags::A.go(); (x | Flags::B).go(); Other::C.go(); }
        """
    )
    assert shown(judged_in(tables, "app::f")) == ["Flags::go exact", "Flags::go exact", "Other::go exact"]
    constant = next(one for one in tables.constants if one.name == "B")
    place = tables.position(constant.source, constant.item.head.name_at)
    assert (place.line, place.column) == (5, 74)


def test_of_the_arms_of_cfg_if_one_is_compiled() -> None:
    tables = link_text(
        """
        cfg_if::cfg_if! {
            if #[cfg(windows)] { mod sys { pub fn w() {} } }
            else if #[cfg(unix)] { mod sys { pub fn u() {} } }
            else { mod sys { pub fn o() {} } }
        }
        """
    )
    assert named(tables, "app", "sys::u") == "function app::sys::u"
    assert [one.name for one in tables.functions if one.active] == ["u"]


def test_what_cannot_be_read_as_items_is_noted() -> None:
    tables = link_text("proptest! {\n fn t(x in 0..9) {} }\nproptest! { fn u(x in 0..9) {} }")
    assert [(note.kind, note.line) for note in tables.notes] == [("blind", 1)]
    assert "proptest!" in tables.notes[0].message and "1 other place" in tables.notes[0].message


def test_include_of_a_literal_path_walks_that_file() -> None:
    tables = link_files(
        {
            "src/lib.rs": 'include!("parts/more.rs"); m!();',
            "src/parts/more.rs": "macro_rules! m { () => { fn f() {} } }",
        }
    )
    assert paths(tables) == ["app::f"]
    tables = link_text('include!(concat!(env!("OUT_DIR"), "/gen.rs"));')
    assert [note.kind for note in tables.notes] == ["blind"]


def test_modules_of_an_included_file_stand_beside_it() -> None:
    tables = link_files(
        {
            "src/lib.rs": 'mod proto { include!("generated/all.rs"); }',
            "src/generated/all.rs": 'pub mod a; #[path = "bb.rs"] pub mod b; pub mod c { pub mod d; }',
            "src/generated/a.rs": "pub fn f() {}",
            "src/generated/bb.rs": "pub fn f() {}",
            "src/generated/c/d.rs": "pub fn f() {}",
        }
    )
    assert paths(tables) == ["app::proto::a::f", "app::proto::b::f", "app::proto::c::d::f"]
    assert tables.problems == []


def test_an_own_macro_with_the_name_of_a_known_one_is_the_own() -> None:
    tables = link_text(
        "macro_rules! thread_local { ($($t:tt)*) => { fn own() {} } } thread_local! { static X: u8 = 1; }"
    )
    assert paths(tables) == ["app::own"]


def test_words_after_a_taken_apart_doc_comment_stay_apart() -> None:
    tables = link_text(
        """
        macro_rules! rest { ([$($done:tt)*]) => { $($done)* }; ([$($done:tt)*] @skip $_x:tt $($t:tt)*) => {
            rest!([$($done)*] $($t)*);
        }; ([$($done:tt)*] $one:tt $($t:tt)*) => { rest!([$($done)* $one] $($t)*); } }
        macro_rules! outer { ($($t:tt)*) => { pub trait Walk { rest!([] $($t)*); } } }
        outer! { @skip [x] /// documented
            fn step(&self) -> u32; }
        """
    )
    assert "app::Walk::step" in paths(tables)


def test_macros_that_call_each_other_many_times_end_as_a_problem() -> None:
    calls = "next!();" * 8
    tables = link_text(
        f"macro_rules! one {{ () => {{ {calls.replace('next', 'two')} }} }}\n"
        f"macro_rules! two {{ () => {{ {calls.replace('next', 'one')} }} }}\none!(); fn after() {{}}"
    )
    assert "app::after" in paths(tables)
    assert any("goes too deep" in problem.message for problem in tables.problems)
    assert len(tables.sources) < 10_000
