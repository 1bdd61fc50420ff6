"""Findings are recognised after the code around them has moved."""

from __future__ import annotations

from inroads.facts import Fingerprint
from inroads.matching import match


def mark(
    function: str = "a::f", call: str = "self.x()", context: str = "c1", callee: str = "X::x"
) -> Fingerprint:
    return Fingerprint(rule="r", function=function, callee=callee, call=call, context=context)


HERE = frozenset({"a::f", "a::g"})


def test_equal_findings_are_the_same() -> None:
    assert match([mark()], [mark()], HERE, HERE) == (0,)


def test_an_edited_neighbour_keeps_a_finding_known() -> None:
    assert match([mark(context="c1")], [mark(context="c2")], HERE, HERE) == (0,)


def test_a_second_equal_call_is_not_guessed_away() -> None:
    assert match([mark(context="c1")], [mark(context="c2"), mark(context="c3")], HERE, HERE) == (None, None)


def test_of_two_equal_calls_the_untouched_one_stays_known() -> None:
    assert match([mark(context="c1")], [mark(context="c2"), mark(context="c1")], HERE, HERE) == (None, 0)


def test_a_swapped_finding_is_new() -> None:
    assert match([mark(call="self.x(a)")], [mark(call="self.x(b)")], HERE, HERE) == (None,)


def test_a_renamed_function_keeps_its_findings() -> None:
    assert match([mark("a::f")], [mark("a::h")], frozenset({"a::f"}), frozenset({"a::h"})) == (0,)


def test_a_copied_function_makes_a_new_finding() -> None:
    assert match([mark("a::f")], [mark("a::f"), mark("a::h")], HERE, HERE | {"a::h"}) == (0, None)


def test_an_old_function_that_gains_the_call_of_a_removed_one_is_new() -> None:
    assert match([mark("a::f")], [mark("a::g")], HERE, frozenset({"a::g"})) == (None,)


def test_without_the_old_functions_a_rename_is_still_seen() -> None:
    assert match([mark("a::f")], [mark("a::h")], None, frozenset({"a::h"})) == (0,)


def test_identical_findings_are_paired_one_to_one() -> None:
    assert match([mark(), mark()], [mark(), mark(), mark()], HERE, HERE) == (0, 1, None)
