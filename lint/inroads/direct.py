"""
Calls that the text of a body tells whole: a path before a parenthesis that names a function of the workspace.

Who asks for roads wants to know of each body whether it calls one function, and where. Mostly that needs
no types: a path is bound by where it stands, and a function that belongs to no trait is the only one
that runs. Where anything is not that plain, nothing is told, and the body must be judged.
"""

from __future__ import annotations

import re

from inroads.facts import BindingPattern, EnumItem, Generics, ImplItem, PathType, WildcardPattern
from inroads.resolve.model import Function, Impl
from inroads.resolve.tables import Tables
from inroads.rust.late import words_of, words_of_generics
from inroads.rust.lexemes import blanked
from inroads.spelled import HARD, MOST_KEPT, NEAR, Callee, Spelled, around, places
from inroads.store import is_waiting

_PATH = re.compile(r"(?:[A-Za-z_]\w*\s*::\s*)*\Z", re.ASCII)
_WORD = re.compile(r"\w+", re.ASCII)
_LAST_WORD = re.compile(r"\w+\Z", re.ASCII)
_BRACKETS = re.compile(r"[()\[\]{}]")
_USE = re.compile(r"\buse\s[\w\s:{},*]*;")
_ITEM = re.compile(
    r"\b(?:fn|use|struct|enum|union|trait|impl|mod|static|const|type|extern|macro_rules|macro)\b(?!\s*\()"
)
_NO_CALL = frozenset(("fn", "struct", "enum", "trait", "impl", "mod", "type", "dyn", "as", "macro_rules"))
"""Words before a name that is declared, or that of a type."""


class _PlainText:
    """
    A body without strings and comments, each sign in its place; `start` is where it begins in its source.
    """

    __slots__ = ("_unread", "start", "text")

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self._unread: list[tuple[int, int]] | None = None

    def unread(self) -> list[tuple[int, int]]:
        """
        Where something else may stand than expressions that are always read: in the arguments of macros and
        attributes, lengths of arrays, constants among types.
        """
        if self._unread is None:
            self._unread = []
            text = self.text
            opened: list[int] = []
            for bracket in _BRACKETS.finditer(text):
                at = bracket.start()
                if bracket[0] in "([{":
                    opened.append(at)
                elif opened and self._is_unread(start := opened.pop(), at):
                    self._unread.append((start, at))
            self._unread += [(at, len(text)) for at in opened]
        return self._unread

    def _is_unread(self, opened: int, closed: int) -> bool:
        text = self.text
        before = text[max(0, opened - NEAR) : opened].rstrip()[-1:]
        if before in ("!", "#"):
            # `if !(..)` is no macro, but nothing is lost when it is judged.
            return True
        if text[opened] == "[":
            return ";" in text[opened:closed]
        return text[opened] == "{" and before in ("<", ",")


