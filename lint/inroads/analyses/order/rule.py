"""A rule of kind order: "F needs G before it, on every path, for the same key"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal, TypeVar

import msgspec

from inroads.analyses.base import RuleHead, TableReader
from inroads.errors import did_you_mean
from inroads.pattern import (
    BranchPattern,
    BuildPattern,
    CallPattern,
    ConditionPattern,
    MethodPattern,
    Pattern,
    PatternError,
    WritePattern,
    captures,
    condition_captures,
    parse,
    parse_condition,
)

KEYS = (
    "target",
    "needs",
    "undone_by",
    "evidence",
    "fails",
    "bad",
    "needs_success",
    "initially",
    "from",
    "while_held",
    "tests",
    "public",
)

Value = TypeVar("Value")


class OrderRule(msgspec.Struct, frozen=True):
    """
    What an order rule says, its patterns read.

    Args:
        targets: What must not happen too early; any one of.
        needs: What must have happened before; any one of.
        undone_by: What ends a need; any one of.
        evidence: What can only exist after the need: constructions, tuple constructions, flags.
        fails, bad: The function that fails on the bad state, and the bad state as it sees it.
        needs_success: Whether a need that returns a Result counts only where it was tested and is Ok.
        initially: What holds at a root.
        origins: The only roots, where `from` is given; else empty.
        while_held: Whether the need holds only as long as the guard that it gives.
        tests: Whether roads from tests are reported.
        public: Whether every public function is a root.
        variables: What the targets capture; a key has one part for each.
        need_text, bad_text: The needs and the bad state as written, for people.
    """

    head: RuleHead
    targets: tuple[Pattern, ...]
    needs: tuple[Pattern, ...] = ()
    undone_by: tuple[Pattern, ...] = ()
    evidence: tuple[Pattern, ...] = ()
    fails: tuple[Pattern, ...] = ()
    bad: ConditionPattern | None = None
    needs_success: bool = True
    initially: Literal["unmet", "met"] = "unmet"
    origins: tuple[Pattern, ...] = ()
    while_held: bool = False
    tests: bool = False
    public: bool = False
    variables: tuple[str, ...] = ()
    target_text: tuple[str, ...] = ()
    need_text: tuple[str, ...] = ()
    bad_text: str = ""

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """All that it speaks of, but for the bad state."""
        return (
            *self.targets,
            *self.needs,
            *self.undone_by,
            *self.evidence,
            *self.fails,
            *self.origins,
        )


def parse_rule(head: RuleHead, table: TableReader) -> OrderRule | None:
    """The rule of a table; None after a mistake, all of which the reader has noted."""
    before = len(table.mistakes)
    targets = _patterns(table, "target", required=True)
    needs = _patterns(table, "needs")
    undone_by = _patterns(table, "undone_by")
    evidence = _patterns(table, "evidence")
    fails = _patterns(table, "fails")
    origins = _patterns(table, "from")
    initially = table.choice("initially", ("unmet", "met"), default="unmet")
    bad = None
    if bad_text := table.string("bad"):
        bad = _read(table, "bad", bad_text, parse_condition)
    rule = OrderRule(
        head,
        targets,
        needs,
        undone_by,
        evidence,
        fails,
        bad,
        table.boolean("needs_success", default=True),
        "met" if initially == "met" else "unmet",
        origins,
        table.boolean("while_held"),
        table.boolean("tests"),
        table.boolean("public"),
        tuple(sorted({name for pattern in targets for name in captures(pattern)})),
        table.strings("target"),
        table.strings("needs"),
        bad_text,
    )
    _check(rule, table)
    return rule if len(table.mistakes) == before else None


def _patterns(table: TableReader, key: str, *, required: bool = False) -> tuple[Pattern, ...]:
    found = (_read(table, key, text, parse) for text in table.strings(key, required=required))
    return tuple(pattern for pattern in found if pattern is not None)


def _read(table: TableReader, key: str, text: str, reader: Callable[[str], Value]) -> Value | None:
    try:
        return reader(text)
    except PatternError as error:
        table.mistake(key, str(error))
        return None


def _check(rule: OrderRule, table: TableReader) -> None:
    """Note what can be read and makes no sense."""
    if not rule.needs and not (rule.initially == "met" and rule.undone_by) and not rule.evidence:
        table.mistake("needs", 'nothing can meet the rule; name a need, or an undo with initially = "met"')
    if rule.initially == "met" and not rule.undone_by:
        table.mistake("initially", '"met" makes no finding without "undone_by"')
    for key, patterns in (("needs", rule.needs), ("undone_by", rule.undone_by), ("evidence", rule.evidence)):
        for pattern in patterns:
            _check_captures(key, pattern, rule.variables, table)
    for pattern in rule.evidence:
        if not isinstance(pattern, BuildPattern | CallPattern | WritePattern | MethodPattern):
            table.mistake("evidence", "a construction or a flag (`Type.field = value`) is evidence")
    for pattern in rule.origins:
        if isinstance(pattern, BuildPattern | WritePattern | BranchPattern):
            table.mistake("from", "a root is a function; write its path")
    if rule.bad is None and rule.fails:
        table.mistake("fails", 'it says where the bad state hurts, and "bad" is missing')
    elif rule.bad is not None and not rule.fails:
        table.mistake("bad", 'it speaks of a function, and "fails" is missing')
    elif rule.bad is not None:
        known = {name for pattern in rule.fails for name in captures(pattern)}
        for name in condition_captures(rule.bad):
            if name not in known:
                table.mistake(
                    "bad", f"`${name}` is captured by no pattern of fails{did_you_mean(name, known)}"
                )


def _check_captures(key: str, pattern: Pattern, known: tuple[str, ...], table: TableReader) -> None:
    """A capture that no target has is a slip, unless the pattern itself says it twice."""
    counted = Counter(captures(pattern))
    twice = getattr(pattern, "result", None)
    for name in sorted(counted):
        if name not in known and name != twice:
            hint = did_you_mean(name, known) or "; write `_` for any"
            table.mistake(key, f"`${name}` is captured by no target{hint}")
