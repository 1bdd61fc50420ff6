"""A file whose bodies are left out by the parser has the same facts; where that is not sure it is parsed whole."""

from __future__ import annotations

import random
import time

import pytest

from inroads.facts import EnumItem, FileFacts, FunctionItem, StructItem
from inroads.facts.codec import decode_facts
from inroads.facts.items import Late
from inroads.rust.extract import extract_encoded, extract_outline
from inroads.rust.late import facts_of, is_broken, packed, unpacked, words_of_return
from inroads.rust.outline import read_outline, type_of
from inroads.rust.parse import parse
from inroads.rust.plain import entries
from inroads.rust.used import use_entries
from inroads.work import DONE
from syntax_corpus import snippets

SNIPPETS = snippets()


def bodies_told(text: str) -> list[str]:
    """The bodies of functions that are told without the parser."""
    data = text.encode()
    return [
        data[one.body[0] : one.body[1]].decode()
        for one in entries(data.decode("latin-1")) or ()
        if one.kind == "fn" and one.body is not None
    ]


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
    assert bodies_told(text) == [body, "{}"]
    assert outlined(text.encode()) == whole(text.encode())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fn f() -> impl Fn() { || () }", []),
        ("fn f(x: impl Fn() -> u8) -> u8 { g() }", ["{ g() }"]),
        ("fn f(x: impl Fn()) -> u8 { g() }", ["{ g() }"]),
        ("fn f() -> A<{ 1 }> { g() }", []),
        ("fn f() -> A<u8, { 1 }> { g() }", []),
        ("#[a(fn b)] struct S { x: fn() }", []),
        ("trait T { fn f(); fn g() {} }", ["{}"]),
        ("impl S { const A: u8 = { 1 }; fn f(&self) {} }", ["{}"]),
        ("macro_rules! m { (fn f $a:tt) => { struct S; } } fn g() {}", ["{}"]),
    ],
)
def test_only_bodies_that_may_wait_are_told(text: str, expected: list[str]) -> None:
    assert bodies_told(text) == expected
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
    assert bodies_told(text) == []
    assert outlined(text.encode()) == whole(text.encode())


def test_an_error_outside_of_bodies_has_the_file_parsed_whole() -> None:
    data = b"fn f() { let x = ; }\nstruct { }\n"
    assert outlined(data) == whole(data)


def test_an_error_inside_a_body_is_not_seen() -> None:
    data = b"fn f() { let x = ; }\nstruct S;\n"
    assert [one.kind for one in whole(data).problems] == ["syntax"]
    facts = outlined(data)
    assert (len(facts.items), facts.problems) == (2, ())


def test_what_is_left_out_is_not_parsed() -> None:
    data = b"".join(b"fn f%d(x: u8) { %s }\n" % (at, b"x.go(1, 2, 3);" * 50) for at in range(100))
    before = DONE.get("syntax nodes", 0)
    extract_outline(data)
    between = DONE["syntax nodes"]
    extract_encoded(data)
    assert (between - before) * 20 < DONE["syntax nodes"] - between


def test_a_hundred_thousand_functions_are_told_in_time() -> None:
    data = b"fn f() { g() }\n" * 100_000
    begun = time.process_time()
    assert len(entries(data.decode()) or ()) == 100_000
    assert time.process_time() - begun < 5


def late_items(data: bytes) -> list[str]:
    """The names of the items that are not read yet, but for their heads."""
    return [
        one.head.name
        for one in outlined(data).items
        if isinstance(one, FunctionItem | StructItem | EnumItem) and isinstance(one.written, Late)
    ]


@pytest.mark.parametrize(
    "function",
    [
        "fn f() {}",
        "pub(crate) async unsafe fn f<'a, T: Iterator<Item = Vec<u8>>>(x: &'a T) -> Option<T> where T: Copy {}",
        "pub ( in a::b ) const fn f(mut x: u8, (y, z): (u8, u8), [a, b]: [u8; 2]) {}",
        'pub extern "C" fn f(&x: &u8, _: *const u8) {}',
        '/// Told.\n// Not told.\n#[inline]\n#[cfg(all(unix, feature = "x"))] #[a::b]\nfn f() -> u8 { 1 }',
        "// Not told.\n/// Told.\nfn f() {}",
        "//// No documentation.\n\nfn f() {}",
        "#[a] // Not told ] /// nor this\nfn f() {}",
        "#[a] /// Told.\nfn f() {}",
        "//! Of what is around.\nfn f() {}",
    ],
)
@pytest.mark.parametrize("around", ["{}", "struct S;\nimpl S {{ {} }}", "mod a {{ use b; {} }} fn z() {{}}"])
def test_a_plain_function_is_left_out_whole(function: str, around: str) -> None:
    data = around.format(function).encode()
    assert not has_error(data)
    assert late_items(data)[0] == "f"
    assert outlined(data) == whole(data)


