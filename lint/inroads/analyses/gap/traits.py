"""
The provided methods of traits from outside the workspace, as data.

`traits.toml` beside this module ships; a rule's `foreign` tables add to it or
overrule it, by path and method.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias, cast

import msgspec

Duty: TypeAlias = Literal["must", "should", "may", "no"]
DUTIES: tuple[Duty, ...] = ("must", "should", "may", "no")
TRAIT_KEYS = ("paths", "source", "checked", "note", "method")
_LISTS = ("through", "unless", "asserted_by")
METHOD_KEYS = ("names", "forward", "runs", "why", "code", "through", "unless", "default", "asserted_by")


class Provided(msgspec.Struct, frozen=True):
    """
    A provided method of a trait from outside.

    Args:
        duty: Whether a wrapper must, should or may forward it, or had better not.
        runs: What the default does, after "which": "says `false`".
        why: What is lost.
        code: The signature, "" where it is not told.
        through:
            The methods that the default goes through, or speaks of. A wrapper
            that does more than forward in one of them had better keep it.
        constant: Whether the default gives a constant, rather than going another way to the same end.
        unless: Methods that the trait has in releases that don't have this one.
        asserted_by:
            Provided methods of other traits, as paths, that fail where this one is left to its default. A wrapper
            that has such a trait, and leaves that method out as well, must forward this one.
    """

    name: str
    duty: Duty
    runs: str
    why: str = ""
    code: str = ""
    through: tuple[str, ...] = ()
    constant: bool = False
    unless: tuple[str, ...] = ()
    asserted_by: tuple[str, ...] = ()


Foreign: TypeAlias = Mapping[str, Mapping[str, Provided]]


@cache
def shipped() -> Foreign:
    """Path of a trait -> name of a method -> what is known of it."""
    # `importlib.resources` takes longer to import than the file to be read.
    text = Path(__file__).with_name("traits.toml").read_text(encoding="utf-8")
    found, mistakes = read_traits(tomllib.loads(text).get("trait", []), "traits.toml")
    if mistakes:
        raise ValueError("\n".join(mistakes))
    return found


def known(own: tuple[tuple[str, Provided], ...]) -> Foreign:
    """The shipped traits, with a rule's own entries above them."""
    if not own:
        return shipped()
    merged = {path: dict(methods) for path, methods in shipped().items()}
    for path, method in own:
        merged.setdefault(path, {})[method.name] = method
    return merged


def read_traits(tables: object, where: str) -> tuple[Foreign, list[str]]:
    """The traits of a list of TOML tables, and every mistake in it."""
    found: dict[str, dict[str, Provided]] = {}
    mistakes: list[str] = []
    if not isinstance(tables, list):
        return {}, [f"{where}: expected a list of tables"]
    for index, table in enumerate(tables, start=1):
        here = f"{where}: trait {index}"
        if not isinstance(table, dict):
            mistakes.append(f"{here}: expected a table")
            continue
        paths = texts(table.get("paths"))
        if not paths:
            mistakes.append(f'{here}: "paths" must be a list of paths')
        mistakes.extend(f'{here}: unknown key "{key}"' for key in table if key not in TRAIT_KEYS)
        methods = table.get("method", [])
        for method in methods if isinstance(methods, list) else [methods]:
            provided, wrong = read_method(method, here)
            mistakes.extend(wrong)
            for path in paths:
                found.setdefault(path, {}).update({one.name: one for one in provided})
    return found, mistakes


def read_method(table: object, where: str) -> tuple[list[Provided], list[str]]:
    """The methods of one table, and the mistakes in it."""
    if not isinstance(table, dict):
        return [], [f"{where}: a method must be a table"]
    mistakes = [f'{where}: method: unknown key "{key}"' for key in table if key not in METHOD_KEYS]
    names = texts(table.get("names"))
    duty = table.get("forward")
    if not names:
        mistakes.append(f'{where}: method: "names" must be a list of names')
    if duty not in DUTIES:
        mistakes.append(f'{where}: method {", ".join(names)}: "forward" must be one of {", ".join(DUTIES)}')
        return [], mistakes
    rest = {key: table.get(key, "") for key in ("runs", "why", "code")}
    mistakes.extend(
        f'{where}: method {", ".join(names)}: "{key}" must be a text'
        for key, value in rest.items()
        if not isinstance(value, str)
    )
    if rest["code"] and 1 < len(names) and "{}" not in str(rest["code"]):
        mistakes.append(
            f'{where}: method {", ".join(names)}: "code" for several names must have {{}} for the name'
        )
    if table.get("default", "calls-self") not in ("constant", "calls-self"):
        mistakes.append(f'{where}: method {", ".join(names)}: "default" must be constant or calls-self')
    through, unless, asserted = (texts(table.get(key, [])) for key in _LISTS)
    mistakes.extend(
        f'{where}: method {", ".join(names)}: "{key}" must be a list of names'
        for key, value in (("through", through), ("unless", unless))
        if key in table and not value
    )
    if mistakes:
        return [], mistakes
    runs, why, code = str(rest["runs"]), str(rest["why"]), str(rest["code"])
    constant = table.get("default") == "constant"
    return [
        Provided(
            name, cast(Duty, duty), runs, why, code.replace("{}", name), through, constant, unless, asserted
        )
        for name in names
    ], []


def texts(value: object) -> tuple[str, ...]:
    """A list of texts; empty where it is anything else."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    return ()
