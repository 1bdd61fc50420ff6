"""Ways to lose an error beyond the 67 forms, each beside what must stay quiet."""

from __future__ import annotations

import pytest

from inroads.analyses.swallow.ends import ALIVE
from swallow_program import fates_by_function

HEAD = """
use std::io::{self, Write};
#[derive(Debug)]
pub enum E { Missing, Broken(String) }
pub type Own<T> = Result<T, E>;
fn f() -> Result<u32, E> { Err(E::Missing) }
fn u() -> Result<(), E> { Err(E::Missing) }
fn own() -> Own<u32> { Err(E::Missing) }
fn two() -> (Result<u32, E>, Result<u32, E>) { (f(), f()) }
fn nested() -> Result<Result<u32, E>, String> { Ok(f()) }
fn maybe() -> Option<Result<u32, E>> { None }
fn many() -> Vec<Result<u32, E>> { vec![] }
async fn af() -> Result<u32, E> { Err(E::Missing) }
fn run<T>(work: impl FnOnce() -> T) -> T { work() }
fn forget(work: impl FnOnce() -> Result<(), E>) { let _ = work(); }
fn note(e: &E) { eprintln!("{e:?}"); }
fn keep(seen: &mut Vec<E>, e: E) { seen.push(e); }
trait Log { fn log(self); }
impl<T> Log for Result<T, E> { fn log(self) { if let Err(e) = self { eprintln!("{e:?}"); } } }
"""

