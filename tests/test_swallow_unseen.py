"""Losses as servers that nobody had tuned for have them; beside each the nearest that is told."""

from __future__ import annotations

from inroads.check import Options, check, load
from inroads.facts import Finding
from inroads.rulebook import load_rulebook
from inroads.settings import Settings
from inroads.workspace import MemoryTree
from test_swallow_servers import HEAD as SERVERS
from twins import quiet_and_told

HEAD = SERVERS + "use std::sync::{MutexGuard, OnceLock}; "

# What it is about -> (quiet, told).
PAIRS: dict[str, tuple[str, str]] = {
    "a name in hexadecimal, and a payload": (
        """fn go(p: &str, v: &mut Vec<u8>) { if let Ok(id) = hex::decode(p) { v.extend(id); } }""",
        """fn go(p: &str, v: &mut Vec<u8>) { if let Ok(id) = base64::decode(p) { v.extend(id); } }""",
    ),
    "a value from outside that is made of another, and one that is read of a text": (
        """fn go(s: &made::Script) -> Option<String> { made::Address::from_script(s).ok().map(|a| a.to_string()) } fn all(s: &[made::Script], v: &mut Vec<String>) { for one in s { let Ok(a) = made::Address::from_script(one) else { continue }; v.push(a.to_string()); } }""",
        """fn all(s: &[Vec<u8>], v: &mut Vec<String>) { for one in s { let Ok(a) = serde_json::from_slice::<Vec<String>>(one) else { continue }; v.extend(a); } }""",
    ),
    "a conversion through what the workspace lets a Result do": (
        """pub trait Told<T> { fn told_context(self) -> Result<T>; } impl<T, E: std::fmt::Debug> Told<T> for std::result::Result<T, E> { fn told_context(self) -> Result<T> { self.map_err(|e| Error::Corrupt(format!("{e:?}"))) } }
fn address(s: &made::Script) -> Result<made::Address> { made::Address::from_script(s).told_context() } struct Out { to: Option<String> } fn go(s: &made::Script) -> Out { Out { to: address(s).ok().map(|a| a.to_string()) } }""",
        """pub trait Told<T> { fn told_context(self) -> Result<T>; } impl<T, E: std::fmt::Debug> Told<T> for std::result::Result<T, E> { fn told_context(self) -> Result<T> { self.map_err(|e| Error::Corrupt(format!("{e:?}"))) } }
fn address(s: &Path) -> Result<String> { fs::read_to_string(s).told_context() } struct Out { to: Option<String> } fn go(s: &Path) -> Out { Out { to: address(s).ok().map(|a| a.to_string()) } }""",
    ),
    "what is serialised to the terminal": (
        """fn go(r: &Row) { serde_json::to_writer_pretty(io::stdout(), r).ok(); }""",
        """fn go(r: &Row, f: &mut File) { serde_json::to_writer_pretty(f, r).ok(); }""",
    ),
    "an undoing in a function that never comes back": (
        """fn quit(s: &mut Store) -> ! { let _ = s.remove(1); std::process::exit(1) }""",
        """fn serve(s: &mut Store) -> ! { loop { let _ = s.remove(1); } }""",
    ),
    "a removal before the program ends": (
        """fn go(dir: &Path, code: i32) { let _ = fs::remove_dir_all(dir); std::process::exit(code) }""",
        """fn go(dir: &Path, code: i32) { let _ = fs::remove_dir_all(dir); info!("{code}"); }""",
    ),
    "addresses of which the first that answers is kept": (
        """fn go(peers: &[Peer], r: &Row) -> Option<String> { let mut found = None; for one in peers { match one.push(r) { Ok(()) => { found = Some(one.addr.clone()); break; } Err(e) => { warn!("{e}"); } } } found }""",
        """fn go(peers: &[Peer], r: &Row) { for one in peers { match one.push(r) { Ok(()) => { info!("{}", one.addr); } Err(e) => { warn!("{e}"); } } } }""",
    ),
    "a lock that a function takes and makes an error of its own of": (
        """pub struct Shared { rows: Mutex<Vec<Row>> } impl Shared { fn rows(&self) -> Result<MutexGuard<'_, Vec<Row>>> { self.rows.lock().map_err(|_| Error::Corrupt("poisoned".into())) } fn go(&self, r: Row) { if let Ok(mut rows) = self.rows() { rows.push(r); } } }""",
        """pub struct Shared { rows: Mutex<Vec<Row>> } impl Shared { fn rows(&self) -> Result<Vec<Row>> { let text = fs::read_to_string("rows")?; Ok(vec![decode(&text)?]) } fn go(&self, s: &mut Store) { if let Ok(mut rows) = self.rows() { s.dirty = rows.pop().is_some(); } } }""",
    ),
    "an error that holds nothing, and was logged where it came up": (
        """fn build(s: &Store) -> std::result::Result<(), ()> { match s.all() { Ok(v) => { info!("{}", v.len()); Ok(()) } Err(e) => { error!("{e}"); Err(()) } } } fn go(s: &Store) { let _ = build(s); }""",
        """fn build(s: &Store) -> std::result::Result<(), ()> { match s.all() { Ok(_) => Ok(()), Err(_) => Err(()) } } fn go(s: &Store) { let _ = build(s); }""",
    ),
    "a check whose answer is kept in a variable": (
        """fn may_see(r: &Row) -> Result<()> { if r.id == 1 { return Err(Error::Busy); } if r.id == 2 { return Err(Error::NotFound); } Ok(()) } fn go(rows: &[Row], r: &Row) -> Vec<Option<u64>> { let seen = may_see(r); rows.iter().map(|one| Some(one.id).filter(|_| seen.is_ok())).collect() }""",
        """fn go(rows: &[Row], s: &mut Store) -> Vec<Option<u64>> { let kept = s.flush(); rows.iter().map(|one| Some(one.id).filter(|_| kept.is_ok())).collect() }""",
    ),
    "fields of a message that are passed over": (
        """pub trait Texts { fn text(&mut self) -> Result<String>; fn read_text(&mut self) -> Result<String>; } impl Texts for io::Cursor<Vec<u8>> { fn text(&mut self) -> Result<String> { self.read_text() } fn read_text(&mut self) -> Result<String> { let mut s = String::new(); self.read_to_string(&mut s)?; Ok(s) } }
fn go(mut m: io::Cursor<Vec<u8>>) -> u64 { let _name = m.read_text(); m.position() }""",
        """pub trait Texts { fn read_text(&mut self) -> Result<String>; } impl Texts for File { fn read_text(&mut self) -> Result<String> { let mut s = String::new(); self.read_to_string(&mut s)?; Ok(s) } }
fn go(mut m: File, s: &mut Store) { let _name = m.read_text(); s.dirty = true; }""",
    ),
    "a log that says that a report will be missing": (
        """fn go(s: &mut Store, r: Row) { if let Err(e) = s.put(r) { error!("no sampler, vCPU stats will be unavailable: {e}"); } s.dirty = false; }""",
        """fn go(s: &mut Store, r: Row) { if let Err(e) = s.put(r) { error!("no sampler for the stats of the machine: {e}"); } s.dirty = false; }""",
    ),
    "a server of metrics, and metrics that are stored": (
        """fn start_metrics_server(s: &Store) { let _l = match std::net::TcpListener::bind("0.0.0.0:1") { Ok(l) => l, Err(e) => { error!("{e} {}", s.epoch); return; } }; s.compacted(); } impl Store { fn compacted(&self) { fs::write("a", "b").unwrap(); } }""",
        """fn ingest_metrics(s: &mut Store, r: Row) { if let Err(e) = s.put(r) { error!("{e}"); return; } s.dirty = false; }""",
    ),
    "a counter that is shown": (
        """pub struct QueueStatus { rows: u64, name: String } impl Store { fn row_count(&self) -> Result<u64> { Ok(self.all()?.len() as u64) } } fn status(s: &Store) -> QueueStatus { QueueStatus { rows: s.row_count().unwrap_or(0) as u64, name: String::new() } }""",
        """pub struct Plan { rows: u64, name: String } impl Store { fn row_count(&self) -> Result<u64> { Ok(self.all()?.len() as u64) } } fn plan(s: &Store) -> Plan { Plan { rows: s.row_count().unwrap_or(0) as u64, name: String::new() } }""",
    ),
    "a thread that hands what it receives to somebody else": (
        """fn go(mut out: Box<dyn Write + Send>, rx: mpsc::Receiver<Vec<u8>>) { thread::spawn(move || { for one in rx { if out.write_all(&one).is_err() { break; } } }); }""",
        """fn go(mut out: File, rx: mpsc::Receiver<Vec<u8>>) { thread::spawn(move || { for one in rx { if out.write_all(&one).is_err() { break; } } }); }""",
    ),
    "the end of what is typed": (
        """fn go(tx: mpsc::Sender<Vec<u8>>) { let mut stdin = io::stdin(); let mut b = [0u8; 9]; loop { let n = match stdin.read(&mut b) { Err(_) | Ok(0) => break, Ok(n) => n }; tx.send(b[..n].to_vec()).unwrap(); } }""",
        """fn go(mut f: File, v: &mut Vec<u8>) { let mut b = [0u8; 9]; loop { let n = match f.read(&mut b) { Err(_) | Ok(0) => break, Ok(n) => n }; v.extend(&b[..n]); } }""",
    ),
    "an undoing behind another condition, before the error is raised": (
        """fn go(s: &mut Store, tmp: Option<u64>) -> Result<()> { if let Err(e) = s.flush() { if let Some(id) = tmp && let Err(other) = s.remove(id) { warn!("{other}"); } s.epoch += 1; return Err(e); } Ok(()) }""",
        """fn go(s: &mut Store, tmp: Option<u64>) -> Result<()> { if let Some(id) = tmp && let Err(other) = s.put(Row { id, body: String::new() }) { warn!("{other}"); } s.epoch += 1; Ok(()) }""",
    ),
    "a list that is named for what failed": (
        """fn go(s: &mut Store) -> Result<()> { let mut failures = Vec::new(); if let Err(e) = s.flush() { warn!("{e}"); failures.push("the rows"); } if failures.is_empty() { Ok(()) } else { Err(Error::Busy) } }""",
        """fn go(s: &mut Store) -> usize { let mut steps = Vec::new(); if let Err(e) = s.flush() { warn!("{e}"); steps.push("the rows"); } steps.len() }""",
    ),
    "a corrupt row that must not end all": (
        """fn go(lines: &[String]) -> Vec<Row> { let mut v = vec![]; for one in lines {
// A corrupt line must not take down the whole import.
if let Ok(r) = load(one) { v.push(r); } } v } fn load(one: &str) -> Result<Row> { decode(&fs::read_to_string(one)?) }""",
        """fn go(lines: &[String]) -> Vec<Row> { let mut v = vec![]; for one in lines {
// A corrupt line is what the whole import is about.
if let Ok(r) = load(one) { v.push(r); } } v } fn load(one: &str) -> Result<Row> { decode(&fs::read_to_string(one)?) }""",
    ),
    "a comment above what is made of the closure": (
        """type Sink = Box<dyn Fn(&str)>; fn go(p: &'static Path) -> Sink {
// Told to whoever waits for it. That write is best-effort.
let sink: Sink = if p.is_absolute() { Box::new(move |t: &str| { let _ = fs::write(p, t); }) } else { Box::new(|t: &str| info!("{t}")) }; sink }""",
        """type Sink = Box<dyn Fn(&str)>; fn go(p: &'static Path) -> Sink {
// Told to whoever waits for it.
let sink: Sink = if p.is_absolute() { Box::new(move |t: &str| { let _ = fs::write(p, t); }) } else { Box::new(|t: &str| info!("{t}")) }; sink }""",
    ),
    "a provider that was given before": (
        """pub trait Snap: Send + Sync {} pub type Provider = Arc<dyn Snap>; static GIVEN: OnceLock<Provider> = OnceLock::new(); pub fn provide(p: Provider) -> std::result::Result<(), Provider> { GIVEN.set(p) } fn go(p: Provider) { let _ = provide(p.clone()); }""",
        """pub trait Snap: Send + Sync {} pub type Provider = Arc<dyn Snap>; pub fn provide(p: Provider, s: &mut Store) -> Result<()> { drop(p); s.flush() } fn go(p: Provider, s: &mut Store) { let _ = provide(p.clone(), s); }""",
    ),
    "an undoing in a stream that gives an error then": (
        """fn go(s: Arc<Mutex<Store>>) { let _s = async_stream::stream! { if s.lock().unwrap().dirty { let _ = s.lock().unwrap().flush(); yield Err(Error::Busy); } }; }""",
        """fn go(s: Arc<Mutex<Store>>) { let _s = async_stream::stream! { if s.lock().unwrap().dirty { let _ = s.lock().unwrap().flush(); yield Ok::<u64, Error>(1); } }; }""",
    ),
    "a function that is named for it": (
        """impl Store { fn mark_best_effort(&mut self) { if let Err(e) = self.put(Row::default()) { warn!("{e}"); } } }""",
        """impl Store { fn mark_all(&mut self) { if let Err(e) = self.put(Row::default()) { warn!("{e}"); } } }""",
    ),
    "a later error beside the first one": (
        """fn go(ps: &[Peer], r: &Row) -> Result<()> { let mut first = None; for p in ps { match p.push(r) { Ok(()) => {} Err(e) if first.is_none() => { first = Some(e); } Err(_) => {} } } match first { Some(e) => Err(e), None => Ok(()) } }""",
        """fn go(ps: &[Peer], r: &Row, s: &mut Store) -> Result<()> { for p in ps { match p.push(r) { Ok(()) => {} Err(e) if s.dirty => { warn!("{e}"); } Err(_) => {} } } s.flush() }""",
    ),
    "a probe that says no where it fails": (
        """pub struct State { healthy: Option<bool> } fn health_check(p: &Peer) -> Result<bool> { Ok(p.fetch(1)?.id == 1) } fn go(p: &Peer) -> State { State { healthy: match health_check(p) { Ok(ok) => Some(ok), Err(_) => Some(false) } } }""",
        """pub struct State { owned: Option<bool> } fn owner(p: &Peer) -> Result<bool> { Ok(p.fetch(1)?.id == 1) } fn go(p: &Peer) -> State { State { owned: match owner(p) { Ok(ok) => Some(ok), Err(_) => Some(false) } } }""",
    ),
    "the one of two functions that cannot fail": (
        """fn set_up_result(s: &mut Store, n: u64) -> Result<()> { s.epoch = n; s.flush() } fn set_up(s: &mut Store, n: u64) { if let Err(e) = set_up_result(s, n) { warn!("{e}"); } }""",
        """fn store_all(s: &mut Store, n: u64) -> Result<()> { s.epoch = n; s.flush() } fn set_up(s: &mut Store, n: u64) { if let Err(e) = store_all(s, n) { warn!("{e}"); } }""",
    ),
    "a log that says what is taken back": (
        """fn go(s: &mut Store, id: u64) { if let Err(e) = s.remove(id) { warn!("failed to clean up the temporary row: {e}"); } s.epoch += 1; } impl Peer { fn delete(&self, r: &Row) -> Result<()> { self.push(r) } fn back(&self, r: &Row, s: &mut Store) { if let Err(e) = self.delete(r) { warn!("revert of the row failed: {e}"); } s.epoch += 1; } }""",
        """impl Peer { fn delete(&self, r: &Row) -> Result<()> { self.push(r) } fn back(&self, r: &Row, s: &mut Store) { if let Err(e) = self.delete(r) { warn!("the row is there still: {e}"); } s.epoch += 1; } }""",
    ),
    "an undoing where another call has failed, by one condition": (
        """fn go(s: &mut Store, p: &Peer, r: &Row) -> Result<()> { let sent = p.push(r); if sent.is_err() && let Err(e) = s.flush() { warn!("{e}"); } sent }""",
        """fn go(s: &mut Store, p: &Peer, r: &Row) -> Result<()> { let sent = p.push(r); if sent.is_ok() && let Err(e) = s.flush() { warn!("{e}"); } sent }""",
    ),
    "a flag by which another value is given": (
        """pub struct Out { size: Option<u64> } fn go(s: &Store) -> Out { let mut unknown = false; let mut n = 0; if let Ok(rows) = s.all() { n = rows.len() as u64; } else { unknown = true; } let size = if unknown { None } else { Some(n) }; Out { size } }""",
        """pub struct Out { size: Option<u64> } fn go(s: &Store) -> Out { let mut unknown = false; let mut n = 0; if let Ok(rows) = s.all() { n = rows.len() as u64; } else { unknown = true; } Out { size: Some(n) } }""",
    ),
    "a header that is made of a text, and one that is asked for": (
        """fn go(v: &mut Vec<tonic::metadata::Value>, s: &str) { let Ok(one) = tonic::metadata::MetadataValue::try_from(s) else { return; }; v.push(one); }""",
        """async fn go(v: &mut Vec<String>, c: &reqwest::Client) { let Ok(one) = c.get("http://a").send().await else { return; }; v.push(one.status().to_string()); }""",
    ),
    "another program that is told to end": (
        """fn go(pid: u32) { let _ = std::process::Command::new("kill").arg(pid.to_string()).status(); }""",
        """fn go(pid: u32) { let _ = std::process::Command::new("renice").arg(pid.to_string()).spawn(); }""",
    ),
    "a function that cleans up, and says so in its logs": (
        """fn cleanup_db(p: &Peer, r: &Row) { if let Err(e) = p.push(r) { error!("while cleaning up old rows: {e}"); } }""",
        """fn refresh_db(p: &Peer, r: &Row) { if let Err(e) = p.push(r) { error!("while reading new rows: {e}"); } }""",
    ),
    "a helper whose name says that it swallows": (
        """fn swallow_err<T>(r: Result<T>, what: &str) { if let Err(e) = r { error!("{what}: {e}"); } } fn go(s: &mut Store) { swallow_err(s.flush(), "flush"); s.epoch += 1; }""",
        """fn look_at<T>(r: Result<T>, what: &str) { if let Err(e) = r { error!("{what}: {e}"); } } fn go(s: &mut Store) { look_at(s.flush(), "flush"); s.epoch += 1; }""",
    ),
    "what a program tells of its use": (
        """pub struct TelemetrySender(File); impl TelemetrySender { fn put(&mut self, r: &Row) -> Result<()> { self.0.write_all(r.body.as_bytes())?; Ok(()) } } fn go(t: &mut TelemetrySender, r: &Row) { if let Err(e) = t.put(r) { warn!("{e}"); } }""",
        """pub struct RowSender(File); impl RowSender { fn put(&mut self, r: &Row) -> Result<()> { self.0.write_all(r.body.as_bytes())?; Ok(()) } } fn go(t: &mut RowSender, r: &Row) { if let Err(e) = t.put(r) { warn!("{e}"); } }""",
    ),
    "a comment inside of a chain": (
        """fn go(s: &mut Store) { s.epoch = s
 .compact()
 // It should never fail, but if it does, zero is a safe bet.
 .unwrap_or(0); }""",
        """fn go(s: &mut Store) { s.epoch = s
 .compact()
 // The number of rows.
 .unwrap_or(0); }""",
    ),
    "a text that is folded": (
        """fn go(b: &[made::Byte]) -> String { b.iter().fold(String::new(), |mut s, one| { let _ = write!(s, "{one:?}"); s }) }""",
        """fn go(b: &[made::Byte], f: File) -> File { b.iter().fold(f, |mut s, one| { let _ = write!(s, "{one:?}"); s }) }""",
    ),
    "a list of which there must be one": (
        """fn go(j: &made::Join) -> Result<bool> { let Ok(t) = j.tables().exactly_one() else { return Ok(false); }; Ok(t.plain) }""",
        """fn go(p: &Peer) -> Result<bool> { let Ok(t) = p.fetch(1) else { return Ok(false); }; Ok(t.id == 1) }""",
    ),
    "a walk that hands each part to a closure": (
        """pub struct Tree(Vec<Tree>); fn for_each_part(t: &Tree, f: &mut dyn FnMut(&Tree) -> Result<()>) -> Result<()> { for one in &t.0 { f(one)?; for_each_part(one, f)?; } Ok(()) } fn go(t: &Tree) -> bool { let mut found = false; let _ = for_each_part(t, &mut |one| { found |= one.0.is_empty(); Ok(()) }); found }""",
        """pub struct Tree(Vec<Tree>); fn balance(t: &Tree, f: &mut dyn FnMut(&Tree) -> Result<()>) -> Result<()> { for one in &t.0 { f(one)?; balance(one, f)?; } Ok(()) } fn go(t: &Tree) -> bool { let mut found = false; let _ = balance(t, &mut |one| { found |= one.0.is_empty(); fs::write("a", "b")?; Ok(()) }); found }""",
    ),
    "a connection that is asked whether it is there": (
        """fn is_connected(p: &Peer) -> Result<bool> { Ok(p.fetch(1)?.id == 1) } fn go(p: &Peer, s: &mut Store) { s.dirty = is_connected(p).unwrap_or(false); }""",
        """fn owns_it(p: &Peer) -> Result<bool> { Ok(p.fetch(1)?.id == 1) } fn go(p: &Peer, s: &mut Store) { s.dirty = owns_it(p).unwrap_or(false); }""",
    ),
    "what is tried again after a pause": (
        """fn go(p: &Peer, r: &Row) -> Option<Row> { for n in 0..5 { if n > 0 { thread::sleep(std::time::Duration::from_secs(1)); } let Ok(()) = p.push(r) else { continue; }; let Ok(back) = p.fetch(r.id) else { continue; }; return Some(back); } None }""",
        """fn go(ps: &[Peer], r: &Row) -> Vec<Row> { let mut v = vec![]; for p in ps { thread::sleep(std::time::Duration::from_secs(1)); let Ok(()) = p.push(r) else { continue; }; v.push(r.clone()); } v }""",
    ),
    "a field that stays as it is": (
        """fn plain(s: &str) -> Result<String> { if s.len() == 3 { return Err(Error::Busy); } if s.len() == 4 { return Err(Error::NotFound); } decode(s).map(|r| r.body) } fn go(r: &Row) -> String { plain(r.body.as_str()).unwrap_or(r.body.clone()) }""",
        """fn plain(s: &str) -> Result<String> { if s.len() == 3 { return Err(Error::Busy); } decode(&fs::read_to_string(s)?).map(|r| r.body) } fn go(r: &Row, other: &Row) -> String { plain(r.body.as_str()).unwrap_or(other.body.clone()) }""",
    ),
    "a comment in the arm that says why it may come to this": (
        """fn has(s: &mut Store, id: u64) -> Result<bool> { s.flush()?; Ok(s.get(id)?.id == id) } fn go(s: &mut Store, v: &mut Vec<u64>) { v.retain(|id| match has(s, *id) { Ok(there) => there, Err(_) => {
 // Nothing was published yet, which means that nobody asked.
 true } }); }""",
        """fn has(s: &mut Store, id: u64) -> Result<bool> { s.flush()?; Ok(s.get(id)?.id == id) } fn go(s: &mut Store, v: &mut Vec<u64>) { v.retain(|id| match has(s, *id) { Ok(there) => there, Err(_) => {
 // Nothing was published yet.
 true } }); }""",
    ),
    "a comment above what a branch gives": (
        """fn go(s: &mut Store, p: &Peer) {
 // A peer may leave it out; treat a failure as none.
 let row = if s.dirty { p.fetch(1).ok() } else { None }; if let Some(r) = row { s.epoch = r.id; } }""",
        """fn go(s: &mut Store, p: &Peer) {
 // The first row.
 let row = if s.dirty { p.fetch(1).ok() } else { None }; if let Some(r) = row { s.epoch = r.id; } }""",
    ),
    "an error inside of what succeeds": (
        """fn go(s: &Store) -> anyhow::Result<std::result::Result<u64, String>> { let Ok(r) = s.get(1) else { return Ok(Err("no such row".to_string())); }; Ok(Ok(r.id)) }""",
        """fn go(s: &Store) -> anyhow::Result<std::result::Result<u64, String>> { let Ok(r) = s.get(1) else { return Ok(Ok(0)); }; Ok(Ok(r.id)) }""",
    ),
    "one that was told to stop": (
        """pub struct Handle(Option<File>); impl Handle { fn stop(&self) {} async fn join(&mut self) -> Result<()> { if let Some(f) = self.0.take() { f.sync_all()?; } Ok(()) } } async fn go(mut h: Handle) { h.stop(); let _ = h.join().await; }""",
        """pub struct Handle(Option<File>); impl Handle { fn start(&self) {} async fn join(&mut self) -> Result<()> { if let Some(f) = self.0.take() { f.sync_all()?; } Ok(()) } } async fn go(mut h: Handle) { h.start(); let _ = h.join().await; }""",
    ),
    "a log that says that all is torn down": (
        """fn go(s: &mut Store) { if let Err(e) = s.flush() { warn!("not flushed during teardown, continuing: {e}"); } s.epoch += 1; }""",
        """fn go(s: &mut Store) { if let Err(e) = s.flush() { warn!("not flushed, continuing: {e}"); } s.epoch += 1; }""",
    ),
    "a wait until something may be read": (
        """async fn go(s: &tokio::net::TcpStream) { let _ = s.readable().await; }""",
        """async fn go(s: &mut tokio::net::TcpStream) { use tokio::io::AsyncWriteExt; let _ = s.write_all(b"a").await; info!("sent"); }""",
    ),
}  # fmt: skip

