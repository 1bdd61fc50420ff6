"""What a closure makes of the error that it is given, and what its own value becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inroads.analyses.swallow import arms, methods
from inroads.analyses.swallow.callee import call_functions, call_name
from inroads.analyses.swallow.ends import ALIVE, Carried, End, Step
from inroads.analyses.swallow.shapes import ERROR, RESULT, referent, shapes_of
from inroads.analyses.swallow.sorts import type_name
from inroads.analyses.swallow.values import says_error
from inroads.facts import CallRow, ClosureRow, MethodCallRow, PathRow
from inroads.resolve.types import Unknown

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower


def error_closure(f: Follower, on: Carried, at: int, name: str, arguments: tuple[int, ...]) -> Step:
    """`map_err(|e| ..)`, `inspect_err(|e| ..)`: what the closure does with the error; the Result goes on."""
    keeps = name not in ("map_err", "map_err_into")
    if not arguments:
        return on
    argument = arguments[-1]
    row = f.rows[argument]
    if not isinstance(row, ClosureRow):
        name_of = row.path.segments[-1].name if isinstance(row, PathRow) and row.path.segments else ""
        if not keeps and name_of in methods.DROPS:
            return replace(on, replaced=True)
        effects = f.world.effects_of_path(f.judged, argument)
        if effects is not None and effects.handles:
            return End("handled", at, f".{name}({name_of})")
        return replace(on, logged=on.logged or (effects is not None and effects.logs))
    verdict = arms.closure(f, on, argument, row)
    if verdict.end is not None and verdict.end.fate in ("handled", "panicked"):
        return verdict.end
    used = verdict.value_has_error
    replaced = on.replaced or (not keeps and not used)
    return replace(on, logged=on.logged or verdict.logged, replaced=replaced)


def arm_closure(f: Follower, on: Carried, at: int, name: str, arguments: tuple[int, ...]) -> Step:
    """`unwrap_or_else(|e| ..)` and its kin: the closure is the arm of the error, its value stands in."""
    argument = arguments[0]
    row = f.rows[argument]
    if isinstance(row, ClosureRow):
        return arms.stand_in(f, on, at, argument, row, name)
    effects = f.world.effects_of_path(f.judged, argument)
    if effects is not None and effects.handles:
        return End("handled", at, f".{name}()")
    if effects is not None and effects.diverges:
        return End("panicked", at, f".{name}()")
    if on.shape[0] == "R" and takes_error(f, argument):
        return End("handled", at, f".{name}()", maybe=effects is None)
    logged = on.logged or (effects is not None and effects.logs)
    return End("logged" if logged else "defaulted", at, f".{name}()", gives="default")


def takes_error(f: Follower, at: int) -> bool:
    """Whether a function that is handed on by name makes its value of the error: `unwrap_or_else(Page::of)`."""
    functions = call_functions(f.judged, at)
    if functions:
        ends = [f.world.parameter_fate(one, 0, ERROR) for one in functions[:4]]
        return any(end is not None and end.fate in ALIVE for end in ends)
    row = f.rows[at]
    names = [one.name for one in row.path.segments] if isinstance(row, PathRow) else []
    # A foreign function that says so, a variant, or a conversion.
    return bool(names) and (says_error(names[-1]) or names[-1][:1].isupper() or names[-1] in ("into", "from"))


def closure_result(f: Follower, carried: Carried, closure: int) -> Step:
    """What the method or function that runs a closure makes of its value."""
    use = f.uses.taken[closure]
    if use is None or use.row is None:
        return End("propagated", closure, "closure")
    if use.role == "callee":
        return End("propagated", closure, "closure called")
    user = f.rows[use.row]
    at = use.row
    if isinstance(user, MethodCallRow) and use.role == "argument":
        return method_runs(f, carried, at, user.name)
    if isinstance(user, CallRow) and use.role == "argument":
        name = call_name(f.judged, at)
        if name in methods.SPAWNS:
            return spawned(f, carried, at)
        if name == "catch_unwind":
            return replace(carried, row=at, shape=("K", *carried.shape))
        return End("propagated", closure, "closure handed on")
    return End("propagated", closure, "closure")


def method_runs(f: Follower, carried: Carried, at: int, name: str) -> Step:
    """A closure given to a method: what its value becomes."""
    shape = carried.shape
    on = replace(carried, row=at)
    if call_functions(f.judged, at):
        return End("propagated", at, f".{name}()")
    if shape[0] == "F" and name in methods.AWAITS_EACH:
        shape = shape[1:]
    match name:
        case "map" | "then" | "map_ok" | "then_with" | "scope":
            return replace(on, shape=(container(f, at), *shape))
        case "and_then" | "or_else" | "unwrap_or_else" | "map_or_else" | "map_or" | "get_or_insert_with":
            return on
        case "map_err":
            return replace(on, shape=RESULT) if shape[-1] == "E" else on
        case "filter_map" | "find_map" | "map_while" | "scan":
            if shape[0] == "Z":
                return End("dropped", at, f".{name}()")
            return replace(on, shape=("I" if name != "find_map" else "O", *(shape[1:] or shape)))
        case "flat_map":
            if shape[0] in ("R", "Z"):
                return End("dropped", at, ".flat_map()")
            return replace(on, shape=("I", *shape[1:]) if shape[0] in ("I", "O", "K") else shape)
        case "for_each" | "inspect" | "inspect_err" | "inspect_ok" | "for_each_concurrent":
            # Such a closure gives `()`: what is taken for a Result is none.
            return End("moved-away", at, f".{name}()")
        case "retain":
            return End("dropped", at, f".{name}()")
        case "any" | "all" if shape[0] in ("B+", "B-"):
            if (name == "any") == (shape[0] == "B+"):
                return on
            return End("turned-into-bool", at, f".{name}()")
        case "partition" if shape[0] in ("B+", "B-"):
            # What failed goes into the one of two collections.
            return replace(on, shape=("T0" if shape[0] == "B+" else "T1", "I", *RESULT))
        case "filter" | "take_while" | "find" if shape[0] == "B-":
            return End("turned-into-bool", at, f".{name}()", gives="no errors")
        case (
            "filter"
            | "partition"
            | "position"
            | "take_while"
            | "skip_while"
            | "find"
            | "is_some_and"
            | "is_ok_and"
        ):
            return End("turned-into-bool" if shape[0][0] == "B" else "moved-away", at, f".{name}()")
        case "try_for_each" | "try_fold" | "try_for_each_concurrent" | "try_collect":
            return replace(on, shape=RESULT)
    if name in methods.SPAWNS:
        return spawned(f, carried, at)
    return End("propagated", at, f".{name}()")


def container(f: Follower, at: int) -> str:
    """What `x.map(..)` maps over, by its own type or the receiver's: I, O, K or F."""
    row = f.rows[at]
    assert isinstance(row, MethodCallRow)
    for type_ in (f.judged.types[at], f.judged.types[row.receiver]):
        text = getattr(type_, "path", "")
        name = text.rpartition("::")[2] if isinstance(text, str) else ""
        if name == "Option":
            return "O"
        if name == "Result":
            return "K"
        if name == "Poll":
            return "P"
        if any(shape[0] in ("F", "H") for shape in shapes_of(type_)):
            return "F"
    return "I"


