"""
Follow the Result of a call to where its error can no longer be seen.

A value is a row and a shape (`shapes`); who takes the row (`uses`) decides
what becomes of it. Where it forks, in a match or by several uses of a
variable, each way is followed: of the uses of one variable the best counts,
of the arms of a match the one that catches what the others leave.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from inroads.analyses.swallow import arguments, arms, around, closures, macros, passing
from inroads.analyses.swallow.covers import cover, goes_by_another
from inroads.analyses.swallow.ends import ALIVE, Carried, End, Step, best, settle
from inroads.analyses.swallow.shapes import Shape, flipped
from inroads.analyses.swallow.uses import Use, Uses, enclosing, frame_of, is_async_block, past
from inroads.facts import (
    AssignRow,
    AttributedRow,
    BinaryRow,
    BlockRow,
    BreakRow,
    ClosureRow,
    DiscardRow,
    FieldRow,
    ForRow,
    LetConditionRow,
    LetRow,
    LiteralRow,
    LoopRow,
    MatchRow,
    PathRow,
    Row,
    ShortCircuitRow,
    SlicePattern,
    StructPattern,
    StructRow,
    TupleRow,
    TupleStructPattern,
    UnaryRow,
    WhileRow,
    WildcardPattern,
    WildcardRow,
)
from inroads.resolve.model import Judged

if TYPE_CHECKING:
    from inroads.analyses.swallow.world import World

# The letters that a shape ends with.
LAST = frozenset({"R", "E", "Z", "B+", "B-"})
# Shapes in which only whether there was an error is left.
HIDDEN = frozenset({"Z", "B+", "B-"})
STEPS = 4000
DEPTH = 40


class Follower(msgspec.Struct):
    """
    Follows values in one judged body.

    Args:
        passed: Rows that a followed value has gone through; a call among them is no origin of its own.
        stops: Closure rows being judged: a value that reaches the end of one ends there.
        steps: Of the value being followed, so that the search ends on any input.
    """

    world: World
    judged: Judged
    uses: Uses
    passed: set[int] = msgspec.field(default_factory=set)
    stops: list[int] = msgspec.field(default_factory=list)
    seen: set[tuple[int, Shape]] = msgspec.field(default_factory=set)
    steps: int = 0
    depth: int = 0

    def past(self, row: int) -> int:
        """Where evaluation goes on after a row, see `uses.past`; kept, as a match may have thousands of arms."""
        pasts = self.uses.pasts
        if row not in pasts:
            pasts[row] = past(self.rows[row], row)
        return pasts[row]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the body."""
        return self.judged.body.rows

    def fate(self, row: int, shape: Shape) -> End:
        """Where the error of a call's value ends."""
        self.steps = 0
        self.seen = set()
        return self.follow(Carried(row, shape))

    def follow(self, carried: Carried) -> End:
        """Where a value ends; a loop that goes on as long as one user takes it whole."""
        if self.depth >= DEPTH:
            return settle(End("moved-away", carried.row, "too deep to follow"), carried)
        self.depth += 1
        way: list[tuple[int, Shape]] = []
        try:
            while True:
                self.steps += 1
                if self.steps > STEPS:
                    return settle(End("moved-away", carried.row, "too long to follow"), carried)
                key = (carried.row, carried.shape)
                if key in self.seen:
                    # Round a loop: a neutral end spoils no choice of the best.
                    return End("dropped", carried.row, "goes round in a loop")
                self.seen.add(key)
                way.append(key)
                step = self.step(carried)
                if isinstance(step, End):
                    return settle(step, carried)
                if not step.shape or step.shape[-1] not in LAST:
                    return settle(End("moved-away", step.row, "of another shape"), carried)
                if step.shape[-1] in HIDDEN and carried.shape[-1] not in HIDDEN:
                    step = replace(step, hidden=step.row)
                elif carried.hidden is not None and step.hidden is None:
                    step = replace(step, hidden=carried.hidden)
                self.passed.add(step.row)
                carried = step
        finally:
            self.depth -= 1
            self.seen.difference_update(way)

    def step(self, carried: Carried) -> Step:
        """What the user of a value does with it."""
        use = self.uses.taken[carried.row]
        at, shape = carried.row, carried.shape
        if use is None:
            return End("moved-away", at, "nobody takes it")
        if use.row is None:
            return self.leave(carried, None, at)
        user = self.rows[use.row]
        match use.role:
            case "discard":
                if (
                    isinstance(user, DiscardRow)
                    and not user.semicolon
                    and isinstance(self.rows[at], AttributedRow)
                ):
                    # One of several tails, each under its own cfg.
                    return End("propagated", use.row, "tail under cfg")
                return self.dropped(carried, use.row, "statement")
            case "let" if isinstance(user, LetRow):
                return self.let(carried, use.row, user)
            case "let-condition" if isinstance(user, LetConditionRow):
                return self.let_condition(carried, use.row, user)
            case "condition":
                return self.condition(carried, use.row, user)
            case "scrutinee" if isinstance(user, MatchRow):
                return self.match(carried, use.row, user)
            case "iterated" if isinstance(user, ForRow):
                return self.iterated(carried, use.row, user)
            case "try":
                return self.tried(carried, use.row)
            case "await":
                return passing.awaited(self, carried, use.row)
            case "return":
                return self.leave(carried, frame_of(self.uses, use.row, self.judged.body), use.row)
            case "break" if isinstance(user, BreakRow):
                return self.broken(carried, use.row, user)
            case "tail":
                return self.tail(carried, use.row, user)
            case "branch" | "borrow" | "cast":
                return replace(carried, row=use.row)
            case "closure":
                return self.closure_value(carried, use.row)
            case "yield":
                return End("propagated", use.row, "yield")
            case "operand":
                return self.operand(carried, use.row, user)
            case "field" if isinstance(user, FieldRow):
                return self.field(carried, use.row, user)
            case "indexed":
                return replace(carried, row=use.row, shape=shape[1:] if shape[0] == "I" else shape)
            case "element":
                return self.element(carried, use, user)
            case "stored" if isinstance(user, StructRow):
                return passing.stored(self, carried, use, user)
            case "assigned" if isinstance(user, AssignRow):
                return self.assigned(carried, use.row, user)
            case "macro":
                return macros.into_macro(self, carried, use)
            case "receiver":
                return passing.received(self, carried, use.row)
            case "argument":
                if isinstance(self.rows[at], PathRow) and closures.is_run_by_method(self, at):
                    # A function that is handed on: what it gives where it is run.
                    return closures.closure_result(self, carried, at)
                return arguments.argument(self, carried, use)
            case "callee":
                return (
                    replace(carried, row=use.row) if shape[0] == "F" else End("moved-away", use.row, "called")
                )
        return End("moved-away", use.row, use.role)

    # Ends.

    def dropped(self, carried: Carried, at: int, form: str) -> End:
        """A value that nobody looks at: what it had become before tells the fate of what was dropped."""
        if carried.shape[-1] == "E":
            return End("dropped", at, form)
        return End("dropped", at, "never awaited" if carried.shape[0] == "F" else form)

    def leave(self, carried: Carried, frame: int | None, at: int) -> Step:
        """A value that becomes the value of the function, of a closure or of an async block."""
        if frame is not None:
            if isinstance(self.rows[frame], ClosureRow):
                return self.closure_value(carried, frame)
            return replace(carried, row=frame, shape=("F", *carried.shape))
        match carried.shape[-1]:
            case "Z":
                return End("turned-into-option", at, "returned")
            case "B+" | "B-":
                return End("turned-into-bool", at, "returned")
        return End("propagated", at, "returned")

    def closure_value(self, carried: Carried, closure: int) -> Step:
        """A value that a closure gives to whoever runs it."""
        if closure in self.stops:
            return End("propagated", closure, "closure value")
        row = self.rows[closure]
        if isinstance(row, ClosureRow) and row.is_async:
            carried = replace(carried, shape=("F", *carried.shape))
        return closures.closure_result(self, carried, closure)

    def tried(self, carried: Carried, at: int) -> Step:
        """`x?`: an error leaves the function, an outer layer comes off."""
        match carried.shape[0]:
            case "R" | "E" | "Z":
                frame = self.try_frame(at)
                if (
                    frame is not None
                    and isinstance(self.rows[frame], BlockRow)
                    and not is_async_block(self.rows[frame])
                ):
                    return replace(carried, row=frame)
                return self.leave(carried, frame, at)
            case "P":
                # `poll()?` gives an error at once, and leaves a Poll of the success.
                inner = carried.shape[1:]
                if inner[:1] == ("O",):
                    inner = inner[1:]
                if inner[0] == "R":
                    return self.leave(replace(carried, shape=inner), self.try_frame(at), at)
                return replace(carried, row=at, shape=("P", *inner[1:]) if inner[0] == "K" else inner)
            case "K" | "O":
                return Carried(at, carried.shape[1:], carried.logged, carried.replaced)
            case "I" | "F" | "H":
                return End("moved-away", at, "`?` of a foreign type")
        return End("moved-away", at, "`?`")

    def try_frame(self, at: int) -> int | None:
        """The closure, async block or try block that a `?` leaves."""
        for home, row in enclosing(self.uses, at, self.judged.body):
            if home.part != "body":
                continue
            if isinstance(row, ClosureRow) or (
                isinstance(row, BlockRow) and row.kind in ("async", "async-move", "try")
            ):
                return home.row
        return None

    def broken(self, carried: Carried, at: int, row: BreakRow) -> Step:
        """`break x`: the value of the loop or block that it leaves."""
        for home, header in enclosing(self.uses, at, self.judged.body):
            match header:
                case LoopRow(label=label) | BlockRow(label=label) if (
                    row.label is not None and label == row.label
                ):
                    return replace(carried, row=home.row)
                case LoopRow() if row.label is None and home.part == "body":
                    return replace(carried, row=home.row)
        return End("moved-away", at, "break")

    def tail(self, carried: Carried, at: int, row: Row) -> Step:
        if is_async_block(row):
            return replace(carried, row=at, shape=("F", *carried.shape))
        return replace(carried, row=at)

    def operand(self, carried: Carried, at: int, row: Row) -> Step:
        match row, carried.shape[0]:
            case UnaryRow(op="!"), ("B+" | "B-"):
                return replace(carried, row=at, shape=flipped(carried.shape))
            case UnaryRow(op="*"), _:
                return replace(carried, row=at)
            case BinaryRow(op="==" | "!=" | "&" | "|" | "^", left=left, right=right), ("B+" | "B-"):
                other = self.rows[right if left == carried.row else left]
                if isinstance(other, LiteralRow) and row.op in ("==", "!="):
                    same = (other.text == "true") == (row.op == "==")
                    return replace(carried, row=at, shape=carried.shape if same else flipped(carried.shape))
                return replace(carried, row=at)
            case BinaryRow(), ("R" | "K" | "O" | "Z" | "E"):
                # Comparing looks at the error: `r == Err(Full)`.
                return End("handled", at, "compared")
        if carried.shape[-1] == "E":
            return End("handled", at, "computed with", maybe=True)
        return End("moved-away", at, "operand")

    def field(self, carried: Carried, at: int, row: FieldRow) -> Step:
        head = carried.shape[0]
        if head[0] == "T":
            if row.name == head[1:]:
                return Carried(at, carried.shape[1:], carried.logged, carried.replaced)
            return End("dropped", at, "other element")
        if head == "E":
            return replace(carried, row=at)
        return End("moved-away", at, "field")

    def element(self, carried: Carried, use: Use, row: Row) -> Step:
        assert use.row is not None
        letter = f"T{use.order}" if isinstance(row, TupleRow) else "I"
        if carried.shape == ("E",):
            return replace(carried, row=use.row)
        return replace(carried, row=use.row, shape=(letter, *carried.shape))

    # Bindings.

    def let(self, carried: Carried, at: int, row: LetRow) -> Step:
        found = cover(row.pattern, carried.shape)
        if row.otherwise is not None and (found is None or not found.total):
            return arms.judge(self, carried, row.otherwise, (), at, at, "let else")
        if found is None:
            return End("panicked", at, "let")
        if row.otherwise is not None and found.named:
            return arms.judge_rest(self, carried, found.bound, at, row)
        if isinstance(row.pattern, SlicePattern) and any(
            isinstance(one, WildcardPattern) for one in row.pattern.elements
        ):
            return self.dropped(carried, at, "an element is passed over")
        if isinstance(row.pattern, (StructPattern, TupleStructPattern)) and not (found.named or found.total):
            return End("moved-away", at, "let pattern")
        if not found.bound:
            return self.dropped(
                carried, at, "let _" if isinstance(row.pattern, WildcardPattern) else "let pattern"
            )
        return self.bound(carried, at, found.bound, "let")

    def bound(self, carried: Carried, at: int, names: tuple[tuple[int, str, Shape], ...], form: str) -> Step:
        """Follow the names that a pattern gave to a value; the best of them counts."""
        ends = []
        done = set()
        for start, name, shape in names:
            local = self.judged.bound.get((at, start))
            if local is None or not shape or shape[-1] not in LAST:
                ends.append(End("moved-away", at, form))
            elif local not in done:
                done.add(local)
                ends.append(self.local(replace(carried, shape=shape), local, name, at))
        end = best(ends)
        return end if end is not None else End("dropped", at, form)

    def local(self, carried: Carried, local: int, name: str, at: int) -> End:
        """The best of what the uses of a variable do; of none, dropped."""
        named = self.uses.locals.get(local, [])
        first = bisect_right(named, at)
        if first < len(named) and self.is_target(named[first]) and around.in_same_run(self, at, named[first]):
            return settle(End("overwritten", named[first], "assigned again"), carried)
        again = [one for one in named[:first] if around.loops_round(self, one, at)] if self.loops(at) else []
        rows = again + named[first:]
        rows = [one for one in rows if not self.is_target(one)] or (rows if self.overwrites(rows) else [])
        formatted = [one for one in self.uses.captured.get(local, ()) if at < one]
        ends = [
            self.finish(macros.formatted(self, replace(carried, shape=("E",)), macro), carried)
            for macro in formatted
        ]
        ends.extend(self.follow(replace(carried, row=one)) for one in rows)
        end = best(ends)
        if end is None:
            shown = macros.shown(self, name, at)
            if shown is not None:
                return settle(End("logged", shown, "shown in a log"), carried)
            if 0 <= at and around.under_cfg(self, at):
                # The same name is bound again under another cfg, and that is the one that is read.
                return settle(End("moved-away", at, "bound under cfg"), carried)
            return settle(self.dropped(carried, at, f"`{name}` never read"), carried)
        return end

    def loops(self, at: int) -> bool:
        """Whether a row stands in a loop; a parameter, at -1, stands in none."""
        around_it = enclosing(self.uses, at, self.judged.body) if 0 <= at else ()
        return any(isinstance(row, (LoopRow, WhileRow, ForRow)) for _, row in around_it)

    def finish(self, step: Step, carried: Carried) -> End:
        """The end of a step that was made aside."""
        return settle(step, carried) if isinstance(step, End) else self.follow(step)

    def is_target(self, at: int) -> bool:
        """Whether a row is what an assignment writes to."""
        use = self.uses.taken[at]
        return use is not None and use.role == "target" and self.op_of(use.row) == "="

    def op_of(self, at: int | None) -> str:
        row = self.rows[at] if at is not None else None
        return row.op if isinstance(row, AssignRow) else ""

    def overwrites(self, rows: list[int]) -> bool:
        """Whether the first use of a variable writes to it."""
        return bool(rows) and self.is_target(rows[0])

    def assigned(self, carried: Carried, at: int, row: AssignRow) -> Step:
        """`target = value`: on with the variable; into a field, out of sight."""
        place, shape = around.destructured(self, row.target, carried.shape)
        if place is None:
            return End("moved-away", at, "taken apart")
        carried = replace(carried, shape=shape)
        target = self.rows[place]
        if isinstance(target, WildcardRow):
            return self.dropped(carried, at, "_ =")
        local = self.judged.uses.get(place)
        if not isinstance(target, PathRow) or local is None:
            match carried.shape[-1]:
                case "E":
                    return End("handled", at, "stored")
                case "Z":
                    return End("turned-into-option", at, "assigned to a place")
                case "B+" | "B-":
                    return End("turned-into-bool", at, "assigned to a place")
            return End("moved-away", at, "assigned to a place")
        name = self.judged.locals[local].name
        loop = around.loop_without(self, local, at)
        if loop is not None:
            return End("overwritten", at, "the loop keeps only the last")
        if carried.shape == ("E",) or carried.shape == ("O", "E"):
            # A variable that keeps the error: whoever reads it later hears of it.
            return self.local(carried, local, name, at)
        return self.local(carried, local, name, at)

    # Branches.

    def let_condition(self, carried: Carried, at: int, row: LetConditionRow) -> Step:
        """`if let`, `while let`, and their chains."""
        found = cover(row.pattern, carried.shape)
        header, negated = around.governor(self, at)
        if header is None:
            return End("moved-away", at, "condition")
        owner = self.rows[header]
        form = "while let" if isinstance(owner, WhileRow) else "if let"
        if found is None:
            return arms.judge_other(self, carried, header, owner, negated, form)
        taken = arms.judge_let(self, carried, header, owner, negated, found, at, form)
        if found.total:
            return taken
        other = arms.judge_other(self, carried, header, owner, negated, form)
        return best((taken, other)) or taken

    def condition(self, carried: Carried, at: int, row: Row) -> Step:
        """A bool that tells whether there was an error, in a condition."""
        if carried.shape[0] not in ("B+", "B-"):
            return End("moved-away", at, "condition")
        if isinstance(row, ShortCircuitRow):
            return replace(carried, row=at)
        if isinstance(row, MatchRow):
            return End("handled", at, "guard")
        form = "is_err()" if carried.shape[0] == "B+" else "is_ok()"
        if carried.shape[0] == "B+":
            return arms.judge_taken(self, carried, at, row, False, (), at, form)
        return arms.judge_other(self, carried, at, row, False, form)

    def match(self, carried: Carried, at: int, row: MatchRow) -> Step:
        """A match: arms that name a kind are decisions; the arm that catches the rest tells the fate."""
        some: list[End] = []
        together = carried.shape[-1] in HIDDEN and carried.shape[0][0] == "T"
        for arm in row.arms:
            found = cover(arm.pattern, carried.shape)
            if found is None:
                continue
            end = arms.judge_arm(self, carried, at, arm, found.bound)
            if found.total and arm.guard is None:
                if together and (kept := best(some)):
                    # `match (alive, state)`, `Err(e) if e.kind() != NotFound`: what is left says nothing by itself.
                    return kept if kept.fate in ALIVE else end
                return end
            together |= goes_by_another(arm.pattern, carried.shape)
            together |= arms.keeps_all_but(self, at, arm, found.bound)
            some.append(end)
        kept = best(some)
        return kept if kept is not None else End("moved-away", at, "match")

    def iterated(self, carried: Carried, at: int, row: ForRow) -> Step:
        """`for x in xs`: on with the element; an Option or Result iterates over nothing where it is an error."""
        if carried.shape[0] in ("Z", "R"):
            return End("dropped", at, "iterated")
        if carried.shape[0] in ("O", "K"):
            return End("moved-away", at, "iterated")
        if carried.shape[0] != "I":
            return End("moved-away", at, "iterated")
        found = cover(row.pattern, carried.shape[1:])
        if found is None or not found.bound:
            return End("dropped", at, "for _")
        return self.bound(carried, at, found.bound, "for")
