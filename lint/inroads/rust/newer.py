"""
Syntax that is newer than the grammar: where a file does not parse, its words are blanked out and it is parsed again.

Blanks keep every offset. What is lost is only the word itself, as the `safe`
of `safe fn` or the `..` in `S { x, .. } = s`. What stands where the grammar
wants a name is made one, and read as it is: `str` in `str!["a"]`, `0` in `P { 0: a, .. }`.
"""

from __future__ import annotations

import re

from tree_sitter import Node, Tree

from inroads.rust.parse import parse

# Of a match with a group only the group: the last comma of a closure's parameters.
_WORDS = re.compile(
    rb"""
    \bsafe (?=\s+(?:fn|static)\b)
    | \bauto (?=\s+trait\b)
    | \bdefault (?=\s+(?:impl|fn|unsafe|type|const|async)\b)
    | \bconst (?=\s+trait\b)
    | \bsuper (?=\s+let\b)
    | \bfor\s*<[^<>{}()]*> (?=\s*(?:(?:move|async|static)\s+)*\|)
    | (?<=\+\s) for\s*<[^<>{}()]*> (?=\s*[\w:])
    | (?<=\bdyn\s) \s*'\w+\s*\+ (?=\s*[\w:?(])
    | (?<=\bimpl\s) \s*'\w+\s*\+ (?=\s*[\w:?(])
    | :: (?=<[^<>;{}]*(?:<[^<>;{}]*>[^<>;{}]*)*>\s+as\b)
    | (?<=[|,(]\s\.\.) = (?=\s*[\w(])
    | \bpub (?:\s*\([a-z]+\))? (?=\s+(?:unsafe\s+)?impl\b)
    | \[const\] (?=\s+\w)
    | ~ (?:\s*const(?=\s+\w))?
    | (?<=[\[(\s]) \$ (?=\s*[\])])
    | \bunsafe (?=\s+static\b)
    | (?<=[\w>)]\s) \+ (?=\s*[>,])
    | (?:[(,={] | \bmove)\s* \|[^|;{}=]* (,)\s*\|
    """,
    re.VERBOSE,
)
_SKIPPED = frozenset(
    (b"..", b"-", b"gen", b"const", b"~const", b"[const]", b"where", b"builtin #", b"safe", b"(..)")
)
"""What the parser skips and may be left out."""

_BOUNDS = re.compile(rb"where\b[^;{}]*")
_DEFAULT = re.compile(rb"=[^;={}]*")
_TYPE_BOUNDS = re.compile(rb":[^;{}]*")
"""What the parser skips of a unit struct with bounds, a field with a default, and a type that has both."""

_NO_NAME = re.compile(
    rb"""
    (?<![\w'$]) (?:str|bool|char|[iu](?:8|16|32|64|128|size)|f32|f64|try) (?=\s*!\s*[(\[{])
    | (?<=[{,\s]) \d+ (?=\s*:(?!:))
    | \b(?:default|union|str|bool|char|[iu](?:8|16|32|64|128|size)|f32|f64) (?=\s+@\s)
    | (?<![\w'$]) try (?=\s*::)
    | (?:(?<=\bconst\s)|(?<=\bstatic\s)) default (?=\s*:)
    """,
    re.VERBOSE,
)
"""Macros, variables and constants that are called like a type or a word, and the fields of a tuple by number."""

_UNIT = re.compile(rb"(?:\bwhere|,)\s*(\(\))(?=\s*:(?!:))")
"""The unit as what a bound is of: `where (): Encode<T>`."""

_NEAR = re.compile(rb"(?:pub(?:\([a-z]+\))?\s+)?type\s+\w+\s*;|\bbox\s+(?=[\w&(])")
"""A type of a foreign library, in an `extern` block; and the word before a pattern of what is in a Box."""

_ALIAS = re.compile(rb"(\btrait\s+\w+\s*(?:<[^{};]*>)?\s*)=([^{};]*);\s")
_BECOME = re.compile(rb"\bbecome(?=\s+[\w:]+\s*\()")
_FRONT = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:#![^\n]*\n)?\s*(---+)[^\n]*\n(?s:.*?)\n\1[^\S\n]*(?=\n|\Z)")
_BLANKS = re.compile(rb"(?:\s+|//[^\n]*|/\*(?s:.*?)\*/)*")
_TURBOFISH = re.compile(rb"::\s*<(?:[^<>(){};]|<[^<>{};]*>|\([^(){};]*\))*>(?=\s*[{(])")
_BEFORE = 120
"""How far from an error its cause may stand."""

