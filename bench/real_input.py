"""
Proof by change: edit copies of a real server, and see the report change where it must and nowhere else.

    python bench/real_input.py BEFORE AFTER

BEFORE and AFTER are checkouts of lablup/mlxcel at 9d2f862 and at 58bec14 (see
docs/real-input.md). Nothing of them is kept here; the places below are facts
that were read by hand. Each step copies what it edits into a temporary
folder, runs the command line there, and prints one line; the exit code is 1
if any step found something else than it should.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from inroads.facts import EnumItem, FunctionItem, ImplItem, PathType, StructItem, TraitItem
from inroads.fingerprint import call_span
from inroads.rust.extract import extract

SCHEDULER = "src/server/batch/scheduler.rs"
ORDER = "sync-before-lengths"
GAP = "forgotten-forward"
SWALLOW = "error-only-logged"
CACHE = "src/lib/mlxcel-core/src/cache.rs"

DEFINITIONS = [
    ("src/lib/mlxcel-core/src/generate.rs", 647),
    ("src/loaded_model.rs", 510),
    ("src/models/gemma3.rs", 1289),
    ("src/models/llama4.rs", 1779),
    ("src/models/qwen3_5.rs", 2768),
    (SCHEDULER, 2804),
    ("src/vision/mod.rs", 400),
]
SITES = [
    ("src/loaded_model.rs", 515, 40),
    (SCHEDULER, 2807, 14),
    (SCHEDULER, 4948, 18),
    (SCHEDULER, 5118, 14),
    (SCHEDULER, 5269, 14),
    (SCHEDULER, 5410, 14),
    (SCHEDULER, 6075, 22),
    (SCHEDULER, 6207, 18),
    (SCHEDULER, 6380, 18),
    (SCHEDULER, 6779, 14),
    ("src/vision/mod.rs", 405, 25),
]
RUN_FROM_MACRO = ["Gemma3Wrapper", "Llama4Wrapper", "Qwen35Model", "VisionLanguageModel", "LanguageModel"]
BELOW = [
    (CACHE, 6249),
    ("src/models/gemma3.rs", 1298),
    ("src/models/llama4.rs", 1790),
    ("src/models/qwen3_5.rs", 2777),
]

# Site -> the forwards that stand before it, by line; each follows one on every path.
ORDERED = {
    4948: (4893,),
    5118: (5060, 5078),
    5269: (5221, 5239),
    5410: (5394,),
    6207: (6192, 6196),
    6380: (6370,),
    6779: (6777,),
}
UNORDERED = 6075
WRAPPERS = {
    "src/vision/qwen3_5_vl.rs": 315,
    "src/vision/minicpmv4_6_vl.rs": 168,
}

Finding = dict[str, Any]


def main() -> int:
    """Run all steps on the two checkouts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument(
        "--step", action="append", choices=(*STEPS, "repaired"), help="only this one; repeatable"
    )
    arguments = parser.parse_args()
    steps = Steps()
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(arguments.before, Path(folder) / "copy")
        base = run(copy.root)
        for name, step in STEPS.items():
            if not arguments.step or name in arguments.step:
                step(steps, copy, base)
    if not arguments.step or "repaired" in arguments.step:
        repaired(steps, arguments.after)
    return 1 if steps.failed else 0


class Steps:
    """Prints one line a step, and remembers whether one failed."""

    def __init__(self) -> None:
        self.failed = 0

    def __call__(self, name: str, found: object, expected: object) -> None:
        good = found == expected
        self.failed += not good
        print(
            f"{'ok  ' if good else 'FAIL'} {name}: {found}" + ("" if good else f", expected {expected}"),
            flush=True,
        )


class Copy:
    """A copy of a checkout whose files can be edited and put back."""

    def __init__(self, source: Path, root: Path) -> None:
        self.root = root
        self.source = source
        shutil.copytree(source, root, ignore=shutil.ignore_patterns(".git", "target", "webpage"))

    def edited(self, path: str, change: Callable[[bytes], bytes]) -> None:
        """Write the original text of a file, changed."""
        (self.root / path).write_bytes(change((self.source / path).read_bytes()))

    def restored(self, *paths: str) -> None:
        """Put files back."""
        for path in paths:
            shutil.copy2(self.source / path, self.root / path)