test_nothing_is_told_of, test_it_is_told_in_the_twin_of = quiet_and_told(HEAD, PAIRS)

CARGO = '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2024"\n'


def checked(files: dict[str, str]) -> list[Finding]:
    """What the shipped rules find of lost errors."""
    tree = MemoryTree({path: text.encode() for path, text in files.items()})
    report = check(load(tree), load_rulebook(), Settings(), Options())
    return [one for one in report.findings if one.kind == "swallow"]


def documented(comment: str, body: str = 'if let Err(e) = s.flush() { error!("{e}"); }') -> list[Finding]:
    """What is found in a function under a comment."""
    text = f"{HEAD}\n{comment}\n#[inline]\npub fn keep(s: &mut Store) {{\n    {body}\n}}\n"
    return checked({"Cargo.toml": CARGO, "src/lib.rs": text})


def test_documentation_may_say_that_an_error_is_meant_to_be_lost() -> None:
    assert documented("/// Writes what is there.")
    assert documented("/// Writes what is there, best-effort.") == []
    assert documented("/// Writes what is there. A failed write is logged, not returned.") == []
    assert documented("// Writes what is there.\n// Errors are ignored: it is done again.") == []


def test_documentation_that_speaks_of_other_errors_says_nothing() -> None:
    assert documented("/// Returns an error where the file cannot be written.")
    assert documented("/// Callers may treat this as best-effort.")
    assert documented("/// Lists the rows that failed.")
    # A comment of the analysed code that there is something to do is no reason.
    assert documented("/// Best-effort, TODO: propagate.")
    assert documented("/// Best-effort. TODO: propagate.")


