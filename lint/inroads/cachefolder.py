"""
Where the cache of a workspace is, and whether it may be believed.

Imports next to nothing: a run with nothing to do looks here first.
"""

from __future__ import annotations

import os

FOLDER = ".inroads_cache"
_IGNORE = "# Made by inroads; may be deleted at any time.\n*\n"


def folder_for(root: str) -> str:
    """`target/inroads` where the workspace has a `target/`, else `.inroads_cache`."""
    target = os.path.join(root, "target")
    return os.path.join(target, "inroads") if os.path.isdir(target) else os.path.join(root, FOLDER)


def prepare(folder: str) -> bool:
    """Make the folder with its own .gitignore; False where that can't be done, and then there is no cache."""
    try:
        os.makedirs(folder, exist_ok=True)
        ignore = os.path.join(folder, ".gitignore")
        if not os.path.exists(ignore):
            with open(ignore, "w", encoding="utf-8") as file:
                file.write(_IGNORE)
    except OSError:
        return False
    return is_trusted(folder)


def is_trusted(folder: str) -> bool:
    """
    Whether what stands in the folder was written by this user, here.

    A folder of another user, or one that came with a repository, may hold
    anything: a forged clean report too.
    """
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        return False
    return os.path.isdir(folder) and not os.path.islink(folder) and not _is_tracked(folder)


def write_whole(path: str, data: bytes) -> None:
    """Write a file of the cache; one that can't be written is no error."""
    try:
        replace_whole(path, data)
    except OSError:
        return


def replace_whole(path: str, data: bytes, mode: int | None = None) -> None:
    """
    Write a file so that a reader sees all of it or nothing; OSError where that fails, and what stood there stays.

    Args:
        mode: The permissions that it gets; the usual ones where None.
    """
    part = f"{path}.{os.getpid()}"
    try:
        with open(part, "wb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(part, mode)
        os.replace(part, path)
    except OSError:
        remove(part)
        raise


def remove(path: str) -> None:
    """Delete a file of the cache, if that can be done; else it goes another time."""
    try:
        os.unlink(path)
    except OSError:
        # Another run was faster, or it is in use, or nothing may be changed there.
        return


def own_state() -> str:
    """The state of this program's own modules and packs, which an edit in a checkout changes."""
    package = os.path.dirname(os.path.abspath(__file__))
    newest = count = 0
    waiting = [package, os.path.join(os.path.dirname(os.path.dirname(package)), "rules")]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as listing:
                for entry in listing:
                    if entry.name.endswith((".py", ".toml")):
                        newest = max(newest, entry.stat().st_mtime_ns)
                        count += 1
                    elif entry.is_dir() and entry.name != "__pycache__":
                        waiting.append(entry.path)
        except OSError:
            continue
    return f"{newest} {count}"


def _is_tracked(folder: str) -> bool:
    """Whether git has a file of this folder in its index."""
    at = os.path.dirname(os.path.abspath(folder))
    while True:
        git = os.path.join(at, ".git")
        if os.path.exists(git):
            break
        above = os.path.dirname(at)
        if above == at:
            return False
        at = above
    inside = os.path.relpath(os.path.abspath(folder), at).replace(os.sep, "/")
    try:
        with open(os.path.join(_git_folder(git), "index"), "rb") as file:
            return os.fsencode(inside) + b"/" in file.read()
    except OSError:
        return False


def _git_folder(git: str) -> str:
    """The folder behind `.git`, which in a worktree or submodule is a file that names it."""
    if os.path.isdir(git):
        return git
    with open(git, encoding="utf-8", errors="replace") as file:
        named = file.read().removeprefix("gitdir:").strip()
    return os.path.join(os.path.dirname(git), named)
