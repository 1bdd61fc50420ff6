"""
What an answer was found out from: the bodies that were read for it, and the names that were looked up.

Everything else that an answer stands on is in the skeletons (see `facts`), and so is the same for all
answers of one program. Where something stands counts for nothing, unless the answer tells it. A memo keeps
what an entry has read beside it, so that an answer that only looked there has read the same
as the one that found it out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from inroads.facts import Problem

Key = TypeVar("Key")
Answer = TypeVar("Answer")


ANY, MACRO, HEAD = "*", "!", ""
"""What a glance may be for, instead of a name."""


class Reads:
    """
    What has been read.

    Args:
        bodies: The functions whose bodies were read.
        names:
            What was looked up: names of which it was asked who mentions them, in the spelling of
            `BodyFacts.names`, with `*` for any letters; and other questions, see `declared`,
            `giving`, `valued` and `written`.
        glances:
            Functions of which the signature was read, and of the body no more than whether it mentions a name: the
            function, and the name; `ANY` for whatever it mentions, `MACRO` for any macro, `HEAD` for nothing, or
            for what is among `names`.
        problems: What was wrong with the bodies that were judged.
    """

    __slots__ = ("bodies", "glances", "names", "problems")

    def __init__(self) -> None:
        self.bodies: set[int] = set()
        self.names: set[str] = set()
        self.glances: set[tuple[int, str]] = set()
        self.problems: set[Problem] = set()

    def add(self, other: Reads) -> None:
        """Count all that somebody else has read."""
        self.bodies |= other.bodies
        self.names |= other.names
        # Mostly there are none, and it is done by the hundred thousand.
        if other.glances:
            self.glances |= other.glances
        if other.problems:
            self.problems |= other.problems


def declared(name: str) -> str:
    """Stands in `Reads.names` for the question which functions have a name, which may hold `*`."""
    return f"fn {name}"


def valued(name: str) -> str:
    """Stands in `Reads.names` for the question what constants of a name are initialised with."""
    return f"= {name}"


def giving(name: str) -> str:
    """Stands in `Reads.names` for the question which functions return a type of this name."""
    return f"-> {name}"


def written(name: str) -> str:
    """Stands in `Reads.names` for the question whether any signature names a type."""
    return f": {name}"


class Recorder:
    """Notes what is read, for whoever asks at the moment."""

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now = Reads()

    def apart(self, find: Callable[[], Answer]) -> tuple[Answer, Reads]:
        """An answer with what was read for it; nobody else hears of that."""
        outer, self.now = self.now, Reads()
        try:
            answer = find()
            return answer, self.now
        finally:
            self.now = outer

    def remembered(
        self, kept: dict[Key, tuple[Answer, Reads]], key: Key, find: Callable[[], Answer]
    ) -> Answer:
        """The answer that is kept under a key, found out the first time; what it has read counts each time."""
        entry = kept.get(key)
        if entry is None:
            entry = kept[key] = self.apart(find)
        self.now.add(entry[1])
        return entry[0]


class Nested(Generic[Key, Answer]):
    """
    A memo of a question that may ask itself, over a bounded number of turns.

    A question that goes round in a circle, or on over too many turns, is answered by
    `cut`; what was found out with the help of such an answer holds as long as the question is asked at
    which it was cut, and is not kept longer. So no answer depends on who was asked first.
    """

    __slots__ = ("_asked", "_cut_at", "_held", "_kept", "_under", "cut", "deepest", "recorder")

    def __init__(self, recorder: Recorder, deepest: int, cut: Answer) -> None:
        self.recorder = recorder
        self.deepest = deepest
        self.cut = cut
        self._kept: dict[Key, tuple[Answer, Reads]] = {}
        self._held: dict[Key, tuple[tuple[Answer, Reads], int, int]] = {}
        # The keys of `_held`, by the question on which they hang.
        self._under: list[list[Key]] = []
        self._asked: list[Key] = []
        self._cut_at = deepest

    def ask(self, key: Key, find: Callable[[], Answer]) -> Answer:
        """The answer under a key; `find` may ask for others."""
        known = self._kept.get(key)
        if known is not None:
            self.recorder.now.add(known[1])
            return known[0]
        depth = len(self._asked)
        held = self._held.get(key)
        # One that was asked further down had fewer turns left.
        if held is not None and held[2] <= depth:
            self._cut_at = min(self._cut_at, held[1])
            self.recorder.now.add(held[0][1])
            return held[0][0]
        if key in self._asked or self.deepest <= depth:
            self._cut_at = min(self._cut_at, self._asked.index(key) if key in self._asked else 0)
            return self.cut
        # What was cut off beside this question is no part of its answer.
        beside, self._cut_at = self._cut_at, self.deepest
        self._asked.append(key)
        self._under.append([])
        try:
            found = self.recorder.apart(find)
        finally:
            self._asked.pop()
            for one in self._under.pop():
                self._held.pop(one, None)
        self.recorder.now.add(found[1])
        if depth <= self._cut_at:
            # Whatever was cut off below lies within this question, and is part of its answer.
            self._kept[key] = found
            self._cut_at = beside
        else:
            self._held[key] = found, self._cut_at, depth
            self._under[self._cut_at].append(key)
            self._cut_at = min(self._cut_at, beside)
        return found[0]
