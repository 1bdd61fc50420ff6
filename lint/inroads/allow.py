"""
Comments that allow a finding; stale ones are findings.

    // inroads: allow(rule, rule) reason = "..."
    // inroads: expect(rule) reason = "...", until = 2027-03-01

One behind code speaks of its line. One that stands alone speaks of the line of
code below it, and where an item begins there, of the whole item. `expect` is
an allow whose finding must be there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Literal, get_args

import msgspec

from inroads.errors import did_you_mean
from inroads.facts import DIRECTIVE, FileFacts, Finding, Fingerprint, Kind, Level, Road
from inroads.lines import LineIndex

_DIRECTIVE = re.compile(r"inroads:\s*(?P<word>[A-Za-z_-]+)\s*\((?P<rules>[^()]*)\)\s*(?P<rest>.*)", re.DOTALL)
_OPTION = re.compile(r'\s*,?\s*(?P<key>[A-Za-z_-]+)\s*=\s*(?:"(?P<text>(?:[^"\\]|\\.)*)"|(?P<bare>[^\s,"]+))')

ALLOW_RULES: dict[str, tuple[str, str]] = {
    "malformed-allow": (
        "an allow comment that can't be read",
        "A comment that begins with `inroads:` and is no valid allow protects nothing, though its author "
        'believes so. Write `// inroads: allow(rule) reason = "..."`; the reason is for whoever reads the '
        "line next year.",
    ),
    "unknown-allow": (
        "an allow comment for a rule that does not exist",
        "The rule was misspelt, renamed or removed, so the comment protects nothing.",
    ),
    "unused-allow": (
        "an allow comment for a finding that is not there",
        "The code was mended and the comment stayed. It would silence the next finding on that line.",
    ),
    "unmet-expect": (
        "an expected finding that is not there",
        "An `expect` says that the rule fires here. It does not, so either the code was mended or the rule "
        "no longer sees it.",
    ),
    "expired-allow": (
        "an allow comment whose date has passed",
        "The comment was written to hold `until` a date. That date has come.",
    ),
}


class Mark(msgspec.Struct, frozen=True):
    """
    One rule of one allow comment.

    Args:
        first, last:
            The lines that it covers: one line, or those of an item.
        item: The item's name, "" where it covers a line.
    """

    word: Literal["allow", "expect"]
    rule: str
    reason: str
    until: date | None
    path: str
    line: int
    column: int
    first: int
    last: int
    item: str = ""

    def covers(self, line: int) -> bool:
        """Whether it speaks of this line."""
        return self.first <= line <= self.last


class Malformed(msgspec.Struct, frozen=True):
    """A comment that begins like an allow and is none; `message` says what is wrong."""

    path: str
    line: int
    column: int
    message: str


class Allows(msgspec.Struct):
    """All allow comments of a program, and which of them were needed."""

    marks: dict[str, tuple[Mark, ...]] = msgspec.field(default_factory=dict)
    malformed: list[Malformed] = msgspec.field(default_factory=list)
    used: set[Mark] = msgspec.field(default_factory=set)

    def at(self, rule: str, path: str, lines: Iterable[int], today: date) -> Mark | None:
        """The mark that allows the rule on one of these lines, the nearest first; it counts as used."""
        wanted = tuple(lines)
        candidates = [
            mark
            for mark in self.marks.get(path, ())
            if mark.rule == rule and any(mark.covers(line) for line in wanted)
        ]
        if not candidates:
            return None
        best = min(candidates, key=lambda mark: (mark.last - mark.first, mark.line))
        self.used.add(best)
        return best if best.until is None or today <= best.until else None


State = Literal["used", "unused", "expired", "unknown", "not-run"]


class Standing(msgspec.Struct, frozen=True):
    """
    An allow that stands in the code, and what it does.

    Args:
        state:
            `not-run` where its rule did not judge the whole program in this run,
            so that nobody knows whether it is needed.
    """

    mark: Mark
    state: State


class Judgement(msgspec.Struct, frozen=True):
    """What is left of the findings after the allow comments."""

    kept: tuple[Finding, ...]
    allowed: tuple[Finding, ...]


def gather(files: Mapping[str, FileFacts]) -> Allows:
    """Find the allow comments of all files."""
    allows = Allows()
    for path in sorted(files):
        facts = files[path]
        found = [mark for comment in _directives(facts) for mark in _read(path, facts, *comment)]
        if found:
            allows.malformed.extend(one for one in found if isinstance(one, Malformed))
            allows.marks[path] = tuple(one for one in found if isinstance(one, Mark))
    return allows


def apply_allows(
    findings: Iterable[Finding],
    statements: Mapping[tuple[str, int, int], int],
    allows: Allows,
    today: date,
) -> Judgement:
    """
    Take out what a comment allows, and the roads that one on the way allows.

    Args:
        statements: The first line of the statement of (path, line, column), where it is another line.
    """
    kept: list[Finding] = []
    allowed: list[Finding] = []
    for finding in findings:
        mark = _allowing(finding, statements, allows, today)
        if mark is not None:
            allowed.append(msgspec.structs.replace(finding, reason=mark.reason))
            continue
        roads, reasons = _open_roads(finding, allows, today)
        if finding.roads and not any(not road.good for road in roads) and reasons:
            allowed.append(msgspec.structs.replace(finding, reason="; ".join(sorted(reasons))))
        elif len(roads) < len(finding.roads):
            kept.append(_with_roads(finding, roads))
        else:
            kept.append(finding)
    return Judgement(tuple(kept), tuple(allowed))


def standing(
    allows: Allows, known: Iterable[str], ran: Callable[[Mark], bool], today: date
) -> tuple[Standing, ...]:
    """Every mark with its state, by place."""
    names = frozenset((*known, *ALLOW_RULES))

    def state(mark: Mark) -> State:
        if mark.rule not in names:
            return "unknown"
        if mark.until is not None and mark.until < today:
            return "expired"
        if mark in allows.used:
            return "used"
        return "unused" if ran(mark) else "not-run"

    return tuple(Standing(mark, state(mark)) for path in sorted(allows.marks) for mark in allows.marks[path])


def stale_allows(
    allows: Allows, known: Iterable[str], ran: Callable[[Mark], bool], today: date
) -> list[Finding]:
    """
    Findings about the comments themselves.

    Args:
        known: Every rule id there is.
        ran: Whether the rule of a mark judged its place in this run; only then it can be called unused.
    """
    names = sorted({*known, *ALLOW_RULES})
    found = [
        _finding("malformed-allow", wrong.path, wrong.line, wrong.column, wrong.message)
        for wrong in allows.malformed
    ]
    for one in standing(allows, names, ran, today):
        mark = one.mark
        place = (mark.path, mark.line, mark.column)
        match one.state:
            case "unknown":
                is_kind = mark.rule in get_args(Kind)
                hint = "; that is a kind: name the rule" if is_kind else did_you_mean(mark.rule, names)
                found.append(_finding("unknown-allow", *place, f'no rule is called "{mark.rule}"{hint}'))
            case "expired":
                message = f"the allow of {mark.rule} ended on {mark.until}"
                found.append(_finding("expired-allow", *place, message))
            case "unused":
                rule = "unmet-expect" if mark.word == "expect" else "unused-allow"
                what = f"on `{mark.item}`" if mark.item else "on this line"
                found.append(_finding(rule, *place, f"{mark.rule} finds nothing {what}"))
            case "used" | "not-run":
                pass
    return found


def _allowing(
    finding: Finding, statements: Mapping[tuple[str, int, int], int], allows: Allows, today: date
) -> Mark | None:
    """The comment that speaks of a finding: at its line, its statement, or where its error dies."""
    places = [(finding.path, finding.line, finding.column)]
    if finding.kind == "swallow":
        places += [(step.path, step.line, step.column) for step in finding.related]
    for place in places:
        lines = {place[1], statements.get(place, place[1])}
        mark = allows.at(finding.rule, place[0], lines, today)
        if mark is not None:
            return mark
    return None


def _open_roads(finding: Finding, allows: Allows, today: date) -> tuple[tuple[Road, ...], set[str]]:
    """The roads on which no call is allowed, and the reasons that closed the others."""
    reasons: set[str] = set()
    roads: list[Road] = []
    for road in finding.roads:
        # A comment at the call's own line would have spoken for the whole finding already.
        steps = [(road.path, road.line), *((step.path, step.line) for step in road.steps)]
        marks = () if road.good else (allows.at(finding.rule, path, (line,), today) for path, line in steps)
        mark = next((mark for mark in marks if mark is not None), None)
        if mark is None:
            roads.append(road)
        else:
            reasons.add(mark.reason)
    return tuple(roads), reasons


def _with_roads(finding: Finding, roads: tuple[Road, ...]) -> Finding:
    """The finding with fewer roads; its trace is the first one that is left."""
    bad = [road for road in roads if not road.good]
    dropped = len(finding.roads) - len(roads)
    return msgspec.structs.replace(
        finding,
        roads=roads,
        trace=bad[0].steps if bad else finding.trace,
        roads_total=max(finding.roads_total - dropped, len(bad)),
    )


def _directives(facts: FileFacts) -> Iterable[tuple[int, int, str, bool]]:
    """(start, end, text, alone) of each comment that speaks to this tool."""
    for comment in facts.comments:
        if DIRECTIVE.match(comment.text):
            yield comment.start, comment.end, comment.text, comment.alone


def _read(
    path: str, facts: FileFacts, start: int, end: int, text: str, alone: bool
) -> Iterable[Mark | Malformed]:
    """The marks of one comment, or what is wrong with it."""
    lines = LineIndex(facts.line_starts, facts.size)
    line, column = lines.position(start)
    if text.startswith("/"):
        yield Malformed(path, line, column, "documentation allows nothing; write it with two slashes")
        return
    match = _DIRECTIVE.fullmatch(text)
    wanted = 'expected `inroads: allow(rule) reason = "..."`'
    if match is None:
        yield Malformed(path, line, column, f"{wanted}, got `{text.splitlines()[0][:80]}`")
        return
    if "=" in match["rules"]:
        yield Malformed(path, line, column, f"the reason stands behind the brackets; {wanted}")
        return
    word = match["word"]
    if word not in ("allow", "expect"):
        hint = did_you_mean(word, ("allow", "expect")) or f"; {wanted}"
        yield Malformed(path, line, column, f"unknown word `{word}`{hint}")
        return
    options = _options(match["rest"])
    if isinstance(options, str):
        yield Malformed(path, line, column, options)
        return
    reason, until = options
    rules = [rule.strip() for rule in match["rules"].split(",") if rule.strip()]
    if not rules:
        yield Malformed(path, line, column, f"names no rule; {wanted}")
    first, last, item = _covered(facts, lines, start, end, alone)
    for rule in dict.fromkeys(rules):
        sort: Literal["allow", "expect"] = "expect" if word == "expect" else "allow"
        yield Mark(sort, rule, reason, until, path, line, column, first, last, item)


def _options(rest: str) -> tuple[str, date | None] | str:
    """The reason and the date, or what is wrong with them."""
    reason = ""
    until: date | None = None
    at = 0
    while rest[at:].strip():
        match = _OPTION.match(rest, at)
        if match is None:
            return f'can\'t read `{rest[at:].strip()[:60]}`; write `reason = "..."`'
        at = match.end()
        match match["key"]:
            case "reason" if match["text"] is not None:
                reason = re.sub(r"\\(.)", r"\1", match["text"]).strip()
            case "until":
                try:
                    until = date.fromisoformat(match["text"] or match["bare"] or "")
                except ValueError:
                    return "`until` wants a date such as 2027-03-01"
            case "reason":
                return 'the reason wants quotes: `reason = "..."`'
            case key:
                return f"unknown word `{key}`" + did_you_mean(key, ("reason", "until"))
    if not reason:
        return 'the reason is missing: `reason = "..."`'
    return reason, until


def _covered(facts: FileFacts, lines: LineIndex, start: int, end: int, alone: bool) -> tuple[int, int, str]:
    """The lines that a comment speaks of, and the item if it is one."""
    line = lines.line(start)
    if not alone:
        return line, line, ""
    # Further comments between this one and the code belong to the same paragraph.
    spans = {lines.line(one.start): lines.line(one.end) for one in facts.comments if one.alone}
    below = lines.line(end) + 1
    while below in spans:
        below = spans[below] + 1
    for item in facts.items:
        heads = {lines.line(item.head.full_start), lines.line(item.head.start)}
        if below in heads or (min(heads) < below <= max(heads)):
            return below, lines.line(max(item.head.end - 1, item.head.start)), item.head.name
    return below, below, ""


FINDS_NOTHING = re.compile(r": (?P<rule>[\w-]+) finds nothing on ")


def unused_rule(finding: Finding) -> str | None:
    """The rule that an `unused-allow` speaks of; None for any other finding."""
    match = FINDS_NOTHING.search(finding.message) if finding.rule == "unused-allow" else None
    return match["rule"] if match is not None else None


def _finding(rule: str, path: str, line: int, column: int, message: str) -> Finding:
    """A finding about a comment, without a call."""
    level: Level = "warn"
    title, _ = ALLOW_RULES[rule]
    return Finding(
        rule=rule,
        kind="allow",
        level=level,
        certainty="sure",
        message=f"{title}: {message}",
        help="",
        path=path,
        line=line,
        column=column,
        end_line=line,
        end_column=column,
        function="",
        callees=(),
        how="exact",
        via=(),
        fingerprint=Fingerprint(rule=rule, function="", callee="", call=message, context=""),
    )
