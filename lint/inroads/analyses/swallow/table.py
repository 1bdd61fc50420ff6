"""
The table of fates: for every fallible function, what its callers do with its error.

A function whose error is handed on at most places and lost at one is odd, and
the one place is where to look (Engler et al. 2001); how often error codes are
dropped at all is the measure of Gunawi et al. 2008.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.swallow.callee import call_functions, call_paths
from inroads.analyses.swallow.ends import ALIVE, SURVIVAL
from inroads.analyses.swallow.search import Fated, Fates, fates_of
from inroads.facts import Fate, Position

if TYPE_CHECKING:
    from inroads.program import Program

FEW = 3


class FateRow(msgspec.Struct, frozen=True):
    """
    What the call sites of one function do with its error.

    Args:
        function: The path of the called function.
        position: Of its name; None for one outside the workspace.
        counts: Pairs of fate and number of sites, in the order of `ends.SURVIVAL`, none of zero.
        odd: The sites that do other than most: those that lose what most others keep.
        oddness: From 0 (all do the same) to nearly 1 (one of many does other).
    """

    function: str
    position: Position | None
    sites: int
    counts: tuple[tuple[Fate, int], ...]
    odd: tuple[tuple[Position, Fate], ...]
    oddness: float

    def sentence(self) -> str:
        """`propagated at 11 of 12 sites, dropped at src/x.rs:40`."""
        most, number = max(self.counts, key=lambda one: (one[1], -SURVIVAL.index(one[0])))
        text = f"{most} at {number} of {self.sites} site{'s' if self.sites != 1 else ''}"
        for position, fate in self.odd[:3]:
            text += f", {fate} at {position.path}:{position.line}"
        return text + (f" and {len(self.odd) - 3} more" if 3 < len(self.odd) else "")


def callee_keys(fates: Fates, fated: Fated) -> tuple[str, ...]:
    """The paths under which a site is counted: of the workspace functions that it may run, else the declared one."""
    f = fates.world.follower(fated.function)
    assert f is not None
    functions = call_functions(f.judged, fated.row)
    if functions:
        return tuple(sorted({fates.world.program.tables.functions[one].path for one in functions}))
    return call_paths(f.judged, fated.row)[:1]


def site_fates(fates: Fates) -> dict[str, list[tuple[Position, Fate]]]:
    """Callee -> its sites with their fates, each site once, in the order of the files."""
    if fates.sites is not None:
        return fates.sites
    found: dict[str, dict[Position, Fate]] = {}
    for fated in fates.found:
        f = fates.world.follower(fated.function)
        assert f is not None
        position = fates.world.position(f, fated.row, "name")
        for key in callee_keys(fates, fated):
            sites = found.setdefault(key, {})
            before = sites.get(position)
            # Of two errors in one value the one that is lost tells more.
            if before is None or SURVIVAL.index(before) < SURVIVAL.index(fated.end.fate):
                sites[position] = fated.end.fate
    fates.sites = {key: sorted(sites.items()) for key, sites in sorted(found.items())}
    return fates.sites


def fate_table(program: Program, log_macros: frozenset[str]) -> tuple[FateRow, ...]:
    """The table of a program's own fallible functions, the oddest first."""
    fates = fates_of(program, log_macros)
    own = {one.path: one.position for one in program.tables.functions}
    rows = [row_of(key, own.get(key), sites) for key, sites in site_fates(fates).items() if key in own]
    return tuple(sorted(rows, key=lambda row: (-row.oddness, -row.sites, row.function)))


def row_of(function: str, position: Position | None, sites: list[tuple[Position, Fate]]) -> FateRow:
    """One row: of the sites that keep the error and those that lose it, the fewer are odd."""
    counts = Counter(fate for _, fate in sites)
    lost = [(at, fate) for at, fate in sites if fate not in ALIVE]
    kept = len(sites) - len(lost)
    odd = tuple(lost) if len(lost) < kept else ()
    oddness = kept / len(sites) * (1 - 1 / (1 + kept)) if odd else 0.0
    ordered = tuple((fate, counts[fate]) for fate in SURVIVAL if counts[fate])
    return FateRow(function, position, len(sites), ordered, odd, round(oddness, 4))


def majority(sites: Iterable[tuple[Position, Fate]]) -> str | None:
    """
    `propagated at 11 of 12 sites`, where most sites of a function keep its error; None where few do, or
    there are few.
    """
    fates = [fate for _, fate in sites]
    kept = [fate for fate in fates if fate in ALIVE]
    if len(fates) < FEW or len(kept) * 2 <= len(fates):
        return None
    most, _ = Counter(kept).most_common(1)[0]
    return f"{most if len(set(kept)) == 1 else 'kept'} at {len(kept)} of {len(fates)} sites"


def as_text(rows: Iterable[FateRow]) -> str:
    """A line a function: counts, name, and the odd sites."""
    lines = []
    for row in rows:
        counts = "  ".join(f"{fate} {number}" for fate, number in row.counts)
        lines.append(f"{row.function}  ({row.sites})  {counts}")
        if row.odd:
            lines.append(f"    odd: {row.sentence()}")
    return "\n".join(lines) + "\n" if lines else ""


def as_json(rows: Iterable[FateRow]) -> str:
    """One object: `{"version": 1, "functions": [..]}`."""
    functions = [
        {
            "function": row.function,
            "path": row.position.path if row.position is not None else None,
            "line": row.position.line if row.position is not None else None,
            "sites": row.sites,
            "fates": dict(row.counts),
            "odd": [
                {"path": at.path, "line": at.line, "column": at.column, "fate": fate} for at, fate in row.odd
            ],
            "oddness": row.oddness,
        }
        for row in rows
    ]
    return json.dumps({"version": 1, "functions": functions}, indent=2) + "\n"


def as_csv(rows: Iterable[FateRow]) -> str:
    """A header, then a line a function with a column for each fate."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["function", "path", "line", "sites", *SURVIVAL, "oddness", "odd"])
    for row in rows:
        counts = dict(row.counts)
        place = (row.position.path, row.position.line) if row.position is not None else ("", "")
        odd = " ".join(f"{at.path}:{at.line}" for at, _ in row.odd)
        writer.writerow(
            [row.function, *place, row.sites, *(counts.get(fate, 0) for fate in SURVIVAL), row.oddness, odd]
        )
    return out.getvalue()
