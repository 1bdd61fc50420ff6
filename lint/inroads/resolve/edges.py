"""
From a site to a call: what may run there, and how that is known.

When a body's types are found, a trait's method on a known type is the one of
its impl, or the trait's default body; on a parameter or a `dyn` it is that of any
impl (class-hierarchy analysis).
"""

from __future__ import annotations

from inroads.facts import CallRow, How, MethodCallRow
from inroads.resolve.by_name import candidates
from inroads.resolve.dispatch import Pick
from inroads.resolve.impl_info import ImplInfo
from inroads.resolve.inferring import Inferring, Site
from inroads.resolve.infos import FunctionInfo, TraitInfo
from inroads.resolve.inside import is_ground
from inroads.resolve.model import Call, Target
from inroads.resolve.types import (
    Adt,
    Bound,
    FunctionPointer,
    Opaque,
    Reference,
    Type,
    Unknown,
    Variable,
)


def call_of(body: Inferring, site: Site) -> Call | None:
    """The call that stands at a site; None where nothing is called (an operator on numbers)."""
    closures = tuple((row, word or "may") for row, word in site.closures)
    returns = body.unifier.close(given_by_value(body, site) if site.kind == "value" else site.returns)
    kind = "path" if site.kind == "value-call" else site.kind
    if site.pick is None:
        return _unknown(body, site, kind, closures, returns)
    function = site.pick.function
    targets: tuple[Target, ...]
    how: How
    if function.trait is None or site.pick.bound is None:
        declared = _target(function)
        targets, how = (declared,), "exact"
    else:
        targets, declared, how = resolve(body, site.pick)
    if site.kind == "value":
        how = "fn-value" if how == "exact" else how
    elif site.kind == "value-call":
        how = "fn-value"
    if kind in ("operator", "desugar") and not any(one.function is not None for one in targets):
        return None
    return Call(site.row, kind, targets, declared, how, (), site.arguments, closures, returns)


def given_by_value(body: Inferring, site: Site) -> Type:
    """What a function gives that is handed on by its name, and run by somebody else."""
    if site.pick is None:
        return site.returns
    pointer = body.solver.instance(site.pick.function.pointer(), site.pick.mapping)
    return pointer.returns if isinstance(pointer, FunctionPointer) else site.returns


def implied_calls(body: Inferring) -> list[Call]:
    """The calls that nobody wrote and that run something of the workspace, by row."""
    found = (call_of(body, site) for site in body.implied)
    return sorted((one for one in found if one is not None), key=lambda call: call.row)


def _unknown(
    body: Inferring, site: Site, kind: str, closures: tuple[tuple[int, str], ...], returns: Type
) -> Call | None:
    if site.path:
        if site.path.rpartition("::")[0].rpartition("::")[2][:1].isupper():
            body.built_outside.add(site.row)
        target = Target(site.path)
        how: How = "fn-value" if kind == "value" else "exact"
        return Call(site.row, kind, (target,), target, how, (), site.arguments, closures, returns)
    if site.kind in ("closure", "fn-pointer"):
        return Call(site.row, "closure", (), None, "closure", (), site.arguments, closures, returns)
    row = body.rows[site.row]
    if isinstance(row, MethodCallRow):
        path = _foreign_method(body, body.types[row.receiver], row.name)
        chained = row.receiver in body.built_outside
        if chained or (path and isinstance(body.rows[row.receiver], CallRow | MethodCallRow)):
            # `Outside::new().unicode(true).octal(true)`: what a builder's methods give is from outside as well.
            body.built_outside.add(site.row)
        if path:
            target = Target(path)
            return Call(site.row, kind, (target,), target, "exact", (), site.arguments, closures, returns)
        guessed = () if chained else _unique([_target(one) for one in candidates(body, site)])
        return Call(site.row, kind, guessed, None, "by-name", (), site.arguments, closures, returns)
    return Call(site.row, kind, (), None, "by-name", (), site.arguments, closures, returns)


def _foreign_method(body: Inferring, receiver: Type, name: str) -> str:
    """
    The path of a method that a type from outside has and nobody described.

    "" for other types, and where what the type dereferences to is not known.
    """
    path = ""
    for step in body.solver.derefs(receiver):
        if isinstance(step, Variable | Unknown):
            return ""
        if isinstance(step, Adt) and step.definition is None:
            if body.world.info_of(step) is None:
                return f"{step.path}::{name}"
            path = path or f"{step.path}::{name}"
    return path


