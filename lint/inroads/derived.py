"""
What follows from the skeletons of a program alone, kept from run to run.

Most edits are in bodies, and then it is as it was. Under each name only the newest is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TypeVar

import msgspec

from inroads.resolve.tables import Tables

Made = TypeVar("Made")

_STATE = 16
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def derived(tables: Tables, name: str, type_: type[Made], make: Callable[[], Made]) -> Made:
    """What `make` makes of the skeletons, or what an earlier run made of the same ones."""
    store = tables.store
    if store is None:
        return make()
    state = _state_of(tables)
    data = store.get(f"derived:{name}")
    if data is not None and data[:_STATE] == state:
        try:
            return msgspec.msgpack.decode(data[_STATE:], type=type_)
        except msgspec.MsgspecError:
            pass
    made = make()
    store.put(f"derived:{name}", state + _encode(made))
    return made


def _state_of(tables: Tables) -> bytes:
    """A digest of all skeletons, and of the crates and what they are told of those from outside."""
    crates = [(one.name, one.root, sorted(one.dependencies)) for one in tables.crates]
    told = (crates, tables.foreign_names, tables.externs, tables.switches, tables.skeleton)
    return blake2b(_encode(told), digest_size=_STATE).digest()
