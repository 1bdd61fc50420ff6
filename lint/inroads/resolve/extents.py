"""
Where a fragment of a macro's input ends: `$e:expr`, `$t:ty`, `$p:pat`, ...

Each function takes tokens, an index and the end of the range it may read, and
gives the index after the fragment, or None where no such fragment begins. They
find extents, not meanings, and accept a little more than the compiler does:
operators have no precedence here. Depth is bounded by `_DEEPEST`.
"""

from __future__ import annotations

from inroads.resolve.tokens import CLOSE, IDENT, LIFETIME, LITERAL, OPEN, SIGN, Tokens, joined_end

_DEEPEST = 60

_BINARY = frozenset(
    {
        *("+", "-", "*", "/", "%", "^", "&", "|", "&&", "||", "==", "!=", "<", ">", "="),
        *("+=", "-=", "*=", "/=", "%=", "^=", "&=", "|="),
    }
)
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
_EXPRESSION_WORDS = frozenset({"true", "false", "self", "Self", "super", "crate", "default", "union", "auto"})
_NO_EXPRESSION = frozenset(
    {
        *("as", "else", "enum", "extern", "fn", "impl", "in", "mod", "mut", "pub", "ref", "struct", "trait"),
        *("type", "use", "where", "dyn", "_"),
    }
)


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
            return statement_end(tokens, at, end)
        case "item":
            return item_end(tokens, at, end)
        case "meta":
            return meta_end(tokens, at, end)
    return None


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


def path_end(tokens: Tokens, at: int, end: int, depth: int, in_type: bool) -> int | None:
    """A path; `in_type` tells whether `<` begins arguments without `::` before it."""
    texts, kinds = tokens.texts, tokens.kinds
    if _DEEPEST < depth:
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
    while at < end and depth < _DEEPEST:
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
        if tokens.kinds[at] == IDENT and text in _NO_EXPRESSION and text != "dyn":
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


def statement_end(tokens: Tokens, at: int, end: int) -> int | None:
    """A statement without its semicolon."""
    start = _after_attributes(tokens, at, end)
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
    at = visibility_end(tokens, _after_attributes(tokens, at, end), end)
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


def expression_end(tokens: Tokens, at: int, end: int, depth: int, structs: bool = True) -> int | None:
    """
    An expression; without `structs` a brace after a path ends it (`if x {`).

    Operands and operators alternate, so it needs no precedence.
    """
    texts, kinds = tokens.texts, tokens.kinds
    if _DEEPEST < depth:
        return None
    at = _after_attributes(tokens, at, end)
    while True:
        while at < end and (texts[at] in ("-", "!", "*", "&", "&&")):
            at += 1
            if texts[at - 1] in ("&", "&&"):
                if at + 1 < end and texts[at] == "raw" and texts[at + 1] in ("const", "mut"):
                    at += 1
                    at += 1
                elif at < end and texts[at] == "mut":
                    at += 1
        if end <= at:
            return None
        if texts[at] in ("..", "..=", "..."):
            after = expression_end(tokens, at + 1, end, depth + 1, structs) if at + 1 < end else None
            return after if after is not None else at + 1
        operand = _operand_end(tokens, at, end, depth, structs)
        if operand is None:
            return None
        at = operand
        if end <= at:
            return at
        if texts[at] == "as":
            while at < end and texts[at] == "as":
                casted = type_end(tokens, at + 1, end, depth + 1)
                if casted is None:
                    return None
                at = casted
            if end <= at:
                return at
        if texts[at] in ("..", "..="):
            after = expression_end(tokens, at + 1, end, depth + 1, structs) if at + 1 < end else None
            return after if after is not None else at + 1
        if kinds[at] != SIGN or texts[at] not in _BINARY:
            return at
        following = joined_end(tokens, at, end)
        if end <= following:
            return at
        if _begins_operand(tokens, following):
            at = following
            continue
        return at


# Parts of expressions.


def _operand_end(tokens: Tokens, at: int, end: int, depth: int, structs: bool) -> int | None:
    texts, kinds = tokens.texts, tokens.kinds
    text, kind = texts[at], kinds[at]
    if kind == LITERAL:
        after: int | None = at + 1
    elif kind == OPEN:
        after = tokens.close[at] + 1
    elif kind == LIFETIME:
        if at + 2 < end and texts[at + 1] == ":":
            return _operand_end(tokens, at + 2, end, depth + 1, structs)
        return None
    elif text in ("|", "||"):
        return _closure_end(tokens, at, end, depth, structs)
    elif kind == IDENT:
        after = _word_end(tokens, at, end, depth, structs)
    elif text in ("::", "<"):
        after = _path_expression_end(tokens, at, end, depth, structs)
    else:
        return None
    return None if after is None else _postfix_end(tokens, after, end, depth)


