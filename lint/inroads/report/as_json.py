"""The report as one JSON object; its shape is a contract (see docs/output.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from inroads.facts import Finding, Note, Problem, Report, Road, Step

if TYPE_CHECKING:
    from inroads.report import Look

VERSION = 1


def render(report: Report, look: Look) -> str:
    """The object, indented, with a newline at the end."""
    encoded = msgspec.json.encode(as_object(report))
    return msgspec.json.format(encoded, indent=2).decode() + "\n"


def as_object(report: Report) -> dict[str, object]:
    """
    The report as plain values.

    Known findings stand among the others, with their status: whoever reads
    the object can tell what is new, and what was there before.
    """
    findings = sorted(
        (*report.findings, *report.known), key=lambda one: (one.path, one.line, one.column, one.rule)
    )
    return {
        "version": VERSION,
        "root": report.root,
        "findings": [finding_object(one) for one in findings],
        "allowed": [finding_object(one) for one in report.allowed],
        "notes": [_note(one) for one in report.notes],
        "problems": [problem_object(one) for one in report.problems],
        "statistics": report.statistics,
    }


def finding_object(finding: Finding) -> dict[str, object]:
    """A finding; keys that do not apply are left out."""
    result: dict[str, object] = {
        "rule": finding.rule,
        "kind": finding.kind,
        "level": finding.level,
        "certainty": finding.certainty,
        "message": finding.message,
        "help": finding.help,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "function": finding.function,
        "callees": list(finding.callees),
        "how": finding.how,
        "via": list(finding.via),
    }
    if finding.fate is not None:
        result["fate"] = finding.fate
    result["fingerprint"] = msgspec.to_builtins(finding.fingerprint)
    if finding.status is not None:
        result["status"] = finding.status
    result["label"] = finding.label
    result["details"] = list(finding.details)
    result["trace"] = [step_object(one) for one in finding.trace]
    result["related"] = [step_object(one) for one in finding.related]
    result["roads"] = [road_object(one) for one in finding.roads if not one.good]
    result["good_roads"] = [road_object(one) for one in finding.roads if one.good]
    result["roads_total"] = finding.roads_total
    result["roads_from_tests"] = finding.roads_from_tests
    if finding.reason is not None:
        result["reason"] = finding.reason
    return result


def step_object(step: Step) -> dict[str, object]:
    """A place and half a sentence."""
    return {"path": step.path, "line": step.line, "column": step.column, "note": step.note}


def road_object(road: Road) -> dict[str, object]:
    """A road with its steps."""
    return {
        "root": road.root,
        "path": road.path,
        "line": road.line,
        "column": road.column,
        "fingerprint": road.fingerprint,
        "steps": [step_object(one) for one in road.steps],
    }


def problem_object(problem: Problem) -> dict[str, object]:
    """Something that could not be read."""
    return {
        "kind": problem.kind,
        "path": problem.path,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }


def _note(note: Note) -> dict[str, object]:
    return {"kind": note.kind, "path": note.path, "line": note.line, "message": note.message}
