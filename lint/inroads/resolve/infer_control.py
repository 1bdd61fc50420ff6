"""Rows that govern control: `let`, `if`, `match`, loops, blocks, closures, and what leaves them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inroads.facts import (
    AttributedRow,
    BlockRow,
    BreakRow,
    ClosureRow,
    ContinueRow,
    DiscardRow,
    ForRow,
    IfRow,
    LetConditionRow,
    LetRow,
    LoopRow,
    MatchRow,
    ReturnRow,
    Row,
    ShortCircuitRow,
    WhileRow,
)
from inroads.resolve.infer_operators import item_of
from inroads.resolve.infer_patterns import bind
from inroads.resolve.inferring import ClosureState, Inferring, Label
from inroads.resolve.infos import FUTURE
from inroads.resolve.types import NEVER, UNIT, Bound, Never, Opaque, Primitive, Type, Variable
from inroads.resolve.walking import flush, in_frame, join, walk_region


def _let(body: Inferring, at: int, row: LetRow) -> Type:
    if row.otherwise is not None:
        in_frame(body, row.otherwise)
    type_ = body.fresh() if row.value is None else body.types[row.value]
    if row.type is not None:
        want = body.solver.normal(body.scope.type(row.type))
        body.coerce(type_, want)
        type_ = want
    flush(body, body.statement_mark())
    bind(body, row.pattern, type_, at)
    return UNIT


def _let_condition(body: Inferring, at: int, row: LetConditionRow) -> Type:
    bind(body, row.pattern, body.types[row.value], at)
    return Primitive("bool")


def _discard(body: Inferring, at: int, row: DiscardRow) -> Type:
    flush(body, body.statement_mark())
    return NEVER if isinstance(body.types[row.value], Never) else UNIT


def _short_circuit(body: Inferring, at: int, row: ShortCircuitRow) -> Type:
    walk_region(body, row.right)
    return Primitive("bool")


def _if(body: Inferring, at: int, row: IfRow) -> Type:
    outer = body.enter()
    walk_region(body, row.condition)
    then = in_frame(body, row.then)
    body.frame = outer
    if row.otherwise is None:
        return UNIT
    return join(body, [then, in_frame(body, row.otherwise)])


def _match(body: Inferring, at: int, row: MatchRow) -> Type:
    scrutinee = body.types[row.scrutinee]
    found: list[Type] = []
    for arm in row.arms:
        outer = body.enter()
        bind(body, arm.pattern, scrutinee, at)
        if arm.guard is not None:
            walk_region(body, arm.guard)
        found.append(in_frame(body, arm.body))
        body.frame = outer
    return join(body, found)


def _loop(body: Inferring, at: int, row: LoopRow) -> Type:
    label = Label(row.label, body.fresh(), True)
    body.labels.append(label)
    in_frame(body, row.body)
    body.labels.pop()
    if not label.left:
        return NEVER
    body.trial(label.value, UNIT) if isinstance(body.unifier.shallow(label.value), Variable) else None
    return label.value


def _while(body: Inferring, at: int, row: WhileRow) -> Type:
    outer = body.enter()
    walk_region(body, row.condition)
    body.labels.append(Label(row.label, UNIT, True))
    in_frame(body, row.body)
    body.labels.pop()
    body.frame = outer
    return UNIT


def _for(body: Inferring, at: int, row: ForRow) -> Type:
    item = item_of(body, at, body.types[row.iterable])
    outer = body.enter()
    bind(body, row.pattern, item, at)
    body.labels.append(Label(row.label, UNIT, True))
    in_frame(body, row.body)
    body.labels.pop()
    body.frame = outer
    return UNIT


def _block(body: Inferring, at: int, row: BlockRow) -> Type:
    if row.kind == "expansion":
        return walk_region(body, row.body)
    if row.kind.startswith("async"):
        output = body.fresh()
        body.returns.append(output)
        labels, body.labels = body.labels, []
        found = in_frame(body, row.body)
        body.coerce(found, output)
        body.labels = labels
        body.returns.pop()
        return Opaque((Bound(FUTURE, None, (), (("Output", output),)),))
    if row.label is not None:
        label = Label(row.label, body.fresh(), False)
        body.labels.append(label)
        found = in_frame(body, row.body)
        body.labels.pop()
        return join(body, [found, label.value]) if label.left else found
    return in_frame(body, row.body)


def _closure(body: Inferring, at: int, row: ClosureRow) -> Type:
    parameters = tuple(
        body.fresh() if one.type is None else body.solver.normal(body.scope.type(one.type))
        for one in row.parameters
    )
    inner: Type = body.fresh() if row.returns is None else body.solver.normal(body.scope.type(row.returns))
    returns: Type = inner
    if row.is_async:
        returns = Opaque((Bound(FUTURE, None, (), (("Output", inner),)),))
    body.closures[at] = ClosureState(at, row, body.frame, parameters, returns, inner)
    body.open_closures.append(at)
    return body.closure_type(at)


def _attributed(body: Inferring, at: int, row: AttributedRow) -> Type:
    return walk_region(body, row.body)


def _return(body: Inferring, at: int, row: ReturnRow) -> Type:
    if row.value is not None:
        body.coerce(body.types[row.value], body.returns[-1])
    return NEVER


def _break(body: Inferring, at: int, row: BreakRow) -> Type:
    for label in reversed(body.labels):
        if (row.label is None and label.loop) or (row.label is not None and row.label == label.name):
            if row.value is not None:
                body.coerce(body.types[row.value], label.value)
            label.left = True
            break
    return NEVER


def _never(body: Inferring, at: int, row: Row) -> Type:
    return NEVER


CONTROL: dict[type, Callable[[Inferring, int, Any], Type]] = {
    LetRow: _let,
    LetConditionRow: _let_condition,
    DiscardRow: _discard,
    ShortCircuitRow: _short_circuit,
    IfRow: _if,
    MatchRow: _match,
    LoopRow: _loop,
    WhileRow: _while,
    ForRow: _for,
    BlockRow: _block,
    ClosureRow: _closure,
    AttributedRow: _attributed,
    ReturnRow: _return,
    BreakRow: _break,
    ContinueRow: _never,
}
