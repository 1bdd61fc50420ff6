"""
The command line: options -> check -> report -> exit code. Knows click, and nothing else does.

This module is what every run imports, so it imports nothing: `--version` takes
as long as the interpreter, and a check with nothing to do hardly longer.
"""

from __future__ import annotations

import sys


def start() -> None:
    """Run the command line, and end the process: to free one by one the millions of values of a run serves nobody."""
    try:
        main()
    except SystemExit as end:
        _leave_at_once(end.code if isinstance(end.code, int) else 0)


def main() -> None:
    """
    Run the command line.

    Raises:
        SystemExit: With the exit code.
    """
    try:
        _open_streams()
        code = _answer(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        # While modules are imported; `run` has its own answer.
        print("interrupted", file=sys.stderr)
        code = 130
    except OSError as error:
        import contextlib
        import errno
        import os

        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        # The interpreter would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # Where that can't be told either, the exit code tells it.
        with contextlib.suppress(OSError):
            print(f"error: the output can't be written: {error.strerror}", file=sys.stderr)
        code = 2
    sys.exit(code)


def _open_streams() -> None:
    """Let a stream that was closed before this process began lead nowhere: the exit code is still asked for."""
    import os

    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))


def _leave_at_once(code: int) -> None:
    """
    End the process without the interpreter's farewells.

    They would also trip over a pool that was cut off in its work.
    """
    import os

    if "multiprocessing" in sys.modules:
        import multiprocessing

        for child in multiprocessing.active_children():
            child.terminate()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _answer(arguments: list[str]) -> int:
    """The exit code, from what is remembered or from a run."""
    if arguments in (["--version"], ["-V"]):
        from inroads import __version__

        print(f"inroads {__version__}")
        return 0
    if arguments[:1] == ["check"]:
        from inroads.cli.replay import replay

        code = replay(arguments)
        if code is not None:
            return code
    from inroads.cli.run import run

    return run(arguments)


def cargo_main() -> None:
    """Run as `cargo inroads ...`: cargo hands the name of the subcommand as the first argument."""
    if sys.argv[1:2] == ["inroads"]:
        del sys.argv[1]
    start()
