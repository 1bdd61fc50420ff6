"""Comments and attributes that give a reason for losing an error."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inroads.analyses.swallow.uses import enclosing, regions
from inroads.facts import (
    Attribute,
    AttributedRow,
    DiscardRow,
    FileFacts,
    IfRow,
    LetRow,
    MacroRow,
    MatchRow,
    Region,
)
from inroads.lines import LineIndex

if TYPE_CHECKING:
    from inroads.analyses.swallow.ends import End
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.world import World

# A sentence that speaks of what happens when the call fails.
SPEAKS = re.compile(
    r"\b(fail(s|ed|ure|ures|ing)?|errors?|if (it|this|that|they|there|not|none|we|one|the|a)\b.*\b(does not|doesn't"
    r"|can't|cannot|is not|isn't|are not|aren't|gone|closed|missing|already|exists?|no longer)|missing|absent|optional"
    r"|fall(s|ing)? back|fallback|ignor\w+|best[- ]?effort|non-?fatal|never fatal|not fatal|not critical|non-?critical"
    r"|harmless|advisory|tolerat\w+|swallow\w*|no-?op|only costs|disconnect\w*|hung up|gone away|shutting down"
    r"|already (closed|gone|dropped|exited|dead|removed|running|shut)|retr(y|ies|ied)|invalid|malformed|unreadable"
    r"|unparsable|not (exist|there|present|supported|available)|unavailable|don't care|doesn't matter|nobody|no one)\b",
    re.IGNORECASE,
)
# One that says what is harmed, or that something is to do, gives no reason.
HARM = re.compile(
    r"\b(TODO|FIXME|XXX|HACK|BUG|leak\w*|corrupt\w*|silently|should (return|propagate|handle|fail|not ignore)"
    r"|handle (this )?errors?|handle me|needs? (proper )?error handling|SAFETY|wrong|must not be (lost|ignored)"
    r"|not handled|unhandled|propagate)\b"
)
REASONED_LINTS = (
    "unused_must_use",
    "let_underscore",
    "unused_results",
    "manual_flatten",
    "unused",
    "map_err_ignore",
    "ok_expect",
)


@dataclass(slots=True)
class FileComments:
    """The comments of one file by line: line -> text; `alone` are lines that hold nothing else."""

    lines: LineIndex
    texts: dict[int, str] = field(default_factory=dict)
    alone: set[int] = field(default_factory=set)
    sorted_lines: list[int] = field(default_factory=list)


def comments_of(facts: FileFacts) -> FileComments:
    """The comments of a file, by the lines on which they stand."""
    found = FileComments(LineIndex(facts.line_starts, facts.size))
    for comment in facts.comments:
        # What is written for this linter is no reason of the author's.
        if comment.text.startswith(("~", "inroads:", "/ inroads:")):
            continue
        first = found.lines.position(comment.start)[0]
        last = found.lines.position(comment.end)[0]
        for line in range(first, last + 1):
            found.texts[line] = (found.texts[line] + " " if line in found.texts else "") + comment.text
            if comment.alone or line != first:
                found.alone.add(line)
    found.sorted_lines = sorted(found.texts)
    return found


def has_reason(world: World, f: Follower, at: int, end: End, words: tuple[str, ...]) -> bool:
    """Whether a comment at the place says why the error may be lost."""
    standing, trailing = texts_at(world, f, at, end)
    if any(gives_reason(text, words) for text in standing) or any(
        names_reason(text, words) for text in trailing
    ):
        return True
    return any(word in text for text in (*logged_texts(f, end), *near_texts(world, f, at)) for word in words)


def near_texts(world: World, f: Follower, at: int) -> list[str]:
    """
    The comments above the one or two lines that prepare a statement, lower case: only the settings'
    words count there.
    """
    comments = world.comments(world.position(f, at).path)
    if comments is None or not comments.texts:
        return []
    first, _ = statement_lines(world, f, at)
    for line in (first - 1, first - 2):
        if line in comments.texts:
            return []
        found = above(comments, line)
        if found:
            return [text.lower() for text in found if HARM.search(text) is None]
    return []


def logged_texts(f: Follower, end: End) -> list[str]:
    """What the arm of an error logs, lower case: `"warm-up failed (non-fatal): {e}"` says that it may be lost."""
    if end.arm is None or end.function is not None:
        return []
    rows = [f.rows[at] for at in range(end.arm.start, min(end.arm.end, len(f.rows)))]
    return [row.text.lower() for row in rows if isinstance(row, MacroRow)]


def gives_reason(text: str, words: tuple[str, ...]) -> bool:
    """
    Whether a comment of its own says why an error may be lost: by a word of the settings, or by
    speaking of the failure.
    """
    if names_reason(text, words):
        return True
    return HARM.search(text) is None and not text.startswith("inroads:") and SPEAKS.search(text) is not None


def names_reason(text: str, words: tuple[str, ...]) -> bool:
    """Whether a text has one of the settings' words for a reason, and none of harm."""
    lower = text.lower()
    return (
        HARM.search(text) is None and not text.startswith("inroads:") and any(word in lower for word in words)
    )


