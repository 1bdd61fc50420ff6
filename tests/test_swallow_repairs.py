"""Losses as people have repaired them in servers, in own words: told before, quiet as repaired."""

from __future__ import annotations

from twins import quiet_and_told

HEAD = """
use std::{fs, path::PathBuf};
#[derive(Debug)] pub enum E { Io(std::io::Error), Bad(String) }
impl From<std::io::Error> for E { fn from(e: std::io::Error) -> Self { E::Io(e) } }
pub enum Answer { Text(String), None }
pub struct Store { dir: PathBuf, queue: Vec<u32>, armed: bool, known: Vec<String> }
impl Store {
    fn blobs(&self, root: u64) -> Result<Option<Vec<u8>>, E> {
        let path = self.dir.join(root.to_string());
        if !path.exists() { return Ok(None); }
        Ok(Some(fs::read(path)?))
    }
    fn text(&self, name: &str) -> Result<String, E> {
        let text = fs::read_to_string(self.dir.join(name))?;
        if text.is_empty() { return Err(E::Bad(name.to_string())); }
        Ok(text)
    }
    async fn is_banned(&self, name: &str) -> Result<bool, E> {
        match fs::read_to_string(self.dir.join(name)) {
            Ok(text) => Ok(text == "ban"),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(e) => Err(E::Io(e)),
        }
    }
    fn test(&self, at: u64) -> Result<(), E> { std::net::TcpStream::connect(format!("peer{at}:99"))?; Ok(()) }
    fn arm(&mut self, secs: u32) -> Result<(), E> {
        if secs == 0 { return Err(E::Bad("no time".to_string())); }
        fs::write(self.dir.join("timer"), secs.to_string())?;
        self.armed = true;
        Ok(())
    }
}
pub struct Limit { pub rows: usize }
impl Default for Limit { fn default() -> Self { Limit { rows: 9 } } }
fn limit(given: &[(String, String)]) -> Result<Option<Limit>, E> {
    let Some((_, text)) = given.iter().find(|(name, _)| name == "rows") else { return Ok(None) };
    let rows = text.parse().map_err(|e| E::Bad(format!("rows: {e}")))?;
    Ok(Some(Limit { rows }))
}
"""