class Direct:
    """The plain calls of functions that belong to no trait."""

    def __init__(self, tables: Tables, spelled: Spelled) -> None:
        self._tables = tables
        self._spelled = spelled
        self._texts: dict[int, _PlainText | None] = {}
        self._alone: dict[int, bool] = {}

    def calls(self, caller: int, callee: int) -> tuple[int, ...] | None:
        """
        Where a body calls a function, and does nothing else with it: the offsets of its name in the caller's source.

        None where that is not plain. Among the candidates all that may name the function do so by its name.
        """
        called = self._spelled.callee(callee)
        if called is None or called.method or not self._is_alone(callee):
            return None
        plain = self._text(caller)
        paths = None if plain is None else self._paths(plain, caller, callee, called)
        if plain is None or not paths:
            return None if paths is None else ()
        one, other = self._tables.functions[caller], self._tables.functions[callee]
        found: list[int] = []
        for at, path in paths:
            named = self._is_named(one, plain.start + at, path, other)
            if named is None:
                return None
            if named:
                found.append(plain.start + at)
        return tuple(sorted(found))

    def _paths(
        self, plain: _PlainText, caller: int, callee: int, called: Callee
    ) -> list[tuple[int, tuple[str, ...]]] | None:
        """The paths that may name the function, and where their last names stand; None if one is no plain call."""
        found: list[tuple[int, tuple[str, ...]]] = []
        text = plain.text
        alone = bound = False
        for name in called.names:
            if not name.isascii():
                return None
            for at in places(text, name):
                beside = around(text, at, name)
                if self._spelled.is_used(beside, name, caller, callee, called):
                    path = _path_of(*beside)
                    if path is None:
                        return None
                    alone = alone or not path
                    found.append((at, (*path, name)))
                else:
                    # A variable with a type, or a field.
                    bound = bound or beside[1].startswith(":")
        if found and (
            (alone and (bound or self._may_bind(caller, called.names)))
            or any(start < at < end for start, end in plain.unread() for at, _ in found)
        ):
            return None
        return found

    def _may_bind(self, caller: int, names: tuple[str, ...]) -> bool:
        """Whether a parameter may have one of the names."""
        item = self._tables.functions[caller].item
        words = words_of(item)
        if words is not None:
            return not words.isdisjoint(names)
        patterns = [parameter.pattern for parameter in item.parameters]
        return any(
            not isinstance(one, WildcardPattern)
            and (not isinstance(one, BindingPattern) or one.sub is not None or one.name in names)
            for one in patterns
        )

    def _text(self, function: int) -> _PlainText | None:
        """The text of a body, if it stands in a file and can be read without a parser."""
        if function not in self._texts:
            if MOST_KEPT <= len(self._texts):
                self._texts.clear()
            self._texts[function] = self._read(function)
        return self._texts[function]

    def _read(self, function: int) -> _PlainText | None:
        tables = self._tables
        one, body = tables.functions[function], tables.body_of(function)
        if (
            body is None
            or not is_waiting(body)
            or tables.sources[one.source].parent is not None
            or any(hard in body.data for hard in HARD)
        ):
            return None
        text = blanked(body.data[2:].decode("latin-1"))
        if not text.isascii() or self._spelled.calls_own_macro(text):
            return None
        if tables.body_modules.get(function):
            # What a `use` brings stands in the block's own table; other items are no part of the body.
            text = _USE.sub(lambda found: " " * len(found[0]), text)
            if _ITEM.search(text) is not None:
                return None
        return _PlainText(text, body.start)

    def _is_alone(self, callee: int) -> bool:
        """Whether a path that names the function's module or type, and the function, names no other function."""
        found = self._alone.get(callee)
        if found is None:
            found = self._alone[callee] = self._find_alone(self._tables.functions[callee])
        return found

    def _find_alone(self, one: Function) -> bool:
        tables = self._tables
        if one.impl is None:
            return one.trait is None
        own = tables.impls[one.impl]
        of_self = own.item.self_type
        if own.trait_path or not _is_plain(own) or not isinstance(of_self, PathType):
            return False
        named = tables.resolve(own.module, of_self, "type")
        if named is None or named.kind != "type" or named.id is None or named.path != own.head:
            return False
        of = tables.types[named.id]
        item = tables.sources[of.source].facts.items[of.item_index]
        if isinstance(item, EnumItem) and any(variant.name == one.name for variant in item.variants):
            return False
        same = [
            id
            for id in tables.impls_of_head.get(own.head, ())
            if tables.impls[id].inherent and one.name in tables.impls[id].methods
        ]
        return same == [one.impl] and own.methods[one.name] == one.id

    def _is_named(self, caller: Function, at: int, path: tuple[str, ...], callee: Function) -> bool | None:
        """Whether a path at a place of a body names the function; None where that is not told by names alone."""
        tables = self._tables
        head = None if callee.impl is None else tables.impls[callee.impl].head
        if path[0] == "Self":
            if caller.impl is None or len(path) != 2:
                return None
            impl = tables.impls[caller.impl]
            return True if _is_plain(impl) and impl.head == head and _sees(caller, callee) else None
        if self._is_generic(caller, path[0]):
            return None
        found = tables.resolve_prefix(tables.module_at(caller.id, at), path, "value")
        if found is None:
            return None
        definition, used = found
        if definition.kind == "function" and used == len(path):
            return definition.id == callee.id
        if definition.kind != "type" or definition.id is None or used != len(path) - 1 or head is None:
            return None
        if tables.types[definition.id].kind == "alias":
            return None
        if definition.path != head:
            return False
        return True if path[-1] == callee.name and _sees(caller, callee) else None

    def _is_generic(self, caller: Function, name: str) -> bool:
        """Whether a name may be that of a type parameter."""
        tables = self._tables
        around: Generics | None = None
        if caller.impl is not None:
            around = tables.impls[caller.impl].item.generics
        elif caller.trait is not None:
            around = tables.traits[caller.trait].item.generics
        if around is not None and any(one.name == name for one in around.parameters):
            return True
        return name in words_of_generics(caller.item)


def _sees(caller: Function, callee: Function) -> bool:
    """Whether the callee is compiled wherever the caller is."""
    return (callee.active or not caller.active) and (caller.test or not callee.test)


def _is_plain(impl: Impl) -> bool:
    """Whether an impl is that of one type, without parameters or conditions."""
    item: ImplItem = impl.item
    of = item.self_type
    return (
        not item.generics.parameters
        and not item.generics.where
        and isinstance(of, PathType)
        and of.qself is None
        and not any(one.arguments for one in of.segments)
    )


def _path_of(before: str, after: str) -> tuple[str, ...] | None:
    """The segments before a name that is called; None where it is not called by a plain path."""
    if after[:1] != "(":
        return None
    written = _PATH.search(before)
    assert written is not None
    front = before[: written.start()].rstrip()
    # What is cut off may go on, or be a method, a macro's variable, a label, `<T as Trait>::` or `::crate`.
    if not front or (front[-1] in ".$#'@" and not front.endswith("..")) or front.endswith("::"):
        return None
    word = _LAST_WORD.search(front)
    if word is not None and word[0] in _NO_CALL:
        return None
    return tuple(_WORD.findall(written[0]))
