"""A small Rust program in a git repository, for the tests of the gate."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from inroads.cli.run import group

PACK = """
pack = "pool"

[[rule]]
id = "take-before-fill"
kind = "order"
title = "taken from the pool before it was filled"
level = "deny"
why = "An empty pool has nothing to give."
target = ["Pool::take"]
needs = ["Pool::fill"]

[[rule.test]]
name = "taken first"
code = '''
pub struct Pool;
impl Pool { pub fn fill(&self) {} pub fn take(&self) -> u32 { 1 } }
fn main() { let p = Pool; p.take(); } //~ take-before-fill
'''

[[rule.test]]
name = "filled first"
code = '''
pub struct Pool;
impl Pool { pub fn fill(&self) {} pub fn take(&self) -> u32 { 1 } }
fn main() { let p = Pool; p.fill(); p.take(); }
'''
"""

MAIN = """\
mod pool;
mod worker;
use pool::Pool;

fn main() {
    let pool = Pool::new();
    pool.fill();
    worker::serve();
}
"""

POOL = """\
pub struct Pool {
    items: u32,
}

impl Pool {
    pub fn new() -> Pool {
        Pool { items: 0 }
    }
    pub fn fill(&self) {
        println!("{}", self.items);
    }
    pub fn take(&self) -> u32 {
        self.items
    }
}
"""

WORKER = """\
use crate::pool::Pool;

pub fn serve() -> u32 {
    let pool = Pool::new();
    pool.take() + 1
}
"""


@dataclass(frozen=True)
class Project:
    """The repository, and what to do with it."""

    root: Path

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
        done = subprocess.run(
            ("git", *identity, *arguments), cwd=self.root, capture_output=True, check=True, text=True
        )
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text()
        assert old in text
        self.write(path, text.replace(old, new))

    def commit(self, message: str = "change") -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def check(self, *arguments: str, path: str = "") -> Checked:
        """What `inroads check` says of the project, as JSON."""
        done = CliRunner().invoke(
            group,
            ["check", str(self.root / path), "--no-cache", "--output-format", "json", *arguments],
            standalone_mode=False,
        )
        if done.exception is not None:
            raise done.exception
        assert isinstance(done.return_value, int)
        return Checked(done.return_value, json.loads(done.stdout))


@dataclass(frozen=True)
class Checked:
    """The exit code and the report."""

    code: int
    report: dict[str, list[dict[str, object]]]

    def told(self, status: str | None = "new") -> list[str]:
        """`path:line rule` of each finding with the status."""
        return sorted(
            f"{one['path']}:{one['line']} {one['rule']}"
            for one in self.report["findings"]
            if one.get("status") == status
        )


def make_project(folder: Path) -> Project:
    """A clean project with one commit."""
    project = Project(folder)
    folder.mkdir(parents=True, exist_ok=True)
    project.write("Cargo.toml", '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n')
    project.write("inroads.toml", 'packs = ["pool.toml"]\n')
    project.write("pool.toml", PACK)
    project.write("src/main.rs", MAIN)
    project.write("src/pool.rs", POOL)
    project.write("src/worker.rs", WORKER)
    project.git("init", "-q", "-b", "main")
    project.commit("first")
    return project
