"""A program of one or more files, linked, for the tests of the gap kind."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from inroads.analyses.base import Context, RuleHead
from inroads.analyses.gap import KIND, GapRule
from inroads.facts import Finding
from inroads.resolve.modules import link
from inroads.rust.extract import extract


def program_of(files: dict[str, str] | str) -> Any:
    """A program with one library crate, `case`, whose root is `src/lib.rs`."""
    texts = {"src/lib.rs": files} if isinstance(files, str) else files
    facts = {path: extract(text.encode()) for path, text in texts.items()}
    crate = SimpleNamespace(name="case", kind="lib", root="src/lib.rs", edition="2021", dependencies={})
    workspace: Any = SimpleNamespace(crates=[crate], packages=(), files=tuple(texts), problems=())
    return SimpleNamespace(tables=link(workspace, facts))


def gaps(files: dict[str, str] | str, *, forced: bool = False, **keys: Any) -> list[Finding]:
    """The findings of one rule of kind gap; `forced` is what `-W` does."""
    head = RuleHead("forgotten-forward", "gap", "forgotten", "warn", forced=forced)
    found = KIND.check(GapRule(head, **keys), program_of(files), Context())
    return [one for one in found if isinstance(one, Finding)]
