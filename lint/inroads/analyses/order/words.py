"""Half sentences for the roads: what a branch means, what was skipped, where it comes from."""

from __future__ import annotations

from fnmatch import fnmatchcase

from inroads.lower.model import Compare, Condition, Is, Length, Opaque, Place, Same, Truth
from inroads.lower.places import describe
from inroads.pattern import BranchPattern, BuildPattern, CallPattern, MethodPattern, Pattern, WritePattern

OPPOSITES = {"Some": "None", "Ok": "Err"}
SIGNS = {("==", True): "is", ("==", False): "is not", ("<", True): "is below", ("<", False): "is not below"}


def condition_words(condition: Condition, side: bool) -> str:
    """What a branch taken says: "`draft` is None", "`ids` is empty"."""
    match condition:
        case Is(place=place, variant=variant):
            name = variant.rpartition("::")[2]
            if side:
                return f"{quoted(place)} is {name}"
            return f"{quoted(place)} is {OPPOSITES.get(name, f'not {name}')}"
        case Truth(place=place):
            return f"{quoted(place)} is {'true' if side else 'false'}"
        case Compare(place=place, op=op, literal=literal):
            if place.steps and isinstance(place.steps[-1], Length):
                whole = quoted(Place(place.root, place.steps[:-1]))
                if (op, literal) == ("==", "0"):
                    return f"{whole} is {'empty' if side else 'not empty'}"
                return f"the length of {whole} {_sign(op, side)} {literal}"
            return f"{quoted(place)} {_sign(op, side)} `{literal}`"
        case Same(left=left, op=op, right=right):
            return f"{quoted(left)} {_sign(op, side)} {quoted(right)}"
        case Opaque():
            return "this way is taken"


def _sign(op: str, side: bool) -> str:
    return SIGNS.get((op, side), "is at most" if side else "is above")


def quoted(place: Place) -> str:
    """A place in back quotes; what has no name in words."""
    words = describe(place)
    return words if " " in words else f"`{words}`"


def pattern_name(pattern: Pattern) -> str:
    """The short name of what a pattern speaks of: `forward*`, `Catalog.live.insert`, `Config.count`."""
    match pattern:
        case CallPattern(path=path, macro=macro):
            return path[-1] + ("!" if macro else "")
        case MethodPattern(place=place, name=name):
            return ".".join((*_place_parts(place), name))
        case WritePattern(place=place):
            return ".".join(_place_parts(place)) + " = .."
        case BuildPattern(path=path):
            return f"{path[-1]} {{ .. }}"
        case BranchPattern():
            return "a test"


def _place_parts(place: object) -> tuple[str, ...]:
    root = getattr(place, "root", ())
    fields: tuple[str, ...] = getattr(place, "fields", ())
    return (*root[-1:], *fields) if isinstance(root, tuple) else fields


def needs_name(patterns: tuple[Pattern, ...]) -> str:
    """What must have happened before, in a word or two."""
    written = list(dict.fromkeys(pattern_name(pattern) for pattern in patterns))
    names = [
        name for name in written if not any(fnmatchcase(name, other) for other in written if other != name)
    ]
    if not names:
        return "the need"
    if len(names) == 1:
        return f"`{names[0]}`"
    return (
        f"`{names[0]}` or `{names[1]}`" if len(names) == 2 else f"`{names[0]}` (or {len(names) - 1} others)"
    )


def short(path: str) -> str:
    """The last two segments of a method's path, the last of a function's: as people say it."""
    segments = path.split("::")
    if len(segments) > 1 and segments[-2][:1].isupper():
        return "::".join(segments[-2:])
    return segments[-1]