@pytest.mark.parametrize(
    "receiver",
    [
        "self",
        "mut self",
        "&self",
        "&mut self",
        "&'a self",
        "& 'a mut self",
        "self: Box<Self>",
        "mut self: Self",
        "selfish: u8",
        "&selfish: &u8",
        "",
    ],
)
def test_a_receiver_is_known_before_the_signature_is_read(receiver: str) -> None:
    data = f"impl S {{ fn f<'a>({receiver}) {{}} }}".encode()
    before = outlined(data).items[1], whole(data).items[1]
    assert isinstance(before[0], FunctionItem) and isinstance(before[1], FunctionItem)
    assert before[0].receiver == before[1].receiver
    assert late_items(data) == ["f"]
    assert outlined(data) == whole(data)


@pytest.mark.parametrize(
    "item",
    [
        "struct S { a: u8 }",
        "/// Told.\n#[derive(Clone)] pub(super) struct S<'a, T> { #[pin] pub a: &'a T, b: [u8; { 1 }] }",
        "enum S { A, #[default] B(u8), C { d: u8 } }",
        "// struct T { a: u8 }\nstruct S {}",
        "use a; struct S {}",
        'const A: &str = "; struct T {"; struct S {}',
    ],
)
@pytest.mark.parametrize(
    "around", ["{} fn g() {{}}", "fn g() {{}} {}", "mod a {{ use b; {} fn g() {{}} }} fn z() {{}}"]
)
def test_a_plain_struct_or_enum_is_left_out(item: str, around: str) -> None:
    data = around.format(item).encode()
    assert not has_error(data)
    assert "S" in late_items(data) and "T" not in late_items(data)
    assert outlined(data) == whole(data)


@pytest.mark.parametrize(
    ("many", "number"),
    [
        (b"// struct a enum b\n", 50_000),
        (b"struct S {}\n", 100_000),
        (b"fn g();\n", 100_000),
        (b"\n", 300_000),
        (b"// a\n", 100_000),
        (b"#[a]\n", 50_000),
        (b'" struct ', 100_001),
        (b"impl<T> S<T> { fn f() { ((( } }\n", 5_000),
        (b"fn f() { struct S; g(1) }\n", 5_000),
        (b"use a::{", 100_000),
    ],
)
def test_much_of_the_same_is_told_in_time(many: bytes, number: int) -> None:
    data = b"fn f() {}\n// a\n" + many * number + b"struct T {}\nfn g() {}\n"
    begun = time.process_time()
    read_outline(data.decode("latin-1"), data)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "text",
    [
        "fn f() -> impl T { struct S { a: u8 } impl U for S { fn g() {} } }",
        "fn f(x: impl T) { fn h() {} struct S { a: u8 } impl U for S { fn g() {} } }",
        "macro_rules! m { () => { struct S { a: u8 } }; } fn g() {}",
        "const _: () = { struct S { a: u8 } impl S { fn f() {} } }; fn g() {}",
        "trait T { fn f() -> u8 }",
        'struct S; extern "C" { fn f#(); }',
        "// a\nmod a; x!(fn f(););",
        "struct S<T> where T: U { a: T } struct V(u8); struct W; union X { a: u8 } fn g() {}",
        "fn f() { struct S { a: u8 } } fn g() {}",
        "macro_rules! m { () => { fn f() {} }; } fn g() {}",
        "m! { a; fn f() {} } fn g() {}",
        "m!(a; fn f() {}); fn g() {}",
        "const A: fn() = { fn f() {} f }; fn g() {}",
        "const _: () = { impl S { fn f() {} } }; fn g() {}",
        "#[a({ fn f() {} })] struct S; fn g() {}",
        "#![a({ fn f() {} })] fn g() {}",
        "struct S { x: [u8; { fn f() {} 1 }] } fn g() {}",
        '#[doc = "}"]\nfn f() {} fn g() {}',
        "/** told } */ fn f() {} fn g() {}",
        "/* not told } */ fn f() {} fn g() {}",
        "#[unsafe(no_mangle)] fn f() {} fn g() {}",
        "#[a[1]] fn f() {} fn g() {}",
        "fn f(#[a] x: u8) {} fn g(/* x */ x: u8) {}",
        "fn r#if() {} fn g() {}",
        "struct A; // note;\nfn f() {} fn g() {}",
        "trait T { fn f(&self); /// Told.\n fn g(&self) {} }",
        'extern "C" { fn f(x: u8); } fn g() {}',
        "fn f() { use a::{b, c}; // d\n use e::*; b() } fn g() {}",
        "fn f() { use a::b; { use c::d; } } fn g() {}",
        "fn f() { use a::b; #[x] use c::d; const E: u8 = 1; } fn g() {}",
        "fn f() { b(); use a::b; } fn g() {}",
        "fn g() {} #[a]",
        "\ufefffn f() {} fn g() {}",
        'fn f() { "é" } /// é\nfn g(é: u8) {}',
    ],
)
def test_what_is_not_plain_is_parsed_and_found_in_its_place(text: str) -> None:
    assert outlined(text.encode()) == whole(text.encode())


