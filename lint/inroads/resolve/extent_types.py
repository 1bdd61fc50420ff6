"""Where paths, types, patterns and small fragments end; see `extents`."""

from __future__ import annotations

from inroads.resolve.tokens import CLOSE, IDENT, LIFETIME, LITERAL, OPEN, Tokens, joined_end

# Brackets are jumped over, so that only prefixes nest.
DEEPEST = 60

# Words with which no expression begins, nor a type.
NO_EXPRESSION = frozenset(
    {
        *("as", "else", "enum", "extern", "fn", "impl", "in", "mod", "mut", "pub", "ref", "struct", "trait"),
        *("type", "use", "where", "dyn", "_"),
    }
)


def token_tree_end(tokens: Tokens, at: int, end: int) -> int | None:
    """One token, or a bracketed group."""
    kind = tokens.kinds[at]
    if kind == OPEN:
        return tokens.close[at] + 1
    if kind == CLOSE:
        return None
    return joined_end(tokens, at, end)


def visibility_end(tokens: Tokens, at: int, end: int) -> int:
    """`pub`, `pub(crate)`, `crate`, or nothing."""
    if at < end and tokens.texts[at] == "pub":
        at += 1
        if (
            at + 1 < end
            and tokens.texts[at] == "("
            and tokens.texts[at + 1] in ("crate", "self", "super", "in")
        ):
            inside = tokens.close[at]
            if tokens.texts[at + 1] == "in" or inside == at + 2:
                return inside + 1
    return at


def literal_end(tokens: Tokens, at: int, end: int) -> int | None:
    """A literal, perhaps with a minus sign."""
    if tokens.texts[at] == "-" and at + 1 < end and tokens.texts[at + 1][:1].isdigit():
        return at + 2
    if tokens.kinds[at] == LITERAL or tokens.texts[at] in ("true", "false"):
        return at + 1
    return None


def path_end(tokens: Tokens, at: int, end: int, depth: int, in_type: bool) -> int | None:
    """A path; `in_type` tells whether `<` begins arguments without `::` before it."""
    texts, kinds = tokens.texts, tokens.kinds
    if DEEPEST < depth:
        return None
    if at < end and texts[at] == "<":
        after = angle_end(tokens, at, end, depth + 1)
        if after is None or end <= after or texts[after] != "::":
            return None
        at = after
    if at < end and texts[at] == "::":
        at += 1
    while True:
        if end <= at or kinds[at] != IDENT or texts[at] == "_":
            return None
        at += 1
        if at < end and texts[at] == "<" and in_type:
            after = angle_end(tokens, at, end, depth + 1)
            if after is None:
                return None
            at = after
        elif at + 1 < end and texts[at] == "::" and texts[at + 1] == "<":
            after = angle_end(tokens, at + 1, end, depth + 1)
            if after is None:
                return None
            at = after
        elif (
            in_type
            and at < end
            and texts[at] == "("
            and texts[at - 1] in ("Fn", "FnMut", "FnOnce", "AsyncFn")
        ):
            at = tokens.close[at] + 1
            if at < end and texts[at] == "->":
                returned = type_end(tokens, at + 1, end, depth + 1)
                if returned is None:
                    return None
                at = returned
        if at + 1 < end and texts[at] == "::" and kinds[at + 1] == IDENT:
            at += 1
            continue
        return at


def angle_end(tokens: Tokens, at: int, end: int, depth: int) -> int | None:
    """The index after the `>` that closes the `<` at `at`; brackets are jumped over."""
    open_angles = 0
    while at < end:
        text = tokens.texts[at]
        if text == "<":
            open_angles += 1
        elif text == ">":
            open_angles -= 1
            if not open_angles:
                return at + 1
        elif tokens.kinds[at] == OPEN:
            at = tokens.close[at]
        elif text in (";", "=>") or tokens.kinds[at] == CLOSE:
            return None
        at += 1
    return None


def type_end(tokens: Tokens, at: int, end: int, depth: int) -> int | None:
    """A type."""
    texts = tokens.texts
    while at < end and depth < DEEPEST:
        text = texts[at]
        depth += 1
        if text in ("&", "&&"):
            at += 1
            if at < end and tokens.kinds[at] == LIFETIME:
                at += 1
            if at < end and texts[at] == "mut":
                at += 1
            continue
        if text == "*" and at + 1 < end and texts[at + 1] in ("const", "mut"):
            at += 2
            continue
        if text in ("(", "["):
            return tokens.close[at] + 1
        if text in ("!", "_"):
            return at + 1
        if text == "for" and at + 1 < end and texts[at + 1] == "<":
            after = angle_end(tokens, at + 1, end, depth)
            if after is None:
                return None
            at = after
            continue
        if text in ("dyn", "impl") and at + 1 < end and _begins_bound(tokens, at + 1):
            return bounds_end(tokens, at + 1, end, depth)
        if text in ("unsafe", "extern", "fn"):
            return _function_type_end(tokens, at, end, depth)
        if tokens.kinds[at] == IDENT and text in NO_EXPRESSION and text != "dyn":
            return None
        after = path_end(tokens, at, end, depth, in_type=True)
        if after is not None and after + 1 < end and texts[after] == "!" and tokens.kinds[after + 1] == OPEN:
            return tokens.close[after + 1] + 1
        return after
    return None


