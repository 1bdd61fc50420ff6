"""What a wrapper could hand on at all, and what a default has to go through: found by what is left out and held."""

from __future__ import annotations

import pytest

from gap_program import gaps

ARRAY = """
pub trait Array {
    fn len(&self) -> usize;
    fn is_null(&self, at: usize) -> bool;
    fn shrink(&mut self) {}
}
pub struct Words(Vec<u64>);
impl Array for Words {
    fn len(&self) -> usize { self.0.len() }
    fn is_null(&self, at: usize) -> bool { self.0[at] == 0 }
    fn shrink(&mut self) { self.0.shrink_to_fit() }
}
"""


def forgotten(text: str) -> list[str]:
    """The methods that findings name, sorted."""
    return sorted(callee.rpartition("::")[2] for one in gaps(text) for callee in one.callees)


def forwards(head: str, place: str) -> str:
    """Two forwards to a place."""
    return f"""{head} {{
        fn len(&self) -> usize {{ {place}.len() }}
        fn is_null(&self, at: usize) -> bool {{ {place}.is_null(at) }}
    }}"""


SHARED = [
    ("struct View<'a> { array: &'a Words }", "impl Array for View<'_>", "self.array"),
    ("struct View { array: std::rc::Rc<Words> }", "impl Array for View", "self.array"),
    ("type Kept = std::sync::Arc<Words>; struct View { array: Kept }", "impl Array for View", "self.array"),
    ("struct Inner<'a> { array: &'a Words } struct View<'a> { inner: Inner<'a> }", "impl Array for View<'_>",
     "self.inner.array"),
    ("", "impl<A: Array> Array for &A", "(**self)"),
]  # fmt: skip


@pytest.mark.parametrize(("types", "head", "place"), SHARED)
def test_what_changes_the_inner_value_can_not_pass_a_shared_reference(
    types: str, head: str, place: str
) -> None:
    assert forgotten(f"{ARRAY}\n{types}\n{forwards(head, place)}") == []


OWNED = [
    ("struct View<'a> { array: &'a mut Words }", "impl Array for View<'_>", "self.array"),
    ("struct View { array: Box<Words> }", "impl Array for View", "self.array"),
    ("struct View { array: std::sync::Arc<std::sync::Mutex<Words>> }", "impl Array for View",
     "self.array.lock().unwrap()"),
    ("struct Inner { array: Words } struct View { inner: Inner }", "impl Array for View", "self.inner.array"),
    ("", "impl<A: Array> Array for &mut A", "(**self)"),
]  # fmt: skip


@pytest.mark.parametrize(("types", "head", "place"), OWNED)
def test_what_changes_the_inner_value_passes_whatever_owns_or_locks_it(
    types: str, head: str, place: str
) -> None:
    assert forgotten(f"{ARRAY}\n{types}\n{forwards(head, place)}") == ["shrink"]


def test_a_shared_reference_that_another_change_passes_is_passable() -> None:
    text = """
pub trait Port { fn put(&mut self, byte: u8); fn close(&mut self) {} }
pub struct Line;
impl Port for Line { fn put(&mut self, byte: u8) { let _ = byte; } fn close(&mut self) { println!("closed") } }
pub struct Tap { line: std::sync::Arc<Line> }
impl Port for Tap { fn put(&mut self, byte: u8) { std::sync::Arc::get_mut(&mut self.line).unwrap().put(byte) } }
"""
    assert forgotten(text) == ["close"]


COPY = """
pub trait Cheap: Clone {{ fn cheap(&self) -> {returns} {{ {default} }} }}
#[derive(Clone)] pub struct Name(u32);
impl Cheap for Name {{ fn cheap(&self) -> {returns} {{ {own} }} }}
impl<T: Cheap> Cheap for std::pin::Pin<T> {{}}
"""


def test_a_pointer_copies_itself_and_not_what_it_points_at() -> None:
    assert forgotten(COPY.format(returns="Self", default="self.clone()", own="Name(self.0)")) == []


def test_a_pointer_forgets_what_gives_anything_else() -> None:
    assert forgotten(COPY.format(returns="u32", default="0", own="self.0")) == ["cheap"]


READER = """
pub trait Accounts {{ fn account(&self, id: u64) -> Option<u64>; }}
pub trait State: Accounts {{
    fn slot(&self, id: u64) -> u64;
    fn balance(&self, id: u64) -> u64 {{ self.account(id).unwrap_or(0) }}
}}
pub struct Remote;
impl Accounts for Remote {{ fn account(&self, id: u64) -> Option<u64> {{ Some(id) }} }}
impl State for Remote {{
    fn slot(&self, id: u64) -> u64 {{ id }}
    fn balance(&self, id: u64) -> u64 {{ id + 1 }}
}}
pub struct Timed<S> {{ state: S, fetched: std::cell::Cell<u64> }}
impl<S: Accounts> Accounts for Timed<S> {{
    fn account(&self, id: u64) -> Option<u64> {{ {account} }}
}}
impl<S: State> State for Timed<S> {{ fn slot(&self, id: u64) -> u64 {{ self.state.slot(id) }} }}
"""


def test_a_default_that_goes_through_a_supertrait_must_where_the_wrapper_counts_there() -> None:
    counted = "self.fetched.set(self.fetched.get() + 1); self.state.account(id)"
    assert forgotten(READER.format(account=counted)) == []


