"""Run again whenever a file changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from inroads.errors import UsageError

WANTED = (".rs", ".toml")


def run_on_change(root: Path, once: Callable[[], int], changes: Iterator[object] | None = None) -> int:
    """
    Run, then run again after each change of a Rust file, a manifest, a pack or a setting.

    Args:
        changes: What tells of changes; the file system where None.

    Returns:
        The exit code of the last run. On the file system it never returns; Ctrl-C ends it.

    Raises:
        UsageError: The package that watches is not installed.
    """
    code = once()
    for _ in changes if changes is not None else _changes(root):
        code = once()
    return code


def is_wanted(change: object, path: str) -> bool:
    """Whether a change of this path is worth a run; build output and the cache are not."""
    parts = Path(path).parts
    return path.endswith(WANTED) and not {"target", ".git", ".inroads_cache"} & set(parts)


def _changes(root: Path) -> Iterator[object]:
    try:
        from watchfiles import watch
    except ImportError:
        raise UsageError("--watch wants the package watchfiles: pip install watchfiles") from None
    return watch(root, watch_filter=is_wanted, raise_interrupt=True)
