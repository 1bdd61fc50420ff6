"""Which packages and crates a tree holds."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from fnmatch import translate
from typing import cast

from inroads.facts import Problem
from inroads.workspace.loose import loose_crates
from inroads.workspace.manifest import Manifest, dependency_tables, read_manifest, strings
from inroads.workspace.model import CrateRoot, Dependency, DependencyKind, Package, Workspace
from inroads.workspace.targets import Files, Target, targets
from inroads.workspace.tree import Tree

_SIGNS = "*?["
_CLASS = re.compile(r"\[!?\]?[^\]]*\]")
_OPEN_CLASS = re.compile(r"\[")


def discover(tree: Tree) -> Workspace:
    """
    The packages and crates of a tree.

    With a manifest at the root: its package, the members of its workspace, and
    all packages that these depend on by path. Without one: every manifest is
    such a root. Where no manifest helps, crates are guessed from the files
    (see loose.py). Nothing outside the tree is ever read.
    """
    paths = tree.list()
    files = tuple(path for path in paths if path.endswith(".rs"))
    problems: list[Problem] = list(tree.problems())
    manifests = {posixpath.dirname(path): path for path in paths if posixpath.basename(path) == "Cargo.toml"}
    finder = _Finder(tree, manifests, problems)
    if "" in manifests:
        finder.root("")
    else:
        for directory in sorted(manifests):
            finder.root(directory)
    packages, crates = finder.finish(Files(files))
    if not crates:
        crates = loose_crates(tree, files)
    order = sorted(dict.fromkeys(problems), key=lambda problem: (problem.path, problem.line, problem.message))
    return Workspace(tree.root, packages, crates, files, tuple(order), tree.links())


class _Finder:
    """Follows members and path dependencies from the roots; each manifest is read once, so it ends."""

    def __init__(self, tree: Tree, manifests: dict[str, str], problems: list[Problem]) -> None:
        self.tree = tree
        self.manifests = manifests
        self.problems = problems
        self.read: dict[str, Manifest | None] = {}
        self.workspace_of: dict[str, Manifest] = {}
        self.packages: dict[str, Manifest] = {}

    def manifest(self, directory: str) -> Manifest | None:
        """The manifest of a directory; None if there is none that can be read."""
        if directory not in self.read:
            path = self.manifests.get(directory)
            self.read[directory] = None if path is None else read_manifest(self.tree, path, self.problems)
        return self.read[directory]

    def root(self, directory: str) -> None:
        """Take in a root, its members, and what they depend on."""
        manifest = self.manifest(directory)
        if manifest is None or directory in self.packages:
            return
        waiting = [directory] if manifest.is_package else []
        if "workspace" in manifest.tables:
            waiting.extend(self.members(manifest))
        while waiting:
            at = waiting.pop()
            found = self.manifest(at)
            if found is None or not found.is_package or at in self.packages:
                continue
            self.packages[at] = found
            self.workspace_of[at] = self.workspace_root(at) or manifest
            for _, table in dependency_tables(found):
                for name in sorted(table):
                    target = self.path_of(found, name, table[name])
                    if target is not None:
                        waiting.append(target)

    def members(self, manifest: Manifest) -> list[str]:
        """The directories that the globs of a workspace name, less the excluded ones."""
        table = manifest.table("workspace")
        excluded = [manifest.inside(path, "workspace.exclude") for path in strings(table.get("exclude"))]
        found: list[str] = []
        for written in strings(table.get("members")):
            pattern = manifest.inside(written, "workspace.members")
            if pattern is None:
                continue
            if any(sign in pattern for sign in _SIGNS):
                if not _is_closed(pattern):
                    manifest.problem(f"workspace.members: {written!r} is no pattern: its [ is not closed")
                matches = _globbed(pattern, self.manifests)
            else:
                matches = [pattern]
                if pattern not in self.manifests:
                    manifest.problem(f"the member {written!r} has no Cargo.toml")
            found.extend(match for match in matches if not _under(match, excluded))
        return found

    def workspace_root(self, directory: str) -> Manifest | None:
        """The nearest manifest at or above with a `[workspace]`."""
        at = directory
        while True:
            manifest = self.manifest(at)
            if manifest is not None and "workspace" in manifest.tables:
                return manifest
            if not at:
                return None
            at = posixpath.dirname(at)

    def path_of(self, manifest: Manifest, name: str, value: object) -> str | None:
        """The directory of a dependency that is given by a path, itself or in the workspace's table or a patch."""
        if not isinstance(value, dict):
            return self.patched(manifest, name)
        owner = manifest
        if value.get("workspace") is True:
            root = self.workspace_root(manifest.directory)
            shared = None if root is None else root.table("workspace", "dependencies").get(name)
            if root is None or not isinstance(shared, dict):
                return self.patched(manifest, name)
            owner, value = root, shared
        if "path" in value:
            return owner.inside(value["path"], f"the path of the dependency {name}")
        package = value.get("package")
        return self.patched(manifest, package if isinstance(package, str) else name)

    def patched(self, manifest: Manifest, package: str) -> str | None:
        """The directory that a `[patch]` of the workspace gives for a package."""
        root = self.workspace_root(manifest.directory)
        for source in root.table("patch").values() if root is not None else ():
            value = source.get(package) if isinstance(source, dict) else None
            if root is not None and isinstance(value, dict) and "path" in value:
                return root.inside(value["path"], f"the path of the patch {package}")
        return None

    def finish(self, files: Files) -> tuple[tuple[Package, ...], tuple[CrateRoot, ...]]:
        """The packages and crates found, in order."""
        directories = sorted(self.packages)
        index = {directory: position for position, directory in enumerate(directories)}
        packages: list[Package] = []
        found: list[list[Target]] = []
        for directory in directories:
            manifest = self.packages[directory]
            edition = self.inherited(manifest, "edition", "2015")
            packages.append(
                Package(
                    str(manifest.table("package")["name"]),
                    directory,
                    edition,
                    tuple(self.dependencies(manifest, index)),
                    tuple(sorted(manifest.table("features"))),
                )
            )
            found.append(targets(manifest, edition, files))
        return tuple(packages), _crates(packages, found)

    def inherited(self, manifest: Manifest, key: str, otherwise: str) -> str:
        """A value of `[package]`, which may stand in the workspace."""
        value = manifest.table("package").get(key)
        if isinstance(value, dict) and value.get("workspace") is True:
            root = self.workspace_root(manifest.directory)
            value = None if root is None else root.table("workspace", "package").get(key)
            otherwise = "2021"
        return value if isinstance(value, str) else otherwise

    def dependencies(self, manifest: Manifest, index: dict[str, int]) -> list[Dependency]:
        """The dependencies of a package, each name and kind once, sorted."""
        found: dict[tuple[str, str], Dependency] = {}
        for kind, table in dependency_tables(manifest):
            for name, value in table.items():
                package = name
                if isinstance(value, dict):
                    shared: object = value
                    if value.get("workspace") is True:
                        root = self.workspace_root(manifest.directory)
                        shared = None if root is None else root.table("workspace", "dependencies").get(name)
                    renamed = shared.get("package") if isinstance(shared, dict) else None
                    package = renamed if isinstance(renamed, str) else name
                directory = self.path_of(manifest, name, value)
                target = None if directory is None else index.get(directory)
                code = name.replace("-", "_")
                found[code, kind] = Dependency(code, package, cast(DependencyKind, kind), target)
        return [found[key] for key in sorted(found)]


