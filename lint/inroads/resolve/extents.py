"""
Where a fragment of a macro's input ends: `$e:expr`, `$t:ty`, `$p:pat`, ...

Each function takes tokens, an index and the end of the range it may read, and
gives the index after the fragment, or None where no such fragment begins. They
find extents, not meanings, and accept a little more than the compiler does:
operators have no precedence here. Depth is bounded by `DEEPEST`.
"""

from __future__ import annotations

from inroads.resolve.extent_expressions import expression_end
from inroads.resolve.extent_types import (
    after_attributes,
    literal_end,
    path_end,
    pattern_end,
    token_tree_end,
    type_end,
    visibility_end,
)
from inroads.resolve.tokens import IDENT, LIFETIME, OPEN, Tokens

_ITEM_WORDS = frozenset(
    {
        *(
            "fn",
            "struct",
            "enum",
            "union",
            "trait",
            "impl",
            "mod",
            "use",
            "const",
            "static",
            "type",
            "extern",
        ),
        *("unsafe", "async", "pub", "macro_rules", "default", "macro", "auto", "crate"),
    }
)
_FN_WORDS = frozenset({"fn", "unsafe", "async", "extern"})


def fragment_end(kind: str, tokens: Tokens, at: int, end: int) -> int | None:
    """The index after a fragment of this kind that begins at `at`; None if none does."""
    if kind == "vis":
        return visibility_end(tokens, at, end)
    if end <= at:
        return None
    match kind:
        case "tt":
            return token_tree_end(tokens, at, end)
        case "ident":
            return at + 1 if tokens.kinds[at] == IDENT and tokens.texts[at] != "_" else None
        case "lifetime":
            return at + 1 if tokens.kinds[at] == LIFETIME else None
        case "literal":
            return literal_end(tokens, at, end)
        case "block":
            return tokens.close[at] + 1 if tokens.texts[at] == "{" else None
        case "path":
            return path_end(tokens, at, end, 0, in_type=True)
        case "ty":
            return type_end(tokens, at, end, 0)
        case "expr" | "expr_2021":
            return expression_end(tokens, at, end, 0)
        case "pat" | "pat_param":
            return pattern_end(tokens, at, end, 0, kind == "pat")
        case "stmt":
            # A semicolon is a statement, an empty one.
            return at + 1 if tokens.texts[at] == ";" else statement_end(tokens, at, end)
        case "item":
            return item_end(tokens, at, end)
        case "meta":
            return meta_end(tokens, at, end)
    return None


def meta_end(tokens: Tokens, at: int, end: int) -> int | None:
    """The inside of an attribute: `derive(Debug)`, `path = "x.rs"`."""
    if tokens.texts[at] == "unsafe" and at + 1 < end and tokens.texts[at + 1] == "(":
        return tokens.close[at + 1] + 1
    after = path_end(tokens, at, end, 0, in_type=False)
    if after is None:
        return None
    if after < end and tokens.kinds[after] == OPEN:
        return tokens.close[after] + 1
    if after < end and tokens.texts[after] == "=":
        return expression_end(tokens, after + 1, end, 0)
    return after


def statement_end(tokens: Tokens, at: int, end: int) -> int | None:
    """A statement without its semicolon."""
    start = after_attributes(tokens, at, end)
    if start < end and tokens.texts[start] == "let":
        after = pattern_end(tokens, start + 1, end, 0, True)
        if after is not None and after < end and tokens.texts[after] == ":":
            after = type_end(tokens, after + 1, end, 0)
        if after is not None and after < end and tokens.texts[after] == "=":
            after = expression_end(tokens, after + 1, end, 0)
            if after is not None and after + 1 < end and tokens.texts[after] == "else":
                after = tokens.close[after + 1] + 1
        return after
    item = item_end(tokens, at, end)
    return item if item is not None else expression_end(tokens, start, end, 0)


def item_end(tokens: Tokens, at: int, end: int) -> int | None:
    """An item with its attributes."""
    texts = tokens.texts
    at = visibility_end(tokens, after_attributes(tokens, at, end), end)
    if end <= at or tokens.kinds[at] != IDENT:
        return None
    word = texts[at]
    following = texts[at + 1] if at + 1 < end else ""
    if word not in _ITEM_WORDS:
        after = path_end(tokens, at, end, 0, in_type=False)
        if after is None or end <= after or texts[after] != "!":
            return None
        after += 1
        return _macro_item_end(tokens, after, end)
    if word == "macro_rules":
        return _macro_item_end(tokens, at + 3, end) if following == "!" and at + 3 < end else None
    if word == "const" and following in ("{", "|", "||", "move"):
        return None
    if word == "unsafe" and following == "{":
        return None
    if word == "async" and following not in ("fn", "unsafe", "extern"):
        return None
    if word in ("union", "auto", "default", "macro") and (at + 1 == end or tokens.kinds[at + 1] != IDENT):
        return None
    if word in ("use", "type") or (word in ("const", "static") and following not in _FN_WORDS):
        return _scan_to(tokens, at, end, braces=False)
    return _scan_to(tokens, at, end, braces=True)


# Parts of items.


def _macro_item_end(tokens: Tokens, at: int, end: int) -> int | None:
    if at < end and tokens.kinds[at] == IDENT:
        at += 1
    if end <= at or tokens.kinds[at] != OPEN:
        return None
    after = tokens.close[at] + 1
    if tokens.texts[at] != "{":
        return after + 1 if after < end and tokens.texts[after] == ";" else None
    return after


def _scan_to(tokens: Tokens, at: int, end: int, braces: bool) -> int | None:
    """The index after the next `;`, or after the next braces if those end the item."""
    while at < end:
        text = tokens.texts[at]
        if text == ";":
            return at + 1
        if tokens.kinds[at] == OPEN:
            at = tokens.close[at]
            if text == "{" and braces:
                return at + 1
        at += 1
    return None