def test_a_default_that_goes_through_a_supertrait_is_passed_by_where_the_wrapper_only_hands_on() -> None:
    assert forgotten(READER.format(account="self.state.account(id)")) == ["balance"]


VISIT = """
pub trait Operation {{
    fn traverse(&mut self, each: &mut dyn FnMut(&mut dyn Operation));
    fn finish(&self) -> u32;
    fn text(&mut self, text: &str) {{}}
}}
pub struct Find(u32);
impl Operation for Find {{
    fn traverse(&mut self, each: &mut dyn FnMut(&mut dyn Operation)) {{ self.0 += 1; each(self) }}
    fn finish(&self) -> u32 {{ self.0 }}
    fn text(&mut self, text: &str) {{ self.0 += text.len() as u32 }}
}}
pub struct Scoped {{ operation: Find, inside: bool }}
impl Operation for Scoped {{
    fn traverse(&mut self, each: &mut dyn FnMut(&mut dyn Operation)) {{ {traverse} }}
    fn finish(&self) -> u32 {{ self.operation.finish() }}
}}
"""


def test_what_shows_itself_in_place_of_the_inner_value_is_no_forward() -> None:
    shows = "if self.inside { self.operation.traverse(each) } else { each(self) }"
    assert forgotten(VISIT.format(traverse=shows)) == []


def test_what_is_handed_on_unless_it_is_refused_is_a_forward() -> None:
    refuses = "if self.inside { self.operation.traverse(each) }"
    assert forgotten(VISIT.format(traverse=refuses)) == ["text"]


HASHER = """
use std::hash::Hasher;
pub struct Small(u64);
impl Hasher for Small {{
    fn finish(&self) -> u64 {{ self.0 }}
    fn write(&mut self, bytes: &[u8]) {{ self.0 += bytes.len() as u64 }}
    fn write_u64(&mut self, i: u64) {{ self.0 += i }}
}}
pub struct Wide(Small);
impl Hasher for Wide {{
    fn finish(&self) -> u64 {{ self.0.0 << 1 }}
    fn write(&mut self, bytes: &[u8]) {{ {write} }}
}}
"""


def test_a_hasher_that_finishes_in_its_own_way_still_hands_on_what_is_written() -> None:
    assert forgotten(HASHER.format(write="self.0.write(bytes)")) == ["write_u64"]


def test_a_hasher_that_changes_what_is_written_keeps_the_default() -> None:
    assert forgotten(HASHER.format(write="self.0.write(&bytes[1..])")) == []


STORE = """
pub trait Store {{
    type Error;
    fn get(&self, key: u8) -> Result<u8, Self::Error>;
    fn put(&self, key: u8) -> Result<u8, Self::Error>;
    fn put_blindly(&self, key: u8) -> Result<(), Self::Error> {{ self.put(key).map(drop) }}
}}
pub struct Disk;
impl Store for Disk {{
    type Error = u8;
    fn get(&self, key: u8) -> Result<u8, u8> {{ Ok(key) }}
    fn put(&self, key: u8) -> Result<u8, u8> {{ Err(key) }}
    fn put_blindly(&self, key: u8) -> Result<(), u8> {{ println!("{{key}}"); Ok(()) }}
}}
pub struct Erased<S> {{ store: S, failed: std::cell::Cell<u32> }}
impl<S: Store<Error = u8>> Store for Erased<S> {{
    type Error = u32;
    fn get(&self, key: u8) -> Result<u8, u32> {{ self.store.get(key).map_err(Into::into) }}
    fn put(&self, key: u8) -> Result<u8, u32> {{ self.store.put(key).map_err({error}) }}
}}
"""


def test_an_error_in_another_dress_leaves_a_forward_plain() -> None:
    assert forgotten(STORE.format(error="Into::into")) == ["put_blindly"]
    assert forgotten(STORE.format(error="|error| error.into()")) == ["put_blindly"]


def test_an_error_that_is_counted_keeps_the_default() -> None:
    counted = "|error| { self.failed.set(1); u32::from(error) }"
    assert forgotten(STORE.format(error=counted)) == []


EXACT = """
use std::collections::hash_map;
pub struct Keys<'a>(hash_map::Iter<'a, u32, u32>);
impl<'a> Iterator for Keys<'a> {{
    type Item = &'a u32;
    fn next(&mut self) -> Option<&'a u32> {{ self.0.next().map(|(key, _)| key) }}
    {hint}
}}
{exact}
"""
HINT = "fn size_hint(&self) -> (usize, Option<usize>) { self.0.size_hint() }"


@pytest.mark.parametrize(
    ("hint", "exact", "expected"),
    [
        ("", "impl ExactSizeIterator for Keys<'_> {}", ["size_hint"]),
        ("", "impl ExactSizeIterator for Keys<'_> { fn len(&self) -> usize { self.0.len() } }", []),
        (HINT, "impl ExactSizeIterator for Keys<'_> {}", []),
        ("", "", []),
    ],
)
def test_a_hint_that_another_trait_asserts_must_be_handed_on(
    hint: str, exact: str, expected: list[str]
) -> None:
    assert forgotten(EXACT.format(hint=hint, exact=exact)) == expected
