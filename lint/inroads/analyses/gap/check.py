"""A gap rule held against a program: each wrapper that forgets something, once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from inroads.analyses.base import Context
from inroads.analyses.gap.bodies import Bodies
from inroads.analyses.gap.finding import finding_of
from inroads.analyses.gap.forgotten import Forgotten, Inquiry
from inroads.analyses.gap.inner import Types
from inroads.analyses.gap.meeting import Meetings, callers_of, targets_of
from inroads.analyses.gap.rule import GapRule
from inroads.analyses.gap.signatures import shown_type
from inroads.analyses.gap.traits import known
from inroads.analyses.gap.wrappers import Search, Wrapper, matches
from inroads.facts import Finding, Note, Problem
from inroads.reads import declared

if TYPE_CHECKING:
    from inroads.program import Program


Gap: TypeAlias = tuple[Wrapper, tuple[Forgotten, ...]]


def check(rule: GapRule, program: Program, context: Context) -> Iterable[Finding | Note | Problem]:
    """The wrappers of a program that forget something, each once."""
    # Which functions an impl or a trait has, and with which signatures, is asked everywhere.
    program.recorder.now.names.add(declared("*"))
    bodies, types, foreign = Bodies(program), Types(program.tables), known(rule.foreign)
    inquiry = Inquiry(bodies, types, foreign)
    groups: dict[tuple[str, int, int], list[Gap]] = {}
    forgets: dict[tuple[str, str], frozenset[str]] = {}
    dispatchers: list[Wrapper] = []
    for wrapper in Search(bodies, types, foreign, rule.traits).wrappers():
        if 1 < sum(bool(inner.variant) for inner in wrapper.inners):
            dispatchers.append(wrapper)
        forgotten = inquiry.forgotten(wrapper)
        if not is_wanted(rule, forgotten):
            continue
        at = wrapper.impl.position
        groups.setdefault((at.path, at.line, at.column), []).append((wrapper, forgotten))
        missing = frozenset(one.method for one in forgotten if one.why == "missing")
        forgets[wrapper.path, wrapper.impl.head] = missing
    methods = frozenset(
        one.method for group in groups.values() for _, forgotten in group for one in forgotten
    )
    # The index of names is there where other kinds have asked for callers; for this alone it is not made.
    callers = callers_of(program, methods) if context.found else {}
    meetings = Meetings(context.found, tuple(dispatchers), forgets, callers, targets_of(context.rules))
    for key in sorted(groups):
        yield merged(rule, bodies, groups[key], meetings)


def is_wanted(rule: GapRule, forgotten: tuple[Forgotten, ...]) -> bool:
    """Whether something forgotten has a shape that the rule asks for, at a level that is shown."""
    return any(one.shape in rule.shapes and (one.level != "allow" or rule.head.forced) for one in forgotten)


def merged(rule: GapRule, bodies: Bodies, group: list[Gap], meetings: Meetings) -> Finding:
    """One finding for all impls that one macro body makes."""
    wrapper, forgotten = group[0]
    names = {(one.method, one.variant) for one in forgotten}
    for _, more in group[1:]:
        forgotten = (*forgotten, *(one for one in more if (one.method, one.variant) not in names))
        names.update((one.method, one.variant) for one in more)
    met = meetings.roads(wrapper, forgotten)
    methods = list(dict.fromkeys((*met, *(one.method for one in forgotten if one.why == "missing"))))
    beside = [*meetings.variants(wrapper, methods), *meetings.named(bodies, forgotten)]
    if 1 < len(group):
        others = ", ".join(f"`{shown_type(other.impl.item.self_type)}`" for other, _ in group[1:4])
        more_text = f" and {len(group) - 4} more" if 4 < len(group) else ""
        beside.append(f"the same macro makes the impls of {others}{more_text}")
    return finding_of(
        rule.head,
        bodies,
        wrapper,
        forgotten,
        tuple(line for lines in met.values() for line in lines),
        tuple(beside),
    )


def absent(rule: GapRule, program: Program) -> str | None:
    """Which of the rule's traits is neither in the workspace nor in the data."""
    paths = [trait.path for trait in program.tables.traits]
    paths.extend(known(rule.foreign))
    lost = [one for one in rule.traits if not any(matches(one, path) for path in paths)]
    return f"no trait is called {', '.join(lost)}" if lost else None
