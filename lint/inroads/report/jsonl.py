"""One JSON object a line, a finding each, shaped as in the `findings` of the JSON format."""

from __future__ import annotations

import json

from inroads.facts import Report
from inroads.report import Look
from inroads.report.as_json import finding_object


def render(report: Report, look: Look) -> str:
    """The kept findings; nothing where there is none."""
    return "".join(json.dumps(finding_object(one), ensure_ascii=False) + "\n" for one in report.findings)
