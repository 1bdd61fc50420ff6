"""
The combinators of Option, Result and bool become the branches that they stand for.

``init().and_then(|h| use(h))``

::

    [init()] -> [it is Ok] use(h) -> . (what use gave)
             -> [it is Err] -> . (that error)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from inroads.lower.build import Cursor, End
from inroads.lower.closures import literal_variant, run_callable
from inroads.lower.model import Cause, Is, Outcome, Raise, Write
from inroads.lower.values import FALSE, TRUE, Value, inner, replace, subject_of
from inroads.lower.walk import Walk


class Combined:
    """One combinator at work on one end: the receiver split by its variant."""

    __slots__ = ("arguments", "at", "family", "no", "value", "variant", "walk", "yes")

    def __init__(
        self, walk: Walk, at: int, family: str, end: End, arguments: tuple[Value, ...], cause: Cause
    ) -> None:
        self.walk = walk
        self.at = at
        self.family = family
        self.variant = "Ok" if family == "result" else "Some"
        self.value = end[1]
        self.arguments = arguments
        self.yes: Cursor | None
        self.no: Cursor | None
        self.yes, self.no = walk.split_variant(end, at, self.variant, cause)

    def good(self) -> list[End]:
        """The end with what is inside Ok or Some."""
        return [] if self.yes is None else [(self.yes, inner(self.value, self.variant))]

    def bad(self) -> list[End]:
        """The end with the error; with the None itself for an Option."""
        if self.no is None:
            return []
        return [(self.no, inner(self.value, "Err") if self.family == "result" else self.failed())]

    def kept(self) -> list[End]:
        """The end where the receiver is Ok or Some and stays so."""
        return [] if self.yes is None else [(self.yes, replace(self.value, known=self.said(True)))]

    def passed(self) -> list[End]:
        """The end where the receiver is Err or None and stays so."""
        return [] if self.no is None else [(self.no, self.failed())]

    def failed(self) -> Value:
        """The receiver where it is Err or None."""
        return replace(self.value, known=self.said(False), payload=None)

    def said(self, good: bool) -> Outcome:
        """How the receiver answers on that side."""
        if self.family == "result":
            return "ok" if good else "err"
        return "some" if good else "none"

    def run(self, ends: list[End], number: int = -1, bare: bool = False) -> list[End]:
        """Run the callable that is argument `number` on each end's value."""
        if not self.arguments:
            return ends
        found: list[End] = []
        for cursor, value in ends:
            self.walk.cursor = cursor
            found += run_callable(self.walk, self.at, self.arguments[number], () if bare else (value,))
        return found

    def wrap(self, ends: list[End], known: str) -> list[End]:
        """Each end's value inside Ok, Some or Err."""
        return [(cursor, literal_variant(self.walk, self.at, known, value)) for cursor, value in ends]

    def turned(self, known: Outcome, ends: list[End]) -> list[End]:
        """A Result turned into an Option or the reverse: the same place, tested under a name of its own."""
        subject = self.walk.made(self.at)
        found: list[End] = []
        for cursor, payload in ends:
            write = Write(self.at, subject, None, self.value.place, known, None, "join")
            self.walk.emit_at(cursor, write)
            found.append((cursor, replace(self.value, subject=subject, known=known, payload=payload)))
        return found

    def given(self, number: int = 0) -> Value:
        """An argument's value."""
        return self.arguments[number] if number < len(self.arguments) else Value(self.walk.made(self.at))


Combinator: TypeAlias = Callable[[Combined], list[End]]


def _unwrap(one: Combined) -> list[End]:
    """`x.unwrap()`: goes on where it is Ok or Some."""
    if one.no is not None:
        one.walk.emit_at(one.no, Raise(one.at, "panic"))
    return one.good()


def _unwrap_err(one: Combined) -> list[End]:
    if one.yes is not None:
        one.walk.emit_at(one.yes, Raise(one.at, "panic"))
    return one.bad()


def _unwrap_or(one: Combined) -> list[End]:
    default = one.given() if one.arguments else Value(one.walk.made(one.at))
    return one.good() + [(cursor, default) for cursor, _ in one.bad()]


def _unwrap_or_else(one: Combined) -> list[End]:
    return one.good() + one.run(one.bad(), bare=one.family == "option")


def _map(one: Combined) -> list[End]:
    return one.wrap(one.run(one.good()), one.said(True)) + one.passed()


def _and_then(one: Combined) -> list[End]:
    return one.run(one.good()) + one.passed()


def _or_else(one: Combined) -> list[End]:
    return one.kept() + one.run(one.bad(), bare=one.family == "option")


def _on_error(one: Combined) -> list[End]:
    """`x.map_err(f)`, `x.inspect_err(f)`, `x.with_context(f)`: the same answer, f run on the error."""
    ends = one.run(one.bad(), bare=one.family == "option")
    failed = one.failed()
    return one.kept() + [(cursor, failed) for cursor, _ in ends]


def _inspect(one: Combined) -> list[End]:
    kept = one.kept()
    ends = one.run(one.good())
    return [(cursor, kept[0][1]) for cursor, _ in ends] + one.passed()


def _map_or(one: Combined) -> list[End]:
    return one.run(one.good()) + [(cursor, one.given()) for cursor, _ in one.bad()]


def _map_or_else(one: Combined) -> list[End]:
    return one.run(one.good()) + one.run(one.bad(), 0, bare=one.family == "option")


