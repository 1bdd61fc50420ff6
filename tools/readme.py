"""Write the report of the example into the README."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

command = ["check", "examples/paged_decode/before", "--no-cache", "--color", "never"]
done = subprocess.run([sys.executable, "-m", "inroads", *command], cwd=ROOT, capture_output=True, check=False)
readme = ROOT / "README.md"
block = f"<!-- report -->\n```text\n{done.stdout.decode()}```\n<!-- end -->"
text = re.sub(
    r"<!-- report -->\n.*?<!-- end -->", lambda _: block, readme.read_text(encoding="utf-8"), flags=re.DOTALL
)
readme.write_text(text, encoding="utf-8")
