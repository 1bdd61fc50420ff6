"""Where a write goes: to the terminal, into memory, or to what the function around was given to write to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from inroads.analyses.swallow.callee import call_arguments, call_functions, call_name
from inroads.analyses.swallow.shapes import referent
from inroads.analyses.swallow.sorts import type_name
from inroads.analyses.swallow.values import leaves
from inroads.facts import ClosureRow, LetRow, MacroRow, MethodCallRow
from inroads.resolve.types import Adt, Dyn, Generic, Opaque, Reference, Type

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower

Sink: TypeAlias = Literal["terminal", "memory", "given"]
"""`given` is what the function around was handed: whether it fails is known to who calls it."""

TERMINALS = frozenset(
    {
        *("Stdout", "Stderr", "StdoutLock", "StderrLock", "StandardStream", "StandardStreamLock", "Term"),
        *("BufferedStandardStream", "BufferWriter", "Buffer"),
    }
)
MEMORY = frozenset({"String", "OsString", "Vec", "Formatter", "BytesMut", "StringBuilder"})
WRITERS = frozenset({"flush", "lock", "set_color", "reset", "print"})
_WRAPPERS = frozenset({"BufWriter", "LineWriter", "MutexGuard", "Box", "Cursor", "AutoStream", "StripStream"})
_ENDS = ("stderr", "stdout")


def written_to(f: Follower, at: int) -> Type | None:
    """The type that a write goes to; None where the call is no write, or it is not known."""
    row = f.rows[at]
    name = call_name(f.judged, at)
    if isinstance(row, MacroRow) and name in ("write", "writeln") and row.regions:
        target = row.regions[0].value
    elif isinstance(row, MethodCallRow) and (name.startswith("write") or name in WRITERS):
        target = row.receiver
    else:
        return None
    for leaf in leaves(f.judged, target):
        if leaf is None:
            continue
        if is_folded_text(f, leaf):
            return Adt("std::string::String")
        known = inner_writer(referent(f.judged.types[leaf]))
        if type_name(known) not in MEMORY and gives_terminal(f, leaf):
            return Adt("std::io::Stderr")
        if type_name(known):
            return known
    return None


def is_folded_text(f: Follower, at: int) -> bool:
    """Whether a row names what a `fold` over a new text hands to its closure."""
    local = f.judged.uses.get(at)
    bound = f.judged.locals[local].row if local is not None else None
    use = f.uses.taken[bound] if bound is not None and isinstance(f.rows[bound], ClosureRow) else None
    row = f.rows[use.row] if use is not None and use.row is not None else None
    if not isinstance(row, MethodCallRow) or row.name != "fold" or not row.arguments:
        return False
    return type_name(f.judged.types[row.arguments[0]]) == "String"


def gives_terminal(f: Follower, at: int, deep: int = 3) -> bool:
    """Whether a row calls what gives the terminal to write to: by its name, or a function that does so."""
    if call_name(f.judged, at) in _ENDS:
        return True
    made = value_of(f, at)
    if made is not None and deep:
        return gives_terminal(f, made, deep - 1)
    functions = call_functions(f.judged, at)
    if len(functions) != 1 or not deep or sink_of(inner_writer(referent(f.judged.types[at]))) != "given":
        return False
    called = f.world.follower(functions[0])
    root = called.judged.body.root.value if called is not None else None
    return called is not None and any(
        leaf is not None and gives_terminal(called, leaf, deep - 1) for leaf in leaves(called.judged, root)
    )


def value_of(f: Follower, at: int) -> int | None:
    """The row that the variable at a row is bound to by its `let`; None for anything else."""
    local = f.judged.uses.get(at)
    bound = f.judged.locals[local].row if local is not None else None
    row = f.rows[bound] if bound is not None else None
    return row.value if isinstance(row, LetRow) else None


def inner_writer(type_: Type) -> Type:
    """What a buffer writes to: the Stdout of `BufWriter<Stdout>`."""
    for _ in range(4):
        if not isinstance(type_, Adt) or type_name(type_) not in _WRAPPERS or not type_.arguments:
            break
        type_ = referent(type_.arguments[0])
    return type_


def sink_of(type_: Type) -> Sink | None:
    """What a type of something that is written to says of where that goes; None if it says nothing."""
    match type_:
        case Generic() | Dyn() | Opaque():
            return "given"
    name = type_name(type_)
    return "terminal" if name in TERMINALS else "memory" if name in MEMORY else None


def sink_at(f: Follower, at: int) -> Sink | None:
    """Where a write goes; None where the call is no write, or goes elsewhere."""
    target = written_to(f, at)
    found = sink_of(target) if target is not None else None
    if found is not None:
        return found
    return "memory" if fills_memory(f, at) else "terminal" if fills_terminal(f, at) else None


FILLS = re.compile(r"^(write|serialize|encode|render|into_writer|to_writer|dump)")


def fills_memory(f: Follower, at: int) -> bool:
    """Whether a call from outside writes into bytes or a text of the body, of which it is given a mutable borrow."""
    if call_functions(f.judged, at) or FILLS.match(call_name(f.judged, at)) is None:
        return False
    row = f.rows[at]
    if isinstance(row, MethodCallRow) and type_name(f.judged.types[row.receiver]) in _OUTSIDE:
        return False
    given = [f.judged.types[one] for one in call_arguments(f.judged, at)[isinstance(row, MethodCallRow) :]]
    mutable = [one.inner for one in given if isinstance(one, Reference) and one.mutable]
    return bool(mutable) and all(type_name(one) in MEMORY for one in mutable)


def fills_terminal(f: Follower, at: int) -> bool:
    """Whether a call from outside writes what it is given to the terminal: `to_writer(io::stdout(), &report)`."""
    if call_functions(f.judged, at) or FILLS.match(call_name(f.judged, at)) is None:
        return False
    return any(
        type_name(inner_writer(referent(f.judged.types[one]))) in TERMINALS or gives_terminal(f, one)
        for one in call_arguments(f.judged, at)
    )


_OUTSIDE = frozenset({"File", "TcpStream", "UnixStream", "UdpSocket", "ChildStdin"})


def given_sinks(f: Follower, at: int) -> Iterator[Sink]:
    """Where what a call is given to write to leads, of each argument that may be that."""
    for argument in call_arguments(f.judged, at):
        found = sink_of(inner_writer(referent(f.judged.types[argument])))
        if found is not None:
            yield "terminal" if found == "given" and gives_terminal(f, argument) else found
