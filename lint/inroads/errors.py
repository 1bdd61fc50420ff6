"""The exception tree. Each error carries its exit code and says how to mend it."""

from __future__ import annotations

from collections.abc import Iterable


class InroadsError(Exception):
    """Something that the user can mend: a flag, a setting, a rule, a missing revision."""

    exit_code = 2


class UsageError(InroadsError):
    """A flag or argument that makes no sense here."""


class SettingsError(InroadsError):
    """
    A mistake in settings or a rule pack.

    `messages` holds one line for each mistake; all of a file are collected
    before it is raised.
    """

    def __init__(self, messages: tuple[str, ...]) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages


class NothingToAnalyse(InroadsError):
    """No Rust file was found under the given paths."""


class RevisionError(InroadsError):
    """A git revision that is not there; the message names the command that fetches it."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean "needs"?`, or nothing where no known word is near."""
    # Few runs have a mistake to tell of.
    from difflib import get_close_matches

    near = get_close_matches(word, sorted(known), n=1, cutoff=0.6)
    return f'; did you mean "{near[0]}"?' if near else ""
