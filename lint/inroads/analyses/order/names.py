"""One thing by several names: what a getter gives, what a wrapper carries, what a binding takes over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from inroads.facts import ArrayRow, MacroRow, RangeRow
from inroads.lower.model import Call, Gather, Part, Place
from inroads.lower.places import extend, rebase
from inroads.pattern_match import CallsByResult
from inroads.resolve.model import Judged

CHUNKS = frozenset(
    ("chunks()", "chunks_mut()", "chunks_exact()", "rchunks()", "windows()", "split()", "array_chunks()")
)
"""What gives a collection as a row of its parts."""
COLLECTIONS = frozenset(
    (
        *("std::vec::Vec", "std::collections::VecDeque", "std::collections::HashSet"),
        *("std::collections::BTreeSet", "std::collections::HashMap", "std::collections::BTreeMap"),
    )
)


@dataclass(slots=True)
class Names:
    """
    The places of a body by their first name.

    Args:
        returned: The place of its arguments that a function always gives, or None.
        known: Places that are another place.
    """

    judged: Judged
    calls: CallsByResult
    returned: Callable[[int], Place | None]
    known: dict[Place, Place] = field(default_factory=dict)

    def is_filled(self, place: Place) -> bool:
        """Whether a place is a collection that began empty here, or holds several values."""
        if place.root.kind != "result" or place.steps:
            return False
        row = (
            self.judged.body.rows[place.root.index] if place.root.index < len(self.judged.body.rows) else None
        )
        if isinstance(row, ArrayRow) or (isinstance(row, MacroRow) and row.path[-1] == "vec"):
            return True
        event = self.calls.get(place)
        given = event.arguments if event is not None else ()
        return (
            place.root.type in COLLECTIONS
            and event is not None
            and all(one.root.kind == "constant" for one in given)
        )

    def canonical(self, place: Place) -> Place:
        """The place by another name: of the argument that a result stands for, of what a getter gives."""
        for _ in range(8):
            root = Place(place.root)
            known = self.known.get(root)
            if known is None and place.root.kind == "result" and root in self.calls:
                known = self._getter(self.calls[root])
                if known is not None:
                    self.known[root] = known
            if known is None or known == root:
                return place
            place = rebase(place, known)
        return place

    def _getter(self, event: Call) -> Place | None:
        """What a call gives, if that is something of its arguments: a getter, `xs.drain(..)`."""
        name = event.result.root.name
        if name in CHUNKS and event.arguments:
            return extend(extend(event.arguments[0], Part(event.row)), Gather())
        if name == "drain()" and len(event.arguments) == 2:
            taken = self.judged.body.rows[event.call.arguments[1]]
            whole = isinstance(taken, RangeRow) and taken.low is None and taken.high is None
            return event.arguments[0] if whole else extend(event.arguments[0], Part(event.row))
        if len(event.call.targets) != 1 or event.call.targets[0].function is None:
            return None
        given = self.returned(event.call.targets[0].function)
        if given is None:
            return None
        index = given.root.index
        if given.root.kind == "static":
            return given
        return (
            rebase(Place(given.root, given.steps), event.arguments[index])
            if index < len(event.arguments)
            else None
        )
