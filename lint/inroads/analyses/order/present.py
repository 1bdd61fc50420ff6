"""Whether what a rule speaks of is there at all."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from inroads.analyses.order.rule import OrderRule
from inroads.errors import did_you_mean
from inroads.facts import Note, Problem
from inroads.pattern import BuildPattern, CallPattern, MethodPattern, Pattern, WritePattern, last_names
from inroads.pattern_match import Matcher
from inroads.pattern_paths import matches_path
from inroads.reads import declared

if TYPE_CHECKING:
    from inroads.program import Program


def absent(rule: OrderRule, program: Program) -> str | None:
    """Which targets are not in the program, in words; None if one of them is."""
    matcher = Matcher(program)
    if any(is_present(pattern, program, matcher) for pattern in rule.targets):
        return None
    unfit = next(filter(None, (_unfit(pattern, program, matcher) for pattern in rule.targets)), "")
    return "target " + ", ".join(f"`{text}`" for text in rule.target_text) + f" is not in this program{unfit}"


def _unfit(pattern: Pattern, program: Program, matcher: Matcher) -> str:
    """What a function of the pattern's name takes that takes something else; "" where there is none."""
    if not isinstance(pattern, CallPattern):
        return ""
    for function in named(pattern.path[-1], program):
        if matcher.is_function(pattern, function):
            takes = ", ".join(name or "_" for name in matcher.parameter_names(function)) or "nothing"
            return f"; `{'::'.join(pattern.path)}` takes ({takes})"
    return ""


def missing(rule: OrderRule, program: Program) -> Iterable[Problem | Note]:
    """
    Needs, undos and evidence that match nothing: the rule may be misspelt.

    Where others of the same key match, a target or need that does not is
    worth a note only: it may have been renamed away. A pack that is shipped
    speaks of more than any one program has.
    """
    if rule.head.optional:
        return
    matcher = Matcher(program)
    for key, parts, texts in (
        ("target", rule.targets, rule.target_text),
        ("needs", rule.needs, rule.need_text),
    ):
        gone = [
            text
            for pattern, text in zip(parts, texts, strict=True)
            if not is_present(pattern, program, matcher)
        ]
        if len(gone) < len(parts):
            for text in gone:
                message = f"{rule.head.id}: {key}: `{text}` matches nothing in this program"
                yield Note(kind="rule-health", path="", line=1, message=f"{message}{_near(text, program)}")
    for key, patterns in (("needs", rule.needs), ("undone_by", rule.undone_by), ("evidence", rule.evidence)):
        if patterns and not any(is_present(pattern, program, matcher) for pattern in patterns):
            unfit = next(filter(None, (_unfit(pattern, program, matcher) for pattern in patterns)), "")
            yield Problem(
                kind="rule",
                path=rule.head.path or rule.head.pack,
                line=1,
                column=1,
                message=f'rule "{rule.head.id}": {key} matches nothing in this program{unfit}',
            )


def idle(rule: OrderRule, sites: int, bad: int) -> Iterable[Note]:
    """
    What the sites say of the rule itself.

    Args:
        sites: The call sites of the targets outside of tests; `bad` those with a road on which the need is unmet.
    """
    if bad:
        return
    if sites:
        message = f"{rule.head.id}: satisfied at all of its {sites} call sites"
        yield Note(
            kind="rule-satisfied",
            path="",
            line=1,
            message=message.replace("all of its 1 call sites", "its call site"),
        )
    else:
        message = f"{rule.head.id}: can't fire here: its target is called nowhere"
        # A rule that ships need not fit every program.
        kind = "inactive-rule" if rule.head.optional else "rule-health"
        yield Note(kind=kind, path="", line=1, message=message)


def _near(text: str, program: Program) -> str:
    """The nearest function of as many segments as the pattern's path."""
    # Any function that comes may be nearer.
    program.recorder.now.names.add(declared("*"))
    path = text.partition("(")[0].strip()
    length = path.count("::") + 1
    known = {"::".join(one.path.split("::")[-length:]) for one in program.tables.functions}
    return did_you_mean(path, known)


def is_present(pattern: Pattern, program: Program, matcher: Matcher) -> bool:
    """
    Whether a declaration, or a body, may match the pattern.

    Of a path whose type is of the workspace the function must be there; of one
    from outside, a body must hold its last name.
    """
    tables = program.tables
    program.recorder.now.names.update(map(declared, last_names(pattern)))
    match pattern:
        case CallPattern(path=path, macro=False):
            fitting = [
                function for function in named(path[-1], program) if matcher.is_function(pattern, function)
            ]
            if fitting:
                return any(matcher.fits(pattern.arguments, function) for function in fitting)
            if path == ("drop",) or _is_own(path, program):
                return True
            if len(path) > 1 and any(_is_named(path[:-1], owner) for owner in _owners(program)):
                return False
            return _is_mentioned(pattern, program)
        case BuildPattern(path=path):
            return _is_own(path, program) or _is_mentioned(pattern, program)
        case MethodPattern(place=place) | WritePattern(place=place):
            if isinstance(place.root, tuple) and place.fields:
                known = _is_own(place.root, program) or any(
                    constant.item.is_static and matches_path(place.root, constant.path)
                    for constant in tables.constants
                )
                return known and _is_mentioned(pattern, program)
            return _is_mentioned(pattern, program)
        case _:
            return _is_mentioned(pattern, program)


def _owners(program: Program) -> Iterable[str]:
    tables = program.tables
    return (*(one.path for one in tables.types), *(one.path for one in tables.traits))


def _is_named(path: tuple[str, ...], owner: str) -> bool:
    return matches_path(path, owner)


def _is_own(path: tuple[str, ...], program: Program) -> bool:
    """Whether the path names a type, a variant or a static of the workspace."""
    tables = program.tables
    if any(matches_path(path, one.path) for one in tables.types):
        return True
    if any(matches_path(path, one.path) for one in tables.constants):
        return True
    return len(path) > 1 and any(
        one.kind == "enum" and matches_path(path[:-1], one.path) and path[-1] in tables.variants(one.id)
        for one in tables.types
    )


def _is_mentioned(pattern: Pattern, program: Program) -> bool:
    names = last_names(pattern)
    return "*" in names or any(True for name in names for _ in mentioning(name, program))


def named(name: str, program: Program) -> Iterable[int]:
    """The functions of a name, which may hold `*`, in order."""
    if "*" not in name:
        return program.tables.functions_named(name)
    return (record.id for record in program.tables.functions if fnmatchcase(record.name, name))


def mentioning(name: str, program: Program, *, tests: bool = True) -> Iterable[int]:
    """The functions whose bodies hold a name, which may hold `*`; without `tests`, none of test code."""
    if "*" not in name:
        names: Iterable[str] = program.names_for(name)
    else:
        names = program.names_like(name, tests=tests)
    return sorted({function for one in names for function in program.mentions(one, tests=tests)})


def building(owner: str, program: Program) -> list[int]:
    """The functions whose bodies may build a struct by its name, or by `Self`."""
    name = owner.rpartition("::")[2]
    found = set(program.mentions(f"{name}{{"))
    tables = program.tables
    for function in program.mentions("Self{"):
        impl = tables.functions[function].impl
        if impl is not None and tables.impls[impl].head.rpartition("::")[2] == name:
            found.add(function)
    return sorted(found)
