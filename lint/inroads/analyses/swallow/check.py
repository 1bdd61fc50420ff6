"""
The swallow rules held against a program, a file at a time.

A body is judged by itself; all rules look at it together. That a function from
outside returns a Result may be proven at another place of the program, so the
bodies that call such functions are looked at once more when all proofs are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from inroads.analyses.base import Context, Judgement, Part, Rounds
from inroads.analyses.swallow.ends import SURVIVAL
from inroads.analyses.swallow.finding import finding_of, identity, is_slight, wanted, with_another
from inroads.analyses.swallow.marked import Marked
from inroads.analyses.swallow.rule import SwallowRule
from inroads.analyses.swallow.search import Fated, count_foreign, fates_in, unclear_calls
from inroads.analyses.swallow.world import World
from inroads.facts import Finding, Position

if TYPE_CHECKING:
    from inroads.program import Program


class Seen(msgspec.Struct, frozen=True):
    """
    What the rules found in one body.

    Args:
        function: Which of the bodies that were looked at.
        told: The number of the rule, what makes two places one, and the finding.
        fates: How many errors have each fate.
        foreign, unknown: Calls of functions from outside, and those of which the result type is not known.
        proven: Foreign functions that the body proves to return a Result -> the shape of it.
        unclear: The calls of which nothing here tells whether they give one, see `unclear_calls`.
    """

    function: int
    told: tuple[tuple[int, Position, Finding], ...]
    fates: dict[str, int]
    foreign: int
    unknown: int
    proven: dict[str, tuple[str, ...]]
    unclear: tuple[str, ...]


class Glance(msgspec.Struct, frozen=True):
    """
    What is seen in the bodies of a file.

    Args:
        seen: In those that may lose an error.
        asks: Number of another body -> the calls that it may prove to return a Result, see `BodyText.asked`.
    """

    seen: tuple[Seen, ...]
    asks: dict[int, tuple[str, ...]]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Glance).decode
_decode_proofs = msgspec.msgpack.Decoder(dict[str, tuple[str, ...]]).decode


@dataclass(slots=True)
class Look:
    """
    Looks at bodies with the eyes of all rules.

    Args:
        given: What is proven of foreign functions by other bodies.
    """

    rules: tuple[SwallowRule, ...]
    program: Program
    context: Context
    given: Mapping[str, tuple[str, ...]]
    world: World = field(init=False)

    def __post_init__(self) -> None:
        self.world = World(self.program, self.context.log_macros, self.given)

    def marked(self) -> Marked:
        """Which bodies may lose an error: made when the first one is looked at."""
        known = self.program.shared.get("swallow marked")
        if not isinstance(known, Marked):
            known = self.program.shared["swallow marked"] = Marked(self.program)
        return known

    def __call__(self, functions: tuple[int, ...]) -> bytes:
        """What is seen in those of the bodies that may lose an error."""
        self.program.recorder.now.bodies.update(functions)
        marked = self.marked()
        seen: list[Seen] = []
        asks: dict[int, tuple[str, ...]] = {}
        for number, one in enumerate(functions):
            if marked.is_marked(one):
                seen.append(self.seen(number, one))
            elif names := marked.asked(one):
                asks[number] = tuple(sorted(names))
        self.world.trim()
        return _encode(Glance(tuple(seen), asks))

    def proofs(self, functions: tuple[int, ...]) -> bytes:
        """What bodies prove of functions from outside, though they lose no error."""
        self.program.recorder.now.bodies.update(functions)
        found: dict[str, tuple[str, ...]] = {}
        for one in functions:
            self.world.proven.clear()
            f = self.world.follower(one)
            assert f is not None
            f.passed.clear()
            for _ in fates_in(f):
                pass
            found.update(self.world.proven)
        self.world.trim()
        return _encode(dict(sorted(found.items())))

    def seen(self, number: int, function: int) -> Seen:
        """What is seen in one body, under a number."""
        world = self.world
        world.proven.clear()
        f = world.follower(function)
        assert f is not None
        f.passed.clear()
        found = list(fates_in(f))
        foreign, unknown = count_foreign(f)
        proven = dict(sorted(world.proven.items()))
        fates: Counter[str] = Counter(one.end.fate for one in found)
        calls = by_call(found)
        told = tuple(
            (rule_number, key, finding)
            for rule_number, rule in enumerate(self.rules)
            if not fates.keys().isdisjoint(rule.fates)
            for key, finding in self._told(rule, calls)
        )
        return Seen(number, told, dict(fates), foreign, unknown, proven, tuple(sorted(unclear_calls(f))))

    def _told(self, rule: SwallowRule, calls: list[list[Fated]]) -> Iterator[tuple[Position, Finding]]:
        """The calls whose error has a fate that the rule objects to, each once; see `by_call`."""
        told: dict[Position, Finding] = {}
        graves: dict[int, Position] = {}
        for call in calls:
            for index, fated in enumerate(call):
                if fated.end.fate in rule.fates:
                    if self._tell(rule, fated, told, graves):
                        break
                elif index + 1 == len(call) or not is_slight(rule, self.world, fated, self.context):
                    # Another rule speaks of what is lost most in this value.
                    break
        yield from told.items()

    def _tell(
        self,
        rule: SwallowRule,
        fated: Fated,
        told: dict[Position, Finding],
        graves: dict[int, Position],
    ) -> bool:
        """Whether a call is told of, or not to be told of by this rule at all."""
        if not wanted(rule, self.world, fated) or (fated.end.maybe and self.context.certain):
            return True
        key = identity(self.world, fated)
        if key in told:
            return True
        if fated.end.row in graves and fated.end.function is None:
            told[graves[fated.end.row]] = with_another(told[graves[fated.end.row]], key)
            return True
        finding = finding_of(rule, self.world, fated, self.context)
        if finding is None:
            return False
        told[key] = finding
        graves[fated.end.row] = key
        return True


def check(rules: tuple[SwallowRule, ...], program: Program, context: Context) -> Rounds[Judgement]:
    """The calls whose error has a fate that a rule objects to, each once for each rule."""
    tests = context.tests or not all("tests" in one.quiet for one in rules)
    sources = program.tables.sources
    files: dict[str, list[int]] = {}
    for function in program.tables.functions:
        if function.body is not None and (tests or not function.test):
            files.setdefault(sources[function.source].path, []).append(function.id)
    look = Look(rules, program, context, {})
    seen, asks = yield from _round(look, files, "")
    proven = {path: shape for one in seen.values() for path, shape in one.proven.items()}
    proven.update((yield from _proofs(look, files, seen, asks)))
    again: dict[str, list[int]] = {}
    for id, one in seen.items():
        if proven and (one.unknown or one.proven):
            path = program.tables.sources[program.tables.functions[id].source].path
            again.setdefault(path, []).append(id)
    if again:
        look = Look(rules, program, context, proven)
        seen_again, _ = yield from _round(look, again, f"{sorted(proven.items())}")
        seen = dict(sorted({**seen, **seen_again}.items()))
    told: dict[tuple[int, Position], Finding] = {}
    for one in seen.values():
        for number, key, finding in one.told:
            # The body of a macro is one place for all its expansions.
            told.setdefault((number, key), finding)
    return Judgement(tuple(told.values()), _statistics(seen.values()))


def _round(
    look: Look, files: Mapping[str, list[int]], key: str
) -> Rounds[tuple[dict[int, Seen], dict[int, tuple[str, ...]]]]:
    """What is seen in the bodies of some files, by function; and what others ask, see `Glance`."""
    answers = yield tuple(
        # A body that is new among others has been read by no earlier part; it changes their number.
        Part(
            f"swallow {path} {len(functions)} {key}",
            partial(look.program.tables.bodies_size, functions),
            partial(look, tuple(functions)),
        )
        for path, functions in files.items()
    )
    seen: dict[int, Seen] = {}
    asks: dict[int, tuple[str, ...]] = {}
    for functions, data in zip(files.values(), answers, strict=True):
        glance = _decode(data)
        seen.update((functions[one.function], one) for one in glance.seen)
        asks.update((functions[number], names) for number, names in glance.asks.items())
    return {function: seen[function] for function in sorted(seen)}, asks


def _proofs(
    look: Look,
    files: Mapping[str, list[int]],
    seen: Mapping[int, Seen],
    asks: Mapping[int, tuple[str, ...]],
) -> Rounds[dict[str, tuple[str, ...]]]:
    """What bodies that lose no error prove of the functions from outside of which nothing is known yet."""
    unclear: dict[str, set[str]] = {}
    for one in seen.values():
        for call in one.unclear:
            owner, _, name = call.rpartition("::")
            unclear.setdefault(name, set()).update(look.program.names_for(owner))
    parts: list[Part] = []
    asking = {one for one, calls in asks.items() if any(_is_among(call, unclear) for call in calls)}
    for path, functions in files.items():
        if not asking.isdisjoint(functions):
            asked = [number for number, one in enumerate(functions) if one in asking]
            bodies = tuple(functions[number] for number in asked)
            key = f"swallow proofs {path} {len(functions)} {' '.join(map(str, asked))}"
            size = partial(look.program.tables.bodies_size, bodies)
            parts.append(Part(key, size, partial(look.proofs, bodies)))
    answers = yield tuple(parts)
    found: dict[str, tuple[str, ...]] = {}
    for data in answers:
        found.update(_decode_proofs(data))
    return found


def _is_among(call: str, unclear: Mapping[str, set[str]]) -> bool:
    """Whether a call, as it is written, may be one of these functions; by name, with the names of their owners."""
    owner, _, name = call.rpartition("::")
    owners = unclear.get(name)
    return owners is not None and (owner in ("", "?", "Self") or "?" in owners or owner in owners)


def by_call(found: Iterable[Fated]) -> list[list[Fated]]:
    """
    The errors in the value of each call, that which is lost most first; of equals the inner one, which
    tells more. Another is only looked at where the one before is not worth telling.
    """
    calls: dict[tuple[int, int], list[Fated]] = {}
    for one in found:
        calls.setdefault((one.function, one.row), []).append(one)
    return [sorted(one, key=_severity, reverse=True) for one in calls.values()]


def _severity(fated: Fated) -> tuple[int, int]:
    """How much is lost, and how far in."""
    return SURVIVAL.index(fated.end.fate), len(fated.shape)


def _statistics(seen: Iterable[Seen]) -> dict[str, float]:
    """Calls that can fail by fate, and calls of functions from outside whose result type is not known."""
    counts: Counter[str] = Counter()
    for one in seen:
        counts.update(one.fates)
        counts["calls.foreign"] += one.foreign
        counts["calls.foreign.unknown-result"] += one.unknown
    found: dict[str, float] = {f"errors.{fate}": counts[fate] for fate in SURVIVAL if counts[fate]}
    for name in ("calls.foreign", "calls.foreign.unknown-result"):
        found[name] = counts[name]
    return found
