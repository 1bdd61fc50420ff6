"""`inroads rules`."""

from __future__ import annotations

import json
import re
from collections import Counter

import click

from inroads.analyses import KINDS
from inroads.builtin import BUILT_IN
from inroads.check import check
from inroads.cli.options import PATHS, read_rulebook, rule_options
from inroads.cli.session import open_session
from inroads.cli.terminal import write_output
from inroads.errors import NothingToAnalyse
from inroads.facts import Report


@click.command("rules")
@PATHS
@click.option("--output-format", "format", type=click.Choice(("text", "json")), default="text")
@click.option("--health", is_flag=True, help="Run the rules, and tell what each finds or why it can't.")
@rule_options
def command(
    paths: tuple[str, ...],
    format: str,
    health: bool,
    rules: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    deny: tuple[str, ...],
    warn: tuple[str, ...],
    allow: tuple[str, ...],
) -> int:
    """
    List the rules, and which apply here.

    A rule that ships is inactive where its target does not exist; one that is switched off says so.

    \b
    inroads rules
    inroads rules --select order --health      and what each of these finds here
    """
    session = open_session(paths)
    rulebook = read_rulebook(session.texts, session.settings, rules, select, ignore, deny, warn, allow)
    active = {rule.head.id: rule for rule in rulebook.active}
    absent: dict[str, str] = {}
    try:
        loaded = session.load(None, rulebook.externs)
    except NothingToAnalyse:
        # Without a program there is nothing that a rule could miss.
        loaded = None
    if loaded is not None:
        for rule in rulebook.active:
            reason = KINDS[rule.head.kind].absent(rule, loaded.program)
            if reason is not None:
                absent[rule.head.id] = reason
    told: dict[str, list[str]] = {}
    if health and loaded is not None:
        told = _health(check(loaded, rulebook, session.settings, session.options()))
    rows = []
    for id, reason in absent.items():
        told[id] = list(dict.fromkeys((reason, *told.get(id, ()))))
    for rule in sorted(rulebook.rules, key=lambda rule: (rule.head.kind, rule.head.id)):
        head = active.get(rule.head.id, rule).head
        status = "off" if head.id not in active else "inactive" if head.id in absent else "active"
        rows.append(
            {
                "id": head.id, "kind": head.kind, "level": head.level, "pack": head.pack,
                "status": status, "reason": "; ".join(told.get(head.id, ())), "title": head.title,
            }
        )  # fmt: skip
    levels = dict(rulebook.built_in_levels)
    for id, one in BUILT_IN.items():
        status = "off" if id in rulebook.disabled else "active"
        rows.append(
            {
                "id": id, "kind": one.kind, "level": levels.get(id, one.level), "pack": "", "status": status,
                "reason": "", "title": one.title,
            }
        )  # fmt: skip
    write_output(json.dumps(rows, indent=2) + "\n" if format == "json" else _table(rows), None)
    return 0


def _health(report: Report) -> dict[str, list[str]]:
    """What a run says of each rule: how much it found, and what is the matter with the rule itself."""
    told: dict[str, list[str]] = {}
    for kind, findings in (("finding", report.findings), ("allowed finding", report.allowed)):
        for id, count in Counter(finding.rule for finding in findings).items():
            told.setdefault(id, []).append(f"{count} {kind}" + ("" if count == 1 else "s"))
    for note in report.notes:
        if note.kind in ("rule-health", "rule-satisfied", "inactive-rule"):
            id, _, what = note.message.partition(": ")
            told.setdefault(id, []).append(what)
    for problem in report.problems:
        if problem.kind == "rule" and (named := re.match(r'rule "([^"]+)": (.*)', problem.message)):
            told.setdefault(named[1], []).append(named[2])
    return told


def _table(rows: list[dict[str, str]]) -> str:
    """One line a rule: name, kind, level, status, title; why it is inactive stands below."""
    widths = {
        key: max((len(row[key]) for row in rows), default=0) for key in ("id", "kind", "level", "status")
    }
    lines = []
    for row in rows:
        cells = [row[key].ljust(widths[key]) for key in ("id", "kind", "level", "status")]
        lines.append("  ".join((*cells, row["title"])).rstrip())
        if row["reason"]:
            lines.append(f"{' ' * (widths['id'] + 2)}{row['reason']}")
    return "".join(line + "\n" for line in lines)
