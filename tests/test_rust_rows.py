"""What is read of bodies."""

from __future__ import annotations

import pytest

from inroads.facts import (
    ArrayRow,
    AssignRow,
    AttributedRow,
    BinaryRow,
    BindingPattern,
    BlockRow,
    Body,
    BorrowRow,
    BreakRow,
    CallRow,
    CastRow,
    ClosureRow,
    DiscardRow,
    FieldRow,
    ForRow,
    IfRow,
    IndexRow,
    ItemRow,
    LetConditionRow,
    LetRow,
    LiteralPattern,
    LiteralRow,
    LoopRow,
    MatchRow,
    MethodCallRow,
    OrPattern,
    PathPattern,
    PathRow,
    PathType,
    Pattern,
    RangeRow,
    ReferencePattern,
    RepeatRow,
    RestPattern,
    ReturnRow,
    Segment,
    ShortCircuitRow,
    SlicePattern,
    StructPattern,
    StructRow,
    TuplePattern,
    TupleRow,
    TupleStructPattern,
    UnaryRow,
    WhileRow,
    WildcardPattern,
)
from inroads.store import decode_body
from reading import body_of, facts_of, kinds, marks_in, names_in, spelled


def last(body: Body) -> object:
    """The row that is the body's value."""
    assert body.root.value is not None
    return body.rows[body.root.value]


def named(row: object) -> str:
    assert isinstance(row, PathRow)
    return "::".join(segment.name for segment in row.path.segments)


def test_operands_stand_before_their_users() -> None:
    assert kinds(body_of("a.b(c, d.e)?.await")) == [
        "Path",
        "Path",
        "Path",
        "Field",
        "MethodCall",
        "Try",
        "Await",
    ]


def test_a_method_call_has_its_receiver_name_and_generics() -> None:
    row = last(body_of("a.b::<T>(1)"))
    assert isinstance(row, MethodCallRow)
    assert (row.receiver, row.name, row.arguments) == (0, "b", (1,))
    assert row.generics == (PathType((Segment("T"),)),)
    assert row.name_at == len("{a.")


def test_a_called_field_is_no_method() -> None:
    body = body_of("(a.f)(x)")
    row = last(body)
    assert isinstance(row, CallRow)
    assert isinstance(body.rows[row.callee], FieldRow)


def test_the_place_of_a_path_is_its_last_name() -> None:
    inside = "a::b::<T>::c(x)"
    row = body_of(inside).rows[0]
    assert isinstance(row, PathRow)
    assert f"{{{inside}}}"[row.name_at :].startswith("c(x)")
    assert row.path.segments[1].arguments == (PathType((Segment("T"),)),)


def test_parentheses_and_comments_leave_no_row() -> None:
    assert kinds(body_of("((/* a */ x)) + /* b */ (y)")) == ["Path", "Path", "Binary"]


@pytest.mark.parametrize(
    "sign", ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", ">", "<=", ">="]
)
def test_binary_operators(sign: str) -> None:
    row = last(body_of(f"a {sign} b"))
    assert row == BinaryRow(1, 4 + len(sign) + 1, sign, 0, 1)


def test_the_right_side_of_and_is_a_region() -> None:
    body = body_of("a && b || c")
    outer = last(body)
    assert isinstance(outer, ShortCircuitRow)
    inner = body.rows[outer.left]
    assert isinstance(inner, ShortCircuitRow)
    assert (outer.op, inner.op) == ("||", "&&")
    assert named(body.rows[inner.left]) == "a"
    assert inner.right.value is not None and named(body.rows[inner.right.value]) == "b"
    assert outer.right.value is not None and named(body.rows[outer.right.value]) == "c"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!x", UnaryRow(1, 3, "!", 0)),
        ("-x", UnaryRow(1, 3, "-", 0)),
        ("*x", UnaryRow(1, 3, "*", 0)),
        ("&x", BorrowRow(1, 3, 0)),
        ("&mut x", BorrowRow(1, 7, 0, True)),
        ("&raw const x", BorrowRow(1, 13, 0)),
        ("&raw mut x", BorrowRow(1, 11, 0, True)),
        ("x[1]", IndexRow(1, 5, 0, 1)),
        ("x as T", CastRow(1, 7, 0, PathType((Segment("T"),)))),
        ("x = y", AssignRow(1, 6, "=", 0, 1)),
        ("x += y", AssignRow(1, 7, "+=", 0, 1)),
        ("a..b", RangeRow(1, 5, 0, 1)),
        ("a..=b", RangeRow(1, 6, 0, 1, True)),
        ("..b", RangeRow(1, 4, None, 0)),
        ("a..", RangeRow(1, 4, 0, None)),
        ("..", RangeRow(1, 3, None, None)),
        ("()", TupleRow(1, 3)),
        ("(a,)", TupleRow(1, 5, (0,))),
        ("[a, b]", ArrayRow(1, 7, (0, 1))),
        ("[a; n]", RepeatRow(1, 7, 0, 1)),
        ("return x", ReturnRow(1, 9, 0)),
        ("return", ReturnRow(1, 7)),
        ("break 'a x", BreakRow(1, 11, "a", 0)),
        ("break", BreakRow(1, 6)),
        ("a.0", FieldRow(1, 4, 0, "0", 3)),
    ],
)
def test_small_expressions(text: str, expected: object) -> None:
    assert last(body_of(text)) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1u8", "int"),
        ("1.5", "float"),
        ('"a"', "str"),
        ('r#"a"#', "str"),
        ('b"a"', "bytes"),
        ('br"a"', "bytes"),
        ('c"a"', "cstr"),
        ("'a'", "char"),
        ("true", "bool"),
    ],
)
def test_literals(text: str, kind: str) -> None:
    assert last(body_of(text)) == LiteralRow(1, 1 + len(text), kind, text)


