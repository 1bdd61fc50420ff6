"""The example of lost errors: its marks hold, and the report in the docs is the one that it gives."""

from __future__ import annotations

import os
from pathlib import Path

from inroads.check import Options, check, load
from inroads.report import Look, render
from inroads.rulebook import load_rulebook
from inroads.settings import Settings
from inroads.workspace import DirectoryTree

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "lost_errors.md"
HEAD = """# Lost errors: the example and its report

`examples/lost_errors` shows the commonest ways to lose an error, each beside a twin that keeps it. This is what
`inroads check examples/lost_errors` says of it; a test writes this page (`INROADS_WRITE_DOCS=1 pytest`).

```
"""


def page() -> str:
    loaded = load(DirectoryTree(ROOT / "examples" / "lost_errors"))
    report = check(loaded, load_rulebook(), Settings(), Options(root="."))
    return HEAD + render(report, "text", Look()) + "```\n"


def test_the_page_shows_what_the_example_gives() -> None:
    shown = page()
    if os.environ.get("INROADS_WRITE_DOCS"):
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(shown)
    assert PAGE.read_text() == shown
