"""Which function a call runs, and how that is known."""

from __future__ import annotations

import re

import pytest

from calling import called, called_in, calls_of, judged_in, reached
from inroads.resolve.judge import judge
from linking import link_files, link_text

TRAIT = """
pub trait Speak { fn speak(&self) { self.word(); } fn word(&self); }
pub struct Dog; impl Speak for Dog { fn word(&self) {} }
pub struct Cat; impl Speak for Cat { fn speak(&self) {} fn word(&self) {} }
"""
ANY_WORD = "Speak::word | Dog::word | Cat::word trait"


def test_an_inherent_method_comes_before_a_traits() -> None:
    assert called(TRAIT + "impl Dog { fn word(&self) {} } fn f(d: Dog) { d.word(); }") == ["Dog::word exact"]


def test_a_trait_method_on_a_known_type_is_the_impls() -> None:
    assert called(TRAIT + "fn f(c: &Cat) { c.word(); }") == ["Cat::word exact"]


def test_a_method_that_the_impl_leaves_out_is_the_default_body() -> None:
    assert called(TRAIT + "fn f(d: &Dog) { d.speak(); }") == ["Speak::speak exact"]


@pytest.mark.parametrize(
    "text",
    [
        "fn f<T: Speak>(t: T) { t.word(); }",
        "fn f<T>(t: &T) where T: Speak { t.word(); }",
        "fn f(t: impl Speak) { t.word(); }",
        "fn f(t: &dyn Speak) { t.word(); }",
        "fn f(t: Box<dyn Speak>) { t.word(); }",
        "fn f(t: Vec<Box<dyn Speak>>) { for t in &t { t.word(); } }",
        "trait Loud: Speak {} fn f<T: Loud>(t: T) { t.word(); }",
        "trait Loud: Speak {} fn f(t: &dyn Loud) { t.word(); }",
        "trait Owner { type Pet: Speak; fn pet(&self) -> Self::Pet; } fn f<O: Owner>(o: O) { o.pet().word(); }",
        "fn f<T: Speak>(t: T) { T::word(&t); }",
        "fn f<T: Speak>(t: T) { <T as Speak>::word(&t); }",
        "fn f<T: Speak>(t: T) { Speak::word(&t); }",
        "struct P<T>(T); impl<T: Speak> P<T> { fn g(&self) { self.0.word(); } } fn f(p: P<Dog>) { p.0.word(); }",
    ],
)
def test_a_bounded_receiver_may_be_any_impl(text: str) -> None:
    name = "P::g" if "P<T>" in text else "f"
    assert called(TRAIT + text, name)[-1] == ANY_WORD


def test_self_in_a_default_body_may_be_any_impl() -> None:
    assert called(TRAIT, "Speak::speak") == [ANY_WORD]


@pytest.mark.parametrize(
    "call",
    [
        "Speak::word(&c)",
        "Cat::word(&c)",
        "<Cat as Speak>::word(&c)",
        "<Cat>::word(&c)",
        "crate::Speak::word(&c)",
    ],
)
def test_a_path_with_a_known_type_is_its_impl(call: str) -> None:
    assert called(TRAIT + f"fn f(c: Cat) {{ {call}; }}") == ["Cat::word exact"]


def test_an_impl_of_test_code_is_no_callee_outside_of_tests() -> None:
    text = "#[cfg(test)] struct Fake; #[cfg(test)] impl Speak for Fake { fn word(&self) {} } fn f(t: &dyn Speak) { t.word(); }"
    assert called(TRAIT + text) == [ANY_WORD]


def test_an_impl_of_test_code_is_a_callee_of_tests() -> None:
    text = "#[cfg(test)] mod t { use super::*; struct Fake; impl Speak for Fake { fn word(&self) {} } fn f(t: &dyn Speak) { t.word(); } }"
    assert "t::Fake::word" in called(TRAIT + text, "t::f")[0]


def test_what_cfg_switches_off_is_no_callee() -> None:
    text = "#[cfg(windows)] struct Pig; #[cfg(windows)] impl Speak for Pig { fn word(&self) {} } fn f(t: &dyn Speak) { t.word(); }"
    assert called(TRAIT + text) == [ANY_WORD]