def parsed(data: bytes) -> int:
    """How many texts the parser is given for an outline."""
    before = DONE.get("texts parsed", 0)
    extract_outline(data)
    return DONE.get("texts parsed", 0) - before


@pytest.mark.parametrize(
    "item",
    [
        "use a;",
        "pub(crate) use a::b as c;",
        "use a::*; use crate::b; use self::c::d; use super::*;",
        "use a::{self, b::{c, d as _, *}, self as e, f,};",
        "use {a, b::c};",
        "use a :: { b ,\n c };",
        "use a::{};",
        "mod a; pub mod b {} mod c { use d; mod e; }",
        "const A: u8 = 1 + 2; pub static B: S = S { a: [1, 2], b: || { c(); } };",
        "static mut A: u8 = f(\";\", ';');",
        '/// Told.\n#[a] const A: u8 = 1; #[doc = "x"] fn f() {}',
        "impl S {} impl a::T for b::S { fn f(self) {} const A: u8 = 1; }",
        "impl A {\n    #![allow(x)]\n    /// Told.\n    fn f() {}\n    // end\n}",
        "#![a]\n#![b(c)]\n//! Of the file.\nuse a;",
        "fn f<F: Fn(u8) -> u8, const N: usize>(x: F, y: [u8; N]) {} fn g(y: impl Fn() -> u8) {}",
        "fn f() { use a::b; const C: u8 = 1; b(); fn g(x: u8) {} /// Told.\n struct S { a: u8 } g(1) }",
        "fn f() { g(); #[a] /// Told.\n fn g() {} { 1 } }",
    ],
)
def test_plain_items_are_read_without_the_parser(item: str) -> None:
    for text in (item, f"mod m {{ {item} }}", f"fn a() {{}}\n{item}\nfn z() {{}}"):
        if "#![" in item and not text.startswith(item):
            continue
        data = text.encode()
        assert not has_error(data)
        assert parsed(data) == 0
        assert outlined(data) == whole(data)


@pytest.mark.parametrize(
    ("item", "number"),
    [
        ("impl<T> S<T> { fn f() {} fn g() {} }", 1),
        ("trait T: U { fn f(); fn g() {} }", 1),
        ("trait T { type A: B; fn f(); const C: u8; }", 3),
        ("struct A(u8); struct B; type C = u8; m!(a; b); macro_rules! n { () => { ; } }", 1),
        ('extern "C" { fn f(x: u8); static A: u8; } extern crate a;', 1),
        ("impl !Send for S {} impl<T> Drop for S<T> where T: A<B = u8> {}", 2),
        ("unsafe impl Send for S {} impl T for S { m!(); }", 2),
        ("use r#a::b; use ::a; const A: &[(u8, &str)] = &[]; const B: [u8; 2] = [1; 2];", 3),
        ("const A: Foo<{ 1 }> = 1; const fn f() {} const _: () = { fn g() {} };", 2),
        ("fn f() { struct S; impl S { fn g() {} } }", 1),
        ("fn f() -> impl Fn() { || () } fn g() {}", 1),
    ],
)
def test_what_is_not_plain_is_parsed_alone(item: str, number: int) -> None:
    for text in (f"fn a() {{}} {item} fn z() {{}}", f"mod m {{ {item} }}"):
        data = text.encode()
        assert not has_error(data)
        type_of.cache_clear()
        assert parsed(data) == number
        assert outlined(data) == whole(data)


