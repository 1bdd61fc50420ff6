"""What a run reports."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

How: TypeAlias = Literal["exact", "macro", "closure", "fn-value", "trait", "by-name"]
HOW_ORDER: tuple[How, ...] = ("exact", "macro", "closure", "fn-value", "trait", "by-name")

Fate: TypeAlias = Literal[
    "propagated",
    "handled",
    "panicked",
    "logged",
    "dropped",
    "defaulted",
    "turned-into-option",
    "turned-into-bool",
    "cause-lost",
    "overwritten",
    "moved-away",
]
Level: TypeAlias = Literal["allow", "warn", "deny"]
Certainty: TypeAlias = Literal["sure", "maybe"]
Kind: TypeAlias = Literal["order", "swallow", "gap", "allow", "ledger"]


class Reported(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False):
    """A value of the report: compared by content, encoded as a JSON object."""


class Position(msgspec.Struct, frozen=True, order=True):
    """A place: path relative to the root with `/`, line and column from 1, columns in bytes."""

    path: str
    line: int
    column: int


class Step(Reported, frozen=True):
    """A place and half a sentence."""

    path: str
    line: int
    column: int
    note: str


class Road(Reported, frozen=True):
    """
    The calls from a root to the target.

    `root` is the function where the requirement could go no further, `path`,
    `line` and `column` the call in that function; `good` tells a road on which
    the need is met (shown for the reader, not part of the finding).
    """

    root: str
    path: str
    line: int
    fingerprint: str
    steps: tuple[Step, ...]
    good: bool = False
    column: int = 1


class Fingerprint(Reported, frozen=True):
    """What stays the same when code moves: see `fingerprint.py`."""

    rule: str
    function: str
    callee: str
    call: str
    context: str


MOST_FROM_TESTS = 100
"""Roads from tests that are counted; one more stands for more than that."""


class Finding(Reported, frozen=True):
    """
    One place that a rule objects to.

    `fate` is None for kinds other than swallow. `status` is None unless the
    run compares with a base or a baseline. `details` are further lines for the
    terminal, in order (a gap's table); `reason` is given for allowed findings.
    `roads_from_tests` are not judged, and not among `roads`; 101 stands for more than 100.
    """

    rule: str
    kind: Kind
    level: Level
    certainty: Certainty
    message: str
    help: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    function: str
    callees: tuple[str, ...]
    how: How
    via: tuple[str, ...]
    fingerprint: Fingerprint
    label: str = ""
    fate: Fate | None = None
    status: Literal["new", "known"] | None = None
    trace: tuple[Step, ...] = ()
    related: tuple[Step, ...] = ()
    roads: tuple[Road, ...] = ()
    roads_total: int = 0
    roads_from_tests: int = 0
    details: tuple[str, ...] = ()
    reason: str | None = None
    rank: int = 0


class Note(Reported, frozen=True):
    """Worth knowing and not wrong: tolerated, inactive-rule, blind, ..."""

    kind: str
    path: str
    line: int
    message: str


class Problem(Reported, frozen=True):
    """Something that could not be read or understood. Line and column 1 where only the file is known."""

    kind: str
    path: str
    line: int
    column: int
    message: str


class RuleInfo(Reported, frozen=True):
    """What a report tells of a rule that ran: `why` is Markdown, a paragraph or more."""

    id: str
    kind: str
    level: Level
    title: str
    why: str
    pack: str


class Report(Reported, frozen=True):
    """
    All that a run found; rendered by `report/`, which does no I/O.

    `sources` maps (path, line) as "path:line" to the text of that line, for every place that
    is shown. `statistics` maps a dotted name to a number. `known` are findings that a
    base revision or a baseline has already; they don't count for the exit code.
    `rules` are those that ran, sorted by id.
    """

    root: str
    findings: tuple[Finding, ...]
    allowed: tuple[Finding, ...]
    notes: tuple[Note, ...]
    problems: tuple[Problem, ...]
    statistics: dict[str, float]
    sources: dict[str, str]
    known: tuple[Finding, ...] = ()
    rules: tuple[RuleInfo, ...] = ()
