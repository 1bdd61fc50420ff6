"""Files of the user that a run writes: sources, settings, a ledger, a baseline, reports."""

from __future__ import annotations

import os
import stat

from inroads.cachefolder import replace_whole
from inroads.errors import UsageError


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """
    Write a file whole: where that fails, as on a full disk, what stood there stays.

    Raises:
        UsageError: It can't be written.
    """
    where = os.path.realpath(path)
    try:
        if not os.path.exists(where):
            replace_whole(where, data)
        elif os.path.isfile(where) and os.access(os.path.dirname(where), os.W_OK):
            replace_whole(where, data, stat.S_IMODE(os.stat(where).st_mode))
        else:
            # A pipe or a terminal, or a file in a folder where no other can be made.
            with open(where, "wb") as file:
                file.write(data)
    except OSError as error:
        raise UsageError(f"{path}: can't be written: {error.strerror}") from error