LOST: dict[str, tuple[str, str]] = {
    "a let chain": ("logged", "fn x(a: bool) { if a && let Err(e) = u() { eprintln!(\"{e:?}\"); } }"),
    "a let chain on the success": ("dropped", "fn x(a: bool) { if let Ok(n) = f() && a { println!(\"{n}\"); } }"),
    "a tuple of results": (
        "dropped",
        "fn x() { match (f(), u()) { (Ok(n), Ok(())) => println!(\"{n}\"), _ => {} } }",
    ),
    "both arms in one pattern": ("dropped", "fn x() { match u() { Ok(_) | Err(_) => {} } }"),
    "an error bound and only formatted": (
        "dropped",
        "fn x() { if let Err(e) = u() { let _text = format!(\"{e:?}\"); } }",
    ),
    "an error formatted for a log": (
        "logged",
        "fn x() { if let Err(e) = u() { let text = format!(\"{e:?}\"); eprintln!(\"{text}\"); } }",
    ),
    "a loop that keeps only the last": (
        "overwritten",
        "fn x() -> Result<(), E> { let mut last = Ok(()); for _ in 0..3 { last = u(); } last }",
    ),
    "the inner result of a nested one": ("dropped", "fn x() -> Result<(), String> { nested()?; Ok(()) }"),
    "an option of a result": ("dropped", "fn x() { while let Some(Ok(n)) = maybe() { println!(\"{n}\"); } }"),
    "a catch-all beside the success": (
        "defaulted",
        "fn x() -> u32 { match maybe() { Some(Ok(n)) => n, _ => 0 } }",
    ),
    "one element of a pair": ("dropped", "fn x() -> Result<u32, E> { let (a, _) = two(); a }"),
    "a closure handed to what drops its result": ("dropped", "fn x() { forget(|| { u()?; Ok(()) }); }"),
    "the result of a closure that is run": ("dropped", "fn x() { run(|| u()).ok(); }"),
    "`?` in a closure whose value is filtered": (
        "dropped",
        "fn x(n: Vec<u32>) -> Vec<u32> { n.into_iter().filter_map(|_| { let y = f().ok()?; Some(y) }).collect() }",
    ),
    "map_while over results": (
        "dropped",
        "fn x() -> Vec<u32> { many().into_iter().map_while(Result::ok).collect() }",
    ),
    "an alias of one's own": ("dropped", "fn x() { let _ = own(); }"),
    "an alias of std": ("dropped", "fn g() -> io::Result<u32> { Ok(1) } fn x() { let _ = g(); }"),
    "a helper that only logs": ("logged", "fn x() { if let Err(e) = u() { note(&e); } }"),
    "an extension trait that only logs": ("logged", "fn x() { u().log(); }"),
    "allowed by the compiler's attribute": ("dropped", "#[allow(unused_must_use)] fn x() { u(); }"),
    "a future that is dropped": ("dropped", "fn x() { af(); }"),
    "one branch of join": (
        "dropped",
        "async fn x() -> Result<u32, E> { let (a, _b) = tokio::join!(af(), af()); a }",
    ),
    "a branch of select": (
        "dropped",
        "async fn x() { tokio::select! { Ok(n) = af() => println!(\"{n}\"), else => {} } }",
    ),
    "results of all": (
        "dropped",
        "async fn x() { for one in futures::future::join_all(vec![af()]).await { if let Ok(n) = one { println!(\"{n}\"); } } }",
    ),
    "a task's own result": ("dropped", "async fn x() { tokio::spawn(async { u() }); }"),
    "a task joined for its panic only": ("dropped", "async fn x() { tokio::spawn(async { u() }).await.unwrap(); }"),
    "a flag that nobody is told": (
        "dropped",
        "fn x() -> u32 { let mut again = false; if u().is_err() { again = true; } if again { 2 } else { 1 } }",
    ),
    "a default in a variable": (
        "defaulted",
        "fn x() -> u32 { let n; match f() { Ok(v) => n = v, Err(_) => n = 0 } n }",
    ),
    "return of nothing": ("turned-into-option", "fn x() -> Option<u32> { match f() { Ok(n) => Some(n), Err(_) => None } }"),
    "return of false": ("turned-into-bool", "fn x() -> bool { match u() { Ok(()) => true, Err(_) => false } }"),
    "a cause hidden in an arm": (
        "cause-lost",
        "fn x() -> Result<u32, String> { match f() { Ok(n) => Ok(n), Err(_) => Err(\"no\".to_string()) } }",
    ),
    "a cause hidden by ok_or": ("cause-lost", "fn x() -> Result<u32, String> { f().ok().ok_or(\"no\".to_string()) }"),
    "an empty arm in an own macro": (
        "dropped",
        "macro_rules! quiet { ($e:expr) => { match $e { Ok(_) => {} Err(_) => {} } } } fn x() { quiet!(u()); }",
    ),
    "as_ref and then nothing": ("dropped", "fn x() { let r = f(); if let Ok(n) = r.as_ref() { println!(\"{n}\"); } }"),
}  # fmt: skip

