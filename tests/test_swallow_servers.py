"""Losses as servers have them, and what looks like one: each beside the nearest twin on the other side."""

from __future__ import annotations

from twins import quiet_and_told

HEAD = """
use std::collections::HashMap; use std::fs::{self, File}; use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write}; use std::path::{Path, PathBuf}; use std::sync::{Arc, Mutex, mpsc}; use std::thread;
macro_rules! warn { ($($t:tt)*) => { eprintln!($($t)*) } }
macro_rules! error { ($($t:tt)*) => { eprintln!($($t)*) } }
macro_rules! debug { ($($t:tt)*) => { eprintln!($($t)*) } }
macro_rules! info { ($($t:tt)*) => { eprintln!($($t)*) } }
#[derive(Debug)] pub enum Error { Io(io::Error), Corrupt(String), NotFound, Busy }
impl From<io::Error> for Error { fn from(e: io::Error) -> Error { Error::Io(e) } }
impl std::fmt::Display for Error { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{:?}", self) } }
type Result<T> = std::result::Result<T, Error>;
#[derive(Clone, Default, Debug)] pub struct Row { id: u64, body: String }
fn decode(line: &str) -> Result<Row> { let (a, b) = line.split_once(':').ok_or_else(|| Error::Corrupt(line.to_string()))?; let id = a.parse().map_err(|_| Error::Corrupt(a.to_string()))?; Ok(Row { id, body: b.to_string() }) }
pub struct Store { path: PathBuf, file: File, rows: HashMap<u64, Row>, dirty: bool, epoch: u64 }
impl Store {
  pub fn put(&mut self, row: Row) -> Result<()> { self.file.write_all(row.body.as_bytes())?; self.rows.insert(row.id, row); self.dirty = true; Ok(()) }
  pub fn flush(&mut self) -> Result<()> { self.file.flush()?; self.file.sync_all()?; self.dirty = false; Ok(()) }
  pub fn get(&self, id: u64) -> Result<Row> { let text = fs::read_to_string(self.path.join(id.to_string()))?; decode(&text) }
  pub fn all(&self) -> Result<Vec<Row>> { let mut v = vec![]; for e in fs::read_dir(&self.path)? { v.push(decode(&fs::read_to_string(e?.path())?)?); } Ok(v) }
  pub fn remove(&mut self, id: u64) -> Result<()> { fs::remove_file(self.path.join(id.to_string()))?; self.rows.remove(&id); Ok(()) }
  pub fn compact(&mut self) -> Result<u64> { let rows = self.all()?; fs::write(&self.path, format!("{rows:?}"))?; self.epoch += 1; Ok(rows.len() as u64) }
  pub fn size(&self) -> Result<u64> { Ok(fs::metadata(&self.path)?.len()) }
}
pub struct Peer { addr: String }
impl Peer { pub fn fetch(&self, id: u64) -> Result<Row> { let mut s = std::net::TcpStream::connect(&self.addr)?; s.write_all(&id.to_be_bytes())?; let mut t = String::new(); s.read_to_string(&mut t)?; decode(&t) }
  pub fn push(&self, row: &Row) -> Result<()> { let mut s = std::net::TcpStream::connect(&self.addr)?; s.write_all(row.body.as_bytes())?; Ok(()) } }
"""

