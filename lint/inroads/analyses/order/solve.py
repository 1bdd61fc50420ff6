"""
One function under one rule: what holds where, and what a caller must know of it.

A forward must-analysis over worlds (see `world`), block by block. The summary
says, for each way out, what is ensured; what is required at the entry; what is
undone. All keys of a summary are in terms of parameters, `self`, statics and
the returned value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

import msgspec
from msgspec.structs import replace

from inroads.analyses.order.effects import (
    AssumeEffect,
    CallEffect,
    Compiled,
    CopyEffect,
    Effect,
    HandEffect,
    HandOutEffect,
    MutateEffect,
    NeedEffect,
    ReleaseEffect,
    RequireEffect,
    ReturnEffect,
    TargetEffect,
    UndoEffect,
    WriteEffect,
)
from inroads.analyses.order.keys import (
    HANDED,
    RETURNED,
    Key,
    KeyPart,
    places,
    sort_key,
    without_versions,
)
from inroads.analyses.order.moving import (
    moved_condition,
    outcome_condition,
    versioned,
)
from inroads.analyses.order.standing import Standing
from inroads.analyses.order.summaries import RETURNED_GUARD, Solved, Summary, Verdict
from inroads.analyses.order.summarise import summarise
from inroads.analyses.order.turns import end_loop, end_turn, gone_over, is_bound
from inroads.analyses.order.verdicts import collect
from inroads.analyses.order.ways import holds_elements, release, shared, with_need
from inroads.analyses.order.world import (
    MOST_WORLDS,
    PERHAPS,
    UNDONE,
    YES,
    State,
    Turns,
    World,
    condition_places,
    join,
    unite,
)
from inroads.flow import solve
from inroads.lower.conditions import is_empty
from inroads.lower.model import (
    Call,
    Condition,
    Each,
    Field,
    Is,
    Outcome,
    Place,
)
from inroads.lower.places import handed, is_within, rebase
from inroads.resolve.model import Local


class Solver(msgspec.Struct):
    """
    Runs one function's effects.

    Args:
        locals: The bindings of the function, for what dies with a turn.
        summary: The summary of a callee.
        standing: How keys stand in a world.
        known: While it runs, what each effect, by its identity, makes of a world.
        writes: The fields below an argument that a callee may write: (function, argument, name) -> paths.
    """

    compiled: Compiled
    locals: list[Local]
    summary: Callable[[int], Summary]
    standing: Standing
    writes: Callable[[int, int, str], frozenset[tuple[str, ...]]]
    loops_of: dict[int, list[int]] = msgspec.field(default_factory=dict)
    overs: dict[int, frozenset[Place]] = msgspec.field(default_factory=dict)
    within: dict[Place, dict[Place, bool]] = msgspec.field(default_factory=lambda: defaultdict(dict))
    bound: dict[int, dict[Place, bool]] = msgspec.field(default_factory=lambda: defaultdict(dict))
    known: dict[int, dict[World, tuple[World, ...]]] | None = None

    def __post_init__(self) -> None:
        for number, loop in enumerate(self.compiled.graph.loops):
            self.loops_of.setdefault(loop.header, []).append(number)

    def run(self) -> Solved:
        """The states of all blocks, the verdicts, and the summary."""
        graph = self.compiled.graph
        successors = [block.successors for block in graph.blocks]
        # Until the states are found, and once more for the verdicts, effects meet the same worlds again and again.
        self.known = {}
        states = solve(len(graph.blocks), 0, successors, frozenset({World()}), self.step, _join_at)
        verdicts: list[Verdict] = []
        exits: list[tuple[ReturnEffect, World]] = []
        handed: list[tuple[HandEffect, World]] = []
        for number, state in enumerate(states):
            if state is not None:
                collect(self, number, state, verdicts, exits, handed)
        # Callees may have more to say when it is run again.
        self.known = None
        return Solved(
            self.compiled,
            summarise(exits, verdicts, handed, self.compiled.canonical),
            tuple(verdicts),
            states,
        )

    def step(self, block: int, state: State) -> Iterable[tuple[int, State]]:
        """The worlds that each successor of a block is handed."""
        worlds = list(state)
        for effect in self.compiled.blocks[block]:
            worlds = self.advance(effect, worlds)
            if not worlds:
                return
        plain: State | None = None
        for successor in self.compiled.graph.blocks[block].successors:
            if self._is_plain(block, successor):
                plain = handed = unite(worlds) if plain is None else plain
            else:
                crossing = (self.cross(block, successor, world) for world in worlds)
                handed = unite(world for world in crossing if world is not None)
            if handed:
                yield successor, handed

    def _is_plain(self, block: int, successor: int) -> bool:
        """Whether nothing changes between two blocks: no loop begins, turns or ends there."""
        return not (self.compiled.counted_loops or successor in self.loops_of or block in self.loops_of)

    def advance(self, effect: Effect, worlds: list[World]) -> list[World]:
        """All worlds after one effect; made one in time, so that a block of many forks stays small."""
        if isinstance(effect, TargetEffect | RequireEffect | HandEffect | ReturnEffect):
            return worlds
        if self.known is None:
            found = [after for world in worlds for after in self.apply(effect, world)]
        else:
            known = self.known.setdefault(id(effect), {})
            found = []
            for world in worlds:
                after = known.get(world)
                if after is None:
                    after = known[world] = tuple(self.apply(effect, world))
                found.extend(after)
        if len(found) <= MOST_WORLDS:
            return found
        return list(unite(found))

    def apply(self, effect: Effect, world: World) -> Iterable[World]:
        """The worlds after one effect; none where it can't be in this world."""
        # The frequent ones first: a match tries its cases in turn.
        match effect:
            case CopyEffect(source=source, target=target):
                return (world.copied(source, target) if world.facts else world,)
            case AssumeEffect():
                return self._assume(effect, world)
            case MutateEffect():
                return (self._mutate(effect, world),)
            case WriteEffect():
                return (self._write(effect, world),)
            case CallEffect():
                return self._call(effect, world)
            case NeedEffect():
                return self._need(effect, world)
            case UndoEffect(key=key):
                return (world.undo(key),)
            case ReleaseEffect(rows=rows):
                return (release(world, rows),)
            case HandOutEffect(rows=rows):
                held = frozenset((key, RETURNED_GUARD if row in rows else row) for key, row in world.held)
                return (replace(world, held=held),)
            case TargetEffect() | RequireEffect() | HandEffect() | ReturnEffect():
                return (world,)
            case _:
                assert_never(effect)

    def cross(self, block: int, successor: int, world: World) -> World | None:
        """What changes on the way from one block to the next: the turns of loops; None where no way is."""
        loops = self.compiled.graph.loops
        for number in self.loops_of.get(successor, ()):
            loop = loops[number]
            if block == loop.latch:
                world = end_turn(loop, number, number in self.compiled.counted_loops, world)
                world = world.without(self._bound_in(number))
            else:
                world = world.without(self._bound_in(number))
                if number in self.compiled.counted_loops:
                    others = frozenset(one for one in world.turns if one.loop != number)
                    world = replace(world, turns=others | {Turns(number)})
        for number in self.loops_of.get(block, ()):
            if successor == loops[number].done and number in self.compiled.counted_loops:
                if self._makes_a_turn(number, world) and any(
                    one.loop == number and one.done is None for one in world.turns
                ):
                    return None
                world = end_loop(self._over(number), number, world)
        for number in self.compiled.counted_loops:
            if successor == loops[number].after and world.turns:
                world = replace(world, turns=frozenset(one for one in world.turns if one.loop != number))
        return world

    def _makes_a_turn(self, number: int, world: World) -> bool:
        """Whether a loop surely makes a turn in a world: always, or since it is known not to be over nothing."""
        if number in self.compiled.sure_loops:
            return True
        return any(world.knows(is_empty(over)[0]) is False for over in self._over(number))

    def _over(self, number: int) -> frozenset[Place]:
        """What a loop goes over, by its first name."""
        found = self.overs.get(number)
        if found is None:
            over = self.compiled.graph.loops[number].over
            own = None if over is None else self.compiled.canonical(over)
            found = self.overs[number] = gone_over(own) | gone_over(over)
        return found

    def _is_within(self, place: Place, outer: Place) -> bool:
        """`is_within`, kept: the same places are asked about in many worlds."""
        kept = self.within[outer]
        found = kept.get(place)
        if found is None:
            found = kept[place] = is_within(place, outer)
        return found

    def _bound_in(self, number: int) -> Callable[[Place], bool]:
        """Whether a place is born in a turn of the loop; kept too."""
        kept = self.bound[number]
        loop = self.compiled.graph.loops[number]

        def is_ended(place: Place) -> bool:
            found = kept.get(place)
            if found is None:
                found = kept[place] = is_bound(place, loop, self.locals)
            return found

        return is_ended

    def _need(self, effect: NeedEffect, world: World) -> Iterable[World]:
        level = PERHAPS if effect.weak else YES
        key = self.standing.widened(effect.key, world)
        met = world.establish(key, level)
        if effect.guard is not None:
            met = replace(met, held=met.held | {(key, effect.guard)})
        if effect.success is None:
            return (met,)
        condition, side = effect.success
        return (met.learn(condition, side), world.learn(condition, not side))

    def _call(self, effect: CallEffect, world: World) -> Iterable[World]:
        event = effect.event
        ways: dict[Outcome, dict[Key, int] | None] = {}
        guards: set[Key] = set()
        returns = effect.opaque
        for target in effect.targets:
            summary = self.summary(target)
            for key in summary.undoes:
                own = self.inward(key, event, world)
                if own is not None:
                    world = world.undo(own)
            guards.update(
                own for key in summary.guards if (own := self.inward(key, event, world)) is not None
            )
            for outcome, ensured in summary.ensures:
                returns = True
                keys: dict[Key, int] = {}
                for key, level in ensured:
                    own = self.inward(key, event, world)
                    if own is not None:
                        keys[own] = PERHAPS if event.call.how == "by-name" else level
                before = ways.get(outcome)
                ways[outcome] = keys if before is None else shared(before, keys)
        if len(effect.targets) == 1 and not effect.opaque:
            for key, level in self.summary(effect.targets[0]).hands:
                own = self.inward(key, event, world)
                for one in self._in_each_run(own) if own is not None else ():
                    world = world.establish(one, level)
        if effect.need is not None:
            ways = with_need(effect.need, ways)
            returns = True
        if not returns:
            return ()
        if effect.opaque:
            ways = {outcome: {} for outcome in (*ways, "plain")}
        outcomes = sorted(ways)
        if len(outcomes) == 1 or all(ways[outcome] == ways[outcomes[0]] for outcome in outcomes):
            return (self._ensure(world, ways[outcomes[0]] or {}, guards, event),)
        found = []
        for outcome in outcomes:
            after = self._ensure(world, ways[outcome] or {}, guards, event)
            known = outcome_condition(outcome, event.result)
            found.append(after if known is None else after.learn(*known))
        return found

    def _in_each_run(self, key: Key) -> Iterable[Key]:
        """The key for each run of the closure whose parameter it speaks of: each has a place of its own."""
        yield key
        for number, part in enumerate(key):
            if isinstance(part, Place):
                for root in self.compiled.runs.get(part.root.index, ()):
                    yield (*key[:number], Place(root, part.steps), *key[number + 1 :])

    def _ensure(self, world: World, keys: Mapping[Key, int], guards: set[Key], event: Call) -> World:
        for key in sorted(keys, key=sort_key):
            own = self.standing.widened(key, world)
            world = world.establish(own, keys[key])
            if key in guards:
                world = replace(world, held=world.held | {(own, event.result.root.index)})
        return world

    def inward(self, key: Key, event: Call, world: World) -> Key | None:
        """A callee's key as this function says it; None where it has no name here."""
        parts: list[KeyPart] = []
        for part in key:
            if not isinstance(part, Place):
                parts.append(part)
                continue
            root = part.root
            if root == RETURNED:
                parts.append(rebase(part, event.result))
            elif root.kind == "static" or root.kind == "constant":
                parts.append(part)
            elif root.kind == "result" and HANDED <= root.index < HANDED + len(event.arguments):
                given = event.arguments[root.index - HANDED]
                if given.root.kind == "constant" and root.index - HANDED < len(event.call.arguments):
                    # A function by its name; a closure's parameter is told by the closure.
                    given = handed(event.call.arguments[root.index - HANDED])
                parts.append(rebase(part, given))
            elif root.kind in ("self", "parameter") and root.index < len(event.arguments):
                own = self.compiled.canonical(event.arguments[root.index])
                based = rebase(part, own)
                # What a callee does to a field is done to what the field was built from.
                held = self.compiled.canonical(based)
                parts.append(versioned(held, len(own.steps) if held == based else 0, world))
            else:
                return None
        return tuple(parts)

    def _mutate(self, effect: MutateEffect, world: World) -> World:
        """What is known of the inside of a value ends, where the callee may write it."""
        gone = {
            known
            for known in world.knowledge
            if any(
                self._is_within(place, effect.place) and (effect.foreign or self._is_written(place, effect))
                for place in condition_places(known[0])
            )
        }
        if gone:
            world = replace(world, knowledge=world.knowledge - gone)
        if effect.grows:
            world = world.without(lambda place: holds_elements(place, effect.place))
        ended = {
            fact
            for fact in world.facts
            if fact[1] != UNDONE and any(self._is_written(place, effect) for place in places(fact[0]))
        }
        return replace(world, facts=world.facts - ended) if ended else world

    def _is_written(self, place: Place, effect: MutateEffect) -> bool:
        """Whether a callee that is handed a value may write a field on the way to a place in it."""
        if not self._is_within(place, effect.place):
            return False
        names = tuple(step.name for step in place.steps[len(effect.place.steps) :] if isinstance(step, Field))
        return any(
            names[: len(path)] == path
            for name in dict.fromkeys(names)
            for function, argument in effect.targets
            for path in self.writes(function, argument, name)
        )

    def _assume(self, effect: AssumeEffect, world: World) -> Iterable[World]:
        known = world.knows(effect.condition)
        if known is not None and known != effect.side:
            return ()
        for key in effect.evidence:
            world = world.establish(key, YES)
        if effect.tracked:
            world = world.learn(effect.condition, effect.side)
        return (world,)

    def _write(self, effect: WriteEffect, world: World) -> World:
        if effect.source is not None and self.compiled.canonical(effect.source) == effect.place:
            # It gets what it was all along, as the sum of a fold that is handed on from turn to turn.
            for condition, side in effect.knows:
                world = world.learn(condition, side)
            return world
        source_facts: list[tuple[Condition, bool]] = []
        if effect.source is not None:
            for condition, side in world.knowledge:
                told = moved_condition(condition, effect.source, effect.place)
                if told is not None:
                    source_facts.append((told, side))
        ended = effect.place if effect.before is None else effect.before

        def is_ended(place: Place) -> bool:
            return self._is_within(place, effect.place) or self._is_within(place, ended)

        moved: dict[Key, int] = {}
        hollow: frozenset[Place] = frozenset()
        if effect.source is not None and (world.facts or world.empty):
            # By its first name, for which needs were done.
            source = self.compiled.canonical(effect.source)
            moved = world.moved(source, effect.place)
            hollow = frozenset(
                Place(effect.place.root, (*effect.place.steps, *one.steps[len(source.steps) :]))
                for one in world.empty
                if one.root == source.root and is_within(one, source)
            )
            if source.steps[-1:] == (Each(),) and Place(source.root, source.steps[:-1]) in world.empty:
                # Nothing comes out of what is empty.
                source_facts.append((Is(effect.place, "Some"), False))
        # What was known of the old value is known of it still, under its old name.
        kept = world.without(is_ended, lambda place: self._is_within(place, effect.place))
        if hollow:
            kept = replace(kept, empty=kept.empty | hollow)
        if moved:
            kept = replace(kept, facts=frozenset({**dict(kept.facts), **moved}.items()))
        for condition, side in (*effect.knows, *source_facts):
            kept = kept.learn(condition, side)
        if effect.condition is not None:
            truth, condition, side = effect.condition
            known = world.knows(condition)
            if known is not None:
                kept = kept.learn(truth, known == side)
        last = effect.place.steps[-1:]
        if last and isinstance(last[0], Field) and last[0].version:
            bare = without_versions(effect.place)
            versions = frozenset(one for one in kept.versions if one[0] != bare)
            kept = replace(kept, versions=versions | {(bare, last[0].version)})
        return kept


def _join_at(block: int, left: State, right: State) -> State:
    return join(left, right)
