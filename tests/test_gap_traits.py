"""Traits from outside the workspace, by data: the shipped entries and a rule's own."""

from __future__ import annotations

from typing import Any

import pytest

from gap_program import gaps
from inroads.analyses.base import RuleHead, TableReader
from inroads.analyses.gap import parse
from inroads.analyses.gap.traits import Provided, read_traits, shipped

MUST = sorted(
    (path, {name: one for name, one in methods.items() if one.duty == "must"})
    for path, methods in shipped().items()
    if any(one.duty == "must" for one in methods.values())
)


def wrapper(path: str, methods: str, head: str = "pub struct W<T> { inner: T, n: usize }") -> str:
    """A wrapper of a trait from outside."""
    name = path.rpartition("::")[2]
    return f"use {path};\n{head}\nimpl<T: {name}> {name} for W<T> {{ {methods} }}"


def forwards(names: Any) -> str:
    """A forward for each method; what its parameters are does not matter."""
    return "".join(
        f"fn {name}(&mut self, x: u8) -> u8 {{ self.inner.{name}(x) }}\n" for name in sorted(set(names))
    )


@pytest.mark.parametrize(("path", "must"), MUST, ids=[path for path, _ in MUST])
def test_a_wrapper_of_a_listed_trait_forgets_what_must_be_forwarded(
    path: str, must: dict[str, Provided]
) -> None:
    through = {name for one in must.values() for name in one.through} | {"required"}
    (found,) = gaps(wrapper(path, forwards(through)))
    assert found.certainty == "maybe"
    assert {callee.rpartition("::")[2] for callee in found.callees} >= set(must)


@pytest.mark.parametrize(("path", "must"), MUST, ids=[path for path, _ in MUST])
def test_a_wrapper_that_forwards_all_of_a_listed_trait_is_quiet(path: str, must: dict[str, Provided]) -> None:
    every = {*shipped()[path], "required"}
    every |= {name for one in shipped()[path].values() for name in one.through}
    assert gaps(wrapper(path, forwards(every)), forced=True) == []


def test_a_method_of_a_later_release_is_not_missed_in_an_earlier_one() -> None:
    path = "object_store::ObjectStore"
    store = forwards({"get_ranges", "list_with_offset", "required"})
    (found,) = gaps(wrapper(path, store))
    assert "rename_opts" in found.message
    assert gaps(wrapper(path, store + forwards({"copy_if_not_exists"}))) == []


def test_a_store_that_caches_what_it_gets_keeps_the_default_that_gets() -> None:
    path = "object_store::ObjectStore"
    rest = forwards({"list_with_offset", "rename_opts", "required"})
    (found,) = gaps(wrapper(path, rest + forwards({"get_opts"})))
    assert "get_ranges" in found.message
    cached = "fn get_opts(&self, key: u32) -> u32 { self.keep(key, self.inner.get_opts(key + 1)) }"
    assert gaps(wrapper(path, rest + cached)) == []


@pytest.mark.parametrize("level", ["warn", "deny", "forbid"])
def test_nothing_is_missed_where_clippy_sees_to_it(level: str) -> None:
    text = wrapper("std::io::Read", forwards({"read"}))
    assert gaps(text)
    lint = f"#[{level}(clippy::missing_trait_methods)]\nimpl"
    assert gaps(text.replace("impl", lint, 1)) == []


def test_every_path_of_an_entry_is_whole_and_every_reason_is_told() -> None:
    for path, methods in shipped().items():
        assert "::" in path
        for one in methods.values():
            assert one.runs, (path, one.name)
            assert one.duty in ("no", "may") or one.why, (path, one.name)
            assert not one.code or f"fn {one.name}" in one.code, (path, one.name)


def test_a_counting_iterator_forgets_the_hint_and_a_mapping_one_does_not() -> None:
    next_ = "type Item = T::Item; fn next(&mut self) -> Option<T::Item>"
    (found,) = gaps(wrapper("std::iter::Iterator", f"{next_} {{ self.n += 1; self.inner.next() }}"))
    assert found.callees == ("std::iter::Iterator::size_hint",)
    assert gaps(wrapper("std::iter::Iterator", f"{next_} {{ self.inner.next().map(|x| x + 1) }}")) == []
    stops = f"{next_} {{ if self.n == 0 {{ return None; }} self.n -= 1; self.inner.next() }}"
    assert gaps(wrapper("std::iter::Iterator", stops), forced=True) == []


def test_a_trait_of_the_prelude_needs_no_use() -> None:
    text = """
    pub struct W<I> { inner: I }
    impl<I: Iterator> Iterator for W<I> {
        type Item = I::Item;
        fn next(&mut self) -> Option<I::Item> { self.inner.next() }
    }
    """
    assert [one.line for one in gaps(text)] == [3]


