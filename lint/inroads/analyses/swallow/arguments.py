"""What becomes of a value that is an argument: of a constructor, a combinator, a function, a spawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inroads.analyses.swallow import closures, methods
from inroads.analyses.swallow.around import gathered, is_left_alone
from inroads.analyses.swallow.callee import call_functions, call_name, call_owner, call_paths
from inroads.analyses.swallow.ends import Carried, End, Step
from inroads.analyses.swallow.passing import by_method, into_functions
from inroads.analyses.swallow.shapes import ERROR, RESULT
from inroads.analyses.swallow.uses import Use
from inroads.facts import CallRow, MethodCallRow

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower


def argument(f: Follower, carried: Carried, use: Use) -> Step:
    """The value as an argument of a call."""
    assert use.row is not None
    at, shape = use.row, carried.shape
    row = f.rows[at]
    name, owner = call_name(f.judged, at), call_owner(f.judged, at)
    on = replace(carried, row=at)
    if isinstance(row, CallRow):
        if name in methods.DROPS:
            return f.dropped(carried, at, f"{name}()")
        if name == "Err":
            return replace(on, shape=RESULT) if shape[-1] == "E" else on
        if name == "Ok":
            return on if shape[-1] == "E" else replace(on, shape=("K", *shape))
        if name in ("Some", "Ready"):
            letter = "P" if name == "Ready" else "O"
            return on if shape == ERROR else replace(on, shape=(letter, *shape))
        if owner == "Result" or (owner == "Option" and use.order == 0):
            return by_method(f, carried, at, name, row.arguments[1:])
        if name in methods.WRAPS and owner in methods.WRAPPING_TYPES:
            return on
        if shape[0] == "F":
            return future_argument(f, on, at, name, use.order)
    if isinstance(row, MethodCallRow):
        if shape[0] == "F" and name in methods.SPAWNS:
            return closures.spawned(f, carried, at)
        if shape[0] == "F" and name in methods.RUNS:
            return replace(on, shape=shape[1:])
        if shape[-1] != "E" and name in ("or", "and", "unwrap_or", "chain", "zip"):
            if name in ("or", "and", "unwrap_or"):
                return on
            return chained(on, name)
        if name == "extend" and shape == RESULT:
            # There is nothing to add where it is an error.
            return End("dropped", at, ".extend()")
        if name in methods.GATHERS and shape[-1] == "R":
            local = gathered(f, row.receiver)
            if local is not None:
                # What becomes of all of them is what becomes of this one.
                name = f.judged.locals[local].name
                return f.local(replace(carried, shape=("I", *shape)), local, name, at)
    functions = call_functions(f.judged, at)
    if shape == ERROR:
        if isinstance(row, MethodCallRow) and name in methods.GATHERS and is_left_alone(f, row.receiver):
            return f.dropped(carried, at, f"{name}() into what nobody reads")
        return error_argument(f, on, at, functions, use)
    if functions:
        index = use.order + (1 if isinstance(row, MethodCallRow) else 0)
        return into_functions(f, carried, at, functions, index)
    if shape[-1] == "Z":
        return End("turned-into-option", at, f"argument of {name}()")
    if shape[-1][0] == "B":
        return End("turned-into-bool", at, f"argument of {name}()")
    return End("moved-away", at, f"argument of {name or 'a call'}()")


def chained(on: Carried, name: str) -> Step:
    """What is given to `chain` or `zip`: its elements come out of the whole, as they are or in a pair."""
    head, rest = on.shape[0], on.shape[1:]
    if head == "R":
        # An iterator over a Result has no element where it is an error.
        return End("dropped", on.row, f".{name}()")
    if head not in ("I", "O", "K"):
        return on
    return replace(on, shape=("I", *rest) if name == "chain" else ("I", "T1", *rest))


def future_argument(f: Follower, on: Carried, at: int, name: str, order: int) -> Step:
    """A future given to a function: run, spawned, timed, joined."""
    rest = on.shape[1:]
    if name in methods.SPAWNS:
        return closures.spawned(f, on, at)
    if f.world.is_origin(f, at):
        return End("moved-away", at, f"argument of {name}()")
    match name:
        case "timeout" | "timeout_at":
            return replace(on, shape=("F", "K", *rest))
        case "block_on" | "block_on_stream":
            return replace(on, shape=rest)
        case "join_all" | "try_join_all":
            return replace(on, shape=("F", "R") if name == "try_join_all" else ("F", *rest))
        case "join" | "join3" | "join4" | "join5":
            return replace(on, shape=("F", f"T{order}", *rest))
        case "try_join" | "try_join3" | "try_join4" | "try_join5":
            return replace(on, shape=("F", "R"))
    return End("moved-away", at, f"argument of {name}()")


def error_argument(f: Follower, on: Carried, at: int, functions: tuple[int, ...], use: Use) -> Step:
    """The error as an argument: a constructor or a conversion carries it, our own function is looked into."""
    name = call_name(f.judged, at)
    row = f.rows[at]
    if functions:
        index = use.order + (1 if isinstance(row, MethodCallRow) else 0)
        return into_functions(f, on, at, functions, index)
    if name[:1].isupper():
        return on
    paths = call_paths(f.judged, at)
    if any(path in methods.EXITS for path in paths):
        return End("panicked", at, f"{name}()")
    if name in (
        "new",
        "from",
        "other",
        "msg",
        "into",
        "to_string",
        "type_name",
        "min",
        "max",
        "wrap",
        "boxed",
        "custom",
    ):
        return on
    if name in f.world.log_names:
        return End("logged", at, f"{name}()")
    taken = f.uses.taken[at]
    if taken is not None and taken.role == "discard":
        return End("handled", at, f"{name}()", maybe=True)
    return on
