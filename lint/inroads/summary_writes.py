"""Which fields behind its arguments a function may write: independent of any rule, asked for on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inroads.lower.model import Call, Field, Place, Write

if TYPE_CHECKING:
    from inroads.program import Program

FieldPath = tuple[str, ...]
DEEPEST_CALL = 8
MOST_PATHS = 64


@dataclass(slots=True)
class Writes:
    """
    The fields that a function, or a function that it calls, may write behind an argument.

    A path is the names of the fields; the empty path is the whole value.
    Beyond `DEEPEST_CALL` calls nothing more is looked for: what is missed there
    keeps a fact alive that may have ended, and never makes one up.
    """

    program: Program
    known: dict[tuple[int, int], frozenset[FieldPath]] = field(default_factory=dict)

    def of(self, function: int, argument: int) -> frozenset[FieldPath]:
        """The paths behind one argument, the receiver being argument 0 where there is one."""
        return self._of(function, argument, 0)

    def _of(self, function: int, argument: int, depth: int) -> frozenset[FieldPath]:
        found = self.known.get((function, argument))
        if found is not None:
            return found
        if depth > DEEPEST_CALL or not self.program.tables.functions[function].has_body:
            return frozenset()
        # A function that calls itself adds nothing to what its other ways write.
        self.known[(function, argument)] = frozenset()
        paths: set[FieldPath] = set()
        for block in self.program.graph(function).blocks:
            for event in block.events:
                match event:
                    case Write(place=place):
                        below = _below(place, argument)
                        if below is not None and event.op not in ("let", "join"):
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
                                    inner = self._of(target.function, index, depth + 1)
                                    paths.update((*below, *path) for path in inner)
                    case _:
                        pass
        result = frozenset(sorted(paths)[:MOST_PATHS])
        self.known[(function, argument)] = result
        return result


def _below(place: Place, argument: int) -> FieldPath | None:
    """The fields between an argument and a place in it; None where it is not in it."""
    root = place.root
    if root.kind not in ("self", "parameter") or root.index != argument:
        return None
    return tuple(step.name for step in place.steps if isinstance(step, Field))
