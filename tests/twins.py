"""Tables of twins, two programs that differ in what matters, as two tests each: one loses an error, one does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from inroads.analyses.swallow.ends import ALIVE
from swallow_program import fates_by_function, marked, told

Test = Callable[[str], None]


def quiet_and_told(
    head: str, pairs: Mapping[str, tuple[str, str]], times: int | None = None
) -> tuple[Test, Test]:
    """
    That nothing is told of the first of each pair, and that something is of the second.

    Args:
        head: What stands before each program.
        pairs: By what they are about.
        times: How much is told of each second one; None for any number.
    """

    @pytest.mark.parametrize("name", sorted(pairs))
    def nothing_is_told(name: str) -> None:
        found = [(one.function, one.fate, one.line) for one in told(head + pairs[name][0])]
        assert found == [], found

    @pytest.mark.parametrize("name", sorted(pairs))
    def it_is_told(name: str) -> None:
        found = told(head + pairs[name][1])
        assert found if times is None else len(found) == times, found

    return nothing_is_told, it_is_told


def lost_and_kept(
    head: str,
    forms: Mapping[str, tuple[str, str, str]],
    kept: frozenset[str] = ALIVE,
) -> tuple[Test, Test]:
    """
    That an error of `x` is lost in the first of each form, where a check looks for it, and none in the second.

    Args:
        head: What stands before each program.
        forms: By name, the fate that the error has, and both programs.
        kept: Fates by which no error is lost.
    """

    def fates(source: str) -> list[str]:
        return list(fates_by_function(head + source).get("x", []))

    @pytest.mark.parametrize("name", sorted(forms))
    def it_is_lost(name: str) -> None:
        fate, losing, _ = forms[name]
        found = fates(losing)
        assert fate in found, found
        assert "x" in marked(head + losing), "a check does not look at it"

    @pytest.mark.parametrize("name", sorted(forms))
    def it_is_kept(name: str) -> None:
        found = fates(forms[name][2])
        assert set(found) <= kept, found

    return it_is_lost, it_is_kept
