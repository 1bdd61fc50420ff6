"""
The ledger of reviewed roads: the call sites of some functions, as somebody has seen and accepted them.

A TOML file with one entry a call site, sorted, so that two branches that each
add one merge without conflict in most cases:

    version = 1
    targets = [
        "CachePool::allocate",
    ]

    [[site]]
    target = "CachePool::allocate"
    function = "server::scheduler::Scheduler::admit"
    call = "self.pool.allocate(id)"
    context = "5f0c9a1e33d20b77"
    order = "ordered"
    fate = "propagated"
    callers = [
        "server::scheduler::Scheduler::tick",
    ]
    entry_points = [
        "server::main",
    ]
    reviewer = "ana"                # reviewer and note are the team's own
    note = "the sequence is registered above"

A site is known by its fingerprint, not by its line, so that an edit above it
changes nothing. `targets` stands apart, so that a function without any call
site is watched as well.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from typing import TypeGuard

import msgspec
from msgspec.structs import replace

from inroads.errors import SettingsError, did_you_mean
from inroads.facts import Fingerprint
from inroads.fingerprint import digest
from inroads.matching import match

VERSION = 1
FILE = "inroads.ledger.toml"
# Longer lists are told by their length and a hash.
MOST_NAMED = 20
_HEAD = """\
# Call sites that have been reviewed. Written by `inroads audit TARGET --review`;
# reviewer and note are yours to write, and are kept.
"""
_KNOWN = ("target", "function", "call", "context")
_TEXTS = (*_KNOWN, "order", "fate", "reviewer", "note")
_LISTS = ("callers", "entry_points")


class Entry(msgspec.Struct, frozen=True):
    """
    A call site, as it was reviewed or as it is now.

    Args:
        fingerprint: Its `rule` is the target, its `callee` is empty.
        order, fate: The verdicts of the audit; `fate` is "" where the call cannot fail.
        callers: The functions that call the one around the site.
        entry_points: Where roads to the site begin.
    """

    fingerprint: Fingerprint
    order: str
    fate: str = ""
    callers: tuple[str, ...] = ()
    entry_points: tuple[str, ...] = ()
    reviewer: str = ""
    note: str = ""

    @property
    def target(self) -> str:
        """The function that is called, as the audit was asked for it."""
        return self.fingerprint.rule


class Ledger(msgspec.Struct, frozen=True):
    """A ledger file; `name` as messages tell it."""

    name: str
    targets: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()


class Beside(msgspec.Struct, frozen=True):
    """
    The call sites of a program beside a ledger.

    Args:
        fresh: Indices of sites that are not in the ledger.
        changed: Index of a site -> what is not as it was reviewed, each half a sentence.
        worse: Those of `changed` of which more than a lost caller is to be told.
        gone: Entries without a site.
    """

    fresh: tuple[int, ...]
    changed: dict[int, tuple[str, ...]]
    worse: frozenset[int]
    gone: tuple[Entry, ...]


def entry(
    target: str,
    function: str,
    call: str,
    context: str,
    *,
    order: str,
    fate: str,
    callers: Iterable[str],
    entry_points: Iterable[str],
) -> Entry:
    """A call site as it is now, nobody's yet."""
    mark = Fingerprint(rule=target, function=function, callee="", call=call, context=context)
    return Entry(mark, order, fate, _named(callers), _named(entry_points))


def compare(sites: Sequence[Entry], entries: Sequence[Entry], functions_now: frozenset[str]) -> Beside:
    """What of the sites was not reviewed, or not as it is now."""
    partners = _partners(sites, entries, functions_now)
    fresh: list[int] = []
    changed: dict[int, tuple[str, ...]] = {}
    worse: set[int] = set()
    for at, partner in enumerate(partners):
        if partner is None:
            fresh.append(at)
            continue
        more, fewer = _changes(entries[partner], sites[at], functions_now)
        if more or fewer:
            changed[at] = (*more, *fewer)
        if more:
            worse.add(at)
    used = {partner for partner in partners if partner is not None}
    gone = tuple(one for at, one in enumerate(entries) if at not in used)
    return Beside(tuple(fresh), changed, frozenset(worse), gone)


def reviewed(
    ledger: Ledger,
    target: str,
    sites: Sequence[Entry],
    functions_now: frozenset[str],
    *,
    reviewer: str = "",
    note: str = "",
) -> tuple[Ledger, Beside]:
    """
    The ledger with the sites of one target as they are now, and what is new in it.

    Reviewer and note of a known site are kept; those that are given here are
    written beside sites that are new or changed.
    """
    mine = tuple(one for one in ledger.entries if one.target == target)
    others = tuple(one for one in ledger.entries if one.target != target)
    beside = compare(sites, mine, functions_now)
    looked_at = {*beside.fresh, *beside.changed}
    made: list[Entry] = []
    for at, partner in enumerate(_partners(sites, mine, functions_now)):
        old = mine[partner] if partner is not None else Entry(sites[at].fingerprint, "")
        is_new = at in looked_at
        made.append(
            replace(
                sites[at],
                reviewer=reviewer if is_new and reviewer else old.reviewer,
                note=note if is_new and note else old.note,
            )
        )
    targets = tuple(sorted({*ledger.targets, target}))
    return Ledger(ledger.name, targets, (*others, *made)), beside


