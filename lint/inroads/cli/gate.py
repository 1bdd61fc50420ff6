"""
The gate: which findings a change made, and which a team knows already.

`--base`, `--staged` and their kin pick two trees; both are checked whole under
the rules and settings of the head. A baseline then takes away what it covers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from inroads.cli.files import write_file
from inroads.errors import RevisionError, UsageError
from inroads.facts import Report

Command = TypeVar("Command", bound=Callable[..., Any])


class Gate(msgspec.Struct, frozen=True):
    """
    What the flags of the gate say.

    Args:
        base: Compare with this revision; None for none.
        merge_base: Compare with where the current head left this branch; None for none.
        staged: Judge the index, beside HEAD if nothing else is named.
        baseline: The file of known findings; "" for what the settings name.
        write_baseline: Write all findings to this file; "" for none.
        prune: Take stale entries out of the baseline.
    """

    base: str | None = None
    merge_base: str | None = None
    staged: bool = False
    baseline: str = ""
    write_baseline: str = ""
    prune: bool = False

    @property
    def writes(self) -> bool:
        """Whether the run changes a file; then what it printed before must not be said again in its place."""
        return bool(self.write_baseline) or self.prune

    @property
    def reads(self) -> tuple[str, ...]:
        """The files that a flag names and the report depends on."""
        return (self.baseline,) if self.baseline else ()

    @property
    def compares(self) -> bool:
        """Whether two revisions are compared."""
        return self.staged or self.base is not None or self.merge_base is not None


def gate_options(function: Command) -> Command:
    """The options of the gate, handed on as one `gate`."""

    @click.option(
        "--base",
        "--since",
        "--new-from-rev",
        "base",
        metavar="REV",
        help="Tell only what is new since a revision.",
    )
    @click.option(
        "--new-from-merge-base",
        "merge_base",
        metavar="BRANCH",
        help="The same, since the head left a branch.",
    )
    @click.option("--staged", is_flag=True, help="Judge what is staged, beside HEAD.")
    @click.option("--baseline", metavar="FILE", default="", help="Leave out what this file knows.")
    @click.option("--write-baseline", metavar="FILE", default="", help="Write what is found as known.")
    @click.option("--prune-baseline", "prune", is_flag=True, help="Take stale entries out of it.")
    @wraps(function)
    def wrapped(
        *arguments: object,
        base: str | None,
        merge_base: str | None,
        staged: bool,
        baseline: str,
        write_baseline: str,
        prune: bool,
        **others: object,
    ) -> object:
        if base is not None and merge_base is not None:
            raise UsageError("--base and --new-from-merge-base exclude each other")
        gate = Gate(base, merge_base, staged, baseline, write_baseline, prune)
        return function(*arguments, gate=gate, **others)

    return wrapped  # type: ignore[return-value]  # wraps keeps the signature but for `gate`


def beside_baseline(
    report: Report, gate: Gate, root: Path, setting: str, told: Callable[[], frozenset[str]], whole: bool
) -> Report:
    """
    The report without what the baseline knows; the baseline is written or pruned where that was asked.

    Args:
        told: Tells the paths of all functions.
        whole: Whether the report is that of all rules, on the whole program: else no entry is called stale.

    Raises:
        SettingsError: A mistake in the baseline.
        UsageError: No baseline is there.
    """
    name = gate.baseline or setting
    if not (name or gate.write_baseline or gate.prune):
        return report
    # A run without a baseline does not pay for it.
    from datetime import date

    from inroads import baseline
    from inroads.compare import beside_baseline as compared

    functions = told()
    path = Path(name) if gate.baseline else root / name
    entries: tuple[baseline.Entry, ...] = ()
    if name and (path.exists() or not gate.write_baseline):
        entries = baseline.read(_read(path, name), name)
    if gate.write_baseline:
        target = Path(gate.write_baseline)
        before = entries
        if not before and target.exists():
            before = baseline.read(_read(target, gate.write_baseline), gate.write_baseline)
        made = baseline.entries_of((*report.findings, *report.known), before, functions)
        write_file(target, baseline.write(made).encode())
        known = tuple(msgspec.structs.replace(one, status="known") for one in report.findings)
        return msgspec.structs.replace(report, findings=(), known=(*report.known, *known))
    if gate.prune:
        if not name:
            raise UsageError("--prune-baseline wants --baseline FILE, or the setting `baseline`")
        if not whole:
            raise UsageError("--prune-baseline wants all rules on the whole program: no paths, no --select")
        stale = frozenset(
            baseline.compare(
                report.findings, entries, functions, date.today(), name, others=report.known
            ).stale
        )
        entries = tuple(entry for entry in entries if entry not in stale)
        write_file(path, baseline.write(entries).encode())
    return compared(report, entries, functions, date.today(), name, whole)


def base_revision(gate: Gate, has_head: Callable[[str], str], merge_base: Callable[[str], str]) -> str | None:
    """The commit to compare with; None for the first commit of all, before which there is nothing."""
    if gate.merge_base is not None:
        return merge_base(gate.merge_base)
    if gate.base is not None:
        return has_head(gate.base)
    try:
        return has_head("HEAD")
    except RevisionError:
        return None


def _read(path: Path, shown: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        hint = "; write one with --write-baseline" if isinstance(error, FileNotFoundError) else ""
        raise UsageError(f"{shown}: can't be read: {reason}{hint}") from error
