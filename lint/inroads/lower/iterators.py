"""
Iterators: adaptors wait, the consumer runs them at each element.

``xs.iter().filter(f).map(g).for_each(h)``

::

    [header] -> [another turn] f -> [f is true] g; h -> [latch] -> header
                                 -> [f is false] -> [latch]
             -> [no more] (done) -> .
"""

from __future__ import annotations

from inroads.facts import ForRow
from inroads.lower.build import Cursor, End
from inroads.lower.closures import resolve, run_apart_inline, run_callable
from inroads.lower.loops import LoopBuilder
from inroads.lower.model import Call, Field, Mode, Opaque, Part, Place, Root, Turn, Write
from inroads.lower.patterns import bind_pattern
from inroads.lower.places import extend
from inroads.lower.values import FALSE, TRUE, UNIT, Future, Stage, Value, all_of, inner, replace
from inroads.lower.walk import Scope, Walk
from inroads.lower.words import CONSUME_TRY, CONSUME_UNTIL, JOIN_ALL, LAZY

# Consumers that give a Result where the elements are Results.
SUMMING = ("collect", "sum", "product", "try_collect")
FOLDS = ("fold", "rfold", "try_fold", "try_rfold")
RUNNING = ("map", "filter", "filter_map", "flat_map", "inspect", "while", "map_while", "scan")


def for_(walk: Walk, at: int, row: ForRow) -> None:
    """
    ``for p in xs { body }``

    ::

        [header] -> [another turn] p = an element of xs; body -> [latch] -> header
                 -> [no more] (done) -> .
    """
    if walk.cursor is None:
        return
    iterable = walk.consume(row.iterable, None, at)
    start = first_row(row.body.start, iterable.stages or ())
    over = iterable.place if iterable.index_of is None else iterable.index_of[0]
    building = LoopBuilder(walk, at, start, row.body.end, row.label, over)
    header = walk.cursor
    assert header is not None
    call = walk.judged.calls.get(at)
    if call is not None:
        modes: tuple[Mode, ...] = ("mut",)
        walk.emit(Call(at, call, (iterable.place,), modes, walk.made(at)))
    yes, no = walk.split(header, at, Opaque(at, walk.instance), "loop")
    assert yes is not None
    walk.cursor = yes
    item = element_of(walk, at, iterable)
    skipped: list[Cursor] = []
    stopped: list[Cursor] = []
    walk.scopes.append(Scope())
    walk.cursor, item = walk.unite(at, run_stages(walk, iterable.stages or (), item, skipped, stopped))
    turns: list[End] = []
    if walk.cursor is not None:
        bind_pattern(walk, at, row.pattern, item)
        turns = walk.run_scoped(row.body)
    turns = walk.close(turns, at)
    building.jump.breaks += [(cursor, UNIT) for cursor in stopped]
    walk.spread(at, building.close(yes.block, [cursor for cursor, _ in turns] + skipped, no))


def first_row(start: int, stages: tuple[Stage, ...]) -> int:
    """The first of the rows that run in a turn: closures of adaptors stand before the consumer."""
    rows = [
        stage.run.callable for stage in stages if stage.run is not None and stage.run.callable is not None
    ]
    return min([start, *rows])


def element_of(walk: Walk, at: int, iterable: Value) -> Value:
    """The element of this turn of the loop at row `at`."""
    place = extend(iterable.place, Turn(at, walk.instance))
    if iterable.index_of is not None:
        return Value(place, index_of=(iterable.index_of[0], Turn(at, walk.instance)))
    if iterable.item is not None:
        return replace(iterable.item, place=place)
    if iterable.elements is not None and len(iterable.elements) == 1:
        return replace(iterable.elements[0], place=place)
    return Value(place, shared=iterable.shared)


