"""A program of one or more files, linked, for the tests of the gap kind."""

from __future__ import annotations

from typing import Any

from inroads.analyses.base import Context, RuleHead
from inroads.analyses.gap import KIND, GapRule
from inroads.facts import Finding
from inroads.program import Program
from inroads.resolve.modules import link
from inroads.rust.extract import extract
from inroads.workspace import MemoryTree, discover
from judged_here import findings_of


def program_of(files: dict[str, str] | str) -> Program:
    """A program; one text alone is the root of a library crate, `case`."""
    texts = {"src/lib.rs": files} if isinstance(files, str) else dict(files)
    texts.setdefault("Cargo.toml", '[package]\nname = "case"\nedition = "2021"\n')
    tree = MemoryTree({path: text.encode() for path, text in texts.items()})
    workspace = discover(tree)
    facts = {path: extract(tree.read(path)) for path in workspace.files}
    return Program(link(workspace, facts))


def gaps(files: dict[str, str] | str, *, forced: bool = False, **keys: Any) -> list[Finding]:
    """The findings of one rule of kind gap; `forced` is what `-W` does."""
    head = RuleHead("forgotten-forward", "gap", "forgotten", "warn", forced=forced)
    return findings_of(KIND.check((GapRule(head, **keys),), program_of(files), Context()))
