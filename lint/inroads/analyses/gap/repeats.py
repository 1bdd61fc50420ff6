"""
Methods that one macro of the workspace forwards, told by the first of them.

    fn num_layers(&self) -> usize { delegate!(self, x => Model::num_layers(x)) }
    fn forward(&self, ids: &Ids) -> Out { delegate!(self, x => Model::forward(x, ids)) }

An enum of a hundred variants expands to a hundred arms for each method. The
calls differ in nothing but the method's name and its own parameters, in
order; so do their expansions, and the first one's verdict holds for all.
"""

from __future__ import annotations

import re

from inroads.facts import BindingPattern, Body, BodyFacts, FunctionItem, MacroRow
from inroads.store import decode_body

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\s+|[^\sA-Za-z_]")


def likeness_of(facts: BodyFacts, item: FunctionItem) -> tuple[str, ...] | None:
    """
    What a body has in common with others of the same macro; None where it is no single macro call.

    Two bodies of one impl that are alike forward alike.
    """
    row = single_macro(decode_body(facts.data))
    if row is None:
        return None
    parameters = [one.pattern.name for one in item.parameters if isinstance(one.pattern, BindingPattern)]
    if len(parameters) < len(item.parameters):
        return None
    found: list[str] = ["::".join(row.path)]
    handed: list[str] = []
    for word in _WORD.findall(row.text):
        if word.isspace():
            continue
        if word in parameters:
            handed.append(word)
            word = "$"
        elif word == item.head.name:
            word = "@"
        if word == "$" and found[-2:] == ["$", ","]:
            found.pop()
        else:
            found.append(word)
    if handed != parameters:
        return None
    return tuple(without_list(found))


def without_list(words: list[str]) -> list[str]:
    """The words with a list of own parameters left out: `f(x, $)` and `f(x)` are alike."""
    found: list[str] = []
    for word in words:
        if word == ")" and found[-1:] == [","]:
            found.pop()
        if word == "$":
            continue
        found.append(word)
    return found


def single_macro(body: Body) -> MacroRow | None:
    """The macro call that a body consists of; None for any other body."""
    at = body.root.value if body.root.value is not None else body.root.start
    if not body.rows or at != 0:
        return None
    row = body.rows[at]
    if not isinstance(row, MacroRow):
        return None
    after = max((region.end for region in row.regions), default=at + 1)
    return row if after >= len(body.rows) - 1 else None
