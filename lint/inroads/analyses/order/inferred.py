"""
Flags that nobody declared: `if self.built { return } self.build(); self.built = true`.

A private field is a flag where every write of one of its values follows the
need. Then the need was done wherever the field is known to have that value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.order.effects import AssumeEffect, CallEffect, NeedEffect, WriteEffect
from inroads.analyses.order.keys import Key, KeyPart, Whatever, sort_key
from inroads.analyses.order.present import building, mentioning
from inroads.analyses.order.world import YES, World
from inroads.facts import EnumItem, StructItem
from inroads.lower.model import Build, Call, Compare, Condition, Field, Is, Place, Step, Truth, Write
from inroads.pattern_match import CallsByResult
from inroads.summary import closure

if TYPE_CHECKING:
    from inroads.analyses.order.cone import Cone
    from inroads.analyses.order.summaries import Solved
    from inroads.program import Program

MOST_FLAGS = 8
MOST_WRITERS = 24


class Flag(msgspec.Struct, frozen=True):
    """
    A field, and the value of it that may prove something.

    Args:
        owner: Path of the type that has the field.
        test: What is tested: "truth", "is Some", "== Ready", without the place.
        keys: What it proves, with each part as steps from the value that has the field.
    """

    owner: str
    name: str
    test: str
    side: bool
    keys: tuple[tuple[tuple[Step, ...] | Whatever, ...], ...] = ()

    def proves(self, condition: Condition, side: bool, calls: CallsByResult) -> Iterable[Key]:
        """The keys that are met where the condition is known."""
        found = field_of(condition, calls)
        if found is None or side != self.side:
            return
        place, field, test = found
        if (field.name, field.owner, test) != (self.name, self.owner, self.test):
            return
        for key in self.keys:
            yield tuple(
                part if isinstance(part, Whatever) else Place(place.root, (*place.steps, *part))
                for part in key
            )


def field_of(condition: Condition, calls: CallsByResult) -> tuple[Place, Field, str] | None:
    """The value, its field, and the test that a condition makes of a field; an atomic static is a field too."""
    if isinstance(condition, Truth):
        event = calls.get(condition.place)
        if event is not None and event.result.root.name == "load()" and event.arguments:
            flag = event.arguments[0]
            if flag.root.kind == "static" and not flag.steps:
                return flag, Field("", owner=flag.root.path), "load"
    match condition:
        case Truth(place=place):
            test = "truth"
        case Is(place=place, variant=variant):
            test = f"is {variant}"
        case Compare(place=place, op="==", literal=literal):
            test = f"== {literal}"
        case _:
            return None
    last = place.steps[-1] if place.steps else None
    if not isinstance(last, Field) or not last.owner:
        return None
    return Place(place.root, place.steps[:-1]), last, test


def infer_flags(cone: Cone, functions: Iterable[int]) -> tuple[Flag, ...]:
    """The flags that are proven, of those that the functions, or what they call, test beside a need."""
    found: list[Flag] = []
    near = closure(sorted(functions), lambda one: cone.callees(one) if one in cone.solved else ())
    for flag in sorted(_candidates(cone, sorted(near)), key=repr)[:MOST_FLAGS]:
        keys = _proven(cone, flag)
        if keys:
            found.append(Flag(flag.owner, flag.name, flag.test, flag.side, keys))
    return tuple(found)


def _candidates(cone: Cone, functions: Iterable[int]) -> set[Flag]:
    """Private fields on which a need depends: one side of the test comes to a need, the other does not."""
    found: set[Flag] = set()
    for function in functions:
        solved = cone.solved.get(function)
        if solved is None or (solved.compiled.silent and not _ensures(cone, solved.compiled.called)):
            continue
        blocks = solved.compiled.blocks
        doing = [
            number
            for number, block in enumerate(blocks)
            if any(
                isinstance(one, NeedEffect) or (isinstance(one, CallEffect) and _ensures(cone, one.targets))
                for one in block
            )
        ]
        if not doing:
            continue
        leading = _leading_to(solved, doing)
        for number, block in enumerate(blocks):
            for effect in block[:1]:
                if isinstance(effect, AssumeEffect) and number not in leading:
                    tested = field_of(effect.condition, solved.compiled.calls)
                    if tested is not None and _is_private(cone.program, tested[1].owner, tested[1].name):
                        found.add(Flag(tested[1].owner, tested[1].name, tested[2], effect.side))
    return found


def _ensures(cone: Cone, targets: Iterable[int]) -> bool:
    summaries = (cone.summaries.get(target) for target in targets)
    return any(ensured for summary in summaries if summary is not None for _, ensured in summary.ensures)


def _leading_to(solved: Solved, goals: list[int]) -> set[int]:
    """The blocks from which one of the goals can be reached, these among them."""
    above: dict[int, list[int]] = defaultdict(list)
    for block in solved.compiled.graph.blocks:
        for successor in block.successors:
            above[successor].append(block.id)
    return set(closure(goals, above.__getitem__))


def _is_private(program: Program, owner: str, name: str) -> bool:
    if not name:
        return any(
            one.path == owner and one.item.is_static and one.item.head.visibility != "pub"
            for one in program.tables.constants
        )
    for definition in program.tables.types:
        if definition.path == owner:
            item = program.tables.sources[definition.source].facts.items[definition.item_index]
            return isinstance(item, StructItem) and any(
                one.name == name and not one.visibility for one in item.fields
            )
    return False


def _proven(cone: Cone, flag: Flag) -> tuple[tuple[tuple[Step, ...] | Whatever, ...], ...]:
    """What every write of the value follows; nothing where one write follows nothing."""
    if not flag.name:
        return _proven_static(cone, flag)
    writers = [
        function
        for function in mentioning(f".{flag.name}", cone.program)
        if not cone.program.tables.functions[function].test
    ]
    builders = building(flag.owner, cone.program)
    writers = [function for function in writers if _may_write(cone, flag, function)]
    if len(writers) > MOST_WRITERS or not _builds_are_fine(cone, flag, builders):
        return ()
    cone.look_into(writers)
    cone.solve(writers)
    common: set[tuple[tuple[Step, ...] | Whatever, ...]] | None = None
    for function in writers:
        for holder, worlds in _writes(cone, flag, function):
            if cone.compiler.is_need(function):
                continue
            held = _relative(cone, function, holder, worlds)
            common = held if common is None else common & held
            if not common:
                return ()
    return tuple(sorted((key for key in common or () if not _runs_through(flag, key)), key=repr))


def _runs_through(flag: Flag, key: tuple[tuple[Step, ...] | Whatever, ...]) -> bool:
    """
    Whether a key is what the field itself holds.

    Such a field is a store and no flag: what comes out of a store is `maybe`,
    and the help proposes evidence.
    """
    return any(_is_field(step, flag) for part in key if not isinstance(part, Whatever) for step in part)


def _proven_static(cone: Cone, flag: Flag) -> tuple[tuple[tuple[Step, ...] | Whatever, ...], ...]:
    """What every `store` of the value in an atomic static follows; any other way to write it proves nothing."""
    program = cone.program
    users = [
        function
        for function in mentioning(flag.owner.rpartition("::")[2], program)
        if not program.tables.functions[function].test
    ]
    if MOST_WRITERS < len(users):
        return ()
    cone.look_into(users)
    cone.solve(users)
    wanted = "true" if flag.side else "false"
    common: set[tuple[tuple[Step, ...] | Whatever, ...]] | None = None
    for function in users:
        for number, block in enumerate(program.graph(function).blocks):
            for event in block.events:
                if not isinstance(event, Call) or not event.arguments or event.result.root.name == "load()":
                    continue
                if event.arguments[0].root.path != flag.owner or event.arguments[0].steps:
                    continue
                value = event.arguments[1].root.path if 1 < len(event.arguments) else ""
                if event.result.root.name != "store()" or value not in ("true", "false"):
                    return ()
                if value == wanted:
                    held = _keyless(cone, function, number, event.row)
                    common = held if common is None else common & held
                    if not common:
                        return ()
    return tuple(sorted(common or (), key=repr))


def _keyless(
    cone: Cone, function: int, number: int, row: int
) -> set[tuple[tuple[Step, ...] | Whatever, ...]]:
    """The keys without places that are met at an event."""
    solved, solver = cone.solved[function], cone.solver(function)
    state = solved.states[number] if solved.states else None
    worlds = [World()] if state is None else sorted(state, key=repr)
    for effect in solved.compiled.blocks[number]:
        at = getattr(effect, "row", None)
        if at is not None and row <= at:
            break
        worlds = solver.advance(effect, worlds)
    keys = {key for world in worlds for key, _ in world.facts}
    return {
        tuple(part for part in key if isinstance(part, Whatever))
        for key in keys
        if all(isinstance(part, Whatever) for part in key)
        and all(solver.standing.status(key, world) == YES for world in worlds)
    }


def _may_write(cone: Cone, flag: Flag, function: int) -> bool:
    """Whether the function writes a field of that name at all."""
    return any(
        isinstance(event, Write) and event.place.steps and _is_field(event.place.steps[-1], flag)
        for block in cone.program.graph(function).blocks
        for event in block.events
    )


def _is_field(step: Step, flag: Flag) -> bool:
    return isinstance(step, Field) and (step.name, step.owner) == (flag.name, flag.owner)


def _writes(cone: Cone, flag: Flag, function: int) -> Iterable[tuple[Place, list[World]]]:
    """The writes that may give the field the value, each with the worlds before it."""
    solved = cone.solved[function]
    solver = cone.solver(function)
    states = solved.states or [None] * len(solved.compiled.blocks)
    for number, effects in enumerate(solved.compiled.blocks):
        state = states[number]
        worlds: list[World] = [World()] if state is None else sorted(state, key=repr)
        for effect in effects:
            if isinstance(effect, WriteEffect) and effect.is_code:
                named = bool(effect.place.steps) and _is_field(effect.place.steps[-1], flag)
                if named and not _is_other(flag, effect):
                    yield Place(effect.place.root, effect.place.steps[:-1]), worlds
            worlds = solver.advance(effect, worlds)


def _is_other(flag: Flag, effect: WriteEffect) -> bool:
    """Whether the written value is surely not the flag's."""
    for condition, side in effect.knows:
        tested = field_of(condition, {})
        if tested is None:
            continue
        if tested[2] == flag.test:
            return side != flag.side
        if side and tested[2].split(" ")[0] == flag.test.split(" ")[0] and flag.side:
            return True
    return False


