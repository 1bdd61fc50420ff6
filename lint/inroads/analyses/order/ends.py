"""
Where requirements can go no further: from the verdicts to the ends of the roads.

A requirement (function, key) and the verdicts of the callers on it make a
graph of frames that is linear in the cone. All sites share it: distances to
the nearest ends flow down from caller to callee once, and a road is read off
them. No path is enumerated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from inroads.analyses.order.cone import Cone
from inroads.analyses.order.keys import is_lost
from inroads.analyses.order.roots import is_private_root, is_root
from inroads.analyses.order.stored import is_stored
from inroads.analyses.order.summaries import Verdict
from inroads.analyses.order.world import ENTRY, PERHAPS, UNDONE, YES
from inroads.summary import closure, components

MOST_ENDS = 20
"""The nearest ends that are followed for a site, bad and good; all are counted."""

EndKind: TypeAlias = Literal["undone", "born", "stored", "lost", "root", "perhaps", "good"]
Frame: TypeAlias = tuple[int, Verdict]
Label: TypeAlias = tuple[bool, tuple[int, int]]
Own: TypeAlias = tuple[EndKind, bool, str]


class Trail(msgspec.Struct, frozen=True, eq=False):
    """A frame, and the trail below it that leads down to the site."""

    frame: Frame
    below: Trail | None = None
    weak: str = ""

    def frames(self) -> tuple[Frame, ...]:
        """This frame first, the site's last."""
        found: list[Frame] = []
        trail: Trail | None = self
        while trail is not None:
            found.append(trail.frame)
            trail = trail.below
        return tuple(found)


class End(msgspec.Struct, frozen=True, eq=False):
    """
    The frame where a requirement could go no further, and how it stands there.

    Args:
        sure: Whether it is certain; `reason` says why not.
        frames: From that frame to the site: (function, its verdict).
    """

    kind: EndKind
    frames: tuple[Frame, ...]
    sure: bool
    reason: str = ""

    @property
    def place(self) -> tuple[int, int]:
        """The function of the frame, and the row of the call in it."""
        function, verdict = self.frames[0]
        return (function, verdict.row)


