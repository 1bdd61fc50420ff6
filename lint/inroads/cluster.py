"""
Extraction on a Dask cluster: sources travel as bytes, facts come back.

The answer is the same byte for byte as without: extraction depends on the
bytes alone, the answers are put in order here, and what the cluster does not
bring back (a lost worker, a lost scheduler) is done here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from inroads import __version__
from inroads.errors import UsageError
from inroads.facts import FACTS_VERSION

SCHEME = "dask://"
PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""

Answer = TypeVar("Answer")
Arguments = ParamSpec("Arguments")


class ClusterExecutor(Executor):
    """
    A Dask client as an executor.

    Whatever goes wrong on the way, and not in the function itself, comes back
    as a RuntimeError, by which the pool knows that the work is still to be done.
    """

    def __init__(self, client: Any) -> None:  # Any: distributed has no types.
        self._client = client

    def submit(
        self, fn: Callable[Arguments, Answer], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Answer]:
        """Run a call on some worker; its lost worker is replaced by another as long as there is one."""
        made: Future[Answer] = Future()
        # Not pure: equal sources are rare, and hashing all of them would cost more than it saves.
        task = self._client.submit(fn, *args, **kwargs, pure=False)
        task.add_done_callback(lambda done: _hand_over(done, made))
        return made


@contextmanager
def open_executor(address: str) -> Iterator[Executor]:
    """
    The executor behind `dask://HOST:PORT`.

    Raises:
        UsageError: The address is not of that form, the extra is not installed, nobody
            answers there, or the workers run another version than this.
    """
    place = address.removeprefix(SCHEME)
    if place == address or ":" not in place:
        raise UsageError(f"--executor: {address}: expected {SCHEME}HOST:PORT")
    try:
        client_class: Any = import_module("distributed").Client
    except ImportError as error:
        raise UsageError("--executor wants the extra: pip install 'inroads[dask]'") from error
    try:
        client = client_class(f"tcp://{place}", timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(f"--executor: no scheduler answers at {place} ({error})") from error
    try:
        _hold_versions(client, place)
        yield ClusterExecutor(client)
    finally:
        client.close(timeout=PATIENCE)


def worker_version() -> tuple[str, int]:
    """The version of this program where it runs, and of its facts' shape."""
    return __version__, FACTS_VERSION


def _hold_versions(client: Any, place: str) -> None:
    """
    UsageError unless each worker runs this version.

    The grammar may be another build of the same release: facts name no grammar, and its
    release is pinned by ours.
    """
    try:
        found = client.run(worker_version, on_error="return")
    except (OSError, RuntimeError) as error:
        raise UsageError(f"--executor: the cluster at {place} does not answer ({error})") from error
    if not found:
        raise UsageError(f"--executor: the cluster at {place} has no worker")
    for worker, version in sorted(found.items()):
        if not isinstance(version, tuple):
            raise UsageError(f"--executor: the worker {worker} has no inroads {__version__} installed")
        if version != worker_version():
            raise UsageError(f"--executor: the worker {worker} runs inroads {version[0]}, not {__version__}")


def _hand_over(task: Any, made: Future[Answer]) -> None:  # Any: distributed is not typed.
    """Pass a finished task's answer on. A task is done once, so the future is set once."""
    if task.status == "finished":
        try:
            made.set_result(task.result())
        except (OSError, RuntimeError) as error:
            made.set_exception(RuntimeError(f"the answer was lost: {error}"))
        return
    failure = task.exception() if task.status == "error" else None
    made.set_exception(
        failure
        if failure is not None and not _is_lost(failure)
        else RuntimeError(f"the work was lost: {failure}")
    )


def _is_lost(failure: BaseException) -> bool:
    """Whether the cluster failed, and not the function."""
    return type(failure).__module__.startswith("distributed")
