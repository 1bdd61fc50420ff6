"""Programs that somebody would write to do harm are checked to the end, in time."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzing import within, write
from inroads.cli.run import run


def many(count: int, form: str, step: int = 1) -> str:
    """A text for each number; `{n}` is the number, `{m}` another one."""
    return "".join(form.replace("{n}", str(n)).replace("{m}", str(n * step % count)) for n in range(count))


G = "fn g() -> Result<u8, u8> { Ok(1) } "
TEXTS = {
    "100,000 functions": many(100_000, "pub fn f{n}() -> Result<(), u8> { f{m}() }\n", 7),
    "10,000 arms": f"{G} fn f(x: u32) {{ match x {{ {many(10_000, '{n} => { let _ = g(); },')} _ => {{}} }} }}",
    "a chain of 8,000 calls": "struct A; impl A { fn a(self) -> A { self } fn r(&self) -> Result<(), u8> { Ok(()) } }"
    + f"fn f(x: A) {{ let _ = x{'.a()' * 8_000}.r(); }}",
    "types in circles": "type A = B; type B = A; struct S { s: S } struct T<X>(U<T<X>>); struct U<X>(T<U<X>>);"
    "fn f(a: A, s: S, t: T<u8>) { a.x(); s.s.s.s.y(); t.0.0.0.z(); }",
    "traits in circles": "trait A: B { fn a(&self) { self.b() } } trait B: A { fn b(&self) { self.a() } }"
    "impl<T: B> A for T {} impl<T: A> B for T {} fn f(x: u8) { x.a(); let _ = x.b(); }",
    "bounds that grow": "trait A<T> {} impl<T> A<T> for T where T: A<Vec<T>> {} fn f<T: A<T>>(t: T) { t.x() }",
    "associated types that grow": "trait I { type X: I; fn n(&self) -> Self::X; }"
    "impl<T: I> I for Vec<T> { type X = Vec<Vec<T::X>>; fn n(&self) -> Self::X { loop {} } }"
    f"fn f(v: Vec<Vec<u8>>) {{ v{'.n()' * 50}; }}",
    "dereferences in a circle": "struct A; struct B; use std::ops::Deref;"
    "impl Deref for A { type Target = B; fn deref(&self) -> &B { loop {} } }"
    "impl Deref for B { type Target = A; fn deref(&self) -> &A { loop {} } } fn f(a: A) { a.no(); a.x.y; }",
    "uses in circles": "pub use self::a::*; mod a { pub use super::b::*; } mod b { pub use super::a::*; }"
    "fn f() { a::x(); b::y::z(); }",
    "a file that mounts itself": '#[path = "lib.rs"] mod again; fn f() { again::f() }',
    "constants in a circle": "const A: u8 = B; const B: u8 = A; static C: [u8; A] = [B; C]; fn f() { C[B as usize]; }",
    "calls in circles": many(500, "fn f{n}() -> Result<(), u8> { let _ = f{m}(); f{m}()?; f{m}() }\n", 7),
    "many impls of one trait": "trait T { fn t(&self) -> Result<(), u8> { Ok(()) } }"
    + many(500, "struct S{n}; impl T for S{n} { fn t(&self) -> Result<(), u8> { Err(1) } }\n")
    + f"fn f(x: &dyn T) {{ {'let _ = x.t();' * 100} }}",
    "one name in many modules": many(
        500, "mod m{n} { pub struct S; impl S { pub fn get(&self) -> Result<u8, u8> { Ok(1) } } fn f() { let _ = y.get(); } }\n"
    ),
    "300 modules in one another": "mod m { " * 300 + "pub fn f() {}" + " }" * 300,
    "a name of a megabyte": f"fn {'a' * 1_000_000}() -> Result<(), u8> {{ Ok(()) }} fn f() {{ let _ = {'a' * 1_000_000}(); }}",
    "500 branches": f"{G} fn f(a: &[bool]) -> Result<u8, u8> {{ {'if a[0] { let _ = g(); } else { g()?; }' * 500} g() }}",
    "100 closures in one another": f"{G} fn f() {{ {'g().map(|x| ' * 100}g(){')' * 100}.ok(); }}",
    "100 matches in one another": f"{G} fn f() {{ {'match g() { Ok(x) => ' * 100}(){', Err(e) => { let _ = g(); } }' * 100} }}",
    "120 loops in one another": f"{G} fn f() {{ {'for x in xs { while let Ok(y) = g() { ' * 60}let _ = g();{'} }' * 60} }}",
    "a macro that doubles": "macro_rules! m { ($($t:tt)*) => { m! { $($t)* $($t)* } } } m! { a b } fn f() { m!(x y); }",
    "macros that call two others": many(40, "macro_rules! c{n} { () => { c{n}1!(); c{n}1!(); } }\n") + "fn f() { c0!(); }",
    "controls and directions in names": "fn g\u202e() -> Result<(), u8> { Ok(()) } fn f() { let _ = g\u202e(); /* \x1b[31m */ }",
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_program_is_checked(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    manifest = b'[package]\nname = "a"\nversion = "1.0.0"\nedition = "2021"\n'
    write(tmp_path, {"Cargo.toml": manifest, "src/lib.rs": TEXTS[name].encode()})
    monkeypatch.chdir(tmp_path)
    with within(20):
        code = run(["check", "--no-cache", "-j", "1"])
    out, err = capfd.readouterr()
    assert code in (0, 1)
    assert "please report" not in out + err
    assert "\u202e" not in out + err and "\x1b" not in out + err
