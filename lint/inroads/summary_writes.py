"""Which fields behind its arguments a function may write: independent of any rule, asked for on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import msgspec

from inroads.lower.model import Call, Field, Place, Write
from inroads.reads import Reads

if TYPE_CHECKING:
    from inroads.program import Program

FieldPath: TypeAlias = tuple[str, ...]
Asked: TypeAlias = tuple[int, int, str]
DEEPEST_CALL = 6


class Writes(msgspec.Struct):
    """
    Whether a function, or a function that it calls, may write one of some fields behind an argument.

    A callee of a callee is only looked at where its body holds the name of one
    of the fields. What is missed by that, or beyond `DEEPEST_CALL`, keeps a
    fact alive that may have ended, and never makes one up.
    """

    program: Program
    kept: dict[Asked, tuple[frozenset[FieldPath], Reads]] = msgspec.field(default_factory=dict)

    def of(self, function: int, argument: int, name: str) -> frozenset[FieldPath]:
        """
        The paths behind one argument that end in a field of the name and may be written.

        The receiver is argument 0 where there is one.
        """
        key = (function, argument, name)
        return self.program.recorder.remembered(self.kept, key, lambda: self._of(key, 0, {}))

    def _of(self, key: Asked, depth: int, known: dict[Asked, frozenset[FieldPath]]) -> frozenset[FieldPath]:
        function, argument, name = key
        found = known.get(key)
        if found is not None:
            return found
        # A function that calls itself adds nothing to what its other ways write.
        known[key] = frozenset()
        tables = self.program.tables
        if depth > DEEPEST_CALL or not tables.functions[function].has_body:
            return frozenset()
        self.program.recorder.now.bodies.add(function)
        if depth and f".{name}" not in tables.names_of(function):
            return frozenset()
        paths: set[FieldPath] = set()
        for block in self.program.graph(function).blocks:
            for event in block.events:
                match event:
                    case Write(place=place):
                        below = _below(place, argument)
                        if below and below[-1] == name and event.op not in ("let", "join"):
                            paths.add(below)
                    case Call():
                        for index, (place, mode) in enumerate(
                            zip(event.arguments, event.modes, strict=False)
                        ):
                            below = _below(place, argument) if mode == "mut" else None
                            if below is None:
                                continue
                            for target in event.call.targets:
                                if target.function is not None:
                                    inner = self._of((target.function, index, name), depth + 1, known)
                                    paths.update((*below, *path) for path in inner)
                    case _:
                        pass
        result = frozenset(paths)
        known[key] = result
        return result


def _below(place: Place, argument: int) -> FieldPath | None:
    """The fields between an argument and a place in it; None where it is not in it."""
    root = place.root
    if root.kind not in ("self", "parameter") or root.index != argument:
        return None
    return tuple(step.name for step in place.steps if isinstance(step, Field))
