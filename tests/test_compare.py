"""What a change makes new is told apart from what was there."""

from __future__ import annotations

import msgspec

from inroads.compare import since
from inroads.facts import Finding, Fingerprint, Report, Road
from made_finding import made_finding


def finding(function: str = "a::f", call: str = "x()", roads: tuple[str, ...] = ()) -> Finding:
    return made_finding(
        level="warn",
        function=function,
        fingerprint=Fingerprint(rule="r", function=function, callee="x", call=call, context="c"),
        roads=tuple(Road(root="a::f", path="src/lib.rs", line=3, fingerprint=one, steps=()) for one in roads),
        roads_total=len(roads),
    )


def report(*findings: Finding) -> Report:
    return Report(
        root=".", findings=findings, allowed=(), notes=(), problems=(), statistics={"files": 1}, sources={}
    )


F = frozenset({"a::f"})


def test_what_was_there_is_known() -> None:
    made = since(report(finding()), report(finding(), finding(call="y()")), F, F)
    assert [one.fingerprint.call for one in made.findings] == ["y()"]
    assert [one.status for one in made.known] == ["known"]
    assert (made.statistics["new"], made.statistics["known"]) == (1, 1)


def test_a_finding_that_was_allowed_is_new() -> None:
    base = msgspec.structs.replace(report(), allowed=(finding(),))
    assert len(since(base, report(finding()), F, F).findings) == 1


def test_a_renamed_function_makes_nothing_new() -> None:
    made = since(report(finding("a::f")), report(finding("a::g")), F, frozenset({"a::g"}))
    assert made.findings == ()


def test_a_new_road_to_a_known_place_is_told_alone() -> None:
    made = since(report(finding(roads=("one",))), report(finding(roads=("one", "two"))), F, F)
    assert [[road.fingerprint for road in one.roads] for one in made.findings] == [["two"]]


def test_what_was_mended_is_counted() -> None:
    assert since(report(finding()), report(), F, F).statistics["mended"] == 1
