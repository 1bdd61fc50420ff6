"""Regular expressions mean the same under every Python 3.11, where possessive groups were wrong at first."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants, _parser
from typing import Any

import pytest

import inroads

_MOVES = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)
_NEVER = repr(_parser.parse("(?!)"))


def _patterns() -> dict[str, re.Pattern[Any]]:
    """Every compiled pattern that a module of the project holds, by module and name."""
    found: dict[str, re.Pattern[Any]] = {}
    for module in pkgutil.walk_packages(inroads.__path__, "inroads."):
        if not module.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, re.Pattern):
                    found[f"{module.name}.{name}"] = value
    return found


def _fragile(pattern: str | bytes, flags: int) -> int:
    """How many groups are repeated possessively, and may end after a turn that failed half-way."""
    return sum(not _takes_back(body) for body in _possessive(_parser.parse(pattern, flags & ~re.UNICODE)))


def _possessive(parsed: Any) -> Iterator[list[Any]]:
    todo = [parsed]
    while todo:
        at = todo.pop()
        if isinstance(at, _parser.SubPattern):
            for code, value in at:
                if code is _constants.POSSESSIVE_REPEAT:
                    yield list(value[2])
                todo.append(value)
        elif isinstance(at, tuple | list):
            todo.extend(at)


def _takes_back(body: list[Any]) -> bool:
    """Whether a turn fails at its first characters only, or at a last choice that never matches."""
    (code, value), *rest = body
    if code is _constants.BRANCH:
        return repr(value[1][-1]) == _NEVER and all(_cannot_fail(one) for one in rest)
    while body and body[0][0] in _MOVES:
        body = body[1:]
    return all(_cannot_fail(one) for one in body)


def _cannot_fail(one: Any) -> bool:
    code, value = one
    return (
        code is _constants.POSSESSIVE_REPEAT
        and value[0] == 0
        and len(value[2]) == 1
        and value[2][0][0] in _MOVES
    )


def test_a_turn_that_fails_half_way_is_taken_back() -> None:
    patterns = _patterns()
    assert 50 < len(patterns)
    assert [name for name, one in patterns.items() if _fragile(one.pattern, one.flags)] == []


@pytest.mark.parametrize(
    ("pattern", "fragile"),
    [
        ("(?:ab?c)*+", 1),
        ("(?:[^f]++|f(?!n))*+", 1),
        ("(?:ab?c|(?!))*+", 0),
        ("(?:[^f]++|f(?!n)|(?!))*+", 0),
        (r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', 0),
        (r"(?:(?:a(?!b)|(?!))x++)*+", 1),
        (r"(?:x(?:ab?c)++|(?!))*+", 1),
        ("[ab]*+", 0),
        ("(?:ab?c)*", 0),
    ],
)
def test_the_check_tells_which_groups_are_fragile(pattern: str, fragile: int) -> None:
    assert _fragile(pattern, 0) == fragile


def test_a_last_choice_that_never_matches_takes_a_failed_turn_back() -> None:
    found = re.match("(?:[^f]++|f(?!n)|(?!))*+", "abf fx fn x")
    assert found is not None
    assert found.end() == 7
