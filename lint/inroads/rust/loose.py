"""
Calls in the text of a body, and whether their value is taken apart at once.

Whether a body can lose an error is told by few calls of it: those of
something that can fail whose value goes on to anything but a `?` or an
`unwrap()`. To find these, a body need not be parsed. What is read here from
its text errs on one side only: a call may be seen where there is none, and
a value may be called loose that is not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

# A string, a comment, a character; what begins like one and is none stays as it is.
_DEAD = re.compile(
    r"""["'/](?:(?<=")(?:[^"\\]|\\[\s\S])*"|(?<=/)/[^\n]*|(?<=')(?:[^'\\\n\x80-\xff]|[\x80-\xff]{2,4}|\\.[^'\n]*)')"""
)
_HELD = re.compile(r"\{(\w+)")
_RAW = re.compile(r"""\br(#*)"[\s\S]*?"\1|""" + _DEAD.pattern)
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_SPACES = bytes(at if 0x80 <= at or at in _LETTERS else 32 for at in range(256))
_BRACKETS = re.compile(r"[()\[\]{}]")
_MARKS = re.compile(r"[()\[\]{};]|\|\|?|\basync\b")
_GENERICS = r"(?:\s*::\s*<[^;{}]{0,200}?>)?\s*"
_OPEN = re.compile(_GENERICS + r"\(")
_OPEN_MACRO = re.compile(r"!\s*[(\[{]")
_AFTER = re.compile(r"(?:\s*\.\s*await\b)?\s*(?:\?|\.\s*(\w+)" + _GENERICS + r"\()")
_END = re.compile(r"(?:\s*\.\s*await\b)?\s*\}\s*\Z")
_LAST_WORD = re.compile(r"\w+\Z")
_NO_FIELD = re.compile(r"\w|\(|\s*::")
_SELF = re.compile(r"(?<![\w.])self\s*\.\s*\Z")
_AWAITED = re.compile(r"\s*\.\s*await\b")
_GIVEN = re.compile(r"\|\s*(?:&\s*)?(?:mut\s+)?(\w+)\s*(?::[^|]*)?\|")
_PARAMETERS = re.compile(r"\|[^|]*\|")
_RESULT_NAMES = frozenset(("Ok", "Err"))
_LET_WILDCARD = re.compile(r"let\b[^=;]*?(?<![\w.])_(?!\w)")
_WILDCARD_GETS = re.compile(r"_\s*=[^=>]")
_FOLLOWS = re.compile(r"[)\]}\s]*(=>|=(?!=)|\|(?!\|)|if\b|,)")
_PATH_BEFORE = re.compile(r"(?:\w+\s*::\s*)+\Z")
_WORD_AT = re.compile(r"\w+")
_CALLED_BEFORE = re.compile(r"\w+(?=" + _GENERICS + r"\Z)")
_UNCALLED = re.compile(r"\b\w+\b(?!\(|\s*::)")
_CALLED = re.compile(r"(\w+)" + _GENERICS + r"\(")
_PLAIN_CALL = re.compile(r"(?<![\w.:!])([a-z_]\w*)\(|[)\]]\s*\(")
_BEFORE_CLOSURE = frozenset("(,={;>:&!+*/<-[")
_WORDS_BEFORE_CLOSURE = frozenset(
    ("move", "return", "async", "static", "in", "else", "match", "if", "while", "break", "yield")
)

KEEPS = frozenset(
    ("map", "and_then", "context", "with_context", "wrap_err", "wrap_err_with", "inspect", "inspect_err")
)
"""Methods of a Result whose value has its error still."""

PANICS = frozenset(("unwrap", "expect"))

Kind = Literal["method", "path", "value"]


class Written(NamedTuple):
    """
    A name where something of that name may be called.

    Args:
        kind: Behind a point, or not; a `value` is not called here but handed on.
        before: Of a path, the segment before the name; empty where there is none or it is not plain.
        start: Where the name begins.
        opened: Where the parenthesis of the arguments stands; of a value, where the name ends.
    """

    kind: Kind
    before: str
    start: int
    opened: int


@lru_cache(maxsize=4)
def words_in(data: bytes) -> frozenset[str]:
    """All words in the data of a body that waits, those in strings and comments too; kept for who asks next."""
    return _words(data)


def _words(data: bytes) -> frozenset[str]:
    return frozenset(data.translate(_SPACES).decode("latin-1").split())


class BodyText:
    """
    The text of a body, without its strings and comments.

    Where it is `hard` to read, what is told of it is worth nothing.
    """

    __slots__ = ("_closed", "_frames", "_known", "_names", "_opened", "_uncalled", "hard", "text")

    def __init__(self, data: bytes) -> None:
        text = data[2:].decode("latin-1")
        self.text = (_RAW if 'r"' in text or "r#" in text else _DEAD).sub(_alive, text)
        self._names: frozenset[str] | None = None
        # Comments may stand in comments, and names are spelled otherwise beyond ASCII.
        self.hard = "/*" in text or not self.text.isascii()
        self._uncalled: frozenset[str] | None = None
        self._closed: dict[int, int] | None = None
        self._opened: dict[int, int] = {}
        self._frames: tuple[list[int], list[int]] | None = None
        self._known: dict[int, bool] = {}

    @property
    def names(self) -> frozenset[str]:
        """The words in it."""
        if self._names is None:
            self._names = _words(self.text.encode("latin-1"))
        return self._names

    @property
    def uncalled(self) -> frozenset[str]:
        """The words that stand anywhere but before the parenthesis of a call or before `::`."""
        if self._uncalled is None:
            self._uncalled = frozenset(_UNCALLED.findall(self.text))
        return self._uncalled

    def named(self, name: str) -> list[Written]:
        """Where a function or method of this name may be called or handed on."""
        text = self.text
        found: list[Written] = []
        for at in self._places(name):
            end = at + len(name)
            follows = text[end : end + 1]
            if follows == "(":
                found.append(Written(*self._qualifier(at), at, end))
                continue
            if follows.isalnum() or follows == "_":
                continue
            called = _OPEN.match(text, end)
            kind, owner = self._qualifier(at)
            if called is not None:
                found.append(Written(kind, owner, at, called.end() - 1))
            elif kind == "path" and follows in (",", ")"):
                found.append(Written("value", owner, at, end))
        return found

    def _places(self, word: str) -> Iterator[int]:
        """Where something begins with a word."""
        text = self.text
        at = text.find(word)
        while 0 <= at:
            before = text[at - 1] if at else " "
            if not (before.isalnum() or before == "_"):
                yield at
            at = text.find(word, at + len(word))

    def _qualifier(self, at: int) -> tuple[Literal["method", "path"], str]:
        text = self.text
        before = text[at - 1] if at else " "
        while before.isspace() and 1 < at:
            at -= 1
            before = text[at - 1]
        if before == "." and text[at - 2 : at] != "..":
            return "method", ""
        if before == ":" and text[at - 2 : at] == "::":
            owner = _LAST_WORD.search(text, max(0, at - 80), at - 2)
            return "path", owner[0] if owner is not None else "?"
        return "path", ""

    def macro_calls(self, name: str) -> list[bool]:
        """The calls of a macro: for each, whether its name stands alone, without a path before it."""
        text = self.text
        return [
            self._qualifier(at) == ("path", "")
            for at in self._places(name)
            if text.startswith("!", at + len(name))
        ]

    def has_macro(self, name: str) -> bool:
        """Whether a macro is called whose value is not taken apart at once."""
        text = self.text
        for at in self._places(name):
            end = at + len(name)
            opened = _OPEN_MACRO.match(text, end)
            if opened is not None and not self.is_taken(opened.end() - 1):
                return True
        return False

    def receiver(self, call: Written) -> str:
        """What a method is called on: `.field`, `name`, `name()` for another call; empty for anything else."""
        text = self.text
        at = self._receiver_end(call.start)
        front = text[max(0, at - 1) : at]
        if front == ")":
            opened = self.opened(at - 1)
            word = _LAST_WORD.search(text, max(0, opened - 80), opened) if opened is not None else None
            return f"{word[0]}()" if word is not None else ""
        word = _LAST_WORD.search(text, max(0, at - 80), at)
        if word is None:
            return ""
        return f".{word[0]}" if text[word.start() - 1 : word.start()] == "." else word[0]

    def is_of_self(self, call: Written) -> bool:
        """Whether a method is called on a field of `self`."""
        text = self.text
        at = self._receiver_end(call.start)
        word = _LAST_WORD.search(text, max(0, at - 80), at)
        return word is not None and _SELF.search(text, max(0, word.start() - 80), word.start()) is not None

    def is_only_of_self(self, name: str) -> bool:
        """Whether a name stands only behind `self.`, but for calls and paths."""
        text = self.text
        for at in self._places(name):
            if _NO_FIELD.match(text, at + len(name)) is not None:
                continue
            if _SELF.search(text, max(0, at - 80), at) is None:
                return False
        return True

    def is_awaited(self, call: Written) -> bool:
        """Whether `.await` follows a call at once."""
        closed = self.closed().get(call.opened)
        return closed is not None and _AWAITED.match(self.text, closed + 1) is not None

    def _receiver_end(self, at: int) -> int:
        """Where that ends on which a method is called whose name begins there; `?` and `.await` do not count."""
        while True:
            front = self.text[max(0, at - 200) : at]
            bare = front.rstrip(" \t\r\n?.")
            at -= len(front) - len(bare)
            if bare.endswith(".await"):
                at -= 6
            elif bare or not front:
                return at

    def arguments(self, call: Written) -> int | None:
        """How many arguments a call has; None where that is not plain."""
        closed = self.closed().get(call.opened)
        if closed is None:
            return None
        inside = self.text[call.opened + 1 : closed]
        if "," not in inside:
            return 1 if inside and not inside.isspace() else 0
        if "|" in inside:
            inside = _PARAMETERS.sub("", inside)
        if "<" in inside:
            return None
        if _BRACKETS.search(inside) is not None:
            depth = 0
            plain = []
            for part in re.split(r"([()\[\]{}])", inside):
                if part in _DEPTH:
                    depth += _DEPTH[part]
                elif depth == 0:
                    plain.append(part)
            inside = "_".join(plain)
        count = inside.count(",")
        return count if inside.rstrip().endswith(",") else count + 1

    def is_taken(self, opened: int) -> bool:
        """
        Whether the value of a call goes on to a `?` that leaves the function, or to an `unwrap`, with
        nothing but `map_err`, `context` and the like between.
        """
        at = self.closed().get(opened)
        way: list[int] = []
        answer = False
        while at is not None:
            if at in self._known:
                answer = self._known[at]
                break
            way.append(at)
            after = _AFTER.match(self.text, at + 1)
            if after is None:
                answer = self._is_last(at + 1)
                break
            name = after[1]
            if name is None:
                answer = not self.in_frame(after.end())
                break
            if name in PANICS:
                answer = True
                break
            opened = after.end() - 1
            at = self.closed().get(opened)
            if name == "map_err" and at is not None:
                if not hands_on(self.text[opened + 1 : at]):
                    break
            elif name not in KEEPS:
                break
        self._known.update(dict.fromkeys(way, answer))
        return answer

    def _is_last(self, at: int) -> bool:
        """Whether what ends there is the value of the whole body."""
        return _END.match(self.text, at) is not None and not self.in_frame(at)

    def closed(self) -> dict[int, int]:
        """For each bracket that opens, where it closes."""
        if self._closed is None:
            self._closed = {}
            stack: list[int] = []
            for found in _BRACKETS.finditer(self.text):
                at = found.start()
                if found[0] in "([{":
                    stack.append(at)
                elif stack:
                    opened = stack.pop()
                    self._closed[opened] = at
                    self._opened[at] = opened
        return self._closed

    def opened(self, closed: int) -> int | None:
        """Where a bracket opens that closes there."""
        self.closed()
        return self._opened.get(closed)

    def in_frame(self, at: int) -> bool:
        """Whether a place may stand in a closure or an async block."""
        if self._frames is None:
            self._frames = self._find_frames()
        starts, ends = self._frames
        found = bisect_right(starts, at) - 1
        return 0 <= found and at <= ends[found]

    def _find_frames(self) -> tuple[list[int], list[int]]:
        """
        The spans of closures and async blocks, those inside others left out: from where one begins to
        the end of the arguments or of the statement.
        """
        text = self.text
        starts: list[int] = []
        ends: list[int] = []
        if "|" not in text and "async" not in text:
            return starts, ends
        depth = 0
        inside: int | None = None
        for found in _MARKS.finditer(text):
            mark = found[0]
            if mark in _DEPTH:
                depth += _DEPTH[mark]
                if inside is not None and depth < inside:
                    ends.append(found.start())
                    inside = None
            elif inside is not None:
                if mark == ";" and depth == inside:
                    ends.append(found.start())
                    inside = None
            elif mark == "async" or (mark != ";" and self._begins_closure(found.start())):
                starts.append(found.start())
                inside = depth
        if inside is not None:
            ends.append(len(text))
        return starts, ends

    def _begins_closure(self, at: int) -> bool:
        front = self.text[max(0, at - 200) : at].rstrip()
        if not front or front[-1] in _BEFORE_CLOSURE:
            return True
        word = _LAST_WORD.search(front)
        return word is not None and word[0] in _WORDS_BEFORE_CLOSURE

    def proves(self) -> bool:
        """Whether a pattern may speak of Ok or Err, or throw something away."""
        text = self.text
        if self._throws_away():
            return True
        if "matches!" in text and not _RESULT_NAMES.isdisjoint(self.names):
            return True
        for at, end in self._results():
            opened = _OPEN.match(text, end)
            if opened is None:
                if text[end : end + 20].lstrip()[:1] == "{":
                    return True
                continue
            closed = self.closed().get(opened.end() - 1)
            if closed is None or self._is_pattern(at, closed):
                return True
        return False

    def _throws_away(self) -> bool:
        if "_" not in self.names:
            return False
        text = self.text
        if "let" in self.names and _LET_WILDCARD.search(text) is not None:
            return True
        before = (text[found.start() - 1] for found in _WILDCARD_GETS.finditer(text))
        return any(not (one.isalnum() or one in "_.") for one in before)

    def _results(self) -> Iterator[tuple[int, int]]:
        """Where `Ok` and `Err` begin and end."""
        for name in _RESULT_NAMES & self.names:
            for at in self._places(name):
                end = at + len(name)
                after = self.text[end : end + 1]
                if not (after.isalnum() or after == "_"):
                    yield at, end

    def _is_pattern(self, start: int, closed: int) -> bool:
        """Whether `Ok(..)` or `Err(..)` may be a pattern, or stand in one."""
        after = _FOLLOWS.match(self.text, closed + 1)
        if after is None:
            return False
        if after[1] != ",":
            return True
        front = _PATH_BEFORE.sub("", self.text[max(0, start - 80) : start].rstrip())
        return front.endswith(("(", "[", "{", ",", ":", "|"))

    def gives(self) -> bool:
        """Whether an `Ok` or `Err` is made in a closure, or handed on."""
        text = self.text
        for at, _ in self._results():
            if text[max(0, at - 80) : at].rstrip().endswith(("(", "[", ",")) or self.in_frame(at):
                return True
        return False

    def replaces(self, name: str) -> bool:
        """Whether a method, as `map_err`, may leave the old error out, or its value is not taken apart at once."""
        for call in self.named(name):
            closed = self.closed().get(call.opened)
            if call.kind == "method" and not (
                closed is not None
                and hands_on(self.text[call.opened + 1 : closed])
                and self.is_taken(call.opened)
            ):
                return True
        return False

    def speaks_of(self, types: frozenset[str]) -> bool:
        """Whether one of these types is named, but for what a `collect` or `sum` gives at once."""
        text = self.text
        return any(
            text[at - 3 : at] != "::<" and text[at + len(name) : at + len(name) + 2] != "::"
            for name in types & self.names
            for at in self._places(name)
        )

    def asked(self, methods: Iterable[str]) -> frozenset[str]:
        """
        The calls on whose value one of these methods is called, or may be by way of a variable.

        As `Owner::name`; the owner is empty before what is called by its name
        alone, and `?` where it is not known.
        """
        found: set[str] = set()
        for method in methods:
            for call in self.named(method):
                at = call.start
                while True:
                    receiver = self._call_before(at)
                    if receiver is None:
                        break
                    at, name = receiver
                    found.add(name)
                if at != call.start:
                    continue
                # A variable: of all that is called.
                for other in _CALLED.finditer(self.text):
                    if not self.is_taken(other.end() - 1):
                        found.add(self._as_written(other.start()))
        return frozenset(found)

    def _call_before(self, at: int) -> tuple[int, str] | None:
        """Where the name of the call begins on whose value what begins at a place is called, and its name."""
        end = self._receiver_end(at)
        opened = self.opened(end - 1) if self.text[end - 1 : end] == ")" else None
        word = None if opened is None else _CALLED_BEFORE.search(self.text, max(0, opened - 200), opened)
        return None if word is None else (word.start(), self._as_written(word.start()))

    def _as_written(self, at: int) -> str:
        word = _WORD_AT.match(self.text, at)
        kind, owner = self._qualifier(at)
        return f"{'?' if kind == 'method' else owner}::{word[0] if word is not None else ''}"

    def has_unknown_calls(self, known: frozenset[str]) -> bool:
        """Whether a variable may be called, or what an expression gives."""
        return any(found[1] is None or found[1] not in known for found in _PLAIN_CALL.finditer(self.text))


_DEPTH = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def hands_on(argument: str) -> bool:
    """Whether what is given to `map_err` makes the new error of the old one."""
    argument = argument.strip()
    given = _GIVEN.match(argument)
    if given is None:
        return "|" not in argument and argument.rpartition("::")[2] not in ("drop", "forget")
    name = given[1]
    return not name.startswith("_") and re.search(rf"\b{name}\b", argument[given.end() :]) is not None


def _alive(found: re.Match[str]) -> str:
    """What a string shows of the variables around it; nothing of comments."""
    text = found[0]
    if text[0] in 'r"' and "{" in text:
        return f'"{" ".join(_HELD.findall(text))}"'
    return " " if text[0] == "/" else '""'
