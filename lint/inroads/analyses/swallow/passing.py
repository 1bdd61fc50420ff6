"""What becomes of a value that is handed on: to a method, a function, a macro, a closure, a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inroads.analyses.swallow import closures, methods, shapes
from inroads.analyses.swallow.callee import call_functions, call_name
from inroads.analyses.swallow.covers import cover
from inroads.analyses.swallow.ends import ALIVE, Carried, End, Step, best
from inroads.analyses.swallow.shapes import ERROR, RESULT, Shape, output_of_each, shapes_of
from inroads.analyses.swallow.unread import never_read
from inroads.analyses.swallow.uses import Use
from inroads.analyses.swallow.values import sort_of
from inroads.facts import ClosureRow, MethodCallRow, PathRow, StructRow

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower


def awaited(f: Follower, carried: Carried, at: int) -> Step:
    """`x.await`: the output of a future, the outcome of a task."""
    shape = shapes.awaited(carried.shape)
    return replace(carried, row=at, shape=shape) if shape is not None else End("moved-away", at, "await")


def stored(f: Follower, carried: Carried, use: Use, row: StructRow) -> Step:
    """A field of something being built: an error makes the whole an error, a Result waits in its field."""
    assert use.row is not None
    if carried.shape[-1] == "E":
        return replace(carried, row=use.row, shape=ERROR)
    name = row.fields[use.order][0]
    if carried.shape[-1] == "R" and never_read(f.world, name):
        return End("dropped", use.row, f"field `{name}` never read")
    match carried.shape[-1]:
        case "Z":
            return End("turned-into-option", use.row, f"field `{name}`")
        case "B+" | "B-":
            return End("turned-into-bool", use.row, f"field `{name}`")
    return End("moved-away", use.row, f"field `{name}`")


def received(f: Follower, carried: Carried, at: int) -> Step:
    """A method called on the value."""
    row = f.rows[at]
    assert isinstance(row, MethodCallRow)
    return by_method(f, carried, at, row.name, row.arguments)


def by_method(f: Follower, carried: Carried, at: int, name: str, arguments: tuple[int, ...]) -> Step:
    """What the method `name` makes of a value; `at` is the call."""
    head = carried.shape[0]
    on = replace(carried, row=at)
    if name in methods.DROPS:
        return f.dropped(carried, at, name)
    if head == "E":
        return error_method(f, on, at, name)
    functions = call_functions(f.judged, at)
    if functions and name not in methods.PROVES_RESULT:
        # An extension trait of the workspace: `result.log_err()`.
        return into_functions(f, carried, at, functions, 0)
    if name in methods.SAME:
        return on
    match head:
        case "R":
            return result_method(f, on, at, name, arguments)
        case "Z":
            return none_method(f, on, at, name, arguments)
        case "P":
            return poll_method(f, on, at, name, arguments)
        case "K" | "O":
            return outer_method(f, on, at, name, arguments)
        case "I":
            return iterator_method(f, on, at, name, arguments)
        case "F":
            return future_method(f, on, at, name, arguments)
        case "H" if name in ("map", "then") and arguments:
            # A task is a future of what it gives, or of its panic.
            return future_method(f, replace(on, shape=("F", "K", *carried.shape[1:])), at, name, arguments)
        case "H":
            if name in methods.JOINS:
                # What a join gives is known to be a Result: it is judged for itself.
                if f.world.is_origin(f, at):
                    return End("moved-away", at, f".{name}()")
                return replace(on, shape=("K", *carried.shape[1:]))
            return (
                End("dropped", at, f".{name}()") if name in ("abort", "is_finished", "thread", "id") else on
            )
        case "B+" | "B-":
            if name in ("then", "then_some"):
                return (
                    replace(on, shape=("Z",))
                    if head == "B-"
                    else End("handled", at, f".{name}()", maybe=True)
                )
    return End("moved-away", at, f".{name}()")


def result_method(f: Follower, on: Carried, at: int, name: str, arguments: tuple[int, ...]) -> Step:
    """A method of Result, the error in its Err."""
    if name in methods.KEEPS_ERROR:
        return on
    if name in methods.PANICS:
        return End("panicked", at, f".{name}()")
    match name:
        case "map_err" | "inspect_err" | "map_err_into" | "tap_err" | "log_err" | "or_log":
            return closures.error_closure(f, on, at, name, arguments)
        case "ok":
            return replace(on, shape=("Z",))
        case "err" | "unwrap_err" | "expect_err" | "into_err":
            return replace(on, shape=ERROR)
        case "is_ok" | "is_ok_and":
            return replace(on, shape=("B-",))
        case "is_err":
            return replace(on, shape=("B+",))
        case "is_err_and":
            return End("handled", at, ".is_err_and()")
        case "transpose":
            # `Result<Option<T>, E>` becomes `Option<Result<T, E>>`.
            return replace(on, shape=("O", *RESULT))
        case "into_iter" | "iter" | "iter_mut":
            return End("dropped", at, f".{name}()")
        case "unwrap_or_else" | "or_else" | "map_or_else" | "unwrap_or_log":
            return closures.arm_closure(f, on, at, name, arguments)
        case "unwrap_or" | "or" | "map_or":
            given = sort_of(f.judged, arguments[0]) if arguments else "default"
            if given == "sentinel" or (given == "err" and name != "map_or"):
                return End("handled", at, f".{name}()")
            if name == "or" and given not in ("ok", "default"):
                return End("handled", at, ".or()", fallback=True)
            if name == "map_or" and given == "bool":
                return End("turned-into-bool", at, ".map_or()", gives="bool")
            return End("defaulted", at, f".{name}()", gives=given)
        case "unwrap_or_default" | "map_or_default":
            return End("defaulted", at, f".{name}()", gives="default")
    return End("moved-away", at, f".{name}()")


def none_method(f: Follower, on: Carried, at: int, name: str, arguments: tuple[int, ...]) -> Step:
    """A method of the Option that `.ok()` gave."""
    if name in methods.TO_RESULT:
        return replace(on, shape=RESULT, replaced=True)
    if name in methods.PANICS:
        return End("panicked", at, f".{name}()")
    match name:
        case "or" | "or_else" | "xor":
            return End("handled", at, f".ok().{name}()", fallback=True)
        case "is_some" | "is_some_and":
            return replace(on, shape=("B-",))
        case "is_none" | "is_none_or":
            return replace(on, shape=("B+",))
        case (
            "unwrap_or"
            | "unwrap_or_default"
            | "unwrap_or_else"
            | "map_or"
            | "map_or_else"
            | "get_or_insert_with"
        ):
            given = "default"
            if arguments and name in ("unwrap_or", "map_or"):
                given = sort_of(f.judged, arguments[0])
            elif arguments and name in ("unwrap_or_else", "map_or_else"):
                return closures.arm_closure(f, on, at, name, arguments)
            if given == "sentinel":
                return End("handled", at, f".{name}()")
            return End("defaulted", at, f".ok().{name}()", gives=given)
        case "into_iter" | "iter" | "into_stream":
            return End("turned-into-option", at, f".ok().{name}()")
        case "ok" | "transpose":
            return on
    if name in methods.KEEPS_NONE:
        return on
    return End("turned-into-option", at, f".ok().{name}()")


def outer_method(f: Follower, on: Carried, at: int, name: str, arguments: tuple[int, ...]) -> Step:
    """A method of a Result or Option that holds the Result one layer further in."""
    head, rest = on.shape[0], on.shape[1:]
    if name in methods.PANICS or name in (
        "unwrap_or",
        "unwrap_or_else",
        "unwrap_or_default",
        "take",
        "get_or_insert",
    ):
        return replace(on, shape=rest) if name != "take" else on
    match name:
        case "transpose":
            if len(rest) == 1:
                return replace(on, shape=RESULT) if rest == RESULT else on
            return replace(on, shape=(rest[0], head, *rest[1:]))
        case "ok":
            return replace(on, shape=("O", *rest)) if head == "K" else on
        case "ok_or" | "ok_or_else" | "context" | "with_context":
            return replace(on, shape=("K", *rest))
        case "flatten" | "and_then" if rest[0] in ("R", "K", "O", "Z") and not arguments:
            return replace(on, shape=rest)
        case "map" | "and_then" | "map_or" | "map_or_else" | "is_some_and" | "is_ok_and" | "inspect" if (
            arguments
        ):
            return enter(f, replace(on, shape=rest), at, arguments[-1])
        case "map_err" | "inspect_err" | "or_else" | "or" | "filter":
            return on
        case "is_ok" | "is_err" | "is_some" | "is_none" | "err":
            return End("dropped", at, f".{name}() of the outer layer")
        case "into_iter" | "iter":
            return replace(on, shape=("I", *rest)) if head == "O" else End("moved-away", at, f".{name}()")
    return End("moved-away", at, f".{name}()")


def poll_method(f: Follower, on: Carried, at: int, name: str, arguments: tuple[int, ...]) -> Step:
    """A method of Poll: those of a Result reach through it."""
    rest = on.shape[1:]
    if name == "map" and arguments:
        return enter(f, replace(on, shape=rest), at, arguments[0])
    if name in ("is_ready", "is_pending"):
        return End("dropped", at, f".{name}()")
    if name in ("map_err", "map_ok", "inspect_err") and rest[0] == "R":
        step = result_method(f, replace(on, shape=rest), at, name, arguments)
        return (
            replace(step, shape=("P", *step.shape)) if isinstance(step, Carried) and step.row == at else step
        )
    return on


def iterator_method(f: Follower, on: Carried, at: int, name: str, arguments: tuple[int, ...]) -> Step:
    """A method of an iterator or collection of Results."""
    rest = on.shape[1:]
    if name in methods.TAKES_EACH and arguments:
        return each(f, on, at, name, arguments)
    if name in ("try_next", "try_collect"):
        output = output_of_each(on.shape)[1:]
        if output == RESULT:
            return replace(on, shape=RESULT)
        if output[0] == "K":
            return replace(on, shape=("K", "O" if name == "try_next" else "I", *output[1:]))
    if name in ("collect", "sum", "product", "try_collect", "collect_vec"):
        return collected(f, on, at)
    if name == "try_flatten" and rest[:2] == ("K", "I"):
        return replace(on, shape=rest[1:])
    if name in methods.AWAITS_ELEMENTS:
        return replace(on, shape=output_of_each(on.shape))
    if name == "enumerate":
        return replace(on, shape=("I", "T1", *rest))
    if name == "zip":
        return replace(on, shape=("I", "T0", *rest))
    if name in methods.KEEPS_ELEMENTS:
        return on
    if name in ("join_next", "try_join_next"):
        # What a task gave, or that it panicked.
        return replace(on, shape=("O", "K", *rest))
    if name in methods.ONE_ELEMENT:
        return replace(on, shape=("O", *rest))
    if name in methods.ELEMENTS_LOST:
        if rest[0] in ("O", "I") and name == "flatten":
            return replace(on, shape=("I", *rest[1:]))
        return End("dropped", at, f".{name}()")
    if name in ("is_empty", "capacity", "reserve", "size_hint") or name in methods.GATHERS:
        return End("dropped", at, f".{name}()")
    return End("moved-away", at, f".{name}()")


# Methods that hand each element to a closure by reference, and go on with the elements (I) or one of them (O).
BY_REFERENCE = {"filter": "I", "take_while": "I", "skip_while": "I", "find": "O"}


def each(f: Follower, on: Carried, at: int, name: str, arguments: tuple[int, ...]) -> Step:
    """A method that gives each element to a closure or function."""
    rest = on.shape[1:]
    argument = arguments[-1]
    row = f.rows[argument]
    use = f.uses.taken[at]
    if name.startswith("try_") and use is not None and use.role == "await":
        # Of a stream the closure sees the successes, and an error ends it all.
        return replace(on, shape=RESULT)
    if isinstance(row, PathRow):
        function = row.path.segments[-1].name if row.path.segments else ""
        return each_by_path(f, on, at, name, function)
    if name in ("flat_map", "filter_map") and not isinstance(row, ClosureRow):
        return End("moved-away", at, f".{name}()")
    looked = enter(f, replace(on, shape=rest), at, argument, methods.ELEMENT_PARAMETER.get(name, 0))
    if name not in BY_REFERENCE or (isinstance(looked, End) and looked.gives == "no errors"):
        return looked
    ends = (f.finish(looked, on), f.follow(replace(on, shape=(BY_REFERENCE[name], *rest))))
    return best(ends) or ends[0]


def each_by_path(f: Follower, on: Carried, at: int, name: str, function: str) -> Step:
    """`filter_map(Result::ok)`, `for_each(drop)`, `map(Result::unwrap)`."""
    rest = on.shape[1:]
    if function in methods.DROPS:
        return End("dropped", at, f".{name}({function})")
    if function in methods.PANICS:
        return End("panicked", at, f".{name}({function})")
    if name == "partition" and function in ("is_ok", "is_err"):
        return replace(on, shape=("T1" if function == "is_ok" else "T0", *on.shape))
    if function in ("ok", "is_ok") and rest == RESULT:
        if name in ("map", "filter") or name in ("any", "all"):
            if name == "map":
                return replace(on, shape=("I", "Z"))
            return End("turned-into-bool", at, f".{name}(Result::{function})")
        return End("dropped", at, f".{name}(Result::{function})")
    if function in ("into_iter", "iter") and name == "flat_map" and rest == RESULT:
        return End("dropped", at, f".flat_map(Result::{function})")
    if function == "is_err":
        return End("turned-into-bool", at, f".{name}(Result::is_err)")
    if function in ("err", "unwrap_err"):
        return replace(on, shape=("I", "E"))
    if function in ("identity", "from", "into", "Some"):
        return on if name == "map" else End("dropped", at, f".{name}({function})")
    return End("moved-away", at, f".{name}({function})")


def collected(f: Follower, on: Carried, at: int) -> Step:
    """`collect()`: into a Result if its type says so, else a collection of the same elements."""
    rest = on.shape[1:]
    for shape in shapes_of(f.judged.types[at]):
        if shape[0] in ("R", "K"):
            return replace(on, shape=RESULT)
        if shape[0] == "I":
            return replace(on, shape=("I", *rest))
    row = f.rows[at]
    if isinstance(row, MethodCallRow) and any("Result" in repr(one) for one in row.generics):
        return replace(on, shape=RESULT)
    use = f.uses.taken[at]
    # `collect()?` and a collected value that is returned are Results of collections where the element is one.
    if rest == RESULT and use is not None and use.role in ("try", "returned"):
        return replace(on, shape=RESULT)
    return on


def future_method(f: Follower, on: Carried, at: int, name: str, arguments: tuple[int, ...]) -> Step:
    """A combinator of futures."""
    rest = on.shape[1:]
    if name in ("map", "then", "map_ok", "and_then") and arguments:
        return (
            on
            if rest[0] == "R" and name in ("map_ok", "and_then")
            else enter(f, replace(on, shape=rest), at, arguments[0])
        )
    if name in ("map_err", "inspect_err", "or_else", "unwrap_or_else") and arguments and rest[0] == "R":
        step = result_method(f, replace(on, shape=rest), at, name, arguments)
        return (
            replace(step, shape=("F", *step.shape)) if isinstance(step, Carried) and step.row == at else step
        )
    if name == "now_or_never":
        return replace(on, shape=("O", *rest))
    if name in ("poll", "poll_unpin", "try_poll"):
        return replace(on, shape=("P", *rest))
    if name in methods.SPAWNS or name in ("timeout", "with_timeout"):
        return End("moved-away", at, f".{name}()")
    return on


def error_method(f: Follower, on: Carried, at: int, name: str) -> Step:
    """A method of the error itself: what it gives is made of the error."""
    functions = call_functions(f.judged, at)
    if functions:
        end = into_functions(f, on, at, functions, 0)
        if isinstance(end, End) and end.fate in ("logged", "handled", "panicked"):
            return end
    return replace(on, shape=ERROR)


def enter(f: Follower, carried: Carried, at: int, argument: int, parameter: int = 0) -> Step:
    """The value as the parameter of a closure; by a path, as the argument of a function."""
    row = f.rows[argument]
    if isinstance(row, PathRow):
        name = row.path.segments[-1].name if row.path.segments else ""
        if name in methods.DROPS:
            return End("dropped", at, name)
        return (
            by_method(f, replace(carried, row=at), at, name, ())
            if name[:1].islower()
            else replace(carried, row=at)
        )
    if not isinstance(row, ClosureRow) or len(row.parameters) <= parameter:
        return End("moved-away", at, "closure")
    found = cover(row.parameters[parameter].pattern, carried.shape)
    if found is None:
        return End("moved-away", at, "closure")
    if not found.bound:
        return End("dropped", at, "closure ignores it")
    return f.bound(carried, argument, found.bound, "closure")


def into_functions(f: Follower, carried: Carried, at: int, functions: tuple[int, ...], index: int) -> Step:
    """The value as a parameter of functions of the workspace: the best of what they do with it."""
    name = call_name(f.judged, at)
    ends: list[End] = []
    for function in functions[:8]:
        end = f.world.parameter_fate(function, index, carried.shape)
        if end is None:
            continue
        if end.fate in ("propagated", "cause-lost"):
            # It comes back as the call's value, or made into it.
            returns = shapes_of(f.judged.types[at])
            shape: Shape = ERROR if carried.shape[-1] == "E" else (returns[0] if returns else carried.shape)
            ends.append(f.finish(Carried(at, shape, carried.logged, carried.replaced), carried))
        else:
            ends.append(replace(end, row=at, form=f"{name}()", function=end.function or function))
    end = best(ends)
    if end is None:
        if carried.shape[-1] == "Z":
            return End("turned-into-option", at, f"argument of {name}()")
        return End(
            "handled" if carried.shape == ERROR else "moved-away", at, f"argument of {name}()", maybe=True
        )
    if end.fate in ALIVE or carried.shape != ERROR:
        return end
    effects = f.world.effects(functions)
    if effects.handles:
        return End("handled", at, f"{name}()")
    return replace(end, fate="logged") if effects.logs else end
