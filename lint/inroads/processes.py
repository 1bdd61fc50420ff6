"""
The parallel part of `pool`: over forked processes, or over any executor.

Where processes are forked, this one works too: it takes the smallest chunks, the others the largest, and
what it learns on the way is there for what comes next. Whichever worker is lost on the way: what it did not
bring back is done here.
"""

from __future__ import annotations

import gc
import heapq
import multiprocessing
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    TimeoutError as FutureTimeout,
)
from multiprocessing.context import ForkContext
from typing import TypeAlias, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")

CHUNKS_PER_JOB = 12

LOST = (CancelledError, FutureTimeout, OSError, RuntimeError, EOFError)
"""What an executor answers for work that a worker did not finish (a broken pool is a RuntimeError)."""


def map_elsewhere(
    function: Callable[[Item], Answer],
    items: Sequence[Item],
    jobs: int,
    size: Callable[[Item], int],
    executor: Executor | None,
    told: Callable[[int], None],
    before: Callable[[], None],
) -> list[Answer]:
    """Apply a function to each item in other processes; see `pool.map_in_order`."""
    chunks = _chunks([size(item) for item in items], max(jobs, 1) * CHUNKS_PER_JOB)
    if executor is not None:
        return _gather(executor, _Portable(function), function, items, chunks, told)
    methods = multiprocessing.get_all_start_methods()
    if "fork" not in methods:
        with ProcessPoolExecutor(jobs) as spawned:
            return _gather(spawned, _Portable(function), function, items, chunks, told)
    # The workers inherit function and items; only indices and answers travel.
    before()
    context = multiprocessing.get_context("fork")
    queue = _Queue(context, chunks)
    _inherited.append((function, items, queue))
    gc.freeze()
    try:
        with ProcessPoolExecutor(jobs - 1, mp_context=context, initializer=_begin_worker) as forked:
            try:
                futures = _submit(forked, len(chunks))
                found: dict[int, object] = {}
                while (at := queue.last()) is not None:
                    found.update((item, function(items[item])) for item in chunks[at])
                    told(len(found))
                for future in futures:
                    try:
                        done = future.result()
                    except LOST:
                        continue
                    if done is not None:
                        at, answers = done
                        found.update(zip(chunks[at], answers, strict=True))
                        told(len(found))
                return _completed(found, function, items)
            # Whatever ends the wait, Ctrl-C (no Exception) above all, is raised on: nobody waits for
            # chunks that have not begun.
            except BaseException:
                forked.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        gc.unfreeze()
        _inherited.pop()


class _Queue:
    """Chunks of indices, given out from both ends: to the workers the first, to this process the last."""

    def __init__(self, context: ForkContext, chunks: list[list[int]]) -> None:
        self.chunks = chunks
        self._lock = context.Lock()
        self._left = context.RawArray("l", (0, len(chunks)))

    def first(self) -> int | None:
        """The number of the first chunk that is left; None where there is none."""
        return self._take(0)

    def last(self) -> int | None:
        """The number of the last chunk that is left; None where there is none."""
        return self._take(1)

    def _take(self, end: int) -> int | None:
        # A worker that was killed may have left it locked.
        if not self._lock.acquire(timeout=_PATIENCE):
            return None
        try:
            begin, stop = map(int, self._left)
            if stop <= begin:
                return None
            self._left[end] += -1 if end else 1
            return stop - 1 if end else begin
        finally:
            self._lock.release()


_PATIENCE = 2.0
_inherited: list[tuple[Callable[..., object], Sequence[object], _Queue]] = []
_Done: TypeAlias = "tuple[int, list[object]] | None"


def _submit(forked: ProcessPoolExecutor, count: int) -> list[Future[_Done]]:
    """Call for workers. Ctrl-C waits until that is done: an exception in the middle of a fork is lost."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    futures: list[Future[_Done]] = []
    try:
        futures.extend(forked.submit(_run_first) for _ in range(count))
    except LOST:
        # The first worker has died already; those before it stay in the list.
        return futures
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return futures


def _begin_worker() -> None:
    gc.disable()
    # Ctrl-C reaches the whole group; a worker ends at once and leaves the last word to its parent.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _run_first() -> _Done:
    """In a worker: the number of a chunk that was left, and its answers."""
    function, items, queue = _inherited[-1]
    at = queue.first()
    return None if at is None else (at, [function(items[item]) for item in queue.chunks[at]])


class _Portable:
    """The function for a chunk of items, ready to travel."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function

    def __call__(self, items: Sequence[object]) -> list[object]:
        return [self.function(item) for item in items]


def _gather(
    executor: Executor,
    task: _Portable,
    function: Callable[[Item], Answer],
    items: Sequence[Item],
    chunks: list[list[int]],
    told: Callable[[int], None],
) -> list[Answer]:
    futures: list[Future[list[object]]] = []
    for chunk in chunks:
        try:
            futures.append(executor.submit(task, [items[at] for at in chunk]))
        except LOST:
            break
    return _collect(futures, function, items, chunks, told)


def _collect(
    futures: Sequence[Future[list[object]]],
    function: Callable[[Item], Answer],
    items: Sequence[Item],
    chunks: list[list[int]],
    told: Callable[[int], None],
) -> list[Answer]:
    found: dict[int, object] = {}
    for future, chunk in zip(futures, chunks, strict=False):
        try:
            answers = future.result()
        except LOST:
            continue
        found.update(zip(chunk, answers, strict=True))
        told(len(found))
    return _completed(found, function, items)


def _completed(
    found: dict[int, object], function: Callable[[Item], Answer], items: Sequence[Item]
) -> list[Answer]:
    """All answers in order; what is missing is done here."""
    for at, item in enumerate(items):
        if at not in found:
            found[at] = function(item)
    return [found[at] for at in range(len(items))]  # type: ignore[misc]  # Answers went through object.


def _chunks(sizes: list[int], count: int) -> list[list[int]]:
    """
    Indices in chunks of about equal size, the largest chunk first.

    Each item goes to the chunk that is smallest so far, large items first.
    """
    count = max(1, min(count, len(sizes)))
    chunks: list[list[int]] = [[] for _ in range(count)]
    loads = [(0, at) for at in range(count)]
    for item in sorted(range(len(sizes)), key=lambda at: (-sizes[at], at)):
        load, at = heapq.heappop(loads)
        chunks[at].append(item)
        heapq.heappush(loads, (load + sizes[item] + 1, at))
    weights = {at: load for load, at in loads}
    return [chunks[at] for at in sorted(range(count), key=lambda at: (-weights[at], at)) if chunks[at]]
