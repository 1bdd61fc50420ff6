"""The report as text and as JSON."""

from __future__ import annotations

import json

import msgspec

from inroads.facts import Finding, Fingerprint, Note, Problem, Report, Road, Step
from inroads.report import Look, render
from inroads.report.text import render_problems, summary
from inroads.texts import excerpted
from made_finding import made_finding

LINE = "        self.sync(id);"
FINDING = made_finding(
    rule="late-sync",
    message="synced too early",
    help="call `forward` before",
    path="src/a.rs",
    line=18,
    column=14,
    end_line=18,
    end_column=18,
    function="a::S::trim",
    callees=("a::S::sync",),
    fingerprint=Fingerprint(
        rule="late-sync", function="a::S::trim", callee="a::S::sync", call="self.sync(id)", context="0"
    ),
    label="no forward for `id` on 1 of 2 roads",
    trace=(Step(path="src/a.rs", line=4, column=5, note="entry point"),),
    roads=(
        Road(
            root="a::run",
            path="src/a.rs",
            line=4,
            fingerprint="1",
            steps=(
                Step(path="src/a.rs", line=4, column=5, note="entry point"),
                Step(path="src/b.rs", line=9, column=5, note="the forward is not reached"),
            ),
        ),
        Road(root="a::run", path="src/a.rs", line=7, fingerprint="2", steps=(), good=True),
    ),
    roads_total=1,
)


def report(*findings: Finding) -> Report:
    return Report(
        root="/r",
        findings=findings,
        allowed=(),
        notes=(Note(kind="tolerated", path="src/a.rs", line=2, message="an empty list is Ok"),),
        problems=(Problem(kind="syntax", path="src/b.rs", line=3, column=1, message="unexpected `}`"),),
        statistics={"files": 2, "functions": 5},
        sources={"src/a.rs:18": LINE, "src/a.rs:4": "    self.trim();", "src/b.rs:9": "    if x {"},
    )


def test_a_finding_is_told_in_the_order_in_which_it_happens() -> None:
    assert render(report(FINDING), "text", Look()) == (
        """\
error[late-sync]: synced too early
  --> src/a.rs:18:14  in S::trim
    |
 18 |         self.sync(id);
    |              ^^^^ no forward for `id` on 1 of 2 roads
    |
    road 1 of 1, from run
               4  self.trim();  entry point
      src/b.rs:9  if x {        the forward is not reached
    good: the road through 7
    help: call `forward` before
    why:  inroads explain late-sync

note[tolerated]: src/a.rs:2: an empty list is Ok

1 finding (1 deny), 1 note, 1 problem in 2 files, 5 functions
"""
    )


def test_roads_from_tests_are_told_by_their_number() -> None:
    for roads, words in ((1, "1 road"), (7, "7 roads"), (101, "more than 100 roads")):
        one = msgspec.structs.replace(FINDING, roads_from_tests=roads)
        assert f"    not judged: {words} from tests\n" in render(report(one), "text", Look())
        assert json.loads(render(report(one), "json", Look()))["findings"][0]["roads_from_tests"] == roads
    assert "not judged" not in render(report(FINDING), "text", Look())


def test_without_colour_no_escape_sequence_is_written() -> None:
    assert "\x1b" not in render(report(FINDING), "text", Look())
    assert "\x1b[1;31merror[late-sync]\x1b[0m" in render(report(FINDING), "text", Look(colour=True))


def test_a_place_is_a_link_where_links_are_wanted() -> None:
    text = render(report(FINDING), "text", Look(colour=True, links="file:///r"))
    assert "\x1b]8;;file:///r/src/a.rs\x1b\\src/a.rs:18:14\x1b]8;;\x1b\\" in text


def test_the_caret_stands_under_wide_and_tabbed_text() -> None:
    line = "\t/* 日本 */ sync();"
    moved = report(msgspec.structs.replace(FINDING, column=15, end_column=19))
    text = render(msgspec.structs.replace(moved, sources={"src/a.rs:18": line}), "text", Look())
    code, caret = text.splitlines()[3:5]
    assert code == " 18 |     /* 日本 */ sync();"
    # Two wide signs take four columns.
    assert caret.index("^") == code.index("sync") + 2


