"""What sort of call lost its error: what it does, what it can fail with, and how often in how many ways."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.callee import call_functions, call_name, call_paths, owner_of
from inroads.analyses.swallow.shapes import Shape, error_type, is_result, referent, shapes_of
from inroads.analyses.swallow.uses import enclosing
from inroads.analyses.swallow.values import leaves, sort_of
from inroads.analyses.swallow.words import (
    ADVISORY,
    CHANGES,
    INFALLIBLE,
    INFALLIBLE_CRATES,
    IO_CRATES,
    LOCKS,
    LOOKUPS,
    MACHINE_CRATES,
    OWN_LOOKUPS,
    RECEIVES,
    REMOVES,
    SENDS,
    SINGLE_ERRORS,
)
from inroads.facts import (
    AwaitRow,
    CallRow,
    FieldRow,
    ForRow,
    IfRow,
    LoopRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    PathRow,
    ReturnRow,
    StructItem,
    TryRow,
    TupleType,
    WhileRow,
)
from inroads.resolve.types import Adt, Dyn, Generic, Opaque, Primitive, Reference, Tuple, Type, Unknown

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.world import World


class Failures(msgspec.Struct, frozen=True):
    """
    How a function of the workspace can fail.

    Args:
        points: Places at which an error is made or comes in, at most as far as looked.
        sources: own, none, send, poison, io, removal, advice, machine, conversion, serialising, foreign, unknown.
        half_way: Whether an error can come after a change.
        succeeds: Whether it has an `Ok(..)` of its own: who always fails guards nothing.
        acts: Whether a call from outside that can fail in it changes something.
    """

    points: int
    sources: frozenset[str]
    half_way: bool = False
    succeeds: bool = False
    acts: bool = False


class Nature:
    """
    What sort of call stands at a row; found out as far as somebody asks, since the bodies of what is called tell it.

    Args:
        error: The type of its error, None if not known.
    """

    def __init__(self, world: World, f: Follower, at: int, shape: Shape) -> None:
        self._world = world
        self._shape = shape
        self._type = world.type_at(f.judged, at)
        self.name: str = call_name(f.judged, at)
        self.paths: tuple[str, ...] = call_paths(f.judged, at)
        self.functions: tuple[int, ...] = call_functions(f.judged, at)
        self.error: Type | None = error_type(self._type, shape)

    @cached_property
    def failures(self) -> Failures | None:
        """How it can fail, where it is one function of the workspace."""
        return failures_of(self._world, self.functions[0]) if len(self.functions) == 1 else None

    @cached_property
    def io(self) -> bool:
        """Whether disk, network or another process are met."""
        if any(path.startswith(IO_CRATES) for path in self.paths) or is_io_error(self.error):
            return True
        return self.failures is not None and not self.failures.sources.isdisjoint(("io", "removal"))

    @cached_property
    def unit(self) -> bool:
        """Whether its success carries nothing, so that only its error is of interest."""
        return is_unit(self._type, self._shape)

    @cached_property
    def changes(self) -> bool:
        """Whether it changes state (`&mut self`, writes, commits)."""
        if not self.functions:
            return changes_state(self.name)
        return own_changes(self._world, self.functions, self.failures, self._is_mutable, self.unit)

    @cached_property
    def lookup(self) -> bool:
        """Whether it only looks something up or converts it."""
        if any(path.startswith(MACHINE_CRATES) for path in self.paths):
            return True
        if not self.functions:
            return LOOKUPS.match(self.name) is not None
        failures = self.failures
        if failures is not None and "machine" in failures.sources <= MILD_SOURCES:
            return True
        return self._is_asking and (
            OWN_LOOKUPS.match(self.name) is not None
            or is_conversion(self._world, self.functions)
            or is_search(failures)
            or is_tested_constructor(self._world, self.functions, self._type, failures)
        )

    @cached_property
    def converts(self) -> bool:
        """Whether it only turns one value into another, by its own body."""
        failures = self.failures
        return (
            self._is_asking
            and failures is not None
            and "conversion" in failures.sources <= {"conversion", "none", "own"}
        )

    @cached_property
    def single(self) -> bool:
        """Whether its error's type has one meaning only."""
        return is_single(self._world, self.error)

    @cached_property
    def guard(self) -> bool:
        """Whether it fails at one place of its own only, so that its error has one meaning today."""
        failures = self.failures
        return (
            failures is not None
            and failures.succeeds
            and failures.points == 1
            and failures.sources <= {"own", "none"}
        )

    @cached_property
    def _is_mutable(self) -> bool:
        functions = self._world.program.tables.functions
        return any(functions[one].item.receiver == "mut" for one in self.functions)

    @property
    def _is_asking(self) -> bool:
        """Whether functions of the workspace are asked that can change nothing, and meet nothing outside."""
        return bool(self.functions) and not self._is_mutable and not self.io


