"""An audit tells the same whether files are parsed whole, or only as far as somebody asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inroads.audit import audit
from inroads.check import Loaded, load
from inroads.errors import InroadsError
from inroads.rulebook import Rulebook, load_rulebook
from inroads.workspace import DirectoryTree, MemoryTree
from test_same_report import files

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in (HERE / "cases").glob("*/rule.toml"))


def targets(loaded: Loaded) -> list[str]:
    """The name of each function, alone and with what it belongs to."""
    paths = [one.path for one in loaded.program.tables.functions if one.path[-1:] != "}"]
    found = {path.rpartition("::")[2] for path in paths} | {
        "::".join(path.split("::")[-2:]) for path in paths
    }
    return sorted(found)


def told(loaded: Loaded, target: str, rulebook: Rulebook) -> object:
    """What an audit finds, or what is wrong with the target."""
    try:
        return audit(loaded.program, target, rules=rulebook.active, tests=target.startswith("t"), roads=2)
    except InroadsError as error:
        return str(error)


def held_against_whole(
    tree: DirectoryTree | MemoryTree, rulebook: Rulebook, step: int = 1
) -> Iterator[tuple[str, bool]]:
    """Each function of a tree, or one of so many, and whether what is told of it is the same when files are not parsed whole."""
    whole = load(tree)
    for target in targets(whole)[::step]:
        outlined = load(tree, outlines=True)
        yield target, told(outlined, target, rulebook) == told(whole, target, rulebook)


def test_the_examples_are_told_the_same() -> None:
    rulebook = load_rulebook()
    found = held_against_whole(MemoryTree(files()), rulebook, step=5)
    assert [target for target, same in found if not same] == []


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_the_cases_are_told_the_same(case: Path) -> None:
    rulebook = load_rulebook(((str(case / "rule.toml"), case / "rule.toml"),))
    found = held_against_whole(DirectoryTree(case), rulebook)
    assert [target for target, same in found if not same] == []
