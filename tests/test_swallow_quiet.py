"""Each switch keeps its places quiet, and only while it is on."""

from __future__ import annotations

import pytest

from inroads.analyses.base import Context, RuleHead
from inroads.analyses.swallow.check import check
from inroads.analyses.swallow.ends import LOST
from inroads.analyses.swallow.quiet import SWITCHES
from inroads.analyses.swallow.rule import DEFAULT_QUIET, SwallowRule
from inroads.check import load
from inroads.facts import Finding
from inroads.workspace import MemoryTree
from judged_here import findings_of
from swallow_program import CARGO

HEAD = """
use std::fmt::Write as _;
use std::io::Write as _;
#[derive(Debug)]
pub enum E { Missing, Broken(String) }
pub struct Job(u32);
pub struct S { n: u32 }
impl S {
    fn save(&mut self) -> Result<(), E> {
        if self.n == 0 { return Err(E::Missing); }
        if self.n == 1 { return Err(E::Broken(String::new())); }
        self.n += 1;
        Ok(())
    }
    fn queue(&mut self, job: Job) -> Result<(), Job> { if self.n == 0 { Err(job) } else { self.n = 0; Ok(()) } }
    fn shut(&mut self) -> Result<(), E> { self.save() }
}
"""

# Switch -> (file, source): a place that the switch, and no other one, keeps quiet.
PLACES: dict[str, list[tuple[str, str]]] = {
    "gone-receiver": [
        ("src/lib.rs", "pub fn x(tx: &std::sync::mpsc::Sender<u32>) { let _ = tx.send(1); }"),
        ("src/lib.rs", "pub fn x(tx: tokio::sync::oneshot::Sender<u32>) { let _ = tx.send(1); }"),
        ("src/lib.rs", "pub async fn x(tx: tokio::sync::mpsc::Sender<u32>) { tx.send(1).await.ok(); }"),
        (
            "src/lib.rs",
            "pub struct T { tx: std::sync::mpsc::Sender<u32> } impl T {"
            " fn emit(&self) -> Result<(), String> { self.tx.send(1).map_err(|e| e.to_string()) }"
            " pub fn x(&self) { let _ = self.emit(); } }",
        ),
    ],
    "string-write": [
        ("src/lib.rs", "pub fn x() -> String { let mut s = String::new(); let _ = write!(s, \"a\"); s }"),
        (
            "src/lib.rs",
            "pub struct Own(String); pub fn x(own: &mut Own) { let _ = write!(own, \"a\"); }"
            " impl std::fmt::Write for Own { fn write_str(&mut self, s: &str) -> std::fmt::Result {"
            " self.0.push_str(s); Ok(()) } }",
        ),
    ],
    "terminal-write": [
        ("src/lib.rs", "pub fn x() { let _ = writeln!(std::io::stderr(), \"a\"); }"),
        ("src/lib.rs", "pub fn x() { std::io::stdout().flush().ok(); }"),
        ("src/lib.rs", "pub fn x() { let mut out = std::io::stdout().lock(); let _ = out.write_all(b\"a\"); }"),
    ],
    "teardown": [
        ("src/lib.rs", "pub fn shutdown(child: &mut std::process::Child) { let _ = child.kill(); }"),
        ("src/lib.rs", "pub fn cleanup(path: &std::path::Path) { let _ = std::fs::remove_file(path); }"),
        ("src/lib.rs", "pub fn x(tmp_path: &std::path::Path) { let _ = std::fs::remove_file(tmp_path); }"),
    ],
    "drop": [
        ("src/lib.rs", "impl Drop for S { fn drop(&mut self) { let _ = self.save(); } }"),
        ("src/lib.rs", "impl Drop for S { fn drop(&mut self) { if let Err(e) = self.save() { eprintln!(\"{e:?}\"); } } }"),
    ],
    "logger": [
        (
            "src/lib.rs",
            "pub struct FileLogger { file: std::sync::Mutex<std::fs::File> } pub trait Log { fn log(&self); }"
            " impl Log for FileLogger { fn log(&self) { let _ = self.file.lock().unwrap().write_all(b\"a\"); } }",
        ),
    ],
    "tests": [
        ("src/lib.rs", "#[cfg(test)] mod tests { #[test] fn x() { let _ = std::fs::write(\"a\", \"b\"); } }"),
        ("benches/speed.rs", "fn main() { let _ = std::fs::write(\"a\", \"b\"); }"),
    ],
    "build-scripts": [
        ("build.rs", "fn main() { let _ = std::fs::write(\"a\", \"b\"); }"),
    ],
    "reason-comment": [
        ("src/lib.rs", "pub fn x(s: &mut S) {\n    // Best effort: the next turn saves it again.\n    let _ = s.save();\n}"),
        ("src/lib.rs", "pub fn x(s: &mut S) {\n    let _ = s.save(); // ignore: saved again below\n}"),
        ("src/lib.rs", "pub fn x(s: &mut S) {\n    // If it can't be saved now, the journal has it already.\n    let _ = s.save();\n}"),
        (
            "src/lib.rs",
            "pub fn x(s: &mut S) {\n    match s.save() {\n        Ok(()) => {}\n        // Harmless: there was nothing to save.\n        Err(_) => {}\n    }\n}",
        ),
        ("src/lib.rs", "pub fn x(s: &mut S) {\n    if let Err(e) = s.save() {\n        eprintln!(\"not saved (non-fatal): {e:?}\");\n    }\n}"),
    ],
    "clippy-reason": [
        (
            "src/lib.rs",
            "#[allow(clippy::let_underscore_must_use, reason = \"saved again\")]\npub fn x(s: &mut S) { let _ = s.save(); }",
        ),
        (
            "src/lib.rs",
            "pub fn x(s: &mut S) {\n    #[expect(unused_must_use, reason = \"saved again\")]\n    s.save();\n}",
        ),
    ],
    "rejected-value": [
        ("src/lib.rs", "pub fn x(s: &mut S, job: Job) { let _ = s.queue(job); }"),
        ("src/lib.rs", "static C: std::sync::OnceLock<Job> = std::sync::OnceLock::new(); pub fn x() { let _ = C.set(Job(1)); }"),
    ],
    "poisoned-lock": [
        ("src/lib.rs", "pub fn x(m: &std::sync::Mutex<u32>) { if let Ok(mut n) = m.lock() { *n += 1; } }"),
    ],
    "already-failing": [
        (
            "src/lib.rs",
            "pub fn x(s: &mut S) -> Result<(), E> { if let Err(e) = std::fs::read(\"a\") {"
            " let _ = s.save(); return Err(E::Broken(e.to_string())); } Ok(()) }",
        ),
    ],
    "probing": [
        (
            "src/lib.rs",
            "fn a(t: &str) -> Result<u32, E> { Err(E::Broken(t.to_string())) }\n"
            "pub fn x(all: &[String]) -> Option<u32> { for t in all { if let Ok(n) = a(t) { return Some(n); } } None }",
        ),
    ],
}  # fmt: skip


