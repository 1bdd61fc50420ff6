"""
What a run has done, in numbers that do not depend on the machine.

Counted once a file, a body or a function, so that counting costs nothing. Work
done in other processes is theirs: who compares counts works in one.
"""

from __future__ import annotations

DONE: dict[str, int] = {}
"""What was done -> how often, since the process began."""


def count(what: str, number: int = 1) -> None:
    """Add to a count."""
    DONE[what] = DONE.get(what, 0) + number
