"""The named switches: places that lose an error rightly, each for one reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from inroads.analyses.swallow import failing, sorts, words
from inroads.analyses.swallow.callee import call_arguments, call_name
from inroads.analyses.swallow.covers import says_err
from inroads.analyses.swallow.leaving import UNDOES, already_failing
from inroads.analyses.swallow.place import Place, argument_texts, returns_result
from inroads.analyses.swallow.probing import probing
from inroads.analyses.swallow.reasons import has_reason, has_reasoned_attribute
from inroads.analyses.swallow.shapes import referent
from inroads.analyses.swallow.sorts import receiver_type, type_name
from inroads.analyses.swallow.survey import jump_of
from inroads.analyses.swallow.uses import enclosing, region_at
from inroads.analyses.swallow.writers import sink_at
from inroads.facts import (
    CallRow,
    ClosureRow,
    FieldRow,
    ForRow,
    IfRow,
    LetConditionRow,
    LiteralRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    PathRow,
    Row,
    WhileRow,
)
from inroads.resolve.types import Adt, Dyn, Generic, Opaque, Tuple, Type

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower

TEARDOWN_WORDS = re.compile(
    r"(^|_)(close|shutdown|shut_down|stop|teardown|tear_down|cleanup|clean_up|drop|abort|kill|terminate|dispose|destroy"
    r"|finish|exit|quit|disconnect|unmount|reset|cancel|rollback|evict|gc|purge|sweep|prune|expire|restore_terminal|deinit|halt)"
    r"(_|$)"
)
TEMPORARY = re.compile(
    r"(?i)(tmp|temp|stale|old|partial|pid|lock|sock|scratch|orphan|backup|\.new|leftover|garbage)"
)
BENCHES = re.compile(
    r"(^|[/_-])(bench|benches|benchmark|benchmarks|testing|testutils?|testkit|testsuite|testlib|fuzz|simulator"
    r"|tests?[_-](utils?|support|helpers?|server|harness|suite|kit|framework|common|tools?))([/_.-]|$)"
    r"|^templates/|(^|[/_-])(stress|logictests?|sqllogictests?|loadgen|load-?gen|soak)([/_.-]|$)"
    r"|(^|[/_-])(tests?|integration|e2e|fixtures?|mocks?|examples?|demos?)/|(^|/)(tests?|mocks?)[_-][^/]+/"
)
BUILDS = re.compile(r"(^|/)xtasks?/")
LOGGERS = re.compile(
    r"^(Log|Logger|Subscriber|Layer|Appender|Drain|LogSink|Tracer|Recorder|FormatEvent|FormatFields|MakeWriter|Visit)$"
    r"|(Logger|Appender|LogSink)$"
)


def quieted(place: Place, switches: tuple[str, ...]) -> str | None:
    """A switch that speaks for a place, None if none does; those that look into what is called come last."""
    ordered = sorted((name for name in switches if name in SWITCHES), key=_LOOKING.__contains__)
    return next((name for name in ordered if SWITCHES[name](place)), None)


_LOOKING = frozenset(("gone-receiver", "string-write", "terminal-write", "poisoned-lock", "probing"))


def gone_receiver(p: Place) -> bool:
    """A send whose only failure is that nobody listens any more; so does a function whose every failure is one."""
    if sorts.is_send(p.world, p.f, p.at):
        return True
    functions = p.nature.functions
    if functions and len(functions) <= MANY:
        found = [failing.failures_of(p.world, one) for one in functions]
        if all(one is not None and "send" in one.sources <= SENDING for one in found):
            return True
    if is_peer_gone(p) or ends_pump(p):
        return True
    if (sorts.is_receive(p.f, p.at) and "K" not in p.shape) or says_closed(p.nature.error):
        # A loop over what is received ends with the channel; an arm that takes it for an answer is judged.
        return p.end.form.startswith("while") or (
            p.end.fate != "logged" and p.end.gives not in ("return None", "none")
        )
    return False


MANY = 6
# Who talks to somebody at the other end of a connection.
TALKERS = re.compile(r"(Session|Conn(ection)?|Client|Peer|Socket|Stream|Framed|WebSocket|Sink|Responder)$")
TALKING = re.compile(r"(^|_)(ws|websocket|socket|conn|connection|peer|session)$")
SAYS = frozenset({"send", "send_all", "feed", "reply", "respond", "ping", "pong"})


def is_peer_gone(p: Place) -> bool:
    """
    Whether something is said to the other end of a connection that is given up: the way ends where it
    can't be said, or it is the last word, before the way ends.
    """
    name, f = p.nature.name, p.f
    row = f.rows[p.at]
    if (
        "K" in p.shape
        or (p.nature.failures is not None and not p.nature.io)
        or not isinstance(row, MethodCallRow)
    ):
        return False
    talks = (
        TALKERS.search(type_name(receiver_type(f, p.at))) is not None
        or TALKING.search(name_of(f.rows[row.receiver])) is not None
    )
    if not (
        (name in SAYS and (talks or not p.nature.functions))
        or (talks and name in ("write", "write_all", "flush"))
    ):
        return False
    if p.end.gives in ("break", "return") and p.end.form.startswith(("is_err", "if let", "match arm Err")):
        return p.world.program.tables.functions[f.judged.function].item.returns is None
    if p.end.form not in ("let _", "statement", "_ ="):
        return False
    home = f.uses.homes[p.at]
    region = f.judged.body.root if home is None else region_at(f.rows[home.row], home)
    return home is not None and jump_of(f, region) in ("break", "return")


PUMPS = SAYS | {"write", "write_all", "write_buf", "flush", "send_to"}
LISTENS = re.compile(
    r"^(read|read_line|read_exact|read_buf|read_until|next_line|poll_read|read_event|recv|next)$"
)
TERMINAL = re.compile(r"(^|_)(stdin|pty|tty|console|keyboard|terminal)(_|$)")


def ends_pump(p: Place) -> bool:
    """
    Whether a loop ends with it that hands what it receives to somebody at another end, or what is typed to the
    program: whoever sends learns that nobody receives any more.
    """
    f = p.f
    row = f.rows[p.at]
    if not isinstance(row, MethodCallRow) or p.end.gives not in ("break", "return") or "K" in p.shape:
        return False
    if p.end.function is not None or not p.end.form.startswith(
        ("is_err", "if let", "match arm", "while", "let")
    ):
        return False
    type_ = receiver_type(f, p.at)
    if LISTENS.match(row.name) is not None:
        return (
            type_name(type_) in ("Stdin", "StdinLock")
            or TERMINAL.search(name_of(f.rows[row.receiver])) is not None
        )
    if row.name not in PUMPS:
        return False
    far = isinstance(type_, (Dyn, Generic, Opaque)) or TALKERS.search(type_name(type_)) is not None
    far = far or type_name(type_) in ("ChildStdin", "OwnedWriteHalf", "WriteHalf", "Stdout")
    return far and any(
        is_loop_over_channel(f, home.row) for home, _ in enclosing(f.uses, p.at, f.judged.body)
    )


def is_loop_over_channel(f: Follower, at: int) -> bool:
    """Whether a row is a loop over what is received: `for one in rx`, `while let Some(one) = rx.recv().await`."""
    row = f.rows[at]
    if isinstance(row, ForRow):
        over = row.iterable
        if isinstance(one := f.rows[over], MethodCallRow) and one.name in ("iter", "into_iter", "try_iter"):
            over = one.receiver
        return type_name(referent(f.judged.types[over])).endswith(("Receiver", "Rx"))
    return isinstance(row, WhileRow) and any(
        sorts.is_receive(f, inside) for inside in range(row.condition.start, row.condition.end)
    )


# What fails in a function that sends: the channel, and that nobody is known to send to.
SENDING = frozenset({"send", "none", "conversion"})


def name_of(row: Row) -> str:
    """The name of the variable or field that a row reads; empty for anything else."""
    match row:
        case PathRow(path=path) if path.segments:
            return path.segments[-1].name
        case FieldRow(name=name):
            return name
    return ""


def says_closed(error: Type | None) -> bool:
    """Whether an error says that the other side of a channel is gone."""
    closed = ("RecvError", "TryRecvError", "RecvTimeoutError", "Canceled")
    return error is not None and type_name(referent(error)) in closed


def string_write(p: Place) -> bool:
    """
    A formatted write into a String, or into a type of our own that only formats: it fails where a
    Display says so.
    """
    if (
        p.nature.error is not None
        and sorts.type_name(p.nature.error) == "Error"
        and is_format_error(p.nature.error)
    ):
        return call_name(p.f.judged, p.at).startswith("write")
    return sink_at(p.f, p.at) == "memory" or failing_sinks(p) == {"memory"}


def failing_sinks(p: Place) -> frozenset[str]:
    """All that fails in a function of the workspace, seen from a call of it."""
    if len(p.nature.functions) != 1:
        # One of several may be a file.
        return frozenset()
    return frozenset(failing.source_words(p.world, p.f, p.at)) - {"callee"}


def is_format_error(error: Type) -> bool:
    """Whether an error is `std::fmt::Error`, which carries nothing."""
    return isinstance(error, Adt) and error.path == "std::fmt::Error"


def terminal_write(p: Place) -> bool:
    """A write to standard output or error, or to what draws on a terminal; a function that fails in no other."""
    if sink_at(p.f, p.at) == "terminal" or "terminal" in failing_sinks(p) <= {"terminal", "memory"}:
        return True
    row = p.f.rows[p.at]
    if isinstance(row, MethodCallRow):
        return row.name in ("print_help", "print_long_help") and not p.nature.functions
    return isinstance(row, MacroRow) and bool(row.path) and row.path[-1] in ("execute", "queue")


def teardown(p: Place) -> bool:
    """Closing, killing or removing what is done with: there is nothing left to do if it fails."""
    name = p.nature.name
    ends = TEARDOWN_WORDS.search(p.world.program.tables.functions[p.f.judged.function].name) is not None
    if name in ("await", "join") and p.end.fate == "logged" and ends and not returns_result(p):
        # What a task that is told to end had to say at last, and it is logged.
        return True
    if "K" in p.shape or "O" in p.shape:
        # What a task or thread found out is more than that it ended.
        return False
    if name == "remove_dir" and not p.nature.functions:
        # It only removes an empty folder: one that others still use stays, and that is the point.
        return True
    if name in words.SURE_TEARDOWN and not p.nature.functions:
        return True
    if p.end.fate == "logged" and UNDOES.match(name) and ends and not returns_result(p):
        return True
    if name in GONE_WITH and ends_itself(p) and not returns_result(p):
        return True
    if name in ("join", "wait", "await") and was_told_to_stop(p):
        return True
    if name in ("status", "output", "spawn") and not p.nature.functions and runs_killer(p):
        return True
    if name in words.UNDOES and is_after_error(p):
        return True
    if name not in words.TEARDOWN and not name.startswith(
        ("close_", "shutdown_", "stop_", "kill_", "remove_temp", "cleanup")
    ):
        return False
    if ends and not returns_result(p):
        return True
    if name in ("join", "wait") and not p.nature.functions:
        return True
    if name.startswith("remove") or name == "unlink":
        return any(TEMPORARY.search(text) for text in argument_texts(p))
    return (
        name in ("close", "shutdown", "leave_alternate_screen", "try_wait", "unlock", "disconnect")
        and p.end.gives != "return ok"
    )


STOPS = frozenset({"stop", "shutdown", "cancel", "abort", "close", "terminate", "kill"})


def was_told_to_stop(p: Place) -> bool:
    """Whether what is waited for was told to end just above: `handle.stop(); let _ = handle.join().await;`."""
    f = p.f
    row = f.rows[p.at]
    local = f.judged.uses.get(row.receiver) if isinstance(row, MethodCallRow) else None
    if local is None:
        return False
    return any(
        isinstance(one := f.rows[use.row], MethodCallRow) and one.name in STOPS and use.role == "receiver"
        for at in f.uses.locals.get(local, ())
        if at < p.at and (use := f.uses.taken[at]) is not None and use.row is not None
    )


ENDS_ITSELF = re.compile(
    r"^(halt|shutdown|shut_down|close|stop|teardown|tear_down|destroy|terminate|deinit)$"
)


def ends_itself(p: Place) -> bool:
    """Whether the function around is there to end what it is called on."""
    return ENDS_ITSELF.match(p.world.program.tables.functions[p.f.judged.function].name) is not None


# What goes with its owner, where that is torn down.
GONE_WITH = frozenset({"delete", "destroy", "free", "unregister", "detach", "deregister"})
_KILLERS = re.compile(r"\b(kill|pkill|killall|taskkill)\b")


def runs_killer(p: Place) -> bool:
    """Whether a program is run that ends another: `Command::new("kill").arg(pid).status()`."""
    row = p.f.rows[p.at]
    for _ in range(12):
        if not isinstance(row, MethodCallRow):
            break
        row = p.f.rows[row.receiver]
    if not isinstance(row, CallRow) or len(row.arguments) != 1:
        return False
    given = p.f.rows[row.arguments[0]]
    return isinstance(given, LiteralRow) and _KILLERS.search(given.text) is not None


def is_after_error(p: Place) -> bool:
    """Whether the place stands in the arm of another error: what was begun is undone, and that error decides."""
    for home, row in enclosing(p.f.uses, p.at, p.f.judged.body):
        if isinstance(row, ClosureRow):
            return False
        if isinstance(row, MatchRow) and home.part == "arm" and says_err(row.arms[home.order].pattern):
            return True
        if isinstance(row, IfRow) and home.part == "then":
            inside = range(row.condition.start, row.condition.end)
            conditions = (one for at in inside if isinstance(one := p.f.rows[at], LetConditionRow))
            if any(says_err(one.pattern) for one in conditions):
                return True
    return False


# Names of files that are read where they are and do without where they are not.
OPTIONAL = re.compile(
    r"(?i)(config|conf\b|\.json|\.toml|\.ya?ml|\.env|\.ini|settings|history|manifest|ignore|/proc|/sys|/etc|os-release"
    r"|version|cache|preferences|profile|override|dotfile|rc_path|\.cfg)"
)


def reads_optional_file(p: Place) -> bool:
    """Whether the call reads a file by a name that tells of settings: it is there or it is not."""
    if p.nature.functions or p.nature.name not in ("read_to_string", "read", "open"):
        return False
    if not any(path.startswith(("std::fs::", "tokio::fs::", "fs_err::")) for path in p.nature.paths):
        return False
    return any(OPTIONAL.search(text) is not None for text in argument_texts(p))


def in_drop(p: Place) -> bool:
    """The body of `Drop::drop`, which can return nothing."""
    function = p.world.program.tables.functions[p.f.judged.function]
    if function.impl is None or function.name not in ("drop", "async_drop"):
        return False
    return p.world.program.tables.impls[function.impl].trait_path.endswith(("Drop", "AsyncDrop"))


def logger(p: Place) -> bool:
    """What writes the log has nowhere to log its own failure."""
    tables = p.world.program.tables
    function = tables.functions[p.f.judged.function]
    if function.impl is None:
        return False
    own = tables.impls[function.impl]
    # What the type has beside the trait's methods helps them.
    impls = [own, *(tables.impls[one] for one in tables.impls_of_head.get(own.head, ()) if own.inherent)]
    traits = (
        one.trait_path or (tables.traits[one.trait].path if one.trait is not None else "") for one in impls
    )
    # The trait tells, not the type: what is called `CommitLog` is no logger.
    return any(LOGGERS.search(trait.rpartition("::")[2]) is not None for trait in traits)


def tests(p: Place) -> bool:
    """Test code, examples and benches, and crates that help the tests of others only."""
    tables = p.world.program.tables
    function = tables.functions[p.f.judged.function]
    crate = tables.crates[function.crate]
    return (
        function.test
        or crate.kind in ("test", "bench", "example")
        or crate.helper
        or BENCHES.search(function.position.path) is not None
    )


def build_scripts(p: Place) -> bool:
    """A build script, whose failure the build shows; or a tool of the workspace for its own builds (xtask)."""
    tables = p.world.program.tables
    function = tables.functions[p.f.judged.function]
    return tables.crates[function.crate].kind == "build" or BUILDS.search(function.position.path) is not None


def reason_comment(p: Place) -> bool:
    """A comment at the place that says why."""
    return has_reason(p.world, p.f, p.at, p.end, p.words)


def clippy_reason(p: Place) -> bool:
    """An `#[allow(.., reason = "..")]` that speaks of the same."""
    return has_reasoned_attribute(p.world, p.f, p.at)


def rejected_value(p: Place) -> bool:
    """An Err that holds the caller's own value: `OnceLock::set`, `queue.push(job)`."""
    if p.nature.name in words.REJECTS and not p.nature.functions:
        return True
    error = p.nature.error
    if error is None:
        return False
    error = referent(error)
    if isinstance(error, Tuple) and not error.elements:
        return False
    given = call_arguments(p.f.judged, p.at)[isinstance(p.f.rows[p.at], MethodCallRow) :]
    arguments = [referent(p.f.judged.types[one]) for one in given]
    if any(error == one and is_known(error) for one in arguments):
        return True
    if isinstance(error, Adt) and any(
        part == one and is_known(part) for part in map(referent, error.arguments) for one in arguments
    ):
        # `SendError<T>`, `Full<T>`: the value comes back inside of it.
        return True
    return p.nature.name == "set" and type_name(receiver_type(p.f, p.at)) in (
        "OnceLock",
        "OnceCell",
        "Lazy",
        "SetOnce",
    )


def is_known(type_: Type) -> bool:
    """Whether a type is one to compare by: a struct, enum or trait object that is no text."""
    return isinstance(type_, Dyn) or (isinstance(type_, Adt) and type_.path != "std::string::String")


def poisoned_lock(p: Place) -> bool:
    """A lock that another thread poisoned by its panic; so does a function whose every failure is one."""
    if sorts.is_lock(p.f, p.at):
        return True
    failures = p.nature.failures
    return failures is not None and bool(failures.points) and failures.sources <= {"poison"}


SWITCHES: dict[str, Callable[[Place], bool]] = {
    "tests": tests,
    "build-scripts": build_scripts,
    "drop": in_drop,
    "logger": logger,
    "gone-receiver": gone_receiver,
    "string-write": string_write,
    "terminal-write": terminal_write,
    "teardown": teardown,
    "poisoned-lock": poisoned_lock,
    "rejected-value": rejected_value,
    "already-failing": already_failing,
    "probing": probing,
    "clippy-reason": clippy_reason,
    "reason-comment": reason_comment,
}
