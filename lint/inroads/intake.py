"""The files of a tree to their facts: read, extracted in processes, in the order of their paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TypeAlias

from inroads.facts import FileFacts, Problem
from inroads.facts.codec import decode_facts
from inroads.pool import map_in_order
from inroads.workspace import Tree

Progress: TypeAlias = Callable[[int, int], None]


def read_files(
    tree: Tree,
    paths: Sequence[str],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
) -> tuple[dict[str, FileFacts], list[Problem]]:
    """The facts of each file that can be read, and a problem for each that can't."""
    # Tree-sitter is loaded only where something is extracted.
    from inroads.rust.extract import extract_encoded

    texts: dict[str, bytes] = {}
    problems: list[Problem] = []
    for path in paths:
        try:
            texts[path] = tree.read(path)
        except OSError as error:
            message = error.strerror or str(error)
            problems.append(Problem(kind="unreadable", path=path, line=1, column=1, message=message))
    encoded = map_in_order(extract_encoded, tuple(texts.values()), jobs=jobs, size=len, executor=executor)
    return {path: decode_facts(data) for path, data in zip(texts, encoded, strict=True)}, problems
