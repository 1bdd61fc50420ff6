"""
Many repositories in one run: a row for each, and all of them together.

Each repository is checked by a process of its own, so that a bad one (no Rust,
wrong settings, a crash) is a row that says so, and the others go on. What a
repository gave is kept in a folder; a run that was cut off goes on from there.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from inroads.report.common import counted, visible


class Member(msgspec.Struct, frozen=True):
    """
    One repository of the fleet.

    Args:
        name: As it was given.
        code: The exit code of its check; 2 and above, and below 0, mean that it could not be checked.
        error: Why it could not be checked, "" where it was.
        report: Its report, as the JSON format has it; empty where there is none.
        seconds: How long it took; 0 where an earlier run's answer was taken.
    """

    name: str
    code: int
    error: str = ""
    report: Mapping[str, Any] = msgspec.field(default_factory=dict)
    seconds: float = 0.0

    @property
    def findings(self) -> tuple[Mapping[str, Any], ...]:
        """Its kept findings that are not known."""
        return tuple(one for one in self.report.get("findings", ()) if one.get("status") != "known")

    def count(self, level: str) -> int:
        """How many findings have a level."""
        return sum(one["level"] == level for one in self.findings)


def exit_code(members: Iterable[Member]) -> int:
    """2 where a repository could not be checked, else 1 where one has findings, else 0."""
    codes = {1 if member.code == 1 else 2 if member.code else 0 for member in members}
    return max(codes, default=0)


def as_text(members: tuple[Member, ...], worst: int) -> str:
    """The table of repositories, the table of rules, and the worst findings."""
    lines = _table(
        ("repository", "deny", "warn", "problems", "files", "functions"),
        [_row(member) for member in members],
    )
    failed = [member for member in members if member.error]
    rules = _rules(members)
    if rules:
        lines += ["", *_table(("rule", "findings", "repositories"), rules)]
    shown = _worst(members, worst)
    if shown:
        lines += ["", f"the worst {len(shown)}:" if 1 < len(shown) else "the worst:"]
        lines += [
            f"  {visible(name)}/{visible(one['path'])}:{one['line']}:{one['column']}: "
            f"{one['level']}[{one['rule']}] {visible(one['message'])}"
            for name, one in shown
        ]
    if failed:
        lines += ["", "not checked:"]
        lines += [f"  {visible(member.name)}: {visible(member.error)}" for member in failed]
    total = sum(len(member.findings) for member in members)
    lines += [
        "",
        f"{counted(total, 'finding')} in {len(members) - len(failed)} of {len(members)} repositories",
    ]
    return "\n".join(lines) + "\n"


def as_json(members: tuple[Member, ...], worst: int) -> str:
    """One object: a row for each repository with its whole report, and the counts of each rule."""
    made = {
        "version": 1,
        "repositories": [
            {
                "name": member.name,
                "exit_code": member.code,
                "error": member.error,
                "findings": len(member.findings),
                "report": dict(member.report),
            }
            for member in members
        ],
        "rules": [
            {"rule": rule, "findings": int(count), "repositories": int(homes)}
            for rule, count, homes in _rules(members)
        ],
        "worst": [{"repository": name, **one} for name, one in _worst(members, worst)],
    }
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _row(member: Member) -> tuple[str, ...]:
    if member.error:
        return (visible(member.name), "-", "-", "-", "-", "not checked")
    statistics = member.report.get("statistics", {})
    return (
        visible(member.name),
        str(member.count("deny")),
        str(member.count("warn")),
        str(len(member.report.get("problems", ()))),
        f"{int(statistics.get('files', 0)):,}",
        f"{int(statistics.get('functions', 0)):,}",
    )


def _rules(members: Iterable[Member]) -> list[tuple[str, ...]]:
    """(rule, findings, repositories that have one), the most frequent first."""
    counts: Counter[str] = Counter()
    homes: Counter[str] = Counter()
    for member in members:
        inside = Counter(one["rule"] for one in member.findings)
        counts.update(inside)
        homes.update(dict.fromkeys(inside, 1))
    return [
        (rule, str(counts[rule]), str(homes[rule]))
        for rule in sorted(counts, key=lambda one: (-counts[one], one))
    ]


def _worst(members: Iterable[Member], most: int) -> list[tuple[str, Mapping[str, Any]]]:
    """Denied first, sure first; within a repository in its own order, which is worst first."""
    everything = [
        ((one["level"] != "deny", one["certainty"] != "sure", place, at), member.name, one)
        for at, member in enumerate(members)
        for place, one in enumerate(member.findings)
    ]
    return [(name, one) for _, name, one in sorted(everything, key=lambda entry: entry[0])[:most]]


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """Lines of columns; the first is set left, numbers right."""
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, tuple("-" * width for width in widths), *rows)
    ]
