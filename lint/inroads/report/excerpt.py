"""
The lines of a finding as rustc shows them: the code, and what is meant in it marked.

A call of one line is underlined; one of several has a bar before its lines, which
ends below its last sign, so that the name of what is called is seen at the end of a long chain.
"""

from __future__ import annotations

import msgspec

from inroads.facts import Finding, Report
from inroads.report.style import printable, width_of
from inroads.texts import excerpted

# Of a longer line a part is shown, in bytes.
LONGEST = 400


class Row(msgspec.Struct, frozen=True):
    """A row of an excerpt: its line, None between lines; the marks before the text, or in place of it."""

    line: int | None
    marks: str
    text: str = ""


def excerpt(finding: Finding, report: Report) -> list[Row]:
    """The rows of a finding; none where the report does not carry its line."""
    label = f" {printable(finding.label)}" if finding.label else ""
    lines = {
        line: text.encode()
        for line in excerpted(finding.line, finding.end_line)
        if (text := report.sources.get(f"{finding.path}:{line}")) is not None
    }
    if not lines.get(finding.line):
        return []
    if finding.end_line in lines and finding.end_line != finding.line:
        return _barred(finding, lines, label)
    return _underlined(finding, lines[finding.line], label)


def _underlined(finding: Finding, raw: bytes, label: str) -> list[Row]:
    begin = finding.column - 1
    end = finding.end_column - 1 if finding.end_line == finding.line else len(raw.rstrip())
    lead = tail = ""
    if len(raw) > LONGEST:
        # Of a line without end, as tools make them, the part around the finding.
        first = max(0, begin - LONGEST // 4)
        last = first + LONGEST
        lead, tail = "…" if first else "", "…" if last < len(raw) else ""
        raw, begin, end = raw[first:last], begin - first, min(end, last) - first
    before, under, after = map(_shown, (raw[:begin], raw[begin:end], raw[end:]))
    marks = " " * width_of(lead + before) + "^" * max(width_of(under), 1)
    return [
        Row(finding.line, "", f"{lead}{before}{under}{after}{tail}".rstrip()),
        Row(None, f"{marks}{label}"),
    ]


def _barred(finding: Finding, lines: dict[int, bytes], label: str) -> list[Row]:
    first = lines[finding.line]
    before = first[: finding.column - 1]
    rows = [Row(finding.line, "  " if before.strip() else "/ ", _cut(first))]
    if before.strip():
        rows.append(Row(None, f" {'_' * (width_of(_shown(before[:LONGEST])) + 1)}^"))
    last = finding.line
    for line, raw in list(lines.items())[1:]:
        if line != last + 1:
            rows.append(Row(None, "| ..."))
        rows.append(Row(line, "| ", _cut(raw)))
        last = line
    end = width_of(_shown(lines[finding.end_line][: finding.end_column - 1][:LONGEST]))
    rows.append(Row(None, f"|{'_' * end}^{label}"))
    return rows


def _cut(raw: bytes) -> str:
    return f"{_shown(raw[:LONGEST])}{'…' if len(raw) > LONGEST else ''}".rstrip()


def _shown(raw: bytes) -> str:
    return printable(raw.decode("utf-8", "replace"))
