"""Syntax that the grammar does not know, or knows only in part, is read all the same."""

from __future__ import annotations

import pytest

from inroads.facts import FunctionItem, LetRow, MacroRow, StructPattern, TraitItem
from inroads.rust.extract import extract
from inroads.store import decode_body

KNOWN = {
    "an attribute on a field of a pattern": "fn f(s: S) { let S { /* a { */ #[cfg(x)] a, b: 1, #[y] .. } = s; g(a); }",
    "an attribute on a parameter of a closure": "fn f() { let c = |#[a] x: u8, #[b] y| g(x); }",
    "an attribute on an expression": "fn f() { let x = #[inline] || g(); }",
    "type arguments in a pattern of a closure": "fn f() { let c = |m::P::<F, ()> { a, .. }| { g(a) }; }",
    "type arguments in a pattern of a let": "fn f() { let m::P::<Vec<(u8, F)>> { a, .. } = x; g(a); }",
    "bounds of a unit struct": "struct S<T> where T: A; fn f() { g(); }",
    "a closure that binds lifetimes": "fn f() { let c = for<'a> |x: &'a u8| g(x); }",
    "a let that lives longer": "fn f() { let x = { super let y = g(); &y }; }",
    "a tail call": "fn f() { become g(1) }",
    "defaults of fields": "struct S { a: u8 = 3, b: u8 = 1 + 2 }\nfn f() { g(S { a: 1, .. }); }",
    "a script with a manifest in front": "#!/usr/bin/env cargo\n---\n[dependencies]\na = 1\n---\nfn f() { g(); }",
    "an alias of traits": "trait A<T>: Sized { fn h(&self); }\ntrait B<T> = A<T> + Send where T: Copy;\nfn f() { g(); }",
    "a macro that is called like a type": 'fn f() { let a = str![[r#"x"#]]; char!(2); g(a, bool!{ 3 }); }',
    "fields of a tuple by number": "fn f(s: S) { let E::S { 0: a, 10: mut b, .. } = s; g(E::S { 0: a }); }",
    "lifetimes in a later bound": "fn f(a: impl A + for<'s> B<'s> + Send, b: Box<dyn A + for<'s> m::B<'s>>) { g(a); }",
    "the macro try": "fn f() -> R { let a = try!(g()); try!(h(a)); Ok(()) }",
    "a lifetime before the traits": "type A = Box<dyn 'static + Send + FnOnce(u8) -> u8>; fn f(a: impl 'static + Send) { g(a); }",
    "a range without a start that a closure gives": "fn f() { g(x.map(|end| ..=end)); }",
    "a type of a foreign library": 'extern "C" { #[derive(Clone)] pub type A; fn a(); type B; } fn f() { g(); }',
    "a variable that is called like a type": "fn f() { match x { bool @ V::B(_) => g(bool), default @ 0 => default } }",
    "type arguments behind a sign in a qualified path": "fn f() { <m::Map::<String, V> as D>::read(g()); }",
    "a pattern of what is in a box": "fn f() { match g() { E(box e) | F(box V::A(e), box &(box ref e)) => e, box b => b, a @ G(box S { .. }) => a } }",
    "bounds and a default of a type": "trait T { type A: m::B<C, D = E> + F = (u8, g); type G<'a>: I where Self: 'a = u8; } fn f() { g(); }",
    "an alias of traits that names a type": "pub trait A = Stream<Item = R<u8>> + Send;\ntrait B<T = u8> = C<T, D = A> where T: Copy;\nfn f() { g(); }",
    "a tilde among the tokens of a macro": "fn f() { let r = rule! { #a ~ ( #b ~ ^C )? ~ D }; g(T![~], T![$]); }",
    "an impl that is public": "#[ext] pub impl<T: Eq> T { fn h(&self) {} }\n#[ext(name = N)] pub(crate) impl S { fn i(&self) {} }\nfn f() { g(); }",
    "a comma behind the parameters of a closure": "fn f() { v.each(move |a, (b, c): (u8, R<u8>),| { g(a) }, |d| d, |e| e); let h = |\n i,\n| g(i); match x { A => g(1), | B | C => g(2), | D => 3 } }",
    "an unsafe static of a foreign library": 'unsafe extern "C" { pub unsafe static A: [u8; 2]; pub safe static B: u8; unsafe fn h(); } fn f() { g(); }',
    "a constant that is called default": "impl S { pub const default: S = S; } static default: u8 = 1; fn f() { g(); }",
    "a plus behind the last bound": "fn h<T: Send + Sync + , U: A<u8> + >(t: T, u: U) where T: B + , {} fn f() { g(); }",
    "a module that is called try": "fn f() { let a = try::h(); g(m::r#try::i(a)); }",
    "bounds of the unit": "impl<T> A<T> for () where T: Clone, (): B<T> + C { fn h() { g(); } }\nfn f<T>() where (): B<T> { g(); }",
    "all at once": "struct S<T> where T: A;\nfn f() { let P::<u8> { #[cfg(x)] a, .. } = x; become g(a) }",
}


@pytest.mark.parametrize("text", KNOWN.values(), ids=list(KNOWN))
def test_it_is_read_without_a_problem(text: str) -> None:
    facts = extract(text.encode())
    assert facts.problems == ()
    (function,) = [item for item in facts.items if isinstance(item, FunctionItem) and item.head.name == "f"]
    assert function.body is not None
    assert "g" in facts.bodies[function.body].names


def test_what_is_made_a_name_is_read_as_it_is() -> None:
    facts = extract(b'fn f() { let P { 0: a, .. } = str!["x"]; g(a); }')
    (function,) = facts.items
    assert isinstance(function, FunctionItem)
    assert function.body is not None
    body = decode_body(facts.bodies[function.body].data)
    macro = next(row for row in body.rows if isinstance(row, MacroRow))
    pattern = next(row.pattern for row in body.rows if isinstance(row, LetRow))
    assert macro.path == ("str",)
    assert isinstance(pattern, StructPattern)
    assert [name for name, _ in pattern.fields] == ["0"]


def test_an_alias_of_traits_is_a_trait_with_these_above_it() -> None:
    facts = extract(b"trait A {}\ntrait B = A + Send;\n")
    alias = facts.items[1]
    assert isinstance(alias, TraitItem)
    assert alias.head.name == "B"
    assert len(alias.supertraits) == 2


def test_what_is_really_wrong_is_told_beside_what_is_only_new() -> None:
    facts = extract(b"struct S<T> where T: A;\nfn f() { let x = ; }\n")
    assert [problem.start for problem in facts.problems] == [39]