class Ends:
    """
    The frames above some sites, and the ends that each of them leads to.

    An end is known by its label: whether it is bad, and the place of its frame.
    Labels are numbered in their order.
    """

    def __init__(self, cone: Cone, starts: Iterable[Frame]) -> None:
        self.cone = cone
        self.number: dict[tuple[object, ...], int] = {}
        self.frames: list[Frame] = []
        self.above: list[tuple[int, ...]] = []
        self.own: list[tuple[Own, ...]] = []
        for start in starts:
            self._number(start)
        self._explore()
        self.labels, self.ending = self._labels()
        self.distances: list[dict[int, int]] = [{} for _ in self.frames]
        self.is_cut = self._flow()
        self._masks: list[int] | None = None

    def of(self, function: int, verdicts: Sequence[Verdict], *, bad: bool) -> tuple[list[End], int]:
        """The nearest ends of a site, nearest first, and how many there are in all."""
        found: dict[int, End] = {}
        starts = [self._number((function, verdict)) for verdict in verdicts]
        for start in starts:
            distances = self.distances[start]
            for label in sorted(distances, key=lambda one: (distances[one], one)):
                if self.labels[label][0] == bad and label not in found:
                    found[label] = self._end(start, label)
        return list(found.values()), self._count(starts, bad) if self.is_cut else len(found)

    def _number(self, frame: Frame) -> int:
        function, verdict = frame
        key = (function, verdict.row, verdict.key, verdict.source)
        number = self.number.get(key)
        if number is None:
            number = self.number[key] = len(self.frames)
            self.frames.append(frame)
        return number

    def _explore(self) -> None:
        """Find all frames; ends because there are no more than verdicts."""
        for function, verdict in self.frames:
            own, further = _ends(self.cone, function, verdict)
            self.own.append(tuple(own))
            self.above.append(tuple(dict.fromkeys(self._number(frame) for frame in further)))

    def _labels(self) -> tuple[list[Label], list[list[int]]]:
        """All labels in order, and for each the frames that it is an end of."""
        found: dict[Label, list[int]] = defaultdict(list)
        for number, own in enumerate(self.own):
            function, verdict = self.frames[number]
            for kind, _, _ in own:
                label = (kind != "good", (function, verdict.row))
                if number not in found[label][-1:]:
                    found[label].append(number)
        if self.cone.rule.origins:
            below = self._below_origins({function for _, (function, _) in found})
            found = defaultdict(list, {label: at for label, at in found.items() if label[1][0] in below})
        labels = sorted(found)
        return labels, [found[label] for label in labels]

    def _below_origins(self, functions: set[int]) -> set[int]:
        """The functions that a function leads to which the rule gives as a root."""
        cone = self.cone
        called: dict[int, list[int]] = defaultdict(list)

        def callers(function: int) -> list[int]:
            found = [edge.caller for edge in cone.callers(function)]
            for caller in found:
                called[caller].append(function)
            return found

        cone_above = closure(sorted(functions), callers)
        origins = [
            one
            for one in cone_above
            if any(cone.matcher.is_function(pattern, one) for pattern in cone.rule.origins)
        ]
        return set(closure(origins, lambda one: called[one]))

    def _flow(self) -> bool:
        """
        Fill the distances, level by level; whether a frame has more ends than are followed.

        What is not among a frame's nearest is not among those of a frame below
        that it would come to by this one, so that it need not be handed on.
        """
        below: list[list[int]] = [[] for _ in self.frames]
        for number, above in enumerate(self.above):
            for one in above:
                below[one].append(number)
        counts = [[0] * len(self.frames), [0] * len(self.frames)]
        cut = False
        level = [(label, number) for label, numbers in enumerate(self.ending) for number in numbers]
        distance = 0
        while level:
            following: set[tuple[int, int]] = set()
            for label, number in level:
                distances = self.distances[number]
                if label in distances:
                    continue
                count = counts[self.labels[label][0]]
                if count[number] == MOST_ENDS:
                    cut = True
                    continue
                count[number] += 1
                distances[label] = distance
                following.update((label, one) for one in below[number])
            level = sorted(following)
            distance += 1
        return cut

    def _end(self, start: int, label: int) -> End:
        """The end at the top of the shortest road, the first in order where several are as short."""
        is_bad = self.labels[label][0]
        numbers = [start]
        weak = ""
        while True:
            number = numbers[-1]
            verdict = self.frames[number][1]
            if verdict.how == "by-name" and not weak:
                weak = verdict.callee
            left = self.distances[number][label]
            if left == 0:
                break
            numbers.append(
                next(one for one in self.above[number] if self.distances[one].get(label) == left - 1)
            )
        kind, sure, reason = next(one for one in self.own[number] if (one[0] != "good") == is_bad)
        if weak and kind != "good":
            name = weak.rpartition("::")[2]
            sure, reason = False, reason or f"the call of `{name}` is known by its name only"
        return End(kind, tuple(self.frames[one] for one in reversed(numbers)), sure, reason)

    def _count(self, starts: Iterable[int], bad: bool) -> int:
        """How many ends the frames lead to: sets of labels as bits, united on the condensation."""
        wanted = 0
        bits: dict[int, int] = defaultdict(int)
        for bit, numbers in enumerate(self.ending):
            if self.labels[bit][0] == bad:
                wanted |= 1 << bit
            for number in numbers:
                bits[number] |= 1 << bit
        if self._masks is None:
            masks = [0] * len(self.frames)
            for component in components(range(len(self.frames)), self.above.__getitem__, lambda _: False):
                mask = 0
                for number in component:
                    mask |= bits[number]
                    for one in self.above[number]:
                        mask |= masks[one]
                for number in component:
                    masks[number] = mask
            self._masks = masks
        found = 0
        for start in starts:
            found |= self._masks[start]
        return (found & wanted).bit_count()


def _ends(cone: Cone, function: int, verdict: Verdict) -> tuple[list[Own], Iterable[Frame]]:
    """How a requirement ends in this frame, and the callers' frames where it goes on."""
    ends: list[Own] = []
    further: Iterable[Frame] = ()
    bits = verdict.bits
    crowded = "more conditions are tested twice than are followed" if verdict.crowded else ""
    if bits & UNDONE:
        ends.append(("undone", not crowded, crowded))
    if bits & ENTRY:
        key = cone.shared.lift(verdict.key)
        # Where the need is met to begin with, a road is bad by an undo on it alone.
        unmet = cone.rule.initially == "unmet"
        if key is not None and not is_lost(verdict.key):
            further = cone.raised.get((function, key), ())
            if unmet and is_root(cone, function):
                private = is_private_root(cone, function)
                reason = crowded or ("nobody calls this private function" if private else "")
                ends.append(("root", not reason, reason))
        elif unmet and is_lost(verdict.key):
            ends.append(("lost", False, "the key can't be told"))
        elif unmet:
            stored = is_stored(cone.compiled(function), verdict.key)
            reason = crowded or ("the key came out of stored state" if stored else "")
            ends.append(("stored" if stored else "born", not reason, reason))
    if bits & PERHAPS:
        ends.append(("perhaps", False, "the need was perhaps done"))
    if bits == YES:
        ends.append(("good", True, ""))
    return ends, further
