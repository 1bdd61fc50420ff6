"""Matching and writing out `macro_rules!`: text in, text and origins out."""

from __future__ import annotations

import pytest

from inroads.resolve.expand import CALL, DEFINITION, Endless, Expansion, Failure, expand


def expanded(definition: str, call: str) -> str:
    """The expansion with its white space made single blanks, or the reason for its failure."""
    result = expand(definition, call, "__crate_app")
    return " ".join(result.text.split()) if isinstance(result, Expansion) else f"! {result.reason}"


@pytest.mark.parametrize(
    ("specifier", "accepted"),
    [
        ("ident", ["x", "r#type", "self"]),
        ("lifetime", ["'a"]),
        ("literal", ["1", "-1.5", '"text"', "'c'", "true", 'b"x"', 'r#"a"b"#']),
        ("tt", ["x", "(a, b)", ">=", "'a"]),
        ("vis", ["", "pub", "pub(crate)", "pub(in a::b)"]),
        ("block", ["{ f(); 1 }"]),
        ("path", ["a::b", "::a::B<C>", "Vec::<u8>", "Fn(u8) -> u8"]),
        (
            "ty",
            [
                *(
                    "u8",
                    "Vec<Option<u8>>",
                    "&'a mut [T]",
                    "(A, B)",
                    "[u8; 3]",
                    "fn(u8) -> u8",
                    "!",
                    "*const T",
                ),
                *(
                    "dyn Fn(u8) -> u8 + Send",
                    "impl Iterator<Item = u8>",
                    "<T as Tr>::Out",
                    "for<'a> fn(&'a u8)",
                ),
            ],
        ),
        (
            "expr",
            [
                *(
                    "1",
                    "a + b * c",
                    "-x",
                    "!x",
                    "&mut x.y",
                    "f(a, b)?",
                    "x.await",
                    "a.b.c(1)[2]",
                    "Vec::<u8>::new()",
                ),
                *(
                    "S { a: 1, ..b }",
                    "|a, b| a + b",
                    "move || { 1 }",
                    "async move { 1 }",
                    "if a { b } else { c }",
                ),
                *(
                    "match x { A => 1, _ => 2 }",
                    "x as u8 + y",
                    "a..=b",
                    "..",
                    "return 1",
                    "vec![1, 2]",
                    "t.0.1",
                ),
                *(
                    "loop { break 1 }",
                    "'l: while a { }",
                    "a == b && c || d",
                    "x = y",
                    "a << 2",
                    "a >= b",
                    "unsafe { f() }",
                ),
                *(
                    "if let Some(x) = y { x } else { 0 }",
                    "<T as Tr>::f(1)",
                    "iter.map::<u8, _>(f)",
                    "&raw const x",
                ),
                *("#[allow(x)] f()", "const { 1 }", "x!{ y }", "a.b::<C>()"),
            ],
        ),
        (
            "pat",
            [
                *(
                    "_",
                    "x",
                    "Some(x)",
                    "A | B",
                    "&(a, ref b)",
                    "S { a, .. }",
                    "1..=5",
                    "[a, .., b]",
                    "x @ 1..",
                    "-1",
                ),
                *("a::B", "'a'..='z'", "mut x"),
            ],
        ),
        ("stmt", ["f()", "struct S;", "if x { y }"]),
        (
            "item",
            [
                *(
                    "fn f() {}",
                    "pub struct S;",
                    "#[a] mod x;",
                    "impl<T> Tr for S<T> where T: A { fn f() {} }",
                    "use a::b;",
                ),
                *(
                    "const X: u8 = { 1 };",
                    "static Y: [u8; 2] = [1, 2];",
                    "pub(crate) async fn f() {}",
                    "type A = B;",
                ),
                *(
                    "extern crate a;",
                    'extern "C" { fn f(); }',
                    "macro_rules! m { () => {} }",
                    "m! { x }",
                    "enum E { A }",
                ),
                *("unsafe impl Send for S {}", "const fn f() {}", "struct T(u8);"),
            ],
        ),
        ("meta", ["derive(Debug, Clone)", "inline", 'path = "x"', "a::b(c)"]),
    ],
)
def test_each_fragment_takes_all_of_what_it_names(specifier: str, accepted: list[str]) -> None:
    for text in accepted:
        assert (
            expanded(f"{{ (< $x:{specifier} ;) => {{ got $x }} }}", f"(< {text} ;)") == f"got {text}".strip()
        )


