"""
Workspaces that nobody would write: real Rust, settings and rules, cut, spliced and mutated.

By hand, for as long as one likes, on the Rust of any folder (run it with PYTHONPATH=lint):

    python tests/fuzzing.py FOLDER [--minutes 10] [--seed 1] [--only SEED]

Each input is a seed: `--only` makes one again and keeps its files.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import random
import re
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType

from inroads.check import load
from inroads.cli.run import run
from inroads.errors import InroadsError
from inroads.lower.consistency import violations
from inroads.workspace import DirectoryTree

LONGEST = 20_000
"""Bytes of a source before it is mutated."""

SLOWEST = 60
"""CPU seconds that an input may take."""

MANIFEST = """[package]
name = "app"
version = "1.0.0"
edition = "2021"

[features]
default = ["fast"]
fast = []

[dependencies]
tokio = { version = "1", features = ["full"] }
other = { path = "../other" }

[[bin]]
name = "tool"
path = "src/b.rs"

[workspace]
members = ["*"]
exclude = ["x"]
"""

SETTINGS = """select = ["*"]
ignore = ["none"]
log-macros = ["note", "told"]
reason-words = ["best effort"]
exclude = ["src/c*"]
packs = ["pack.toml"]
certain = false
fail-level = "deny"

[levels]
swallow = "deny"

[[paths]]
paths = ["src/a*"]
levels = { error-dropped = "allow" }

[[extern]]
crate = "disk"
declarations = "pub struct Disk; impl Disk { pub fn sync(&self) -> Result<(), u32>; }"
"""

PACK = """pack = "own"
optional = true

[[rule]]
id = "used-before-open"
kind = "order"
title = "used before it was opened"
why = "It is empty."
target = ["*::get($k)", "$s.take"]
needs = ["*::new", "*::open($k)", "if $s.is_some()"]
undone_by = ["*::close($k)"]
evidence = ["Config { ids: $k, .. }"]

[[rule.test]]
name = "fires"
code = "fn get(k: u32) {} fn main() { get(1) } //~ used-before-open"

[[rule.test]]
name = "quiet"
code = "fn get(k: u32) {} fn open(k: u32) {} fn main() { open(1); get(1) }"

[[rule]]
id = "lost"
kind = "swallow"
title = "lost"
why = "It is lost."
of = ["*"]
fates = ["dropped", "logged"]
quiet = ["drop"]

[[rule.test]]
name = "fires"
code = "fn f() -> Result<(), u32> { Ok(()) } fn main() { let _ = f(); } //~ lost"