def test_a_long_literal_is_cut() -> None:
    row = last(body_of('"' + "x" * 200 + '"'))
    assert isinstance(row, LiteralRow)
    assert len(row.text) == 80


def test_a_struct_is_built_of_fields_and_a_base() -> None:
    body = body_of("a::S { x, y: 1, ..z }")
    row = last(body)
    assert isinstance(row, StructRow)
    assert [(name, type(body.rows[at])) for name, at in row.fields] == [("x", PathRow), ("y", LiteralRow)]
    assert row.base is not None and named(body.rows[row.base]) == "z"
    assert row.name_at == len("{a::")


def test_an_if_has_three_regions_and_else_if_is_another_if() -> None:
    body = body_of("if a { b } else if c { d } else { e }")
    row = body.rows[0]
    assert isinstance(row, IfRow)
    assert row.otherwise is not None and row.otherwise.value is not None
    inner = body.rows[row.otherwise.value]
    assert isinstance(inner, IfRow)
    assert (row.condition.start, row.condition.end, row.then.start, row.then.end) == (1, 2, 2, 3)
    assert last(body) is row


def test_a_let_chain_is_a_chain_of_ands() -> None:
    body = body_of("if let Some(x) = a && b && let Ok(y) = c {}")
    assert kinds(body)[:3] == ["If", "Path", "LetCondition"]
    row = body.rows[0]
    assert isinstance(row, IfRow) and row.condition.value is not None
    outer = body.rows[row.condition.value]
    assert isinstance(outer, ShortCircuitRow) and outer.right.value is not None
    condition = body.rows[outer.right.value]
    assert isinstance(condition, LetConditionRow)
    assert isinstance(condition.pattern, TupleStructPattern)


def test_a_match_has_arms_with_guards() -> None:
    body = body_of("match x { A if b => c, #[cfg(d)] _ => {} }")
    row = last(body)
    assert isinstance(row, MatchRow)
    first, second = row.arms
    assert isinstance(first.pattern, BindingPattern) and first.guard is not None
    assert isinstance(second.pattern, WildcardPattern) and second.guard is None
    assert [one.path for one in second.attributes] == ["cfg"]
    assert body.rows.index(row) == row.scrutinee + 1


def test_loops_have_labels_and_patterns() -> None:
    body = body_of("'a: loop {} 'b: while x {} 'c: for (i, _) in y {}")
    loops = [row for row in body.rows if isinstance(row, LoopRow | WhileRow | ForRow)]
    assert [row.label for row in loops] == ["a", "b", "c"]
    assert isinstance(loops[2], ForRow)
    assert isinstance(loops[2].pattern, TuplePattern)
    assert isinstance(loops[2].pattern.elements[1], WildcardPattern)
    assert named(body.rows[loops[2].iterable]) == "y"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{ x }", "plain"),
        ("unsafe { x }", "unsafe"),
        ("const { x }", "const"),
        ("async { x }", "async"),
        ("async move { x }", "async-move"),
        ("try { x }", "try"),
        ("gen { x }", "gen"),
    ],
)
def test_blocks_have_a_kind(text: str, kind: str) -> None:
    row = last(body_of(f"g({text})"))
    body = body_of(f"g({text})")
    assert isinstance(row, CallRow)
    block = body.rows[row.arguments[0]]
    assert isinstance(block, BlockRow)
    assert block.kind == kind
    assert block.body.value is not None


