"""Rows that branch: if, match, let else, loops, jumps, `?`, blocks, short circuits."""

from __future__ import annotations

from inroads.facts import (
    Arm,
    AttributedRow,
    BlockRow,
    BreakRow,
    ContinueRow,
    IfRow,
    LetConditionRow,
    LetRow,
    MatchRow,
    Region,
    ReturnRow,
    ShortCircuitRow,
    TryRow,
)
from inroads.lower.build import Cursor, End
from inroads.lower.closures import may_run
from inroads.lower.model import Raise
from inroads.lower.patterns import Match, Matcher, bind_all, bind_pattern, has_bindings, meet
from inroads.lower.rows import operator
from inroads.lower.values import FALSE, TRUE, UNIT, Future, Value, inner, replace
from inroads.lower.walk import Frame, Jump, Scope, Walk

# More ends than these before an arm of a match are joined.
MOST_PENDING = 6


def if_(walk: Walk, at: int, row: IfRow) -> None:
    """
    ``if a { x } else { y }``

    ::

        [a] -> [a is true] x -> .
            -> [a is false] y -> .
    """
    scope = Scope()
    walk.scopes.append(scope)
    walk.run(row.condition)
    tail = row.condition.value if row.condition.value is not None else at
    lasting = _binds(walk, row.condition)
    if not lasting:
        _flush_fan(walk, tail)
    yes, no = walk.split_all(walk.take(row.condition.value), at, "if")
    temporaries = scope.temporaries
    ends: list[End] = []
    walk.cursor = yes
    if yes is not None:
        ends = walk.run_scoped(row.then)
    ends = walk.close(ends, at)
    walk.cursor = no
    if no is not None:
        rest = Scope()
        if lasting:
            rest.temporaries = temporaries
        # Since edition 2024 the temporaries of `if let` end before the else block.
        early = lasting and temporaries and not walk.late_tails
        if early:
            walk.end_temporaries(no, rest, at)
            rest.temporaries = {}
        walk.scopes.append(rest)
        others = walk.run_scoped(row.otherwise) if row.otherwise is not None else [(no, UNIT)]
        ends = ends + walk.close(others, at)
    walk.spread(at, ends)


def _binds(walk: Walk, condition: Region) -> bool:
    """Whether the condition has a `let`, so that its temporaries live as long as its bindings."""
    return any(isinstance(walk.rows[at], LetConditionRow) for at in range(condition.start, condition.end))


def _flush_fan(walk: Walk, row: int) -> None:
    """End the temporaries of a plain condition before control goes on."""
    scope = walk.scopes[-1]
    if not scope.temporaries:
        return
    ends = walk.take(row)
    for cursor, _ in ends:
        walk.end_temporaries(cursor, scope, row)
    scope.temporaries = {}
    walk.spread(row, ends)


def let_condition(walk: Walk, at: int, row: LetConditionRow) -> None:
    """``let Some(x) = p``: true where the pattern matches, its names bound there."""
    matched: list[Match] = []
    no: list[Cursor] = []
    for cursor, value in walk.take(row.value):
        walk.cursor = cursor
        matcher = Matcher(walk, at, "if", False)
        if matcher.match(row.pattern, value) and walk.cursor is not None:
            matched.append((walk.cursor, matcher.bound))
        no += matcher.nos
    walk.cursor, bound = meet(walk, at, matched)
    bind_all(walk, at, bound)
    walk.answer(at, walk.cursor, walk.join(at, no))


def short_circuit(walk: Walk, at: int, row: ShortCircuitRow) -> None:
    """
    ``a && b``: b runs where a is true; ``a || b``: where a is false.

    ::

        [a] -> [a is true] b -> . (value of b)
            -> [a is false] -> . (false)
    """
    yes, no = walk.split_all(walk.take(row.left), at, "if")
    on, off, short = (yes, no, FALSE) if row.op == "&&" else (no, yes, TRUE)
    ends: list[End] = []
    if off is not None:
        ends.append((off, short))
    walk.cursor = on
    if on is not None:
        walk.run(row.right)
        ends = walk.take(row.right.value) + ends
    walk.spread(at, ends)


