"""
Calls: arguments give type parameters, parameters give closures their types.

A call's arguments are used first, those that are closures last; then what
the function asks of its type parameters tells what closures take, and their bodies
tell what they give.
"""

from __future__ import annotations

from inroads.facts import CallRow, ClosureRow, MethodCallRow, PathRow
from inroads.resolve.bounds import FN_TRAITS
from inroads.resolve.dispatch import Pick
from inroads.resolve.infer_operators import dereferenced
from inroads.resolve.infer_paths import instantiate
from inroads.resolve.inferring import Inferring, Site
from inroads.resolve.inside import substitute
from inroads.resolve.projected import projection
from inroads.resolve.types import (
    NEVER,
    UNKNOWN,
    Adt,
    Bound,
    Closure,
    FunctionValue,
    Type,
    Unknown,
    Variable,
)


def call(body: Inferring, at: int, row: CallRow) -> Type:
    """`callee(arguments)`."""
    pick = body.picks.get(row.callee)
    if pick is not None:
        kind = "path" if pick.function.item is not None else "constructor"
        return apply_path(body, at, kind, pick, row.arguments)
    callee = body.shallow(body.types[row.callee])
    path = body.paths.get(row.callee, "")
    if path and isinstance(callee, Unknown):
        returns = _made_outside(body, path)
        body.sites.append(Site(at, "path", path.rpartition("::")[2], None, row.arguments, returns, path=path))
        return returns
    for step in body.solver.derefs(callee):
        if isinstance(step, FunctionValue):
            value = body.value_of(step)
            if value is not None:
                return apply_path(body, at, "value-call", value, row.arguments)
        called = body.solver.callable_of(step)
        if called is None:
            continue
        parameters, returns_type = called
        for index, argument in enumerate(row.arguments):
            if parameters is not None and index < len(parameters):
                body.coerce(body.types[argument], parameters[index])
        if isinstance(step, Closure):
            body.walk_closure(step.row)
            body.sites.append(Site(at, "closure", "", None, row.arguments, returns_type))
            body.sites[-1].closures.append((step.row, "always"))
        else:
            body.sites.append(Site(at, "fn-pointer", "", None, row.arguments, returns_type))
        return body.solver.normal(returns_type)
    return UNKNOWN


def _made_outside(body: Inferring, path: str) -> Type:
    """What a function from outside that nobody described gives: `Type::new` gives a `Type`, by convention."""
    owner, _, name = path.rpartition("::")
    if name not in ("new", "default") or not owner.rpartition("::")[2][:1].isupper():
        return body.fresh()
    found = body.world.opened(owner, "type")
    if found is not None and not found[1] and found[0].kind == "type" and found[0].id is not None:
        info = body.world.type_info(body.world.foreign, found[0].id)
        return body.scope.applied(info, (), open_=True)
    return Adt(owner)


def method_call(body: Inferring, at: int, row: MethodCallRow) -> Type:
    """`receiver.name(arguments)`; one whose receiver is not known yet is tried again at the end."""
    receiver = body.shallow(body.types[row.receiver])
    pick = _method(body, receiver, row)
    if pick is None:
        projected = projection(body, receiver, row.name)
        if projected is not None:
            return projected
    returns = None if pick is not None else body.fresh()
    site = Site(
        at, "method", row.name, None, (row.receiver, *row.arguments), returns or UNKNOWN, receiver=receiver
    )
    if pick is None:
        for argument in row.arguments:
            _walk_if_closure(body, argument)
        body.sites.append(site)
        body.unresolved.append(site)
        return site.returns
    return apply_method(body, site, row, pick)


def _method(body: Inferring, receiver: Type, row: MethodCallRow) -> Pick | None:
    """The method that is called; what takes another number of arguments is not it, as an impl for any type may be."""
    pick = body.dispatch.method(receiver, row.name)
    fits = pick is None or len(pick.function.signature().parameters) == len(row.arguments)
    return pick if fits else None