def resolve(body: Inferring, pick: Pick) -> tuple[tuple[Target, ...], Target, How]:
    """The functions that a picked function stands for, the one that the call names, and how that is known."""
    function = pick.function
    declared = _target(function)
    trait = function.trait
    if trait is None or pick.bound is None:
        return (declared,), declared, "exact"
    self_type = body.unifier.zonk(body.solver.normal(body.unifier.zonk(pick.self_type)))
    bound = Bound(
        pick.bound.path,
        pick.bound.trait,
        tuple(body.unifier.zonk(one) for one in _arguments(pick, trait)),
        tuple((name, body.unifier.zonk(one)) for name, one in pick.bound.bindings),
    )
    if isinstance(self_type, Variable) and self_type.kind:
        self_type = body.unifier.close(self_type)
    if body.solver.is_bounded(self_type) or isinstance(self_type, Variable | Unknown):
        return _any(body, trait, function, self_type, bound)
    found = body.solver.matches(self_type, Bound(bound.path, bound.trait, bound.arguments))
    own = [_method(impl, function) for impl in found]
    if len(own) == 1:
        return (_target(own[0]),), declared, "exact"
    if not found:
        if isinstance(self_type, Reference | Adt) and function.has_body and trait.id is not None:
            return (declared,), declared, "exact"
        return (declared,), declared, "exact" if trait.id is None else "trait"
    targets = _unique([_target(one) for one in own])
    return targets, declared, "trait" if 1 < len(targets) else "exact"


def _arguments(pick: Pick, trait: TraitInfo) -> tuple[Type, ...]:
    return tuple(pick.mapping.get(one, one) for one in trait.generics)


def _any(
    body: Inferring, trait: TraitInfo, function: FunctionInfo, self_type: Type, bound: Bound
) -> tuple[tuple[Target, ...], Target, How]:
    """All impls of a trait, those of test code only for test code, and the trait's own function."""
    declared = _target(function)
    if trait.id is None and isinstance(self_type, Variable | Unknown):
        # That anything at all implements a trait from outside tells nothing.
        return (declared,), declared, "trait"
    if bound.arguments or bound.bindings:
        return _unique(_fitting(body, trait, function, bound)), declared, "trait"
    key = (function.name, body.solver.active, body.solver.test)
    targets = trait.any_impl.get(key)
    if targets is None:
        targets = trait.any_impl[key] = _unique(_fitting(body, trait, function, bound))
    return targets, declared, "trait"


def _fitting(body: Inferring, trait: TraitInfo, function: FunctionInfo, bound: Bound) -> list[Target]:
    """The trait's own function, and those of the impls whose types fit the bound."""
    targets = [_target(function)]
    for impl in trait.all_impls():
        if (body.solver.active and not impl.active) or (impl.test and not body.solver.test):
            continue
        if impl.id is None and impl.head == "*":
            continue
        own = impl.methods.get(function.name)
        if own is None:
            continue
        theirs = impl.bound()
        if theirs is not None and bound.arguments:
            mark = len(body.unifier.trail)
            mapping = {one: body.unifier.fresh() for one in impl.generics}
            fits = all(
                body.unifier.unify(body.solver.instance(one, mapping), other)
                for one, other in zip(theirs.arguments, bound.arguments, strict=False)
            )
            body.unifier.rollback(mark)
            if not fits:
                continue
        if not all(_agrees(body, impl, name, wanted) for name, wanted in bound.bindings):
            continue
        if own.id is not None:
            targets.append(_target(own))
    return targets


def _agrees(body: Inferring, impl: ImplInfo, name: str, wanted: Type) -> bool:
    """Whether an impl's associated type may be the one that a bound asks for: `Iterator<Item = B>`."""
    written = impl.type_named(name)
    if written is None or isinstance(written, Opaque) or not (is_ground(written) and is_ground(wanted)):
        return True
    mark = len(body.unifier.trail)
    fits = body.unifier.unify(written, wanted)
    body.unifier.rollback(mark)
    return fits


def _method(impl: ImplInfo, function: FunctionInfo) -> FunctionInfo:
    """The impl's own function, or the trait's where it has none."""
    return impl.methods.get(function.name, function)


def _target(function: FunctionInfo) -> Target:
    found = function.target
    if found is None:
        found = function.target = Target(function.path, function.id)
    return found


def _unique(targets: list[Target]) -> tuple[Target, ...]:
    return tuple(dict.fromkeys(targets))
