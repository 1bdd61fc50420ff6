"""The memo on disk."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from inroads.store import MOST_PACKS, Store

V1 = b"1" * 16
V2 = b"2" * 16


def opened(folder: Path, version: bytes = V1, limit: int = 10**9) -> Store:
    return Store(str(folder), version=version, limit=limit)


def kept(folder: Path, **entries: bytes) -> None:
    store = opened(folder)
    for key, data in entries.items():
        store.put(key, data)
    store.flush()


def packs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.pack"))


def test_what_was_kept_is_found_by_a_later_run(tmp_path: Path) -> None:
    kept(tmp_path, a=b"one", b=b"two")
    store = opened(tmp_path)
    assert (store.get("a"), store.get("b"), store.get("c")) == (b"one", b"two", None)
    assert store.warnings == []


def test_what_is_put_is_found_before_it_is_written(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.put("a", b"one")
    assert store.get("a") == b"one"
    assert packs(tmp_path) == []


def test_without_a_folder_things_are_kept_for_the_run() -> None:
    store = Store(None, version=V1)
    store.put("a", b"one")
    store.flush()
    assert store.get("a") == b"one"


def test_a_later_run_hides_an_earlier_one(tmp_path: Path) -> None:
    kept(tmp_path, a=b"one")
    kept(tmp_path, a=b"two")
    assert opened(tmp_path).get("a") == b"two"


def test_nothing_new_writes_nothing(tmp_path: Path) -> None:
    kept(tmp_path, a=b"one")
    before = packs(tmp_path)
    opened(tmp_path).flush()
    assert packs(tmp_path) == before


def test_many_packs_become_one(tmp_path: Path) -> None:
    for at in range(MOST_PACKS + 1):
        kept(tmp_path, **{f"k{at}": b"%d" % at})
    assert len(packs(tmp_path)) == 1
    store = opened(tmp_path)
    assert [store.get(f"k{at}") for at in range(MOST_PACKS + 1)] == [
        b"%d" % at for at in range(MOST_PACKS + 1)
    ]


def test_a_large_pack_stays_as_it_is_when_small_ones_become_one(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.put("large", b"x" * 100_000)
    store.put("changed", b"old")
    store.flush()
    (large,) = packs(tmp_path)
    for at in range(3 * MOST_PACKS):
        store = Store(str(tmp_path))
        store.put(f"k{at}", b"%d" % at)
        store.put("changed", b"%d" % at)
        store.flush()
        assert large in packs(tmp_path)
        assert len(packs(tmp_path)) <= MOST_PACKS
    store = Store(str(tmp_path))
    assert store.get("changed") == b"%d" % (3 * MOST_PACKS - 1)
    assert store.get("k0") == b"0"
    assert store.get("large") == b"x" * 100_000


def test_the_size_is_bounded_and_the_newest_stay(tmp_path: Path) -> None:
    for at in range(20):
        store = opened(tmp_path, limit=5_000)
        store.put(f"k{at}", b"x" * 1000)
        store.flush()
    assert sum(path.stat().st_size for path in packs(tmp_path)) < 6_000
    store = opened(tmp_path)
    assert store.get("k19") is not None
    assert store.get("k0") is None


def test_another_version_is_not_believed_and_goes_without_a_word(tmp_path: Path) -> None:
    kept(tmp_path, a=b"one")
    store = opened(tmp_path, V2)
    assert store.get("a") is None
    store.put("b", b"two")
    store.flush()
    assert store.warnings == []
    assert len(packs(tmp_path)) == 1


@pytest.mark.parametrize("size", [0, 1, 7, 30, 40, 60, 100])
def test_a_pack_that_is_cut_short_gives_nothing_wrong(tmp_path: Path, size: int) -> None:
    kept(tmp_path, a=b"one" * 10, b=b"two" * 10)
    [path] = packs(tmp_path)
    path.write_bytes(path.read_bytes()[:size])
    store = opened(tmp_path)
    assert store.get("a") in (None, b"one" * 10)
    assert store.get("b") in (None, b"two" * 10)
    assert store.warnings


def test_any_damaged_byte_gives_nothing_wrong(tmp_path: Path) -> None:
    kept(tmp_path, a=b"one" * 10, b=b"two" * 10)
    [path] = packs(tmp_path)
    whole = path.read_bytes()
    source = random.Random(7)
    for at in range(len(whole)):
        data = bytearray(whole)
        data[at] ^= 1 << source.randrange(8)
        path.write_bytes(bytes(data))
        store = opened(tmp_path)
        assert store.get("a") in (None, b"one" * 10)
        assert store.get("b") in (None, b"two" * 10)


def test_a_damaged_pack_is_replaced(tmp_path: Path) -> None:
    kept(tmp_path, a=b"one")
    [path] = packs(tmp_path)
    path.write_bytes(b"no pack")
    store = opened(tmp_path)
    assert store.get("a") is None
    store.put("a", b"two")
    store.flush()
    assert not path.exists()
    assert opened(tmp_path).get("a") == b"two"


def test_a_damaged_pack_goes_where_nothing_was_missing_too(tmp_path: Path) -> None:
    kept(tmp_path, a=b"one")
    (tmp_path / "00000009-0.pack").write_bytes(b"cut")
    store = opened(tmp_path)
    assert store.get("a") == b"one"
    assert store.warnings
    store.flush()
    after = opened(tmp_path)
    assert after.get("a") == b"one"
    assert after.warnings == []


def test_foreign_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "zz.pack").write_bytes(b"")
    kept(tmp_path, a=b"one")
    assert opened(tmp_path).get("a") == b"one"
    assert (tmp_path / "notes.txt").exists()


def test_a_folder_that_cannot_be_written_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: str, data: bytes) -> None:
        """What `write_whole` does on a full disk, or where nothing may be written."""

    monkeypatch.setattr("inroads.store.write_whole", full)
    store = opened(tmp_path)
    store.put("a", b"one")
    store.flush()
    assert store.warnings
    assert store.get("a") == b"one"


def test_a_file_in_place_of_the_folder_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    store = opened(tmp_path / "cache")
    assert store.get("a") is None
    store.put("a", b"one")
    store.flush()
    assert store.warnings


def test_two_runs_at_once_lose_nothing_that_they_wrote(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    first.get("x")
    second.get("x")
    first.put("a", b"one")
    second.put("b", b"two")
    first.flush()
    second.flush()
    store = opened(tmp_path)
    assert (store.get("a"), store.get("b")) == (b"one", b"two")


def test_a_run_keeps_reading_what_another_deletes(tmp_path: Path) -> None:
    kept(tmp_path, a=b"one")
    reader = opened(tmp_path)
    assert reader.get("missing") is None
    opened(tmp_path).clear()
    assert reader.get("a") == b"one"


def test_clear_deletes_all_packs(tmp_path: Path) -> None:
    kept(tmp_path, a=b"one")
    store = opened(tmp_path)
    assert store.info()[1] == 1
    store.clear()
    assert packs(tmp_path) == []
    assert opened(tmp_path).info() == (0, 0, 0)
