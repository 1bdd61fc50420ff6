"""
Which bodies mention a name: their words, sought one by one or turned into an index.

A body that waits as text is known by its words; one whose rows are there by the names of its
`BodyFacts`. A call of an own macro brings in whatever stands in the macro's definition.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import translate

from msgspec.structs import replace

from inroads.facts import BodyFacts
from inroads.noted import Noted, packed, unpacked
from inroads.resolve.tables import Tables
from inroads.store import is_waiting

# Words that are sought one by one; with more of them it pays to index all bodies.
MOST_SCANS = 10

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_SPACES = bytes(at if 0x80 <= at or at in _LETTERS else 32 for at in range(256))
_BRACE = re.compile(rb"\s*\{")


class Mentions:
    """The functions by the names that their bodies mention, in the spelling of `BodyFacts.names`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        # What an earlier run found out.
        self.noted: Noted | None = None
        self._rewritten: frozenset[int] = frozenset()
        self._found: dict[tuple[str, bool], tuple[int, ...]] = {}
        self._parts: tuple[_Bodies, _Bodies, list[tuple[int, BodyFacts]]] | None = None
        self._speaking: dict[tuple[str, bool], frozenset[int]] = {}
        self._names: dict[str, list[int]] | None = None
        self._macros: dict[str, list[str]] | None = None
        self._listed: dict[bool, str] = {}
        self._expanding: dict[int, bool] = {}
        self._called: tuple[bytes, ...] | None = None
        self._words: dict[int, set[str]] = {}

    def of(self, name: str, *, tests: bool = True) -> tuple[int, ...]:
        """The functions whose body, its macros included, mentions the name; sorted. Without `tests`, no test code."""
        found = self._found.get((name, tests))
        if found is None:
            known = self._noted(name)
            if known is None:
                found = self._find(name, tests)
            else:
                functions = self._tables.functions
                found = tuple(one for one in known if tests or not functions[one].test)
            self._found[(name, tests)] = found
        return found

    def speaking(self, word: str, *, tests: bool = True) -> frozenset[int]:
        """The functions in whose bodies a word stands, be it in the middle of a path; see `of`."""
        found = self._speaking.get((word, tests))
        if found is None:
            known = self._noted(f"~{word}")
            if known is None:
                # The index of rows knows the ends of paths only; in the rows names stand as they are written.
                written = word.encode()
                rows = (function for function, body in self.read_bodies() if written in body.data)
                known = (*self.of(word, tests=tests), *rows)
            found = self._speaking[(word, tests)] = frozenset(known)
        return found

    def take_over(self, noted: Noted | None) -> None:
        """Use what an earlier run found out."""
        self.noted = noted
        self._rewritten = frozenset() if noted is None else frozenset(unpacked(noted.rewritten))

    def asked(self, names: Iterable[str]) -> Noted:
        """
        What is known about names, for a later run: those with `*` are patterns.

        A word with `~` before it stands for whoever speaks of it; a pattern with a blank behind it is one for
        the names in code that is no test.
        """
        noted = Noted() if self.noted is None else self.noted
        likes: dict[str, tuple[str, ...]] = {}
        functions: dict[str, bytes] = {}
        fresh: list[str] = []
        for name in names:
            if " " in name:
                continue
            if "*" in name:
                for key, tests in ((name, True), (f"{name} ", False)):
                    if key in noted.likes or self.is_indexed(tests=tests):
                        likes[key] = self.like(name, tests=tests)
            elif name in noted.functions:
                functions[name] = noted.functions[name]
            elif self._is_known(name):
                fresh.append(name)
        if fresh and noted.ids:
            # Numbers of now can't stand beside those of then.
            fresh += functions
            noted = Noted()
        for name in fresh:
            found = self.speaking(name[1:]) if name[:1] == "~" else self.of(name)
            functions[name] = packed(sorted(found))
        return replace(noted, functions=functions, likes=likes)

    def _is_known(self, name: str) -> bool:
        return (name, True) in self._found or (name[1:], True) in self._speaking or self.is_indexed()

    def _noted(self, name: str) -> tuple[int, ...] | None:
        """Who mentions a name, by what an earlier run found out; None where it did not."""
        known = None if self.noted is None else self.noted.mentioning(name)
        if known is None:
            return None
        found = {one for one in known if one not in self._rewritten}
        found.update(one for one in self._rewritten if self._is_mentioned(name, one))
        return tuple(sorted(found))

    def _is_mentioned(self, name: str, function: int) -> bool:
        """Whether a function is among those of a name; see `of` and `speaking`."""
        if self._tables.functions[function].body is None:
            return False
        if name[:1] == "~":
            word = name[1:]
            return word in self.words(function) or self.has_word(function, word)
        body = _body(self._tables, function)
        if not is_waiting(body) or name.isidentifier():
            return name in self.words(function)
        return _stands(name.encode(), body.data) or name in self.words(function)

    def words(self, function: int) -> set[str]:
        """The words by which `of` finds a function, those that its macros bring in included."""
        found = self._words.get(function)
        if found is None:
            found = self._words[function] = self._words_in(function)
        return found

    def _words_in(self, function: int) -> set[str]:
        if self._tables.functions[function].body is None:
            return set()
        body = _body(self._tables, function)
        if not is_waiting(body):
            return set(self._tables.names_of(function))
        found = set(body.data.translate(_SPACES).decode("utf-8", "replace").split(" "))
        for macro in found & self._tables.own_macros.keys():
            if _stands(f"{macro}!".encode(), body.data):
                found |= self._tables.names_of_macro(macro)
        return found

    def has_word(self, function: int, word: str) -> bool:
        """Whether a word stands in the body of a function itself, be it in the middle of a path."""
        body = _body(self._tables, function)
        written = word.encode()
        if is_waiting(body):
            return _holds(body.data, written)
        return written in body.data or word in body.names

    def calls_own_macro(self, function: int) -> bool:
        """Whether the body of a function calls a macro of the workspace, which may bring in any name."""
        found = self._expanding.get(function)
        if found is None:
            body = _body(self._tables, function)
            if is_waiting(body):
                found = any(one in body.data and _stands(one, body.data) for one in self._calls_of_macros())
            else:
                found = any(name[-1:] == "!" and name[:-1] in self._tables.own_macros for name in body.names)
            self._expanding[function] = found
        return found

    def _calls_of_macros(self) -> tuple[bytes, ...]:
        """The own macros, as they are written where they are called."""
        if self._called is None:
            self._called = tuple(f"{name}!".encode() for name in self._tables.own_macros)
        return self._called

    def like(self, pattern: str, *, tests: bool = True) -> tuple[str, ...]:
        """The names that any body may mention and that fit a pattern with `*`, sorted; see `of`."""
        noted = None if self.noted is None else self.noted.likes.get(pattern if tests else f"{pattern} ")
        if noted is not None:
            return noted
        core = pattern.strip(".{!")
        before, _, after = pattern.partition(core)
        # No name holds an end of line, so the pattern is one for a whole line.
        line = translate(core).removeprefix("(?s:").removesuffix(r")\Z")
        words = set(re.findall(f"^{line}$", self._listing(tests), re.MULTILINE))
        return tuple(f"{before}{word}{after}" for word in sorted(words))

    def _listing(self, tests: bool) -> str:
        """All names that a body may mention, each in a line, some in several."""
        found = self._listed.get(tests)
        if found is None:
            asked = self._bodies()[: 2 if tests else 1]
            lines = [b"\n".join(one.words()).decode("utf-8", "replace") for one in asked]
            for names in (self._named_in_rows(), self._brought_in()):
                lines += (name.strip(".{!") for name in names)
            found = self._listed[tests] = "\n".join(lines)
        return found

    def is_indexed(self, *, tests: bool = True) -> bool:
        """Whether it costs nothing to ask for one more name."""
        return self._parts is not None and all(
            bodies.index is not None for bodies in self._bodies()[: 2 if tests else 1]
        )

    def make_index(self) -> None:
        """Index all bodies, for whoever is going to ask for many names."""
        for bodies in self._bodies():
            bodies.words()

    def _find(self, name: str, tests: bool) -> tuple[int, ...]:
        waiting = self._waiting_with(name, tests)
        rows, macros = self._named_in_rows().get(name), self._brought_in().get(name)
        if rows is None and macros is None:
            return tuple(waiting)
        functions = self._tables.functions
        found = {*waiting, *(one for one in rows or () if tests or not functions[one].test)}
        for macro in macros or ():
            found.update(self._waiting_with(f"{macro}!", tests))
        return tuple(sorted(found))

    def _waiting_with(self, name: str, tests: bool) -> Sequence[int]:
        """The functions whose bodies wait and hold the name, sorted."""
        word = name.strip(".{!").encode()
        live, of_tests = self._bodies()
        holding = live.find(word)
        if tests:
            more = of_tests.find(word)
            holding = sorted((*holding, *more)) if more else holding
        if name[:1] != "." and name[-1:] not in ("!", "{"):
            return holding
        tables = self._tables
        return [one for one in holding if _stands(name.encode(), _body(tables, one).data)]

    def read_bodies(self) -> Sequence[tuple[int, BodyFacts]]:
        """The functions whose bodies do not wait, as those with items inside."""
        return self._sorted_out()[2]

    def _bodies(self) -> tuple[_Bodies, _Bodies]:
        """The bodies that wait, of the code and of its tests."""
        return self._sorted_out()[:2]

    def _sorted_out(self) -> tuple[_Bodies, _Bodies, list[tuple[int, BodyFacts]]]:
        if self._parts is None:
            self._parts = _sorted_out(self._tables)
        return self._parts

    def _named_in_rows(self) -> Mapping[str, Sequence[int]]:
        """Name -> the functions that mention it and whose bodies do not wait."""
        if self._names is None:
            self._names = {}
            for function, _ in self.read_bodies():
                for name in self._tables.names_of(function):
                    self._names.setdefault(name, []).append(function)
        return self._names

    def _brought_in(self) -> Mapping[str, Sequence[str]]:
        """Name -> the own macros whose definitions hold it."""
        if self._macros is None:
            self._macros = {}
            for macro in self._tables.own_macros:
                for name in self._tables.names_of_macro(macro):
                    self._macros.setdefault(name, []).append(macro)
        return self._macros


