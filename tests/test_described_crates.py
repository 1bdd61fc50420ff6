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
    ("crossbeam-utils", "use crossbeam_utils::CachePadded;", "c: CachePadded<Item>", "c.go();"),
    ("crossbeam", "use crossbeam::utils::CachePadded;", "c: &CachePadded<Item>", "c.weight();"),
    ("crossbeam-epoch", "use crossbeam_epoch::{pin, Atomic};", "a: &Atomic<Item>",
     "let g = pin(); let s = a.load(std::sync::atomic::Ordering::Acquire, &g); unsafe { s.deref() }.go();"),
]  # fmt: skip


@pytest.mark.parametrize(("crate", "use", "parameter", "body"), TWINS)
def test_an_element_has_its_type(crate: str, use: str, parameter: str, body: str) -> None:
    manifest = f'[package]\nname = "app"\nedition = "2021"\n[dependencies]\n{crate} = "1"\n'
    text = f"{use}\n{ITEM}\npub fn f({parameter}) {{ {body} }}\n"
    found = [
        one for one in called_in({"Cargo.toml": manifest, "src/lib.rs": text}, "app::f") if "Item" in one
    ]
    assert len(found) == body.count("go()") + body.count("weight()")
    assert not any("by-name" in one for one in found)