SETS = frozenset({"JoinSet", "JoinMap", "TaskTracker", "FuturesUnordered", "FuturesOrdered", "TaskSet"})


def spawned(f: Follower, carried: Carried, at: int) -> Step:
    """
    The value of what a task or thread runs: it waits in the handle. A call known to give one is judged
    for itself.
    """
    if f.world.is_origin(f, at):
        return End("moved-away", at, "spawned")
    row = f.rows[at]
    if isinstance(row, MethodCallRow) and type_name(f.judged.types[row.receiver]) in SETS:
        return End("moved-away", at, "waits in a set of tasks")
    if isinstance(row, MethodCallRow) and is_own_spawner(f, row.receiver):
        return End("moved-away", at, "waits in what it was spawned by")
    shape = carried.shape[1:] if carried.shape[0] == "F" else carried.shape
    return replace(carried, row=at, shape=("H", *(shape or carried.shape)))


def is_own_spawner(f: Follower, receiver: int) -> bool:
    """Whether tasks are put into a variable of a type that nobody described, which the body changes: a set of them."""
    local = f.judged.uses.get(receiver)
    return (
        local is not None
        and isinstance(referent(f.judged.types[receiver]), Unknown)
        and f.judged.locals[local].mutable
        and f.judged.locals[local].parameter is None
    )


def is_run_by_method(f: Follower, at: int) -> bool:
    """Whether a path names a function that is handed to a method which makes its value of what it gives."""
    call = f.judged.calls.get(at)
    use = f.uses.taken[at]
    if call is None or call.kind != "value" or use is None or use.row is None or use.role != "argument":
        return False
    user = f.rows[use.row]
    return (
        isinstance(user, MethodCallRow)
        and user.name in methods.RUNS_EACH
        and use.order + 1 == len(user.arguments)
        and not call_functions(f.judged, use.row)
        and call_name(f.judged, at)[:1].islower()
    )
