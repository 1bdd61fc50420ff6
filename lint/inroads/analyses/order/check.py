"""An order rule held against a program: its findings, and the notes where the bad state is tolerated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.base import Context
from inroads.analyses.order import tolerate
from inroads.analyses.order.cone import Cone
from inroads.analyses.order.ends import End
from inroads.analyses.order.inferred import infer_flags
from inroads.analyses.order.keys import describe_key
from inroads.analyses.order.present import idle, missing
from inroads.analyses.order.proposal import proposed_evidence
from inroads.analyses.order.roads import Site, sites
from inroads.analyses.order.rule import OrderRule
from inroads.analyses.order.untold import roads_from_tests
from inroads.analyses.order.witness import mending_place, need_places, road_steps, row_position, step_at
from inroads.analyses.order.words import needs_name, short
from inroads.facts import HOW_ORDER, Finding, Fingerprint, Note, Position, Problem, Road, Step
from inroads.pattern import last_names
from inroads.reads import declared

if TYPE_CHECKING:
    from inroads.program import Program

MOST_ROADS = 20
"""Roads that are spelled out; all are counted."""
MOST_INNER = 20
"""Calls between a site and its target that are told, the target's first."""


def check(rule: OrderRule, program: Program, context: Context) -> Iterable[Finding | Note | Problem]:
    """What the rule finds in the program."""
    # Functions are looked for by these, too.
    program.recorder.now.names.update(declared(name) for one in rule.patterns for name in last_names(one))
    yield from missing(rule, program)
    cone, found = judged_sites(rule, program, context)
    yield from idle(rule, len(found), sum(bool(site.bad) for site in found))
    guards = tolerate.guards(cone) if any(site.bad for site in found) else ()
    failures = tolerate.failures(cone) if any(site.bad for site in found) and not guards else ()
    yield from _deserialized(cone)
    findings: dict[tuple[str, int, int], Finding] = {}
    for site in found:
        if not site.bad or (context.certain and not any(end.sure for end in site.bad)):
            continue
        if guards:
            yield from _tolerated(cone, site, guards)
            continue
        finding = _finding(cone, site, failures)
        at = (finding.path, finding.line, finding.column)
        findings[at] = _merged(findings[at], finding) if at in findings else finding
    yield from findings.values()


def _merged(one: Finding, other: Finding) -> Finding:
    """One finding for two expansions of a macro's body: the roads of both."""
    known = {(road.path, road.line, road.column, road.root) for road in one.roads}
    roads = tuple(road for road in other.roads if (road.path, road.line, road.column, road.root) not in known)
    bad = (*one.roads, *roads)
    return msgspec.structs.replace(
        one,
        certainty="sure" if "sure" in (one.certainty, other.certainty) else "maybe",
        roads=tuple(sorted(bad, key=lambda road: road.good)),
        roads_total=one.roads_total + sum(not road.good for road in roads),
        roads_from_tests=max(one.roads_from_tests, other.roads_from_tests),
        related=tuple(dict.fromkeys((*one.related, *other.related))),
        details=one.details if one.certainty == other.certainty else (),
    )


def _deserialized(cone: Cone) -> Iterable[Finding]:
    """Evidence that can be read from bytes was not made after the need."""
    for definition in cone.evidence.deriving("Deserialize"):
        if definition.test and not cone.rule.tests:
            continue
        place = definition.position
        step = step_at(place, f"`{definition.name}` can be read from anywhere")
        yield Finding(
            rule=cone.rule.head.id,
            kind="order",
            level=cone.rule.head.level,
            certainty="maybe",
            message=cone.rule.head.title,
            help=f"write Deserialize for `{definition.name}` by hand, or take it out of evidence",
            path=place.path,
            line=place.line,
            column=place.column,
            end_line=place.line,
            end_column=place.column + len(definition.name.encode()),
            function=definition.path,
            callees=(definition.path,),
            how="exact",
            via=(),
            fingerprint=Fingerprint(
                rule=cone.rule.head.id, function=definition.path, callee=definition.path, call="", context=""
            ),
            label=f"is evidence of {needs_name(cone.rule.needs)}, and derives Deserialize",
            trace=(step,),
            details=("maybe: what is read may have been written after the need",),
        )


