"""
Patterns: the tests that they stand for, and the bindings that they make.

`Some(x)` on `p` is the branch Is(p, "Some"), and x is p. `Kind::Moved { to }` is
Is(p, "Kind::Moved"), and `to` is the field of that variant. Nested patterns
are tested from outside to inside, each on the path where the one before held.
"""

from __future__ import annotations

from typing import TypeAlias

from inroads.facts import (
    BindingPattern,
    LiteralPattern,
    MacroPattern,
    OrPattern,
    PathPattern,
    PathType,
    Pattern,
    ReferencePattern,
    RestPattern,
    SlicePattern,
    StructPattern,
    TuplePattern,
    TupleStructPattern,
    WildcardPattern,
)
from inroads.lower.build import Cursor
from inroads.lower.model import Cause, Compare, Element, Field, Is, Length, Opaque, Write
from inroads.lower.places import extend
from inroads.lower.values import Value, inner, subject_of
from inroads.lower.walk import Walk

# The variants that are told by one name, and the side on which they are it.
STANDARD = {
    "std::option::Option::Some": ("Some", True, "some"),
    "std::option::Option::None": ("Some", False, "none"),
    "std::result::Result::Ok": ("Ok", True, "ok"),
    "std::result::Result::Err": ("Ok", False, "err"),
}
BY_NAME = {"Some": STANDARD["std::option::Option::Some"], "None": STANDARD["std::option::Option::None"]} | {
    "Ok": STANDARD["std::result::Result::Ok"],
    "Err": STANDARD["std::result::Result::Err"],
}


def standard(resolved: str, written: PathType | str) -> tuple[str, bool, str] | None:
    """What a path to a variant of Option or Result tests; None for any other path."""
    found = STANDARD.get(resolved)
    if found is None and not resolved:
        segments = (written,) if isinstance(written, str) else tuple(s.name for s in written.segments)
        if len(segments) == 1 or segments[0] in ("Option", "Result"):
            return BY_NAME.get(segments[-1])
    return found


Match: TypeAlias = tuple[Cursor, dict[int, Value]]


