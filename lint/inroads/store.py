"""A memo on disk, keyed by content; and what stands in it, as bytes and as facts."""

from __future__ import annotations

from inroads.facts import Body, BodyFacts
from inroads.facts.codec import (
    decode_facts as decode_facts,
    decode_rows,
    encode_body as encode_body,
    encode_facts as encode_facts,
)


def decode_body(data: bytes) -> Body:
    """The rows behind `BodyFacts.data`."""
    if data.startswith(b"\xc1"):
        # It waits as text; the parser is loaded only for such a one.
        from inroads.rust.bodies import read_waiting

        return read_waiting(data)
    return decode_rows(data)


def names_of(body: BodyFacts) -> frozenset[str]:
    """The names that a body may mention, in the spelling of `BodyFacts.names`."""
    if body.data.startswith(b"\xc1"):
        from inroads.rust.bodies import words

        return words(body)
    return frozenset(body.names)


def marks_of(body: BodyFacts) -> frozenset[str]:
    """The marks that a body may have, in the spelling of `BodyFacts.marks`."""
    if body.data.startswith(b"\xc1"):
        from inroads.rust.bodies import marks

        return marks(body)
    return frozenset(body.marks)
