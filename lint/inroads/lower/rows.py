"""Rows that branch nowhere: literals, names, fields, operators, literals of structs and tuples, assignments."""

from __future__ import annotations

import re

from inroads.facts import (
    ArrayRow,
    AssignRow,
    BinaryRow,
    BorrowRow,
    CastRow,
    DiscardRow,
    FieldRow,
    IndexRow,
    ItemRow,
    LiteralRow,
    PathRow,
    RangeRow,
    RepeatRow,
    StructRow,
    TupleRow,
    UnaryRow,
    UnknownRow,
    WildcardRow,
    YieldRow,
)
from inroads.lower.conditions import compare
from inroads.lower.model import (
    Build,
    Call,
    Element,
    Field,
    Gather,
    Is,
    Length,
    Mode,
    Part,
    Place,
    Read,
    Root,
    Truth,
    Turn,
    Write,
)
from inroads.lower.places import extend
from inroads.lower.values import FALSE, TRUE, UNIT, Value, at_place, replace
from inroads.lower.walk import Walk
from inroads.resolve.types import Adt

NONE_PATH = "std::option::Option::None"
_SUFFIX = re.compile(r"_?(?:[iu](?:8|16|32|64|128|size)|f32|f64)$")


def constant(text: str, name: str = "") -> Place:
    """The place of a constant."""
    return Place(Root("constant", 0, name or text, text))


def literal(walk: Walk, at: int, row: LiteralRow) -> None:
    """`5_u32`: a constant; `true` and `false` are known where they are tested."""
    if row.kind == "bool":
        walk.values[at] = TRUE if row.text == "true" else FALSE
    else:
        text = row.text
        if row.kind in ("int", "float"):
            text = _SUFFIX.sub("", text).replace("_", "")
        walk.values[at] = Value(constant(text))


def path(walk: Walk, at: int, row: PathRow) -> None:
    """`x`: the local's value. `RECORDER`: a static, and a use of it. `None`: a value that is known."""
    local = walk.judged.uses.get(at)
    if local is not None:
        walk.values[at] = walk.local_value(local)
        return
    resolved = walk.judged.paths.get(at, "")
    name = row.path.segments[-1].name if row.path.segments else ""
    if resolved == NONE_PATH or (not resolved and name == "None" and len(row.path.segments) == 1):
        walk.values[at] = Value(constant(NONE_PATH, "None"), known="none")
    elif at in walk.judged.calls:
        walk.values[at] = Value(constant(resolved or name, name), callable=at)
    elif not resolved:
        walk.values[at] = Value(Place(Root("static", 0, name, "::".join(s.name for s in row.path.segments))))
    elif walk.context.is_static(resolved):
        place = Place(Root("static", 0, name, resolved, 0, walk.context.nominal(walk.judged.types[at])))
        walk.values[at] = Value(place, shared=True)
        if at not in walk.scan.bases:
            walk.emit(Read(at, place))
    elif walk.context.is_struct(resolved):
        unit(walk, at, resolved, walk.made(at, "", resolved))
    else:
        # A variant or tuple struct named as a function may be called later; a unit variant is a value.
        place = constant(resolved, name)
        if walk.context.is_variant(resolved) and at not in walk.judged.calls:
            unit(walk, at, resolved, place)
        else:
            walk.values[at] = Value(place)


def unit(walk: Walk, at: int, resolved: str, place: Place) -> None:
    """`Tidy`, `Kind::Three`: a value without fields is made; a variant with fields is named as a function."""
    of = walk.judged.types[at]
    if at not in walk.scan.callees and isinstance(of, Adt) and of.definition is not None:
        walk.emit(Build(at, resolved, (), None, place))
    walk.values[at] = Value(place, callable=at)


