"""
Who mentioned a name in an earlier run, brought up to date by the bodies that were rewritten since.

To find that out anew, all bodies of a program are read and looked through; after an edit it is as it was
but for the few that were edited.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import msgspec

MOST_REWRITTEN = 200
"""With more bodies than these rewritten it pays to look through all."""
_GONE = 2**32 - 1


class Noted(msgspec.Struct, frozen=True, array_like=True):
    """
    What was found out about names, as FunctionIds of the run that did; all 4 bytes in the order of this machine.

    Args:
        functions: Name -> those that mentioned it; see `Mentions.asked`.
        likes: Pattern with `*` -> the names that fitted it; the same.
        ids: FunctionId of that run -> FunctionId now; empty where none has changed.
        rewritten: FunctionIds of now whose bodies are not as they were.
    """

    functions: dict[str, bytes] = {}
    likes: dict[str, tuple[str, ...]] = {}
    ids: bytes = b""
    rewritten: bytes = b""

    def mentioning(self, name: str) -> list[int] | None:
        """The functions that mentioned a name, by their ids of now; None where nobody had asked."""
        known = self.functions.get(name)
        if known is None:
            return None
        found = unpacked(known)
        if not self.ids:
            return list(found)
        ids = unpacked(self.ids)
        return [now for then in found if (now := ids[then]) != _GONE]

    def after(
        self, rewritten: Iterable[int], names: Iterable[str], ids: Sequence[int | None] | None
    ) -> Noted | None:
        """
        The same after more edits; None where they are too many.

        Args:
            rewritten: FunctionIds, of now, whose bodies are not as they were.
            names: What is mentioned elsewhere since.
            ids: FunctionId before the edits -> FunctionId now; None where all are the same.
        """
        before: Iterable[int] = unpacked(self.rewritten)
        composed = self.ids
        if ids is not None:
            before = [now for then in before if (now := ids[then]) is not None]
            earlier = unpacked(self.ids) if self.ids else range(len(ids))
            later = (ids[then] if then != _GONE else None for then in earlier)
            composed = packed(_GONE if now is None else now for now in later)
        all = {*before, *rewritten}
        if MOST_REWRITTEN < len(all):
            return None
        words = [name.strip(".{!") for name in names]
        likes = {
            pattern: found
            for pattern, found in self.likes.items()
            if not any(fnmatchcase(word, pattern.partition(" ")[0].strip(".{!")) for word in words)
        }
        return Noted(self.functions, likes, composed, packed(sorted(all)))


def packed(numbers: Iterable[int]) -> bytes:
    """Numbers as they are kept."""
    return array("I", numbers).tobytes()


def unpacked(data: bytes) -> array[int]:
    """The numbers that were kept."""
    numbers = array("I")
    numbers.frombytes(data)
    return numbers
