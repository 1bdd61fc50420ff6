"""The call sites that may become findings: where each stands, and how its roads end."""

from __future__ import annotations

import msgspec

from inroads.analyses.order.cone import Cone
from inroads.analyses.order.ends import End, Ends, Trail
from inroads.analyses.order.keys import ANY, Key
from inroads.analyses.order.roots import is_root
from inroads.analyses.order.summaries import Verdict
from inroads.analyses.order.world import ENTRY
from inroads.lower.model import Call, Place


class Site(msgspec.Struct):
    """
    One call site that may become a finding.

    Args:
        verdicts: One for each key that is wanted there.
        bad, good: How its roads end, the nearest of them first; `bad_total` and `good_total` count all.
        inner: Where the site is the call of a function that hands on, the frames below it; else None.
    """

    function: int
    row: int
    verdicts: list[Verdict] = msgspec.field(default_factory=list)
    bad: list[End] = msgspec.field(default_factory=list)
    good: list[End] = msgspec.field(default_factory=list)
    bad_total: int = 0
    good_total: int = 0
    inner: Trail | None = None


def sites(cone: Cone) -> list[Site]:
    """All sites of the rule's targets, in order, with their ends."""
    found: dict[tuple[int, int], Site] = {}
    seen: set[tuple[int, int, Key]] = set()
    for function, solved in sorted(cone.solved.items()):
        if not cone.is_wanted(function):
            continue
        for verdict in solved.verdicts:
            if verdict.source is None:
                _place_site(cone, function, verdict, found, seen)
    ends = Ends(cone, [(site.function, verdict) for site in found.values() for verdict in site.verdicts])
    for site in found.values():
        site.bad, site.bad_total = ends.of(site.function, site.verdicts, bad=True)
        good, total = ends.of(site.function, site.verdicts, bad=False)
        bad = {end.place for end in site.bad}
        site.good = [end for end in good if end.place not in bad]
        site.good_total = total - (len(good) - len(site.good))
    return [found[place] for place in sorted(found)]


def _place_site(
    cone: Cone,
    function: int,
    verdict: Verdict,
    found: dict[tuple[int, int], Site],
    seen: set[tuple[int, int, Key]],
) -> None:
    """Put the verdict where it stands: at the call, or where only handed on, at the calls of the function."""
    waiting: list[Trail] = [Trail((function, verdict))]
    while waiting:
        trail = waiting.pop()
        at, current = trail.frame
        if (at, current.row, current.key) in seen:
            continue
        seen.add((at, current.row, current.key))
        key = cone.shared.lift(current.key)
        callers = cone.raised.get((at, key), []) if key is not None else []
        only_entry = current.bits == ENTRY and not current.evidence
        if only_entry and callers and is_thin(cone, at, current):
            waiting.extend(Trail(frame, trail) for frame in callers)
            if not is_root(cone, at):
                continue
        site = found.setdefault((at, current.row), Site(at, current.row))
        if current not in site.verdicts:
            site.verdicts.append(current)
        if site.inner is None:
            site.inner = trail.below


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
