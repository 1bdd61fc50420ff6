"""The calls of a program that can fail, each with the fate of its error; found once for all rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias
from weakref import WeakKeyDictionary

from inroads.analyses.base import Context
from inroads.analyses.swallow.callee import call_functions, call_name, call_paths
from inroads.analyses.swallow.ends import SURVIVAL, End
from inroads.analyses.swallow.fates import Follower
from inroads.analyses.swallow.marked import Marked
from inroads.analyses.swallow.shapes import Shape
from inroads.analyses.swallow.world import World
from inroads.facts import Fate, Position
from inroads.resolve.types import Unknown

if TYPE_CHECKING:
    from inroads.program import Program


Scope: TypeAlias = Literal["all", "lossy", "lossy-code"]


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
        sites: Callee -> its sites and what they do, once asked for (`table.site_fates`).
        unknown: Calls of functions from outside whose result type is not known; `foreign` counts all of those.
    """

    world: World
    found: list[Fated] = field(default_factory=list)
    unknown: int = 0
    foreign: int = 0
    sites: dict[str, list[tuple[Position, Fate]]] | None = None


_KEPT: WeakKeyDictionary[Program, dict[tuple[frozenset[str], Scope], Fates]] = WeakKeyDictionary()


def fates_of(program: Program, log_macros: frozenset[str], scope: Scope = "all") -> Fates:
    """
    The fates of the errors of a program; kept, as all rules of the kind ask for the same.

    Args:
        scope:
            `all` for every call that can fail; `lossy` for those in bodies that may
            lose an error (see marked.py), `lossy-code` for those of them that are no test code.
    """
    kept = _KEPT.setdefault(program, {})
    key = (log_macros, scope)
    if key not in kept:
        kept[key] = _search(World(program, log_macros), scope)
    return kept[key]


def _search(world: World, scope: Scope) -> Fates:
    fates = Fates(world)
    later: list[int] = []
    marked = None if scope == "all" else Marked(world.program)
    for function in world.program.tables.functions:
        if not function.has_body or (scope == "lossy-code" and function.test):
            continue
        if marked is not None and not marked.is_marked(function.id):
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
        if call_name(f.judged, at)[:1].isupper():
            # A variant or tuple struct: it can't fail.
            continue
        fates.foreign += 1
        if isinstance(f.world.type_at(f.judged, at), Unknown):
            fates.unknown += 1
            some = True
    return some


def statistics(program: Program, context: Context) -> dict[str, float]:
    """
    Calls that can fail by fate, and calls of functions from outside whose result type is not known.

    Counted in the bodies that the rules have judged, so that counting costs nothing.
    """
    kept = _KEPT.get(program)
    fates = next(iter(kept.values())) if kept else fates_of(program, context.log_macros, "lossy-code")
    counts = Counter(one.end.fate for one in fates.found)
    found: dict[str, float] = {f"errors.{fate}": counts[fate] for fate in SURVIVAL if counts[fate]}
    found["calls.foreign"] = fates.foreign
    found["calls.foreign.unknown-result"] = fates.unknown
    return found
