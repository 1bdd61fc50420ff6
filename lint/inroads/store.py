"""A memo on disk, keyed by content."""

from __future__ import annotations

from inroads.facts.codec import (
    decode_body as decode_body,
    decode_facts as decode_facts,
    encode_body as encode_body,
    encode_facts as encode_facts,
)