def _ok(one: Combined) -> list[End]:
    return one.turned("some", one.good()) + one.turned("none", one.bad())


def _err(one: Combined) -> list[End]:
    none: list[End] = [(cursor, Value(one.walk.made(one.at), known="none")) for cursor, _ in one.good()]
    return one.wrap(one.bad(), "some") + none


def _ok_or(one: Combined) -> list[End]:
    return one.turned("ok", one.good()) + one.turned(
        "err", [(cursor, one.given()) for cursor, _ in one.bad()]
    )


def _ok_or_else(one: Combined) -> list[End]:
    return one.turned("ok", one.good()) + one.turned("err", one.run(one.bad(), bare=True))


def _and(one: Combined) -> list[End]:
    return [(cursor, one.given()) for cursor, _ in one.good()] + one.passed()


def _or(one: Combined) -> list[End]:
    return one.kept() + [(cursor, one.given()) for cursor, _ in one.bad()]


def _is_and(one: Combined) -> list[End]:
    return one.run(one.good()) + [(cursor, FALSE) for cursor, _ in one.bad()]


def _is_none_or(one: Combined) -> list[End]:
    return one.run(one.good()) + [(cursor, TRUE) for cursor, _ in one.bad()]


def _filter(one: Combined) -> list[End]:
    kept = one.kept()
    yes, no = one.walk.split_all(one.run(one.good()), one.at, "combinator")
    ends: list[End] = [] if yes is None or not kept else [(yes, kept[0][1])]
    if no is not None:
        ends.append((no, Value(one.walk.made(one.at), known="none")))
    return ends + one.passed()


def _get_or_insert_with(one: Combined) -> list[End]:
    return one.good() + one.run(one.bad(), bare=True)


COMBINATORS: dict[str, Combinator] = {
    "unwrap": _unwrap,
    "expect": _unwrap,
    "unwrap_unchecked": _unwrap,
    "unwrap_err": _unwrap_err,
    "expect_err": _unwrap_err,
    "unwrap_or": _unwrap_or,
    "unwrap_or_default": _unwrap_or,
    "unwrap_or_else": _unwrap_or_else,
    "map": _map,
    "and_then": _and_then,
    "or_else": _or_else,
    "map_err": _on_error,
    "inspect_err": _on_error,
    "with_context": _on_error,
    "wrap_err_with": _on_error,
    "inspect": _inspect,
    "map_or": _map_or,
    "map_or_default": _map_or,
    "map_or_else": _map_or_else,
    "ok": _ok,
    "err": _err,
    "ok_or": _ok_or,
    "ok_or_else": _ok_or_else,
    "and": _and,
    "or": _or,
    "is_some_and": _is_and,
    "is_ok_and": _is_and,
    "is_none_or": _is_none_or,
    "filter": _filter,
    "get_or_insert_with": _get_or_insert_with,
}
# Names that mean nothing else, so that they are read so though the receiver's type is not known.
CERTAIN = {
    "unwrap": "",
    "expect": "",
    "unwrap_err": "result",
    "expect_err": "result",
    "map_err": "result",
    "inspect_err": "result",
    "with_context": "",
    "wrap_err_with": "",
    "unwrap_or_default": "",
    "unwrap_or_else": "",
    "unwrap_or": "",
    "ok_or": "option",
    "ok_or_else": "option",
    "is_some_and": "option",
    "is_none_or": "option",
    "is_ok_and": "result",
    "map_or_else": "",
}
TESTS: dict[str, tuple[str, bool]] = {
    "is_ok": ("Ok", True),
    "is_err": ("Ok", False),
    "is_some": ("Some", True),
    "is_none": ("Some", False),
}


def combine(
    walk: Walk, at: int, name: str, family: str, ends: list[End], arguments: tuple[Value, ...]
) -> list[End]:
    """What the combinator leaves of each of the receiver's ends."""
    combinator = COMBINATORS[name]
    cause: Cause = "unwrap" if combinator in (_unwrap, _unwrap_err) else "combinator"
    return [after for end in ends for after in combinator(Combined(walk, at, family, end, arguments, cause))]


def test(walk: Walk, at: int, name: str, end: End) -> End:
    """`x.is_ok()`: a test of x, which branches where it is asked."""
    cursor, value = end
    variant, side = TESTS[name]
    match (value.known, variant):
        case ("ok", "Ok") | ("some", "Some"):
            return cursor, TRUE if side else FALSE
        case ("err", "Ok") | ("none", "Some"):
            return cursor, FALSE if side else TRUE
        case _:
            return cursor, Value(walk.made(at), test=(Is(subject_of(value), variant), side))


def then(walk: Walk, at: int, name: str, end: End, arguments: tuple[Value, ...]) -> list[End]:
    """`c.then(f)`, `c.then_some(x)`: Some where c is true."""
    yes, no = walk.split_bool(end, at, "combinator")
    ends: list[End] = []
    if yes is not None:
        walk.cursor = yes
        given: list[End] = [(yes, arguments[0])] if arguments else [(yes, Value(walk.made(at)))]
        if name == "then" and arguments:
            given = run_callable(walk, at, arguments[0], ())
        ends = [(cursor, replace(value, known="some", payload=value)) for cursor, value in given]
    if no is not None:
        ends.append((no, Value(walk.made(at), known="none")))
    return ends
