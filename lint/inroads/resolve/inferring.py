"""
What is known of one body while its types are being found.

Rows are walked in evaluation order. Closures wait: the call that takes one
says what its parameters are, so its body is walked when that call is, or at the end
of the statement if nobody asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from inroads.facts import Body, ClosureRow, MacroRow, Region, Row
from inroads.resolve.bounds import FN_TRAITS, fn_bound
from inroads.resolve.dispatch import Dispatch, Pick
from inroads.resolve.infos import FunctionInfo
from inroads.resolve.inside import VALUE
from inroads.resolve.model import Local
from inroads.resolve.scope import Scope
from inroads.resolve.solve import Solver
from inroads.resolve.types import (
    UNKNOWN,
    Adt,
    Array,
    Bound,
    Closure,
    Dyn,
    FunctionPointer,
    FunctionValue,
    Generic,
    Never,
    Reference,
    Slice,
    Tuple,
    Type,
    Variable,
)
from inroads.resolve.unify import Unifier
from inroads.resolve.world import World


class Frame(msgspec.Struct):
    """Names in sight, innermost first."""

    names: dict[str, int]
    parent: Frame | None

    def find(self, name: str) -> int | None:
        """The local of that name."""
        frame: Frame | None = self
        while frame is not None:
            found = frame.names.get(name)
            if found is not None:
                return found
            frame = frame.parent
        return None


class ClosureState(msgspec.Struct):
    """A closure that was met: what its parameters are, and whether its body was walked."""

    row: int
    header: ClosureRow
    frame: Frame
    parameters: tuple[Type, ...]
    returns: Type
    inner: Type
    walked: bool = False


class Site(msgspec.Struct):
    """
    A call whose targets are told when all types are known.

    Args:
        pick: What it calls, None where that is not known.
        path: Of a function from outside that nobody described.
        receiver: The type of a method call's receiver, for calls that are not known.
        returns: The type of its value.
    """

    row: int
    kind: str
    name: str
    pick: Pick | None
    arguments: tuple[int, ...]
    returns: Type
    path: str = ""
    receiver: Type = UNKNOWN
    closures: list[tuple[int, str]] = msgspec.field(default_factory=list)


class Label(msgspec.Struct):
    """A loop or block that `break` may leave with a value."""

    name: str | None
    value: Type
    loop: bool
    left: bool = False


class Inferring:
    """The state of one body's inference."""

    def __init__(
        self,
        world: World,
        function: FunctionInfo | None,
        scope: Scope,
        env: list[tuple[Type, Bound]],
        test: bool,
        active: bool,
        body: Body,
    ) -> None:
        self.world = world
        self.function = function
        self.unifier = Unifier()
        self.solver = Solver(world, self.unifier, env, test, active)
        self.solver.callables = self.callable_of
        self.solver.reduce_env()
        self.scope = scope
        self.dispatch = Dispatch(world, self.solver, frozenset())
        self.look_from(scope.module)
        scope.fresh = self.unifier.fresh
        self.rows: tuple[Row, ...] = body.rows
        self.body = body
        self.types: list[Type] = [UNKNOWN] * len(body.rows)
        self.locals: list[Local] = []
        self.uses: dict[int, int] = {}
        self.bound: dict[tuple[int, int], int] = {}
        self.paths: dict[int, str] = {}
        self.pattern_paths: dict[tuple[int, int], str] = {}
        self.picks: dict[int, Pick] = {}
        self.values: dict[Generic, Pick] = {}
        self.frame = Frame({}, None)
        self.closures: dict[int, ClosureState] = {}
        self.open_closures: list[int] = []
        self.sites: list[Site] = []
        self.unresolved: list[Site] = []
        self.implied: list[Site] = []
        self.returns: list[Type] = []
        self.labels: list[Label] = []
        self.obligations: list[tuple[Type, Bound]] = []
        self.marks: list[int] = []
        self.captured: list[tuple[int, int]] = []
        self.callees: set[int] = set()
        # Rows whose value an associated function of a type from outside gave, or a method of such a value.
        self.built_outside: set[int] = set()
        # Rows of places that are written or borrowed mutably.
        self.written: set[int] = set()
        self.modules: list[int] = []
        self.handlers: Mapping[type, Callable[[Inferring, int, Any], Type]] = {}
        self.walk_closure: Callable[[int], None] = lambda _: None
        self.walk_region: Callable[[Region], Type] = lambda _: UNKNOWN

    # Names.

    def part(self) -> None:
        """Let go of everything: its parts know it, and such circles would wait for the collector."""
        self.__dict__.clear()

    def move_to(self, at: int) -> None:
        """Look names up where row `at` stands: blocks may declare items of their own."""
        module = self.modules[at]
        if module != self.scope.module:
            self.look_from(module)

    def look_from(self, module: int) -> None:
        """Look names up in a module; an impl's or declaration's own trait is in scope too."""
        self.scope.module = module
        traits = self.world.traits_in_scope(self.scope.universe, module)
        own = self.scope.trait if self.scope.impl is None else self.scope.impl.trait
        self.dispatch.in_scope = traits if own is None else self.world.with_trait(traits, own)

    def statement_mark(self) -> int:
        """How many closures were open when the region's walk began."""
        return self.marks[-1] if self.marks else 0

    def mark_captured(self, at: int, row: MacroRow) -> None:
        """Names inside a format string are uses of locals."""
        for name in row.captured:
            local = self.frame.find(name)
            if local is not None:
                self.captured.append((at, local))

    def declare(
        self, name: str, type_: Type, mutable: bool, row: int | None, parameter: int | None = None
    ) -> int:
        """Enter a new local in the innermost frame."""
        id = len(self.locals)
        self.locals.append(Local(id, name, type_, mutable, row, parameter))
        self.frame.names[name] = id
        return id

    def enter(self) -> Frame:
        """Open a frame; gives the one to go back to."""
        outer = self.frame
        self.frame = Frame({}, outer)
        return outer

    # Types.

    def fresh(self) -> Variable:
        """A new variable."""
        return self.unifier.fresh()

    def shallow(self, type_: Type) -> Type:
        """The type with a bound variable looked through; projections that can be are reduced."""
        if type(type_) is not Variable:
            return type_
        found = self.unifier.shallow(type_)
        if type(found) is Variable and not found.kind and (self.solver.pending or self.obligations):
            self.settle()
            found = self.unifier.shallow(found)
        return found

    def callable_of(self, type_: Type) -> tuple[tuple[Type, ...] | None, Type] | None:
        """What a closure or a function named as a value takes and gives; None for other types."""
        if isinstance(type_, Closure):
            state = self.closures.get(type_.row)
            if state is not None:
                return state.parameters, state.returns
        elif isinstance(type_, FunctionValue):
            pick = self.value_of(type_)
            if pick is not None:
                pointer = self.solver.instance(pick.function.pointer(), pick.mapping)
                if isinstance(pointer, FunctionPointer):
                    return pointer.parameters, pointer.returns
        return None

    def value_of(self, type_: FunctionValue) -> Pick | None:
        """The function that a value's type stands for, with its type arguments."""
        for argument in type_.arguments:
            if isinstance(argument, Generic):
                return self.values.get(argument)
        return None

    def function_value(self, pick: Pick) -> FunctionValue:
        """The type of a function named as a value; its one argument tells it from others of this body."""
        mark = Generic(str(len(self.values)), VALUE)
        self.values[mark] = pick
        return FunctionValue(pick.function.path, pick.function.id, (mark,))

    def coerce(self, have: Type, want: Type) -> None:
        """Use a value where a type is expected: the compiler's coercions, else the types become equal."""
        if have is want:
            return
        if type(have) is Variable:
            have = self.unifier.shallow(have)
        if type(want) is Variable:
            want = self.unifier.shallow(want)
        if have is want or have == want or type(have) is Never:
            return
        if type(have) is Reference and type(want) is Reference:
            self._coerce_reference(have, want)
        elif type(have) is Adt and type(want) is Adt:
            self._coerce_adt(have, want)
        elif type(want) is FunctionPointer and type(have) in _CALLABLES:
            self.apply_callable(have, want.parameters, want.returns)
        elif type(have) is Tuple and type(want) is Tuple and len(have.elements) == len(want.elements):
            for one, other in zip(have.elements, want.elements, strict=True):
                self.coerce(one, other)
        else:
            self.trial(have, want)

    def trial(self, left: Type, right: Type) -> bool:
        """Make two types equal, or leave both as they were."""
        mark = len(self.unifier.trail)
        if self.unifier.unify(left, right):
            return True
        self.unifier.rollback(mark)
        return False

    def _coerce_adt(self, have: Adt, want: Adt) -> None:
        if have.path != want.path or not have.arguments or not want.arguments:
            self.trial(have, want)
            return
        inner = have.arguments[0]
        wanted = self.unifier.shallow(want.arguments[0])
        if type(wanted) is Dyn or (type(wanted) is Slice and type(self.unifier.shallow(inner)) is Array):
            self.unsize(inner, wanted)
        elif len(have.arguments) == len(want.arguments):
            for one, other in zip(have.arguments, want.arguments, strict=True):
                self.coerce(one, other)

    def _coerce_reference(self, have: Reference, want: Reference) -> None:
        wanted = self.unifier.shallow(want.inner)
        inner = self.unifier.shallow(have.inner)
        if type(wanted) is Variable or type(inner) is Variable:
            self.unifier.unify(inner, wanted)
            return
        if type(wanted) is Dyn:
            self.unsize(inner, wanted)
            return
        for step in self.solver.derefs(inner):
            if type(step) is Array and type(wanted) is Slice:
                self.unifier.unify(step.inner, wanted.inner)
                return
            if self.trial(step, wanted):
                return
        self.coerce(inner, wanted)

    def unsize(self, have: Type, want: Type) -> None:
        """`T` to `dyn Trait`, `[T; N]` to `[T]`: what a callable's or array's inside tells."""
        have = self.unifier.shallow(have)
        if isinstance(have, Array) and isinstance(want, Slice):
            self.unifier.unify(have.inner, want.inner)
        elif isinstance(want, Dyn):
            if isinstance(have, Dyn):
                self.trial(have, want)
                return
            called = self.solver.callable_of(want)
            if called is not None and type(have) in _CALLABLES:
                self.apply_callable(have, called[0], called[1])

    def apply_callable(self, type_: Type, parameters: tuple[Type, ...] | None, returns: Type) -> None:
        """A callable value is used as one with these parameters and this result."""
        found = self.callable_of(type_)
        if found is None:
            found = self.solver.callable_of(type_)
        if found is None:
            return
        self._take(found[0], parameters)
        self.trial(found[1], returns)

    def _take(self, own: tuple[Type, ...] | None, given: tuple[Type, ...] | None) -> None:
        if own is not None and given is not None and len(own) == len(given):
            for one, other in zip(own, given, strict=True):
                self.trial(one, other)

    # What waits.

    def settle(self) -> None:
        """Look again at the projections and bounds that waited for a type; ends as each round must solve some."""
        for _ in range(6):
            moved = self.solver.settle()
            waiting, self.obligations = self.obligations, []
            for type_, bound in waiting:
                if self.oblige(type_, bound):
                    moved = True
            if not moved:
                return

    def oblige(self, type_: Type, bound: Bound) -> bool:
        """Learn from `type_: bound`; False if it must wait, and then it does."""
        found = self.unifier.shallow(type_)
        if bound.path in FN_TRAITS and type(found) is not Variable:
            parameters, returns = fn_bound(bound)
            called = self.solver.callable_of(found)
            if called is not None:
                self._take(called[0], parameters)
                if isinstance(found, Closure):
                    self.walk_closure(found.row)
                self.trial(called[1], returns)
            return True
        if type(found) is Variable and not found.kind:
            if len(self.obligations) < _MOST_WAITING:
                self.obligations.append((found, bound))
            return False
        if bound.bindings:
            whole = Bound(bound.path, bound.trait, bound.arguments)
            for name, want in bound.bindings:
                have = self.solver.project(found, whole, name)
                if have is not None:
                    self.coerce(have, want)
        if bound.arguments and self.world.trait_info(bound) is not None:
            self.solver.chosen_for(found, bound)
        return True

    def closure_type(self, at: int) -> Closure:
        """The type of the closure whose header is row `at`."""
        state = self.closures[at]
        own = -1 if self.function is None or self.function.id is None else self.function.id
        self.unifier.closures[at] = state.returns
        return Closure(own, at, UNKNOWN)


_CALLABLES = frozenset({Closure, FunctionValue})
_MOST_WAITING = 200
