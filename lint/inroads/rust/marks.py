"""
The forms by which a body can lose an error, found in passing while it is read.

A body without any mark cannot lose an error by itself, so it need not be
judged for that. A mark tells that a form occurs, not that anything is wrong:

* `let-underscore:NAME`: `let _ = ..`, `let _: T = ..`, `_ = ..`, of what began with a call of NAME;
  `let-part:NAME`: a `_` inside of what a `let`, an `if let` or a `match` takes apart
* `let-unused:NAME`: a name is bound to a call of NAME, and not read after it
* `reassign:NAME`: a name that was bound to a call of NAME is bound again before it
  was read, or a loop binds it to a call of NAME in each turn; `store:NAME`: a field
  or an element is assigned a call of NAME
* `statement:NAME`: a call of NAME whose value is thrown away by `;`
* `if-let`, `while-let`, `let-else`, `match`: a pattern that speaks of Ok or Err
  in such a place; `matches` in `matches!` and its like
* `closure:NAME`: a closure or async block whose last value is a call of NAME
* `closure-try`: a `?` inside a closure or an async block
* `default:NAME`, `or:NAME`: unwrap_or, or_else and their like on what began with a call of NAME
* `iterate:NAME`: a loop over a call of NAME, `iter` and its like on one, or one that is given to `extend`;
  `ask:NAME`: `is_some` and its like on one, which look at no error inside
* `gather:NAME`: a call of NAME is laid into a list or a map; `part:NAME`: it is a part of a tuple or
  a struct that is built
* and by the name of a method or function: `ok`, `is-err` (also is_ok and the `_and` forms),
  `map-err`, `iterator` (flatten, filter_map, for_each, count, ...), `drop`, `join`, `spawn`

NAME is the last name of the callee, with a `.` before for methods and a `!` behind for macros; `.await` is looked
through. It is `()` where what is called has no name, or what is bound may come
from anywhere. What began with a named field holds no error that a call around has made, and has no mark.

What a macro of the workspace hides is not marked; its name is in the index
with a `!`, and its definition is known after linking.
"""

from __future__ import annotations

from collections.abc import Sequence

from inroads.rust.text import Wire

METHOD_MARKS: dict[str, str] = {
    "ok": "ok",
    "err": "ok",
    "is_ok": "is-err",
    "is_err": "is-err",
    "is_ok_and": "is-err",
    "is_err_and": "is-err",
    "is_none_or": "is-err",
    "unwrap_or": "default",
    "unwrap_or_default": "default",
    "unwrap_or_else": "default",
    "map_or": "default",
    "map_or_else": "default",
    "map_or_default": "default",
    "or": "or",
    "or_else": "or",
    "map_err": "map-err",
    "inspect_err": "map-err",
    "flatten": "iterator",
    "flat_map": "iterator",
    "filter_map": "iterator",
    "map_while": "iterator",
    "filter": "iterator",
    "for_each": "iterator",
    "try_for_each": "iterator",
    "find_map": "iterator",
    "count": "iterator",
    "last": "iterator",
    "partition": "iterator",
    "take_while": "iterator",
    "flatten_ok": "iterator",
    "drop": "drop",
    "forget": "drop",
    "take": "drop",
    "replace": "drop",
    "join": "join",
    "join_all": "join",
    "try_join": "join",
    "try_join_all": "join",
    "join_next": "join",
    "spawn": "spawn",
    "spawn_blocking": "spawn",
    "spawn_local": "spawn",
    "spawn_on": "spawn",
    "block_on": "spawn",
}
"""The mark that a method, or the last name of a path, gives."""

ITERATES = frozenset(("iter", "iter_mut", "into_iter"))
"""Methods whose elements are those of what they are called on: a Result that is an error has none."""

ASKS = frozenset(("is_some", "is_none", "is_ready", "is_pending", "len", "is_empty"))
"""Methods that tell whether there is something, whatever it is."""

GATHERS = frozenset(("push", "push_back", "push_front", "insert"))
"""Methods that lay what they are given beside others."""

ON_CALLS = frozenset(("default", "or"))
"""Marks of methods that tell what they are called on."""

PASSES = frozenset(
    (
        *("map", "and_then", "or_else", "map_err", "inspect", "inspect_err", "copied", "cloned", "as_deref"),
        *("as_ref", "as_mut", "as_deref_mut", "context", "with_context", "clone", "transpose"),
    )
)
"""Methods whose value holds the error of what they are called on, or that of a closure, which has a mark of its own."""

RESULT_NAMES = frozenset(("Ok", "Err"))


ANY = "()"
"""Stands for the name of what is called where that has none."""

_HEADERS = frozenset((69, 70, 71, 74, 76))


def called_name(rows: Sequence[Wire], at: int) -> str | None:
    """The last name of what the row calls, `.await` looked through; None if it is no call."""
    row = rows[at]
    while row and row[0] == 56:
        row = rows[row[3]]
    if not row:
        return None
    match row[0]:
        case 45:
            return f".{row[4]}"
        case 46:
            return f"{row[3][-1]}!"
        case 44:
            callee = rows[row[3]]
            return str(callee[3][1][-1][1]) if callee[0] == 41 else ANY
    return None


def source_name(rows: Sequence[Wire], at: int) -> str | None:
    """The name of the call that a value comes from; `ANY` for a branch or a block, None if it comes from none."""
    row = rows[at]
    return ANY if row and row[0] in _HEADERS else called_name(rows, at)


def origin_name(rows: Sequence[Wire], at: int) -> str | None:
    """
    The name of the call that a chain of combinators begins with; `ANY` where it begins with no call.

    None where it begins with a field that has a name, which holds no Result of a call around.
    """
    row = rows[at]
    while row and (row[0] == 56 or (row[0] == 45 and row[4] in PASSES)):
        at = row[3]
        row = rows[at]
    if row and row[0] == 42 and not row[4].isdigit():
        return None
    return source_name(rows, at) or ANY


def tried_name(rows: Sequence[Wire], at: int) -> str | None:
    """The same, `?` and `unwrap` looked through."""
    row = rows[at]
    while row and (row[0] == 55 or (row[0] == 45 and row[4] in ("unwrap", "expect"))):
        at = row[3]
        row = rows[at]
    return origin_name(rows, at)


def has_wildcard(pattern: Wire) -> bool:
    """Whether a pattern throws a part away."""
    stack = [pattern]
    while stack:
        at = stack.pop()
        if at and at[0] == 20:
            return True
        stack.extend(part for part in at if isinstance(part, tuple))
    return False


def speaks_of_result(pattern: object) -> bool:
    """Whether a pattern names Ok or Err anywhere."""
    stack = [pattern]
    while stack:
        at = stack.pop()
        if isinstance(at, tuple):
            if at and at[0] in (23, 24, 25) and 3 < len(at):
                segments = at[3][1]
                if segments and segments[-1][1] in RESULT_NAMES:
                    return True
            stack.extend(part for part in at if isinstance(part, tuple))
    return False