# Name -> (repaired, before).
PAIRS: dict[str, tuple[str, str]] = {
    "a part of a pair that is taken for missing": (
        "impl Store { pub fn both(&self, at: u64) -> Result<(String, Option<Vec<u8>>), E> { Ok((self.text(\"x\")?, self.blobs(at)?)) } }",
        "impl Store { pub fn both(&self, at: u64) -> Result<(String, Option<Vec<u8>>), E> { Ok((self.text(\"x\")?, self.blobs(at).ok().flatten())) } }",
    ),
    "an error that is taken for what is not there": (
        "impl Store { pub fn at(&self, at: u64) -> Result<Option<usize>, E> { let Some(all) = self.blobs(at)? else { return Ok(None) }; Ok(Some(all.len())) } }",
        "impl Store { pub fn at(&self, at: u64) -> Option<usize> { let all = self.blobs(at).ok()??; Some(all.len()) } }",
    ),
    "a blank variant of an own enum, which is no None": (
        "pub fn x(s: &Store) -> Result<Answer, E> { Ok(match s.text(\"x\")?.lines().next() { Some(one) => Answer::Text(one.to_string()), None => Answer::None }) }",
        "pub fn x(s: &Store) -> Answer { if let Ok(all) = s.text(\"x\") { match all.lines().next() { Some(one) => Answer::Text(one.to_string()), None => Answer::None } } else { Answer::None } }",
    ),
    "the None of a lookup, which its caller hears": (
        "pub fn x(s: &Store) -> Option<String> { if let Ok(all) = s.text(\"x\") { Some(all) } else { Option::None } }",
        "pub fn x(s: &Store) -> Answer { if let Ok(all) = s.text(\"x\") { Answer::Text(all) } else { Answer::None } }",
    ),
    "a queue that is emptied, of which other errors leave": (
        "impl Store { pub fn serve(&mut self) -> Result<(), E> { while let Some(one) = self.queue.pop() { if one == 0 { return Err(E::Bad(\"no head\".to_string())); } self.arm(one)?; } Ok(()) } }",
        "impl Store { pub fn serve(&mut self) -> Result<(), E> { while let Some(one) = self.queue.pop() { if one == 0 { return Err(E::Bad(\"no head\".to_string())); } if let Err(e) = self.arm(one) { tracing::error!(\"{e:?}\"); } } Ok(()) } }",
    ),
    "a loop that waits for what comes, and serves on": (
        "impl Store { pub async fn serve(&mut self, mut rx: tokio::sync::mpsc::Receiver<u32>) -> Result<(), E> { while let Some(one) = rx.recv().await { if one == 0 { return Err(E::Bad(\"no head\".to_string())); } if let Err(e) = self.arm(one) { tracing::error!(\"{e:?}\"); } } Ok(()) } }",
        "impl Store { pub fn serve(&mut self, all: Vec<u32>) -> Result<(), E> { let mut all = all.into_iter(); while let Some(one) = all.next() { let name = self.text(\"x\")?; self.known.push(name); if let Err(e) = self.arm(one) { tracing::error!(\"{e:?}\"); } } Ok(()) } }",
    ),
    "a parameter that is wrong, and one that is not given": (
        "pub fn x(given: &[(String, String)]) -> Result<usize, E> { Ok(limit(given)?.unwrap_or_default().rows) }",
        "pub fn x(given: Option<&[(String, String)]>) -> Result<usize, E> { Ok(given.and_then(|one| limit(one).ok().flatten()).unwrap_or_default().rows) }",
    ),
    "a key that could not be looked for": (
        "impl Store { fn has(&self, at: u64) -> Result<bool, E> { if self.armed { return Ok(true); } Ok(self.blobs(at)?.is_some()) } }",
        "impl Store { fn has(&self, at: u64) -> bool { if self.armed { return true; } if let Ok(found) = self.blobs(at) { if found.is_some() { return true; } } false } }",
    ),
    "tries of which none succeeded": (
        "pub fn x(s: &Store) -> Result<(), E> { let mut last = None; for at in 0..3 { match s.test(at) { Ok(()) => return Ok(()), Err(e) => { tracing::warn!(\"{e:?}\"); last = Some(e); } } } Err(last.unwrap_or(E::Bad(\"never tried\".to_string()))) }",
        "pub fn x(s: &Store) -> Result<(), E> { for at in 0..3 { match s.test(at) { Ok(()) => return Ok(()), Err(e) => tracing::warn!(\"{e:?}\") } } Ok(()) }",
    ),
    "tries that go on until one succeeds": (
        "pub fn x(s: &Store) -> Result<(), E> { loop { match s.test(3) { Ok(()) => break, Err(e) => tracing::warn!(\"{e:?}\") } } Ok(()) }",
        "pub fn x(s: &Store) -> Result<(), E> { for _ in 0..9 { match s.test(3) { Ok(()) => break, Err(e) => tracing::warn!(\"{e:?}\") } } Ok(()) }",
    ),
    "a ban that could not be asked for": (
        "impl Store { pub async fn join(&self, name: &str) -> Result<(), E> { if self.is_banned(name).await? { return Err(E::Bad(name.to_string())); } Ok(()) } }",
        "impl Store { pub async fn join(&self, name: &str) -> Result<(), E> { if self.is_banned(name).await.unwrap_or(false) { return Err(E::Bad(name.to_string())); } Ok(()) } }",
    ),
    "a test that fails by itself, and one that hands on what it met": (
        "impl Store { fn is_full(&self) -> Result<bool, E> { match self.known.first() { Some(one) => Ok(one.is_empty()), None => Err(E::Bad(\"none\".to_string())) } } } pub fn x(s: &Store) -> u32 { if s.is_full().unwrap_or(false) { 1 } else { 2 } }",
        "impl Store { fn is_full(&self) -> Result<bool, E> { match fs::metadata(&self.dir) { Ok(one) => Ok(one.len() > 9), Err(e) => Err(E::Io(e)) } } } pub fn x(s: &Store) -> u32 { if s.is_full().unwrap_or(false) { 1 } else { 2 } }",
    ),
    "the first of several tries": (
        "impl Store { fn has(&self, at: u64) -> bool { if let Ok(found) = self.blobs(at) { if found.is_some() { return true; } } self.known.iter().any(|one| one.is_empty()) } }",
        "impl Store { fn has(&self, at: u64) -> bool { if let Ok(found) = self.blobs(at) { if found.is_some() { return true; } } false } }",
    ),
}  # fmt: skip

test_as_repaired_it_is_quiet, test_before_it_is_told = quiet_and_told(HEAD, PAIRS, times=1)
