"""
Event patterns held against the events of a graph.

A call matches by what it names (`Call.declared`), else by each of its targets,
else by the type of its receiver. A match says which key each capture found,
and for how many of the targets it speaks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import msgspec

from inroads.lower.model import (
    Assume,
    Build,
    Call,
    Compare,
    Condition,
    Drop,
    Event,
    Field,
    Graph,
    Is,
    Length,
    Place,
    Read,
    Truth,
    Write,
)
from inroads.lower.places import extend
from inroads.pattern_bind import (
    LOST as LOST,
    Bindings as Bindings,
    Key as Key,
    Lost as Lost,
    bind,
    comparison,
    is_constant,
    is_sibling,
    place_bindings as place_bindings,
    place_type as place_type,
)
from inroads.pattern_paths import is_free_path, matches_path, nominal_path
from inroads.pattern_syntax import (
    Anything,
    Arguments,
    BranchPattern,
    BuildPattern,
    CallPattern,
    Capture,
    ConditionPattern,
    Constant,
    MethodPattern,
    Pattern,
    PlacePattern,
    WritePattern,
)
from inroads.resolve.model import Call as ResolvedCall, Function, Judged, Target

if TYPE_CHECKING:
    from inroads.program import Program


WRITTEN_BY_CODE = ("let", "join")


class Match(msgspec.Struct, frozen=True):
    """
    An event matches.

    Args:
        bindings: The key of each capture.
        targets: The targets of a call for which the match speaks; None for all, and for other events.
        aliases: Results that carry the same key as an argument: (result, argument).
    """

    bindings: Bindings
    targets: frozenset[int] | None = None
    aliases: tuple[tuple[Place, Place], ...] = ()


class Matcher(msgspec.Struct):
    """Holds patterns against events; answers about paths are kept, since they come again and again."""

    program: Program
    functions: dict[tuple[Pattern, int], bool] = msgspec.field(default_factory=dict)
    fields: dict[MethodPattern, bool] = msgspec.field(default_factory=dict)

    def match(self, pattern: Pattern, event: Event, judged: Judged, calls: CallsByResult) -> Match | None:
        """How the event matches, or None."""
        match pattern, event:
            case CallPattern(path=("drop",)), Drop():
                return self._drop(pattern, event)
            case CallPattern(), Call():
                return self._call(pattern, event, judged)
            case CallPattern(arguments=None, macro=False), Read():
                static = event.place.root.kind == "static" and not event.place.steps
                return Match({}) if static and matches_path(pattern.path, event.place.root.path) else None
            case CallPattern(macro=False), Build():
                return self._tuple_build(pattern, event)
            case MethodPattern(), Call():
                return self._method(pattern, event, judged)
            case MethodPattern(arguments=None), Read():
                found = place_bindings(
                    PlacePattern(pattern.place.root, (*pattern.place.fields, pattern.name)), event.place
                )
                return None if found is None else Match(found)
            case WritePattern(), Write():
                return self._write(pattern, event)
            case BuildPattern(), Build():
                return self._build(pattern, event)
            case BranchPattern(), Assume():
                found = self.condition(pattern.test, event.condition, event.side, judged, calls)
                return None if found is None else Match(found)
            case _:
                return None

    def is_function(self, pattern: Pattern, function: int) -> bool:
        """Whether a call of this function would match, whatever its arguments."""
        known = self.functions.get((pattern, function))
        if known is None:
            record = self.program.tables.functions[function]
            match pattern:
                case CallPattern(path=path, macro=False):
                    known = self._names_function(path, record)
                case MethodPattern(place=PlacePattern(root=tuple() as root, fields=()), name=name):
                    known = self._names_function((*root, name), record) and not self._is_field(pattern)
                case _:
                    known = False
            self.functions[(pattern, function)] = known
        return known

    def may_match(self, pattern: CallPattern, call: ResolvedCall, judged: Judged) -> bool:
        """Whether an event of a call, or of the function that it hands on, would match but for its arguments."""
        named = (*call.targets, call.declared) if call.declared is not None else call.targets
        return any(
            target.path.rpartition("::")[2] == pattern.path[-1]
            and (call.kind == "value" or self._names(pattern.path, target, call, judged))
            for target in named
        )

    def condition(
        self,
        pattern: ConditionPattern,
        condition: Condition,
        side: bool,
        judged: Judged,
        calls: CallsByResult,
    ) -> Bindings | None:
        """The captures, if the condition being `side` means that the pattern's condition holds."""
        match condition:
            case Is(place=place, variant=variant):
                if pattern.relation not in ("variant", "equals"):
                    return None
                if pattern.operand in ("Some", "Ok") and variant != pattern.operand:
                    # An own enum may have a variant of that name.
                    return None
                if not matches_path(tuple(pattern.operand.split("::")), variant):
                    other = side and pattern.negated and pattern.operand not in ("Some", "Ok")
                    if not (other and is_sibling(pattern.operand, variant)):
                        return None
                elif side == pattern.negated:
                    return None
            case Truth(place=place):
                if pattern.relation != "true" or side == pattern.negated:
                    return None
            case Compare(place=place, op=op, literal=literal):
                wanted = comparison(pattern)
                if wanted is None or side == pattern.negated:
                    return None
                if pattern.relation == "length":
                    if not isinstance(place.steps[-1:][0] if place.steps else None, Length):
                        return None
                    place = Place(place.root, place.steps[:-1])
                if op != wanted[0] or not is_constant(wanted[1], literal):
                    return None
            case _:
                return None
        return self._subject(pattern.subject, place, judged, calls)

    def _subject(
        self,
        subject: PlacePattern | CallPattern | MethodPattern,
        place: Place,
        judged: Judged,
        calls: CallsByResult,
    ) -> Bindings | None:
        if isinstance(subject, PlacePattern):
            return place_bindings(subject, place)
        call = calls.get(place)
        found = None if call is None else self.match(subject, call, judged, calls)
        return None if found is None else found.bindings

    def _drop(self, pattern: CallPattern, event: Drop) -> Match | None:
        if pattern.arguments is None or not pattern.arguments.items:
            return Match({})
        bindings: Bindings = {}
        return Match(bindings) if bind(pattern.arguments.items[0].operand, event.place, bindings) else None

    def _call(self, pattern: CallPattern, event: Call, judged: Judged) -> Match | None:
        call = event.call
        if pattern.path == ("drop",) or pattern.macro != (call.kind == "macro"):
            return None
        if pattern.macro and call.declared is not None:
            if not self._names_macro(pattern.path, call.declared.path, judged):
                return None
            bound = self._arguments(pattern.arguments, event, None)
            return None if bound is None else self._with_result(pattern, event, bound, None)
        declared = call.declared
        if declared is not None and self._names(pattern.path, declared, call, judged):
            bound = self._arguments(pattern.arguments, event, declared)
            if bound is None and declared.function is not None and self._trait_of(declared.function):
                return self._by_target(pattern, event, judged, all_named=True)
            return None if bound is None else self._with_result(pattern, event, bound, None)
        return self._by_target(pattern, event, judged, all_named=False)

    def _names_macro(self, path: tuple[str, ...], written: str, judged: Judged) -> bool:
        """Whether the path names a macro that is called by a path, or by what a `use` brought in."""
        if matches_path(path, written):
            return True
        if len(path) == 1 or not matches_path(path[-1:], written):
            return False
        module = self.program.tables.functions[judged.function].module
        found = self.program.tables.resolve(module, tuple(written.split("::")), "macro")
        return found is not None and matches_path(path, found.path)

    def _by_target(
        self, pattern: CallPattern, event: Call, judged: Judged, *, all_named: bool
    ) -> Match | None:
        """Match the targets one by one; the first that binds gives the keys."""
        matched: set[int] = set()
        bound: Bindings | None = None
        for index, target in enumerate(event.call.targets):
            if all_named or self._names(pattern.path, target, event.call, judged):
                own = self._arguments(pattern.arguments, event, target)
                if own is not None:
                    matched.add(index)
                    bound = own if bound is None else bound
        if bound is None:
            return None
        some = frozenset(matched) if len(matched) < len(event.call.targets) else None
        return self._with_result(pattern, event, bound, some)

    def _method(self, pattern: MethodPattern, event: Call, judged: Judged) -> Match | None:
        call = event.call
        if not event.arguments or call.kind not in ("method", "path", "operator"):
            return None
        names = {target.path.rpartition("::")[2] for target in call.targets}
        if call.declared is not None:
            names.add(call.declared.path.rpartition("::")[2])
        if not call.targets and call.declared is None:
            names.add(event.result.root.name.removesuffix("()"))
        if not any(matches_path((pattern.name,), name) for name in names) or self._is_field(pattern):
            return None
        bindings = place_bindings(pattern.place, event.arguments[0])
        if bindings is None:
            return None
        if pattern.arguments is not None:
            items = Arguments(pattern.arguments.items, pattern.arguments.rest)
            own = self._arguments(items, event, call.declared, skip=1)
            if own is None:
                return None
            bindings = {**own, **bindings}
        return self._with_result(pattern, event, bindings, None)

    def _is_field(self, pattern: MethodPattern) -> bool:
        """Whether `Type.name` without arguments is a field of the type, and so no call of a getter."""
        root = pattern.place.root
        if pattern.arguments is not None or pattern.place.fields or not isinstance(root, tuple):
            return False
        known = self.fields.get(pattern)
        if known is None:
            tables = self.program.tables
            known = any(
                one.name == pattern.name
                for definition in tables.types
                if matches_path(root, definition.path)
                for one in getattr(
                    tables.sources[definition.source].facts.items[definition.item_index], "fields", ()
                )
            )
            self.fields[pattern] = known
        return known

    def _with_result(
        self,
        pattern: CallPattern | MethodPattern,
        event: Call,
        bindings: Bindings,
        targets: frozenset[int] | None,
    ) -> Match:
        name = pattern.result
        if name is None:
            return Match(bindings, targets)
        key = bindings.get(name)
        if key is None:
            return Match({**bindings, name: event.result}, targets)
        aliases = () if isinstance(key, Lost) else ((event.result, key),)
        return Match(bindings, targets, aliases)

    def _arguments(
        self, wanted: Arguments | None, event: Call, target: Target | None, skip: int = 0
    ) -> Bindings | None:
        """The captures of a call's arguments; None where they don't fit."""
        if wanted is None:
            return {}
        places = event.arguments[skip:]
        if len(places) < sum(item.name is None for item in wanted.items):
            return None
        if not wanted.rest and len(places) != len(wanted.items):
            return None
        bindings: Bindings = {}
        for index, item in enumerate(wanted.items):
            at: int | None = index
            if item.name is not None:
                at = self._parameter(item.name, target)
                at = None if at is None else at - skip
            if at is None or not 0 <= at < len(places):
                return None
            if not bind(item.operand, places[at], bindings):
                return None
        return bindings

    def parameter_names(self, function: int) -> tuple[str, ...]:
        """What a function's arguments are called, the receiver first; "" for one that a pattern takes apart."""
        item = self.program.tables.functions[function].item
        names = [getattr(parameter.pattern, "name", "") for parameter in item.parameters]
        return tuple(names) if item.receiver is None else ("self", *names)

    def fits(self, wanted: Arguments | None, function: int) -> bool:
        """Whether a function has parameters of these names, and as many as are told by their position."""
        if wanted is None:
            return True
        names = self.parameter_names(function)
        placed = sum(item.name is None for item in wanted.items)
        if len(names) < placed or (placed < len(names) and not wanted.rest):
            return False
        return all(item.name is None or item.name in names for item in wanted.items)

    def _parameter(self, name: str, target: Target | None) -> int | None:
        """The index of the argument that the declaration calls by this name."""
        if target is None or target.function is None:
            return None
        item = self.program.tables.functions[target.function].item
        first = 0 if item.receiver is None else 1
        if name == "self":
            return 0 if first else None
        for index, parameter in enumerate(item.parameters):
            if getattr(parameter.pattern, "name", None) == name:
                return index + first
        return None

    def _trait_of(self, function: int) -> bool:
        return self.program.tables.functions[function].trait is not None

    def _names(self, path: tuple[str, ...], target: Target, call: ResolvedCall, judged: Judged) -> bool:
        """Whether the path names this target of the call."""
        if target.function is None:
            if matches_path(path, target.path):
                return len(path) > 1 or is_free_path(target.path)
        elif self.is_function(CallPattern(path), target.function):
            return True
        if len(path) < 2 or not call.arguments:
            return False
        # The type of the receiver, whichever trait has the method.
        owner = nominal_path(judged.types[call.arguments[0]])
        return bool(owner) and matches_path(path, f"{owner}::{target.path.rpartition('::')[2]}")

    def _names_function(self, path: tuple[str, ...], record: Function) -> bool:
        if len(path) == 1 or (len(path) == 2 and path[0] == "crate"):
            return record.impl is None and record.trait is None and matches_path(path, record.path)
        if matches_path(path, record.path):
            return True
        if record.impl is not None:
            impl = self.program.tables.impls[record.impl]
            trait = impl.trait_path
            if impl.trait is not None:
                trait = self.program.tables.traits[impl.trait].path
            return bool(trait) and matches_path(path, f"{trait}::{record.name}")
        return False

    def _tuple_build(self, pattern: CallPattern, event: Build) -> Match | None:
        """`Token($x)` as the construction of a tuple struct, `Token` alone as any construction."""
        if not matches_path(pattern.path, event.path):
            return None
        bindings: Bindings = {}
        if pattern.arguments is not None:
            if len(pattern.arguments.items) > len(event.fields):
                return None
            if not pattern.arguments.rest and len(pattern.arguments.items) != len(event.fields):
                return None
            for item, (_, place) in zip(pattern.arguments.items, event.fields, strict=False):
                if not bind(item.operand, place, bindings):
                    return None
        if pattern.result is not None:
            bindings.setdefault(pattern.result, event.result)
        return Match(bindings)

    def _build(self, pattern: BuildPattern, event: Build) -> Match | None:
        if not matches_path(pattern.path, event.path):
            return None
        bindings: Bindings = {}
        fields = dict(event.fields)
        for name, operand in pattern.fields:
            place = fields.get(name)
            if place is None and event.base is not None:
                place = extend(event.base, Field(name))
            if place is None or not bind(operand, place, bindings):
                return None
        if not pattern.rest and len(pattern.fields) != len(event.fields):
            return None
        if pattern.result is not None:
            bindings.setdefault(pattern.result, event.result)
        return Match(bindings)

    def _write(self, pattern: WritePattern, event: Write) -> Match | None:
        if event.op in WRITTEN_BY_CODE:
            return None
        bindings = place_bindings(pattern.place, event.place)
        if bindings is None:
            return None
        match pattern.value:
            case Anything():
                return Match(bindings)
            case Constant(text=text):
                source = event.source
                if event.known == text.lower():
                    return Match(bindings)
                constant = source is not None and source.root.kind == "constant" and not source.steps
                if constant and source is not None and is_constant(text, source.root.path):
                    return Match(bindings)
                return None
            case Capture():
                if event.source is None:
                    bindings[pattern.value.name] = LOST
                    return Match(bindings)
                return Match(bindings) if bind(pattern.value, event.source, bindings) else None


CallsByResult: TypeAlias = dict[Place, Call]


def calls_by_result(graph: Graph) -> CallsByResult:
    """Each call of a graph under the place of its value; the end of a value does not hide the call that made it."""
    found: CallsByResult = {}
    for block in graph.blocks:
        for event in block.events:
            if isinstance(event, Call):
                if event.call.kind == "drop":
                    found.setdefault(event.result, event)
                else:
                    found[event.result] = event
    return found