def let(walk: Walk, at: int, row: LetRow) -> None:
    """
    ``let p = v;``: the names of p stand for parts of v. ``let Some(x) = v else { return };``

    ::

        [v] -> [v is Some] ..
            -> [v is None] return
    """
    walk.values[at] = UNIT
    if row.value is None:
        for local in _locals(walk, at, row):
            walk.declare(local)
        return
    if row.otherwise is None:
        value = _let_value(walk, at, row)
        bind_pattern(walk, at, row.pattern, value)
        walk.flush(at)
        return
    matched: list[Match] = []
    nos: list[Cursor] = []
    for cursor, value in walk.take(row.value):
        walk.cursor = cursor
        matcher = Matcher(walk, at, "let-else", False)
        if matcher.match(row.pattern, value) and walk.cursor is not None:
            matched.append((walk.cursor, matcher.bound))
        nos += matcher.nos
    walk.cursor = walk.join(at, nos)
    if not walk.dead:
        for cursor, _ in walk.run_scoped(row.otherwise):
            # The compiler knows that the block does not come to its end, by a call that we can't see.
            walk.emit_at(cursor, Raise(at, "diverge"))
    walk.cursor, bound = meet(walk, at, matched)
    bind_all(walk, at, bound)
    walk.flush(at)


def _locals(walk: Walk, at: int, row: LetRow) -> list[int]:
    """The locals that a let introduces."""
    return sorted(
        local
        for (of, start), local in walk.judged.bound.items()
        if of == at and row.pattern.start <= start < row.pattern.end
    )


def _let_value(walk: Walk, at: int, row: LetRow) -> Value:
    assert row.value is not None
    if has_bindings(walk, at, row.pattern):
        value = walk.consume(row.value, None, at)
        if walk.context.is_borrowed(walk.judged.types[row.value]) and not value.shared:
            value = replace(value, shared=True)
        return value
    # `let _ = guard()` keeps nothing: what it made ends with the statement. A future never runs.
    value = walk.value(row.value)
    if value.future is not None:
        walk.created.discard(value.future.row)
    return value


def match_(walk: Walk, at: int, row: MatchRow) -> None:
    """
    ``match v { A(x) if g => a, B | C => b }``

    ::

        [v] -> [v is A] g -> [g is true] a -> .
                          -> [g is false] (next arm)
            -> [v is not A] -> [v is B] b -> .
                            -> [v is not B] -> [v is C] b

    The last arm surely matches what is left, and is told without a twin.
    """
    pending = walk.take(row.scrutinee)
    ends: list[End] = []
    for number, arm in enumerate(row.arms):
        if not pending:
            break
        last = number == len(row.arms) - 1 and arm.guard is None
        pending = _arm(walk, at, row, arm, pending, last, ends)
    for cursor, _ in pending:
        # The compiler knows that one of the arms matches.
        walk.emit_at(cursor, Raise(at, "diverge"))
    walk.spread(at, ends)


def _arm(
    walk: Walk, at: int, row: MatchRow, arm: Arm, pending: list[End], last: bool, ends: list[End]
) -> list[End]:
    """Walk one arm from all ends that no arm before took; gives the ends that it leaves to the next."""
    if MOST_PENDING < len(pending):
        pending = walk.meet_same(row.scrutinee, pending)
    left: list[End] = []
    matched: list[Match] = []
    sources: list[End] = []
    walk.scopes.append(Scope())
    for cursor, value in pending:
        walk.cursor = cursor
        matcher = Matcher(walk, at, "match", last)
        if matcher.match(arm.pattern, value) and walk.cursor is not None:
            matched.append((walk.cursor, matcher.bound))
            sources.append((walk.cursor, value))
        left += [(no, value) for no in matcher.nos]
    if arm.guard is None:
        walk.cursor, bound = meet(walk, at, matched)
        bind_all(walk, at, bound)
    else:
        yes: list[Match] = []
        for (cursor, bound), (_, value) in zip(matched, sources, strict=True):
            walk.cursor = cursor
            bind_all(walk, at, bound)
            walk.run(arm.guard)
            on, off = walk.split_all(walk.take(arm.guard.value), at, "guard")
            if off is not None:
                left.append((off, value))
            if on is not None:
                yes.append((on, {local: walk.bindings[local] for local in bound}))
        walk.cursor, bound = meet(walk, at, yes)
        walk.bindings.update(bound)
    arm_ends: list[End] = []
    if not walk.dead:
        arm_ends = walk.run_scoped(arm.body)
    ends += walk.close(arm_ends, at)
    return left


def return_(walk: Walk, at: int, row: ReturnRow) -> None:
    """``return v``: a way out, after the drops of all scopes of the frame."""
    walk.leave_frame(at, walk.take(row.value), row.value)


