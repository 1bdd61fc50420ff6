"""A rule of kind gap, and how its table is read."""

from __future__ import annotations

import msgspec

from inroads.analyses.base import RuleHead, TableReader
from inroads.analyses.gap.traits import Provided, read_traits

SHAPES = ("constant", "calls-self", "other")
"""What the default of a forgotten method may do; see defaults.py."""


class GapRule(msgspec.Struct, frozen=True):
    """
    Wrappers that forget to forward.

    Args:
        traits: Patterns of trait paths, by their last whole segments; `*` for all.
        shapes: What a forgotten default must do to make a finding: constant, calls-self, other.
        foreign: Own entries for traits from outside: (path, provided method).
    """

    head: RuleHead
    traits: tuple[str, ...] = ("*",)
    shapes: tuple[str, ...] = SHAPES
    foreign: tuple[tuple[str, Provided], ...] = ()


def parse(head: RuleHead, table: TableReader) -> GapRule | None:
    """The rule of a table; see `TableReader`."""
    traits = table.strings("traits", default=("*",))
    shapes = table.choices("shapes", SHAPES, default=SHAPES)
    told, mistakes = read_traits(table.tables("foreign"), f"{table.where}: foreign")
    table.mistakes.extend(mistakes)
    own = tuple((path, method) for path in sorted(told) for method in told[path].values())
    return GapRule(head, traits, shapes, own)