def _word_end(tokens: Tokens, at: int, end: int, depth: int, structs: bool) -> int | None:
    texts = tokens.texts
    text = texts[at]
    following = texts[at + 1] if at + 1 < end else ""
    match text:
        case "if" | "while":
            return _conditional_end(tokens, at, end, depth)
        case "match" if following:
            after = expression_end(tokens, at + 1, end, depth + 1, structs=False)
            return (
                tokens.close[after] + 1 if after is not None and after < end and texts[after] == "{" else None
            )
        case "loop" | "try" | "gen" if following == "{":
            return tokens.close[at + 1] + 1
        case "unsafe" if following == "{":
            return tokens.close[at + 1] + 1
        case "const" if following == "{":
            return tokens.close[at + 1] + 1
        case "for":
            if following == "<":
                bound = angle_end(tokens, at + 1, end, depth)
                return None if bound is None else _operand_end(tokens, bound, end, depth + 1, structs)
            after = pattern_end(tokens, at + 1, end, depth + 1, True)
            if after is None or end <= after or texts[after] != "in":
                return None
            after = expression_end(tokens, after + 1, end, depth + 1, structs=False)
            return (
                tokens.close[after] + 1 if after is not None and after < end and texts[after] == "{" else None
            )
        case "async" | "move" | "static" if following in ("move", "{", "|", "||", "async"):
            index = at + 1
            while index < end and texts[index] in ("move", "async"):
                index += 1
            if index < end and texts[index] == "{" and text != "static":
                return tokens.close[index] + 1
            return _closure_end(tokens, index, end, depth, structs)
        case "return" | "break" | "yield" | "become":
            index = at + 1
            if text == "break" and index < end and tokens.kinds[index] == LIFETIME:
                index += 1
            value = expression_end(tokens, index, end, depth + 1, structs) if index < end else None
            return value if value is not None else index
        case "continue":
            return at + 2 if at + 1 < end and tokens.kinds[at + 1] == LIFETIME else at + 1
        case "let":
            after = pattern_end(tokens, at + 1, end, depth + 1, True)
            if after is None or end <= after or texts[after] != "=":
                return None
            return _let_value_end(tokens, after + 1, end, depth)
        case "_":
            return at + 1
        case _ if text in _NO_EXPRESSION:
            return None
    return _path_expression_end(tokens, at, end, depth, structs)


def _let_value_end(tokens: Tokens, at: int, end: int, depth: int) -> int | None:
    return expression_end(tokens, at, end, depth + 1, structs=False)


def _conditional_end(tokens: Tokens, at: int, end: int, depth: int) -> int | None:
    """`if a {} else if b {} else {}`, `while a {}`."""
    texts = tokens.texts
    while True:
        after = expression_end(tokens, at + 1, end, depth + 1, structs=False)
        if after is None or end <= after or texts[after] != "{":
            return None
        at = tokens.close[after] + 1
        if at + 1 < end and texts[at] == "else":
            if texts[at + 1] == "if":
                at += 1
                continue
            return tokens.close[at + 1] + 1 if texts[at + 1] == "{" else None
        return at


def _closure_end(tokens: Tokens, at: int, end: int, depth: int, structs: bool) -> int | None:
    texts = tokens.texts
    if end <= at:
        return None
    if texts[at] == "||":
        at += 1
    elif texts[at] == "|":
        at += 1
        while at < end and texts[at] != "|":
            at = tokens.close[at] + 1
        at += 1
    else:
        return None
    if at < end and texts[at] == "->":
        returned = type_end(tokens, at + 1, end, depth + 1)
        if returned is None or end <= returned or texts[returned] != "{":
            return None
        return tokens.close[returned] + 1
    return expression_end(tokens, at, end, depth + 1, structs)


def _path_expression_end(tokens: Tokens, at: int, end: int, depth: int, structs: bool) -> int | None:
    texts = tokens.texts
    after = path_end(tokens, at, end, depth, in_type=False)
    if after is None or end <= after:
        return after
    if texts[after] == "!" and after + 1 < end and tokens.kinds[after + 1] == OPEN:
        return tokens.close[after + 1] + 1
    if texts[after] == "{" and structs and _looks_like_fields(tokens, after, end):
        return tokens.close[after] + 1
    return after


def _looks_like_fields(tokens: Tokens, at: int, end: int) -> bool:
    """Whether the braces at `at` hold `name: value`, `name`, `..base`, or nothing."""
    closing = tokens.close[at]
    inside = _after_attributes(tokens, at + 1, closing)
    if inside == closing:
        return True
    if tokens.texts[inside] == "..":
        return True
    if tokens.kinds[inside] not in (IDENT, LITERAL):
        return False
    following = tokens.texts[inside + 1]
    return following in (":", ",") or inside + 1 == closing


def _postfix_end(tokens: Tokens, at: int, end: int, depth: int) -> int | None:
    texts, kinds = tokens.texts, tokens.kinds
    while at < end:
        text = texts[at]
        if text == "?" or text in ("(", "["):
            at = tokens.close[at] + 1
        elif text == "." and at + 1 < end and kinds[at + 1] in (IDENT, LITERAL):
            at += 2
            if at + 1 < end and texts[at] == "::" and texts[at + 1] == "<":
                after = angle_end(tokens, at + 1, end, depth)
                if after is None:
                    return None
                at = after
        else:
            return at
    return at


def _begins_operand(tokens: Tokens, at: int) -> bool:
    kind, text = tokens.kinds[at], tokens.texts[at]
    if kind in (LITERAL, OPEN, LIFETIME):
        return True
    if kind == IDENT:
        return text not in _NO_EXPRESSION or text == "_"
    return text in ("-", "!", "*", "&", "&&", "|", "||", "::", "<", "..", "..=")


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
    if _DEEPEST < depth:
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


# Parts of items.

_FN_WORDS = frozenset({"fn", "unsafe", "async", "extern"})


def _after_attributes(tokens: Tokens, at: int, end: int) -> int:
    while at + 1 < end and tokens.texts[at] == "#":
        bracket = at + 2 if tokens.texts[at + 1] == "!" else at + 1
        if end <= bracket or tokens.texts[bracket] != "[":
            break
        at = tokens.close[bracket] + 1
    return at


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
