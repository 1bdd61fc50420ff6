"""What the user of a value of unknown type proves: that it is a Result, by a pattern or a method that only one has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.swallow import methods
from inroads.analyses.swallow.covers import says_result
from inroads.analyses.swallow.shapes import RESULT, Shape
from inroads.facts import (
    AwaitRow,
    BindingPattern,
    ClosureRow,
    LetConditionRow,
    LetRow,
    MatchRow,
    MethodCallRow,
)

if TYPE_CHECKING:
    from inroads.analyses.swallow.fates import Follower


def proof_at(f: Follower, at: int, depth: int = 0) -> Shape | None:
    """The shape that the user of a row proves; None if it proves nothing."""
    use = f.uses.taken[at]
    if use is None or use.row is None or depth > 4:
        return None
    user = f.rows[use.row]
    found: Shape | None = None
    match use.role:
        case "await" if isinstance(user, AwaitRow):
            inner = proof_at(f, use.row, depth + 1)
            return ("F", *inner) if inner is not None else None
        case "receiver" if isinstance(user, MethodCallRow):
            if user.name in methods.PROVES_RESULT:
                return RESULT
            if user.name in methods.PROVES_BY_CLOSURE and user.arguments:
                closure = f.rows[user.arguments[0]]
                return RESULT if isinstance(closure, ClosureRow) and closure.parameters else None
            if user.name in ("map", "and_then", "context", "with_context", "unwrap"):
                return proof_at(f, use.row, depth + 1) if user.name != "unwrap" else None
        case "let-condition" if isinstance(user, LetConditionRow):
            found = says_result(user.pattern)
        case "let" if isinstance(user, LetRow):
            found = says_result(user.pattern)
            if found is None and isinstance(user.pattern, BindingPattern):
                for local in [one for (row, _), one in f.judged.bound.items() if row == use.row][:1]:
                    for named in f.uses.locals.get(local, ()):
                        found = found or proof_at(f, named, depth + 1)
        case "scrutinee" if isinstance(user, MatchRow):
            for arm in user.arms:
                found = found or says_result(arm.pattern)
        case "borrow" | "tail":
            return proof_at(f, use.row, depth + 1)
    return found
