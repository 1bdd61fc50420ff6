"""
The types of a body's rows: one small function for each kind of row.

Forward, in evaluation order, with variables for what is found later. `infer`
walks the whole body; when it ends, every row has a type and every call a site.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from inroads.facts import (
    ArrayRow,
    AssignRow,
    AwaitRow,
    BinaryRow,
    BorrowRow,
    CallRow,
    CastRow,
    FieldRow,
    IndexRow,
    LiteralRow,
    MacroRow,
    MethodCallRow,
    PathRow,
    RangeRow,
    RepeatRow,
    Row,
    StructRow,
    TryRow,
    TupleRow,
    UnaryRow,
)
from inroads.resolve.dispatch import Pick
from inroads.resolve.infer_calls import call, method_call, retry
from inroads.resolve.infer_control import CONTROL
from inroads.resolve.infer_macros import macro
from inroads.resolve.infer_operators import awaited, binary, compound, dereferenced, index, tried, unary
from inroads.resolve.infer_paths import constructor, instantiate, name_path
from inroads.resolve.infer_patterns import bind
from inroads.resolve.inferring import Inferring, Site
from inroads.resolve.projected import PROJECTED, PROJECTED_REF, projected_fields
from inroads.resolve.types import (
    UNIT,
    UNKNOWN,
    Adt,
    Array,
    FunctionPointer,
    Opaque,
    Primitive,
    Reference,
    Tuple,
    Type,
    Variable,
)
from inroads.resolve.walking import flush, join, walk_closure, walk_region


def infer(body: Inferring) -> None:
    """Find the types of all rows."""
    body.handlers = _HANDLERS
    body.walk_closure = lambda at: walk_closure(body, at)
    body.walk_region = lambda region: walk_region(body, region)
    body.callees = {row.callee for row in body.rows if type(row) is CallRow}
    body.written = written_places(body.rows)
    returns: Type = UNIT
    function = body.function
    if function is not None and function.item is not None:
        signature = function.signature()
        returns = signature.returns
        if function.item.is_async and isinstance(returns, Opaque):
            returns = returns.bounds[0].bindings[0][1]
        if signature.receiver is not None:
            body.declare("self", signature.receiver, False, None, 0)
        number = len(body.locals)
        for parameter, type_ in zip(function.item.parameters, signature.parameters, strict=True):
            first = len(body.locals)
            bind(body, parameter.pattern, body.solver.normal(type_), None)
            for local in body.locals[first:]:
                local.parameter = number
            number += 1
    body.returns.append(body.solver.normal(returns))
    walk_region(body, body.body.root, body.returns[0])
    flush(body, 0)
    body.settle()
    retry(body)
    flush(body, 0)


def written_places(rows: tuple[Row, ...]) -> set[int]:
    """The rows of places that are assigned to or borrowed mutably, and of what these stand in."""
    found: set[int] = set()
    for row in rows:
        if type(row) is BorrowRow and row.mutable:
            found.add(row.operand)
        elif type(row) is AssignRow:
            found.add(row.target)
    for at in range(len(rows) - 1, -1, -1):
        if at in found:
            match rows[at]:
                case FieldRow(base=inner) | IndexRow(base=inner) | UnaryRow(op="*", operand=inner):
                    found.add(inner)
    return found


# Rows.


_SUFFIX = re.compile(r"(?:[iu](?:8|16|32|64|128|size)|f(?:16|32|64|128))$")


def _literal(body: Inferring, at: int, row: LiteralRow) -> Type:
    match row.kind:
        case "int" | "float":
            if row.text.isdecimal():
                return body.unifier.fresh(row.kind)
            suffix = _SUFFIX.search(row.text)
            if suffix is not None and not (suffix.group()[0] == "f" and row.text.startswith("0x")):
                return Primitive(suffix.group())
            return body.unifier.fresh(row.kind)
        case "str":
            return Reference(Primitive("str"))
        case "bytes":
            if row.text.startswith("b'"):
                return Primitive("u8")
            return Reference(Array(Primitive("u8")))
        case "cstr":
            return Reference(Adt(body.world.canonical("std::ffi::CStr")))
    return Primitive(row.kind)


def _path(body: Inferring, at: int, row: PathRow) -> Type:
    path = row.path
    if path.qself is None and len(path.segments) == 1:
        name = path.segments[0].name
        local = body.frame.find(name)
        if local is not None:
            body.uses[at] = local
            return body.locals[local].type
    named = name_path(body, path)
    if named is None:
        return UNKNOWN
    body.paths[at] = named.path
    pick = named.pick
    if pick is None and named.info is not None:
        made = constructor(body, named)
        if made is None:
            return named.type
        arguments = named.type.arguments if isinstance(named.type, Adt) else ()
        pick = Pick(made, dict(zip(named.info.generics, arguments, strict=False)), named.type)
        body.picks[at] = pick
        return body.function_value(pick)
    if pick is None:
        if named.function and at not in body.callees:
            body.sites.append(Site(at, "value", path.segments[-1].name, None, (), UNKNOWN, path=named.path))
        return UNKNOWN if named.function else body.solver.normal(named.type)
    pick = instantiate(body, pick, path.segments)
    body.picks[at] = pick
    if at not in body.callees:
        body.sites.append(Site(at, "value", pick.function.name, pick, (), UNKNOWN))
    return body.function_value(pick)


def _field(body: Inferring, at: int, row: FieldRow) -> Type:
    base = body.shallow(body.types[row.base])
    passed: list[Type] = []
    for step in body.solver.derefs(base):
        match step:
            case Tuple(elements=elements):
                if row.name.isdigit() and int(row.name) < len(elements):
                    return elements[int(row.name)]
            case Adt(path=path) if path in (PROJECTED, PROJECTED_REF):
                one = projected_fields(body, step, "").get(row.name)
                if one is not None:
                    return one
            case Adt():
                info = body.world.info_of(step)
                found = None if info is None else info.field(row.name, step.arguments)
                if found is not None:
                    if passed:
                        dereferenced(body, at, passed, at in body.written)
                    return body.solver.normal(found)
        passed.append(step)
    return body.fresh()


def _struct(body: Inferring, at: int, row: StructRow) -> Type:
    named = name_path(body, row.path, "type")
    if named is None or named.info is None:
        type_ = body.scope.type(row.path)
        found = body.world.info_of(type_) if isinstance(type_, Adt) else None
        if found is None or not isinstance(type_, Adt):
            return type_
        info, variant, own = found, "", type_
        body.paths[at] = info.path
    else:
        info, variant = named.info, named.variant
        body.paths[at] = named.path
        if not isinstance(named.type, Adt):
            return named.type
        own = named.type
    fields = info.fields(variant, own.arguments)
    for name, value in row.fields:
        if name in fields:
            body.coerce(body.types[value], body.solver.normal(fields[name]))
    if row.base is not None:
        body.trial(body.types[row.base], own)
    for subject, bound in info.bounds():
        mapping = dict(zip(info.generics, own.arguments, strict=False))
        body.oblige(body.solver.instance(subject, mapping), body.solver.normal_bound(bound, mapping))
    return own


def _borrow(body: Inferring, at: int, row: BorrowRow) -> Type:
    return Reference(body.types[row.operand], row.mutable)


def _assign(body: Inferring, at: int, row: AssignRow) -> Type:
    if row.op == "=":
        body.coerce(body.types[row.value], body.types[row.target])
    else:
        compound(body, at, row)
    return UNIT


def _range(body: Inferring, at: int, row: RangeRow) -> Type:
    low = None if row.low is None else body.types[row.low]
    high = None if row.high is None else body.types[row.high]
    if low is not None and high is not None:
        body.trial(low, high)
    name = {
        (True, True): "RangeInclusive" if row.inclusive else "Range",
        (True, False): "RangeFrom",
        (False, True): "RangeToInclusive" if row.inclusive else "RangeTo",
        (False, False): "RangeFull",
    }[low is not None, high is not None]
    one = low if low is not None else high
    return Adt(body.world.canonical(f"std::ops::{name}"), None, () if one is None else (one,))


def _cast(body: Inferring, at: int, row: CastRow) -> Type:
    type_ = body.solver.normal(body.scope.type(row.type))
    if isinstance(type_, FunctionPointer):
        body.coerce(body.types[row.operand], type_)
    elif isinstance(type_, Variable):
        body.trial(type_, body.types[row.operand])
    return type_


def _tuple(body: Inferring, at: int, row: TupleRow) -> Type:
    return Tuple(tuple(body.types[one] for one in row.elements))


def _array(body: Inferring, at: int, row: ArrayRow) -> Type:
    return Array(join(body, [body.types[one] for one in row.elements]))


def _repeat(body: Inferring, at: int, row: RepeatRow) -> Type:
    return Array(body.types[row.value])


def _tried(body: Inferring, at: int, row: TryRow) -> Type:
    return tried(body, at, row)


_HANDLERS: dict[type, Callable[[Inferring, int, Any], Type]] = {
    **CONTROL,
    LiteralRow: _literal,
    PathRow: _path,
    FieldRow: _field,
    IndexRow: index,
    CallRow: call,
    MethodCallRow: method_call,
    MacroRow: macro,
    UnaryRow: unary,
    BorrowRow: _borrow,
    BinaryRow: binary,
    AssignRow: _assign,
    RangeRow: _range,
    CastRow: _cast,
    TryRow: _tried,
    AwaitRow: awaited,
    TupleRow: _tuple,
    ArrayRow: _array,
    RepeatRow: _repeat,
    StructRow: _struct,
}
