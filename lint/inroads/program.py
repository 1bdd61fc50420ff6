"""
The program: every function judged and lowered when someone asks, its calls linked both ways.

Calls out of a function are those of its judged body. Calls into it are found
by demand: only bodies that may mention its name are judged. The graph library
is loaded for the cone that is asked about, never for everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from inroads.facts import (
    HOW_ORDER,
    CallRow,
    FieldRow,
    How,
    MacroRow,
    MethodCallRow,
    Note,
    PathRow,
    Position,
    Problem,
    StructRow,
)
from inroads.lower import lower_in
from inroads.lower.context import Context
from inroads.lower.model import Call, Graph
from inroads.lower.running import Running
from inroads.reaching import Reaching
from inroads.reads import Reads, Recorder
from inroads.resolve.judge import judge, world_of
from inroads.resolve.model import Function, Judged, Target
from inroads.resolve.origins import written_at
from inroads.resolve.sources import Source
from inroads.resolve.tables import Tables

if TYPE_CHECKING:
    from inroads.direct import Direct

Part: TypeAlias = Literal["start", "name", "end"]
RootKind: TypeAlias = Literal[
    "main", "test", "extern", "foreign-trait", "workspace-trait", "value", "uncalled"
]

FEW_IN_CYCLES = 64
"""Components of so many functions or fewer are found without the graph library."""

MOST_KEPT = 1000
"""So many judged functions are kept from one piece of work to the next; they are what takes the memory."""


class Way(msgspec.Struct, frozen=True):
    """
    That a function calls another one, and where.

    Args:
        position: Of the callee's name (of the operator's expression where it has none).
        kind: See `resolve.model.Call.kind`; "value" for a function handed out, to be run who knows where.
    """

    caller: int
    position: Position
    target: Target
    how: How
    kind: str


class Edge(Way, frozen=True):
    """
    One function that a call may run.

    Args:
        row: Of the caller's judged body; for the end of a scope the row after which it is.
        declared: What the call names; the trait's own method for trait calls. None where that is not known.
        test: Whether the caller is test code.
    """

    row: int
    declared: Target | None
    via: tuple[How, ...]
    test: bool


class Program:
    """A linked program; answers are remembered, and do not depend on the order of the questions."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.context = Context(tables, self.runs)
        self.recorder = Recorder()
        self.running = Running(tables, self.judge, self.recorder)
        self.context.handed = self.running.handed
        self.reaching = Reaching(tables, self.recorder)
        self._direct: Direct | None = None
        # What analyses have found out and share between rules, by their names.
        self.shared: dict[str, object] = {}
        self._judged: dict[int, Judged] = {}
        self._problems: dict[int, tuple[Problem, ...]] = {}
        self._graphs: dict[int, tuple[Graph, Reads]] = {}
        self._edges: dict[int, tuple[tuple[Edge, ...], Reads]] = {}
        self._callers: dict[tuple[int, bool], tuple[tuple[Edge, ...], Reads]] = {}
        self._ways: dict[tuple[int, bool], tuple[tuple[Way, ...], Reads]] = {}

    def judge(self, function: int) -> Judged:
        """The function with names bound, types found and calls resolved."""
        self.recorder.now.bodies.add(function)
        found = self._judged.get(function)
        if found is None:
            found = self._judged[function] = judge(self.tables, function)
            if found.problems:
                self._problems[function] = tuple(found.problems)
        if function in self._problems:
            self.recorder.now.problems.update(self._problems[function])
        return found

    def graph(self, function: int) -> Graph:
        """The function's control-flow graph."""
        return self.recorder.remembered(
            self._graphs, function, lambda: lower_in(self.judge(function), self.context)
        )

    def runs(self, function: int, argument: int) -> str:
        """When a function runs the callable that it is given: a word of `Call.closures`."""
        return self.running.word(function, argument)

    def forget(self, function: int) -> None:
        """Let go of what was found out about a function, for a walk over all of them in little memory."""
        self._judged.pop(function, None)
        self._graphs.pop(function, None)
        self._edges.pop(function, None)

    def prepare(self) -> None:
        """Make what nearly every question needs, so that processes that are forked later share it."""
        world_of(self.tables)
        self.reaching.index()

    def trim(self) -> None:
        """Let go of judged functions and their graphs where there are many: who asks again has them judged again."""
        if MOST_KEPT < len(self._judged):
            self._judged.clear()
            self._graphs.clear()
            self.running.forget()

    def edges(self, function: int) -> tuple[Edge, ...]:
        """The calls out of a function, by row, each possible target one edge."""
        if not self.tables.functions[function].has_body:
            return ()
        return self.recorder.remembered(self._edges, function, lambda: self._find_edges(function))

    def _find_edges(self, function: int) -> tuple[Edge, ...]:
        judged = self.judge(function)
        test = self.tables.functions[function].test
        run = {
            row
            for call in judged.calls.values()
            for row, word in call.closures
            if word not in ("later", "may")
        }
        edges: list[Edge] = []
        for call in sorted((*judged.calls.values(), *judged.implied), key=lambda call: call.row):
            row = call.row
            if not call.targets:
                continue
            position = self.place(judged, row, "name")
            how, via = _with_origin(call.how, call.via, judged, row)
            kind = "run" if call.kind == "value" and row in run else call.kind
            edges += [
                Edge(function, position, target, how, kind, row, call.declared, via, test)
                for target in call.targets
            ]
        return tuple(edges)

    def drop_edges(self, function: int) -> tuple[Edge, ...]:
        """The Drop impls of the workspace that run at ends of scopes; asks for the graph."""
        if not self.context.has_drop_impls or not self.tables.functions[function].has_body:
            return ()
        judged = self.judge(function)
        test = self.tables.functions[function].test
        edges: dict[tuple[int, str], Edge] = {}
        for block in self.graph(function).blocks:
            for event in block.events:
                if isinstance(event, Call) and event.call.kind == "drop":
                    target = event.call.targets[0]
                    position = self.place(judged, event.row, "start")
                    edges.setdefault(
                        (event.row, target.path),
                        Edge(function, position, target, "exact", "drop", event.row, target, (), test),
                    )
        return tuple(edges[key] for key in sorted(edges))

    def callers(self, function: int, *, tests: bool = True) -> tuple[Edge, ...]:
        """
        The calls into a function, by caller and row; judges every body that may call it, as far as its text tells.

        Without `tests`, those from test code are left out, and test code is not judged.
        """
        return self.recorder.remembered(
            self._callers, (function, tests), lambda: self._find_callers(function, tests)
        )

    def _find_callers(self, function: int, tests: bool) -> tuple[Edge, ...]:
        return tuple(
            edge
            for caller in self.candidates(function, tests=tests)
            if self.may_call(caller, function)
            for edge in self.edges(caller)
            if edge.target.function == function
        )

    @property
    def direct(self) -> Direct:
        """What tells calls off the text; loaded when somebody asks: most checks don't."""
        if self._direct is None:
            from inroads.direct import Direct

            self._direct = Direct(self.tables, self.reaching.spelled)
        return self._direct

    def ways(self, function: int, *, tests: bool = True) -> tuple[Way, ...]:
        """The same calls as `callers` tells, in any order; those that are plain to see are read off the text."""
        if (function, tests) in self._callers:
            return self.callers(function, tests=tests)
        return self.recorder.remembered(
            self._ways, (function, tests), lambda: self._find_ways(function, tests)
        )

    def _find_ways(self, function: int, tests: bool) -> tuple[Way, ...]:
        found: list[Way] = []
        one = self.tables.functions[function]
        direct = self.direct
        for caller in self.candidates(function, tests=tests):
            plain = None if caller in self._edges else direct.calls(caller, function)
            if plain is not None:
                # That it does nothing else is read off its text.
                self.recorder.now.bodies.add(caller)
                source, target = self.tables.functions[caller].source, Target(one.path, function)
                places = (self.tables.position(source, at) for at in plain)
                found += [Way(caller, position, target, "exact", "path") for position in places]
            elif self.may_call(caller, function):
                found += [edge for edge in self.edges(caller) if edge.target.function == function]
        return tuple(found)

    def candidates(self, function: int, *, tests: bool = True) -> tuple[int, ...]:
        """The functions whose bodies may call this one, by the names that they mention; see `Reaching`."""
        return self.reaching.candidates(function, tests=tests)

    def may_call(self, caller: int, function: int) -> bool:
        """Whether one of the candidates may call the function, by how its name is written there."""
        return self.reaching.may_call(caller, function)

    def mentions(self, name: str, *, tests: bool = True) -> tuple[int, ...]:
        """The functions whose body, its macros included, has the name in its index; see `Mentions.of`."""
        return self.reaching.mentions(name, tests=tests)

    def names_like(self, pattern: str, *, tests: bool = True) -> tuple[str, ...]:
        """The names that any body may mention and that fit a pattern with `*`, sorted; see `Mentions.of`."""
        return self.reaching.names_like(pattern, tests=tests)

    def is_written(self, name: str) -> bool:
        """Whether a type or trait of this name is declared here, or a `use` or a signature names it."""
        return self.reaching.is_written(name)

    def holding(self, owner: str) -> frozenset[int] | None:
        """
        The functions that may hold a value of a struct from outside; None where that can't be told.

        Whoever passes others over has glanced at them, and notes that.
        """
        return self.reaching.holding(owner)

    def names_for(self, name: str) -> tuple[str, ...]:
        """The name, and those under which `use` and `type` bring it in somewhere."""
        return self.reaching.names_for(name)

    def impls_of(self, trait: int, method: str) -> tuple[int, ...]:
        """All overrides of a trait's method, those outside of tests first."""
        found = [
            impl.methods[method]
            for impl in (self.tables.impls[id] for id in self.tables.traits[trait].impls)
            if method in impl.methods
        ]
        return tuple(sorted(found, key=lambda id: (self.tables.functions[id].test, id)))

    def root_kind(self, function: int, *, tests: bool = True) -> RootKind | None:
        """
        Why a road may begin at the function; None where it is only called by others.

        Without `tests`, what only tests call counts as called by nobody.
        """
        one = self.tables.functions[function]
        declared = _declared_root(one, self.tables)
        if declared is not None:
            return declared
        calls = [edge for edge in self.ways(function, tests=tests) if edge.caller != function]
        if any(edge.kind == "value" for edge in calls):
            return "value"
        if not calls:
            trait = None if one.impl is None else self.tables.impls[one.impl].trait
            return "uncalled" if trait is None and one.trait is None else "workspace-trait"
        return None

    def roots(self) -> tuple[int, ...]:
        """All functions at which a road may begin; judges every body."""
        return tuple(
            one.id for one in self.tables.functions if one.has_body and self.root_kind(one.id) is not None
        )

    def place(self, judged: Judged, row: int, part: Part = "start") -> Position:
        """
        Where a row was written by hand: its first token, its name (of a call: the callee's), or its end.

        What stands in a macro's expansion is placed where that token was written,
        in the macro's body or in the call's arguments.
        """
        row, offset = _offset(judged, row, part)
        return self._position(judged, judged.origin[row], offset)

    def call_place(self, judged: Judged, row: int) -> Position | None:
        """For a row in an expansion, the macro call that was written by hand; None for other rows."""
        source = judged.sources.get(judged.origin[row])
        outer: tuple[int, int] | None = None
        while source is not None and source.parent is not None:
            outer = (source.parent, source.call[0])
            source = judged.sources.get(source.parent)
        if outer is None:
            return None
        return self.tables.position(*outer)

    def in_macro_body(self, judged: Judged, row: int, part: Part = "start") -> bool:
        """Whether a row of an expansion was written in the macro's body, not in what the call by hand gives it."""
        row, offset = _offset(judged, row, part)
        source = judged.sources.get(judged.origin[row])
        if source is None or source.parent is None:
            return False
        written = written_at(source, judged.base[judged.origin[row]] + offset)
        outer = source
        while source is not None and source.parent is not None:
            outer = source
            source = judged.sources.get(source.parent)
        return written[0] != outer.parent or not outer.call[0] <= written[1] < outer.call[1]

    def _position(self, judged: Judged, origin: int, offset: int) -> Position:
        whole = judged.base[origin] + offset
        own: Source | None = judged.sources.get(origin)
        file, at = self.tables.written_at(*((origin, whole) if own is None else written_at(own, whole)))
        return self.tables.position(file, at)

    def scc(
        self, functions: Iterable[int], calls: Mapping[int, Iterable[int]]
    ) -> tuple[tuple[int, ...], ...]:
        """
        The strongly connected components of a cone, callees before callers.

        Args:
            functions: The cone.
            calls: For each, the functions of the cone that it calls; others are passed over.
        """
        inside = set(functions)
        out = {one: {callee for callee in calls.get(one, ()) if callee in inside} for one in sorted(inside)}
        below, above = _acyclic(out)
        # Most cones have no cycle or a small one, and the library takes longer to load than they to be counted.
        if len(out) <= FEW_IN_CYCLES:
            return (*below, *_few_components(out), *above)
        import networkx as nx

        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(out)
        for caller, callees in out.items():
            graph.add_edges_from((caller, callee) for callee in sorted(callees))
        # Tarjan's order: a component is complete when all that it reaches is.
        components = (tuple(sorted(component)) for component in nx.strongly_connected_components(graph))
        return (*below, *components, *above)

    def notes(self) -> tuple[Note, ...]:
        """What linking has to say, and is not wrong."""
        return tuple(self.tables.notes)

    def problems(self) -> tuple[Problem, ...]:
        """What could not be understood, so far: by linking, and by judging what was asked for here."""
        found = [*self.tables.problems]
        for function in sorted(self._problems):
            found += self._problems[function]
        return tuple(found)


