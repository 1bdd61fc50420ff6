"""What a path in an expression or a pattern names, with the types that its segments give."""

from __future__ import annotations

import msgspec

from inroads.facts import PathType, Segment
from inroads.resolve.described import Universe
from inroads.resolve.dispatch import Pick
from inroads.resolve.inferring import Inferring
from inroads.resolve.infos import FunctionInfo, TypeInfo
from inroads.resolve.model import Definition
from inroads.resolve.std_names import PRIMITIVES
from inroads.resolve.types import UNKNOWN, Adt, Bound, Primitive, Type


class Named(msgspec.Struct):
    """
    What a path names: a function (`pick`), a variant or struct (`info`, `variant`), or a value of a type.

    `path` is whole, for patterns and for functions that nobody described.
    """

    path: str
    pick: Pick | None = None
    info: TypeInfo | None = None
    variant: str = ""
    type: Type = UNKNOWN
    function: bool = False


def name_path(body: Inferring, path: PathType, namespace: str = "value") -> Named | None:
    """
    What a path names as a value; None where nothing is found.

    The namespace is "type" for what stands before the braces of a struct.
    """
    segments = path.segments
    scope = body.scope
    if not segments and path.qself is None:
        return None
    if path.qself is not None:
        base = scope.type(path.qself)
        at = path.trait_length
        if at and at < len(segments):
            bound = scope.bound(PathType(segments[:at]))
            if bound is not None:
                return _of_bound(body, base, bound, segments[at:])
            return None
        return _associated(body, base, segments[at:], None)
    first = segments[0]
    if first.name == "Self" and scope.self_type is not None:
        return _associated(body, scope.self_type, segments[1:], None)
    generic = scope.generics.get(first.name)
    if generic is not None:
        return _associated(body, generic, segments[1:], None)
    names = tuple([one.name for one in segments])
    found = scope.world.prefix(scope.universe, scope.module, names, namespace)
    if found is None:
        return None
    if found[0].kind == "foreign" and len(segments) == 2 and first.name in PRIMITIVES:
        # `use std::u32;` brings in a module; what that has not, the primitive may have.
        if body.world.opened(found[0].path, "value") is None:
            return _associated(body, Primitive(first.name), segments[1:], None)
    return _defined(body, scope.universe, found[0], segments, found[1])


def _defined(
    body: Inferring, universe: Universe, definition: Definition, segments: tuple[Segment, ...], used: int
) -> Named | None:
    world = body.world
    if definition.kind == "foreign":
        opened = world.opened(definition.path, "value")
        if opened is None:
            owner, _, name = definition.path.rpartition("::")
            trait = world.trait_at(owner)
            if trait is not None and name in trait.methods:
                bound = Bound(trait.path, trait.id, tuple(body.fresh() for _ in trait.generics))
                return _of_bound(body, body.fresh(), bound, segments[-1:])
            return Named(definition.path, function=True)
        whole = definition.path
        definition, rest = opened
        universe = world.foreign
        if len(segments) < len(rest):
            # `use Enum::method;` is no Rust; a path that was renamed to more than was written.
            segments = tuple(Segment(name) for name in rest)
        used = len(segments) - len(rest)
        named = _defined(body, universe, definition, segments, used)
        return Named(whole, function=True) if named is None else named
    before = segments[used - 1] if used else Segment("")
    match definition.kind:
        case "function":
            assert definition.id is not None
            function = world.function(universe, definition.id)
            return Named(definition.path, Pick(function, {}, UNKNOWN))
        case "const" | "static":
            assert definition.id is not None
            return Named(definition.path, type=world.constant_type(universe, definition.id))
        case "variant":
            assert definition.id is not None
            info = world.type_info(universe, definition.id)
            written = before.arguments
            if not written and 1 < used:
                written = segments[used - 2].arguments
            base = body.scope.applied(info, written, open_=True)
            return Named(definition.path, info=info, variant=definition.name, type=base)
        case "type":
            assert definition.id is not None
            info = world.type_info(universe, definition.id)
            base = body.scope.applied(info, before.arguments, open_=True)
            return _associated(body, base, segments[used:], info)
        case "trait":
            trait = world.trait_of(universe, definition)
            if trait is None or used == len(segments):
                return None
            arguments = tuple(body.scope.type(one) for one in before.arguments)
            for _ in trait.generics[len(arguments) :]:
                arguments = (*arguments, body.fresh())
            bound = Bound(trait.path, trait.id, arguments)
            return _of_bound(body, body.fresh(), bound, segments[used:])
        case "primitive":
            return _associated(body, Primitive(definition.name), segments[used:], None)
    return None


def _of_bound(body: Inferring, base: Type, bound: Bound, segments: tuple[Segment, ...]) -> Named | None:
    """`<base as bound>::name`, or `Trait::name` where `base` is a variable."""
    name = segments[0].name
    info = body.world.trait_info(bound)
    if info is None:
        return Named(f"{bound.path}::{name}", function=True)
    if len(bound.arguments) < len(info.generics):
        missing = tuple(body.fresh() for _ in info.generics[len(bound.arguments) :])
        bound = Bound(bound.path, bound.trait, (*bound.arguments, *missing))
    function = info.methods.get(name)
    if function is not None:
        return Named(function.path, Pick(function, info.mapping(base, bound), base, bound))
    constant = body.world.constant_of_trait(info, name)
    if constant is not None:
        return Named(f"{info.path}::{name}", type=body.solver.instance(constant, info.mapping(base, bound)))
    if 1 < len(segments):
        return _associated(body, body.scope.associated(base, segments[0]), segments[1:], None)
    return None


def _associated(
    body: Inferring, base: Type, segments: tuple[Segment, ...], written: TypeInfo | None
) -> Named | None:
    """`base::name`, `base` itself where no segment is left."""
    base = body.unifier.shallow(body.solver.normal(base))
    info = body.world.info_of(base) if isinstance(base, Adt) else None
    if not segments:
        if info is None:
            return None
        return Named(info.path, info=info, variant="", type=base)
    name = segments[0].name
    if info is not None and info.has_variant(name):
        return Named(f"{info.path}::{name}", info=info, variant=name, type=base)
    if 1 < len(segments):
        return _associated(body, body.scope.associated(base, segments[0]), segments[1:], None)
    pick = body.dispatch.associated(base, name)
    if pick is not None:
        return Named(pick.function.path, pick)
    constant = body.dispatch.constant(base, name)
    if constant is not None:
        return Named(constant[0], type=constant[1])
    if isinstance(base, Adt) and info is None and base.definition is None:
        return Named(f"{base.path}::{name}", function=True)
    return None


def instantiate(body: Inferring, pick: Pick, segments: tuple[Segment, ...]) -> Pick:
    """The function with variables, or the written arguments, for its own type parameters."""
    signature = pick.function.signature()
    mapping = pick.mapping
    if signature.generics:
        mapping = dict(mapping)
        written = segments[-1].arguments if segments else ()
        for at, generic in enumerate(signature.generics):
            if at < len(written):
                mapping[generic] = body.solver.normal(body.scope.type(written[at]))
            else:
                mapping[generic] = body.fresh()
    return Pick(pick.function, mapping, pick.self_type, pick.bound, pick.dereferenced)


def constructor(body: Inferring, named: Named) -> FunctionInfo | None:
    """A tuple struct or tuple variant as a function; None for other forms."""
    if named.info is None:
        return None
    form = named.info.forms().get(named.variant)
    return (
        body.world.constructor(named.info, named.variant) if form is not None and form[0] == "tuple" else None
    )
