"""
Annotations of GitHub Actions: workflow commands on standard output.

GitHub shows ten annotations of each level a step. The worst ten of each are
annotated, the others follow as plain lines, which stand in the step's log.
"""

from __future__ import annotations

from inroads.facts import Finding, Problem, Report
from inroads.report import Look
from inroads.report.common import character_column, counted, visible, worst_first

MOST = 10
_COMMAND = {"deny": "error", "warn": "warning", "allow": "notice"}


def render(report: Report, look: Look) -> str:
    """Workflow commands, then what they left out."""
    lines: list[str] = []
    left: list[Finding] = []
    used: dict[str, int] = {}
    for finding in worst_first(report.findings):
        command = _COMMAND[finding.level]
        used[command] = used.get(command, 0) + 1
        if used[command] <= MOST:
            lines.append(_annotation(report, command, finding))
        else:
            left.append(finding)
    unseen: list[Problem] = []
    for problem in report.problems:
        used["warning"] = used.get("warning", 0) + 1
        if used["warning"] <= MOST:
            place = f"file={_property(problem.path)},line={problem.line},col={problem.column},"
            title = f"title=inroads%3A {_property(problem.kind)}"
            lines.append(f"::warning {place if problem.path else ''}{title}::{_data(problem.message)}")
        else:
            unseen.append(problem)
    if left:
        lines.append(f"{counted(len(left), 'finding')} beyond what GitHub annotates:")
        lines.extend(_plain(finding) for finding in left)
    if unseen:
        lines.append(f"{counted(len(unseen), 'problem')} beyond what GitHub annotates:")
        lines.extend(
            f"  {visible(one.path)}:{one.line}:{one.column}: {one.kind}: {visible(one.message)}"
            for one in unseen
        )
    lines.append(
        f"inroads: {counted(len(report.findings), 'finding')}, {counted(len(report.problems), 'problem')}"
    )
    return "\n".join(lines) + "\n"


def _annotation(report: Report, command: str, finding: Finding) -> str:
    column = character_column(report, finding.path, finding.line, finding.column)
    place = f"file={_property(finding.path)},line={finding.line},endLine={finding.end_line},col={column}"
    if finding.end_line == finding.line:
        place += f",endColumn={character_column(report, finding.path, finding.line, finding.end_column)}"
    message = finding.message + (f"\n{finding.help}" if finding.help else "")
    return f"::{command} {place},title={_property(f'inroads: {finding.rule}')}::{_data(message)}"


def _plain(finding: Finding) -> str:
    # Two spaces before it: a line that begins with `::` would be a command.
    return f"  {visible(finding.path)}:{finding.line}:{finding.column}: {finding.rule}: {visible(finding.message)}"


def _data(text: str) -> str:
    return visible(text, "\r\n").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
