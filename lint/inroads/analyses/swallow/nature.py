"""What sort of call lost its error: what it does, what it can fail with, and how often in how many ways."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from inroads.analyses.swallow.callee import call_functions, call_name, call_paths, owner_of
from inroads.analyses.swallow.failing import Failures, failures_of
from inroads.analyses.swallow.shapes import Shape, error_type, is_result
from inroads.analyses.swallow.sorts import changes_state, is_io_error, makes_of, type_name
from inroads.analyses.swallow.words import (
    IO_CRATES,
    LOOKUPS,
    MACHINE_CRATES,
    OWN_LOOKUPS,
    SINGLE_ERRORS,
)
from inroads.facts import (
    StructItem,
    TupleType,
)
from inroads.resolve.types import Adt, Dyn, Opaque, Tuple, Type

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.world import World


class Nature:
    """
    What sort of call stands at a row; found out as far as somebody asks, since the bodies of what is called tell it.

    Args:
        error: The type of its error, None if not known.
        makes: Whether it makes a value of another, from outside, or can't.
    """

    def __init__(self, world: World, f: Follower, at: int, shape: Shape) -> None:
        self._world = world
        self._shape = shape
        self._type = world.type_at(f.judged, at)
        self.name: str = call_name(f.judged, at)
        self.paths: tuple[str, ...] = call_paths(f.judged, at)
        self.functions: tuple[int, ...] = call_functions(f.judged, at)
        self.error: Type | None = error_type(self._type, shape)
        self.makes: bool = makes_of(f, at)

    @cached_property
    def failures(self) -> Failures | None:
        """How it can fail, where it is one function of the workspace."""
        return failures_of(self._world, self.functions[0]) if len(self.functions) == 1 else None

    @cached_property
    def io(self) -> bool:
        """Whether disk, network or another process are met."""
        failures = self.failures
        if failures is not None and failures.sources and "unknown" not in failures.sources:
            # An `io::Error` may be made of anything.
            return not failures.sources.isdisjoint(("io", "removal"))
        return any(path.startswith(IO_CRATES) for path in self.paths) or is_io_error(self.error)

    @cached_property
    def unit(self) -> bool:
        """Whether its success carries nothing, so that only its error is of interest."""
        return success_of(self._type, self._shape) == Tuple(())

    @cached_property
    def optional(self) -> bool:
        """Whether its success may be a None, which tells something else than an error does."""
        success = success_of(self._type, self._shape)
        return success is not None and type_name(success) == "Option"

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
        if self._shape[0] == "F" and failures is not None and not failures.sources <= LOCAL_SOURCES:
            # What is waited for is asked outside: that it could not be asked is not that it is not there.
            return False
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
        if (
            not self.functions
            and self.name in ("timeout", "timeout_at")
            and self._shape in (("F", "R"), ("R",))
        ):
            # Of a runtime that nobody described, too: the outer error is that the time is up.
            return True
        if not self.functions and self.name in ("exactly_one", "at_most_one"):
            return True
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


LOCAL_SOURCES = frozenset({"own", "none", "conversion", "machine", "poison", "send", "serialising"})
MILD_SOURCES = frozenset({"machine", "conversion", "none"})


def is_search(failures: Failures | None) -> bool:
    """Whether a function fails only where it finds nothing: `self.map.get(key).ok_or(Missing)`."""
    return failures is not None and "none" in failures.sources <= {"none", "conversion"}


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


def success_of(type_: Type, shape: Shape) -> Type | None:
    """The type of the success beside the error at a shape; None where it is not known."""
    for letter in shape:
        if letter == "R":
            break
        match type_:
            case Adt(arguments=arguments) if arguments:
                type_ = arguments[-1] if letter == "H" else arguments[0]
            case Opaque(bounds=bounds) | Dyn(bounds=bounds):
                values = [
                    value for bound in bounds for key, value in bound.bindings if key in ("Output", "Item")
                ]
                if not values:
                    return None
                type_ = values[0]
            case _:
                return None
    return type_.arguments[0] if isinstance(type_, Adt) and is_result(type_) and type_.arguments else None


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
