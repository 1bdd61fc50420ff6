"""
Say again what was said, where nothing has changed since.

What a run printed is kept with the state of everything that it read: of each
file its number, its size and its two times, of each folder the same (they
change when an entry comes or goes), the program's own modules. If all of that
is as it was, the same bytes are printed again, before click or anything else
is imported.

Of the two times the one of the last edit can be set back by anybody, and is
by tools that unpack and copy; that of the last change of the file's entry is
the system's own. The state is taken before the files are read, and nothing is
kept where a file is so young that a second edit could have left its times as
they are.
"""

from __future__ import annotations

import os
import sys
import time
from hashlib import blake2b

from inroads import __version__
from inroads.cachefolder import FOLDER, folder_for, is_trusted, own_state, prepare, write_whole

_MAGIC = b"inroads replay 2"
_YOUNG = 100_000_000
# Stands where the report tells how long the run took.
SECONDS = b"\x00seconds\x00"
_KEPT = 16


def replay(arguments: list[str]) -> int | None:
    """Print again what these arguments gave, and return the exit code; None where that is not known."""
    began = time.monotonic()
    if "--no-cache" in arguments:
        return None
    name = name_of(arguments)
    for folder in _folders(arguments):
        path = os.path.join(folder, name)
        if os.path.exists(path) and is_trusted(folder):
            found = _read(path)
            if found is not None:
                code, out, err = found
                sys.stderr.buffer.write(err)
                sys.stderr.flush()
                sys.stdout.buffer.write(out.replace(SECONDS, f"{time.monotonic() - began:.2f}".encode()))
                sys.stdout.flush()
                return code
    return None


def name_of(arguments: list[str]) -> str:
    """The name of the file that keeps what these arguments print, here and today."""
    shown = [os.environ.get(name, "") for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS")]
    terminals = [str(sys.stdout.isatty()), str(sys.stderr.isatty())]
    if sys.stdout.isatty():
        terminals.append(str(os.get_terminal_size(sys.stdout.fileno()).columns))
    day = time.strftime("%Y-%m-%d")
    parts = [__version__, sys.version, own_state(), os.getcwd(), day, *shown, *terminals, *arguments]
    return f"replay-{_digest(parts)}"


def state_of(root: str, folders: list[str], files: list[str]) -> list[str] | None:
    """
    A line for each folder and file; None where one is too young to tell.

    A file that is not there has a line too, so that its coming is seen. The
    root is known by its names, not by its time, since the cache comes to stand in it.
    """
    if os.name == "nt":
        # There the second time is that of the file's making.
        return None
    now = time.time_ns()
    lines = []
    for sort, paths in (("n", [root]), ("d", folders), ("f", files)):
        for path in paths:
            line, changed = _status(sort, path)
            if now - changed < _YOUNG or "\n" in path:
                return None
            lines.append(line)
    return lines


def keep(folder: str, name: str, state: list[str], code: int, printed: tuple[str, str], seconds: str) -> None:
    """Keep what was printed (to standard output and error), for as long as the state stays."""
    if not prepare(folder):
        return
    out, err = (text.encode("utf-8", "replace") for text in printed)
    before, sign, after = out.rpartition(f", {seconds} s".encode())
    if sign and len(after) < 20:
        out = before + b", " + SECONDS + b" s" + after
    text = "\n".join(state).encode("utf-8", "surrogateescape")
    numbers = b"%d %d %d %d" % (code, len(text), len(out), len(err))
    data = b"%s\n%s%s%s" % (numbers, text, out, err)
    write_whole(os.path.join(folder, name), b"%s\n%s\n%s" % (_MAGIC, _checksum(data), data))
    _forget_old(folder)


def _read(path: str) -> tuple[int, bytes, bytes] | None:
    """Exit code and output, if the state is still the same."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return None
    magic, _, rest = data.partition(b"\n")
    checksum, _, rest = rest.partition(b"\n")
    if magic != _MAGIC or checksum != _checksum(rest):
        return None
    numbers, _, rest = rest.partition(b"\n")
    code, state, out, _ = map(int, numbers.split())
    for line in rest[:state].decode("utf-8", "surrogateescape").split("\n"):
        if _status(line[:1], line.rpartition("\t")[2])[0] != line:
            return None
    return code, rest[state : state + out], rest[state + out :]


def _status(sort: str, path: str) -> tuple[str, int]:
    """What must stay the same of a path, and when it last changed."""
    try:
        if sort == "n":
            names = sorted(name for name in os.listdir(path) if name != FOLDER)
            return f"n{_digest(names)}\t{path}", 0
        status = os.stat(path)
    except OSError as error:
        return f"{sort}{error.errno}\t{path}", 0
    numbers = (status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_mode)
    return f"{sort}{numbers}\t{path}", max(status.st_mtime_ns, status.st_ctime_ns)


def _checksum(data: bytes) -> bytes:
    return blake2b(data, digest_size=12).hexdigest().encode()


def _digest(parts: list[str]) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogateescape")
    return blake2b(text, digest_size=12).hexdigest()


def _folders(arguments: list[str]) -> list[str]:
    """Where the cache may be: what was said, else beside each folder above the paths and above this one."""
    for number, word in enumerate(arguments):
        if word == "--cache-dir" and number + 1 < len(arguments):
            return [arguments[number + 1]]
        if word.startswith("--cache-dir="):
            return [word.partition("=")[2]]
    starts = [word for word in arguments if not word.startswith("-") and os.path.exists(word)]
    found = []
    for start in dict.fromkeys([*starts, "."]):
        at = os.path.abspath(start)
        while True:
            found.append(folder_for(at))
            above = os.path.dirname(at)
            if above == at:
                break
            at = above
    return list(dict.fromkeys(found))


def _forget_old(folder: str) -> None:
    """Keep the newest few; each other set of arguments has left one."""
    try:
        with os.scandir(folder) as listing:
            files = [entry for entry in listing if entry.name.startswith("replay-")]
        for entry in sorted(files, key=lambda entry: entry.stat().st_mtime_ns)[:-_KEPT]:
            os.unlink(entry.path)
    except OSError:
        # Another run may tidy up at the same time.
        return
