"""The calls of a program that can fail, each with the fate of its error; found once for all rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.swallow.callee import call_functions, call_name, call_paths
from inroads.analyses.swallow.ends import End
from inroads.analyses.swallow.fates import Follower
from inroads.analyses.swallow.shapes import Shape
from inroads.analyses.swallow.world import World
from inroads.facts import Fate, Position
from inroads.resolve.types import Unknown

if TYPE_CHECKING:
    from inroads.program import Program


class Fated(msgspec.Struct, frozen=True):
    """A call that can fail, and how its error ends."""

    function: int
    row: int
    shape: Shape
    end: End


class Fates(msgspec.Struct):
    """
    The fates of a program's errors.

    Args:
        found: All calls that can fail, by function, then in order of evaluation.
        sites: Callee -> its sites and what they do, once asked for (`table.site_fates`).
    """

    world: World
    found: list[Fated] = msgspec.field(default_factory=list)
    sites: dict[str, list[tuple[Position, Fate]]] | None = None


def fates_of(program: Program, log_macros: frozenset[str]) -> Fates:
    """The fates of all errors of a program."""
    world = World(program, log_macros)
    found: list[Fated] = []
    again: list[int] = []
    for function in program.tables.functions:
        f = world.follower(function.id)
        if f is None:
            continue
        before = len(world.proven)
        found.extend(fates_in(f))
        if before != len(world.proven) or count_foreign(f)[1]:
            again.append(function.id)
    if world.proven:
        # What one place proves of a foreign function holds at all others.
        world = World(program, log_macros, world.proven)
        once_more = set(again)
        found = [one for one in found if one.function not in once_more]
        for id in again:
            f = world.follower(id)
            assert f is not None
            found.extend(fates_in(f))
        found.sort(key=lambda one: (one.function, one.row, one.shape))
    return Fates(world, found)


def fates_in(f: Follower) -> Iterator[Fated]:
    """The calls of one body that can fail."""
    for at, shape, _ in f.world.origins(f):
        yield Fated(f.judged.function, at, shape, f.fate(at, shape))


def unclear_calls(f: Follower) -> frozenset[str]:
    """
    The calls of a body of which only a proof elsewhere could tell whether they give a Result.

    As `Owner::name`, the owner being `?` for a method.
    """
    found: set[str] = set()
    for at, call in f.judged.calls.items():
        if call.kind in ("path", "method") and not call_functions(f.judged, at) and f.world.is_unclear(f, at):
            for path in call_paths(f.judged, at):
                owner, _, name = path.rpartition("::")
                if owner:
                    found.add(f"{'?' if call.kind == 'method' else owner.rpartition('::')[2]}::{name}")
    return frozenset(found)


def count_foreign(f: Follower) -> tuple[int, int]:
    """How many calls of a body are of something from outside, and of how many the result type is not known."""
    foreign = unknown = 0
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
        foreign += 1
        unknown += isinstance(f.world.type_at(f.judged, at), Unknown)
    return foreign, unknown