def _relative(
    cone: Cone, function: int, holder: Place, worlds: list[World]
) -> set[tuple[tuple[Step, ...] | Whatever, ...]]:
    """The keys that are met in all worlds, as steps from the value that has the field."""
    solver = cone.solver(function)
    keys = sorted({key for world in worlds for key, _ in world.facts}, key=sort_key)
    found: set[tuple[tuple[Step, ...] | Whatever, ...]] = set()
    for key in keys:
        parts: list[tuple[Step, ...] | Whatever] = []
        for part in key:
            relative = _below(part, holder)
            if relative is None:
                break
            parts.append(relative)
        else:
            if all(solver.standing.status(key, world) == YES for world in worlds):
                found.add(tuple(parts))
    return found


def _below(part: KeyPart, holder: Place) -> tuple[Step, ...] | Whatever | None:
    if isinstance(part, Whatever):
        return part
    if not isinstance(part, Place) or part.root != holder.root:
        return None
    depth = len(holder.steps)
    return part.steps[depth:] if part.steps[:depth] == holder.steps else None


def _builds_are_fine(cone: Cone, flag: Flag, builders: Iterable[int]) -> bool:
    """Whether no construction gives the field the value, as far as that can be seen."""
    program = cone.program
    if _derives_default(program, flag.owner) and flag.side is False:
        return False
    for function in builders:
        if program.tables.functions[function].test:
            continue
        for block in program.graph(function).blocks:
            for event in block.events:
                if isinstance(event, Build) and event.path == flag.owner:
                    place = dict(event.fields).get(flag.name)
                    if place is not None and not _is_opposite(flag, place):
                        return False
    return True


def _is_opposite(flag: Flag, value: Place) -> bool:
    """Whether a constant that a field is built with is surely not the flag's value."""
    if value.root.kind != "constant" or value.steps:
        return False
    text = value.root.path
    match flag.test:
        case "truth":
            return text in ("true", "false") and (text == "true") != flag.side
        case "is Some":
            return (text.rpartition("::")[2] != "None") != flag.side
        case _:
            return (text == flag.test.partition(" ")[2]) != flag.side


def _derives_default(program: Program, owner: str) -> bool:
    for definition in program.tables.types:
        if definition.path == owner:
            item = program.tables.sources[definition.source].facts.items[definition.item_index]
            if isinstance(item, StructItem | EnumItem):
                return any(one.path == "derive" and "Default" in one.text for one in item.head.attributes)
    return False