class _Bodies:
    """
    The waiting bodies of the code, or of its tests: sought through one word at a time, then indexed.

    Args:
        index: Word -> the functions in whose bodies it stands; None before it is made.
    """

    def __init__(self, bodies: list[tuple[int, bytes]]) -> None:
        self._bodies = bodies
        self._text: _Text | None = None
        self._scans = 0
        self.index: Mapping[bytes, Sequence[int]] | None = None

    def find(self, word: bytes) -> Sequence[int]:
        """The functions in whose bodies the whole word stands, sorted."""
        if self.index is not None or MOST_SCANS <= self._scans:
            return self.words().get(word, ())
        self._scans += 1
        if self._text is None:
            self._text = _Text(self._bodies)
        return self._text.find(word)

    def words(self) -> Mapping[bytes, Sequence[int]]:
        """The index."""
        if self.index is None:
            index: defaultdict[bytes, list[int]] = defaultdict(list)
            for function, data in self._bodies:
                for word in set(data.translate(_SPACES).split()):
                    index[word].append(function)
            self.index = dict(index)
            self._text = None
        return self.index


class _Text:
    """The data of bodies in one piece: looking through it once is a tenth of looking into each."""

    def __init__(self, bodies: Iterable[tuple[int, bytes]]) -> None:
        self.functions: list[int] = []
        self.starts: list[int] = []
        parts: list[bytes] = []
        at = 0
        for function, data in bodies:
            self.functions.append(function)
            self.starts.append(at)
            parts.append(data)
            at += len(data) + 1
        self.data = b"\0".join(parts)

    def find(self, word: bytes) -> tuple[int, ...]:
        """The functions in whose bodies the whole word stands."""
        if not word:
            return ()
        data = self.data
        found: dict[int, None] = {}
        at = data.find(word)
        while 0 <= at:
            end = at + len(word)
            if not _is_letter(data, at - 1) and not _is_letter(data, end):
                found[self.functions[bisect_right(self.starts, at) - 1]] = None
            at = data.find(word, end)
        return tuple(found)