def test_a_long_path_is_read_in_time() -> None:
    text = "::".join(["a"] * 200_000)
    begun = time.process_time()
    assert len(use_entries(text, 0, len(text)) or ()) == 1
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "tree", ["a b", "a::", "a,", "{a", "a}", "a::{b c}", "a::{{b}}", "a as", "*::a", "as", "a::*::b"]
)
def test_a_tree_that_is_none_is_not_read(tree: str) -> None:
    assert use_entries(tree, 0, len(tree)) is None


def test_a_file_that_is_one_function_is_understood() -> None:
    assert late_items(b"fn f() {}") == ["f"]


def test_signatures_are_read_when_they_are_asked_for() -> None:
    before = DONE.get("items read late", 0)
    first, second = outlined(b"fn f(x: u8) -> u8 { x }\nfn g() {}").items
    assert DONE.get("items read late", 0) == before
    assert isinstance(first, FunctionItem) and isinstance(second, FunctionItem)
    assert len(first.parameters) == 1 and first.returns is not None
    assert DONE["items read late"] == before + 1


def test_a_type_without_parameters_is_not_read_to_know_that() -> None:
    before = DONE.get("items read late", 0)
    first, second = outlined(b"struct S { a: Vec<u8> }\nenum E<T> { A(T) }\nfn f() {}").items[:2]
    assert isinstance(first, StructItem) and isinstance(second, EnumItem)
    assert first.generics.parameters == ()
    assert DONE.get("items read late", 0) == before
    assert [one.name for one in second.generics.parameters] == ["T"]
    assert DONE["items read late"] == before + 1


def test_whoever_asks_for_a_signature_with_an_error_can_tell() -> None:
    facts = outlined(b"fn f(x: ,) {}\nfn g(x: u8) {}")
    first, second = facts.items
    assert isinstance(first, FunctionItem) and isinstance(second, FunctionItem)
    assert second.parameters and not is_broken(facts)
    assert not first.parameters and is_broken(facts)


def test_names_of_what_is_returned_are_told_without_reading_the_signature() -> None:
    function = outlined(b"fn f(x: A) -> Result<(B, C), D> {}").items[0]
    assert isinstance(function, FunctionItem)
    assert words_of_return(function) == {"Result", "B", "C", "D", "()"}
    assert function.returns is not None
    assert words_of_return(function) is None


def test_an_outline_is_kept_with_the_text_that_it_needs() -> None:
    for data in (b"fn f(x: u8) {}\n// a\n", b"struct S;\n"):
        assert unpacked("key", packed(data, extract_outline(data))) == whole(data)


PIECES = (
    *(
        "{",
        "}",
        "(",
        ")",
        ";",
        '"',
        "'",
        "/*",
        "*/",
        "//",
        "///",
        "\n",
        "#[a]",
        "]",
        "fn ",
        "fn f() {}",
        "fn g();",
    ),
    *(
        "struct S { a: u8 }",
        "enum E { A }",
        "pub ",
        'r#"',
        '"#',
        "impl X {",
        "mod m {",
        "use a::b;",
        "é",
        "self",
    ),
    *(
        "const _: () = {",
        "macro_rules! m { () => {",
        "m! {",
        "trait T {",
        "// struct S {\n",
        'extern "C" {',
        "<",
    ),
)


@pytest.mark.parametrize("seed", range(8))
def test_what_parses_has_the_same_facts_however_odd(seed: int) -> None:
    chance = random.Random(seed)
    parsed = 0
    for _ in range(150):
        text = "\n".join(chance.sample(list(SNIPPETS.values()), 2))
        for _ in range(chance.choice((1, 1, 2))):
            at = text.find("\n", chance.randrange(len(text))) + 1
            text = text[:at] + chance.choice(PIECES) + text[at + chance.choice((0, 0, 1, 9)) :]
        data = text.encode()
        facts = outlined(data)
        if not has_error(data):
            parsed += 1
            assert facts == whole(data), text
            assert not is_broken(facts)
    assert 10 < parsed