def run_stages(
    walk: Walk, stages: tuple[Stage, ...], item: Value, skipped: list[Cursor], stopped: list[Cursor]
) -> list[End]:
    """
    Run the adaptors on one element.

    Args:
        skipped: Gets the ends of turns that an adaptor passes over.
        stopped: Gets the ends where an adaptor ends the iteration.
    """
    cursor = walk.cursor
    ends: list[End] = [] if cursor is None else [(cursor, item)]
    for stage in stages:
        if 4 < len(ends):
            cursor, value = walk.unite(stage.row, ends)
            ends = [] if cursor is None else [(cursor, value)]
        following: list[End] = []
        for end in ends:
            following += _run_stage(walk, stage, end, skipped, stopped)
        ends = following
    return ends


def _run_stage(walk: Walk, stage: Stage, end: End, skipped: list[Cursor], stopped: list[Cursor]) -> list[End]:
    cursor, item = end
    walk.cursor = cursor
    run = stage.run
    match stage.kind:
        case "map" if run is not None:
            return run_callable(walk, stage.row, run, (item,))
        case "inspect" if run is not None:
            return [(after, item) for after, _ in run_callable(walk, stage.row, run, (item,))]
        case "scan" if run is not None:
            return run_callable(walk, stage.row, run, (Value(walk.made(stage.row)), item))
        case "filter" | "while" if run is not None:
            yes, no = walk.split_all(run_callable(walk, stage.row, run, (item,)), stage.row, "combinator")
            if no is not None:
                (skipped if stage.kind == "filter" else stopped).append(no)
            return [] if yes is None else [(yes, item)]
        case "filter_map" | "map_while" if run is not None:
            found: list[End] = []
            for answer in run_callable(walk, stage.row, run, (item,)):
                some, none = walk.split_variant(answer, stage.row, "Some", "combinator")
                if none is not None:
                    (skipped if stage.kind == "filter_map" else stopped).append(none)
                if some is not None:
                    found.append((some, inner(answer[1], "Some")))
            return found
        case "flat_map" if run is not None:
            return [
                part
                for answer in run_callable(walk, stage.row, run, (item,))
                for part in _flatten(walk, stage, answer, skipped)
            ]
        case "flatten":
            return _flatten(walk, stage, end, skipped)
        case "enumerate":
            index = Value(walk.made(stage.row), index_of=_whole_of(item.place))
            return [(cursor, Value(walk.made(stage.row), elements=(index, item)))]
        case "zip" if stage.other is not None:
            other = Value(extend(stage.other.place, Turn(stage.row, walk.instance)))
            return [(cursor, Value(walk.made(stage.row), elements=(item, other)))]
        case "chunks":
            return [(cursor, replace(item, place=extend(_whole(item.place), Part(stage.row, walk.instance))))]
        case "chain":
            return [(cursor, Value(walk.made(stage.row)))]
        case _:
            return [end]


def _whole_of(place: Place) -> tuple[Place, Turn | None] | None:
    """The collection of which the place is this turn's element, and the turn."""
    match place.steps[-1:]:
        case (Turn() as turn,):
            return Place(place.root, place.steps[:-1]), turn
        case _:
            return None


def _whole(place: Place) -> Place:
    """The collection of which the place is an element."""
    if place.steps and isinstance(place.steps[-1], Turn):
        return Place(place.root, place.steps[:-1])
    return place


def _flatten(walk: Walk, stage: Stage, end: End, skipped: list[Cursor]) -> list[End]:
    """The elements of an element: there may be none."""
    cursor, value = end
    yes, no = walk.split(cursor, stage.row, Opaque(stage.row, walk.fresh()), "loop")
    if no is not None:
        skipped.append(no)
    if yes is None:
        return []
    walk.cursor = yes
    item = Value(extend(value.place, Turn(stage.row, walk.instance)), shared=value.shared)
    stopped: list[Cursor] = []
    ends = run_stages(walk, value.stages or (), item, skipped, stopped)
    skipped += stopped
    return ends


