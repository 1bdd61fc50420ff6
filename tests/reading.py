"""Short ways to read Rust in tests."""

from __future__ import annotations

from inroads.facts import Body, FileFacts, Item, Row
from inroads.rust.extract import extract
from inroads.store import decode_body


def facts_of(text: str) -> FileFacts:
    """The facts of a file without problems."""
    facts = extract(text.encode())
    assert facts.problems == ()
    return facts


def item_of(text: str, at: int = 0) -> Item:
    """One item of a file."""
    return facts_of(text).items[at]


def body_of(inside: str) -> Body:
    """The rows of a function that holds these statements."""
    return decode_body(facts_of(f"fn f() {{{inside}}}").bodies[0].data)


def marks_in(inside: str) -> set[str]:
    """The marks of a function that holds these statements."""
    return set(facts_of(f"fn f() {{{inside}}}").bodies[0].marks)


def names_in(inside: str) -> set[str]:
    """The names of a function that holds these statements."""
    return set(facts_of(f"fn f() {{{inside}}}").bodies[0].names)


def spelled(inside: str, row: Row) -> str:
    """What a row's span covers; the function's body begins with the brace."""
    return f"{{{inside}}}"[row.start : row.end]


def kinds(body: Body) -> list[str]:
    """The names of the rows, without `Row`."""
    return [type(row).__name__.removesuffix("Row") for row in body.rows]
