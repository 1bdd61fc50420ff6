"""A graph as text: one block a line, for tests and for whoever looks into a finding."""

from __future__ import annotations

from typing import assert_never

from inroads.lower.model import (
    Assume,
    Await,
    Build,
    Call,
    Compare,
    Condition,
    Drop,
    Event,
    Graph,
    Is,
    Move,
    Opaque,
    Raise,
    Read,
    Return,
    Same,
    Truth,
    Write,
)
from inroads.lower.places import describe

# A negated variant has a name of its own.
OTHER = {"Some": "None", "Ok": "Err"}


def show(graph: Graph, *, reads: bool = False, drops: bool = True) -> str:
    """
    The blocks in order, each with its events and where it leads.

    ::

        0: call load -> 1 2
        1: [the result of `load` is Ok] return ok
        2: [the result of `load` is Err] return err

    Args:
        reads: Whether uses of places, and calls of other crates' macros, are shown.
        drops: Whether drops and moves are shown.
    """
    lines: list[str] = []
    for block in graph.blocks:
        events = [
            show_event(event)
            for event in block.events
            if (reads or not _is_quiet(event)) and (drops or not isinstance(event, Drop | Move))
        ]
        text = "; ".join(events)
        to = " ".join(str(target) for target in block.successors)
        lines.append(f"{block.id}: {text}{' ' if text and to else ''}{f'-> {to}' if to else ''}".rstrip())
    return "\n".join(lines)


def _is_quiet(event: Event) -> bool:
    """Whether an event is told only with the uses of places: a use itself, a macro of another crate."""
    return isinstance(event, Read) or (isinstance(event, Call) and event.call.kind == "macro")


def show_event(event: Event) -> str:
    """One event in few words."""
    match event:
        case Call(call=call, arguments=arguments):
            path = call.targets[0].path if call.targets else call.declared.path if call.declared else "?"
            given = ", ".join(describe(place) for place in arguments)
            return f"call {path.rpartition('::')[2]}({given})"
        case Build(path=path, fields=fields):
            inside = ", ".join(f"{name}: {describe(place)}" for name, place in fields)
            return f"build {path.rpartition('::')[2]} {{{inside}}}"
        case Read(place=place):
            return f"read {describe(place)}"
        case Write(place=place, source=source, known=known, op=op):
            value = known or (describe(source) if source is not None else "?")
            return f"{op} {describe(place)} <- {value}"
        case Move(place=place, into=into):
            return f"move {describe(place)} into {into}"
        case Drop(place=place):
            return f"drop {describe(place)}"
        case Await():
            return "await"
        case Raise(how=how):
            return how
        case Assume(condition=Opaque(), side=side, cause=cause):
            return f"[{_OPEN.get(cause, _EITHER)[0 if side else 1]}]"
        case Assume(condition=condition, side=side):
            return f"[{show_condition(condition, side)}]"
        case Return(outcome=outcome):
            return f"return {outcome}"
        case _:
            assert_never(event)


def show_condition(condition: Condition, side: bool) -> str:
    """`draft is None`, `each(seqs).len() == 0`, `another turn`: a condition as a half sentence."""
    match condition:
        case Is(place=place, variant=variant):
            name = variant.rpartition("::")[2]
            if not side:
                name = OTHER.get(variant, f"not {name}")
            return f"{describe(place)} is {name}"
        case Compare(place=place, op=op, literal=literal):
            return f"{describe(place)} {op if side else _NEGATED[op]} {literal}"
        case Same(left=left, op=op, right=right):
            return f"{describe(left)} {op if side else _NEGATED[op]} {describe(right)}"
        case Truth(place=place):
            return f"{describe(place)} is {'true' if side else 'false'}"
        case Opaque():
            return _EITHER[0 if side else 1]
        case _:
            assert_never(condition)


_EITHER = ("perhaps", "perhaps not")
_OPEN = {
    "loop": ("another turn", "no more turns"),
    "may-run": ("it runs", "it does not run"),
    "select": ("this arm", "another arm"),
    "spawn": ("spawned", "the spawner"),
}
_NEGATED = {"==": "!=", "<": ">=", "<=": ">"}
