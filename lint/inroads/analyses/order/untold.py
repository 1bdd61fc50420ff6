"""Roads that begin in tests: they are not judged, but it is told how many there are."""

from __future__ import annotations

from inroads.analyses.order.cone import Cone
from inroads.analyses.order.ends import Frame
from inroads.analyses.order.roads import Site
from inroads.analyses.order.world import ENTRY
from inroads.facts import MOST_FROM_TESTS


def roads_from_tests(cone: Cone, site: Site) -> int:
    """
    How many calls in test code lead to the site, by functions in which the requirement goes on to the callers.

    One more than `MOST_FROM_TESTS` for more than that, or where so many bodies were looked at; 0 where
    roads from tests are judged, or roots are given.
    """
    program = cone.program
    functions = program.tables.functions
    if cone.tests or cone.rule.tests or cone.rule.origins or not cone.shared.has_tests(program):
        return 0
    found = 0
    looked = 0
    for function in _lifting(cone, site):
        for caller in program.candidates(function):
            if not functions[caller].test:
                continue
            looked += 1
            if MOST_FROM_TESTS < looked:
                return MOST_FROM_TESTS + 1
            if program.may_call(caller, function):
                found += sum(edge.target.function == function for edge in program.edges(caller))
    return min(found, MOST_FROM_TESTS + 1)


def _lifting(cone: Cone, site: Site) -> list[int]:
    """The functions whose callers must have done the need, sorted."""
    frames: list[Frame] = [(site.function, verdict) for verdict in site.verdicts]
    seen: set[tuple[object, ...]] = set()
    found: set[int] = set()
    for function, verdict in frames:
        key = cone.shared.lift(verdict.key)
        if (function, key) in seen or not verdict.bits & ENTRY or key is None:
            continue
        seen.add((function, key))
        found.add(function)
        frames.extend(cone.raised.get((function, key), ()))
    return sorted(found)