def judged_sites(rule: OrderRule, program: Program, context: Context) -> tuple[Cone, list[Site]]:
    """
    The sites of the rule's targets with their roads.

    Where a road is bad it is looked at again, with the flags that can be
    inferred and the calls that never return; both cost more, and are rare.
    """
    cone = Cone(program, rule, context.tests)
    cone.grow()
    found = sites(cone)
    bad = [end for site in found for end in site.bad]
    if not bad:
        return cone, found
    functions = {function for end in bad for function, _ in end.frames}
    careful = frozenset(function for function in functions if _calls_an_end(cone, function))
    flags = infer_flags(cone, functions)
    if careful or flags:
        cone = Cone(program, rule, context.tests, flags, careful, runs=cone.runs)
        cone.grow()
        found = sites(cone)
    return cone, found


def _calls_an_end(cone: Cone, function: int) -> bool:
    """Whether a function calls one that never returns."""
    return cone.program.recorder.remembered(
        cone.shared.ending, function, lambda: _calls_one_that_ends(cone, function)
    )


def _calls_one_that_ends(cone: Cone, function: int) -> bool:
    targets = (event.call.targets for event in cone.compiled(function).calls.values())
    called = {one[0].function for one in targets if len(one) == 1}
    return any(one is not None and cone.compiler.never_returns(one) for one in called)


def _tolerated(cone: Cone, site: Site, guards: tuple[Position, ...]) -> Iterable[Note]:
    place = row_position(cone.program, site.function, site.row)
    for guard in guards:
        yield Note(
            kind="tolerated",
            path=guard.path,
            line=guard.line,
            message=(
                f"{cone.rule.head.id}: the bad state of {place.path}:{place.line}:{place.column} is tolerated "
                f"by the guard at {guard.path}:{guard.line}"
            ),
        )


def _finding(cone: Cone, site: Site, failures: tuple[Step, ...]) -> Finding:
    rule, program = cone.rule, cone.program
    verdict = site.verdicts[0]
    start = _start(cone, site)
    callee = called_name(cone, site)
    name = short(callee).rpartition("::")[2]
    sure = any(end.sure for end in site.bad)
    reasons = tuple(dict.fromkeys(end.reason for end in site.bad if end.reason))
    ordered = sorted(site.bad, key=lambda end: (len(end.frames), _position(cone, end)))
    total = site.bad_total + site.good_total
    need = needs_name(rule.needs)
    key = describe_key(verdict.key)
    label = _label(rule, key, site, total)
    roads = [_road(cone, end, _last_note(rule, key, end)) for end in ordered[:MOST_ROADS]]
    good = [
        _good_road(cone, end) for end in sorted(site.good, key=lambda end: _position(cone, end))[:MOST_ROADS]
    ]
    record = program.tables.functions[site.function]
    how = max((one.how for one in site.verdicts), key=HOW_ORDER.index)
    return Finding(
        rule=rule.head.id,
        kind="order",
        level=rule.head.level,
        certainty="sure" if sure else "maybe",
        message=rule.head.title,
        help=_help(cone, site, ordered, need, key),
        path=start.path,
        line=start.line,
        column=start.column,
        end_line=start.line,
        end_column=start.column + len(name.encode()),
        function=record.path,
        callees=(callee,),
        how=how,
        via=tuple(
            dict.fromkeys(one.how for end in ordered[:1] for _, one in end.frames if one.how != "exact")
        ),
        fingerprint=Fingerprint(rule=rule.head.id, function=record.path, callee=callee, call="", context=""),
        label=label,
        trace=roads[0].steps,
        related=(*_inner_steps(cone, site), *_expanded_at(program, site), *failures),
        roads=(*roads, *good),
        roads_total=site.bad_total,
        roads_from_tests=roads_from_tests(cone, site),
        details=() if sure else tuple(f"maybe: {reason}" for reason in reasons),
    )


def _start(cone: Cone, site: Site) -> Position:
    """Where the name of the called function stands; of an own macro, where it is called and not what it became."""
    program = cone.program
    if site.verdicts[0].callee.endswith("!") and site.verdicts[0].source is None:
        call = program.call_place(program.judge(site.function), site.row)
        if call is not None:
            return call
    return row_position(program, site.function, site.row)


