"""The tokens of a stretch of Rust."""

from __future__ import annotations

from hypothesis import given, strategies as st

from inroads.tokens import tokenise


def texts(source: str) -> list[str]:
    return [text.decode() for text in tokenise(source.encode()).texts]


def test_comments_and_white_space_are_no_tokens() -> None:
    assert texts("a /* b /* nested */ c */ + // d\n e") == ["a", "+", "e"]


def test_a_raw_string_is_one_token_with_what_looks_like_code_inside() -> None:
    assert texts('r##"a"# // b"## ; br"x"') == ['r##"a"# // b"##', ";", 'br"x"']


def test_a_lifetime_is_no_character() -> None:
    assert texts("<'a> 'b' '\\'' b'x' 'é'") == ["<", "'a", ">", "'b'", "'\\''", "b'x'", "'é'"]


def test_a_range_is_no_float() -> None:
    assert texts("0..n 1.5 2..=3") == ["0", "..", "n", "1.5", "2", "..=", "3"]


def test_a_raw_identifier_is_one_token() -> None:
    assert texts("r#type.x") == ["r#type", ".", "x"]


def test_brackets_know_their_partner_and_what_is_around() -> None:
    tokens = tokenise(b"f(a[1], {b})")
    assert tokens.partner[1] == len(tokens.texts) - 1
    assert tokens.opener[4] == 3
    assert tokens.opener[0] is None


def test_a_stray_closing_bracket_ends_nothing() -> None:
    tokens = tokenise(b"f(a] b)")
    assert tokens.partner[3] == 3
    assert tokens.partner[1] == 5


@given(st.binary(max_size=200))
def test_any_bytes_give_tokens_in_order(data: bytes) -> None:
    tokens = tokenise(data)
    assert list(tokens.starts) == sorted(set(tokens.starts))
    assert all(
        data[at : at + len(text)] == text for at, text in zip(tokens.starts, tokens.texts, strict=True)
    )
