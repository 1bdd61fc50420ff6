"""
From the verdicts to the roads: where a requirement starts, and where it can go no further.

A requirement (function, key) and the verdicts of the callers on it make a
graph that is linear in the cone. A road is found by a breadth-first search in
it, so the shortest comes first, and no path is enumerated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from inroads.analyses.order.cone import Cone
from inroads.analyses.order.keys import ANY, Key, is_lost
from inroads.analyses.order.moving import lifted_key
from inroads.analyses.order.stored import is_stored
from inroads.analyses.order.summaries import Verdict
from inroads.analyses.order.world import ENTRY, PERHAPS, UNDONE, YES
from inroads.lower.model import Call, Place
from inroads.summary import closure

MOST_FRAMES = 10_000
"""Calls that a site's roads are followed through; what lies beyond is not counted."""

EndKind: TypeAlias = Literal["undone", "born", "stored", "lost", "root", "perhaps", "good"]
Frame: TypeAlias = tuple[int, Verdict]


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """The frames from here down to the site: this one, and the trail it came from."""

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


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """
    The frame where a requirement could go no further, and how it stands there.

    Args:
        sure: Whether it is certain; `reason` says why not.
    """

    kind: EndKind
    trail: Trail
    sure: bool
    reason: str = ""

    @property
    def frames(self) -> tuple[Frame, ...]:
        """From that frame to the site: (function, its verdict)."""
        return self.trail.frames()

    @property
    def place(self) -> tuple[int, int]:
        """The function of the frame, and the row of the call in it."""
        function, verdict = self.trail.frame
        return (function, verdict.row)


@dataclass(slots=True)
class Site:
    """One call site that may become a finding: its verdicts, one for each key that is wanted there."""

    function: int
    row: int
    verdicts: list[Verdict] = field(default_factory=list)
    bad: list[End] = field(default_factory=list)
    good: list[End] = field(default_factory=list)
    inner: list[Frame] = field(default_factory=list)


def sites(cone: Cone) -> list[Site]:
    """All sites of the rule's targets, in order, with their ends."""
    found: dict[tuple[int, int], Site] = {}
    for function, solved in sorted(cone.solved.items()):
        if not cone.is_wanted(function):
            continue
        for verdict in solved.verdicts:
            if verdict.source is None:
                _place_site(cone, function, verdict, found)
    for site in found.values():
        for verdict in site.verdicts:
            _find_ends(cone, site, verdict)
        if cone.rule.origins:
            site.bad = [end for end in site.bad if _is_below_origin(cone, end.place[0])]
            site.good = [end for end in site.good if _is_below_origin(cone, end.place[0])]
    return [found[place] for place in sorted(found)]


def _is_below_origin(cone: Cone, function: int) -> bool:
    """Whether a function that the rule gives as a root leads to this one."""
    above = closure([function], lambda one: [edge.caller for edge in cone.callers(one)])
    return any(cone.matcher.is_function(pattern, one) for one in above for pattern in cone.rule.origins)


def _place_site(cone: Cone, function: int, verdict: Verdict, found: dict[tuple[int, int], Site]) -> None:
    """Put the verdict where it stands: at the call, or where only handed on, at the calls of the function."""
    waiting: list[tuple[int, Verdict, tuple[Frame, ...]]] = [(function, verdict, ())]
    seen: set[tuple[int, int, Key]] = set()
    while waiting:
        at, current, inner = waiting.pop()
        if (at, current.row, current.key) in seen:
            continue
        seen.add((at, current.row, current.key))
        key = lifted_key(current.key)
        callers = cone.raised.get((at, key), []) if key is not None else []
        only_entry = current.bits == ENTRY and not current.evidence
        if only_entry and callers and is_thin(cone, at, current):
            waiting.extend((caller, above, ((at, current), *inner)) for caller, above in callers)
            if not is_root(cone, at):
                continue
        site = found.setdefault((at, current.row), Site(at, current.row))
        if current not in site.verdicts:
            site.verdicts.append(current)
        if not site.inner:
            site.inner = list(inner)


def _find_ends(cone: Cone, site: Site, start: Verdict) -> None:
    waiting = [Trail((site.function, start), None, start.callee if start.how == "by-name" else "")]
    seen: set[tuple[int, int, Key]] = set()
    bad: dict[tuple[int, int], End] = {end.place: end for end in site.bad}
    good: dict[tuple[int, int], End] = {end.place: end for end in site.good}
    for trail in waiting:
        function, verdict = trail.frame
        if (function, verdict.row, verdict.key) in seen:
            continue
        seen.add((function, verdict.row, verdict.key))
        if MOST_FRAMES < len(seen):
            break
        ends, further = _ends(cone, function, verdict)
        for kind, sure, reason in ends:
            if trail.weak and kind != "good":
                name = trail.weak.rpartition("::")[2]
                sure, reason = False, reason or f"the call of `{name}` is known by its name only"
            end = End(kind, trail, sure, reason)
            (good if kind == "good" else bad).setdefault(end.place, end)
        waiting.extend(
            Trail(frame, trail, trail.weak or (frame[1].callee if frame[1].how == "by-name" else ""))
            for frame in further
        )
    site.bad = list(bad.values())
    site.good = [end for end in good.values() if end.place not in bad]


