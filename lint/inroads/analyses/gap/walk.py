"""
Walks the rows of one method's body, in evaluation order, and gives each a value.

The rows of a closure are walked when the call that takes it is reached, so
that its parameters are known: in `self.inner.as_ref().map(|i| i.m(x))` the
`i` is the place `inner`.
"""

from __future__ import annotations

from inroads.analyses.gap.env import Environment
from inroads.analyses.gap.reading import (
    UNSEEN,
    ArmReading,
    Forward,
    Reading,
    Signature,
    built,
    calls_inside,
    fit_of,
    is_rewrapped,
    mirrors,
    named,
    past,
    variants_of,
)
from inroads.analyses.gap.values import (
    CONSTANT,
    NOWHERE,
    Built,
    Constant,
    Deferred,
    Made,
    Nowhere,
    Own,
    Place,
    Sent,
    Several,
    Value,
    join,
    leaves,
    mixed,
)
from inroads.analyses.gap.words import DIVERGING, DRESSES, DRESSING, ERRORS, KEEPING, PASSING_MACROS, SAME
from inroads.facts import Body, MacroRow, MethodCallRow, Region, Row, rows


def read(body: Body, signature: Signature) -> Reading:
    """Read a body. Each row is seen once; nesting is bounded by what extraction allows."""
    reader = _Walker(body.rows, signature)
    tail = reader.walk(body.root)
    reader.finish()
    if not isinstance(tail, Nowhere):
        reader.reading.exits.append(tail)
    reader.reading.exits.extend(reader.exits[0])
    return reader.reading


