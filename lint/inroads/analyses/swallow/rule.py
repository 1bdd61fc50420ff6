"""A rule of the kind swallow: which calls, which fates, which switches keep it quiet."""

from __future__ import annotations

import msgspec

from inroads.analyses.base import RuleHead, TableReader
from inroads.analyses.swallow.ends import SURVIVAL
from inroads.analyses.swallow.quiet import SWITCHES
from inroads.facts import Fate

KEYS = ("of", "fates", "quiet")
DEFAULT_QUIET = tuple(SWITCHES)


class SwallowRule(msgspec.Struct, frozen=True):
    """
    Calls whose error has a fate that it should not have.

    Args:
        of: Patterns of the callees' paths, by their last whole segments; `*` for all.
        fates: The fates that the rule objects to.
        quiet: The switches that are on: see `quiet.SWITCHES`.
    """

    head: RuleHead
    of: tuple[str, ...] = ("*",)
    fates: tuple[Fate, ...] = ("logged", "dropped")
    quiet: tuple[str, ...] = DEFAULT_QUIET


def parse(head: RuleHead, table: TableReader) -> SwallowRule | None:
    """The rule of a table; see `TableReader`."""
    of = table.strings("of", default=("*",))
    words = table.choices("fates", SURVIVAL, default=("logged", "dropped"))
    quiet = table.choices("quiet", DEFAULT_QUIET, default=DEFAULT_QUIET)
    return SwallowRule(head, of, tuple(fate for fate in SURVIVAL if fate in words), quiet)


def hears_reasons(rule: object) -> bool:
    """Whether a rule is one of this kind, and quiet where the author gives a reason."""
    return isinstance(rule, SwallowRule) and "reason-comment" in rule.quiet