@pytest.mark.parametrize(
    ("specifier", "refused"),
    [
        ("ident", ["_", "1", "'a"]),
        ("lifetime", ["a"]),
        ("literal", ["a", "(1)"]),
        ("block", ["(1)", "1"]),
        ("expr", ["struct", "=> 1", "mut"]),
        ("ty", ["1", "="]),
        ("item", ["1", "f()", "let x = 1"]),
    ],
)
def test_fragments_refuse_other_things(specifier: str, refused: list[str]) -> None:
    for text in refused:
        assert expanded(f"{{ ($x:{specifier}) => {{ got }} }}", f"({text})") == "! no rule matches", text


def test_the_first_rule_that_matches_is_taken() -> None:
    rules = "{ (a) => { first }; ($x:ident) => { second $x }; ($($x:tt)*) => { third } }"
    assert [expanded(rules, call) for call in ("(a)", "(b)", "(1 2)")] == ["first", "second b", "third"]


def test_repetitions_with_separators_and_trailing_ones() -> None:
    rules = "{ ($($k:ident = $v:expr),* $(,)?) => { $(let $k = $v;)* [$($k),*] } }"
    assert expanded(rules, "(a = 1, b = f(2, 3),)") == "let a = 1 ; let b = f(2, 3) ; [ a , b ]"
    assert expanded(rules, "()") == "[ ]"


def test_repetitions_nest() -> None:
    rules = "{ ($($t:ident { $($f:ident),* })*) => { $(struct $t { $($f: $t),* })* } }"
    assert expanded(rules, "(A { x, y } B {})") == "struct A { x : A , y : A } struct B { }"


def test_an_outer_variable_repeats_with_an_inner_one() -> None:
    rules = "{ ($self:expr; $($arm:ident),*) => { match $self { $(E::$arm(x) => T::f(x)),* } } }"
    assert expanded(rules, "(self; A, B)") == "match self { E:: A (x) => T::f(x) , E:: B (x) => T::f(x) }"


def test_plus_needs_one_and_question_mark_takes_one() -> None:
    assert expanded("{ ($($x:ident)+) => { ok } }", "()") == "! no rule matches"
    assert expanded("{ ($($x:ident)? end) => { $(<$x>)? } }", "(a end)") == "< a >"
    assert expanded("{ ($($x:ident)? end) => { $(<$x>)? } }", "(end)") == ""


def test_a_repetition_gives_back_what_the_rest_needs() -> None:
    assert expanded("{ ($($x:tt)* ; $y:tt) => { $y } }", "(a b ; c)") == "c"


def test_repetitions_of_different_length_are_an_error() -> None:
    rules = "{ ($($a:ident)*; $($b:ident)*) => { $($a $b)* } }"
    assert expanded(rules, "(x y; z)") == "! the repetitions of $a, $b differ in length"


def test_the_crate_of_the_definition_is_marked() -> None:
    assert expanded("{ () => { $crate::f() } }", "()") == "__crate_app ::f()"


def test_a_macro_in_a_macro_keeps_its_own_variables() -> None:
    rules = "{ ($name:ident) => { macro_rules! $name { ($x:expr) => { $x + 1 } } } }"
    assert expanded(rules, "(inc)") == "macro_rules! inc { ($x:expr) => { $x + 1 } }"


def test_an_expression_stays_one_operand() -> None:
    assert expanded("{ ($a:expr, $b:expr) => { $a * $b } }", "(1 + 2, x)") == "(1 + 2) * x"
    assert expanded("{ ($a:expr) => { $a.len() } }", "(a + b)") == "(a + b) .len()"
    assert expanded("{ ($a:expr) => { f($a) } }", "(a + b)") == "f( a + b )"


def test_signs_in_types_come_apart() -> None:
    assert expanded("{ (Vec<$t:ty>) => { $t } }", "(Vec<Vec<u8>>)") == "Vec<u8>"
    assert expanded("{ ($a:ident $op:tt $b:ident) => { [$op] } }", "(a >= b)") == "[ >= ]"


def test_before_2021_a_pattern_ends_at_a_bar() -> None:
    assert (
        expanded("{ (|$p:pat| $e:expr) => { let $p = $e; } }", "(|mut i| i.next())")
        == "let mut i = i.next() ;"
    )


def test_doc_comments_are_attributes() -> None:
    rules = "{ ($(#[$m:meta])* $n:ident) => { $(#[$m])* struct $n; } }"
    assert expanded(rules, "(/// Documented.\n A)") == '#[ doc="" ] struct A ;'
    assert expanded("{ ($($t:tt)*) => { $($t)* } }", "(/// Text\n struct A;)") == "/// Text struct A;"


