"""What a reviewer would shrug at is no finding; its twin, in which something is lost, is one."""

from __future__ import annotations

import pytest

from swallow_program import told
from twins import quiet_and_told

HEAD = """
use std::io::{self, Read, Write};
#[derive(Debug)]
pub enum E { Missing, Broken(String) }
#[derive(Debug)]
pub struct Gone;
pub struct Job(u32);
pub struct Full<T>(T);
fn f() -> Result<u32, E> { if true { Err(E::Missing) } else { Err(E::Broken(String::new())) } }
fn u() -> Result<(), E> { f()?; f()?; Ok(()) }
fn gone() -> Result<(), Gone> { Err(Gone) }
fn many() -> Vec<Result<u32, E>> { vec![f()] }
fn lists() -> Result<Vec<u32>, E> { Ok(vec![f()?]) }
fn maybe() -> Result<Option<u32>, E> { Ok(Some(f()?)) }
fn save(n: u32) -> io::Result<()> { std::fs::write("a", n.to_string())?; std::fs::write("b", n.to_string()) }
pub struct Number(f64);
impl Number {
    fn read(text: &str) -> Result<Number, String> {
        let n = text.parse::<f64>().map_err(|e| e.to_string())?;
        if n.is_finite() { Ok(Number(n)) } else { Err("not finite".to_string()) }
    }
    fn fetch(path: &str) -> Result<Number, String> {
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        Number::read(&text)
    }
}
impl std::str::FromStr for Number {
    type Err = E;
    fn from_str(text: &str) -> Result<Number, E> { if text.is_empty() { Err(E::Missing) } else { Ok(Number(0.0)) } }
}
impl TryFrom<u32> for Number {
    type Error = E;
    fn try_from(n: u32) -> Result<Number, E> { if n == 0 { Err(E::Missing) } else { Ok(Number(0.0)) } }
}
pub enum Page { Fine(u32), Refused(String) }
impl Page { fn refuse(e: E) -> Page { Page::Refused(format!("{e:?}")) } fn blank(_e: E) -> Page { Page::Fine(0) } }
pub struct Queue { jobs: Vec<Job> }
impl Queue {
    fn offer(&mut self, job: Job) -> Result<(), Full<Job>> {
        if 9 < self.jobs.len() { return Err(Full(job)); }
        self.jobs.push(job);
        Ok(())
    }
    fn run(&mut self, job: Job) -> Result<(), E> { f()?; self.jobs.push(job); u() }
}
"""

