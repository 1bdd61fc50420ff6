"""Where output goes and how it looks: streams, colour, hyperlinks, progress."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TextIO
from urllib.parse import quote

from inroads.cli.files import write_file
from inroads.errors import UsageError, did_you_mean
from inroads.report import FORMATS, Look

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress, TaskID

_PATIENCE = 0.5
_BREATH = 0.05


def wants_colour(stream: TextIO, choice: str) -> bool:
    """Whether to colour: the flag, then NO_COLOR, FORCE_COLOR, then whether it is a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def look(
    stream: TextIO,
    root: Path,
    colour: str,
    *,
    roads: int = 1,
    statistics: bool = False,
    seconds: str | None = None,
) -> Look:
    """How the report looks on a stream."""
    coloured = wants_colour(stream, colour)
    terminal = stream.isatty()
    return Look(
        colour=coloured,
        links=f"file://{quote(str(root))}" if coloured and terminal else "",
        width=shutil.get_terminal_size().columns if terminal else 100,
        roads=roads,
        statistics=statistics,
        # The time would make two runs differ; only a person wants to know it.
        seconds=seconds if terminal else None,
    )


def parse_formats(
    values: tuple[str, ...], known: Collection[str] = tuple(FORMATS)
) -> list[tuple[str, str | None]]:
    """
    `X[=PATH]` -> (format, path); None is standard output.

    Raises:
        UsageError: An unknown format, or two that go to the same place.
    """
    result: list[tuple[str, str | None]] = []
    for value in values or ("text",):
        name, sign, path = value.partition("=")
        if name not in known:
            hint = did_you_mean(name, known) or f"; known are {', '.join(known)}"
            raise UsageError(f'--output-format: unknown format "{name}"{hint}')
        if sign and not path:
            raise UsageError(f"--output-format: {name}= wants a path")
        target = path or None
        if target in [one for _, one in result]:
            raise UsageError(f"--output-format: two formats go to {target or 'standard output'}")
        result.append((name, target))
    return result


def write_output(text: str, path: str | None) -> None:
    """
    Write to a file, or to standard output where the path is None.

    What stands in the step summary of GitHub Actions was written by the same
    step: it stays, and this comes behind it.

    Raises:
        UsageError: The file can't be written.
    """
    if path is None:
        # Bytes, so that a terminal with another encoding does not stop a report half-way.
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.flush()
        return
    data = text.encode("utf-8", "replace")
    if path != os.environ.get("GITHUB_STEP_SUMMARY"):
        write_file(path, data)
        return
    try:
        with open(path, "ab") as file:
            file.write(data)
    except OSError as error:
        raise UsageError(f"{path}: can't be written: {error.strerror}") from error


def write_said(text: str) -> None:
    """Write to standard error."""
    sys.stderr.buffer.write(text.encode("utf-8", "replace"))
    sys.stderr.flush()


class Progress:
    """
    Tells on a terminal how far a run is, once it has lasted half a second.

    Quiet in pipes. rich is imported only when there is something to show.
    """

    def __init__(self, stream: TextIO, enabled: bool) -> None:
        self._stream = stream
        self._enabled = enabled and stream.isatty()
        self._began = time.monotonic()
        # Workers that are forked from this process have nothing to draw.
        self._owner = os.getpid()
        self._told = 0.0
        self._rich: RichProgress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._rich is not None:
            self._rich.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """
        Note that `done` of `total` are finished in a stage.

        Stages are "files", "functions", and "judging", which counts the pieces of work.
        """
        if not self._enabled:
            return
        now = time.monotonic()
        if now - self._began < _PATIENCE or now - self._told < _BREATH or os.getpid() != self._owner:
            return
        self._told = now
        if self._rich is None:
            from rich.console import Console
            from rich.progress import Progress as RichProgress

            self._rich = RichProgress(console=Console(file=self._stream), transient=True)
            self._rich.start()
            self._task = self._rich.add_task(stage, total=total)
        assert self._task is not None
        self._rich.update(self._task, description=stage, completed=done, total=total)
