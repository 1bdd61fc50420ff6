"""Failures that are wanted, decide only what is logged, or are no errors; beside each the nearest one that is lost."""

from __future__ import annotations

from twins import quiet_and_told

HEAD = """
use std::sync::atomic::{AtomicU64, Ordering};
#[derive(Debug)]
pub enum E { Missing(String), Taken(String), Full, Deep(u32) }
pub struct Table { names: Vec<String>, seen: AtomicU64, grown: bool }
impl Table {
    pub fn place(&self, name: &str) -> Result<usize, E> {
        let mut passed = 0;
        for (at, one) in self.names.iter().enumerate() { passed += 1; if one == name { return Ok(at); } }
        if passed > 100 { return Err(E::Full); }
        Err(E::Missing(name.to_string()))
    }
    pub fn load(&mut self, name: &str) -> Result<usize, E> {
        let text = std::fs::read_to_string(name).map_err(|e| E::Missing(e.to_string()))?;
        self.names.push(text);
        self.place(name)
    }
    pub fn may_log(&self) -> Result<u64, E> {
        let n = self.seen.fetch_add(1, Ordering::Relaxed);
        if n == 7 { return Err(E::Full); }
        if n % 10 == 0 { Ok(n) } else { Err(E::Deep(1)) }
    }
    pub fn scaled(&self, n: u64) -> Result<u64, E> {
        if n > 9 && self.grown { return Err(E::Full); }
        let scale = self.may_log()?;
        if scale == 3 { return Err(E::Deep(3)); }
        Ok(n * scale)
    }
    pub fn show(&mut self, name: &str) -> Result<String, E> {
        if self.grown { return Err(E::Full); }
        self.grown = true;
        self.names.iter().find(|one| *one == name).cloned().ok_or_else(|| E::Missing(name.to_string()))
    }
    pub fn slot(&mut self, name: &str) -> Result<&mut String, &mut String> {
        self.grown = true;
        self.names.push(name.to_string());
        if name.is_empty() { Ok(&mut self.names[0]) } else { Err(&mut self.names[0]) }
    }
    pub fn place_for(&mut self, name: &str) -> Result<usize, &mut String> {
        self.grown = true;
        if name.is_empty() { Ok(3) } else { Err(&mut self.names[0]) }
    }
    pub fn verify(&mut self, name: &str) -> Result<bool, E> { Ok(self.load(name)? == 3) }
    pub fn slot_or_why(&mut self, name: &str) -> Result<&str, &str> {
        self.names.push(name.to_string());
        if name.is_empty() { Ok(&self.names[0]) } else { Err("it is full") }
    }
}
pub struct Tree { kids: Vec<Tree>, size: u32 }
pub trait Visitor { fn enter(&mut self, tree: &Tree) -> Result<(), E>; }
pub struct Finder { size: u32, found: bool }
impl Visitor for Finder {
    fn enter(&mut self, tree: &Tree) -> Result<(), E> {
        if tree.size > 100 { return Err(E::Deep(tree.size)); }
        if tree.size == self.size { self.found = true; return Err(E::Full); }
        Ok(())
    }
}
impl Tree {
    pub fn visit(&self, visitor: &mut dyn Visitor) -> Result<(), E> {
        visitor.enter(self)?;
        for kid in &self.kids { kid.visit(visitor)?; }
        Ok(())
    }
    pub fn balance(&self, visitor: &mut dyn Visitor) -> Result<(), E> { self.visit(visitor) }
}
pub trait Walker { type Out; fn step(&mut self, tree: &Tree) -> Self::Out; }
pub struct Count(u32);
impl Walker for Count { type Out = (); fn step(&mut self, tree: &Tree) { self.0 += tree.size; } }
pub struct Check;
impl Walker for Check {
    type Out = Result<(), E>;
    fn step(&mut self, tree: &Tree) -> Result<(), E> { if tree.size == 0 { Err(E::Full) } else { Ok(()) } }
}
pub fn checked(tree: &Tree) -> Result<(), E> { Check.step(tree) }
"""