# What it is about -> (quiet, told).
PAIRS: dict[str, tuple[str, str]] = {
    "a value that is given back": (
        "pub fn x(q: &mut Queue) { let _ = q.offer(Job(1)); }",
        "pub fn x(q: &mut Queue) { let _ = q.run(Job(1)); }",
    ),
    "a conversion by a trait of std": (
        "pub fn x(t: &str) -> Option<Number> { let n = <Number as std::str::FromStr>::from_str(t).ok(); n }"
        " pub fn y(n: u32) -> Vec<Number> { [n].into_iter().filter_map(|n| Number::try_from(n).ok()).collect() }",
        "pub fn x() -> Vec<u32> { [1].into_iter().filter_map(|_| f().ok()).collect() }",
    ),
    "a conversion by hand": (
        "pub struct H { n: Option<Number> } pub fn x(t: &str) -> H { H { n: Number::read(t).ok() } }",
        "pub struct H { n: Option<Number> } pub fn x(t: &str) -> H { H { n: Number::fetch(t).ok() } }",
    ),
    "a stand-in made of the error by a function": (
        "pub fn x() -> Page { f().map(Page::Fine).unwrap_or_else(Page::refuse) }",
        "pub fn x() -> Page { f().map(Page::Fine).unwrap_or_else(Page::blank) }",
    ),
    "a second try": (
        "pub fn x() -> Option<u32> { let n = f().ok().or_else(|| f().ok()); n }",
        "pub struct H { n: Option<u32> } pub fn x() -> H { H { n: f().ok() } }",
    ),
    "the first that succeeds": (
        "pub fn x() -> Option<u32> { for _ in 0..3 { let r = f(); if let Ok(n) = r { return Some(n); } } None }",
        "pub fn x() -> u32 { let mut s = 0; for _ in 0..3 { let r = f(); if let Ok(n) = r { s += n; } } s }",
    ),
    "an error that has one meaning ends the way": (
        "pub fn x() { if gone().is_err() { return; } println!(\"on\"); }",
        "pub fn x() { if save(1).is_err() { return; } println!(\"on\"); }",
    ),
    "a rest that is asserted to be empty": (
        "pub fn x() { let mut rest = many().into_iter(); debug_assert!(rest.next().is_none()); }",
        "pub fn x() { let mut rest = many().into_iter(); let _ = rest.next(); }",
    ),
    "elements that are counted": (
        "pub fn x() -> usize { many().into_iter().count() }",
        "pub fn x() -> usize { many().into_iter().flatten().count() }",
    ),
    "a dump that the environment asks for": (
        "pub fn x(b: &[u8]) { if let Ok(dir) = std::env::var(\"DUMP\") { let _ = std::fs::write(dir, b); } }",
        "pub fn x(b: &[u8], dir: &str) { if !b.is_empty() { let _ = std::fs::write(dir, b); } }",
    ),
    "what is read to be thrown away": (
        "pub fn x(file: &mut std::fs::File) { let _ = file.read_to_end(&mut Vec::new()); }",
        "pub fn x(file: &mut std::fs::File) { let _ = file.write_all(b\"a\"); }",
    ),
    "bytes in memory that end": (
        "pub fn x(mut b: &[u8]) { let mut c = [0]; while let Ok(()) = b.read_exact(&mut c) { println!(\"{c:?}\"); } }",
        "pub fn x(mut b: std::fs::File, all: &mut Vec<u8>) { let mut c = [0]; while let Ok(()) = b.read_exact(&mut c) { all.push(c[0]); } }",
    ),
    "an entry of a folder": (
        "pub fn x() -> io::Result<usize> { let mut n = 0; for e in std::fs::read_dir(\"a\")?.flatten() { n += e.path().as_os_str().len(); } Ok(n) }",
        "pub fn x() -> usize { let Ok(all) = std::fs::read_dir(\"a\") else { return 0; };"
        " let mut n = 0; for e in all.flatten() { n += e.path().as_os_str().len(); } n }",
    ),
    "advice to the system, in a function of one's own": (
        "fn tune(s: &std::net::TcpStream) -> io::Result<()> { s.set_nodelay(true) }"
        " pub fn x(s: &std::net::TcpStream) { if let Err(e) = tune(s) { eprintln!(\"{e}\"); } }",
        "fn tune(s: &mut std::net::TcpStream) -> io::Result<()> { s.write_all(b\"a\") }"
        " pub fn x(s: &mut std::net::TcpStream) { if let Err(e) = tune(s) { eprintln!(\"{e}\"); } }",
    ),
    "a comment behind the call that lets it fail": (
        "pub fn x() { save(1).ok(); // ok if this fails: the next turn writes it\n }",
        "pub fn x() { save(1).ok(); // the first of two failures\n }",
    ),
    "a check of our own by any name": (
        "fn fits(n: u32) -> Result<(), E> { if n == 0 { return Err(E::Missing); } Ok(()) }"
        " pub fn x(n: u32) -> u32 { if fits(n).is_ok() { n } else { 7 } }",
        "pub fn x(n: u32) -> u32 { if save(n).is_ok() { n } else { 7 } }",
    ),
    "a statement of a type that nobody described": (
        "pub fn x(a: &[u8]) { let mut d = crc64fast::Digest::new(); d.write(a); }",
        "pub fn x(a: &[u8]) { let mut d = crc64fast::Digest::new(); let _ = d.write(a); }",
    ),
    "a send in a function of one's own that looks up whom to send to": (
        "pub struct R { all: std::collections::HashMap<u32, std::sync::mpsc::Sender<u32>> } impl R {"
        " fn tell(&self, to: u32) -> Result<(), E> { let tx = self.all.get(&to).ok_or(E::Missing)?;"
        " tx.send(1).map_err(|_| E::Missing) } pub fn x(&self) { let _ = self.tell(1); } }",
        "pub struct R { all: std::collections::HashMap<u32, std::fs::File> } impl R {"
        " fn tell(&self, to: u32) -> Result<(), E> { let mut tx = self.all.get(&to).ok_or(E::Missing)?;"
        " tx.write_all(b\"a\").map_err(|_| E::Missing) } pub fn x(&self) { let _ = self.tell(1); } }",
    ),
    "a removal in a function of one's own, logged": (
        "fn tidy(p: &str) -> io::Result<()> { std::fs::remove_file(p)?; std::fs::remove_dir_all(p) }"
        " pub fn x(p: &str) { if let Err(e) = tidy(p) { eprintln!(\"{e}\"); } }",
        "fn tidy(p: &str) -> io::Result<()> { std::fs::remove_file(p)?; std::fs::write(p, \"\") }"
        " pub fn x(p: &str) { if let Err(e) = tidy(p) { eprintln!(\"{e}\"); } }",
    ),
    "an error of one's own that has one meaning": (
        "pub fn x() { if let Ok(()) = gone() { println!(\"in\"); } }",
        "pub fn x() { if let Ok(()) = save(1) { println!(\"in\"); } }",
    ),
    "a number that no value has": (
        "pub fn x() -> i64 { lists().map(|l| l.len() as i64).unwrap_or(-1) }",
        "pub fn x() -> i64 { lists().map(|l| l.len() as i64).unwrap_or(0) }",
    ),
    "lines that are only shown": (
        "pub fn x(mut r: std::io::BufReader<std::fs::File>) { let mut b = String::new();"
        " while let Ok(1..) = std::io::BufRead::read_line(&mut r, &mut b) { println!(\"{b}\"); } }",
        "pub fn x(mut r: std::io::BufReader<std::fs::File>) -> Vec<String> { let mut all = Vec::new(); let mut b = String::new();"
        " while let Ok(1..) = std::io::BufRead::read_line(&mut r, &mut b) { all.push(b.clone()); } all }",
    ),
    "a constructor that tests what it is given": (
        "pub struct P(u32); impl P { fn new(n: u32) -> Result<P, E> { if n == 0 { return Err(E::Missing); } Ok(P(n)) } }"
        " pub struct H { p: Option<P> } pub fn x(n: u32) -> H { H { p: P::new(n).ok() } }",
        "pub struct P(u32); impl P { fn new(n: u32) -> Result<P, E> { save(n).map_err(|_| E::Missing)?; Ok(P(n)) } }"
        " pub struct H { p: Option<P> } pub fn x(n: u32) -> H { H { p: P::new(n).ok() } }",
    ),
    "a log that says that it is tried again": (
        "pub fn x() { if let Err(e) = save(1) { eprintln!(\"not saved, will retry: {e}\"); } }",
        "pub fn x() { if let Err(e) = save(1) { eprintln!(\"not saved: {e}\"); } }",
    ),
    "a function for those who do not want the error": (
        "pub struct B; impl B { fn try_put(&mut self, n: u32) -> io::Result<()> { save(n) }"
        " pub fn put(&mut self, n: u32) { let _ = self.try_put(n); } }",
        "pub struct B; impl B { fn write(&mut self, n: u32) -> io::Result<()> { save(n) }"
        " pub fn put(&mut self, n: u32) { println!(\"put\"); save(n + 1).unwrap(); let _ = self.write(n); } }",
    ),
    "an optional file whose name was bound before": (
        "pub fn x(d: &std::path::Path) -> usize { let p = d.join(\"settings.json\"); if let Ok(t) = std::fs::read_to_string(&p) { t.len() } else { 0 } }",
        "pub fn x(d: &std::path::Path) -> usize { let p = d.join(\"rows.bin\"); if let Ok(t) = std::fs::read_to_string(&p) { t.len() } else { 0 } }",
    ),
    "news of an error": (
        "pub struct Wire; impl Wire { fn send(&mut self, t: &str) -> io::Result<()> { std::fs::write(\"wire\", t) } }"
        " pub fn x(w: &mut Wire) { let failure = f().map(|n| n.to_string()).unwrap_or_else(|e| format!(\"{e:?}\")); let _ = w.send(&failure); }",
        "pub struct Wire; impl Wire { fn send(&mut self, t: &str) -> io::Result<()> { std::fs::write(\"wire\", t) } }"
        " pub fn x(w: &mut Wire) { let row = 7.to_string(); let _ = w.send(&row); }",
    ),
    "what tells of the machine, in a function of one's own": (
        "fn host() -> io::Result<String> { Ok(hostname::get()?.to_string_lossy().into_owned()) }"
        " pub struct H { name: Option<String> } pub fn x() -> H { H { name: host().ok() } }",
        "fn host() -> io::Result<String> { std::fs::read_to_string(\"rows\") }"
        " pub struct H { name: Option<String> } pub fn x() -> H { H { name: host().ok() } }",
    ),
    "a removal that is logged": (
        "pub fn x(path: &str) { if let Err(e) = std::fs::remove_file(path) { eprintln!(\"{e}\"); } }",
        "pub fn x(path: &str) { if let Err(e) = std::fs::write(path, \"\") { eprintln!(\"{e}\"); } }",
    ),
    "a None that all callers act upon": (
        "fn y() -> Option<u32> { match f() { Ok(n) => Some(n), Err(e) => { eprintln!(\"{e:?}\"); None } } }"
        " pub fn x() -> Result<u32, String> { y().ok_or(\"none\".to_string()) }",
        "fn y() -> Option<u32> { match f() { Ok(n) => Some(n), Err(e) => { eprintln!(\"{e:?}\"); None } } }"
        " pub fn x() -> u32 { y().unwrap_or(0) }",
    ),
    "a part of another error": (
        "pub fn x() -> Result<u32, E> { Err(E::Broken(lists().unwrap_or_default().len().to_string())) }",
        "pub fn x() -> Result<String, E> { Ok(lists().unwrap_or_default().len().to_string()) }",
    ),
    "another way below": (
        "pub fn x(a: &str, b: &str) -> io::Result<()> { let Err(_e) = std::fs::rename(a, b) else { return Ok(()); };"
        " std::fs::copy(a, b)?; std::fs::remove_file(a) }",
        "pub fn x(a: &str, b: &str) -> io::Result<()> { let Ok(()) = std::fs::rename(a, b) else { return Ok(()); };"
        " std::fs::copy(a, b)?; std::fs::remove_file(a) }",
    ),
    "an answer that decides together with another": (
        "pub struct S { up: bool } impl S { pub fn x(&mut self) { let ok = matches!(std::fs::read(\"a\"), Ok(_));"
        " match (ok, self.up) { (false, true) => { self.up = false; } (true, false) => { self.up = true; } _ => {} } } }",
        "pub struct S { up: bool } impl S { pub fn x(&mut self) { let ok = matches!(std::fs::write(\"a\", \"b\"), Ok(_));"
        " match (ok, self.up) { (true, false) => { self.up = true; } _ => {} } } }",
    ),
    "a comment between the call and the look at it": (
        "pub fn x() -> Option<u32> { let r = std::fs::read(\"a\");\n // It may fail where the disk is slow.\n\n"
        " println!(\"read\");\n match r { Ok(b) => Some(b.len() as u32), Err(e) => { eprintln!(\"{e}\"); Some(0) } } }",
        "pub fn x() -> Option<u32> { let r = std::fs::read(\"a\");\n // The length counts in bytes.\n\n"
        " println!(\"read\");\n match r { Ok(b) => Some(b.len() as u32), Err(e) => { eprintln!(\"{e}\"); Some(0) } } }",
    ),
    "a comment on all errors of a block": (
        "pub fn x() -> Vec<u32> { [1].iter().filter_map(|_| {\n // NOTE: errors are discarded.\n let a = f().ok()?;\n"
        " let b = f().ok()?;\n Some(a + b) }).collect() }",
        "pub fn x() -> Vec<u32> { [1].iter().filter_map(|_| {\n // NOTE: numbers are added.\n let a = f().ok()?;\n"
        " let b = f().ok()?;\n Some(a + b) }).collect() }",
    ),
    "a comment that accepts the harm that it names": (
        "pub fn x() {\n // A wrong size is tolerated here.\n let _ = save(1); }",
        "pub fn x() {\n // A wrong size would corrupt the file if it failed.\n let _ = save(1); }",
    ),
    "a log that says it is best effort, in a closure": (
        "pub fn x() { save(1).map_err(|e| eprintln!(\"ignored: {e}\")).ok(); }",
        "pub fn x() { save(1).map_err(|e| eprintln!(\"not saved: {e}\")).ok(); }",
    ),
    "an unknown that says so": (
        "pub fn x() -> String { lists().map(|l| l.len().to_string()).unwrap_or_else(|_| \"unknown\".to_string()) }",
        "pub fn x() -> String { lists().map(|l| l.len().to_string()).unwrap_or_else(|_| \"none\".to_string()) }",
    ),
    "what a map held before": (
        "pub fn x(m: &mut std::collections::HashMap<u32, Result<u32, E>>) { m.insert(1, f()); }",
        "pub struct M(Vec<u32>); impl M { fn insert(&mut self, n: u32) -> Result<(), E> { self.0.push(n); u() } }"
        " pub fn x(m: &mut M) { let _ = m.insert(1); }",
    ),
    "an option that goes on in a chain": (
        "pub fn x() -> Result<u32, E> { let mut s = 0; for r in many().into_iter().chain(maybe().transpose()) { s += r?; } Ok(s) }",
        "pub fn x() -> Result<u32, E> { let mut s = 0; for r in many().into_iter().chain(maybe().transpose()) { s += r.unwrap_or(0); } Ok(s) }",
    ),
}  # fmt: skip

test_it_is_not_told_of, test_it_is_told_in_the_twin_of = quiet_and_told(HEAD, PAIRS)


# Where a file stands says what it is for.
@pytest.mark.parametrize(
    "path",
    ["app/test/src/lib.rs", "tests-e2e/integration/src/lib.rs", "test_store/src/lib.rs", "xtask/src/lib.rs"],
)
def test_the_tools_of_tests_and_builds_are_not_told_of(path: str) -> None:
    assert told(HEAD + "pub fn x() { let _ = save(1); }", path) == []


@pytest.mark.parametrize("path", ["app/attest/src/lib.rs", "latest/src/lib.rs"])
def test_other_folders_are(path: str) -> None:
    assert told(HEAD + "pub fn x() { let _ = save(1); }", path)
