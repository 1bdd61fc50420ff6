"""Further ways to lose an error, each beside the nearest way that keeps it."""

from __future__ import annotations

import pytest

from inroads.analyses.base import LOG_MACROS
from inroads.analyses.swallow.ends import ALIVE
from inroads.analyses.swallow.search import fates_of
from inroads.check import load
from inroads.workspace import MemoryTree
from test_swallow_more_forms import HEAD as COMMON
from twins import lost_and_kept

HEAD = (
    COMMON
    + """
use std::task::Poll;
use std::collections::HashMap;
pub struct Held { last: Result<u32, E>, hook: Box<dyn Fn() -> Result<(), E>> }
pub trait Step { fn step(&self) -> Result<u32, E>; fn turn(&self) -> u32 { 1 } }
fn guard() -> Result<std::fs::File, E> { Err(E::Missing) }
fn poll() -> Poll<Result<u32, E>> { Poll::Ready(f()) }
fn poll_next() -> Poll<Option<Result<u32, E>>> { Poll::Pending }
fn array() -> [Result<u32, E>; 2] { [f(), f()] }
fn late() -> Result<Option<u32>, E> { Ok(Some(f()?)) }
fn fallible_iter() -> impl Iterator<Item = Result<u32, E>> { many().into_iter() }
macro_rules! attempt { ($e:expr) => { match $e { Ok(v) => v, Err(e) => { eprintln!("{e:?}"); return; } } } }
macro_rules! attempt_or { ($e:expr) => { match $e { Ok(v) => v, Err(e) => return Err(e) } } }
"""
)

