"""What stands before an item and around it: attributes, documentation, visibility, the item that holds it."""

from __future__ import annotations

from tree_sitter import Node

from inroads.rust import kinds as k
from inroads.rust.text import Text, Wire, operands
from inroads.rust.written import path_names


class Place:
    """Where an item stands: its holder, what stood before it, and the block around it."""

    __slots__ = ("attributes", "block", "doc", "full_start", "parent")

    def __init__(self, parent: int | None, block: tuple[int, int] | None = None) -> None:
        self.parent = parent
        self.block = block
        self.attributes: tuple[Wire, ...] = ()
        self.full_start: int | None = None
        self.doc = False

    def clear(self) -> None:
        """Forget attributes and comments: another item begins."""
        self.attributes = ()
        self.full_start = None
        self.doc = False

    def head(self, text: Text, node: Node, name: Node | None, visibility: Node | None = None) -> Wire:
        """The ItemHead of an item of that name."""
        shift = text.shift
        start, end = node.start_byte + shift, node.end_byte + shift
        full = start if self.full_start is None else self.full_start + shift
        return (
            "" if name is None else text.name(name),
            self.parent,
            start,
            end,
            start if name is None else name.start_byte + shift,
            full,
            "" if visibility is None else read_visibility(text, visibility),
            self.attributes,
            self.block,
            self.doc,
        )


def read_visibility(text: Text, node: Node) -> str:
    """`pub`, or what stands inside `pub(..)`."""
    found = text.cut(node.start_byte, node.end_byte)
    if "(" in found:
        return " ".join(found[found.index("(") + 1 :].rstrip(")").split())
    return found.strip()


def attribute(text: Text, item: Node, base: int) -> Wire:
    """The Attribute of `#[..]`."""
    start, end = item.start_byte - base, item.end_byte - base
    for node in item.named_children:
        if node.kind_id == k.ATTRIBUTE:
            parts = operands(node)
            path = "::".join(path_names(text, parts[0])) if parts else ""
            rest = ""
            if 1 < len(parts):
                rest = text.cut(parts[1].start_byte, parts[1].end_byte)
                if parts[1].kind_id == k.TOKEN_TREE:
                    rest = rest[1:-1]
            elif path == "unsafe" or not parts:
                rest = text.cut(node.start_byte, node.end_byte)
            return (path, rest, start, end)
    # `#[unsafe(no_mangle)]` is newer than the grammar.
    return ("", text.cut(item.start_byte, item.end_byte).strip("#[]"), start, end)


def is_outer_doc(chars: str, node: Node) -> bool:
    """Whether a comment documents what follows it."""
    start = node.start_byte
    front = chars[start : start + 4]
    return (front[:3] == "///" and front != "////") or (front[:3] == "/**" and front not in ("/***", "/**/"))


def is_outer_doc_at(chars: str, start: int) -> bool:
    """Whether a doc comment begins here."""
    return chars[start : start + 3] in ("///", "/**")
