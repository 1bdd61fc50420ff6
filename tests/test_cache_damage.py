"""Whatever becomes of the cache, a run says what it says without one."""

from __future__ import annotations

import errno
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from generated import workspace
from inroads.store import Store
from test_edits import said

CHECK = ("check", "-j", "1", "--output-format", "json")
EDITED = "unit0/src/part2.rs"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small workspace, the working directory."""
    for path, text in workspace(1, 4).items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    monkeypatch.setattr("inroads.cli.replay._YOUNG", 0)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit(root: Path) -> None:
    """Change a body, so that the cache is asked for everything but the last answer."""
    place = root / EDITED
    place.write_text(place.read_text().replace("sum += 1", "sum += 1 + 1", 1))


def cut(data: bytes, source: random.Random) -> bytes:
    return data[: source.randrange(len(data))]


def flip(data: bytes, source: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(source.choice((1, 5, 50))):
        changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
    return bytes(changed)


def noise(data: bytes, source: random.Random) -> bytes:
    return source.randbytes(len(data))


def grow(data: bytes, source: random.Random) -> bytes:
    return data + source.randbytes(100)


DAMAGES = (cut, flip, noise, grow)


def without_warnings(answer: tuple[object, bytes, bytes]) -> tuple[object, bytes, list[bytes]]:
    """Exit code, output, and what was said besides of the program."""
    code, out, err = answer
    return code, out, [line for line in err.splitlines() if not line.startswith(b"warning: ")]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_change_no_answer(root: Path, damage: Callable[[bytes, random.Random], bytes]) -> None:
    source = random.Random(damage.__name__)
    said(CHECK)
    edit(root)
    cold = without_warnings(said((*CHECK, "--no-cache")))
    said(CHECK)
    kept = {path: path.read_bytes() for path in (root / ".inroads_cache").iterdir()}
    for _ in range(12):
        for path in (root / ".inroads_cache").iterdir():
            path.unlink()
        for path, data in kept.items():
            path.write_bytes(damage(data, source) if source.random() < 0.7 else data)
        # Half of them find the last answer, the others have to judge again.
        if source.random() < 0.5:
            os.utime(root / EDITED)
        assert without_warnings(said(CHECK)) == cold


def test_an_answer_that_was_damaged_is_not_said_again(root: Path) -> None:
    said(CHECK)
    cold = said(CHECK)
    (answer,) = (root / ".inroads_cache").glob("replay-*")
    data = answer.read_bytes()
    answer.write_bytes(data.replace(b'"warn"', b'"deny"').replace(b'"deny"', b'"warn"'))
    assert answer.read_bytes() != data
    assert said(CHECK) == cold


def test_blobs_that_hold_something_else_change_no_answer(root: Path) -> None:
    said(CHECK)
    edit(root)
    cold = said((*CHECK, "--no-cache"))
    folder = str(root / ".inroads_cache")
    whole = Store(folder)
    assert whole.info()[1]
    keys = [key for pack in whole._packs or () for key in pack.index]
    for number, other in enumerate((b"", b"\x00", b"\xc1", b"{}", b"\x94\x00\x00\x00\x00", None)):
        store = Store(folder)
        for key in keys:
            data = whole.get(key)
            assert data is not None
            store.put(key, data[: len(data) // 2] if other is None else other)
        store.flush()
        (root / EDITED).write_text((root / EDITED).read_text() + f"// {number}\n")
        assert said((*CHECK, "--no-cache"))[:2] == said(CHECK)[:2]
    assert cold[0] == 1


def test_a_cache_that_cannot_be_written_is_a_warning(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: object, target: object) -> None:
        raise OSError(errno.EROFS, "read-only")

    cold = said((*CHECK, "--no-cache"))
    monkeypatch.setattr("os.replace", refuse)
    code, out, err = said(CHECK)
    assert (code, out) == cold[:2]
    assert b"warning: the cache" in err
    assert [path.name for path in (root / ".inroads_cache").iterdir()] == [".gitignore"]


@pytest.mark.parametrize("room", [0, 1_000, 100_000])
def test_a_full_disk_is_a_warning(root: Path, room: int) -> None:
    cold = said((*CHECK, "--no-cache"))

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    done = subprocess.run(
        (sys.executable, "-m", "inroads", *CHECK),
        capture_output=True,
        preexec_fn=bounded,
    )
    assert (done.returncode, done.stdout) == cold[:2]
    assert b"warning: the cache" in done.stderr
    assert b"Traceback" not in done.stderr
    assert said(CHECK)[:2] == cold[:2]


def started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        (sys.executable, "-m", "inroads", *arguments), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def test_runs_at_the_same_time_do_each_other_no_harm(root: Path) -> None:
    cold = said((*CHECK, "--no-cache"))
    for _ in range(2):
        runs = [started(*CHECK) for _ in range(2)]
        for one in runs:
            assert one.communicate()[0] == cold[1]
        edit(root)
        cold = said((*CHECK, "--no-cache"))
    assert said(CHECK) == cold


def test_a_run_that_is_killed_leaves_a_cache_that_can_be_used(root: Path) -> None:
    cold = said((*CHECK, "--no-cache"))
    for tenths in (2, 5, 7, 9):
        run = started(*CHECK)
        time.sleep(tenths / 10)
        run.kill()
        run.communicate()
        assert said(CHECK)[:2] == cold[:2]


def test_what_killed_runs_left_half_written_goes(root: Path) -> None:
    said(CHECK)
    folder = root / ".inroads_cache"
    old, young = folder / "00000009-x.pack.77", folder / "00000009-x.pack.78"
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (1, 1))
    edit(root)
    said(CHECK)
    assert (old.exists(), young.exists()) == (False, True)
    Store(str(folder)).clear()
    assert not young.exists()
