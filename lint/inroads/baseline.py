"""
The baseline: findings that a team knows and has put off.

A TOML file with one short entry a finding, sorted by fingerprint, so that two
branches that each add one merge without conflict in most cases:

    [[finding]]
    rule = "error-only-logged"
    function = "server::scheduler::Scheduler::sync"
    callee = "server::model::Model::sync"
    call = "self.model.sync(id)"
    context = "5f0c9a1e"
    owner = "storage team"          # owner, reason and until are the team's own
    reason = "issue 412"
    until = 2027-03-01

Paths and lines are left out on purpose: they would change with every edit.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from datetime import date

import msgspec

from inroads.errors import SettingsError
from inroads.facts import Finding, Fingerprint, Note
from inroads.matching import match, match_roads

VERSION = 1
_HEAD = """\
# Findings that are known and put off. Written by `inroads check --write-baseline`;
# owner, reason and until (a date) are yours to add, and are kept.
"""
_TEXTS = ("rule", "function", "callee", "call", "context", "owner", "reason")
_KEYS = (*_TEXTS, "until", "roads")


class Entry(msgspec.Struct, frozen=True):
    """
    One known finding.

    `roads` are the roads of an order finding, sorted, each "fingerprint root".
    `until` is the last day on which it is put off, None for no end.
    """

    fingerprint: Fingerprint
    roads: tuple[str, ...] = ()
    owner: str = ""
    reason: str = ""
    until: date | None = None


class Compared(msgspec.Struct, frozen=True):
    """
    Findings beside a baseline.

    Args:
        fresh: New ones, status "new"; one with new roads only has only those.
        known: The others, status "known".
        stale: Entries that nothing matched.
        notes: One for each stale or expired entry.
    """

    fresh: tuple[Finding, ...]
    known: tuple[Finding, ...]
    stale: tuple[Entry, ...]
    notes: tuple[Note, ...]


def read(text: str, name: str) -> tuple[Entry, ...]:
    """
    The entries of a baseline file.

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
    mistakes += [
        f'{name}: unknown key "{key}"; entries are [[finding]] tables'
        for key in sorted(set(table) - {"version", "finding"})
    ]
    entries: list[Entry] = []
    listed = table.get("finding", [])
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise SettingsError((*mistakes, f"{name}: finding: expected [[finding]] tables"))
    for number, one in enumerate(listed, 1):
        entry = _entry(one, f"{name}: finding {number}", mistakes)
        if entry is not None:
            entries.append(entry)
    if mistakes:
        raise SettingsError(tuple(mistakes))
    return tuple(entries)


def write(entries: Iterable[Entry]) -> str:
    """The text of a baseline file: sorted, so that the same entries give the same bytes."""
    # Imported here: only runs that write a baseline pay for it.
    import tomli_w

    blocks = [_HEAD + f"version = {VERSION}\n"]
    for entry in sorted(entries, key=_sort_key):
        table: dict[str, object] = {
            name: value for name, value in msgspec.structs.asdict(entry.fingerprint).items() if value
        }
        if entry.roads:
            table["roads"] = list(entry.roads)
        own = (("owner", entry.owner), ("reason", entry.reason), ("until", entry.until))
        table |= {name: value for name, value in own if value}
        blocks.append("[[finding]]\n" + tomli_w.dumps(table))
    return "\n".join(blocks)


def entries_of(
    findings: Iterable[Finding], before: Sequence[Entry], functions: frozenset[str]
) -> tuple[Entry, ...]:
    """A baseline of these findings; what `before` says of owner, reason and end is kept for those that it knows."""
    listed = tuple(findings)
    partners = match(
        [one.fingerprint for one in before], [one.fingerprint for one in listed], None, functions
    )
    made = []
    for finding, partner in zip(listed, partners, strict=True):
        roads = tuple(sorted({f"{road.fingerprint} {road.root}" for road in finding.roads if not road.good}))
        if partner is None:
            made.append(Entry(finding.fingerprint, roads))
        else:
            old = before[partner]
            made.append(Entry(finding.fingerprint, roads, old.owner, old.reason, old.until))
    return tuple(made)


