"""What sort of call stands at a row, by itself: a send, a lock, a conversion, and what its error says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inroads.analyses.swallow.callee import call_functions, call_name, call_owner, call_paths
from inroads.analyses.swallow.shapes import error_type, referent, shapes_of
from inroads.analyses.swallow.words import (
    ALPHABET,
    CHANGES,
    ENCODINGS,
    INFALLIBLE,
    INFALLIBLE_CRATES,
    IO_CRATES,
    LOCKS,
    LOOKUPS,
    MAKES_OF,
    RECEIVES,
    SENDS,
)
from inroads.facts import (
    FieldRow,
    MethodCallRow,
    PathRow,
    TupleRow,
)
from inroads.resolve.types import Adt, Dyn, Generic, Opaque, Primitive, Reference, Type, Unknown

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower
    from inroads.analyses.swallow.world import World


def changes_state(name: str) -> bool:
    """Whether a call from outside changes something that outlives it, told by its name."""
    return CHANGES.match(name) is not None


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


def converts(world: World, f: Follower, at: int) -> bool:
    """
    Whether a call only turns a value into another: one of std (`text.parse::<f64>()`, `u8::try_from(n)`), or
    one from outside whose name says so (see `makes_of`).
    """
    if makes_of(f, at):
        return True
    paths = call_paths(f.judged, at)
    if not any(path.startswith(("std::", "str::", "core::")) for path in paths) or not LOOKUPS.match(
        call_name(f.judged, at)
    ):
        return False
    error = error_type(world.type_at(f.judged, at), ("R",))
    return not is_io_error(error) and not any(path.startswith(IO_CRATES) for path in paths)


def makes_of(f: Follower, at: int) -> bool:
    """Whether a call from outside makes a value of another, or can't: `Address::from_script(s)`, `hex::decode(s)`."""
    if call_functions(f.judged, at):
        return False
    row = f.rows[at]
    paths = call_paths(f.judged, at)
    if any(path.startswith(ENCODINGS) for path in paths):
        return True
    if isinstance(row, MethodCallRow):
        if row.name == "format" and type_name(receiver_type(f, at)) in _TIMES:
            return True
        alphabet = f.rows[row.receiver]
        return (
            row.name.startswith("decode")
            and isinstance(alphabet, PathRow)
            and bool(alphabet.path.segments)
            and ALPHABET.match(alphabet.path.segments[-1].name) is not None
        )
    # A function of a module reads what somebody has written: `serde_json::from_slice`.
    return call_owner(f.judged, at)[:1].isupper() and MAKES_OF.match(call_name(f.judged, at)) is not None


_TIMES = frozenset({"OffsetDateTime", "PrimitiveDateTime", "UtcDateTime", "Date", "Time"})


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
    return looks_like_channel(f, at) or sends_nothing(f, at)


def sends_nothing(f: Follower, at: int) -> bool:
    """Whether what is sent is `()`: somebody is nudged, and where that fails he is gone or has been nudged."""
    row = f.rows[at]
    arguments = row.arguments if isinstance(row, MethodCallRow) else ()
    given = f.rows[arguments[0]] if len(arguments) == 1 else None
    return isinstance(given, TupleRow) and not given.elements


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
    return not owner or owner.endswith(("Receiver", "Rx", "Consumer", "Queue"))


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