def test_a_trait_that_is_not_in_scope_gives_no_method() -> None:
    text = "mod a { pub trait Hop { fn go(&self) {} } impl Hop for crate::Dog {} } impl Dog { fn go(self) {} } fn f(d: &Dog) { d.go(); }"
    assert called(TRAIT + text) == ["Dog::go exact"]


def test_a_trait_imported_without_a_name_is_in_scope() -> None:
    text = "mod a { pub trait Hop { fn go(&self) {} } impl Hop for crate::Dog {} } use a::Hop as _; fn f(d: Dog) { d.go(); }"
    assert called(TRAIT + text) == ["a::Hop::go exact"]


def test_a_blanket_impl_gives_its_method() -> None:
    text = "trait Hop { fn go(&self); } impl<T: Speak> Hop for T { fn go(&self) {} } fn f(d: Dog) { d.go(); }"
    assert [line.rpartition("::")[2] for line in called(TRAIT + text)] == ["go exact"]


def test_a_blanket_impl_whose_bound_does_not_hold_is_passed_over() -> None:
    text = """
    struct Inner; impl Inner { fn go(&self) {} } struct Rock(Inner);
    impl std::ops::Deref for Rock { type Target = Inner; fn deref(&self) -> &Inner { &self.0 } }
    trait Hop { fn go(&self); } impl<T: Speak> Hop for T { fn go(&self) {} } fn f(r: Rock) { r.go(); }
    """
    assert called(TRAIT + text) == ["Inner::go exact"]


def test_the_arguments_of_a_trait_choose_the_impl() -> None:
    text = "struct M; impl From<u8> for M { fn from(_: u8) -> M { M } } impl From<&str> for M { fn from(_: &str) -> M { M } }"
    tables = link_text(text + 'fn f() { M::from("x"); M::from(1u8); }')
    chosen = [
        tables.functions[target.function].impl
        for call in calls_of(judged_in(tables, "app::f"))
        for target in call.targets
        if target.function is not None
    ]
    assert chosen == [1, 0]


def test_a_method_by_value_on_a_reference_is_found() -> None:
    text = "trait Take { fn take_it(self); } impl Take for &Dog { fn take_it(self) {} } fn f(d: Dog) { d.take_it(); (&d).take_it(); }"
    assert len(called(TRAIT + text)) == 2


@pytest.mark.parametrize(
    ("inherent", "trait", "expected"),
    [
        ("&self", "self", "Go::go"),
        ("&mut self", "&self", "Go::go"),
        ("&self", "&self", "Own::go"),
        ("self", "&self", "Own::go"),
        ("&self", "&mut self", "Own::go"),
    ],
)
def test_how_a_method_takes_its_receiver_comes_before_whose_it_is(
    inherent: str, trait: str, expected: str
) -> None:
    text = f"""
    pub struct Own<T>(T); impl<T> Own<T> {{ fn go({inherent}) {{}} }}
    mod away {{ pub trait Go {{ fn go({trait}) {{}} }} impl<T> Go for crate::Own<T> {{}} }}
    mod seeing {{ use crate::away::Go; use crate::Own; fn f(mut o: Own<u8>) {{ o.go(); }} }}
    mod blind {{ use crate::Own; fn g(mut o: Own<u8>) {{ o.go(); }} }}
    """
    assert called(text, "blind::g") == ["Own::go exact"]
    seen = called(text, "seeing::f")
    assert seen[0].replace("away::", "") == f"{expected} exact"


def test_arguments_of_a_type_choose_among_its_inherent_impls() -> None:
    text = """
    pub struct P<T>(T); impl P<u8> { fn go(&self) {} } impl P<u16> { fn go(&self) {} }
    pub trait Big {} impl Big for u32 {} impl<T: Big> P<T> { fn only(&self) {} }
    fn f(a: P<u16>, b: P<u8>, c: P<u32>, d: P<u8>) { a.go(); b.go(); c.only(); d.only(); }
    """
    assert len(set(called(text))) == 3


def test_a_typed_self_is_found() -> None:
    text = "use std::{rc::Rc, pin::Pin}; impl Dog { fn a(self: Rc<Self>) {} fn b(self: Pin<&mut Self>) {} fn c(self: &Rc<Self>) {} } fn f(r: Rc<Dog>, p: Pin<&mut Dog>) { r.c(); r.a(); p.b(); }"
    assert called(TRAIT + text) == ["Dog::c exact", "Dog::a exact", "Dog::b exact"]