CONVERSIONS = ("std::str::FromStr", "std::convert::TryFrom", "std::convert::TryInto")


def is_tested_constructor(
    world: World, functions: tuple[int, ...], type_: Type, failures: Failures | None
) -> bool:
    """Whether a function makes a value of its own type, and fails only by its own tests of what it is given."""
    if len(functions) != 1 or failures is None or not failures.sources <= {"own", "none", "conversion"}:
        return False
    function = world.program.tables.functions[functions[0]]
    if function.impl is None or function.item.receiver is not None or not failures.points:
        return False
    made = type_.arguments[0] if isinstance(type_, Adt) and is_result(type_) and type_.arguments else None
    return isinstance(made, Adt) and made.path == owner_of(function)


def is_conversion(world: World, functions: tuple[int, ...]) -> bool:
    """Whether functions of the workspace turn one value into another and can't for some: by a trait of std."""
    tables = world.program.tables
    impls = [tables.functions[one].impl for one in functions]
    return bool(impls) and all(
        one is not None and tables.impls[one].trait_path.endswith(CONVERSIONS) for one in impls
    )


MILD_SOURCES = frozenset({"machine", "conversion", "none"})


def is_search(failures: Failures | None) -> bool:
    """Whether a function fails only where it finds nothing: `self.map.get(key).ok_or(Missing)`."""
    return failures is not None and "none" in failures.sources <= {"none", "conversion"}


def changes_state(name: str) -> bool:
    """Whether a call from outside changes something that outlives it, told by its name."""
    return CHANGES.match(name) is not None


def own_changes(
    world: World, functions: tuple[int, ...], failures: Failures | None, mutable: bool, unit: bool
) -> bool:
    """
    Whether functions of the workspace change something that outlives them: told by what their bodies do,
    not by what they are called. One that can't change what it is called on and returns a value is asked for that.
    """
    if not (mutable or unit):
        return False
    if failures is not None and failures.acts:
        return True
    effects = world.effects(functions)
    return effects.writes or effects.replies or effects.unknown


def is_unit(type_: Type, shape: Shape) -> bool:
    """Whether the success beside the error at a shape is `()`."""
    for letter in shape:
        if letter == "R":
            break
        inner = shapes_of(type_)
        del inner
        match type_:
            case Adt(arguments=arguments) if arguments:
                type_ = arguments[-1] if letter == "H" else arguments[0]
            case Opaque(bounds=bounds) | Dyn(bounds=bounds):
                values = [
                    value for bound in bounds for key, value in bound.bindings if key in ("Output", "Item")
                ]
                if not values:
                    return False
                type_ = values[0]
            case _:
                return False
    if isinstance(type_, Adt) and is_result(type_) and type_.arguments:
        return type_.arguments[0] == Tuple(())
    return False


def is_io_error(error: Type | None) -> bool:
    """Whether an error tells of the world outside: `std::io::Error` and what wraps it."""
    if error is None:
        return False
    inner = referent(error)
    return isinstance(inner, Adt) and inner.path in (
        "std::io::Error",
        "reqwest::Error",
        "sqlx::Error",
        "rusqlite::Error",
    )


def is_single(world: World, error: Type | None) -> bool:
    """Whether an error type has one meaning: an empty struct, an enum of one variant, one of std's that says it all."""
    match error:
        case Tuple(elements=()):
            return True
        case Adt(path=path, definition=None):
            return path.rpartition("::")[2] in SINGLE_ERRORS or path == "std::fmt::Error"
        case Adt(definition=definition) if definition is not None:
            found = world.program.tables.types[definition]
            item = world.program.tables.sources[found.source].facts.items[found.item_index]
            if isinstance(item, StructItem):
                return all(one.type == TupleType() for one in item.fields)
            variants = getattr(item, "variants", None)
            return variants is not None and len(variants) <= 1 and not any(one.fields for one in variants)
    return False


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
        case CallRow() if call_name(f.judged, at) == "Err":
            yield "own"
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


def is_handed_on(f: Follower, at: int) -> bool:
    """Whether a value that a function gives is a Result made elsewhere, not an `Ok(..)` or `Err(..)` of its own."""
    if sort_of(f.judged, at) in ("ok", "err") and call_name(f.judged, at) in ("Ok", "Err"):
        return False
    return bool(shapes_of(f.judged.types[at]))


