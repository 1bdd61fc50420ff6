"""
Renderings of a report: pure, `Report -> str`.

A format is named on the command line; its module is imported when it is asked
for, since a warm run should not pay for those it does not use.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

import msgspec

from inroads.facts import Report

# The module that renders each format, by a function `render(report, look)`.
FORMATS: dict[str, str] = {
    "text": "inroads.report.text",
    "concise": "inroads.report.concise",
    "json": "inroads.report.as_json",
    "jsonl": "inroads.report.jsonl",
    "sarif": "inroads.report.sarif",
    "github": "inroads.report.github",
    "gitlab": "inroads.report.gitlab",
    "junit": "inroads.report.junit",
    "checkstyle": "inroads.report.checkstyle",
    "rdjson": "inroads.report.rdjson",
    "markdown": "inroads.report.markdown",
}


class Look(msgspec.Struct, frozen=True):
    """
    How a rendering may look.

    Args:
        colour: Whether escape sequences are wanted.
        links: The folder that paths are relative to, as a `file://` URI; "" for no hyperlinks.
        width: Columns of the terminal.
        roads: How many roads of a finding are told.
        seconds: How long the run took, as text; None leaves it out (the output stays the same from run to run).
        statistics: Whether counts for each rule follow.
    """

    colour: bool = False
    links: str = ""
    width: int = 100
    roads: int = 1
    seconds: str | None = None
    statistics: bool = False


def render(report: Report, format: str, look: Look) -> str:
    """The report in one of `FORMATS`."""
    module = import_module(FORMATS[format])
    return cast(Callable[[Report, Look], str], module.render)(report, look)
