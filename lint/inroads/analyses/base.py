"""
What all kinds of rules share: the head of a rule, the reader of its keys, the context of a run.

A kind is a literal `Kind` in `analyses.KINDS`. Its rule is a frozen dataclass
whose first field is `head: RuleHead`; its `parse` makes that from a table of a
pack, its `check` judges a program by it. The rulebook reads the common keys,
then hands the table to the kind:

    def parse(head: RuleHead, table: TableReader) -> OrderRule | None:
        target = table.strings("target", required=True)
        ...
        return OrderRule(head, target, ...)

A reader collects mistakes and goes on, so that all of a file are told at once;
what `parse` returns after a mistake is thrown away. Keys that nobody read are
reported by the rulebook, with the nearest of `Kind.keys`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from inroads.errors import did_you_mean
from inroads.facts import Finding, Level, Note, Problem

if TYPE_CHECKING:
    from inroads.program import Program

LOG_MACROS = (
    *("trace", "debug", "info", "warn", "error", "log", "event"),
    *("println", "eprintln", "print", "eprint", "dbg"),
)
REASON_WORDS = (
    *(
        "ignore",
        "ignored",
        "ignoring",
        "best effort",
        "best-effort",
        "harmless",
        "intentional",
        "intentionally",
    ),
    *(
        "deliberate",
        "deliberately",
        "on purpose",
        "not fatal",
        "non-fatal",
        "non fatal",
        "nothing to do",
        "already",
    ),
    *("safe to", "can't fail", "cannot fail", "never fails", "don't care", "do not care"),
    *("doesn't matter", "does not matter"),
)

COMMON_KEYS = ("id", "kind", "title", "level", "why", "help", "tags", "test")


class RuleHead(msgspec.Struct, frozen=True):
    """
    What every rule says, whatever its kind.

    Args:
        id: Names the bad pattern: `sync-before-lengths`.
        kind: A key of `KINDS`.
        level: As the pack says, or as settings and flags say (then `forced`).
        pack: The pack's name; `path` its file, for messages.
        optional: Whether a target that matches nothing makes the rule inactive rather than wrong.
        forced: Whether the user set the level: then a kind does not grade by itself.
    """

    id: str
    kind: str
    title: str
    level: Level
    why: str = ""
    help: str = ""
    pack: str = ""
    path: str = ""
    optional: bool = False
    forced: bool = False

    def grade(self, level: Level) -> Level:
        """
        The level of a finding that the kind itself would put at `level`.

        `-W` shows what the kind would hide, `-D` raises what it would show.
        """
        if not self.forced:
            return level
        if self.level == "deny" and level == "allow":
            return "allow"
        return self.level


class Rule(Protocol):
    """A rule of any kind."""

    @property
    def head(self) -> RuleHead:
        """What every rule says."""


RuleType = TypeVar("RuleType", bound=Rule)
Outcome = TypeVar("Outcome")
Told: TypeAlias = Finding | Note | Problem
Rounds: TypeAlias = "Generator[tuple[Part, ...], tuple[bytes, ...], Outcome]"


class Context(msgspec.Struct, frozen=True):
    """
    What a run asks for, beside the program and the rule.

    Args:
        certain: Whether findings that are `maybe` are left out (an analysis may save the work).
        tests: Whether findings in test code, and roads from tests, are wanted.
        log_macros: Last segments of macros that only log.
        reason_words: Words that make a comment a reason for the reason-comment switch, lower case.
        found: What the kinds before this one found, in the order of `KINDS`; for joining.
        rules: All active rules, those of other kinds too.
    """

    certain: bool = False
    tests: bool = False
    log_macros: frozenset[str] = frozenset(LOG_MACROS)
    reason_words: tuple[str, ...] = REASON_WORDS
    found: tuple[Finding, ...] = ()
    rules: tuple[Rule, ...] = ()


class Part(msgspec.Struct, frozen=True):
    """
    A piece of a kind's work that needs no other piece, so that it runs in any process.

    Args:
        key: Names the piece among those of all kinds in this program, and all that it stands on beside `Reads`.
        size: Tells how much work it is, in bytes of bodies to be judged; asked for what has to run.
        run: The answer, as the kind itself encodes it.
        prepare: Makes what many pieces need, before they run in processes that share it.
    """

    key: str
    size: Callable[[], int]
    run: Callable[[], bytes]
    prepare: Callable[[], object] | None = None


class Judgement(msgspec.Struct, frozen=True):
    """
    What a kind has found.

    Args:
        statistics: What it has counted: dotted name -> number.
        absent: Id of each rule whose target is not in the program -> what of it is not, in words.
    """

    found: tuple[Told, ...] = ()
    statistics: dict[str, float] = {}
    absent: dict[str, str] = {}


class Kind(msgspec.Struct, Generic[RuleType], frozen=True):
    """
    A kind of rule: how its table is read, and how it judges.

    Args:
        keys: Its own keys, beside `COMMON_KEYS`; for unknown keys and the schema.
        parse: A rule, or None after a mistake that the reader has noted.
        check:
            Judges a program by all rules of the kind: yields rounds of parts, is given
            their answers, and returns the findings, in any order, and which rules have no target there.
            `Fingerprint.call` and `.context`, and `Road.fingerprint`, are left empty: the pipeline fills
            them in from the text.
        absent:
            What of the rule's target is not in this program, in words, or None
            if all is there. Such a rule is inactive, or in an own pack an error; `check` tells the same of it.
        join:
            Called once, after all kinds have checked, with all findings;
            gives them back, joined or ranked anew.
        last: Whether it is asked when the others have done, since it reads what they found.
    """

    name: str
    keys: tuple[str, ...]
    parse: Callable[[RuleHead, TableReader], RuleType | None]
    check: Callable[[tuple[RuleType, ...], Program, Context], Rounds[Judgement]]
    absent: Callable[[RuleType, Program], str | None]
    join: Callable[[tuple[Finding, ...], Program, Context], Iterable[Finding]] | None = None
    last: bool = False


class _Answer(msgspec.Struct, frozen=True):
    """What a rule says, each sort by itself; `absent` what of its target is not there, in words."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[Note, ...] = ()
    problems: tuple[Problem, ...] = ()
    absent: str = ""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Answer).decode
