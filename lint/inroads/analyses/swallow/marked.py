"""
Which bodies must be judged to find the errors that they lose.

A body is left out only where it is sure to lose none: it shows no form by
which an error is lost (see rust/marks.py), or it names nothing that can give
one. What can give one is told by signatures: functions of the workspace and of
the described crates whose return type speaks of a Result, or is generic. What
is known of neither is judged where a pattern or a method proves a Result.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from inroads.facts import (
    ArrayType,
    DynType,
    FunctionItem,
    FunctionType,
    ImplType,
    PathType,
    PointerType,
    RefType,
    SliceType,
    TupleType,
    TypeAliasItem,
    TypeRef,
)
from inroads.resolve.judge import world_of
from inroads.store import exact_marks_of, marks_of, names_of

if TYPE_CHECKING:
    from inroads.program import Program
    from inroads.resolve.tables import Tables

PROOFS = frozenset(
    (
        *("ok", "is-err", "if-let", "while-let", "let-else", "match", "matches"),
        "let-underscore",
    )
)
"""Forms that by themselves prove a Result, or that hardly stand for anything else."""

MADE = frozenset(
    ("()", "drop", "forget", "Ok", "Err", "write!", "writeln!", "join!", "try_join!", "select!", "matches!")
)
"""What can give a Result though no signature says so."""


DROPS = frozenset(("drop", "forget"))
"""What throws away the Result that something else has made."""


class Marked:
    """The bodies of a program that may lose an error."""

    def __init__(self, program: Program) -> None:
        self.program = program
        # Name of a function -> the types whose name must stand beside it; None if it is a method or free.
        self.fallible: dict[str, set[str] | None] = {}
        self.passing: set[str] = set()
        self.methods: set[str] = set()
        # Names of free functions of the workspace that cannot fail.
        self.harmless: set[str] = set()
        world = world_of(program.tables)
        self._add(program.tables, own=True)
        self._add(world.foreign.tables, own=False)
        self.macros = frozenset(f"{name}!" for name in program.tables.own_macros)
        self.anywhere = frozenset(name for name, owners in self.fallible.items() if owners is None)
        self.owned = self.fallible.keys() - self.anywhere

    def is_marked(self, function: int) -> bool:
        """Whether a body shows a form that can lose an error, or a macro that may hide one."""
        tables = self.program.tables
        found = tables.functions[function]
        if found.item.body is None:
            return False
        body = tables.sources[found.source].facts.bodies[found.item.body]
        if not marks_of(body):
            return False
        names = names_of(body)
        if not names.isdisjoint(self.macros):
            return True
        can_fail = self._can_fail(names)
        if not can_fail and marks_of(body).isdisjoint(PROOFS):
            return False
        marks = exact_marks_of(body)
        if not marks.isdisjoint(PROOFS):
            return True
        return can_fail and any(self._loses(mark, names) for mark in marks)

    def _loses(self, mark: str, names: frozenset[str]) -> bool:
        _, colon, name = mark.partition(":")
        if not colon or name in MADE:
            return True
        plain = name.lstrip(".")
        if plain != name and plain in self.passing:
            return True
        return self._is_fallible(plain, names) and (plain == name or plain in self.methods)

    def _can_fail(self, names: frozenset[str]) -> bool:
        if not names.isdisjoint(self.anywhere) or not names.isdisjoint(MADE - DROPS):
            return True
        return any(self._is_fallible(name, names) for name in self.owned & names)

    def _is_fallible(self, name: str, names: frozenset[str]) -> bool:
        if name not in self.fallible:
            return False
        owners = self.fallible[name]
        return owners is None or "Self" in names or not owners.isdisjoint(names)

    def _add(self, tables: Tables, *, own: bool) -> None:
        results = _result_names(tables)
        for function in tables.functions:
            item = function.item
            if item.returns is None or not _speaks(
                item.returns, results | _generic_names(item) if own else results
            ):
                if own and item.receiver is None and function.impl is None:
                    self.harmless.add(function.name)
                continue
            owner = _owner(tables, function.impl)
            if item.receiver is not None:
                self.methods.add(function.name)
            if not own and owner in ("Result", "Option"):
                # Its error comes from the receiver, which something else has made.
                self.passing.add(function.name)
            elif not own and owner is None and item.receiver is None and function.name in self.harmless:
                # A function of the workspace has this name; one from outside is called by its module.
                owners = self.fallible.setdefault(function.name, set())
                if owners is not None:
                    owners.update(function.path.split("::")[-2:-1])
            elif item.receiver is not None or owner is None:
                for name in self.program.names_for(function.name) if own else (function.name,):
                    self.fallible[name] = None
            else:
                owners = self.fallible.setdefault(function.name, set())
                if owners is not None:
                    owners.update(self.program.names_for(owner) if own else (owner,))


def _owner(tables: Tables, impl: int | None) -> str | None:
    """The last name of the type that an impl is for; None where it has none that a caller must write."""
    if impl is None:
        return None
    written = tables.impls[impl].item.self_type
    return written.segments[-1].name if isinstance(written, PathType) and written.segments else None


def _result_names(tables: Tables) -> frozenset[str]:
    """`Result`, and the aliases of types that speak of it; ends because each turn adds one."""
    aliases = [
        item for source in tables.sources for item in source.facts.items if isinstance(item, TypeAliasItem)
    ]
    found = {"Result"}
    size = 0
    while size < len(found):
        size = len(found)
        names = frozenset(found)
        found.update(
            item.head.name for item in aliases if item.type is not None and _speaks(item.type, names)
        )
    return frozenset(found)


def _generic_names(item: FunctionItem) -> frozenset[str]:
    """The type parameters of a function, and `Self`, of which a signature tells nothing."""
    return frozenset(parameter.name for parameter in item.generics.parameters) | {"Self"}


def _speaks(written: TypeRef, names: frozenset[str]) -> bool:
    """Whether a type as written holds one of these names, or one that ends in `Result`."""
    waiting: list[TypeRef] = [written]
    while waiting:
        more: Iterable[TypeRef | None] = ()
        match waiting.pop():
            case PathType(segments=segments, qself=qself):
                for segment in segments:
                    # `Self` alone is no Result; `Self::Item` may be one.
                    if segment.name == "Self" and len(segments) == 1:
                        continue
                    if segment.name in names or segment.name.endswith("Result"):
                        return True
                    waiting.extend(segment.arguments)
                    waiting.extend(bound for _, bound in segment.bindings)
                more = (qself,)
            case (
                RefType(inner=inner)
                | PointerType(inner=inner)
                | SliceType(inner=inner)
                | ArrayType(inner=inner)
            ):
                more = (inner,)
            case TupleType(elements=elements):
                more = elements
            case FunctionType(returns=returns):
                more = (returns,)
            case DynType(bounds=bounds) | ImplType(bounds=bounds):
                more = bounds
            case _:
                pass
        waiting.extend(one for one in more if one is not None)
    return False
