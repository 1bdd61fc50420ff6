"""Where other rules meet a method that a wrapper forgets, and which variants of an enum lead there."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.base import Rule
from inroads.analyses.gap.bodies import Bodies
from inroads.analyses.gap.forgotten import Forgotten
from inroads.analyses.gap.inner import Concrete
from inroads.analyses.gap.wrappers import Wrapper
from inroads.analyses.order.rule import OrderRule
from inroads.facts import CallRow, Finding, MethodCallRow, PathRow, Position
from inroads.resolve.model import Function
from inroads.store import decode_body

if TYPE_CHECKING:
    from inroads.program import Program

# A name in more functions than this is no name for one method any more.
_FEW = 24


class Meetings(msgspec.Struct, frozen=True):
    """
    What a run knows beside one wrapper.

    Args:
        found: The findings of the kinds that ran before.
        dispatchers: The enums that forward to the payload of each variant.
        forgets: (path of a trait, head of a type) -> the methods that this type's impl forgets.
        callers: Name of a forgotten method -> the functions that name it, in order of their places.
        targets: Rule of kind order -> what its targets name, by the last two segments.
    """

    found: tuple[Finding, ...]
    dispatchers: tuple[Wrapper, ...]
    forgets: dict[tuple[str, str], frozenset[str]]
    callers: dict[str, tuple[Function, ...]]
    targets: dict[str, tuple[str, ...]]

    def named(self, bodies: Bodies, forgotten: tuple[Forgotten, ...]) -> Iterable[str]:
        """Who calls what is forgotten, by name; methods whose name is all over the program are left out."""
        for method in dict.fromkeys(one.method for one in forgotten):
            functions = self.callers.get(method, ())
            if not 0 < len(functions) <= _FEW:
                continue
            places = [place for function in functions for place in calls_in(bodies, function, method)]
            if places:
                many = (
                    f"{len(places)} calls of `{method}`, first"
                    if 1 < len(places)
                    else f"one call of `{method}`,"
                )
                yield f"{many} at {places[0].path}:{places[0].line}"

    def roads(self, wrapper: Wrapper, forgotten: tuple[Forgotten, ...]) -> dict[str, list[str]]:
        """For each forgotten method that rules of other kinds meet, a line for each such rule."""
        trait = wrapper.path.rpartition("::")[2]
        found: dict[str, list[str]] = {}
        for method in dict.fromkeys(one.method for one in forgotten):
            by_rule: dict[str, list[Finding]] = {}
            for finding in self.found:
                if finding.kind in ("order", "swallow") and self.speaks_of(finding, f"{trait}::{method}"):
                    by_rule.setdefault(finding.rule, []).append(finding)
            for rule, findings in sorted(by_rule.items()):
                at = f"{findings[0].path}:{findings[0].line}"
                found.setdefault(method, []).append(
                    f"met by {rule}: {counted(findings)} of `{method}`, first at {at}"
                )
        return found

    def speaks_of(self, finding: Finding, name: str) -> bool:
        """Whether a finding is about a method: it is what is called, or the target of the finding's rule."""
        if any(last_two(callee) == name for callee in finding.callees):
            return True
        return any(fnmatchcase(name, target) for target in self.targets.get(finding.rule, ()))

    def variants(self, wrapper: Wrapper, methods: list[str]) -> Iterable[str]:
        """Through how many variants of an enum the wrapper is reached, and how many forget one of the methods."""
        for enum in self.dispatchers:
            if enum.path != wrapper.path or enum.impl.id == wrapper.impl.id:
                continue
            heads = {
                inner.variant: inner.inside.head
                for inner in enum.inners
                if isinstance(inner.inside, Concrete)
            }
            own = [variant for variant, head in heads.items() if head == wrapper.impl.head]
            if not own:
                continue
            name = enum.impl.head.rpartition("::")[2]
            line = f"reached through {listed_short(own)} of `{name}`"
            for method in methods:
                alike = [
                    variant
                    for variant, head in heads.items()
                    if method in self.forgets.get((wrapper.path, head), frozenset())
                ]
                if len(own) < len(alike):
                    line += f"; {len(alike)} of its {len(heads)} variants run the default of `{method}`"
                    break
            else:
                line += f", {len(own)} of its {len(heads)} variants"
            yield line


def targets_of(rules: Iterable[Rule]) -> dict[str, tuple[str, ...]]:
    """What the targets of each rule of kind order name: `Trait::method`, `*` for whatever is open."""
    return {
        rule.head.id: tuple(last_two(text.partition("(")[0].strip()) for text in rule.target_text)
        for rule in rules
        if isinstance(rule, OrderRule)
    }


def callers_of(program: Program, methods: frozenset[str]) -> dict[str, tuple[Function, ...]]:
    """The functions outside of tests whose body may name a method; its namesakes left out."""
    functions = program.tables.functions
    found = {}
    for name in sorted(methods):
        some = [functions[function_id] for function_id in program.mentions(name)]
        some = [one for one in some if one.name != name and not one.test and one.active]
        found[name] = tuple(sorted(some, key=lambda one: one.position))
    return found


def calls_in(bodies: Bodies, function: Function, method: str) -> list[Position]:
    """Where a body calls a method of that name, in order."""
    facts = bodies.facts(function)
    if facts is None:
        return []
    body = decode_body(facts.data)
    found = []
    for row in body.rows:
        at = None
        if isinstance(row, MethodCallRow) and row.name == method:
            at = row.name_at
        elif isinstance(row, CallRow):
            callee = body.rows[row.callee]
            if isinstance(callee, PathRow) and callee.path.segments[-1].name == method:
                at = callee.name_at
        if at is not None:
            found.append(bodies.tables.position(function.source, facts.start + at))
    return found


def last_two(path: str) -> str:
    """The last two segments of a path: `CachePool::sync`."""
    return "::".join(path.split("::")[-2:])


def counted(findings: list[Finding]) -> str:
    """`3 calls`, or with the roads into them."""
    roads = sum(finding.roads_total for finding in findings)
    calls = f"{len(findings)} call{'s' if len(findings) != 1 else ''}"
    return f"{calls} on {roads} road{'s' if roads != 1 else ''}" if roads else calls


def listed_short(names: list[str]) -> str:
    """`` `A`, `B` and 3 more ``."""
    shown = [f"`{name}`" for name in names[:3]]
    if 3 < len(names):
        return f"{', '.join(shown)} and {len(names) - 3} more"
    return " and ".join(shown) if len(shown) < 3 else f"{', '.join(shown[:-1])} and {shown[-1]}"