_encode_any: Callable[[object], bytes] = msgspec.msgpack.Encoder().encode


def rule_by_rule(
    check: Callable[[RuleType, Program, Context], Iterable[Told]],
    absent: Callable[[RuleType, Program], str | None],
    size: int = 0,
) -> Callable[[tuple[RuleType, ...], Program, Context], Rounds[Judgement]]:
    """
    The `Kind.check` of a kind whose rules are judged each by itself.

    Args:
        absent: See `Kind`; a rule without target is not held against the program.
        size: How much work a rule is, see `Part`.
    """

    def judge(rules: tuple[RuleType, ...], program: Program, context: Context) -> Rounds[Judgement]:
        beside = blake2b(_encode_any((context.found, [one.head.id for one in context.rules])), digest_size=16)
        answers = yield tuple(
            Part(
                f"{rule.head.kind} {rule.head.id} {beside.hexdigest() if context.found else ''}",
                lambda: size,
                partial(_judged, check, absent, rule, program, context),
            )
            for rule in rules
        )
        found: list[Told] = []
        lost: dict[str, str] = {}
        for rule, answer in zip(rules, map(_decode, answers), strict=True):
            found += (*answer.findings, *answer.notes, *answer.problems)
            if answer.absent:
                lost[rule.head.id] = answer.absent
        return Judgement(tuple(found), absent=lost)

    return judge


def _judged(
    check: Callable[[RuleType, Program, Context], Iterable[Told]],
    absent: Callable[[RuleType, Program], str | None],
    rule: RuleType,
    program: Program,
    context: Context,
) -> bytes:
    lost = absent(rule, program)
    if lost is not None:
        return _encode(_Answer(absent=lost))
    told = tuple(check(rule, program, context))
    return _encode(
        _Answer(
            tuple(one for one in told if isinstance(one, Finding)),
            tuple(one for one in told if isinstance(one, Note)),
            tuple(one for one in told if isinstance(one, Problem)),
        )
    )


class TableReader(msgspec.Struct):
    """
    Reads the keys of one TOML table, notes each mistake with its place, and goes on.

    Args:
        where: `storage.toml: rule "delete-before-backup"`: the start of each message.
        mistakes: The list that all readers of a file share.
    """

    table: Mapping[str, object]
    where: str
    mistakes: list[str] = msgspec.field(default_factory=list)
    read: set[str] = msgspec.field(default_factory=set)

    def mistake(self, key: str, message: str) -> None:
        """Note that the value of a key is wrong."""
        self.mistakes.append(f"{self.where}: {key}: {message}")

    def string(self, key: str, *, default: str = "", required: bool = False) -> str:
        """A text; `default` where the key is absent or wrong."""
        value = self._value(key, required)
        if value is None:
            return default
        if not isinstance(value, str) or (required and not value.strip()):
            self.mistake(key, f"expected a text, got {shown(value)}")
            return default
        return value

    def strings(self, key: str, *, default: tuple[str, ...] = (), required: bool = False) -> tuple[str, ...]:
        """A list of texts; one text alone is a list of one."""
        value = self._value(key, required)
        if value is None:
            return default
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.mistake(key, f"expected a list of texts, got {shown(value)}")
            return default
        if required and not value:
            self.mistake(key, "expected at least one")
        return tuple(value)

    def tables(self, key: str) -> list[object]:
        """A list of tables (`[[rule.key]]`), to be read by the kind itself; empty where the key is absent."""
        value = self._value(key, False)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self.mistake(key, f"expected a list of tables, got {shown(value)}")
            return []
        return list(value)

    def boolean(self, key: str, *, default: bool = False) -> bool:
        """True or false."""
        value = self._value(key, False)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.mistake(key, f"expected true or false, got {shown(value)}")
            return default
        return value

    def choice(self, key: str, choices: tuple[str, ...], *, default: str, required: bool = False) -> str:
        """One of the given words."""
        value = self.string(key, default=default, required=required)
        return value if self._is_among(key, value, choices) else default

    def choices(self, key: str, known: tuple[str, ...], *, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Some of the given words."""
        values = self.strings(key, default=default)
        return tuple(value for value in values if self._is_among(key, value, known))

    def unread(self, known: tuple[str, ...]) -> None:
        """Note each key that nobody has read, with the nearest known one."""
        for key in self.table:
            if key not in self.read:
                self.mistakes.append(f'{self.where}: unknown key "{key}"{did_you_mean(key, known)}')

    def _value(self, key: str, required: bool) -> object:
        self.read.add(key)
        if key not in self.table:
            if required:
                self.mistakes.append(f'{self.where}: the key "{key}" is missing')
            return None
        return self.table[key]

    def _is_among(self, key: str, value: str, choices: tuple[str, ...]) -> bool:
        if value in choices:
            return True
        hint = did_you_mean(value, choices) or f"; known are {', '.join(choices)}"
        self.mistake(key, f'unknown word "{value}"{hint}')
        return False


def shown(value: object) -> str:
    """A value of TOML in a message: its text if short, and its sort."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"' if len(value) < 40 else "a long text"
        case int() | float():
            return str(value)
        case list():
            return "a list"
        case dict():
            return "a table"
    return type(value).__name__
