"""Comments and attributes that give a reason for losing an error."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.swallow.uses import enclosing, regions
from inroads.facts import (
    Attribute,
    AttributedRow,
    BlockRow,
    ClosureRow,
    DiscardRow,
    FileFacts,
    ForRow,
    IfRow,
    LetRow,
    LoopRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    Region,
    WhileRow,
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
    r"|if (it is |it's |they are )?present|if (it )?exists"
    r"|erroring|fall(s|ing)? back|fallback|ignor\w+|best[- ]?effort|non-?fatal|never fatal|not fatal"
    r"|not critical|non-?critical|harmless|advisory|tolerat\w+|swallow\w*|no-?op|only costs"
    r"|disconnect\w*|hung up|gone away|shutting down|is closing|(was|been) closed"
    r"|forgiving|(don't|doesn't|does not|do not|won't|must not|should not|shouldn't) (block|abort|break|stop)"
    r"|(already|has|have|is|was|been) (closed|gone|dropped|exited|dead|removed|running|shut)|retr(y|ies|ied)"
    r"|invalid|malformed|unreadable"
    r"|unparsable|(not|doesn't|may not|don't) (exist|there|present|supported|available)|unavailable"
    r"|don't (really )?care|doesn't matter|nobody|no one"
    r"|voluntar\w+|on purpose|deliberate\w*|intentional\w*|by design"
    r"|(child|process|peer|client|server|socket|pipe|pty|tty|terminal|channel|stream|connection|sender|receiver|side"
    r"|end|remote)\b.{0,25}\b(closed|exited|ended|gone|died|hung up)"
    r"|(must|should|may|can|does|do)(n't| not)? (never )?(take|bring) down"
    r"|(must|should)(n't| not) (be fatal|kill|crash|fail))\b",
    re.IGNORECASE,
)
# A comment of the analysed code that says that something is to do gives no reason: these are the words
# that are looked for in it, no notes on this program.
TO_DO = re.compile(
    r"\b(TODO|FIXME|XXX|HACK|BUG|should (return|propagate|handle|fail|not ignore)"
    r"|handle (this )?errors?|handle me|needs? (proper )?error handling|must not be (lost|ignored)"
    r"|not handled|unhandled|propagate)\b"
)
# Nor does one that says what is harmed, unless it says as well that this is accepted.
HARM = re.compile(TO_DO.pattern + r"|\b(leak\w*|corrupt\w*|silently|SAFETY|wrong)\b")
ACCEPTS = re.compile(
    r"\b(tolerat\w+|ignor\w+|best[- ]?effort|non-?fatal|not fatal|never fatal|non-?critical|not critical|harmless"
    r"|acceptable|on purpose|deliberate\w*|intentional\w*|voluntar\w+|by design"
    r"|(must|should)(n't| not) (be fatal|take down|bring down|kill|crash|abort|break|block))\b",
    re.IGNORECASE,
)
# What a comment behind code says of a failure that may happen there.
TRAILS = re.compile(
    r"\b(ok|okay|fine|safe|acceptable|allowed|expected|harmless)\b.{0,20}\b(if|when|to|that)\b.{0,30}"
    r"\b(fail(s|ed|ing)?|errors?|ignore|missing|exists?)\b|\b(may|might|can) (fail|be missing|not exist)\b"
    r"|\b(is|are) (closing|shutting down|going away)\b|\b(was|been|is) (closed|dropped) (already|by)\b"
    r"|\b(swallow|ignore|discard|drop)(s|ing)? (the |this |any )?(error|failure)s?\b"
    r"|\bfail(s|ing)? (forgiving|open|soft)\b",
    re.IGNORECASE,
)
# What is taken for what, by a comment above a whole statement.
TREATS = re.compile(
    r"\b(treat|count|take)(s|ed|n)? .{0,40}\b(fail\w*|errors?)\b.{0,20}\b(as|for)\b", re.IGNORECASE
)
# What a comment in the arm of an error says of why it may come to this.
EXPLAINS = re.compile(
    r"\b(because|(which|this|that) means|therefore|hence|so (we|it|that|this)|treat(s|ed)?( it| this| that)? as)\b",
    re.IGNORECASE,
)
# A log that says that it is tried again, or that what was there before stays.
GOES_ON = re.compile(
    r"\bwill (be )?(retr|try again)|\bretrying\b|\btry(ing)? again\b|\bnext (tick|round|cycle|time|iteration)\b"
    r"|\bkeep(s|ing)? (the |using )?(current|old|previous|existing|last)\b|\bduring (teardown|shutdown)\b"
)
# A comment that speaks of all that stands below it in its block.
OF_ALL = re.compile(
    r"\b(errors?|failures?)\b.{0,40}\b(are|is|get|gets|being)\b.{0,20}\b(ignored|discarded|swallowed|skipped"
    r"|dropped|tolerated|not fatal|non-?fatal)\b"
    r"|\b(ignore|discard|swallow|skip|tolerate)s?\b.{0,20}\b(errors?|failures?)\b"
    r"|\bfailures? (here|there|of this)\b.{0,20}\b(shouldn't|should not|must not|doesn't|does not|won't|isn't)\b",
    re.IGNORECASE,
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


# Lines above a place within which a comment may speak of it.
FAR = 25


class FileComments(msgspec.Struct):
    """The comments of one file by line: line -> text; `alone` are lines that hold nothing else."""

    lines: LineIndex
    texts: dict[int, str] = msgspec.field(default_factory=dict)
    alone: set[int] = msgspec.field(default_factory=set)
    sorted_lines: list[int] = msgspec.field(default_factory=list)


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
    if any(gives_reason(text, words) for text in standing):
        return True
    if any(names_reason(text, words) or (TRAILS.search(text) and not harms(text)) for text in trailing):
        return True
    if any(OF_ALL.search(text) and not TO_DO.search(text) for text in block_texts(world, f, at)):
        return True
    far = closure_texts(world, f, at)
    if any((ACCEPTS.search(text) or TREATS.search(text)) and not TO_DO.search(text) for text in far):
        return True
    if any(EXPLAINS.search(text) and not harms(text) for text in arm_texts(world, f, at, end)):
        return True
    logged = logged_texts(f, at, end)
    if any(GOES_ON.search(text) for text in logged):
        return True
    return any(word in text for text in (*logged, *near_texts(world, f, at)) for word in words)


def arm_texts(world: World, f: Follower, at: int, end: End) -> list[str]:
    """The comments that stand alone in the arm where an error dies: they speak of nothing else."""
    path = world.position(f, at).path
    comments = world.comments(path)
    if comments is None or not comments.texts:
        return []
    where = comments.sorted_lines
    found: list[str] = []
    for low, high in arm_lines(world, f, end, path):
        inside = where[bisect_left(where, low) : bisect_right(where, high)]
        found.extend(joined(comments, [line for line in inside if line in comments.alone]))
    return found


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
            return [text.lower() for text in found if not harms(text)]
    return []


def logged_texts(f: Follower, at: int, end: End) -> list[str]:
    """What the arm of an error logs, lower case: `"warm-up failed (non-fatal): {e}"` says that it may be lost."""
    rows: list[int] = []
    if end.arm is not None and end.function is None:
        rows.extend(range(end.arm.start, min(end.arm.end, len(f.rows))))
    elif end.function is None:
        rows.extend(closure_rows(f, at))
    return [row.text.lower() for one in rows if isinstance(row := f.rows[one], MacroRow)]


def closure_rows(f: Follower, at: int) -> list[int]:
    """The rows of the closures over the error that the call's methods run: `map_err(|e| ..)`."""
    found: list[int] = []
    for _ in range(6):
        use = f.uses.taken[at]
        if use is None or use.row is None or use.role not in ("receiver", "await", "try"):
            break
        at = use.row
        row = f.rows[at]
        if isinstance(row, MethodCallRow) and row.name in ("map_err", "inspect_err", "unwrap_or_else"):
            for argument in row.arguments:
                closure = f.rows[argument]
                if isinstance(closure, ClosureRow):
                    found.extend(range(closure.body.start, closure.body.end))
    return found


