"""
The control-flow graph of a judged function: blocks of events, with the place of every operand.

`lower(judged, tables)` makes it; `model` has its nouns.
"""

from __future__ import annotations

from inroads import facts
from inroads.lower import calls, closures, control, iterators, loops, macros, methods, rows
from inroads.lower.build import Cursor
from inroads.lower.context import Context, Runs
from inroads.lower.finish import finish
from inroads.lower.model import Graph, Place, Root
from inroads.lower.patterns import bind_pattern
from inroads.lower.values import Value
from inroads.lower.walk import Frame, Handler, Scope, Walk
from inroads.resolve.model import Judged
from inroads.resolve.tables import Tables
from inroads.work import count

# A kind of row, and the function that lowers it.
TABLE: dict[type, Handler] = {
    facts.LiteralRow: rows.literal,
    facts.PathRow: rows.path,
    facts.FieldRow: rows.field,
    facts.IndexRow: rows.index,
    facts.CallRow: calls.call,
    facts.MethodCallRow: methods.method,
    facts.MacroRow: macros.macro,
    facts.UnaryRow: rows.unary,
    facts.BorrowRow: rows.borrow,
    facts.BinaryRow: rows.binary,
    facts.ShortCircuitRow: control.short_circuit,
    facts.AssignRow: rows.assign,
    facts.WildcardRow: rows.wildcard,
    facts.RangeRow: rows.range_,
    facts.CastRow: rows.cast,
    facts.TryRow: control.try_,
    facts.AwaitRow: closures.await_,
    facts.ReturnRow: control.return_,
    facts.BreakRow: control.break_,
    facts.ContinueRow: control.continue_,
    facts.YieldRow: rows.yield_,
    facts.TupleRow: rows.tuple_,
    facts.ArrayRow: rows.array,
    facts.RepeatRow: rows.repeat,
    facts.StructRow: rows.struct,
    facts.LetConditionRow: control.let_condition,
    facts.LetRow: control.let,
    facts.DiscardRow: rows.discard,
    facts.ItemRow: rows.item,
    facts.IfRow: control.if_,
    facts.MatchRow: control.match_,
    facts.LoopRow: loops.loop,
    facts.WhileRow: loops.while_,
    facts.ForRow: iterators.for_,
    facts.BlockRow: control.block,
    facts.ClosureRow: closures.closure,
    facts.AttributedRow: control.attributed,
    facts.UnknownRow: rows.unknown,
}


def lower(judged: Judged, tables: Tables, runs: Runs | None = None) -> Graph:
    """
    Find the control-flow graph of a judged function.

    Args:
        runs:
            Says when a function of the workspace runs the callable given as its
            argument number (the receiver is 0): always, later, ...; None where nobody asked.
    """
    return lower_in(judged, Context(tables, runs))


def lower_in(judged: Judged, context: Context) -> Graph:
    """
    The same, with what was asked before remembered.

    A closure that is made and that nobody here is seen to run (it is stored, or
    returned) may run from where it is made: then the body is walked once more.
    """
    count("functions lowered")
    walk, parameters = _walk(judged, context, frozenset())
    stray = frozenset(walk.created - walk.runs.keys())
    if stray:
        walk, parameters = _walk(judged, context, stray)
    return walk.graph(judged.function, parameters)


def _walk(judged: Judged, context: Context, stray: frozenset[int]) -> tuple[Walk, tuple[Place, ...]]:
    walk = Walk(judged, context, TABLE, stray)
    cursor = walk.begin()
    walk.scopes.append(Scope())
    walk.frames.append(Frame("function", 0, 0))
    parameters = _parameters(walk, cursor)
    ends = walk.close(walk.run_scoped(judged.body.root), _last(judged))
    finish(walk, ends)
    return walk, parameters


def _last(judged: Judged) -> int:
    root = judged.body.root
    return root.value if root.value is not None else max(root.end - 1, 0)


def _parameters(walk: Walk, cursor: Cursor) -> tuple[Place, ...]:
    """Bind the parameters; gives the place of each argument, the receiver first."""
    judged = walk.judged
    context = walk.context
    item = context.tables.functions[judged.function].item
    places: list[Place] = []
    locals_ = judged.locals
    if item.receiver is not None and locals_:
        root = Root("self", 0, "self", "", 0, context.nominal(locals_[0].type))
        places.append(Place(root))
        walk.fragile.add(root)
        walk.bindings[0] = Value(places[0], shared=context.is_borrowed(locals_[0].type))
    for parameter in item.parameters:
        number = len(places)
        plain = parameter.pattern if isinstance(parameter.pattern, facts.BindingPattern) else None
        local = None if plain is None else walk.parameter_local(plain.start)
        name = f"argument {number}" if plain is None else plain.name
        nominal = "" if local is None else context.nominal(locals_[local].type)
        place = Place(Root("parameter", number, name, "", 0, nominal))
        places.append(place)
        if local is not None:
            value = Value(place, shared=context.is_borrowed(locals_[local].type))
            if value.shared:
                walk.fragile.add(place.root)
            walk.bindings[local] = value
            if walk.owned(local):
                walk.scopes[-1].locals.append((local, value))
        else:
            bind_pattern(walk, -1, parameter.pattern, Value(place))
    return tuple(places)