def adapt(walk: Walk, at: int, name: str, value: Value, arguments: tuple[Value, ...]) -> Value | None:
    """`xs.iter().map(f)`: the iterator with one more stage; None where the method is no adaptor."""
    kind = LAZY.get(name)
    if kind is None:
        return None
    stages = value.stages or ()
    if kind == "same":
        return replace(value, stages=stages)
    if kind == "part":
        return replace(value, place=extend(value.place, Part(at, walk.instance)), stages=stages)
    if kind == "chain" and arguments:
        return Value(
            walk.made(at), stages=(*stages, Stage("inspect", at, None), *(arguments[0].stages or ()))
        )
    run = arguments[-1] if arguments and kind in RUNNING else None
    other = arguments[0] if arguments and kind == "zip" else None
    return replace(value, stages=(*stages, Stage(kind, at, run, other)), known=None, elements=None)


def runs_anything(value: Value) -> bool:
    """Whether a consumer of the iterator runs somebody's code."""
    return any(stage.run is not None for stage in value.stages or ())


def consume(walk: Walk, at: int, name: str, value: Value, arguments: tuple[Value, ...]) -> list[End]:
    """Run an iterator to its end, or to where the consumer has its answer."""
    cursor = walk.cursor
    if cursor is None:
        return []
    stages = value.stages or ()
    run = next((one for one in reversed(arguments) if one.callable is not None), None)
    turn = Turn(at, walk.instance)
    if run is None and not runs_anything(value) and name not in JOIN_ALL:
        item = extend(value.place, turn)
        return [(cursor, _gathered(walk, at, name, Value(item), stages, turn))]
    closures = stages if run is None else (*stages, Stage("map", at, run))
    kept = _accumulator(walk, at, name) if name in FOLDS and len(arguments) == 2 else None
    if kept is not None:
        _accumulate(walk, at, cursor, kept, arguments[0])
    building = LoopBuilder(walk, at, first_row(at, closures), at + 1, None, value.place)
    header = walk.cursor
    assert header is not None
    yes, no = walk.split(header, at, Opaque(at, walk.instance), "loop")
    assert yes is not None
    body = yes.block
    walk.cursor = yes
    skipped: list[Cursor] = []
    stopped: list[Cursor] = []
    ends = run_stages(walk, stages, element_of(walk, at, value), skipped, stopped)
    last_item = ends[0][1] if len(ends) == 1 else Value(walk.made(at))
    turns = _finish_turn(walk, at, name, ends, run, kept, building)
    done_value = _done_value(walk, at, name, last_item, stages, turn, kept)
    building.jump.breaks += [(end, done_value) for end in stopped]
    return building.close(body, turns + skipped, no, done_value)


def _finish_turn(
    walk: Walk,
    at: int,
    name: str,
    ends: list[End],
    run: Value | None,
    kept: Place | None,
    building: LoopBuilder,
) -> list[Cursor]:
    """
    Run the consumer on the element; gives the ends that go on to the next.

    Args:
        kept: What a fold hands from turn to turn.
    """
    turns: list[Cursor] = []
    family = walk.context.family(walk.judged.types[at])
    for cursor, item in ends:
        walk.cursor = cursor
        given: tuple[Value, ...] = (item,)
        if "fold" in name or name == "reduce":
            given = (Value(walk.made(at) if kept is None else kept), item)
        if name in JOIN_ALL:
            answers = resolve(walk, at, item)
        else:
            answers = [(cursor, item)] if run is None else run_apart_inline(walk, at, run, given)
        if name in CONSUME_UNTIL:
            leave, _ = CONSUME_UNTIL[name]
            for answer in answers:
                if leave == "some":
                    out, on = walk.split_variant(answer, at, "Some", "combinator")
                else:
                    yes, no = walk.split_bool(answer, at, "combinator")
                    out, on = (yes, no) if leave == "true" else (no, yes)
                if out is not None:
                    building.jump.breaks.append((out, _early(walk, at, name, item, answer[1])))
                if on is not None:
                    turns.append(on)
        elif (
            name in CONSUME_TRY
            or name == "try_join_all"
            or (name in SUMMING and family in ("result", "option"))
        ):
            variant = "Some" if family == "option" else "Ok"
            for answer in answers:
                on, out = walk.split_variant(answer, at, variant, "combinator")
                if out is not None:
                    failed = replace(answer[1], known="none" if family == "option" else "err", payload=None)
                    building.jump.breaks.append((out, failed))
                if on is not None:
                    if kept is not None:
                        _accumulate(walk, at, on, kept, inner(answer[1], variant))
                    turns.append(on)
        else:
            for end, answer_value in answers:
                if kept is not None:
                    _accumulate(walk, at, end, kept, answer_value)
                turns.append(end)
    return turns


