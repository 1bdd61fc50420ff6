"""
Every road into one function: its definitions, its call sites, what becomes of its error, who gets there.

The verdicts are those of the analyses: the fate of a call's Result, and for
each order rule that speaks of the target whether the need was met.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from inroads.analyses.base import LOG_MACROS, Context, Rule
from inroads.analyses.order import tolerate
from inroads.analyses.order.check import judged_sites
from inroads.analyses.order.cone import Cone as OrderCone
from inroads.analyses.order.roads import Site as OrderSite
from inroads.analyses.order.rule import OrderRule
from inroads.analyses.order.untold import roads_from_tests
from inroads.analyses.order.witness import need_places, road_steps, row_position
from inroads.analyses.swallow.ends import LOST
from inroads.analyses.swallow.search import fates_in
from inroads.analyses.swallow.world import World
from inroads.errors import UsageError, did_you_mean
from inroads.facts import HOW_ORDER, How, MethodCallRow, Note, Position, Reported, Step
from inroads.pattern_paths import matches_path
from inroads.program import Edge, Program, RootKind, Way
from inroads.roads import MOST_COUNTED, Cone, cone_of

DefinitionKind: TypeAlias = Literal["inherent", "impl", "default", "free"]
Order: TypeAlias = Literal["ordered", "unordered", "tolerated", "unknown", "no-rule"]

ROOT_WORDS: Mapping[RootKind, str] = {
    "main": "entry point",
    "test": "a test",
    "extern": "called from outside",
    "foreign-trait": "called through a trait from outside",
    "workspace-trait": "a trait's method that nobody here calls",
    "value": "handed out as a value",
    "uncalled": "nobody here calls it",
}


class Definition(Reported, frozen=True):
    """A function that the target names. `role` says more for people: delegate, wrapper, or ""."""

    function: str
    path: str
    line: int
    column: int
    kind: DefinitionKind
    role: str = ""


class CallSite(Reported, frozen=True):
    """
    A place that calls the target.

    Args:
        dispatch: The functions that the call may run, sorted.
        fate: Of the call's Result; "unseen" where the callee has lost the error before; None where it has none.
        because: Why the order verdict is what it is.
        roads: The shortest roads from entry points, each a list of steps; the last step is the site.
        roads_total: All roads, one more than 10,000 for more than that.
        entry_points: From how many entry points the site can be reached.
        roads_from_tests: Of a site that is unordered: calls in test code that lead there, 101 for more than 100.
    """

    path: str
    line: int
    column: int
    function: str
    how: How
    via: tuple[How, ...]
    dispatch: tuple[str, ...]
    fate: str | None
    order: Order
    because: tuple[Step, ...]
    roads: tuple[tuple[Step, ...], ...]
    roads_total: int
    entry_points: int
    roads_from_tests: int = 0


class Audit(Reported, frozen=True):
    """All that an audit found; rendered by `report/audit.py`."""

    target: tuple[str, ...]
    definitions: tuple[Definition, ...]
    sites: tuple[CallSite, ...]
    notes: tuple[Note, ...]
    entry_points: int
    roads_total: int


def audit(
    program: Program,
    target: str,
    *,
    rules: Sequence[Rule] = (),
    roads: int = 1,
    tests: bool = False,
    log_macros: frozenset[str] = frozenset(LOG_MACROS),
) -> Audit:
    """
    Find every road into the functions that the target names.

    Args:
        target:
            A path, by its last whole segments: `sync`, `Store::sync`, `Trait::sync` (the trait's own,
            all impls, and whoever of the same name hands on to them), with `*` inside a segment.
        rules: The active rules; order rules whose target is among the definitions give the verdicts.
        roads: How many roads are told of each site.
        tests: Whether definitions, sites and roads in test code are told.

    Raises:
        UsageError: The target names no function.
    """
    functions = definitions_of(program, target, tests)
    edges = _sites(program, functions, tests)
    callers = sorted({group[0].caller for group in edges})
    cone = cone_of(program, callers, tests=tests)
    verdicts = _order_verdicts(program, functions, rules, tests)
    fates = _fates(program, callers, log_macros)
    swallowers = _swallowers(functions, edges, fates)
    sites = tuple(_site(program, cone, group, verdicts, fates, swallowers, roads) for group in edges)
    entries = {root for caller in callers for root in cone.entry_points(caller)}
    total = sum(site.roads_total for site in sites)
    return Audit(
        target=(target,),
        definitions=tuple(_definition(program, function, edges) for function in functions),
        sites=sites,
        notes=tuple(_notes(program, functions, tests)),
        entry_points=len(entries),
        roads_total=min(total, MOST_COUNTED + 1),
    )


def definitions_of(program: Program, target: str, tests: bool) -> tuple[int, ...]:
    """The functions that a target names, by place."""
    pattern = tuple(target.strip().split("::"))
    if not all(pattern):
        raise UsageError(f'"{target}" is no path of a function')
    tables = program.tables
    found = {
        one.id
        for one in tables.functions
        if one.active and (tests or not one.test) and matches_path(pattern, one.path)
    }
    if not found:
        if any(matches_path(pattern, one.path) for one in tables.functions):
            raise UsageError(f'"{target}" is only in tests, or switched off; `--tests` looks at tests, too')
        raise UsageError(f'no function is named "{target}"{_hint(program, target)}')
    waiting = sorted(found)
    while waiting:
        one = tables.functions[waiting.pop()]
        more: list[int] = []
        if one.trait is not None:
            more += program.impls_of(one.trait, one.name)
        more += [
            edge.caller
            for edge in program.callers(one.id, tests=tests)
            if tables.functions[edge.caller].name == one.name
        ]
        for other in more:
            if other not in found and (tests or not tables.functions[other].test):
                found.add(other)
                waiting.append(other)
    return tuple(sorted(found, key=lambda id: (tables.functions[id].position, id)))


def _hint(program: Program, target: str) -> str:
    """The nearest path with as many segments."""
    length = target.count("::") + 1
    known = {"::".join(one.path.split("::")[-length:]) for one in program.tables.functions}
    return did_you_mean(target, known)


def _sites(program: Program, functions: Iterable[int], tests: bool) -> list[list[Edge]]:
    """The calls of the definitions, those of one place together, by place."""
    grouped: dict[tuple[Position, int], list[Edge]] = {}
    for function in functions:
        for edge in program.callers(function, tests=tests):
            grouped.setdefault((edge.position, edge.caller), []).append(edge)
    return [grouped[key] for key in sorted(grouped)]


def _definition(program: Program, function: int, edges: list[list[Edge]]) -> Definition:
    tables = program.tables
    one = tables.functions[function]
    kind: DefinitionKind
    if one.impl is not None:
        kind = "inherent" if not tables.impls[one.impl].item.trait else "impl"
    else:
        kind = "free" if one.trait is None else "default"
    inside = [group for group in edges if group[0].caller == function]
    role = ""
    if inside:
        role = "delegate" if any(1 < len({edge.target for edge in group}) for group in inside) else "wrapper"
    return Definition(
        function=one.path,
        path=one.position.path,
        line=one.position.line,
        column=one.position.column,
        kind=kind,
        role=role,
    )


Fates: TypeAlias = Mapping[tuple[int, int], str]


def _fates(program: Program, callers: Iterable[int], log_macros: frozenset[str]) -> Fates:
    """For each call of these functions that can fail, the fate of its error."""
    world = World(program, log_macros)
    found: dict[tuple[int, int], str] = {}
    for caller in callers:
        follower = world.follower(caller)
        if follower is not None:
            for fated in fates_in(follower):
                found.setdefault((caller, fated.row), fated.end.fate)
    return found


def _swallowers(functions: Iterable[int], edges: list[list[Edge]], fates: Fates) -> frozenset[int]:
    """The definitions that lose the error of a definition they call: their own callers cannot see it."""
    own = set(functions)
    return frozenset(
        edge.caller
        for group in edges
        for edge in group
        if edge.caller in own and fates.get((edge.caller, edge.row)) in LOST
    )


Verdict: TypeAlias = tuple[Order, tuple[Step, ...], int]


def _order_verdicts(
    program: Program, functions: tuple[int, ...], rules: Sequence[Rule], tests: bool
) -> dict[tuple[int, int], Verdict] | None:
    """For each (function, row) that an order rule speaks of its verdict; None where no rule speaks of the target."""
    wanted = set(functions)
    found: dict[tuple[int, int], Verdict] = {}
    spoken = False
    for rule in rules:
        if not isinstance(rule, OrderRule):
            continue
        cone = OrderCone(program, rule, tests)
        named = {
            function
            for pattern in rule.targets
            for function in wanted
            if cone.matcher.is_function(pattern, function)
        }
        if not named:
            continue
        spoken = True
        cone, sites = judged_sites(rule, program, Context(tests=tests))
        guards = tolerate.guards(cone)
        for site in sites:
            verdict = _verdict(cone, site, guards)
            known = found.get((site.function, site.row))
            if known is None or _WORST.index(verdict[0]) < _WORST.index(known[0]):
                found[(site.function, site.row)] = verdict
    return found if spoken else None


_WORST: tuple[Order, ...] = ("unordered", "tolerated", "unknown", "ordered", "no-rule")


def _verdict(cone: OrderCone, site: OrderSite, guards: tuple[Position, ...]) -> Verdict:
    program = cone.program
    if site.bad:
        end = min(site.bad, key=lambda one: (len(one.frames), one.place))
        if guards:
            steps = tuple(
                Step(
                    path=place.path,
                    line=place.line,
                    column=place.column,
                    note="this guard tolerates the bad state",
                )
                for place in guards
            )
            return "tolerated", steps, 0
        note = f"unmet on {site.bad_total} of {site.bad_total + site.good_total} roads"
        clear = any(one.kind not in ("perhaps", "lost") for one in site.bad)
        tests = roads_from_tests(cone, site)
        return "unordered" if clear else "unknown", road_steps(cone, end, note), tests
    steps_found: list[Step] = []
    for end in site.good[:1]:
        function, verdict = end.frames[0]
        for need in need_places(cone, function, verdict.key)[:1]:
            place = row_position(program, function, need.row)
            steps_found.append(
                Step(path=place.path, line=place.line, column=place.column, note="the need is met here")
            )
    return "ordered", tuple(steps_found), 0


def _site(
    program: Program,
    cone: Cone,
    group: list[Edge],
    verdicts: dict[tuple[int, int], Verdict] | None,
    fates: Fates,
    swallowers: frozenset[int],
    roads: int,
) -> CallSite:
    edge = group[0]
    tables = program.tables
    words = {word for one in group for word in (one.how, *one.via)}
    ordered = sorted(words, key=HOW_ORDER.index)
    order: Order = "no-rule"
    because: tuple[Step, ...] = ()
    from_tests = 0
    if verdicts is not None:
        known = [verdicts[key] for key in {(one.caller, one.row): None for one in group} if key in verdicts]
        if known:
            order, because, from_tests = min(known, key=lambda one: _WORST.index(one[0]))
    fate = next((fates[(one.caller, one.row)] for one in group if (one.caller, one.row) in fates), None)
    if fate is None and any(one.target.function in swallowers for one in group):
        fate = "unseen"
    return CallSite(
        path=edge.position.path,
        line=edge.position.line,
        column=edge.position.column,
        function=tables.functions[edge.caller].path,
        how=ordered[-1],
        via=tuple(word for word in ordered[:-1] if word != "exact"),
        dispatch=tuple(sorted({one.target.path for one in group})),
        fate=fate,
        order=order,
        because=because,
        roads=tuple(_road(program, cone, road, edge) for road in cone.shortest(edge.caller, roads)),
        roads_total=cone.count(edge.caller),
        entry_points=len(cone.entry_points(edge.caller)),
        roads_from_tests=from_tests,
    )


def _road(program: Program, cone: Cone, road: tuple[Way, ...], last: Edge) -> tuple[Step, ...]:
    """A road as steps: where it begins, then each call."""
    tables = program.tables
    whole: tuple[Way, ...] = (*road, last)
    first = tables.functions[whole[0].caller]
    why = ROOT_WORDS[cone.roots[whole[0].caller]]
    begin = _step(first.position, f"`{_short(first.path)}`: {why}")
    calls = [_step(edge.position, f"calls `{_short(edge.target.path)}`") for edge in whole]
    return (begin, *calls)


def _step(position: Position, note: str) -> Step:
    return Step(path=position.path, line=position.line, column=position.column, note=note)


def _short(path: str) -> str:
    """The last two segments of a path, or the last where the one before is a module."""
    parts = path.split("::")
    return "::".join(parts[-2:]) if len(parts) > 1 and parts[-2][:1].isupper() else parts[-1]


def _notes(program: Program, functions: tuple[int, ...], tests: bool) -> Iterable[Note]:
    """Where a call of the target may be that nothing here can see."""
    tables = program.tables
    notes: dict[tuple[str, int, str], Note] = {}
    names = sorted({tables.functions[function].name for function in functions})
    tested = 0
    for name in names:
        holders = next(function for function in functions if tables.functions[function].name == name)
        for caller in program.candidates(holders):
            if tables.functions[caller].test and not tests:
                may_call = any(program.may_call(caller, one) for one in functions)
                tested += may_call and any(
                    edge.target.function in functions for edge in program.edges(caller)
                )
                continue
            if not program.reaching.spelled.calls_method(caller, name):
                continue
            judged = program.judge(caller)
            for row, noun in enumerate(judged.body.rows):
                if not isinstance(noun, MethodCallRow) or noun.name != name:
                    continue
                call = judged.calls.get(row)
                if call is None or not call.targets:
                    place = program.place(judged, row, "name")
                    message = f"`.{name}()` is called on a value whose type is not known"
                    notes[(place.path, place.line, message)] = Note(
                        kind="blind", path=place.path, line=place.line, message=message
                    )
            for problem in judged.problems:
                notes[(problem.path, problem.line, problem.message)] = Note(
                    kind="blind", path=problem.path, line=problem.line, message=problem.message
                )
    if tested:
        counted = "1 function of tests calls" if tested == 1 else f"{tested} functions of tests call"
        message = f"{counted} it; --tests shows the places"
        notes[("", 1, message)] = Note(kind="tests", path="", line=1, message=message)
    return [notes[key] for key in sorted(notes)]
