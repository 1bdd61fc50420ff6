"""
SARIF 2.1.0, as GitHub's code scanning reads it.

Columns are in characters (SARIF knows no bytes). What GitHub would refuse or
hide is cut here, worst first, and a notification says what was cut.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from urllib.parse import quote

from inroads import __version__
from inroads.facts import Finding, Report, RuleInfo, Step
from inroads.report import Look
from inroads.report.common import character_column, counted, unique_digests, visible, worst_first

# GitHub shows at most these; more results than 25,000 are refused.
MOST_RESULTS = 5_000
MOST_LOCATIONS = 100
MOST_FLOW_STEPS = 1_000
MOST_FLOWS = 20

Json = dict[str, object]
_LEVEL = {"deny": "error", "warn": "warning", "allow": "note"}


def render(report: Report, look: Look) -> str:
    """One SARIF log with one run."""
    everything = [
        *((finding, False) for finding in worst_first((*report.findings, *report.known))),
        *((finding, True) for finding in worst_first(report.allowed)),
    ]
    shown = everything[:MOST_RESULTS]
    cut: list[str] = []
    if len(shown) < len(everything):
        cut.append(
            f"{counted(len(everything) - len(shown), 'result')} of {len(everything):,} left out, the least first"
        )
    rules = _rules(report, [finding for finding, _ in shown])
    index = {rule.id: at for at, rule in enumerate(rules)}
    digests = unique_digests(finding for finding, _ in shown)
    results = [
        _result(report, finding, is_allowed, index[finding.rule], mark, cut)
        for (finding, is_allowed), mark in zip(shown, digests, strict=True)
    ]
    log: Json = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "inroads",
                        "semanticVersion": __version__,
                        "rules": [_rule(rule) for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "the root of the workspace"}}},
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": _notifications(report, cut),
                    }
                ],
                "results": results,
            }
        ],
    }
    return json.dumps(log, indent=1, ensure_ascii=False) + "\n"


def _rules(report: Report, findings: Iterable[Finding]) -> list[RuleInfo]:
    """The rules that ran and those that only findings name (the allow comments' own), sorted by id."""
    known = {rule.id: rule for rule in report.rules}
    for finding in findings:
        if finding.rule not in known:
            known[finding.rule] = RuleInfo(
                id=finding.rule, kind=finding.kind, level=finding.level, title=finding.rule, why="", pack=""
            )
    return [known[id] for id in sorted(known)]


def _rule(rule: RuleInfo) -> Json:
    made: Json = {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "defaultConfiguration": {"level": _LEVEL[rule.level]},
        "properties": {"tags": [rule.kind, *((rule.pack,) if rule.pack else ())]},
    }
    if rule.why:
        made["fullDescription"] = {"text": rule.why.strip().split("\n\n")[0].replace("\n", " ")}
        made["help"] = {"text": rule.why.strip(), "markdown": rule.why.strip()}
    return made


def _result(
    report: Report, finding: Finding, is_allowed: bool, rule_index: int, mark: str, cut: list[str]
) -> Json:
    text = finding.message if finding.certainty == "sure" else f"{finding.message} (maybe)"
    if finding.help:
        text = f"{text}\n{finding.help}"
    made: Json = {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": _LEVEL[finding.level],
        "message": {"text": visible(text, "\n")},
        "locations": [
            {
                "physicalLocation": _physical(
                    report, finding.path, finding.line, finding.column, finding.end_line, finding.end_column
                ),
                **_logical(finding.function),
            }
        ],
        "partialFingerprints": {"inroads/v1": mark},
        "properties": {"certainty": finding.certainty, "how": finding.how, "via": list(finding.via)},
    }
    if finding.fate is not None:
        made["properties"] = {**_table(made["properties"]), "fate": finding.fate}
    where = f"{finding.rule} at {finding.path}:{finding.line}"
    related = finding.related[:MOST_LOCATIONS]
    if len(related) < len(finding.related):
        cut.append(f"{where}: {counted(len(finding.related) - len(related), 'related place')} left out")
    if related:
        made["relatedLocations"] = [_location(report, step) for step in related]
    flows = [road.steps for road in finding.roads if road.steps and not road.good] or [finding.trace]
    if len(flows) > MOST_FLOWS:
        cut.append(f"{where}: {counted(len(flows) - MOST_FLOWS, 'road')} left out")
    if flows[0]:
        made["codeFlows"] = [
            {"threadFlows": [{"locations": _flow(report, steps, where, cut)}]} for steps in flows[:MOST_FLOWS]
        ]
    if is_allowed:
        made["suppressions"] = [
            {
                "kind": "inSource",
                **({"justification": finding.reason} if finding.reason else {}),
            }
        ]
    if finding.status is not None:
        made["baselineState"] = "new" if finding.status == "new" else "unchanged"
    return made


def _flow(report: Report, steps: tuple[Step, ...], where: str, cut: list[str]) -> list[Json]:
    if len(steps) > MOST_FLOW_STEPS:
        cut.append(f"{where}: {counted(len(steps) - MOST_FLOW_STEPS, 'step')} of a road left out")
    return [
        {"executionOrder": at, "location": _location(report, step)}
        for at, step in enumerate(steps[:MOST_FLOW_STEPS], 1)
    ]


def _location(report: Report, step: Step) -> Json:
    return {
        "physicalLocation": _physical(report, step.path, step.line, step.column, None, None),
        "message": {"text": visible(step.note) or "here"},
    }


def _physical(
    report: Report, path: str, line: int, column: int, end_line: int | None, end_column: int | None
) -> Json:
    region: Json = {"startLine": line, "startColumn": character_column(report, path, line, column)}
    if end_line is not None and end_column is not None:
        region["endLine"] = end_line
        region["endColumn"] = character_column(report, path, end_line, end_column)
    return {
        "artifactLocation": {
            "uri": quote(path, safe="/", errors="surrogateescape"),
            "uriBaseId": "%SRCROOT%",
        },
        "region": region,
    }


def _logical(function: str) -> Json:
    if not function:
        return {}
    return {"logicalLocations": [{"fullyQualifiedName": visible(function), "kind": "function"}]}


def _notifications(report: Report, cut: list[str]) -> list[Json]:
    made: list[Json] = [
        {
            "level": "warning",
            "message": {"text": visible(problem.message)},
            "descriptor": {"id": problem.kind},
            **(
                {
                    "locations": [
                        {
                            "physicalLocation": _physical(
                                report, problem.path, problem.line, problem.column, None, None
                            )
                        }
                    ]
                }
                if problem.path
                else {}
            ),
        }
        for problem in report.problems
    ]
    made.extend(
        {
            "level": "note",
            "message": {"text": visible(note.message)},
            "descriptor": {"id": note.kind},
            "locations": [{"physicalLocation": _physical(report, note.path, note.line, 1, None, None)}],
        }
        for note in report.notes
        if note.path
    )
    made.extend(
        {"level": "note", "message": {"text": visible(text)}, "descriptor": {"id": "cut"}} for text in cut
    )
    return made


def _table(value: object) -> Json:
    assert isinstance(value, dict)
    return value
