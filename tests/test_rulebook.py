"""Packs and settings become rules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from inroads import rulebook
from inroads.analyses.base import Context, Kind, RuleHead, TableReader, rule_by_rule
from inroads.errors import SettingsError, UsageError
from inroads.facts import Finding
from inroads.rulebook import Choice, load_rulebook, parse_pack
from inroads.settings import PathLevels, Settings

if TYPE_CHECKING:
    from inroads.program import Program


class WordRule(msgspec.Struct, frozen=True):
    head: RuleHead
    word: str


def _parse(head: RuleHead, table: TableReader) -> WordRule:
    return WordRule(head, table.string("word", required=True))


def _check(rule: WordRule, program: Program, context: Context) -> Iterable[Finding]:
    return ()


def _absent(rule: WordRule, program: Program) -> None:
    return None


@pytest.fixture(autouse=True)
def only_one_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = Kind("word", ("word",), _parse, rule_by_rule(_check, _absent), _absent)
    monkeypatch.setattr(rulebook, "KINDS", {"word": kind})
    monkeypatch.setattr(
        rulebook, "_shipped_packs", lambda: (parse_pack(pack("shipped-word"), "rules/a.toml", own=False),)
    )


def pack(id: str, extra: str = "", level: str = "warn") -> str:
    return f"""
[[rule]]
id = "{id}"
kind = "word"
title = "a word"
level = "{level}"
why = "because"
word = "w"
{extra}
[[rule.test]]
name = "fires"
code = "x //~ {id}"
[[rule.test]]
name = "stays quiet"
code = "x"
"""


def mistakes(text: str) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        parse_pack(text, "mine.toml", own=True)
    return list(caught.value.messages)


def write(tmp_path: Path, text: str) -> list[tuple[str, Path]]:
    (tmp_path / "mine.toml").write_text(text)
    return [("mine.toml", tmp_path / "mine.toml")]


def test_a_pack_gives_rules_with_their_tests() -> None:
    read = parse_pack(pack("bad-word"), "mine.toml", own=True)
    assert [rule.head.id for rule in read.rules] == ["bad-word"]
    assert [(test.name, test.fires) for test in read.tests] == [("fires", True), ("stays quiet", False)]


def test_an_own_pack_is_not_optional_and_a_shipped_one_is() -> None:
    assert not parse_pack(pack("bad-word"), "mine.toml", own=True).rules[0].head.optional
    assert parse_pack(pack("bad-word"), "mine.toml", own=False).rules[0].head.optional


def test_all_mistakes_of_a_pack_are_told_at_once() -> None:
    text = pack("Bad", extra='wird = "x"', level="denny") + "\n[[rule]]\nkind = 'wurd'\n"
    found = mistakes(text)
    assert 'mine.toml: rule "Bad": unknown key "wird"; did you mean "word"?' in found
    assert 'mine.toml: rule "Bad": level: unknown word "denny"; did you mean "deny"?' in found
    assert any(one.startswith('mine.toml: rule "Bad": id: expected small letters') for one in found)
    assert 'mine.toml: rule "number 2": kind: unknown word "wurd"; did you mean "word"?' in found
    assert 'mine.toml: rule "number 2": the key "id" is missing' in found


def test_a_rule_without_a_firing_test_is_refused() -> None:
    text = pack("bad-word").replace("//~ bad-word", "")
    assert mistakes(text) == [
        'mine.toml: rule "bad-word": has no test that fires (a [[rule.test]] with `//~ bad-word`)'
    ]


def test_a_rule_without_a_quiet_test_is_refused() -> None:
    text = pack("bad-word").replace('code = "x"', 'code = "x //~ bad-word"')
    assert mistakes(text) == [
        'mine.toml: rule "bad-word": has no test that stays quiet (a [[rule.test]] without `//~`)'
    ]


def test_a_mark_of_a_longer_name_does_not_fire_the_rule() -> None:
    text = pack("bad-word").replace("//~ bad-word", "//~ bad-word-too")
    assert "has no test that fires" in mistakes(text)[0]


def test_two_rules_of_one_name_are_refused() -> None:
    assert 'mine.toml: rule "bad-word": there are two of that name' in mistakes(pack("bad-word") * 2)


def test_a_rule_that_ships_cannot_be_replaced(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r'mine\.toml: rule "shipped-word": rules/a\.toml has a rule of that name'
    ):
        load_rulebook(write(tmp_path, pack("shipped-word")))


def test_what_is_no_toml_names_the_line() -> None:
    assert mistakes("a = [")[0].startswith("mine.toml: this is no valid TOML")


def test_own_rules_add_to_those_that_ship(tmp_path: Path) -> None:
    book = load_rulebook(write(tmp_path, pack("own-word")))
    assert [rule.head.id for rule in book.active] == ["own-word", "shipped-word"]


def test_select_takes_ids_kinds_and_packs(tmp_path: Path) -> None:
    own = write(tmp_path, pack("own-word"))
    assert [r.head.id for r in load_rulebook(own, choice=Choice(select=("own-word",))).active] == ["own-word"]
    assert [r.head.id for r in load_rulebook(own, choice=Choice(select=("mine",))).active] == ["own-word"]
    assert len(load_rulebook(own, choice=Choice(select=("word",))).active) == 2


def test_a_flag_beats_a_setting() -> None:
    settings = Settings(ignore=("shipped-word",), levels=(("shipped-word", "deny"),))
    assert load_rulebook(settings=settings).active == ()
    book = load_rulebook(
        settings=settings, choice=Choice(select=("shipped-word",), levels=(("shipped-word", "warn"),))
    )
    assert [(rule.head.id, rule.head.level) for rule in book.active] == [("shipped-word", "warn")]


def test_an_unknown_word_is_told_with_the_nearest() -> None:
    with pytest.raises(
        SettingsError,
        match='--ignore: no rule, kind or pack is called "shiped-word"; did you mean "shipped-word"',
    ):
        load_rulebook(choice=Choice(ignore=("shiped-word",)))


def test_the_words_under_paths_are_checked_too() -> None:
    settings = Settings(path="inroads.toml", paths=(PathLevels(("tests/**",), (("shpped-word", "allow"),)),))
    with pytest.raises(SettingsError, match=r"inroads\.toml: paths: no rule"):
        load_rulebook(settings=settings)


def test_an_allowed_rule_does_not_run_until_it_is_raised(tmp_path: Path) -> None:
    own = write(tmp_path, pack("own-word", level="allow"))
    assert "own-word" not in [rule.head.id for rule in load_rulebook(own).active]
    raised = load_rulebook(own, choice=Choice(levels=(("own-word", "warn"),)))
    assert ("own-word", "warn", True) in [(r.head.id, r.head.level, r.head.forced) for r in raised.active]


def test_a_set_level_shows_what_a_kind_would_hide_and_denies_only_what_it_shows() -> None:
    plain = RuleHead("a", "word", "t", "warn")
    warned = RuleHead("a", "word", "t", "warn", forced=True)
    denied = RuleHead("a", "word", "t", "deny", forced=True)
    assert [plain.grade("allow"), warned.grade("allow"), denied.grade("allow")] == ["allow", "warn", "allow"]
    assert [plain.grade("deny"), warned.grade("deny"), denied.grade("warn")] == ["deny", "warn", "deny"]


def test_finding_an_unknown_rule_tells_the_nearest() -> None:
    with pytest.raises(UsageError, match='did you mean "shipped-word"'):
        load_rulebook().find("shipped-wort")


def test_a_folder_without_packs_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"mine/: holds no \*\.toml|mine: holds no"):
        load_rulebook([("mine", tmp_path)])
