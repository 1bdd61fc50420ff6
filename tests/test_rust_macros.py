"""What is read of macro calls."""

from __future__ import annotations

import pytest

from inroads.facts import Body, LiteralRow, MacroRow, MethodCallRow, TupleStructPattern
from inroads.rust.fragment import read_body, read_items
from inroads.store import decode_body
from reading import body_of, facts_of, spelled


def calls(body: Body) -> list[MacroRow]:
    return [row for row in body.rows if isinstance(row, MacroRow)]


def regions_of(inside: str) -> list[tuple[str, str]]:
    """Label and text of each region of the first macro call."""
    body = body_of(inside)
    call = calls(body)[0]
    found = []
    for label, region in zip(call.labels, call.regions, strict=True):
        rows = body.rows[region.start : region.end]
        whole = max(rows, key=lambda row: row.end - row.start)
        found.append((label, spelled(inside, whole)))
    return found


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("m!(a, b.c(), d + 1)", [("", "a"), ("", "b.c()"), ("", "d + 1")]),
        ("m![a, b]", [("", "a"), ("", "b")]),
        ("m!(a = b, c)", [("a", "b"), ("", "c")]),
        ("vec![x; n + 1]", [("", "x"), ("", "n + 1")]),
        ("m!(a,)", [("", "a")]),
        ("m!(a, /* c */ b)", [("", "a"), ("", "b")]),
        ('m!("{}", a)', [("", '"{}"'), ("", "a")]),
        ('m!("only text")', [("", '"only text"')]),
        ('m!("$(date) {}", a)', [("", '"$(date) {}"'), ("", "a")]),
        ('m!(r#"$("x")"#, a)', [("", 'r#"$("x")"#'), ("", "a")]),
        ("m!('\"', $(a),*)", []),
        ("m!(|x| x + 1, y)", [("", "|x| x + 1"), ("", "y")]),
        (
            'info!(target: "t", a = %b, ?c, d.e = f())',
            [("target", '"t"'), ("a", "b"), ("", "c"), ("d.e", "f()")],
        ),
        ('json!({"a": f(), "b": [g(), 1], "c": {"d": h}})', [("a", "f()"), ("b", "[g(), 1]"), ("d", "h")]),
        ("m! { if a { b() } }", [("", "if a { b() }")]),
        (
            "select! { x = a() => b(), else => { c(); } }",
            [("x", "a()"), ("x =>", "b()"), ("else =>", "c();")],
        ),
        (
            "select! { biased; Some(x) = a(), if ok => b }",
            [("Some(x)", "a()"), ("if", "ok"), ("Some(x) =>", "b")],
        ),
        ("matches!(a(), Some(x) if x > 1)", [("", "a()"), ("if", "x > 1")]),
        ("hashmap! { a => b, c => d }", [("a =>", "b"), ("c =>", "d")]),
    ],
)
def test_arguments_are_regions_with_labels(inside: str, expected: list[tuple[str, str]]) -> None:
    assert regions_of(inside) == expected


@pytest.mark.parametrize("inside", ["m!()", "m! {}", "m!(a b c)", "quote! { fn #name() {} }", "m!(/* no */)"])
def test_tokens_that_are_no_arguments_stay_closed(inside: str) -> None:
    assert regions_of(inside) == []


@pytest.mark.parametrize(
    "inside", ["quote! { #a.run(go()) }", "let x = parse_quote!(go());", "stringify!(go())", "cfg!(go())"]
)
def test_tokens_that_are_only_text_hold_no_code(inside: str) -> None:
    assert calls(body_of(inside))[0].regions == ()


def test_of_a_quote_with_a_span_the_span_is_code() -> None:
    inside = "quote_spanned!(item.span()=> go(m!()))"
    assert regions_of(inside) == [("", "item.span()")]
    assert len(calls(body_of(inside))) == 1


def test_the_text_is_kept_with_its_place() -> None:
    inside = "a::m! { x => y }"
    call = calls(body_of(inside))[0]
    assert (call.path, call.text) == (("a", "m"), "{ x => y }")
    assert f"{{{inside}}}"[call.text_at :].startswith(call.text)
    assert f"{{{inside}}}"[call.name_at :].startswith("m!")


