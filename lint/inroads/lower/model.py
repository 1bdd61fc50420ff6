"""
The nouns of a control-flow graph: places, conditions, events, blocks.

All values are frozen and compared by content, so two places are the same
value where `==` says so; `places.compare` says what a whole covers.
A row may be lowered more than once (a closure called twice, a thread's body
at its spawn and at its join); `instance` keeps what it makes apart.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from inroads.resolve.model import Call as ResolvedCall

RootKind: TypeAlias = Literal["self", "parameter", "local", "static", "result", "constant"]
Outcome: TypeAlias = Literal["ok", "err", "some", "none", "true", "false", "plain", "detached"]
Mode: TypeAlias = Literal["move", "ref", "mut"]
Destination: TypeAlias = Literal["call", "build", "return", "capture", "unknown"]
Cause: TypeAlias = Literal[
    "if",
    "match",
    "guard",
    "let-else",
    "loop",
    "try",
    "unwrap",
    "assert",
    "combinator",
    "may-run",
    "select",
    "spawn",
    "return",
]


class Noun(msgspec.Struct, frozen=True, gc=False):
    """
    A value of the graph: compared by content. A struct, since one costs a sixth of a frozen dataclass
    to make.
    """


class Root(Noun, frozen=True, eq=False):
    """
    Where a place begins.

    Args:
        kind:
            * self, parameter: what the caller gave. `index` counts the function's arguments as
              `Call.arguments` does: the receiver is 0 where there is one, so the first parameter
              of a method has index 1.
            * local: a binding that is no alias of another place; `index` is its id in `Judged.locals`.
            * static: `path` is the whole path, `index` 0.
            * result: the value that row `index` makes: a call, a literal struct, an arithmetic
              expression. What is made there is told by the row (`judged.calls[index]` for a call).
            * constant: a literal or a const; `path` is its text or path, `index` 0.
        name:
            What a person calls it: `self`, `seq`, `RECORDER`; for results the callee's last name with
            `()`, or the variable that it was bound to, or "".
        instance: Which run of the row or binding; 0 but in inlined closures, and after a rebinding or a join.
        type: Path of its nominal type, looked through references and smart pointers, "" where unknown.
    """

    kind: RootKind
    index: int
    name: str = ""
    path: str = ""
    instance: int = 0
    type: str = ""

    def __eq__(self, other: object) -> bool:
        """Names and types are for people and patterns; they don't tell roots apart."""
        return (
            isinstance(other, Root)
            and self.index == other.index
            and self.kind == other.kind
            and self.instance == other.instance
            and self.path == other.path
        )

    def __ne__(self, other: object) -> bool:
        """Stated, since a struct has its own."""
        return not self == other

    def __hash__(self) -> int:
        return hash((self.kind, self.index, self.instance, self.path))


class Field(Noun, frozen=True, eq=False):
    """
    `.name` of a struct or tuple, or of the payload of `variant`.

    `owner` is the path of the type (or `Enum::Variant`) that has the field, "" where unknown.
    `version` counts the writes: `p.id` after `p.id = x` is another field than before.
    Payloads of Some and Ok, and what stands behind Box, Rc, Mutex, ... have no step.
    """

    name: str
    variant: str = ""
    version: int = 0
    owner: str = ""
    type: str = ""

    def __eq__(self, other: object) -> bool:
        """The types of the two ends don't tell fields apart."""
        return (
            isinstance(other, Field)
            and self.name == other.name
            and self.version == other.version
            and self.variant == other.variant
        )

    def __ne__(self, other: object) -> bool:
        """Stated, since a struct has its own."""
        return not self == other

    def __hash__(self) -> int:
        return hash((self.name, self.variant, self.version))


class Each(Noun, frozen=True):
    """Every element: `each(xs)`."""


class Turn(Noun, frozen=True):
    """The element of this turn of the loop (or the closure run for each) whose header is row `loop`."""

    loop: int
    instance: int = 0


class Element(Noun, frozen=True):
    """The element at a literal index (`xs[0]`, "first", "last") or at the index or key that a place holds."""

    key: str | Place


