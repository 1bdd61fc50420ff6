"""What a reviewer would shrug at is no finding; its twin, in which something is lost, is one."""

from __future__ import annotations

import pytest

from swallow_program import told

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
    "a write to the terminal through own functions": (
        """pub struct Shell { err: std::io::Stderr, verbose: bool }
impl Shell {
  fn message(&mut self, kind: &str, text: &str) -> io::Result<()> { self.err.write_all(kind.as_bytes())?; writeln!(self.err, "{text}") }
  fn warn(&mut self, text: &str) -> io::Result<()> { if self.verbose { self.message("w", text)?; } Ok(()) }
}
fn out(text: &str) -> io::Result<()> { let stdout = io::stdout(); let mut lock = stdout.lock(); lock.write_all(text.as_bytes())?; lock.flush() }
pub fn x(s: &mut Shell) { let _ = s.warn("a"); drop(s.warn("b")); let _ = out("c"); }""",
        """pub struct Shell { err: std::fs::File, verbose: bool }
impl Shell {
  fn message(&mut self, kind: &str, text: &str) -> io::Result<()> { self.err.write_all(kind.as_bytes())?; writeln!(self.err, "{text}") }
  fn save(&mut self, text: &str) -> io::Result<()> { if self.verbose { self.message("w", text)?; } Ok(()) }
}
pub fn x(s: &mut Shell) { let _ = s.save("a"); }""",
    ),
    "a shell that writes to whichever terminal there is": (
        """pub enum Out { Write(Box<dyn Write>), Stream { stdout: io::Stdout, stderr: io::Stderr } }
impl Out { 
  fn message_stderr(&mut self, text: &str) -> anyhow::Result<()> { let mut b = Vec::new(); writeln!(b, "{text}")?; self.stderr().write_all(&b)?; Ok(()) } 
  fn stderr(&mut self) -> &mut dyn Write { match self { Out::Stream { stderr, .. } => stderr, Out::Write(w) => w } }
}
pub struct Shell { out: Out }
impl Shell { 
 fn print(&mut self, t: &str) -> anyhow::Result<()> { self.out.message_stderr(t) } 
 pub fn warn<T: std::fmt::Display>(&mut self, m: T) -> anyhow::Result<()> { self.print(&m.to_string()) } }
pub fn x(s: &mut Shell) { let _ = s.warn("a"); drop(s.warn("b")); }""",
        """pub struct Db { out: Box<dyn Write> }
impl Db { fn put(&mut self, t: &str) -> io::Result<()> { self.out.write_all(t.as_bytes()) } }
pub fn x(s: &mut Db) { let _ = s.put("a"); }""",
    ),
    "a result beside another that was tried as well": (
        """fn g() -> Result<String, E> { Err(E::Missing) }
pub fn x() -> Result<u32, E> { match (f(), g()) { (Ok(a), _) => Ok(a), (_, Ok(b)) => Ok(b.len() as u32), (Err(e), Err(_)) => Err(e) } }""",
        """fn g() -> Result<String, E> { Err(E::Missing) }
pub fn x() -> u32 { match (f(), g()) { (Ok(a), Ok(b)) => a + b.len() as u32, _ => 0 } }""",
    ),
    "a generic writer that is a String": (
        """fn hex<W: std::fmt::Write>(w: &mut W, b: &[u8]) -> std::fmt::Result { for x in b { write!(w, "{x:02x}")?; } writeln!(w) }
pub fn x(b: &[u8]) -> String { let mut s = String::new(); hex(&mut s, b).unwrap_or(()); let _ = hex(&mut s, b); s }""",
        """fn hex<W: Write>(w: &mut W, b: &[u8]) -> io::Result<()> { for x in b { write!(w, "{x:02x}")?; } writeln!(w) }
pub fn x(b: &[u8], file: &mut std::fs::File) { let _ = hex(file, b); }""",
    ),
    "a closure that writes into a String": (
        """fn title<W: std::fmt::Write>(w: &mut W, n: u32) -> std::fmt::Result { let write = |w: &mut W, n: u32| { if n == 1 { writeln!(w, "a") } else { writeln!(w, "{n}") } }; write(w, n) }
pub fn x() -> String { let mut s = String::new(); let _ = title(&mut s, 1); s }""",
        """fn title(n: u32) -> io::Result<()> { let write = |n: u32| { if n == 1 { save(n) } else { save(2) } }; write(n) }
pub fn x() { let _ = title(1); }""",
    ),
    "the terminal behind a method": (
        """pub struct Out { err: Box<dyn Write> } impl Out { fn stderr(&mut self) -> &mut dyn Write { &mut self.err } }
pub struct Shell { out: Out } impl Shell { fn err(&mut self) -> &mut dyn Write { self.out.stderr() } }
pub fn x(s: &mut Shell) { drop(writeln!(s.err(), "a")); }""",
        """pub struct Out { file: Box<dyn Write> } impl Out { fn file(&mut self) -> &mut dyn Write { &mut self.file } }
pub struct Db { out: Out } impl Db { fn wal(&mut self) -> &mut dyn Write { self.out.file() } }
pub fn x(s: &mut Db) { drop(writeln!(s.wal(), "a")); }""",
    ),
    "an error that counts only under a flag": (
        """pub fn x(lenient: bool) -> Result<u32, E> { match (u(), lenient) { (Err(e), false) => return Err(e), _ => {} } Ok(1) }""",
        """pub fn x() -> Result<u32, E> { match (u(), f()) { (Err(e), Ok(_)) => return Err(e), _ => {} } Ok(1) }""",
    ),
    "a handler with type arguments in select!": (
        """async fn one() -> Result<(), E> { u() }
pub async fn x() -> Result<(), E> { let server = async move { loop { one().await?; } };
 tokio::select! { done = server => done, other = one() => { other?; Ok::<(), E>(()) } } }""",
        """async fn one() -> Result<(), E> { u() }
pub async fn x() -> Result<(), E> { let server = async move { one().await?; Ok::<(), E>(()) };
 tokio::select! { _ = server => Ok::<(), E>(()), other = one() => { other?; Ok::<(), E>(()) } } }""",
    ),
    "a generic writer that is a Vec": (
        """fn hex<W: Write>(w: &mut W, b: &[u8]) -> io::Result<()> { for x in b { write!(w, "{x:02x}")?; } writeln!(w) }
pub fn x(b: &[u8]) -> Vec<u8> { let mut v = Vec::new(); let _ = hex(&mut v, b); v }""",
        """fn hex<W: Write>(w: &mut W, b: &[u8]) -> io::Result<()> { for x in b { write!(w, "{x:02x}")?; } writeln!(w) }
pub fn x(b: &[u8], s: &mut std::net::TcpStream) { let _ = hex(s, b); }""",
    ),
    "an element that was peeked at": (
        """pub struct T(u32); impl Iterator for T { type Item = Result<u32, E>; fn next(&mut self) -> Option<Result<u32, E>> { Some(f()) } }
pub struct P { t: std::iter::Peekable<T> }
impl P { pub fn x(&mut self, want: u32) -> bool { match self.t.peek() { Some(Ok(n)) if *n == want => {} _ => return false } self.t.next(); true } }""",
        """pub struct T(u32); impl Iterator for T { type Item = Result<u32, E>; fn next(&mut self) -> Option<Result<u32, E>> { Some(f()) } }
pub fn x(t: &mut T) { t.next(); }""",
    ),
    "an exit code": (
        """pub fn x() { let code = if let Err(e) = u() { eprintln!("{e:?}"); 1 } else { 0 }; std::process::exit(code); }
pub fn y() -> i32 { match u() { Ok(()) => 0, Err(e) => { eprintln!("{e:?}"); 1 } } }
pub fn main() -> std::process::ExitCode { match u() { Ok(()) => std::process::ExitCode::SUCCESS, Err(e) => { eprintln!("{e:?}"); std::process::ExitCode::FAILURE } } }""",
        """pub fn x() -> u32 { let size = if let Err(e) = u() { eprintln!("{e:?}"); 0 } else { 7 }; size + 1 }""",
    ),
    "a comment that says that it is voluntary": (
        """pub fn x() {
    // We voluntarily don't look at the answer: it is asked again in a second.
    let _ = u();
}""",
        """pub fn x() {
    // Ask.
    let _ = u();
}""",
    ),
    "a lookup by name in something from outside": (
        """use arrow::datatypes::Schema;
pub fn x(s: &Schema, n: &str) -> usize { if let Ok(i) = s.index_of(n) { i + 1 } else { 0 } }
pub fn y(s: &Schema, v: &mut Vec<usize>) { for n in ["a"] { if let Ok(i) = s.index_of(n) { v.push(i); } } }
pub fn z(s: &Schema, v: &mut Vec<usize>) { if s.field_with_name("a").is_ok() { v.push(1); } }""",
        """use arrow::datatypes::Schema;
pub fn z(s: &mut Schema) -> anyhow::Result<()> { s.index_all("n")?; Ok(()) }
pub fn y(s: &mut Schema) { s.index_all("n").ok(); }""",
    ),
    "a variant that says that it can't": (
        """pub enum Answer { Stored, CannotCache }
pub fn x() -> Answer { u().map(|_| Answer::Stored).unwrap_or(Answer::CannotCache) }
pub fn y() -> Answer { match u() { Ok(()) => Answer::Stored, Err(_) => Answer::CannotCache } }""",
        """pub enum Answer { Stored, Empty }
pub fn y() -> Answer { u().map(|_| Answer::Stored).unwrap_or(Answer::Empty) }""",
    ),
    "a default under which an error is raised or logged": (
        """pub fn exists() -> Result<bool, E> { Ok(f()? == 1) }
pub fn x() -> Result<(), E> { if !exists().unwrap_or(false) { return Err(E::Missing); } Ok(()) }
pub fn y(live: &mut bool) { if !exists().unwrap_or(false) { eprintln!("error: not there"); *live = false; } }""",
        """pub fn exists() -> Result<bool, E> { Ok(f()? == 1) }
pub fn x(n: &mut u32) -> Result<(), E> { if exists().unwrap_or(false) { *n += 1; } Ok(()) }""",
    ),
    "an arm of select! that binds the name of a later future": (
        "async fn one() -> Result<(), E> { u() }"
        " pub async fn x() -> Result<(), E> { let next = one();"
        " tokio::select! { next = one() => { next?; Ok(()) } out = next => { out?; Ok(()) } } }",
        "async fn one() -> Result<(), E> { u() }"
        " pub async fn x() -> Result<(), E> { let next = one();"
        " tokio::select! { out = one() => { out?; Ok(()) } _ = next => Ok(()) } }",
    ),
    "a failure that is raised in a Poll": (
        """use std::task::Poll; pub fn x(w: &mut std::net::TcpStream) -> Poll<io::Result<()>> {
 if w.write_all(b"x").is_err() { return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())); } Poll::Pending }""",
        """use std::task::Poll; pub fn x(w: &mut std::net::TcpStream) -> Poll<Option<u32>> {
 if w.write_all(b"x").is_err() { return Poll::Ready(Some(0)); } Poll::Pending }""",
    ),
    "a logger that may be set already": (
        """pub fn x() { let _ = tracing_subscriber::fmt().with_env_filter("a").try_init(); }""",
        """pub struct Store(u32); impl Store { fn try_init(&mut self) -> Result<(), E> { self.0 += 1; u() } } pub fn x(s: &mut Store) { let _ = s.try_init(); }""",
    ),
    "a signal that is waited for": (
        """pub async fn x() { tokio::signal::ctrl_c().await.ok(); }""",
        """pub async fn x(s: &mut tokio::net::TcpStream) { use tokio::io::AsyncWriteExt; s.flush().await.ok(); }""",
    ),
    "what is given back where there is no room": (
        """pub fn x(q: &mut bounded::Set<u32>, n: u32) { if q.try_push(n).is_err() { eprintln!("full") } }""",
        """pub fn x(q: &mut bounded::Set<u32>, n: u32) { if q.try_store(n).is_err() { eprintln!("not stored") } }""",
    ),
    "an error that holds nothing and is asked for": (
        """pub struct M(u32); impl M { fn enter(&mut self) -> Result<(), ()> { if self.0 == 2 { return Err(()); } self.0 += 1; Ok(()) }
 pub fn x(&mut self) { if self.enter().is_ok() { self.0 += 2; } } }""",
        """pub struct M(u32); impl M { fn enter(&mut self) -> Result<(), ()> { if self.0 == 2 { return Err(()); } self.0 += 1; Ok(()) }
 pub fn x(&mut self) { let _ = self.enter(); self.0 += 2; } }""",
    ),
    "an accessor by the name of what it gives": (
        """pub fn x(b: &made::Body, v: &mut Vec<usize>) { if let Ok(proofs) = b.proofs() { v.push(proofs.len()); } }""",
        """pub fn x(b: &made::Body, v: &mut Vec<usize>) { if let Ok(proofs) = b.load() { v.push(proofs.len()); } }""",
    ),
    "an arm that lets all kinds in but one": (
        """#[derive(PartialEq)] pub enum K { Missing, Broken } impl E { fn kind(&self) -> K { K::Missing } }
 pub fn x() -> Result<u32, E> { match f() { Ok(n) => return Ok(n), Err(e) if e.kind() != K::Missing => return Err(e), _ => {} } Ok(0) }""",
        """#[derive(PartialEq)] pub enum K { Missing, Broken } impl E { fn kind(&self) -> K { K::Missing } }
 pub fn x(v: &mut Vec<u32>) -> Result<u32, E> { match f() { Ok(n) => v.push(n), Err(e) if e.kind() == K::Broken => return Err(e), _ => {} } Ok(0) }""",
    ),
    "a nudge": (
        """pub fn x(s: &some::Shared) { s.kicker.try_send(()).ok(); }""",
        """pub fn x(s: &some::Shared, n: u32) { s.kicker.try_send(n).ok(); }""",
    ),
    "a conversion that tells of its failure as I/O": (
        """pub struct P(u32); fn bad(e: std::num::ParseIntError) -> io::Error { io::Error::new(io::ErrorKind::InvalidData, e) }
 impl TryFrom<String> for P { type Error = io::Error; fn try_from(s: String) -> io::Result<P> { Ok(P(s.parse::<u32>().map_err(bad)?)) } }
 pub fn x(v: Vec<String>) -> Vec<P> { v.into_iter().filter_map(|s| P::try_from(s).ok()).collect() }""",
        """pub struct P(u32);
 impl TryFrom<String> for P { type Error = io::Error; fn try_from(s: String) -> io::Result<P> { Ok(P(std::fs::read_to_string(s)?.len() as u32)) } }
 pub fn x(v: Vec<String>) -> Vec<P> { v.into_iter().filter_map(|s| P::try_from(s).ok()).collect() }""",
    ),
    "a comment that says that it is closing": (
        """pub fn x(v: &mut Vec<u32>) { match f() { Ok(n) => v.push(n), Err(_) => {} // the connection is closing
 } }""",
        """pub fn x(v: &mut Vec<u32>) { match f() { Ok(n) => v.push(n), Err(_) => {} // the connection
 } }""",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_it_is_not_told_of(name: str) -> None:
    assert [(one.function, one.fate, one.line) for one in told(HEAD + PAIRS[name][0])] == []


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_it_is_told_in_the_twin_of(name: str) -> None:
    assert told(HEAD + PAIRS[name][1])


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