# Name -> (fate, the way that loses it, the way that keeps it); the function is `x`.
FORMS: dict[str, tuple[str, str, str]] = {
    "a tuple that is built to throw it away": (
        "dropped",
        "fn x() { (u(), 1).1; }",
        "fn x() -> Result<(), E> { (u(), 1).0 }",
    ),
    "a chain of iterators": (
        "dropped",
        "fn x() -> Vec<u32> { many().into_iter().chain(fallible_iter()).flatten().collect() }",
        "fn x() -> Result<Vec<u32>, E> { many().into_iter().chain(fallible_iter()).collect() }",
    ),
    "an iterator of what came out Ok only": (
        "dropped",
        "fn x() -> Vec<u32> { many().into_iter().chain(late().transpose()).filter_map(|r| r.ok()).collect() }",
        "fn x() -> Result<Vec<u32>, E> { many().into_iter().chain(late().transpose()).collect() }",
    ),
    "a loop over a Result": (
        "dropped",
        "fn x() { for n in f() { println!(\"{n}\"); } }",
        "fn x() -> Result<(), E> { for n in [f()?] { println!(\"{n}\"); } Ok(()) }",
    ),
    "the iterator of a Result": (
        "dropped",
        "fn x() -> u32 { f().iter().sum() }",
        "fn x() -> Result<u32, E> { Ok(f()?.min(2)) }",
    ),
    "a collection that is extended by a Result": (
        "dropped",
        "fn x(all: &mut Vec<u32>) { all.extend(f()); }",
        "fn x(all: &mut Vec<u32>) -> Result<(), E> { all.extend([f()?]); Ok(()) }",
    ),
    "the iterators of many Results": (
        "dropped",
        "fn x() -> Vec<u32> { many().into_iter().flat_map(Result::into_iter).collect() }",
        "fn x() -> Result<Vec<u32>, E> { many().into_iter().collect() }",
    ),
    "a default for all that were collected": (
        "defaulted",
        "fn x() -> Vec<u32> { many().into_iter().collect::<Result<Vec<_>, _>>().unwrap_or_default() }",
        "fn x() -> Vec<u32> { many().into_iter().collect::<Result<Vec<_>, _>>().unwrap() }",
    ),
    "map_or to a bool": (
        "turned-into-bool",
        "fn x() -> bool { f().map_or(false, |n| 0 < n) }",
        "fn x() -> Result<bool, E> { f().map(|n| 0 < n) }",
    ),
    "is_ok_and in a condition": (
        "dropped",
        "fn x() { if f().is_ok_and(|n| 0 < n) { println!(\"more\"); } }",
        "fn x() -> Result<(), E> { match f() { Ok(n) if 0 < n => println!(\"more\"), Ok(_) => {} Err(e) => return Err(e) } Ok(()) }",
    ),
    "a negated is_ok with an empty arm": (
        "dropped",
        "fn x() { if !u().is_ok() {} }",
        "fn x() -> Result<(), String> { if !u().is_ok() { return Err(\"u failed\".to_string()); } Ok(()) }",
    ),
    "unwrap_or_else that ignores it": (
        "defaulted",
        "fn x() -> u32 { f().unwrap_or_else(|_| 7) }",
        "fn x() -> String { f().map(|n| n.to_string()).unwrap_or_else(|e| format!(\"{e:?}\")) }",
    ),
    "a default that is computed": (
        "defaulted",
        "fn x(a: u32) -> u32 { f().unwrap_or_else(|_| a * 2) }",
        "fn x(a: u32) -> u32 { f().unwrap_or_else(|e| match e { E::Missing => a, E::Broken(s) => panic!(\"{s}\") }) }",
    ),
    "or_default of a look that may fail": (
        "defaulted",
        "fn x() -> Vec<u32> { many().into_iter().collect::<Result<Vec<u32>, E>>().unwrap_or_default() }",
        "fn x() -> Vec<u32> { many().into_iter().collect::<Result<Vec<u32>, E>>().unwrap() }",
    ),
    "an iterator's last": (
        "dropped",
        "fn x() { let _ = many().into_iter().last(); }",
        "fn x() -> Option<Result<u32, E>> { many().into_iter().last() }",
    ),
    "partition, of which one half is used": (
        "dropped",
        "fn x() -> usize { let (good, _): (Vec<_>, Vec<_>) = many().into_iter().partition(|r| r.is_ok()); good.len() }",
        "fn x() -> Result<u32, E> { let mut n = 0; for r in many() { n += r?; } Ok(n) }",
    ),
    "a fold that skips what failed": (
        "defaulted",
        "fn x() -> u32 { many().into_iter().fold(0, |a, r| if let Ok(n) = r { a + n } else { a }) }",
        "fn x() -> Result<u32, E> { many().into_iter().try_fold(0, |a, r| r.map(|n| a + n)) }",
    ),
    "for_each with an if let": (
        "dropped",
        "fn x() { many().into_iter().for_each(|r| if let Ok(n) = r { println!(\"{n}\"); }); }",
        "fn x() -> Result<(), E> { many().into_iter().try_for_each(|r| r.map(|n| println!(\"{n}\"))) }",
    ),
    "find_map of the first success": (
        "dropped",
        "fn x() -> Option<u32> { many().into_iter().find_map(|r| r.ok()) }",
        "fn x() -> Option<Result<u32, E>> { many().into_iter().find(|r| r.is_err()) }",
    ),
    "take_while is_ok": (
        "turned-into-bool",
        "fn x() -> usize { many().iter().take_while(|r| r.is_ok()).count() }",
        "fn x() -> Vec<Result<u32, E>> { many() }",
    ),
    "a sum over what succeeded": (
        "dropped",
        "fn x() -> u32 { many().into_iter().flat_map(|r| r.into_iter()).sum() }",
        "fn x() -> Result<u32, E> { many().into_iter().sum() }",
    ),
    "a guard that is dropped at once": (
        "dropped",
        "fn x() { let _ = guard(); println!(\"unguarded\"); }",
        "fn x() -> Result<(), E> { let _guard = guard()?; Ok(()) }",
    ),
    "a guard by name": (
        "dropped",
        "fn x() { let _guard = guard(); println!(\"perhaps guarded\"); }",
        "fn x() { let _guard = guard().unwrap(); }",
    ),
    "a closure that is bound and run": (
        "dropped",
        "fn x() { let work = || u(); let _ = work(); }",
        "fn x() -> Result<(), E> { let work = || u(); work() }",
    ),
    "a closure in a field": (
        "dropped",
        "fn x(h: &Held) { let _ = (h.hook)(); }",
        "fn x(h: &Held) -> Result<(), E> { (h.hook)() }",
    ),
    "a boxed closure": (
        "dropped",
        "fn x(work: Box<dyn FnOnce() -> Result<u32, E>>) { work().ok(); }",
        "fn x(work: Box<dyn FnOnce() -> Result<u32, E>>) -> u32 { work().expect(\"works\") }",
    ),
    "a generic callable": (
        "dropped",
        "fn x<F: Fn() -> Result<u32, E>>(work: F) { let _ = work(); }",
        "fn x<F: Fn() -> Result<u32, E>>(work: F) -> Result<u32, E> { work() }",
    ),
    "a function pointer": (
        "dropped",
        "fn x(work: fn() -> Result<u32, E>) { let _ = work(); }",
        "fn x(work: fn() -> Result<u32, E>) -> Result<u32, E> { Ok(work()? + 1) }",
    ),
    "a method of a trait object": (
        "dropped",
        "fn x(s: &dyn Step) { let _ = s.step(); }",
        "fn x(s: &dyn Step) -> Result<u32, E> { s.step() }",
    ),
    "a method of a bound": (
        "turned-into-option",
        "fn x<S: Step>(s: &S) -> Option<u32> { s.step().ok() }",
        "fn x<S: Step>(s: &S) -> u32 { s.turn() }",
    ),
    "matches! of the error in a branch without more": (
        "dropped",
        "fn x() { if matches!(f(), Ok(1)) { println!(\"one\"); } }",
        "fn x() -> bool { let r = f(); if matches!(r, Ok(1)) { return true; } r.unwrap() == 2 }",
    ),
    "inspect_err and then nothing": (
        "logged",
        "fn x() -> Option<u32> { f().inspect_err(|e| eprintln!(\"{e:?}\")).ok() }",
        "fn x() -> Result<u32, E> { f().inspect_err(|e| eprintln!(\"{e:?}\")) }",
    ),
    "ok and then the next": (
        "turned-into-option",
        "fn x() -> Option<u32> { f().ok().and_then(|n| n.checked_add(1)) }",
        "fn x() -> Result<Option<u32>, E> { f().map(|n| n.checked_add(1)) }",
    ),
    "ok in a struct": (
        "turned-into-option",
        "pub struct Out { n: Option<u32> } fn x() -> Out { Out { n: f().ok() } }",
        "pub struct Out { pub n: Result<u32, E> } fn x() -> Out { Out { n: f() } }",
    ),
    "a field that nobody reads": (
        "dropped",
        "struct Out { unread: Result<u32, E>, n: u32 } fn x() -> u32 { Out { unread: f(), n: 1 }.n }",
        "struct Out { kept_one: Result<u32, E> } fn x() -> Result<u32, E> { Out { kept_one: f() }.kept_one }",
    ),
    "an element of an array": (
        "dropped",
        "fn x() -> Result<u32, E> { let [a, _] = array(); a }",
        "fn x() -> Result<u32, E> { let [a, b] = array(); Ok(a? + b?) }",
    ),
    "an array that is looped over": (
        "dropped",
        "fn x() { for r in array() { if let Ok(n) = r { println!(\"{n}\"); } } }",
        "fn x() -> Result<(), E> { for r in array() { println!(\"{}\", r?); } Ok(()) }",
    ),
    "an option of a result, taken for the value": (
        "dropped",
        "fn x() { if let Some(Ok(n)) = maybe() { println!(\"{n}\"); } }",
        "fn x() -> Result<(), E> { if let Some(r) = maybe() { println!(\"{}\", r?); } Ok(()) }",
    ),
    "an option of a result, transposed and thrown": (
        "dropped",
        "fn x() { let _ = maybe().transpose(); }",
        "fn x() -> Result<Option<u32>, E> { maybe().transpose() }",
    ),
    "a result of an option, flattened by ok": (
        "turned-into-option",
        "fn x() -> Option<u32> { late().ok().flatten() }",
        "fn x() -> Result<u32, E> { Ok(late()?.unwrap_or(0)) }",
    ),
    "mem::drop": (
        "dropped",
        "fn x() { std::mem::drop(f()); }",
        "fn x() { std::mem::drop(f().unwrap()); }",
    ),
    "ManuallyDrop": (
        "dropped",
        "fn x() { let _kept = std::mem::ManuallyDrop::new(f()); }",
        "fn x() -> Result<u32, E> { std::mem::ManuallyDrop::into_inner(std::mem::ManuallyDrop::new(f())) }",
    ),
    "the outer layer only": (
        "dropped",
        "fn x() { if nested().is_ok() { println!(\"joined\"); } }",
        "fn x() -> Result<u32, E> { nested().unwrap() }",
    ),
    "both layers by ok": (
        "dropped",
        "fn x() -> Option<u32> { if let Ok(Ok(n)) = nested() { return Some(n); } None }",
        "fn x() -> Option<u32> { match nested() { Ok(Ok(n)) => Some(n), Ok(Err(e)) => panic!(\"{e:?}\"), Err(s) => panic!(\"{s}\") } }",
    ),
    "a poll that is not looked into": (
        "dropped",
        "fn x() -> bool { poll().is_ready() }",
        "fn x() -> Poll<Result<u32, E>> { poll() }",
    ),
    "a poll of the success only": (
        "dropped",
        "fn x() { if let Poll::Ready(Ok(n)) = poll() { println!(\"{n}\"); } }",
        "fn x() -> Poll<Result<u32, E>> { match poll() { Poll::Ready(Ok(n)) => Poll::Ready(Ok(n + 1)), other => other } }",
    ),
    "a stream that ends with an error": (
        "dropped",
        "fn x() { while let Poll::Ready(Some(Ok(n))) = poll_next() { println!(\"{n}\"); } }",
        "fn x() -> Poll<Option<Result<u32, E>>> { match poll_next() { Poll::Ready(Some(Ok(n))) => Poll::Ready(Some(Ok(n))), other => other } }",
    ),
    "a macro that logs and leaves": (
        "logged",
        "fn x() { let n = attempt!(f()); println!(\"{n}\"); }",
        "fn x() -> Result<u32, E> { let n = attempt_or!(f()); Ok(n) }",
    ),
    "a loop that tries and then only logs": (
        "logged",
        "fn x() { for _ in 0..3 { match u() { Ok(()) => return, Err(e) => eprintln!(\"{e:?}\") } } }",
        "fn x() -> Result<(), E> { let mut last = Ok(()); for _ in 0..3 { last = u(); if last.is_ok() { break; } } last }",
    ),
    "a block that is tried": (
        "dropped",
        "fn x() { let done: Result<u32, E> = (|| { let n = f()?; Ok(n + 1) })(); drop(done); }",
        "fn x() -> Result<u32, E> { let done: Result<u32, E> = (|| { let n = f()?; Ok(n + 1) })(); done }",
    ),
    "an async block that nobody awaits": (
        "dropped",
        "fn x() { let _task = async { u() }; }",
        "async fn x() -> Result<(), E> { async { u() }.await }",
    ),
    "an awaited future whose result is thrown": (
        "dropped",
        "async fn x() { let task = af(); task.await.ok(); }",
        "async fn x() -> Result<u32, E> { let task = af(); task.await }",
    ),
    "a timeout around it": (
        "dropped",
        "async fn x() { if tokio::time::timeout(std::time::Duration::from_secs(1), af()).await.is_err() { println!(\"late\"); } }",
        "async fn x() -> Result<u32, E> { tokio::time::timeout(std::time::Duration::from_secs(1), af()).await.unwrap() }",
    ),
    "a thread that is joined for its panic": (
        "dropped",
        "fn x() { std::thread::spawn(u).join().unwrap(); }",
        "fn x() -> Result<(), E> { std::thread::spawn(u).join().unwrap() }",
    ),
    "a scoped thread": (
        "dropped",
        "fn x() { std::thread::scope(|s| { s.spawn(|| u()); }); }",
        "fn x() -> Result<(), E> { std::thread::scope(|s| s.spawn(|| u()).join().unwrap()) }",
    ),
    "all of join_all": (
        "dropped",
        "async fn x() { let _ = futures::future::join_all(vec![af()]).await; }",
        "async fn x() -> Result<Vec<u32>, E> { futures::future::join_all(vec![af()]).await.into_iter().collect() }",
    ),
    "assigned to nothing by destructuring": (
        "dropped",
        "fn x() -> Result<u32, E> { let a; (a, _) = two(); a }",
        "fn x() -> Result<u32, E> { let (a, b); (a, b) = two(); Ok(a? + b?) }",
    ),
    "a let with an or-pattern": (
        "dropped",
        "fn x() { let (Ok(_) | Err(_)) = f(); }",
        "fn x() -> String { let (Ok(n) | Err(n)) = f().map(|n| n.to_string()).map_err(|e| format!(\"{e:?}\")); n }",
    ),
    "a while that tries as long as it works": (
        "dropped",
        "fn x() { while u().is_ok() { println!(\"again\"); } }",
        "fn x() { while u().is_err() { println!(\"again\"); } }",
    ),
    "compared with a success": (
        "defaulted",
        "fn x() -> u32 { match f() { Ok(1) => 1, Ok(n) => n, Err(..) => 0 } }",
        "fn x() -> Result<u32, E> { match f() { Ok(1) => Ok(1), Ok(n) => Ok(n + 1), Err(e) => Err(e) } }",
    ),
    "an error whose text is measured": (
        "dropped",
        "fn x() { if let Err(e) = u() { let _n = format!(\"{e:?}\").len(); } }",
        "fn x() -> usize { if let Err(e) = u() { return format!(\"{e:?}\").len(); } 0 }",
    ),
    "and, which forgets the first success": (
        "dropped",
        "fn x() { let _ = u().and(f()); }",
        "fn x() -> Result<u32, E> { u().and(f()) }",
    ),
    "iter over a result": (
        "dropped",
        "fn x() { for n in f() { println!(\"{n}\"); } }",
        "fn x() -> Result<(), E> { for n in f()?..3 { println!(\"{n}\"); } Ok(()) }",
    ),
    "a map that is filled with what succeeded": (
        "dropped",
        "fn x(m: &mut HashMap<u32, u32>) { m.extend(many().into_iter().flatten().map(|n| (n, n))); }",
        "fn x(m: &mut HashMap<u32, u32>) -> Result<(), E> { for r in many() { m.insert(0, r?); } Ok(()) }",
    ),
}  # fmt: skip