def test_a_reader_that_counts_leaves_the_rest_to_the_default() -> None:
    plain = "fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> { self.inner.read(buf) }"
    counting = plain.replace("{ self", "{ self.n += 1; self")
    assert len(gaps(wrapper("std::io::Read", plain))) == 1
    assert gaps(wrapper("std::io::Read", counting), forced=True) == []


def test_what_only_should_be_forwarded_is_quiet_for_a_known_inner_type_from_outside() -> None:
    text = """
    use std::io::{self, Read};
    pub struct W { file: std::fs::File }
    impl Read for W { fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> { self.file.read(buf) } }
    """
    assert gaps(text) == []


def test_what_must_be_forwarded_counts_for_an_inner_type_from_outside() -> None:
    text = """
    use std::pin::Pin;
    use tokio::{io::{self, AsyncWrite}, net::TcpStream};
    pub struct W { stream: TcpStream }
    impl AsyncWrite for W {
        fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
            Pin::new(&mut self.get_mut().stream).poll_write(cx, buf)
        }
        fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
            Pin::new(&mut self.get_mut().stream).poll_flush(cx)
        }
    }
    """
    (found,) = gaps(text)
    assert found.callees == (
        "tokio::io::AsyncWrite::is_write_vectored", "tokio::io::AsyncWrite::poll_write_vectored",
    )  # fmt: skip
    assert "Pin::new(&mut self.get_mut().stream).poll_write_vectored(cx, bufs)" in found.help


def test_an_inner_type_of_the_workspace_without_the_method_is_quiet() -> None:
    text = """
    use http_body::Body;
    pub struct Plain;
    impl Body for Plain { fn poll_frame(&mut self, cx: u8) -> u8 { cx } }
    pub struct W { inner: Plain }
    impl Body for W { fn poll_frame(&mut self, cx: u8) -> u8 { self.inner.poll_frame(cx) } }
    """
    assert gaps(text, forced=True) == []


def test_an_inner_type_of_the_workspace_with_the_method_is_sure() -> None:
    text = """
    use http_body::Body;
    pub struct Full;
    impl Body for Full { fn poll_frame(&mut self, cx: u8) -> u8 { cx } fn size_hint(&self) -> u64 { 7 } }
    pub struct W { inner: Full }
    impl Body for W { fn poll_frame(&mut self, cx: u8) -> u8 { self.inner.poll_frame(cx) } }
    """
    (found,) = gaps(text)
    assert (found.certainty, found.callees) == ("sure", ("http_body::Body::size_hint",))


def test_a_wrapper_that_changes_the_bytes_keeps_the_default() -> None:
    text = wrapper(
        "http_body::Body", "fn poll_frame(&mut self, cx: u8) -> u8 { self.inner.poll_frame(cx + 1) }"
    )
    assert gaps(text, forced=True) == []


def test_an_allocator_that_counts_forgets_both_fast_ways() -> None:
    text = """
    use std::alloc::{GlobalAlloc, Layout, System};
    pub struct Counting(std::sync::atomic::AtomicUsize);
    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 { self.0.fetch_add(1, Relaxed); System.alloc(layout) }
        unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) { System.dealloc(ptr, layout) }
    }
    """
    (found,) = gaps(text)
    assert "to `System`, and forgets `alloc_zeroed` and `realloc`" in found.message


def test_a_trait_that_is_not_listed_is_none_of_our_business() -> None:
    assert gaps(wrapper("other::Thing", forwards({"required"})), forced=True) == []


def test_a_rule_may_bring_its_own_traits() -> None:
    mistakes: list[str] = []
    table = {
        "foreign": [
            {"paths": ["other::Thing"], "method": [{"names": ["hint"], "forward": "must", "runs": "says 0"}]}
        ]
    }
    rule = parse(RuleHead("mine", "gap", "t", "warn"), TableReader(table, "mine.toml", mistakes))
    assert mistakes == [] and rule is not None
    (found,) = gaps(wrapper("other::Thing", forwards({"required"})), foreign=rule.foreign)
    assert found.callees == ("other::Thing::hint",)


def test_a_wrong_entry_is_told_with_its_place() -> None:
    _, mistakes = read_traits(
        [{"paths": [], "method": [{"names": ["a"], "forward": "always", "wy": ""}]}, {"path": ["x"]}],
        "mine.toml",
    )
    assert mistakes == [
        'mine.toml: trait 1: "paths" must be a list of paths',
        'mine.toml: trait 1: method: unknown key "wy"',
        'mine.toml: trait 1: method a: "forward" must be one of must, should, may, no',
        'mine.toml: trait 2: "paths" must be a list of paths',
        'mine.toml: trait 2: unknown key "path"',
    ]