def compare(
    findings: Sequence[Finding],
    entries: Sequence[Entry],
    functions_now: frozenset[str],
    today: date,
    name: str,
    functions_before: frozenset[str] | None = None,
    others: Sequence[Finding] = (),
    whole: bool = True,
) -> Compared:
    """
    Part findings into new and known ones.

    An expired entry no longer covers its finding. A known order finding with a
    road that the entry does not list is new, and is shown with its new roads.

    Args:
        others: Findings that are known already; an entry for one of them is not stale.
        whole: Whether all rules were asked everywhere; else nobody knows which entries are stale.
    """
    all_partners = match(
        [one.fingerprint for one in entries],
        [one.fingerprint for one in (*findings, *others)],
        functions_before,
        functions_now,
    )
    partners = all_partners[: len(findings)]
    fresh: list[Finding] = []
    known: list[Finding] = []
    notes: list[Note] = []
    for finding, partner in zip(findings, partners, strict=True):
        if partner is None:
            fresh.append(msgspec.structs.replace(finding, status="new"))
            continue
        entry = entries[partner]
        if entry.until is not None and entry.until < today:
            message = f"put off until {entry.until}, which is past{_owned(entry)}: {_told(entry)}"
            notes.append(Note("expired-baseline", finding.path, finding.line, message))
            fresh.append(msgspec.structs.replace(finding, status="new"))
            continue
        remaining = new_roads(finding, entry.roads, functions_now, functions_before)
        if remaining is None:
            known.append(msgspec.structs.replace(finding, status="known"))
        else:
            fresh.append(remaining)
    used = {partner for partner in all_partners if partner is not None}
    stale = tuple(entry for at, entry in enumerate(entries) if at not in used) if whole else ()
    notes.extend(
        Note("stale-baseline", name, 1, f"matches nothing any more: {_told(entry)}") for entry in stale
    )
    return Compared(tuple(fresh), tuple(known), stale, tuple(notes))


def new_roads(
    finding: Finding,
    known: Sequence[str],
    functions_now: frozenset[str],
    functions_before: frozenset[str] | None = None,
) -> Finding | None:
    """
    The finding with those of its roads alone that are not known; None where there are none.

    A finding of a kind without roads has nothing new to it. Where more roads
    were counted than listed, those that are not listed can't be told apart and
    count as known. A road whose root makes another call than before, or whose
    root was renamed, goes on if as many are left on both sides.

    Args:
        known: "fingerprint root" of each road that is known.
    """
    roads = tuple(road for road in finding.roads if not road.good)
    if not roads or not known:
        return None
    before = [_road(root, mark) for mark, _, root in (one.partition(" ") for one in known)]
    now = [_road(road.root, road.fingerprint) for road in roads]
    partners = match_roads(before, now, functions_before, functions_now)
    fresh = tuple(road for road, partner in zip(roads, partners, strict=True) if partner is None)
    if not fresh:
        return None
    kept = tuple(road for road in finding.roads if road.good or road in fresh)
    return msgspec.structs.replace(
        finding, status="new", roads=kept, roads_total=len(fresh), trace=fresh[0].steps or finding.trace
    )


def _road(root: str, mark: str) -> Fingerprint:
    return Fingerprint(rule="", function=root, callee="", call=mark, context="")


def _entry(table: dict[str, object], where: str, mistakes: list[str]) -> Entry | None:
    sound = True

    def wrong(message: str) -> None:
        nonlocal sound
        sound = False
        mistakes.append(f"{where}: {message}")

    for key in sorted(set(table) - set(_KEYS)):
        wrong(f'unknown key "{key}"')
    texts: dict[str, str] = {}
    for key in _TEXTS:
        value = table.get(key, "")
        if isinstance(value, str):
            texts[key] = value
        else:
            wrong(f"{key}: expected a text")
    if not texts.get("rule"):
        wrong("rule: is missing")
    until = table.get("until")
    if until is not None and type(until) is not date:
        wrong("until: expected a date, as 2027-03-01, without quotes")
    roads = table.get("roads", [])
    if not isinstance(roads, list) or not all(isinstance(one, str) for one in roads):
        wrong("roads: expected a list of texts")
    if not sound:
        return None
    assert isinstance(roads, list)
    return Entry(
        Fingerprint(**{key: texts[key] for key in _TEXTS[:5]}),
        tuple(roads),
        texts["owner"],
        texts["reason"],
        until if type(until) is date else None,
    )


def _sort_key(entry: Entry) -> tuple[str, ...]:
    one = entry.fingerprint
    return one.rule, one.function, one.callee, one.call, one.context


def _told(entry: Entry) -> str:
    one = entry.fingerprint
    return f"{one.rule} in {one.function or 'the workspace'}" + (f", `{one.call}`" if one.call else "")


def _owned(entry: Entry) -> str:
    return f" ({entry.owner})" if entry.owner else ""
