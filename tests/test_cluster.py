"""A real Dask cluster on the loopback: the answer is the same, also when a worker dies in the middle."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import distributed
import pytest

from inroads.cluster import open_executor
from inroads.errors import UsageError
from inroads.pool import map_in_order
from inroads.rust.extract import extract_encoded


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    os.environ["PYTHONPATH"] = os.pathsep.join(
        (
            str(Path(__file__).parent.parent / "lint"),
            str(Path(__file__).parent),
            os.environ.get("PYTHONPATH", ""),
        )
    )
    made = distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    )
    yield made
    made.close()


def address(cluster: object) -> str:
    return cluster.scheduler_address.replace("tcp://", "dask://")  # type: ignore[attr-defined]


SOURCES = tuple(
    f"pub fn f{number}() -> Result<u32, ()> {{ let _ = g({number}); Ok({number}) }}\n".encode()
    * (1 + number % 7)
    for number in range(200)
)


def slow_extract(data: bytes) -> bytes:
    """Extraction that takes long enough for a worker to die in the middle of it."""
    time.sleep(0.01)
    return extract_encoded(data)


def test_the_cluster_gives_the_same_bytes(cluster: object) -> None:
    with open_executor(address(cluster)) as executor:
        there = map_in_order(extract_encoded, SOURCES, size=len, executor=executor)
    assert there == [extract_encoded(one) for one in SOURCES]


def test_a_worker_that_dies_in_the_middle_costs_time_only(cluster: object) -> None:
    victim = next(iter(cluster.workers.values())).process.pid  # type: ignore[attr-defined]
    threading.Timer(0.2, lambda: os.kill(victim, signal.SIGKILL)).start()
    with open_executor(address(cluster)) as executor:
        there = map_in_order(slow_extract, SOURCES, size=len, executor=executor)
    assert there == [extract_encoded(one) for one in SOURCES]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("127.0.0.1:8786", "expected dask://HOST:PORT"),
        ("dask://127.0.0.1", "expected dask://HOST:PORT"),
        ("dask://127.0.0.1:1", "no scheduler answers"),
    ],
)
def test_an_address_that_does_not_work_is_told(
    given: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inroads.cluster.PATIENCE", 1)
    with pytest.raises(UsageError, match=message), open_executor(given):
        pass
