"""An audit as text, JSON, Markdown and as a graph for dot: pure, `Audit -> str`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from inroads.audit import Audit, CallSite, Definition
from inroads.facts import Note, Step
from inroads.report.common import counted, from_tests, visible
from inroads.report.style import Piece, coloured, width_of
from inroads.roads import MOST_COUNTED

if TYPE_CHECKING:
    from inroads.report import Look

VERSION = 1
Line = list[Piece]
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~-])")


def render(audit: Audit, format: str, look: Look) -> str:
    """The audit in one of `FORMATS`."""
    return FORMATS[format](audit, look)


def render_json(audit: Audit, look: Look) -> str:
    """One object; its shape is a contract (see docs/output.md)."""
    whole = {
        "version": VERSION,
        "target": list(audit.target),
        "definitions": [
            {
                "function": one.function,
                "path": one.path,
                "line": one.line,
                "column": one.column,
                "kind": one.kind,
                "role": one.role,
            }
            for one in audit.definitions
        ],
        "sites": [_site_object(one) for one in audit.sites],
        "entry_points": audit.entry_points,
        "roads_total": audit.roads_total,
        "notes": [
            {"kind": one.kind, "path": one.path, "line": one.line, "message": one.message}
            for one in audit.notes
        ],
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _site_object(site: CallSite) -> dict[str, object]:
    return {
        "path": site.path,
        "line": site.line,
        "column": site.column,
        "function": site.function,
        "how": site.how,
        "via": list(site.via),
        "dispatch": list(site.dispatch),
        "fate": site.fate,
        "order": site.order,
        "because": [_step_object(step) for step in site.because],
        "roads": [[_step_object(step) for step in road] for road in site.roads],
        "roads_total": site.roads_total,
        "entry_points": site.entry_points,
        "roads_from_tests": site.roads_from_tests,
    }


def _step_object(step: Step) -> dict[str, object]:
    return {"path": step.path, "line": step.line, "column": step.column, "note": step.note}


def render_text(audit: Audit, look: Look) -> str:
    """Two tables, the definitions and the call sites; then the roads of each site, as many as were asked for."""
    lines: list[Line] = [[Piece(counted(len(audit.definitions), "definition"), "bold")]]
    rows = [
        [
            Piece(f"  {_role(one)}", "dim"),
            Piece(_holder(one.function)),
            _place(f"{one.path}:{one.line}", one.path, look),
        ]
        for one in audit.definitions
    ]
    lines += _columns(rows)
    lines.append([])
    lines.append([Piece(_headline(audit), "bold")])
    if audit.sites:
        head = [Piece("  "), Piece("order", "dim"), Piece("fate", "dim"), Piece("how", "dim")]
        lines += _columns([head, *(_site_row(one, look) for one in audit.sites)])
    if look.roads:
        for site in audit.sites:
            lines += _roads(site, look)
    elif audit.roads_total:
        lines.append([Piece("(--roads N prints the roads; --output-format json, markdown or dot)", "dim")])
    if audit.notes:
        lines.append([])
        lines += [_note(one, look) for one in audit.notes]
    return "\n".join(coloured(line, look.colour) for line in lines) + "\n"


def _headline(audit: Audit) -> str:
    text = counted(len(audit.sites), "call site")
    if audit.sites:
        text += f", {_roads_word(audit.roads_total)} from {counted(audit.entry_points, 'entry point')}"
    return text


def _roads_word(total: int) -> str:
    return f"more than {MOST_COUNTED:,} roads" if MOST_COUNTED < total else counted(total, "road")


def _role(definition: Definition) -> str:
    """`default`, `impl`, `delegate`, `wrapper`, `method` or `function`."""
    if definition.role:
        return definition.role
    return {"inherent": "method", "free": "function"}.get(definition.kind, definition.kind)


def _holder(path: str) -> str:
    """The last two segments: whose function it is."""
    return "::".join(path.split("::")[-2:])


_ORDER_STYLES: Mapping[str, str] = {
    "ordered": "good",
    "unordered": "error",
    "tolerated": "note",
    "unknown": "warning",
}


def _site_row(site: CallSite, look: Look) -> list[Piece]:
    order = "-" if site.order == "no-rule" else site.order
    fate = site.fate or "-"
    style = "warning" if fate not in ("-", "propagated", "handled", "panicked") else ""
    return [
        _place(f"  {site.path}:{site.line}:{site.column}", site.path, look),
        Piece(order, _ORDER_STYLES.get(order, "")),
        Piece(fate, style),
        Piece(_how(site)),
    ]


def _how(site: CallSite) -> str:
    """`exact, 3 impls, after 80`: how the edge is known, what it may run, why the verdict is what it is."""
    words = [" ".join((*site.via, site.how))]
    if 1 < len(site.dispatch):
        words.append(f"any of {len(site.dispatch)}")
    if site.because:
        if site.order == "ordered":
            words.append(f"after {_line_of(site.because[0], site)}")
        elif site.order == "tolerated":
            words.append(f"guard at {_line_of(site.because[0], site)}")
        else:
            words.append(site.because[-1].note)
    if site.roads_from_tests:
        words.append(f"{from_tests(site.roads_from_tests)} from tests")
    return ", ".join(words)


def _line_of(step: Step, site: CallSite) -> str:
    return str(step.line) if step.path == site.path else f"{step.path}:{step.line}"


def _roads(site: CallSite, look: Look) -> list[Line]:
    """The roads into one site, in the order in which control takes them."""
    lines: list[Line] = []
    for number, road in enumerate(site.roads[: look.roads], start=1):
        title = f"road {number} of {_total(site.roads_total)} to "
        place = f"{site.path}:{site.line}:{site.column}"
        lines += [[], [Piece(title, "bold"), _place(place, site.path, look)]]
        rows = []
        for depth, step in enumerate(road):
            sign = "" if depth == 0 else "└ "
            rows.append([_place(f"  {step.path}:{step.line}", step.path, look), Piece(f"{sign}{step.note}")])
        lines += _columns(rows)
    return lines


def _total(roads: int) -> str:
    return f"more than {MOST_COUNTED:,}" if MOST_COUNTED < roads else f"{roads:,}"


def _note(note: Note, look: Look) -> Line:
    place = [_place(f"{note.path}:{note.line}", note.path, look), Piece(": ")] if note.path else []
    return [Piece("note: ", "note"), *place, Piece(note.message)]


def _place(text: str, path: str, look: Look) -> Piece:
    return Piece(text, "", f"{look.links}/{path}" if look.links else "")


def _columns(rows: Sequence[Sequence[Piece]]) -> list[Line]:
    """Rows with their cells one under the other, two spaces between."""
    if not rows:
        return []
    widths = [max(width_of(visible(row[at].text)) for row in rows) for at in range(len(rows[0]) - 1)]
    lines: list[Line] = []
    for row in rows:
        line: Line = []
        for at, cell in enumerate(row):
            line.append(cell)
            if at < len(widths):
                line.append(Piece(" " * (widths[at] - width_of(visible(cell.text)) + 2)))
        lines.append(line)
    return lines


def render_markdown(audit: Audit, look: Look) -> str:
    """The same tables for a comment on a change; the roads are folded."""
    lines = [f"## Roads into `{_code(', '.join(audit.target))}`", "", f"{_headline(audit)}.", ""]
    lines += ["| definition | place |", "| --- | --- |"]
    lines += [
        f"| {_role(one)} {_text(_holder(one.function))} | {_text(one.path)}:{one.line} |"
        for one in audit.definitions
    ]
    if audit.sites:
        lines += ["", "| call site | in | order | fate | how |", "| --- | --- | --- | --- | --- |"]
        for site in audit.sites:
            order = "" if site.order == "no-rule" else site.order
            place = f"{_text(site.path)}:{site.line}:{site.column}"
            cells = [place, _text(_holder(site.function)), order, site.fate or "", _text(_how(site))]
            lines.append(f"| {' | '.join(cells)} |")
    for site in audit.sites:
        for road in site.roads[: look.roads]:
            lines += [
                "",
                f"<details><summary>{_html(f'{site.path}:{site.line}')}, shortest road</summary>",
                "",
            ]
            lines += [
                f"{at}. {_text(step.path)}:{step.line} {_text(step.note)}"
                for at, step in enumerate(road, start=1)
            ]
            lines += ["", "</details>"]
    if audit.notes:
        lines.append("")
        lines += [
            f"- {_text(one.path)}:{one.line} {_text(one.message)}" if one.path else f"- {_text(one.message)}"
            for one in audit.notes
        ]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", visible(text))


def _code(text: str) -> str:
    return visible(text).replace("`", "'")


def _html(text: str) -> str:
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def render_dot(audit: Audit, look: Look) -> str:
    """A graph for `dot`: the definitions, the functions that call them, and the roads that are told."""
    names: dict[str, str] = {}
    edges: dict[tuple[str, str, str], None] = {}
    for one in audit.definitions:
        names[one.function] = "box"
    for site in audit.sites:
        names.setdefault(site.function, "ellipse")
        for callee in site.dispatch:
            names.setdefault(callee, "box")
            edges[(site.function, callee, f"{site.path}:{site.line}")] = None
    lines = ["digraph roads {", "  rankdir=LR;"]
    lines += [
        f"  {_quoted(name)} [label={_quoted(_holder(name))}, shape={names[name]}];" for name in sorted(names)
    ]
    lines += [f"  {_quoted(a)} -> {_quoted(b)} [label={_quoted(label)}];" for a, b, label in sorted(edges)]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = visible(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


FORMATS: Mapping[str, Callable[[Audit, Look], str]] = {
    "text": render_text,
    "json": render_json,
    "markdown": render_markdown,
    "dot": render_dot,
}
