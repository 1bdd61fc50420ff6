"""The keys of an order rule: all mistakes are told, with the nearest thing that is known."""

from __future__ import annotations

import pytest

from inroads.analyses.base import RuleHead, TableReader
from inroads.analyses.order.rule import OrderRule, parse_rule
from inroads.pattern import CallPattern

HEAD = RuleHead("rule", "order", "title", "warn")


def read(**table: object) -> tuple[OrderRule | None, list[str]]:
    reader = TableReader(table, 'test.toml: rule "rule"')
    return parse_rule(HEAD, reader), reader.mistakes


def test_a_rule_is_read_with_its_defaults() -> None:
    rule, mistakes = read(target=["use(id: $id)"], needs=["open(id: $id)"])
    assert mistakes == []
    assert rule is not None
    assert (rule.needs_success, rule.initially, rule.while_held, rule.variables) == (
        True,
        "unmet",
        False,
        ("id",),
    )
    assert isinstance(rule.targets[0], CallPattern)


MISTAKES: list[tuple[dict[str, object], str]] = [
    ({"needs": ["b"]}, 'the key "target" is missing'),
    ({"target": ["a("], "needs": ["b"]}, "expected a capture"),
    ({"target": ["a"]}, "nothing can meet the rule"),
    ({"target": ["a($seq)"], "needs": ["b($sec)"]}, 'did you mean "seq"?'),
    ({"target": ["a"], "needs": ["b($x)"]}, "write `_` for any"),
    ({"target": ["a"], "needs": ["b"], "initially": "met"}, 'no finding without "undone_by"'),
    ({"target": ["a"], "needs": ["b"], "initially": "meet"}, 'did you mean "met"?'),
    ({"target": ["a"], "needs": ["b"], "bad": "$x.is_empty()"}, '"fails" is missing'),
    ({"target": ["a"], "needs": ["b"], "fails": ["c($x)"]}, '"bad" is missing'),
    (
        {"target": ["a"], "needs": ["b"], "fails": ["c($x)"], "bad": "$y.is_empty()"},
        "captured by no pattern of fails",
    ),
    ({"target": ["a"], "needs": ["b"], "fails": ["c($x)"], "bad": "$x <"}, "expected a constant"),
    ({"target": ["a"], "needs": ["b"], "evidence": ["if $x.ok"]}, "is evidence"),
    ({"target": ["a"], "needs": ["b"], "from": ["T { .. }"]}, "a root is a function"),
    ({"target": ["a"], "needs": ["b"], "needs_success": "yes"}, "expected true or false"),
]


@pytest.mark.parametrize(("table", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_a_mistake_is_told(table: dict[str, object], message: str) -> None:
    rule, mistakes = read(**table)
    assert rule is None
    assert any(message in mistake for mistake in mistakes), mistakes


def test_all_mistakes_are_told_at_once() -> None:
    _, mistakes = read(target=["a("], needs=["b)"], bad="")
    assert len(mistakes) >= 2
