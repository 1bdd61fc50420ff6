"""How a function of the workspace can fail: where, and with what sort of error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.callee import call_functions, call_name, call_paths
from inroads.analyses.swallow.covers import says_err
from inroads.analyses.swallow.shapes import error_type, shapes_of
from inroads.analyses.swallow.sorts import (
    changes_state,
    converts,
    is_io_error,
    is_lock,
    is_send,
    is_serialising,
)
from inroads.analyses.swallow.uses import enclosing
from inroads.analyses.swallow.values import leaves, sort_of
from inroads.analyses.swallow.words import (
    ADVISORY,
    IO_CRATES,
    MACHINE_CRATES,
    REMOVES,
)
from inroads.analyses.swallow.writers import given_sinks, sink_at, value_of
from inroads.facts import (
    AwaitRow,
    BorrowRow,
    CallRow,
    ClosureRow,
    ForRow,
    IfRow,
    LetConditionRow,
    LoopRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    PathRow,
    ReturnRow,
    StructRow,
    TryRow,
    WhileRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.world import World


class Failures(msgspec.Struct, frozen=True):
    """
    How a function of the workspace can fail.

    Args:
        points: Places at which an error is made or comes in, at most as far as looked.
        sources: own, none, send, poison, io, removal, advice, machine, conversion, serialising, terminal, memory,
            given (what it was handed to write to), foreign, unknown.
        half_way: Whether an error can come after a change.
        succeeds: Whether it has an `Ok(..)` of its own: who always fails guards nothing.
        acts: Whether a call from outside that can fail in it changes something.
    """

    points: int
    sources: frozenset[str]
    half_way: bool = False
    succeeds: bool = False
    acts: bool = False


def failures_of(world: World, function: int) -> Failures | None:
    """How a function of the workspace can fail; None where it has no body."""
    return world.failures.ask(function, lambda: _failures(world, function))


def _failures(world: World, function: int) -> Failures | None:
    f = world.follower(function)
    if f is None:
        return None
    points = 0
    sources: set[str] = set()
    changes: list[int] = []
    fails: list[int] = []
    for at in range(len(f.rows)):
        effects = world.row_effects(f, at)
        if effects is not None and effects.own.writes:
            changes.append(at)
        for word in failure_points(world, f, at):
            points += word != "acts"
            fails.append(at)
            sources.add(word)
    half_way = any(comes_after(f, at, change) for change in changes[:8] for at in fails)
    acts = "acts" in sources
    sources -= {"callee", "acts"}
    succeeds = any(
        isinstance(row, CallRow) and call_name(f.judged, at) == "Ok" for at, row in enumerate(f.rows)
    )
    return Failures(points, frozenset(sources), half_way, succeeds, acts)


def comes_after(f: Follower, at: int, before: int) -> bool:
    """Whether a row may run after another: it stands below, and not on the other side of a branch."""
    if at < before:
        return False
    around = {home for home, _ in enclosing(f.uses, at, f.judged.body)}
    return all(
        home in around
        for home, row in enclosing(f.uses, before, f.judged.body)
        if isinstance(row, (IfRow, MatchRow)) and home.part != "condition"
    ) or any(isinstance(row, (LoopRow, ForRow, WhileRow)) for _, row in enclosing(f.uses, at, f.judged.body))


def failure_points(world: World, f: Follower, at: int) -> Iterator[str]:
    """The ways in which one row makes its function fail, by source."""
    row = f.rows[at]
    match row:
        case MacroRow(path=path) if path and path[-1] in methods.RAISES:
            yield "own"
        case CallRow(arguments=arguments) if call_name(f.judged, at) == "Err":
            caught = caught_in(f, at, arguments)
            if caught is None:
                yield "own"
            else:
                yield from source_words(world, f, caught)
        case TryRow(operand=operand):
            yield from source_words(world, f, operand)
        case ReturnRow(value=value) if value is not None:
            for leaf in leaves(f.judged, value):
                if (
                    leaf is not None
                    and sort_of(f.judged, leaf) == "other"
                    and shapes_of(f.judged.types[leaf])
                ):
                    yield from source_words(world, f, leaf)
    if at == f.judged.body.root.value:
        for leaf in leaves(f.judged, at):
            if leaf is not None and is_handed_on(f, leaf):
                yield from source_words(world, f, leaf)


def caught_in(f: Follower, at: int, arguments: tuple[int, ...]) -> int | None:
    """
    The value whose error an `Err(..)` at a row wraps, by the name that an arm around it gave the error:
    `match read(path) { Err(e) => return Err(Fault::Io(e)), .. }`. None where it makes one of its own.
    """
    stack = list(arguments)
    for _ in range(16):
        if not stack:
            break
        here = stack.pop()
        match f.rows[here]:
            case PathRow():
                local = f.judged.uses.get(here)
                bound = f.judged.locals[local].row if local is not None else None
                header = f.rows[bound] if bound is not None else None
                match header:
                    case LetConditionRow(pattern=pattern, value=value) if says_err(pattern):
                        return value
                    case MatchRow(scrutinee=scrutinee, arms=arms) if any(
                        one.body.start <= at < one.body.end and says_err(one.pattern) for one in arms
                    ):
                        return scrutinee
            case CallRow(arguments=inner):
                stack.extend(inner)
            case MethodCallRow(receiver=receiver, arguments=inner):
                stack.extend((receiver, *inner))
            case StructRow(fields=fields):
                stack.extend(value for _, value in fields)
            case BorrowRow(operand=operand):
                stack.append(operand)
    return None


def called_closure(f: Follower, at: int) -> ClosureRow | None:
    """The closure of the same body that a row calls by the variable that it is bound to."""
    row = f.rows[at]
    made = value_of(f, row.callee) if isinstance(row, CallRow) else None
    value = f.rows[made] if made is not None else None
    return value if isinstance(value, ClosureRow) else None


def is_handed_on(f: Follower, at: int) -> bool:
    """Whether a value that a function gives is a Result made elsewhere, not an `Ok(..)` or `Err(..)` of its own."""
    if sort_of(f.judged, at) in ("ok", "err") and call_name(f.judged, at) in ("Ok", "Err"):
        return False
    return bool(shapes_of(f.judged.types[at]))


def keeps_error(f: Follower, at: int, name: str) -> bool:
    """Whether a method from outside hands on the error of what it is called on; taking a lock has one of its own."""
    if name in methods.SAME:
        return not is_lock(f, at)
    return name in methods.KEEPS_ERROR or name == "map_err" or name.endswith("_context")


def is_of_result(world: World, functions: tuple[int, ...]) -> bool:
    """Whether functions are a method that the workspace gives to Result, or to Option as well."""
    tables = world.program.tables
    impls = [tables.functions[one].impl for one in functions]
    return any(one is not None and tables.impls[one].head.endswith("result::Result") for one in impls)


def source_words(world: World, f: Follower, at: int, deep: int = 3) -> Iterator[str]:
    """Where the error of a value comes from, through the methods between; so many closures are looked into."""
    for _ in range(len(f.rows)):
        row = f.rows[at]
        name = call_name(f.judged, at)
        functions = call_functions(f.judged, at)
        if functions and isinstance(row, MethodCallRow) and is_of_result(world, functions):
            # What the workspace lets a Result do hands its error on.
            at = row.receiver
            continue
        if functions:
            inner = failures_of(world, functions[0])
            if inner is None:
                yield "unknown"
            else:
                # Who runs what he is given fails as that does.
                unseen = "foreign" if world.is_given_work(f, at) else "own"
                for word in sorted(inner.sources) or [unseen]:
                    if word == "given":
                        yield from dict.fromkeys(given_sinks(f, at)) or ["io"]
                    else:
                        yield word
                if inner.acts:
                    yield "acts"
                for _ in range(inner.points - len(inner.sources)):
                    yield "callee"
            return
        match row:
            case AwaitRow(operand=operand):
                at = operand
                continue
            case MethodCallRow(receiver=receiver):
                if name in ("ok_or", "ok_or_else"):
                    yield "none"
                    return
                if keeps_error(f, at, name):
                    at = receiver
                    continue
        break
    closure = called_closure(f, at) if deep else None
    if closure is not None:
        for leaf in leaves(f.judged, closure.body.value):
            if leaf is not None and is_handed_on(f, leaf):
                yield from source_words(world, f, leaf, deep - 1)
        return
    sink = sink_at(f, at)
    if sink is not None:
        yield sink
        return
    if changes_state(name):
        yield "acts"
    if ADVISORY.search(name):
        yield "advice"
    elif any(path.startswith(MACHINE_CRATES) for path in call_paths(f.judged, at)):
        yield "machine"
    elif is_send(world, f, at):
        yield "send"
    elif REMOVES.match(name):
        yield "removal"
    elif is_serialising(name, call_paths(f.judged, at)):
        yield "serialising"
    elif is_lock(f, at):
        yield "poison"
    elif converts(world, f, at):
        yield "conversion"
    elif any(path.startswith(IO_CRATES) for path in call_paths(f.judged, at)) or is_io_error(
        error_type(world.type_at(f.judged, at), ("R",))
    ):
        yield "io"
    else:
        yield "foreign"
