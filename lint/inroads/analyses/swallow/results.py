"""What types, as they are written, say of Results."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Literal

from inroads.analyses.swallow.holding import inside, spoken
from inroads.analyses.swallow.shapes import OF_RESULTS
from inroads.facts import DynType, FunctionType, ImplType, ModuleItem, PathType, TypeAliasItem, TypeRef

if TYPE_CHECKING:
    from inroads.resolve.tables import Tables

Rest = Literal["none", "given", "own"]
RESTS: tuple[Rest, ...] = ("none", "given", "own")

# Iterators whose every element is a Result: the name, and the modules where it is that one.
_OF_RESULTS: dict[str, list[str]] = {}
for _path in sorted(OF_RESULTS):
    _OF_RESULTS.setdefault(_path.rpartition("::")[2], []).append(_path.rpartition("::")[0])
# Those of them that have their name alone.
_LISTINGS = frozenset(("ReadDir", "Incoming", "Lines"))
FUTURES = frozenset(("Pin", "Box", "BoxFuture", "LocalBoxFuture", "Future"))


def speaks(written: TypeRef, names: Set[str]) -> bool:
    """Whether a type as written holds one of these names, or one that ends in `Result`; `Self` alone is none."""
    waiting: list[TypeRef | None] = [written]
    while waiting:
        at = waiting.pop()
        # Nearly all are paths.
        if isinstance(at, PathType):
            for segment in at.segments:
                # `Self` alone is no Result; `Self::Item` may be one.
                if segment.name == "Self" and len(at.segments) == 1:
                    continue
                if segment.name in names or segment.name.endswith("Result"):
                    return True
                if segment.arguments:
                    waiting += segment.arguments
                if segment.bindings:
                    waiting += [value for _, value in segment.bindings]
            if at.qself is not None:
                waiting.append(at.qself)
            continue
        # Of a function only what it returns.
        waiting += (at.returns,) if isinstance(at, FunctionType) else inside(at)
    return False


def last_name(written: TypeRef) -> str | None:
    """The last name of a type; None where it has none."""
    return written.segments[-1].name if isinstance(written, PathType) and written.segments else None


def result_names(tables: Tables, *, projected: bool) -> frozenset[str]:
    """
    `Result`, and the aliases of types that speak of it; ends because each turn adds one.

    Args:
        projected: Whether associated types count.
    """
    aliases: list[TypeAliasItem] = []
    for source in tables.sources:
        items = source.facts.items
        for item in items:
            if isinstance(item, TypeAliasItem):
                outer = None if item.head.parent is None else items[item.head.parent]
                if projected or outer is None or isinstance(outer, ModuleItem):
                    aliases.append(item)
    found = {"Result", *_LISTINGS}
    size = 0
    while size < len(found):
        size = len(found)
        names = frozenset(found)
        found.update(item.head.name for item in aliases if item.type is not None and speaks(item.type, names))
    return frozenset(found)


def whole_aliases(tables: Tables, results: frozenset[str]) -> frozenset[str]:
    """Names of types that are all a Result of something that holds no other."""
    good: set[str] = set()
    bad: set[str] = set()
    for source in tables.sources:
        for item in source.facts.items:
            if isinstance(item, TypeAliasItem) and item.type is not None:
                last = item.type.segments[-1] if isinstance(item.type, PathType) else None
                if (
                    last is not None
                    and last.name.endswith("Result")
                    and not any(speaks(one, results) for one in last.arguments[:1])
                ):
                    good.add(item.head.name)
                else:
                    bad.add(item.head.name)
    return frozenset(good - bad)


def rest_of(written: TypeRef, results: frozenset[str], generics: set[str], whole: frozenset[str]) -> Rest:
    """What a `?` on a value of this type leaves; an `.await` before it is looked through."""
    at = written
    while True:
        match at:
            case ImplType(bounds=(bound, *_)) | DynType(bounds=(bound, *_)):
                at = bound
                continue
            case PathType(segments=(*_, last)) if last.name in FUTURES:
                inner = dict(last.bindings).get("Output", last.arguments[0] if last.arguments else None)
                if inner is not None:
                    at = inner
                    continue
        break
    if not isinstance(at, PathType) or not at.segments:
        return "own"
    last = at.segments[-1]
    if not last.name.endswith("Result"):
        return "none" if last.name in whole or (last.name in generics and not last.arguments) else "own"
    if not last.arguments:
        return "none" if last.name in whole else "own"
    if speaks(last.arguments[0], results):
        return "own"
    return "given" if not spoken(last.arguments[:1]).isdisjoint(generics - {"Self"}) else "none"


def gives_results(written: TypeRef, path: str) -> bool:
    """Whether a function of std gives one of the iterators whose elements are Results."""
    return any(path.startswith(f"{module}::") for module in _OF_RESULTS.get(last_name(written) or "", ()))


def is_result(written: TypeRef) -> bool:
    """Whether a type is written as a Result."""
    return (last_name(written) or "").endswith("Result")
