"""
The rules that are part of the program itself: no pack holds them, and no one has to write them down.

They are known by name like any other rule: they can be selected, set to a
level, allowed at a place, and explained.
"""

from __future__ import annotations

import msgspec

from inroads.allow import ALLOW_RULES
from inroads.facts import Kind, Level


class BuiltIn(msgspec.Struct, frozen=True):
    """A rule without a pack; `why` is a paragraph."""

    kind: Kind
    level: Level
    title: str
    why: str


UNREVIEWED = "unreviewed-road"
CHANGED = "changed-road"
LEDGER_RULES = (UNREVIEWED, CHANGED)

BUILT_IN: dict[str, BuiltIn] = {
    **{id: BuiltIn("allow", "warn", title, why) for id, (title, why) in ALLOW_RULES.items()},
    UNREVIEWED: BuiltIn(
        "ledger",
        "deny",
        "a call site that nobody has reviewed",
        "The ledger names a function whose call sites the team reviews one by one. This one is not in it. Look "
        "at what leads here, then write it down with `inroads audit TARGET --review`.",
    ),
    CHANGED: BuiltIn(
        "ledger",
        "deny",
        "a reviewed call site whose callers or verdict have changed",
        "The site is in the ledger, but what was reviewed is not what stands there now: somebody else calls the "
        "function around it, it can be reached from another entry point, or the order or the fate of its error "
        "is another one. Look again, then run `inroads audit TARGET --review`.",
    ),
}
