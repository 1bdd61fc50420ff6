"""
The kind `swallow`: the fate of every error.

    uses      who takes the value of each row
    shapes    where inside a value its error is
    fates     follow the Result of a call to where its error can no longer be seen
    arms      judge what runs in place of the success
    effects   what running some rows does that anybody could notice
    nature    what sort of call lost its error
    quiet     the named switches: places that lose an error rightly
    rank      how much it matters
    mend      the smallest honest repair
"""

from __future__ import annotations

from inroads.analyses.base import Kind
from inroads.analyses.swallow.finding import absent, check, join
from inroads.analyses.swallow.rule import KEYS, SwallowRule, parse
from inroads.analyses.swallow.search import statistics

KIND: Kind[SwallowRule] = Kind("swallow", KEYS, parse, check, absent, join, statistics)

__all__ = ["KIND", "SwallowRule"]
