"""Where an expression ends; see `extents`."""

from __future__ import annotations

from inroads.resolve.extent_types import (
    DEEPEST,
    NO_EXPRESSION,
    after_attributes,
    angle_end,
    path_end,
    pattern_end,
    type_end,
)
from inroads.resolve.tokens import IDENT, LIFETIME, LITERAL, OPEN, SIGN, Tokens, joined_end

_BINARY = frozenset(
    {
        *("+", "-", "*", "/", "%", "^", "&", "|", "&&", "||", "==", "!=", "<", ">", "="),
        *("+=", "-=", "*=", "/=", "%=", "^=", "&=", "|="),
    }
)


def expression_end(tokens: Tokens, at: int, end: int, depth: int, structs: bool = True) -> int | None:
    """
    An expression; without `structs` a brace after a path ends it (`if x {`).

    Operands and operators alternate, so it needs no precedence.
    """
    texts, kinds = tokens.texts, tokens.kinds
    if DEEPEST < depth:
        return None
    at = after_attributes(tokens, at, end)
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
        case _ if text in NO_EXPRESSION:
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
    inside = after_attributes(tokens, at + 1, closing)
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
        return text not in NO_EXPRESSION or text == "_"
    return text in ("-", "!", "*", "&", "&&", "|", "||", "::", "<", "..", "..=")
