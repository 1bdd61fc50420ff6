"""What CI systems read: against their schemas, within their limits, several in one run."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest
import xmlschema
from click.testing import CliRunner
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as SarifLog

from gate_project import Project, make_project
from inroads.cli.run import group
from inroads.facts import Problem, Report
from inroads.report import FORMATS, Look, render
from test_report_formats import HOSTILE, finding, report

SCHEMAS = Path(__file__).parent / "schemas"
LOOK = Look()


def many_problems(count: int) -> tuple[Problem, ...]:
    return tuple(
        Problem(kind="syntax", path=f"src/{at}.rs", line=1, column=1, message=HOSTILE) for at in range(count)
    )


def reports() -> list[Report]:
    """From empty to hostile."""
    hostile = finding(2, message=HOSTILE, help=HOSTILE, function=HOSTILE, path="src/ä b.rs")
    homeless = Problem(kind="include", path="", line=1, column=1, message="nowhere")
    return [
        report(),
        report(finding(), finding(), problems=()),
        report(hostile, finding(3, level="warn", status="new"), problems=(homeless, *many_problems(3))),
        report(known=(finding(status="known"),), allowed=(finding(reason=HOSTILE),)),
    ]


@pytest.mark.parametrize("format", ["junit", "checkstyle"])
@pytest.mark.parametrize("made", reports())
def test_xml_follows_its_schema(format: str, made: Report) -> None:
    xmlschema.XMLSchema(SCHEMAS / f"{format}.xsd").validate(render(made, format, LOOK))


@pytest.mark.parametrize("made", reports())
def test_gitlab_follows_its_schema(made: Report) -> None:
    schema = json.loads((SCHEMAS / "code_quality.json").read_text())
    jsonschema.validate(json.loads(render(made, "gitlab", LOOK)), schema)


@pytest.mark.parametrize("made", reports())
def test_sarif_follows_the_official_schema(made: Report) -> None:
    log = json.loads(render(made, "sarif", LOOK))
    SarifLog.model_validate(log)
    # The model leaves out what JSON schema alone says: lists without doubles.
    jsonschema.validate(log, SarifLog.model_json_schema(by_alias=True))


def test_a_problem_without_a_file_has_no_location() -> None:
    homeless = Problem(kind="include", path="", line=1, column=1, message="nowhere")
    log = json.loads(render(report(problems=(homeless,)), "sarif", LOOK))
    (told,) = [
        one
        for one in log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        if one["descriptor"]["id"] == "include"
    ]
    assert "locations" not in told


def test_github_lists_the_problems_that_it_does_not_annotate() -> None:
    text = render(report(finding(level="warn"), problems=many_problems(12)), "github", LOOK)
    assert text.count("\n::warning ") + text.startswith("::warning ") == 10
    assert "3 problems beyond what GitHub annotates:\n  src/9.rs:1:1: syntax: " in text


def test_a_summary_stays_below_what_github_takes() -> None:
    long = "ä" * 2_000
    steps = tuple(msgspec.structs.replace(finding().trace[0], note=long) for _ in range(150))
    made = report(*(finding(at, trace=steps, help=long) for at in range(60)), problems=many_problems(400))
    text = render(made, "markdown", LOOK)
    assert len(text.encode()) < 1_048_576
    assert "10 findings more." in text
    assert "findings are left out." in text
    assert "350 problems more" in text


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = make_project(tmp_path / "app")
    made.edit("src/main.rs", "    pool.fill();\n", "")
    return made


def check(project: Project, *arguments: str) -> str:
    arguments = ("check", str(project.root), "--no-cache", *arguments)
    done = CliRunner().invoke(group, arguments, standalone_mode=False)
    assert done.return_value == 1, done.output
    return done.stdout


def test_all_formats_are_written_in_one_run(project: Project, tmp_path: Path) -> None:
    files = {format: tmp_path / f"out.{format}" for format in FORMATS}
    arguments = [word for format, path in files.items() for word in ("--output-format", f"{format}={path}")]
    assert check(project, *arguments, "--output-format", "concise") == check(
        project, "--output-format", "concise"
    )
    assert len(files) == 11
    assert all(path.read_text() for path in files.values())


def test_what_a_step_wrote_into_its_summary_stays(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    summary.write_text("before\n")
    check(project, "--output-format", f"markdown={summary}")
    text = summary.read_text()
    assert text.startswith("before\n## Inroads: 1 finding")
    check(project, "--output-format", f"markdown={summary}")
    assert summary.read_text().count("## Inroads") == 2


def test_other_files_are_written_anew(project: Project, tmp_path: Path) -> None:
    for _ in range(2):
        check(project, "--output-format", f"markdown={tmp_path / 'out.md'}")
    assert (tmp_path / "out.md").read_text().count("## Inroads") == 1
