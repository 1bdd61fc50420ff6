"""
Which allow comments a run can speak of.

That a comment is unused is known only where its rule has looked: at code that
is compiled, in tests only if those were asked for, and at paths where the
rule is not switched off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pathspec import GitIgnoreSpec

from inroads.allow import Mark
from inroads.facts import FileFacts
from inroads.lines import LineIndex
from inroads.program import Program
from inroads.rulebook import Rulebook


def judged_at(
    program: Program,
    ran: frozenset[str],
    rulebook: Rulebook,
    *,
    tests: bool,
    certain: bool,
) -> Callable[[Mark], bool]:
    """
    Whether the rule of a mark has judged what the mark covers.

    Args:
        ran: The rules that judged the whole program.
        tests: Whether code of tests was judged.
        certain: Whether findings that are `maybe` were left out: then nothing is known of any comment.
    """
    everywhere_off = {rule.head.id for rule in rulebook.active if rule.head.level == "allow"}
    specs = [(GitIgnoreSpec.from_lines(globs), levels) for globs, levels in rulebook.paths]
    spans: dict[str, list[tuple[int, int, bool]]] = {}

    def judged(mark: Mark) -> bool:
        if certain or mark.rule not in ran:
            return False
        is_off = mark.rule in everywhere_off
        for spec, levels in specs:
            if mark.rule in levels and spec.match_file(mark.path):
                is_off = levels[mark.rule] == "allow"
        if is_off:
            return False
        if mark.path not in spans:
            spans[mark.path] = list(_functions(program, mark.path, tests))
        around = [one for one in spans[mark.path] if one[0] <= mark.first <= one[1]]
        if around:
            narrowest = min(last - first for first, last, _ in around)
            return any(live for first, last, live in around if last - first == narrowest)
        inside = [live for first, _, live in spans[mark.path] if mark.first <= first <= mark.last]
        return not inside or any(inside)

    return judged


def _functions(program: Program, path: str, tests: bool) -> Iterable[tuple[int, int, bool]]:
    """(first line, last line, whether it was judged) of each function of a file."""
    tables = program.tables
    lines: dict[int, LineIndex] = {}
    for one in tables.functions:
        source = tables.sources[one.source]
        if source.path != path or source.parent is not None:
            continue
        if one.source not in lines:
            facts: FileFacts = source.facts
            lines[one.source] = LineIndex(facts.line_starts, facts.size)
        index = lines[one.source]
        head = one.item.head
        first = index.line(head.full_start)
        yield first, index.line(max(head.end - 1, head.start)), one.active and (tests or not one.test)
