"""The types of what patterns bind, with default binding modes."""

from __future__ import annotations

from inroads.facts import (
    BindingPattern,
    LiteralPattern,
    OrPattern,
    PathPattern,
    PathType,
    Pattern,
    ReferencePattern,
    RestPattern,
    Segment,
    SlicePattern,
    StructPattern,
    TuplePattern,
    TupleStructPattern,
)
from inroads.resolve.infer_paths import Named, name_path
from inroads.resolve.inferring import Inferring
from inroads.resolve.projected import projected_fields
from inroads.resolve.types import (
    UNKNOWN,
    Adt,
    Array,
    Primitive,
    Reference,
    Slice,
    Tuple,
    Type,
)


def bind(
    body: Inferring, pattern: Pattern, type_: Type, row: int | None, mode: str = "", first: bool = True
) -> None:
    """
    Enter the names that a pattern binds, when a value of `type_` is matched.

    Args:
        mode: "" where bindings move, "ref" or "mut" behind a reference that the pattern doesn't write.
        first: False in all but the first alternative of an or-pattern, whose names are there already.
    """
    match pattern:
        case BindingPattern():
            _binding(body, pattern, type_, row, mode, first)
            return
        case ReferencePattern(inner=inner):
            type_ = body.shallow(type_)
            under = body.fresh() if not isinstance(type_, Reference) else type_.inner
            if not isinstance(type_, Reference):
                body.trial(type_, Reference(under))
            bind(body, inner, under, row, "", first)
            return
        case OrPattern(alternatives=alternatives):
            for at, one in enumerate(alternatives):
                bind(body, one, type_, row, mode, first and not at)
            return
    type_ = body.shallow(type_)
    for _ in range(8):
        if not isinstance(type_, Reference):
            break
        mode = "mut" if type_.mutable and mode != "ref" else "ref"
        type_ = body.shallow(type_.inner)
    match pattern:
        case TuplePattern(elements=elements):
            _tuple(body, elements, type_, row, mode, first)
        case TupleStructPattern(path=path, elements=elements, start=start):
            named = _pattern_path(body, path, type_, row, start)
            fields = {} if named is None or named.info is None else _fields(named, body, type_)
            places = _places(elements, len(fields))
            for at, one in zip(places, elements, strict=True):
                if not isinstance(one, RestPattern):
                    bind(body, one, fields.get(str(at), UNKNOWN), row, mode, first)
        case StructPattern(path=path, fields=pairs, start=start):
            named = _pattern_path(body, path, type_, row, start, "type")
            if named is None or named.info is None:
                fields = projected_fields(
                    body, type_, path.segments[-1].name if 1 < len(path.segments) else ""
                )
            else:
                fields = _fields(named, body, type_)
            for name, one in pairs:
                bind(body, one, fields.get(name, UNKNOWN), row, mode, first)
        case PathPattern(path=path, start=start):
            _pattern_path(body, path, type_, row, start)
        case SlicePattern(elements=elements):
            _slice(body, elements, type_, row, mode, first)
        case LiteralPattern(text=text):
            _literal(body, text, type_)


def _binding(
    body: Inferring, pattern: BindingPattern, type_: Type, row: int | None, mode: str, first: bool
) -> None:
    if pattern.sub is None and not pattern.mutable and not pattern.by_reference:
        if _is_constant(body, pattern, type_, row):
            return
    whole = type_
    if pattern.by_reference:
        whole = Reference(type_, pattern.mutable)
    elif mode:
        whole = Reference(type_, mode == "mut")
    if not first:
        known = body.frame.find(pattern.name)
        if known is not None:
            body.trial(body.locals[known].type, whole)
            body.bound[(-1 if row is None else row, pattern.start)] = known
            return
    id = body.declare(pattern.name, whole, pattern.mutable, row)
    body.bound[(-1 if row is None else row, pattern.start)] = id
    if pattern.sub is not None:
        bind(body, pattern.sub, type_, row, mode, first)


def _is_constant(body: Inferring, pattern: BindingPattern, type_: Type, row: int | None) -> bool:
    """Whether a bare name is a constant, unit struct or unit variant; then it binds nothing."""
    if not pattern.name[:1].isupper() and not pattern.name.startswith("r#"):
        found = body.scope.universe.tables.lookup_lexical(body.scope.module, pattern.name, "value")
        if found is None or found.kind not in ("const", "static", "variant"):
            return False
    named = name_path(body, PathType((Segment(pattern.name),)))
    if named is None or named.pick is not None:
        return False
    if named.info is not None:
        form = named.info.forms().get(named.variant)
        if form is None or form[0] != "unit":
            return False
    elif named.function:
        return False
    body.pattern_paths[(-1 if row is None else row, pattern.start)] = named.path
    body.trial(named.type, type_)
    return True


def _pattern_path(
    body: Inferring, path: PathType, type_: Type, row: int | None, start: int, namespace: str = "value"
) -> Named | None:
    """What a pattern's path names; its type and the matched one become equal."""
    named = name_path(body, path, namespace)
    if named is None:
        return None
    body.pattern_paths[(-1 if row is None else row, start)] = named.path
    body.trial(named.type, type_)
    return named


def _fields(named: Named, body: Inferring, matched: Type) -> dict[str, Type]:
    assert named.info is not None
    own = body.unifier.shallow(named.type)
    arguments = own.arguments if isinstance(own, Adt) else ()
    fields = named.info.fields(named.variant, arguments)
    return {name: body.solver.normal(one) for name, one in fields.items()}


def _places(elements: tuple[Pattern, ...], length: int) -> list[int]:
    """Which field each element of a tuple pattern stands for; those after `..` count from the end."""
    places = []
    at = 0
    for index, one in enumerate(elements):
        if isinstance(one, RestPattern):
            places.append(at)
            at = max(length - (len(elements) - index - 1), 0)
        else:
            places.append(at)
            at += 1
    return places


def _tuple(
    body: Inferring, elements: tuple[Pattern, ...], type_: Type, row: int | None, mode: str, first: bool
) -> None:
    rest = any(isinstance(one, RestPattern) for one in elements)
    if not isinstance(type_, Tuple):
        made = Tuple(tuple(body.fresh() for _ in elements))
        if not rest:
            body.trial(type_, made)
        type_ = made
    places = _places(elements, len(type_.elements))
    for at, one in zip(places, elements, strict=True):
        if not isinstance(one, RestPattern):
            bind(body, one, type_.elements[at] if at < len(type_.elements) else UNKNOWN, row, mode, first)


def _slice(
    body: Inferring, elements: tuple[Pattern, ...], type_: Type, row: int | None, mode: str, first: bool
) -> None:
    inner = type_.inner if isinstance(type_, Slice | Array) else UNKNOWN
    for one in elements:
        if isinstance(one, BindingPattern) and isinstance(one.sub, RestPattern):
            whole = Slice(inner)
            id = body.declare(one.name, Reference(whole, mode == "mut") if mode else whole, one.mutable, row)
            body.bound[(-1 if row is None else row, one.start)] = id
        elif not isinstance(one, RestPattern):
            bind(body, one, inner, row, mode, first)


def _literal(body: Inferring, text: str, type_: Type) -> None:
    if text.startswith("'"):
        body.trial(type_, Primitive("char"))
    elif text in ("true", "false"):
        body.trial(type_, Primitive("bool"))
