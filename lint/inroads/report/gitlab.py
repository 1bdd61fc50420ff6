"""GitLab's Code Quality report: one JSON array, shown in merge requests."""

from __future__ import annotations

import json

from inroads.facts import Report
from inroads.report import Look
from inroads.report.common import unique_digests, visible, worst_first

_SEVERITY = {"deny": "critical", "warn": "major", "allow": "info"}


def render(report: Report, look: Look) -> str:
    """The array; findings that are known stay out, since GitLab compares by fingerprint itself."""
    findings = worst_first(report.findings)
    rows = [
        {
            "description": visible(finding.message),
            "check_name": finding.rule,
            "fingerprint": mark,
            "severity": _SEVERITY[finding.level],
            "location": {
                "path": finding.path,
                "positions": {
                    "begin": {"line": finding.line, "column": finding.column},
                    "end": {"line": finding.end_line, "column": finding.end_column},
                },
                "lines": {"begin": finding.line, "end": finding.end_line},
            },
        }
        for finding, mark in zip(findings, unique_digests(findings), strict=True)
    ]
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
