"""When a function runs a callable that it is given."""

from __future__ import annotations

from collections.abc import Callable

from inroads.lower import lower_in
from inroads.lower.context import NOTHING, Context, Handed
from inroads.lower.model import Call, Graph, Place, Return
from inroads.reads import Nested, Recorder
from inroads.resolve.model import Call as ResolvedCall, Judged
from inroads.resolve.tables import Tables

# Functions through which a callable is handed on before its trace is given up.
MOST_HANDED = 32


class Running:
    """
    When functions run the callables that they are given.

    The graphs that are looked at for this are lowered without knowing when
    others run their callables, so that no answer waits for a graph that waits for the answer.
    """

    def __init__(self, tables: Tables, judge: Callable[[int], Judged], recorder: Recorder) -> None:
        self.tables = tables
        self.judge = judge
        self.recorder = recorder
        self.context = Context(tables)
        self._words: Nested[tuple[int, int], str] = Nested(recorder, MOST_HANDED, "may")
        self._graphs: dict[int, Graph] = {}

    def word(self, function: int, argument: int) -> str:
        """
        A word of `Call.closures`.

        A function that hands its callable round in a circle, or on over a long way,
        may run it; what was found out on such a way is not kept, so that
        no answer depends on who was asked first.
        """
        if not self.tables.functions[function].has_body:
            return "may"
        return self._words.ask(
            (function, argument),
            lambda: runs_parameter(self._graph(function), argument, self._handed_on),
        )

    def handed(self, function: int, argument: int) -> Handed:
        """What the function hands to a callable, if it runs it itself."""
        if not self.tables.functions[function].has_body:
            return NOTHING
        return handed_to(self._graph(function), argument)

    def forget(self) -> None:
        """Let go of the graphs; what was found out by them is kept."""
        self._graphs.clear()

    def _graph(self, function: int) -> Graph:
        self.recorder.now.bodies.add(function)
        found = self._graphs.get(function)
        if found is None:
            found = self._graphs[function] = lower_in(self.judge(function), self.context)
        return found

    def _handed_on(self, call: ResolvedCall, argument: int) -> str:
        words = {
            "may" if target.function is None else self.word(target.function, argument)
            for target in call.targets
        }
        return words.pop() if len(words) == 1 else "may"


def handed_to(graph: Graph, argument: int) -> Handed:
    """What a function hands to the callable that is argument number `argument`, and whether it gives its answer."""
    if not 0 <= argument < len(graph.parameters):
        return NOTHING
    place = graph.parameters[argument]
    runs = [
        event
        for block in graph.blocks
        for event in block.events
        if isinstance(event, Call) and event.callee == place
    ]
    if not runs:
        return NOTHING
    given = {event.arguments for event in runs}
    places = given.pop() if len(given) == 1 else ()
    if not all(one.root.kind in ("self", "parameter", "static") for one in places):
        places = ()
    answers = {event.result for event in runs}
    values = {
        event.value
        for block in graph.blocks
        for event in block.events
        if isinstance(event, Return) and event.outcome != "detached"
    }
    return Handed(places, len(runs) == 1 and values == answers, True)


def runs_parameter(graph: Graph, argument: int, hands_on: Callable[[ResolvedCall, int], str]) -> str:
    """
    A word of `Call.closures` for the callable that is argument number `argument` (the receiver is 0).

    always: on every path to a way out; ok, some: on every path that gives Ok or
    Some; each: in a loop and nowhere else; may: on some path.

    Args:
        hands_on: The word for a callable that a call is given as an argument of that number.
    """
    if not 0 <= argument < len(graph.parameters):
        return "may"
    place = graph.parameters[argument]
    running = {
        block.id
        for block in graph.blocks
        for event in block.events
        if isinstance(event, Call) and _runs(event, place, hands_on)
    }
    if not running:
        return "may"
    outcomes = _without(graph, running)
    if not outcomes - {"detached"}:
        return "always"
    if "ok" not in outcomes and "err" in outcomes and "plain" not in outcomes:
        return "always-ok"
    if "some" not in outcomes and "none" in outcomes and "plain" not in outcomes:
        return "always-some"
    looping = {block for loop in graph.loops for block in _between(graph, loop.body, loop.header)}
    if running <= looping:
        return "each"
    return "may"


def _runs(event: Call, place: Place, hands_on: Callable[[ResolvedCall, int], str]) -> bool:
    """Whether the call surely runs what is in the place."""
    if event.callee is not None:
        return event.callee == place
    return any(
        given == place and hands_on(event.call, number) == "always"
        for number, given in enumerate(event.arguments)
    )


def _without(graph: Graph, blocked: set[int]) -> set[str]:
    """The outcomes that are reached without passing one of the blocks."""
    found: set[str] = set()
    if 0 in blocked:
        return found
    seen = {0}
    stack = [0]
    while stack:
        block = graph.blocks[stack.pop()]
        for event in block.events:
            if isinstance(event, Return):
                found.add(event.outcome)
        for target in block.successors:
            if target not in seen and target not in blocked:
                seen.add(target)
                stack.append(target)
    return found


def _between(graph: Graph, start: int, header: int) -> set[int]:
    """The blocks of a loop's turns: from the body, without passing the header."""
    seen = {start}
    stack = [start]
    while stack:
        for target in graph.blocks[stack.pop()].successors:
            if target != header and target not in seen:
                seen.add(target)
                stack.append(target)
    return seen
