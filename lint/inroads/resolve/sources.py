"""The texts that a linked program is made of, and what stands at a place in one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import msgspec

from inroads.facts import FileFacts, Item, Position


class Places:
    """
    Knows what stands in the sources of a program; its nouns ask it for what they were made from.

    `linked` are the tables, `files` the facts of each path.
    """

    __slots__ = ("files", "linked")

    linked: Located
    files: Mapping[str, FileFacts]

    def item(self, source: int, index: int) -> Item:
        """An item of a source."""
        return self.linked.sources[source].facts.items[index]

    def position(self, source: int, offset: int) -> Position:
        """Where the byte at `offset` of a source was written by hand."""
        return self.linked.position(source, offset)


class Located(Protocol):
    """The sources of a program, and the lines and columns in them."""

    sources: list[Source]

    def position(self, source: int, offset: int) -> Position:
        """Where the byte at `offset` of a source was written by hand."""


class Source(msgspec.Struct, array_like=True):
    """
    A text that rows and items point into: a file, or the expansion of a macro call.

    Args:
        path: The file (for an expansion: of the call that was written by hand).
        own: The facts of an expansion's fragment; a file's once they were asked for.
        parent: For an expansion, the source that holds the call; None for a file.
        call: For an expansion, (start, end) of the call in `parent`'s text.
        pieces:
            For an expansion, sorted (start in the expansion, source id,
            offset there): where each run of tokens was written.
        macro: For an expansion, the id of the macro in `Tables.macros`.
        outside: For the tokens of a macro from outside that were read as items, its name.
    """

    id: int
    path: str
    own: FileFacts | None
    places: Places
    parent: int | None = None
    call: tuple[int, int] = (0, 0)
    pieces: tuple[tuple[int, int, int], ...] = ()
    macro: int | None = None
    outside: str = ""

    @property
    def facts(self) -> FileFacts:
        """The file's facts, or the fragment's facts of an expansion."""
        found = self.own
        if found is None:
            found = self.own = self.places.files[self.path]
        return found
