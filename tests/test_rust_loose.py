"""Calls read off the text of a body, and what becomes of their value."""

from __future__ import annotations

import time

import pytest

from inroads.analyses.swallow.marked import PROOFS, PROVING
from inroads.rust.bodies import BLOCK_MARK
from inroads.rust.extract import extract_encoded
from inroads.rust.loose import BodyText, hands_on
from inroads.store import decode_facts, is_waiting, marks_of
from syntax_corpus import snippets

SNIPPETS = snippets()


def read(inside: str) -> BodyText:
    """The text of a body that holds this."""
    data = BLOCK_MARK + f"{{ {inside} }}".encode()
    return BodyText(data)


def taken(inside: str, name: str = "f") -> list[bool]:
    """For each call of a name, whether its value is taken apart at once."""
    text = read(inside)
    return [text.is_taken(call.opened) for call in text.named(name) if call.kind != "value"]


@pytest.mark.parametrize(
    "inside",
    [
        "f()?;",
        "let x = f(a, g(b)?).await?;",
        'x.f()\n    .await\n    .context("no x")?;',
        'f().map_err(|e| format!("no x: {e}"))?;',
        "f().map_err(Error::from).unwrap();",
        'f().expect(")");',
        "f::<Vec<u8>>('(')?;",
        "a(); f()",
        "let g = |x| x + 1; f()?;",
        "g(|x| x + 1, 2)?; let c = a | b; f()?",
    ],
)
def test_a_value_that_goes_on_to_a_question_mark_or_an_unwrap_is_taken(inside: str) -> None:
    assert taken(inside) == [True]


@pytest.mark.parametrize(
    "inside",
    [
        "f();",
        "let x = f();",
        "g(f());",
        "if f().is_ok() { }",
        "f().map_err(|_| Error)?;",
        "f().map_err(|e| Error)?;",
        "f().unwrap_or(1);",
        "g(|x| f(x)?);",
        "let g = |x| { f(x)?; Ok(1) }; g();",
        "let g = async move { f().await?; };",
        "xs.map(|x| f(x)).collect()",
        "let g = || f()?; a();",
    ],
)
def test_a_value_that_goes_on_to_anything_else_is_not(inside: str) -> None:
    assert taken(inside) == [False]


@pytest.mark.parametrize(
    ("inside", "count"),
    [
        ("f()", 0),
        ("f( )", 0),
        ("f(a)", 1),
        ("f(a, b)", 2),
        ("f(g(a, b), [c, d], )", 2),
        ("f(|a, b| a, c)", 2),
        ('f("a, b")', 1),
        ("f(g::<A, B>(), 1)", None),
    ],
)
def test_arguments_are_counted_where_that_is_plain(inside: str, count: int | None) -> None:
    text = read(inside)
    assert [text.arguments(call) for call in text.named("f")] == [count]


def test_a_call_tells_how_it_is_written() -> None:
    text = read("f(); x.f(); A::f(); a::b::f(); Vec::<T>::f(); <T as U>::f(); g(A::f); a.f; ff(); f_()")
    assert [(call.kind, call.before) for call in text.named("f")] == [
        ("path", ""),
        ("method", ""),
        ("path", "A"),
        ("path", "b"),
        ("path", "?"),
        ("path", "?"),
        ("value", "A"),
    ]


@pytest.mark.parametrize(
    ("inside", "receiver"),
    [
        ("self.f()", "self"),
        ("a.f()", "a"),
        ("self.a\n    .f()", ".a"),
        ("a.b.f()", ".b"),
        ("g(1).f()", "g()"),
        ("a.g(b(1))?.f()", "g()"),
        ("a.g().await?.f()", "g()"),
        ("a[0].f()", ""),
        ("(a).f()", ""),
    ],
)
def test_what_a_method_is_called_on_is_told(inside: str, receiver: str) -> None:
    text = read(inside)
    assert [text.receiver(call) for call in text.named("f")] == [receiver]


@pytest.mark.parametrize(
    "argument", ["|e| Error::Io(e)", "|e: io::Error| wrap(&e)", "Error::from", "|mut e| { e.add(1); e }"]
)
def test_an_error_may_be_made_of_the_old_one(argument: str) -> None:
    assert hands_on(argument)


@pytest.mark.parametrize(
    "argument", ["|_| Error::Io", "|e| Error::Io", "|_e| wrap(_e)", "drop", "|(a, b)| a"]
)
def test_an_error_may_leave_the_old_one_out(argument: str) -> None:
    assert not hands_on(argument)


@pytest.mark.parametrize(
    "inside",
    [
        "match x { Ok(a) => a, b => 1 }",
        "if let Err(e) = x { }",
        "if let Some(Ok(a)) = x { }",
        "let Ok(a) = x else { return };",
        "match x { Err(e) if e.a() => 1, b => 2 }",
        "match x { (Ok(a), Err(b)) => 1, c => 2 }",
        "match x { Ok(a) | Err(a) => a }",
        "while let Some(A { b: Ok(c), .. }) = x { }",
        "matches!(x, Err(a))",
        "let _ = x;",
        "let (a, _) = x;",
        "_ = x;",
    ],
)
def test_a_pattern_may_prove_a_result(inside: str) -> None:
    assert read(inside).proves()


@pytest.mark.parametrize(
    "inside",
    [
        "Ok(a)",
        "return Err(a);",
        "match x { 1 => Ok(a), b => Err(b) }",
        "if x { Ok(a) } else { Err(b) }",
        "g(Ok(a))",
        "match x { 1 => a, _ => b }",
        'g("if let Err(e) = x"); // let _ = 1;',
        "let a_b = x; let c = a_b == x;",
    ],
)
def test_an_expression_proves_nothing(inside: str) -> None:
    assert not read(inside).proves()


@pytest.mark.parametrize("name", SNIPPETS)
def test_no_form_that_proves_a_result_is_overlooked(name: str) -> None:
    for body in decode_facts(extract_encoded(SNIPPETS[name].encode())).bodies:
        if is_waiting(body) and not PROOFS.isdisjoint(marks_of(body)):
            text = BodyText(body.data)
            assert text.hard or text.proves() or not PROVING.isdisjoint(text.names)


@pytest.mark.parametrize(
    "inside",
    [
        "x" + ".map(|a| a)" * 4000 + ".f()?;",
        "f(" * 50 + ")" * 50,
        "f();" * 4000,
        "g(|x| f(x)?);" * 4000,
        "f::<" * 4000,
        " " * 20000 + ".f()",
        "Ok(1)" * 4000,
        "let a_;" * 4000,
    ],
)
def test_the_cost_grows_with_the_text(inside: str) -> None:
    began = time.process_time()
    text = read(inside)
    for name in ("f", "map"):
        for call in text.named(name):
            text.receiver(call)
            text.arguments(call)
            text.is_taken(call.opened)
    text.proves()
    text.gives()
    text.has_unknown_calls(frozenset())
    assert time.process_time() - began < 1
