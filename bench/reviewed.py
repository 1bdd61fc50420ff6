"""
Hold the findings of the kind swallow against places that people have judged.

    python bench/reviewed.py PLACES.json TREE [--show]

PLACES.json: {"sites": [{"file", "line", "callee", "verdict", "reason"}]}, the
verdict one of genuine, benign, handled, not-a-swallow. A place counts as
reported if a finding at `warn` or above has it among the lines of its call, of
its death, or between. Prints for each verdict how many were reported.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from inroads.check import Options, check, load
from inroads.facts import Finding
from inroads.rulebook import load_rulebook
from inroads.settings import Settings
from inroads.workspace import DirectoryTree

NEAR = 2


def covers(finding: Finding, file: str, line: int) -> bool:
    """Whether a finding speaks of a line of a file."""
    if finding.path != file:
        return False
    lines = [finding.line, finding.end_line, *(step.line for step in finding.related if step.path == file)]
    return min(lines) - NEAR <= line <= max(finding.end_line, finding.line) + NEAR or line in lines


def main() -> None:
    """Read the places, check the tree, print the comparison."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("places", type=Path)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print every place with its finding")
    arguments = parser.parse_args()
    sites = json.loads(arguments.places.read_text())["sites"]
    begun = time.perf_counter()
    loaded = load(DirectoryTree(arguments.tree), jobs=arguments.jobs)
    rulebook = load_rulebook()
    report = check(loaded, rulebook, Settings(), Options())
    findings = [one for one in report.findings if one.kind == "swallow"]
    all_of, reported = Counter[str](), Counter[str]()
    for site in sites:
        verdict = site["verdict"]
        hits = [one for one in findings if covers(one, site["file"], site["line"])]
        all_of[verdict] += 1
        reported[verdict] += bool(hits)
        wrong = bool(hits) != (verdict == "genuine")
        if arguments.show or wrong:
            told = f"{hits[0].level} {hits[0].fate} {hits[0].label}" if hits else "-"
            mark = "  " if not wrong else "!!"
            print(
                f"{mark} {verdict:13} {site['file']}:{site['line']} {site['callee']}: {told}   ({site['reason']})"
            )
    for verdict in sorted(all_of):
        print(f"{verdict:14} {reported[verdict]:3} of {all_of[verdict]:3} reported")
    quiet = [verdict for verdict in all_of if verdict != "genuine"]
    total, noise = sum(all_of[one] for one in quiet), sum(reported[one] for one in quiet)
    if all_of["genuine"]:
        print(f"genuine reported: {reported['genuine'] / all_of['genuine']:.1%} (at least 90 % wanted)")
    if total:
        print(f"others reported:  {noise / total:.1%} (at most 15 % wanted)")
    levels = Counter(one.level for one in findings)
    print(f"{len(findings)} findings ({dict(levels)}) in {time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
