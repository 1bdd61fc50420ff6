"""A file whose bodies are left out by the parser has the same facts; where that is not sure it is parsed whole."""

from __future__ import annotations

import pytest

from inroads.facts import FileFacts
from inroads.facts.codec import decode_facts
from inroads.rust.extract import extract_encoded, extract_outline
from inroads.rust.late import facts_of
from inroads.rust.outline import bodies_to_leave_out
from inroads.rust.parse import parse
from inroads.work import DONE
from syntax_corpus import snippets

SNIPPETS = snippets()


def left_out(text: str) -> list[str]:
    """The bodies that the parser may leave out."""
    data = text.encode()
    return [data[start:end].decode() for start, end in bodies_to_leave_out(data.decode("latin-1"), data)]


def outlined(data: bytes) -> FileFacts:
    """The facts by the outline."""
    return facts_of("key", data, extract_outline(data))


def whole(data: bytes) -> FileFacts:
    """The facts of the file, parsed whole."""
    return decode_facts(extract_encoded(data))


def has_error(data: bytes) -> bool:
    """Whether the grammar stumbles over the text."""
    tree = parse(data)
    return tree is None or tree.root_node.has_error


@pytest.mark.parametrize("name", SNIPPETS)
def test_what_parses_has_the_same_facts(name: str) -> None:
    data = SNIPPETS[name].encode()
    if not has_error(data):
        assert outlined(data) == whole(data)


def test_all_snippets_in_one_file_have_the_same_facts() -> None:
    data = "\n".join(text for text in SNIPPETS.values() if not has_error(text.encode())).encode()
    assert outlined(data) == whole(data)


@pytest.mark.parametrize(
    "body",
    [
        '{ a("}") }',
        r'{ a("\"}") }',
        "{ a('}', '\\'', '{') }",
        '{ a(b\'}\', b"}", c"}") }',
        '{ a(r"\\", r#"}"{"#, br##"}"#"##) }',
        "{ 'a: loop { break 'a } }",
        "{ /* } */ }",
        "{ // }\n }",
        "{ b / c; d }",
        "{ a(\"é}\", 'é', '}') }",
        "{ r#fn(); m!(a fn) }",
        "{ {{{{{{ }}}}}} }",
    ],
)
def test_a_body_ends_at_its_own_brace(body: str) -> None:
    text = f"fn f<'a>(x: &'a [u8; 2]) -> u8 where u8: Copy, {body}\nfn g() {{}}"
    assert left_out(text) == [body, "{}"]
    assert outlined(text.encode()) == whole(text.encode())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fn f() -> impl Fn() { || () }", []),
        ("fn f() { fn g() { h() } g() }", ["{ h() }"]),
        ("fn f() -> A<{ 1 }> { g() }", []),
        ("fn f() -> A<u8, { 1 }> { g() }", []),
        ("#[a(fn b)] struct S { x: fn() }", []),
        ("trait T { fn f(); fn g() {} }", ["{}"]),
        ("impl S { const A: u8 = { 1 }; fn f(&self) {} }", ["{}"]),
        ("macro_rules! m { (fn f $a:tt) => { struct S; } } fn g() {}", ["{}"]),
    ],
)
def test_only_bodies_that_wait_are_left_out(text: str, expected: list[str]) -> None:
    assert left_out(text) == expected
    assert outlined(text.encode()) == whole(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "fn f() { /* /* } */ */ }",
        'fn f() { a(r###"}"###) }',
        'fn f() { ar"}" }',
        "fn f() { { }",
        'fn f() { "',
        "fn f() { ' }",
        f"fn f() {{ {'{' * 40}{'}' * 40} }}",
    ],
)
def test_what_is_not_understood_is_parsed_whole(text: str) -> None:
    assert left_out(text) == []
    assert outlined(text.encode()) == whole(text.encode())


def test_an_error_outside_of_bodies_has_the_file_parsed_whole() -> None:
    data = b"fn f() { let x = ; }\nstruct { }\n"
    assert outlined(data) == whole(data)


def test_an_error_inside_a_body_is_not_seen() -> None:
    data = b"fn f() { let x = ; }\nstruct S;\n"
    assert [one.kind for one in whole(data).problems] == ["syntax"]
    outline = outlined(data)
    assert (len(outline.items), outline.problems) == (2, ())


def test_what_is_left_out_is_not_parsed() -> None:
    data = b"".join(b"fn f%d(x: u8) { %s }\n" % (at, b"x.go(1, 2, 3);" * 50) for at in range(100))
    before = DONE.get("syntax nodes", 0)
    extract_outline(data)
    between = DONE["syntax nodes"]
    extract_encoded(data)
    assert (between - before) * 20 < DONE["syntax nodes"] - between


def test_a_hundred_thousand_functions_are_told_in_time() -> None:
    data = b"fn f() { g() }\n" * 100_000
    assert bodies_to_leave_out(data.decode("latin-1"), data) == []
