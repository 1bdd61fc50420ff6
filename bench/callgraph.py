"""
Scores the call graph against the compiler's: runs the engine on each crate, then the scorer, and prints a table.

    python bench/callgraph.py --scorer score.py --edges DIR --sources DIR [NAME ...]

`--edges` holds NAME.jsonl (what the compiler resolved), `--sources` the crates.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from inroads.calls import around
from inroads.facts import FileFacts, FunctionItem
from inroads.resolve.judge import judge
from inroads.resolve.model import Judged
from inroads.resolve.modules import link
from inroads.resolve.splice import regions_of
from inroads.resolve.tables import Tables
from inroads.rust.extract import extract
from inroads.workspace import DirectoryTree, discover

CORE = ("fn", "assoc", "method", "trait-static", "trait-generic", "dyn")


def tables_of(root: Path) -> Tables:
    """The linked tables of a directory."""
    tree = DirectoryTree(root)
    workspace = discover(tree)
    facts: dict[str, FileFacts] = {path: extract(tree.read(path)) for path in workspace.files}
    return link(workspace, facts)


def edges_of(tables: Tables, certain: bool) -> Iterator[dict[str, Any]]:
    """The call graph's edges as the scorer reads them."""
    for function in tables.functions:
        if function.item.body is None:
            continue
        judged = judge(tables, function.id)
        for call in (*judged.calls.values(), *judged.implied):
            if certain and (call.how == "by-name" or "by-name" in call.via):
                continue
            site = site_of(tables, judged, call.row)
            for target in call.targets:
                if target.function is not None:
                    yield {
                        "caller": place_of(tables, around(tables, function.id)),
                        "site": site,
                        "callee": place_of(tables, target.function),
                        "how": call.how,
                        "kind": call.kind,
                    }


def site_of(tables: Tables, judged: Judged, at: int) -> dict[str, Any]:
    """Where a call's name was written."""
    row = judged.body.rows[at]
    offset = row.start
    if (name_at := getattr(row, "name_at", None)) is not None:
        offset = name_at
    elif (callee := getattr(row, "callee", None)) is not None:
        inner = judged.body.rows[callee]
        offset = getattr(inner, "name_at", inner.start)
        if judged.origin[callee] != judged.origin[at]:
            at = callee
    source = judged.origin[at]
    whole = judged.base[source] + offset
    own = judged.sources.get(source)
    if own is not None:
        from inroads.resolve.origins import written_at

        source, whole = written_at(own, whole)
    place = tables.position(source, whole)
    return {"file": place.path, "line": place.line}


def place_of(tables: Tables, id: int) -> dict[str, Any]:
    """A function's place, at its `fn` item."""
    one = tables.functions[id]
    item = one.item
    assert isinstance(item, FunctionItem)
    place = tables.position(one.source, item.head.start)
    return {"file": place.path, "line": place.line, "name": one.name.removeprefix("r#")}


def load_scorer(path: Path) -> ModuleType:
    """The scorer as a module."""
    spec = importlib.util.spec_from_file_location("scorer", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Score, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scorer", type=Path, required=True)
    parser.add_argument("--edges", type=Path, required=True)
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("--certain", action="store_true")
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--false", type=int, default=0)
    parser.add_argument("--all-kinds", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    scorer = load_scorer(options.scorer)
    gc.disable()
    totals = [0, 0, 0, 0, 0]
    names = options.names or sorted(one.stem for one in options.edges.glob("*.jsonl"))
    print(
        f"{'crate':16} {'sites':>6} {'recall':>7} {'strict':>7} {'judged':>7} {'prec':>7} {'secs':>6}   by kind"
    )
    for name in names:
        began = time.process_time()
        tables = tables_of(options.sources / name)
        linked = time.process_time()
        edges = list(edges_of(tables, options.certain))
        took = time.process_time() - linked
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.writelines(json.dumps(edge) + "\n" for edge in edges)
            file.flush()
            result = scorer.score(str(options.edges / f"{name}.jsonl"), file.name)
        core = result["core"]
        kinds = " ".join(
            f"{kind}:{value['hit']}/{value['n']}"
            for kind, value in result["kinds"].items()
            if kind in CORE or options.all_kinds
        )
        row = (core["n"], core["hit"], core["strict"], result["judged"], result["right"])
        totals = [total + one for total, one in zip(totals, row, strict=True)]
        print(f"{name:16} {_row(row)} {took:6.1f}   link {linked - began:.1f}  {kinds}  {result['fp_kinds']}")
        sys.stdout.flush()
        _details(result, options)
        gc.collect()
    print(f"{'all':16} {_row(tuple(totals))}")


def _row(row: tuple[int, ...]) -> str:
    sites, hit, strict, judged, right = row
    return (
        f"{sites:6} {_share(hit, sites):>7} {_share(strict, sites):>7} {judged:7} {_share(right, judged):>7}"
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


def _details(result: dict[str, Any], options: argparse.Namespace) -> None:
    for kind in CORE:
        for miss in result["misses"].get(kind, [])[
            :: max(1, len(result["misses"].get(kind, [])) // max(options.misses, 1))
        ][: options.misses]:
            callee = miss["callee"]
            print(
                f"  MISS {kind:13} {miss['site']['file']}:{miss['site']['line']} {miss['caller']['name']} -> "
                f"{callee['path']} ({callee.get('file')}:{callee.get('line')})"
            )
    shown: dict[str, int] = {}
    for why, caller, file, line, callee in result["fps"]:
        shown[why] = shown.get(why, 0) + 1
        if shown[why] <= options.false:
            print(f"  FALSE {why}: {file}:{line} {caller[2]} -> {callee[2]} {callee[0]}:{callee[1]}")


__all__ = ["regions_of"]

if __name__ == "__main__":
    main()
