"""Facts as bytes, and bytes as facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from inroads.facts.file import Comment, FileFacts
from inroads.facts.items import Late
from inroads.facts.rows import Body
from inroads.work import count


def _now(value: object) -> object:
    """What stands for something that is read when it is asked for."""
    if isinstance(value, Late):
        return value.now()
    # So a hook of msgspec says that it can't encode something.
    raise NotImplementedError(type(value))


encode_wire: Callable[[object], bytes] = msgspec.msgpack.Encoder(enc_hook=_now).encode
"""Encode facts, or plain tuples of the same shape."""

_facts_decoder = msgspec.msgpack.Decoder(FileFacts)
_body_decoder = msgspec.msgpack.Decoder(Body)


def encode_facts(facts: FileFacts) -> bytes:
    """The bytes of a file's facts."""
    return encode_wire(facts)


def decode_facts(data: bytes) -> FileFacts:
    """The facts behind the bytes; `msgspec.DecodeError` if there are none."""
    count("files decoded")
    return _facts_decoder.decode(data)


def comments_of(wire: list[tuple[Any, ...]]) -> tuple[Comment, ...]:
    """The comments of plain tuples of their shape."""
    return msgspec.convert(wire, tuple[Comment, ...])


def encode_body(body: Body) -> bytes:
    """The bytes of a body."""
    return encode_wire(body)


def rows_of(wire: tuple[Any, ...]) -> Body:
    """The rows of plain tuples of the shape of a Body."""
    count("bodies decoded")
    return msgspec.convert(wire, Body)


def decode_rows(data: bytes) -> Body:
    """The rows behind the bytes of `encode_body`."""
    count("bodies decoded")
    return _body_decoder.decode(data)
