"""One kind of rule held against a program, in this process."""

from __future__ import annotations

from inroads.analyses.base import Judgement, Rounds
from inroads.facts import Finding


def findings_of(rounds: Rounds[Judgement]) -> list[Finding]:
    """What a kind finds: its parts are run one after the other."""
    given: tuple[bytes, ...] | None = None
    while True:
        try:
            parts = next(rounds) if given is None else rounds.send(given)
        except StopIteration as end:
            return [one for one in end.value.found if isinstance(one, Finding)]
        given = tuple(part.run() for part in parts)
