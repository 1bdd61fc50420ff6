"""
The kind `swallow`: the fate of every error.

    uses      who takes the value of each row
    shapes    where inside a value its error is
    fates     follow the Result of a call to where its error can no longer be seen
    arms      judge what runs in place of the success
    effects   what running some rows does that anybody could notice
    sorts     what sort of call stands at a row, by itself
    writers   where a write goes: the terminal, memory, what the function was given
    failing   how a function of the workspace can fail
    nature    what sort of call lost its error, all of it together
    proofs    what the user of a value of unknown type proves
    expected  failures that are wanted, or are none
    standins  what a value in place of a result still tells of the failure
    asked     whether of a result only the yes or no is asked for
    quiet     the named switches: places that lose an error rightly
    documented  what the documentation of a function says of errors in it
    selfreports  errors in what a program tells of itself
    rank      how much it matters
    mend      the smallest honest repair
    check     all rules held against a program, a file at a time
"""

from __future__ import annotations

from inroads.analyses.base import Kind
from inroads.analyses.swallow.check import check
from inroads.analyses.swallow.documented import is_documented
from inroads.analyses.swallow.finding import absent, join
from inroads.analyses.swallow.rule import KEYS, SwallowRule, hears_reasons, parse

KIND: Kind[SwallowRule] = Kind("swallow", KEYS, parse, check, absent, join)

__all__ = ["KIND", "SwallowRule", "hears_reasons", "is_documented"]