def run(root: Path, *flags: str) -> list[Finding]:
    """The findings in a folder, by the command line."""
    findings: list[Finding] = answer("check", str(root), *flags)["findings"]
    return findings


def answer(*arguments: str) -> dict[str, Any]:
    """What a command prints as JSON."""
    command = [sys.executable, "-m", "inroads", *arguments, "--output-format", "json"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def first(steps: Steps, copy: Copy, base: list[Finding]) -> None:
    """The checkout as it is."""
    steps("order findings", sites(base), [UNORDERED])
    steps("bad roads of it", [one["roads_total"] for one in base if one["rule"] == ORDER], [3])
    steps("gaps", [(one["path"], one["line"]) for one in wrapper_gaps(base)], sorted(WRAPPERS.items()))
    steps("the swallowed sync", swallowed_syncs(base), [2805])
    told = [one for one in base if one["path"] == SCHEDULER and one["line"] == 2805]
    hidden = [line for one in told for line in one["details"] if "cannot see" in line]
    steps("who cannot see it", hidden, ["8 call sites cannot see this error"])
    order = [step for one in base if one["rule"] == ORDER for step in one["related"]]
    steps("where the target fails", [(step["path"], step["line"]) for step in order][-1], (CACHE, 6278))


def roads(steps: Steps, copy: Copy, base: list[Finding]) -> None:
    """Every definition and call site of the method, and the way down to where it fails."""
    audit = answer("audit", "sync_sequence_storage", str(copy.root))
    steps("definitions", sorted((one["path"], one["line"]) for one in audit["definitions"]), DEFINITIONS)
    places = sorted((one["path"], one["line"], one["column"]) for one in audit["sites"])
    steps("call sites", places, SITES)
    macro = next(one for one in audit["sites"] if one["path"] == "src/loaded_model.rs")
    steps("run from the macro", [one.split("::")[-2] for one in macro["dispatch"]], RUN_FROM_MACRO)
    down = answer("audit", "CachePool::sync_paged_state_with_lengths", str(copy.root), "--roads", "1")
    steps("call sites below", sorted((one["path"], one["line"]) for one in down["sites"]), BELOW)
    through = sum(any(step["line"] == 515 for step in road) for one in down["sites"] for road in one["roads"])
    steps("roads to them through the macro", through, len(BELOW))


def forwards_removed(steps: Steps, copy: Copy, base: list[Finding]) -> None:
    """Without the forward before a site, that site fires and no other."""
    for site, forwards in ORDERED.items():
        copy.edited(SCHEDULER, lambda text, lines=forwards: without_calls(text, lines))
        found = run(copy.root, "--select", ORDER)
        fired = sorted(set(sites(found)) - set(sites(base)))
        steps(f"without the forward at {' and '.join(map(str, forwards))}", fired, [site])
    copy.restored(SCHEDULER)


def methods_removed(steps: Steps, copy: Copy, base: list[Finding]) -> None:
    """Without any one forwarded method that has a default, the gap names it."""
    for path, line in WRAPPERS.items():
        text = (copy.source / path).read_bytes()
        for name in forwarded(text, line, copy.source):
            copy.edited(path, lambda data, line=line, name=name: without_method(data, line, name))
            found = [one for one in run(copy.root, "--select", GAP) if one["path"] == path]
            before = [one for one in wrapper_gaps(base) if one["path"] == path]
            steps(f"{path} without {name}: named", (names(before, name), names(found, name)), (False, True))
        copy.restored(path)


def methods_added(steps: Steps, copy: Copy, base: list[Finding]) -> None:
    """With every missing method forwarded, the gap is gone."""
    for path, line in WRAPPERS.items():
        findings = [one for one in wrapper_gaps(base) if one["path"] == path]
        bodies = "\n".join(str(one["help"]) for one in findings)
        copy.edited(path, lambda data, line=line, added=bodies: with_methods(data, line, added))
        left = [one["line"] for one in run(copy.root, "--select", GAP) if one["path"] == path]
        steps(f"{path} with the forwards that its help gives", left, [])
        copy.restored(path)


def all_renamed(steps: Steps, copy: Copy, base: list[Finding]) -> None:
    """With types and methods renamed, and the rule with them, the report is the same but for names."""
    words = own_words(copy.source)
    for path in sorted(copy.source.rglob("*.rs")):
        relative = path.relative_to(copy.source)
        if (copy.root / relative).is_file():
            copy.edited(str(relative), lambda text: renamed(text, words))
    pack = Path(__file__).parent.parent / "rules" / "paged_cache.toml"
    rules = copy.root / "renamed.toml"
    rules.write_bytes(renamed_pack(pack.read_bytes(), words))
    found = run(copy.root, "--rules", str(rules))
    differ = sorted(set(places(base)) ^ set(places(found)), key=str)
    steps(f"{len(words)} names changed: of {len(base)} findings differ", differ, [])
    for path in sorted(copy.source.rglob("*.rs")):
        relative = path.relative_to(copy.source)
        if (copy.root / relative).is_file():
            copy.restored(str(relative))


def repaired(steps: Steps, root: Path) -> None:
    """After the repair that was merged: the gap and the swallow are still there, the order finding is a note."""
    report = answer("check", str(root))
    found: list[Finding] = report["findings"]
    steps("after the repair: order findings", sites(found), [])
    notes = [(one["path"], one["line"]) for one in report["notes"] if one["kind"] == "tolerated"]
    steps("after the repair: tolerated by the guard", notes, [(CACHE, 6287)])
    steps("after the repair: gaps", len(wrapper_gaps(found)), 2)
    steps("after the repair: the swallowed sync", swallowed_syncs(found), [2805])


def sites(findings: Iterable[Finding]) -> list[int]:
    """The lines of the scheduler's order findings."""
    return sorted(number(one) for one in findings if one["rule"] == ORDER and one["path"] == SCHEDULER)


def swallowed_syncs(findings: Iterable[Finding]) -> list[int]:
    """The lines of swallow findings in the scheduler's own sync."""
    lost = [number(one) for one in findings if one["path"] == SCHEDULER and one["rule"] == SWALLOW]
    return [line for line in lost if 2804 <= line <= 2812]


def wrapper_gaps(findings: Iterable[Finding]) -> list[Finding]:
    """The gaps of the two wrappers, sorted."""
    found = [one for one in findings if one["rule"] == GAP and one["path"] in WRAPPERS]
    return sorted(found, key=lambda one: str(one["path"]))


def names(findings: Iterable[Finding], method: str) -> bool:
    """Whether a finding names a method."""
    return any(re.search(rf"\b{method}\b", str(one["message"])) for one in findings)


def number(finding: Finding) -> int:
    """The line of a finding."""
    line = finding["line"]
    assert isinstance(line, int)
    return line


def without_calls(text: bytes, lines: Iterable[int]) -> bytes:
    """The text where the `forward..` call named on each line is a value of no account; no line moves."""
    facts = extract(text)
    starts = [0, *(match.end() for match in re.finditer(rb"\n", text))]
    for line in lines:
        match = re.compile(rb"\.(forward\w*)\(").search(text, starts[line - 1])
        assert match is not None, f"no forward on line {line}"
        start, end = call_span(text, facts, match.start(1))
        filler = b"absent()"
        text = text[:start] + filler + blank(text[start:end])[len(filler) :] + text[end:]
    return text


def forwarded(text: bytes, line: int, source: Path) -> list[str]:
    """The methods of the impl on a line that have a default and an override, and hand on to a field."""
    trait = (source / "src/lib/mlxcel-core/src/generate.rs").read_bytes()
    facts = extract(trait)
    defaults = {
        item.head.name
        for item in facts.items
        if isinstance(item, FunctionItem)
        and item.body is not None
        and item.head.parent is not None
        and facts.items[item.head.parent].head.name == "LanguageModel"
    }
    inner = b"".join(path.read_bytes() for path in sorted((source / "src/models").glob("qwen3_5*.rs")))
    return [
        item.head.name
        for item in methods(text, line)
        if item.head.name in defaults
        and f"fn {item.head.name}(".encode() in inner
        and re.search(
            rb"self\.text_model\s*\.%b\(|::%b\(&self\.text_model" % (name := item.head.name.encode(), name),
            text[item.head.start : item.head.end],
        )
    ]


def methods(text: bytes, line: int) -> list[FunctionItem]:
    """The methods of the impl that begins on a line."""
    facts = extract(text)
    owner = impl_at(text, line)
    return [item for item in facts.items if isinstance(item, FunctionItem) and item.head.parent == owner]


def impl_at(text: bytes, line: int) -> int:
    """The index of the impl that begins on a line."""
    for index, item in enumerate(extract(text).items):
        if isinstance(item, ImplItem) and text.count(b"\n", 0, item.head.start) == line - 1:
            return index
    raise AssertionError(f"no impl on line {line}")


def without_method(text: bytes, line: int, name: str) -> bytes:
    """The text without one method of an impl; no line moves."""
    for item in methods(text, line):
        if item.head.name == name:
            head = item.head
            return text[: head.full_start] + blank(text[head.full_start : head.end]) + text[head.end :]
    raise AssertionError(f"no method {name}")


def with_methods(text: bytes, line: int, added: str) -> bytes:
    """The text with methods added at the end of an impl."""
    end = extract(text).items[impl_at(text, line)].head.end - 1
    return text[:end] + added.encode() + b"\n" + text[end:]


def blank(text: bytes) -> bytes:
    """The text with everything but its line breaks made spaces."""
    return re.sub(rb"[^\n]", b" ", text)


def own_words(source: Path) -> set[bytes]:
    """
    Names of types and functions of the workspace that can be changed in text alone.

    Left out are those that any foreign code also uses (methods of std, of
    derived and foreign traits): a change by text could not tell them apart.
    """
    types: set[str] = set()
    functions: set[str] = set()
    made: list[tuple[str, str]] = []
    for path in sorted(source.rglob("*.rs")):
        facts = extract(path.read_bytes())
        for item in facts.items:
            name = item.head.name
            if isinstance(item, StructItem | EnumItem | TraitItem):
                types.add(name)
            elif isinstance(item, FunctionItem):
                functions.add(name)
                owner = facts.items[item.head.parent] if item.head.parent is not None else None
                if isinstance(owner, ImplItem) and isinstance(owner.trait, PathType):
                    made.append((owner.trait.segments[-1].name, name))
    kept = {name for name in functions if name.count("_") > 1 or name.startswith("forward")}
    kept |= {name for name in types if len(name) > 7 and sum(letter.isupper() for letter in name) > 1}
    foreign = {name for trait, name in made if trait not in types}
    return {name.encode() for name in kept - foreign}


def renamed(text: bytes, words: set[bytes]) -> bytes:
    """The text with a `zq` before each of the words."""
    return re.sub(rb"\b\w+\b", lambda match: (b"zq" if match.group() in words else b"") + match.group(), text)


def renamed_pack(text: bytes, words: set[bytes]) -> bytes:
    """The rule with its names changed like the program's; its globs keep their stars."""
    text = re.sub(rb"\bforward(?=\w*\*)", b"zqforward", renamed(text, words))
    return re.sub(rb'(?m)^(\s*id\s*=\s*)"', rb'\1"renamed-', text).replace(b"//~ ", b"//~ renamed-")


def places(findings: Iterable[Finding]) -> list[tuple[object, ...]]:
    """What of a finding does not depend on names."""
    keys = ("kind", "level", "certainty", "path", "line", "fate", "roads_total")
    return [tuple(one.get(key) for key in keys) for one in findings]


STEPS: dict[str, Callable[[Steps, Copy, list[Finding]], None]] = {
    "first": first,
    "roads": roads,
    "forwards": forwards_removed,
    "removed": methods_removed,
    "added": methods_added,
    "renamed": all_renamed,
}

if __name__ == "__main__":
    began = time.monotonic()
    code = main()
    print(f"{time.monotonic() - began:.0f} s")
    sys.exit(code)
