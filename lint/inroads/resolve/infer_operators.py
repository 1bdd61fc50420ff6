"""Operators, indexing, `?`, `.await` and `for`: calls that are written with signs and words."""

from __future__ import annotations

from collections.abc import Iterable

from inroads.facts import AssignRow, AwaitRow, BinaryRow, ForRow, IndexRow, TryRow, UnaryRow
from inroads.resolve.dispatch import Pick
from inroads.resolve.inferring import Inferring, Site
from inroads.resolve.infos import FUTURE
from inroads.resolve.types import (
    UNKNOWN,
    Adt,
    Array,
    Bound,
    Primitive,
    Reference,
    Slice,
    Type,
    Unknown,
    Variable,
)

_ARITHMETIC = {
    "+": ("Add", "add"),
    "-": ("Sub", "sub"),
    "*": ("Mul", "mul"),
    "/": ("Div", "div"),
    "%": ("Rem", "rem"),
    "&": ("BitAnd", "bitand"),
    "|": ("BitOr", "bitor"),
    "^": ("BitXor", "bitxor"),
    "<<": ("Shl", "shl"),
    ">>": ("Shr", "shr"),
}
_COMPARISON = {
    "==": ("PartialEq", "eq"),
    "!=": ("PartialEq", "ne"),
    "<": ("PartialOrd", "lt"),
    "<=": ("PartialOrd", "le"),
    ">": ("PartialOrd", "gt"),
    ">=": ("PartialOrd", "ge"),
}
INTO_ITERATOR = "std::iter::IntoIterator"
ITERATOR = "std::iter::Iterator"


def binary(body: Inferring, at: int, row: BinaryRow) -> Type:
    """`left op right`."""
    left = body.shallow(body.types[row.left])
    right = body.shallow(body.types[row.right])
    comparison = _COMPARISON.get(row.op)
    if comparison is not None:
        _operator(body, at, f"std::cmp::{comparison[0]}", comparison[1], left, (row.left, row.right), right)
        if _is_simple(left) or _is_simple(right):
            body.trial(left, right)
        return Primitive("bool")
    if _is_simple(left) and _is_simple(right):
        if row.op in ("<<", ">>"):
            return left
        body.trial(left, right)
        return left
    trait, method = _ARITHMETIC.get(row.op, ("", ""))
    if not trait:
        return UNKNOWN
    if isinstance(left, Variable):
        return body.fresh()
    stripped = _stripped(body, left)
    if _is_simple(stripped) and not isinstance(stripped, Variable):
        return stripped
    return _operator(body, at, f"std::ops::{trait}", method, left, (row.left, row.right), right)


def compound(body: Inferring, at: int, row: AssignRow) -> None:
    """`target op= value`."""
    target = body.shallow(body.types[row.target])
    value = body.shallow(body.types[row.value])
    if _is_simple(target):
        if row.op not in ("<<=", ">>="):
            body.trial(target, _stripped(body, value))
        return
    trait, method = _ARITHMETIC.get(row.op[:-1], ("", ""))
    if trait and not isinstance(target, Variable):
        path = f"std::ops::{trait}Assign"
        _operator(body, at, path, f"{method}_assign", target, (row.target, row.value), value)


def unary(body: Inferring, at: int, row: UnaryRow) -> Type:
    """`*x`, `-x`, `!x`."""
    operand = body.shallow(body.types[row.operand])
    if row.op == "*":
        if isinstance(operand, Reference):
            return operand.inner
        found = body.solver.deref_any(operand)
        if found is None:
            return body.fresh()
        if isinstance(operand, Adt):
            trait, method = ("DerefMut", "deref_mut") if at in body.written else ("Deref", "deref")
            _operator(body, at, f"std::ops::{trait}", method, operand, (row.operand,), None)
        return found
    if _is_simple(operand):
        return operand
    trait, method = ("Neg", "neg") if row.op == "-" else ("Not", "not")
    stripped = _stripped(body, operand)
    if _is_simple(stripped):
        return stripped
    return _operator(body, at, f"std::ops::{trait}", method, operand, (row.operand,), None)


def index(body: Inferring, at: int, row: IndexRow) -> Type:
    """`base[index]`: an array's or slice's element or part, else what an `Index` impl says."""
    base = body.shallow(body.types[row.base])
    place = body.shallow(body.types[row.index])
    for step in body.solver.derefs(base):
        if isinstance(step, Array | Slice):
            if isinstance(place, Adt) and place.path.startswith("std::ops::"):
                return Slice(step.inner)
            return step.inner
        if isinstance(step, Variable | Unknown):
            break
        bound = Bound("std::ops::Index", None, (place,))
        if body.world.trait_info(bound) is not None and body.solver.matches(step, bound):
            found = body.solver.project(step, bound, "Output")
            trait, method = ("IndexMut", "index_mut") if at in body.written else ("Index", "index")
            _operator(body, at, f"std::ops::{trait}", method, step, (row.base, row.index), place)
            return body.fresh() if found is None else found
        if isinstance(step, Adt) and step.path == "std::vec::Vec" and step.arguments:
            if isinstance(place, Adt) and place.path.startswith("std::ops::"):
                return Slice(step.arguments[0])
            return step.arguments[0]
    return body.fresh()


