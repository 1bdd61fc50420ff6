"""The calls of a program that can fail, each with the fate of its error; found once for all rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from inroads.analyses.swallow.callee import call_functions, call_paths
from inroads.analyses.swallow.ends import End
from inroads.analyses.swallow.fates import Follower
from inroads.analyses.swallow.shapes import Shape
from inroads.analyses.swallow.world import World
from inroads.resolve.types import Unknown
from inroads.store import marks_of, names_of

if TYPE_CHECKING:
    from inroads.program import Program


@dataclass(frozen=True, slots=True)
class Fated:
    """A call that can fail, and how its error ends."""

    function: int
    row: int
    shape: Shape
    end: End


@dataclass(slots=True)
class Fates:
    """
    The fates of a program's errors.

    Args:
        found: All calls that can fail, by function, then in order of evaluation.
        unknown: Calls of functions from outside whose result type is not known; `foreign` counts all of those.
    """

    world: World
    found: list[Fated] = field(default_factory=list)
    unknown: int = 0
    foreign: int = 0


_KEPT: WeakKeyDictionary[Program, dict[frozenset[str], Fates]] = WeakKeyDictionary()


def fates_of(program: Program, log_macros: frozenset[str]) -> Fates:
    """The fates of all errors of a program; kept, as all rules of the kind ask for the same."""
    kept = _KEPT.setdefault(program, {})
    if log_macros not in kept:
        kept[log_macros] = _search(World(program, log_macros))
    return kept[log_macros]


def _search(world: World) -> Fates:
    fates = Fates(world)
    later: list[int] = []
    for function in world.program.tables.functions:
        if not function.has_body or not is_marked(world.program, function.id):
            continue
        f = world.follower(function.id)
        if f is None:
            continue
        before = len(world.proven)
        fates.found.extend(fates_in(f))
        if before != len(world.proven) or has_unknown(fates, f):
            later.append(function.id)
    if world.proven:
        # What one place proves of a foreign function holds at all others.
        again = set(later)
        fates.found = [one for one in fates.found if one.function not in again]
        for id in later:
            f = world.follower(id)
            if f is not None:
                f.passed.clear()
                fates.found.extend(fates_in(f))
        fates.found.sort(key=lambda one: (one.function, one.row, one.shape))
    return fates


def is_marked(program: Program, function: int) -> bool:
    """Whether a body shows a form that can lose an error, or a macro that may hide one."""
    found = program.tables.functions[function]
    facts = program.tables.sources[found.source].facts
    body = found.item.body
    if body is None:
        return False
    one = facts.bodies[body]
    return bool(marks_of(one)) or any(name.endswith("!") for name in names_of(one))


def fates_in(f: Follower) -> Iterator[Fated]:
    """The calls of one body that can fail."""
    for at, shape, _ in f.world.origins(f):
        yield Fated(f.judged.function, at, shape, f.fate(at, shape))


def has_unknown(fates: Fates, f: Follower) -> bool:
    """Whether a body calls something from outside whose result type is not known; both kinds are counted."""
    some = False
    for at in sorted(f.judged.calls):
        call = f.judged.calls[at]
        if call.kind not in ("path", "method") or call_functions(f.judged, at):
            continue
        paths = call_paths(f.judged, at)
        if not paths or paths[0].startswith("std::") or "::" not in paths[0]:
            continue
        fates.foreign += 1
        if isinstance(f.world.type_at(f.judged, at), Unknown):
            fates.unknown += 1
            some = True
    return some