[[rule.test]]
name = "quiet"
code = "fn main() {}"
"""

NOISE = (
    *("(", ")", "{", "}", "[", "]", "<", ">", ";", ",", "::", ".", "..=", "=>", "->", "?", "!", "&", "|", "||"),
    *("#", "$", "$x", "$(", ")*", "'a", "'", '"', 'r#"', '"#', "//", "/*", "*/", "\\", "\0", "\n", "\u202e"),
    *("fn f()", "impl", "trait", "mod x;", "mod x {", "use self::*;", "use super::*;", "pub", "async", "await"),
    *("move", "match x {", "if let", "else", "loop {", "break 'a", "continue", "return", "yield", "unsafe"),
    *("dyn", "where", "Self", "self", "super", "crate", "const", "static", "type", "macro_rules! m {", "m!()"),
    *("#[cfg(test)]", "#[path = \"a.rs\"]", "#![feature(x)]", "0x", "1e", "1..2", "_", "é", "\ufeff", "\x1b[31m"),
    *("// inroads: allow(", "include!(\"a.rs\")", "async move {", "|x| ", "Ok(", "Err(", ".await", ".unwrap()"),
)  # fmt: skip

VALUES = (
    "[]",
    "{}",
    "1",
    "-1",
    "1.5",
    "true",
    '""',
    '"*"',
    '"::"',
    '["", ""]',
    "1979-05-27",
    "nan",
    '"\\u0000"',
)

_TOKEN = re.compile(r"\s+|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|//[^\n]*|\"[^\"\n]*\"|.", re.DOTALL)


def corpus(folders: tuple[Path, ...]) -> tuple[str, ...]:
    """The texts of all Rust files, in order."""
    paths = sorted(path for folder in folders for path in folder.rglob("*.rs") if path.is_file())
    return tuple(path.read_bytes().decode("utf-8", "replace") for path in paths)


def made(seed: int, texts: tuple[str, ...]) -> dict[str, bytes]:
    """The workspace of a seed: path -> bytes."""
    source = random.Random(seed)
    files: dict[str, bytes] = {}
    names = [
        "src/lib.rs",
        *source.sample(["src/a.rs", "src/b.rs", "src/c/mod.rs", "build.rs"], source.randrange(4)),
    ]
    for name in names:
        text = _rust(source, texts)
        if name == "src/lib.rs":
            text = f"mod a;\nmod b;\nmod c;\n{text}"
        files[name] = text.encode("utf-8", "surrogatepass")
    if source.random() < 0.3:
        files[source.choice(names)] = _bytes(source, files[names[0]])
    files["Cargo.toml"] = _toml(source, MANIFEST, 0.3).encode()
    if source.random() < 0.4:
        files["inroads.toml"] = _toml(source, SETTINGS, 0.6).encode()
        files["pack.toml"] = _toml(source, PACK, 0.6).encode()
    return files


def _rust(source: random.Random, texts: tuple[str, ...]) -> str:
    text = _piece(source, texts)
    for _ in range(source.choice((0, 1, 1, 2, 4, 8))):
        text = source.choice(_MUTATIONS)(source, text, texts)
        # What grows by doubling would not end.
        text = text[: 4 * LONGEST]
    return text


def _piece(source: random.Random, texts: tuple[str, ...]) -> str:
    """A source, or as many whole lines of it as are allowed."""
    text = source.choice(texts)
    if LONGEST < len(text):
        start = source.randrange(len(text) - LONGEST)
        text = text[text.rfind("\n", 0, start) + 1 : start + LONGEST]
    return text


def _tokens(source: random.Random, text: str, texts: tuple[str, ...]) -> str:
    """Tokens dropped, doubled, exchanged, replaced."""
    words = _TOKEN.findall(text) or [""]
    for _ in range(source.choice((1, 2, 5, 20))):
        at, other = source.randrange(len(words)), source.randrange(len(words))
        match source.randrange(5):
            case 0:
                words[at] = ""
            case 1:
                words[at] *= 2
            case 2:
                words[at], words[other] = words[other], words[at]
            case 3:
                words[at] = words[other]
            case _:
                words[at] = source.choice(NOISE)
    return "".join(words)


def _insert(source: random.Random, text: str, texts: tuple[str, ...]) -> str:
    """Noise put in somewhere."""
    at = source.randrange(len(text) + 1)
    return f"{text[:at]} {source.choice(NOISE)} {text[at:]}"


def _splice(source: random.Random, text: str, texts: tuple[str, ...]) -> str:
    """Lines of another source put in somewhere."""
    lines, others = text.split("\n"), _piece(source, texts).split("\n")
    at, start = source.randrange(len(lines)), source.randrange(len(others))
    return "\n".join((*lines[:at], *others[start : start + source.randrange(1, 80)], *lines[at:]))


def _cut(source: random.Random, text: str, texts: tuple[str, ...]) -> str:
    """A range of lines taken out, or all from somewhere."""
    lines = text.split("\n")
    at = source.randrange(len(lines))
    return "\n".join((*lines[:at], *lines[at + source.choice((1, 1, 3, 30, len(lines))) :]))


def _rename(source: random.Random, text: str, texts: tuple[str, ...]) -> str:
    """One name takes the place of another everywhere: types and functions become cyclic, shadowed, missing."""
    names = re.findall(r"\b[A-Za-z_][A-Za-z0-9_]*\b", text)
    if not names:
        return text
    return re.sub(
        rf"\b{source.choice(names)}\b", source.choice((*NOISE, source.choice(names))).replace("\\", ""), text
    )


def _nest(source: random.Random, text: str, texts: tuple[str, ...]) -> str:
    """A piece of the text in many brackets, in a macro's call or definition."""
    at = source.randrange(len(text) + 1)
    inside = text[at : at + source.randrange(200)]
    times = source.choice((1, 3, 60, 400))
    opening, closing = source.choice(
        (
            ("(", ")"),
            ("{", "}"),
            ("[", "]"),
            ("&", ""),
            ("Box<", ">"),
            ("m!(", ")"),
            ("|x| ", ""),
            ("!", ""),
            ("f(", ")"),
        )
    )
    whole = source.choice(
        ("{}", "fn n() {{ {} }}", "macro_rules! n {{ () => {{ {} }} }} n!();", "cfg_if! {{ {} }}")
    )
    return text[:at] + whole.format(opening * times + inside + closing * times) + text[at + len(inside) :]


def _macro(source: random.Random, text: str, texts: tuple[str, ...]) -> str:
    """A macro over tokens of the text, and calls of it."""
    words = [word for word in _TOKEN.findall(text) if word.strip()] or ["x"]
    some = [
        source.choice((*words, *NOISE, "$t", "$($t)*", "$crate::", "m!{"))
        for _ in range(source.randrange(12))
    ]
    taken = source.choice(
        ("$t:expr", "$t:tt", "$($t:tt)*", "$($t:ident),*", "$t:item", "$t:ty", "", "$t:block")
    )
    given = " ".join(source.choice(words) for _ in range(source.randrange(6)))
    made = f"macro_rules! m {{ ({taken}) => {{ {' '.join(some)} }}; }}\n"
    return f"{made}m! {{ {given} }}\n{text}\nfn calls() {{ m!({given}); let x = m![{given}]; }}\n"


