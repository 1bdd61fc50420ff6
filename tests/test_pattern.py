"""Event patterns are read as the design writes them, and a wrong one says what is wrong."""

from __future__ import annotations

import pytest

from inroads.pattern import (
    Anything,
    Argument,
    Arguments,
    BranchPattern,
    BuildPattern,
    CallPattern,
    Capture,
    ConditionPattern,
    Constant,
    MethodPattern,
    Pattern,
    PatternError,
    PlacePattern,
    WritePattern,
    captures,
    last_names,
    parse,
    parse_condition,
)

S = Capture("s")

READ: list[tuple[str, Pattern]] = [
    ("Store::open", CallPattern(("Store", "open"))),
    (
        "refresh(systems: $s)",
        CallPattern(("refresh",), Arguments((Argument("systems", S),), rest=True)),
    ),
    ("rename(_, $s)", CallPattern(("rename",), Arguments((Argument(None, Anything()), Argument(None, S))))),
    (
        "Seq::go($s.id, ..)",
        CallPattern(("Seq", "go"), Arguments((Argument(None, Capture("s", ("id",))),), True)),
    ),
    ("warn!", CallPattern(("warn",), macro=True)),
    ("RECORDER.get", MethodPattern(PlacePattern(("RECORDER",)), "get")),
    ("Catalog.live.insert", MethodPattern(PlacePattern(("Catalog",), ("live",)), "insert")),
    ("$s.file.sync_all", MethodPattern(PlacePattern(S, ("file",)), "sync_all")),
    ("$s.commit()", MethodPattern(PlacePattern(S), "commit", Arguments())),
    ("Config.count = _", WritePattern(PlacePattern(("Config",), ("count",)), Anything())),
    ("Index.built = true", WritePattern(PlacePattern(("Index",), ("built",)), Constant("true"))),
    ("Lookahead { ids: $s, .. }", BuildPattern(("Lookahead",), (("ids", S),), rest=True)),
    (
        "BufWriter::new($s) -> $s",
        CallPattern(("BufWriter", "new"), Arguments((Argument(None, S),)), result="s"),
    ),
    ("Model::forward*", CallPattern(("Model", "forward*"))),
]


@pytest.mark.parametrize(("text", "expected"), READ, ids=[text for text, _ in READ])
def test_each_form_of_event_is_read(text: str, expected: Pattern) -> None:
    assert parse(text) == expected


CONDITIONS = [
    ("$s.is_some()", "variant", "Some", False),
    ("$s.is_none()", "variant", "Some", True),
    ("let None = $s", "variant", "Some", True),
    ("let Some(x) = $s", "variant", "Some", False),
    ("matches!($s, Ok(_))", "variant", "Ok", False),
    ("!$s.is_err()", "variant", "Ok", False),
    ("$s.is_empty()", "length", "0", False),
    ("$s.len() == 0", "length", "0", False),
    ("$s.len() > 0", "length", "0", True),
    ("$s.len() != 1", "length", "1", True),
    ("$s", "true", "", False),
    ("$s == false", "true", "", True),
    ("$s == State::Ready", "equals", "State::Ready", False),
    ("let State::Ready = $s", "variant", "State::Ready", False),
    ("$s >= 3", "less", "3", True),
]


@pytest.mark.parametrize(
    ("text", "relation", "operand", "negated"), CONDITIONS, ids=[row[0] for row in CONDITIONS]
)
def test_conditions_that_mean_the_same_are_read_alike(
    text: str, relation: str, operand: str, negated: bool
) -> None:
    test = parse_condition(text)
    assert (test.subject, test.relation, test.operand, test.negated) == (
        PlacePattern(S),
        relation,
        operand,
        negated,
    )


def test_a_branch_on_a_call_holds_the_call() -> None:
    call = CallPattern(("open",), Arguments((), rest=True))
    assert parse("if open(..).is_err()") == BranchPattern(
        ConditionPattern(call, "variant", "Ok", negated=True)
    )


WRONG = [
    ("", "an empty pattern"),
    ("Store::", "expected a name behind `::`"),
    ("f($x", "expected `,` or `)`"),
    ("f(size:)", "expected a capture such as `$x`"),
    ("$x", "a capture alone is no event"),
    ("Vec<u8>::new", "leave them out"),
    ("f() -> y", "behind `->`"),
    ("A.b = 1 -> $x", "only a call or a construction has a result"),
    ("if", "expected a place or a call"),
    ("T { a $x }", "expected `:`"),
    ("a b", "expected the end of the pattern"),
    ("#x", "has no meaning in a pattern"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[text or "empty" for text, _ in WRONG])
def test_a_wrong_pattern_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(PatternError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert f"`{text}`" in str(caught.value)


def test_an_error_points_at_the_column() -> None:
    with pytest.raises(PatternError, match=r"column 7"):
        parse("T { a $x }")


def test_captures_are_named_once_in_order() -> None:
    assert captures(parse("put($b, $a.id, $b) -> $c")) == ("b", "a", "c")


def test_the_names_of_a_pattern_are_those_of_the_index() -> None:
    assert last_names(parse("Model::forward*(ids: $s)")) == ("forward*",)
    assert last_names(parse("warn!")) == ("warn!",)
    assert last_names(parse("Config.count = _")) == (".count", "Config{")
