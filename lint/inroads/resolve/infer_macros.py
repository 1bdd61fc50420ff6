"""Macros from outside: their arguments are walked, and some are known to have a type."""

from __future__ import annotations

from inroads.facts import MacroRow
from inroads.resolve.infer_patterns import bind
from inroads.resolve.inferring import Inferring
from inroads.resolve.infos import FUTURE
from inroads.resolve.types import NEVER, UNIT, Adt, Bound, Primitive, Reference, Type

_NEVER = frozenset({"panic", "todo", "unimplemented", "unreachable", "bail"})
_UNIT = frozenset(
    {
        *("assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"),
        *("print", "println", "eprint", "eprintln", "trace", "debug", "info", "warn", "error"),
    }
)
_STRING = frozenset({"format", "formatcp"})
# `parse_macro_input!(tokens as Type)` reads like a cast, and gives a `Type`.
_GIVES_IT = frozenset({"dbg", "parse_macro_input"})
_TEXT = frozenset({"concat", "stringify", "include_str", "env", "file", "module_path"})


def macro(body: Inferring, at: int, row: MacroRow) -> Type:
    """A macro call that was not expanded."""
    outer = body.enter()
    types: list[Type] = []
    for place, region in enumerate(row.regions):
        pattern = row.patterns[place] if place < len(row.patterns) else None
        if pattern is not None:
            # What an arm binds is not seen in the next.
            body.frame = outer
            body.enter()
        found = body.walk_region(region)
        types.append(found)
        if pattern is not None:
            output = body.solver.project(found, Bound(FUTURE), "Output")
            bind(body, pattern, body.fresh() if output is None else output, at)
    body.frame = outer
    body.mark_captured(at, row)
    name = row.path[-1] if row.path else ""
    if name in _NEVER:
        return NEVER
    if name in _UNIT:
        return UNIT
    if name in _STRING:
        return Adt(body.world.canonical("std::string::String"))
    if name in _TEXT:
        return Reference(Primitive("str"))
    if name == "matches":
        return Primitive("bool")
    if name in ("line", "column"):
        return Primitive("u32")
    if name == "vec":
        element = types[0] if types else body.fresh()
        for one in types[1:] if ";" not in row.text else ():
            body.coerce(one, element)
        return Adt(body.world.canonical("std::vec::Vec"), None, (element,))
    if name in ("write", "writeln"):
        return _written(body, types)
    if name == "format_args":
        return Adt(body.world.canonical("std::fmt::Arguments"))
    if name in _GIVES_IT and len(types) == 1:
        return types[0]
    if name == "ready" and types:
        found = body.shallow(types[0])
        if isinstance(found, Adt) and found.arguments:
            return found.arguments[0]
    return body.fresh()


def _written(body: Inferring, types: list[Type]) -> Type:
    """`write!` calls `write_fmt` of its first argument."""
    if types:
        pick = body.dispatch.method(body.shallow(types[0]), "write_fmt")
        if pick is not None:
            return body.solver.instance(pick.function.signature().returns, pick.mapping)
    return body.fresh()
