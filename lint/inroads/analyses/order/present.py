"""Whether what a rule speaks of is there at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from inroads.analyses.order.rule import OrderRule
from inroads.facts import Problem
from inroads.pattern import Pattern, last_names
from inroads.pattern_match import Matcher

if TYPE_CHECKING:
    from inroads.program import Program


def absent(rule: OrderRule, program: Program) -> str | None:
    """Which targets are not in the program, in words; None if one of them is."""
    matcher = Matcher(program)
    if any(is_present(pattern, program, matcher) for pattern in rule.targets):
        return None
    return "target " + ", ".join(f"`{text}`" for text in rule.target_text) + " is not in this program"


def missing(rule: OrderRule, program: Program) -> Iterable[Problem]:
    """Needs, undos and evidence that match nothing: the rule may be misspelt."""
    matcher = Matcher(program)
    for key, patterns in (("needs", rule.needs), ("undone_by", rule.undone_by), ("evidence", rule.evidence)):
        if patterns and not any(is_present(pattern, program, matcher) for pattern in patterns):
            yield Problem(
                kind="rule",
                path=rule.head.path or rule.head.pack,
                line=1,
                column=1,
                message=f'rule "{rule.head.id}": {key} matches nothing in this program',
            )


def is_present(pattern: Pattern, program: Program, matcher: Matcher) -> bool:
    """Whether a body, or a declaration, may match the pattern."""
    raise NotImplementedError