def _acyclic(out: dict[int, set[int]]) -> tuple[list[tuple[int]], list[tuple[int]]]:
    """Take out of a call graph what leads into no cycle, and what no cycle leads to; callees before callers."""
    into: dict[int, set[int]] = {one: set() for one in out}
    for caller, callees in out.items():
        callees.discard(caller)
        for callee in callees:
            into[callee].add(caller)
    found: list[list[tuple[int]]] = []
    for forward, back in ((out, into), (into, out)):
        ends = [one for one in forward if not forward[one]]
        for one in ends:
            for other in sorted(back.pop(one)):
                forward[other].discard(one)
                if not forward[other]:
                    ends.append(other)
            del forward[one]
        found.append([(one,) for one in ends])
    return found[0], found[1][::-1]


def _few_components(out: Mapping[int, set[int]]) -> list[tuple[int, ...]]:
    """The components of a few functions by what each of them reaches; who calls another one reaches more."""
    reached: dict[int, set[int]] = {}
    for one in out:
        found = reached[one] = {one}
        waiting = [one]
        while waiting:
            more = out[waiting.pop()] - found
            found |= more
            waiting.extend(more)
    components = {
        tuple(sorted(other for other in reached[one] if one in reached[other])): len(reached[one])
        for one in out
    }
    return sorted(components, key=lambda component: (components[component], component))