def test_patterns_of_arms_are_kept() -> None:
    call = calls(body_of("select! { Ok(x) = a() => b }"))[0]
    assert [type(one) for one in call.patterns] == [TupleStructPattern, type(None)]
    call = calls(body_of("assert_matches!(a(), Err(_))"))[0]
    assert isinstance(call.patterns[0], TupleStructPattern)


def test_statements_in_a_macro_are_one_region() -> None:
    body = body_of("cfg_x! { let a = f(); g(a); }")
    [call] = calls(body)
    assert len(call.regions) == 1
    assert {row.name_at for row in body.rows if isinstance(row, MacroRow)} == {call.name_at}


def test_items_in_a_macro_of_a_body_are_left_to_its_expansion() -> None:
    assert len(facts_of("fn f() { m! { fn g() {} let a = 1; } }").items) == 1


def test_calls_inside_calls_are_read() -> None:
    inside = "a!(b!(c!(d.e())))"
    body = body_of(inside)
    assert [call.path for call in calls(body)] == [("a",), ("b",), ("c",)]
    [method] = [row for row in body.rows if isinstance(row, MethodCallRow)]
    assert spelled(inside, method) == "d.e()"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('"{a} {b:?} {c:>10}"', ("a", "b", "c")),
        ('"{} {0} {:?}"', ()),
        ('"{{a}} {{{b}}}"', ("b",)),
        ('"{:w$}"', ("w",)),
        ('"{a:w$.p$}"', ("a", "w", "p")),
        ('r#"{a}"#', ("a",)),
        ('"{r#type}"', ("type",)),
    ],
)
def test_names_in_format_strings_are_captured(text: str, names: tuple[str, ...]) -> None:
    assert calls(body_of(f"m!({text})"))[0].captured == names
    assert calls(body_of(f"m!(x, {text})"))[0].captured == names


def test_a_captured_name_is_in_the_index() -> None:
    assert "error" in facts_of('fn f() { warn!("{error:?}"); }').bodies[0].names


def test_places_hold_beyond_ascii() -> None:
    text = 'fn f() { m!("äöü", "日本", x.y()); }'
    facts = facts_of(text)
    data = text.encode()
    [row] = [row for row in decode_body(facts.bodies[0].data).rows if isinstance(row, MethodCallRow)]
    assert data[facts.bodies[0].start + row.start : facts.bodies[0].start + row.end] == b"x.y()"
    literals = [row.text for row in decode_body(facts.bodies[0].data).rows if isinstance(row, LiteralRow)]
    assert literals == ['"äöü"', '"日本"']


def test_an_expansion_is_read_as_a_body() -> None:
    facts = read_body("match x { A(i) => $crate::f!(i), }", "expression")
    rows = decode_body(facts.bodies[0].data)
    assert rows.root.value is not None
    assert facts.problems == ()


def test_an_expansion_of_statements_may_hold_items() -> None:
    facts = read_body("let a = 1; fn g() {} a", "statements")
    assert [(item.head.name, item.head.parent) for item in facts.items] == [("g", None)]


def test_spans_of_an_expansion_are_those_of_its_text() -> None:
    text = "let a = b.c(); d!(e.f());"
    body = decode_body(read_body(text, "statements").bodies[0].data)
    found = [text[row.start : row.end] for row in body.rows if isinstance(row, MethodCallRow)]
    assert found == ["b.c()", "e.f()"]


def test_items_of_an_expansion_are_read() -> None:
    facts = read_items("pub fn f(&self) { g() } struct S; mod m;")
    assert [item.head.name for item in facts.items] == ["f", "S", "m"]
    assert len(facts.bodies) == 1


def test_an_expansion_that_does_not_parse_is_a_problem() -> None:
    assert [one.kind for one in read_items("fn f( {").problems] != []
    assert [one.kind for one in read_body("a +", "expression").problems] != []
