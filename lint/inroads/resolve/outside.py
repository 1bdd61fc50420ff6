"""
What a macro from outside the workspace declares, as far as its tokens show it.

`thread_local!`, `lazy_static!`, `cfg_if!` and many others take items and give
them back; so tokens that parse as items are read as items.
"""

from __future__ import annotations

import re

import msgspec

from inroads.resolve.configuration import Activity, predicate
from inroads.resolve.tokens import Tokens, as_bytes, as_text, tokenize

_ITEM_WORD = re.compile(
    r"\b(?:fn|mod|struct|enum|union|impl|trait|use|static|const|type|macro_rules|extern)\b"
)
_STATIC_REF = re.compile(r"\bstatic(\s+)ref\b")
_FLAGS = re.compile(r"\bstruct(\s+\w+)\s*:\s*[\w:]+\s*\{")


class Reading(msgspec.Struct, frozen=True):
    """A part of a macro's tokens that may be items: text, its start in the token tree, when it is compiled."""

    text: str
    start: int
    when: Activity


def readings(path: tuple[str, ...], text: str) -> tuple[Reading, ...]:
    """
    The parts of a token tree (`text`, delimiters included) to read as items; none if it holds no item.

    Each text is as long as what it was read from, so that offsets stay right.
    """
    if not _ITEM_WORD.search(text):
        return ()
    name = path[-1] if path else ""
    if name == "cfg_if":
        return tuple(_arms(text))
    inside = text[1:-1]
    if name == "lazy_static":
        inside = _STATIC_REF.sub(lambda match: f"static{match.group(1)}   ", inside)
    elif name == "thread_local" and not inside.rstrip().endswith(";"):
        # The last static needs no `;` there.
        inside += ";"
    elif name == "bitflags":
        inside = _flags(inside)
    return (Reading(inside, 1, Activity(True, True)),)


def _arms(text: str) -> list[Reading]:
    """The arms of `cfg_if!`: each is compiled if its condition holds and none before it."""
    tokens = tokenize(as_bytes(text))
    found: list[Reading] = []
    taken = Activity(False, False)
    condition = Activity(True, True)
    index = 1
    while tokens.balanced and index < len(tokens) - 1:
        word = tokens.texts[index]
        if word == "[":
            inside = _between(tokens, index)
            match = re.match(r"\s*cfg\s*\((.*)\)\s*$", inside, re.DOTALL)
            condition = predicate(match.group(1)) if match else Activity(False, False)
            index = tokens.close[index]
        elif word == "{":
            when = Activity(condition.normal and not taken.normal, condition.test and not taken.test)
            found.append(Reading(as_text(_between(tokens, index)), tokens.ends[index], when))
            taken = Activity(taken.normal or condition.normal, taken.test or condition.test)
            condition = Activity(True, True)
            index = tokens.close[index]
        index += 1
    return found


def _flags(text: str) -> str:
    """
    `struct Flags: u32 { const A = 1; }` as a struct and an impl with constants.

    The impl needs its name: it stands where the representation stood, if there is room.
    """

    def replaced(match: re.Match[str]) -> str:
        name = match.group(1).strip()
        short = f"struct {name};impl {name} {{"
        return short.ljust(len(match.group())) if len(short) <= len(match.group()) else match.group()

    return re.sub(r"\bconst(\s+\w+)\s*=", lambda match: match.group(), _FLAGS.sub(replaced, text))


def _between(tokens: Tokens, index: int) -> str:
    return tokens.text[tokens.ends[index] : tokens.starts[tokens.close[index]]]
