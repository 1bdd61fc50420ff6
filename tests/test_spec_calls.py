"""The specification of the call graph, `tests/spec/call-graph.md`, holds block by block."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from calling import calls_of
from inroads.resolve.judge import judge
from inroads.resolve.model import Call, Judged
from inroads.resolve.origins import written_at
from inroads.resolve.tables import Tables
from linking import link_text

_TEXT = (Path(__file__).parent / "spec" / "call-graph.md").read_text(encoding="utf-8")
BLOCKS = [
    (_TEXT.count("\n", 0, match.start()) + 1, match.group(1))
    for match in re.finditer(r"^```rust\n(.*?)^```", _TEXT, re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize("text", [text for _, text in BLOCKS], ids=[f"line {line}" for line, _ in BLOCKS])
def test_the_specification_of_calls_holds(text: str) -> None:
    expected = {
        at: line.partition("//>")[2].strip()
        for at, line in enumerate(text.splitlines(), start=1)
        if "//>" in line
    }
    assert found_in(link_text(text)) == expected


def found_in(tables: Tables) -> dict[int, str]:
    """Line -> the calls of the workspace's functions on it, as the specification writes them."""
    lines: dict[int, list[tuple[int, str]]] = {}
    for one in tables.functions:
        judged = judge(tables, one.id)
        for call in calls_of(judged):
            targets = [
                target.path.removeprefix("app::") for target in call.targets if target.function is not None
            ]
            if targets and call.kind != "desugar":
                how = "" if call.how == "exact" else f" {call.how}"
                place = position(tables, judged, call)
                lines.setdefault(place[0], []).append((place[1], f"{' | '.join(targets)}{how}"))
    return {line: ", ".join(text for _, text in sorted(found)) for line, found in lines.items()}


def position(tables: Tables, judged: Judged, call: Call) -> tuple[int, int]:
    """Line and column where a call's row was written."""
    row = judged.body.rows[call.row]
    source = judged.origin[call.row]
    offset = judged.base[source] + getattr(row, "name_at", row.start)
    own = judged.sources.get(source)
    if own is not None:
        source, offset = written_at(own, offset)
    place = tables.position(source, offset)
    return place.line, place.column
