"""
The command line: options -> check -> report -> exit code. Knows click, and nothing else does.

This module is what every run imports, so it imports nothing: `--version` takes
as long as the interpreter, and a check with nothing to do hardly longer.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; the process ends here."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from inroads import __version__

        print(f"inroads {__version__}")
        return
    try:
        code = _answer(sys.argv[1:])
    except KeyboardInterrupt:
        # While modules are imported; `run` has its own answer.
        print("interrupted", file=sys.stderr)
        code = 130
    except OSError as error:
        import errno
        import os

        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        # The interpreter would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"error: the output can't be written: {error.strerror}", file=sys.stderr)
        code = 2
    if code == 130:
        _leave_at_once(code)
    sys.exit(code)


def _leave_at_once(code: int) -> None:
    """End the process without the interpreter's farewells, which trip over a pool that was cut off in its work."""
    import os

    if "multiprocessing" in sys.modules:
        import multiprocessing

        for child in multiprocessing.active_children():
            child.terminate()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _answer(arguments: list[str]) -> int:
    """The exit code, from what is remembered or from a run."""
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
    main()
