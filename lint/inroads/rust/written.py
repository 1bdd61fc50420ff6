"""Types, paths, generics and bounds as written."""

from __future__ import annotations

from tree_sitter import Node

from inroads.rust import kinds as k
from inroads.rust.text import Text, Wire, operands

INFERRED: Wire = (10,)
UNIT: Wire = (5,)
NEVER: Wire = (9,)


def simple_path(name: str) -> Wire:
    """The path of one plain segment."""
    return (2, ((1, name),))


def read_path(text: Text, node: Node) -> Wire:
    """
    `a::b::<T>`, `Vec<T>`, `<T as Trait>::Item`: a PathType.

    The segments hang to the left, so they are read from the last to the first, without recursion.
    """
    written = text.chars[node.start_byte : node.end_byte]
    found = text.paths.get(written)
    if found is None:
        found = _path(text, node)
        if "!" not in written:
            text.paths[written] = found
    return found


def _path(text: Text, node: Node) -> Wire:
    kind = node.kind_id
    if kind == k.IDENTIFIER or kind == k.TYPE_IDENTIFIER or kind == k.PRIMITIVE_TYPE:
        return (2, ((1, text.name(node)),))
    segments: list[Wire] = []
    qself: Wire | None = None
    trait_length = 0
    arguments: Wire | None = None
    at: Node | None = node
    while at is not None:
        kind = at.kind_id
        if kind == k.SCOPED_IDENTIFIER or kind == k.SCOPED_TYPE_IDENTIFIER:
            name = at.child_by_field_id(k.F_NAME)
            segments.append(_segment("" if name is None else text.name(name), arguments))
            arguments = None
            path = at.child_by_field_id(k.F_PATH)
            if path is None:
                segments.append((1, ""))
            at = path
        elif kind == k.GENERIC_TYPE or kind == k.GENERIC_TURBOFISH:
            arguments = type_arguments(text, at.child_by_field_id(k.F_TYPE_ARGUMENTS))
            at = at.child_by_field_id(k.F_TYPE)
        elif kind == k.GENERIC_FUNCTION:
            arguments = type_arguments(text, at.child_by_field_id(k.F_TYPE_ARGUMENTS))
            at = at.child_by_field_id(k.F_FUNCTION)
        elif kind == k.GENERIC_PATTERN:
            parts = operands(at)
            arguments = type_arguments(text, at.child_by_field_id(k.F_TYPE_ARGUMENTS))
            at = parts[0] if parts else None
        elif kind == k.BRACKETED_TYPE:
            inner = operands(at)
            if inner and inner[0].kind_id == k.QUALIFIED_TYPE:
                whole, trait = operands(inner[0])[:1], inner[0].child_by_field_id(k.F_ALIAS)
                qself = read_type(text, whole[0]) if whole else INFERRED
                if trait is not None:
                    found = read_type(text, trait)
                    front = found[1] if found[0] == 2 else ()
                    assert isinstance(front, tuple)
                    trait_length = len(front)
                    segments.extend(reversed(front))
            else:
                qself = read_type(text, inner[0]) if inner else INFERRED
            break
        else:
            segments.append(_segment(text.name(at), arguments))
            arguments = None
            break
    segments.reverse()
    if qself is None:
        return (2, tuple(segments))
    return (2, tuple(segments), qself, trait_length)


def _segment(name: str, arguments: Wire | None) -> Wire:
    return (1, name) if arguments is None else (1, name, *arguments)


def type_arguments(text: Text, node: Node | None) -> Wire | None:
    """The pair of arguments and bindings of `<A, B, Item = C>`; None if there are none."""
    if node is None or not text.enter(node):
        return None
    arguments: list[Wire] = []
    bindings: list[Wire] = []
    for child in node.named_children:
        kind = child.kind_id
        if kind == k.LIFETIME or kind in k.EXTRAS:
            continue
        if kind == k.TYPE_BINDING:
            name, value = child.child_by_field_id(k.F_NAME), child.child_by_field_id(k.F_TYPE)
            if name is not None and value is not None:
                bindings.append((text.name(name), read_type(text, value)))
        elif kind == k.TRAIT_BOUNDS:
            # `Item: Debug` names an associated type, which was read as an argument.
            if arguments:
                arguments.pop()
        elif kind == k.BLOCK or kind in CONST_ARGUMENTS:
            arguments.append((14, text.cut(child.start_byte, child.end_byte)))
        else:
            arguments.append(read_type(text, child))
    text.leave()
    if bindings:
        return (tuple(arguments), tuple(bindings))
    return (tuple(arguments),)


