"""What stays the same when code moves."""

from __future__ import annotations

from inroads.fingerprint import Written, written
from inroads.rust.extract import extract

SOURCE = """\
fn f(&self) {
    before();
    let x = self.model.sync(id, 2)?;
    after(x);
}
"""


def of(source: str, needle: str) -> Written:
    data = source.encode()
    at = data.index(needle.encode())
    return written(data, extract(data), at, at + len(needle))


def test_the_call_is_taken_with_receiver_and_arguments() -> None:
    assert of(SOURCE, "sync").call == "self.model.sync(id,2)"


def test_a_call_over_several_lines_is_the_same_call() -> None:
    other = SOURCE.replace("self.model.sync(id, 2)", "self\n.model // why\n  .sync(\n id,\n 2,\n)")
    assert of(other, "sync") == Written(
        of(SOURCE, "sync").call, of(SOURCE, "sync").context, of(other, "sync").statement
    )


def test_the_statement_begins_at_its_first_token() -> None:
    assert of(SOURCE, "sync").statement == SOURCE.index("let x")


def test_moving_code_changes_nothing() -> None:
    moved = "fn g() {}\n\n\n" + SOURCE.replace("    ", "\t")
    assert (of(moved, "sync").call, of(moved, "sync").context) == (
        of(SOURCE, "sync").call,
        of(SOURCE, "sync").context,
    )


def test_both_neighbours_count_for_the_context() -> None:
    context = of(SOURCE, "sync").context
    assert of(SOURCE.replace("before()", "other()"), "sync").context != context
    assert of(SOURCE.replace("after(x)", "other(x)"), "sync").context != context


def test_what_stands_further_away_does_not_count() -> None:
    longer = SOURCE.replace("    before();", "    first();\n    before();")
    assert of(longer, "sync").context == of(SOURCE, "sync").context


def test_the_body_of_a_branch_does_not_count() -> None:
    source = "fn f() {\n    a();\n    if let Err(e) = sync(id) {\n        log(e);\n    }\n    b();\n}\n"
    assert of(source, "sync").context == of(source.replace("log(e)", "log(e, 2)"), "sync").context
    assert of(source, "sync").context != of(source.replace("b()", "c()"), "sync").context


def test_a_macro_a_path_and_a_turbofish_belong_to_the_call() -> None:
    assert of('fn f() {\n    warn!("x");\n}\n', "warn").call == 'warn!("x")'
    assert of("fn f() {\n    a::b::<u8>(1);\n}\n", "a::").call == "a::b::<u8>(1)"


def test_an_impl_is_known_by_its_head() -> None:
    source = "struct A;\nimpl T for A {\n    fn g() {}\n}\n"
    assert of(source, "impl T").call.startswith("impl")


def test_words_are_kept_apart_and_trailing_commas_left_out() -> None:
    assert of("fn f() { sync( a  as  u8 , b, ) ; }", "sync").call == "sync(a as u8,b)"


def test_an_empty_text_has_no_call() -> None:
    assert written(b"", extract(b""), 0, 0).call == ""


def test_a_call_beside_a_nested_function_is_read_in_the_body_around() -> None:
    source = "fn f() { fn g() { x(); } one(); two(); }"
    data = source.encode()
    facts = extract(data)
    at = data.index(b"one")
    assert written(data, facts, at, at + 3).call == "one()"
    assert [body.start for body in facts.bodies] == sorted(body.start for body in facts.bodies)