class Matcher:
    """
    One pattern being matched against one value.

    `nos` collects the ends where a test failed, `bound` what the names stand
    for where it matches; `bind_all` binds them, once all ends are together.
    """

    def __init__(self, walk: Walk, at: int, cause: Cause, certain: bool) -> None:
        self.walk = walk
        self.at = at
        self.cause = cause
        self.certain = certain
        self.nos: list[Cursor] = []
        self.bound: dict[int, Value] = {}

    def match(self, pattern: Pattern, value: Value) -> bool:
        """Go on to where the pattern matches, its names bound; False where it can't match."""
        walk = self.walk
        match pattern:
            case WildcardPattern() | RestPattern():
                return True
            case BindingPattern():
                return self.binding(pattern, value)
            case ReferencePattern(inner=inside):
                return self.match(inside, value)
            case TuplePattern(elements=elements):
                return self.elements(elements, value, "")
            case PathPattern(path=path):
                resolved = walk.judged.pattern_paths.get((self.at, pattern.start), "")
                return self.path(resolved, path, value)
            case TupleStructPattern(path=path, elements=elements):
                resolved = walk.judged.pattern_paths.get((self.at, pattern.start), "")
                known = standard(resolved, path)
                if known is not None:
                    name, side, _ = known
                    if not self.variant(value, name, side):
                        return False
                    inside_value = inner(value, name if side else "Err")
                    return all(self.match(element, inside_value) for element in elements[:1])
                if not self.path(resolved, path, value):
                    return False
                return self.elements(elements, value, resolved or _text(path))
            case StructPattern(path=path, fields=fields):
                resolved = walk.judged.pattern_paths.get((self.at, pattern.start), "")
                if not self.path(resolved, path, value):
                    return False
                owner = resolved or _text(path)
                variant = owner.rpartition("::")[2] if walk.context.is_variant(resolved) else ""
                return all(self.match(sub, self.field(value, name, variant, owner)) for name, sub in fields)
            case SlicePattern(elements=elements):
                return self.slice(elements, value)
            case OrPattern(alternatives=alternatives):
                return self.either(alternatives, value)
            case LiteralPattern(text=text):
                return self.literal(text, value)
            case MacroPattern():
                return self.test(Opaque(self.at, walk.fresh()), True)

    def test(self, condition: Is | Compare | Opaque, side: bool) -> bool:
        """Go on to where the condition is `side`, and put the other end aside."""
        walk = self.walk
        cursor = walk.cursor
        if cursor is None:
            return False
        yes, no = walk.split(cursor, self.at, condition, self.cause, side if self.certain else None)
        if not side:
            yes, no = no, yes
        if no is not None:
            self.nos.append(no)
        walk.cursor = yes
        return yes is not None

    def variant(self, value: Value, name: str, side: bool) -> bool:
        """Go on to where the value has the variant (or, with `side` False, has it not)."""
        walk = self.walk
        cursor = walk.cursor
        if cursor is None:
            return False
        yes, no = walk.split_variant(
            (cursor, value), self.at, name, self.cause, side if self.certain else None
        )
        if not side:
            yes, no = no, yes
        if no is not None:
            self.nos.append(no)
        walk.cursor = yes
        return yes is not None

    def path(self, resolved: str, written: PathType, value: Value) -> bool:
        """`Kind::Unit`, `i32::MAX`: a variant or a constant; a struct's own path always matches."""
        known = standard(resolved, written)
        if known is not None:
            return self.variant(value, known[0], known[1])
        if self.walk.context.is_struct(resolved) or (not resolved and _text(written) == "Self"):
            return True
        if self.walk.context.is_constant(resolved):
            return self.test(Compare(value.place, "==", resolved), True)
        return self.test(Is(subject_of(value), resolved or _text(written)), True)

    def binding(self, pattern: BindingPattern, value: Value) -> bool:
        """`x`, `x @ sub`; also a bare `None` or a unit variant in scope."""
        walk = self.walk
        key = (self.at, pattern.start)
        local = walk.judged.bound.get(key)
        if local is None:
            resolved = walk.judged.pattern_paths.get(key, "")
            known = standard(resolved, pattern.name)
            if known is not None:
                return self.variant(value, known[0], known[1])
            if not resolved or walk.context.is_struct(resolved):
                return True
            if walk.context.is_constant(resolved):
                return self.test(Compare(value.place, "==", resolved), True)
            return self.test(Is(subject_of(value), resolved), True)
        if pattern.sub is not None and not self.match(pattern.sub, value):
            return False
        self.bound[local] = value
        return True

    def elements(self, elements: tuple[Pattern, ...], value: Value, owner: str) -> bool:
        """The elements of a tuple or of a variant's payload; those after `..` count from an unknown end."""
        variant = ""
        if owner and self.walk.context.is_variant(owner):
            variant = owner.rpartition("::")[2]
        total = len(value.elements) if value.elements is not None else None
        for number, element in enumerate(elements):
            if isinstance(element, RestPattern):
                left = len(elements) - number - 1
                if total is None:
                    return all(
                        self.match(sub, self.field(value, f"-{left - nth}", variant, owner))
                        for nth, sub in enumerate(elements[number + 1 :])
                    )
                return all(
                    self.match(sub, self.field(value, str(total - left + nth), variant, owner))
                    for nth, sub in enumerate(elements[number + 1 :])
                )
            if not self.match(element, self.field(value, str(number), variant, owner)):
                return False
        return True

    def field(self, value: Value, name: str, variant: str, owner: str) -> Value:
        """A field of the value, or of the payload of its variant."""
        if not variant:
            return self.walk.field(value, name, owner, "")
        if value.fields is not None and name in value.fields:
            return value.fields[name]
        place = extend(value.place, Field(name, variant, 0, owner, ""))
        return Value(place, shared=value.shared)

    def slice(self, elements: tuple[Pattern, ...], value: Value) -> bool:
        """`[x]` tests that the length is 1; `[first, ..]` that it is not below 1."""
        length = extend(value.place, Length())
        rests = [number for number, element in enumerate(elements) if _is_rest(element)]
        if rests:
            fixed = len(elements) - 1
            if fixed == 1:
                passed = self.test(Compare(length, "==", "0"), False)
            else:
                passed = fixed == 0 or self.test(Compare(length, "<", str(fixed)), False)
        else:
            passed = self.test(Compare(length, "==", str(len(elements))), True)
        if not passed:
            return False
        rest = rests[0] if rests else len(elements)
        for number, element in enumerate(elements):
            key = str(number) if number < rest else f"-{len(elements) - number}"
            if _is_rest(element):
                continue
            if not self.match(element, Value(extend(value.place, Element(key)), shared=value.shared)):
                return False
        return True

    def literal(self, text: str, value: Value) -> bool:
        """`0`, `"a"`, `true`, `1..=5`."""
        walk = self.walk
        if text in ("true", "false"):
            cursor = walk.cursor
            if cursor is None:
                return False
            yes, no = walk.split_bool((cursor, value), self.at, self.cause)
            if text == "false":
                yes, no = no, yes
            if no is not None:
                self.nos.append(no)
            walk.cursor = yes
            return yes is not None
        if ".." in text and not text.startswith(('"', "'", "b")):
            return self.test(Opaque(self.at, walk.fresh()), True)
        return self.test(Compare(value.place, "==", text), True)

    def either(self, alternatives: tuple[Pattern, ...], value: Value) -> bool:
        """`A(x) | B(x)`: the ends of all alternatives meet, with one x."""
        walk = self.walk
        certain, outer, before = self.certain, self.nos, self.bound
        ends: list[Match] = []
        for number, alternative in enumerate(alternatives):
            self.nos, self.bound = [], {}
            self.certain = certain and number == len(alternatives) - 1
            if self.match(alternative, value):
                cursor = walk.cursor
                if cursor is not None:
                    ends.append((cursor, self.bound))
            walk.cursor = walk.join(self.at, self.nos)
            if walk.dead:
                break
        left = walk.cursor
        self.certain, self.nos = certain, outer
        if left is not None:
            self.nos.append(left)
        walk.cursor, bound = meet(walk, self.at, ends)
        self.bound = {**before, **bound}
        return not walk.dead


