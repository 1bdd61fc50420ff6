"""The ways out of a function: each end is told by its outcome."""

from __future__ import annotations

from inroads.lower.build import Cursor, End
from inroads.lower.closures import resolve
from inroads.lower.iterators import consume, runs_anything
from inroads.lower.model import Outcome, Return
from inroads.lower.values import Value
from inroads.lower.walk import Walk


def finish(walk: Walk, ends: list[End]) -> None:
    """
    End the function at its tail and at each `return` and `?`.

    A Result, Option or bool of which nothing is known is tested, so that each way
    out has its outcome. A future that is returned runs where the caller awaits it, which is
    the same as here; so does an iterator's work.
    """
    tail = walk.judged.body.root.value
    returns: list[tuple[Cursor, Value, int | None]] = [(cursor, value, tail) for cursor, value in ends]
    returns += walk.frames[0].returns
    for cursor, value, row in returns:
        at = row if row is not None else 0
        walk.cursor = cursor
        if value.future is not None:
            frame = walk.frames[0]
            before = len(frame.returns)
            for end, given in resolve(walk, at, value):
                _way_out(walk, end, given, row)
            for end, given, left in frame.returns[before:]:
                _way_out(walk, end, given, left)
        elif runs_anything(value):
            for end, given in consume(walk, at, "count", value, ()):
                _way_out(walk, end, given, row)
        else:
            _way_out(walk, cursor, value, row)


def _way_out(walk: Walk, cursor: Cursor, value: Value, row: int | None) -> None:
    """One way out, split by its outcome."""
    at = row if row is not None else 0
    if value.known is not None:
        walk.emit_at(cursor, Return(row, value.known, value.place))
        return
    family = walk.context.returns(walk.judged.function)
    if family is None and row is not None:
        family = walk.context.family(walk.judged.types[row])
    answers: tuple[Outcome, Outcome]
    match family:
        case "result":
            yes, no = walk.split_variant((cursor, value), at, "Ok", "return")
            answers = ("ok", "err")
        case "option":
            yes, no = walk.split_variant((cursor, value), at, "Some", "return")
            answers = ("some", "none")
        case "bool":
            yes, no = walk.split_bool((cursor, value), at, "return")
            answers = ("true", "false")
        case _:
            walk.emit_at(cursor, Return(row, "plain", value.place))
            return
    if yes is not None:
        walk.emit_at(yes, Return(row, answers[0], value.place))
    if no is not None:
        walk.emit_at(no, Return(row, answers[1], value.place))
