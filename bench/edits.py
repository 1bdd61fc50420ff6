"""
Edits a copy of a real tree at random, and holds each warm check against a cold one, byte for byte.

    python bench/edits.py PATH [--steps 100] [--seed 1]

An edit is one that people make: a statement, a parameter, a return type, a function that comes, goes or is
renamed, `pub`, a comment, a `use`, a struct, a constant, an impl, a test module. Ends with 1 at the first difference.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measured import copy_rust, environment, inroads

FUNCTION = re.compile(
    r"^( *)(pub(?:\([a-z]+\))? )?(?:async )?fn ([a-z_0-9]+)(?:<[^>(]*>)?\(([^()]*)\)([^{};\n]*)\{\n",
    re.MULTILINE,
)
IMPL = re.compile(r"^impl ([A-Z]\w*) \{\n", re.MULTILINE)
USE = re.compile(r"^use [^;]*;\n", re.MULTILINE)
USES = (
    *("use std::io::Write;\n", "use std::fmt::Write as _;\n", "use std::path::Path;\n", "use std::fs;\n"),
    *("use std::collections::HashMap as _;\n", "use crate::Nothing;\n"),
)
LOST = 'let _ = std::fs::remove_file("x");'

Edit = Callable[[str, "list[re.Match[str]]", "re.Match[str]", int, random.Random], str]


def _statement(
    text: str, all: list[re.Match[str]], one: re.Match[str], number: int, by: random.Random
) -> str:
    said = by.choice((f"let _e{number} = {number};", LOST, f"{by.choice(all)[3]}({number});"))
    return f"{text[: one.end()]}    {said}\n{text[one.end() :]}"


def _parameter(
    text: str, all: list[re.Match[str]], one: re.Match[str], number: int, by: random.Random
) -> str:
    given = one[4].strip().rstrip(",")
    made = f"{given}, e{number}: u8" if given else f"e{number}: u8"
    return text[: one.start(4)] + made + text[one.end(4) :]


def _returned(text: str, all: list[re.Match[str]], one: re.Match[str], number: int, by: random.Random) -> str:
    made = " " if "->" in one[5] else " -> Result<(), std::io::Error> "
    return text[: one.start(5)] + made + text[one.end(5) :]


def _function(text: str, all: list[re.Match[str]], one: re.Match[str], number: int, by: random.Random) -> str:
    name = by.choice((f"added_{number}", "new", "get", by.choice(all)[3]))
    made = f"{one[1]}pub fn {name}() -> Result<u32, String> {{ {LOST} Ok({number}) }}\n"
    return text[: one.start()] + made + text[one.start() :]


def _gone(text: str, all: list[re.Match[str]], one: re.Match[str], number: int, by: random.Random) -> str:
    depth, at = 0, one.end() - 2
    while at < len(text):
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
        if depth == 0:
            break
    return text[: one.start()] + text[at:]


def _comment(text: str, all: list[re.Match[str]], one: re.Match[str], number: int, by: random.Random) -> str:
    return f"{text[: one.start()]}{one[1]}// note {number}\n{text[one.start() :]}"


def _renamed(text: str, all: list[re.Match[str]], one: re.Match[str], number: int, by: random.Random) -> str:
    return f"{text[: one.start(3)]}{one[3]}_x{text[one.end(3) :]}"


def _shown(text: str, all: list[re.Match[str]], one: re.Match[str], number: int, by: random.Random) -> str:
    if one[2]:
        return text[: one.start(2)] + text[one.end(2) :]
    return text[: one.end(1)] + "pub " + text[one.end(1) :]


def _use(text: str, all: list[re.Match[str]], one: re.Match[str], number: int, by: random.Random) -> str:
    known = list(USE.finditer(text))
    if known and by.random() < 0.5:
        gone = by.choice(known)
        return text[: gone.start()] + text[gone.end() :]
    return by.choice(USES) + text


def _behind(text: str, all: list[re.Match[str]], one: re.Match[str], number: int, by: random.Random) -> str:
    name, shown = all[0][3], by.choice(("pub ", ""))
    found = IMPL.search(text)
    return f"{text}\n" + by.choice(
        (
            f"#[derive(Debug, Clone, Default)]\n{shown}struct {by.choice((f'New{number}', 'Config', 'State'))} "
            "{ last: Option<Result<u32, String>>, path: u32 }\n",
            f"#[cfg(test)]\nmod tests_{number} {{ use super::*; #[test] fn works() {{ let _ = {name}(); }} }}\n",
            f'{shown}const LIMIT_{number}: usize = {name}();\nstatic NAME_{number}: &str = "x";\n',
            f"trait Extra{number} {{ fn {name}(&self) -> Result<(), String>; }}\n"
            f"impl Extra{number} for u32 {{ fn {name}(&self) -> Result<(), String> {{ Ok(()) }} }}\n",
            f"impl {found[1] if found else 'Nothing'} {{ pub fn extra_{number}(&self) {{ {LOST} }} }}\n",
        )
    )


EDITS: tuple[Edit, ...] = (
    *(_statement, _statement, _parameter, _returned, _function, _gone, _comment, _renamed, _shown),
    *(_use, _use, _behind, _behind, _behind),
)


def edit(files: list[Path], number: int, by: random.Random) -> str:
    """Edit one of the files; what was done, "" for nothing."""
    path = by.choice(files)
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    found = list(FUNCTION.finditer(text))
    if not found:
        return ""
    change = by.choice(EDITS)
    made = change(text, found, by.choice(found), number, by)
    path.write_text(made, encoding="utf-8", errors="surrogateescape")
    return f"{change.__name__.strip('_')} in {path.name}"


def said(tree: Path, *arguments: str) -> tuple[int, bytes, bytes]:
    """Exit code and output of a check."""
    done = subprocess.run(
        inroads("check", "--output-format", "json", *arguments),
        cwd=tree,
        env=environment(),
        capture_output=True,
    )
    return done.returncode, done.stdout, done.stderr


def main() -> None:
    """Edit, check twice, compare."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("path", type=Path)
    arguments.add_argument("--steps", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    by = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name)
        copy_rust(given.path.resolve(), tree)
        files = sorted(tree.rglob("*.rs"))
        said(tree)
        for number in range(given.steps):
            done = [edit(files, number, by) for _ in range(by.choice((1, 1, 2)))]
            # Older than what is taken for too young to be told apart.
            time.sleep(0.15)
            same = said(tree, "-j", by.choice("12")) == said(tree, "--no-cache")
            print(
                f"{number + 1}: {'same' if same else 'DIFFERENT'} after {', '.join(filter(None, done)) or 'nothing'}"
            )
            sys.stdout.flush()
            if not same:
                sys.exit(1)


if __name__ == "__main__":
    main()