def bounds_end(tokens: Tokens, at: int, end: int, depth: int) -> int | None:
    """`A + 'a + ?Sized`."""
    texts = tokens.texts
    while True:
        if at < end and texts[at] == "(":
            after: int | None = tokens.close[at] + 1
        elif at < end and tokens.kinds[at] == LIFETIME:
            after = at + 1
        else:
            if at < end and texts[at] in ("?", "~"):
                at += 1
            if at + 1 < end and texts[at] == "for" and texts[at + 1] == "<":
                at = angle_end(tokens, at + 1, end, depth) or end
            after = path_end(tokens, at, end, depth + 1, in_type=True)
        if after is None:
            return None
        if after + 1 < end and texts[after] == "+":
            at = after + 1
            continue
        return after


def pattern_end(tokens: Tokens, at: int, end: int, depth: int, alternatives: bool) -> int | None:
    """A pattern; `A | B` at its top only where `alternatives` says so."""
    texts = tokens.texts
    if alternatives and at < end and texts[at] == "|":
        at += 1
    while True:
        after = _single_pattern_end(tokens, at, end, depth)
        if after is None:
            return None
        if alternatives and after < end and texts[after] == "|":
            at = after + 1
            continue
        return after


def after_attributes(tokens: Tokens, at: int, end: int) -> int:
    """The index after attributes that stand first."""
    while at + 1 < end and tokens.texts[at] == "#":
        bracket = at + 2 if tokens.texts[at + 1] == "!" else at + 1
        if end <= bracket or tokens.texts[bracket] != "[":
            break
        at = tokens.close[bracket] + 1
    return at


def _begins_bound(tokens: Tokens, at: int) -> bool:
    return tokens.kinds[at] in (IDENT, LIFETIME) or tokens.texts[at] in ("?", "::", "(", "~")


def _function_type_end(tokens: Tokens, at: int, end: int, depth: int) -> int | None:
    texts = tokens.texts
    while at < end and (texts[at] in ("unsafe", "extern") or tokens.kinds[at] == LITERAL):
        at += 1
    if end <= at + 1 or texts[at] != "fn" or texts[at + 1] != "(":
        return None
    at = tokens.close[at + 1] + 1
    if at < end and texts[at] == "->":
        return type_end(tokens, at + 1, end, depth + 1)
    return at


def _single_pattern_end(tokens: Tokens, at: int, end: int, depth: int) -> int | None:
    texts, kinds = tokens.texts, tokens.kinds
    if DEEPEST < depth:
        return None
    while at < end and texts[at] in ("&", "&&", "mut", "ref", "box"):
        at += 1
    if end <= at:
        return None
    if texts[at] in ("..", "..=", "..."):
        bound = _range_bound_end(tokens, at + 1, end, depth)
        return bound if bound is not None else at + 1
    if texts[at] == "_":
        return at + 1
    if texts[at] in ("(", "["):
        return tokens.close[at] + 1
    after = _range_bound_end(tokens, at, end, depth)
    if after is None:
        return None
    if after < end and texts[after] in ("..", "..=", "..."):
        bound = _range_bound_end(tokens, after + 1, end, depth)
        return bound if bound is not None else after + 1
    if kinds[at] == IDENT:
        if after < end and texts[after] == "@":
            return _single_pattern_end(tokens, after + 1, end, depth + 1)
        if after < end and texts[after] in ("(", "{"):
            return tokens.close[after] + 1
        if after + 1 < end and texts[after] == "!" and kinds[after + 1] == OPEN:
            return tokens.close[after + 1] + 1
    elif after < end and texts[at] in ("<", "::") and texts[after] in ("(", "{"):
        return tokens.close[after] + 1
    return after


def _range_bound_end(tokens: Tokens, at: int, end: int, depth: int) -> int | None:
    """A literal, a path or a const block."""
    if end <= at:
        return None
    literal = literal_end(tokens, at, end)
    if literal is not None:
        return literal
    text = tokens.texts[at]
    if text == "const" and at + 1 < end and tokens.texts[at + 1] == "{":
        return tokens.close[at + 1] + 1
    if tokens.kinds[at] == IDENT and text in ("if", "in", "else", "let", "fn", "where"):
        return None
    return path_end(tokens, at, end, depth + 1, in_type=False)
