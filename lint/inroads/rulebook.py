"""
TOML packs and settings -> rules.

A pack is one file. All mistakes of all packs are collected before one error is
raised: each names the file, the rule and the key, and the nearest known word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import msgspec
from msgspec.structs import replace

from inroads.analyses import KINDS
from inroads.analyses.base import COMMON_KEYS, Kind, Rule, RuleHead, TableReader, shown
from inroads.builtin import BUILT_IN
from inroads.errors import SettingsError, UsageError, did_you_mean
from inroads.facts import Level
from inroads.resolve.foreign import Extern
from inroads.settings import LEVELS, Settings, TextPath, load_toml, read_extern

RULE_ID = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
EDITIONS = ("2015", "2018", "2021", "2024")
_ID = re.compile(RULE_ID)
PACK_KEYS = ("pack", "title", "optional", "rule", "extern")


class RuleTest(msgspec.Struct, frozen=True):
    """
    A test of a rule: Rust with `//~ rule-id` on the lines that must fire.

    `files` are pairs of path and text, sorted; a Cargo.toml is made up where none is given.
    """

    rule: str
    name: str
    files: tuple[tuple[str, str], ...]
    edition: str = "2021"

    @property
    def fires(self) -> bool:
        """Whether it expects its rule to fire."""
        mark = re.compile(rf"//~.*(?<![\w-]){re.escape(self.rule)}(?![\w-])")
        return any(mark.search(text) for _, text in self.files)


class Pack(msgspec.Struct, frozen=True):
    """A pack that was read; `path` as given, for messages; `own` if the user brought it."""

    name: str
    title: str
    path: str
    own: bool
    rules: tuple[Rule, ...]
    tests: tuple[RuleTest, ...]
    externs: tuple[Extern, ...]


class Rulebook(msgspec.Struct, frozen=True):
    """
    All packs, and which rules a run selects; `active` is in the order of kinds, then ids.

    `paths` are the globs and the levels of `[[paths]]`, kinds and packs told by the rules in them.
    """

    packs: tuple[Pack, ...]
    active: tuple[Rule, ...]
    disabled: tuple[str, ...] = ()
    built_in_levels: tuple[tuple[str, Level], ...] = ()
    paths: tuple[tuple[tuple[str, ...], Mapping[str, Level]], ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule of every pack, selected or not."""
        return tuple(rule for pack in self.packs for rule in pack.rules)

    @property
    def externs(self) -> tuple[Extern, ...]:
        """The `[[extern]]` tables of the packs."""
        return tuple(extern for pack in self.packs for extern in pack.externs)

    def find(self, id: str) -> Rule:
        """
        The rule of that name.

        Raises:
            UsageError: There is none; the message tells the nearest.
        """
        for rule in self.rules:
            if rule.head.id == id:
                return rule
        known = [rule.head.id for rule in self.rules] + list(BUILT_IN)
        raise UsageError(f'no rule is called "{id}"{did_you_mean(id, known)}')