def told(file: str, source: str, quiet: tuple[str, ...]) -> list[Finding]:
    files = {"Cargo.toml": CARGO, "src/lib.rs": HEAD.encode()}
    files[file] = (HEAD + source).encode()
    head = RuleHead("error-lost", "swallow", "an error is lost", "warn", forced=True)
    rule = SwallowRule(head, ("*",), tuple(sorted(LOST)), quiet)
    found = findings_of(check((rule,), load(MemoryTree(files)).program, Context()))
    return [one for one in found if isinstance(one, Finding) and one.path == file]


def test_every_switch_is_tested() -> None:
    assert set(PLACES) == set(SWITCHES)


@pytest.mark.parametrize(
    ("switch", "number"),
    [(switch, number) for switch, places in PLACES.items() for number in range(len(places))],
)
def test_a_switch_keeps_its_places_quiet_while_it_is_on(switch: str, number: int) -> None:
    file, source = PLACES[switch][number]
    assert told(file, source, (switch,)) == []
    assert told(file, source, tuple(one for one in DEFAULT_QUIET if one != switch)) != []


LOUD = [
    "pub fn x(s: &mut S) {\n    // Saves the state.\n    let _ = s.save();\n}",
    # What the analysed code leaves to be done is no reason: the comment is part of the sample.
    "pub fn x(s: &mut S) {\n    // TODO: handle the error\n    let _ = s.save();\n}",
    "pub fn x(s: &mut S) {\n    // SAFETY: nobody else holds it, so this can't fail half-way.\n    let _ = unsafe { s.save() };\n}",
    "pub fn x(s: &mut S) {\n    // A failed save silently corrupts the index.\n    if let Err(e) = s.save() { eprintln!(\"{e:?}\"); }\n}",
    "pub fn close(s: &mut S) -> Result<(), E> { if let Err(e) = s.save() { eprintln!(\"{e:?}\"); } Ok(()) }",
    "pub fn delete(path: &std::path::Path) -> std::io::Result<()> { let _ = std::fs::remove_file(path); Ok(()) }",
    "pub fn x(out: &mut std::fs::File) { let _ = writeln!(out, \"a\"); }",
    "#[allow(unused_must_use)]\npub fn x(s: &mut S) { s.save(); }",
    # What is called a log may hold data.
    "pub struct CommitLog { file: std::fs::File } impl CommitLog { pub fn add(&mut self) { let _ = self.file.write_all(b\"a\"); } }",
]  # fmt: skip


@pytest.mark.parametrize("source", LOUD)
def test_what_no_switch_speaks_for_is_told(source: str) -> None:
    assert told("src/lib.rs", source, DEFAULT_QUIET) != []
