"""
What following a value in one body needs to know of the rest of the program.

Bodies are judged when asked for; followers, effects and the fates of
parameters are kept, so that each is found out once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from inroads.analyses.swallow import effects as effects_of, methods
from inroads.analyses.swallow.around import is_empty_collection
from inroads.analyses.swallow.callee import (
    call_arguments,
    call_functions,
    call_name,
    call_paths,
    is_constructor,
    owner_of,
)
from inroads.analyses.swallow.closures import is_run_by_method
from inroads.analyses.swallow.effects import NOTHING, Effects, RowEffects
from inroads.analyses.swallow.ends import Carried, End
from inroads.analyses.swallow.failing import Failures
from inroads.analyses.swallow.fates import Follower
from inroads.analyses.swallow.proofs import proof_at
from inroads.analyses.swallow.reasons import FileComments, comments_of
from inroads.analyses.swallow.shapes import (
    HANDLES,
    RESULT,
    RESULT_PATH,
    Shape,
    awaited,
    is_result,
    referent,
    shapes_of,
)
from inroads.analyses.swallow.sorts import type_name
from inroads.analyses.swallow.uses import uses_of
from inroads.facts import (
    AwaitRow,
    BlockRow,
    CallRow,
    ClosureRow,
    DiscardRow,
    MacroRow,
    MethodCallRow,
    PathRow,
    PathType,
    Position,
)
from inroads.program import MOST_KEPT
from inroads.reads import Nested, Reads
from inroads.resolve.judge import world_of
from inroads.resolve.model import Judged
from inroads.resolve.types import UNKNOWN, Adt, Bound, Opaque, Reference, Type, Unknown

if TYPE_CHECKING:
    from inroads.program import Edge, Program

ADAPTERS = frozenset(
    methods.SAME
    | methods.KEEPS_ERROR
    | methods.KEEPS_NONE
    | methods.KEEPS_ELEMENTS
    | methods.ONE_ELEMENT
    | methods.TAKES_EACH
    | methods.TO_RESULT
    | methods.DEFAULTS
    | methods.ARM_CLOSURES
    | methods.PROVES_RESULT
    | {
        "enumerate",
        "zip",
        "transpose",
        "unwrap",
        "expect",
        "take",
        "filter",
        "err",
        "map_while",
        "then_some",
        "sum",
        "product",
    }
)
# Methods whose Err is an answer: the value that is there, the place where it would stand.
ORIGINS = frozenset({CallRow, MethodCallRow, MacroRow, AwaitRow, PathRow})
NO_ERRORS = (
    "binary_search",
    "compare_exchange",
    "fetch_update",
    "compare_and_swap",
    "partition_dedup",
    "try_update",
)
# Functions through which a value is followed, and through which failures are traced.
# Bodies that may call a function, up to which they are looked at to say whose signature would change.
NEAR = 8
NESTED = 5
NESTED_FAILURES = 4
CONTAINERS = frozenset({"Result", "Option", "Poll", "Vec", "HashMap", "BTreeMap", "VecDeque", "JoinHandle"})


@dataclass(slots=True)
class World:
    """
    The program as seen by the followers of values.

    Args:
        log_names: Last segments of macros and functions that only log.
        given:
            Foreign functions and methods that some place of the program proves
            to return a Result -> the shape of what they return.
        proven: The same, of the places that have been looked at; nothing here is decided by it.
        fates: (function, index of the parameter, shape) -> how the parameter ends.
    """

    program: Program
    log_names: frozenset[str]
    given: Mapping[str, Shape] = field(default_factory=dict)
    proven: dict[str, Shape] = field(default_factory=dict)
    followers: dict[int, Follower | None] = field(default_factory=dict)
    own_effects: dict[int, tuple[Effects, tuple[int, ...]] | None] = field(default_factory=dict)
    known_effects: dict[tuple[int, ...], tuple[Effects, Reads]] = field(default_factory=dict)
    majorities: dict[tuple[int, Shape], tuple[str | None, Reads]] = field(default_factory=dict)
    known_types: frozenset[str] | None = None
    known_comments: dict[str, FileComments | None] = field(default_factory=dict)
    fates: Nested[tuple[int, int, Shape], End | None] = field(init=False)
    failures: Nested[int, Failures | None] = field(init=False)

    def __post_init__(self) -> None:
        self.fates = Nested(self.program.recorder, NESTED, None)
        self.failures = Nested(self.program.recorder, NESTED_FAILURES, None)

    def follower(self, function: int) -> Follower | None:
        """The follower of a function's body; None where it has none."""
        self.program.recorder.now.bodies.add(function)
        if function not in self.followers:
            if not self.program.tables.functions[function].has_body:
                self.followers[function] = None
            else:
                judged = self.program.judge(function)
                self.followers[function] = Follower(self, judged, uses_of(judged))
        return self.followers[function]

    def trim(self) -> None:
        """Let go of the followers where there are many; they hold judged bodies."""
        if MOST_KEPT < len(self.followers):
            self.followers.clear()

    # Which calls can fail.

    def origins(self, f: Follower) -> Iterator[tuple[int, Shape, str]]:
        """
        The calls of a body whose value holds an error, in order: row, shape, how that is known (type, proof).

        A call that a followed value has gone through is left out, so the caller
        follows each before it asks for the next.
        """
        for at, row in enumerate(f.rows):
            if type(row) not in ORIGINS or at in f.passed:
                continue
            for shape in self.origin_shapes(f, at):
                yield at, shape, "type"

    def origin_shapes(self, f: Follower, at: int) -> tuple[Shape, ...]:
        """
        The shapes of the errors that a call makes; none where it makes none or only hands on what it is
        called on.
        """
        row = f.rows[at]
        if isinstance(row, MacroRow):
            return (RESULT,) if row.path and row.path[-1] in methods.WRITES else ()
        if isinstance(row, AwaitRow):
            return self.outcome_shapes(f, at, row)
        if isinstance(row, PathRow):
            return shapes_of(self.type_at(f.judged, at)) if is_run_by_method(f, at) else ()
        if not self.may_originate(f, at):
            return ()
        if (
            isinstance(row, MethodCallRow)
            and row.name in methods.GIVES_BACK
            and not call_functions(f.judged, at)
        ):
            return tuple(
                one for one in shapes_of(self.type_at(f.judged, at)) if one[0] not in ("O", "H", "F")
            )
        shapes = shapes_of(self.type_at(f.judged, at))
        if not shapes and self.is_unknown(f, at):
            return self.proof(f, at)
        return shapes

    def outcome_shapes(self, f: Follower, at: int, row: AwaitRow) -> tuple[Shape, ...]:
        """
        The shapes of what a task gave whose handle is waited for: it came from where nobody followed it. So
        is what comes of a type that is a future by its own impl.
        """
        type_ = referent(f.judged.types[row.operand])
        shapes = shapes_of(type_)
        if not shapes and isinstance(type_, Adt) and type_name(type_) not in HANDLES:
            found = shapes_of(f.judged.types[at])
            # That nobody sends an answer is not what somebody answers.
            return tuple(one for one in found if type_name(type_) != "Receiver" or one[0] == "K")
        return tuple(outcome for one in shapes if one[0] == "H" and (outcome := awaited(one)) is not None)

    def may_originate(self, f: Follower, at: int) -> bool:
        """Whether a row is a call that does not only hand on what it is given or called on."""
        row = f.rows[at]
        match row:
            case CallRow():
                return not (
                    call_name(f.judged, at).startswith(NO_ERRORS)
                    or is_empty_collection(f, at)
                    or is_constructor(f.judged, at)
                    or self.is_wrapping(f, at)
                )
            case MethodCallRow(name=name, receiver=receiver):
                if name.startswith(NO_ERRORS) or self.is_mistaken(f, at, receiver):
                    return False
                if name in methods.GIVES_BACK or name not in ADAPTERS:
                    return True
                return not self.hands_on(f, receiver, name) or bool(call_functions(f.judged, at))
        return False

    def is_unclear(self, f: Follower, at: int) -> bool:
        """Whether only a proof at another place could tell whether a call gives a Result."""
        if not isinstance(f.rows[at], (CallRow, MethodCallRow)) or not self.is_unknown(f, at):
            return False
        return self.may_originate(f, at) and not self.proof(f, at)

    def is_mistaken(self, f: Follower, at: int, receiver: int) -> bool:
        """
        Whether a method of a type that nobody described is taken for one of a trait in scope, and can't be it.

        A statement of its own hardly gives a Result: the compiler would warn. What gives an error a context
        is called on a Result or an Option.
        """
        type_ = referent(f.judged.types[receiver])
        if not isinstance(type_, Adt) or type_.definition is not None or type_.path in self.described():
            return False
        if any(
            owner_of(self.program.tables.functions[one]) == type_.path for one in call_functions(f.judged, at)
        ):
            return False
        paths = call_paths(f.judged, at)
        if not paths or paths[0].startswith(type_.path):
            return False
        use = f.uses.taken[at]
        return paths[0].startswith(("anyhow::", "eyre::")) or (use is not None and use.role == "discard")

    def described(self) -> frozenset[str]:
        """The types from outside whose methods are known."""
        if self.known_types is None:
            tables = world_of(self.program.tables).foreign.tables
            self.known_types = frozenset(one.path for one in tables.types)
        return self.known_types

    def is_wrapping(self, f: Follower, at: int) -> bool:
        """Whether a path call only wraps what it is given: `Box::pin(f())`, `Result::ok(f())`."""
        row = f.rows[at]
        assert isinstance(row, CallRow)
        paths = call_paths(f.judged, at)
        owner = paths[0].rpartition("::")[0].rpartition("::")[2] if paths else ""
        return owner in methods.WRAPPING_TYPES and call_name(f.judged, at) in methods.WRAPS

    def type_at(self, judged: Judged, at: int) -> Type:
        """The type of a row, or what its call is known to return."""
        type_ = judged.types[at]
        call = judged.calls.get(at)
        if call is None or not (isinstance(type_, Unknown) or call.kind == "value"):
            return type_
        if isinstance(call.returns, Unknown):
            return self.written_type(call_functions(judged, at))
        return call.returns

    def written_type(self, functions: tuple[int, ...]) -> Type:
        """`Result<..>` by name, where the alias that a function's signature names could not be read."""
        for function in functions:
            if not self.returns_result(function):
                return UNKNOWN
        if not functions:
            return UNKNOWN
        result = Adt(RESULT_PATH, None, (UNKNOWN, UNKNOWN))
        if self.program.tables.functions[functions[0]].item.is_async:
            return Opaque((Bound("std::future::Future", None, (), (("Output", result),)),))
        return result

    def is_unknown(self, f: Follower, at: int) -> bool:
        """Whether nothing is known of the type of a call's value."""
        return isinstance(self.type_at(f.judged, at), Unknown)

    def hands_on(self, f: Follower, receiver: int, name: str) -> bool:
        """Whether a method called on this row is one of Result, Option, an iterator or a future."""
        type_ = f.judged.types[receiver]
        while isinstance(type_, Reference):
            type_ = type_.inner
        if isinstance(type_, Adt):
            name = type_.path.rpartition("::")[2]
            return (
                is_result(type_)
                or name in CONTAINERS
                or type_.path.startswith(("std::iter", "std::slice", "std::vec"))
            )
        # Of what is not known, only what is seldom called on anything else.
        return name not in methods.ONE_ELEMENT

    def proof(self, f: Follower, at: int) -> tuple[Shape, ...]:
        """The shape that the place itself proves a value of unknown type to have."""
        shape = proof_at(f, at)
        paths = () if self.is_given_work(f, at) else call_paths(f.judged, at)
        if shape is not None:
            if call_name(f.judged, at) not in methods.SPAWNS:
                self.proven.update((path, shape) for path in paths if "::" in path)
            return (shape,)
        use = f.uses.taken[at]
        if use is not None and use.role == "discard" and call_functions(f.judged, at):
            # What our own function gives depends on the type it is called on, and of a Result a compiler
            # would warn here.
            return ()
        known = next((self.given[path] for path in paths if path in self.given), None)
        return (known,) if known is not None else ()

    def is_given_work(self, f: Follower, at: int) -> bool:
        """Whether a call is given a closure or a future, whose value it may give: the next one is given another."""
        for argument in call_arguments(f.judged, at)[isinstance(f.rows[at], MethodCallRow) :]:
            row = f.rows[argument]
            if isinstance(row, ClosureRow) or (isinstance(row, BlockRow) and row.kind.startswith("async")):
                return True
            type_ = f.judged.types[argument]
            if isinstance(type_, Opaque) and any(one.path == "std::future::Future" for one in type_.bounds):
                return True
        return False

    def is_origin(self, f: Follower, at: int) -> bool:
        """Whether a call is judged for itself."""
        return bool(self.origin_shapes(f, at))

    # What others do.

    def row_effects(self, f: Follower, at: int) -> RowEffects | None:
        """The effects of one row by itself."""
        use = f.uses.taken[at]
        discarded = use is not None and use.row is not None and isinstance(f.rows[use.row], DiscardRow)
        if use is not None and use.role == "await" and use.row is not None:
            outer = f.uses.taken[use.row]
            discarded = outer is not None and outer.role == "discard"
        return effects_of.row_effects(f.judged, at, self.log_names, discarded)

    def effects(self, functions: tuple[int, ...]) -> Effects:
        """What running any of these functions may do."""
        return self.program.recorder.remembered(
            self.known_effects, functions, lambda: effects_of.reached(functions, self._own_effects)
        )

    def knows_effects(self, functions: tuple[int, ...]) -> bool:
        """Whether somebody has asked what running these functions may do."""
        return functions in self.known_effects

    def effects_of_path(self, judged: Judged, at: int) -> Effects | None:
        """The effects of a function that is handed on by name; None if it can't be seen."""
        functions = call_functions(judged, at)
        return self.effects(functions) if functions else None

    def _own_effects(self, function: int) -> tuple[Effects, tuple[int, ...]] | None:
        self.program.recorder.now.bodies.add(function)
        if function not in self.own_effects:
            self.own_effects[function] = self._find_own_effects(function)
        return self.own_effects[function]

    def _find_own_effects(self, function: int) -> tuple[Effects, tuple[int, ...]] | None:
        f = self.follower(function)
        if f is None:
            return None
        own = NOTHING
        calls: list[int] = []
        for at in range(len(f.rows)):
            found = self.row_effects(f, at)
            if found is None:
                continue
            own |= Effects(
                found.own.logs,
                found.own.writes,
                found.own.replies,
                found.own.counts,
                False,
                found.own.unknown,
            )
            calls.extend(found.calls)
        return own, tuple(dict.fromkeys(calls))

    def parameter_fate(self, function: int, index: int, shape: Shape) -> End | None:
        """How a value ends that is given to a function; None where that can't be seen, or it is being found out."""
        return self.fates.ask((function, index, shape), lambda: self._find_fate(function, index, shape))

    def _find_fate(self, function: int, index: int, shape: Shape) -> End | None:
        f = self.follower(function)
        if f is None:
            return None
        local = next((one for one in f.judged.locals if one.parameter == index), None)
        if local is None:
            return None
        return Follower(self, f.judged, f.uses).local(Carried(0, shape), local.id, local.name, -1)

    # Where things stand.

    def position(self, f: Follower, at: int, part: Literal["start", "name", "end"] = "start") -> Position:
        """Where the first token of a row was written."""
        return self.program.place(f.judged, at, part)

    def comments(self, path: str) -> FileComments | None:
        """The comments of a file; None where the path is none."""
        if path not in self.known_comments:
            facts = next(
                (one.facts for one in self.program.tables.sources if one.path == path and one.parent is None),
                None,
            )
            self.known_comments[path] = comments_of(facts) if facts is not None else None
        return self.known_comments[path]

    def lines_of(self, f: Follower, at: int, span: tuple[int, int]) -> tuple[int, int]:
        """The first and last line of a span that is given like those of row `at`."""
        origin = f.judged.origin[at]
        own = f.judged.sources.get(origin)
        source = own if own is not None else self.program.tables.sources[origin]
        if source.parent is not None:
            line = self.position(f, at).line
            return line, line
        base = f.judged.base[origin]
        comments = self.comments(source.path)
        if comments is None:
            return 1, 0
        return comments.lines.position(base + span[0])[0], comments.lines.position(base + span[1])[0]

    # The functions around.

    def returns_result(self, function: int) -> bool:
        """Whether a function is written to return a Result."""
        match self.program.tables.functions[function].item.returns:
            case PathType(segments=segments) if segments:
                return segments[-1].name.endswith("Result")
        return False

    def is_foreign_method(self, function: int) -> bool:
        """Whether a function implements a method of a trait from outside, so that its signature is not ours."""
        found = self.program.tables.functions[function]
        if found.impl is None:
            return False
        impl = self.program.tables.impls[found.impl]
        return impl.trait is None and impl.trait_path != ""

    def callers(self, function: int) -> tuple[Edge, ...]:
        """The calls into a function; those from tests count for one of tests only, and are not judged for others."""
        return self.program.callers(function, tests=self.program.tables.functions[function].test)

    def signatures_to_change(self, function: int) -> tuple[int, ...]:
        """The functions that would have to return a Result so that an error reaches somebody who can."""
        chain = [function]
        for _ in range(3):
            if self.is_foreign_method(chain[-1]) or self.program.tables.functions[chain[-1]].name == "main":
                break
            if NEAR < len(self.program.candidates(chain[-1])):
                break
            callers = sorted({edge.caller for edge in self.callers(chain[-1])} - set(chain))
            if not callers or any(self.returns_result(one) for one in callers):
                break
            chain.append(callers[0])
        return tuple(chain)

    def is_spawned(self, f: Follower, frame: int) -> bool:
        """Whether a closure or async block is run by a task or thread of its own."""
        at = frame
        for _ in range(6):
            use = f.uses.taken[at]
            if use is None or use.row is None:
                return False
            if use.role == "argument":
                return (
                    call_name(f.judged, use.row).startswith("spawn")
                    or call_name(f.judged, use.row) == "instrument"
                )
            at = use.row
        return False

    def fate_of(self, f: Follower, row: int, shape: Shape) -> End:
        """How a value ends that is no call's own error: followed aside, so that no origin counts as passed."""
        return Follower(self, f.judged, f.uses).fate(row, shape)
