"""A baseline holds what is known, tells what is stale, and survives edits of the code."""

from __future__ import annotations

from datetime import date

import pytest

from inroads import baseline
from inroads.errors import SettingsError
from inroads.facts import Finding, Fingerprint, Road
from made_finding import made_finding

TODAY = date(2027, 1, 1)
FUNCTIONS = frozenset({"a::f"})


def finding(call: str = "self.x()", context: str = "c1", roads: tuple[str, ...] = ()) -> Finding:
    return made_finding(
        level="warn",
        callees=("X::x",),
        fingerprint=Fingerprint(rule="r", function="a::f", callee="X::x", call=call, context=context),
        roads=tuple(Road(root="a::f", path="src/lib.rs", line=3, fingerprint=one, steps=()) for one in roads),
        roads_total=len(roads),
    )


def entries(*findings: Finding) -> tuple[baseline.Entry, ...]:
    return baseline.entries_of(findings, (), FUNCTIONS)


def test_what_is_written_reads_back() -> None:
    made = entries(finding('self.x("ä\\n")', roads=("r2", "r1")), finding("b"))
    assert set(baseline.read(baseline.write(made), "b.toml")) == set(made)


def test_the_order_of_the_entries_does_not_matter() -> None:
    made = entries(finding("a"), finding("b"))
    assert baseline.write(made) == baseline.write(made[::-1])


def test_a_known_finding_is_not_new() -> None:
    compared = baseline.compare([finding()], entries(finding(context="c2")), FUNCTIONS, TODAY, "b.toml")
    assert (compared.fresh, [one.status for one in compared.known]) == ((), ["known"])


def test_a_stale_entry_is_told() -> None:
    compared = baseline.compare([], entries(finding()), FUNCTIONS, TODAY, "b.toml")
    assert [note.kind for note in compared.notes] == ["stale-baseline"]


def test_an_expired_entry_shows_its_finding_again() -> None:
    text = baseline.write(entries(finding())) + "until = 2026-12-31\nowner = 'storage'\n"
    compared = baseline.compare([finding()], baseline.read(text, "b.toml"), FUNCTIONS, TODAY, "b.toml")
    assert [one.status for one in compared.fresh] == ["new"]
    assert "storage" in compared.notes[0].message


def test_an_entry_holds_on_its_last_day() -> None:
    text = baseline.write(entries(finding())) + "until = 2027-01-01\n"
    assert not baseline.compare([finding()], baseline.read(text, "b.toml"), FUNCTIONS, TODAY, "b.toml").fresh


def test_a_new_road_is_new_and_shown_alone() -> None:
    compared = baseline.compare(
        [finding(roads=("old", "new"))], entries(finding(roads=("old",))), FUNCTIONS, TODAY, "b.toml"
    )
    assert [[road.fingerprint for road in one.roads] for one in compared.fresh] == [["new"]]


def test_writing_again_keeps_what_the_team_added() -> None:
    before = baseline.read(baseline.write(entries(finding())) + "reason = 'issue 4'\n", "b.toml")
    assert baseline.entries_of([finding(context="c9")], before, FUNCTIONS)[0].reason == "issue 4"


def test_all_mistakes_of_a_file_are_told_at_once() -> None:
    text = "version = 1\n[[finding]]\nrule = 3\nwhy = 'x'\n[[finding]]\nrule = 'r'\nuntil = 'soon'\n"
    with pytest.raises(SettingsError) as caught:
        baseline.read(text, "b.toml")
    assert [line.split(":")[1].strip() for line in caught.value.messages] == ["finding 1"] * 3 + ["finding 2"]


def test_text_that_is_no_toml_is_an_error_with_its_place() -> None:
    with pytest.raises(SettingsError, match=r"b.toml: not valid TOML: .*line 2"):
        baseline.read("version = 1\nx = = 2", "b.toml")
