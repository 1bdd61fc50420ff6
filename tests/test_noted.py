"""Who mentioned a name in an earlier run is known after edits, as if all bodies had been looked through anew."""

from __future__ import annotations

import pytest

from inroads.mentioned import Mentions
from inroads.noted import MOST_REWRITTEN, Noted, packed
from test_mentioned import linked

NAMES = ("open", "close", ".open", "log!", "Line{", "~Line", "op*", "inner", "nobody")
BEFORE = """
macro_rules! opened { ($l:expr) => { $l.open(inner) }; }
struct Line { up: bool }
fn one(l: &Line) { l.open(); log!(close); }
fn two() -> Line { Line { up: true } }
fn three(l: &Line) { opened!(l); fn inside() {} }
#[cfg(test)]
fn four(l: &Line) { l.opening(); Line::close(l); }
"""


def mentions(text: str) -> Mentions:
    return Mentions(linked(text))


def told(one: Mentions) -> list[object]:
    """All that is asked of mentions here."""
    found: list[object] = []
    for name in NAMES:
        for tests in (True, False):
            if "*" in name:
                found.append(one.like(name, tests=tests))
            elif name[0] == "~":
                found.append(sorted(one.speaking(name[1:])))
            else:
                found.append(one.of(name, tests=tests))
    return found


@pytest.mark.parametrize(
    ("old", "new", "changed", "names"),
    [
        ("l.open();", "l.close();", {0}, {"open", ".open", "close", ".close"}),
        ("Line { up: true }", "todo!()", {1}, {"Line", "Line{", "up", "todo", "todo!"}),
        ("opened!(l);", "opened(l);", {2}, {"opened!"}),
        ("opened!(l);", "Line::nobody();", {2}, {"opened!", "opened", "Line", "nobody"}),
        ("l.opening();", "", {4}, {"opening", ".opening", "l"}),
    ],
)
def test_what_was_rewritten_is_asked_again(old: str, new: str, changed: set[int], names: set[str]) -> None:
    earlier = mentions(BEFORE)
    earlier.make_index()
    now = mentions(BEFORE.replace(old, new))
    noted = earlier.asked(NAMES).after(changed, names, None)
    assert noted is not None
    now.take_over(noted)
    assert told(now) == told(mentions(BEFORE.replace(old, new)))
    # What was known needs no index.
    assert not now.is_indexed() or any("*" in name for name in NAMES)


def test_functions_that_moved_keep_their_names() -> None:
    earlier = mentions(BEFORE)
    earlier.make_index()
    text = BEFORE.replace("fn two", "fn zero(l: &Line) { l.open(); }\nfn two")
    now = mentions(text)
    assert [one.name for one in now._tables.functions][:3] == ["one", "zero", "two"]
    noted = earlier.asked(NAMES).after({1}, {"open", ".open", "l"}, [0, 2, 3, 4, 5])
    now.take_over(noted)
    assert told(now) == told(mentions(text))
    # And again, after the function has gone.
    assert noted is not None
    last = mentions(BEFORE)
    last.take_over(noted.after((), {"open", ".open", "l"}, [0, None, 1, 2, 3, 4]))
    assert told(last) == told(mentions(BEFORE))


def test_a_pattern_is_asked_again_where_a_name_that_fits_came_or_went() -> None:
    noted = Noted({}, {"op*": ("open",), "cl* ": ("close",)})
    after = noted.after((), {"opening"}, None)
    assert after is not None
    assert after.likes == {"cl* ": ("close",)}


def test_many_rewritten_bodies_make_it_worthless() -> None:
    assert Noted({"a": packed([1])}).after(range(MOST_REWRITTEN + 1), (), None) is None