def _position(cone: Cone, end: End) -> Position:
    function, row = end.place
    return row_position(cone.program, function, row)


def called_name(cone: Cone, site: Site) -> str:
    """The path of what is called, used or built at the site."""
    verdict = site.verdicts[0]
    if verdict.evidence:
        return verdict.evidence
    if verdict.source is not None:
        return cone.program.tables.functions[verdict.source[0]].path
    return verdict.callee or cone.rule.target_text[0]


def _label(rule: OrderRule, key: str, site: Site, total: int) -> str:
    need, of = needs_name(rule.needs), f" for {key}" if key else ""
    wanted = f"no {need}{of}"
    if all(end.kind == "undone" for end in site.bad):
        wanted = (
            f"{need}{of} is undone before" if rule.needs else f"comes after {needs_name(rule.undone_by)}{of}"
        )
    elif total == 1:
        wanted += " before"
    if total == 1:
        return wanted
    bad = site.bad_total
    return f"{wanted} on {bad} of {total} roads" if bad < total else f"{wanted} on all {total} roads"


def _last_note(rule: OrderRule, key: str, end: End) -> str:
    need, of = needs_name(rule.needs), f" for {key}" if key else ""
    match end.kind:
        case "undone" if not rule.needs:
            return f"comes after {needs_name(rule.undone_by)}{of} on this way"
        case "undone":
            return f"{need}{of} was undone on this way"
        case "perhaps":
            return f"{need} was perhaps done{of}, and nothing here tells"
        case _:
            return f"no {need}{of} before this"


def _road(cone: Cone, end: End, last: str) -> Road:
    function, row = end.place
    place = row_position(cone.program, function, row)
    return Road(
        root=cone.program.tables.functions[function].path,
        path=place.path,
        line=place.line,
        column=place.column,
        fingerprint="",
        steps=road_steps(cone, end, last),
    )


def _good_road(cone: Cone, end: End) -> Road:
    function, verdict = end.frames[0]
    place = row_position(cone.program, function, verdict.row)
    needs = need_places(cone, function, verdict.key)
    note = "the need is met here"
    if needs:
        note = f"the need is met: see line {row_position(cone.program, function, needs[0].row).line}"
    return Road(
        root=cone.program.tables.functions[function].path,
        path=place.path,
        line=place.line,
        column=place.column,
        fingerprint="",
        steps=(step_at(place, note),),
        good=True,
    )


def _inner_steps(cone: Cone, site: Site) -> Iterable[Step]:
    """From the site down to the target itself, where the site is the call of a function that hands on."""
    frames = site.inner.frames() if site.inner is not None else ()
    for function, verdict in frames[: -MOST_INNER - 1 : -1]:
        place = row_position(cone.program, function, verdict.row)
        name = verdict.callee or cone.rule.target_text[0]
        yield step_at(place, f"here `{short(name)}` is called with what was handed on")


def _expanded_at(program: Program, site: Site) -> Iterable[Step]:
    """The call of the macro, for a site in a macro's body."""
    judged = program.judge(site.function)
    place = program.call_place(judged, site.row)
    start = row_position(program, site.function, site.row)
    # What was written between the brackets of the call stands there already.
    if place is not None and (place.path != start.path or start < place):
        yield step_at(place, f"expanded here, in `{short(program.tables.functions[site.function].path)}`")


def _help(cone: Cone, site: Site, ordered: list[End], need: str, key: str) -> str:
    if cone.rule.head.help:
        return cone.rule.head.help
    of = f" for {key}" if key else ""
    if not cone.rule.needs:
        return f"do it before {needs_name(cone.rule.undone_by)}{of}, or not at all"
    proposal = proposed_evidence(cone, site, ordered)
    if proposal:
        return proposal
    function, verdict = ordered[0].frames[0]
    place = mending_place(cone, function, verdict)
    if ordered[0].kind == "undone":
        return f"do {need}{of} again before {place.path}:{place.line}"
    return f"do {need}{of} before {place.path}:{place.line}, where all ways to here still have it before them"