def meet(walk: Walk, at: int, ends: list[Match]) -> tuple[Cursor | None, dict[int, Value]]:
    """The one end of several matches; a local that they bind to different values gets one name for all."""
    bound: dict[int, Value] = {}
    for local in dict.fromkeys(local for _, one in ends for local in one):
        values = [(cursor, one[local]) for cursor, one in ends if local in one]
        first = values[0][1]
        if any(value != first for _, value in values[1:]):
            place = walk.renamed(local)
            for cursor, value in values:
                walk.emit_at(cursor, Write(at, place, None, value.place, value.known, value.test, "join"))
            first = Value(place, holds=first.holds, shared=first.shared)
        bound[local] = first
    return walk.join(at, [cursor for cursor, _ in ends]), bound


def bind_all(walk: Walk, at: int, bound: dict[int, Value]) -> None:
    """Give the locals of a pattern their values, where control stands."""
    for local, value in bound.items():
        walk.keep(value, at)
        walk.bind(local, value, at)


def bind_pattern(walk: Walk, at: int, pattern: Pattern, value: Value) -> None:
    """Bind the names of a pattern that always matches."""
    matcher = Matcher(walk, at, "match", True)
    matches = matcher.match(pattern, value)
    if matcher.nos:
        # `let false = f();` does not compile; it goes on all the same.
        here = [walk.cursor] if matches and walk.cursor is not None else []
        walk.cursor = walk.join(at, here + matcher.nos)
    if matches:
        bind_all(walk, at, matcher.bound)


def has_bindings(walk: Walk, at: int, pattern: Pattern) -> bool:
    """Whether the pattern names anything; a plain name counts."""
    match pattern:
        case BindingPattern():
            return (at, pattern.start) in walk.judged.bound
        case WildcardPattern() | RestPattern() | PathPattern() | LiteralPattern() | MacroPattern():
            return False
        case _:
            return True


def _is_rest(pattern: Pattern) -> bool:
    """`..` or `rest @ ..`."""
    return isinstance(pattern, RestPattern) or (
        isinstance(pattern, BindingPattern) and isinstance(pattern.sub, RestPattern)
    )


def _text(path: PathType) -> str:
    return "::".join(segment.name for segment in path.segments)
