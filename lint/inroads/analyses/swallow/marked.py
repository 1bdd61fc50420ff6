"""
Which bodies must be judged to find the errors that they lose.

A body is left out only where it is sure to lose none: it shows no form by
which an error is lost (see rust/marks.py), or everything in it that can fail
is followed by `?` or `unwrap()` (see look.py). What the signatures tell
nothing of is judged where a pattern or a method proves a Result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.look import look_at
from inroads.analyses.swallow.sources import Sources
from inroads.rust.loose import BodyText
from inroads.store import is_waiting, marks_of, names_of

if TYPE_CHECKING:
    from inroads.program import Program

PROOFS = frozenset(("ok", "is-err", "if-let", "while-let", "let-else", "match", "matches"))
"""Forms that by themselves prove a Result, or that hardly stand for anything else."""

PROVING = frozenset(("ok", "err", "is_ok", "is_err", "is_ok_and", "is_err_and", "is_none_or"))
"""The methods among them."""

HANDED_ON = frozenset(
    ("()", "drop", "forget", "Ok", "Err", "write!", "writeln!", "join!", "try_join!", "select!", "matches!")
)
"""What gives a Result that something else in the body has made."""

JOINS = frozenset(("join", "join_next", "join_all", "try_join_all", "try_join"))

ASKING = methods.PROVES_RESULT | methods.PROVES_BY_CLOSURE
"""Methods that prove what a function from outside gives."""


class Marked:
    """The bodies of a program that may lose an error."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sources = Sources(program)
        self.macros = frozenset(f"{name}!" for name in program.tables.own_macros)

    def is_marked(self, function: int) -> bool:
        """Whether a body shows a form that can lose an error, or a macro that may hide one."""
        tables = self.program.tables
        found = tables.functions[function]
        if found.item.body is None:
            return False
        body = tables.sources[found.source].facts.bodies[found.item.body]
        names = names_of(body)
        if not names.isdisjoint(self.macros):
            return True
        look = look_at(self.sources, function)
        loose = None if look is None else look.loose()
        if look is not None and not loose and PROVING.isdisjoint(names) and not look.text.proves():
            return False
        marks = marks_of(body)
        if not marks.isdisjoint(PROOFS):
            return True
        if loose is None:
            loose = self.sources.named(body)
        return any(self._loses(mark, loose) for mark in marks)

    def _loses(self, mark: str, loose: frozenset[str]) -> bool:
        """Whether a form may lose the error of one of these calls."""
        form, colon, name = mark.partition(":")
        if not colon:
            match form:
                case "map-err":
                    return "map_err" in loose
                case "join":
                    return not loose.isdisjoint(JOINS)
                case _:
                    return bool(loose)
        if name in HANDED_ON:
            return bool(loose)
        plain = name.lstrip(".")
        if plain in loose or (plain != name and plain in self.sources.passing and bool(loose)):
            return True
        # `let _ =` is hardly written for anything but a Result; another place may prove that it is one.
        return form == "let-underscore" and not self.sources.is_harmless(plain)

    def asked(self, function: int) -> frozenset[str]:
        """
        The calls of a body that it may prove to give a Result, as `Owner::name`; of methods `::name`.

        Empty where it asks none of them.
        """
        tables = self.program.tables
        found = tables.functions[function]
        if found.item.body is None:
            return frozenset()
        body = tables.sources[found.source].facts.bodies[found.item.body]
        names = names_of(body)
        asking = names & ASKING
        if not asking:
            return frozenset()
        if not is_waiting(body):
            return frozenset(f"?::{name}" for name in names)
        return BodyText(body.data, names).asked(asking)
