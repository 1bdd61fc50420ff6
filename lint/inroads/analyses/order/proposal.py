"""The evidence that a rule could declare, where every bad road holds a value of one type; tried before it is told."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from inroads.analyses.order.cone import Cone
from inroads.analyses.order.ends import End
from inroads.analyses.order.keys import places
from inroads.analyses.order.present import building
from inroads.analyses.order.roads import Site, sites
from inroads.analyses.order.words import needs_name, short
from inroads.lower.model import Build, Field, Place
from inroads.pattern import BuildPattern, Capture
from inroads.pattern_match import place_type

MOST_TRIED = 2
MOST_PROPOSED = 8
"""Types that are tried for all findings of a rule; each takes as long as the rule itself."""
MOST_SOLVED = 2000
"""Functions that are solved again for all of them."""


def proposed_evidence(cone: Cone, site: Site, ends: list[End]) -> str:
    """`declare it: evidence = [..]`, or nothing where no type would mend all roads."""
    if len(cone.rule.variables) != 1 or not ends or any(end.kind == "perhaps" for end in ends):
        return ""
    common: set[tuple[str, str]] | None = None
    for end in ends:
        held = {one for _, verdict in end.frames for place in places(verdict.key) for one in _holders(place)}
        common = held if common is None else common & held
    own = {definition.path: definition for definition in cone.program.tables.types}
    for owner, name in sorted(one for one in common or () if one[0] in own)[:MOST_TRIED]:
        variable = cone.rule.variables[0]
        pattern = BuildPattern((owner.rpartition("::")[2],), ((name, Capture(variable)),), rest=True)
        if _mends(cone, site, pattern):
            places_built = ", ".join(dict.fromkeys(_built_at(cone, owner)))
            if not places_built:
                # What is built by no code that is seen is proof of nothing.
                continue
            return (
                f"every road holds a `{short(owner)}`, built only at {places_built}, "
                f"after {needs_name(cone.rule.needs)}; declare it: "
                f'evidence = ["{pattern.path[0]} {{ {name}: ${variable}, .. }}"]'
            )
    return ""


def _mends(cone: Cone, site: Site, pattern: BuildPattern) -> bool:
    """Whether the rule with this evidence has nothing to say of the site, nor of any construction."""
    kept = cone.proposals
    if pattern not in kept:
        if MOST_PROPOSED <= len(kept) or MOST_SOLVED < (len(kept) + 1) * len(cone.solved):
            return False
        kept[pattern] = _still_bad(cone, pattern)
    bad = kept[pattern]
    return bad is not None and (site.function, site.row) not in bad


def _still_bad(cone: Cone, pattern: BuildPattern) -> frozenset[tuple[int, int]] | None:
    """The sites that the rule with this evidence finds; None where it finds a construction."""
    rule = replace(cone.rule, evidence=(*cone.rule.evidence, pattern))
    tried = Cone(cone.program, rule, cone.tests, cone.inferred, cone.careful, runs=cone.runs)
    tried.grow()
    bad = [one for one in sites(tried) if one.bad]
    if any(verdict.evidence for one in bad for verdict in one.verdicts):
        return None
    return frozenset((one.function, one.row) for one in bad)


def _built_at(cone: Cone, owner: str) -> Iterable[str]:
    """Where the type is built, as `path:line`."""
    program = cone.program
    for function in building(owner, program):
        if not cone.is_wanted(function):
            continue
        for block in program.graph(function).blocks:
            for event in block.events:
                if isinstance(event, Build) and event.path == owner:
                    place = program.place(program.judge(function), event.row, "start")
                    yield f"{place.path}:{place.line}"


def _holders(place: Place) -> Iterable[tuple[str, str]]:
    """The types, and their fields, that a place goes through."""
    for depth, step in enumerate(place.steps):
        if isinstance(step, Field):
            owner = step.owner or place_type(Place(place.root, place.steps[:depth]))
            if owner:
                yield owner, step.name
