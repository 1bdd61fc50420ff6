"""Files of the user that a run writes: sources, settings, a ledger, a baseline, reports."""

from __future__ import annotations

import os
import shutil

from inroads.cachefolder import remove
from inroads.errors import UsageError


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """
    Write a file whole: where that fails, as on a full disk, what stood there stays.

    Raises:
        UsageError: It can't be written.
    """
    where = os.path.realpath(path)
    part = f"{where}.{os.getpid()}"
    try:
        if os.path.exists(where) and (
            not os.path.isfile(where) or not os.access(os.path.dirname(where), os.W_OK)
        ):
            # A pipe or a terminal, or a file in a folder where no other can be made.
            with open(where, "wb") as file:
                file.write(data)
            return
        try:
            with open(part, "xb") as file:
                file.write(data)
            if os.path.exists(where):
                shutil.copymode(where, part)
            os.replace(part, where)
        except OSError:
            remove(part)
            raise
    except OSError as error:
        raise UsageError(f"{path}: can't be written: {error.strerror}") from error
