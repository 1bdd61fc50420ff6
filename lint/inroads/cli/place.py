"""From the paths on the command line to the root of the program and what of it is asked about."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from inroads.errors import UsageError


class Place(msgspec.Struct, frozen=True):
    """
    What to read, and what to tell.

    Args:
        root: The folder that all paths of the report are relative to.
        only: Findings are told under these paths (relative to root, `/`); empty for all.
        files: Read these paths only (relative to root); empty for all under the root.
    """

    root: Path
    only: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def find_place(paths: Sequence[str]) -> Place:
    """
    The workspace around the paths: the program is always whole, paths only narrow the report.

    Without any Cargo.toml above, the paths themselves are all there is.

    Raises:
        UsageError: A path that does not exist, or paths in different workspaces.
    """
    given = [Path(path) for path in (paths or (".",))]
    for path in given:
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder")
    whole = [Path(os.path.abspath(path)) for path in given]
    roots = {path: workspace_root(path) for path in whole}
    found = {root for root in roots.values() if root is not None}
    if not found:
        folders = [path if path.is_dir() else path.parent for path in whole]
        root = Path(os.path.commonpath(folders))
        narrow = tuple(sorted({_relative(path, root) for path in whole} - {"."}))
        return Place(root, (), narrow if root not in whole else ())
    if len(found) > 1 or None in roots.values():
        names = ", ".join(sorted(str(root) for root in found))
        raise UsageError(f"the paths belong to different programs ({names}); check them one by one")
    root = found.pop()
    only = {_relative(path, root) for path in whole}
    return Place(root, () if "." in only else tuple(sorted(only)))


def workspace_root(path: Path) -> Path | None:
    """
    The folder of the workspace that a path belongs to: the nearest `[workspace]`
    above the nearest Cargo.toml, else that one's folder, else None.
    """
    start = path if path.is_dir() else path.parent
    nearest: Path | None = None
    for folder in (start, *start.parents):
        manifest = folder / "Cargo.toml"
        if not manifest.is_file():
            continue
        if nearest is None:
            nearest = folder
        try:
            table = tomllib.loads(manifest.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            # A manifest that can't be read is a problem of the workspace that it stands in.
            continue
        workspace = table.get("workspace")
        if isinstance(workspace, dict):
            inside = nearest.relative_to(folder).as_posix()
            excluded = workspace.get("exclude", [])
            if isinstance(excluded, list) and any(
                isinstance(one, str)
                and (inside == one.rstrip("/") or inside.startswith(one.rstrip("/") + "/"))
                for one in excluded
            ):
                return nearest
            return folder
    return nearest


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
