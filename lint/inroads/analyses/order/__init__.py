"""The kind `order`: F needs G before it, on every path, for the same key."""

from __future__ import annotations

from inroads.analyses.base import Kind, rule_by_rule
from inroads.analyses.order.check import check
from inroads.analyses.order.present import absent
from inroads.analyses.order.rule import KEYS, OrderRule, parse_rule

# Judging by one rule takes about as long as looking for lost errors in so many bytes.
RULE_SIZE = 500_000

KIND: Kind[OrderRule] = Kind("order", KEYS, parse_rule, rule_by_rule(check, RULE_SIZE), absent)

__all__ = ["KIND", "OrderRule"]
