"""The linked program, as judging and the rules ask for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from inroads.resolve import std_names
from inroads.resolve.model import Definition
from inroads.resolve.names import Names


@dataclass(slots=True)
class Tables(Names):
    """
    The tables of a program; built by `modules.link`, then only read.

    Args:
        impls_of_head: Key of `impls.head_of` -> ImplIds, in order.
        impls_of_trait: Path of a trait, foreign ones too -> ImplIds, in order.
    """

    impls_of_head: dict[str, list[int]] = field(default_factory=dict)
    impls_of_trait: dict[str, list[int]] = field(default_factory=dict)
    functions_by_name: dict[str, list[int]] = field(default_factory=dict)
    scope_memo: dict[int, frozenset[int | str]] = field(default_factory=dict)

    def functions_named(self, name: str) -> tuple[int, ...]:
        """All functions of that name, methods too, in order."""
        if not self.functions_by_name:
            for function in self.functions:
                self.functions_by_name.setdefault(function.name, []).append(function.id)
        return tuple(self.functions_by_name.get(name, ()))

    def body_module(self, function: int) -> int:
        """
        Where the names of a body are looked up, at the body's outermost block.

        Blocks further in that declare items are in `body_modules`; see `module_at`.
        """
        one = self.functions[function]
        blocks = self.body_modules.get(function)
        if blocks:
            start, end, module = blocks[0]
            body = one.item.body
            facts = self.sources[one.source].facts
            if body is not None and start <= facts.bodies[body].start and facts.bodies[body].end <= end:
                return module
        return one.module

    def module_at(self, function: int, offset: int) -> int:
        """Where names are looked up at an offset (in the function's source) of its body."""
        found = self.functions[function].module
        for start, end, module in self.body_modules.get(function, ()):
            if start <= offset < end:
                found = module
        return found

    def traits_in_scope(self, module: int) -> frozenset[int | str]:
        """TraitIds, and paths of traits from outside, whose methods may be called at a place."""
        found = self.scope_memo.get(module)
        if found is None:
            found = frozenset(self._traits_in_scope(module))
            self.scope_memo[module] = found
        return found

    def _traits_in_scope(self, module: int) -> set[int | str]:
        one = self.modules[module]
        found: set[int | str] = set()
        if one.kind == "block" and one.parent is not None:
            found |= self.traits_in_scope(one.parent)
        else:
            found |= std_names.prelude_traits(one.edition)
        found |= self._traits_of(module, module, {module})
        return found

    def _traits_of(self, origin: int, module: int, seen: set[int]) -> set[int | str]:
        one = self.modules[module]
        inside = origin == module or self._is_inside(origin, module)
        found: set[int | str] = set()
        for definition in one.types.values():
            if definition.kind == "trait" and definition.id is not None:
                if inside or definition.name not in one.private:
                    found.add(definition.id)
        for imports in (*one.imports.values(), one.traits):
            for entry in imports:
                if inside or not entry.private:
                    target = self._import_target(entry, "type")
                    if target is not None and target.kind == "trait" and target.id is not None:
                        found.add(target.id)
                    elif target is not None and target.kind == "foreign":
                        found.add(target.path)
        for entry, target in zip(one.globs, one.glob_targets, strict=True):
            if target is None or not (inside or not entry.private):
                continue
            if target.kind == "module" and target.id is not None and target.id not in seen:
                seen.add(target.id)
                found |= self._traits_of(origin, target.id, seen)
            elif target.kind == "foreign":
                found |= std_names.glob_traits(target.path)
                found.add(f"{target.path}::*")
        return found

    def mark_of(self, crate: int) -> str:
        """What `$crate` becomes in expansions of a crate's macros."""
        one = self.crates[crate]
        mark = f"__crate_{one.name}" if one.kind == "lib" else f"__crate_{one.name}_{one.kind}"
        holder = self.crate_marks.setdefault(mark, crate)
        if holder != crate:
            mark = f"{mark}_{crate}"
            self.crate_marks[mark] = crate
        return mark


def definition_of_crate(tables: Tables, name: str) -> Definition | None:
    """The root module of the first crate of that name."""
    for crate in tables.crates:
        if crate.name == name:
            return tables.module_definition(crate.module)
    return None