_MOST_ERRORS = 50
_ROUNDS = 3


def parse_newer(data: bytes, tree: Tree) -> Tree:
    """The tree of a text that has errors, or a better one; what one round uncovers is for the next."""
    patched = bytearray(_BECOME.sub(b"return", _ALIAS.sub(rb"\1:\2{}", data)))
    for found in _WORDS.finditer(data):
        _blank(patched, *found.span(found.lastindex or 0))
    for found in _FRONT.finditer(data):
        _blank(patched, *found.span())
    for found in _NO_NAME.finditer(data):
        patched[found.start()] = ord("_")
    for found in _UNIT.finditer(data):
        patched[found.start(1) : found.end(1)] = b"__"
    for _ in range(_ROUNDS):
        errors = error_nodes(tree.root_node)
        for node in errors:
            _blank_near(patched, node)
        better = parse(bytes(patched)) if patched != data else None
        if better is None or len(errors) <= len(error_nodes(better.root_node)):
            break
        tree = better
        data = bytes(patched)
        if not tree.root_node.has_error:
            break
    return tree


def _blank_near(data: bytearray, node: Node) -> None:
    """Blank what an error is known to come from: its own words, attributes and type arguments in patterns."""
    start, end = node.start_byte, node.end_byte
    text = bytes(data[start:end])
    if node.is_error and (text in _SKIPPED or _is_left_out(data, node)):
        _blank(data, start, end)
        return
    for found in _NEAR.finditer(bytes(data[max(start - _BEFORE, 0) : end + _BEFORE])):
        shift = max(start - _BEFORE, 0)
        if start <= found.end() + shift and found.start() + shift <= end:
            _blank(data, found.start() + shift, found.end() + shift)
    for at in (
        *(start + found.start() for found in re.finditer(rb"#\[", data[start : end + 1])),
        _behind(data, end),
    ):
        stop = _attribute_end(data, at)
        if stop is not None:
            _blank(data, at, stop)
    for found in _TURBOFISH.finditer(bytes(data[max(start - _BEFORE, 0) : end + _BEFORE])):
        shift = max(start - _BEFORE, 0)
        _blank(data, found.start() + shift, found.end() + shift)


def _is_left_out(data: bytearray, node: Node) -> bool:
    """Whether the parser skipped the bounds of a unit struct or of a type with a default, or a default."""
    around = node.parent.type if node.parent is not None else ""
    match around:
        case "field_declaration" | "field_declaration_list":
            pattern, ends = _DEFAULT, b",}"
        case "associated_type":
            pattern, ends = _DEFAULT, b";"
        case "type_item":
            pattern, ends = _TYPE_BOUNDS, b"="
        case _:
            pattern, ends = _BOUNDS, b";"
    text = data[node.start_byte : node.end_byte]
    behind = _behind(data, node.end_byte)
    return pattern.fullmatch(text) is not None and data[behind : behind + 1] in ends


def _behind(data: bytearray, end: int) -> int:
    """Where the next token after an offset begins."""
    found = _BLANKS.match(data, end)
    return found.end() if found is not None else end


def _attribute_end(data: bytearray, start: int) -> int | None:
    """Where the attribute that begins here ends; None if there is none."""
    if data[start : start + 2] != b"#[":
        return None
    depth = 0
    for found in re.compile(rb"[\[\]]").finditer(data, start, start + 2000):
        depth += 1 if found.group() == b"[" else -1
        if depth == 0:
            return found.end()
    return None


def _blank(data: bytearray, start: int, end: int) -> None:
    data[start:end] = re.sub(rb"[^\n]", b" ", data[start:end])


def error_nodes(root: Node) -> list[Node]:
    """The places that the parser skipped or missed something; the first ones, in order."""
    found: list[Node] = []
    stack = [root]
    while stack and len(found) < _MOST_ERRORS:
        at = stack.pop()
        if at.is_error or at.is_missing:
            found.append(at)
        elif at.has_error:
            stack.extend(reversed(at.children))
    return found
