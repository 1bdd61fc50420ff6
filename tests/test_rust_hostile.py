"""Input that nobody means well: `extract` answers, in time, and tells what is wrong."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings, strategies as st

from consistency import faults
from inroads.facts import FileFacts, UnknownRow
from inroads.rust.extract import extract
from inroads.rust.fragment import Position, read_body, read_items
from inroads.store import decode_body
from syntax_corpus import snippets

HOSTILE = {
    "nothing": b"",
    "a byte-order mark": b"\xef\xbb\xbf",
    "white space": b"\n\r\n\t ",
    "a lone quote": b'fn f() { "',
    "a lone raw string": b'fn f() { r##"x"# ',
    "a lone comment": b"fn f() { /* /* */",
    "a lone tick": b"fn f() { ' }",
    "closing brackets": b"}" * 1000,
    "opening brackets": b"{" * 5000,
    "mixed brackets": b"fn f() {" + b"([{" * 3000,
    "parentheses": b"fn f() { " + b"(" * 50_000 + b"1" + b")" * 50_000 + b" }",
    "square brackets": b"fn f() { " + b"[" * 20_000 + b"]" * 20_000 + b" }",
    "braces": b"fn f() { " + b"{" * 20_000 + b"}" * 20_000 + b" }",
    "type parameters": b"fn f(x: " + b"A<" * 10_000 + b"u8" + b">" * 10_000 + b") {}",
    "references": b"fn f(x: " + b"&" * 20_000 + b"u8) { " + b"&" * 20_000 + b"x }",
    "patterns": b"fn f() { let "
    + b"&" * 10_001
    + b"x = y; let "
    + b"(" * 10_000
    + b"x"
    + b")" * 10_000
    + b" = y; }",
    "tuple patterns": b"fn f() { let " + b"A(" * 10_000 + b"x" + b")" * 10_000 + b" = y; }",
    "method chain": b"fn f() { x" + b".a()" * 8_000 + b" }",
    "field chain": b"fn f() { x" + b".a" * 20_000 + b" }",
    "question marks": b"fn f() { x" + b"?" * 20_000 + b" }",
    "sum": b"fn f() { x" + b" + x" * 20_000 + b" }",
    "conjunction": b"fn f() { x" + b" && x" * 10_000 + b" }",
    "negations": b"fn f() { " + b"!" * 20_000 + b"x }",
    "calls in calls": b"fn f() { " + b"g(" * 10_000 + b")" * 10_000 + b" }",
    "assignments": b"fn f() { " + b"x = " * 5_000 + b"1; }",
    "else if": b"fn f() { if x {}" + b" else if x {}" * 3_000 + b" }",
    "closures": b"fn f() { " + b"|x| " * 10_000 + b"1 }",
    "macros in macros": b"fn f() { " + b"m!(" * 10_000 + b")" * 10_000 + b" }",
    "modules": b"mod a {" * 3_000 + b"}" * 3_000,
    "functions in functions": b"fn f() {" * 3_000 + b"}" * 3_000,
    "or patterns": b"fn f() { match x { " + b"A | " * 20_000 + b"B => 1 } }",
    "arms": b"fn f() { match x { " + b"A => b(), " * 10_000 + b" } }",
    "arms of select!": b"fn f() { select! { " + b"a = b::<A, B>() => c::<D>(1), " * 6_000 + b" } }",
    "type arguments that never end": b"fn f() { let x = ; select! { a = " + b"a::<" * 50_000 + b" => b } }",
    "functions": b"fn f() {}\n" * 20_000,
    "use trees": b"use a::{" + b"b::{" * 5_000 + b"c" + b"}" * 5_000 + b"};",
    "long path": b"fn f() { a" + b"::a" * 20_000 + b" }",
    "a long name": b"fn " + b"a" * 1_000_000 + b"() {}",
    "control characters": b"fn f\x01\x02() { \x7f }",
    "bidirectional characters": "fn f() { /* \u202e } \u2066 */ let \u202e = 1; }".encode(),
    "no UTF-8": b'fn f() { let x = "\xff\xfe"; g(x); }',
    "zeros": b"\0" * 1000,
    "binary": bytes(range(256)) * 40,
    "JSON": b'{"a": [1, 2, {"b": null}]}\n' * 2000,
    "bounds": b"fn f(x: impl A" + b" + A" * 10_000 + b") {}",
    "strings": b"fn f() { " + b'r#"' * 20_000,
    "attributes": b"#[a]\n" * 20_000 + b"fn f() {}",
    "let chains": b"fn f() { if let A = x" + b" && let B = y" * 3_000 + b" {} }",
    "exclamation marks": b"fn f() { " + b"a!" * 20_000 + b" }",
    "interpolations": b'fn f() { m!("' + b"{a}" * 20_000 + b'") }',
    "arrows": b"fn f() { m!{ " + b"a => b, " * 5_000 + b"} }",
}


def sound(facts: FileFacts) -> bool:
    """Whether all bodies are consistent."""
    return all(not list(faults(decode_body(body.data), body.end - body.start)) for body in facts.bodies)


@pytest.mark.parametrize("name", list(HOSTILE))
def test_hostile_input_is_answered_in_time(name: str) -> None:
    before = time.process_time()
    facts = extract(HOSTILE[name])
    assert sound(facts)
    assert not any(problem.kind == "internal" for problem in facts.problems)
    assert time.process_time() - before < 15


def test_a_long_method_chain_has_a_row_for_each_call() -> None:
    body = decode_body(extract(HOSTILE["method chain"]).bodies[0].data)
    assert len(body.rows) == 8_001


def test_parentheses_leave_no_rows() -> None:
    facts = extract(HOSTILE["parentheses"])
    assert len(decode_body(facts.bodies[0].data).rows) == 1
    assert facts.problems == ()


def test_too_deep_nesting_is_a_problem_and_an_unknown_row() -> None:
    facts = extract(HOSTILE["calls in calls"])
    assert [problem.kind for problem in facts.problems] == ["nesting"]
    rows = decode_body(facts.bodies[0].data).rows
    assert sum(isinstance(row, UnknownRow) for row in rows) == 1


def test_a_file_that_is_too_large_is_a_problem() -> None:
    facts = extract(b" " * 4_000_001)
    assert [problem.kind for problem in facts.problems] == ["too-large"]
    assert facts.size == 4_000_001


def test_binary_data_is_a_problem() -> None:
    assert [problem.kind for problem in extract(HOSTILE["binary"]).problems] == ["encoding"]


def test_what_is_not_utf8_is_a_problem_and_read_all_the_same() -> None:
    facts = extract(HOSTILE["no UTF-8"])
    assert [problem.kind for problem in facts.problems] == ["encoding"]
    assert "g" in facts.bodies[0].names


def test_a_syntax_error_has_a_place_and_spares_the_rest() -> None:
    data = b"fn a() { x( }\nfn b() { y() }\nfn c() { z() }\n"
    facts = extract(data)
    assert {problem.kind for problem in facts.problems} == {"syntax"}
    assert all(problem.start < data.index(b"fn c") for problem in facts.problems)
    assert any("z" in body.names for body in facts.bodies)


SNIPPETS = tuple(text.encode() for text in snippets().values())


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A snippet with pieces cut out, doubled, or swapped for noise."""
    data = bytearray(draw(st.sampled_from(SNIPPETS)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 30)))
        noise = draw(
            st.sampled_from(
                (b"", b"(", b"}", b'"', b"'", b"//", b"/*", b"!", b"<", b"\xff", b"\0", b"=>", b"|")
            )
        )
        data[start:end] = noise + (data[start:end] * 2 if draw(st.booleans()) else b"")
    return bytes(data)


@settings(max_examples=150, deadline=None)
@given(mutated())
def test_mutated_source_is_answered(data: bytes) -> None:
    facts = extract(data)
    assert sound(facts)
    assert not any(problem.kind == "internal" for problem in facts.problems)


@settings(max_examples=60, deadline=None)
@given(mutated(), st.sampled_from(("expression", "statements", "pattern", "type")))
def test_mutated_fragments_are_answered(data: bytes, position: Position) -> None:
    text = data.decode("utf-8", "replace")
    assert sound(read_body(text, position))
    assert sound(read_items(text))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_answered(data: bytes) -> None:
    assert sound(extract(data))
