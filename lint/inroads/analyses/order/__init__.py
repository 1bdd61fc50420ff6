"""The kind `order`: F needs G before it, on every path, for the same key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from inroads.analyses.base import Context, Kind, rule_by_rule
from inroads.analyses.order.rule import KEYS, OrderRule, parse_rule
from inroads.facts import Finding, Note, Problem

if TYPE_CHECKING:
    from inroads.program import Program

# Judging by one rule takes about as long as looking for lost errors in so many bytes.
RULE_SIZE = 500_000


# What judges is imported when it is asked: most runs after an edit know the answer.


def _check(rule: OrderRule, program: Program, context: Context) -> Iterable[Finding | Note | Problem]:
    from inroads.analyses.order.check import check

    return check(rule, program, context)


def _absent(rule: OrderRule, program: Program) -> str | None:
    from inroads.analyses.order.present import absent

    return absent(rule, program)


KIND: Kind[OrderRule] = Kind("order", KEYS, parse_rule, rule_by_rule(_check, _absent, RULE_SIZE), _absent)

__all__ = ["KIND", "OrderRule"]
