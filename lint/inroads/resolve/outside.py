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
_FLAGS = re.compile(r"\b(struct|impl)\s+(\w+)\s*:\s*[\w:]+\s*\{|\bconst\s+\w+(?=\s*=[^=])")
_OPERATORS = ("BitOr", "BitAnd", "BitXor", "Sub")


class Reading(msgspec.Struct, frozen=True):
    """
    A part of a macro's tokens that may be items, and when it is compiled.

    `pieces` say where in the token tree (second, in bytes) the text was written from a byte of it on (first).
    """

    text: str
    pieces: tuple[tuple[int, int], ...]
    when: Activity


def readings(path: tuple[str, ...], text: str) -> tuple[Reading, ...]:
    """The parts of a token tree (`text`, delimiters included) to read as items; none if it holds no item."""
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
        return (_flags(inside),)
    return (Reading(inside, ((0, 1),), Activity(True, True)),)


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
            found.append(Reading(as_text(_between(tokens, index)), ((0, tokens.ends[index]),), when))
            taken = Activity(taken.normal or condition.normal, taken.test or condition.test)
            condition = Activity(True, True)
            index = tokens.close[index]
        index += 1
    return found


def _flags(text: str) -> Reading:
    """
    The types that `bitflags!` declares.

    `struct Flags: u32 { const A = 1; }` is a struct with operators, and an impl whose constants
    are values of it; `impl Flags: u32 { .. }` is that impl alone.
    """
    whole = as_bytes(text)
    made: list[str] = []
    pieces = [(0, 1)]
    length = start = 0
    for match in _FLAGS.finditer(whole):
        word, name = match.groups()
        before, after = ("pub ", ": Self") if word is None else ("", _opened(word, name))
        kept = match.group() if word is None else f"{word} {name}"
        made += (whole[start : match.start()], before, kept, after)
        length += match.start() - start + len(before)
        pieces.append((length, 1 + match.start()))
        length += len(kept) + len(after)
        start = match.end()
        pieces.append((length, 1 + start))
    return Reading(as_text("".join(made) + whole[start:]), tuple(pieces), Activity(True, True))


def _opened(word: str, name: str) -> str:
    """What comes behind `struct Name` or `impl Name`: the rest of the struct, and an impl that is open."""
    if word == "impl":
        return " {"
    impls = "".join(f"impl ::std::ops::{one} for {name} {{ type Output = Self; }} " for one in _OPERATORS)
    return f"; {impls}impl {name} {{"


def _between(tokens: Tokens, index: int) -> str:
    return tokens.text[tokens.ends[index] : tokens.starts[tokens.close[index]]]
