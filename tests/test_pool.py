"""The parallel map."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest

from inroads.pool import map_in_order


def test_the_answer_keeps_the_order_of_the_items() -> None:
    items = [5, 1, 4, 1000, 2, 3]
    expected = [item * 2 for item in items]
    for jobs in (1, 2, 3):
        assert map_in_order(lambda item: item * 2, items, jobs=jobs, size=abs, small=0) == expected


def test_a_closure_runs_here_and_in_other_processes() -> None:
    def where(_: int) -> int:
        time.sleep(0.01)
        return os.getpid()

    found = set(map_in_order(where, range(40), jobs=2, small=0))
    assert os.getpid() in found
    assert len(found) == 2


def test_little_work_stays_here() -> None:
    assert map_in_order(lambda _: os.getpid(), range(40), jobs=2) == [os.getpid()] * 40


def test_a_dying_worker_costs_time_only() -> None:
    mine = os.getpid()

    def fragile(item: int) -> int:
        if os.getpid() != mine:
            os._exit(1)
        return item + 1

    assert map_in_order(fragile, range(30), jobs=2, small=0) == list(range(1, 31))


@pytest.mark.parametrize("moment", range(12))
def test_a_worker_may_die_while_it_sends(moment: int) -> None:
    mine = os.getpid()

    def large(item: int) -> bytes:
        if os.getpid() != mine and item == 0:
            threading.Timer(moment / 400, os._exit, (1,)).start()
        return bytes(5_000_000)

    assert map_in_order(large, range(26), jobs=2, small=0) == [bytes(5_000_000)] * 26


@pytest.mark.parametrize("number", (signal.SIGTERM, signal.SIGKILL))
def test_workers_end_with_the_process_that_began_them(number: signal.Signals) -> None:
    work = (
        "import os, time\nfrom inroads.pool import map_in_order\n"
        # One write: the lines of several processes must not mix.
        "def wait(_):\n    os.write(1, b'begun\\n')\n    time.sleep(30)\n"
        "map_in_order(wait, range(9), jobs=3, small=0)\n"
    )
    with subprocess.Popen([sys.executable, "-c", work], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(3)] == [b"begun\n"] * 3
        process.send_signal(number)
        # The output ends when the last one that may write has ended.
        assert process.communicate(timeout=20)[0] == b""


def test_an_error_of_the_function_is_raised_here() -> None:
    def wrong(item: int) -> int:
        raise KeyError(item)

    with pytest.raises(KeyError):
        map_in_order(wrong, range(30), jobs=2, small=0)


def test_any_executor_will_do() -> None:
    with ThreadPoolExecutor(2) as executor:
        assert map_in_order(str, range(100), executor=executor) == [str(at) for at in range(100)]


class _Broken(Executor):
    """Loses every second chunk."""

    count = 0

    def submit(self, task: Callable[..., object], /, *values: object, **named: object) -> Future[object]:  # type: ignore[override]
        future: Future[object] = Future()
        self.count += 1
        if self.count % 2:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(task(*values, **named))
        return future


def test_lost_chunks_are_done_here() -> None:
    assert map_in_order(str, range(100), executor=_Broken(), jobs=3) == [str(at) for at in range(100)]


def test_no_items_give_no_answers() -> None:
    assert map_in_order(str, [], jobs=4, small=0) == []
