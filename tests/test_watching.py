"""Running again on change."""

from __future__ import annotations

from pathlib import Path

from inroads.cli.watching import is_wanted, run_on_change


def test_each_change_is_a_run_and_the_last_code_is_given(tmp_path: Path) -> None:
    codes = iter([0, 1, 2])
    assert run_on_change(tmp_path, lambda: next(codes), iter([{"a"}, {"b"}])) == 2


def test_build_output_and_the_cache_are_not_watched() -> None:
    assert is_wanted(1, "/w/src/lib.rs")
    assert is_wanted(1, "/w/inroads.toml")
    assert not is_wanted(1, "/w/target/debug/build/x.rs")
    assert not is_wanted(1, "/w/.inroads_cache/replay-1")
    assert not is_wanted(1, "/w/README.md")
