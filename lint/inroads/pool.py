"""
An ordered parallel map: here where there is little to do, else over processes or any executor.

The answer is that of `list(map(function, items))`, whatever the number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor

Item = TypeVar("Item")
Answer = TypeVar("Answer")

SMALL = 1_000_000
"""Below this sum of sizes no process is started."""


def default_jobs() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def map_in_order(
    function: Callable[[Item], Answer],
    items: Sequence[Item],
    *,
    jobs: int = 1,
    size: Callable[[Item], int] = lambda _: 1,
    small: int = SMALL,
    executor: Executor | None = None,
    told: Callable[[int], None] = lambda _: None,
    before: Callable[[], None] = lambda: None,
) -> list[Answer]:
    """
    Apply a function to each item, in processes if that pays.

    Args:
        function:
            Pure. Locally it may be a closure: forked workers inherit it. For
            an executor, and where processes cannot be forked, it must be picklable.
        jobs: How many processes; 1 for none.
        size: How much work an item is, compared with `small`.
        executor: Where to run instead; it may be on other machines.
        told: Hears now and then how many items are done.
        before: Called before processes are forked: what it makes is there in all of them.

    An exception of the function itself is raised here.
    """
    if executor is None and (jobs <= 1 or len(items) < 2 or sum(map(size, items)) < small):
        answers = []
        for item in items:
            answers.append(function(item))
            told(len(answers))
        return answers
    # Only runs with much to do pay for loading it.
    from inroads.processes import map_elsewhere

    return map_elsewhere(function, items, jobs, size, executor, told, before)