CONST_ARGUMENTS = frozenset((k.INTEGER, k.FLOAT, k.STRING, k.RAW_STRING, k.CHARACTER, k.BOOLEAN, k.NEGATIVE))

_NAMED = frozenset(
    (
        k.IDENTIFIER,
        k.TYPE_IDENTIFIER,
        k.PRIMITIVE_TYPE,
        k.SCOPED_IDENTIFIER,
        k.SCOPED_TYPE_IDENTIFIER,
        k.GENERIC_TURBOFISH,
        k.METAVARIABLE,
        k.SELF,
        k.SUPER,
        k.CRATE,
    )
)


def read_type(text: Text, node: Node) -> Wire:
    """Any type; what cannot be read is `_`."""
    written = text.chars[node.start_byte : node.end_byte]
    found = text.types.get(written)
    if found is None:
        found = _type(text, node)
        # A macro call knows where it stands.
        if "!" not in written:
            text.types[written] = found
    return found


def _type(text: Text, node: Node) -> Wire:
    kind = node.kind_id
    if kind == k.TYPE_IDENTIFIER or kind == k.PRIMITIVE_TYPE:
        name = text.name(node)
        return INFERRED if name == "_" else (2, ((1, name),))
    if kind == k.GENERIC_TYPE or kind in _NAMED:
        return read_path(text, node)
    if kind == k.UNIT_TYPE:
        return UNIT
    if kind == k.NEVER_TYPE:
        return NEVER
    if not text.enter(node):
        return INFERRED
    found = _compound(text, node, kind)
    text.leave()
    return found


def _compound(text: Text, node: Node, kind: int) -> Wire:
    if kind == k.REFERENCE_TYPE or kind == k.POINTER_TYPE:
        parts = operands(node)
        mutable = any(part.kind_id == k.MUTABLE for part in parts)
        inner = node.child_by_field_id(k.F_TYPE)
        found = INFERRED if inner is None else read_type(text, inner)
        return (3 if kind == k.REFERENCE_TYPE else 4, found, mutable)
    if kind == k.TUPLE_TYPE:
        parts = operands(node)
        if len(parts) == 1 and "," not in text.chars[parts[0].end_byte : node.end_byte]:
            return read_type(text, parts[0])
        return (5, tuple([read_type(text, part) for part in parts]))
    if kind == k.ARRAY_TYPE:
        element, length = node.child_by_field_id(k.F_ELEMENT), node.child_by_field_id(k.F_LENGTH)
        inner_type = INFERRED if element is None else read_type(text, element)
        if length is None:
            return (6, inner_type)
        return (7, inner_type, text.cut(length.start_byte, length.end_byte))
    if kind == k.FUNCTION_TYPE:
        return _function_type(text, node)
    if kind in (k.DYNAMIC_TYPE, k.ABSTRACT_TYPE, k.BOUNDED_TYPE):
        return _bounded(text, node)
    if kind == k.HIGHER_RANKED or kind == k.QUALIFIED_TYPE:
        inner = node.child_by_field_id(k.F_TYPE)
        return INFERRED if inner is None else read_type(text, inner)
    if kind == k.MACRO_INVOCATION:
        path, tree = macro_parts(text, node)
        if tree is None:
            return INFERRED
        return (
            13,
            path,
            text.cut(tree.start_byte, tree.end_byte),
            tree.start_byte + text.shift - text.origin,
        )
    if kind == k.BRACKETED_TYPE:
        return read_path(text, node)
    return INFERRED


def _function_type(text: Text, node: Node) -> Wire:
    """`fn(A) -> B`, and the bound `Fn(A) -> B`, which is a path."""
    parameters: list[Wire] = []
    listed = node.child_by_field_id(k.F_PARAMETERS)
    for child in operands(listed) if listed is not None else ():
        kind = child.kind_id
        if kind == k.PARAMETER:
            inner = child.child_by_field_id(k.F_TYPE)
            parameters.append(INFERRED if inner is None else read_type(text, inner))
        elif kind != k.ATTRIBUTE_ITEM and kind != k.VARIADIC:
            parameters.append(read_type(text, child))
    returned = node.child_by_field_id(k.F_RETURN_TYPE)
    returns = None if returned is None else read_type(text, returned)
    trait = node.child_by_field_id(k.F_TRAIT)
    if trait is None:
        return (8, tuple(parameters), returns)
    segments = read_path(text, trait)[1]
    assert isinstance(segments, tuple)
    last = (1, segments[-1][1], ((5, tuple(parameters)),), (("Output", returns or UNIT),))
    return (2, (*segments[:-1], last))