def test_of_a_line_without_end_the_part_around_the_finding_is_shown() -> None:
    line = "let _ = a(); " * 1000 + "sync();" + " b();" * 1000
    moved = report(msgspec.structs.replace(FINDING, column=13_001, end_column=13_005))
    text = render(msgspec.structs.replace(moved, sources={"src/a.rs:18": line}), "text", Look())
    code, caret = text.splitlines()[3:5]
    assert len(code) < 450
    assert caret.index("^") == code.index("sync")


def test_escape_sequences_in_source_text_do_not_reach_the_terminal() -> None:
    evil = msgspec.structs.replace(report(FINDING), sources={"src/a.rs:18": "\x1b[2Jsync"})
    assert "\x1b" not in render(evil, "text", Look())


def test_json_has_the_keys_that_are_promised() -> None:
    told = json.loads(render(report(FINDING), "json", Look()))
    assert list(told) == ["version", "root", "findings", "allowed", "notes", "problems", "statistics"]
    [finding] = told["findings"]
    promised = (
        "rule kind level certainty message help path line column end_line end_column function callees how via"
    )
    assert list(finding)[:15] == promised.split()
    assert {"fingerprint", "trace", "related", "roads", "roads_total"} <= set(finding)
    assert "fate" not in finding and "status" not in finding
    assert [road["root"] for road in finding["roads"]] == ["a::run"]
    assert told["problems"] == [
        {"kind": "syntax", "path": "src/b.rs", "line": 3, "column": 1, "message": "unexpected `}`"}
    ]


def test_problems_are_told_one_a_line() -> None:
    assert render_problems(report().problems, Look()) == "problem[syntax]: src/b.rs:3:1: unexpected `}`\n"


def test_the_summary_counts_and_leaves_the_time_out_unless_it_is_given() -> None:
    assert summary(report()) == "0 findings, 1 note, 1 problem in 2 files, 5 functions"
    assert summary(report(FINDING), "0.21").endswith(", 0.21 s")


def barred(sources: dict[int, str], **changes: int) -> list[str]:
    """The excerpt of a finding of several lines."""
    one = msgspec.structs.replace(FINDING, **changes)
    made = {f"src/a.rs:{line}": text for line, text in sources.items()}
    text = render(msgspec.structs.replace(report(one), sources=made), "text", Look())
    return text.split("    |\n")[1].splitlines()


def test_a_call_of_several_lines_is_shown_to_its_end() -> None:
    sources = {18: "    if let Err(e) = self", 19: "        .model", 20: "        .sync(id)", 21: "    {"}
    assert barred(sources, column=21, end_line=20, end_column=18) == [
        " 18 |       if let Err(e) = self",
        "    |  _____________________^",
        " 19 | |         .model",
        " 20 | |         .sync(id)",
        "    | |_________________^ no forward for `id` on 1 of 2 roads",
    ]


def test_a_call_that_begins_its_line_is_barred_from_there() -> None:
    assert barred(
        {18: "    sync(", 19: "        id,", 20: "    );"}, column=5, end_line=20, end_column=6
    ) == [
        " 18 | /     sync(",
        " 19 | |         id,",
        " 20 | |     );",
        "    | |_____^ no forward for `id` on 1 of 2 roads",
    ]


def test_of_a_long_call_the_first_and_the_last_lines_are_shown() -> None:
    sources = {line: f"    line {line}" for line in excerpted(98, 120)}
    assert barred(sources, line=98, column=5, end_line=120, end_column=13) == [
        " 98 | /     line 98",
        " 99 | |     line 99",
        "100 | |     line 100",
        "    | | ...",
        "119 | |     line 119",
        "120 | |     line 120",
        "    | |____________^ no forward for `id` on 1 of 2 roads",
    ]


def test_where_an_error_dies_is_not_told_twice() -> None:
    there = Step(path="src/a.rs", line=18, column=14, note="here it is dropped: let _")
    later = msgspec.structs.replace(there, line=20)
    one = msgspec.structs.replace(FINDING, message="the error of `a` is dropped", label="let _", roads=())
    told = render(report(msgspec.structs.replace(one, related=(there, later))), "text", Look())
    assert told.count("then: ") == 1
    assert "then: 20  here it is dropped: let _" in told


def test_a_bare_line_number_is_in_the_file_that_was_named_last() -> None:
    steps = tuple(
        Step(path=path, line=4, column=1, note="n") for path in ("src/a.rs", "src/b.rs", "src/a.rs")
    )
    told = render(report(msgspec.structs.replace(FINDING, related=steps)), "text", Look())
    assert "then: 4  n\n    then: src/b.rs:4  n\n    then: src/a.rs:4  n\n" in told
