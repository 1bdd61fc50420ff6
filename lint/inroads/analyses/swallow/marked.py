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
from inroads.resolve.rules import identifiers
from inroads.rust.loose import words_in
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
    (
        *(
            "()",
            "drop",
            "forget",
            "Ok",
            "Err",
            "write!",
            "writeln!",
            "join!",
            "try_join!",
            "select!",
            "matches!",
        ),
        *("new", ".collect", ".sum", ".product"),
    )
)
"""What gives a Result that something else in the body has made."""

JOINS = frozenset(("join", "join_next", "join_all", "try_join_all", "try_join"))

ASKING = methods.PROVES_RESULT | methods.PROVES_BY_CLOSURE
"""Methods that prove what a function from outside gives."""


_FORMS = METHOD_MARKS.keys() | {"Ok", "Err", "let", "for", "while", "loop"}
# A closure, an assignment, a statement that is no block.
_LOSING = re.compile(r"\||(?<![=!<>])=(?![=>])|[^}\s]\s*;")


# A macro whose name a macro is given.
_GIVEN_MACRO = re.compile(r"\$\w+\s*!(?!=)")


def only_chooses(tables: Tables, macro: int) -> bool:
    """
    Whether a macro only chooses what is called: no form by which an error is lost stands in its
    definition, so what it loses is lost around its call.
    """
    text = tables.macros[macro].text
    return (
        not any(
            one.lstrip(".") in _FORMS or (one.endswith("!") and one[:-1] in tables.own_macros)
            for one in identifiers(text)
        )
        and _LOSING.search(text) is None
        and _GIVEN_MACRO.search(text) is None
    )


class Marked:
    """The bodies of a program that may lose an error."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sources = Sources(program)
        self._macros = frozenset(program.tables.own_macros)
        self._proving = REPLACING | WRITES | PROVING | self._macros | {"Ok", "Err", "_"}
        self._telling = self.sources.names | self._proving
        self._last: tuple[int, Look] | None = None
        # Macro -> whether it only chooses; whether it calls what can fail.
        self._choosing: dict[int, bool] = {}
        self._failing: dict[int, bool] = {}

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
        if words.isdisjoint(self._telling):
            return False
        look = self._look_at(function, body, words)
        if words.isdisjoint(self._proving) and not look.may_call_sources():
            return False
        words = look.text.names
        macros = {name: self._called(function, look, name) for name in words & self._macros}
        if not all(self._only_chooses(one) for called in macros.values() for one in called):
            return True
        if look.text.hard:
            return self._is_lossy(body, self.sources.named(body))
        loose = look.loose()
        if any(macros.values()):
            if not PROVING.isdisjoint(words):
                # The name of a method may be what the macro is given.
                return True
            loose |= {
                f"{name}!"
                for name, called in macros.items()
                if called and (loose or any(map(self._may_fail, called))) and look.text.has_macro(name)
            }
        if loose and look.hands_over():
            return True
        if not loose and PROVING.isdisjoint(words) and not look.text.proves():
            return False
        return self._is_lossy(body, loose)

    def _called(self, function: int, look: Look, name: str) -> frozenset[int]:
        """The macros of the workspace that a body calls by a name; by a path, all of the name."""
        tables = self.program.tables
        found: set[int] = set()
        for bare in look.text.macro_calls(name):
            if not bare:
                return frozenset(tables.own_macros[name])
            if not found:
                named = tables.resolve_macro(tables.body_module(function), (name,), tables.orders[function])
                if named is None or named.kind != "macro" or named.id is None:
                    continue
                found.add(named.id)
        return frozenset(found)

    def _only_chooses(self, macro: int) -> bool:
        known = self._choosing.get(macro)
        if known is None:
            known = self._choosing[macro] = only_chooses(self.program.tables, macro)
        return known

    def _may_fail(self, macro: int) -> bool:
        """Whether the definition of a macro speaks of what may give a Result by itself."""
        known = self._failing.get(macro)
        if known is None:
            words = {one.strip(".!{") for one in identifiers(self.program.tables.macros[macro].text)}
            known = self._failing[macro] = not self._telling.isdisjoint(words)
        return known

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
        return form == "let-underscore" and (plain != name or not self.sources.is_harmless(plain))

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
        return self._look_at(function, body, names).text.asked(asking)

    def _look_at(self, function: int, body: BodyFacts, words: frozenset[str]) -> Look:
        """A body that waits, held against the sources; the last one is kept for who asks next."""
        if self._last is None or self._last[0] != function:
            look = Look(self.sources, self.program.tables.functions[function], body.data, words)
            self._last = (function, look)
        return self._last[1]
