"""
Reports that are kept whole: what a change is compared with has mostly been judged before.

The commit that a hook compares with was the index of an earlier hook. So the report on each compared state
is kept, under a digest of all that it was made from: paths and contents, rules, settings; the day, where an
allow comment has one.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from datetime import date

import msgspec

from inroads.check import Loaded, Options
from inroads.facts import Report
from inroads.remembered import digest_of
from inroads.rulebook import Rulebook
from inroads.settings import Settings
from inroads.store import Store
from inroads.workspace import Tree


class Past(msgspec.Struct, frozen=True):
    """
    A state that was judged.

    Args:
        functions: The paths of all functions, sorted, one a line, compressed.
        day: On which it was judged; None where it would be the same on any other.
    """

    report: Report
    functions: bytes
    day: date | None

    @property
    def paths(self) -> frozenset[str]:
        """The paths of all functions."""
        return frozenset(zlib.decompress(self.functions).decode("utf-8", "surrogatepass").split("\n"))


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Past).decode


def key_of(
    tree: Tree, rulebook: Rulebook, settings: Settings, options: Options, keys: Mapping[str, str] = {}
) -> str | None:
    """
    The key of the report on a tree; None where not all that it stands on is in the tree's files.

    Args:
        keys: Path -> content key, where it is known.
    """
    if tree.links() or tree.problems() or options.only:
        return None
    try:
        files = [(path, keys.get(path) or tree.key(path)) for path in tree.list()]
    except OSError:
        return None
    plain = (options.root, options.certain, options.tests, options.ledger)
    return f"report:{digest_of(files, rulebook, settings, plain)}"


def recall(store: Store, key: str, today: date) -> Past | None:
    """What an earlier run kept under a key, if it is true today."""
    data = store.get(key)
    try:
        past = None if data is None else _decode(data)
    except msgspec.DecodeError:
        return None
    return past if past is None or past.day in (None, today) else None


def keep(store: Store, key: str, report: Report, loaded: Loaded, today: date) -> None:
    """Keep a report for later runs."""
    ends = any("until" in one.text for facts in loaded.speaking.values() for one in facts.comments)
    paths = "\n".join(sorted(loaded.functions)).encode("utf-8", "surrogatepass")
    store.put(key, _encode(Past(report, zlib.compress(paths, 1), today if ends else None)))
    store.flush()
