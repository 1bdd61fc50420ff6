"""The kind `order`: F needs G before it, on every path, for the same key."""

from __future__ import annotations

from inroads.analyses.order.check import absent as absent
from inroads.analyses.order.check import check as check
from inroads.analyses.order.rule import KEYS as KEYS
from inroads.analyses.order.rule import OrderRule as OrderRule
from inroads.analyses.order.rule import parse_rule as parse_rule
