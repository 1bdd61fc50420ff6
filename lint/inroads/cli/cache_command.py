"""`inroads cache`."""

from __future__ import annotations

import os

import click

from inroads.cachefolder import folder_for, is_trusted, remove
from inroads.cli.options import PATHS
from inroads.cli.place import find_place
from inroads.cli.terminal import write_output
from inroads.errors import UsageError
from inroads.store import Store

MEGABYTE = 1_000_000


@click.command("cache")
@PATHS
@click.option("--info", is_flag=True, help="Tell where it is and what it holds [default].")
@click.option(
    "--prune", type=click.IntRange(min=0), metavar="MB", help="Delete the oldest until this is enough."
)
@click.option("--clear", is_flag=True, help="Delete all of it.")
@click.option("--cache-dir", metavar="DIR", help="Where the cache is.")
def command(paths: tuple[str, ...], info: bool, prune: int | None, clear: bool, cache_dir: str | None) -> int:
    """
    Tell of a workspace's cache, shrink it, or empty it.

    It may be deleted at any time: a run without it takes longer and says the same.

    \b
    inroads cache
    inroads cache --prune 100
    inroads cache --clear
    """
    if clear and prune is not None:
        raise UsageError("--clear and --prune exclude each other")
    folder = cache_dir or folder_for(str(find_place(paths).root))
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder} is no folder; there is no cache")
    if not os.path.isdir(folder):
        write_output(f"{folder}: there is no cache\n", None)
        return 0
    if not is_trusted(folder):
        raise UsageError(f"{folder} is another user's, or tracked by git; it is neither read nor changed")
    store = Store(folder)
    said = ""
    if clear:
        store.clear()
        for path in _replays(folder):
            remove(path)
        if store.info()[0] or _replays(folder):
            raise UsageError(f"{folder} can't be emptied")
        said = "emptied\n"
    elif prune is not None:
        gone = store.prune(prune * MEGABYTE)
        said = f"{gone} pack{'' if gone == 1 else 's'} deleted\n"
    packs, blobs, size = store.info()
    said += f"{folder}: {blobs:,} files in {packs} packs, {size / MEGABYTE:.1f} MB; {len(_replays(folder))} answers\n"
    write_output(said, None)
    return 0


def _replays(folder: str) -> list[str]:
    """The kept answers of earlier runs; UsageError where the folder can't be read."""
    try:
        with os.scandir(folder) as listing:
            return sorted(entry.path for entry in listing if entry.name.startswith("replay-"))
    except OSError as error:
        raise UsageError(f"{folder}: can't be read: {error.strerror}") from error
