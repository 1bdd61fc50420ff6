"""Run again whenever a file changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from inroads.cli.run import EXIT_INTERRUPTED
from inroads.errors import UsageError

WANTED = (".rs", ".toml", ".gitignore")

WAKES = 100
"""Milliseconds after which the first run begins: what is edited while it runs is seen, since it is watched by then."""


def run_on_change(root: Path, once: Callable[[], int], changes: Iterator[object] | None = None) -> int:
    """
    Run, then run again after each change of a Rust file, a manifest, a pack or a setting.

    Args:
        changes: What tells when to run, the first time too; the file system where None.

    Returns:
        The exit code of the last run. On the file system it never returns; Ctrl-C ends it, in a run and between two.

    Raises:
        UsageError: The package that watches is not installed; before anything was run.
    """
    code = 0
    for _ in changes if changes is not None else _changes(root):
        code = once()
        if code == EXIT_INTERRUPTED:
            break
    return code


def is_wanted(root: Path, path: str) -> bool:
    """Whether a change of this path is worth a run; what the walk of the tree leaves out is not."""
    place = Path(path)
    if not path.endswith(WANTED) or not place.is_relative_to(root):
        return False
    return not any(
        folder.name.startswith(".") or (folder.name == "target" and (folder.parent / "Cargo.toml").is_file())
        for folder in place.parents
        if folder != root and folder.is_relative_to(root)
    )


def _changes(root: Path) -> Iterator[object]:
    """One value as soon as the folder is watched, and one for each bundle of changes."""
    try:
        from watchfiles import watch
    except ImportError:
        raise UsageError("--watch wants the package watchfiles: pip install watchfiles") from None
    is_first = True
    for changed in watch(
        root,
        watch_filter=lambda _, path: is_wanted(root, path),
        raise_interrupt=True,
        yield_on_timeout=True,
        rust_timeout=WAKES,
    ):
        if changed or is_first:
            is_first = False
            yield changed
