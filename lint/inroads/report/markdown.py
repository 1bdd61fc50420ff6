"""A summary in Markdown, for a CI step's summary or a comment on a change."""

from __future__ import annotations

import re

from inroads.facts import Finding, Report, Step
from inroads.report import Look
from inroads.report.common import LEVEL_WORD, counted, visible, worst_first

MOST_SHOWN = 50
# GitHub refuses a summary above 1 MiB.
MOST_BYTES = 1_000_000
MOST_STEPS = 100
MOST_TEXT = 1_000
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~-])")


def render(report: Report, look: Look) -> str:
    """A headline, a table of the worst findings, and the road to each, folded."""
    findings = worst_first(report.findings)
    lines = [f"## Inroads: {_headline(report)}", ""]
    if findings:
        lines += ["| level | rule | place | what |", "| --- | --- | --- | --- |"]
        lines += [_row(finding) for finding in findings[:MOST_SHOWN]]
        lines.append("")
        if len(findings) > MOST_SHOWN:
            lines += [f"{counted(len(findings) - MOST_SHOWN, 'finding')} more.", ""]
        lines += _all_details(findings[:MOST_SHOWN], sum(len(line.encode()) + 1 for line in lines))
    if report.problems:
        lines += ["### Problems", ""]
        lines += [
            f"- {code(f'{one.path}:{one.line}')} {escape(one.message)}"
            for one in report.problems[:MOST_SHOWN]
        ]
        if len(report.problems) > MOST_SHOWN:
            lines.append(f"- {counted(len(report.problems) - MOST_SHOWN, 'problem')} more")
        lines.append("")
    return "\n".join(lines)


def escape(text: str) -> str:
    """Text that Markdown and HTML leave alone, on one line; a very long one is cut."""
    if len(text) > MOST_TEXT:
        text = f"{text[:MOST_TEXT]} ..."
    return _SPECIAL.sub(r"\\\1", visible(text.replace("\n", " "))).replace("&", "&amp;")


def code(text: str) -> str:
    """Text as a code span; the fence is longer than any run of backticks in it."""
    shown = visible(text.replace("\n", " ")).replace("|", "\\|")
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}" if longest else f"{fence}{shown}{fence}"


def _headline(report: Report) -> str:
    parts = [counted(len(report.findings), "finding")]
    if report.known:
        parts.append(f"{len(report.known):,} known")
    if report.allowed:
        parts.append(f"{len(report.allowed):,} allowed")
    parts.append(counted(len(report.problems), "problem"))
    return ", ".join(parts)


def _row(finding: Finding) -> str:
    what = escape(finding.message) + (" (maybe)" if finding.certainty == "maybe" else "")
    place = code(f"{finding.path}:{finding.line}:{finding.column}")
    return f"| {LEVEL_WORD[finding.level]} | {code(finding.rule)} | {place} | {what} |"


def _all_details(findings: list[Finding], used: int) -> list[str]:
    """The folded part of each finding, worst first, as long as there is room."""
    lines: list[str] = []
    for number, finding in enumerate(findings):
        more = _details(finding)
        used += sum(len(line.encode()) + 1 for line in more)
        # Half of the room is left for the problems.
        if used > MOST_BYTES // 2:
            return [*lines, f"The roads of {counted(len(findings) - number, 'finding')} are left out.", ""]
        lines += more
    return lines


def _details(finding: Finding) -> list[str]:
    steps = finding.trace or finding.related
    if not steps and not finding.help:
        return []
    lines = [f"<details><summary>{code_html(finding)}</summary>", ""]
    lines += [_step(step) for step in steps[:MOST_STEPS]]
    if len(steps) > MOST_STEPS:
        lines += ["", f"{counted(len(steps) - MOST_STEPS, 'step')} more."]
    if finding.help:
        lines += ["", f"Help: {escape(finding.help)}"]
    return [*lines, "", "</details>", ""]


def code_html(finding: Finding) -> str:
    """The head of a folded part: HTML, since Markdown is not read inside `summary` everywhere."""
    text = visible(f"{finding.rule} at {finding.path}:{finding.line}")
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _step(step: Step) -> str:
    return f"1. {code(f'{step.path}:{step.line}')} {escape(step.note)}"
