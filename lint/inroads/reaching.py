"""
Which bodies may call a function, by what they mention: cheap tests that leave no caller out.

A name in the index of a body; then whether the body's crate and module may see
the function at all; then, for an associated function, whether its type is named before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from inroads.carriers import Carriers, Skeletons
from inroads.derived import derived
from inroads.facts import (
    ArrayType,
    EnumItem,
    FunctionItem,
    ImplItem,
    Item,
    PathType,
    PointerType,
    RefType,
    SliceType,
    StructItem,
    TupleType,
    TypeAliasItem,
    UseItem,
)
from inroads.mentioned import Mentions
from inroads.reads import Recorder, written
from inroads.resolve.model import Function
from inroads.resolve.tables import Tables
from inroads.spelled import Spelled

# Methods that are called without being named: by operators, `for`, `?`, `.await`, the end of a scope.
_UNNAMED = """
add sub mul div rem neg not bitand bitor bitxor shl shr add_assign sub_assign mul_assign div_assign rem_assign
bitand_assign bitor_assign bitxor_assign shl_assign shr_assign index index_mut deref deref_mut eq ne partial_cmp
cmp lt le gt ge drop next into_iter poll into_future from branch from_residual call call_mut call_once
"""
UNNAMED = frozenset(_UNNAMED.split())
# With more candidates than these it pays to look into their rows before judging them.
MANY = 4
# With more than these all bodies are asked at once.
FEW = 16


class Reaching:
    """The names that bodies mention, indexed both ways."""

    def __init__(self, tables: Tables, recorder: Recorder) -> None:
        self.tables = tables
        self.recorder = recorder
        self.mentioned = Mentions(tables)
        self._skeletons = Skeletons()
        self._carriers = Carriers(tables, self.mentioned, self._skeletons)
        self.spelled = Spelled(tables, self.names_for)
        self._spoken: dict[tuple[frozenset[str], bool], frozenset[int]] = {}
        self._expanding: dict[bool, frozenset[int]] = {}
        self._aliases: dict[str, tuple[str, ...]] | None = None
        self._originals: dict[str, list[str]] | None = None
        self._initialisers: dict[str, list[int]] | None = None
        self._dropped: frozenset[str] | None = None
        self._written: dict[str, bool] = {}
        self._crates: dict[int, frozenset[int]] = {}
        self._depending: dict[int, list[int]] | None = None

    def is_written(self, name: str) -> bool:
        """Whether a type or trait of this name is declared here, or a `use` or a signature names it."""
        self.recorder.now.names.add(written(name))
        found = self._written.get(name)
        if found is None:
            found = derived(self.tables, f"written {name}", bool, lambda: self._find_written(name))
            self._written[name] = found
        return found

    def _find_written(self, name: str) -> bool:
        named = (one.name for many in (self.tables.types, self.tables.traits) for one in many)
        return name in named or any(
            name in written_in(item)
            for _, items in self._skeletons.naming(self.tables, name)
            for item in items
        )

    def mentions(self, name: str, *, tests: bool = True) -> tuple[int, ...]:
        """The functions whose body, its macros included, has the name in its index; see `Mentions.of`."""
        self.recorder.now.names.add(name)
        return self.mentioned.of(name, tests=tests)

    def index(self) -> None:
        """Index all bodies, for whoever is going to ask for many names."""
        self.mentioned.make_index()

    def holding(self, owner: str) -> frozenset[int] | None:
        """The functions that may hold a value of a struct from outside; None where that can't be told."""
        names = self.names_for(owner)
        found, words = self._carriers.of(owner, names)
        self.recorder.now.names.update(words, map(written, names), (f"~{word}" for word in words))
        return found

    def candidates(self, function: int, *, tests: bool = True) -> tuple[int, ...]:
        """The functions whose bodies may call this one; without `tests`, none of test code."""
        one = self.tables.functions[function]
        if one.name in UNNAMED and self._is_foreign_traits(one):
            every = self.tables.functions
            return tuple(other.id for other in every if (tests or not other.test) and other.has_body)
        found: set[int] = set()
        for name in self.names_for(one.name):
            found.update(self.mentions(name, tests=tests))
        callers = self._seeing(found, one)
        qualifiers = self._qualifiers(one) if MANY < len(callers) else None
        if qualifiers is not None:
            # Which bodies speak of the type is read off their text, so off all that mention the name.
            self.recorder.now.bodies.update(callers)
            if len(callers) <= FEW or not self.mentioned.is_indexed(tests=tests):
                callers = [caller for caller in callers if self._may_name(caller, one, qualifiers)]
            else:
                naming = self._all_naming(qualifiers, tests)
                saying_self = self.mentioned.speaking("Self", tests=tests)
                callers = [
                    caller
                    for caller in callers
                    if caller in naming
                    or (caller in saying_self and self._is_self(self.tables.functions[caller], one))
                ]
        return tuple(sorted(callers))

    def _may_name(self, caller: int, one: Function, qualifiers: frozenset[str]) -> bool:
        """Whether a body has one of the names, or something that may become it."""
        mentioned = self.mentioned
        return (
            any(mentioned.has_word(caller, name) for name in sorted(qualifiers))
            or (self._is_self(self.tables.functions[caller], one) and mentioned.has_word(caller, "Self"))
            or mentioned.calls_own_macro(caller)
        )

    def _all_naming(self, qualifiers: frozenset[str], tests: bool) -> frozenset[int]:
        """The same for all bodies at once, or for those outside of tests."""
        found = self._spoken.get((qualifiers, tests))
        if found is None:
            mentioned = self.mentioned
            if tests not in self._expanding:
                macros = (f"{name}!" for name in self.tables.own_macros)
                holding = (one for macro in macros for one in mentioned.of(macro, tests=tests))
                self._expanding[tests] = frozenset(holding)
            named = (mentioned.speaking(name, tests=tests) for name in sorted(qualifiers))
            found = self._spoken[(qualifiers, tests)] = self._expanding[tests].union(*named)
        return found

    def may_call(self, caller: int, function: int) -> bool:
        """Whether one of the candidates may call the function, by how its name is written there."""
        # That it does not is read off its text.
        self.recorder.now.bodies.add(caller)
        return self.spelled.may_call(caller, function)

    def _is_foreign_traits(self, one: Function) -> bool:
        """Whether the function is that of an impl of a trait from outside."""
        if one.impl is None:
            return False
        impl = self.tables.impls[one.impl]
        return impl.trait is None and bool(impl.trait_path)

    def names_like(self, pattern: str, *, tests: bool = True) -> tuple[str, ...]:
        """The names that any body may mention and that fit a pattern with `*`, sorted; see `Mentions.of`."""
        self.recorder.now.names.add(pattern)
        return self.mentioned.like(pattern, tests=tests)

    def names_for(self, name: str) -> tuple[str, ...]:
        """The name, and those under which `use .. as ..` or `type .. = ..` brings it in somewhere."""
        if self._aliases is None:
            self._aliases = derived(
                self.tables, "aliases", dict[str, tuple[str, ...]], lambda: _aliases(self.tables)
            )
        if name not in self._aliases:
            return (name,)
        names = {name: None}
        waiting = [name]
        while waiting:
            for alias in self._aliases.get(waiting.pop(), ()):
                if alias not in names:
                    names[alias] = None
                    waiting.append(alias)
        return tuple(names)

    def names_behind(self, word: str) -> tuple[str, ...]:
        """The names of which the word is one by `names_for`."""
        if self._originals is None:
            self.names_for("")
            self._originals = {}
            for name, aliases in (self._aliases or {}).items():
                for alias in aliases:
                    self._originals.setdefault(alias, []).append(name)
        if word not in self._originals:
            return (word,)
        names = {word: None}
        waiting = [word]
        while waiting:
            for name in self._originals.get(waiting.pop(), ()):
                if name not in names:
                    names[name] = None
                    waiting.append(name)
        return tuple(names)

    def named(self, word: str) -> list[int]:
        """The functions, and initialisers, that a word of a body may be the name of."""
        tables = self.tables
        if self._initialisers is None:
            self._initialisers = {}
            for one in tables.functions[len(tables.functions) - tables.initialisers :]:
                self._initialisers.setdefault(one.name, []).append(one.id)
        return [
            function
            for name in self.names_behind(word)
            for function in (*tables.functions_named(name), *self._initialisers.get(name, ()))
        ]

    def dropped(self) -> frozenset[str]:
        """The names of the types with a `Drop` impl here."""
        if self._dropped is None:
            self._dropped = frozenset(
                one.head.rpartition("::")[2]
                for one in self.tables.impls
                if one.trait_path.rpartition("::")[2] == "Drop"
            )
        return self._dropped

    def _qualifiers(self, one: Function) -> frozenset[str] | None:
        """What may stand before the name of an inherent associated function; None for others."""
        if one.impl is None or one.item.receiver is not None:
            return None
        impl = self.tables.impls[one.impl]
        if impl.trait_path or "::" not in impl.head:
            return None
        return frozenset(self.names_for(impl.head.rpartition("::")[2]))

    def _is_self(self, caller: Function, callee: Function) -> bool:
        """Whether `Self` in the caller may be the type that the callee belongs to."""
        if caller.impl is None or callee.impl is None:
            return caller.trait is not None
        return self.tables.impls[caller.impl].head == self.tables.impls[callee.impl].head

    def _seeing(self, callers: Iterable[int], callee: Function) -> list[int]:
        """Those whose crate and module may name the callee, or the trait that it is called through."""
        functions = self.tables.functions
        trait = callee.trait
        if callee.impl is not None and self.tables.impls[callee.impl].trait_path:
            trait = self.tables.impls[callee.impl].trait
            if trait is None:
                return list(callers)
        visibility = callee.item.head.visibility
        if trait is not None or visibility == "pub":
            crates = self._dependents(callee.crate if trait is None else self.tables.traits[trait].crate)
            return [caller for caller in callers if functions[caller].crate in crates]
        own = [caller for caller in callers if functions[caller].crate == callee.crate]
        if visibility:
            return own
        return [caller for caller in own if self._is_inside(functions[caller].module, callee.module)]

    def _dependents(self, crate: int) -> frozenset[int]:
        """The crate and all that depend on it, directly or not."""
        found = self._crates.get(crate)
        if found is None:
            if self._depending is None:
                self._depending = {}
                for one in self.tables.crates:
                    for other in one.dependencies.values():
                        self._depending.setdefault(other, []).append(one.id)
            seen = {crate}
            waiting = [crate]
            while waiting:
                for dependent in self._depending.get(waiting.pop(), ()):
                    if dependent not in seen:
                        seen.add(dependent)
                        waiting.append(dependent)
            found = self._crates[crate] = frozenset(seen)
        return found

    def _is_inside(self, module: int, outer: int) -> bool:
        """Whether a module is another one, or stands in it; a block that declares items counts for its module."""
        modules = self.tables.modules
        while modules[outer].kind == "block" and (parent := modules[outer].parent) is not None:
            outer = parent
        at: int | None = module
        while at is not None:
            if at == outer:
                return True
            at = modules[at].parent
        return False