def _globbed(pattern: str, manifests: Iterable[str]) -> list[str]:
    """The directories with a manifest that a glob matches; `*` stays within one level."""
    levels = [re.compile(translate(level)) for level in pattern.split("/")]
    if "**" in pattern.split("/"):
        whole = re.compile(translate(pattern))
        return [directory for directory in sorted(manifests) if whole.fullmatch(directory)]
    found: list[str] = []
    for directory in sorted(manifests):
        parts = directory.split("/")
        if len(parts) == len(levels) and all(map(re.Pattern.fullmatch, levels, parts)):
            found.append(directory)
    return found


def _is_closed(pattern: str) -> bool:
    """Whether each `[` has its `]`, which does not stand first."""
    return _OPEN_CLASS.search(_CLASS.sub("", pattern)) is None


def _under(directory: str, excluded: list[str | None]) -> bool:
    """Whether a directory is one of the excluded, or inside one; these may be globs."""
    for front in excluded:
        if front is None:
            continue
        if directory == front or directory.startswith(f"{front}/"):
            return True
        if any(sign in front for sign in _SIGNS):
            depth = front.count("/") + 1
            outer = "/".join(directory.split("/")[:depth])
            if _globbed(front, (outer, directory)):
                return True
    return False


def _crates(packages: list[Package], found: list[list[Target]]) -> tuple[CrateRoot, ...]:
    """The crate roots, with what their names of other crates stand for."""
    libraries: dict[int, int] = {}
    position = 0
    for package, listed in enumerate(found):
        for target in listed:
            if target.kind == "lib":
                libraries[package] = position
            position += 1
    crates: list[CrateRoot] = []
    for package, listed in enumerate(found):
        own = libraries.get(package)
        library_name = next((target.name for target in listed if target.kind == "lib"), None)
        for target in listed:
            names: dict[str, int] = {}
            foreign: set[str] = set()
            for dependency in packages[package].dependencies:
                if not _sees(target.kind, dependency.kind):
                    continue
                library = None if dependency.target is None else libraries.get(dependency.target)
                if library is None:
                    foreign.add(dependency.name)
                    continue
                name = dependency.name
                # Without a rename, the library's own name is what the code says.
                wanted = packages[dependency.target or 0]
                if dependency.package == wanted.name and name == wanted.name.replace("-", "_"):
                    for other in found[dependency.target or 0]:
                        if other.kind == "lib":
                            name = other.name
                names[name] = library
            if own is not None and target.kind not in ("lib", "build") and library_name is not None:
                names[library_name] = own
            crates.append(
                CrateRoot(
                    target.name,
                    target.kind,
                    target.root,
                    target.edition,
                    package,
                    tuple(sorted(names.items())),
                    tuple(sorted(foreign - names.keys())),
                    target.proc_macro,
                    target.harness,
                )
            )
    return tuple(crates)


def _sees(kind: str, dependency: DependencyKind) -> bool:
    """Whether a target may name a dependency; unit tests of a library or binary see dev-dependencies too."""
    if kind == "build":
        return dependency == "build"
    return dependency != "build"
