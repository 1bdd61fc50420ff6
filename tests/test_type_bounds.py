"""Types that grow with every line are cut off, and nobody waits for them."""

from __future__ import annotations

import time

import pytest

from calling import called
from graphs import program

HOSTILE = {
    "references": f"fn f() {{ let x = {'&' * 3000}1; }}",
    "references of references": f"fn f() {{ let a = 1; {'let a = &a;' * 2000} }}",
    "options": f"fn f() {{ let a = 1; {'let a = Some(a);' * 2000} }}",
    "arrays": f"fn f() {{ let a = 1; {'let a = [a];' * 1000} }}",
    "pairs": f"fn f() {{ let a = 1; {'let a = (a, a);' * 60} }}",
    "boxed pairs": f"fn f() {{ let a = 1; {'let a = Box::new((a.clone(), a));' * 60} }}",
    "structs": f"struct S<A> {{ a: A, b: A }} fn f() {{ let a = 1; {'let a = S { a, b: a };' * 60} }}",
    "results of a generic function": f"fn p<T: Clone>(t: T) -> (T, T) {{ (t.clone(), t) }} fn f() {{ let a = 1; {'let a = p(a);' * 60} }}",
    "closures": f"fn f() {{ let a = || 1; {'let a = move || a;' * 500} }}",
    "iterators in a chain": f"fn f(v: Vec<u32>) {{ v.iter(){'.map(|x| x)' * 500}; }}",
    "iterators in pairs": f"fn f(v: Vec<u32>) {{ let i = v.iter(); {'let i = i.clone().zip(i);' * 40} }}",
    "aliases": f"type A0 = (u8, u8); {''.join(f'type A{at + 1} = (A{at}, A{at});' for at in range(60))} fn f(a: A60) {{ a.0; }}",
    "generic aliases": f"type P<T> = (T, T); fn f(a: {'P<' * 40}u8{'>' * 40}) {{ a.0; }}",
    "defaults of parameters": f"struct S<T0, {', '.join(f'T{at + 1} = (T{at}, T{at})' for at in range(60))}>(T60); fn f(a: S<u8>) {{ a.0; }}",
    "associated types": "trait T { type O; } impl<A> T for (A,) { type O = <((A, A),) as T>::O; } fn f(a: <(u8,) as T>::O) { a.x(); }",
    "an associated type that is itself": "trait T { type A; fn g(&self) -> Self::A; } struct S; impl T for S { type A = <S as T>::A; fn g(&self) -> Self::A { loop {} } } fn f(s: S) { s.g().h(); }",
    "an associated type that holds itself twice": "trait T { type A; fn g(&self) -> Self::A; } struct S; impl T for S { type A = (<S as T>::A, <S as T>::A); fn g(&self) -> Self::A { loop {} } } fn f(s: S) { s.g().0.h(); }",
    "associated types in a circle": "trait T { type A; type B; fn g(&self) -> Self::A; } struct S; impl T for S { type A = Vec<<S as T>::B>; type B = Option<<S as T>::A>; fn g(&self) -> Self::A { loop {} } } fn f(s: S) { s.g().len(); }",
    "an associated type of a type that grows": "trait T { type A; fn g(&self) -> Self::A; } struct S<X>(X); impl<X> T for S<X> { type A = (<S<Vec<X>> as T>::A, <S<Vec<X>> as T>::A); fn g(&self) -> Self::A { loop {} } } fn f(s: S<u8>) { s.g().0.h(); }",
    "a default that is itself": "trait T { type A = Self::A; fn g(&self) -> Self::A; } struct S; impl T for S { fn g(&self) -> Self::A { loop {} } } fn f<X: T>(s: S, x: X) { s.g().h(); x.g().h(); }",
    "functions that call themselves with more": "struct W<T>(T); fn f<T>(t: T) { f(W((t, 1))) }",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_type_that_grows_is_cut_off(name: str) -> None:
    before = time.process_time()
    whole = program(HOSTILE[name])
    for function in whole.tables.functions:
        if function.has_body:
            whole.graph(function.id)
    assert time.process_time() - before < 6


def test_a_type_of_usual_size_is_known_whole() -> None:
    nested = "Option<Vec<(u8, Result<Box<[u8; 4]>, String>)>>"
    whole = program(
        f"pub struct End; impl End {{ pub fn at(&self) {{}} }} fn f(x: {nested}, y: ({nested}, End)) {{ y.1.at() }}"
    )
    function = next(one.id for one in whole.tables.functions if one.name == "f")
    assert [edge.how for edge in whole.edges(function)] == ["exact"]


def test_what_a_callable_gives_tells_the_parameter_that_stands_for_it() -> None:
    adaptor = """
pub struct Name; impl Name { fn len(&self) -> usize { 1 } }
pub struct Tok; impl Tok { fn name(self) -> Name { Name } }
pub trait Src { type Item; fn mapped<B, F: FnMut(Self::Item) -> B>(self, f: F) -> Mapped<Self, F> where Self: Sized { todo!() }
    fn first(self) -> Self::Item where Self: Sized { todo!() } }
pub struct Mapped<S, F> { src: S, f: F }
impl<S: Src, B, F: FnMut(S::Item) -> B> Src for Mapped<S, F> { type Item = B; }
pub struct Count; impl Src for Count { type Item = Tok; }
"""
    closure = "fn f() { Count.mapped(|t| t.name()).first().len(); }"
    assert called(adaptor + closure)[-1] == "Name::len exact"
    assert called(adaptor + "fn f() { Count.mapped(Tok::name).first().len(); }")[-1] == "Name::len exact"
