"""What a capture finds: places and constants held against the operands of a pattern."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from inroads.lower.model import Field, Place
from inroads.lower.places import strip_field
from inroads.pattern_paths import matches_path
from inroads.pattern_syntax import Anything, Capture, ConditionPattern, Constant, Operand, PlacePattern


class Lost(Enum):
    """A key that was captured, and that can't be told: it is comparable with no other."""

    KEY = "lost"


LOST = Lost.KEY
Key: TypeAlias = Place | Lost
Bindings: TypeAlias = dict[str, Key]


def place_bindings(pattern: PlacePattern, place: Place) -> Bindings | None:
    """The captures of a place that ends as the pattern says; None where it doesn't."""
    rest: Place = place
    for name in reversed(pattern.fields):
        last = rest.steps[-1] if rest.steps else None
        if not isinstance(last, Field) or not matches_path((name,), last.name):
            return None
        if rest.steps[: -len(pattern.fields)] == () and not isinstance(last, Field):
            return None
        owner = last
        rest = Place(rest.root, rest.steps[:-1])
        first = owner
    if isinstance(pattern.root, Capture):
        return {pattern.root.name: rest}
    if pattern.fields:
        owned = first.owner or place_type(rest)
        static = rest.root.kind == "static" and not rest.steps and matches_path(pattern.root, rest.root.path)
        if static or any(
            matches_path(pattern.root, path)
            for path in (owned, f"{owned}::{first.variant}", place_type(rest))
        ):
            return {}
        return None
    if rest.root.kind == "static" and not rest.steps:
        return {} if matches_path(pattern.root, rest.root.path) else _typed(pattern.root, rest)
    return _typed(pattern.root, rest)


def _typed(path: tuple[str, ...], place: Place) -> Bindings | None:
    """A type as the root of a place: the place is a value of it."""
    kind = place_type(place)
    return {} if kind and matches_path(path, kind) else None


def place_type(place: Place) -> str:
    """The path of the nominal type of a place, "" where it is not known."""
    if not place.steps:
        return place.root.type
    last = place.steps[-1]
    return last.type if isinstance(last, Field) else ""


def bind(operand: Operand, place: Place, bindings: Bindings) -> bool:
    """Bind one operand; False where a constant differs, or a name is bound to another key already."""
    match operand:
        case Anything():
            return True
        case Constant(text=text):
            root = place.root
            return root.kind in ("constant", "static") and not place.steps and is_constant(text, root.path)
        case Capture(name=name, fields=fields):
            key: Key = place
            for wanted in reversed(fields):
                stripped = None if isinstance(key, Lost) else strip_field(key, wanted)
                key = LOST if stripped is None else stripped
            before = bindings.get(name)
            if before is not None and before != key and LOST not in (before, key):
                return False
            bindings[name] = key
            return True


def is_constant(wanted: str, text: str) -> bool:
    """Whether a constant's text or path is the one a pattern writes."""
    return wanted == text or ("::" in text and matches_path(tuple(wanted.split("::")), text))


def is_sibling(wanted: str, variant: str) -> bool:
    """Whether two paths are variants of one enum, as far as the wanted path tells."""
    return wanted.rpartition("::")[0].rpartition("::")[2] == variant.rpartition("::")[0].rpartition("::")[2]


def comparison(pattern: ConditionPattern) -> tuple[str, str] | None:
    match pattern.relation:
        case "length" | "equals":
            return ("==", pattern.operand)
        case "less" if pattern.operand.endswith("+"):
            return ("<=", pattern.operand[:-1])
        case "less":
            return ("<", pattern.operand)
        case _:
            return None
