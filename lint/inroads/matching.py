"""
Which findings of two runs are the same, though the code has moved.

Three passes, from strict to lenient, each over what the passes before left:

1. everything is equal;
2. the context (the statement and its neighbours) may differ, where as many are
   left on both sides: the code around the call was edited;
3. the function may differ, where the old one is gone and the new one was not
   there before, and as many are left on both sides: it was renamed or moved.

Where the counts differ nothing is guessed: a finding that may be new is shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from inroads.facts import Fingerprint

Key = Callable[[Fingerprint], Hashable]


def match(
    old: Sequence[Fingerprint],
    new: Sequence[Fingerprint],
    functions_before: frozenset[str] | None,
    functions_now: frozenset[str],
) -> tuple[int | None, ...]:
    """
    Find for each new fingerprint the old one that it continues.

    Args:
        functions_before:
            The paths of all functions of the old program; None where they are
            not known (a baseline file): then every function that has no old
            finding of its own may be a renamed one.
        functions_now: The paths of all functions of the new program.

    Returns:
        One index into `old` for each of `new`, None for what is new. No index
        occurs twice.
    """
    found: list[int | None] = [None] * len(new)
    left_old = set(range(len(old)))
    left_new = set(range(len(new)))

    def pair(key: Key, olds: Iterable[int], news: Iterable[int], must_agree: bool) -> None:
        old_groups = _groups(key, old, olds)
        for at, members in _groups(key, new, news).items():
            partners = old_groups.get(at, [])
            if must_agree and len(partners) != len(members):
                continue
            for mine, theirs in zip(members, partners, strict=False):
                found[mine] = theirs
                left_old.discard(theirs)
                left_new.discard(mine)

    pair(_whole, left_old, left_new, must_agree=False)
    pair(_without_context, left_old, left_new, must_agree=True)

    had_findings = {one.function for one in old}
    gone = [at for at in left_old if old[at].function not in functions_now]
    fresh = [
        at
        for at in left_new
        if new[at].function not in (functions_before if functions_before is not None else had_findings)
    ]
    pair(_without_function, gone, fresh, must_agree=True)
    return tuple(found)


def _groups(key: Key, of: Sequence[Fingerprint], indices: Iterable[int]) -> dict[Hashable, list[int]]:
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for at in sorted(indices):
        groups[key(of[at])].append(at)
    return groups


def _whole(one: Fingerprint) -> Hashable:
    return one.rule, one.function, one.callee, one.call, one.context


def _without_context(one: Fingerprint) -> Hashable:
    return one.rule, one.function, one.callee, one.call


def _without_function(one: Fingerprint) -> Hashable:
    return one.rule, one.callee, one.call, one.context
