"""
Where the time of a check goes, by stage, beside parsing alone.

    python bench/profile.py PATH [--functions]

Times are CPU seconds of one process, and multiples of what parsing the same
files takes. With --functions the costliest functions of the check follow.
"""

from __future__ import annotations

import sys
from pathlib import Path

# This file is called like a module of the standard library, so its own folder must not come first.
sys.path[0] = str(Path(__file__).parents[1] / "lint")

import argparse
import cProfile
import gc
import pstats
import time
from collections.abc import Callable
from typing import TypeVar

from inroads.check import Options, check, load
from inroads.cli.gate import Gate
from inroads.cli.options import read_rulebook
from inroads.cli.session import open_session
from inroads.facts.codec import decode_facts
from inroads.intake import read_files
from inroads.resolve.judge import world_of
from inroads.resolve.modules import link
from inroads.rust.extract import extract_encoded
from inroads.rust.parse import parse
from inroads.work import DONE
from inroads.workspace import DirectoryTree, Workspace, discover

Answer = TypeVar("Answer")


class Stages:
    """The CPU seconds of each stage, in order."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def run(self, name: str, function: Callable[[], Answer]) -> Answer:
        """Run a stage."""
        before = time.process_time()
        answer = function()
        self.seconds[name] = self.seconds.get(name, 0.0) + time.process_time() - before
        return answer


def _link(stages: Stages, workspace: Workspace, tree: DirectoryTree) -> None:
    files = read_files(tree, workspace.files).files
    tables = stages.run("link", lambda: link(workspace, files))
    stages.run("signatures", lambda: world_of(tables))


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    arguments.add_argument("path", type=Path)
    arguments.add_argument("--functions", action="store_true")
    given = arguments.parse_args()
    gc.disable()
    stages = Stages()
    tree = DirectoryTree(given.path)
    workspace = stages.run("list and discover", lambda: discover(tree))
    texts = stages.run("read", lambda: [tree.read(path) for path in workspace.files])
    stages.run("parse only", lambda: [parse(text) is None for text in texts])
    encoded = stages.run("extract", lambda: [extract_encoded(text) for text in texts])
    stages.run("decode headers", lambda: [decode_facts(data) for data in encoded])
    _link(stages, workspace, tree)
    session = open_session((str(given.path),), Gate())
    rulebook = read_rulebook(session.texts, session.settings, ())
    loaded = load(session.tree)
    profile = cProfile.Profile()
    if given.functions:
        profile.enable()
    report = stages.run("check", lambda: check(loaded, rulebook, session.settings, Options()))
    profile.disable()
    unit = stages.seconds["parse only"]
    for name, seconds in stages.seconds.items():
        print(f"{name:20} {seconds:8.2f} s {seconds / unit:8.2f} x")
    judged = DONE.get("functions judged", 0)
    print(f"{len(workspace.files)} files, {judged} functions judged, {len(report.findings)} findings")
    if given.functions:
        pstats.Stats(profile).sort_stats("tottime").print_stats(40)


if __name__ == "__main__":
    main()