def apply_method(body: Inferring, site: Site, row: MethodCallRow, pick: Pick) -> Type:
    """The call of a method that was found."""
    if pick.dereferenced:
        dereferenced(body, site.row, pick.dereferenced, pick.function.receiver == "mut")
    pick = instantiate(body, pick, ())
    if row.generics:
        for generic, ref in zip(pick.function.signature().generics, row.generics, strict=False):
            body.trial(pick.mapping[generic], body.solver.normal(body.scope.type(ref)))
    site.pick = pick
    body.sites.append(site)
    signature = pick.function.signature()
    parameters = signature.parameters
    if not signature.is_plain:
        parameters = tuple([body.solver.instance(one, pick.mapping) for one in parameters])
    site.returns = _apply(body, site, pick, parameters, row.arguments)
    return site.returns


def apply_path(body: Inferring, at: int, kind: str, pick: Pick, arguments: tuple[int, ...]) -> Type:
    """The call of a function by its path, or of a value that is a function."""
    signature = pick.function.signature()
    parameters = signature.parameters
    if signature.receiver is not None:
        parameters = (signature.receiver, *parameters)
    if not signature.is_plain:
        parameters = tuple([body.solver.instance(one, pick.mapping) for one in parameters])
    site = Site(at, kind, pick.function.name, pick, arguments, UNKNOWN)
    if kind != "constructor":
        body.sites.append(site)
    site.returns = _apply(body, site, pick, parameters, arguments)
    return site.returns


def _apply(
    body: Inferring, site: Site, pick: Pick, parameters: tuple[Type, ...], arguments: tuple[int, ...]
) -> Type:
    function = pick.function
    signature = function.signature()
    words = function.runs
    names = function.parameter_names() if words else ()
    skipped = len(parameters) - len(signature.parameters)
    for index, argument in enumerate(arguments):
        if index < len(parameters):
            body.coerce(body.types[argument], parameters[index])
        name = names[index - skipped] if names and skipped <= index < len(names) + skipped else ""
        if isinstance(body.rows[argument], ClosureRow) or (
            name in words and isinstance(body.rows[argument], PathRow)
        ):
            site.closures.append((argument, words.get(name, "")))
    if signature.is_plain and (function.impl is None or not function.impl.bounds()) and pick.bound is None:
        return NEVER if function.diverges else signature.returns
    functions: list[tuple[Type, Bound]] = []
    bounds = signature.bounds
    if function.impl is not None and arguments and function.impl.bounds():
        bounds = [*bounds, *function.impl.bounds()]
    for subject, bound in bounds:
        if bound.path in FN_TRAITS:
            functions.append((subject, bound))
        elif bound.bindings or bound.arguments:
            body.oblige(
                body.solver.instance(subject, pick.mapping), body.solver.normal_bound(bound, pick.mapping)
            )
    if pick.bound is not None and pick.bound.arguments:
        # By now the arguments may tell which of several impls it is, and that impl more of the receiver.
        body.oblige(pick.self_type, pick.bound)
    for subject, bound in functions:
        body.oblige(
            body.solver.instance(subject, pick.mapping), body.solver.normal_bound(bound, pick.mapping)
        )
    if functions and (body.obligations or body.solver.pending):
        body.settle()
    if function.diverges:
        return NEVER
    if not pick.mapping:
        return (
            signature.returns if not _projected(signature.returns) else body.solver.normal(signature.returns)
        )
    return body.solver.normal(substitute(signature.returns, pick.mapping))


def _projected(type_: Type) -> bool:
    return not isinstance(type_, Adt) or bool(type_.arguments)


def _walk_if_closure(body: Inferring, at: int) -> None:
    if at in body.closures:
        body.walk_closure(at)


def retry(body: Inferring) -> None:
    """Try the method calls again whose receiver was not known when they were met."""
    for _ in range(3):
        waiting, body.unresolved = body.unresolved, []
        moved = False
        for site in waiting:
            row = body.rows[site.row]
            assert isinstance(row, MethodCallRow)
            receiver = body.shallow(body.types[row.receiver])
            if isinstance(receiver, Variable) and not receiver.kind:
                body.unresolved.append(site)
                continue
            pick = _method(body, receiver, row)
            site.receiver = receiver
            if pick is None:
                body.unresolved.append(site)
                continue
            moved = True
            open_ = site.returns
            body.sites.remove(site)
            body.trial(open_, apply_method(body, site, row, pick))
        if not moved:
            return
