"""
Pinned places, as `#[pin_project]` and `pin_project!` give access to them.

Their `project()` takes a `Pin<&mut S>` to a struct of references to the fields of `S`: those
under `#[pin]` are `Pin<&mut F>`, the others `&mut F`. That struct has no
declaration that one could read; here it is the type `PROJECTED<S>`.
"""

from __future__ import annotations

from inroads.resolve.inferring import Inferring
from inroads.resolve.infos import TypeInfo
from inroads.resolve.types import Adt, Reference, Type

PROJECTED = "pin_project::Projected"
PROJECTED_REF = "pin_project::ProjectedRef"
PIN = "std::pin::Pin"


def projection(body: Inferring, receiver: Type, name: str) -> Type | None:
    """What `receiver.project()` gives; None where it is another method."""
    path = {"project": PROJECTED, "project_ref": PROJECTED_REF}.get(name)
    receiver = body.unifier.shallow(receiver)
    if path is None or not isinstance(receiver, Adt) or receiver.path != PIN or not receiver.arguments:
        return None
    for step in body.solver.derefs(receiver.arguments[0]):
        if isinstance(step, Adt):
            info = body.world.info_of(step)
            if info is not None and info.is_projectable:
                return Adt(path, None, (step,))
    return None


def projected_fields(body: Inferring, type_: Type, variant: str) -> dict[str, Type]:
    """The fields of what `project()` gives; for an enum, of the variant of that name."""
    if not isinstance(type_, Adt) or type_.path not in (PROJECTED, PROJECTED_REF) or not type_.arguments:
        return {}
    whole = body.unifier.shallow(type_.arguments[0])
    info = body.world.info_of(whole) if isinstance(whole, Adt) else None
    if info is None or not isinstance(whole, Adt):
        return {}
    found: dict[str, Type] = {}
    pinned = _pinned(info, variant)
    for name, field in info.fields(variant, whole.arguments).items():
        one: Type = Reference(body.solver.normal(field), type_.path == PROJECTED)
        found[name] = Adt(PIN, None, (one,)) if name in pinned else one
    return found


def _pinned(info: TypeInfo, variant: str) -> frozenset[str]:
    return info.pinned().get(variant, frozenset())