def test_a_closure_has_parameters_and_a_region() -> None:
    row = last(body_of("async move |a, (b, _): T, mut c: U| -> V { a }"))
    assert isinstance(row, ClosureRow)
    assert (row.is_async, row.is_move) == (True, True)
    assert [type(one.pattern) for one in row.parameters] == [BindingPattern, TuplePattern, BindingPattern]
    assert [one.type is None for one in row.parameters] == [True, False, False]
    assert row.returns == PathType((Segment("V"),))


def test_the_tail_is_the_value_and_no_statement() -> None:
    body = body_of("a(); b; c()")
    assert [type(row) for row in body.rows if isinstance(row, DiscardRow)] == [DiscardRow, DiscardRow]
    assert isinstance(last(body), CallRow)
    assert body_of("a();").root.value is None


@pytest.mark.parametrize(
    "tail", ["if a { b } else { c }", "match a { _ => b }", "unsafe { a }", "loop {}", "m![a]", "m! { a }"]
)
def test_a_tail_that_ends_in_a_bracket_is_a_value(tail: str) -> None:
    assert body_of(f"x(); {tail}").root.value is not None


def test_a_block_in_the_middle_is_a_statement_without_semicolon() -> None:
    body = body_of("if a {} b()")
    [row] = [row for row in body.rows if isinstance(row, DiscardRow)]
    assert not row.semicolon


def test_let_else_has_a_region() -> None:
    body = body_of("let Some(x): T = y else { return };")
    row = body.rows[1]
    assert isinstance(row, LetRow)
    assert row.otherwise is not None
    assert row.type == PathType((Segment("T"),))
    assert isinstance(body.rows[row.otherwise.start], ReturnRow)


def test_attributes_that_matter_stand_around_their_statement() -> None:
    body = body_of("#[cfg(a)] b(); #[rustfmt::skip] c(); #[allow(d)] e()")
    rows = [row for row in body.rows if isinstance(row, AttributedRow)]
    assert [[one.path for one in row.attributes] for row in rows] == [["cfg"], ["allow"]]
    assert rows[1].body.value is not None
    assert last(body) is rows[1]


def test_an_item_in_a_body_is_a_row_and_an_item() -> None:
    facts = facts_of("fn f() { struct S; }")
    row = decode_body(facts.bodies[0].data).rows[0]
    assert isinstance(row, ItemRow)
    found = [item for item in facts.items if item.head.start == facts.bodies[0].start + row.start]
    assert [item.head.name for item in found] == ["S"]


def pattern_of(text: str) -> Pattern:
    body = body_of(f"match x {{ {text} => {{}} }}")
    row = last(body)
    assert isinstance(row, MatchRow)
    return row.arms[0].pattern


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("_", WildcardPattern),
        ("x", BindingPattern),
        ("a::B", PathPattern),
        ("<T as A>::B", PathPattern),
        ("Some(x)", TupleStructPattern),
        ("S { x, .. }", StructPattern),
        ("(a, b)", TuplePattern),
        ("(a,)", TuplePattern),
        ("()", TuplePattern),
        ("(..)", TuplePattern),
        ("(a)", BindingPattern),
        ("[a, ..]", SlicePattern),
        ("&a", ReferencePattern),
        ("&mut a", ReferencePattern),
        ("A | B", OrPattern),
        ("(A | B)", OrPattern),
        ("1", LiteralPattern),
        ("-1", LiteralPattern),
        ("1..=2", LiteralPattern),
        ("'a'", LiteralPattern),
    ],
)
def test_patterns(text: str, kind: type[Pattern]) -> None:
    assert isinstance(pattern_of(text), kind)


def test_wildcards_without_a_syntax_node_are_kept() -> None:
    tuple_pattern = pattern_of("(_, a, _, ..)")
    assert isinstance(tuple_pattern, TuplePattern)
    assert [type(one) for one in tuple_pattern.elements] == [
        WildcardPattern,
        BindingPattern,
        WildcardPattern,
        RestPattern,
    ]
    some = pattern_of("Some(_)")
    assert isinstance(some, TupleStructPattern)
    assert isinstance(some.elements[0], WildcardPattern)
    alternatives = pattern_of("A | _")
    assert isinstance(alternatives, OrPattern)
    assert isinstance(alternatives.alternatives[1], WildcardPattern)


