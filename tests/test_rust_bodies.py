"""Bodies that wait as text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import inroads
from inroads.facts import FileFacts
from inroads.rust.extract import extract, extract_encoded
from inroads.store import decode_body, decode_facts, marks_of, names_of
from syntax_corpus import snippets

SNIPPETS = snippets()
PLAIN = b"fn f() { let _ = g(a.b, C { d: 1 }); m!(e); }"


def waiting(data: bytes) -> FileFacts:
    """The facts of a file whose bodies wait where they may."""
    return decode_facts(extract_encoded(data))


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_body_that_waits_has_the_same_rows(name: str) -> None:
    data = SNIPPETS[name].encode()
    for now, later in zip(extract(data).bodies, waiting(data).bodies, strict=True):
        assert decode_body(later.data) == decode_body(now.data)


@pytest.mark.parametrize("name", SNIPPETS)
def test_all_else_is_the_same(name: str) -> None:
    data = SNIPPETS[name].encode()
    now, later = extract(data), waiting(data)
    assert (later.items, later.comments, later.problems) == (now.items, now.comments, now.problems)
    assert later.skeleton_digest == now.skeleton_digest


@pytest.mark.parametrize("name", SNIPPETS)
def test_no_name_is_missing_from_a_body_that_waits(name: str) -> None:
    data = SNIPPETS[name].encode()
    for now, later in zip(extract(data).bodies, waiting(data).bodies, strict=True):
        assert names_of(now) <= names_of(later)


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_body_that_waits_has_the_same_marks(name: str) -> None:
    data = SNIPPETS[name].encode()
    for now, later in zip(extract(data).bodies, waiting(data).bodies, strict=True):
        assert marks_of(now) == marks_of(later)


def test_a_plain_body_waits() -> None:
    [body] = waiting(PLAIN).bodies
    assert body.data == b"\xc1{" + PLAIN[PLAIN.index(b"{") :]


@pytest.mark.parametrize(
    "inner",
    [
        "fn h() { let _ = g(); }",
        "use a::b;",
        "let y = 1; pub const C: u8 = 1;",
        "/// d\n#[inline] fn h() { fn i() {} }",
        "/* c */ static S: u8 = 1; g();",
        "macro_rules! n { () => {} }",
        "unsafe fn h() {}",
        "async fn h() {}",
        "impl T for S { fn h(&self) {} } x()?",
    ],
)
def test_a_body_with_items_among_its_statements_waits_and_they_do_not(inner: str) -> None:
    data = f"fn f() {{ {inner} }} fn g() {{ let _ = h(); }}".encode()
    now, later = extract(data), waiting(data)
    assert later.bodies[0].data.startswith(b"\xc1")
    assert later.items == now.items
    assert later.skeleton_digest == now.skeleton_digest
    for one, other in zip(now.bodies, later.bodies, strict=True):
        assert decode_body(other.data) == decode_body(one.data)
        assert marks_of(other) == marks_of(one)


@pytest.mark.parametrize("inner", ["if x { struct S; }", "let f = || { use a::b; g() }; use c::d;", "x("])
def test_a_body_with_an_item_in_an_inner_block_or_an_error_is_read_at_once(inner: str) -> None:
    [body, *_] = waiting(f"fn f() {{ {inner} }}".encode()).bodies
    assert not body.data.startswith(b"\xc1")


def test_too_deep_nesting_is_told_at_once() -> None:
    data = b"fn f() { " + b"g(" * 200 + b")" * 200 + b" }"
    assert [problem.kind for problem in waiting(data).problems] == ["nesting"]


@pytest.mark.parametrize("first", ["inroads.store", "inroads.rust.fragment", "inroads.rust.extract"])
def test_a_body_is_read_the_same_whatever_is_imported_first(first: str) -> None:
    inside = b"{ if a { m!(b); } match c { D => e.f()?, _ => {} } }"
    data = b"\xc1{" + inside
    code = f"import {first}; from inroads.store import decode_body; print(decode_body({data!r}))"
    environment = {**os.environ, "PYTHONPATH": str(Path(inroads.__file__).parents[1])}
    printed = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert printed.strip() == str(decode_body(extract(b"fn f() " + inside).bodies[0].data))


def test_brackets_in_strings_do_no_harm() -> None:
    data = b'fn f() { g("((((", 1); h(")") }'
    assert decode_body(waiting(data).bodies[0].data) == decode_body(extract(data).bodies[0].data)