def field(walk: Walk, at: int, row: FieldRow) -> None:
    """`base.name`: a step into the base's place, and a use of it unless a longer path follows."""
    types = walk.judged.types
    base = walk.value(row.base)
    value = walk.field(base, row.name, walk.context.nominal(types[row.base]), walk.context.nominal(types[at]))
    walk.values[at] = value
    if at not in walk.scan.bases and value.place.root.kind != "constant":
        walk.emit(Read(at, value.place))


def index(walk: Walk, at: int, row: IndexRow) -> None:
    """`xs[0]`: an element. `xs[1..]`: a part; `xs[..]`: all of it."""
    base = walk.value(row.base)
    key = walk.rows[row.index]
    operator(walk, at, (row.base, row.index))
    match key:
        case RangeRow(low=None, high=None):
            walk.values[at] = base
        case RangeRow():
            walk.values[at] = Value(extend(base.place, Part(at, walk.instance)), shared=base.shared)
        case LiteralRow(kind="int", text=text) if (
            base.elements and text.isdigit() and int(text) < len(base.elements)
        ):
            walk.values[at] = base.elements[int(text)]
        case _:
            index_value = walk.value(row.index)
            step: Element | Turn = element(index_value)
            if index_value.index_of is not None:
                collection, turn = index_value.index_of
                step = turn if turn is not None and collection == base.place else step
            place = extend(base.place, step)
            walk.values[at] = Value(place, shared=base.shared)
    if at not in walk.scan.bases:
        walk.emit(Read(at, walk.values[at].place))


def element(key: Value) -> Element:
    """The step to the element at this index or key."""
    root = key.place.root
    return Element(root.path if root.kind == "constant" and not key.place.steps else key.place)


def operator(walk: Walk, at: int, operands: tuple[int, ...]) -> None:
    """An overloaded operator is a call."""
    call = walk.judged.calls.get(at)
    if call is not None:
        places = tuple(walk.value(operand).place for operand in operands)
        modes: tuple[Mode, ...] = tuple("ref" for _ in operands)
        walk.emit(Call(at, call, places, modes, walk.made(at)))


def unary(walk: Walk, at: int, row: UnaryRow) -> None:
    """`*x` is looked through; `!x` turns the sides of a test around."""
    if row.op == "*":
        operator(walk, at, (row.operand,))
        walk.relay(at, row.operand)
        value = walk.values.get(at)
        if value is not None and value.holds:
            # What a guard guards, not the guard.
            walk.values[at] = replace(value, holds=())
    elif row.op == "!" and not walk.context.is_number(walk.judged.types[row.operand]):
        ends = walk.take(row.operand)
        walk.spread(at, [(cursor, negated(value)) for cursor, value in ends])
    else:
        operator(walk, at, (row.operand,))
        operand = walk.value(row.operand)
        root = operand.place.root
        if row.op == "-" and root.kind == "constant" and not operand.place.steps:
            walk.values[at] = Value(constant("-" + root.path))
        else:
            walk.values[at] = Value(walk.made(at))


def negated(value: Value) -> Value:
    """The bool that is true where this one is false."""
    match value.known:
        case "true":
            return FALSE
        case "false":
            return TRUE
        case _:
            pass
    condition, side = value.test if value.test is not None else (Truth(value.place), True)
    return Value(value.place, test=(condition, not side))


def borrow(walk: Walk, at: int, row: BorrowRow) -> None:
    """`&x` is looked through; what `&mut x` is handed to may change what was known of x."""
    if row.mutable:
        local = walk.scan.root_local(row.operand)
        if local is not None and not walk.dead:
            walk.value(row.operand)
            walk.forget(local)
    walk.relay(at, row.operand)
    if not row.mutable:
        return
    value = walk.value(at)
    if not value.shared:
        walk.values[at] = replace(value, shared=True, known=None, test=None)