KEPT: dict[str, str] = {
    "an error told apart by its kind": (
        "fn x() -> Result<u32, E> { match f() { Ok(n) => Ok(n), Err(E::Missing) => Ok(0), Err(e) => Err(e) } }"
    ),
    "a guard that tells errors apart": (
        "fn x() -> io::Result<u32> { match io::stdin().read_line(&mut String::new()) { Ok(_) => Ok(1),"
        " Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(0), Err(e) => Err(e) } }"
    ),
    "looked at twice, the second time in full": (
        "fn x() -> Result<u32, E> { let r = f(); if let Ok(n) = &r { println!(\"{n}\"); } r }"
    ),
    "kept in a list": "fn x(seen: &mut Vec<E>) { if let Err(e) = u() { keep(seen, e); } }",
    "the last error kept and returned": (
        "fn x() -> Result<(), E> { let mut last = Ok(()); for _ in 0..3 { if let Err(e) = u() { last = Err(e); } } last }"
    ),
    "a flag that decides the way out": (
        "fn x() -> Result<(), String> { let mut failed = false; if u().is_err() { failed = true; }"
        " if failed { return Err(\"failed\".to_string()); } Ok(()) }"
    ),
    "a counter": "pub struct S { n: u32 } impl S { fn x(&mut self) { if u().is_err() { self.n += 1; } } }",
    "an atomic counter": (
        "static N: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);"
        " fn x() { if u().is_err() { N.fetch_add(1, std::sync::atomic::Ordering::Relaxed); } }"
    ),
    "a reply": (
        "fn x(tx: std::sync::mpsc::Sender<String>) { if let Err(e) = u() { tx.send(format!(\"{e:?}\")).unwrap(); } }"
    ),
    "tried again": "fn x() { loop { match u() { Ok(()) => return, Err(_) => std::thread::sleep(std::time::Duration::from_secs(1)) } } }",
    "an exit": "fn x() { if let Err(e) = u() { eprintln!(\"{e:?}\"); std::process::exit(1); } }",
    "both elements of a pair": "fn x() -> Result<u32, E> { let (a, b) = two(); Ok(a? + b?) }",
    "both layers": "fn x() -> Result<u32, String> { nested()?.map_err(|e| format!(\"{e:?}\")) }",
    "collected into a Result": "fn x() -> Result<Vec<u32>, E> { many().into_iter().map(|r| r).collect() }",
    "summed into a Result": "fn x() -> Result<u32, E> { many().into_iter().sum() }",
    "given to a caller in a struct": (
        "pub struct Out { pub r: Result<u32, E> } fn x() -> Out { Out { r: f() } }"
    ),
    "asserted by matches": "fn x() { assert!(matches!(f(), Ok(1))); }",
    "an error page": (
        "pub enum Page { Fine(u32), ServerError } fn x() -> Page { match f() { Ok(n) => Page::Fine(n), Err(_) => Page::ServerError } }"
    ),
    "an error made into the value": "fn x() -> String { match f() { Ok(n) => n.to_string(), Err(e) => format!(\"{e:?}\") } }",
    "try_join": "async fn x() -> Result<u32, E> { let (a, b) = tokio::try_join!(af(), af())?; Ok(a + b) }",
    "a branch of select that hands on": (
        "async fn x() -> Result<u32, E> { tokio::select! { r = af() => r, else => Ok(0) } }"
    ),
    "a task joined in full": "async fn x() -> Result<(), E> { tokio::spawn(async { u() }).await.unwrap() }",
    "binary_search": "fn x(v: &[u32]) -> usize { match v.binary_search(&1) { Ok(i) => i, Err(i) => i } }",
    "compare_exchange": (
        "fn x(a: &std::sync::atomic::AtomicU32) { let _ = a.compare_exchange(1, 2,"
        " std::sync::atomic::Ordering::SeqCst, std::sync::atomic::Ordering::SeqCst); }"
    ),
    "an Option": "fn x(v: &[u32]) -> u32 { v.first().copied().unwrap_or(0) }",
    "strip_prefix of a str": "fn x(s: &str) -> &str { s.strip_prefix(\"a\").unwrap_or(s) }",
    "a result that is looked into": "fn x() -> bool { f() == Ok(1) } impl PartialEq for E { fn eq(&self, _: &E) -> bool { true } }",
    "a log and the error": "fn x() -> Result<u32, E> { f().map_err(|e| { eprintln!(\"{e:?}\"); e }) }",
    "let _ of what was unwrapped": "fn x() { let _ = f().expect(\"set\"); }",
    "a helper that counts": (
        "pub struct S { n: u32 } impl S { fn count(&mut self, e: E) { eprintln!(\"{e:?}\"); self.n += 1; }"
        " fn x(&mut self) { if let Err(e) = u() { self.count(e); } } }"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(LOST))
def test_the_error_is_lost_in(name: str) -> None:
    fate, source = LOST[name]
    assert fate in fates_by_function(HEAD + source).get("x", []) + fates_by_function(HEAD + source).get(
        "forget", []
    )


@pytest.mark.parametrize("name", sorted(KEPT))
def test_the_error_is_kept_in(name: str) -> None:
    found = fates_by_function(HEAD + KEPT[name]).get("x", [])
    assert [fate for fate in found if fate not in ALIVE] == []
