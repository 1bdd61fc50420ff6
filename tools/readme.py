"""Write the reports of the examples into the pages that show them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
# README.md shows one report; the others say of which example theirs is.
BLOCK = re.compile(r"<!-- report(?P<example> [\w/]+)? -->\n.*?<!-- end -->", re.DOTALL)


def shown(match: re.Match[str]) -> str:
    """The block with the report that is printed now."""
    example = (match["example"] or "").strip()
    command = ["check", example or "examples/paged_decode/before", "--no-cache", "--color", "never"]
    done = subprocess.run(
        [sys.executable, "-m", "inroads", *command], cwd=ROOT, capture_output=True, check=False
    )
    return (
        f"<!-- report{' ' if example else ''}{example} -->\n```text\n{done.stdout.decode()}```\n<!-- end -->"
    )


for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
    text = page.read_text(encoding="utf-8")
    page.write_text(BLOCK.sub(shown, text), encoding="utf-8")
