"""
What a path names: `use` in all its forms, globs, preludes, namespaces.

Names are looked up on demand. A named import is resolved when someone asks
for it, and remembers the answer for each namespace. Globs are different: which
module a glob opens may depend on other globs, so `settle_globs` finds the
targets of all of them first, in rounds, until no round finds another; a lookup
then only walks along globs whose target is known, each module once.

An import that is asked for while it is being resolved (`use a::x` and
`use b::x` of one another) names nothing on that way; such answers are kept
only if something was found, since another way may still find it.
"""

from __future__ import annotations

import msgspec

from inroads.facts import PathType
from inroads.resolve import std_names
from inroads.resolve.linked import Linked
from inroads.resolve.model import Definition, Import, Module

_GLOB_ROUNDS = 64
_DEEPEST_IMPORT = 200


class Names(Linked):
    """
    Lookups over the linked lists.

    Namespaces are "type" (modules, types, traits), "value" (functions,
    constants, unit and tuple constructors) and "macro".

    Args:
        foreign_names: For each crate, name -> path of the crates from outside that Cargo or `extern crate` tells of.
        macro_use_crates: CrateId -> the crates that it names with `#[macro_use] extern crate`.
        settled: Whether all globs are settled, so that a name that is not found is not there.
    """

    foreign_names: list[dict[str, str]] = msgspec.field(default_factory=list)
    macro_use_crates: dict[int, list[str]] = msgspec.field(default_factory=dict)
    settled: bool = False
    memo: dict[tuple[int, str, str], Definition | None] = msgspec.field(default_factory=dict)
    # The imports of which it is known what they name.
    opened: list[Import] = msgspec.field(default_factory=list)
    asking: set[tuple[int, str]] = msgspec.field(default_factory=set)
    cut: bool = False

    def resolve(self, module: int, path: PathType | tuple[str, ...], namespace: str) -> Definition | None:
        """
        What a whole path names where it stands in `module`; None if nothing, or if only a part is a path.

        A name from outside the workspace comes out as kind "foreign" with its
        whole path.
        """
        names = segments_of(path)
        if names is None:
            return None
        found = self.resolve_prefix(module, names, namespace)
        if found is None or found[1] != len(names):
            return None
        return found[0]

    def resolve_prefix(
        self, module: int, names: tuple[str, ...], namespace: str
    ) -> tuple[Definition, int] | None:
        """
        The longest beginning of a path that names something, and how many segments that took.

        What follows a type, trait or primitive are associated items (`Vec::new`
        of a workspace's `Vec`), left to the caller. The namespace counts for
        the last segment only.
        """
        if not names:
            return None
        start = self._start(module, names, namespace)
        if start is None:
            return None
        definition, used = start
        return self._walk(definition, names, used, namespace)

    def lookup(self, module: int, name: str, namespace: str) -> Definition | None:
        """What a name means in scope: blocks outwards, the module, crates, preludes; no `crate`, `self`, `super`."""
        found = self.lookup_lexical(module, name, namespace)
        if found is not None:
            return found
        one = self.modules[module]
        if namespace == "type":
            crate = self.extern_names[one.crate].get(name)
            if crate is not None:
                return self.module_definition(self.crates[crate].module)
        return self._prelude(one, name, namespace)

    def lookup_lexical(self, module: int, name: str, namespace: str) -> Definition | None:
        """What a name means by declarations and imports of the blocks around and of their module."""
        at: int | None = module
        while at is not None:
            found = self.member(at, name, namespace)
            if found is not None:
                return found
            one = self.modules[at]
            at = one.parent if one.kind == "block" else None
        return None

    def member(self, module: int, name: str, namespace: str) -> Definition | None:
        """What `module::name` is: declared there, imported by name, or through a glob, in this order."""
        key = (module, name, namespace)
        if key in self.memo:
            return self.memo[key]
        outer_cut, self.cut = self.cut, False
        found = self._own_or_import(module, name, namespace)
        if found is None and self.modules[module].globs:
            found = self._through_globs(module, name, namespace)
        if found is not None or not self.cut:
            self.memo[key] = found
        self.cut = self.cut or outer_cut
        return found

    def module_definition(self, module: int) -> Definition:
        """The definition that names a module."""
        one = self.modules[module]
        return Definition("module", module, one.path, one.name)

    def real_module(self, module: int) -> int:
        """The module around a block, or the module itself: what `self::` means."""
        one = self.modules[module]
        while one.kind == "block" and one.parent is not None:
            one = self.modules[one.parent]
        return one.id

    def settle_globs(self) -> None:
        """
        Find what every glob opens.

        Ends because a round without a new target is the last, and there are
        finitely many globs; rounds are bounded besides.
        """
        pending = [
            (module, index)
            for module in self.modules
            for index, target in enumerate(module.glob_targets)
            if target is None
        ]
        self.settled = False
        for _ in range(_GLOB_ROUNDS):
            self.forget()
            rest = []
            for module, index in pending:
                target = self._import_target(module.globs[index], "type")
                if target is None:
                    rest.append((module, index))
                else:
                    module.glob_targets[index] = target
            stuck = len(rest) == len(pending)
            pending = rest
            if not rest or (stuck and self.settled):
                break
            # What no glob of the workspace explains comes from outside.
            self.settled = self.settled or stuck
        self.settled = True
        self.forget()

    def settle_late(self, module: Module, added: list[Import]) -> None:
        """Take in imports that are added to one block after all globs were settled."""
        for index, entry in enumerate(module.globs):
            if module.glob_targets[index] is None:
                module.glob_targets[index] = self._import_target(entry, "type")
        for entry in added:
            for namespace in ("type", "value", "macro"):
                self.memo.pop((module.id, entry.name, namespace), None)

    def forget(self) -> None:
        """Forget all answers, after something was added that may change them."""
        self.memo.clear()
        for one in self.opened:
            one.found.clear()
        self.opened.clear()

    # The first segment.

    def _start(self, module: int, names: tuple[str, ...], namespace: str) -> tuple[Definition, int] | None:
        head = names[0]
        one = self.modules[module]
        if head in _KEYWORDS:
            return self._keyword(module, names)
        if head in self.crate_marks:
            return self._crate_root(self.crate_marks[head]), 1
        wanted = namespace if len(names) == 1 else "type"
        if head == "":
            return self._absolute(one, names, namespace)
        found = self.lookup(module, head, wanted)
        if found is None and self.settled and 1 < len(names) and head[:1].islower():
            # Cargo tells of most crates from outside, but not of all: single files, generated manifests.
            found = _foreign(head)
        return None if found is None else (found, 1)

    def _keyword(self, module: int, names: tuple[str, ...]) -> tuple[Definition, int] | None:
        if names[0] in ("crate", "$crate"):
            return self._crate_root(self.modules[module].crate), 1
        at: int | None = self.real_module(module)
        used = 0
        for name in names:
            if name == "super" and at is not None:
                parent = self.modules[at].parent
                at = None if parent is None else self.real_module(parent)
            elif name != "self" or used:
                break
            used += 1
        return None if at is None else (self.module_definition(at), used)

    def _crate_root(self, crate: int) -> Definition:
        return self.module_definition(self.crates[crate].module)

    def _absolute(
        self, module: Module, names: tuple[str, ...], namespace: str
    ) -> tuple[Definition, int] | None:
        if len(names) < 2:
            return None
        if module.edition == "2015":
            wanted = namespace if len(names) == 2 else "type"
            found = self.member(self.crates[module.crate].module, names[1], wanted)
            if found is not None:
                return found, 2
        crate = self.extern_names[module.crate].get(names[1])
        if crate is not None:
            return self._crate_root(crate), 2
        return _foreign(names[1]), 2

    def _prelude(self, module: Module, name: str, namespace: str) -> Definition | None:
        if namespace == "macro":
            return _foreign(f"std::{name}") if name in std_names.STD_MACROS else None
        # The standard library's crates keep their names, also where a manifest puts a stand-in under them.
        if (
            namespace == "type"
            and name in self.foreign_names[module.crate]
            and name not in std_names.STD_CRATES
        ):
            return _foreign(self.foreign_names[module.crate][name])
        path = std_names.prelude_path(name, module.edition, namespace)
        if path is not None:
            return _foreign(path)
        if namespace == "type":
            if name in std_names.PRIMITIVES:
                return Definition("primitive", None, name, name)
            if name in std_names.STD_CRATES:
                return _foreign(name)
        return None

    # The segments after it.

    def _walk(
        self, definition: Definition, names: tuple[str, ...], used: int, namespace: str
    ) -> tuple[Definition, int] | None:
        while used < len(names):
            name = names[used]
            if definition.kind == "foreign":
                rest = "::".join(names[used:])
                return _foreign(f"{definition.path}::{rest}"), len(names)
            wanted = namespace if used == len(names) - 1 else "type"
            if definition.kind == "module":
                assert definition.id is not None
                if name == "self":
                    found: Definition | None = definition
                else:
                    found = self.member(definition.id, name, wanted)
                if found is None:
                    return None
            elif definition.kind == "type":
                assert definition.id is not None
                if name not in self.variants(definition.id):
                    return definition, used
                found = Definition("variant", definition.id, f"{definition.path}::{name}", name)
            else:
                return definition, used
            definition = found
            used += 1
        return definition, used

    # Imports.

    def _own_or_import(self, module: int, name: str, namespace: str) -> Definition | None:
        one = self.modules[module]
        table = one.types if namespace == "type" else one.values if namespace == "value" else one.macros
        own = table.get(name)
        imports = one.imports.get(name)
        if imports is None or (own is not None and not self.is_off(own)):
            return own
        best, best_rank = own, 3 if own is None else self.is_off(own)
        for entry in imports:
            rank = 2 if not entry.active else 1 if entry.test else 0
            if rank < best_rank:
                found = self._import_target(entry, namespace)
                if found is not None:
                    best, best_rank = found, rank
        return best

    def _import_target(self, entry: Import, namespace: str) -> Definition | None:
        if namespace in entry.found:
            return entry.found[namespace]
        key = (id(entry), namespace)
        if key in self.asking or _DEEPEST_IMPORT < len(self.asking):
            self.cut = True
            return None
        self.asking.add(key)
        outer_cut, self.cut = self.cut, False
        try:
            found = self._imported(entry, namespace)
        finally:
            self.asking.discard(key)
        if found is not None or not self.cut:
            entry.found[namespace] = found
            self.opened.append(entry)
        self.cut = self.cut or outer_cut
        return found

    def _imported(self, entry: Import, namespace: str) -> Definition | None:
        path = entry.path
        if path and path[-1] == "self":
            path = path[:-1]
            if namespace != "type":
                return None
        if not path:
            return self._crate_root(self.modules[entry.module].crate) if entry.name == "*" else None
        module = self.modules[entry.module]
        if namespace == "type" and path[1:] == path[:1] and path[0] in self.foreign_names[module.crate]:
            # `use anyhow::{anyhow, Result}`: what a crate from outside gives under its own name is a
            # macro or a function, and does not hide the crate.
            return None
        if namespace == "macro" and len(path) == 1:
            found_macro = self.textual_macro(entry.module, path[0], entry.order)
            if found_macro is not None:
                return found_macro
        found = None
        if module.edition == "2015" and path[0] not in _KEYWORDS and path[0] not in self.crate_marks:
            root = self.module_definition(self.crates[module.crate].module)
            names = path[1:] if path[0] == "" else path
            found = self._walk(root, names, 0, namespace) if names else (root, 0)
            if found is not None and found[1] == len(names):
                return found[0]
            path = names
            if not path:
                return None
        found = self.resolve_prefix(entry.module, path, namespace)
        if found is None or found[1] != len(path):
            return None
        return found[0]

    def _through_globs(self, origin: int, name: str, namespace: str) -> Definition | None:
        """
        The name that a module's globs bring in, in the order of the globs, the nearest first.

        Each module is walked once; a glob is passed only by who may see it.
        """
        seen = {origin}
        level = [origin]
        best: Definition | None = None
        guess: Definition | None = None
        opaque = 0
        while level:
            following: list[int] = []
            for at in level:
                one = self.modules[at]
                for entry, target in zip(one.globs, one.glob_targets, strict=True):
                    if target is None or (entry.private and not self._is_inside(origin, at)):
                        continue
                    if target.kind == "type" and target.id is not None:
                        if name in self.variants(target.id) and namespace != "macro":
                            return Definition("variant", target.id, f"{target.path}::{name}", name)
                    elif target.kind == "foreign":
                        path = self._foreign_member(target.path, name)
                        if path is not None:
                            return _foreign(path)
                        if target.path.partition("::")[0] not in std_names.STD_CRATES:
                            opaque += 1
                            guess = _foreign(f"{target.path}::{name}")
                    elif target.kind == "module" and target.id is not None and target.id not in seen:
                        seen.add(target.id)
                        following.append(target.id)
                        found = self._visible_member(origin, target.id, name, namespace)
                        if found is not None:
                            if not self.is_off(found):
                                return found
                            best = best or found
            level = following
        if best is None and opaque == 1 and guess is not None and self._may_guess(origin, name, namespace):
            return guess
        return best

    def _visible_member(self, origin: int, module: int, name: str, namespace: str) -> Definition | None:
        one = self.modules[module]
        if name in one.private or name in one.imports:
            inside = self._is_inside(origin, module)
            if not inside:
                if name in one.private:
                    return None
                if all(entry.private for entry in one.imports.get(name, ())):
                    table = one.types if namespace == "type" else one.values
                    return table.get(name)
        return self._own_or_import(module, name, namespace)

    def _foreign_member(self, glob: str, name: str) -> str | None:
        head = glob.partition("::")[0]
        if head not in std_names.STD_CRATES:
            return None
        return std_names.glob_path(std_names.documented(glob), name)

    def _may_guess(self, module: int, name: str, namespace: str) -> bool:
        """Whether a name that nothing known explains may come out of the one foreign glob in sight."""
        if namespace == "macro" or len(name) < 2:
            return False
        one = self.modules[module]
        if one.kind == "block":
            return False
        if namespace == "type" and name in self.extern_names[one.crate]:
            return False
        if self._prelude(one, name, namespace) is not None:
            return False
        return name[0].isupper() and not name.isupper()

    def _is_inside(self, module: int, ancestor: int) -> bool:
        at: int | None = module
        while at is not None:
            if at == ancestor:
                return True
            at = self.modules[at].parent
        return False

    # Macros.

    def textual_macro(self, module: int, name: str, order: tuple[int, ...]) -> Definition | None:
        """The `macro_rules!` of this name that is in textual scope at a place; the last one before it."""
        at: int | None = module
        while at is not None:
            entries = self.textual.get((at, name))
            if entries:
                found = None
                for entry_order, macro in entries:
                    if order < entry_order:
                        break
                    found = macro
                if found is not None:
                    return Definition("macro", found, self.macros[found].path, name)
            at = self.modules[at].parent
        return None

    def resolve_macro(self, module: int, path: tuple[str, ...], order: tuple[int, ...]) -> Definition | None:
        """What a macro call at a place names: textual scope first, then paths, `#[macro_use]` crates, std."""
        if len(path) == 1:
            found = self.textual_macro(module, path[0], order)
            if found is not None:
                return found
            found = self.lookup_lexical(module, path[0], "macro")
            if found is not None:
                return found
            found = self._macro_use_prelude(self.modules[module].crate, path[0])
            if found is not None:
                return found
        return self.resolve(module, path, "macro")

    def _macro_use_prelude(self, crate: int, name: str) -> Definition | None:
        """What `#[macro_use] extern crate` brings in; of a crate from outside only what is sure to be a log macro."""
        for used in self.macro_use_crates.get(crate, ()):
            known = self.extern_names[crate].get(used)
            if known is not None:
                found = self.modules[self.crates[known].module].macros.get(name)
                if found is not None:
                    return found
            elif used in _LOG_CRATES and name in _LOG_MACROS:
                return _foreign(f"{used}::{name}")
        return None


def segments_of(path: PathType | tuple[str, ...]) -> tuple[str, ...] | None:
    """The names of a path's segments; None for a path that begins with a type (`<T as Tr>::f`)."""
    if isinstance(path, tuple):
        return path
    if path.qself is not None:
        return None
    return tuple(segment.name for segment in path.segments)


def _foreign(path: str) -> Definition:
    whole = std_names.documented(path)
    return Definition("foreign", None, whole, whole.rpartition("::")[2])


_LOG_CRATES = frozenset({"log", "tracing", "slog"})
_LOG_MACROS = frozenset({"error", "warn", "info", "debug", "trace", "log", "event", "crit"})
_KEYWORDS = frozenset({"crate", "$crate", "self", "super"})
