"""
Macros made to explode, and how much the expansions of one call may write.

What an expansion costs grows with the text that it writes. Each call may write
`CHEAP` bytes, which nearly all stay below. A macro that asks for more is held
against a few of its own calls, the first, the middle and the last in the
program: if one of them does not end within `most_written`, no call of it may
write more. So a thousand calls of such a macro cost little more than one, and
the answer depends on the program alone, not on which body was asked for first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from inroads.resolve.model import Macro

if TYPE_CHECKING:
    from inroads.resolve.tables import Tables

CHEAP = 16_000
MOST_WRITTEN = 1_500_000
_LEAST_WRITTEN = 64_000
_WRITTEN_BY_ALL = 30_000_000
# What an expansion costs beside its text, in bytes of it.
_ONE_EXPANSION = 200


def most_written(tables: Tables) -> int:
    """How many bytes one call may write: less where many macros of the program call themselves."""
    calling = sum(f"{macro.name}!" in macro.text for macro in tables.macros)
    return max(_LEAST_WRITTEN, min(MOST_WRITTEN, _WRITTEN_BY_ALL // max(calling, 1)))


class Budget(msgspec.Struct):
    """
    What the expansions of one call, and of the calls in them, may still write.

    Args:
        more: How much may be written in all, asked for when the cheap bytes are spent.
    """

    more: Callable[[], int]
    spent: int = 0
    limit: int = CHEAP
    asked: bool = False

    def spend(self, size: int) -> bool:
        """Count an expansion of this size; False where that is too much."""
        self.spent += size + _ONE_EXPANSION
        if self.limit < self.spent and not self.asked:
            self.asked = True
            self.limit = max(self.limit, self.more())
        return self.spent <= self.limit

    def exhaust(self) -> None:
        """Let nothing more be written."""
        self.asked = True
        self.limit = -1


def sampled_functions(tables: Tables, macro: Macro) -> tuple[int, ...]:
    """The first, the middle and the last function whose body holds a call by the macro's name."""
    name = macro.name.encode()
    called = re.compile(rb"\b" + re.escape(name) + rb"\s*!")
    found: list[int] = []
    for function in tables.functions:
        body = tables.body_of(function.id)
        # A body that waits as text has no names yet; most do not hold the word at all.
        if body is not None and (
            f"{macro.name}!" in body.names if body.names else name in body.data and called.search(body.data)
        ):
            found.append(function.id)
    return tuple(dict.fromkeys(found[at] for at in (0, len(found) // 2, -1))) if found else ()