class _Walker(Environment):
    """One walk over a body, in evaluation order."""

    def __init__(self, all_rows: tuple[Row, ...], signature: Signature) -> None:
        super().__init__(signature.parameters)
        self.rows = all_rows
        self.signature = signature
        self.reading = Reading()
        self.values: dict[int, Value] = {}
        self.exits: list[list[Value]] = [[]]
        self.breaks: list[Value] = []
        self.deferred: dict[int, rows.ClosureRow] = {}
        self.loops = 0
        self.accessors: set[tuple[str, ...]] = set()

    def walk(self, region: Region) -> Value:
        at = region.start
        ended = False
        while at < region.end:
            row = self.rows[at]
            value = self.visit(at, row)
            self.values[at] = value
            if value is NOWHERE:
                ended = True
            at = past(at, row)
        if region.value is None:
            return NOWHERE if ended else CONSTANT
        value = self.values.get(region.value, CONSTANT)
        return NOWHERE if ended and not isinstance(value, Several | Sent | Place) else value

    def finish(self) -> None:
        """Read the closures that no call took; a call that led to no forward was made for its effect."""
        while self.deferred:
            row = min(self.deferred)
            self.run_closure(row, Made())
        ways = {one.steps[:length] for one in self.reading.forwards for length in range(len(one.steps) + 1)}
        if not self.accessors <= ways:
            self.reading.beside = True

    def value(self, row: int | None) -> Value:
        return CONSTANT if row is None else self.values.get(row, CONSTANT)

    def values_of(self, rows: tuple[int, ...]) -> tuple[Value, ...]:
        return tuple(self.value(row) for row in rows)

    # -- expressions ---------------------------------------------------------

    def visit(self, at: int, row: Row) -> Value:
        match row:
            case rows.PathRow():
                segments = row.path.segments
                if len(segments) == 1 and row.path.qself is None:
                    return self.names.get(segments[0].name, CONSTANT)
                return CONSTANT
            case rows.FieldRow():
                return self.field(row)
            case rows.AwaitRow():
                return Sent(mapped=True) if self.passes_on(row.operand) else self.value(row.operand)
            case rows.BorrowRow() | rows.CastRow():
                return self.value(row.operand)
            case rows.UnaryRow():
                return self.unary(row)
            case rows.TryRow():
                return self.question(row)
            case MethodCallRow():
                return self.method_call(at, row)
            case rows.CallRow():
                return self.call(at, row)
            case MacroRow():
                return self.macro(row)
            case rows.BinaryRow():
                return self.together((self.value(row.left), self.value(row.right)))
            case rows.IndexRow():
                base = self.value(row.base)
                return mixed((base, self.value(row.index)))
            case rows.RangeRow():
                return mixed((self.value(row.low), self.value(row.high)))
            case rows.TupleRow() | rows.ArrayRow():
                return built(self.values_of(row.elements))
            case rows.RepeatRow():
                return built((self.value(row.value),))
            case rows.StructRow():
                return self.struct(row)
            case rows.AssignRow():
                return self.assign(row)
            case rows.LetRow():
                return self.let(row)
            case rows.LetConditionRow():
                self.bind(row.pattern, self.value(row.value))
                return CONSTANT
            case rows.ReturnRow():
                self.exits[-1].append(self.value(row.value))
                return NOWHERE
            case rows.BreakRow():
                self.breaks.append(self.value(row.value))
                return NOWHERE
            case rows.ContinueRow():
                return NOWHERE
            case rows.IfRow():
                return self.if_(row)
            case rows.MatchRow():
                return self.match_(row)
            case rows.LoopRow() | rows.WhileRow() | rows.ForRow():
                return self.loop(row)
            case rows.ShortCircuitRow():
                return self.short_circuit(row)
            case rows.BlockRow():
                return self.block(row)
            case rows.AttributedRow():
                return self.walk(row.body)
            case rows.ClosureRow():
                self.deferred[at] = row
                return Deferred(at)
            case rows.DiscardRow():
                return NOWHERE if self.value(row.value) is NOWHERE else CONSTANT
            case rows.UnknownRow() | rows.YieldRow():
                self.reading.beside = True
                return Made(own=True)
            case _:
                return CONSTANT

    def field(self, row: rows.FieldRow) -> Value:
        base = self.value(row.base)
        match base:
            case Place():
                return Place((*base.steps, row.name))
            case Sent():
                return Made(sent=True)
            case _:
                return mixed((base,))

    def unary(self, row: rows.UnaryRow) -> Value:
        value = self.value(row.operand)
        if row.op == "*":
            if isinstance(value, Place) and all(step == "*" for step in value.steps):
                return Place((*value.steps, "*"))
            return value
        return mixed((value,))

    def question(self, row: rows.TryRow) -> Value:
        value = self.value(row.operand)
        self.reading.guarded |= not any(isinstance(leaf, Sent) for leaf in leaves(value))
        return value

    def struct(self, row: rows.StructRow) -> Value:
        parts = tuple(self.value(value) for _, value in row.fields)
        if any(isinstance(leaf, Sent) for part in parts for leaf in leaves(part)):
            return Sent(mapped=True)
        if row.base is not None:
            parts = (*parts, self.value(row.base))
        return built(parts)

    def assign(self, row: rows.AssignRow) -> Value:
        target = self.rows[row.target]
        value = self.value(row.value)
        if isinstance(target, rows.PathRow) and len(target.path.segments) == 1:
            name = target.path.segments[0].name
            if row.op == "=":
                self.names[name] = join((self.names.get(name, NOWHERE), value))
                return CONSTANT
            self.names[name] = mixed((self.names.get(name, CONSTANT), value))
        elif isinstance(self.value(row.target), Place):
            self.reading.beside = True
        return CONSTANT

    def let(self, row: rows.LetRow) -> Value:
        value = self.value(row.value)
        if row.otherwise is not None:
            self.reading.guarded = True
            self.walk(row.otherwise)
        self.bind(row.pattern, value)
        return NOWHERE if value is NOWHERE else CONSTANT

    # -- calls ---------------------------------------------------------------

    def method_call(self, at: int, row: MethodCallRow) -> Value:
        receiver = self.value(row.receiver)
        arguments = tuple(self.value(one) for one in row.arguments)
        results = [self.method_on(at, row, leaf, arguments) for leaf in leaves(receiver)]
        for argument in arguments:
            self.consume(argument, Made())
        return join(results)

    def method_on(self, at: int, row: MethodCallRow, receiver: Value, arguments: tuple[Value, ...]) -> Value:
        match receiver:
            case Place():
                return self.on_place(at, row, receiver, arguments)
            case Sent():
                return self.on_sent(row, receiver, arguments)
            case Own() if row.name in SAME and not arguments:
                return receiver
            case Built(parts=parts) if row.name in SAME | KEEPING and len(parts) == 1 and not arguments:
                return receiver
            case Deferred():
                self.consume(receiver, Made())
                return Made()
            case Constant() if row.name == self.signature.name and named(self.rows, row.receiver):
                # `System.alloc(layout)`: the inner value is a unit struct or a static.
                return self.forward(at, Place((named(self.rows, row.receiver),)), arguments, loose=False)
        ran = self.run_arguments(arguments, Made())
        if any(isinstance(leaf, Sent) for value in ran for leaf in leaves(value)):
            # `span.in_scope(|| self.inner.m(x))`, `timer.time(|| ..)`.
            self.reading.beside = True
            return Sent(mapped=False)
        if not isinstance(receiver, Constant) or any(not isinstance(one, Constant) for one in ran):
            self.reading.beside = True
        return mixed((receiver, *ran))

    def on_place(self, at: int, row: MethodCallRow, place: Place, arguments: tuple[Value, ...]) -> Value:
        name, signature = row.name, self.signature
        inside = self.is_inside(place)
        if inside and (name == signature.name or name == signature.name + "_impl"):
            if len(arguments) == len(signature.parameters) or name != signature.name or name not in SAME:
                return self.forward(at, place, arguments, loose=name != signature.name)
        if name in ("deref", "deref_mut") and not inside:
            return Place(("*",) * (1 + signature.borrowed))  # `self.deref()` is `&**self`.
        if name in SAME and (not arguments or name in ("expect", "unwrap_or_else")):
            for argument in arguments:
                self.consume(argument, Made())
            return place
        if name in ("map_unchecked_mut", "map_unchecked", "map_mut"):
            return join(self.run_arguments(arguments, place))
        if inside and arguments and fit_of(arguments, signature, loose=False) == "exact":
            self.reading.strays.append(Forward(place.steps, "exact", self.loops > 0, at, name))
        closures = any(isinstance(one, Deferred) for one in arguments)
        ran = self.run_arguments(arguments, place if inside else Place((*place.steps, f"{name}()")))
        if closures and any(isinstance(leaf, Sent) for value in ran for leaf in leaves(value)):
            # `self.inner.as_ref().map(|i| i.m(x))`, `self.state.with(|s| s.m(x))`.
            if any(not isinstance(leaf, Sent | Constant) for value in ran for leaf in leaves(value)):
                return mixed((*ran, place))
            self.reading.guarded = True
            return Sent(mapped=False)
        if not arguments:
            if inside and not signature.parameters:
                self.reading.strays.append(Forward(place.steps, "exact", self.loops > 0, at, name))
            accessor = (*place.steps, f"{name}()")
            self.accessors.add(accessor)
            return Place(accessor)
        self.reading.beside = True
        return mixed((place, *ran))

    def on_sent(self, row: MethodCallRow, sent: Sent, arguments: tuple[Value, ...]) -> Value:
        ran = self.run_arguments(arguments, Sent(mapped=True))
        if row.name in ERRORS and all(
            isinstance(leaf, Sent | Constant) for one in ran for leaf in leaves(one)
        ):
            # `.map_err(Into::into)`: the error in the wrapper's own dress, which a forward would wear as well.
            return sent
        if row.name in KEEPING or row.name in SAME:
            if row.name in ("map", "map_ok", "and_then", "or_else"):
                if all(isinstance(leaf, Sent | Constant) for value in ran for leaf in leaves(value)):
                    return Sent(mapped=True)
                if row.name != "or_else" and all(is_rewrapped(value) for value in ran):
                    return Sent(mapped=True)
                return mixed((Sent(), *ran))
            return Sent(mapped=bool(arguments))
        return self.together((Sent(), *ran)) if ran else mixed((Sent(),))

    def call(self, at: int, row: rows.CallRow) -> Value:
        callee = self.rows[row.callee]
        arguments = tuple(self.value(one) for one in row.arguments)
        if not isinstance(callee, rows.PathRow):
            for argument in arguments:
                self.consume(argument, Made())
            self.reading.beside = True
            return mixed((self.value(row.callee), *arguments))
        segments = [segment.name for segment in callee.path.segments]
        last = segments[-1]
        before = segments[-2] if len(segments) > 1 else ""
        if isinstance(self.names.get(last), Own) and not before:
            # `visit(self)`: the wrapper itself is shown to whoever called, not the inner value.
            self.reading.shown |= any(isinstance(one, Place) and not self.is_inside(one) for one in arguments)
        names = (self.signature.name, self.signature.name + "_impl")
        if last in names and arguments and (before or callee.path.qself is not None):
            receiver = arguments[0]
            places = [leaf for leaf in leaves(receiver) if isinstance(leaf, Place) and self.is_inside(leaf)]
            if isinstance(receiver, Constant) and named(self.rows, row.arguments[0]):
                places = [Place((named(self.rows, row.arguments[0]),))]
            if places:
                loose = last != self.signature.name
                return join([self.forward(at, place, arguments[1:], loose=loose) for place in places])
        if len(arguments) == 1 and (
            last in DRESSES or (before in DRESSES and last in DRESSING) or (before and last in SAME)
        ):
            return arguments[0]
        ran = self.run_arguments(arguments, Made())
        if any(isinstance(leaf, Sent) for value in ran for leaf in leaves(value)):
            closures = any(isinstance(one, Deferred) for one in arguments)
            if closures or last[:1].isupper() or before[:1].isupper():
                # `Wrapper::new(self.inner.m(x), state)`, `Stream(self.inner.m(x))`, `retry(|| self.inner.m(x))`.
                self.reading.beside = self.reading.beside or closures
                return Sent(mapped=not closures)
            return mixed(ran)
        if last[:1].isupper() or before[:1].isupper() or callee.path.qself is not None:
            return built(tuple(ran))
        self.reading.beside = True
        return mixed(ran)

    def macro(self, row: MacroRow) -> Value:
        name = row.path[-1] if row.path else ""
        before = len(self.reading.forwards)
        values = [self.walk(region) for region in row.regions]
        for value in values:
            self.consume(value, Made())
        if before == len(self.reading.forwards) and calls_inside(row.text, self.signature.name):
            self.reading.forwards.append(Forward(UNSEEN, "adapted", self.loops > 0, -1))
            return Sent(mapped=True)
        if name in DIVERGING:
            return NOWHERE
        if name in PASSING_MACROS and len(values) == 1:
            return values[0]
        captured = [self.names[one] for one in row.captured if one in self.names]
        if name not in ("format", "vec", "matches", "concat", "stringify", "format_args", "write", "anyhow"):
            self.reading.beside = True
        if name == "vec":
            return built(tuple(values))
        return mixed((*values, *captured))

    def forward(self, at: int, place: Place, arguments: tuple[Value, ...], *, loose: bool) -> Value:
        fit = fit_of(arguments, self.signature, loose=loose)
        self.reading.forwards.append(Forward(place.steps, fit, self.loops > 0, at))
        for argument in arguments:
            self.consume(argument, Made())
        return Sent()

    def is_inside(self, place: Place) -> bool:
        """Whether a place is something other than `self` under another name."""
        if self.signature.pointer:
            return True
        stars = 1 if self.signature.borrowed else 0
        return len(place.steps) > stars or any(step != "*" for step in place.steps)

    # -- closures and branches -------------------------------------------------

    def run_arguments(self, arguments: tuple[Value, ...], given: Value) -> list[Value]:
        return [self.consume(argument, given) for argument in arguments]

    def consume(self, value: Value, given: Value) -> Value:
        """What a closure among the values gives when it is run with `given`; any other value as it is."""
        if isinstance(value, Deferred):
            return self.run_closure(value.row, given)
        return value

    def run_closure(self, at: int, given: Value) -> Value:
        row = self.deferred.pop(at, None)
        if row is None:
            return CONSTANT
        for parameter in row.parameters:
            self.bind(parameter.pattern, given)
        return self.apart(row.body)

    def apart(self, region: Region) -> Value:
        """Walk a region whose `return` is its own."""
        self.exits.append([])
        tail = self.walk(region)
        return join((tail, *self.exits.pop()))

    def block(self, row: rows.BlockRow) -> Value:
        if row.kind.startswith(("async", "try", "gen")):
            return self.apart(row.body)
        if row.label is not None:
            depth = len(self.breaks)
            tail = self.walk(row.body)
            value = join((tail, *self.breaks[depth:]))
            del self.breaks[depth:]
            return value
        return self.walk(row.body)

    def short_circuit(self, row: rows.ShortCircuitRow) -> Value:
        return self.together((self.value(row.left), self.walk(row.right)))

    def together(self, values: tuple[Value, ...]) -> Value:
        """What several values make; the answers of several inner values make one answer."""
        return Sent(mapped=True) if all(isinstance(one, Sent) for one in values) else mixed(values)

    def passes_on(self, at: int) -> bool:
        """Whether an awaited call is given a forward that has not been awaited: `timeout(limit, self.inner.m(x))`."""
        match self.rows[at]:
            case rows.CallRow(arguments=arguments) | MethodCallRow(arguments=arguments):
                return any(
                    isinstance(self.value(one), Sent) and not isinstance(self.rows[one], rows.AwaitRow)
                    for one in arguments
                )
        return False

    def if_(self, row: rows.IfRow) -> Value:
        before = dict(self.names)
        self.walk(row.condition)
        then = self.walk(row.then)
        after = self.names
        self.names = dict(before)
        otherwise = self.walk(row.otherwise) if row.otherwise is not None else CONSTANT
        self.merge(before, [after, self.names])
        self.reading.guarded = True
        return join((then, otherwise))

    def match_(self, row: rows.MatchRow) -> Value:
        scrutinee = self.value(row.scrutinee)
        before = dict(self.names)
        ends: list[dict[str, Value]] = []
        given: list[Value] = []
        dispatches = isinstance(scrutinee, Place)
        for arm in row.arms:
            self.names = dict(before)
            forwards, strays = len(self.reading.forwards), len(self.reading.strays)
            self.bind(arm.pattern, scrutinee)
            if arm.guard is not None:
                self.walk(arm.guard)
            value = self.consume(self.walk(arm.body), Made())
            if isinstance(scrutinee, Sent) and isinstance(value, Constant) and mirrors(self.rows, arm):
                value = Sent(mapped=True)
            given.append(value)
            ends.append(self.names)
            if isinstance(scrutinee, Place):
                self.reading.arms.append(
                    ArmReading(
                        scrutinee.steps,
                        variants_of(arm.pattern),
                        arm.guard is not None,
                        tuple(self.reading.forwards[forwards:]),
                        tuple(self.reading.strays[strays:]),
                        value,
                        arm.start,
                    )
                )
        self.merge(before, ends)
        if not dispatches:
            self.reading.guarded = True
        return join(given)

    def loop(self, row: rows.LoopRow | rows.WhileRow | rows.ForRow) -> Value:
        depth = len(self.breaks)
        self.loops += 1
        if isinstance(row, rows.WhileRow):
            self.walk(row.condition)
        elif isinstance(row, rows.ForRow):
            self.bind(row.pattern, self.value(row.iterable))
        self.walk(row.body)
        self.loops -= 1
        value = join(self.breaks[depth:]) if isinstance(row, rows.LoopRow) else CONSTANT
        del self.breaks[depth:]
        return value
