"""One thing by several names: what a getter gives, what a wrapper carries, what a binding takes over."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from inroads.facts import ArrayRow, MacroRow, RangeRow
from inroads.lower.model import Build, Call, Field, Gather, Graph, Part, Place, Root
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


MOST_HELD = 32
"""Values that are looked for inside of one that was built."""


class Names(msgspec.Struct):
    """
    The places of a body by their first name.

    Args:
        returned: The place of its arguments that a function always gives, or None.
        made: The fields of the new value that a function always gives, as places of its arguments.
        known: Places that are another place.
        writes: The fields below an argument that a callee may write: (function, argument, name) -> paths.
        fields: For a value that is built here what its fields hold.
        lent: Values that are lent to be changed: to which function, None for one from outside, as which argument.
        elements: The elements of an array of several.
    """

    judged: Judged
    calls: CallsByResult
    returned: Callable[[int], Place | None]
    made: Callable[[int, str], Mapping[str, Place]]
    writes: Callable[[int, int, str], frozenset[tuple[str, ...]]]
    known: dict[Place, Place] = msgspec.field(default_factory=dict)
    fields: dict[Place, Mapping[str, Place]] = msgspec.field(default_factory=dict)
    elements: dict[Place, tuple[Place, ...]] = msgspec.field(default_factory=dict)
    lent: dict[Root, list[tuple[int | None, int]]] = msgspec.field(default_factory=dict)

    def note_builds(self, graph: Graph) -> None:
        """Take note of what is built in a body."""
        for call in self.calls.values():
            for index, (place, mode) in enumerate(zip(call.arguments, call.modes, strict=False)):
                # The end of a value changes nothing that could still be seen.
                if mode == "mut" and call.call.kind != "drop":
                    targets = [target.function for target in call.call.targets] or [None]
                    self.lent.setdefault(place.root, []).extend((target, index) for target in targets)
        for block in graph.blocks:
            for event in block.events:
                if isinstance(event, Build) and event.path != "[]":
                    self.fields[event.result] = dict(event.fields)
                elif isinstance(event, Build) and event.result.root not in self.lent:
                    self.elements[event.result] = tuple(place for _, place in event.fields)

    def _built(self, root: Place) -> Mapping[str, Place]:
        return self.fields.get(root, {})

    def _inside(self, root: Place, wanted: str = "") -> Mapping[str, Place]:
        """
        What the fields of a new value hold: one that is built here, or by a function that only builds.

        Args:
            wanted: The field that is asked for; "" for all.
        """
        found = self.fields.get(root)
        if found is None:
            event = self.calls.get(root)
            targets = event.call.targets if event is not None else ()
            function = targets[0].function if len(targets) == 1 else None
            found = {}
            for name, place in self.made(function, wanted).items() if function is not None else ():
                if place.root.kind == "static":
                    found[name] = place
                elif event is not None and place.root.index < len(event.arguments):
                    found[name] = rebase(place, event.arguments[place.root.index])
            if found or not wanted:
                self.fields[root] = found
        return found

    def is_filled(self, place: Place) -> bool:
        """Whether a place is a collection that began empty here, or holds several values."""
        if place.root.kind != "result" or place.steps:
            return False
        row = (
            self.judged.body.rows[place.root.index] if place.root.index < len(self.judged.body.rows) else None
        )
        if place in self.elements:
            return False
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
            if known is not None and known != root:
                place = rebase(place, known)
                continue
            held = self._held(root, place)
            if held is None:
                return place
            place = rebase(Place(held.root, place.steps[1:]), held)
        return place

    def _held(self, root: Place, place: Place) -> Place | None:
        """What the first field of a place holds, if its value was built here and the field never written."""
        first = place.steps[0] if place.steps else None
        if not isinstance(first, Field) or first.version or root.root.kind != "result":
            return None
        for function, argument in self.lent.get(root.root, ()):
            if function is None or self.writes(function, argument, first.name):
                return None
        return self._inside(root, first.name).get(first.name)

    def roots(self, event: Call, place: Place) -> set[Root]:
        """
        The roots of all that a place may hold that is given to a call, as far as it was built here.

        At the end of a value its maker is looked into, too: guards mostly come out of one.
        """
        inner = self._inside if event.call.kind == "drop" else self._built
        found: set[Root] = set()
        waiting = [self.canonical(place)]
        while waiting and len(found) < MOST_HELD:
            one = waiting.pop()
            if one.root not in found:
                found.add(one.root)
                inside = (
                    *inner(Place(one.root)).values(),
                    *self.elements.get(Place(one.root), ()),
                )
                waiting.extend(map(self.canonical, inside))
        return found

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