def read(text: str, name: str) -> Ledger:
    """
    The ledger in a file.

    Raises:
        SettingsError: with all mistakes of the file, each with the entry it is in.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError((f"{name}: not valid TOML: {error}",)) from error
    mistakes: list[str] = []
    if table.get("version") != VERSION:
        mistakes.append(f"{name}: version: expected {VERSION}, got {table.get('version', 'nothing')}")
    known = ("version", "targets", "site")
    mistakes += [
        f'{name}: unknown key "{key}"{did_you_mean(key, known)}' for key in sorted(set(table) - set(known))
    ]
    targets = table.get("targets", [])
    if not _is_texts(targets):
        mistakes.append(f"{name}: targets: expected a list of texts")
        targets = []
    listed = table.get("site", [])
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        mistakes.append(f"{name}: site: expected [[site]] tables")
        listed = []
    entries = [_entry(one, f"{name}: site {number}", mistakes) for number, one in enumerate(listed, 1)]
    for number, one in enumerate(entries, 1):
        if one.target and one.target not in targets:
            hint = did_you_mean(one.target, targets)
            mistakes.append(f'{name}: site {number}: target: "{one.target}" is not among `targets`{hint}')
    if mistakes:
        raise SettingsError(tuple(mistakes))
    return Ledger(name, tuple(targets), tuple(entries))


def write(ledger: Ledger) -> str:
    """The text of a ledger file: sorted, so that the same entries give the same bytes."""
    # Imported here: only runs that write a ledger pay for it.
    import tomli_w

    head = {"version": VERSION, "targets": sorted(set(ledger.targets))}
    blocks = [_HEAD + tomli_w.dumps(head)]
    for one in sorted(ledger.entries, key=_sort_key):
        mark = one.fingerprint
        table: dict[str, object] = {
            "target": mark.rule,
            "function": mark.function,
            "call": mark.call,
            "context": mark.context,
            "order": one.order,
            "fate": one.fate,
            "callers": list(one.callers),
            "entry_points": list(one.entry_points),
            "reviewer": one.reviewer,
            "note": one.note,
        }
        # The team's own keys stand there empty, so that somebody fills them in.
        kept = {key: value for key, value in table.items() if value or key in ("reviewer", "note")}
        blocks.append("[[site]]\n" + tomli_w.dumps(kept))
    return "\n".join(blocks)


def _partners(
    sites: Sequence[Entry], entries: Sequence[Entry], functions_now: frozenset[str]
) -> tuple[int | None, ...]:
    return match(
        [one.fingerprint for one in entries], [one.fingerprint for one in sites], None, functions_now
    )


def _changes(old: Entry, new: Entry, functions_now: frozenset[str]) -> tuple[list[str], list[str]]:
    """What there is more or other than was reviewed, and what there is less."""
    more: list[str] = []
    fewer: list[str] = []
    lost, added = _difference(old.callers, new.callers, functions_now)
    around = new.fingerprint.function.rpartition("::")[2]
    more += [f"`{one}` calls `{around}` now" for one in added]
    fewer += [f"`{one}` no longer calls `{around}`" for one in lost]
    lost, added = _difference(old.entry_points, new.entry_points, functions_now)
    more += [f"it can be reached from `{one}` now" for one in added]
    fewer += [f"it can no longer be reached from `{one}`" for one in lost]
    if old.order != new.order:
        more.append(f"its order was {old.order or 'not told'}, and is {new.order}")
    if old.fate != new.fate:
        more.append(f"its error was {old.fate or 'none'}, and is {new.fate or 'none'}")
    return more, fewer


def _difference(
    old: tuple[str, ...], new: tuple[str, ...], functions_now: frozenset[str]
) -> tuple[list[str], list[str]]:
    """
    What was lost and what was added, without what was only renamed or moved.

    One whose old path is gone goes on in one of the same name elsewhere, or of
    another name at the same place, if exactly one can be meant.
    """
    lost = [one for one in old if one not in new]
    added = [one for one in new if one not in old]
    for part in (2, 0):
        for one in [one for one in lost if one not in functions_now]:
            partners = [
                other for other in added if other.rpartition("::")[part] == one.rpartition("::")[part]
            ]
            rivals = [other for other in lost if other.rpartition("::")[part] == one.rpartition("::")[part]]
            if len(partners) == len(rivals) == 1:
                lost.remove(one)
                added.remove(partners[0])
    return lost, added


def _named(names: Iterable[str]) -> tuple[str, ...]:
    """The names, sorted; too many of them as one text that changes with them."""
    listed = sorted(set(names))
    if len(listed) <= MOST_NAMED:
        return tuple(listed)
    return (f"{len(listed)} functions, {digest(chr(0).join(listed))}",)


def _entry(table: dict[str, object], where: str, mistakes: list[str]) -> Entry:
    """The entry of one table; after a mistake a part of it."""
    known = (*_TEXTS, *_LISTS)
    mistakes += [
        f'{where}: unknown key "{key}"{did_you_mean(key, known)}' for key in sorted(set(table) - set(known))
    ]
    texts: dict[str, str] = {}
    for key in _TEXTS:
        value = table.get(key, "")
        if not isinstance(value, str):
            mistakes.append(f"{where}: {key}: expected a text")
        elif not value and key in ("target", "function"):
            mistakes.append(f"{where}: {key}: is missing")
        texts[key] = value if isinstance(value, str) else ""
    lists: dict[str, tuple[str, ...]] = {}
    for key in _LISTS:
        value = table.get(key, [])
        lists[key] = tuple(value) if _is_texts(value) else ()
        if not _is_texts(value):
            mistakes.append(f"{where}: {key}: expected a list of texts")
    mark = Fingerprint(
        rule=texts["target"],
        function=texts["function"],
        callee="",
        call=texts["call"],
        context=texts["context"],
    )
    own = (texts["reviewer"], texts["note"])
    return Entry(mark, texts["order"], texts["fate"], lists["callers"], lists["entry_points"], *own)


def _is_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _sort_key(one: Entry) -> tuple[str, ...]:
    mark = one.fingerprint
    return mark.rule, mark.function, mark.call, mark.context, one.reviewer, one.note
