"""One program has one report: for any order of its files, any number of jobs, and whatever earlier runs kept."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from inroads import judging, pool
from inroads.check import Options, check, load
from inroads.report import Look, render
from inroads.rulebook import load_rulebook
from inroads.settings import Settings
from inroads.store import Store
from inroads.workspace import MemoryTree

EXAMPLES = Path(__file__).parent.parent / "examples"
DOUBLING = "macro_rules! grow { ($($t:tt)*) => { grow!($($t)* $($t)*) } }\n"
ODD = {
    "Cargo.toml": '[workspace]\nmembers = ["odd", "paged/*", "lost"]\n',
    "odd/Cargo.toml": '[package]\nname = "odd"\nedition = "2024"\n[dependencies]\nlost_errors = { path = "../lost" }\n',
    # Names that meet by globs in a circle, one file in two modules, and a name defined twice.
    "odd/src/lib.rs": """
mod a; mod b; mod twice; #[path = "twice.rs"] mod again; #[path = "loop.rs"] mod circle; mod gone;
#[cfg(unix)] mod os { pub fn sync() -> Result<(), String> { Err("unix".into()) } }
#[cfg(windows)] mod os { pub fn sync() -> Result<(), String> { Ok(()) } }
pub use a::*;
pub fn run() { let _ = os::sync(); let _ = again::lose(); let _ = both(); }
""",
    "odd/src/a.rs": "pub use super::b::*; pub fn both() -> Result<u8, u8> { Err(1) }\n",
    "odd/src/b.rs": "pub use super::a::*; pub fn both() -> Result<u8, u8> { Err(2) }\n",
    "odd/src/twice.rs": "pub fn lose() -> Result<(), u8> { let _ = super::run(); Err(1) }\n",
    "odd/src/loop.rs": '#[path = "loop.rs"] mod again;\n',
    # Macros that explode, and one that brings functions.
    "odd/src/bin/bombs.rs": DOUBLING
    + "macro_rules! make { ($n:ident) => { fn $n() { let _ = save(); } } }\nmake!(one); make!(two);\n"
    + "fn save() -> Result<(), u8> { Err(1) }\nfn main() { one(); two(); grow!(a b); }\n"
    + "fn f() { grow!(c); }\n",
    # What no `mod` reaches, what does not parse, what is no text.
    "odd/src/orphan.rs": "fn drop_it() { let _ = std::fs::remove_file(1); }\n",
    "odd/src/broken.rs": "fn f( { let _ = std::fs::remove_file(1); }\n",
    "odd/src/bytes.rs": "fn \udcff() {}\n",
    "odd/tests/it.rs": 'use odd::run; #[test] fn t() { run(); }\n// inroads: allow(error-dropped) reason = "none"\n',
    "odd/build.rs": "fn main() { let _ = std::fs::write(1, 2); }\n",
}


def files() -> dict[str, bytes]:
    """The examples and the odd files as one workspace."""
    found = {path: text.encode("utf-8", "surrogateescape") for path, text in ODD.items()}
    for place, example in (("paged", "paged_decode/before"), ("lost", "lost_errors")):
        for path in sorted((EXAMPLES / example).rglob("*")):
            relative = path.relative_to(EXAMPLES / example).as_posix()
            if path.suffix == ".rs" or (path.name == "Cargo.toml" and (place == "lost" or "/" in relative)):
                found[f"{place}/{relative}"] = path.read_bytes()
    return found


class Shuffled(MemoryTree):
    """A tree that names its files in any order."""

    def __init__(self, held: dict[str, bytes], seed: int) -> None:
        super().__init__(held)
        self.seed = seed

    def list(self) -> tuple[str, ...]:
        """All paths."""
        paths = [*super().list()]
        random.Random(self.seed).shuffle(paths)
        return tuple(paths)


def report(tree: MemoryTree, jobs: int = 1, store: Store | None = None) -> str:
    """All that a run tells: as JSON, and as text."""
    loaded = load(tree, jobs=jobs, store=store)
    told = check(loaded, load_rulebook(), Settings(), Options(root=".", jobs=jobs))
    return "\n".join(render(told, format, Look()) for format in ("json", "text"))


@pytest.fixture(scope="module")
def usual() -> str:
    return report(MemoryTree(files()))


def test_the_workspace_has_much_to_tell(usual: str) -> None:
    for word in (
        "forgotten-forward",
        "sync-before-lengths",
        "error-dropped",
        "unused-allow",
        "mounts itself",
    ):
        assert word in usual
    for kind in ("syntax", "encoding", "macro", "module"):
        assert f'"kind": "{kind}"' in usual


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_files_changes_nothing(usual: str, seed: int) -> None:
    assert report(Shuffled(files(), seed)) == usual


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_jobs_changes_nothing(usual: str, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # However little there is to do, processes are started.
    monkeypatch.setattr(judging, "SMALL", 0)
    assert pool.map_in_order.__kwdefaults__ is not None
    monkeypatch.setitem(pool.map_in_order.__kwdefaults__, "small", 0)
    assert report(Shuffled(files(), jobs), jobs=jobs) == usual


def test_what_earlier_runs_kept_changes_nothing(usual: str, tmp_path: Path) -> None:
    edited = files()
    edited["odd/src/a.rs"] = b"pub fn both() {}\n"
    edited["lost/src/lib.rs"] = b""
    assert report(MemoryTree(files()), store=Store(str(tmp_path))) == usual
    assert report(MemoryTree(edited), store=Store(str(tmp_path))) != usual
    assert report(Shuffled(files(), 1), store=Store(str(tmp_path))) == usual
    for number, pack in enumerate(sorted(path for path in tmp_path.rglob("*") if path.is_file())):
        # Half of what was kept is lost, and some of the rest is no longer what it was.
        data = pack.read_bytes()
        pack.write_bytes(data[: len(data) // 2] if number % 2 else data[:-3] + b"odd")
    assert report(MemoryTree(files()), store=Store(str(tmp_path))) == usual