def break_(walk: Walk, at: int, row: BreakRow) -> None:
    """``break 'a v``: control goes on after the loop or block, with v as its value."""
    ends = walk.take(row.value)
    jump = find_jump(walk, row.label, is_loop=row.label is None)
    if jump is None:
        # No Rust, or the loop stands in a macro that is not known: what goes on goes on outside.
        walk.leave_frame(at, ends, None)
        return
    walk.cursor = None
    for cursor, value in ends:
        walk.leave(cursor, jump.depth, at)
        jump.breaks.append((cursor, value))


def continue_(walk: Walk, at: int, row: ContinueRow) -> None:
    """``continue 'a``: control goes back to the loop's header."""
    cursor = walk.cursor
    jump = find_jump(walk, row.label, is_loop=True)
    if jump is None:
        walk.leave_frame(at, walk.take(None), None)
        return
    walk.cursor = None
    if cursor is not None:
        walk.leave(cursor, jump.depth, at)
        jump.continues.append(cursor)


def find_jump(walk: Walk, label: str | None, is_loop: bool) -> Jump | None:
    """The loop or block that a jump leaves; a closure's body can't leave a loop around it."""
    floor = walk.frames[-1].jumps
    for jump in reversed(walk.jumps[floor:]):
        if (label is None and jump.is_loop) or (label is not None and jump.label == label):
            if jump.is_loop or not is_loop:
                return jump
    return None


def try_(walk: Walk, at: int, row: TryRow) -> None:
    """
    ``v?``

    ::

        [v] -> [v is Ok] ..
            -> [v is Err] return err

    On an Option, Some and None. Where v is unknown the function's own type decides.
    """
    variant = _try_variant(walk, at, row)
    operator(walk, at, (row.operand,))
    goes_on: list[End] = []
    leaves: list[End] = []
    for cursor, value in walk.take(row.operand):
        yes, no = walk.split_variant((cursor, value), at, variant, "try")
        if yes is not None:
            goes_on.append((yes, inner(value, variant)))
        if no is not None:
            failed = replace(value, known="err" if variant == "Ok" else "none", payload=None)
            leaves.append((no, failed))
    if leaves:
        walk.leave_frame(at, leaves, None)
    walk.spread(at, goes_on)


def _try_variant(walk: Walk, at: int, row: TryRow) -> str:
    family = walk.context.family(walk.judged.types[row.operand])
    if family in ("result", "option"):
        return "Ok" if family == "result" else "Some"
    value = walk.values.get(row.operand)
    if value is not None and value.known in ("some", "none"):
        return "Some"
    if value is not None and value.known in ("ok", "err"):
        return "Ok"
    if len(walk.frames) == 1 and walk.context.returns(walk.judged.function) == "option":
        return "Some"
    return "Ok"


def block(walk: Walk, at: int, row: BlockRow) -> None:
    """``{ .. }``, ``unsafe``, ``const``, an expansion: its rows run here. Async ones wait for their await."""
    match row.kind:
        case "async" | "async-move" | "gen":
            walk.created.add(at)
            holds = walk.capture(at, row.body) if row.kind == "async-move" else ()
            value = Value(walk.made(at), future=Future("block", at), holds=holds)
            walk.values[at] = value
            if at in walk.stray:
                may_run(walk, at, value)
        case "try":
            frame = Frame("try", len(walk.scopes), len(walk.jumps))
            walk.frames.append(frame)
            ends = [(cursor, _wrapped(value)) for cursor, value in walk.run_scoped(row.body)]
            walk.frames.pop()
            walk.spread(at, ends + [(cursor, value) for cursor, value, _ in frame.returns])
        case _ if row.label is not None:
            jump = Jump(at, row.label, False, len(walk.scopes))
            walk.jumps.append(jump)
            ends = walk.run_scoped(row.body)
            walk.jumps.pop()
            walk.spread(at, ends + jump.breaks)
        case "expansion" if not _declares(walk, row.body):
            # What a macro makes as an expression ends with the statement around it.
            walk.run(row.body)
            walk.spread(at, walk.take(row.body.value))
        case _:
            walk.spread(at, walk.run_scoped(row.body))


def _wrapped(value: Value) -> Value:
    """The value of a try block: Ok of its tail."""
    return replace(value, known="ok", payload=value)


def _declares(walk: Walk, region: Region) -> bool:
    """Whether the rows of an expansion hold statements."""
    return any(isinstance(walk.rows[at], LetRow) for at in range(region.start, region.end))


def attributed(walk: Walk, at: int, row: AttributedRow) -> None:
    """``#[allow(..)] statement``: runs as if it stood alone; switched off by cfg, it does not run."""
    if not walk.context.is_active(row.attributes):
        walk.values[at] = UNIT
        return
    walk.run(row.body)
    walk.relay(at, row.body.value)
