"""
From a workspace's crates and the facts of its files to linked tables.

`link` mounts each crate's root file, follows `mod` from file to file, then
expands item macros in rounds, settles globs, and names what impls are of.
A file that two crates mount is linked twice, with the same facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from msgspec.structs import replace

from inroads.facts import FileFacts, ModuleItem, Problem
from inroads.resolve.body_items import register_body_items
from inroads.resolve.configuration import NO_SWITCHES, effective, switches_of
from inroads.resolve.impls import name_impls
from inroads.resolve.initialisers import add_initialisers
from inroads.resolve.item_macros import ItemMacros
from inroads.resolve.model import Crate, Module
from inroads.resolve.register import Registrar
from inroads.resolve.scopes import Scope, joined, leads_out, unquoted
from inroads.resolve.sources import Source
from inroads.resolve.tables import Tables
from inroads.workspace import Workspace

_DEEPEST_FILE = 64


def link(workspace: Workspace, facts: Mapping[str, FileFacts]) -> Tables:
    """
    Link the skeletons of all files.

    Args:
        facts: Path relative to the root, with `/`, -> the file's facts.
    """
    return _Linker(workspace, facts).run()


class _Linker:
    def __init__(self, workspace: Workspace, facts: Mapping[str, FileFacts]) -> None:
        self.workspace = workspace
        self.facts = facts
        self.tables = Tables()
        self.tables.places.files = facts
        self.mounted: set[str] = set()
        self.macros = ItemMacros(self.tables)
        self.registrar = Registrar(self.tables, self._mount, self.macros.call)
        self.macros.registrar = self.registrar
        self.macros.include = self._include

    def run(self) -> Tables:
        tables = self.tables
        for path in sorted(self.facts):
            tables.file_sources[path] = len(tables.sources)
            tables.sources.append(Source(len(tables.sources), path, self.facts[path], tables.places))
        self._make_crates()
        for crate in tables.crates:
            self._mount_root(crate)
        self._mount_orphans()
        self.macros.settle()
        tables.settle_globs()
        self._index_macros()
        if register_body_items(tables, self.registrar):
            self.macros.settle()
            tables.settle_globs()
            self._index_macros()
        self.macros.tell()
        name_impls(tables)
        add_initialisers(tables)
        digest = blake2b(digest_size=16)
        for source in tables.sources:
            # What macros bring into bodies is seen by others too.
            digest.update(source.path.encode("utf-8", "surrogateescape") + b"\0")
            digest.update(source.facts.skeleton_digest)
        tables.skeleton = digest.digest()
        return tables

    def _index_macros(self) -> None:
        tables = self.tables
        tables.own_macros.clear()
        tables.macro_names.clear()
        for macro in tables.macros:
            tables.own_macros.setdefault(macro.name, []).append(macro.id)
        for module in tables.modules:
            for name, imports in module.imports.items():
                for entry in imports:
                    if entry.path and entry.path[-1] != name and entry.path[-1] in tables.own_macros:
                        # `use helper as other`: the macro of that name, under this one.
                        found = tables.member(module.id, name, "macro")
                        if found is not None and found.kind == "macro" and found.id is not None:
                            tables.own_macros.setdefault(name, []).append(found.id)

    # Crates.

    def _make_crates(self) -> None:
        tables = self.tables
        by_key: dict[int, int] = {}
        helpers = self.workspace.helpers()
        for index, spec in enumerate(self.workspace.crates):
            if spec.root not in self.facts:
                continue
            by_key[index] = len(tables.crates)
            crate = Crate(
                id=len(tables.crates),
                name=spec.name,
                kind=spec.kind,
                root=spec.root,
                edition=spec.edition,
                dependencies={},
                module=-1,
                test=spec.kind in ("test", "bench"),
                helper=spec.package in helpers,
            )
            tables.crates.append(crate)
            self._root_module(crate, crate.name, "root", spec.root)
        scripts = {
            spec.package: spec.root
            for spec in self.workspace.crates
            if spec.kind == "build" and spec.package is not None and spec.root in self.facts
        }
        for index, spec in enumerate(self.workspace.crates):
            if index not in by_key:
                continue
            crate = tables.crates[by_key[index]]
            foreign = {name: name for name in spec.foreign}
            if spec.package is not None:
                for dependency in self.workspace.packages[spec.package].dependencies:
                    if dependency.name in foreign:
                        # `name = { package = "other" }`: outside it is known as what it is.
                        foreign[dependency.name] = dependency.package.replace("-", "_")
            for name, target in spec.dependencies:
                if target in by_key:
                    crate.dependencies[name] = by_key[target]
                else:
                    foreign.setdefault(name, name)
            tables.extern_names.append(dict(crate.dependencies))
            tables.foreign_names.append(foreign)
            script = None if spec.package is None else scripts.get(spec.package)
            tables.switches.append(
                switches_of(self.facts[spec.root].inner, None if script is None else self.facts[script])
            )
            tables.mark_of(crate.id)

    def _root_module(self, crate: Crate, name: str, kind: str, path: str) -> Module:
        module = Module(
            id=len(self.tables.modules),
            name=name,
            path=name,
            crate=crate.id,
            parent=None,
            kind=kind,
            source=self.tables.file_sources[path],
            edition=crate.edition,
            test=crate.test,
            active=True,
        )
        self.tables.modules.append(module)
        if kind == "root":
            crate.module = module.id
        return module

    def _mount_root(self, crate: Crate) -> None:
        directory = _directory(crate.root)
        scope = Scope(crate.module, directory, directory, crate.test, True, files=(crate.root,))
        self._walk_file(crate.root, scope)

    def _walk_file(self, path: str, scope: Scope) -> None:
        self.mounted.add(path)
        inner = self.facts[path].inner
        if inner:
            scope.test, scope.active = self.registrar.flags(inner, scope)
            module = self.tables.modules[scope.module]
            if module.source == self.tables.file_sources[path]:
                module.test, module.active = scope.test, scope.active
        self.registrar.walk(self.tables.file_sources[path], scope)

    # Files.

    def _mount(self, item: ModuleItem, inner: Scope, source: int, around: Scope) -> None:
        """Find and walk the file of `mod x;`."""
        head = item.head
        path_attribute = effective(head.attributes, "path")
        name = head.name.removeprefix("r#")
        if path_attribute is not None:
            written = unquoted(path_attribute.text)
            candidates = [joined(around.base, written)]
            if leads_out(around.base, written):
                if inner.active:
                    self._problem(
                        source,
                        head.name_at,
                        f'the file "{written}" of the module {name} leads out of the root',
                    )
                return
        else:
            candidates = [joined(around.directory, f"{name}.rs"), joined(around.directory, f"{name}/mod.rs")]
        for path in map(self._followed, candidates):
            if path not in self.facts:
                continue
            if path in inner.files or _DEEPEST_FILE < len(inner.files):
                self._problem(source, head.name_at, f"the file {path} mounts itself")
                return
            if path_attribute is not None or path.endswith("/mod.rs") or path == "mod.rs":
                inner.directory = _directory(path)
            else:
                inner.directory = joined(around.directory, name)
            inner.base = _directory(path)
            inner.files = (*inner.files, path)
            self.tables.modules[inner.module].source = self.tables.file_sources[path]
            self._walk_file(path, inner)
            return
        if inner.active and not inner.test:
            self._problem(
                source, head.name_at, f"no file for the module {head.name}: {' or '.join(candidates)}"
            )

    def _followed(self, path: str) -> str:
        """The path under which a file is listed that a linked folder leads to."""
        for link, folder in self.workspace.links:
            if path.startswith(f"{link}/"):
                return f"{folder}{path[len(link) :]}"
        return path

    def _include(self, path: str, scope: Scope) -> bool:
        """
        Walk the items of a file that `include!` names, in the module of the call; False where it is not there.

        The path is relative to the file that holds the call, whatever modules stand around it; the modules that the
        file declares are sought beside it, whatever it is called.
        """
        whole = joined(_directory(scope.files[-1]) if scope.files else scope.base, path)
        if whole not in self.facts or whole in scope.files or _DEEPEST_FILE < len(scope.files):
            return False
        folder = _directory(whole)
        self._walk_file(whole, replace(scope, directory=folder, base=folder, files=(*scope.files, whole)))
        return True

    def _mount_orphans(self) -> None:
        """
        Give each file that no `mod` reaches a module of its own.

        The file of a directory comes before what stands in it, so that a whole
        tree without a crate hangs together. Its names are those of the nearest
        crate.
        """
        left = [path for path in self.facts if path not in self.mounted]
        for path in sorted(left, key=lambda path: (path.count("/"), _is_leaf(path), path)):
            if path in self.mounted:
                continue
            crate = self._nearest_crate(path)
            stem = path.rpartition("/")[2].removesuffix(".rs")
            directory = _directory(path)
            name = directory.rpartition("/")[2] if stem == "mod" and directory else stem
            module = self._root_module(crate, name.replace("-", "_"), "orphan", path)
            if crate.root != path:
                module.path = f"{crate.name}::{module.name}"
            module.test = module.test or bool({"tests", "benches"} & set(path.split("/")[:-1]))
            below = directory if stem in ("mod", "lib", "main") else joined(directory, stem)
            if crate.root == path:
                below = directory
            self._walk_file(path, Scope(module.id, below, directory, module.test, True, files=(path,)))

    def _nearest_crate(self, path: str) -> Crate:
        """The library (or else the first) crate whose root stands nearest above a file; made up where there is none."""
        best: Crate | None = None
        best_length = -1
        for crate in self.tables.crates:
            directory = _directory(crate.root)
            package = directory.removesuffix("src").rstrip("/") if directory.endswith("src") else directory
            if package and not path.startswith(f"{package}/"):
                continue
            length = 2 * len(package) + (crate.kind == "lib")
            if best_length < length:
                best, best_length = crate, length
        if best is not None:
            return best
        tables = self.tables
        stem = path.rpartition("/")[2].removesuffix(".rs").replace("-", "_")
        crate = Crate(len(tables.crates), stem, "bin", path, "2021", {}, len(tables.modules), False)
        tables.crates.append(crate)
        tables.extern_names.append({})
        tables.foreign_names.append({})
        tables.switches.append(NO_SWITCHES)
        tables.mark_of(crate.id)
        return crate

    def _problem(self, source: int, offset: int, message: str) -> None:
        place = self.tables.position(source, offset)
        self.tables.problems.append(
            Problem(kind="module", path=place.path, line=place.line, column=place.column, message=message)
        )


def _directory(path: str) -> str:
    return path.rpartition("/")[0]


def _is_leaf(path: str) -> bool:
    return path.rpartition("/")[2] not in ("mod.rs", "lib.rs", "main.rs")
