"""
Which bodies must be judged to find the errors that they lose.

A body is left out only where it is sure to lose none: it shows no form by
which an error is lost (see rust/marks.py), or everything in it that can fail
is followed by `?` or `unwrap()` (see look.py). What the signatures tell
nothing of is judged where a pattern or a method proves a Result.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.look import REPLACING, WRITES, Look
from inroads.analyses.swallow.sources import Sources
from inroads.facts import BodyFacts
from inroads.rust.loose import BodyText, words_in
from inroads.rust.marks import METHOD_MARKS
from inroads.store import is_waiting, marks_of, names_of

if TYPE_CHECKING:
    from inroads.program import Program
    from inroads.resolve.tables import Tables

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


_FORMS = METHOD_MARKS.keys() | {"Ok", "Err", "let", "for", "while", "loop"}
# A closure, an assignment, a statement that is no block.
_LOSING = re.compile(r"\||(?<![=!<>])=(?![=>])|[^}\s]\s*;")


def only_chooses(tables: Tables, macro: str) -> bool:
    """
    Whether macros of a name only choose what is called: no form by which an error is lost stands in their
    definitions, so what they lose is lost around their calls.
    """
    names = tables.names_of_macro(macro)
    return all(
        one.lstrip(".") not in _FORMS and one.rstrip("!") not in tables.own_macros for one in names
    ) and not any(_LOSING.search(tables.macros[one].text) for one in tables.own_macros[macro])


class Marked:
    """The bodies of a program that may lose an error."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sources = Sources(program)
        tables = program.tables
        self._choosing = frozenset(name for name in tables.own_macros if only_chooses(tables, name))
        self._hiding = frozenset(tables.own_macros) - self._choosing
        self._telling = (
            self.sources.names | REPLACING | WRITES | PROVING | self._choosing | {"Ok", "Err", "_"}
        )

    def is_marked(self, function: int) -> bool:
        """Whether a body shows a form that can lose an error, or a macro that may hide one."""
        body = self._body(function)
        if body is None:
            return False
        if not is_waiting(body):
            names = names_of(body)
            return any(f"{name}!" in names for name in self.program.tables.own_macros) or self._is_lossy(
                body, self.sources.named(body)
            )
        words = words_in(body.data)
        macros = words & self._hiding
        if not macros and words.isdisjoint(self._telling):
            return False
        look = Look(self.sources, self.program.tables.functions[function], body.data, words)
        if macros and look.text.has_any_macro(macros):
            return True
        if look.text.hard:
            return self._is_lossy(body, self.sources.named(body))
        loose = look.loose()
        choosing = words & self._choosing
        if choosing:
            if not PROVING.isdisjoint(words) and look.text.has_any_macro(choosing):
                # The name of a method may be what the macro is given.
                return True
            loose |= {f"{name}!" for name in choosing if look.text.has_macro(name)}
        if not loose and PROVING.isdisjoint(words) and not look.text.proves():
            return False
        return self._is_lossy(body, loose)

    def _body(self, function: int) -> BodyFacts | None:
        """The body of a function as it is kept; None where it has none."""
        one = self.program.tables.functions[function]
        return None if one.body is None else self.program.tables.sources[one.source].facts.bodies[one.body]

    def _is_lossy(self, body: BodyFacts, loose: frozenset[str]) -> bool:
        """Whether a body, once it is read, shows a form that may lose the error of one of these calls."""
        marks = marks_of(body)
        return not marks.isdisjoint(PROOFS) or any(self._loses(mark, loose) for mark in marks)

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
        body = self._body(function)
        if body is None:
            return frozenset()
        names = words_in(body.data) if is_waiting(body) else names_of(body)
        asking = names & ASKING
        if not asking:
            return frozenset()
        if not is_waiting(body):
            return frozenset(f"?::{name}" for name in names)
        return BodyText(body.data, names).asked(asking)
