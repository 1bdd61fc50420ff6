"""
The report for people: rustc's manner, the story in the order in which it happens.

One idea a line; a place in the finding's own file is told by its line alone,
any other with its path. See `Look` for what may be switched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from inroads.facts import Finding, Note, Problem, Report, Road, Step
from inroads.report.common import from_tests
from inroads.report.excerpt import LONGEST, Row, excerpt
from inroads.report.style import Piece, coloured, printable, shortened, width_of

if TYPE_CHECKING:
    from inroads.report import Look

_WORDS = {"deny": ("error", "error"), "warn": ("warning", "warning"), "allow": ("note", "note")}
# Notes that tell of the run rather than of the code are counted, not told one by one.
_COUNTED_NOTES = ("inactive-rule", "blind", "rule-satisfied")
_SNIPPET = 44
Line = list[Piece]


def render(report: Report, look: Look) -> str:
    """All findings, the notes that matter, the summary."""
    lines: list[Line] = []
    for finding in report.findings:
        lines += _finding(finding, report, look)
        lines.append([])
    notes = [note for note in report.notes if note.kind not in _COUNTED_NOTES]
    for note in notes:
        lines.append(_note(note, look))
    if notes:
        lines.append([])
    if look.statistics:
        lines += _statistics(report)
    lines.append([Piece(summary(report, look.seconds), "bold" if report.findings else "")])
    return "\n".join(coloured(line, look.colour) for line in lines) + "\n"


def render_problems(problems: Iterable[Problem], look: Look) -> str:
    """One line for each problem; for standard error."""
    lines = []
    for problem in problems:
        place = f"{problem.path}:{problem.line}:{problem.column}" if problem.path else ""
        pieces = [Piece(f"problem[{problem.kind}]", "warning"), Piece(": ")]
        if place:
            pieces += [_place(place, problem.path, look), Piece(": ")]
        lines.append([*pieces, Piece(printable(problem.message))])
    return "".join(coloured(line, look.colour) + "\n" for line in lines)


def summary(report: Report, seconds: str | None = None) -> str:
    """The last line: what was found, and in what."""
    levels = Counter(finding.level for finding in report.findings)
    parts = [_count(len(report.findings), "finding")]
    if levels:
        parts[0] += (
            f" ({', '.join(f'{levels[level]} {level}' for level in ('deny', 'warn') if levels[level])})"
        )
    if report.known or "new" in report.statistics:
        parts[0] = parts[0].replace("finding", "new finding", 1)
        parts.append(f"{len(report.known)} known")
    if report.statistics.get("mended"):
        parts.append(f"{int(report.statistics['mended'])} mended")
    if report.allowed:
        parts.append(f"{len(report.allowed)} allowed")
    parts.append(_count(len(report.notes), "note"))
    parts.append(_count(len(report.problems), "problem"))
    files = int(report.statistics.get("files", 0))
    functions = int(report.statistics.get("functions", 0))
    tail = f" in {_count(files, 'file')}, {_count(functions, 'function')}"
    return ", ".join(parts) + tail + (f", {seconds} s" if seconds is not None else "")


def _finding(finding: Finding, report: Report, look: Look) -> Iterator[Line]:
    word, style = _WORDS[finding.level]
    head = [Piece(f"{word}[{finding.rule}]", style), Piece(f": {printable(finding.message)}", "bold")]
    if finding.status is not None:
        head.append(Piece(f" ({finding.status})", "dim"))
    yield head
    rows = excerpt(finding, report)
    gutter = max(3, *(len(str(row.line or finding.line)) for row in (Row(finding.line, ""), *rows)))
    bar = Piece(" " * (gutter + 1) + "|", "gutter")
    where = f"{finding.path}:{finding.line}:{finding.column}"
    function = f"  in {short_path(finding.function)}" if finding.function else ""
    yield [
        Piece(" " * (gutter - 1) + "--> ", "gutter"),
        _place(where, finding.path, look),
        Piece(function, "dim"),
    ]
    if rows:
        yield [bar]
        for row in rows:
            front = Piece(f"{row.line:>{gutter}} |", "gutter") if row.line is not None else bar
            yield [front, Piece(" "), Piece(row.marks, style), Piece(row.text)]
        yield [bar]
    indent = " " * (gutter + 1)
    for line in _story(finding, report, look):
        yield [Piece(indent), *line]


def _story(finding: Finding, report: Report, look: Look) -> Iterator[Line]:
    """What follows the excerpt: roads, what happens next, the good road, help."""
    bad = [road for road in finding.roads if not road.good]
    total = max(finding.roads_total, len(bad))
    for number, road in enumerate(bad[: look.roads], start=1):
        yield [
            Piece(f"road {number} of {total}", "bold"),
            Piece(f", from {short_path(road.root)}" if road.root else ""),
        ]
        yield from _steps(road.steps, finding.path, report, look)
    if len(bad) > look.roads:
        for road in bad[look.roads :][:4]:
            yield [
                Piece("also", "bold"),
                Piece(f" from {short_path(road.root)}, " if road.root else " from "),
                _place(_short(road.path, road.line, finding.path), road.path, look),
            ]
        if len(bad) > look.roads + 4 or total > len(bad):
            more = total - min(len(bad), look.roads + 4)
            if more > 0:
                yield [Piece(f"and {_count(more, 'further road')}; --roads N tells them", "dim")]
    if finding.roads_from_tests:
        yield [Piece(f"not judged: {from_tests(finding.roads_from_tests)} from tests", "dim")]
    if not finding.roads and finding.trace:
        yield from _steps(finding.trace, finding.path, report, look)
    # The lines of a gap name these places already, each with what it means.
    before = finding.path
    for step in finding.related if finding.kind != "gap" else ():
        if _is_told(step, finding):
            continue
        # A bare number is read as a line of the file that was named last.
        home = finding.path if before == finding.path else ""
        before = step.path
        yield [
            Piece("then: ", "bold"),
            _place(_short(step.path, step.line, home), step.path, look),
            Piece(f"  {printable(step.note)}" if step.note else ""),
        ]
    for detail in finding.details:
        yield [Piece(printable(detail))]
    for road in [road for road in finding.roads if road.good][:1]:
        yield _good(road, finding, look)
    if finding.certainty == "maybe" and not any(one.startswith("maybe") for one in finding.details):
        yield [Piece("certainty: ", "bold"), Piece("maybe")]
    if finding.help:
        first, *rest = finding.help.splitlines()
        yield [Piece("help: ", "help"), Piece(printable(first))]
        for line in rest:
            yield [Piece("      "), Piece(printable(line))]
    yield [Piece("why:  ", "dim"), Piece(f"inroads explain {finding.rule}", "dim")]


def _is_told(step: Step, finding: Finding) -> bool:
    """Whether the message and the excerpt say all of a step: an error dies where it is called, and how."""
    what, _, how = step.note.removeprefix("here it ").rpartition(": ")
    there = step.path == finding.path and finding.line <= step.line <= finding.end_line
    return there and bool(what) and how == finding.label and finding.message.endswith(f" {what}")


def _steps(steps: tuple[Step, ...], home: str, report: Report, look: Look) -> Iterator[Line]:
    """A row for each step: place, code, half a sentence."""
    rows = [
        (
            _short(step.path, step.line, home),
            shortened(_code(printable_line(report, step.path, step.line)), _SNIPPET),
            step,
        )
        for step in steps
    ]
    places = max((width_of(place) for place, _, _ in rows), default=0)
    codes = max((width_of(code) for _, code, _ in rows), default=0)
    for place, code, step in rows:
        yield [
            Piece("  " + " " * (places - width_of(place))),
            _place(place, step.path, look),
            Piece("  " + code + " " * (codes - width_of(code)) if codes else ""),
            Piece("  " + printable(step.note), "dim" if step.note.startswith("called") else ""),
        ]


def _good(road: Road, finding: Finding, look: Look) -> Line:
    last = road.steps[-1] if road.steps else None
    line = [
        Piece("good: ", "good"),
        Piece("the road through "),
        _place(_short(road.path, road.line, finding.path), road.path, look),
    ]
    if last is not None and last.note:
        line.append(Piece(f": {printable(last.note)}"))
    return line


def _note(note: Note, look: Look) -> Line:
    place = f"{note.path}:{note.line}: " if note.path else ""
    return [
        Piece(f"note[{note.kind}]", "note"),
        Piece(": "),
        _place(place, note.path, look),
        Piece(printable(note.message)),
    ]


def _statistics(report: Report) -> list[Line]:
    """How often each rule fired, and the numbers of the run."""
    counts = Counter((finding.rule, finding.level) for finding in report.findings)
    lines = [
        [Piece(f"{count:>7}  "), Piece(rule, "bold"), Piece(f"  {level}")]
        for (rule, level), count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    lines += [[Piece(f"{value:>7g}  {name}", "dim")] for name, value in sorted(report.statistics.items())]
    return [*lines, []] if lines else lines


def printable_line(report: Report, path: str, line: int) -> str:
    """The source line, "" where the report does not carry it."""
    return printable(report.sources.get(f"{path}:{line}", "")[:LONGEST]).rstrip()


def short_path(path: str) -> str:
    """`Scheduler::run` of `server::scheduler::Scheduler::run`, `main` of `server::main`."""
    if path.startswith("<") or "::" not in path:
        return path
    *_, before, last = path.split("::")
    return f"{before}::{last}" if before[:1].isupper() else last


def _code(line: str) -> str:
    """The code of a line, without a comment behind it."""
    code, sign, comment = line.partition(" //")
    return (code if sign and code.strip() and '"' not in comment else line).strip()


def _short(path: str, line: int, home: str) -> str:
    """A place by its line where it is in the same file."""
    return str(line) if path == home else f"{path}:{line}"


def _place(text: str, path: str, look: Look) -> Piece:
    """A place that a terminal can open."""
    return Piece(text, link=f"{look.links}/{path}" if look.links and path else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