class Choice(msgspec.Struct, frozen=True):
    """What flags say about rules; they stand above the settings."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    levels: tuple[tuple[str, Level], ...] = ()


def shipped_folder() -> Path:
    """Where the packs that ship are: inside the wheel, or at the root of a checkout."""
    package = Path(__file__).parent
    inside = package / "rules"
    return inside if inside.is_dir() else package.parent.parent / "rules"


def load_rulebook(
    own: Sequence[tuple[str, TextPath]] = (),
    settings: Settings | None = None,
    choice: Choice | None = None,
) -> Rulebook:
    """
    Read the shipped packs and the own ones, and select.

    Args:
        own: Pairs of the path as the user wrote it, and where it is: a file, or a folder of `*.toml`.

    Raises:
        SettingsError: With every mistake of every pack and setting.
    """
    mistakes: list[str] = []
    packs = list(_shipped_packs())
    for shown_path, path in own:
        for name, text in _pack_texts(shown_path, path, mistakes):
            try:
                packs.append(parse_pack(text, name, own=True))
            except SettingsError as error:
                mistakes.extend(error.messages)
    seen: dict[str, str] = {}
    for pack in packs:
        for rule in pack.rules:
            before = seen.setdefault(rule.head.id, pack.path)
            if before != pack.path:
                mistakes.append(f'{pack.path}: rule "{rule.head.id}": {before} has a rule of that name')
    if mistakes:
        raise SettingsError(tuple(mistakes))
    return select_rules(tuple(packs), settings or Settings(), choice or Choice())


def select_rules(packs: tuple[Pack, ...], settings: Settings, choice: Choice) -> Rulebook:
    """
    The rules that run, at their levels; a flag beats a setting, a later level an earlier one.

    A word selects a rule by its id, or all rules of a kind or a pack.

    Raises:
        SettingsError: A word that names nothing.
    """
    rules = tuple(rule for pack in packs for rule in pack.rules)
    groups: dict[str, set[str]] = {id: {id} for id in BUILT_IN}
    groups["all"] = {*(rule.head.id for rule in rules), *BUILT_IN}
    for id, built_in in BUILT_IN.items():
        groups.setdefault(built_in.kind, set()).add(id)
    for rule in rules:
        for word in (rule.head.kind, rule.head.pack, rule.head.id):
            groups.setdefault(word, set()).add(rule.head.id)
    mistakes: list[str] = []

    def ids(words: Iterable[str], where: str) -> list[str]:
        found: list[str] = []
        for word in words:
            if word not in groups:
                mistakes.append(
                    f'{where}: no rule, kind or pack is called "{word}"{did_you_mean(word, groups)}'
                )
            found.extend(sorted(groups.get(word, ())))
        return found

    place = settings.path or "settings"
    wanted = set(ids(choice.select, "--select") or ids(settings.select, f"{place}: select") or groups["all"])
    dropped = set(ids(settings.ignore, f"{place}: ignore")) | set(ids(choice.ignore, "--ignore"))
    # A flag that selects a rule beats a setting that ignores it.
    dropped -= set(ids(choice.select, "--select")) - set(ids(choice.ignore, "--ignore"))
    levels: dict[str, Level] = {}
    for where, pairs in ((f"{place}: levels", settings.levels), ("-A, -W, -D", choice.levels)):
        for word, level in pairs:
            levels.update(dict.fromkeys(ids((word,), where), level))
    paths: list[tuple[tuple[str, ...], Mapping[str, Level]]] = []
    flagged = {rule for word, _ in choice.levels for rule in groups.get(word, ())}
    for one in settings.paths:
        there: dict[str, Level] = {}
        for word, level in one.levels:
            there.update(dict.fromkeys(ids((word,), f"{place}: paths"), level))
        paths.append((one.globs, {rule: level for rule, level in there.items() if rule not in flagged}))
    if mistakes:
        raise SettingsError(tuple(dict.fromkeys(mistakes)))
    active = []
    for rule in rules:
        if rule.head.id not in wanted or rule.head.id in dropped:
            continue
        leveled = _with_level(rule, levels[rule.head.id]) if rule.head.id in levels else rule
        # What is off everywhere else may be on under some paths.
        if leveled.head.level != "allow" or any(
            there.get(rule.head.id, "allow") != "allow" for _, there in paths
        ):
            active.append(leveled)
    order = list(KINDS)
    active.sort(key=lambda rule: (order.index(rule.head.kind), rule.head.id))
    disabled = tuple(id for id in BUILT_IN if id not in wanted or id in dropped)
    return Rulebook(
        packs,
        tuple(active),
        disabled,
        tuple((id, levels[id]) for id in BUILT_IN if id in levels),
        tuple(paths),
    )


def parse_pack(text: str, path: str, *, own: bool) -> Pack:
    """
    Read one pack.

    Raises:
        SettingsError: With every mistake of the file.
    """
    return read_pack(load_toml(text, path), path, own=own)


def read_pack(
    table: Mapping[str, object],
    path: str,
    *,
    own: bool = True,
    tests: Literal["required", "optional"] = "required",
) -> Pack:
    """The pack that a table holds; raises SettingsError with every mistake."""
    mistakes: list[str] = []
    reader = TableReader(table, path, mistakes)
    name, title, optional = pack_head(reader, path, own=own)
    rules: list[Rule] = []
    rule_tests: list[RuleTest] = []
    for number, one in enumerate(_list_of_tables(reader, "rule"), start=1):
        rule, of_rule = _parse_rule(one, number, path, name, optional, mistakes)
        rules += [rule] if rule is not None else []
        rule_tests += of_rule
        if tests == "required" and rule is not None:
            mistakes += _untested(path, rule.head.id, of_rule)
    externs = [
        read_extern(TableReader(one, f"{path}: extern {number}", mistakes))
        for number, one in enumerate(_list_of_tables(reader, "extern"), start=1)
    ]
    if not rules and not externs and not mistakes:
        mistakes.append(f"{path}: holds no [[rule]]")
    reader.unread(PACK_KEYS)
    ids = [rule.head.id for rule in rules]
    mistakes += [
        f'{path}: rule "{id}": there are two of that name' for id in dict.fromkeys(ids) if ids.count(id) > 1
    ]
    if mistakes:
        raise SettingsError(tuple(mistakes))
    return Pack(name, title, path, own, tuple(rules), tuple(rule_tests), tuple(externs))


def pack_head(reader: TableReader, path: str, *, own: bool) -> tuple[str, str, bool]:
    """A pack's name and title, and whether its rules may be inactive."""
    name = reader.string("pack", default=Path(path).stem)
    return name, reader.string("title"), reader.boolean("optional", default=not own)


