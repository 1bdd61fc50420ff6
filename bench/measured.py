"""What a command takes: wall and CPU seconds, and the memory of its largest process."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WANTED = (".rs", "Cargo.toml", "inroads.toml", ".inroads.toml")


@dataclass(frozen=True, slots=True)
class Cost:
    """
    One run.

    Args:
        wall: Seconds from start to end.
        cpu: Seconds of all its processes together.
        peak: Megabytes of its largest process.
    """

    wall: float
    cpu: float
    peak: float


def environment() -> dict[str, str]:
    """The variables for this checkout's program: compiled once, as an installed one is."""
    found = {**os.environ, "PYTHONPATH": str(ROOT / "lint"), "NO_COLOR": "1"}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    found["PYTHONPYCACHEPREFIX"] = os.path.join(tempfile.gettempdir(), "inroads-bench")
    return found


def measure(command: Sequence[str], folder: Path, codes: tuple[int, ...] = (0, 1)) -> Cost:
    """Run a command with its output thrown away; ends the program where it fails."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    # The usage of this child and of all that it waited for; a process that is measured with others is not told apart.
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        sys.exit(f"exit code {process.returncode}: {' '.join(command)}")
    # Linux counts kilobytes, macOS bytes.
    unit = 1_000_000 if sys.platform == "darwin" else 1_000
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def inroads(*arguments: str) -> list[str]:
    """The command line of this checkout's program."""
    return [sys.executable, "-m", "inroads", *arguments]


def copy_rust(source: Path, target: Path) -> int:
    """Copy the Rust files and manifests of a tree; how many bytes of Rust that is."""
    total = 0
    for at, folders, names in os.walk(source):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "target")
        for name in sorted(names):
            path = Path(at) / name
            if not name.endswith(WANTED) or path.is_symlink():
                continue
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
            total += path.stat().st_size if name.endswith(".rs") else 0
    return total


def machine() -> str:
    """The processor, how many of it, and the interpreter."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return f"{os.cpu_count()} x {name}, {platform.system()}, CPython {platform.python_version()}"