def _sorted_out(tables: Tables) -> tuple[_Bodies, _Bodies, list[tuple[int, BodyFacts]]]:
    """The bodies that wait, of the code and of its tests, and those that do not, as those with items inside."""
    live: list[tuple[int, bytes]] = []
    tests: list[tuple[int, bytes]] = []
    read: list[tuple[int, BodyFacts]] = []
    for one in tables.functions:
        if one.body is not None:
            body = tables.sources[one.source].facts.bodies[one.body]
            if not is_waiting(body):
                read.append((one.id, body))
            else:
                (tests if one.test else live).append((one.id, body.data))
    return _Bodies(live), _Bodies(tests), read


def _body(tables: Tables, function: int) -> BodyFacts:
    one = tables.functions[function]
    assert one.body is not None
    return tables.sources[one.source].facts.bodies[one.body]


def _holds(data: bytes, word: bytes) -> bool:
    """Whether a whole word stands in a text."""
    at = data.find(word)
    while 0 <= at:
        end = at + len(word)
        if not _is_letter(data, at - 1) and not _is_letter(data, end):
            return True
        at = data.find(word, end)
    return False


def _stands(name: bytes, data: bytes) -> bool:
    """Whether a text holds `.name`, `name!` or `name {`."""
    word = name.rstrip(b"!{")
    at = data.find(word)
    while 0 <= at:
        end = at + len(word)
        if name[:1] == b".":
            if not _is_letter(data, end):
                return True
        elif not _is_letter(data, at - 1):
            if name[-1:] == b"!" and data[end : end + 1] == b"!":
                return True
            if name[-1:] == b"{" and _BRACE.match(data, end):
                return True
        at = data.find(word, end)
    return False


def _is_letter(data: bytes, at: int) -> bool:
    """Whether a byte may stand in a name."""
    return 0 <= at < len(data) and _SPACES[data[at]] != 32
