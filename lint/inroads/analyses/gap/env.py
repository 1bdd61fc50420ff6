"""What the names of a body stand for at a point of the walk."""

from __future__ import annotations

from inroads.analyses.gap.reading import mixed_or_sent, part_of
from inroads.analyses.gap.values import SELF, Built, Own, Value, join
from inroads.facts import (
    BindingPattern,
    OrPattern,
    Pattern,
    ReferencePattern,
    SlicePattern,
    StructPattern,
    TuplePattern,
    TupleStructPattern,
)


class Environment:
    """Names and their values; a walk goes through it in evaluation order."""

    def __init__(self, parameters: tuple[str | None, ...]) -> None:
        self.names: dict[str, Value] = {"self": SELF}
        for index, name in enumerate(parameters):
            if name is not None:
                self.names[name] = Own(index)

    def merge(self, before: dict[str, Value], ends: list[dict[str, Value]]) -> None:
        """After branches a name is one of what each branch made of it."""
        self.names = {
            name: join([end.get(name, value) for end in ends]) if ends else value
            for name, value in before.items()
        }

    def bind(self, pattern: Pattern, value: Value) -> None:
        match pattern:
            case BindingPattern():
                if pattern.sub is not None:
                    self.bind(pattern.sub, value)
                self.names[pattern.name] = value
            case ReferencePattern():
                self.bind(pattern.inner, value)
            case OrPattern():
                found: list[dict[str, Value]] = []
                before = self.names
                for alternative in pattern.alternatives:
                    self.names = dict(before)
                    self.bind(alternative, value)
                    found.append(self.names)
                self.names = {}
                for name in dict.fromkeys(name for names in found for name in names):
                    self.names[name] = join([names[name] for names in found if name in names])
            case TupleStructPattern():
                last = pattern.path.segments[-1].name
                for index, element in enumerate(pattern.elements):
                    self.bind(element, part_of(value, last, str(index)))
            case StructPattern():
                last = pattern.path.segments[-1].name
                for name, element in pattern.fields:
                    self.bind(element, part_of(value, last, name))
            case TuplePattern() | SlicePattern():
                parts = value.parts if isinstance(value, Built) else ()
                exact = len(parts) == len(pattern.elements)
                for index, element in enumerate(pattern.elements):
                    self.bind(element, parts[index] if exact else mixed_or_sent(value))
            case _:
                return
