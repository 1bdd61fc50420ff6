"""
What each kind of run takes, beside parsing alone, ast-grep and Semgrep.

    python bench/table.py PATH [--repeat 5] [--target NAME] [--without semgrep] [--readme]

PATH is a Rust tree; it is copied, and the copy is edited. Nothing is fetched.
The runs follow one another in each round, and a ratio is that of two runs of
one round; shown are medians over the rounds. ast-grep and Semgrep take part
where they are installed (or named by AST_GREP and SEMGREP), with the rules in
bench/peers. --readme writes the table into the README.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from growth import grow
from measured import ROOT, Cost, copy_rust, environment, inroads, machine, measure

PEERS = ROOT / "bench" / "peers"
BLOCK = re.compile(r"<!-- bench -->\n.*?<!-- end -->", re.DOTALL)
# A function on lines of its own, with what is needed to change its body or its signature.
FUNCTION = re.compile(
    r"^ *(?:pub(?:\([a-z]+\))? )?(?:async )?fn [a-z_0-9]+\(([^()]*)\)[^{};\n]*\{\n", re.MULTILINE
)
GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0")


@dataclass(slots=True)
class Bench:
    """The copy of the tree, and what each round has cost."""

    tree: Path
    scratch: Path
    jobs: str
    target: str
    edited: tuple[Path, ...]
    rounds: list[dict[str, Cost]] = field(default_factory=list)
    edits: int = 0

    def edit(self, path: Path, change: Callable[[str, int], str]) -> None:
        """Change one function of a file, otherwise than ever before."""
        self.edits += 1
        path.write_text(change(path.read_text(encoding="utf-8"), self.edits), encoding="utf-8")
        # Older than what is taken for too young to be told apart.
        time.sleep(0.2)

    def check(self, *arguments: str) -> Cost:
        """One check of the copy."""
        return measure(inroads("check", "-j", self.jobs, *arguments), self.tree)

    def cold(self, command: str, *arguments: str) -> Cost:
        """One run without anything kept."""
        shutil.rmtree(self.tree / ".inroads_cache", ignore_errors=True)
        return measure(inroads(command, *arguments, "-j", self.jobs), self.tree)

    def round(self, peers: dict[str, list[str]], doubled: Path) -> None:
        """Each run once, those that are held against one another close together."""
        found: dict[str, Cost] = {}
        self.rounds.append(found)
        found["interpreter"] = measure([sys.executable, "-c", "pass"], self.tree)
        parse = [sys.executable, str(ROOT / "bench" / "parse_only.py"), str(self.tree)]
        found["parse"] = measure([*parse, "1"], self.tree)
        found["parse, processes"] = measure([*parse, self.jobs], self.tree)
        for name, command in peers.items():
            found[name] = measure(command, self.scratch)
        found["audit"] = self.cold("audit", self.target)
        found["cold"] = self.cold("check")
        found["warm"] = self.check()
        self.edit(self.edited[0], other_body)
        found["body"] = self.check()
        self.edit(self.edited[0], other_signature)
        found["signature"] = self.check()
        self.commit()
        self.check("--staged")
        for path in self.edited:
            self.edit(path, other_body)
        subprocess.run((*GIT, "add", "-A"), cwd=self.tree, check=True)
        found["staged"] = self.check("--staged")
        self.commit()
        shutil.rmtree(doubled / ".inroads_cache", ignore_errors=True)
        found["doubled"] = measure(inroads("check", "-j", self.jobs), doubled)

    def commit(self) -> None:
        """Everything as it is, as a commit."""
        subprocess.run((*GIT, "add", "-A"), cwd=self.tree, check=True)
        subprocess.run((*GIT, "commit", "-q", "--allow-empty", "-m", "bench"), cwd=self.tree, check=True)

    def median(self, value: Callable[[dict[str, Cost]], float]) -> float:
        """The median over the rounds."""
        return statistics.median(value(one) for one in self.rounds)


def other_body(text: str, number: int) -> str:
    """The text with a new statement in the first function."""
    found = FUNCTION.search(text)
    assert found is not None
    return f"{text[: found.end()]}    let _bench_{number} = {number};\n{text[found.end() :]}"


def other_signature(text: str, number: int) -> str:
    """The text with a new parameter of the first function."""
    found = FUNCTION.search(text)
    assert found is not None
    given = found[1].strip().rstrip(",")
    made = f"{given}, bench_{number}: u8" if given else f"bench_{number}: u8"
    return text[: found.start(1)] + made + text[found.end(1) :]


def files_to_edit(tree: Path) -> tuple[Path, ...]:
    """Three files of middling size with a function that can be edited."""
    sized = sorted((path.stat().st_size, path) for path in tree.rglob("*.rs"))
    nearest = sorted(range(len(sized)), key=lambda at: abs(at - len(sized) // 2))
    found = [
        sized[at][1]
        for at in nearest
        if "tests" not in sized[at][1].parts
        and FUNCTION.search(sized[at][1].read_text(encoding="utf-8", errors="replace"))
    ]
    if len(found) < 3:
        sys.exit("fewer than three files with functions; give a larger tree")
    return tuple(found[:3])


def narrow_target(tree: Path) -> str:
    """
    A function that is defined once and named at four places, the one in the middle of all such names; one
    that no module reaches, or cfg switches off, is passed over.
    """
    words: Counter[str] = Counter()
    defined: Counter[str] = Counter()
    for path in sorted(tree.rglob("*.rs")):
        text = path.read_text(encoding="utf-8", errors="replace")
        words.update(re.findall(r"\w+", text))
        if not {"tests", "benches", "examples"} & set(path.parts) and "#[cfg(test)]" not in text:
            defined.update(re.findall(r"^(?:pub )?fn (\w+)\(", text, re.MULTILINE))
    found = sorted(name for name, count in defined.items() if count == 1 and words[name] == 4)
    if not found:
        sys.exit("no function is named at four places; give one with --target")
    for name in found[len(found) // 2 :]:
        asked = subprocess.run(
            inroads("audit", name, "--no-cache"),
            cwd=tree,
            env=environment(),
            capture_output=True,
        )
        if asked.returncode in (0, 1):
            return name
    sys.exit("no such function can be audited; give one with --target")


def peers_of(tree: Path, without: list[str], jobs: str) -> tuple[dict[str, list[str]], list[str]]:
    """The commands of the peers that are installed, and their versions."""
    found: dict[str, list[str]] = {}
    versions: list[str] = []
    grep = os.environ.get("AST_GREP") or shutil.which("ast-grep")
    if grep is not None and "ast-grep" not in without:
        config = str(PEERS / "sgconfig.yml")
        found["ast-grep"] = [grep, "scan", "-c", config, "--json=stream", "--threads", jobs, str(tree)]
        versions.append(_version(grep))
    semgrep = os.environ.get("SEMGREP") or shutil.which("semgrep")
    if semgrep is not None and "semgrep" not in without:
        quiet = ["--metrics", "off", "--disable-version-check", "--quiet", "--json", "--no-git-ignore"]
        rules = ["--config", str(PEERS / "semgrep.yml")]
        found["semgrep"] = [semgrep, "scan", *quiet, "--jobs", jobs, *rules, str(tree)]
        versions.append(f"semgrep {_version(semgrep)}")
    return found, versions


def _version(program: str) -> str:
    done = subprocess.run((program, "--version"), capture_output=True, text=True, check=True)
    return done.stdout.strip().splitlines()[0]


def table(bench: Bench, peers: dict[str, list[str]]) -> list[str]:
    """The lines of the table."""

    def seconds(value: float) -> str:
        return f"{value:.2f} s" if value < 10 else f"{value:.0f} s"

    def line(label: str, name: str, *told: str) -> str:
        wall, cpu = bench.median(lambda one: one[name].wall), bench.median(lambda one: one[name].cpu)
        peak = bench.median(lambda one: one[name].peak)
        share = bench.median(lambda one: one[name].cpu / one["parse"].cpu)
        return f"| {label} | {seconds(wall)} | {seconds(cpu)} | {share:.2f} | {peak:.0f} MB | {', '.join(told)} |"

    def times(name: str, other: str) -> str:
        share = bench.median(lambda one: one[name].wall / one[other].wall)
        return f"{share:.0f}" if 10 <= share else f"{share:.2f}" if 0.1 <= share else f"{share:.3f}"

    against = [f"{times('cold', name)} of the wall time of {name}" for name in peers]
    bare = f"the bare interpreter's {1000 * bench.median(lambda one: one['interpreter'].wall):.0f} ms"
    double = bench.median(lambda one: one["doubled"].cpu / one["cold"].cpu)
    return [
        "| run | wall | CPU | CPU, in parses | largest process | |",
        "|---|---|---|---|---|---|",
        line("parse only, one process", "parse", "the unit"),
        line(f"parse only, {bench.jobs} processes", "parse, processes"),
        *(line(f"{name}, {_rules(name)} rules", name) for name in peers),
        line(f"cold `check`, {bench.jobs} processes", "cold", *against),
        line("cold `audit` of a narrow target", "audit"),
        line("`check`, nothing changed", "warm", f"{times('warm', 'interpreter')} of {bare}"),
        line("`check`, one body changed", "body"),
        line("`check`, a signature changed", "signature"),
        line("`check --staged`, three files, bodies only", "staged"),
        line("cold `check` of twice the code", "doubled", f"{double:.2f} of the CPU time of the whole"),
    ]  # fmt: skip


def _rules(name: str) -> int:
    if name == "ast-grep":
        return len(list((PEERS / "rules").glob("*.yml")))
    return (PEERS / "semgrep.yml").read_text().count("- id:")


def main() -> None:
    """Measure, and print the table."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("path", type=Path)
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--jobs", default="2")
    arguments.add_argument("--target", help="a function for the audit; else one is picked")
    arguments.add_argument("--without", action="append", default=[], choices=("ast-grep", "semgrep"))
    arguments.add_argument("--name", help="how the tree is called in the table; else by its folder")
    arguments.add_argument("--readme", action="store_true")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        tree = scratch / "tree"
        size = copy_rust(given.path.resolve(), tree)
        doubled = grow(tree, scratch / "doubled", 2)
        files = len(list(tree.rglob("*.rs")))
        subprocess.run((*GIT, "init", "-q"), cwd=tree, check=True)
        peers, versions = peers_of(tree, given.without, given.jobs)
        bench = Bench(tree, scratch, given.jobs, given.target or narrow_target(tree), files_to_edit(tree))
        bench.commit()
        time.sleep(0.2)
        for at in range(given.repeat):
            bench.round(peers, doubled)
            print(f"round {at + 1} of {given.repeat}", file=sys.stderr)
        head = subprocess.run(
            ("git", "rev-parse", "--short", "HEAD"), cwd=ROOT, capture_output=True, text=True
        )
        told = [
            f"`python bench/table.py PATH --repeat {given.repeat}` on {given.name or given.path.resolve().name}: "
            f"{files:,} files, {size / 1e6:.1f} MB of Rust.",
            f"{date.today()}, {machine()}; {', '.join([f'inroads {head.stdout.strip()}', *versions])}.",
            "",
            *table(bench, peers),
        ]
    text = "\n".join(told)
    print(text)
    if given.readme:
        page = ROOT / "README.md"
        block = f"<!-- bench -->\n{text}\n<!-- end -->"
        page.write_text(BLOCK.sub(lambda _: block, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
