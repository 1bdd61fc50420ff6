"""Read and parse all Rust files of a folder, and nothing else; the unit that other runs are told in."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lint"))

from inroads.pool import map_in_order
from inroads.rust.parse import parse
from inroads.workspace import DirectoryTree


def main() -> None:
    """Parse in as many processes as the second argument says."""
    tree = DirectoryTree(sys.argv[1])
    texts = [tree.read(path) for path in tree.list() if path.endswith(".rs")]
    map_in_order(_parsed, texts, jobs=int(sys.argv[2]), size=len)


def _parsed(text: bytes) -> bool:
    return parse(text) is not None


if __name__ == "__main__":
    main()
