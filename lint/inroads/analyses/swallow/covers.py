"""What a pattern does with a value that may hold an error: whether it meets the error, and under which names."""

from __future__ import annotations

from typing import NamedTuple

from inroads.analyses.swallow.shapes import ERROR, Shape
from inroads.facts import (
    BindingPattern,
    LiteralPattern,
    OrPattern,
    PathPattern,
    Pattern,
    ReferencePattern,
    RestPattern,
    SlicePattern,
    StructPattern,
    TuplePattern,
    TupleStructPattern,
    WildcardPattern,
)


class Cover(NamedTuple):
    """
    How a pattern meets the error of a value.

    Args:
        total: Whether it matches whatever the error is.
        bound: The names that hold the error or what is around it: (start of the BindingPattern, name, shape).
        named: Whether the pattern itself says `Err`, `None` or the like, rather than being a catch-all.
    """

    total: bool
    bound: tuple[tuple[int, str, Shape], ...] = ()
    named: bool = False


EVERYTHING = Cover(True)

STD_VARIANTS = frozenset(("Ok", "Err", "Some", "None", "Ready", "Pending", "Break", "Continue"))


def goes_by_another(pattern: Pattern, shape: Shape) -> bool:
    """Whether a pattern asks something else beside the error that is no Result or Option: `(Err(e), false)`."""
    if not isinstance(pattern, TuplePattern) or shape[0][0] != "T":
        return False
    others = [one for at, one in enumerate(pattern.elements) if at != int(shape[0][1:])]
    return not any(is_irrefutable(one) or variant_name(one) in STD_VARIANTS for one in others)


def cover(pattern: Pattern, shape: Shape) -> Cover | None:
    """How a pattern meets the error at a shape; None where it never matches when there is an error."""
    match pattern:
        case WildcardPattern() | RestPattern():
            return EVERYTHING
        case ReferencePattern(inner=inner):
            return cover(inner, shape)
        case OrPattern(alternatives=alternatives):
            return _united([found for one in alternatives if (found := cover(one, shape)) is not None])
        case BindingPattern(name="None", sub=None) if shape[0] in ("O", "Z"):
            return Cover(True, (), True) if shape[0] == "Z" else None
        case BindingPattern(name="Pending", sub=None) if shape[0] == "P":
            return None
        case BindingPattern(name=name, sub=None) if name[:1].isupper():
            # A bare upper-case name is a variant or a constant: it meets some errors only.
            return Cover(False, (), True) if shape[0] == "E" else None
        case BindingPattern(start=start, name=name, sub=sub):
            inner_cover = cover(sub, shape) if sub is not None else EVERYTHING
            if inner_cover is None:
                return None
            return Cover(inner_cover.total, (*inner_cover.bound, (start, name, shape)), inner_cover.named)
    return _structured(pattern, shape)


def _structured(pattern: Pattern, shape: Shape) -> Cover | None:
    head, rest = shape[0], shape[1:]
    name = variant_name(pattern)
    match head:
        case "R":
            if name == "Err":
                return _named(cover(_only(pattern), ERROR))
            return None if name == "Ok" else Cover(False)
        case "K":
            if name == "Ok":
                return cover(_only(pattern), rest)
            return None if name == "Err" else Cover(False)
        case "O" | "P":
            if name in ("Some", "Ready"):
                return cover(_only(pattern), rest)
            return None if name in ("None", "Pending") else Cover(False)
        case "Z":
            if name == "None":
                return Cover(True, (), True)
            return None if name == "Some" else Cover(False)
        case "B+" | "B-":
            if isinstance(pattern, LiteralPattern):
                return Cover(True, (), True) if (pattern.text == "true") == (head == "B+") else None
            return EVERYTHING
        case "E":
            return _pieces(pattern)
        case "I":
            if isinstance(pattern, SlicePattern):
                found = [one for element in pattern.elements if (one := cover(element, rest)) is not None]
                return Cover(False, tuple(bound for one in found for bound in one.bound))
            return Cover(False)
    if head[0] == "T" and isinstance(pattern, TuplePattern):
        return _of_tuple(pattern, int(head[1:]), rest)
    return Cover(False)


def _of_tuple(pattern: TuplePattern, index: int, rest: Shape) -> Cover | None:
    elements = list(pattern.elements)
    before = next((at for at, one in enumerate(elements) if isinstance(one, RestPattern)), len(elements))
    if index >= len(elements) or index >= before:
        # Behind `..` the position is not known: taken as whole, nothing bound.
        return EVERYTHING if before < len(elements) else Cover(False)
    found = cover(elements[index], rest)
    if found is None:
        return None
    others = all(is_irrefutable(one) for at, one in enumerate(elements) if at != index)
    return Cover(found.total and others, found.bound, found.named)