def texts_at(world: World, f: Follower, at: int, end: End) -> tuple[list[str], list[str]]:
    """
    The comments at a place: those that stand alone, and those behind code.

    Looked at are the lines above its statement, its lines, the arm where the
    error dies and the lines above that.
    """
    position = world.position(f, at)
    comments = world.comments(position.path)
    if comments is None or not comments.texts:
        return [], []
    first, last = statement_lines(world, f, at)
    standing = above(comments, first)
    lines = list(range(first, last + 1))
    where = comments.sorted_lines
    for low, high in arm_lines(world, f, end, position.path):
        standing.extend(above(comments, low))
        inside = where[bisect_left(where, low) : bisect_right(where, high)]
        standing.extend(joined(comments, [line for line in inside if line in comments.alone]))
        lines.extend(inside)
    if end.function is None and end.row != at:
        place = world.position(f, end.row)
        if place.path == position.path and first <= place.line:
            standing.extend(above(comments, place.line))
            lines.append(place.line)
    trailing = [comments.texts[one] for one in lines if one in comments.texts and one not in comments.alone]
    return standing, trailing


def above(comments: FileComments, line: int) -> list[str]:
    """The comment that stands alone directly above a line, its lines joined; empty if none does."""
    lines = []
    at = line - 1
    while at in comments.alone:
        lines.append(comments.texts[at])
        at -= 1
    return [" ".join(reversed(lines))] if lines else []


def joined(comments: FileComments, lines: list[int]) -> list[str]:
    """Comments of some lines, those that follow each other joined."""
    found: list[str] = []
    before: int | None = None
    for line in lines:
        if before is not None and line == before + 1 and found:
            found[-1] += " " + comments.texts[line]
        else:
            found.append(comments.texts[line])
        before = line
    return found


def statement_lines(world: World, f: Follower, at: int) -> tuple[int, int]:
    """The first line of the statement that a call stands in, and the last line of the call."""
    last = world.position(f, at, "end").line
    here = at
    for _ in range(len(f.rows)):
        use = f.uses.taken[here]
        if use is None or use.row is None or use.role in ("branch", "tail", "closure", "macro", "guard"):
            break
        here = use.row
        if isinstance(f.rows[here], (DiscardRow, LetRow)):
            break
    first = world.position(f, here)
    start = world.position(f, at)
    if first.path != start.path or start.line < first.line:
        return start.line, max(start.line, last)
    return first.line, max(start.line, last)


def arm_lines(world: World, f: Follower, end: End, path: str) -> list[tuple[int, int]]:
    """The lines of the arm in which an error dies; for a branch without rows, those of its `if`."""
    if end.arm is None or end.function is not None:
        return []
    for at, row in headers_of(f, end.arm):
        match row:
            case MatchRow(arms=arms):
                for arm in arms:
                    if arm.body == end.arm:
                        spans = (arm.start, arm.end)
                        return [world.lines_of(f, at, spans)]
            case IfRow(then=then, otherwise=otherwise) if then == end.arm or otherwise == end.arm:
                first = world.position(f, at).line
                last = world.position(f, at, "end").line
                if then == end.arm and otherwise is not None and otherwise.start < otherwise.end:
                    last = min(last, world.position(f, otherwise.start).line - 1)
                if otherwise == end.arm and then.start < then.end:
                    first = world.position(f, then.end - 1, "end").line
                return [(first, last)] if first <= last else []
    if end.arm.start < end.arm.end:
        low = world.position(f, end.arm.start)
        high = world.position(f, end.arm.end - 1, "end")
        if low.path == path and low.line <= high.line:
            return [(low.line, high.line)]
    return []


def headers_of(f: Follower, region: Region) -> list[tuple[int, object]]:
    """The header whose region this is, as (row, header)."""
    found: list[tuple[int, object]] = []
    if region.start < region.end:
        home = f.uses.homes[region.start]
        if home is not None:
            found.append((home.row, f.rows[home.row]))
        return found
    for at in range(region.start - 1, -1, -1):
        row = f.rows[at]
        if any(one == region for one, _, _ in regions(row)):
            found.append((at, row))
            break
    return found


def has_reasoned_attribute(world: World, f: Follower, at: int) -> bool:
    """Whether an `#[allow(.., reason = "..")]` or `#[expect]` around the place speaks of lost results."""
    for _, row in enclosing(f.uses, at, f.judged.body):
        if isinstance(row, AttributedRow) and any(is_reasoned(one) for one in row.attributes):
            return True
    item = world.program.tables.functions[f.judged.function].item
    return any(is_reasoned(one) for one in item.head.attributes)


def is_reasoned(attribute: Attribute) -> bool:
    """Whether an attribute allows a lint about lost results, with a reason."""
    if attribute.path not in ("allow", "expect"):
        return False
    return "reason" in attribute.text and any(lint in attribute.text for lint in REASONED_LINTS)