def test_functions_are_called_by_all_kinds_of_paths() -> None:
    text = """
    pub mod a { pub fn one() {} pub mod b { pub fn two() { super::one(); self::three(); crate::a::one(); } pub fn three() {} } }
    use a::b::two as zwei; pub use a::*; use a::b;
    fn f() { zwei(); one(); b::three(); crate::a::one(); self::a::one(); fn inner() {} inner(); }
    """
    assert called(text) == [
        *(
            "a::b::two exact",
            "a::one exact",
            "a::b::three exact",
            "a::one exact",
            "a::one exact",
            "f::inner exact",
        ),
    ]
    assert called(text, "a::b::two") == ["a::one exact", "a::b::three exact", "a::one exact"]


def test_associated_functions_are_called_through_self_aliases_and_generics() -> None:
    text = "struct A<T>(T); type B = A<u8>; impl<T> A<T> { fn new() {} fn g() { Self::new(); A::<u8>::new(); } } fn f() { B::new(); A::<()>::new(); <A<u8>>::new(); }"
    assert called(text) == ["A::new exact"] * 3
    assert called(text, "A::g") == ["A::new exact"] * 2


def test_a_function_as_a_value_is_named() -> None:
    text = "struct A; impl A { fn go(&self) -> u8 { 1 } fn all(v: &[A]) { v.iter().map(Self::go).count(); } } fn h() {} fn f() { let g = h; let t = [h as fn()]; }"
    assert called(text) == ["h fn-value"] * 2
    assert called(text, "A::all") == ["A::go fn-value"]


def test_a_function_that_a_variable_holds_is_called() -> None:
    assert called("fn h() {} fn f() { let g = h; g(); }") == ["h fn-value"] * 2


def test_a_call_in_an_argument_of_a_macro_is_seen() -> None:
    text = 'fn h() -> u8 { 1 } fn f() { println!("{}", h()); let v = vec![h()]; assert_eq!(h(), 1); format!("{x}", x = h()); }'
    assert called(text) == ["h exact"] * 4


def test_a_call_in_a_macro_of_the_workspace_is_seen() -> None:
    assert (
        called("fn h() {} macro_rules! go { ($e:expr) => { { h(); $e } } } fn f() { go!(h()); }")
        == ["h exact"] * 2
    )


def test_an_operator_calls_its_impl() -> None:
    text = """
    use std::ops::*; #[derive(Clone, Copy)] struct N;
    impl Add for N { type Output = N; fn add(self, _: N) -> N { N } } impl Neg for N { type Output = N; fn neg(self) -> N { N } }
    impl AddAssign for N { fn add_assign(&mut self, _: N) {} } impl PartialEq for N { fn eq(&self, _: &N) -> bool { true } }
    impl Index<u8> for N { type Output = N; fn index(&self, _: u8) -> &N { self } }
    fn f(mut a: N, b: N) { a + b; -a; a += b; a == b; &a[0]; }
    """
    assert called(text) == [f"N::{name} exact" for name in ("add", "neg", "add_assign", "eq", "index")]


def test_what_is_written_is_dereferenced_mutably() -> None:
    text = """
    use std::ops::*; struct P(u8); impl Deref for P { type Target = u8; fn deref(&self) -> &u8 { &self.0 } }
    impl DerefMut for P { fn deref_mut(&mut self) -> &mut u8 { &mut self.0 } } fn f(mut p: P) { *p = 1; let x = *p; }
    """
    assert called(text) == ["P::deref_mut exact", "P::deref exact"]


def test_names_from_outside_keep_their_path() -> None:
    text = """
    use std::fs::{self, File}; use std::io::Write; use std::collections::HashMap;
    fn f<W: Write>(mut w: W, mut v: Vec<u8>, mut m: HashMap<u8, u8>) {
        fs::rename("a", "b"); File::open("x"); v.push(1); w.flush(); m.insert(1, 2); wire::send(g()); Some(1).map(h);
    }
    async fn g() {} fn h(x: u8) {}
    """
    paths = reached(text)
    for path in ("std::fs::rename", "std::fs::File::open", "std::vec::Vec::push", "std::io::Write::flush"):
        assert path in paths
    assert "wire::send" in paths
    assert "std::option::Option::map" in paths
    assert any(path.endswith("HashMap::insert") for path in paths)


