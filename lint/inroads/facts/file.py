"""All that is kept of one file."""

from __future__ import annotations

import re

from inroads.facts.items import Item
from inroads.facts.written import Attribute, Plain

FACTS_VERSION = 5

DIRECTIVE = re.compile(r"(?:/ )?in-?roads?\s*:", re.IGNORECASE)
"""How a comment begins that is for this tool, a misspelt one too."""


class BodyFacts(Plain, frozen=True):
    """
    A body, encoded, with an index that is readable without decoding it.

    Args:
        owner: Index of the function, const or static in `FileFacts.items`.
        start, end: Of the body in the file, bytes.
        names:
            Sorted, each once: last segments of called paths, method names,
            names of macros called (with a `!` at the end), fields read or
            written (with a `.` before), types built (with a `{` at the end),
            and every other last path segment used as a value.
        marks:
            Sorted names of the forms that can lose an error and that occur:
            let-underscore:f, statement:f, ok, if-let, match, default:f, is-err, ...
        data:
            The Body, for `store.decode_body`. It may be the body's text still
            (see rust/bodies.py); `names` and `marks` are empty then, and
            `store.names_of` tells which names there may be, `store.marks_of` the marks.
    """

    owner: int
    start: int
    end: int
    names: tuple[str, ...]
    marks: tuple[str, ...]
    data: bytes


class Comment(Plain, frozen=True):
    """
    A comment that is not documentation: text without its sign, trimmed.

    `alone` if nothing else stands on its first line. Documentation that begins with
    `inroads:` is kept as well, with `/ ` before it.
    """

    start: int
    end: int
    text: str
    alone: bool


class FileProblem(Plain, frozen=True):
    """Something that could not be read; kind is syntax, encoding, too-large, deadline, nesting, internal."""

    kind: str
    start: int
    end: int
    message: str


class FileFacts(Plain, frozen=True):
    """
    All that is kept of one file; a function of its bytes alone.

    `line_starts` are the offsets at which lines begin, 4 bytes each,
    little-endian (see `lines.LineIndex`). `skeleton_digest` covers everything
    that another file can see. `inner` are inner attributes (`#![..]`).
    """

    items: tuple[Item, ...]
    bodies: tuple[BodyFacts, ...]
    inner: tuple[Attribute, ...]
    comments: tuple[Comment, ...]
    line_starts: bytes
    size: int
    skeleton_digest: bytes
    problems: tuple[FileProblem, ...]

    @property
    def speaks(self) -> bool:
        """Whether it has problems, or comments that may be for this tool: things to tell though nobody asks."""
        return bool(self.problems) or any(DIRECTIVE.match(one.text) for one in self.comments)
