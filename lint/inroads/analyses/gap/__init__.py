"""
The kind `gap`: the wrapper that forgot.

A type implements a trait by forwarding to an inner value whose type has the
trait too. A provided method that a possible inner type overrides and that the
wrapper leaves out runs the trait's default instead, silently.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from inroads.analyses.base import Context, Kind, rule_by_rule
from inroads.analyses.gap.rule import GapRule, parse
from inroads.facts import Finding, Note, Problem

if TYPE_CHECKING:
    from inroads.program import Program


# What judges is imported when it is asked: most runs after an edit know the answer.


def _check(rule: GapRule, program: Program, context: Context) -> Iterable[Finding | Note | Problem]:
    from inroads.analyses.gap.check import check

    return check(rule, program, context)


def _absent(rule: GapRule, program: Program) -> str | None:
    from inroads.analyses.gap.check import absent

    return absent(rule, program)


KIND: Kind[GapRule] = Kind(
    "gap", ("traits", "shapes", "foreign"), parse, rule_by_rule(_check, _absent), _absent, last=True
)

__all__ = ["KIND", "GapRule", "parse"]
