"""The evidence that a rule could declare, where every bad road holds a value of one type."""

from __future__ import annotations

from inroads.analyses.order.cone import Cone
from inroads.analyses.order.keys import places
from inroads.analyses.order.roads import End
from inroads.analyses.order.words import short
from inroads.lower.model import Field, Place
from inroads.pattern_match import place_type


def proposed_evidence(cone: Cone, ends: list[End]) -> str:
    """`declare it: evidence = [..]`, or nothing where the roads have no such value in common."""
    if len(cone.rule.variables) != 1 or not ends or any(end.kind not in ("stored", "born") for end in ends):
        return ""
    common: set[tuple[str, str]] | None = None
    for end in ends:
        _, verdict = end.frames[0]
        held = {one for place in places(verdict.key) for one in _holders(place)}
        common = held if common is None else common & held
    own = {definition.path for definition in cone.program.tables.types}
    found = sorted(one for one in common or () if one[0] in own)
    if not found:
        return ""
    owner, name = found[0]
    type_name = owner.rpartition("::")[2]
    return (
        f"every road holds a `{short(owner)}`; if it is only built after the need, declare it: "
        f'evidence = ["{type_name} {{ {name}: ${cone.rule.variables[0]}, .. }}"]'
    )


def _holders(place: Place) -> list[tuple[str, str]]:
    """The types, and their fields, that a place goes through."""
    found: list[tuple[str, str]] = []
    for depth, step in enumerate(place.steps):
        if isinstance(step, Field):
            owner = step.owner or place_type(Place(place.root, place.steps[:depth]))
            if owner:
                found.append((owner, step.name))
    return found
