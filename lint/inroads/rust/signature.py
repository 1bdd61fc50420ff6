"""What a function takes and gives, and the words before it."""

from __future__ import annotations

from tree_sitter import Node

from inroads.rust import kinds as k
from inroads.rust.patterns import read_pattern, wildcard
from inroads.rust.text import Text, Wire
from inroads.rust.written import INFERRED, read_generics, read_type


class Parts:
    """The parts of a function."""

    __slots__ = ("body", "generics", "listed", "modifiers", "name", "returned", "visibility", "where")

    def __init__(self) -> None:
        self.name: Node | None = None
        self.listed: Node | None = None
        self.body: Node | None = None
        self.visibility: Node | None = None
        self.generics: Node | None = None
        self.where: Node | None = None
        self.modifiers: Node | None = None
        self.returned: Node | None = None


def parts_of(node: Node) -> Parts:
    """What a syntax node of a function is made of."""
    found = Parts()
    for child in node.named_children:
        kind = child.kind_id
        if found.name is None and (kind == k.IDENTIFIER or kind == k.METAVARIABLE):
            found.name = child
        elif kind == k.PARAMETERS:
            found.listed = child
        elif kind == k.BLOCK:
            found.body = child
        elif kind == k.VISIBILITY:
            found.visibility = child
        elif kind == k.TYPE_PARAMETERS:
            found.generics = child
        elif kind == k.WHERE_CLAUSE:
            found.where = child
        elif kind == k.FUNCTION_MODIFIERS:
            found.modifiers = child
        elif kind not in k.EXTRAS:
            found.returned = child
    return found


def signature_of_parts(text: Text, parts: Parts, receiver_type: Wire | None, parameters: Wire) -> Wire:
    """The Signature; its parameters are read before the body, the rest of it behind that."""
    returns = None if parts.returned is None else read_type(text, parts.returned)
    return read_generics(text, parts.generics, parts.where), receiver_type, parameters, returns


def qualities(modifiers: str) -> tuple[bool, bool, bool, str | None]:
    """Whether a function with these words before it is async, unsafe, const; and its ABI."""
    words = modifiers.split()
    abi = None
    if "extern" in modifiers:
        abi = modifiers.split('"')[1] if modifiers.count('"') == 2 else "C"
    return "async" in words, "unsafe" in words, "const" in words, abi


def read_parameters(text: Text, node: Node | None) -> tuple[str | None, Wire | None, Wire]:
    """The receiver, its type if one is written, and the other parameters."""
    receiver: str | None = None
    receiver_type: Wire | None = None
    found: list[Wire] = []
    if node is None:
        return receiver, receiver_type, ()
    shift = text.shift
    for child in node.named_children:
        kind = child.kind_id
        if kind == k.PARAMETER:
            pattern_node = child.child_by_field_id(k.F_PATTERN)
            type_node = child.child_by_field_id(k.F_TYPE)
            written = INFERRED if type_node is None else read_type(text, type_node)
            if pattern_node is None:
                at = child.start_byte + shift
                found.append((wildcard(at, at + 1), written))
            elif pattern_node.kind_id == k.SELF:
                receiver, receiver_type = "typed", written
            else:
                pattern = read_pattern(text, -shift, pattern_node)
                if pattern[0] == 22 and text.chars[child.start_byte : pattern_node.start_byte].split() == [
                    "mut"
                ]:
                    pattern = (*pattern[:4], None, True)
                found.append((pattern, written))
        elif kind == k.SELF_PARAMETER:
            parts = [part.kind_id for part in child.named_children]
            if text.chars[child.start_byte] != "&":
                receiver = "value"
            else:
                receiver = "mut" if k.MUTABLE in parts else "ref"
        elif kind == k.ATTRIBUTE_ITEM or kind == k.VARIADIC or kind in k.EXTRAS:
            continue
        else:
            # An anonymous parameter of the 2015 edition.
            at = child.start_byte + shift
            found.append((wildcard(at, at), read_type(text, child)))
    return receiver, receiver_type, tuple(found)