def binary(walk: Walk, at: int, row: BinaryRow) -> None:
    """`a == b`: a test, told when it decides a branch. Arithmetic makes a new value."""
    operator(walk, at, (row.left, row.right))
    left, right = walk.value(row.left), walk.value(row.right)
    test = compare(row.op, left.place, right.place)
    if test is not None and left.known in ("true", "false") and row.op in ("==", "!="):
        left, right = right, left
    if test is not None and right.known in ("true", "false") and row.op in ("==", "!="):
        same = (right.known == "true") == (row.op == "==")
        walk.values[at] = left if same else negated(left)
    else:
        walk.values[at] = Value(walk.made(at), test=test)


def cast(walk: Walk, at: int, row: CastRow) -> None:
    """`x as u64`: the same key."""
    walk.relay(at, row.operand)


def tuple_(walk: Walk, at: int, row: TupleRow) -> None:
    """`(a, b)`: its elements are known by their own places."""
    if not row.elements:
        walk.values[at] = UNIT
        return
    elements = tuple(walk.consume(element, None, at) for element in row.elements)
    holds = tuple(sorted({hold for value in elements for hold in value.holds}))
    several(walk, at, "()", elements)
    walk.values[at] = Value(walk.made(at), elements=elements, holds=holds)


def several(walk: Walk, at: int, path: str, elements: tuple[Value, ...]) -> None:
    """Tell of a tuple, or an array of several, what its elements are."""
    if any(value.place.root.kind != "constant" for value in elements):
        fields = tuple((str(number), value.place) for number, value in enumerate(elements))
        walk.emit(Build(at, path, fields, None, walk.made(at)))


def array(walk: Walk, at: int, row: ArrayRow) -> None:
    """`[x]`: a collection whose one element is x. Of a longer one the elements are known by index."""
    elements = tuple(walk.consume(element, None, at) for element in row.elements)
    if len(elements) == 1:
        walk.values[at] = Value(
            extend(elements[0].place, Gather()), elements=elements, holds=elements[0].holds
        )
    else:
        several(walk, at, "[]", elements)
        walk.values[at] = Value(walk.made(at), elements=elements)


def repeat(walk: Walk, at: int, row: RepeatRow) -> None:
    """`[x; n]`: every element is x."""
    value = walk.consume(row.value, None, at)
    walk.values[at] = Value(extend(value.place, Gather()))


def range_(walk: Walk, at: int, row: RangeRow) -> None:
    """`a..b`: a new value; `0..xs.len()` are the indices of xs."""
    index_of = None
    if row.low is not None and row.high is not None:
        low, high = walk.value(row.low).place, walk.value(row.high).place
        if (low.root.kind, low.root.path) == ("constant", "0"):
            if high.steps and isinstance(high.steps[-1], Length) and not row.inclusive:
                index_of = (Place(high.root, high.steps[:-1]), None)
    walk.values[at] = Value(walk.made(at), index_of=index_of)


def struct(walk: Walk, at: int, row: StructRow) -> None:
    """`Config { count, ..base }`: a Build; its fields are known by their own places."""
    fields = [(name, walk.consume(value, "build", at)) for name, value in row.fields]
    base = None if row.base is None else walk.value(row.base).place
    resolved = walk.judged.paths.get(at) or "::".join(segment.name for segment in row.path.segments)
    build(walk, at, resolved, fields, base)


def build(walk: Walk, at: int, resolved: str, fields: list[tuple[str, Value]], base: Place | None) -> None:
    """Tell that a struct, variant or tuple struct is made."""
    made = walk.made(at, "", walk.context.nominal(walk.judged.types[at]))
    walk.emit(Build(at, resolved, tuple((name, value.place) for name, value in fields), base, made))
    holds = tuple(sorted({hold for _, value in fields for hold in value.holds}))
    walk.values[at] = Value(made, fields=dict(fields), holds=holds)
    cursor = walk.cursor
    if cursor is not None and walk.context.is_variant(resolved):
        cursor.facts[Is(made, resolved)] = True