def test_a_trait_from_outside_runs_the_impl_of_a_known_type() -> None:
    text = "struct I; impl Iterator for I { type Item = u8; fn next(&mut self) -> Option<u8> { None } } fn f(mut i: I) { i.next(); i.count(); }"
    assert called(text) == ["I::next exact"]


def test_a_trait_that_nobody_described_is_known_by_its_impls() -> None:
    text = """
    use wire::Encode; struct A; struct B; struct Out;
    impl Encode for A { fn encode(&self, out: &mut Out) { B.encode(out); } } impl Encode for B { fn encode(&self, out: &mut Out) {} }
    fn f<E: Encode>(e: E, out: &mut Out) { e.encode(out); Encode::encode(&A, out); }
    """
    assert called(text, "A::encode") == ["B::encode exact"]
    assert called(text) == ["A::encode | B::encode trait", "A::encode exact"]


def test_an_unknown_receiver_is_guessed_by_name_where_few_fit() -> None:
    text = "struct A; impl A { fn sharpen(&self, n: u8) {} } struct B; impl B { fn sharpen(&self) {} } fn f(x: wire::Thing) { x.get_it().sharpen(1); }"
    assert called(text) == ["A::sharpen by-name"]


def test_what_hands_on_to_something_unknown_is_not_guessed_to_call_itself() -> None:
    text = """
    struct A { inner: wire::Thing } impl A { fn sharpen(&self) { self.inner.get_it().sharpen(); } }
    struct B; impl B { fn sharpen(&self) {} }
    """
    assert called(text, "A::sharpen") == ["B::sharpen by-name"]


def test_no_guess_is_made_for_a_name_that_everybody_has() -> None:
    text = "struct A; impl A { fn push(&self, n: u8) {} } fn f(x: wire::Thing) { x.get_it().push(1); }"
    assert called(text) == []


def test_a_guess_stays_within_the_crates_that_are_depended_on() -> None:
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n',
        "a/Cargo.toml": '[package]\nname = "a"\nedition = "2021"\n',
        "a/src/lib.rs": "fn f(x: wire::Thing) { x.get_it().sharpen(); }",
        "b/Cargo.toml": '[package]\nname = "b"\nedition = "2021"\n',
        "b/src/lib.rs": "pub struct B; impl B { pub fn sharpen(&self) {} }",
    }
    assert called_in(files, "a::f") == []


def test_code_that_is_switched_off_calls_what_is_switched_off() -> None:
    text = "#[cfg(windows)] mod w { pub struct A; impl A { fn go(&self) {} } fn f(a: A) { a.go(); } }"
    assert called(text, "w::f") == ["w::A::go exact"]


def test_when_a_closure_runs_is_told_by_the_callee() -> None:
    tables = link_text(
        "fn f(x: Option<u8>) { x.map(|n| n); x.unwrap_or_else(|| 1); std::thread::spawn(|| 2); }"
    )
    words = [word for call in calls_of(judged_in(tables, "app::f")) for _, word in call.closures]
    assert words == ["some", "none", "spawned"]


LIBRARY = """
pub struct Ledger { entries: Vec<Entry>, index: Index } pub struct Entry { amount: Money } pub struct Money(i64);
pub struct Index { places: std::collections::HashMap<u64, usize> }
impl Money { pub fn add(&self, other: &Money) -> Money { Money(self.0 + other.0) } pub fn zero() -> Money { Money(0) } pub fn show(&self) -> String { String::new() } }
impl Entry { pub fn amount(&self) -> &Money { &self.amount } pub fn describe(&self) -> String { self.amount().show() } }
impl Index { pub fn place(&self, id: u64) -> Option<usize> { self.places.get(&id).copied() } pub fn enter(&mut self, id: u64, at: usize) { self.places.insert(id, at); } }
impl Ledger {
    pub fn total(&self) -> Money { self.entries.iter().fold(Money::zero(), |sum, entry| sum.add(entry.amount())) }
    pub fn find(&self, id: u64) -> Option<&Entry> { self.index.place(id).and_then(|at| self.entries.get(at)) }
    pub fn put(&mut self, id: u64, entry: Entry) { self.index.enter(id, self.entries.len()); self.entries.push(entry); }
    pub fn report(&self) -> Vec<String> { let mut lines = Vec::new(); for entry in &self.entries { lines.push(entry.describe()); } lines.push(self.total().show()); lines }
    pub fn look(&self, id: u64) -> String { match self.find(id) { Some(entry) => entry.describe(), None => Money::zero().show() } }
}
"""