def test_comments_and_strings_are_no_tokens() -> None:
    assert expanded("{ ($a:expr, $b:expr) => { $b } }", '(f(/* , */ ")"), // ,\n "a,b")') == '"a,b"'


def test_origins_tell_argument_from_body() -> None:
    definition, call = "{ ($a:expr) => { f($a); g() } }", "( x.y )"
    result = expand(definition, call, "m")
    assert isinstance(result, Expansion)
    for at, origin, start in result.pieces:
        source = {DEFINITION: definition, CALL: call}[origin]
        assert result.text[at] == source[start]
    assert [origin for _, origin, _ in result.pieces] == [DEFINITION, CALL, DEFINITION]


def test_offsets_are_bytes() -> None:
    definition, call = "{ ($a:expr, $b:expr) => { $b } }", '("ä€", y)'
    result = expand(definition, call, "m")
    assert isinstance(result, Expansion)
    assert call.encode()[result.pieces[0][2] :].startswith(b"y")


def test_text_beyond_ascii_survives() -> None:
    assert expanded("{ ($a:expr) => { f($a, \"é\", 'ß') } }", '("日本")') == 'f( "日本" , "é", \'ß\')'


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        ("{ ($x) => { } }", "$x has no fragment specifier"),
        ("{ ($x:thing) => { } }", "the fragment specifier thing is not known"),
        ("{ ($($x:ident)) => { } }", "a repetition has no operator"),
        ("{ (a) }", "a rule has no body"),
        ("{ ($($x:ident),*) => { $x } }", "$x is used outside of its repetition"),
        ("{ ($x:ident) => { $($x)* } }", "a repetition in its body uses no repeated variable"),
    ],
)
def test_a_wrong_definition_is_told_in_words(definition: str, reason: str) -> None:
    assert expand(definition, "(x)", "m") == Failure(reason)


def test_matching_that_would_not_end_is_given_up() -> None:
    rules = "{ ($($($($x:tt)*)*)* no) => { } }"
    result = expand(rules, f"({'a ' * 3000})", "m")
    assert isinstance(result, Failure)


def test_an_expansion_that_grows_without_bound_is_given_up() -> None:
    rules = "{ ($($a:tt)*) => { $( [$($a)*] )* } }"
    doubled = "{ ($($a:tt)*) => { " + "$( $a $a $a $a $a $a $a $a )* " * 40 + " } }"
    result = expand(doubled, f"({'word ' * 20_000})", "m")
    assert result == Endless("its expansion is too long")
    assert isinstance(expand(rules, "(a b)", "m"), Failure)


@pytest.mark.parametrize(
    ("call", "expected"),
    [("(a = 1, b = 2)", "a b"), ("(a = 1, b = 2,)", "a b"), ("(a = 1,)", "a"), ("(a = 1)", "a")],
)
def test_an_optional_separator_inside_a_turn_leaves_the_one_between_turns(call: str, expected: str) -> None:
    result = expand("{ ($($x:ident = $y:expr $(,)?),+) => { $($x)+ } }", call, "m")
    assert isinstance(result, Expansion)
    assert " ".join(result.text.split()) == expected


def test_a_struct_that_is_built_behind_match_is_put_in_brackets() -> None:
    definition = "($r:expr) => { match $r { a => a } }"
    assert expanded(definition, "S { a: 1 }.f()") == "match (S { a: 1 }.f()) { a => a }"
    assert expanded(definition, "f(S { a: 1 })") == "match f(S { a: 1 }) { a => a }"


def test_a_dollar_that_is_handed_on_stays_with_its_name() -> None:
    definition = "(| $d:tt $T:ident | $body:tt) => { macro_rules! w { ($d $T:ident) => { $body } } w! { A } }"
    found = expanded(definition, "|$S| { f::<$S>() }")
    assert found == "macro_rules! w { ( $S :ident) => { { f::<$S>() } } } w! { A }"


def test_a_let_statement_ends() -> None:
    definition = "({$($s:stmt)*} $b:expr) => { $($s)* $b }"
    assert expanded(definition, "{let a = 1} a") == "let a = 1; a"
    assert expanded(definition, "{let a = 1;} a") == "let a = 1; a"
    assert expanded(definition, "{f(); g()} a") == "f(); g() a"
    assert expanded(definition, "{let Some(x) = y else { return }} x") == "let Some(x) = y else { return }; x"
    assert expanded("($s:stmt) => { $s; }", "let a = 1") == "let a = 1 ;"
    assert expanded("($s:stmt) => { f(); $s }", "let a = 1") == "f(); let a = 1;"