class Part(Noun, frozen=True):
    """Some of the elements (filter, take, skip, a slice `xs[1..]`), as chosen at row `row`."""

    row: int
    instance: int = 0


class Gather(Noun, frozen=True):
    """
    The collection whose elements are the place so far; undone by Each.

    `seqs.iter().map(|s| s.id).collect()` is seqs, Each, Field id, Gather; `[x]` is x, Gather.
    """


class Length(Noun, frozen=True):
    """`.len()`."""


class Failure(Noun, frozen=True):
    """The error inside: what `Err(e)` binds, `.unwrap_err()`."""


Step: TypeAlias = Field | Each | Turn | Element | Part | Gather | Length | Failure


class Place(Noun, frozen=True, cache_hash=True):
    """
    A variable, parameter, `self`, static, or the value a row makes, with the steps into it.

    Canonical: Each after Gather and Gather after Each cancel; references, clones,
    smart pointers, locks and their guards, Some and Ok, unwrap, `?` and await are
    looked through; an unwritten local bound to a place is that place.
    """

    root: Root
    steps: tuple[Step, ...] = ()


class Is(Noun, frozen=True):
    """
    The value has the variant: "Some" (None is its other side), "Ok" (Err is its other side),
    or the whole path of another enum's variant (`crate::Kind::Empty`).
    """

    place: Place
    variant: str


class Compare(Noun, frozen=True):
    """
    The value compares with a literal or a constant; all other operators are the other side of these three.

    `is_empty()`, `len() == 0`, `len() < 1`, `!(len() > 0)` are all Compare(place + Length, "==", "0").
    """

    place: Place
    op: Literal["==", "<", "<="]
    literal: str


class Same(Noun, frozen=True):
    """Two values are equal (op "==") or ordered (op "<", "<=")."""

    left: Place
    op: Literal["==", "<", "<="]
    right: Place


class Truth(Noun, frozen=True):
    """A bool is true: a variable, a field, the result of a call (place of kind result)."""

    place: Place


class Opaque(Noun, frozen=True):
    """
    Decided by something that has no name: another turn of the loop at `row`, an arm of select, a
    closure that may run.
    """

    row: int
    instance: int = 0


Condition: TypeAlias = Is | Compare | Same | Truth | Opaque


class Call(Noun, frozen=True):
    """
    The callee runs. For an async callee this stands where its future is awaited, joined or spawned.

    Args:
        row: The row that makes the call; `program.place(judged, row, "name")` is the call site.
        call: What the resolver says of it. `call.kind` "drop" for a Drop impl at the end of a scope.
        arguments:
            For each of `call.arguments` its place, the receiver first. A temporary is a
            place of kind result.
        modes: As long as `arguments`: given away, borrowed, borrowed mutably (also the receiver of a `&mut
        self` method).
        result: The place of its value, always of kind result. An awaited or unwrapped result is the same
        place.
        callee: For calls of a closure or function value: where that value came from (`parameter f`), else
        None.
    """

    row: int
    call: ResolvedCall
    arguments: tuple[Place, ...]
    modes: tuple[Mode, ...]
    result: Place
    callee: Place | None = None


class Build(Noun, frozen=True):
    """
    A struct, variant or tuple struct is made: `path` is resolved and whole (`crate::Kind::Moved`), fields
    are pairs of name ("0", "1", ... for tuple forms) and place; `base` is the place after `..`, else None.
    The path of a tuple is "()", of an array or `vec!` of several elements "[]". Some, Ok and Err are no
    builds, nor is what holds constants only.
    """

    row: int
    path: str
    fields: tuple[tuple[str, Place], ...]
    base: Place | None
    result: Place


class Read(Noun, frozen=True):
    """
    A place is used, whole path only: `self.a.b.get()` reads `self.a.b`. Locals and constants are not
    told.
    """

    row: int
    place: Place