def written_in(item: Item) -> set[str]:
    """The names that a `use` brings, or in the types of a signature."""
    match item:
        case UseItem(entries=entries):
            return {name for entry in entries for name in (*entry.path, entry.alias)}
        case FunctionItem(parameters=parameters, returns=returns):
            return named_in(*(one.type for one in parameters), returns)
        case StructItem(fields=fields):
            return named_in(*(one.type for one in fields))
        case EnumItem(variants=variants):
            return named_in(*(one.type for variant in variants for one in variant.fields))
        case ImplItem(self_type=of):
            return named_in(of)
        case _:
            return set()


def named_in(*types: object) -> set[str]:
    """All names in types as they are written; "()" for a tuple."""
    found: set[str] = set()
    waiting = [*types]
    while waiting:
        match waiting.pop():
            case PathType(segments=segments):
                for segment in segments:
                    found.add(segment.name)
                    waiting.extend(segment.arguments)
            case (
                RefType(inner=inner)
                | PointerType(inner=inner)
                | SliceType(inner=inner)
                | ArrayType(inner=inner)
            ):
                waiting.append(inner)
            case TupleType(elements=elements):
                found.add("()")
                waiting.extend(elements)
            case _:
                pass
    return found


def _aliases(tables: Tables) -> dict[str, tuple[str, ...]]:
    """A name -> the names that `use` and `type` give it anywhere."""
    found: dict[str, dict[str, None]] = {}
    for source in tables.sources:
        for item in source.facts.items:
            match item:
                case UseItem(entries=entries):
                    for entry in entries:
                        if entry.alias not in ("", "_") and entry.path:
                            found.setdefault(entry.path[-1], {})[entry.alias] = None
                case TypeAliasItem(head=head, type=PathType(segments=(*_, last))):
                    found.setdefault(last.name, {})[head.name] = None
                case _:
                    pass
    return {name: tuple(aliases) for name, aliases in found.items()}
