"""
How the cost of a check grows with the code.

    python bench/growth.py PATH [--sizes 5 10 20 40] [--repeat 1]

PATH is a Rust tree, best one of about the smallest size. Larger ones are made
of copies whose packages have names of their own; a smaller one of a part of
the files, in which many names are missing. Printed are the CPU seconds of a
cold check of each, and the ratio for each doubling; only ratios of one run
mean something.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import tempfile
from pathlib import Path

from measured import Cost, copy_rust, inroads, measure

_NAME = re.compile(r'^(name\s*=\s*")([^"]+)(")', re.MULTILINE)


def size_of(tree: Path) -> int:
    """Bytes of Rust."""
    return sum(path.stat().st_size for path in tree.rglob("*.rs"))


def grow(source: Path, target: Path, copies: int) -> Path:
    """Copies of a tree side by side, the names of their packages told apart."""
    for number in range(copies):
        place = target / f"copy{number}"
        copy_rust(source, place)
        names = {
            match[2]
            for manifest in place.rglob("Cargo.toml")
            for match in _NAME.finditer(manifest.read_text(encoding="utf-8", errors="replace"))
        }
        if number:
            for manifest in sorted(place.rglob("Cargo.toml")):
                text = manifest.read_text(encoding="utf-8", errors="replace")
                manifest.write_text(_renamed(text, names, number), encoding="utf-8")
    return target


def _renamed(text: str, names: set[str], number: int) -> str:
    """A manifest whose own package, and whose dependencies on others of this tree, have new names."""
    found: list[str] = []
    for line in text.splitlines():
        match = re.match(r'^(\s*)"?([A-Za-z0-9_-]+)"?\s*=\s*\{(.*)$', line)
        if match and match[2] in names and "package" not in match[3] and "path" in match[3]:
            # The crate keeps the name under which the source knows it.
            line = f'{match[1]}{match[2]} = {{ package = "{match[2]}-{number}",{match[3]}'
        found.append(line)
    return _NAME.sub(rf"\g<1>\g<2>-{number}\g<3>", "\n".join(found), count=1) + "\n"


def shrink(source: Path, target: Path, size: int) -> Path:
    """A part of a tree of about so many bytes: each file in turn, as long as there is room, spread over the tree."""
    copy_rust(source, target)
    files = sorted(target.rglob("*.rs"))
    total = sum(path.stat().st_size for path in files)
    kept = 0.0
    seen = 0
    for path in files:
        length = path.stat().st_size
        seen += length
        # What is kept so far is held to the share of what was seen.
        if kept + length / 2 <= seen * size / total or path.name in ("lib.rs", "main.rs", "mod.rs"):
            kept += length
        else:
            path.unlink()
    return target


def main() -> None:
    """Print a line for each size, and the ratio to the one before."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("path", type=Path)
    arguments.add_argument("--sizes", type=float, nargs="+", default=[5, 10, 20, 40], help="megabytes")
    arguments.add_argument("--repeat", type=int, default=1)
    arguments.add_argument("--jobs", default="1")
    given = arguments.parse_args()
    before: tuple[float, float] | None = None
    print("|   size | CPU | CPU for each MB | largest process | for each doubling |\n|---|---|---|---|---|")
    for wanted in given.sizes:
        with tempfile.TemporaryDirectory() as name:
            tree = made(given.path.resolve(), Path(name) / "tree", wanted * 1e6)
            size = size_of(tree) / 1e6
            costs: list[Cost] = []
            for _ in range(given.repeat):
                command = inroads("check", "--no-cache", "-j", given.jobs)
                costs.append(measure(command, tree))
            cpu = statistics.median(one.cpu for one in costs)
            peak = max(one.peak for one in costs)
            ratio = ""
            if before is not None:
                ratio = f"{(cpu / before[1]) ** (1 / math.log2(size / before[0])):.2f}"
            print(
                f"| {size:.1f} MB | {cpu:.1f} s | {cpu / size:.2f} s | {peak:.0f} MB | {ratio} |", flush=True
            )
            before = (size, cpu)


def made(source: Path, target: Path, size: float) -> Path:
    """The tree with about so many bytes."""
    with tempfile.TemporaryDirectory() as name:
        whole = Path(name) / "whole"
        total = copy_rust(source, whole)
        if size < 0.8 * total:
            return shrink(whole, target, round(size))
        copies = max(1, round(size / total))
        return grow(whole, target, copies)


if __name__ == "__main__":
    main()