def _offset(judged: Judged, row: int, part: Part) -> tuple[int, int]:
    """The row whose source counts, and the offset in it."""
    noun = judged.body.rows[row]
    if part == "end":
        return row, noun.end
    if part == "name":
        match noun:
            case CallRow(callee=callee):
                return _offset(judged, callee, "name")
            case PathRow() | FieldRow() | MethodCallRow() | MacroRow() | StructRow():
                return row, noun.name_at
            case _:
                pass
    return row, noun.start


_PARTS: tuple[Part, ...] = ("start", "name")


def _with_origin(how: How, via: tuple[How, ...], judged: Judged, row: int) -> tuple[How, tuple[How, ...]]:
    """The weakest word of an edge and the others; a call that a macro's body makes is known by the macro too."""
    words = {how, *via}
    source = judged.sources.get(judged.origin[row])
    if source is not None and _in_macro_body(source, judged, row):
        words.add("macro")
    ordered = sorted(words, key=HOW_ORDER.index)
    return ordered[-1], tuple(word for word in ordered[:-1] if word != "exact")


def _in_macro_body(source: Source, judged: Judged, row: int) -> bool:
    """Whether a part of the call stands in the macro's definition, not in what the macro was given."""
    outer = source
    while True:
        parent = None if outer.parent is None else judged.sources.get(outer.parent)
        if parent is None:
            break
        outer = parent
    for part in _PARTS:
        at, offset = _offset(judged, row, part)
        own = judged.sources.get(judged.origin[at])
        if own is None:
            return True
        file, where = written_at(own, judged.base[judged.origin[at]] + offset)
        if file != outer.parent or not outer.call[0] <= where < outer.call[1]:
            return True
    return False


def _declared_root(one: Function, tables: Tables) -> RootKind | None:
    """A root by what is written: main, a test, an extern function, a method of a trait from outside."""
    paths = {attribute.path.rpartition("::")[2] for attribute in one.item.head.attributes}
    if paths & {"test", "bench", "rstest", "test_case", "proptest", "quickcheck"}:
        return "test"
    if one.impl is None and one.trait is None and one.parent is None:
        if one.name == "main" and one.module == tables.crates[one.crate].module:
            return "main"
        if paths & {"main", "start", "entry", "panic_handler", "wasm_bindgen", "pyfunction"}:
            return "main"
    if one.item.abi is not None or paths & {"no_mangle", "export_name"}:
        return "extern"
    if one.impl is not None:
        impl = tables.impls[one.impl]
        if impl.trait is None and impl.trait_path:
            return "foreign-trait"
    return None