def _pieces(pattern: Pattern) -> Cover:
    """A pattern on the error itself: all its names hold a part of it."""
    return Cover(
        is_irrefutable(pattern), tuple((start, name, ERROR) for start, name in bindings(pattern)), True
    )


def _named(found: Cover | None) -> Cover | None:
    return found._replace(named=True) if found is not None else None


def _united(found: list[Cover]) -> Cover | None:
    if not found:
        return None
    return Cover(
        any(one.total for one in found),
        tuple(bound for one in found for bound in one.bound),
        all(one.named for one in found),
    )


def _only(pattern: Pattern) -> Pattern:
    """The one element of `Err(x)`; a wildcard where there is none."""
    if isinstance(pattern, TupleStructPattern) and pattern.elements:
        return pattern.elements[0]
    return WildcardPattern(start=0, end=0)


def variant_name(pattern: Pattern) -> str:
    """The last segment of a pattern's path: `Err` of `Err(e)`; empty where it has none."""
    match pattern:
        case TupleStructPattern(path=path) | StructPattern(path=path) | PathPattern(path=path):
            return path.segments[-1].name if path.segments else ""
        case BindingPattern(name=name):
            return name
    return ""


def says_err(pattern: Pattern) -> bool:
    """Whether a pattern has `Err` in it."""
    return "Err" in repr(pattern)


def is_irrefutable(pattern: Pattern) -> bool:
    """Whether a pattern matches every value; a struct pattern counts, as it most often is of a struct."""
    match pattern:
        case WildcardPattern() | RestPattern():
            return True
        case BindingPattern(name=name, sub=sub):
            return not name[:1].isupper() and (sub is None or is_irrefutable(sub))
        case ReferencePattern(inner=inner):
            return is_irrefutable(inner)
        case TuplePattern(elements=elements):
            return all(is_irrefutable(one) for one in elements)
        case OrPattern(alternatives=alternatives):
            return any(is_irrefutable(one) for one in alternatives)
        case TupleStructPattern(path=path, elements=elements):
            # `SendError(value)` is a struct with one field: a variant would have its enum before it, but for std's.
            return (
                len(path.segments) == 1
                and path.segments[0].name not in STD_VARIANTS
                and all(is_irrefutable(one) for one in elements)
            )
    return False


def bindings(pattern: Pattern) -> list[tuple[int, str]]:
    """All names that a pattern binds: (start, name)."""
    found: list[tuple[int, str]] = []
    stack: list[Pattern] = [pattern]
    while stack:
        match stack.pop():
            case BindingPattern(start=start, name=name, sub=sub):
                if not name[:1].isupper():
                    found.append((start, name))
                if sub is not None:
                    stack.append(sub)
            case ReferencePattern(inner=inner):
                stack.append(inner)
            case (
                TuplePattern(elements=inside)
                | SlicePattern(elements=inside)
                | TupleStructPattern(elements=inside)
            ):
                stack.extend(inside)
            case OrPattern(alternatives=inside):
                stack.extend(inside)
            case StructPattern(fields=fields):
                stack.extend(one for _, one in fields)
            case _:
                pass
    return sorted(found)


def holds_whole(names: tuple[tuple[int, str, Shape], ...], shape: Shape) -> bool:
    """Whether names of a pattern hold the whole Result that is inside a value: `Some(r)`, `Ready(r)`, `Ok(r)`."""
    return shape[0] in ("O", "P", "K") and any(one != ERROR and one != shape for _, _, one in names)


def says_result(pattern: Pattern) -> Shape | None:
    """
    The shape that a pattern proves: `Err(e)` proves a Result, `Some(Ok(x))` an Option of one; None if
    it proves nothing.
    """
    match pattern:
        case TupleStructPattern(elements=elements):
            match variant_name(pattern):
                case "Ok" | "Err":
                    return ("R",)
                case "Some" if elements:
                    inner = says_result(elements[0])
                    return ("O", *inner) if inner else None
                case "Ready" if elements:
                    inner = says_result(elements[0])
                    return ("P", *inner) if inner else None
        case OrPattern(alternatives=alternatives):
            return next((found for one in alternatives if (found := says_result(one))), None)
        case ReferencePattern(inner=inner_pattern):
            return says_result(inner_pattern)
        case BindingPattern(sub=sub) if sub is not None:
            return says_result(sub)
    return None
