"""Whatever text a macro holds, expanding it answers."""

from __future__ import annotations

import random

import pytest

from inroads.check import folded
from inroads.program import Program
from inroads.resolve.bodies import expand_function
from inroads.resolve.expand import Expansion, Failure, expand
from inroads.resolve.extents import fragment_end
from inroads.resolve.rules import FRAGMENTS, identifiers
from inroads.resolve.tokens import as_bytes, tokenize
from linking import link_text

_WORDS = (
    *("$", "$x", "$x:expr", "$y:tt", "$(", ")", "*", ",", "=>", ";", "{", "}", "(", "[", "]", "x", "1", "'a"),
    *(
        "fn",
        "let",
        "if",
        "else",
        "match",
        "|",
        "||",
        "&",
        "&&",
        "<",
        ">",
        "::",
        "..",
        "=",
        "+",
        "?",
        ".",
        "#",
    ),
    *(
        '"text"',
        "/* c */",
        "// line\n",
        "/// doc\n",
        "'c'",
        'r#"raw"#',
        "é",
        "!",
        "move",
        "async",
        "for",
        "in",
    ),
    *("while", "return", "impl", "dyn", "struct", "pub", "unsafe", "const", "as", "where", "-", "@", "_"),
)


def _text(source: random.Random, length: int) -> str:
    return " ".join(source.choice(_WORDS) for _ in range(length))


@pytest.mark.parametrize("seed", range(200))
def test_any_definition_and_call_give_an_expansion_or_a_reason(seed: int) -> None:
    source = random.Random(seed)
    body = _text(source, source.randrange(30))
    definition = (
        f"{{ ({_text(source, source.randrange(12))}) => {{ {body} }}; ($($t:tt)*) => {{ {body} $($t)* }} }}"
    )
    result = expand(definition, f"({_text(source, source.randrange(40))})", "mark")
    assert isinstance(result, Expansion | Failure)
    identifiers(definition)


@pytest.mark.parametrize("seed", range(100))
def test_a_fragment_ends_after_its_start_and_inside_its_range(seed: int) -> None:
    source = random.Random(seed)
    tokens = tokenize(as_bytes(_text(source, 60)))
    for kind in sorted(FRAGMENTS):
        for at in range(len(tokens)):
            end = source.randrange(at, len(tokens) + 1)
            stop = fragment_end(kind, tokens, at, end) if tokens.balanced else None
            assert stop is None or at <= stop


@pytest.mark.parametrize(
    "text", ["(" * 3000, "$(" * 3000, "& " * 5000, "|| " * 3000, "-" * 5000, "'" * 999, '"' * 999]
)
def test_deep_and_unclosed_text_is_no_error(text: str) -> None:
    assert isinstance(expand(f"{{ ($x:expr) => {{ {text} }} }}", f"({text})", "m"), Expansion | Failure)
    for kind in sorted(FRAGMENTS):
        tokens = tokenize(text)
        fragment_end(kind, tokens, 0, len(tokens))


def test_nested_groups_and_calls_are_bounded_not_fatal() -> None:
    deep = "(" * 400 + "x" + ")" * 400
    assert isinstance(expand("{ ($($t:tt)*) => { $($t)* } }", f"({deep})", "m"), Expansion)
    pattern = "(" * 400 + "$x:tt" + ")" * 400
    assert isinstance(expand(f"{{ ({pattern}) => {{ $x }} }}", f"({deep})", "m"), Failure)
    repeats = "$($a:ident)* " * 300
    assert isinstance(expand(f"{{ ({repeats}) => {{ }} }}", "(x)", "m"), Failure)


def test_modules_nested_by_macros_and_files_do_not_exhaust_the_stack() -> None:
    calls = "".join(f"macro_rules! m{n} {{ () => {{ m{n + 1}!(); fn f{n}() {{}} }} }} " for n in range(400))
    tables = link_text(f"macro_rules! m400 {{ () => {{ }} }} {calls} m0!();")
    assert 100 < len(tables.functions) and len(tables.problems) == 1


def test_macros_nested_in_a_body_do_not_exhaust_the_stack() -> None:
    calls = "".join(f"macro_rules! m{n} {{ () => {{ g(m{n + 1}!()) }} }} " for n in range(400))
    tables = link_text(f"{calls} fn f() {{ m0!() }}")
    expanded = expand_function(tables, 0)
    assert expanded is not None and len(expanded.problems) == 1


_DOUBLING = "macro_rules! b { ($($t:tt)*) => { b!($($t)* $($t)*) } } "
_LAUGHING = "".join(f"macro_rules! m{n} {{ () => {{ m{n + 1}!(); m{n + 1}!(); }} }} " for n in range(30))


def test_a_macro_that_grows_without_end_is_given_up_soon_in_every_body() -> None:
    tables = link_text(_DOUBLING + "".join(f"fn f{n}() {{ b!(x {n}); }} " for n in range(20)))
    for function in tables.functions:
        expanded = expand_function(tables, function.id)
        assert expanded is not None
        assert len(expanded.sources) == 0 and len(expanded.problems) == 1
    assert tables.exploding == {0: True}


def test_expansions_that_double_with_each_level_are_given_up_once() -> None:
    tables = link_text(_LAUGHING + "macro_rules! m30 { () => { } } fn f() { m0!(); g(); } fn g() {}")
    expanded = expand_function(tables, 0)
    assert expanded is not None
    assert len(expanded.problems) == 1
    assert len(expanded.sources) < 10_000


def test_a_long_expansion_that_ends_is_made_whole() -> None:
    calls = "; ".join(f"g({n})" for n in range(4000))
    tables = link_text(
        f"macro_rules! m {{ ($($t:tt)*) => {{ $($t)* }} }} fn f() {{ m!({calls}); }} fn g(n: u32) {{}}"
    )
    expanded = expand_function(tables, 0)
    assert expanded is not None and expanded.problems == []
    assert 12_000 < len(expanded.body.rows)
    assert tables.exploding == {0: False}


def test_whether_a_macro_explodes_does_not_depend_on_who_asks_first() -> None:
    text = (
        _DOUBLING.replace("=> { b!", "=> { $($t)* }; (no $($t:tt)*) => { b!")
        + "fn f() { b!(g()); } fn g() {} "
    )
    text += "fn h() { b!(" + "g(); " * 5000 + "); } "
    texts = []
    for order in (1, -1):
        tables = link_text(text)
        found = {one.id: expand_function(tables, one.id) for one in tables.functions[::order]}
        texts.append(
            [(id, len(one.body.rows), len(one.problems)) for id, one in sorted(found.items()) if one]
        )
    assert texts[0] == texts[1]


def test_one_problem_tells_of_all_places_where_a_macro_did_not_expand() -> None:
    program = Program(link_text(_DOUBLING + "fn f() { b!(x); } fn g() { b!(y); } fn h() { b!(z); }"))
    for function in range(3):
        program.judge(function)
    (problem,) = folded(program.problems())
    assert problem.message == "b! was not expanded: it goes too deep (here and at 2 other places)"
