"""reviewdog's diagnostic format, as one JSON object. Its columns are UTF-8 bytes, like ours."""

from __future__ import annotations

import json

from inroads.facts import Finding, Report, Step
from inroads.report import Look
from inroads.report.common import visible, worst_first

_SEVERITY = {"deny": "ERROR", "warn": "WARNING", "allow": "INFO"}


def render(report: Report, look: Look) -> str:
    """The object with all kept findings, worst first."""
    rows = [_diagnostic(finding) for finding in worst_first(report.findings)]
    return (
        json.dumps({"source": {"name": "inroads"}, "diagnostics": rows}, indent=1, ensure_ascii=False) + "\n"
    )


def _diagnostic(finding: Finding) -> dict[str, object]:
    text = finding.message + (f"\n{finding.help}" if finding.help else "")
    made: dict[str, object] = {
        "message": visible(text, "\n"),
        "location": {
            "path": finding.path,
            "range": {
                "start": {"line": finding.line, "column": finding.column},
                "end": {"line": finding.end_line, "column": finding.end_column},
            },
        },
        "severity": _SEVERITY[finding.level],
        "code": {"value": finding.rule},
    }
    steps = (*finding.trace, *finding.related)
    if steps:
        made["relatedLocations"] = [_related(step) for step in steps]
    return made


def _related(step: Step) -> dict[str, object]:
    start = {"line": step.line, "column": step.column}
    return {"message": visible(step.note), "location": {"path": step.path, "range": {"start": start}}}
