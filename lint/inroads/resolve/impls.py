"""
What each impl is of: its trait, and the head of its self type.

The self type itself, with its generics, is left to `infer`; here it is only
named, so that a method has a path and an impl can be found by its type.
"""

from __future__ import annotations

from inroads.facts import (
    ArrayType,
    DynType,
    FunctionType,
    ImplType,
    NeverType,
    PathType,
    PointerType,
    RefType,
    SliceType,
    TupleType,
    TypeRef,
)
from inroads.resolve.model import Definition, Impl
from inroads.resolve.tables import Tables


def name_impls(tables: Tables) -> None:
    """Set the trait and the head of every impl, and the paths of what stands in impls."""
    for impl in tables.impls:
        trait = impl.item.trait
        if isinstance(trait, PathType):
            found = tables.resolve(impl.module, trait, "type")
            if found is not None and found.kind == "trait" and found.id is not None:
                impl.trait = found.id
                impl.trait_path = found.path
                tables.traits[found.id].impls.append(impl.id)
            elif found is not None:
                impl.trait_path = found.path
            else:
                impl.trait_path = "::".join(segment.name for segment in trait.segments)
            tables.impls_of_trait.setdefault(impl.trait_path, []).append(impl.id)
        impl.head = head_of(tables, impl)
        tables.impls_of_head.setdefault(impl.head, []).append(impl.id)
    paths = [self_path(tables, impl) for impl in tables.impls]
    for function in tables.functions:
        if function.impl is not None:
            function.path = f"{paths[function.impl]}::{function.name}"
        elif function.parent is not None and function.trait is None:
            function.path = f"{tables.functions[function.parent].path}::{function.name}"
    for constant in tables.constants:
        if constant.impl is not None:
            constant.path = f"{paths[constant.impl]}::{constant.name}"


def head_of(tables: Tables, impl: Impl) -> str:
    """
    The outermost constructor of an impl's self type, as a key.

    The path of a type or of a primitive; `&`, `*`, `()`, `[]`, `fn`, `!`;
    `dyn` before the path of a trait object's first trait; `*any` for a type
    parameter (a blanket impl); "" where the type is not known.
    """
    parameters = {parameter.name for parameter in impl.item.generics.parameters}
    return _head(tables, impl.module, impl.item.self_type, parameters)


def _head(tables: Tables, module: int, type: TypeRef, parameters: set[str]) -> str:
    match type:
        case PathType(segments=segments, qself=None):
            if len(segments) == 1 and segments[0].name in parameters:
                return "*any"
            found = _named(tables, module, type)
            return "" if found is None else found.path
        case RefType():
            return "&"
        case PointerType():
            return "*"
        case TupleType(elements=elements):
            return "()" if not elements else f"({len(elements)})"
        case SliceType() | ArrayType():
            return "[]"
        case FunctionType():
            return "fn"
        case NeverType():
            return "!"
        case DynType(bounds=bounds) if bounds and isinstance(bounds[0], PathType):
            found = tables.resolve(module, bounds[0], "type")
            return "" if found is None else f"dyn {found.path}"
    return ""


def _named(tables: Tables, module: int, path: PathType) -> Definition | None:
    """The type that a path names; a workspace's alias is looked through."""
    for _ in range(16):
        found = tables.resolve(module, path, "type")
        if found is None or found.kind != "type" or found.id is None:
            return found
        one = tables.types[found.id]
        if one.kind != "alias":
            return found
        item = tables.sources[one.source].facts.items[one.item_index]
        target = getattr(item, "type", None)
        if not isinstance(target, PathType):
            return found
        path, module = target, one.module
    return None


def self_path(tables: Tables, impl: Impl) -> str:
    """For people and patterns: the path of the self type; one without a path is written out after the module's."""
    head = impl.head
    module = tables.modules[impl.module].path
    if head and head[0] not in "&*([!" and not head.startswith(("dyn ", "fn")):
        return head
    return f"{module}::{written(impl.item.self_type)}"


def written(type: TypeRef) -> str:
    """A type as text, short: the last segments, generic arguments left out."""
    match type:
        case PathType(segments=segments):
            return segments[-1].name if segments else "_"
        case RefType(inner=inner, mutable=mutable):
            return f"&mut {written(inner)}" if mutable else f"&{written(inner)}"
        case PointerType(inner=inner, mutable=mutable):
            return f"*mut {written(inner)}" if mutable else f"*const {written(inner)}"
        case TupleType(elements=elements):
            return f"({', '.join(written(element) for element in elements)})"
        case SliceType(inner=inner):
            return f"[{written(inner)}]"
        case ArrayType(inner=inner, length=length):
            return f"[{written(inner)}; {length}]"
        case DynType(bounds=bounds):
            return f"dyn {' + '.join(written(bound) for bound in bounds)}"
        case ImplType(bounds=bounds):
            return f"impl {' + '.join(written(bound) for bound in bounds)}"
        case FunctionType():
            return "fn"
        case NeverType():
            return "!"
    return "_"