def block_texts(world: World, f: Follower, at: int) -> list[str]:
    """The comments that stand alone above a place in its closure, loop or function, at most some lines above."""
    place = world.position(f, at)
    comments = world.comments(place.path)
    if comments is None or not comments.texts:
        return []
    first = place.line - FAR
    for home, row in enclosing(f.uses, at, f.judged.body):
        if isinstance(row, (ClosureRow, ForRow, LoopRow, WhileRow)):
            first = max(first, world.position(f, home.row).line)
            break
    else:
        first = max(first, world.program.tables.functions[f.judged.function].position.line)
    where = comments.sorted_lines
    lines = where[bisect_left(where, first) : bisect_left(where, place.line)]
    return joined(comments, [line for line in lines if line in comments.alone])


def closure_texts(world: World, f: Follower, at: int) -> list[str]:
    """The comment above the statement that holds the closure around a place, or the branch whose value it gives."""
    place = world.position(f, at)
    comments = world.comments(place.path)
    if comments is None or not comments.texts:
        return []
    gives = is_given(f, at)
    for home, row in enclosing(f.uses, at, f.judged.body):
        if isinstance(row, ClosureRow) or (gives and isinstance(row, IfRow)):
            stands = world.position(f, outermost(f, home.row))
            return above(comments, stands.line) if place.line - FAR <= stands.line <= place.line else []
    return []