class Write(Noun, frozen=True):
    """
    A place gets a value; facts of `source` hold for `place` from here on, all earlier facts of `place` and
    below it end.

    Args:
        place: As it is called after the write: its last version is new.
        before: As it was called before; equal paths with another version. None where nothing was there.
        source: The place of the value; None where it has none.
        known: Which way the value answers a test: Ok(..) is ok, `true` is true, ...; None where unknown.
        condition: For a bool made by a test: (condition, side on which the bool is true), else None.
        op:
            "=" and "+=", ... as written; "let" for a binding that is no alias; "join" where
            several paths meet and the value depends on the path (one Write at the end of each).
    """

    row: int
    place: Place
    before: Place | None
    source: Place | None
    known: Outcome | None
    condition: tuple[Condition, bool] | None
    op: str


class Move(Noun, frozen=True):
    """
    A value with an owner goes elsewhere: `into` is call, build, return, capture or unknown (a field, a
    container).

    `holds` are the rows of the calls whose results are (in) the value: a guard is known by the call that
    gave it.
    """

    row: int
    place: Place
    into: Destination
    holds: tuple[int, ...] = ()


class Drop(Noun, frozen=True):
    """
    A value ends: at the end of its scope, of its statement (temporaries, `let _ =`), by `drop(x)` or by an
    overwrite.

    `holds` as in Move. Not told where the value was moved away on every path.
    """

    row: int
    place: Place
    holds: tuple[int, ...] = ()
    explicit: bool = False


class Await(Noun, frozen=True):
    """A future is awaited; its own events stand before this."""

    row: int
    place: Place


class Raise(Noun, frozen=True):
    """
    The function is left without an outcome: a panic, the end of the process, a call that never returns.
    Ends its block.
    """

    row: int
    how: Literal["panic", "exit", "diverge"]


class Assume(Noun, frozen=True):
    """
    On this path the condition is `side`. First event of a block; its twin opens the other branch, unless
    that can't be.

    A Result counts as tested where `Assume(Is(result, "Ok"), True)` stands: `?`, unwrap, match, if let,
    is_ok all become it.
    """

    row: int
    condition: Condition
    side: bool
    cause: Cause


class Return(Noun, frozen=True):
    """
    A way out. Ends its block.

    A returned Result, Option or bool of which nothing is known is tested first (cause "return"), so that
    each way has its outcome. "detached" ends a spawned body: no way out of the function.
    """

    row: int | None
    outcome: Outcome
    value: Place | None


Event: TypeAlias = Call | Build | Read | Write | Move | Drop | Await | Raise | Assume | Return


class Block(Noun, frozen=True):
    """
    Events that run in order, then one of `successors` (ids, sorted by the order in which they were
    made).
    """

    id: int
    events: tuple[Event, ...]
    successors: tuple[int, ...]


class Loop(Noun, frozen=True):
    """
    A loop, or a closure that is run for each element.

    Args:
        row: Its header row (for a closure the ClosureRow).
        header: Block where each turn is decided; its successors are `body` and, but for `loop`, `done`.
        body: First block of a turn.
        latch: The one block through which all turns that went to their end (and `continue`) go back to the
        header;
            None where no turn comes to its end.
        done: Block reached when the turns are exhausted (never by `break`); None for `loop {}`.
        after:
            Block where `done` and every `break` meet; None where the loop is not left, or
            where the two say different things (`any`: false when exhausted, true when left).
        over: The collection, so that this turn's element is over + Turn(row, instance); None for while and
        loop.
        rows: [start, end) of the rows that run in a turn: their results, and the locals they bind, die with
        the turn.
    """

    row: int
    instance: int
    header: int
    body: int
    latch: int | None
    done: int | None
    after: int | None
    over: Place | None
    rows: tuple[int, int]


class Graph(Noun, frozen=True):
    """
    The control-flow graph of one function. Block 0 is the entry.

    `parameters` are the places of the arguments, the receiver first; None where a
    pattern takes the argument apart (its bindings are fields of that parameter's place).
    Every block can be reached from the entry.
    """

    function: int
    blocks: tuple[Block, ...]
    loops: tuple[Loop, ...]
    parameters: tuple[Place, ...]
