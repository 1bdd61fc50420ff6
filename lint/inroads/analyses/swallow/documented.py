"""Documentation of a function that says what becomes of an error in it, and that this is meant."""

from __future__ import annotations

import re
from functools import cache

from inroads.analyses.swallow.reasons import TO_DO

_FAILS = (
    r"(?:(errors?|fail(s|ed|ing|ure|ures)?|malformed|invalid|missing|absent|corrupt\w*|un(readable|decodable|parsable"
    r"|resolvable|available|reachable))(?!-)|(cannot|can't|could\ not|couldn't|will\ not|won't)\ \w+)"
)
_LEFT = r"(ignored|skipped|swallowed|discarded|tolerated|logged|printed|left\ alone|passed\ over|a\ no-op)"


@cache
def _says() -> re.Pattern[str]:
    """What a sentence says that does so: compiled when one is read, since most runs read none."""
    return re.compile(
        rf"""
        \bbest[- ]effort\b | \bfire[- ]and[- ]forget\b
        | \b(non-?|not\ |never\ )fatal\b
        | \b(must|should)(n't|\ not|\ never)\ (be\ fatal|fail|kill|crash|abort|stop|block|take\ down|bring\ down)\b
        | \bignor(e|es|ed|ing)\b.{{0,20}}\b(errors?|failures?)\b
        | \b{_FAILS}\b.{{0,80}}\b(is|are|be|gets?)\b.{{0,25}}\b{_LEFT}\b
        | \bon\ (any\ |an?\ )?([\w-]+\ )?(error|failure)s?\b,?\ .{{0,40}}
          \b(returns?|falls?\ back|keeps?|uses?|leaves?|gives?|skips?|continues?)\b
        | \b{_FAILS}\b.{{0,100}}\b(falls?\ back|degrades?|contributes?|costs\ at\ most|retries|(is|be)\ retried)\b
        | \b(falls?\ back|degrades?)\b.{{0,60}}\b{_FAILS}\b
        | \b(skips?|skipping)\b.{{0,30}}\b{_FAILS}\b
        | \b{_FAILS},?\ .{{0,12}}\b(logs?|warns?)\b
        | \b(failure|error)s?\b.{{0,40}}\b(do|does|must|should|can|will)(\ not|n't)
          \ (affect|stop|abort|block|fail|break)\b
        | \b(failure|error)s?\b.{{0,30}}\b(is|are|stays?)\ (local|isolated|confined|contained)\b
        | \b(malformed|invalid|missing|unreadable|absent)\b.{{0,60}}\breturns?\ `?ok
        | \breturns?\ (`?(none|false|0)`?|(an\ )?empty\ \w+|the\ default\ ?\w*|nothing)\b.{{0,40}}
          \b(if|when|where|on)\b.{{0,100}}
          \b(errors?|fail(s|ed|ure)?|can(not|'t)|could(\ not|n't)|unreadable|malformed)\b
        | \b(never|does(\ not|n't)|rather\ than|not)
          \ (fails?|errors?|return\ errors?|propagat\w+|surfaced?|returned)\b
        """,
        re.IGNORECASE | re.VERBOSE,
    )


# One that speaks of who calls it, or of what it gives to him.
_OTHERS = re.compile(
    r"\b(callers?|the caller's)\b|\breturns?\b.{0,20}\b(an? )?(`?Err\b|error)", re.IGNORECASE
)
_SENTENCES = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n")
_NAMED = re.compile(
    r"(^|_)(best_effort|(ignor|swallow)(e|ing)?_(err|errors?|failures?)|or_(ignore|log|none|null|default|empty|zero)"
    r"|quietly|infallible)(_|$)"
)


def is_documented(text: str) -> bool:
    """Whether the documentation of a function says that errors in it may be lost, and nothing that is to be mended."""
    sentences = [" ".join(part.split()) for part in _SENTENCES.split(text)]
    return any(
        _says().search(one) is not None and _OTHERS.search(one) is None for one in sentences
    ) and not any(TO_DO.search(one) for one in sentences)


def is_named_so(name: str) -> bool:
    """Whether the name of a function says so: `mark_best_effort`."""
    return _NAMED.search(name) is not None
