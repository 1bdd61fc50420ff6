"""From the fates of errors to findings: which to tell, how to tell them, and which are one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

import msgspec

from inroads.analyses.base import Context
from inroads.analyses.swallow import nature as natures
from inroads.analyses.swallow.callee import call_name, call_paths
from inroads.analyses.swallow.ends import ALIVE
from inroads.analyses.swallow.mend import repair
from inroads.analyses.swallow.place import Place
from inroads.analyses.swallow.quiet import quieted
from inroads.analyses.swallow.rank import Weight, weigh
from inroads.analyses.swallow.rule import SwallowRule
from inroads.analyses.swallow.search import Fated
from inroads.analyses.swallow.table import FEW, majority
from inroads.facts import Fate, Finding, Fingerprint, MethodCallRow, Position, Step
from inroads.pattern_paths import matches_path
from inroads.reaching import UNNAMED
from inroads.store import is_waiting

if TYPE_CHECKING:
    from inroads.analyses.swallow.ends import End
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.shapes import Shape
    from inroads.analyses.swallow.world import World
    from inroads.program import Program

# Bodies that name a function, up to which its callers are looked at.
RARE = 40
COMMON = 80
WORDS: dict[Fate, str] = {
    "logged": "is only logged",
    "dropped": "is dropped",
    "overwritten": "is overwritten before anybody looks at it",
    "defaulted": "becomes a default value",
    "turned-into-option": "becomes a None",
    "turned-into-bool": "becomes a bool",
    "cause-lost": "loses its cause",
    "propagated": "is propagated",
    "handled": "is handled",
    "panicked": "panics",
    "moved-away": "is moved away",
}


def wanted(rule: SwallowRule, world: World, fated: Fated) -> bool:
    """Whether the rule speaks of this callee."""
    if "*" in rule.of:
        return True
    f = world.follower(fated.function)
    if f is None:
        return False
    paths = call_paths(f.judged, fated.row) or (call_name(f.judged, fated.row),)
    return any(matches_path(tuple(one.split("::")), path) for one in rule.of for path in paths)


def identity(world: World, fated: Fated) -> Position:
    """What makes two places one: the body of a macro is one place for all its expansions."""
    f = world.follower(fated.function)
    assert f is not None
    # A name that the macro is given tells nothing of where the call is written.
    in_body = world.program.in_macro_body(f.judged, fated.row)
    return world.position(f, fated.row, "start" if in_body else "name")


def with_another(finding: Finding, at: Position) -> Finding:
    """A finding with one more call whose error dies at the same place: one repair mends both."""
    step = Step(path=at.path, line=at.line, column=at.column, note="the error of this call dies there too")
    return msgspec.structs.replace(finding, related=(*finding.related, step))


def place_of(world: World, fated: Fated, context: Context) -> Place:
    """The place, with what is asked about it."""
    f = world.follower(fated.function)
    assert f is not None
    nature = natures.Nature(world, f, fated.row, fated.shape)
    return Place(world, f, fated.row, fated.shape, fated.end, nature, context.reason_words)


def is_slight(rule: SwallowRule, world: World, fated: Fated, context: Context) -> bool:
    """Whether a place is kept quiet by a switch, or is not worth a warning; so is one that keeps its error."""
    if fated.end.fate in ALIVE:
        return True
    place = place_of(world, fated, context)
    return quieted(place, rule.quiet) is not None or weigh(place, 0).level == "allow"


def finding_of(rule: SwallowRule, world: World, fated: Fated, context: Context) -> Finding | None:
    """The finding of a place, None where a switch keeps it quiet or it is too slight to be shown."""
    place = place_of(world, fated, context)
    if quieted(place, rule.quiet) is not None:
        return None
    weight = weigh(place, 0)
    level = rule.head.grade(weight.level)
    if weight.level == "allow" and not (rule.head.forced and rule.head.level != "allow"):
        return None
    return written(rule, place, weight, level, fated)


def written(rule: SwallowRule, p: Place, weight: Weight, level: object, fated: Fated) -> Finding:
    """The finding, in words."""
    function = p.world.program.tables.functions[fated.function]
    start = p.world.position(p.f, p.at)
    end = p.world.position(p.f, p.at, "end")
    if end.path != start.path or (end.line, end.column) < (start.line, start.column):
        end = start
    call = p.f.judged.calls.get(p.at)
    name = p.nature.name or "the call"
    callers = hidden_from(p)
    details = [f"weighs: {', '.join(weight.reasons)}"] if weight.reasons else []
    most = majority_of(p, fated.shape)
    if most is not None:
        details.append(f"elsewhere: {most}")
    if callers:
        details.append(f"{callers} call site{'s' if callers != 1 else ''} cannot see this error")
    return Finding(
        rule=rule.head.id,
        kind="swallow",
        level="deny" if level == "deny" else "warn",
        certainty="maybe" if fated.end.maybe or (call is not None and call.how == "by-name") else "sure",
        message=f"the error of `{name}` {WORDS[fated.end.fate]}",
        help=repair(p).replace("RULE", rule.head.id),
        path=start.path,
        line=start.line,
        column=start.column,
        end_line=end.line,
        end_column=end.column,
        function=function.path,
        callees=call_paths(p.f.judged, p.at) or (name,),
        how=call.how if call is not None else "exact",
        via=call.via if call is not None else (),
        fingerprint=Fingerprint(
            rule=rule.head.id,
            function=function.path,
            callee=(call_paths(p.f.judged, p.at) or (name,))[0],
            call="",
            context="",
        ),
        label=fated.end.form,
        fate=fated.end.fate,
        related=deaths(p),
        details=tuple(details),
        rank=weight.rank + min(callers, 10),
    )


def majority_of(p: Place, shape: Shape) -> str | None:
    """
    What most other sites do with the error of the same function, where they keep it and the name is
    rare enough to look.
    """
    world = p.world
    if len(p.nature.functions) != 1 or RARE < len(world.program.mentions(p.nature.name)):
        return None
    function = p.nature.functions[0]
    return world.program.recorder.remembered(
        world.majorities, (function, shape), lambda: _majority(world, function, shape)
    )


def _majority(world: World, function: int, shape: Shape) -> str | None:
    if not may_have_sites(world, function, FEW):
        return None
    sites: dict[Position, Fate] = {}
    for edge in world.callers(function):
        f = world.follower(edge.caller)
        if f is not None:
            sites[edge.position] = world.fate_of(f, edge.row, shape).fate
    return majority(sorted(sites.items()))


def may_have_sites(world: World, function: int, many: int) -> bool:
    """
    Whether a function may be called at so many sites, by how often its name stands in the bodies that may call
    it: so none is judged where it stands too seldom.
    """
    program = world.program
    tables = program.tables
    one = tables.functions[function]
    names = program.names_for(one.name)
    candidates = program.candidates(function)
    if many <= len(candidates) or one.name in UNNAMED:
        return True
    if any(not tables.names_of_macro(macro).isdisjoint(names) for macro in tables.own_macros):
        return True
    program.recorder.now.bodies.update(candidates)
    spelled = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)".encode())
    count = 0
    for caller in candidates:
        item = tables.functions[caller].item
        assert item.body is not None
        body = tables.sources[tables.functions[caller].source].facts.bodies[item.body]
        found = len(spelled.findall(body.data)) if is_waiting(body) else 0
        if not found:
            # In rows it is not counted.
            return True
        count += found
    return many <= count


def deaths(p: Place) -> tuple[Step, ...]:
    """Where the error can no longer be seen; in a macro of the workspace its call, then the place in its body."""
    note = f"here it {WORDS[p.end.fate]}: {p.end.form}"
    at, body = death_positions(p.world, p.f, p.at, p.end)
    found = [Step(path=at.path, line=at.line, column=at.column, note=note)]
    if body is not None:
        found.append(Step(path=body.path, line=body.line, column=body.column, note="in the macro's body"))
    return tuple(found)


def death_positions(world: World, f: Follower, at: int, end: End) -> tuple[Position, Position | None]:
    """
    The place at which the error of the call `at` dies: of a method its name, else the first token.

    Where that is written in a macro's body and the call is not, the macro's call, and the place in the body.
    """
    row = min(max(end.row, 0), len(f.rows) - 1)
    part: Literal["name", "start"] = "name" if isinstance(f.rows[row], MethodCallRow) else "start"
    place = world.position(f, row, part)
    program = world.program
    if program.in_macro_body(f.judged, row, part) and not program.in_macro_body(f.judged, at):
        call = program.call_place(f.judged, row)
        if call is not None:
            return call, place
    return place, None


def hidden_from(p: Place) -> int:
    """How many call sites of the function around cannot see the error."""
    function = p.f.judged.function
    if p.end.fate not in ("logged", "dropped", "overwritten"):
        return 0
    if COMMON < len(p.world.program.mentions(p.world.program.tables.functions[function].name)):
        # Every second function is called `new`: who calls this one is not worth judging all of them.
        return 0
    return len({(edge.caller, edge.row) for edge in p.world.callers(function)})


def absent(rule: SwallowRule, program: Program) -> str | None:
    """Which of the rule's callees nobody calls; foreign ones can't be missed before all bodies are judged."""
    del rule, program
    return None


def join(findings: tuple[Finding, ...], program: Program, context: Context) -> Iterable[Finding]:
    """
    A swallowed error whose target also has an order finding or a gap ranks first, and each names the other.

    The one tells that the call fails, the other that nobody hears of it.
    """
    del program, context
    stories: dict[str, Finding] = {}
    told: dict[Finding, Finding] = {}
    swallows = [finding for finding in findings if finding.kind == "swallow"]
    for finding in findings:
        if finding.kind in ("order", "gap"):
            for callee in finding.callees:
                stories.setdefault(last_two(callee), finding)
        if finding.kind == "order":
            heard = next((one for one in swallows if swallows_target(one, finding)), None)
            if heard is not None:
                told.setdefault(heard, finding)
                yield unheard(finding, heard)
                continue
        if finding.kind != "swallow":
            yield finding
    for finding in swallows:
        named = next((stories[last_two(one)] for one in finding.callees if last_two(one) in stories), None)
        both = (one for one in (named, told.get(finding)) if one is not None)
        for story in dict.fromkeys(both):
            finding = explained(finding, story)
        yield finding


def swallows_target(finding: Finding, order: Finding) -> bool:
    """Whether the call whose error is lost is the one that an order finding is about, or is made by it."""
    return any(
        one.path == finding.path
        and (finding.line, finding.column) <= (one.line, one.column) <= (finding.end_line, finding.end_column)
        for one in (Step(path=order.path, line=order.line, column=order.column, note=""), *order.related)
    )


def unheard(finding: Finding, swallow: Finding) -> Finding:
    """An order finding that tells where the error of its target is lost."""
    assert swallow.fate is not None
    callers = next((f"; {one}" for one in swallow.details if one.endswith("cannot see this error")), "")
    return msgspec.structs.replace(
        finding,
        details=(
            *finding.details,
            f"its error {WORDS[swallow.fate]} at {swallow.path}:{swallow.line}{callers}",
        ),
    )


def explained(finding: Finding, story: Finding) -> Finding:
    """A swallowed error of which another finding tells how it comes about."""
    note = f"how it comes to fail: {story.rule}: {story.message}"
    step = Step(path=story.path, line=story.line, column=story.column, note=note)
    return msgspec.structs.replace(
        finding,
        level="deny",
        rank=finding.rank + (0 if finding.rank > 100 else 100),
        related=(*finding.related, step),
    )


def last_two(path: str) -> str:
    """The last two segments of a path: `CachePool::sync`."""
    return "::".join(path.split("::")[-2:])
