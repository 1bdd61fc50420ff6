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
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    TimeoutError as FutureTimeout,
)
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, ForkProcess

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
    queue = _Queue(multiprocessing.get_context("fork"), chunks)
    found: dict[int, object] = {}
    workers = _Workers(_Task(function, items, queue))
    gc.freeze()
    try:
        workers.begin(min(jobs - 1, len(chunks)))
        while (at := queue.last()) is not None:
            found.update((item, function(items[item])) for item in chunks[at])
            found.update(workers.brought())
            told(len(found))
        workers.wait()
        found.update(workers.brought())
        told(len(found))
    # Ctrl-C too comes by here: nobody waits for what has not begun.
    finally:
        workers.end()
        gc.unfreeze()
    return _completed(found, function, items)


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


class _Task:
    """What workers inherit."""

    def __init__(self, function: Callable[..., object], items: Sequence[object], queue: _Queue) -> None:
        self.function = function
        self.items = items
        self.queue = queue


class _Workers:
    """
    Forked processes that take chunks until none is left.

    Each brings its answers through a pipe whose other end nobody else holds, so that the pipe ends with the
    process, whatever ends that. And each has a thread that ends it with this process, whatever ends this one.
    """

    def __init__(self, task: _Task) -> None:
        self._task = task
        self._processes: list[ForkProcess] = []
        self._pipes: list[Connection] = []
        self._messages: list[bytes] = []
        self._listeners: list[threading.Thread] = []
        self._life = os.pipe()

    def begin(self, count: int) -> None:
        """Start so many, or fewer where there are too many processes."""
        # Ctrl-C waits until all are there: an exception in the middle of a fork is lost.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for _ in range(count):
                self._begin_one()
            # After the last fork: a process with one thread is forked safely.
            for pipe in self._pipes:
                listener = threading.Thread(target=self._listen, args=(pipe,), daemon=True)
                self._listeners.append(listener)
                listener.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _begin_one(self) -> None:
        context = multiprocessing.get_context("fork")
        receiving, sending = context.Pipe(duplex=False)
        _widen(sending)
        try:
            process = context.Process(target=_work, args=(self._task, sending, self._life), daemon=True)
            process.start()
        except OSError:
            receiving.close()
            return
        finally:
            sending.close()
        self._processes.append(process)
        self._pipes.append(receiving)

    def end(self) -> None:
        """End those that have not ended by themselves."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()
        self.wait()
        for end in self._life:
            os.close(end)

    def _listen(self, pipe: Connection) -> None:
        try:
            with pipe:
                while True:
                    self._messages.append(pipe.recv_bytes())
        except (EOFError, OSError):
            return

    def brought(self) -> dict[int, object]:
        """The answers that came since the last time, by the indices of their items."""
        found: dict[int, object] = {}
        while self._messages:
            found.update(pickle.loads(self._messages.pop()))
        return found

    def wait(self) -> None:
        """Wait until the workers have ended."""
        for listener in self._listeners:
            listener.join()


def _widen(pipe: Connection) -> None:
    """
    Let a pipe hold a megabyte where that can be told; else it holds 64 KiB.

    What empties it here waits for a parser that lets no other thread run; the worker would wait with it.
    """
    if sys.platform == "linux":
        import fcntl

        # The system may allow less.
        with suppress(OSError):
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, 1 << 20)


def _work(task: _Task, sending: Connection, life: tuple[int, int]) -> None:
    """In a worker: bring the answers of one chunk after the other."""
    try:
        gc.disable()
        # Ctrl-C reaches the whole group; a worker ends at once and leaves the last word to its parent.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.close(life[1])
        threading.Thread(target=_end_with_parent, args=(life[0],), daemon=True).start()
        while (at := task.queue.first()) is not None:
            answers = [(item, task.function(task.items[item])) for item in task.queue.chunks[at]]
            sending.send_bytes(pickle.dumps(answers, pickle.HIGHEST_PROTOCOL))
    finally:
        # What it did not bring is done by the parent; an error of the function is raised there.
        os._exit(0)


def _end_with_parent(life: int) -> None:
    os.read(life, 1)
    os._exit(1)


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
