"""One body under one rule: each event of its graph, and what it means."""

from __future__ import annotations

from collections.abc import Iterable
from types import UnionType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inroads.analyses.order.atoms import keyed_loops, mark_followed, tested_loops
from inroads.analyses.order.effects import (
    AssumeEffect,
    CallEffect,
    Compiled,
    CopyEffect,
    Effect,
    HandEffect,
    NeedEffect,
    ReleaseEffect,
    RequireEffect,
    ReturnEffect,
    TargetEffect,
    UndoEffect,
    WriteEffect,
)
from inroads.analyses.order.guards import Guards
from inroads.analyses.order.keys import Key, make_key
from inroads.analyses.order.matter import Matter
from inroads.analyses.order.mutations import mutations
from inroads.analyses.order.names import Names
from inroads.analyses.order.results import result_kind
from inroads.analyses.order.shared import own_macros
from inroads.analyses.order.turns import makes_a_turn
from inroads.facts import MacroRow, Region
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
    Move,
    Place,
    Read,
    Return,
    Root,
    Truth,
    Write,
)
from inroads.lower.places import extend
from inroads.pattern import CallPattern, Pattern
from inroads.pattern_match import LOST, Bindings, Match, calls_by_result
from inroads.pattern_paths import matches_path
from inroads.resolve.model import Judged

if TYPE_CHECKING:
    from inroads.analyses.order.compile import Compiler