def test_names_do_not_matter_where_types_are_known() -> None:
    def certain(text: str) -> list[tuple[int, int]]:
        tables = link_text(text)
        return [
            (one.id, target.function)
            for one in tables.functions
            for call in calls_of(judge(tables, one.id))
            if call.how != "by-name"
            for target in call.targets
            if target.function is not None
        ]

    own = re.findall(r"fn (\w+)", LIBRARY)
    renamed = LIBRARY
    for at, name in enumerate(own):
        # One of three names for each method, and never one twice for a type.
        renamed = re.sub(rf"\b{name}(?=\()", f"{('get', 'push', 'len')[at % 3]}{at // 3}", renamed)
    before, after = certain(LIBRARY), certain(renamed)
    assert len(before) == 14
    assert after == before


def test_an_import_of_another_crate_is_followed() -> None:
    tables = link_files(
        {
            "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n',
            "a/Cargo.toml": '[package]\nname = "a"\nedition = "2021"\n[dependencies]\nb = { path = "../b" }\n',
            "a/src/lib.rs": "use b::prelude::*; fn f(t: Tool) { t.work(); make().work(); }",
            "b/Cargo.toml": '[package]\nname = "b"\nedition = "2021"\n',
            "b/src/lib.rs": "mod inner { pub struct Tool; pub fn make() -> Tool { Tool } } pub mod prelude { pub use crate::{inner::*, Work}; } pub trait Work { fn work(&self); } impl Work for inner::Tool { fn work(&self) {} }",
        }
    )
    targets = [target.path for call in calls_of(judged_in(tables, "a::f")) for target in call.targets]
    assert targets == ["b::inner::Tool::work", "b::inner::make", "b::inner::Tool::work"]


def test_a_trait_from_outside_with_parameters_bounds_a_receiver_without_them() -> None:
    text = """
    pub struct Log; impl other::Layer<Inner> for Log { fn enter(&self) {} }
    fn f<L: other::Layer>(layer: L) { layer.enter(); }
    """
    judged = judged_in(link_text(text), "app::f")
    assert [call.how for call in calls_of(judged)] == ["trait"]


def test_an_associated_type_in_a_bound_rules_impls_out() -> None:
    text = """
    pub struct A; pub struct B;
    pub struct OfA; impl Iterator for OfA { type Item = A; fn next(&mut self) -> Option<A> { None } }
    pub struct OfB; impl Iterator for OfB { type Item = B; fn next(&mut self) -> Option<B> { None } }
    pub struct Of<T>(T); impl<T> Iterator for Of<T> { type Item = T; fn next(&mut self) -> Option<T> { None } }
    """
    any_of_b = ["OfB::next | Of::next trait"]
    assert called(text + "fn f(mut i: impl Iterator<Item = B>) { i.next(); }") == any_of_b
    assert called(text + "fn f<I: Iterator<Item = B>>(mut i: I) { i.next(); }") == any_of_b
    assert called(text + "fn f(i: &mut dyn Iterator<Item = B>) { i.next(); }") == any_of_b
    assert called(text + "fn f<T>(i: &mut dyn Iterator<Item = T>) { i.next(); }") == [
        "OfA::next | OfB::next | Of::next trait"
    ]


def test_what_takes_another_number_of_arguments_is_not_what_is_called() -> None:
    text = """
    pub trait Find { fn find(&self, in_: &[u8], from: usize) {} }
    impl<'a, F: Find> Find for &'a F { fn find(&self, in_: &[u8], from: usize) {} }
    pub struct Own { inner: other::Regex }
    """
    one = called(text + 'fn f(own: &Own) { own.inner.find(b"a"); }')
    two = called(text + 'fn f(own: &Own) { own.inner.find(b"a", 1); }')
    assert not any("Find::find" in found for found in one)
    assert any("find" in found for found in two)
