"""The kind `order`: F needs G before it, on every path, for the same key."""

from __future__ import annotations

from inroads.analyses.base import Kind
from inroads.analyses.order.check import check
from inroads.analyses.order.present import absent
from inroads.analyses.order.rule import KEYS, OrderRule, parse_rule

KIND: Kind[OrderRule] = Kind("order", KEYS, parse_rule, check, absent)

__all__ = ["KIND", "OrderRule"]
