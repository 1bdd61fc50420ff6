"""Small programs for the tests of the kind swallow: source text in, the fates of its calls out."""

from __future__ import annotations

from dataclasses import dataclass

from inroads.analyses.base import LOG_MACROS, Context, RuleHead
from inroads.analyses.swallow.check import check
from inroads.analyses.swallow.ends import LOST, SURVIVAL
from inroads.analyses.swallow.finding import death_positions
from inroads.analyses.swallow.marked import Marked
from inroads.analyses.swallow.rule import SwallowRule
from inroads.analyses.swallow.search import Fates, fates_of
from inroads.check import load
from inroads.facts import Fate, Finding
from inroads.workspace import MemoryTree
from judged_here import findings_of

CARGO = b'[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\ntokio = "1"\nfutures = "0.3"\nanyhow = "1"\ntracing-subscriber = "0.3"\n'


@dataclass(frozen=True, slots=True)
class Lost:
    """A call and its fate: where it begins and ends, where it dies, and where in a macro's body; (0, 0) for none."""

    function: str
    fate: Fate
    line: int
    column: int
    end_line: int
    end_column: int
    death_line: int
    death_column: int
    form: str
    body: tuple[int, int]


def fates(source: str | bytes) -> Fates:
    """The fates of a program of one file."""
    text = source.encode() if isinstance(source, str) else source
    tree = MemoryTree({"Cargo.toml": CARGO, "src/lib.rs": text})
    return fates_of(load(tree).program, frozenset(LOG_MACROS))


def lost(source: str | bytes) -> list[Lost]:
    """All calls that can fail, in order, with their fates."""
    found = fates(source)
    all_of_them = []
    for one in found.found:
        f = found.world.follower(one.function)
        assert f is not None
        at, end = found.world.position(f, one.row), found.world.position(f, one.row, "end")
        death, body = death_positions(found.world, f, one.row, one.end)
        name = found.world.program.tables.functions[one.function].name
        inside = (body.line, body.column) if body is not None else (0, 0)
        places = (at.line, at.column, end.line, end.column, death.line, death.column)
        all_of_them.append(Lost(name, one.end.fate, *places, one.end.form, inside))
    return all_of_them


def fates_by_function(source: str | bytes) -> dict[str, list[Fate]]:
    """The fates in each function, in order."""
    found: dict[str, list[Fate]] = {}
    for one in lost(source):
        found.setdefault(one.function, []).append(one.fate)
    return found


def marked(source: str) -> set[str]:
    """The names of the functions whose bodies a check judges, since they may lose an error."""
    program = load(MemoryTree({"Cargo.toml": CARGO, "src/lib.rs": source.encode()})).program
    found = Marked(program)
    return {one.name for one in program.tables.functions if found.is_marked(one.id)}


def told(source: str, path: str = "src/lib.rs") -> list[Finding]:
    """The findings at `warn` or above of a crate whose root is that file, with all switches on, in order."""
    folder = path.removesuffix("src/lib.rs")
    files = {f"{folder}Cargo.toml": CARGO, path: source.encode()}
    if folder:
        files["Cargo.toml"] = f'[workspace]\nmembers = ["{folder.rstrip("/")}"]\n'.encode()
    fates = tuple(fate for fate in SURVIVAL if fate in LOST)
    rule = SwallowRule(RuleHead("error-lost", "swallow", "an error is lost", "warn"), ("*",), fates)
    found = findings_of(check((rule,), load(MemoryTree(files)).program, Context()))
    return sorted(found, key=lambda one: (one.line, one.column))
