"""Examples of the rules that no pack holds: a bad and a good one of each, run like any program."""

from __future__ import annotations

from datetime import date

import msgspec

from inroads.audit import audit
from inroads.builtin import CHANGED, UNREVIEWED
from inroads.check import Loaded, Options, check, load
from inroads.facts import Report
from inroads.ledger import Ledger
from inroads.review import entries_of
from inroads.rulebook import Rulebook
from inroads.settings import Settings
from inroads.texts import Texts
from inroads.workspace import MemoryTree

TARGET = "allocate"
_TODAY = date(2027, 1, 1)
_SAVE = "fn save() -> Result<(), String> {\n    Err(String::new())\n}\n\n"
_LOST = "pub fn tick() {\n    // inroads: {comment}\n    let _ = save();\n}\n"
_KEPT = "pub fn tick() -> Result<(), String> {\n    // inroads: {comment}\n    save()\n}\n"
_WHY = 'reason = "the next tick saves again"'
_FIRST = "pub fn allocate() {}\n\npub fn first() {\n    allocate();\n}\n"


class Sample(msgspec.Struct, frozen=True):
    """A snippet; `reviewed` is the program as it was when its call sites were reviewed, None for a rule without."""

    name: str
    code: str
    reviewed: str | None = None


def _lost(name: str, comment: str) -> Sample:
    return Sample(name, _SAVE + _LOST.replace("{comment}", comment))


def _kept(name: str, comment: str) -> Sample:
    return Sample(name, _SAVE + _KEPT.replace("{comment}", comment))


_GOOD = _lost("it says why", f"allow(error-dropped) {_WHY}")
_SECOND = _FIRST + "\npub fn second() {\n    allocate();\n}\n"
_CALLED = _FIRST + "\npub fn other() {\n    first();\n}\n"
# Rule -> the bad and the good one.
SAMPLES: dict[str, tuple[Sample, Sample]] = {
    "malformed-allow": (_lost("the reason is missing", "allow(error-dropped)"), _GOOD),
    "unknown-allow": (_lost("the rule is misspelt", f"allow(eror-dropped) {_WHY}"), _GOOD),
    "unused-allow": (_kept("the error is handed on now", f"allow(error-dropped) {_WHY}"), _GOOD),
    "unmet-expect": (
        _kept("the error is handed on now", f"expect(error-dropped) {_WHY}"),
        _lost("the rule fires, as expected", f"expect(error-dropped) {_WHY}"),
    ),
    "expired-allow": (
        _lost("the day has passed", f"allow(error-dropped) {_WHY}, until = 2026-06-30"),
        _lost("the day is to come", f"allow(error-dropped) {_WHY}, until = 2027-06-30"),
    ),
    UNREVIEWED: (
        Sample(f"`second` came after the call sites of `{TARGET}` were reviewed", _SECOND, _FIRST),
        Sample("both were reviewed", _SECOND, _SECOND),
    ),
    CHANGED: (
        Sample(f"`other` came after the call sites of `{TARGET}` were reviewed", _CALLED, _FIRST),
        Sample("it was there", _CALLED, _CALLED),
    ),
}


def run_sample(rulebook: Rulebook, id: str, sample: Sample) -> Report:
    """The report of a sample by the rules that ship, with what that rule says alone."""
    loaded = _loaded(sample.code)
    ledger = None if sample.reviewed is None else _reviewed(_loaded(sample.reviewed))
    report = check(loaded, rulebook, Settings(), Options(today=_TODAY, demand_targets=False, ledger=ledger))
    return Report(
        root=report.root,
        findings=tuple(one for one in report.findings if one.rule == id),
        allowed=report.allowed,
        notes=(),
        problems=report.problems,
        statistics=report.statistics,
        sources=report.sources,
    )


def _loaded(code: str) -> Loaded:
    manifest = b'[package]\nname = "example"\nversion = "0.1.0"\nedition = "2021"\n'
    return load(MemoryTree({"Cargo.toml": manifest, "src/lib.rs": code.encode()}))


def _reviewed(loaded: Loaded) -> Ledger:
    """The ledger of a program whose call sites of the target are all reviewed."""
    found = audit(loaded.program, TARGET)
    texts = Texts(loaded.tree.read, loaded.files)
    sites = entries_of(loaded.program, texts, TARGET, found, tests=False)
    return Ledger("inroads.ledger.toml", (TARGET,), sites)
