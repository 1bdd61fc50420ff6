"""One line a finding: for editors, grep and people in a hurry."""

from __future__ import annotations

from inroads.facts import Report
from inroads.report import Look
from inroads.report.common import LEVEL_WORD, visible


def render(report: Report, look: Look) -> str:
    """`path:line:column: level[rule] message`, in the order of places; nothing where there is no finding."""
    lines = [
        f"{visible(one.path)}:{one.line}:{one.column}: {LEVEL_WORD[one.level]}[{one.rule}] {visible(one.message)}"
        + (" (maybe)" if one.certainty == "maybe" else "")
        for one in report.findings
    ]
    return "".join(f"{line}\n" for line in lines)