# Name -> (the way that is quiet, the way that is told).
PAIRS: dict[str, tuple[str, str]] = {
    "a name that is taken": (
        "pub fn x(t: &mut Table, name: &str) -> Result<(), E> { if t.load(name).is_ok() { return Err(E::Taken(name.to_string())); } Ok(()) }",
        "pub fn x(t: &mut Table, name: &str) -> Result<(), E> { if t.load(name).is_ok() { t.names.push(name.to_string()); } Ok(()) }",
    ),
    "a match whose success is the mistake": (
        "pub fn x(t: &mut Table, name: &str) -> Result<(), E> { match t.load(name) { Ok(_) => return Err(E::Taken(name.to_string())), Err(_) => {} } Ok(()) }",
        "pub fn x(t: &mut Table, name: &str) -> Result<(), E> { match t.load(name) { Ok(0) => return Err(E::Taken(name.to_string())), Ok(_) => {} Err(_) => {} } Ok(()) }",
    ),
    "a success that panics": (
        'pub fn x(t: &mut Table, name: &str) { if let Ok(at) = t.load(name) { panic!("{name} is at {at}"); } }',
        'pub fn x(t: &mut Table, name: &str) { if let Ok(at) = t.load(name) { if at > 3 { panic!("{name} is at {at}"); } t.names.remove(at); } }',
    ),
    "a success that may leave": (
        "pub fn x(t: &mut Table) -> Result<(), E> { match t.load(\"x\") { Ok(at) => if at > 3 { return Err(E::Full); } else { return Err(E::Deep(1)); }, Err(_) => {} } Ok(()) }",
        "pub fn x(t: &mut Table) -> Result<(), E> { match t.load(\"x\") { Ok(at) => if at > 3 { return Err(E::Full); }, Err(_) => {} } Ok(()) }",
    ),
    "a log that is limited": (
        'pub fn x(t: &Table) { if let Ok(n) = t.may_log() { tracing::warn!(n, "nothing to read"); } }',
        "pub fn x(t: &Table, seen: &mut Vec<u64>) { if let Ok(n) = t.may_log() { seen.push(n); } }",
    ),
    "a log of another failure": (
        'pub async fn x(t: &Table) { if let Ok(n) = t.may_log() { tracing::warn!(n, "nothing to read"); } }',
        'async fn f() -> Result<(), E> { Err(E::Deep(3)) } pub async fn x() { let task = tokio::spawn(f()); if let Err(e) = task.await { tracing::warn!("{e}"); } }',
    ),
    "what was given stays": (
        "pub fn x(t: &Table, s: u64) -> u64 { t.scaled(s).unwrap_or(s) }",
        "pub fn x(t: &Table, s: u64) -> u64 { t.scaled(s).unwrap_or(3) }",
    ),
    "a placeholder in a text": (
        'pub fn x(t: &mut Table) -> String { format!("x: {}", t.show("x").unwrap_or_else(|_| "_".to_owned())) }',
        'pub fn x(t: &mut Table) -> String { format!("x: {}", t.show("x").unwrap_or_else(|_| "y".to_owned())) }',
    ),
    "one place or another": (
        "pub fn x(t: &mut Table) { let _ = t.slot(\"x\"); }",
        "pub fn x(t: &mut Table) { let _ = t.slot_or_why(\"x\"); }",
    ),
    "a place that was taken": (
        "pub fn x(t: &mut Table) { let _ = t.place_for(\"x\"); }",
        "pub fn x(t: &mut Table) { let _ = t.load(\"x\"); }",
    ),
    "a check that says no": (
        "pub fn x(t: &mut Table) -> bool { t.verify(\"x\").unwrap_or(false) }",
        "pub fn x(t: &mut Table) -> bool { t.verify(\"x\").unwrap_or(true) }",
    ),
    "a walk in a closure that gives nothing": (
        "pub fn x(trees: &[Tree], count: &mut Count) { trees.iter().for_each(|one| count.step(one)); }",
        "pub fn x(trees: &[Tree]) { trees.iter().for_each(|one| { let _ = Check.step(one); }); }",
    ),
    "the last word of a task that ends": (
        'pub struct W { all: Vec<tokio::task::JoinHandle<Result<u32, E>>> } impl W { pub async fn shutdown(&mut self) { for one in self.all.drain(..) { match one.await { Ok(Ok(_)) => {} Ok(Err(e)) => tracing::warn!("{e:?}"), Err(e) => panic!("{e}") } } } }',
        'pub struct W { all: Vec<tokio::task::JoinHandle<Result<u32, E>>> } impl W { pub async fn gather(&mut self) { for one in self.all.drain(..) { match one.await { Ok(Ok(_)) => {} Ok(Err(e)) => tracing::warn!("{e:?}"), Err(e) => panic!("{e}") } } } }',
    ),
    "a walk whose visitor knows": (
        "pub fn x(tree: &Tree) -> bool { let mut f = Finder { size: 3, found: false }; let _ = tree.visit(&mut f); f.found }",
        "pub fn x(tree: &Tree) -> bool { let mut f = Finder { size: 3, found: false }; let _ = tree.balance(&mut f); f.found }",
    ),
    "a method that gives a Result elsewhere": (
        "pub fn x(tree: &Tree) -> u32 { let mut count = Count(0); count.step(tree); count.0 }",
        "pub fn x(tree: &Tree) { let _ = Check.step(tree); }",
    ),
}  # fmt: skip

test_it_is_not_told_of, test_it_is_told_in_the_twin_of = quiet_and_told(HEAD, PAIRS, times=1)