# What it is about -> (quiet, told).
PAIRS: dict[str, tuple[str, str]] = {
    "a function that is handed to flat_map": (
        """fn load(p: &Path) -> Result<Row> { decode(&fs::read_to_string(p)?) } fn go(ps: &[PathBuf]) -> Result<Vec<Row>> { ps.iter().map(|p| p.as_path()).map(load).collect() }""",
        """fn load(p: &Path) -> Result<Row> { decode(&fs::read_to_string(p)?) } fn go(ps: &[PathBuf]) -> Vec<Row> { ps.iter().map(|p| p.as_path()).flat_map(load).collect() }""",
    ),
    "a function that is handed to map, and passed over": (
        """fn load(p: &PathBuf) -> Result<Row> { decode(&fs::read_to_string(p)?) } fn go(ps: &[PathBuf]) -> Result<Vec<Row>> { ps.iter().map(load).collect() }""",
        """fn load(p: &PathBuf) -> Result<Row> { decode(&fs::read_to_string(p)?) } fn go(ps: &[PathBuf]) -> Vec<Row> { ps.iter().map(load).flatten().collect() }""",
    ),
    "a function that is handed to map, of which the good are kept": (
        """fn load(p: &PathBuf) -> Result<Row> { decode(&fs::read_to_string(p)?) } fn go(ps: &[PathBuf]) -> Result<Vec<Row>> { ps.iter().map(load).collect() }""",
        """fn load(p: &PathBuf) -> Result<Row> { decode(&fs::read_to_string(p)?) } fn go(ps: &[PathBuf]) -> Vec<Row> { ps.iter().map(load).filter_map(std::result::Result::ok).collect() }""",
    ),
    "a method that is handed to map by its path": (
        """fn go(ss: &[Store]) -> Result<Vec<Vec<Row>>> { ss.iter().map(Store::all).collect() }""",
        """fn go(ss: &[Store]) -> Vec<Vec<Row>> { ss.iter().map(Store::all).flatten().collect() }""",
    ),
    "a function whose results are dropped one by one": (
        """fn save(r: &Row) -> Result<()> { fs::write("a", &r.body)?; Ok(()) } fn go(rs: &[Row]) -> Result<()> { rs.iter().try_for_each(save) }""",
        """fn save(r: &Row) -> Result<()> { fs::write("a", &r.body)?; Ok(()) } fn go(rs: &[Row]) { rs.iter().map(save).for_each(drop); }""",
    ),
    "elements that are filtered by their success": (
        """fn go(ss: &[Store]) -> Result<Vec<Vec<Row>>> { ss.iter().map(|s| s.all()).collect() }""",
        """fn go(ss: &[Store]) -> Vec<Vec<Row>> { ss.iter().map(|s| s.all()).filter(|r| r.is_ok()).map(|r| r.unwrap()).collect() }""",
    ),
    "elements that are taken up to a failure": (
        """fn lines(f: File) -> io::Result<Vec<String>> { BufReader::new(f).lines().collect() }""",
        """fn lines(f: File) -> Vec<String> { BufReader::new(f).lines().take_while(|l| l.is_ok()).map(|l| l.unwrap()).collect() }""",
    ),
    "a partition of which the half that failed is not looked at": (
        """fn go(ss: &[Store]) -> Result<Vec<Vec<Row>>> { let (good, bad): (Vec<_>, Vec<_>) = ss.iter().map(|s| s.all()).partition(std::result::Result::is_ok); if let Some(Err(e)) = bad.into_iter().next() { return Err(e); } Ok(good.into_iter().map(|r| r.unwrap()).collect()) }""",
        """fn go(ss: &[Store]) -> Vec<Vec<Row>> { let (good, _): (Vec<_>, Vec<_>) = ss.iter().map(|s| s.all()).partition(std::result::Result::is_ok); good.into_iter().map(|r| r.unwrap()).collect() }""",
    ),
    "a partition by a closure": (
        """fn total(s: &[Store]) -> Result<Vec<u64>> { let (good, bad): (Vec<_>, Vec<_>) = s.iter().map(|x| x.size()).partition(|r| r.is_ok()); for b in bad { b?; } Ok(good.into_iter().map(|r| r.unwrap()).collect()) }""",
        """fn total(s: &[Store]) -> Vec<u64> { let (good, _bad): (Vec<_>, Vec<_>) = s.iter().map(|x| x.size()).partition(|r| r.is_ok()); good.into_iter().map(|r| r.unwrap()).collect() }""",
    ),
    "a result that is received, and not looked at beside the end of the channel": (
        """fn gather(rx: mpsc::Receiver<Result<Row>>) -> Result<Vec<Row>> { let mut v = vec![]; loop { match rx.recv() { Ok(r) => v.push(r?), Err(_) => break } } Ok(v) }""",
        """fn gather(rx: mpsc::Receiver<Result<Row>>) -> Vec<Row> { let mut v = vec![]; loop { match rx.recv() { Ok(Ok(r)) => v.push(r), _ => break } } v }""",
    ),
    "a result that is received, asked for its success only": (
        """fn one(rx: mpsc::Receiver<Result<Row>>, s: &mut Store) -> Result<()> { if let Ok(r) = rx.recv() { s.put(r?)?; } Ok(()) }""",
        """fn one(rx: mpsc::Receiver<Result<Row>>, s: &mut Store) -> Result<()> { if let Ok(Ok(r)) = rx.recv() { s.put(r)?; } Ok(()) }""",
    ),
    "a loop over received results that ends with the first error": (
        """fn gather(rx: mpsc::Receiver<Result<Row>>) -> Result<Vec<Row>> { let mut v = vec![]; while let Ok(r) = rx.recv() { v.push(r?); } Ok(v) }""",
        """fn gather(rx: mpsc::Receiver<Result<Row>>) -> Vec<Row> { let mut v = vec![]; while let Ok(Ok(r)) = rx.recv() { v.push(r); } v }""",
    ),
    "errors that are gathered and looked at by nobody": (
        """fn go(s: &mut Store, rows: Vec<Row>) -> Result<()> { let mut errors = Vec::new(); for r in rows { if let Err(e) = s.put(r) { errors.push(e); } } s.flush()?; if let Some(e) = errors.pop() { return Err(e); } Ok(()) }""",
        """fn go(s: &mut Store, rows: Vec<Row>) -> Result<()> { let mut errors = Vec::new(); for r in rows { if let Err(e) = s.put(r) { errors.push(e); } } s.flush() }""",
    ),
    "errors that are gathered as the value of an arm": (
        """fn go(s: &mut Store, rows: Vec<Row>) -> Vec<Error> { let mut errs = vec![]; for r in rows { match s.put(r) { Ok(()) => {} Err(e) => errs.push(e) } } errs }""",
        """fn go(s: &mut Store, rows: Vec<Row>) -> Result<()> { let mut errs = vec![]; for r in rows { match s.put(r) { Ok(()) => {} Err(e) => errs.push(e) } } Ok(()) }""",
    ),
    "a loop that tries again and gives up": (
        """fn go(p: &Peer, r: &Row) -> Result<()> { let mut tries = 0; while let Err(e) = p.push(r) { tries += 1; if tries > 3 { return Err(e); } } Ok(()) }""",
        """fn go(p: &Peer, r: &Row) { let mut tries = 0; while let Err(e) = p.push(r) { tries += 1; if tries > 3 { warn!("giving up {e}"); break; } } }""",
    ),
    "a closure that is called on the spot": (
        """fn go(s: &mut Store) -> Result<()> { let r = (|| -> Result<()> { s.put(Row::default())?; s.flush() })(); if let Err(e) = &r { warn!("{e}"); } r }""",
        """fn go(s: &mut Store) { let r = (|| -> Result<()> { s.put(Row::default())?; s.flush() })(); if let Err(e) = r { warn!("{e}"); } }""",
    ),
    "a None that all callers throw away": (
        """fn go(s: &mut Store) -> Result<()> { s.flush()?; s.epoch += 1; Ok(()) } fn run(s: &mut Store) -> Result<()> { go(s) }""",
        """fn go(s: &mut Store) -> Option<()> { s.flush().ok()?; s.epoch += 1; Some(()) } fn run(s: &mut Store) { go(s); }""",
    ),
    "a flag that brings a job back": (
        """fn go(s: &mut Store, r: Row, q: &mut Vec<Row>) { let mut requeue = false; match s.put(r.clone()) { Ok(_) => {} Err(e) => { error!("put {e}"); requeue = true; } } if requeue { q.push(r); } }""",
        """fn go(s: &mut Store, r: Row, q: &mut Vec<Row>) { let mut requeue = false; match s.put(r.clone()) { Ok(_) => {} Err(e) => { error!("put {e}"); } } if requeue { q.push(r); } requeue = true; }""",
    ),
    "successes that are counted, and too few are an error": (
        """fn replicate(peers: &[Peer], r: &Row) -> Result<()> { let mut acks = 0; for p in peers { if let Err(e) = p.push(r) { warn!("peer {}: {e}", p.addr); } else { acks += 1; } } if acks <= peers.len() / 2 { return Err(Error::Busy); } Ok(()) }""",
        """fn replicate(peers: &[Peer], r: &Row) -> Result<usize> { let mut acks = 0; for p in peers { match p.push(r) { Ok(()) => info!("done"), Err(e) => warn!("peer {}: {e}", p.addr) } acks += 1; } Ok(acks) }""",
    ),
    "peers that are counted though they failed": (
        """fn replicate(peers: &[Peer], r: &Row) -> Result<usize> { let mut acks = 0; for p in peers { match p.push(r) { Ok(()) => acks += 1, Err(e) => warn!("peer {}: {e}", p.addr) } } if acks == 0 { return Err(Error::Busy); } Ok(acks) }""",
        """fn replicate(peers: &[Peer], r: &Row) -> Result<usize> { let mut acks = 0; for p in peers { match p.push(r) { Ok(()) => {} Err(e) => warn!("peer {}: {e}", p.addr) } acks += 1; } Ok(acks) }""",
    ),
    "a text that is only shown in a log": (
        """fn body(p: &Peer, code: u32) { if code != 200 { let text = p.fetch(1).map(|r| r.body).unwrap_or_default(); error!("status {code}: {text}"); } }""",
        """fn body(p: &Peer) -> Result<String> { let text = p.fetch(1).map(|r| r.body).unwrap_or_default(); info!("{text}"); Ok(text) }""",
    ),
    "a text that goes into an error": (
        """fn body(p: &Peer, code: u32) -> Result<()> { if code != 200 { let text = p.fetch(1).map(|r| r.body).unwrap_or_default(); error!("status {code}: {text}"); return Err(Error::Busy); } Ok(()) }""",
        """fn body(p: &Peer) -> Result<String> { let row = p.fetch(1); Ok(row.map(|r| r.body).unwrap_or_default()) }""",
    ),
    "an undoing where another error is mapped": (
        """fn go(s: &mut Store, k: &mut Store, r: Row) -> Result<()> { s.put(r).map_err(|e| { k.flush().ok(); e }) }""",
        """fn go(s: &mut Store, r: Row) -> Result<()> { let c = s.compact().map(|n| { s.flush().ok(); n })?; info!("{c}"); s.put(r) }""",
    ),
    "an undoing where another result is an error, and is returned": (
        """fn go(s: &mut Store, k: &mut Store, r: Row) -> Result<()> { let first = s.put(r); if first.is_err() { let _ = k.flush(); } first }""",
        """fn go(s: &mut Store, k: &mut Store, r: Row) -> Result<()> { let first = s.put(r); if first.is_ok() { let _ = k.flush(); } first }""",
    ),
    "a copy of what was given stands in": (
        """fn un(v: &str) -> Result<String> { if v.contains('x') { return Err(Error::Busy); } if v.is_empty() { return Err(Error::NotFound); } Ok(v.to_uppercase()) } fn go(v: &str) -> String { un(v).unwrap_or(v.to_string()) } fn go2(v: &str) -> String { un(v).unwrap_or_else(|_| v.to_owned()) }""",
        """fn go(s: &Store, v: &Row) -> Row { s.get(v.id).unwrap_or_else(|_| Row::default()) }""",
    ),
    "leave that is asked for": (
        """fn user_auth_for_row(s: &Store, id: u64) -> Result<()> { s.get(id)?; Ok(()) } fn go(s: &Store) -> Vec<u64> { let mut v = vec![]; for id in 0..9 { if user_auth_for_row(s, id).is_ok() { v.push(id); } } v }""",
        """fn load_user(s: &Store, id: u64) -> Result<()> { s.get(id)?; Ok(()) } fn go(s: &Store) -> Vec<u64> { let mut v = vec![]; for id in 0..9 { if load_user(s, id).is_ok() { v.push(id); } } v }""",
    ),
    "a line that is waited for": (
        """fn go() { io::stdin().lock().lines().next(); }""",
        """fn go() -> usize { io::stdin().lock().lines().flatten().count() } fn g(p: &Path) { let _ = fs::read_dir(p).unwrap().next().unwrap().unwrap(); let _ = File::open(p).and_then(|mut f| f.write(b"x")); }""",
    ),
    "a call from outside that writes into bytes of the body": (
        """fn go(r: &Row) -> Vec<u8> { let mut buf = Vec::with_capacity(9); response(r).write(&mut buf).ok(); let mut s = String::new(); ciborium::ser::into_writer(&r.id, &mut buf).ok(); buf }""",
        """fn go(r: &Row, f: &mut File) { f.write_all(r.body.as_bytes()).ok(); }""",
    ),
    "the last word to a peer": (
        """pub struct Conn { s: std::net::TcpStream } impl Conn { fn write(&mut self, b: &[u8]) -> io::Result<()> { self.s.write_all(b)?; self.s.flush() } fn talk(&mut self) { loop { let mut b = [0; 9]; match self.s.read(&mut b) { Ok(0) => { self.write(b"BYE timeout\r\n").ok(); break; } Ok(_) => {} Err(e) => { warn!("{e}"); let _ = self.write(b"BYE error"); break; } } } } }""",
        """impl Peer { fn talk(&mut self) { loop { match self.fetch(1) { Ok(r) => { self.push(&r).ok(); } Err(_) => { panic!() } } } } }""",
    ),
    "futures that are joined by a function": (
        """impl Store { pub async fn aput(&mut self, row: Row) -> Result<()> { self.put(row) } pub async fn aget(&self, id: u64) -> Result<Row> { self.get(id) } pub async fn aflush(&self) -> Result<()> { self.file.sync_all()?; Ok(()) } }
async fn go(a: &Store, b: &Store) -> Result<()> { let (x, y, z) = futures::future::join3(async { a.aflush().await }, async { b.aflush().await }, a.aget(1)).await; x?; y?; z?; Ok(()) }""",
        """impl Store { pub async fn aput(&mut self, row: Row) -> Result<()> { self.put(row) } pub async fn aget(&self, id: u64) -> Result<Row> { self.get(id) } pub async fn aflush(&self) -> Result<()> { self.file.sync_all()?; Ok(()) } }
async fn go(a: &Store, b: &Store) { let (x, y, z) = futures::future::join3(async { a.aflush().await }, async { b.aflush().await }, a.aget(1)).await; if let Err(e) = x { error!("{e}"); } y.unwrap(); let _ = z; }""",
    ),
    "two futures that are joined by a function": (
        """impl Store { pub async fn aput(&mut self, row: Row) -> Result<()> { self.put(row) } pub async fn aget(&self, id: u64) -> Result<Row> { self.get(id) } pub async fn aflush(&self) -> Result<()> { self.file.sync_all()?; Ok(()) } }
async fn go(a: &Store, b: &Store) -> Result<()> { let (x, y) = futures::future::join(a.aflush(), b.aflush()).await; x?; y }""",
        """impl Store { pub async fn aput(&mut self, row: Row) -> Result<()> { self.put(row) } pub async fn aget(&self, id: u64) -> Result<Row> { self.get(id) } pub async fn aflush(&self) -> Result<()> { self.file.sync_all()?; Ok(()) } }
async fn go(a: &Store, b: &Store) { let (x, y) = futures::future::join(a.aflush(), b.aflush()).await; if let Err(e) = x { error!("{e}"); } if let Err(e) = y { error!("{e}"); } a.aflush().await.unwrap(); }""",
    ),
    "a deletion that is answered with success": (
        """impl Store { pub async fn aput(&mut self, row: Row) -> Result<()> { self.put(row) } pub async fn aget(&self, id: u64) -> Result<Row> { self.get(id) } pub async fn aflush(&self) -> Result<()> { self.file.sync_all()?; Ok(()) } }
pub struct Response { code: u16, body: String } fn ok(body: String) -> Response { Response { code: 200, body } } fn fail(e: Error) -> Response { Response { code: 500, body: e.to_string() } }
async fn delete(s: &mut Store, id: u64) -> Response { match s.remove(id) { Ok(()) => ok("deleted".to_string()), Err(e) => { error!("delete {id}: {e}"); fail(e) } } }""",
        """impl Store { pub async fn aput(&mut self, row: Row) -> Result<()> { self.put(row) } pub async fn aget(&self, id: u64) -> Result<Row> { self.get(id) } pub async fn aflush(&self) -> Result<()> { self.file.sync_all()?; Ok(()) } }
pub struct Response { code: u16, body: String } fn ok(body: String) -> Response { Response { code: 200, body } }
async fn delete(s: &mut Store, id: u64) -> Response { if let Err(e) = s.remove(id) { error!("delete {id}: {e}"); } ok("deleted".to_string()) }""",
    ),
    "a constant in place of what failed": (
        """fn go(s: &Store) -> Result<Vec<Row>> { s.all() }""",
        """const NONE: Vec<Row> = Vec::new(); fn go(s: &Store) -> Vec<Row> { match s.all() { Ok(v) => v, Err(_) => NONE } }""",
    ),
    "a fold that goes on with what it had": (
        """fn total(ss: &[Store]) -> Result<u64> { ss.iter().try_fold(0, |n, s| Ok(n + s.compact_size()?)) } impl Store { fn compact_size(&self) -> Result<u64> { let r = self.all()?; Ok(r.len() as u64) } }""",
        """fn total(ss: &[Store]) -> u64 { ss.iter().fold(0, |n, s| match s.compact_size() { Ok(x) => n + x, Err(_) => n }) } impl Store { fn compact_size(&self) -> Result<u64> { let r = self.all()?; Ok(r.len() as u64) } }""",
    ),
    "an empty list that is returned after a log": (
        """fn load(p: &Path) -> Result<Vec<Row>> { let text = match fs::read_to_string(p) { Ok(t) => t, Err(e) => { error!("read: {e}"); return Err(e.into()); } }; text.lines().map(decode).collect() }""",
        """fn load(p: &Path) -> Vec<Row> { let text = match fs::read_to_string(p) { Ok(t) => t, Err(e) => { error!("read: {e}"); return Vec::new(); } }; text.lines().filter_map(|l| decode(l).ok()).collect() }""",
    ),
    "an iterator that ends with an error": (
        """pub struct It { s: Store, at: u64 } impl Iterator for It { type Item = Result<Row>; fn next(&mut self) -> Option<Result<Row>> { self.at += 1; Some(self.s.get(self.at)) } }""",
        """pub struct It { s: Store, at: u64 } impl Iterator for It { type Item = Row; fn next(&mut self) -> Option<Row> { self.at += 1; match self.s.get(self.at) { Ok(r) => Some(r), Err(_) => None } } }""",
    ),
    "an iterator that gives what it can": (
        """pub struct It { s: Store, at: u64 } impl Iterator for It { type Item = Result<Row>; fn next(&mut self) -> Option<Result<Row>> { self.at += 1; Some(self.s.get(self.at)) } }""",
        """pub struct It { s: Store, at: u64 } impl Iterator for It { type Item = Row; fn next(&mut self) -> Option<Row> { self.at += 1; self.s.get(self.at).ok() } }""",
    ),
    "a method of a trait that hands on and logs": (
        """pub trait Sink { fn accept(&mut self, r: Row) -> Result<()>; } impl Sink for Store { fn accept(&mut self, r: Row) -> Result<()> { self.put(r) } }""",
        """pub trait Sink { fn accept(&mut self, r: Row); } impl Sink for Store { fn accept(&mut self, r: Row) { if let Err(e) = self.put(r) { warn!("{e}"); } } }""",
    ),
    "the rest of a function that only logs": (
        """fn go(s: &mut Store) -> Result<()> { let Err(e) = s.flush() else { s.epoch += 1; return Ok(()); }; warn!("flush: {e}"); Err(e) }""",
        """fn go(s: &mut Store) { let Err(e) = s.flush() else { s.epoch += 1; return; }; warn!("flush: {e}"); }""",
    ),
    "a derived default in place of what failed": (
        """fn go(s: &Store) -> Result<Row> { s.get(1) }""",
        """fn go(s: &Store) -> Row { match s.get(1) { Ok(r) => r, Err(_) => Row::default() } }""",
    ),
    "a default that is made where it is wanted": (
        """fn go(s: &Store) -> Row { s.get(1).unwrap_or_else(|e| panic!("{e}")) }""",
        """fn go(s: &Store) -> Row { s.get(1).unwrap_or_else(|_| Default::default()) }""",
    ),
    "a log that says what is switched off": (
        """fn go(s: &Store) -> Vec<Row> { match s.all() { Ok(v) => v, Err(e) => { warn!("no rows: {e}; the cache is disabled"); Vec::new() } } }""",
        """fn go(s: &Store) -> Vec<Row> { match s.all() { Ok(v) => v, Err(e) => { warn!("no rows: {e}"); Vec::new() } } }""",
    ),
    "a number that says what has failed": (
        """mod libc { pub const EIO: i32 = 5; } fn go(s: &Store) -> i32 { match s.compact_all() { Ok(_) => 0, Err(_) => -libc::EIO } } impl Store { fn compact_all(&self) -> Result<usize> { Ok(self.all()?.len()) } }""",
        """const NONE: i32 = 5; fn go(s: &Store) -> i32 { match s.compact_all() { Ok(n) => n as i32, Err(_) => NONE } } impl Store { fn compact_all(&self) -> Result<usize> { Ok(self.all()?.len()) } }""",
    ),
    "another decoder that is asked in place of the first": (
        """pub struct Coder(u8); const FIRST: Coder = Coder(1); const SECOND: Coder = Coder(2); impl Coder { fn decode(&self, s: &Store) -> Result<Row> { s.get(self.0 as u64) } } fn go(s: &Store) -> Result<Row> { FIRST.decode(s).or_else(|_| SECOND.decode(s)) }""",
        """fn go(s: &Store) -> Result<Row> { s.get(1).or_else(|_| Ok(Row::default())) }""",
    ),
    "a function from outside that is handed on": (
        """fn go(ps: &[PathBuf]) -> io::Result<Vec<Vec<u8>>> { ps.iter().map(fs::read).collect() }""",
        """fn go(ps: &[PathBuf]) -> Vec<Vec<u8>> { ps.iter().map(fs::read).flatten().collect() }""",
    ),
    "a connection whose other end is gone": (
        """pub struct Conn { s: std::net::TcpStream } impl Conn { fn send(&mut self, b: &[u8]) -> io::Result<()> { self.s.write_all(b)?; self.s.flush() } fn talk(&mut self, all: &[Vec<u8>]) { for b in all { if self.send(b).is_err() { break; } } } }""",
        """pub struct Journal { s: File } impl Journal { fn append(&mut self, b: &[u8]) -> io::Result<()> { self.s.write_all(b)?; self.s.flush() } fn talk(&mut self, all: &[Vec<u8>]) { for b in all { if self.append(b).is_err() { break; } } } }""",
    ),
    "a value whose errors are looked at in the end": (
        """fn go(s: &mut Store, rows: Vec<Row>) -> Result<usize> { let mut bad = Vec::new(); for r in rows { if let Err(e) = s.put(r) { bad.push(e); } } info!("{} failed", bad.len()); Ok(bad.len()) }""",
        """fn go(s: &mut Store, rows: Vec<Row>) -> Result<()> { let mut bad = Vec::new(); for r in rows { if let Err(e) = s.put(r) { bad.push(e); } } Ok(()) }""",
    ),
    "tries that are looked at below the loop": (
        """fn go(p: &Peer, r: &Row) -> Result<()> { let mut tries = 0; while let Err(_) = p.push(r) { tries += 1; if tries > 3 { break; } } if tries > 3 { return Err(Error::Busy); } Ok(()) }""",
        """fn go(p: &Peer, r: &Row) { let mut tries = 0; while p.push(r).is_err() { tries += 1; if tries > 3 { break; } } }""",
    ),
    "another way that is taken below": (
        """fn go(s: &mut Store) -> Result<u64> { let Err(_e) = fs::rename("a", "b") else { return Ok(1); }; s.compact() .map(|n| n + 1)?; Ok(2) }""",
        """fn go(s: &mut Store) -> Result<u64> { let Err(_e) = fs::rename("a", "b") else { return Ok(1); }; info!("{}", s.epoch); Ok(2) }""",
    ),
    "a builder of a stream that runs a task and tells of its error": (
        """fn go(s: Arc<Store>) { let mut builder = made::Stream::builder(16); builder.spawn(async move { s.all()?; Ok(()) }); builder.build(); }""",
        """fn go(s: Arc<Store>) { let pool = made::pool(16); pool.spawn(async move { s.all()?; Ok::<(), Error>(()) }); }""",
    ),
    "a row that is looked up in memory, and one that is asked for outside": (
        """pub struct Cache { rows: HashMap<u64, Row> } impl Cache { async fn get(&self, id: u64) -> Result<Row> { self.rows.get(&id).cloned().ok_or(Error::NotFound) } }
async fn go(c: &Cache, s: &mut Store) { if let Ok(old) = c.get(1).await { s.epoch = old.id; } }""",
        """pub trait Db { fn ask(&self, id: u64) -> Result<String>; } pub struct Cache { db: Box<dyn Db> } impl Cache { async fn get(&self, id: u64) -> Result<Row> { decode(&self.db.ask(id)?) } }
async fn go(c: &Cache, s: &mut Store) { if let Ok(old) = c.get(1).await { s.epoch = old.id; } }""",
    ),
    "a type that is a future by its own impl": (
        """pub struct Flush; impl std::future::Future for Flush { type Output = Result<()>; fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<()>> { std::task::Poll::Ready(Err(Error::Busy)) } }
fn flush() -> Flush { Flush } async fn go() -> Result<()> { flush().await }""",
        """pub struct Flush; impl std::future::Future for Flush { type Output = Result<()>; fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<()>> { std::task::Poll::Ready(Err(Error::Busy)) } }
fn flush() -> Flush { Flush } async fn go() { let _ = flush().await; }""",
    ),
    "an answer that is waited for": (
        """async fn go(done: tokio::sync::oneshot::Receiver<u32>) { let _ = done.await; }""",
        """async fn go(done: tokio::sync::oneshot::Receiver<Result<u32>>) { if let Ok(Err(e)) = done.await { warn!("{e}"); } }""",
    ),
    "what was read up to a failure": (
        """fn go(mut f: File) { let mut v = vec![]; let _ = f.read_to_end(&mut v); }""",
        """fn go(mut f: File) -> Vec<u8> { let mut v = vec![]; let _ = f.read_to_end(&mut v); v }""",
    ),
    "a function that gives what another gives, and logs": (
        """impl Store { fn seek(&self, id: u64) { if let Err(e) = self.check(id) { info!("{e}"); } } fn check(&self, id: u64) -> Result<()> { self.get(id)?; Ok(()) } }""",
        """impl Store { fn seek(&self, id: u64) -> Option<Row> { match self.get(id) { Ok(r) => Some(r), Err(e) => { error!("{e}"); None } } } }""",
    ),
    "a method that the workspace gives to a Result": (
        """pub trait Noted { fn noted(self) -> Self; } impl<T> Noted for Result<T> { fn noted(self) -> Self { self.map_err(|e| { warn!("{e}"); e }) } } fn go(s: &mut Store) -> Result<()> { s.flush().noted() }""",
        """pub trait Noted { fn noted(self); } impl<T> Noted for Result<T> { fn noted(self) { if let Err(e) = self { warn!("{e}"); } } } fn go(s: &mut Store) { s.flush().noted(); }""",
    ),
    "a log of what is told by another error": (
        """fn go(s: &Store) -> Result<Vec<Row>> { let Ok(rows) = s.all().inspect_err(|e| { error!("{e}"); }) else { return Err(Error::Busy); }; Ok(rows) }""",
        """fn go(s: &Store) -> Result<Vec<Row>> { let Ok(rows) = s.all().inspect_err(|e| { error!("{e}"); }) else { return Ok(Vec::new()); }; Ok(rows) }""",
    ),
    "the writer of a connection, which ends": (
        """pub async fn pump(mut ws: made::Socket, s: &mut Store, all: Vec<Row>) { for one in all { if let Err(e) = ws.send(one).await.map_err(|e| e) { warn!("{e}"); return; } } s.epoch += 1; }""",
        """pub async fn pump(mut log: File, s: &mut Store, all: Vec<Row>) { for one in all { if let Err(e) = log.write_all(one.body.as_bytes()) { warn!("{e}"); return; } } s.epoch += 1; }""",
    ),
    "a type that is let go of over a connection": (
        """pub trait AsyncDrop { async fn async_drop(&mut self); } impl AsyncDrop for Store { async fn async_drop(&mut self) { let _ = self.flush(); } }""",
        """pub trait AsyncStop { async fn async_stop(&mut self); } impl AsyncStop for Store { async fn async_stop(&mut self) { let _ = self.flush(); } }""",
    ),
}  # fmt: skip

test_nothing_is_told_of, test_it_is_told_in_the_twin_of = quiet_and_told(HEAD, PAIRS)