class Body:
    """
    One body on its way to effects.

    Args:
        into: The callees that are looked into, where that is known; else it is asked of each.
    """

    def __init__(self, compiler: Compiler, function: int, into: tuple[int, ...] | None = None) -> None:
        self.into = into
        self.compiler = compiler
        self.rule = compiler.rule
        self.function = function
        self.judged: Judged = compiler.program.judge(function)
        self.graph: Graph = compiler.program.graph(function)
        self.calls = calls_by_result(self.graph)
        self.muted = compiler.is_muted(function)
        self.spoken = compiler.speech.positions(compiler.shared.outline(compiler.program, function))
        self.is_spoken = True
        self.names = Names(
            self.judged,
            self.calls,
            compiler.evidence.returned,
            compiler.evidence.made,
            compiler.shared.writes.of,
        )
        self.followed: set[Place] = set()
        self.blocks: list[list[Effect]] = []
        self.holes: list[Region] | None = None
        self.tested: frozenset[Place] | None = None
        self.expansions = self._own_macros()
        self.guards = Guards(self.judged)

    def compile(self) -> Compiled:
        self._find_aliases()
        for block in self.graph.blocks:
            effects: list[Effect] = []
            for at, event in enumerate(block.events):
                self.is_spoken = self.spoken is None or (block.id, at) in self.spoken
                effects.extend(self._event(event))
            self.blocks.append(effects)
        if not self.compiler.is_called(self.function):
            names, requires = self.names, self.compiler.requires
            matter = Matter(self.graph, self.blocks, names.canonical, names.roots, requires, self._ends_here)
            matter.thin_out()
        tested = tested_loops(self.graph, self.blocks)
        self.followed.update(over for number in tested if (over := self.graph.loops[number].over) is not None)
        crowded = mark_followed(self.blocks, self.followed)
        idle = not any(
            isinstance(effect, TargetEffect | NeedEffect | UndoEffect | CallEffect | RequireEffect)
            or (isinstance(effect, AssumeEffect) and effect.evidence)
            for effects in self.blocks
            for effect in effects
        )
        sure = frozenset(
            number
            for number, loop in enumerate(self.graph.loops)
            if loop.done is not None and makes_a_turn(loop, self.judged, self._constant)
        )
        return Compiled(
            self.function,
            self.graph,
            [tuple(effects) for effects in self.blocks],
            self.names.canonical,
            keyed_loops(self.graph, self.blocks) | sure | tested,
            sure,
            crowded,
            idle,
            self.calls,
            self._targeted(CallEffect | RequireEffect),
            self._targeted(CallEffect),
            elements=self.names.elements,
            runs=self._runs(),
        )

    def _constant(self, path: str) -> int | None:
        return self.compiler.shared.number(self.compiler.program, path)

    def _runs(self) -> dict[int, tuple[Root, ...]]:
        """The roots that runs of closures have in place of the first run's."""
        found: dict[int, dict[Root, None]] = {}
        for event in self.calls.values():
            for place in event.arguments:
                root = place.root
                if root.kind == "result" and root.instance:
                    found.setdefault(root.index, {})[root] = None
        return {row: tuple(roots) for row, roots in found.items()}

    def _targeted(self, kinds: UnionType | type[CallEffect]) -> tuple[int, ...]:
        """The functions that calls of these kinds lead to, sorted."""
        return tuple(
            sorted(
                {
                    target
                    for effects in self.blocks
                    for effect in effects
                    if isinstance(effect, kinds)
                    for target in effect.targets
                }
            )
        )

    def _ends_here(self, effect: CallEffect) -> bool:
        """Whether a call that never comes back is to be seen."""
        compiler = self.compiler
        return any(
            compiler.never_returns(one)
            for one in effect.targets
            if self.function in compiler.careful or compiler.requires(one)
        )

    def _find_aliases(self) -> None:
        """Names for one thing: a result that carries an argument's key, a local that takes a place over."""
        for block in self.graph.blocks:
            for event in block.events:
                if isinstance(event, Write) and event.op == "let" and not event.place.steps:
                    if event.source is not None and event.source.root.kind != "constant":
                        self.names.known[event.place] = event.source
        self.names.note_builds(self.graph)
        patterns = (*self.rule.targets, *self.rule.needs, *self.rule.undone_by)
        doubled = [
            pattern for pattern in patterns if getattr(pattern, "result", None) and self._names_twice(pattern)
        ]
        for event in self._spoken_calls() if doubled else ():
            for pattern in doubled:
                match = self._match(pattern, event)
                for result, argument in match.aliases if match is not None else ():
                    self.names.known[result] = argument

    def _spoken_calls(self) -> Iterable[Call]:
        """The calls that may match a pattern."""
        if self.spoken is None:
            return self.calls.values()
        events = (self.graph.blocks[block].events[at] for block, at in sorted(self.spoken))
        return (event for event in events if isinstance(event, Call))

    @staticmethod
    def _names_twice(pattern: Pattern) -> bool:
        arguments = getattr(pattern, "arguments", None)
        result = getattr(pattern, "result", None)
        names = {getattr(item.operand, "name", None) for item in arguments.items} if arguments else set()
        place = getattr(pattern, "place", None)
        names.add(getattr(getattr(place, "root", None), "name", None))
        return result in names

    def _match(self, pattern: Pattern, event: Event) -> Match | None:
        return self.compiler.matcher.match(pattern, event, self.judged, self.calls)

    def _matches(self, patterns: Iterable[Pattern], event: Event) -> list[Match]:
        if not self.is_spoken:
            return []
        found = (self._match(pattern, event) for pattern in patterns)
        return [match for match in found if match is not None]

    def _key(self, bindings: Bindings) -> Key:
        key = make_key(self.rule.variables, bindings)
        return tuple(self.names.canonical(part) if isinstance(part, Place) else part for part in key)

    def _need_key(self, bindings: Bindings) -> Key:
        """The key of a need; a collection that was filled here can be told by nothing."""
        key = self._key(bindings)
        return tuple(LOST if isinstance(part, Place) and self.names.is_filled(part) else part for part in key)

    def _event(self, event: Event) -> Iterable[Effect]:
        if self.expansions and hasattr(event, "row"):
            yield from self._expanded(event.row)
        match event:
            case Call():
                yield from self._call(event)
            case Build():
                yield from self._targets(event, event.row)
                yield from self._built_evidence(event)
                for name, place in event.fields:
                    yield CopyEffect(self.names.canonical(place), extend(event.result, Field(name)))
                if event.base is not None:
                    yield CopyEffect(event.base, event.result)
                yield from self._done(event, event.row)
            case Write():
                yield from self._targets(event, event.row)
                yield from self._flag_written(event)
                yield self._write(event)
                yield from self._done(event, event.row)
            case Read():
                yield from self._targets(event, event.row)
                yield from self._done(event, event.row)
            case Drop():
                yield from self._targets(event, event.row)
                if self.rule.while_held and event.holds:
                    yield ReleaseEffect(event.holds)
                yield from self._done(event, event.row)
            case Move(holds=holds) if self.rule.while_held and holds:
                yield from self.guards.moved(event)
            case Assume():
                yield from self._assume(event)
            case Return():
                yield from self.guards.returned(event)
                yield ReturnEffect(event.row, event.outcome, event.value)
            case _:
                pass

    def _own_macros(self) -> list[tuple[Region, str]]:
        """The calls of own macros that a pattern may speak of: what each became, and its name."""
        patterns = (*self.rule.targets, *self.rule.needs, *self.rule.undone_by)
        if not any(isinstance(one, CallPattern) and one.macro for one in patterns):
            return []
        return own_macros(self.compiler.program, self.judged)

    def _expanded(self, row: int | None) -> Iterable[Effect]:
        """What the calls of own macros are for the rule, told at the first event of what each became."""
        for one in [one for one in self.expansions if row is not None and one[0].start <= row < one[0].end]:
            self.expansions.remove(one)
            key = self._key({})
            for pattern in self.rule.targets if not self.muted else ():
                if _is_macro(pattern, one[1]) and row is not None:
                    yield TargetEffect(row, key, callee=f"{one[1]}!")
            for pattern in self.rule.undone_by:
                if _is_macro(pattern, one[1]) and row is not None:
                    yield UndoEffect(row, key)
            for pattern in self.rule.needs:
                if _is_macro(pattern, one[1]) and row is not None:
                    yield NeedEffect(row, key)

    def _targets(self, event: Event, row: int) -> Iterable[Effect]:
        if not self.muted:
            for match in self._matches(self.rule.targets, event):
                yield TargetEffect(row, self._key(match.bindings))
        if isinstance(event, Assume):
            return

    def _done(self, event: Event, row: int) -> Iterable[Effect]:
        for match in self._matches(self.rule.undone_by, event):
            yield UndoEffect(row, self._key(match.bindings))
        for match in self._matches(self.rule.needs, event):
            yield NeedEffect(row, self._need_key(match.bindings), weak=self._is_unexpanded(row))

    def _built_evidence(self, event: Build) -> Iterable[Effect]:
        if self.muted:
            return
        for pattern in self.compiler.evidence.types:
            match = self._match(pattern, event)
            if match is not None:
                yield TargetEffect(event.row, self._key(match.bindings), evidence=event.path)

    def _flag_written(self, event: Write) -> Iterable[Effect]:
        if self.muted:
            return
        for path, bindings in self.compiler.evidence.written_by(event):
            yield TargetEffect(event.row, self._key(bindings), evidence=path)
        for pattern in self.compiler.evidence.flags:
            match = self._match(pattern, event)
            if match is not None:
                owner = "::".join(getattr(pattern.place, "root", ()))
                yield TargetEffect(
                    event.row, self._key(match.bindings), evidence=f"{owner}.{pattern.place.fields[-1]}"
                )

    def _call(self, event: Call) -> Iterable[Effect]:
        spoken: set[int] = set()
        everything = range(len(event.call.targets))
        name = _called(event)
        if not self.muted:
            for match in self._matches(self.rule.targets, event):
                how = event.call.how if match.targets is not None or event.call.how == "by-name" else "exact"
                yield TargetEffect(event.row, self._key(match.bindings), how, callee=name)
                spoken.update(everything if match.targets is None else match.targets)
            for path, bindings in self.compiler.evidence.defaulted_by(event):
                yield TargetEffect(event.row, self._key(bindings), evidence=path)
        if event.callee is not None and event.callee.root.kind == "parameter" and len(event.arguments) == 1:
            yield HandEffect(event.row, event.callee.root.index, self.names.canonical(event.arguments[0]))
        needs = self._matches(self.rule.needs, event)
        undos = self._matches(self.rule.undone_by, event)
        for match in (*needs, *undos):
            spoken.update(everything if match.targets is None else match.targets)
        functions = [
            target.function
            for index, target in enumerate(event.call.targets)
            if index not in spoken and target.function is not None
        ]
        into = tuple(sorted({one for one in functions if self._is_looked_into(one)}))
        raising = tuple(one for one in into if self.compiler.requires(one))
        if raising and not self.muted:
            yield RequireEffect(event, raising)
        yield from mutations(event, self.names.canonical)
        for match in undos:
            yield UndoEffect(event.row, self._key(match.bindings))
        need: NeedEffect | None = None
        for match in needs:
            effect = self._need(event, match)
            if self.rule.while_held and self.guards.is_thrown(event.row):
                continue
            if match.targets is None:
                yield from self._for_elements(effect)
            else:
                need = effect
        for key in self.compiler.evidence.given_by(event):
            success = self._success(event)
            yield NeedEffect(event.row, key, success)
        if into or need is not None:
            self.followed.add(event.result)
            unspoken = len(everything) - len(spoken)
            yield CallEffect(event, into, unspoken > len(functions) or len(into) < len(set(functions)), need)

    def _for_elements(self, effect: NeedEffect) -> Iterable[NeedEffect]:
        """The need; done for an array of several it was done for each of its elements."""
        yield effect
        for number, part in enumerate(effect.key):
            if isinstance(part, Place):
                for element in self.names.elements.get(part, ()):
                    key = (*effect.key[:number], self.names.canonical(element), *effect.key[number + 1 :])
                    yield replace(effect, key=key)

    def _is_looked_into(self, function: int) -> bool:
        compiler = self.compiler
        if self.into is not None:
            return function in self.into
        if compiler.relevant(self.function, function):
            return True
        return self.function in compiler.careful and compiler.never_returns(function)

    def _need(self, event: Call, match: Match) -> NeedEffect:
        success = self._success(event) if self.rule.needs_success else None
        return NeedEffect(
            event.row,
            self._need_key(match.bindings),
            success,
            event.call.how == "by-name" or self._is_unexpanded(event.row),
            event.result.root.index if self.rule.while_held else None,
        )

    def _is_unexpanded(self, row: int) -> bool:
        """Whether a row is an argument of an own macro that did not expand, so that it may never run."""
        if self.holes is None:
            own = self.compiler.program.tables.own_macros
            self.holes = [
                region
                for one in self.judged.body.rows
                if isinstance(one, MacroRow) and one.path[-1] in own
                for region in one.regions
            ]
        return any(region.start <= row < region.end for region in self.holes)

    def _success(self, event: Call) -> tuple[Condition, bool] | None:
        """On which side of a test the need counts; None where it has no Result."""
        kind = result_kind(event.call.returns)
        if kind == "plain":
            return None
        if self.tested is None:
            self.tested = frozenset(
                self._tested(first.condition.place)
                for block in self.graph.blocks
                for first in block.events[:1]
                if isinstance(first, Assume)
                and isinstance(first.condition, Is)
                and first.condition.variant == "Ok"
            )
        tested = self.tested
        value = event.result
        if value not in tested and event.arguments and event.arguments[0] in tested:
            # `w.into_inner()?` is seen through, so that the receiver is what is tested.
            value = event.arguments[0]
        if kind == "unknown" and value not in tested:
            return None
        self.followed.add(value)
        return (Is(value, "Ok"), True)

    def _write(self, event: Write) -> WriteEffect:
        knows: list[tuple[Condition, bool]] = []
        place = event.place
        match event.known:
            case "true" | "false":
                knows.append((Truth(place), event.known == "true"))
            case "ok" | "err":
                knows.append((Is(place, "Ok"), event.known == "ok"))
            case "some" | "none":
                knows.append((Is(place, "Some"), event.known == "some"))
            case _:
                pass
        source = event.source
        if source is not None and source.root.kind in ("constant", "result") and not source.steps:
            text = source.root.path
            if source.root.kind == "constant" and text not in ("true", "false"):
                knows.append((Compare(place, "==", text), True))
                knows.append((Is(place, text), True))
        condition = None
        if event.condition is not None:
            condition = (Truth(place), event.condition[0], event.condition[1])
        return WriteEffect(
            place, event.before, source, tuple(knows), condition, event.op not in ("let", "join")
        )

    def _by_first_name(self, condition: Condition) -> Condition:
        """A test of what a call only hands through is one of what it was given: `open().context("..")`."""
        if isinstance(condition, Is):
            return Is(self._tested(condition.place), condition.variant)
        return condition

    def _tested(self, place: Place) -> Place:
        event = self.calls.get(place)
        if event is None or not event.arguments or event.arguments[0].root.kind != "result":
            return place
        found = self.names.canonical(place)
        return found if found.root.kind == "result" and not found.steps else place

    def _assume(self, event: Assume) -> Iterable[Effect]:
        evidence: list[Key] = []
        for pattern in self.compiler.evidence.flags:
            bindings = self.compiler.evidence.flag_holds(pattern, event)
            if bindings is not None:
                evidence.append(self._key(bindings))
        evidence.extend(self.compiler.evidence.shown_by(event))
        for flag in self.compiler.inferred:
            evidence.extend(flag.proves(event.condition, event.side, self.calls))
        condition = self._by_first_name(event.condition)
        yield AssumeEffect(event.row, condition, event.side, event.cause, False, tuple(evidence))
        yield from self.guards.parted(event)
        yield from self._targets(event, event.row)
        yield from self._done(event, event.row)


def _is_macro(pattern: Pattern, name: str) -> bool:
    return isinstance(pattern, CallPattern) and pattern.macro and matches_path(pattern.path, name)


def _called(event: Call) -> str:
    """The path that a call names."""
    if event.call.declared is not None:
        return event.call.declared.path
    return event.call.targets[0].path if event.call.targets else event.result.root.name
