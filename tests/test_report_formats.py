"""Each machine-readable format is valid, complete, and safe against what the analysed code is called."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import msgspec
import pytest
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as SarifLog

from inroads.facts import Finding, Fingerprint, Note, Problem, Report, Road, RuleInfo, Step
from inroads.report import FORMATS, Look, render
from made_finding import made_finding

HOSTILE = 'a::b,c%0A\n::error::<script>|`x`\x1b[31m\u202e&"]]>'
LOOK = Look()


def finding(number: int = 1, **changes: object) -> Finding:
    steps = (
        Step(path="src/lib.rs", line=1, column=4, note="entry point"),
        Step(path="src/lib.rs", line=3, column=5, note="the call"),
    )
    base = made_finding(
        rule="sync-before-lengths",
        message="synced before its lengths are populated",
        help="call forward first",
        end_column=9,
        callees=("X::x",),
        fingerprint=Fingerprint(rule="r", function="a::f", callee="X::x", call=f"x({number})", context="c"),
        trace=steps,
        roads=(Road(root="a::main", path="src/lib.rs", line=1, fingerprint="r1", steps=steps),),
        roads_total=1,
    )
    return msgspec.structs.replace(base, **changes)


def report(*findings: Finding, **changes: object) -> Report:
    base = Report(
        root="/w",
        findings=findings,
        allowed=(),
        notes=(Note(kind="tolerated", path="src/lib.rs", line=2, message="fine"),),
        problems=(Problem(kind="syntax", path="src/bad.rs", line=1, column=1, message="not Rust"),),
        statistics={},
        sources={"src/lib.rs:3": "    sync(ä);"},
        rules=(
            RuleInfo(
                id="sync-before-lengths",
                kind="order",
                level="deny",
                title="t",
                why="Because.\n\nMore.",
                pack="p",
            ),
        ),
    )
    return msgspec.structs.replace(base, **changes)


def sarif(made: Report) -> dict[str, list[dict[str, object]]]:
    log = json.loads(render(made, "sarif", LOOK))
    SarifLog.model_validate(log)
    run = log["runs"][0]
    assert isinstance(run, dict)
    return run


def test_sarif_follows_the_official_schema() -> None:
    allowed = finding(2, reason="checked by hand")
    run = sarif(report(finding(status="new"), allowed=(allowed,), known=(finding(3, status="known"),)))
    assert [one.get("baselineState") for one in run["results"]] == ["new", "unchanged", None]
    assert run["results"][2]["suppressions"] == [{"kind": "inSource", "justification": "checked by hand"}]


def test_sarif_carries_the_road_as_a_code_flow() -> None:
    (result,) = sarif(report(finding()))["results"]
    flow = result["codeFlows"][0]["threadFlows"][0]["locations"]  # type: ignore[index]
    assert [one["location"]["message"]["text"] for one in flow] == ["entry point", "the call"]


def test_sarif_columns_are_characters() -> None:
    (result,) = sarif(report(finding(column=10, end_column=12)))["results"]
    region = result["locations"][0]["physicalLocation"]["region"]  # type: ignore[index]
    assert (region["startColumn"], region["endColumn"]) == (10, 11)


def test_sarif_uris_are_relative_and_escaped() -> None:
    (result,) = sarif(report(finding(path="src/a b#\n.rs")))["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]  # type: ignore[index]
    assert uri == {"uri": "src/a%20b%23%0A.rs", "uriBaseId": "%SRCROOT%"}


def test_sarif_tells_problems_as_notifications() -> None:
    run = sarif(report())
    told = run["invocations"][0]["toolExecutionNotifications"]
    assert [one["level"] for one in told] == ["warning", "note"]  # type: ignore[attr-defined]


def test_sarif_cuts_the_least_findings_first_and_says_so() -> None:
    many = [finding(number, level="warn") for number in range(5_000)]
    run = sarif(report(*many, finding(9_999)))
    assert len(run["results"]) == 5_000
    assert run["results"][0]["level"] == "error"
    told = run["invocations"][0]["toolExecutionNotifications"]
    assert "1 result of 5,001 left out" in json.dumps(told)


def test_sarif_fingerprints_differ_for_equal_findings() -> None:
    run = sarif(report(finding(), finding()))
    marks = {json.dumps(one["partialFingerprints"]) for one in run["results"]}
    assert len(marks) == 2


def test_github_annotates_ten_of_a_kind_worst_first_and_lists_the_rest() -> None:
    many = [finding(number, line=number, level="warn") for number in range(1, 13)]
    lines = render(report(*many, finding(99)), "github", LOOK).splitlines()
    assert lines[0].startswith("::error file=src/lib.rs,line=3,")
    assert sum(line.startswith("::warning") for line in lines) == 10
    assert "2 findings beyond what GitHub annotates:" in lines


def test_github_commands_cannot_be_forged_by_the_code() -> None:
    text = render(report(finding(message=HOSTILE, path="src/::error::.rs")), "github", LOOK)
    assert [line for line in text.splitlines() if line.startswith("::")] == [
        line
        for line in text.splitlines()
        if line.startswith(("::error file=src/%3A%3Aerror", "::warning file=src/bad"))
    ]


def test_gitlab_has_the_required_keys() -> None:
    (row,) = json.loads(render(report(finding()), "gitlab", LOOK))
    assert set(row) == {"description", "check_name", "fingerprint", "severity", "location"}
    assert row["location"]["lines"]["begin"] == 3


def test_rdjson_has_ranges_in_bytes() -> None:
    (row,) = json.loads(render(report(finding(column=10)), "rdjson", LOOK))["diagnostics"]
    assert row["location"]["range"]["start"] == {"line": 3, "column": 10}
    assert (row["severity"], row["code"]) == ("ERROR", {"value": "sync-before-lengths"})


def test_junit_counts_failures_and_errors() -> None:
    root = ElementTree.fromstring(render(report(finding(), finding(2)), "junit", LOOK).encode())
    assert (root.get("failures"), root.get("errors"), root.get("tests")) == ("2", "1", "3")


def test_junit_of_a_clean_run_has_a_passed_case_for_each_rule() -> None:
    root = ElementTree.fromstring(render(report(problems=()), "junit", LOOK).encode())
    assert [case.get("name") for case in root.iter("testcase")] == ["sync-before-lengths"]
    assert not list(root.iter("failure"))


def test_checkstyle_groups_by_file() -> None:
    root = ElementTree.fromstring(render(report(finding()), "checkstyle", LOOK).encode())
    assert [(one.get("name"), len(one)) for one in root] == [("src/bad.rs", 1), ("src/lib.rs", 1)]


def test_markdown_escapes_what_the_code_says() -> None:
    text = render(report(finding(message=HOSTILE)), "markdown", LOOK)
    assert "<script>" not in text
    (row,) = [line for line in text.splitlines() if line.startswith("| error |")]
    assert row.replace("\\|", "").count("|") == 5


def test_concise_is_one_line_a_finding() -> None:
    assert render(report(finding()), "concise", LOOK) == (
        "src/lib.rs:3:5: error[sync-before-lengths] synced before its lengths are populated\n"
    )


def test_jsonl_has_an_object_a_line() -> None:
    lines = render(report(finding(), finding(2)), "jsonl", LOOK).splitlines()
    assert [json.loads(line)["rule"] for line in lines] == ["sync-before-lengths"] * 2


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_no_format_lets_control_characters_through(format: str) -> None:
    hostile = finding(
        message=HOSTILE, function=HOSTILE, trace=(Step(path="src/lib.rs", line=1, column=1, note=HOSTILE),)
    )
    text = render(report(hostile), format, LOOK)
    assert "\x1b" not in text
    assert "\u202e" not in text or format in ("json", "jsonl")


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_an_empty_report_renders(format: str) -> None:
    text = render(report(problems=(), notes=()), format, LOOK)
    assert text == "" or text.endswith("\n")
