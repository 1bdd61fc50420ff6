"""An order finding goes on to the end: where its target fails, and where that error is lost."""

from __future__ import annotations

import functools

from inroads.check import Options, check, load
from inroads.facts import Finding
from inroads.rulebook import load_rulebook
from inroads.settings import Settings
from inroads.workspace import MemoryTree

MANIFEST = b'[package]\nname = "app"\n'

PROGRAM = b"""
pub struct CachePool { layers: usize }

impl CachePool {
    pub fn sync_paged_state_with_lengths(&mut self, target_lens: &[usize]) -> Result<(), String> {
        if target_lens.len() != self.layers {
            return Err(format!("{} lengths", target_lens.len()));
        }
        Ok(())
    }
}

pub trait LanguageModel {
    fn forward(&mut self, seq_id: u64);
    fn sync_sequence_storage(&mut self, seq_id: u64, pool: &mut CachePool) -> Result<(), String>;
}

pub struct Server<M: LanguageModel> { model: M, pool: CachePool }

impl<M: LanguageModel> Server<M> {
    fn sync(&mut self, id: u64) {
        if let Err(error) = self.model.sync_sequence_storage(id, &mut self.pool) {
            eprintln!("{error}");
        }
    }

    pub fn step(&mut self) {
        let id = 7;
        self.sync(id);
    }
}
"""


@functools.cache
def found(text: bytes) -> dict[str, Finding]:
    loaded = load(MemoryTree({"Cargo.toml": MANIFEST, "src/lib.rs": text}))
    report = check(loaded, load_rulebook(), Settings(), Options(root="."))
    return {finding.rule: finding for finding in report.findings}


def test_the_check_that_fails_on_the_bad_state_is_named() -> None:
    step = found(PROGRAM)["sync-before-lengths"].related[-1]
    assert step.line == 6
    assert step.note == (
        "`CachePool::sync_paged_state_with_lengths` leaves with an Err here when `target_lens.is_empty()`"
    )


def test_no_failure_is_named_where_none_reads_the_bad_state() -> None:
    text = PROGRAM.replace(b"target_lens.len() != self.layers", b"self.layers == 0")
    related = found(text)["sync-before-lengths"].related
    assert not any("leaves with an Err" in step.note for step in related)


def test_it_tells_where_the_error_is_lost() -> None:
    details = found(PROGRAM)["sync-before-lengths"].details
    assert details[-1] == "its error is only logged at src/lib.rs:22; 1 call site cannot see this error"


def test_the_lost_error_tells_how_it_comes_about_and_is_denied() -> None:
    finding = found(PROGRAM)["error-only-logged"]
    assert finding.level == "deny"
    assert finding.related[-1].line == 29
    assert finding.related[-1].note.startswith("how it comes to fail: sync-before-lengths: ")


def test_an_error_that_is_lost_elsewhere_is_not_joined() -> None:
    text = (
        PROGRAM
        + b"""
pub fn other(pool: &mut CachePool) {
    if let Err(error) = pool.sync_paged_state_with_lengths(&[1]) {
        eprintln!("{error}");
    }
}
"""
    )
    text = text.replace(
        b"if let Err(error) = self.model.sync_sequence_storage(id, &mut self.pool) {",
        b"{ self.model.sync_sequence_storage(id, &mut self.pool).unwrap(); let error = 1;",
    )
    details = found(text)["sync-before-lengths"].details
    assert not any("its error" in one for one in details)