_MUTATIONS = (_tokens, _tokens, _tokens, _insert, _splice, _splice, _cut, _rename, _nest, _macro)


def _bytes(source: random.Random, data: bytes) -> bytes:
    """Bytes changed, whatever they are."""
    changed = bytearray(data or b" ")
    for _ in range(source.choice((1, 4, 40))):
        changed[source.randrange(len(changed))] = source.randrange(256)
    return bytes(changed)


def _toml(source: random.Random, text: str, share: float) -> str:
    """A TOML text as it is, or with a value, a key, a line or a token changed."""
    if share <= source.random():
        return text
    lines = text.split("\n")
    for _ in range(source.choice((1, 1, 2, 6))):
        at = source.randrange(len(lines))
        key, equals, _ = lines[at].partition("=")
        match source.randrange(5):
            case 0 if equals:
                lines[at] = f"{key}= {source.choice(VALUES)}"
            case 1 if equals:
                lines[at] = f"{key.strip()}.{source.choice(('x', '1', 'path'))} = {source.choice(VALUES)}"
            case 2:
                lines[at] = ""
            case 3:
                lines.insert(source.randrange(len(lines)), lines[at])
            case _:
                lines[at] = _tokens(source, lines[at], ())
    return "\n".join(lines)


COMMANDS = (
    ("check", "--output-format", "json"),
    ("check", "--output-format", "text", "-W", "swallow", "-W", "gap", "--tests"),
    ("check", "--output-format", "sarif", "-D", "swallow"),
    ("check", "--output-format", "github"),
    ("check", "--output-format", "markdown", "--statistics"),
    ("check", "--output-format", "junit"),
    ("calls",),
    ("fates",),
    ("allows",),
    ("rules", "--health"),
    ("audit", "*::get"),
    ("test",),
)


class TooSlow(BaseException):
    """An input takes longer than it may."""


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """The block may take so much CPU time."""

    def late(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fault_of(folder: Path, seed: int) -> str | None:
    """What goes wrong with the workspace in a folder: a crash, a fault told, a bad graph, too much time."""
    source = random.Random(seed)
    out, err = (
        io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape", write_through=True) for _ in range(2)
    )
    try:
        with within(SLOWEST), redirect_stdout(out), redirect_stderr(err):
            command = source.choice(COMMANDS)
            code = run([*command, "--no-cache", "-j", "1", *([] if command[0] == "audit" else [str(folder)])])
            if code not in (0, 1, 2):
                return f"{command}: exit code {code}"
            bad = _bad_graph(folder)
    except (Exception, TooSlow):
        # Whatever it is, it is what the fuzzer looks for.
        return traceback.format_exc(limit=-8)
    finally:
        gc.unfreeze()
    for stream in (err, out):
        stream.seek(0)
        for line in stream:
            if "please report" in line:
                return line[:500]
    return bad


def _bad_graph(folder: Path) -> str | None:
    """A graph that is not consistent, of all functions."""
    try:
        program = load(DirectoryTree(folder)).program
    except InroadsError:
        return None
    for function in program.tables.functions:
        if function.has_body:
            found = list(violations(program.graph(function.id)))
            if found:
                return f"{function.path}: {found[0]}"
    return None


def write(folder: Path, files: dict[str, bytes]) -> None:
    """The workspace on disk."""
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def main() -> None:
    """Look for faults until the time is over; tell what was found."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("folder", type=Path, nargs="+")
    arguments.add_argument("--minutes", type=float, default=10)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", type=int)
    given = arguments.parse_args()
    texts = corpus(tuple(given.folder))
    if given.only is not None:
        folder = Path(tempfile.mkdtemp())
        write(folder, made(given.only, texts))
        os.chdir(folder)
        print(folder, fault_of(folder, given.only))
        return
    began = time.monotonic()
    seed = given.seed
    slowest = (0.0, 0)
    faults: Counter[str] = Counter()
    while time.monotonic() - began < given.minutes * 60:
        with tempfile.TemporaryDirectory() as name:
            write(Path(name), made(seed, texts))
            os.chdir(name)
            before = time.process_time()
            fault = fault_of(Path(name), seed)
            slowest = max(slowest, (time.process_time() - before, seed))
            os.chdir("/")
        if fault is not None:
            last = re.sub(r"[0-9]+", "N", fault.strip().splitlines()[-1].rpartition(":: ")[2])
            last = last.partition(": block")[2] or last
            faults[last] += 1
            if faults[last] <= 2:
                print(f"seed {seed}: {fault}", flush=True)
        seed += 1
    minutes = (time.monotonic() - began) / 60
    print(
        f"{seed - given.seed} inputs from {len(texts)} files in {minutes:.0f} min, {len(faults)} kinds of fault"
    )
    print(f"the slowest took {slowest[0]:.1f} CPU-s (seed {slowest[1]})")
    for last, count in faults.most_common():
        print(f"{count:6} {last[:200]}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