def is_given(f: Follower, at: int) -> bool:
    """Whether a call is, with the methods behind it, the value of a branch."""
    for _ in range(6):
        use = f.uses.taken[at]
        if use is None or use.row is None or use.role not in ("receiver", "await", "try", "branch"):
            return False
        if use.role == "branch":
            return isinstance(f.rows[use.row], IfRow)
        at = use.row
    return False


def outermost(f: Follower, at: int) -> int:
    """The statement that a row stands in, through the branches between."""
    for home, row in enclosing(f.uses, at, f.judged.body):
        if isinstance(row, (ClosureRow, ForRow, LoopRow, WhileRow)):
            break
        at = home.row
    here = at
    for _ in range(8):
        use = f.uses.taken[here]
        if use is None or use.row is None or use.role in ("branch", "macro", "closure", "tail"):
            break
        here = use.row
    return here


def gives_reason(text: str, words: tuple[str, ...]) -> bool:
    """
    Whether a comment of its own says why an error may be lost: by a word of the settings, or by
    speaking of the failure.
    """
    if names_reason(text, words):
        return True
    if harms(text):
        return False
    return not text.startswith("inroads:") and SPEAKS.search(text) is not None


def harms(text: str) -> bool:
    """Whether a text speaks of a harm, or of something to do, that nobody accepted."""
    if TO_DO.search(text) is not None:
        return True
    return HARM.search(text) is not None and ACCEPTS.search(text) is None


def names_reason(text: str, words: tuple[str, ...]) -> bool:
    """Whether a text has one of the settings' words for a reason, and none of harm."""
    lower = text.lower()
    return not harms(text) and not text.startswith("inroads:") and any(word in lower for word in words)


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
            if isinstance(f.rows[end.row], MethodCallRow) and place.line <= last:
                # Of a chain that begins no later than the call, what stands between its methods.
                death = world.position(f, end.row, "name").line
                inside = where[bisect_right(where, last) : bisect_left(where, min(death, last + FAR))]
                standing.extend(joined(comments, [line for line in inside if line in comments.alone]))
            low, high = last, looked_at(world, f, at, end.row)
            if low < high <= low + FAR:
                between = where[bisect_right(where, low) : bisect_left(where, high)]
                standing.extend(joined(comments, [line for line in between if line in comments.alone]))
    trailing = [comments.texts[one] for one in lines if one in comments.texts and one not in comments.alone]
    return standing, trailing


def looked_at(world: World, f: Follower, at: int, death: int) -> int:
    """The first line of what stands beside a call and holds the death of its error; the call's own if nothing does."""
    beside = f.uses.homes[at]
    here = death
    while f.uses.homes[here] != beside:
        home = f.uses.homes[here]
        if home is None:
            return world.position(f, at).line
        here = home.row
    return world.position(f, here).line


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
        if use is None or use.row is None or use.role in ("branch", "macro", "guard"):
            break
        if use.role in ("closure", "tail") and not is_short(f, use.row):
            break
        here = use.row
        if isinstance(f.rows[here], (DiscardRow, LetRow)):
            break
    first = world.position(f, here)
    start = world.position(f, at)
    if first.path != start.path or start.line < first.line:
        return start.line, max(start.line, last)
    return first.line, max(start.line, last)


def is_short(f: Follower, header: int) -> bool:
    """Whether a closure or block is one expression, so that a comment above its statement speaks of it."""
    row = f.rows[header]
    if not isinstance(row, (ClosureRow, BlockRow)) or row.body.value is None:
        return False
    return not any(isinstance(f.rows[at], (DiscardRow, LetRow)) for at in range(row.body.start, row.body.end))


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