def test_documentation_of_a_long_function_does_not_speak_of_each_part() -> None:
    lines = "\n    ".join("s.epoch += 1;" for _ in range(200))
    assert documented(
        "/// Writes what is there, best-effort.",
        f'{lines}\n    if let Err(e) = s.flush() {{ error!("{{e}}"); }}',
    )


def test_the_documentation_of_another_function_is_not_heard() -> None:
    text = f"""{HEAD}
/// Writes what is there, best-effort.
pub fn keep(s: &mut Store) {{ s.epoch += 1; }}

pub fn keep_all(s: &mut Store) {{
    if let Err(e) = s.flush() {{ error!("{{e}}"); }}
}}
"""
    assert checked({"Cargo.toml": CARGO, "src/lib.rs": text})


def package(name: str, dependencies: str = "", dev: str = "") -> str:
    """A manifest."""
    front = f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2024"\n'
    return front + f"[dependencies]\n{dependencies}\n[dev-dependencies]\n{dev}\n"


def test_a_crate_that_helps_the_tests_of_others_is_test_code() -> None:
    lost = f"{HEAD} pub fn go(s: &mut Store) {{ let _ = s.flush(); }}"
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["app", "fake"]\n',
        "app/src/lib.rs": "pub fn f() {}",
        "fake/Cargo.toml": package("fake"),
        "fake/src/lib.rs": lost,
    }
    only_tests = {**files, "app/Cargo.toml": package("app", dev='fake = { path = "../fake" }')}
    really = {**files, "app/Cargo.toml": package("app", 'fake = { path = "../fake" }')}
    assert checked(only_tests) == []
    assert checked(really)
    # What can be run is no helper.
    assert checked({**only_tests, "fake/src/main.rs": "fn main() {}"})
