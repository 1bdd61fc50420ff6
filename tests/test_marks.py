"""Expectations written into Rust."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from inroads.facts import Finding
from inroads.marks import compare, expectations
from made_finding import made_finding


def finding(line: int, rule: str = "late-sync", certainty: str = "sure") -> Finding:
    return made_finding(path="a.rs", line=line, end_line=line, column=1, rule=rule, certainty=certainty)


def test_a_mark_speaks_of_its_line() -> None:
    assert [(one.line, one.rule) for one in expectations("a.rs", "x\ny //~ late-sync\n")] == [
        (2, "late-sync")
    ]


def test_a_mark_with_carets_speaks_of_lines_above() -> None:
    assert [one.line for one in expectations("a.rs", "x\ny\n//~^^ late-sync\n")] == [1]


def test_a_mark_may_name_several_rules() -> None:
    assert [one.rule for one in expectations("a.rs", "x //~ b-rule, a-rule")] == ["a-rule", "b-rule"]


def test_a_mark_without_a_rule_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a\.rs:1: the mark names no rule"):
        expectations("a.rs", "x //~ \n")


def test_what_was_wanted_and_not_found_is_missing() -> None:
    verdict = compare({"a.rs": "x //~ late-sync"}, [])
    assert verdict.lines() == ["missing: a.rs:1 late-sync"]


def test_what_was_found_and_not_wanted_is_noisy() -> None:
    verdict = compare({"a.rs": "x"}, [finding(1)])
    assert verdict.lines() == ["noisy:   a.rs:1:1 late-sync (sure): m"]


def test_one_mark_takes_one_finding() -> None:
    assert not compare({"a.rs": "x //~ late-sync"}, [finding(1), finding(1)]).passed
    assert compare({"a.rs": "x //~ late-sync, late-sync"}, [finding(1), finding(1)]).passed


def test_a_word_in_brackets_narrows() -> None:
    source = {"a.rs": "x //~ late-sync (maybe)"}
    assert compare(source, [finding(1, certainty="maybe")]).passed
    assert not compare(source, [finding(1)]).passed


def test_a_narrow_mark_chooses_before_a_plain_one() -> None:
    source = {"a.rs": "x //~ late-sync, late-sync (maybe)"}
    assert compare(source, [finding(1, certainty="maybe"), finding(1)]).passed


def test_only_the_named_rules_are_compared() -> None:
    source = {"a.rs": "x //~ other"}
    assert compare(source, [finding(1)], frozenset({"third"})).passed


def test_a_hint_is_told_where_the_test_fails() -> None:
    hint = "needs matches nothing in this program"
    failed = replace(compare({"src/lib.rs": "f(); //~ rule\n"}, ()), hints=(hint,))
    assert failed.lines()[-1] == f"hint:    {hint}"
    assert replace(compare({}, ()), hints=(hint,)).lines() == []
