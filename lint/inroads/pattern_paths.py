"""How the path in a pattern names the paths of a program: by its last whole segments."""

from __future__ import annotations

from fnmatch import fnmatchcase

from inroads.resolve.types import Adt, Dyn, Opaque, Pointer, Reference, Type

POINTERS = frozenset(
    {
        "std::boxed::Box",
        "std::rc::Rc",
        "std::sync::Arc",
        "std::cell::RefCell",
        "std::cell::Cell",
        "std::sync::Mutex",
        "std::sync::RwLock",
        "std::pin::Pin",
    }
)
DEEPEST = 16


def matches_path(pattern: tuple[str, ...], path: str) -> bool:
    """
    Whether the last whole segments of the path are those of the pattern.

    `*` stands for any characters within a segment. A leading `crate` is the
    crate's own name, so that nothing may stand before it.
    """
    # Nearly all paths end in another name.
    if not path.endswith(pattern[-1]) and "*" not in pattern[-1]:
        return False
    segments = path.split("::")
    if pattern[0] == "crate":
        return len(segments) == len(pattern) and _equal(pattern[1:], segments[1:])
    return len(pattern) <= len(segments) and _equal(pattern, segments[-len(pattern) :])


def _equal(pattern: tuple[str, ...], segments: list[str]) -> bool:
    return all(
        wanted == segment or ("*" in wanted and fnmatchcase(segment, wanted))
        for wanted, segment in zip(pattern, segments, strict=True)
    )


def is_free_path(path: str) -> bool:
    """Whether a path outside the workspace names a free function: what holds it is no type."""
    holder = path.rpartition("::")[0].rpartition("::")[2]
    return not holder[:1].isupper() and not holder.startswith("<")


def nominal_path(type_: Type) -> str:
    """The path of a type, looked through references and smart pointers; of its first trait for `dyn`, `impl`."""
    for _ in range(DEEPEST):
        match type_:
            case Reference(inner=inner) | Pointer(inner=inner):
                type_ = inner
            case Adt(path=path, arguments=(inner, *_)) if path in POINTERS:
                type_ = inner
            case Adt(path=path):
                return path
            case Dyn(bounds=(first, *_)) | Opaque(bounds=(first, *_)):
                return first.path
            case _:
                return ""
    return ""