def tried(body: Inferring, at: int, row: TryRow) -> Type:
    """`x?`: the good value."""
    operand = body.shallow(body.types[row.operand])
    match operand:
        case Adt(path="std::option::Option" | "std::result::Result", arguments=(inner, *_)):
            _converted(body, at, operand)
            return inner
        case Adt(path="std::task::Poll" | "std::ops::ControlFlow"):
            return body.solver.project(operand, Bound("std::ops::Try"), "Output") or body.fresh()
    return body.fresh()


def dereferenced(body: Inferring, at: int, types: Iterable[Type], mutable: bool) -> None:
    """The calls of `deref` that a receiver or the base of a field goes through."""
    trait, method = ("DerefMut", "deref_mut") if mutable else ("Deref", "deref")
    for type_ in types:
        if isinstance(type_, Adt) and type_.definition is not None:
            pick = _pick(body, f"std::ops::{trait}", method, type_, None)
            if pick is not None:
                body.implied.append(Site(at, "operator", method, pick, (), UNKNOWN))


def _converted(body: Inferring, at: int, operand: Adt) -> None:
    """`?` turns the error into the function's own by `From`."""
    wanted = body.shallow(body.returns[-1]) if body.returns else UNKNOWN
    if not isinstance(wanted, Adt) or wanted.path != operand.path or len(wanted.arguments) < 2:
        return
    have, want = body.shallow(operand.arguments[-1]), body.shallow(wanted.arguments[-1])
    if have == want or not isinstance(want, Adt) or want.definition is None:
        return
    pick = _pick(body, "std::convert::From", "from", want, have)
    if pick is not None:
        body.implied.append(Site(at, "desugar", "from", pick, (), UNKNOWN))


def _pick(body: Inferring, trait: str, method: str, self_type: Type, argument: Type | None) -> Pick | None:
    bound = Bound(trait, None, () if argument is None else (argument,))
    info = body.world.trait_info(bound)
    if info is None or method not in info.methods:
        return None
    return Pick(info.methods[method], info.mapping(self_type, bound), self_type, bound)


def awaited(body: Inferring, at: int, row: AwaitRow) -> Type:
    """`x.await`."""
    operand = body.shallow(body.types[row.operand])
    if isinstance(operand, Variable | Unknown):
        return body.fresh()
    into = Bound("std::future::IntoFuture")
    future: Type = operand
    if isinstance(operand, Adt) and body.solver.matches(operand, into):
        future = body.solver.project(operand, into, "IntoFuture") or operand
    found = body.solver.project(future, Bound(FUTURE), "Output")
    if isinstance(operand, Adt):
        _operator(body, at, FUTURE, "poll", operand, (row.operand,), None, "desugar")
    return body.fresh() if found is None else found


def item_of(body: Inferring, at: int, iterable: Type) -> Type:
    """What `for` gives for each turn."""
    iterable = body.shallow(iterable)
    found = body.solver.project(iterable, Bound(INTO_ITERATOR), "Item")
    if isinstance(found, Unknown) or found is None:
        found = body.solver.project(iterable, Bound(ITERATOR), "Item")
    if isinstance(body.rows[at], ForRow) and not isinstance(iterable, Variable | Unknown):
        _operator(body, at, INTO_ITERATOR, "into_iter", iterable, (), None, "desugar")
        iterator = body.solver.project(iterable, Bound(INTO_ITERATOR), "IntoIter")
        pick = None if iterator is None else _pick(body, ITERATOR, "next", iterator, None)
        if pick is not None and not isinstance(iterator, Unknown):
            body.implied.append(Site(at, "desugar", "next", pick, (), UNKNOWN))
    return body.fresh() if found is None else found


def _operator(
    body: Inferring,
    at: int,
    trait: str,
    method: str,
    left: Type,
    arguments: tuple[int, ...],
    right: Type | None,
    kind: str = "operator",
) -> Type:
    """A call of an operator's trait; its result."""
    bound = Bound(trait, None, () if right is None else (right,))
    info = body.world.trait_info(bound)
    if info is None or method not in info.methods or isinstance(left, Variable | Unknown):
        return body.fresh()
    function = info.methods[method]
    mapping = info.mapping(left, bound)
    pick = Pick(function, mapping, left, bound)
    if not isinstance(left, Reference | Primitive | Slice | Array):
        body.solver.chosen_for(left, bound)
    returns = body.solver.instance(function.signature().returns, mapping)
    body.sites.append(Site(at, kind, method, pick, arguments, returns))
    return returns


def _is_simple(type_: Type) -> bool:
    """Whether operators on a type are the language's own."""
    match type_:
        case Primitive(name=name):
            return name != "str"
        case Variable(kind=kind):
            return kind != ""
    return False


def _stripped(body: Inferring, type_: Type) -> Type:
    while isinstance(type_, Reference):
        type_ = body.unifier.shallow(type_.inner)
    return type_