def source_words(world: World, f: Follower, at: int) -> Iterator[str]:
    """Where the error of a value comes from, through the methods between."""
    for _ in range(len(f.rows)):
        row = f.rows[at]
        name = call_name(f.judged, at)
        functions = call_functions(f.judged, at)
        if functions:
            inner = failures_of(world, functions[0])
            if inner is None:
                yield "unknown"
            else:
                yield from sorted(inner.sources) or ["own"]
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
                if name in methods.KEEPS_ERROR or name in methods.SAME or name == "map_err":
                    at = receiver
                    continue
        break
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


def converts(world: World, f: Follower, at: int) -> bool:
    """Whether a call of std only turns a value into another: `text.parse::<f64>()`, `u8::try_from(n)`."""
    paths = call_paths(f.judged, at)
    if not any(path.startswith(("std::", "str::", "core::")) for path in paths) or not LOOKUPS.match(
        call_name(f.judged, at)
    ):
        return False
    error = error_type(world.type_at(f.judged, at), ("R",))
    return not is_io_error(error) and not any(path.startswith(IO_CRATES) for path in paths)


def is_serialising(name: str, paths: tuple[str, ...]) -> bool:
    """Whether a call serialises what derives it, which fails only where memory does."""
    return name in INFALLIBLE and any(path.startswith(INFALLIBLE_CRATES) for path in paths)


def receiver_type(f: Follower, at: int) -> Type:
    """The type of what a method is called on, behind references; Unknown for other calls."""
    row = f.rows[at]
    return referent(f.judged.types[row.receiver]) if isinstance(row, MethodCallRow) else Unknown()


def type_name(type_: Type) -> str:
    """The last segment of a type's path, empty where it has none."""
    match type_:
        case Adt(path=path):
            return path.rpartition("::")[2]
        case Dyn(bounds=bounds) | Opaque(bounds=bounds) if bounds:
            return bounds[0].path.rpartition("::")[2]
        case Primitive(name=name) | Generic(name=name):
            return name
        case Reference(inner=inner):
            return type_name(inner)
    return ""


def is_send(world: World, f: Follower, at: int) -> bool:
    """Whether a call sends on a channel, whose only failure is that nobody listens."""
    name = call_name(f.judged, at)
    type_ = world.type_at(f.judged, at)
    error = next(
        (found for shape in shapes_of(type_) if (found := error_type(type_, shape)) is not None), None
    )
    if (
        type_name(error) in ("SendError", "TrySendError", "SendTimeoutError", "Closed")
        if error is not None
        else False
    ):
        return True
    owner = type_name(receiver_type(f, at))
    if name in ("fail", "success") and owner.endswith("Sink"):
        # The answer to a remote call, whose caller is gone.
        return True
    if name not in SENDS:
        return False
    if owner or call_functions(f.judged, at):
        return owner.endswith(("Sender", "Tx", "SenderSink", "Producer", "Addr", "Recipient"))
    return looks_like_channel(f, at)


def looks_like_channel(f: Follower, at: int) -> bool:
    """Whether the name of a receiver of unknown type is a sender's: `tx`, `reply_to`, `sender`."""
    row = f.rows[at]
    if not isinstance(row, MethodCallRow):
        return False
    base = f.rows[row.receiver]
    name = ""
    match base:
        case PathRow(path=path):
            name = path.segments[-1].name if path.segments else ""
        case FieldRow(name=field_name):
            name = field_name
    return (
        re.search(
            r"(^|_)(tx|sender|send|reply|resp|notify|done|ack|callback|chan|channel|events?)($|_|\d)", name
        )
        is not None
    )


def is_receive(f: Follower, at: int) -> bool:
    """Whether a call receives from a channel, whose only failure is that it is closed."""
    if call_name(f.judged, at) not in RECEIVES or call_functions(f.judged, at):
        return False
    owner = type_name(receiver_type(f, at))
    return not owner or owner.endswith(("Receiver", "Rx", "Consumer"))


def is_lock(f: Follower, at: int) -> bool:
    """Whether a call takes a lock, whose only failure is that another thread panicked while it held it."""
    if call_name(f.judged, at) not in LOCKS or call_functions(f.judged, at):
        return False
    owner = type_name(receiver_type(f, at))
    if owner in ("Mutex", "RwLock", "Condvar", "ReentrantMutex", "OnceLock"):
        return True
    type_ = f.judged.types[at]
    error = error_type(type_, ("R",))
    return type_name(error) in ("PoisonError", "TryLockError") if error is not None else False
