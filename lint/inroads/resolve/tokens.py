"""
Rust text as a flat list of tokens, with each bracket knowing its partner.

Only macros need it: what stands in a macro call is not syntax yet. Offsets are
bytes, as everywhere: text that is not ASCII is looked at as Latin-1, so that
every character is a byte.

`<` and `>` are always tokens of their own (`Vec<Vec<$t>>`), the other signs
are as long as they can be; `joined_end` puts `>=` or `<<=` together again.
A doc comment is the attribute `#[doc=""]`, as macros see it.
"""

from __future__ import annotations

import re

import msgspec

# Kinds of tokens.
IDENT = "ident"
LIFETIME = "lifetime"
LITERAL = "literal"
SIGN = "sign"
OPEN = "open"
CLOSE = "close"

_TOKEN = re.compile(
    r"""
      (?P<doc>///(?!/)[^\n]*|//![^\n]*)
    | (?P<space>\s+|//[^\n]*)
    | (?P<comment>/\*)
    | (?P<raw>(?:br|cr|r)(?P<hashes>\#*)")
    | (?P<string>(?:b|c)?"(?:[^"\\]|\\.)*")
    | (?P<char>b?'(?:[^'\\\n]|\\(?:x[0-9a-fA-F]{2}|u\{[0-9a-fA-F_]*\}|.))'
              |'[\x80-\xff]{2,4}')
    | (?P<lifetime>'(?:r\#)?[A-Za-z_\x80-\xff][\w\x80-\xff]*)
    | (?P<ident>(?:r\#)?[A-Za-z_\x80-\xff][\w\x80-\xff]*)
    | (?P<number>0[xob][0-9a-fA-F_]+\w*|[0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+-]?[0-9_]+)?\w*
              |[eE][+-]?[0-9_]+\w*|\.(?![.\w])|\w*))
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<sign>\.\.\.|\.\.=|\.\.|::|->|=>|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|\^=|&=|\|=|.)
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_PARTNER = {"(": ")", "[": "]", "{": "}"}


class Tokens(msgspec.Struct):
    """
    Tokens of a text, in parallel lists.

    Args:
        text: Each character a byte.
        close: For an opening bracket the index of its closing one, else the token's own index.
        balanced: Whether all brackets have partners; if not, `close` points at the last token.
        documents: Tokens that stand for a doc comment; all but the last one begin and end where it begins.
    """

    text: str
    kinds: list[str] = msgspec.field(default_factory=list)
    texts: list[str] = msgspec.field(default_factory=list)
    starts: list[int] = msgspec.field(default_factory=list)
    ends: list[int] = msgspec.field(default_factory=list)
    close: list[int] = msgspec.field(default_factory=list)
    balanced: bool = True
    documents: set[int] = msgspec.field(default_factory=set)

    def __len__(self) -> int:
        return len(self.kinds)

    def touches(self, index: int) -> bool:
        """Whether a token begins where the one before ends."""
        return 0 < index and self.starts[index] == self.ends[index - 1]


def as_bytes(text: str) -> str:
    """The text with each byte of its UTF-8 as one character."""
    return text if text.isascii() else text.encode("utf-8").decode("latin-1")


def as_text(bytes_text: str) -> str:
    """The reverse of `as_bytes`."""
    return bytes_text if bytes_text.isascii() else bytes_text.encode("latin-1").decode("utf-8", "replace")


def tokenize(text: str) -> Tokens:
    """The tokens of a text whose characters are bytes (see `as_bytes`); comments and white space left out."""
    tokens = Tokens(text)
    kinds, texts, starts, ends, close = tokens.kinds, tokens.texts, tokens.starts, tokens.ends, tokens.close
    opened: list[int] = []
    at = 0
    size = len(text)
    match_at = _TOKEN.match
    while at < size:
        match = match_at(text, at)
        if match is None:
            break
        group = match.lastgroup
        end = match.end()
        if group == "space":
            at = end
            continue
        if group == "comment":
            end = _comment_end(text, end)
            if text[at + 2 : at + 3] in ("*", "!") and text[at + 3 : at + 4] not in ("*", "/"):
                _document(tokens, at, end, text[at + 2] == "!")
            at = end
            continue
        if group == "doc":
            _document(tokens, at, end, text[at + 2] == "!")
            at = end
            continue
        if group == "raw" or group == "hashes":
            closing = text.find('"' + match.group("hashes"), end)
            end = size if closing < 0 else closing + 1 + len(match.group("hashes"))
            kind = LITERAL
        elif group == "ident":
            kind = IDENT
        elif group == "sign":
            kind = SIGN
        elif group == "open":
            kind = OPEN
        elif group == "close":
            kind = CLOSE
        elif group == "lifetime":
            kind = LIFETIME
        else:
            kind = LITERAL
            # `tuple.0.1` is no number with a point, and `'a'` suffixes belong to the literal.
            if group == "number" and texts and texts[-1] == "." and "." in match.group():
                end = at + match.group().index(".")
        index = len(kinds)
        kinds.append(kind)
        texts.append(text[at:end])
        starts.append(at)
        ends.append(end)
        close.append(index)
        if kind == OPEN:
            opened.append(index)
        elif kind == CLOSE:
            if opened and _PARTNER[texts[opened[-1]]] == text[at]:
                close[opened.pop()] = index
            else:
                tokens.balanced = False
        at = end
    if opened:
        tokens.balanced = False
        for index in opened:
            close[index] = len(kinds) - 1
    return tokens


def _document(tokens: Tokens, start: int, end: int, inward: bool) -> None:
    """Append what a doc comment is to a macro."""
    first = len(tokens)
    texts = ("#", "!", "[", "doc", "=", '""', "]") if inward else ("#", "[", "doc", "=", '""', "]")
    for index, text in enumerate(texts):
        kind = {"[": OPEN, "]": CLOSE, "doc": IDENT, '""': LITERAL}.get(text, SIGN)
        last = index == len(texts) - 1
        tokens.kinds.append(kind)
        tokens.texts.append(text)
        tokens.starts.append(end if last else start)
        tokens.ends.append(end if last else start)
        tokens.close.append(first + (len(texts) - 1 if kind == OPEN else index))
        tokens.documents.add(first + index)


def inner(tokens: Tokens) -> tuple[int, int]:
    """The range of tokens inside the brackets that enclose the whole text; all of them if none do."""
    count = len(tokens)
    if count and tokens.kinds[0] == OPEN and tokens.close[0] == count - 1 and tokens.kinds[-1] == CLOSE:
        return 1, count - 1
    return 0, count


_JOINED = ("<<=", ">>=", "<=", ">=", "<<", ">>", "<-")


def joined_end(tokens: Tokens, index: int, end: int) -> int:
    """The index after the sign that begins at a token: `>` `=` written together are one sign to `tt`."""
    first = tokens.texts[index]
    if first not in ("<", ">"):
        return index + 1
    joined = first
    stop = index + 1
    best = stop
    while stop < end and stop < index + 3 and tokens.touches(stop) and tokens.kinds[stop] == SIGN:
        joined += tokens.texts[stop]
        stop += 1
        if joined in _JOINED:
            best = stop
        elif not any(one.startswith(joined) for one in _JOINED):
            break
    return best


def _comment_end(text: str, at: int) -> int:
    """Where a block comment ends, nested ones within it; the end of the text if it does not."""
    depth = 1
    while depth:
        opening = text.find("/*", at)
        closing = text.find("*/", at)
        if closing < 0:
            return len(text)
        if 0 <= opening < closing:
            depth += 1
            at = opening + 2
        else:
            depth -= 1
            at = closing + 2
    return at
