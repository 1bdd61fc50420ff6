"""
Roads: the calls from an entry point to a function, shortest first, counted and never enumerated.

The cone of a function is whatever leads to it. Roads are counted by dynamic
programming on the condensation of the cone, where a cycle counts as one place:
a road that goes round and round is still the same road.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from heapq import heappop, heappush

import msgspec

from inroads.facts import HOW_ORDER, Position
from inroads.program import Program, RootKind, Way

MOST_COUNTED = 10_000
# Partial roads that are looked at before the search for further ones is given up.
MOST_TRIED = 20_000


class Cone(msgspec.Struct):
    """
    All functions from which the goals can be reached.

    Args:
        into: Function -> the calls of it, one for each place, by caller and place.
        roots: The functions at which a road may begin, and why.
    """

    program: Program
    into: dict[int, tuple[Way, ...]] = msgspec.field(default_factory=dict)
    roots: dict[int, RootKind] = msgspec.field(default_factory=dict)
    _ways: dict[int, int] | None = None
    _distance: dict[int, int] | None = None

    def shortest(self, function: int, most: int) -> list[tuple[Way, ...]]:
        """
        The roads into a function, shortest first, then by place; the first edge is a root's call.

        A function that is a root itself has the empty road. No function occurs
        twice on a road.
        """
        distance = self._distances()
        if function not in distance or most <= 0:
            return []
        found: list[tuple[Way, ...]] = []
        # The numbers settle ties: calls that a macro's body makes stand at one place, whoever makes them.
        waiting: list[tuple[int, tuple[Position, ...], int, tuple[Way, ...], int]] = [
            (distance[function], (), 0, (), function)
        ]
        tried = 0
        number = 0
        finished: list[tuple[int, tuple[Position, ...], int, tuple[Way, ...]]] = []
        while waiting and len(found) < most and tried < MOST_TRIED:
            tried += 1
            length, places, _, road, at = heappop(waiting)
            while finished and finished[0][0] < length and len(found) < most:
                found.append(heappop(finished)[3])
            if at in self.roots:
                heappush(finished, (len(road), places, tried, road))
            seen = {edge.caller for edge in road}
            for edge in self.into.get(at, ()):
                if edge.caller in seen or edge.caller == function or edge.caller not in distance:
                    continue
                whole = len(road) + 1 + distance[edge.caller]
                number += 1
                step = (whole, (edge.position, *places), number, (edge, *road), edge.caller)
                heappush(waiting, step)
        while finished and len(found) < most:
            found.append(heappop(finished)[3])
        return found

    def count(self, function: int) -> int:
        """How many roads lead into a function; one more than `MOST_COUNTED` means more than that."""
        if self._ways is None:
            self._ways = self._count_all()
        return self._ways.get(function, 0)

    def entry_points(self, function: int) -> tuple[int, ...]:
        """The roots from which the function can be reached, itself included."""
        seen = {function}
        stack = [function]
        while stack:
            for edge in self.into.get(stack.pop(), ()):
                if edge.caller not in seen:
                    seen.add(edge.caller)
                    stack.append(edge.caller)
        return tuple(sorted(seen & self.roots.keys()))

    def _count_all(self) -> dict[int, int]:
        calls: dict[int, list[int]] = {}
        for callee, edges in self.into.items():
            for edge in edges:
                calls.setdefault(edge.caller, []).append(callee)
        components = self.program.scc(self.into, calls)
        component_of = {one: at for at, component in enumerate(components) for one in component}
        ways: dict[int, int] = {}
        # Callers before callees.
        for at in range(len(components) - 1, -1, -1):
            total = 0
            for function in components[at]:
                total += function in self.roots
                for edge in self.into[function]:
                    if component_of[edge.caller] != at:
                        total += ways[edge.caller]
            total = min(total, MOST_COUNTED + 1)
            ways.update(dict.fromkeys(components[at], total))
        return ways

    def _distances(self) -> dict[int, int]:
        """For each function that a root reaches, the number of calls on the shortest way."""
        if self._distance is None:
            out: dict[int, list[int]] = {}
            for callee, edges in self.into.items():
                for edge in edges:
                    out.setdefault(edge.caller, []).append(callee)
            self._distance = dict.fromkeys(sorted(self.roots), 0)
            waiting = deque(self._distance)
            while waiting:
                at = waiting.popleft()
                for callee in out.get(at, ()):
                    if callee not in self._distance:
                        self._distance[callee] = self._distance[at] + 1
                        waiting.append(callee)
        return self._distance


def cone_of(program: Program, goals: Iterable[int], *, tests: bool = False) -> Cone:
    """
    The cone of the goals.

    A function that is handed out as a value is a root: who runs it is not told
    by the place where it is named.

    Args:
        tests: Whether calls from test code count.
    """
    cone = Cone(program)
    waiting = sorted(set(goals))
    for goal in waiting:
        cone.into[goal] = ()
    while waiting:
        function = waiting.pop()
        calls: dict[tuple[int, Position], Way] = {}
        for edge in program.ways(function, tests=tests):
            if edge.kind == "value":
                continue
            key = (edge.caller, edge.position)
            known = calls.get(key)
            if known is None or HOW_ORDER.index(edge.how) < HOW_ORDER.index(known.how):
                calls[key] = edge
        cone.into[function] = tuple(calls[key] for key in sorted(calls))
        kind = program.root_kind(function, tests=tests)
        if kind is not None:
            cone.roots[function] = kind
        for edge in cone.into[function]:
            if edge.caller not in cone.into:
                cone.into[edge.caller] = ()
                waiting.append(edge.caller)
    return cone