# Another error that is raised in its place is told by a rule of its own.
test_the_error_is_lost_in, test_the_error_is_kept_in_the_twin_of = lost_and_kept(
    HEAD,
    FORMS,
    ALIVE | {"cause-lost"},
)


# A function whose Result type is declared in another crate, under an alias of that crate.
STORE = """
pub struct Fault;
pub type Outcome<T> = Result<T, Fault>;
pub fn save() -> Outcome<u32> { Err(Fault) }
pub struct Shelf;
impl Shelf { pub fn put(&mut self) -> Outcome<()> { save()?; Ok(()) } }
"""


def fates_across(source: str) -> list[str]:
    cargo = '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nstore = { path = "../store" }\n'
    files = {
        "Cargo.toml": b'[workspace]\nmembers = ["app", "store"]\n',
        "app/Cargo.toml": cargo.encode(),
        "app/src/lib.rs": source.encode(),
        "store/Cargo.toml": b'[package]\nname = "store"\nversion = "0.1.0"\nedition = "2024"\n',
        "store/src/lib.rs": STORE.encode(),
    }
    found = fates_of(load(MemoryTree(files)).program, frozenset(LOG_MACROS))
    names = found.world.program.tables.functions
    return [one.end.fate for one in found.found if names[one.function].name == "x"]


@pytest.mark.parametrize(
    ("lost", "kept"),
    [
        ("pub fn x() { let _ = store::save(); }", "pub fn x() -> store::Outcome<u32> { store::save() }"),
        (
            "pub fn x(s: &mut store::Shelf) { s.put().ok(); }",
            "pub fn x(s: &mut store::Shelf) { s.put().unwrap(); }",
        ),
    ],
)
def test_a_result_type_of_another_crate_is_known(lost: str, kept: str) -> None:
    assert fates_across(lost) == ["dropped"]
    assert [fate for fate in fates_across(kept) if fate not in ALIVE] == []
