"""What git would ignore, from the `.gitignore` files on the way down."""

from __future__ import annotations

import os
import re
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


MANY = 64
"""After so many paths the patterns of a file are put into one expression."""


class Layer:
    """The patterns of one file; `front` is its folder, or `^` and what stands between that and the root."""

    __slots__ = ("_any", "_asked", "_spec", "front")

    def __init__(self, front: str, spec: GitIgnoreSpec) -> None:
        self.front = front
        self._spec = spec
        self._asked = 0
        self._any: re.Pattern[str] | None = None

    def verdict(self, path: str) -> bool | None:
        """Whether a path is hidden; None where the file says nothing of it, as of most."""
        self._asked += 1
        if self._asked == MANY:
            self._any = _any_of(self._spec)
        if self._any is not None and self._any.search(path) is None:
            return None
        return self._spec.check_file(path).include


class Ignores:
    """
    The patterns that hold in one directory: a chain from the innermost file outwards.

    The innermost file that says anything about a path decides, as in git.
    """

    __slots__ = ("_layers",)

    def __init__(self, layers: tuple[Layer, ...] = ()) -> None:
        self._layers = layers

    @classmethod
    def above(cls, root: str) -> Ignores:
        """What holds at the root because of files above it, up to the top of the repository."""
        chain: list[str] = []
        at = root
        while not os.path.exists(os.path.join(at, ".git")):
            parent = os.path.dirname(at)
            if parent == at:
                # No repository: only what stands under the root counts.
                return cls()
            chain.append(parent)
            at = parent
        found = cls()
        for directory in reversed(chain):
            path = os.path.join(directory, ".gitignore")
            front = os.path.relpath(root, directory).replace(os.sep, "/")
            found = found._with(f"^{front}", text_of(path))
        exclude = os.path.join(at, ".git", "info", "exclude")
        front = os.path.relpath(root, at).replace(os.sep, "/")
        return found._with("" if front == "." else f"^{front}", text_of(exclude))

    def within(self, directory: str, text: str) -> Ignores:
        """These, and those of the `.gitignore` in a directory."""
        return self._with(directory, text)

    def _with(self, front: str, text: str) -> Ignores:
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        if not lines:
            return self
        return Ignores((Layer(front, _read(lines)), *self._layers))

    def hides(self, path: str, *, directory: bool) -> bool:
        """Whether git would ignore this path, relative to the root."""
        shown = path + "/" if directory else path
        for layer in self._layers:
            front = layer.front
            if front.startswith("^"):
                asked = f"{front[1:]}/{shown}"
            elif front:
                asked = shown[len(front) + 1 :]
            else:
                asked = shown
            verdict = layer.verdict(asked)
            if verdict is not None:
                return verdict
        return False


def _read(lines: list[str]) -> GitIgnoreSpec:
    """The patterns of some lines; a line that is none, as a lone `!`, is passed over, as git does."""
    try:
        return _spec(lines)
    except (ValueError, re.error):
        return _spec([line for line in lines if is_pattern(line)])


def _spec(lines: list[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    with warnings.catch_warnings():
        # `[[:space:]]` is right for git; Python would tell the user of a "nested set".
        warnings.simplefilter("ignore", FutureWarning)
        return GitIgnoreSpec.from_lines(lines)


def _any_of(spec: GitIgnoreSpec) -> re.Pattern[str] | None:
    """What matches all that any of the patterns matches: most paths fit none, and there may be thousands."""
    compiled = [one.regex for one in spec.patterns if one.regex is not None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        try:
            return re.compile("|".join(f"(?:{_nameless(one)})" for one in compiled))
        except re.error:
            return None


def _nameless(pattern: re.Pattern[str]) -> str:
    """The text of a pattern without the names of its groups: they may stand in several."""
    text = pattern.pattern
    for name in pattern.groupindex:
        text = text.replace(f"(?P<{name}>", "(?:")
    return text


def is_pattern(line: str) -> bool:
    """Whether a line can be read as a pattern of .gitignore."""
    try:
        _spec([line])
    except (ValueError, re.error):
        return False
    return True


def text_of(path: str) -> str:
    """The text of a file; "" where there is none that can be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
