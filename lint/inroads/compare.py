"""
What a change makes new: the report of a program beside the report of the same program before.

Both programs are judged whole, under one rulebook and one set of settings; so
a finding is new wherever the change made it, also in a file that it did not
touch. What was allowed before and is not now is new too, since it is only the
kept findings of the base that are known.
"""

from __future__ import annotations

from datetime import date

import msgspec

from inroads.baseline import Entry, compare, entries_of
from inroads.facts import Note, Report


def since(base: Report, head: Report, before: frozenset[str], now: frozenset[str]) -> Report:
    """
    The head's report with only what is new among its findings; the others are `known`.

    Args:
        before, now: The paths of all functions of the two programs: a finding of a function that is
            gone may go on in one that was not there.
    """
    entries = entries_of(base.findings, (), before)
    # What a base has never expires, so the day does not matter.
    compared = compare(head.findings, entries, now, date.min, "", functions_before=before)
    return msgspec.structs.replace(
        head,
        findings=compared.fresh,
        known=compared.known,
        statistics={
            **head.statistics,
            "new": len(compared.fresh),
            "known": len(compared.known),
            "mended": len(compared.stale),
        },
    )


def beside_baseline(
    report: Report, entries: tuple[Entry, ...], functions: frozenset[str], today: date, name: str, whole: bool
) -> Report:
    """
    The report with only what a baseline file does not cover; notes tell of stale and expired entries.

    Args:
        whole: Whether the report is that of all rules, on the whole program.
    """
    compared = compare(report.findings, entries, functions, today, name, others=report.known, whole=whole)
    notes: tuple[Note, ...] = (*report.notes, *compared.notes)
    return msgspec.structs.replace(
        report,
        findings=compared.fresh,
        known=(*report.known, *compared.known),
        notes=tuple(sorted(notes, key=lambda note: (note.path, note.line, note.kind, note.message))),
    )
