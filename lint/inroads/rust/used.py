"""The tree of a `use`, told by its text."""

from __future__ import annotations

import re

from inroads.rust.text import Wire

MOST_LISTS = 50
"""How deep the lists of a tree may stand in each other."""

_TOKEN = re.compile(r"\s*+(\w++|::|[{},*]|\Z)", re.ASCII)


def use_entries(chars: str, start: int, end: int) -> tuple[Wire, ...] | None:
    """The leaves of the tree of a `use`, each a UseEntry; None where it is not plain."""
    tokens: list[tuple[str, int]] = []
    at = start
    while at < end:
        found = _TOKEN.match(chars, at, end)
        if found is None:
            return None
        if found[1]:
            tokens.append((found[1], found.start(1)))
        at = found.end()
    tokens.append(("", end))
    leaves: list[Wire] = []
    past = _tree(tokens, 0, (), leaves, 0)
    return tuple(leaves) if past == len(tokens) - 1 else None


def _tree(
    tokens: list[tuple[str, int]], at: int, front: tuple[str, ...], leaves: list[Wire], depth: int
) -> int | None:
    """Append the leaves of one tree behind a path; where the next token stands, None where it is not plain."""
    path: list[str] = []
    begun = tokens[at][1]
    while True:
        word = tokens[at][0]
        at += 1
        if word == "*":
            leaves.append(((*front, *path), "", True, begun))
            return at
        if word == "{":
            if (depth and not path) or MOST_LISTS < depth:
                return None
            while tokens[at][0] != "}":
                past = _tree(tokens, at, (*front, *path), leaves, depth + 1)
                if past is None or tokens[past][0] not in (",", "}"):
                    return None
                at = past + (tokens[past][0] == ",")
            return at + 1
        if not word or not (word[0] == "_" or word[0].isalpha()) or word == "as":
            return None
        path.append(word)
        following = tokens[at][0]
        if following == "::":
            at += 1
            continue
        alias = ""
        if following == "as":
            alias = tokens[at + 1][0]
            at += 2
            if not (alias[:1] == "_" or alias[:1].isalpha()):
                return None
        # `a::{self}` is a.
        whole = front if front and path == ["self"] else (*front, *path)
        leaves.append((whole, alias, False, begun))
        return at