def _accumulator(walk: Walk, at: int, name: str) -> Place:
    """The place of what a fold hands from turn to turn: a local that no turn gives birth to."""
    nominal = walk.context.nominal(walk.judged.types[at])
    return Place(Root("local", len(walk.judged.locals) + at, f"{name}()", "", walk.instance, nominal))


def _accumulate(walk: Walk, at: int, cursor: Cursor, kept: Place, value: Value) -> None:
    """What is handed on gets a value: that of the beginning, or what the closure gave in a turn."""
    if value.place == kept:
        return
    walk.emit_at(cursor, Write(at, kept, None, value.place, value.known, value.test, "join"))
    for number, part in enumerate(value.elements or ()):
        own = extend(kept, Field(str(number)))
        walk.emit_at(cursor, Write(at, own, None, part.place, part.known, part.test, "join"))


def join_all(walk: Walk, future: Future) -> list[End]:
    """
    Await the futures of all elements, one after the other.

    ::

        [header] -> [another turn] the element's future -> [latch] -> header
                 -> [no more] (done) -> .
    """
    assert future.call is not None
    name = "try_join_all" if "try_join_all" in future.call.targets[0].path else "join_all"
    return consume(walk, future.row, name, future.arguments[0], ())


def _early(walk: Walk, at: int, name: str, item: Value, answer: Value) -> Value:
    """What a consumer says that left before the end."""
    match name:
        case "all":
            return FALSE
        case "any":
            return TRUE
        case "find":
            return replace(item, known="some", payload=item)
        case "find_map":
            return replace(answer, known="some")
        case _:
            return Value(walk.made(at), known="some")


def _done_value(
    walk: Walk,
    at: int,
    name: str,
    item: Value,
    stages: tuple[Stage, ...],
    turn: Turn,
    kept: Place | None = None,
) -> Value:
    """What a consumer says that came to the end; `kept` is what a fold handed on at last."""
    match name:
        case "for_each" | "for_each_concurrent":
            return UNIT
        case "all":
            return TRUE
        case "any":
            return FALSE
        case "find" | "find_map" | "position":
            return Value(walk.made(at), known="none")
        case _:
            pass
    value = Value(kept) if kept is not None else _gathered(walk, at, name, item, stages, turn)
    match walk.context.family(walk.judged.types[at]):
        case _ if name == "try_join_all":
            return replace(value, known="ok", payload=replace(value, known=None))
        case "result" if name in CONSUME_TRY or name in SUMMING:
            return replace(value, known="ok", payload=replace(value, known=None))
        case "option" if name in CONSUME_TRY or name in SUMMING:
            return replace(value, known="some", payload=replace(value, known=None))
        case _:
            return value


def _gathered(walk: Walk, at: int, name: str, item: Value, stages: tuple[Stage, ...], turn: Turn) -> Value:
    """`collect()`: the collection of the turns' items, under their places."""
    if name not in ("collect", "collect_vec", "try_collect"):
        return Value(walk.made(at, f"{name}()"))
    part = any(
        stage.kind in ("filter", "filter_map", "while", "map_while", "flat_map", "flatten")
        for stage in stages
    )
    inside = item.payload if item.payload is not None else item
    return Value(
        all_of(inside.place, turn, at, walk.instance, part),
        item=inside if inside.future is not None else None,
    )
