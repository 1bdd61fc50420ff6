"""
Syntax that is newer than the grammar: where a file does not parse, its words are blanked out and it is parsed again.

Blanks keep every offset. What is lost is only the word itself, as the `safe`
of `safe fn` or the `..` in `S { x, .. } = s`.
"""

from __future__ import annotations

import re

from tree_sitter import Node, Tree

from inroads.rust.parse import parse

_WORDS = re.compile(
    rb"""
    \bsafe (?=\s+(?:fn|static)\b)
    | \bauto (?=\s+trait\b)
    | \bdefault (?=\s+(?:impl|fn|unsafe|type|const|async)\b)
    | \bconst (?=\s+trait\b)
    | (?:\[const\] | ~\s*const) (?=\s+\w)
    """,
    re.VERBOSE,
)
_SKIPPED = frozenset((b"..", b"-", b"gen", b"const", b"~const", b"[const]", b"where", b"builtin #", b"safe"))
"""What the parser skips and may be left out."""

_MOST_ERRORS = 50


def parse_newer(data: bytes, tree: Tree) -> Tree:
    """The tree of a text that has errors, or a better one."""
    patched = bytearray(data)
    for found in _WORDS.finditer(data):
        _blank(patched, *found.span())
    errors = error_nodes(tree.root_node)
    for node in errors:
        if node.is_error and data[node.start_byte : node.end_byte] in _SKIPPED:
            _blank(patched, node.start_byte, node.end_byte)
    if patched == data:
        return tree
    better = parse(bytes(patched))
    if better is None or len(errors) <= len(error_nodes(better.root_node)):
        return tree
    return better


def _blank(data: bytearray, start: int, end: int) -> None:
    data[start:end] = b" " * (end - start)


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
