"""Losses that are meant, as they are met in servers and tools; and their twins, which are told."""

from __future__ import annotations

from test_swallow_judgement import HEAD
from twins import quiet_and_told

# What it is about -> (quiet, told).
PAIRS: dict[str, tuple[str, str]] = {
    "a probe, asked whether it works": (
        """pub struct Db { file: std::fs::File }
impl Db { fn ping(&mut self) -> io::Result<()> { self.file.write_all(b"ping") } }
pub struct Node { db: Db, ready: bool }
impl Node { pub fn x(&mut self) { self.ready = self.db.ping().is_ok(); } }""",
        """pub struct Db { file: std::fs::File }
impl Db { fn push(&mut self) -> io::Result<()> { self.file.write_all(b"row") } }
pub struct Node { db: Db, ready: bool }
impl Node { pub fn x(&mut self) { self.ready = self.db.push().is_ok(); } }""",
    ),
    "a None in place of an error, where a None says that there is none": (
        """pub struct Db { root: std::path::PathBuf }
impl Db { async fn row(&self, k: u32) -> io::Result<String> { tokio::fs::read_to_string(self.root.join(k.to_string())).await } }
pub async fn x(db: &Db) -> Option<String> { db.row(1).await.ok() }""",
        """pub struct Db { root: std::path::PathBuf }
impl Db { async fn row(&self, k: u32) -> io::Result<Option<String>> { let s = tokio::fs::read_to_string(self.root.join("rows")).await?; Ok(s.lines().nth(k as usize).map(str::to_owned)) } }
pub async fn x(db: &Db) -> Option<String> { db.row(1).await.ok().flatten() }""",
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
    "a terminal of a type that is known": (
        "pub trait Out { fn put(&mut self) -> io::Result<()>; } pub struct T(io::Stdout); pub struct F(std::fs::File);"
        " impl Out for T { fn put(&mut self) -> io::Result<()> { self.0.write_all(b\"a\") } }"
        " impl Out for F { fn put(&mut self) -> io::Result<()> { self.0.write_all(b\"a\") } }"
        " pub fn x(o: &mut T) { let _ = o.put(); }",
        "pub trait Out { fn put(&mut self) -> io::Result<()>; } pub struct T(io::Stdout); pub struct F(std::fs::File);"
        " impl Out for T { fn put(&mut self) -> io::Result<()> { self.0.write_all(b\"a\") } }"
        " impl Out for F { fn put(&mut self) -> io::Result<()> { self.0.write_all(b\"a\") } }"
        " pub fn x(o: &mut dyn Out) { let _ = o.put(); }",
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
    "a type that prints the fields of a log": (
        """pub trait Visit { fn record(&mut self, n: u32); } pub struct P<W: Write> { w: W }
 impl<W: Write> P<W> { fn time(&mut self) { write!(self.w, "ts").ok(); } }
 impl<W: Write> Visit for P<W> { fn record(&mut self, n: u32) { self.time(); write!(self.w, "{n}").ok(); } }""",
        """pub trait Store { fn put(&mut self, n: u32); } pub struct P<W: Write> { w: W }
 impl<W: Write> P<W> { fn time(&mut self) { write!(self.w, "ts").ok(); } }
 impl<W: Write> Store for P<W> { fn put(&mut self, n: u32) { self.time(); } }""",
    ),
    "the terminal in a type of its own": (
        """pub struct Colored(io::Stdout); impl Colored { fn stdout() -> Colored { Colored(io::stdout()) } }
 impl Write for Colored { fn write(&mut self, b: &[u8]) -> io::Result<usize> { self.0.write(b) } fn flush(&mut self) -> io::Result<()> { self.0.flush() } }
 pub fn x() { let mut out = Colored::stdout(); let _ = write!(out, "a"); }""",
        """pub struct Log(std::fs::File); impl Log { fn open() -> Log { Log(std::fs::File::create("a").unwrap()) } }
 impl Write for Log { fn write(&mut self, b: &[u8]) -> io::Result<usize> { self.0.write(b) } fn flush(&mut self) -> io::Result<()> { self.0.flush() } }
 pub fn x() { let mut out = Log::open(); let _ = write!(out, "a"); }""",
    ),
    "a file that is in the way": (
        """pub fn x(p: &std::path::Path) -> io::Result<()> { let _ = std::fs::remove_file(p); std::os::unix::net::UnixListener::bind(&p)?; Ok(()) }""",
        """pub fn x(p: &std::path::Path) -> io::Result<()> { let _ = std::fs::remove_file(p); std::fs::File::open(&p)?; Ok(()) }""",
    ),
    "a comment that says that it fails forgiving": (
        """pub fn x() -> Result<u32, E> { Ok(match lists() { Ok(l) => l.len() as u32, _ => 0, // fail forgiving: don't block the user
 }) }""",
        """pub fn x() -> Result<u32, E> { Ok(match lists() { Ok(l) => l.len() as u32, _ => 0, // the user
 }) }""",
    ),
    "a comment above that a failure here must not matter": (
        """pub fn x() {
 // A failure here shouldn't fail the install.
 let n = 3;
 let m = n + 1;
 let _ = save(m); }""",
        """pub fn x() {
 // This is a part of the install.
 let n = 3;
 let m = n + 1;
 let _ = save(m); }""",
    ),
    "work of another kind that a runner gives": (
        """use run::Token; pub async fn a(t: &Token) -> u32 { match t.until(async { f() }).await { Some(Ok(n)) => n, Some(Err(e)) => panic!("{e:?}"), None => 0 } }
 pub async fn x(t: &Token) { let _ = t.until(async { 1 }).await; }""",
        """use run::Token; pub async fn a(t: &Token) -> u32 { match t.load(1).await { Some(Ok(n)) => n, Some(Err(e)) => panic!("{e:?}"), None => 0 } }
 pub async fn x(t: &Token) { let _ = t.load(2).await; }""",
    ),
    "a runtime's own way to say that the time is up": (
        """pub async fn x() { if some_future::time::timeout(1, async { 1 }).await.is_err() { eprintln!("late"); } }""",
        """pub async fn x() { if some_future::time::fetch(1).await.is_err() { eprintln!("late"); } }""",
    ),
    "an undoing in the arm of an error": (
        """pub struct Tx(u32); impl Tx { fn commit(&mut self) -> Result<(), E> { self.0 += 1; u() } fn cancel(&mut self) -> Result<(), E> { self.0 = 0; u() } }
 pub fn x(t: &mut Tx, n: &mut u32) { loop { match t.commit() { Ok(()) => break, Err(e) => { let _ = t.cancel(); *n += 1; eprintln!("{e:?}"); } } } }""",
        """pub struct Tx(u32); impl Tx { fn commit(&mut self) -> Result<(), E> { self.0 += 1; u() } fn cancel(&mut self) -> Result<(), E> { self.0 = 0; u() } }
 pub fn x(t: &mut Tx, n: &mut u32) { match t.commit() { Ok(()) => { *n += 1; let _ = t.cancel(); } Err(e) => panic!("{e:?}") } }""",
    ),
    "a text of the error that goes into a macro over several lines": (
        """pub fn x(v: &mut Vec<made::Value>) { let told = match u() { Ok(()) => String::new(), Err(e) => format!("{e:?}") };
 v.push(json!(
 { "id": 1, "error": told }
 )); }""",
        """pub fn x(v: &mut Vec<made::Value>) { let told = match u() { Ok(()) => String::new(), Err(_) => String::new() };
 v.push(json!(
 { "id": 1, "error": told }
 )); }""",
    ),
    "a test of what should be done, by its name": (
        """fn should_block(n: u32) -> Result<(), E> { if n == 1 { return Err(E::Missing) } if n == 2 { return Err(E::Broken(String::new())) } Ok(()) }
 pub fn x(n: u32) -> u32 { if should_block(n).is_err() { eprintln!("blocked"); return 7; } n + 1 }""",
        """fn store(n: u32) -> Result<(), E> { save(n).map_err(|_| E::Missing)?; u() }
 pub fn x(n: u32) -> u32 { if store(n).is_err() { eprintln!("not stored"); } n + 1 }""",
    ),
}  # fmt: skip

test_it_is_not_told_of, test_it_is_told_in_the_twin_of = quiet_and_told(HEAD, PAIRS)
