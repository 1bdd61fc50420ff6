"""
The call sites of a program beside the ledger of those that somebody has reviewed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from inroads.analyses.base import LOG_MACROS, Rule
from inroads.audit import Audit, CallSite, audit
from inroads.builtin import BUILT_IN, CHANGED, UNREVIEWED
from inroads.errors import SettingsError, UsageError
from inroads.facts import Finding, Fingerprint, Note
from inroads.ledger import Beside, Entry, Ledger, compare, entry
from inroads.program import Program
from inroads.roads import cone_of
from inroads.texts import Texts

_WORD = re.compile(r"(?:r#)?\w+")


class Reviewed(msgspec.Struct, frozen=True):
    """What the ledger says of a program: findings without text fingerprints, and notes of stale entries."""

    findings: tuple[Finding, ...]
    notes: tuple[Note, ...]


def beside_ledger(
    program: Program,
    texts: Texts,
    ledger: Ledger,
    rules: Sequence[Rule],
    *,
    tests: bool,
    log_macros: frozenset[str] = frozenset(LOG_MACROS),
    demand_targets: bool = True,
) -> Reviewed:
    """
    Hold every call site of the ledger's targets against what was reviewed.

    Args:
        rules: The order rules that give the verdicts.
        demand_targets: Whether a target that names no function is an error (not so on the base side).

    Raises:
        SettingsError: Such a target.
    """
    findings: list[Finding] = []
    notes: list[Note] = []
    mistakes: list[str] = []
    functions = frozenset(function.path for function in program.tables.functions)
    for target in sorted(set(ledger.targets)):
        try:
            found = audit(program, target, rules=rules, tests=tests, log_macros=log_macros)
        except UsageError as error:
            mistakes.append(f"{ledger.name}: targets: {error}")
            continue
        sites = entries_of(program, texts, target, found, tests=tests)
        reviewed = tuple(one for one in ledger.entries if one.target == target)
        beside = compare(sites, reviewed, functions)
        findings += _findings(target, found, sites, beside, texts)
        notes += [Note("stale-ledger", ledger.name, 1, _gone(one)) for one in beside.gone]
    if mistakes and demand_targets:
        raise SettingsError(tuple(mistakes))
    return Reviewed(tuple(findings), tuple(notes))


def entries_of(
    program: Program, texts: Texts, target: str, found: Audit, *, tests: bool
) -> tuple[Entry, ...]:
    """The call sites that an audit found, as the ledger writes them; in the audit's order."""
    tables = program.tables
    ids: dict[str, list[int]] = {}
    wanted = {site.function for site in found.sites}
    for function in tables.functions:
        if function.path in wanted and (tests or not function.test):
            ids.setdefault(function.path, []).append(function.id)
    cone = cone_of(program, [id for same in ids.values() for id in same], tests=tests)
    made = []
    for site in found.sites:
        around = ids.get(site.function, [])
        call = texts.call(site.path, site.line, site.column)
        callers = {edge.caller for id in around for edge in program.callers(id, tests=tests)}
        roots = {root for id in around for root in cone.entry_points(id)}
        made.append(
            entry(
                target,
                site.function,
                call.call,
                call.context,
                order=site.order,
                fate=site.fate or "",
                callers=(tables.functions[id].path for id in callers),
                entry_points=(tables.functions[id].path for id in roots),
            )
        )
    return tuple(made)


def _findings(
    target: str, found: Audit, sites: Sequence[Entry], beside: Beside, texts: Texts
) -> Iterable[Finding]:
    for at in beside.fresh:
        site = found.sites[at]
        what = f"new road into `{target}`, not reviewed: `{_short(site.function)}` calls it{_verdict(site)}"
        yield _finding(UNREVIEWED, target, site, what, (), texts, at in beside.fresh)
    for at, changes in sorted(beside.changed.items()):
        site = found.sites[at]
        more = f", and {len(changes) - 1} more" if len(changes) > 1 else ""
        what = f"road into `{target}` has changed since it was reviewed: {changes[0]}{more}"
        was = f"reviewed by {sites[at].reviewer}" if sites[at].reviewer else ""
        details = (*(f"changed: {one}" for one in changes), *((was,) if was else ()))
        yield _finding(CHANGED, target, site, what, details, texts, at in beside.worse)


def _finding(
    rule: str, target: str, site: CallSite, message: str, details: tuple[str, ...], texts: Texts, grave: bool
) -> Finding:
    name = _WORD.match(
        texts.line(site.path, site.line).encode()[site.column - 1 :].decode("utf-8", "replace")
    )
    length = len(name[0].encode()) if name else 1
    return Finding(
        rule=rule,
        kind="ledger",
        level=BUILT_IN[rule].level if grave else "warn",
        certainty="maybe" if site.how == "by-name" else "sure",
        message=message,
        help=f'look at the roads that lead here, then run `inroads audit "{target}" --review`',
        path=site.path,
        line=site.line,
        column=site.column,
        end_line=site.line,
        end_column=site.column + length,
        function=site.function,
        callees=site.dispatch,
        how=site.how,
        via=site.via,
        fingerprint=Fingerprint(rule=rule, function=site.function, callee=target, call="", context=""),
        trace=site.roads[0] if site.roads else (),
        details=details,
    )


def _verdict(site: CallSite) -> str:
    """` (unordered, its error is logged)`, as far as there is a verdict."""
    words: list[str] = [site.order] if site.order != "no-rule" else []
    if site.fate:
        words.append(f"its error is {site.fate}")
    return f" ({', '.join(words)})" if words else ""


def _gone(one: Entry) -> str:
    mark = one.fingerprint
    call = f", `{mark.call}`" if mark.call else ""
    who = f" (reviewed by {one.reviewer})" if one.reviewer else ""
    return f"the site is gone: {one.target} in {mark.function}{call}{who}"


def _short(path: str) -> str:
    """The last two segments of a method's path, the last of a function's."""
    parts = path.split("::")
    return "::".join(parts[-2:]) if len(parts) > 1 and parts[-2][:1].isupper() else parts[-1]