def assign(walk: Walk, at: int, row: AssignRow) -> None:
    """`p.id = x`: a Write; `p.id` is a new place from here on. `x += 1` makes a new value of x."""
    if row.op != "=":
        operator(walk, at, (row.target, row.value))
    target = walk.rows[row.target]
    if isinstance(target, WildcardRow):
        # `_ = guard()` keeps nothing: what it made ends with the statement.
        walk.value(row.value)
        walk.values[at] = UNIT
        return
    value = walk.consume(row.value, None if isinstance(target, PathRow) else "unknown", at)
    write(walk, at, row.target, value if row.op == "=" else None, row.op)
    walk.values[at] = UNIT


def write(walk: Walk, at: int, target: int, value: Value | None, op: str) -> None:
    """Write to the place that the row names; None where the value is not known."""
    row = walk.rows[target]
    match row:
        case PathRow():
            local = walk.judged.uses.get(target)
            if local is not None:
                given = value if value is not None else Value(walk.made(at))
                walk.rebind(local, given, at, op)
                return
        case FieldRow(base=base, name=name):
            types = walk.judged.types
            owner, nominal = walk.context.nominal(types[base]), walk.context.nominal(types[target])
            walk.write_field(walk.value(base), Field(name, "", 0, owner, nominal), value, at, op)
            return
        case TupleRow(elements=elements):
            parts = [
                value.elements[number] if value is not None and value.elements else None
                for number in range(len(elements))
            ]
            if all(part is not None for part in parts):
                parts = [_aside(walk, at, number, part) for number, part in enumerate(parts)]
            for element, part in zip(elements, parts, strict=True):
                write(walk, at, element, part, op)
            return
        case WildcardRow():
            return
        case UnaryRow(op="*", operand=operand):
            through = walk.value(operand).place
            if through.steps and isinstance(through.steps[-1], Field):
                last = through.steps[-1]
                base_value = Value(Place(through.root, through.steps[:-1]))
                walk.write_field(base_value, last, value, at, op)
                return
            local = walk.judged.uses.get(operand)
            if local is not None:
                given = value if value is not None else Value(walk.made(at))
                walk.rebind(local, replace(given, shared=True), at, op if op != "=" else "*=")
                return
        case _:
            pass
    place = walk.value(target).place
    if value is None:
        walk.emit(Write(at, place, place, None, None, None, op))
    else:
        walk.emit(Write(at, place, place, value.place, value.known, value.test, op))


def _aside(walk: Walk, at: int, number: int, value: Value | None) -> Value | None:
    """``(a, b) = (b, a)``: each value is there before the first of them is written."""
    if value is None or value.place.root.kind == "constant":
        return value
    place = extend(walk.made(at), Field(str(number)))
    walk.emit(Write(at, place, None, value.place, value.known, value.test, "join"))
    return at_place(value, place)


def discard(walk: Walk, at: int, row: DiscardRow) -> None:
    """`f();`: the value ends with the statement."""
    ends = walk.take(row.value)
    for _, value in ends:
        if value.future is not None:
            # Nobody awaits it: it never runs.
            walk.created.discard(value.future.row)
    walk.cursor = walk.join(at, [cursor for cursor, _ in ends])
    walk.values[at] = UNIT
    walk.flush(at)


def item(walk: Walk, at: int, row: ItemRow) -> None:
    """An item declared inside: nothing happens."""
    walk.values[at] = UNIT


def wildcard(walk: Walk, at: int, row: WildcardRow) -> None:
    """`_ = ..`: names nothing."""
    walk.values[at] = UNIT


def yield_(walk: Walk, at: int, row: YieldRow) -> None:
    """`yield x`: the value goes out, control comes back."""
    if row.value is not None:
        walk.consume(row.value, "return", at)
    walk.values[at] = Value(walk.made(at))


def unknown(walk: Walk, at: int, row: UnknownRow) -> None:
    """What could not be read: a value of which nothing is known."""
    walk.values[at] = Value(walk.made(at))
