"""What becomes, at the callers, of the None that a function gives in place of an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.swallow.ends import ALIVE
from inroads.analyses.swallow.shapes import Shape
from inroads.analyses.swallow.uses import frame_of

if TYPE_CHECKING:
    from inroads.analyses.swallow.place import Place

HEARD = ALIVE | {"cause-lost"}
MOST_CALLERS = 12
# Bodies that may call a function, up to which they are judged to see what becomes of its None.
MOST_CANDIDATES = 40
THROWN = frozenset({"let _", "statement", "_ =", "drop()"})
VANISHES = frozenset({".filter_map()", ".flat_map()", ".flatten()", "iterated", ".for_each()"})


def is_heard_as_none(p: Place) -> bool:
    """Whether a None goes straight to callers, none of whom lets it vanish among others."""
    if p.end.form != "returned" and p.end.gives not in ("return None", "none"):
        return False
    if p.nature.optional and p.nature.io:
        # That it could not be asked is taken for what it says where there is none.
        return False
    return not is_taken_for_end(p) and not vanishes_in_callers(p)


def is_taken_for_end(p: Place) -> bool:
    """Whether a None says that there is no more: in what an iterator or a stream gives next."""
    function = p.f.judged.function
    name = p.world.program.tables.functions[function].name
    return name in ("next", "next_back", "poll_next") and p.world.is_foreign_method(function)


def is_answered(p: Place) -> bool:
    """Whether the None that a function gives in place of a logged error is acted upon by all who call it."""
    if p.end.form != "returned" and p.end.gives not in ("return None", "none"):
        return False
    world, function = p.world, p.f.judged.function
    if frame_of(p.f.uses, p.at, p.f.judged.body) is not None:
        return False
    shape: Shape = ("F", "Z") if world.program.tables.functions[function].item.is_async else ("Z",)
    if MOST_CANDIDATES < len(world.program.candidates(function)):
        return False
    edges = world.callers(function)
    for edge in edges[:MOST_CALLERS]:
        f = world.follower(edge.caller)
        if f is None or edge.caller == function or world.fate_of(f, edge.row, shape).fate not in HEARD:
            return False
    return 0 < len(edges) <= MOST_CALLERS


def vanishes_in_callers(p: Place) -> bool:
    """
    Whether a caller drops the None from a list, so that a row is missing there, and nobody knows; or all of
    them throw it away.
    """
    world, function = p.world, p.f.judged.function
    if MOST_CANDIDATES < len(world.program.candidates(function)):
        return False
    thrown: list[bool] = []
    edges = world.callers(function)
    for edge in edges[:MOST_CALLERS]:
        f = world.follower(edge.caller)
        if f is None or edge.caller == function:
            continue
        end = world.fate_of(f, edge.row, ("Z",))
        if end.fate == "dropped" and end.form in VANISHES:
            return True
        thrown.append(end.fate == "dropped" and end.form in THROWN)
    return bool(thrown) and all(thrown) and len(edges) <= MOST_CALLERS
