"""What comes out of the collections, iterators and guards of described crates has its type."""

from __future__ import annotations

import pytest

from calling import called_in

ITEM = """
pub struct Item(u32);
impl Item { pub fn go(&self) -> u32 { self.0 } pub fn weight(&self) -> u32 { 1 } }
pub fn make() -> Item { Item(1) }
"""

TWINS = [
    ("smallvec", "use smallvec::SmallVec;", "v: &SmallVec<[Item; 4]>", "for one in v { one.go(); } v[0].weight();"),
    ("smallvec", "use smallvec::SmallVec;", "mut v: SmallVec<[Item; 4]>", "v.push(make()); v.pop().unwrap().go();"),
    ("arrayvec", "use arrayvec::ArrayVec;", "v: ArrayVec<Item, 4>", "v.iter().for_each(|one| { one.go(); });"),
    ("indexmap", "use indexmap::IndexMap;", "m: IndexMap<u8, Item>", 'm[&1].go(); for (_, one) in &m { one.weight(); }'),
    ("indexmap", "use indexmap::IndexMap;", "m: IndexMap<u8, Item>", "m.get_index(0).unwrap().1.go();"),
    ("indexmap", "use indexmap::IndexSet;", "s: IndexSet<Item>", "s.first().unwrap().go(); s[0].weight();"),
    ("hashbrown", "use hashbrown::HashMap;", "m: &mut HashMap<u8, Item>", "m.entry(1).or_insert_with(make).go();"),
    ("hashbrown", "use hashbrown::HashSet;", "s: HashSet<Item>", "for one in s { one.go(); }"),
    ("either", "use either::Either;", "e: Either<Item, Box<Item>>", "e.as_ref().left().unwrap().go();"),
    ("itertools", "use itertools::Itertools;", "v: Vec<Item>", "v.iter().sorted_by_key(|one| one.weight()).next().unwrap().go();"),
    ("itertools", "use itertools::Itertools;", "v: &[Item]", "for (a, b) in v.iter().tuple_windows() { a.go(); b.weight(); }"),
    ("slab", "use slab::Slab;", "s: &mut Slab<Item>", "for (_, one) in s.iter_mut() { one.go(); } s[0].weight();"),
    ("indexmap", "use indexmap::map::OccupiedEntry;", "o: OccupiedEntry<u8, Item>", "o.get().go();"),
    ("crossbeam-utils", "use crossbeam_utils::CachePadded;", "c: CachePadded<Item>", "c.go();"),
    ("crossbeam", "use crossbeam::utils::CachePadded;", "c: &CachePadded<Item>", "c.weight();"),
    ("crossbeam-epoch", "use crossbeam_epoch::{pin, Atomic};", "a: &Atomic<Item>",
     "let g = pin(); let s = a.load(std::sync::atomic::Ordering::Acquire, &g); unsafe { s.deref() }.go();"),
]  # fmt: skip


def test_a_trait_that_is_described_in_part_has_the_methods_that_impls_write() -> None:
    manifest = '[package]\nname = "app"\nedition = "2021"\n[dependencies]\ntokio = "1"\n'
    text = """
use std::pin::Pin;
use tokio::io::AsyncRead;
pub trait Io: AsyncRead {}
pub struct Inner<T>(T);
impl<T: AsyncRead + Unpin> AsyncRead for Inner<T> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll { todo!() }
    fn is_ready(&self) -> bool { true }
}
pub struct Outer { inner: Inner<Box<dyn Io>> }
impl Outer {
    pub fn f(&mut self, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) {
        Pin::new(&mut self.inner).poll_read(cx, buf);
        self.inner.is_ready();
    }
}
"""
    found = called_in({"Cargo.toml": manifest, "src/lib.rs": text}, "app::Outer::f")
    assert found == ["Inner::poll_read exact", "Inner::is_ready exact"]


def test_a_pinned_value_has_the_methods_of_its_impl_of_a_trait_that_nobody_described() -> None:
    text = """
use futures_core::Stream;
use std::pin::Pin;
pub struct Inner<T>(T);
impl<T> Stream for Inner<T> { fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll { todo!() } }
pub struct Other;
impl Stream for Other { fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll { todo!() } }
pub fn f(inner: &mut Inner<u8>, cx: &mut Context<'_>) { Pin::new(inner).poll_next(cx); }
"""
    assert called_in({"src/lib.rs": text}, "app::f") == ["Inner::poll_next exact"]


def test_what_a_procedural_macro_is_given_is_parsed_as_the_type_behind_as() -> None:
    text = """
pub struct Item;
impl Item { fn go(&self) {} }
pub fn f(tokens: TokenStream) { let item = syn::parse_macro_input!(tokens as Item); item.go(); }
"""
    assert called_in({"src/lib.rs": text}, "app::f") == ["Item::go exact"]


@pytest.mark.parametrize(("crate", "use", "parameter", "body"), TWINS)
def test_an_element_has_its_type(crate: str, use: str, parameter: str, body: str) -> None:
    manifest = f'[package]\nname = "app"\nedition = "2021"\n[dependencies]\n{crate} = "1"\n'
    text = f"{use}\n{ITEM}\npub fn f({parameter}) {{ {body} }}\n"
    found = [
        one for one in called_in({"Cargo.toml": manifest, "src/lib.rs": text}, "app::f") if "Item" in one
    ]
    assert len(found) == body.count("go()") + body.count("weight()")
    assert not any("by-name" in one for one in found)
