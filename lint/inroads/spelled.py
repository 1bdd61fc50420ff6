"""
Whether a body may call a function, by how the function's name is written there.

A body that holds a name may use it for much else: a field, a variable, a module, the
function of another type, a word in a comment. That is read off its text, and such bodies need
not be judged. It errs on one side only: what is not plain may be a call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import msgspec

from inroads.derived import derived
from inroads.facts import FunctionItem, TypeAliasItem, UseItem
from inroads.resolve.model import Function
from inroads.resolve.tables import Tables
from inroads.rust.loose import BodyText
from inroads.store import is_waiting

MOST_KEPT = 2000
"""Texts that are kept for who asks next."""

HARD = (b"/*", b'br"', b"br#")
"""Comments that may stand in each other, and strings that end otherwise."""
_LAST_WORD = re.compile(r"\w+\Z")
NEAR = 100
"""So far a name is looked around from; where there are only blanks it is not plain."""


class Callee(msgspec.Struct, frozen=True):
    """
    How a function may be called.

    Args:
        names: Its name, and those that a `use` gives it.
        free: Whether it belongs to no type or trait; `method` whether it has a receiver.
        owners: Of an inherent function, what its type may be called; None where nothing need stand before its name.
    """

    names: tuple[str, ...]
    free: bool
    method: bool
    owners: frozenset[str] | None


class Spelled:
    """The names of functions in the texts of bodies."""

    def __init__(self, tables: Tables, names_for: Callable[[str], tuple[str, ...]]) -> None:
        self._tables = tables
        self._names_for = names_for
        self._callees: dict[int, Callee | None] = {}
        self._texts: dict[int, str | None] = {}
        self._given: tuple[frozenset[str], frozenset[str]] | None = None

    def may_call(self, caller: int, callee: int) -> bool:
        """Whether a body that holds the callee's name may call it, or hand it on."""
        text = self._text(caller)
        if text is None:
            return True
        called = self.callee(callee)
        return called is None or any(
            not name.isascii() or self.is_used(around(text, at, name), name, caller, callee, called)
            for name in called.names
            for at in places(text, name)
        )

    def may_use(self, caller: int, name: str) -> bool:
        """Whether something of this name may be called in a body, built or handed on."""
        text = self._text(caller)
        if text is None or not name.isascii():
            return True
        for before, after in (around(text, at, name) for at in places(text, name)):
            if not before or not after or before.endswith("#"):
                return True
            if before.endswith(".") and not before.endswith(".."):
                if after.startswith(("(", "::")):
                    return True
            elif after.startswith("::") or not after.startswith(":"):
                return True
        return False

    def calls_method(self, caller: int, name: str) -> bool:
        """Whether a body may call a method of this name, whatever it takes."""
        text = self._text(caller)
        if text is None or not name.isascii():
            return True
        return any(
            before.endswith(".") and not before.endswith("..") and after.startswith(("(", "::"))
            for before, after in (around(text, at, name) for at in places(text, name))
        )

    def _text(self, function: int) -> str | None:
        """The text of a body; None where it is hard to read, or an own macro may bring in what does not stand there."""
        if function not in self._texts:
            if MOST_KEPT <= len(self._texts):
                self._texts.clear()
            self._texts[function] = self._read(self._tables.functions[function])
        return self._texts[function]

    def _read(self, function: Function) -> str | None:
        body = self._tables.body_of(function.id)
        if body is None or not is_waiting(body) or any(one in body.data for one in HARD):
            return None
        text = BodyText(body.data).text
        return None if self.calls_own_macro(text) else text

    def calls_own_macro(self, text: str) -> bool:
        """Whether a macro of the workspace is called in a text, which may bring in any name."""
        own = self._tables.own_macros
        at = text.find("!") if own else -1
        while 0 <= at:
            word = _LAST_WORD.search(text[max(0, at - NEAR) : at].rstrip())
            if word is not None and word[0] in own:
                return True
            at = text.find("!", at + 1)
        return False

    def callee(self, function: int) -> Callee | None:
        """How a function may be called; None for those of traits from outside, which need not be named."""
        if function not in self._callees:
            self._callees[function] = self._callee(self._tables.functions[function])
        return self._callees[function]

    def _callee(self, one: Function) -> Callee | None:
        item: FunctionItem = one.item
        owners: frozenset[str] | None = None
        if one.impl is not None:
            impl = self._tables.impls[one.impl]
            if impl.trait_path:
                if impl.trait is None:
                    return None
            elif "::" in impl.head:
                owners = frozenset(self._names_for(impl.head.rpartition("::")[2]))
        return Callee(
            self._names_for(one.name),
            one.impl is None and one.trait is None,
            item.receiver is not None,
            owners,
        )

    def is_used(self, beside: tuple[str, str], name: str, caller: int, callee: int, called: Callee) -> bool:
        """Whether the name with that before and behind it may be that of the callee."""
        before, after = beside
        if not before or not after or before.endswith("#"):
            return True
        if before.endswith(".") and not before.endswith(".."):
            return called.method and after.startswith(("(", "::"))
        if before.endswith("::"):
            return called.free or self._may_own(before[:-2].rstrip(), caller, callee, called)
        if called.free:
            # What is followed by a colon is a field that gets a value, or a variable.
            return not after.startswith(":") or after.startswith("::")
        return name in self._named()[1]

    def _may_own(self, before: str, caller: int, callee: int, called: Callee) -> bool:
        """Whether the path before the name of an associated function may be that of its type."""
        word = _LAST_WORD.search(before)
        if called.owners is None or word is None or word[0] in called.owners:
            return True
        if word[0] == "Self":
            return self._is_self(self._tables.functions[caller], self._tables.functions[callee])
        if word[0] in self._named()[0]:
            return True
        outer = before[: word.start()].rstrip()
        if not outer.endswith("::"):
            return False
        # The type that another type or a trait calls by this name may be any.
        module = _LAST_WORD.search(outer[:-2].rstrip())
        return module is None or module[0][:1].isupper()

    def _is_self(self, caller: Function, callee: Function) -> bool:
        """Whether `Self` in the caller may be the type that the callee belongs to."""
        if caller.impl is None or callee.impl is None:
            return caller.trait is not None
        return self._tables.impls[caller.impl].head == self._tables.impls[callee.impl].head

    def _named(self) -> tuple[frozenset[str], frozenset[str]]:
        """The names of type aliases, associated ones too; the names that a `use` takes out of a type."""
        if self._given is None:
            found = derived(self._tables, "taken", tuple[frozenset[str], frozenset[str]], self._find_named)
            self._given = found
        return self._given

    def _find_named(self) -> tuple[frozenset[str], frozenset[str]]:
        aliases: set[str] = set()
        taken: set[str] = set()
        for source in self._tables.sources:
            for item in source.facts.items:
                match item:
                    case UseItem(entries=entries):
                        for entry in entries:
                            if 1 < len(entry.path) and entry.path[-2][:1].isupper():
                                taken.update((entry.path[-1], entry.alias))
                    case TypeAliasItem(head=head):
                        aliases.add(head.name)
                    case _:
                        pass
        return frozenset(aliases), frozenset(taken)


def places(text: str, word: str) -> Iterator[int]:
    """Where a whole word stands."""
    at = text.find(word)
    while 0 <= at:
        end = at + len(word)
        if not (_is_letter(text[at - 1 : at]) or _is_letter(text[end : end + 1])):
            yield at
        at = text.find(word, end)


def _is_letter(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())


def around(text: str, at: int, word: str) -> tuple[str, str]:
    """What stands before and behind a word, without blanks; never nothing but for blanks without end."""
    end = at + len(word)
    return text[max(0, at - NEAR) : at].rstrip(), text[end : end + NEAR].lstrip()