def _ends(
    cone: Cone, function: int, verdict: Verdict
) -> tuple[list[tuple[EndKind, bool, str]], Iterable[Frame]]:
    """How a requirement ends in this frame, and the callers' frames where it goes on."""
    ends: list[tuple[EndKind, bool, str]] = []
    further: Iterable[Frame] = ()
    bits = verdict.bits
    crowded = "more conditions are tested twice than are followed" if verdict.crowded else ""
    if bits & UNDONE:
        ends.append(("undone", not crowded, crowded))
    if bits & ENTRY and cone.rule.initially == "unmet":
        key = lifted_key(verdict.key)
        if is_lost(verdict.key):
            ends.append(("lost", False, "the key can't be told"))
        elif key is None:
            stored = is_stored(cone.compiled(function), verdict.key)
            reason = crowded or ("the key came out of stored state" if stored else "")
            ends.append(("stored" if stored else "born", not reason, reason))
        else:
            callers = cone.raised.get((function, key), [])
            further = callers
            if is_root(cone, function):
                private = is_private_root(cone, function)
                reason = crowded or ("nobody calls this private function" if private else "")
                ends.append(("root", not reason, reason))
    if bits & PERHAPS:
        ends.append(("perhaps", False, "the need was perhaps done"))
    if bits == YES:
        ends.append(("good", True, ""))
    return ends, further


def is_thin(cone: Cone, function: int, verdict: Verdict) -> bool:
    """Whether a function only hands its parameters on to the call: it calls nothing else of the workspace."""
    compiled = cone.compiled(function)
    if len(compiled.graph.blocks) > 16:
        return False
    for event in compiled.calls.values():
        if event.row == verdict.row:
            if not all(_is_handed(compiled.canonical(place)) for place in event.arguments):
                return False
        elif event.call.kind not in ("macro", "desugar", "operator") and not _adapts(event):
            return False
    return all(_is_bare(part) for part in verdict.key)


ADAPTERS = frozenset(
    (
        *("clone", "cloned", "copied", "into", "from", "try_into", "to_owned", "to_string", "to_vec"),
        *("as_ref", "as_mut", "as_deref", "as_str", "as_slice", "borrow", "borrow_mut", "deref", "lock"),
        *("read", "write", "iter", "iter_mut", "into_iter", "next", "unwrap", "expect", "ok", "err"),
        *("map_err", "ok_or", "ok_or_else", "is_ok", "is_err", "is_some", "is_none", "drop", "new"),
    )
)
"""Methods from outside that change the form of a value, and not what it is."""


def _adapts(event: Call) -> bool:
    return bool(event.call.targets) and all(
        target.function is None and target.path.rpartition("::")[2] in ADAPTERS
        for target in event.call.targets
    )


def _is_handed(place: Place) -> bool:
    return place.root.kind in ("self", "parameter", "static", "constant")


def _is_bare(part: object) -> bool:
    return part is ANY or (
        isinstance(part, Place) and (not part.steps or part.root.kind in ("self", "static"))
    )


def is_root(cone: Cone, function: int) -> bool:
    """Whether control comes in here from outside."""
    record = cone.program.tables.functions[function]
    if cone.rule.origins:
        return any(cone.matcher.is_function(pattern, function) for pattern in cone.rule.origins)
    if cone.rule.public and record.item.head.visibility == "pub":
        return True
    if record.name == "main" and record.path.count("::") == 1:
        return True
    if record.item.abi is not None:
        return True
    if record.impl is not None:
        impl = cone.program.tables.impls[record.impl]
        if impl.trait is None and impl.trait_path:
            return True
    callers = cone.callers(function)
    if any(edge.kind == "value" for edge in callers):
        return True
    others = [edge for edge in callers if edge.caller != function]
    if others:
        return False
    # A private function that only tests call is no root; what it does wrong is seen by tests alone.
    return not (is_private_root(cone, function) and cone.program.callers(function))


def is_private_root(cone: Cone, function: int) -> bool:
    """Whether a root that nobody calls is private, so that something may call it that we can't see."""
    record = cone.program.tables.functions[function]
    if record.impl is not None:
        impl = cone.program.tables.impls[record.impl]
        if impl.trait is not None or impl.trait_path:
            return False
    if record.trait is not None or record.name == "main" or record.item.abi is not None:
        return False
    if cone.rule.origins:
        return False
    if any(edge.kind == "value" for edge in cone.callers(function)):
        return False
    return record.item.head.visibility != "pub"
