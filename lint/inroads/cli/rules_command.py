"""`inroads rules`."""

from __future__ import annotations

import json

import click

from inroads.analyses import KINDS
from inroads.builtin import BUILT_IN
from inroads.cli.options import PATHS, read_rulebook, rule_options
from inroads.cli.session import open_session
from inroads.cli.terminal import write_output
from inroads.errors import NothingToAnalyse


@click.command("rules")
@PATHS
@click.option("--output-format", "format", type=click.Choice(("text", "json")), default="text")
@rule_options
def command(
    paths: tuple[str, ...],
    format: str,
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
    """
    session = open_session(paths)
    rulebook = read_rulebook(session.texts, session.settings, rules, select, ignore, deny, warn, allow)
    active = {rule.head.id: rule for rule in rulebook.active}
    absent: dict[str, str] = {}
    try:
        program = session.load(None, rulebook.externs).program
    except NothingToAnalyse:
        # Without a program there is nothing that a rule could miss.
        program = None
    if program is not None:
        for rule in rulebook.active:
            reason = KINDS[rule.head.kind].absent(rule, program)
            if reason is not None:
                absent[rule.head.id] = reason
    rows = []
    for rule in sorted(rulebook.rules, key=lambda rule: (rule.head.kind, rule.head.id)):
        head = active.get(rule.head.id, rule).head
        status = "off" if head.id not in active else "inactive" if head.id in absent else "active"
        rows.append(
            {
                "id": head.id, "kind": head.kind, "level": head.level, "pack": head.pack,
                "status": status, "reason": absent.get(head.id, ""), "title": head.title,
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
