"""
All kinds of rules held against a program: their parts run together, in processes where that pays.

The kinds go on in step: each yields a round of parts, all parts of a round
are run, and each kind gets the answers to its own. A kind that reads what others found comes after them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from inroads.analyses import KINDS
from inroads.analyses.base import Context, Judgement, Part, Rounds, Rule, Told
from inroads.facts import Finding, Problem
from inroads.pool import map_in_order
from inroads.program import Program
from inroads.reads import Reads
from inroads.remembered import Memory

SMALL = 400_000
"""Below so many bytes of bodies to be judged no process is started."""


class Judged(msgspec.Struct, frozen=True):
    """
    What the rules found, what they counted, and what was wrong with the bodies that they read.

    Args:
        absent: Id of each rule whose target is not in the program -> what of it is not, in words.
    """

    told: tuple[Told, ...]
    statistics: dict[str, float]
    problems: tuple[Problem, ...]
    absent: dict[str, str]


def judge_by(
    rules: tuple[Rule, ...],
    program: Program,
    context: Context,
    *,
    jobs: int = 1,
    memory: Memory | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Judged:
    """
    Hold rules against a program.

    Args:
        jobs: How many processes may judge.
        memory: What earlier runs have answered; what is new is kept there.
        progress: Hears how many parts of a round are done, of all.
    """
    told: list[Told] = []
    counted: dict[str, float] = {}
    problems: set[Problem] = set()
    absent: dict[str, str] = {}
    runner = _Runner(program, jobs, memory, progress)
    for last in (False, True):
        found = tuple(one for one in told if isinstance(one, Finding))
        asked = [
            KINDS[name].check(
                tuple(rule for rule in rules if rule.head.kind == name),
                program,
                replace(
                    context,
                    found=found,
                    rules=tuple(rule for rule in rules if rule.head.id not in absent),
                ),
            )
            for name in KINDS
            if KINDS[name].last == last and any(rule.head.kind == name for rule in rules)
        ]
        for judgement in runner.run(asked, problems):
            told += judgement.found
            counted.update(judgement.statistics)
            absent.update(judgement.absent)
    if memory is not None:
        memory.write()
    findings = tuple(one for one in told if isinstance(one, Finding))
    for kind in KINDS.values():
        if kind.join is not None:
            findings = tuple(kind.join(findings, program, replace(context, found=findings)))
    others = (one for one in told if not isinstance(one, Finding))
    return Judged((*findings, *others), counted, tuple(problems), absent)


class _Runner(msgspec.Struct, frozen=True):
    program: Program
    jobs: int
    memory: Memory | None
    progress: Callable[[int, int], None]

    def run(self, asked: Sequence[Rounds[Judgement]], problems: set[Problem]) -> list[Judgement]:
        """Drive the kinds to their ends; problems of the bodies that were read are added."""
        done: dict[int, Judgement] = {}
        answers: dict[int, tuple[bytes, ...] | None] = dict.fromkeys(range(len(asked)))
        while answers:
            wanted: dict[int, tuple[Part, ...]] = {}
            for at, given in answers.items():
                try:
                    wanted[at] = next(asked[at]) if given is None else asked[at].send(given)
                except StopIteration as end:
                    done[at] = end.value
            found = self._answers([part for at in wanted for part in wanted[at]], problems)
            answers = {}
            start = 0
            for at, own in wanted.items():
                answers[at] = tuple(found[start : start + len(own)])
                start += len(own)
        return [done[at] for at in sorted(done)]

    def _answers(self, parts: list[Part], problems: set[Problem]) -> list[bytes]:
        """The answer of each part: one that is remembered and still holds, or a new one."""
        memory = self.memory
        recalled = {} if memory is None else {part.key: memory.recall(part.key) for part in parts}
        answers: dict[str, bytes] = {}
        for key, kept in recalled.items():
            if kept is not None:
                problems.update(kept.problems)
                answers[key] = kept.answer
        fresh = [part for part in parts if part.key not in answers]
        found = map_in_order(
            self._run,
            fresh,
            # A part holds the program, which only a forked process has without sending it.
            jobs=self.jobs if hasattr(os, "fork") else 1,
            size=lambda part: part.size(),
            small=SMALL,
            told=lambda done: self.progress(done, len(fresh)),
            before=lambda: self._prepare(fresh),
        )
        for part, (answer, reads) in zip(fresh, found, strict=True):
            problems |= reads.problems
            answers[part.key] = answer
            if memory is not None:
                memory.learn(part.key, answer, reads)
        return [answers[part.key] for part in parts]

    def _prepare(self, parts: list[Part]) -> None:
        """Make what the parts share, before processes are forked."""
        self.program.prepare()
        for prepare in dict.fromkeys(part.prepare for part in parts):
            if prepare is not None:
                prepare()

    def _run(self, part: Part) -> tuple[bytes, Reads]:
        """The answer of a part, and what was read for it."""
        answer, reads = self.program.recorder.apart(part.run)
        self.program.trim()
        return answer, reads
