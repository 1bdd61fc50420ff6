"""
Evidence: a value that can only exist after the need.

A type's construction, or a flag. Every place that makes one is checked as a
target is; whoever holds one has the need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.order.keys import ANY, Key, KeyPart, cover_place
from inroads.analyses.order.present import mentioning
from inroads.analyses.order.rule import OrderRule
from inroads.facts import FieldDefinition, PathType, StructItem
from inroads.lower.model import Assume, Build, Call, Compare, Field, Graph, Is, Place, Return, Truth, Write
from inroads.pattern import BuildPattern, CallPattern, Capture, Constant, WritePattern
from inroads.pattern_match import LOST, Bindings, place_bindings, place_type
from inroads.pattern_paths import matches_path, nominal_path
from inroads.reaching import named_in
from inroads.reads import Reads
from inroads.resolve.types import Adt, Opaque as OpaqueType, Type

if TYPE_CHECKING:
    from inroads.program import Program
    from inroads.resolve.model import Function, TypeDefinition

DEEPEST_FIELD = 2
EMPTY_BY_DEFAULT = frozenset(
    ("Vec", "VecDeque", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "BinaryHeap", "Option")
)
LONGEST_GETTER = 3
MOST_HOLDERS = 300
LONGEST_MAKER = 400
"""Bytes of a body that is looked at for what it builds."""
LONGEST_TEXT = 160
"""Bytes of a body; what is longer does more than to give a field, and is not looked at."""
LONGEST_STEP = 1000
"""Bytes of a body that takes its value, and may give it back: `fn port(mut self, port: u16) -> Result<Self>`."""
MOST_BLOCKS = 24


class Evidence(msgspec.Struct):
    """
    What the rule's evidence says of values and branches.

    Args:
        types: The patterns of constructions.
        flags: The patterns of flags: `Type.field = value`.
    """

    program: Program
    rule: OrderRule
    types: tuple[BuildPattern | CallPattern, ...] = ()
    flags: tuple[WritePattern, ...] = ()
    getters: dict[int, tuple[Place | None, Reads]] = msgspec.field(default_factory=dict)
    makers_of: dict[int, tuple[Mapping[str, Place], Reads]] = msgspec.field(default_factory=dict)
    own: frozenset[str] | None = None
    holders: dict[tuple[int, BuildPattern | CallPattern], bool] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, program: Program, rule: OrderRule) -> Evidence:
        """The evidence of a rule."""
        return cls(
            program,
            rule,
            tuple(one for one in rule.evidence if isinstance(one, BuildPattern | CallPattern)),
            tuple(one for one in rule.evidence if isinstance(one, WritePattern)),
        )

    def is_held(self, function: int, key: Key) -> bool:
        """
        Whether the key is a field of a value that proves the need, or the function is given such a value.

        For `Lookahead { ids: $seq, .. }` the key `each(la.ids)` is met by `la` alone.
        """
        for pattern in self.types:
            fields = _captured(pattern)
            wanted = [
                (fields[name], part)
                for name, part in zip(self.rule.variables, key, strict=True)
                if name in fields
            ]
            if not wanted:
                if self._is_given(function, pattern):
                    return True
            elif all(isinstance(part, Place) for _, part in wanted) and _is_of_one_value(pattern, wanted):
                return True
        return False

    def written_by(self, event: Write) -> Iterable[tuple[str, Bindings]]:
        """The evidence whose captured field is written, with the captures: (path of the type, captures)."""
        last = event.place.steps[-1] if event.place.steps else None
        if event.op in ("let", "join") or not isinstance(last, Field) or not last.owner:
            return
        for pattern in self.types:
            if matches_path(pattern.path, last.owner):
                for name, field_name in _captured(pattern).items():
                    if field_name == last.name:
                        yield last.owner, {name: event.source if event.source is not None else LOST}

    def defaulted_by(self, event: Call) -> Iterable[tuple[str, Bindings]]:
        """The evidence that a derived `default()` makes out of nothing: (path of the type, captures)."""
        if not any(target.path.endswith("Default::default") for target in event.call.targets):
            return
        path = nominal_path(event.call.returns)
        for pattern in self.types:
            if path and matches_path(pattern.path, path):
                captured = _captured(pattern)
                if not captured or not all(
                    self._is_empty_by_default(path, name) for name in captured.values()
                ):
                    yield path, dict.fromkeys(captured, LOST)

    def writers(self) -> Iterable[int]:
        """The functions that may write a captured field: those that name it, where they may see it."""
        for pattern in self.types:
            for definition in self.program.tables.types:
                if not matches_path(pattern.path, definition.path):
                    continue
                module = definition.path.rpartition("::")[0] + "::"
                for name in _captured(pattern).values():
                    field_ = self._field(definition.path, name)
                    private = field_ is not None and not field_.visibility
                    for function in mentioning(f".{name}", self.program):
                        if not private or self.program.tables.functions[function].path.startswith(module):
                            yield function

    def makers(self) -> Iterable[int]:
        """The functions that may make evidence by a derived `default()`, unless the name is everywhere."""
        if any(True for _ in self.deriving("Default")):
            holding = tuple(mentioning("default", self.program))
            if len(holding) <= MOST_HOLDERS:
                yield from holding

    def may_build(self, function: int) -> bool:
        """Whether a body may build evidence, by the names in it."""
        tables = self.program.tables
        if tables.functions[function].body is None:
            return False
        self.program.recorder.now.bodies.add(function)
        names, impl = tables.names_of(function), tables.functions[function].impl
        owner = "" if impl is None else tables.impls[impl].head.rpartition("::")[2]
        return any(
            f"{one.path[-1]}{{" in names or (owner == one.path[-1] and "Self{" in names) for one in self.types
        )

    def deriving(self, trait: str) -> Iterable[TypeDefinition]:
        """The evidence types that derive a trait, and so can be made by others."""
        for definition in self.program.tables.types if self.types else ():
            if any(matches_path(pattern.path, definition.path) for pattern in self.types):
                item = self.program.tables.sources[definition.source].facts.items[definition.item_index]
                if any(one.path == "derive" and trait in one.text for one in item.head.attributes):
                    yield definition

    def _field(self, path: str, name: str) -> FieldDefinition | None:
        for definition in self.program.tables.types:
            if definition.path == path:
                item = self.program.tables.sources[definition.source].facts.items[definition.item_index]
                if isinstance(item, StructItem):
                    return next((one for one in item.fields if one.name == name), None)
        return None

    def _is_empty_by_default(self, path: str, name: str) -> bool:
        """Whether the default of a field holds nothing, so that nothing must have been done for it."""
        found = self._field(path, name)
        written = found.type if found is not None else None
        return isinstance(written, PathType) and written.segments[-1].name in EMPTY_BY_DEFAULT

    def given_by(self, event: Call) -> Iterable[Key]:
        """Keys that are met once the call has given its value: the value is evidence."""
        for pattern in self.types:
            if not _captured(pattern) and _gives(pattern, event.call.returns):
                yield tuple(ANY for _ in self.rule.variables)

    def shown_by(self, event: Assume) -> Iterable[Key]:
        """Keys that are met on a branch where evidence was found: `if let Some(token) = self.token`."""
        if not isinstance(event.condition, Is) or not event.side:
            return
        place, variant = event.condition.place, event.condition.variant
        for pattern in self.types:
            if _captured(pattern):
                continue
            inner = variant in ("Some", "Ok") and matches_path(pattern.path, place_type(place) or "?")
            if inner or ("::" in variant and matches_path(pattern.path, variant)):
                yield tuple(ANY for _ in self.rule.variables)

    def flag_holds(self, pattern: WritePattern, event: Assume) -> Bindings | None:
        """The captures, if the flag is known to have the value that proves the need."""
        value = pattern.value.text if isinstance(pattern.value, Constant) else ""
        match event.condition:
            case Truth(place=place):
                if value not in ("true", "false") or event.side != (value == "true"):
                    return None
            case Is(place=place, variant=variant):
                wanted = matches_path(tuple(value.split("::")), variant) if value else False
                opposite = {"None": "Some", "Err": "Ok"}.get(value) == variant
                if not (wanted and event.side) and not (opposite and not event.side):
                    return None
            case Compare(place=place, op="==", literal=literal):
                if not event.side or not (
                    value == literal or matches_path(tuple(value.split("::")), literal)
                ):
                    return None
            case _:
                return None
        return place_bindings(pattern.place, place)

    def returned(self, function: int) -> Place | None:
        """The one place of its arguments, or static, that a function always returns; None if there is none."""
        return self.program.recorder.remembered(self.getters, function, lambda: self._returned(function))

    def _returned(self, function: int) -> Place | None:
        record = self.program.tables.functions[function]
        if record.body is None:
            return None
        self.program.recorder.now.bodies.add(function)
        body = self.program.tables.sources[record.source].facts.bodies[record.body]
        consumes = record.item.receiver == "value" and self._gives_own(record)
        if body.end - body.start > (LONGEST_STEP if consumes else LONGEST_TEXT):
            return None
        graph = self.program.graph(function)
        if len(graph.blocks) > (MOST_BLOCKS if consumes else LONGEST_GETTER):
            return None
        values = {
            event.value
            for block in graph.blocks
            for event in block.events
            if isinstance(event, Return)
            and event.outcome not in (("detached", "err", "none") if consumes else ("detached",))
        }
        if consumes:
            values = {self._renewed(record, graph, value) for value in values}
        if len(values) == 1:
            value = values.pop()
            if value is not None and value.root.kind in ("self", "parameter", "static"):
                return value
        return None

    def _renewed(self, record: Function, graph: Graph, value: Place | None) -> Place | None:
        """
        What a method that takes its value gives: the same one, where it is built again of what the old one held.

        `Server { port, ..self }`, and `Server { port, name: self.name }`, which may change its type.
        """
        own = self.program.tables.impls[record.impl].head if record.impl is not None else ""
        events = [event for block in graph.blocks for event in block.events]
        worked_out = {event.result.root for event in events if isinstance(event, Call)}
        for event in events:
            if isinstance(event, Build) and event.result == value and event.path == own:
                kept = [place for name, place in event.fields if _is_kept(name, place)]
                whole = [event.base] if event.base is not None and event.base.root.kind == "self" else []
                new = [place for name, place in event.fields if not _is_kept(name, place)]
                if (kept or whole) and not any(
                    place.root.kind == "self" or place.root in worked_out for place in new
                ):
                    return Place((kept + whole)[0].root)
        return value

    def made(self, function: int, wanted: str) -> Mapping[str, Place]:
        """
        The fields of the new value that a short function always gives where it gives one.

        As places of its arguments and statics; empty where it does something else, or the value is evidence,
        and where the wanted field ("" for any) is not named in it.
        """
        record = self.program.tables.functions[function]
        if record.body is None or record.item.returns is None:
            return {}
        self.program.recorder.now.bodies.add(function)
        body = self.program.tables.sources[record.source].facts.bodies[record.body]
        named = wanted.isdigit() or wanted.encode() in body.data
        if LONGEST_MAKER < body.end - body.start or not named or not self._gives_own(record):
            return {}
        return self.program.recorder.remembered(self.makers_of, function, lambda: self._made(function))

    def _gives_own(self, record: Function) -> bool:
        """Whether a function gives a type of the workspace or a tuple, as its signature is written."""
        if self.own is None:
            self.own = frozenset(("Self", *(one.name for one in self.program.tables.types)))
        written = named_in(record.item.returns)
        return not self.own.isdisjoint(written) or "()" in written

    def _made(self, function: int) -> Mapping[str, Place]:
        graph = self.program.graph(function)
        values = {
            event.value
            for block in graph.blocks
            for event in block.events
            if isinstance(event, Return) and event.outcome not in ("detached", "err", "none")
        }
        value = values.pop() if len(values) == 1 else None
        builds = [
            event
            for block in graph.blocks
            for event in block.events
            if isinstance(event, Build) and event.result == value and event.path != "[]"
        ]
        if len(builds) != 1 or self.is_evidence(builds[0].path):
            return {}
        return {
            name: place
            for name, place in builds[0].fields
            if place.root.kind in ("self", "parameter", "static")
        }

    def is_evidence(self, path: str) -> bool:
        """Whether a type that is built is evidence, so that its fields are told by it."""
        return any(matches_path(pattern.path, path) for pattern in self.types)

    def _is_given(self, function: int, pattern: BuildPattern | CallPattern) -> bool:
        """Whether a parameter is the evidence, or holds it in a field."""
        known = self.holders.get((function, pattern))
        if known is None:
            judged = self.program.judge(function)
            known = any(
                self._holds(local.type, pattern, DEEPEST_FIELD)
                for local in judged.locals
                if local.row is None
            )
            self.holders[(function, pattern)] = known
        return known

    def _holds(self, type_: Type, pattern: BuildPattern | CallPattern, depth: int) -> bool:
        path = nominal_path(type_)
        if not path:
            return False
        if matches_path(pattern.path, path):
            return True
        if depth == 0:
            return False
        for definition in self.program.tables.types:
            if definition.path == path:
                item = self.program.tables.sources[definition.source].facts.items[definition.item_index]
                if isinstance(item, StructItem):
                    return any(
                        getattr(getattr(one.type, "segments", (None,))[-1], "name", "") == pattern.path[-1]
                        for one in item.fields
                    )
        return False


def _is_kept(name: str, place: Place) -> bool:
    """Whether a field of a new value holds what the field of that name held."""
    step = place.steps[-1] if len(place.steps) == 1 else None
    return place.root.kind == "self" and isinstance(step, Field) and step.name == name


def _captured(pattern: BuildPattern | CallPattern) -> dict[str, str]:
    """For each capture the field that it stands for."""
    if isinstance(pattern, BuildPattern):
        return {operand.name: name for name, operand in pattern.fields if isinstance(operand, Capture)}
    items = pattern.arguments.items if pattern.arguments is not None else ()
    return {
        item.operand.name: str(index) for index, item in enumerate(items) if isinstance(item.operand, Capture)
    }


def _is_of_one_value(pattern: BuildPattern | CallPattern, wanted: list[tuple[str, KeyPart]]) -> bool:
    """Whether the parts are the fields of one value of the pattern's type."""
    holders: set[Place] = set()
    for name, part in wanted:
        holder = _holder(pattern, name, part) if isinstance(part, Place) else None
        if holder is None:
            return False
        holders.add(holder)
    return len(holders) == 1


def _holder(pattern: BuildPattern | CallPattern, name: str, part: Place) -> Place | None:
    for depth, step in enumerate(part.steps):
        if not isinstance(step, Field) or step.name != name:
            continue
        holder = Place(part.root, part.steps[:depth])
        owner = step.owner or place_type(holder)
        if (owner and matches_path(pattern.path, owner)) or (
            step.variant and matches_path(pattern.path, step.variant)
        ):
            have = Place(part.root, part.steps[: depth + 1])
            return holder if cover_place(have, part) == "same" else None
    return None


def _gives(pattern: BuildPattern | CallPattern, type_: Type) -> bool:
    match type_:
        case Adt(path=path, arguments=(inner, *_)) if path.rpartition("::")[2] in ("Result", "Option"):
            return _gives(pattern, inner)
        case OpaqueType(bounds=bounds):
            return any(
                _gives(pattern, output)
                for bound in bounds
                for name, output in bound.bindings
                if name == "Output"
            )
        case _:
            path = nominal_path(type_)
            return bool(path) and matches_path(pattern.path, path)
