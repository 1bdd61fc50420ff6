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
    pairing = _Pairing(old, new, functions_before, functions_now)
    pairing.pair(_whole, must_agree=False)
    pairing.pair(_without_context, must_agree=True)
    pairing.pair_renamed(_without_function)
    return tuple(pairing.found)


def match_roads(
    old: Sequence[Fingerprint],
    new: Sequence[Fingerprint],
    functions_before: frozenset[str] | None,
    functions_now: frozenset[str],
) -> tuple[int | None, ...]:
    """
    The same for roads: `function` is the root, `call` the road's own fingerprint.

    The second pass lets the call in the root differ: what it calls was renamed.
    """
    pairing = _Pairing(old, new, functions_before, functions_now)
    pairing.pair(_whole, must_agree=False)
    pairing.pair(_root, must_agree=True)
    pairing.pair_renamed(_nothing)
    return tuple(pairing.found)


class _Pairing:
    """What is paired so far, and what is left on both sides."""

    def __init__(
        self,
        old: Sequence[Fingerprint],
        new: Sequence[Fingerprint],
        functions_before: frozenset[str] | None,
        functions_now: frozenset[str],
    ) -> None:
        self.old = old
        self.new = new
        self.before = functions_before if functions_before is not None else {one.function for one in old}
        self.now = functions_now
        self.found: list[int | None] = [None] * len(new)
        self.left_old = set(range(len(old)))
        self.left_new = set(range(len(new)))

    def pair(self, key: Key, must_agree: bool) -> None:
        """Pair what has equal keys; where that is asked, only where as many are left on both sides."""
        self._pair(key, self.left_old, self.left_new, must_agree)

    def pair_renamed(self, key: Key) -> None:
        """Pair findings of functions that are gone with those of functions that were not there."""
        gone = [at for at in self.left_old if self.old[at].function not in self.now]
        fresh = [at for at in self.left_new if self.new[at].function not in self.before]
        self._pair(key, gone, fresh, must_agree=True)

    def _pair(self, key: Key, olds: Iterable[int], news: Iterable[int], must_agree: bool) -> None:
        old_groups = _groups(key, self.old, olds)
        for at, members in _groups(key, self.new, news).items():
            partners = old_groups.get(at, [])
            if must_agree and len(partners) != len(members):
                continue
            for mine, theirs in zip(members, partners, strict=False):
                self.found[mine] = theirs
                self.left_old.discard(theirs)
                self.left_new.discard(mine)


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


def _root(one: Fingerprint) -> Hashable:
    return one.function


def _nothing(one: Fingerprint) -> Hashable:
    return None