def test_bindings_tell_how_they_bind() -> None:
    struct = pattern_of("S { ref a, mut b, c: ref mut d, e: f @ 1..=2, g: _ }")
    assert isinstance(struct, StructPattern)
    found = [
        (name, one.mutable, one.by_reference)
        for name, one in struct.fields
        if isinstance(one, BindingPattern)
    ]
    assert found == [("a", False, True), ("b", True, False), ("c", True, True), ("e", False, False)]
    assert isinstance(struct.fields[3][1], BindingPattern)
    assert isinstance(struct.fields[3][1].sub, LiteralPattern)


def test_the_index_names_what_is_called_read_and_built() -> None:
    names = names_in("a::f(b.c.d(), S { x: 1 }, m!(e), |g| g.h)")
    assert names == {"f", "b", ".c", "d", "S{", "m!", "e", "g", ".h"}


@pytest.mark.parametrize(
    ("inside", "mark"),
    [
        ("f();", "statement:f"),
        ("a.f();", "statement:.f"),
        ("f().await;", "statement:f"),
        ("f!();", "statement:f!"),
        ("f! {} g()", "statement:f!"),
        ("(|| 1)();", "statement:()"),
        ("let _ = f();", "let-underscore:f"),
        ("let _: T = f();", "let-underscore:f"),
        ("_ = f();", "let-underscore:f"),
        ("let _ = a;", "let-underscore:()"),
        ("let (a, _) = f(); a", "let-part:f"),
        ("let (a, _) = f()?; a", "let-part:f"),
        ("let (a, _) = b.f().unwrap(); a", "let-part:.f"),
        ("let a = f();", "let-unused:f"),
        ("let a = if b { f() } else { c };", "let-unused:()"),
        ("let mut a = f(); a = g(); a", "reassign:f"),
        ("let mut a = b; loop { a = g(); }", "reassign:g"),
        ("let a = f(); g(a); let a = h();", "let-unused:h"),
        ("let a = f(); let a = g(); a", "reassign:f"),
        ("a.b = f();", "store:f"),
        ("f().ok();", "ok"),
        ("f().is_err()", "is-err"),
        ("x.filter_map(Result::ok)", "ok"),
        ("f().unwrap_or(0)", "default:f"),
        ("a.unwrap_or(0)", "default:()"),
        ("f().map(g).unwrap_or(0)", "default:f"),
        ("a.f().or_else(g)", "or:.f"),
        ("f().map_err(g)", "map-err"),
        ("f().or(g)", "or:f"),
        ("f().flatten()", "iterator"),
        ("for x in f() {}", "iterate:f"),
        ("a.f().iter()", "iterate:.f"),
        ("f().into_iter()", "iterate:f"),
        ("a.extend(f())", "iterate:f"),
        ("f().is_some()", "ask:f"),
        ("if let Some(_) = f() {}", "let-part:f"),
        ("match f() { Some(_) => 1, None => 2 }", "let-part:f"),
        ("drop(f())", "drop"),
        ("spawn(f)", "spawn"),
        ("a.join()", "join"),
        ("if let Err(e) = f() {}", "if-let"),
        ("if a && let Ok(b) = f() {}", "if-let"),
        ("while let Ok(x) = f() {}", "while-let"),
        ("let Ok(x) = f() else { return };", "let-else"),
        ("match f() { Ok(_) => {} _ => {} }", "match"),
        ("match (f(), g()) { (Ok(a), _) => {} _ => {} }", "match"),
        ("matches!(f(), Ok(_))", "matches"),
        ("g(|| f())", "closure:f"),
        ("g(async { f().await })", "closure:f"),
        ("g(|| { f()?; 1 })", "closure-try"),
    ],
)
def test_each_form_that_can_lose_an_error_is_marked(inside: str, mark: str) -> None:
    assert mark in marks_in(inside)


@pytest.mark.parametrize(
    "inside",
    [
        *("f()", "f()?; g()?", "let a = f()?; a", "return f();", "a + b", "let mut a = f(); a = g(a); a"),
        *("a.b.unwrap_or(0)", "a.b.as_ref().or(c)", "let _ = a.b;", "let (b, _) = a.b; b"),
    ],
)
def test_a_body_that_hands_everything_on_has_no_mark(inside: str) -> None:
    assert marks_in(inside) == set()


def test_spans_are_those_of_the_text() -> None:
    inside = "let x = a.b(c)?; if x { d!(e, f.g) }"
    found = {type(row).__name__: spelled(inside, row) for row in body_of(inside).rows}
    assert found["TryRow"] == "a.b(c)?"
    assert found["LetRow"] == "let x = a.b(c)?;"
    assert found["MacroRow"] == "d!(e, f.g)"
    assert found["FieldRow"] == "f.g"
