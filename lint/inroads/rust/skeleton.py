"""The items of a file, in the order in which they begin: all that another file can see."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tree_sitter import Node

from inroads.rust import kinds as k
from inroads.rust.heads import Place, attribute, is_outer_doc, is_outer_doc_at, read_visibility
from inroads.rust.signature import parts_of, qualities, read_parameters, signature_of_parts
from inroads.rust.text import Text, Wire, operands
from inroads.rust.written import INFERRED, macro_parts, path_names, read_bounds, read_generics, read_type

if TYPE_CHECKING:
    from inroads.rust.file import FileReader
    from inroads.rust.reader import Reader

ItemReader: TypeAlias = "Callable[[FileReader, Node, Place], int | None]"


def read_items(file: FileReader, children: list[Node], place: Place) -> None:
    """Append the items among these syntax nodes, and what they hold."""
    text = file.text
    chars = text.chars
    shift = text.shift
    attributes: list[Wire] = []
    for child in children:
        kind = child.kind_id
        if kind == k.ATTRIBUTE_ITEM:
            attributes.append(attribute(text, child, -shift))
            if place.full_start is None:
                place.full_start = child.start_byte
            continue
        if kind == k.LINE_COMMENT or kind == k.BLOCK_COMMENT:
            if is_outer_doc(chars, child):
                place.doc = True
                if place.full_start is None:
                    place.full_start = child.start_byte
            continue
        read = ITEMS.get(kind)
        if read is not None:
            place.attributes = tuple(attributes)
            read(file, child, place)
        elif kind == k.INNER_ATTRIBUTE_ITEM:
            if place.parent is None:
                file.inner.append(attribute(text, child, -shift))
        elif kind == k.EXPRESSION_STATEMENT:
            # `m!(..);` in item position.
            for inner in child.named_children:
                if inner.kind_id == k.MACRO_INVOCATION:
                    place.attributes = tuple(attributes)
                    macro_call(file, inner, place)
        elif kind == k.ERROR and text.enter(child):
            # What could be read inside the ruins.
            read_items(file, child.named_children, Place(place.parent, place.block))
            text.leave()
        if attributes:
            attributes = []
        place.clear()


def nested_item(reader: Reader, node: Node, attributes: list[Node], full_start: int | None) -> bool:
    """Read an item inside a body; whether there is one."""
    place = Place(reader.owner, reader.block)
    text = reader.text
    place.attributes = tuple([attribute(text, found, -text.shift) for found in attributes])
    place.full_start = full_start
    place.doc = full_start is not None and is_outer_doc_at(text.chars, full_start)
    read = ITEMS.get(node.kind_id)
    if read is None or not text.enter(node):
        return False
    read(reader.file, node, place)
    text.leave()
    return True


def is_item(kind: int) -> bool:
    """Whether a statement of this kind is an item."""
    return kind in ITEMS and kind != k.MACRO_INVOCATION


def function(file: FileReader, node: Node, place: Place) -> int:
    """`fn name<..>(..) -> T where .. { .. }`."""
    text = file.text
    parts = parts_of(node)
    at = len(file.items)
    head = place.head(text, node, parts.name, parts.visibility)
    file.items.append(())
    receiver, receiver_type, parameters = read_parameters(text, parts.listed)
    body_index = None
    if parts.body is not None:
        returned = parts.returned
        opaque = returned is not None and "impl " in text.chars[returned.start_byte : returned.end_byte]
        body_index = file.body(text, parts.body, at, opaque=opaque)
    modifiers = parts.modifiers
    written = "" if modifiers is None else text.cut(modifiers.start_byte, modifiers.end_byte)
    file.items[at] = (
        100,
        head,
        signature_of_parts(text, parts, receiver_type, parameters),
        receiver,
        body_index,
        *qualities(written),
    )
    return at


def read_fields(text: Text, node: Node | None) -> tuple[tuple[Wire, ...], str]:
    """The fields and the form: named, tuple or unit."""
    if node is None:
        return (), "unit"
    found: list[Wire] = []
    shift = text.shift
    if node.kind_id == k.FIELD_DECLARATION_LIST:
        pinned = False
        for child in node.named_children:
            if child.kind_id == k.ATTRIBUTE_ITEM:
                pinned = pinned or text.cut(child.start_byte, child.end_byte) == "#[pin]"
                continue
            if child.kind_id != k.FIELD_DECLARATION:
                continue
            name, type_node = child.child_by_field_id(k.F_NAME), child.child_by_field_id(k.F_TYPE)
            if name is None or type_node is None:
                continue
            first = child.named_children[0]
            visibility = read_visibility(text, first) if first.kind_id == k.VISIBILITY else ""
            place = name.start_byte + shift
            found.append((text.name(name), read_type(text, type_node), visibility, place, pinned))
            pinned = False
        return tuple(found), "named"
    visibility = ""
    pinned = False
    for child in node.named_children:
        kind = child.kind_id
        if kind == k.VISIBILITY:
            visibility = read_visibility(text, child)
        elif kind == k.ATTRIBUTE_ITEM:
            pinned = pinned or text.cut(child.start_byte, child.end_byte) == "#[pin]"
        elif kind not in k.EXTRAS:
            place = child.start_byte + shift
            found.append((str(len(found)), read_type(text, child), visibility, place, pinned))
            visibility = ""
            pinned = False
    return tuple(found), "tuple"


def _front(node: Node) -> tuple[Node | None, Node | None, Node | None]:
    """Name, type parameters and visibility."""
    first = node.named_child(0) if node.named_child_count else None
    visibility = first if first is not None and first.kind_id == k.VISIBILITY else None
    return node.child_by_field_id(k.F_NAME), node.child_by_field_id(k.F_TYPE_PARAMETERS), visibility


def _where(node: Node) -> Node | None:
    for child in node.named_children:
        if child.kind_id == k.WHERE_CLAUSE:
            return child
    return None


def structure(file: FileReader, node: Node, place: Place) -> int:
    """`struct Name { .. }`, `union Name { .. }`."""
    text = file.text
    name, generics, visibility = _front(node)
    fields, form = read_fields(text, node.child_by_field_id(k.F_BODY))
    if node.kind_id == k.UNION_ITEM:
        form = "union"
    parts = (read_generics(text, generics, _where(node)), fields)
    return file.add((101, place.head(text, node, name, visibility), form, parts))


def enumeration(file: FileReader, node: Node, place: Place) -> int:
    """`enum Name { .. }`."""
    text = file.text
    name, generics, visibility = _front(node)
    variants: list[Wire] = []
    attributes: list[Wire] = []
    body = node.child_by_field_id(k.F_BODY)
    for child in body.named_children if body is not None else ():
        kind = child.kind_id
        if kind == k.ATTRIBUTE_ITEM:
            attributes.append(attribute(text, child, -text.shift))
        elif kind == k.ENUM_VARIANT:
            named = child.child_by_field_id(k.F_NAME)
            fields, form = read_fields(text, child.child_by_field_id(k.F_BODY))
            written = "" if named is None else text.name(named)
            at = (child if named is None else named).start_byte + text.shift
            variants.append((written, at, fields, form, tuple(attributes)))
            attributes = []
    parts = (read_generics(text, generics, _where(node)), tuple(variants))
    return file.add((102, place.head(text, node, name, visibility), parts))


def _holds(file: FileReader, node: Node, at: int) -> None:
    body = node.child_by_field_id(k.F_BODY)
    if body is not None and file.text.enter(body):
        read_items(file, body.named_children, Place(at))
        file.text.leave()


def trait(file: FileReader, node: Node, place: Place) -> int:
    """`trait Name: A + B { .. }`."""
    text = file.text
    name, generics, visibility = _front(node)
    bounds = read_bounds(text, node.child_by_field_id(k.F_BOUNDS))
    where = _where(node)
    at = file.add(
        (103, place.head(text, node, name, visibility), read_generics(text, generics, where), bounds)
    )
    _holds(file, node, at)
    return at


def implementation(file: FileReader, node: Node, place: Place) -> int:
    """`impl<..> Trait for Type { .. }`."""
    text = file.text
    generics = node.child_by_field_id(k.F_TYPE_PARAMETERS)
    trait_node, type_node = node.child_by_field_id(k.F_TRAIT), node.child_by_field_id(k.F_TYPE)
    negative = False
    if trait_node is not None:
        front = generics.end_byte if generics is not None else node.start_byte
        negative = "!" in text.chars[front : trait_node.start_byte]
    at = file.add(
        (
            104,
            place.head(text, node, None),
            read_generics(text, generics, _where(node)),
            None if trait_node is None else read_type(text, trait_node),
            INFERRED if type_node is None else read_type(text, type_node),
            negative,
        )
    )
    _holds(file, node, at)
    return at


def type_alias(file: FileReader, node: Node, place: Place) -> int:
    """`type Name<..> = T;`, also an associated type."""
    text = file.text
    name, generics, visibility = _front(node)
    written = node.child_by_field_id(k.F_TYPE)
    where = _where(node)
    return file.add(
        (
            105,
            place.head(text, node, name, visibility),
            read_generics(text, generics, where),
            None if written is None else read_type(text, written),
            read_bounds(text, node.child_by_field_id(k.F_BOUNDS)),
        )
    )


def constant(file: FileReader, node: Node, place: Place) -> int:
    """`const NAME: T = value;`, `static NAME: T = value;`."""
    text = file.text
    name, _, visibility = _front(node)
    written = node.child_by_field_id(k.F_TYPE)
    value = node.child_by_field_id(k.F_VALUE)
    at = file.add(())
    head = place.head(text, node, name, visibility)
    body = None if value is None else file.body(text, value, at)
    type_ref = INFERRED if written is None else read_type(text, written)
    file.items[at] = (106, head, type_ref, body, node.kind_id == k.STATIC_ITEM)
    return at


def use(file: FileReader, node: Node, place: Place) -> int:
    """`use a::{b, c::*, d as e};`."""
    text = file.text
    _, _, visibility = _front(node)
    argument = node.child_by_field_id(k.F_ARGUMENTS) or node.child_by_field_id(F_ARGUMENT)
    entries: list[Wire] = []
    if argument is not None:
        _use_tree(text, argument, (), entries)
    return file.add((107, place.head(text, node, None, visibility), tuple(entries)))


F_ARGUMENT = k.field("argument")


def _use_tree(text: Text, node: Node, front: tuple[str, ...], entries: list[Wire]) -> None:
    kind = node.kind_id
    at = node.start_byte + text.shift
    if kind == k.USE_LIST:
        if text.enter(node):
            for child in operands(node):
                _use_tree(text, child, front, entries)
            text.leave()
    elif kind == k.SCOPED_USE_LIST:
        path, listed = node.child_by_field_id(k.F_PATH), node.child_by_field_id(k.F_LIST)
        more = ("",) if path is None else path_names(text, path)
        if listed is not None:
            _use_tree(text, listed, (*front, *more) if front or more else (), entries)
    elif kind == k.USE_AS:
        path, alias = node.child_by_field_id(k.F_PATH), node.child_by_field_id(k.F_ALIAS)
        names = () if path is None else path_names(text, path)
        written = text.name(alias) if alias is not None else "_"
        entries.append((_joined(front, names), written, False, at))
    elif kind == k.USE_WILDCARD:
        parts = operands(node)
        names = path_names(text, parts[0]) if parts else ()
        if not parts and text.chars[node.start_byte : node.start_byte + 2] == "::":
            names = ("",)
        entries.append(((*front, *names), "", True, at))
    else:
        entries.append((_joined(front, path_names(text, node)), "", False, at))


def _joined(front: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """`a::{self}` is a."""
    if front and names == ("self",):
        return front
    return (*front, *names)


def module(file: FileReader, node: Node, place: Place) -> int:
    """`mod name;`, `mod name { .. }`."""
    name, _, visibility = _front(node)
    inline = node.child_by_field_id(k.F_BODY) is not None
    at = file.add((108, place.head(file.text, node, name, visibility), inline))
    _holds(file, node, at)
    return at


def macro_definition(file: FileReader, node: Node, place: Place) -> int:
    """`macro_rules! name { .. }`."""
    text = file.text
    name = node.child_by_field_id(k.F_NAME)
    start = node.start_byte if name is None else name.end_byte
    end = node.end_byte
    while start < end and text.chars[start] not in "([{":
        start += 1
    while start < end and text.chars[end - 1] not in ")]}":
        end -= 1
    return file.add((109, place.head(text, node, name), text.cut(start, end), start + text.shift))


def macro_call(file: FileReader, node: Node, place: Place) -> int:
    """`name! { .. }` in item position."""
    text = file.text
    path, tree = macro_parts(text, node)
    head = list(place.head(text, node, None))
    head[0] = path[-1]
    if tree is None:
        return file.add((110, tuple(head), path, "", node.end_byte + text.shift))
    written = text.cut(tree.start_byte, tree.end_byte)
    return file.add((110, tuple(head), path, written, tree.start_byte + text.shift))


def extern_crate(file: FileReader, node: Node, place: Place) -> int:
    """`extern crate name as alias;`."""
    text = file.text
    name, _, visibility = _front(node)
    alias = node.child_by_field_id(k.F_ALIAS)
    return file.add(
        (111, place.head(text, node, name, visibility), "" if alias is None else text.name(alias))
    )


def extern_block(file: FileReader, node: Node, place: Place) -> int:
    """`unsafe extern "C" { .. }`."""
    text = file.text
    abi = "C"
    for child in node.named_children:
        if child.kind_id == k.EXTERN_MODIFIER:
            written = text.cut(child.start_byte, child.end_byte)
            if written.count('"') == 2:
                abi = written.split('"')[1]
    at = file.add((112, place.head(text, node, None), abi))
    _holds(file, node, at)
    return at


ITEMS: dict[int, ItemReader] = {
    k.FUNCTION_ITEM: function,
    k.FUNCTION_SIGNATURE: function,
    k.STRUCT_ITEM: structure,
    k.UNION_ITEM: structure,
    k.ENUM_ITEM: enumeration,
    k.TRAIT_ITEM: trait,
    k.IMPL_ITEM: implementation,
    k.TYPE_ITEM: type_alias,
    k.ASSOCIATED_TYPE: type_alias,
    k.CONST_ITEM: constant,
    k.STATIC_ITEM: constant,
    k.USE_DECLARATION: use,
    k.MOD_ITEM: module,
    k.MACRO_DEFINITION: macro_definition,
    k.MACRO_INVOCATION: macro_call,
    k.EXTERN_CRATE: extern_crate,
    k.FOREIGN_MOD: extern_block,
}
"""For each kind of item the function that appends it, and what it holds."""
