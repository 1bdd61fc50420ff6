"""The types of expressions, told by the methods that they have."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet

from calling import called, called_in

TOOLS = """
pub struct Saw { pub teeth: u32 }
impl Saw { pub fn new() -> Saw { Saw { teeth: 1 } } pub fn cut(&self) -> Log { Log } }
pub struct Log;
impl Log { pub fn roll(&self) {} }
pub struct Axe;
impl Axe { pub fn cut(&self) {} pub fn roll(&self) {} }
"""
CUT = ["Saw::cut exact"]


def cases(*pairs: tuple[str, str]) -> list[ParameterSet]:
    """Snippets, each called by what it shows."""
    return [pytest.param(text, id=claim) for claim, text in pairs]


@pytest.mark.parametrize(
    "text",
    cases(
        ("a parameter", "fn f(saw: &Saw) { saw.cut(); }"),
        ("a mutable parameter", "fn f(saw: &mut Saw) { saw.cut(); }"),
        ("a parameter taken apart", "fn f((saw, _): (Saw, Axe)) { saw.cut(); }"),
        ("a let with a type", "fn f(x: Any) { let saw: Saw = x.into(); saw.cut(); }"),
        ("a struct literal", "fn f() { let saw = Saw { teeth: 2 }; saw.cut(); }"),
        ("a field", "struct Box2 { saw: Saw } fn f(b: Box2) { b.saw.cut(); }"),
        ("a field of a field", "struct A { b: B } struct B { saw: Saw } fn f(a: &A) { a.b.saw.cut(); }"),
        ("a field of a tuple", "fn f(pair: (Axe, Saw)) { pair.1.cut(); }"),
        ("a field of a tuple struct", "struct W(Saw); fn f(w: W) { w.0.cut(); }"),
        ("a static", "static SAW: Saw = Saw { teeth: 1 }; fn f() { SAW.cut(); }"),
        ("a constant", "const SAW: Saw = Saw { teeth: 1 }; fn f() { SAW.cut(); }"),
        ("an associated constant", "impl Axe { const S: Saw = Saw { teeth: 1 }; } fn f() { Axe::S.cut(); }"),
        ("a boxed value", "fn f(saw: Box<Saw>) { saw.cut(); }"),
        ("a shared value", "use std::{rc::Rc, sync::Arc}; fn f(saw: Rc<Arc<Saw>>) { saw.cut(); }"),
        ("a RefCell's value", "use std::cell::RefCell; fn f(s: RefCell<Saw>) { s.borrow_mut().cut(); }"),
        ("a Mutex's value", "use std::sync::Mutex; fn f(s: &Mutex<Saw>) { s.lock().unwrap().cut(); }"),
        ("a RwLock's value", "use std::sync::RwLock; fn f(s: &RwLock<Saw>) { s.read().unwrap().cut(); }"),
        ("an Option's value", "fn f(saw: Option<Saw>) { saw.unwrap().cut(); }"),
        ("an Option by reference", "fn f(saw: &Option<Saw>) { saw.as_ref().unwrap().cut(); }"),
        ("a Result's value", 'fn f(saw: Result<Saw, Axe>) { saw.expect("one").cut(); }'),
        ("a question mark", "fn f(saw: Option<Saw>) -> Option<()> { saw?.cut(); None }"),
        ("an if let", "fn f(saw: Option<Saw>) { if let Some(s) = saw { s.cut(); } }"),
        ("an if let chain", "fn f(s: Option<Saw>, b: bool) { if b && let Some(s) = &s && b { s.cut(); } }"),
        ("a let else", "fn f(saw: Option<Saw>) { let Some(s) = saw else { return }; s.cut(); }"),
        ("a while let", "fn f(mut v: Vec<Saw>) { while let Some(s) = v.pop() { s.cut(); } }"),
        ("a match arm", "fn f(s: Result<Saw, Axe>) { match s { Ok(s) => { s.cut(); } Err(_) => {} } }"),
        ("an enum's payload", "enum E { A(Saw), B } fn f(e: &E) { if let E::A(s) = e { s.cut(); } }"),
        (
            "an enum's named field",
            "enum E { A { saw: Saw } } fn f(e: E) { let E::A { saw } = e; saw.cut(); }",
        ),
        ("a renamed field", "struct B { saw: Saw } fn f(b: B) { let B { saw: s } = b; s.cut(); }"),
        ("an or-pattern", "enum E { A(Saw), B(Saw) } fn f(e: E) { let (E::A(s) | E::B(s)) = e; s.cut(); }"),
        (
            "a binding with a sub-pattern",
            "fn f(s: Option<Saw>) { if let x @ Some(_) = s { x.unwrap().cut(); } }",
        ),
        ("a slice pattern", "fn f(s: &[Saw]) { if let [first, ..] = s { first.cut(); } }"),
        ("a for loop", "fn f(saws: Vec<Saw>) { for s in &saws { s.cut(); } }"),
        ("an index", "fn f(saws: &[Saw]) { saws[0].cut(); }"),
        ("an index of a map", "use std::collections::HashMap; fn f(m: HashMap<u8, Saw>) { m[&1].cut(); }"),
        ("an array", "fn f() { let saws = [Saw::new()]; for s in saws { s.cut(); } }"),
        ("a vec!", "fn f() { let v = vec![Saw { teeth: 1 }]; v[0].cut(); }"),
        ("a tuple", "fn f(a: Axe, s: Saw) { let (_, s) = (a, s); s.cut(); }"),
        ("a block", "fn f(s: Saw) { ({ s }).cut(); }"),
        ("an if", "fn f(a: Saw, b: Saw, c: bool) { (if c { a } else { b }).cut(); }"),
        ("a match", "fn f(a: Saw, n: u8) { (match n { 0 => return, _ => a }).cut(); }"),
        ("a loop's value", "fn f(mut v: Vec<Saw>) { (loop { break v.pop().unwrap() }).cut(); }"),
        ("a labelled block", "fn f(a: Saw) { ('b: { break 'b a }).cut(); }"),
        (
            "a clone",
            "impl Clone for Saw { fn clone(&self) -> Saw { Saw { teeth: 0 } } } fn f(s: &Saw) { let t = s; t.cut(); }",
        ),
        ("a dereference", "fn f(s: &&Saw) { (**s).cut(); }"),
        ("a cast", "fn f(s: usize) { unsafe { (*(s as *const Saw)).cut(); } }"),
        ("a type alias", "type S = Saw; fn f(s: S) { s.cut(); }"),
        (
            "an alias with a parameter",
            "type R<T> = Result<T, Axe>; fn f(s: R<Saw>) { s.ok().unwrap().cut(); }",
        ),
        (
            "what is written later",
            "fn f() { let mut s = None; s = Some(Saw { teeth: 1 }); s.unwrap().cut(); }",
        ),
        ("a vector filled later", "fn f() { let mut v = Vec::new(); v.push(Saw { teeth: 1 }); v[0].cut(); }"),
        (
            "a collect with a type",
            "fn f(v: Vec<Saw>) { let w: Vec<_> = v.into_iter().collect(); w[0].cut(); }",
        ),
        ("a turbofish", "fn f(v: Vec<Saw>) { v.into_iter().collect::<Vec<_>>()[0].cut(); }"),
        (
            "a collect of results",
            "fn f(v: Vec<Result<Saw, u8>>) { let w = v.into_iter().collect::<Result<Vec<_>, _>>(); w.unwrap()[0].cut(); }",
        ),
        ("an async block", "async fn f(s: Saw) { let a = async { s }; a.await.cut(); }"),
        ("an argument of assert!", "fn f(s: Saw) { assert!(s.cut().is_ok()); }"),
        (
            "a field of a union",
            "union U { s: std::mem::ManuallyDrop<Saw> } fn f(u: U) { unsafe { u.s.cut(); } }",
        ),
    ),
)
def test_a_receiver_is_known_through(text: str) -> None:
    assert called(TOOLS + text)[-1:] == CUT


@pytest.mark.parametrize(
    "text",
    cases(
        ("map", "fn f(s: Option<Saw>) { s.map(|s| s.cut()); }"),
        ("and_then", "fn f(s: Option<Saw>) { s.and_then(|s| Some(s.cut())); }"),
        ("unwrap_or_else", "fn f(s: Result<u8, Saw>) { s.unwrap_or_else(|s| { s.cut(); 1 }); }"),
        ("map_err", "fn f(s: Result<u8, Saw>) { let _ = s.map_err(|s| s.cut()); }"),
        ("iter", "fn f(s: &[Saw]) { s.iter().for_each(|s| { s.cut(); }); }"),
        ("filter", "fn f(s: Vec<Saw>) { let _ = s.iter().filter(|s| { s.cut(); true }).count(); }"),
        ("enumerate", "fn f(s: Vec<Saw>) { for (_, s) in s.iter().enumerate() { s.cut(); } }"),
        ("zip", "fn f(a: Vec<Axe>, s: Vec<Saw>) { for (_, s) in a.iter().zip(s.iter()) { s.cut(); } }"),
        (
            "chain and rev",
            "fn f(a: Vec<Saw>, b: Vec<Saw>) { for s in a.iter().chain(&b).rev() { s.cut(); } }",
        ),
        (
            "flat_map",
            "fn f(v: Vec<Vec<Saw>>) { v.iter().flat_map(|v| v.iter()).for_each(|s| { s.cut(); }); }",
        ),
        ("fold", "fn f(v: Vec<Saw>) { v.iter().fold(0, |n, s| { s.cut(); n + 1 }); }"),
        (
            "the values of a map",
            "use std::collections::BTreeMap; fn f(m: &BTreeMap<u8, Saw>) { for s in m.values() { s.cut(); } }",
        ),
        (
            "an entry of a map",
            "use std::collections::HashMap; fn f(m: &mut HashMap<u8, Saw>, s: Saw) { m.entry(1).or_insert(s).cut(); }",
        ),
        ("sort_by_key", "fn f(v: &mut Vec<Saw>) { v.sort_by_key(|s| { s.cut(); 1 }); }"),
        ("an own function that takes Fn", "fn run(g: impl Fn(&Saw)) {} fn f() { run(|s| { s.cut(); }); }"),
        (
            "a bound in a where clause",
            "fn run<G>(g: G) where G: FnOnce(Saw) {} fn f() { run(|s| { s.cut(); }); }",
        ),
        ("a boxed Fn", "fn run(g: Box<dyn Fn(Saw)>) {} fn f() { run(Box::new(|s| { s.cut(); })); }"),
        ("a closure that is called", "fn f(s: Saw) { let g = |s| s; let s: Saw = g(s); s.cut(); }"),
        ("a closure's result", "fn f() { let g = || Saw { teeth: 1 }; g().cut(); }"),
        ("a function in a field", "struct W { make: fn() -> Saw } fn f(w: W) { (w.make)().cut(); }"),
        ("a parameter that is Fn", "fn f(g: impl Fn() -> Saw) { g().cut(); }"),
    ),
)
def test_a_closures_parameter_is_known_through(text: str) -> None:
    assert CUT[0] in called(TOOLS + text)


@pytest.mark.parametrize(
    "text",
    cases(
        ("a function's result", "fn make() -> Saw { todo!() } fn f() { make().cut(); }"),
        (
            "a function that is named",
            "fn make(x: Axe) -> Saw { todo!() } fn f(a: Option<Axe>) { a.map(make).unwrap().cut(); }",
        ),
        ("a chain", "fn f(s: Saw) { s.cut().roll(); s.cut(); }"),
        ("a generic function", "fn same<T>(t: T) -> T { t } fn f(s: Saw) { same(s).cut(); }"),
        (
            "a type parameter of a struct",
            "struct P<T>(T); impl<T> P<T> { fn get(&self) -> &T { &self.0 } } fn f(p: P<Saw>) { p.get().cut(); }",
        ),
        (
            "an own Deref",
            "struct P(Saw); impl std::ops::Deref for P { type Target = Saw; fn deref(&self) -> &Saw { &self.0 } } fn f(p: P) { p.cut(); }",
        ),
        (
            "an own Index",
            "struct P(Saw); impl std::ops::Index<u8> for P { type Output = Saw; fn index(&self, _: u8) -> &Saw { &self.0 } } fn f(p: P) { p[0].cut(); }",
        ),
        (
            "an own iterator",
            "struct I; impl Iterator for I { type Item = Saw; fn next(&mut self) -> Option<Saw> { None } } fn f() { for s in I { s.cut(); } }",
        ),
        (
            "an own operator",
            "impl std::ops::Add for Axe { type Output = Saw; fn add(self, _: Axe) -> Saw { todo!() } } fn f(a: Axe, b: Axe) { (a + b).cut(); }",
        ),
        ("an async function", "async fn make() -> Saw { todo!() } async fn f() { make().await.cut(); }"),
        (
            "an impl Trait",
            "fn saws() -> impl Iterator<Item = Saw> { None.into_iter() } fn f() { for s in saws() { s.cut(); } }",
        ),
        (
            "an associated type",
            "trait Shop { type Tool; fn tool(&self) -> Self::Tool; } impl Shop for Axe { type Tool = Saw; fn tool(&self) -> Saw { todo!() } } fn f(a: Axe) { a.tool().cut(); }",
        ),
        (
            "a bound's associated type",
            "trait Shop { type Tool; fn tool(&self) -> Self::Tool; } fn f<S: Shop<Tool = Saw>>(s: S) { s.tool().cut(); }",
        ),
        (
            "Default",
            "impl Default for Saw { fn default() -> Saw { todo!() } } fn f() { let s: Saw = Default::default(); s.cut(); }",
        ),
        (
            "parse",
            'impl std::str::FromStr for Saw { type Err = u8; fn from_str(_: &str) -> Result<Saw, u8> { todo!() } } fn f() { let s = "x".parse::<Saw>(); s.unwrap().cut(); }',
        ),
        (
            "into",
            "impl From<u8> for Saw { fn from(_: u8) -> Saw { todo!() } } fn f() { let s: Saw = 1u8.into(); s.cut(); }",
        ),
        (
            "a macro of the workspace",
            "macro_rules! saw { () => { Saw { teeth: 1 } } } fn f() { saw!().cut(); }",
        ),
        ("mem::take", "fn f(s: &mut Saw, t: Saw) { std::mem::replace(s, t).cut(); }"),
        (
            "thread_local!",
            "thread_local! { static S: Saw = Saw { teeth: 1 } } fn f() { S.with(|s| s.cut()); }",
        ),
        ("Pin", "use std::pin::Pin; fn f(s: Pin<&mut Saw>) { s.cut(); }"),
    ),
)
def test_a_call_gives_its_type_through(text: str) -> None:
    assert CUT[0] in called(TOOLS + text)


def test_a_variable_that_shadows_another_has_its_own_type() -> None:
    assert called(TOOLS + "fn f(x: Saw) { x.cut(); let x = Axe; x.cut(); }") == [
        "Saw::cut exact",
        "Axe::cut exact",
    ]


def test_a_name_ends_with_its_block() -> None:
    assert called(TOOLS + "fn f(x: Saw) { { let x = Axe; } x.cut(); }") == CUT


def test_a_bare_name_of_a_constant_in_a_pattern_binds_nothing() -> None:
    text = "enum E { On } use E::On; fn f(e: E, on: Saw) { match e { On => on.cut() }; }"
    assert called(TOOLS + text) == CUT


def test_a_field_that_only_another_crate_declares_is_known() -> None:
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["a", "b-c"]\n',
        "a/Cargo.toml": '[package]\nname = "a"\nedition = "2021"\n[dependencies]\nb-c = { path = "../b-c" }\n',
        "a/src/lib.rs": "fn f(h: &b_c::House) { h.shed.saw.cut(); }",
        "b-c/Cargo.toml": '[package]\nname = "b-c"\nedition = "2021"\n',
        "b-c/src/lib.rs": "pub mod tools { "
        + TOOLS
        + " } pub struct House { pub shed: Shed } pub struct Shed { pub saw: tools::Saw }",
    }
    assert called_in(files, "a::f") == ["b_c::tools::Saw::cut exact"]


def test_pinned_fields_are_seen_through_pin_project() -> None:
    text = """
    use std::pin::Pin;
    pin_project! { struct Wrap { #[pin] inner: Saw, other: Axe } }
    impl Saw { fn turn(self: Pin<&mut Self>) {} }
    fn f(w: Pin<&mut Wrap>) { let this = w.project(); this.inner.turn(); this.other.cut(); }
    """
    assert called(TOOLS + text) == ["Saw::turn exact", "Axe::cut exact"]


def test_hundreds_of_chained_calls_are_typed() -> None:
    text = "impl Saw { fn a(self) -> Saw { self } } fn f(s: Saw) { s" + ".a()" * 400 + ".cut(); }"
    assert called(TOOLS + text)[-1] == CUT[0]


def test_types_that_grow_without_end_are_cut_off() -> None:
    text = "fn f(s: Saw) { let mut x = None; " + "x = Some(x); " * 60 + "s.cut(); }"
    assert called(TOOLS + text) == CUT
