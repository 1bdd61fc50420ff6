"""The linked program, as judging and the rules ask for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from inroads.facts import BodyFacts, MacroRow
from inroads.resolve import std_names
from inroads.resolve.names import Names
from inroads.resolve.rules import identifiers
from inroads.store import Store, decode_body, names_of

if TYPE_CHECKING:
    from inroads.resolve.foreign import Extern


class Tables(Names):
    """
    The tables of a program; built by `modules.link`, then only read.

    Args:
        impls_of_head: Key of `impls.head_of` -> ImplIds, in order.
        impls_of_trait: Path of a trait, foreign ones too -> ImplIds, in order.
        own_macros: Name -> MacroIds, those under other names by `use` included.
        entered: FunctionIds whose own macros' items have been entered into their block.
        unparsed: SourceIds with a body that was read and holds an error, where nobody has looked for errors before.
        initialisers: How many of the functions are initialisers; they are the last.
        skeleton: A digest of the skeletons of all sources, and of the paths under which they stand.
        functions_by_name, scope_memo, macro_names, exploding: Answers kept; empty at first.
    """

    impls_of_head: dict[str, list[int]] = msgspec.field(default_factory=dict)
    impls_of_trait: dict[str, list[int]] = msgspec.field(default_factory=dict)
    own_macros: dict[str, list[int]] = msgspec.field(default_factory=dict)
    entered: set[int] = msgspec.field(default_factory=set)
    initialisers: int = 0
    skeleton: bytes = b""
    unparsed: set[int] = msgspec.field(default_factory=set)
    functions_by_name: dict[str, list[int]] = msgspec.field(default_factory=dict)
    scope_memo: dict[int, frozenset[int | str]] = msgspec.field(default_factory=dict)
    # The signatures made from these tables; kept here, so that they are made once (see judge.world_of).
    world: object = None
    # What the settings tell of crates from outside; to be set before anything is judged.
    externs: tuple[Extern, ...] = ()
    # What earlier runs kept of described crates; to be set likewise.
    store: Store | None = None
    # Whether of described crates, too, only what is asked for is read; to be set likewise.
    outlines: bool = False
    macro_names: dict[str, frozenset[str]] = msgspec.field(default_factory=dict)
    exploding: dict[int, bool] = msgspec.field(default_factory=dict)

    def functions_named(self, name: str) -> tuple[int, ...]:
        """All functions of that name, methods too, in order."""
        if not self.functions_by_name:
            by_name: defaultdict[str, list[int]] = defaultdict(list)
            for function in self.functions[: len(self.functions) - self.initialisers]:
                by_name[function.name].append(function.id)
            self.functions_by_name = dict(by_name)
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
            body = self.body_of(function)
            if body is not None and start <= body.start and body.end <= end:
                return module
        return one.module

    def module_at(self, function: int, offset: int) -> int:
        """Where names are looked up at an offset (in the function's source) of its body."""
        found = self.functions[function].module
        for start, end, module in self.body_modules.get(function, ()):
            if start <= offset < end:
                found = module
        return found

    def body_of(self, function: int) -> BodyFacts | None:
        """The body of a function as it was read; None where there is none."""
        one = self.functions[function]
        return None if one.body is None else self.sources[one.source].facts.bodies[one.body]

    def bodies_size(self, functions: Iterable[int]) -> int:
        """How many bytes the bodies of some functions take as they are written."""
        bodies = map(self.body_of, functions)
        return sum(body.end - body.start for body in bodies if body is not None)

    def names_of(self, function: int) -> frozenset[str]:
        """
        The names that a body may mention, in the spelling of `BodyFacts.names`.

        Those in its index, and all that stand in the definitions and the calls
        of own macros that it may call, directly or through other macros.
        """
        body = self.body_of(function)
        if body is None:
            return frozenset()
        mentioned = names_of(body)
        own = [name for name in mentioned if name.endswith("!") and name[:-1] in self.own_macros]
        if not own:
            return mentioned
        found = set(mentioned)
        for name in own:
            found |= self.names_of_macro(name[:-1])
        if body.names:
            # The index holds what parses as arguments; other grammars are known to the macro only.
            # A body that waits as text has no index, and all its words are names.
            for row in decode_body(body.data).rows:
                if isinstance(row, MacroRow) and row.path[-1] in self.own_macros:
                    found |= identifiers(row.text)
        return frozenset(found)

    def names_of_macro(self, name: str) -> frozenset[str]:
        """All that macros of this name may bring in; ends because each macro's text is read once."""
        found = self.macro_names.get(name)
        if found is None:
            names: set[str] = set()
            seen = {name}
            waiting = [name]
            while waiting:
                for macro in self.own_macros.get(waiting.pop(), ()):
                    inside = identifiers(self.macros[macro].text)
                    names |= inside
                    for one in sorted(inside):
                        if one.endswith("!") and one[:-1] not in seen:
                            seen.add(one[:-1])
                            waiting.append(one[:-1])
            found = frozenset(names)
            self.macro_names[name] = found
        return found

    def traits_in_scope(self, module: int) -> frozenset[int | str]:
        """
        TraitIds, and paths of traits from outside, whose methods may be called at a place.

        A glob of a module from outside is `path::*`: it may bring in any trait of it.
        """
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
        seen = {module}
        waiting = [module]
        while waiting:
            at = waiting.pop()
            inside = at == module or self._is_inside(module, at)
            self._declared_traits(at, inside, found)
            here = self.modules[at]
            for entry, target in zip(here.globs, here.glob_targets, strict=True):
                if target is None or (entry.private and not inside):
                    continue
                if target.kind == "foreign":
                    found |= std_names.glob_traits(target.path)
                    found.add(f"{target.path}::*")
                elif target.kind == "module" and target.id is not None and target.id not in seen:
                    seen.add(target.id)
                    waiting.append(target.id)
        return found

    def _declared_traits(self, module: int, inside: bool, found: set[int | str]) -> None:
        """Add the traits that a module declares or imports by name, private ones only if seen from inside."""
        one = self.modules[module]
        for name, definition in one.types.items():
            if (
                definition.kind == "trait"
                and definition.id is not None
                and (inside or name not in one.private)
            ):
                found.add(definition.id)
        for imports in (*one.imports.values(), one.traits):
            for entry in imports:
                if entry.private and not inside:
                    continue
                target = self._import_target(entry, "type")
                if target is None:
                    continue
                if target.kind == "trait" and target.id is not None:
                    found.add(target.id)
                elif target.kind == "foreign":
                    found.add(target.path)

    def mark_of(self, crate: int) -> str:
        """What `$crate` becomes in expansions of a crate's macros."""
        one = self.crates[crate]
        mark = f"__crate_{one.name}" if one.kind == "lib" else f"__crate_{one.name}_{one.kind}"
        holder = self.crate_marks.setdefault(mark, crate)
        if holder != crate:
            mark = f"{mark}_{crate}"
            self.crate_marks[mark] = crate
        return mark