def rule_head(reader: TableReader, path: str, pack: str, *, optional: bool) -> RuleHead:
    """What every rule says."""
    head = RuleHead(
        id=reader.string("id", required=True),
        kind=reader.choice("kind", tuple(KINDS), default="", required=True),
        title=reader.string("title", required=True),
        level=cast(Level, reader.choice("level", LEVELS, default="warn")),
        why=reader.string("why", required=True).strip(),
        help=reader.string("help").strip(),
        pack=pack,
        path=path,
        optional=optional,
    )
    reader.strings("tags")
    return head


def test_head(reader: TableReader) -> tuple[str, str]:
    """The name and the edition of a test."""
    name = reader.string("name", required=True)
    return name, reader.choice("edition", EDITIONS, default="2021")


def _parse_rule(
    table: Mapping[str, object], number: int, path: str, pack: str, optional: bool, mistakes: list[str]
) -> tuple[Rule | None, list[RuleTest]]:
    """Read one `[[rule]]`; the rule is None after a mistake."""
    id = table.get("id")
    named = id if isinstance(id, str) and id else f"number {number}"
    reader = TableReader(table, f'{path}: rule "{named}"', mistakes)
    before = len(mistakes)
    head = rule_head(reader, path, pack, optional=optional)
    written, kind_name = head.id, head.kind
    if written and not _ID.fullmatch(written):
        reader.mistake("id", "expected small letters, digits and single hyphens, as in `sync-before-lengths`")
    if written in BUILT_IN or written in KINDS or written in ("all", "allow", "ledger"):
        reader.mistake("id", f'"{written}" is taken')
    own_tests = _parse_tests(reader, written, mistakes)
    if kind_name in KINDS:
        kind: Kind[Any] = KINDS[kind_name]
        rule = kind.parse(head, reader)
        reader.unread((*COMMON_KEYS, *kind.keys))
        assert rule is not None or len(mistakes) > before, f"{kind_name} refused {written} without saying why"
        return (rule if len(mistakes) == before else None), own_tests
    return None, own_tests


def _untested(path: str, id: str, tests: list[RuleTest]) -> Iterable[str]:
    """What a rule's tests leave open: it must be shown to fire, and to stay quiet."""
    if not any(test.fires for test in tests):
        yield f'{path}: rule "{id}": has no test that fires (a [[rule.test]] with `//~ {id}`)'
    if all(test.fires for test in tests):
        yield f'{path}: rule "{id}": has no test that stays quiet (a [[rule.test]] without `//~`)'


def _parse_tests(reader: TableReader, rule: str, mistakes: list[str]) -> list[RuleTest]:
    """The `[[rule.test]]` tables of a rule."""
    tests = []
    for number, table in enumerate(_list_of_tables(reader, "test"), start=1):
        one = TableReader(table, f"{reader.where}: test {number}", mistakes)
        name, edition = test_head(one)
        files: dict[str, str] = {}
        if "files" in table:
            one.read.add("files")
            given = table["files"]
            if isinstance(given, dict) and given and all(isinstance(text, str) for text in given.values()):
                files.update(given)
            else:
                one.mistake("files", f"expected a table of path and text, got {shown(given)}")
        if "code" in table or "files" not in table:
            files["src/lib.rs"] = one.string("code", required=True)
        one.unread(("name", "code", "files", "edition"))
        tests.append(RuleTest(rule, name, tuple(sorted(files.items())), edition))
    return tests


def _list_of_tables(reader: TableReader, key: str) -> list[Mapping[str, object]]:
    reader.read.add(key)
    value = reader.table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        reader.mistake(key, f"expected a list of tables (`[[{key}]]`), got {shown(value)}")
        return []
    return cast(list[Mapping[str, object]], value)


def _with_level(rule: Rule, level: Level) -> Rule:
    """The same rule at a level that the user set."""
    head = replace(rule.head, level=level, forced=True)
    return cast(Rule, replace(cast(Any, rule), head=head))


@cache
def _shipped_packs() -> tuple[Pack, ...]:
    """The packs that ship; a mistake in one is our own bug, and told like any other."""
    mistakes: list[str] = []
    packs = []
    for name, text in _pack_texts("rules", shipped_folder(), mistakes):
        packs.append(parse_pack(text, name, own=False))
    return tuple(packs)


def _pack_texts(shown_path: str, path: TextPath, mistakes: list[str]) -> list[tuple[str, str]]:
    """(name for messages, text) of a pack file, or of each in a folder."""
    if path.is_dir():
        files: list[tuple[str, TextPath]]
        files = [
            (f"{shown_path.rstrip('/')}/{one.name}", one)
            for one in sorted(path.glob("*.toml"), key=lambda one: one.name)
        ]
        if not files:
            mistakes.append(f"{shown_path}: holds no *.toml")
    else:
        files = [(shown_path, path)]
    texts = []
    for name, file in files:
        try:
            texts.append((name, file.read_text(encoding="utf-8-sig")))
        except (OSError, UnicodeDecodeError) as error:
            mistakes.append(f"{name}: can't be read: {getattr(error, 'strerror', None) or error}")
    return texts