def _bounded(text: Text, node: Node) -> Wire:
    """`dyn A + B`, `impl A + B`; the sum hangs to the left."""
    bounds: list[Wire] = []
    at = node
    while at.kind_id == k.BOUNDED_TYPE:
        parts = operands(at)
        if len(parts) != 2:
            return INFERRED
        bounds.extend(_bound(text, parts[1]))
        at = parts[0]
    tag = 11
    if at.kind_id == k.DYNAMIC_TYPE or at.kind_id == k.ABSTRACT_TYPE:
        tag = 11 if at.kind_id == k.DYNAMIC_TYPE else 12
        trait = at.child_by_field_id(k.F_TRAIT)
        if trait is not None:
            # `impl (A + B)` and `impl A + B` are one.
            inner = operands(trait) if trait.kind_id == k.TUPLE_TYPE else [trait]
            for part in inner:
                bounds.extend(_bound(text, part))
    else:
        bounds.extend(_bound(text, at))
    bounds.reverse()
    return (tag, tuple(bounds))


def _bound(text: Text, node: Node) -> list[Wire]:
    """The bound as a list of one path, or of none for a lifetime, `?Sized` and `use<..>`."""
    kind = node.kind_id
    if kind == k.LIFETIME or kind == k.REMOVED_BOUND or kind == k.USE_BOUNDS or kind in k.EXTRAS:
        return []
    found = read_type(text, node)
    if found[0] == 2:
        return [found]
    if found[0] == 11 or found[0] == 12:
        inner = found[1]
        assert isinstance(inner, tuple)
        return list(inner)
    return []


def read_bounds(text: Text, node: Node | None) -> Wire:
    """The paths of `: A + B`."""
    if node is None:
        return ()
    return tuple([bound for child in node.named_children for bound in _bound(text, child)])


def read_generics(text: Text, parameters: Node | None, where: Node | None) -> Wire:
    """Generics from `<..>` and the where clause; either may be missing."""
    if parameters is None and where is None:
        return ()
    found: list[Wire] = []
    for child in parameters.named_children if parameters is not None else ():
        kind = child.kind_id
        if kind == k.TYPE_PARAMETER:
            name, default = child.child_by_field_id(k.F_NAME), child.child_by_field_id(k.F_DEFAULT_TYPE)
            bounds = read_bounds(text, child.child_by_field_id(k.F_BOUNDS))
            written = "" if name is None else text.name(name)
            if default is not None:
                found.append((written, bounds, read_type(text, default)))
            else:
                found.append((written, bounds) if bounds else (written,))
        elif kind == k.CONST_PARAMETER:
            name, const_type = child.child_by_field_id(k.F_NAME), child.child_by_field_id(k.F_TYPE)
            value = child.child_by_field_id(k.F_VALUE)
            default_text = None if value is None else (14, text.cut(value.start_byte, value.end_byte))
            written = "" if name is None else text.name(name)
            found.append((written, (), default_text, read_type(text, const_type) if const_type else INFERRED))
        elif kind == k.METAVARIABLE:
            found.append((text.name(child),))
    if where is None:
        return (tuple(found),)
    clauses: list[Wire] = []
    for predicate in operands(where):
        left = predicate.child_by_field_id(k.F_LEFT)
        if left is None or left.kind_id == k.LIFETIME:
            continue
        clauses.append((read_type(text, left), read_bounds(text, predicate.child_by_field_id(k.F_BOUNDS))))
    return (tuple(found), tuple(clauses))


def macro_parts(text: Text, node: Node) -> tuple[tuple[str, ...], Node | None]:
    """The path of a macro call and its token tree."""
    named = node.child_by_field_id(k.F_MACRO)
    tree = None
    for child in node.named_children:
        if child.kind_id == k.TOKEN_TREE:
            tree = child
    if named is None:
        return ("",), tree
    return path_names(text, named), tree


def path_names(text: Text, node: Node) -> tuple[str, ...]:
    """The names of a path whose generic arguments don't matter; a leading `::` is an empty name."""
    if node.kind_id != k.SCOPED_IDENTIFIER:
        return (text.name(node),)
    names: list[str] = []
    at: Node | None = node
    while at is not None and at.kind_id == k.SCOPED_IDENTIFIER:
        name = at.child_by_field_id(k.F_NAME)
        names.append("" if name is None else text.name(name))
        at = at.child_by_field_id(k.F_PATH)
        if at is None:
            names.append("")
    if at is not None:
        names.append(text.name(at))
    names.reverse()
    return tuple(names)
