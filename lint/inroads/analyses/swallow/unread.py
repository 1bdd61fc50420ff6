"""Whether a field that holds a Result is read by anybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inroads.facts import (
    BindingPattern,
    ClosureRow,
    FieldRow,
    ForRow,
    LetConditionRow,
    LetRow,
    MatchRow,
    OrPattern,
    Pattern,
    ReferencePattern,
    Row,
    SlicePattern,
    StructItem,
    StructPattern,
    TuplePattern,
    TupleStructPattern,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.world import World

# Bodies that may name a field, up to which they are looked into.
FEW = 12
# Derived code that reads no field, or only hands it on.
READS_NOTHING = frozenset({"Default", "Clone", "Copy"})


def never_read(world: World, field_name: str) -> bool:
    """
    Whether a private field of this name is read nowhere in the workspace: by no expression, no pattern, and
    no derived code.
    """
    tables = world.program.tables
    found = False
    for definition in tables.types:
        item = tables.sources[definition.source].facts.items[definition.item_index]
        if not isinstance(item, StructItem) or all(one.name != field_name for one in item.fields):
            continue
        found = True
        if any(one.visibility for one in item.fields if one.name == field_name) or is_read_by_derives(item):
            return False
    mentions = world.program.mentions("." + field_name)
    return found and len(mentions) <= FEW and not any(reads(world, one, field_name) for one in mentions)


def is_read_by_derives(item: StructItem) -> bool:
    """Whether code that a derive makes reads the fields of a struct."""
    names = {
        name.strip().rpartition("::")[2]
        for one in item.head.attributes
        if one.path == "derive"
        for name in one.text.split(",")
    }
    return bool(names - READS_NOTHING - {""})


def reads(world: World, function: int, field_name: str) -> bool:
    """Whether a body reads a field of this name."""
    f = world.follower(function)
    if f is None:
        return False
    for at, row in enumerate(f.rows):
        if isinstance(row, FieldRow) and row.name == field_name and not f.is_target(at):
            return True
        if any(names_field(one, field_name) for one in patterns_of(row)):
            return True
    return any(names_field(one, field_name) for one in parameter_patterns(world, function))


def patterns_of(row: Row) -> Iterator[Pattern]:
    """The patterns of a row."""
    match row:
        case LetRow(pattern=pattern) | LetConditionRow(pattern=pattern) | ForRow(pattern=pattern):
            yield pattern
        case MatchRow(arms=arms):
            for arm in arms:
                yield arm.pattern
        case ClosureRow(parameters=parameters):
            for parameter in parameters:
                yield parameter.pattern


def parameter_patterns(world: World, function: int) -> Iterator[Pattern]:
    """The patterns of a function's parameters."""
    for parameter in world.program.tables.functions[function].item.parameters:
        yield parameter.pattern


def names_field(pattern: Pattern, field_name: str) -> bool:
    """Whether a pattern takes a field of this name out of a struct."""
    stack: list[Pattern] = [pattern]
    while stack:
        match stack.pop():
            case StructPattern(fields=fields):
                if any(name == field_name for name, _ in fields):
                    return True
                stack.extend(one for _, one in fields)
            case TuplePattern(elements=inside) | SlicePattern(elements=inside):
                stack.extend(inside)
            case TupleStructPattern(elements=inside) | OrPattern(alternatives=inside):
                stack.extend(inside)
            case ReferencePattern(inner=inner):
                stack.append(inner)
            case BindingPattern(sub=sub) if sub is not None:
                stack.append(sub)
            case _:
                pass
    return False
