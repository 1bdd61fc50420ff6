"""What the user has settled."""

from __future__ import annotations

from pathlib import Path

import pytest

from inroads.errors import SettingsError
from inroads.settings import Settings, parse_settings, read_settings


def mistakes(table: dict[str, object]) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        parse_settings(table, "inroads.toml")
    return list(caught.value.messages)


def test_all_mistakes_are_told_at_once_with_the_nearest_key() -> None:
    assert mistakes({"selct": ["a"], "tests": "yes", "levels": {"a-rule": "denny"}}) == [
        'inroads.toml: levels: a-rule: unknown word "denny"; did you mean "deny"?',
        'inroads.toml: tests: expected true or false, got "yes"',
        'inroads.toml: unknown key "selct"; did you mean "select"?',
    ]


def test_the_levels_of_a_path_need_both_keys() -> None:
    assert mistakes({"paths": [{"levels": {"a": "warn"}}, {"paths": ["tests/**"]}]}) == [
        'inroads.toml: paths 1: the key "paths" is missing',
        "inroads.toml: paths 2: levels: is missing",
    ]


def test_what_is_no_toml_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "inroads.toml").write_text("select = []\nselect = 1 2\n")
    with pytest.raises(SettingsError, match=r"inroads\.toml: this is no valid TOML: .*line 2"):
        read_settings(tmp_path)


def test_the_file_beats_the_manifest(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text("[workspace.metadata.inroads]\ntests = true\n")
    assert read_settings(tmp_path).tests
    (tmp_path / ".inroads.toml").write_text("certain = true\n")
    assert read_settings(tmp_path) == Settings(path=".inroads.toml", certain=True)


def test_a_mistake_in_the_manifest_names_its_table(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text("[package.metadata.inroads]\nrules = 1\n")
    with pytest.raises(
        SettingsError, match=r'Cargo\.toml: \[package\.metadata\.inroads\]: unknown key "rules"'
    ):
        read_settings(tmp_path)


def test_without_any_file_all_is_default(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == Settings()


def test_what_is_told_of_a_crate_from_outside_is_checked() -> None:
    wrong = {"crate": "a b", "declaration": "fn f();"}
    assert mistakes({"extern": [wrong, {"crate": "a", "declarations": "pub fn f( -> u8;"}]}) == [
        'inroads.toml: extern 1: the key "declarations" is missing',
        'inroads.toml: extern 1: unknown key "declaration"; did you mean "declarations"?',
        'inroads.toml: extern 1: crate: "a b" is no path of names, as in `net::tcp`',
        "inroads.toml: extern 2: declarations: line 1, column 11: a syntax error",
    ]


def test_a_pattern_that_matches_nothing_is_a_mistake() -> None:
    table = {"exclude": ["[", "gen/**"], "paths": [{"paths": ["!", "a[b-a]"], "levels": {}}]}
    with pytest.raises(SettingsError) as caught:
        parse_settings(table, "inroads.toml")
    assert [line.split('"')[1] for line in str(caught.value).splitlines()] == ["[", "!", "a[b-a]"]
