"""
Expand one call of a `macro_rules!`: text in, text and a table of origins out.

Rules are tried in order. A repetition takes as much as it can and gives back,
turn by turn, what the rest of the pattern needs; the compiler refuses macros
for which that would make a difference. Names are not made hygienic; `$crate`
becomes a mark that names the defining crate.

The result depends on nothing but the arguments, so that it can be kept under
their hash.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from inroads.resolve.extents import fragment_end
from inroads.resolve.rules import (
    CrateMark,
    Fragment,
    Group,
    Matcher,
    Repeat,
    Repeated,
    Rules,
    Run,
    Variable,
    Word,
    Writer,
    read_rules,
)
from inroads.resolve.tokens import IDENT, OPEN, Tokens, as_bytes, as_text, inner, joined_end, tokenize

# Bounds against macros that never end: the compiler's own is 128 deep.
DEEPEST = 128
_MOST_STEPS = 2_000_000
_LONGEST = 1_500_000

DEFINITION = 0
CALL = 1


class Leaf(msgspec.Struct, frozen=True):
    """What a variable stands for: tokens [start, end) of the call."""

    kind: str
    start: int
    end: int


Value: TypeAlias = "Leaf | list[Value]"
Bindings: TypeAlias = dict[str, Value]


class Expansion(msgspec.Struct, frozen=True):
    """
    The text of an expansion.

    `pieces` are sorted (start in `text`, DEFINITION or CALL, start in that
    text): where each run of it was written, in bytes. `rule` is the index of
    the arm that matched.
    """

    text: str
    pieces: tuple[tuple[int, int, int], ...]
    rule: int


class Failure(msgspec.Struct, frozen=True):
    """Why a call did not expand, in words."""

    reason: str


class Endless(Failure, frozen=True):
    """The call was given up since what it brings does not end, or is too much."""


class _GaveUp(Exception):
    """The bound on steps or size was reached; the reason in words."""


def expand(definition: str, call: str, mark: str) -> Expansion | Failure:
    """
    Expand a call.

    Args:
        definition: The text of the rules, with delimiters.
        call: The token tree of the call, with delimiters.
        mark: What `$crate` becomes.
    """
    tokens = tokenize(as_bytes(call))
    if not tokens.balanced:
        return Failure("the brackets of the call do not match")
    return expand_tokens(read_rules(definition), tokens, *inner(tokens), mark)


def expand_tokens(rules: Rules, tokens: Tokens, at: int, end: int, mark: str) -> Expansion | Failure:
    """Expand a call whose arguments are tokens [at, end); offsets of CALL are those of the tokens' text."""
    try:
        for index, rule in enumerate(rules.rules):
            matching = _Matching(tokens)
            found = matching.sequence(rule.pattern, 0, at, end, {}, True, 0)
            if found is not None:
                writing = _Writing(rules, tokens, as_bytes(mark))
                reason = writing.write(rule.body, found[1], 0)
                if reason is not None:
                    return Failure(reason)
                return Expansion(writing.text(), tuple(writing.pieces), index)
    except _GaveUp as reason:
        return Endless(str(reason))
    return Failure(rules.problem or "no rule matches")


class _Matching:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.steps = 0

    def sequence(
        self,
        pattern: tuple[Matcher, ...],
        index: int,
        at: int,
        end: int,
        bindings: Bindings,
        whole: bool,
        depth: int,
    ) -> tuple[int, Bindings] | None:
        """Match a pattern from its part `index` on; `whole` asks that all tokens are used."""
        tokens = self.tokens
        while index < len(pattern):
            self.spend(1)
            match pattern[index]:
                case Word(text=text):
                    if end <= at or (tokens.texts[at] != text and not _is_mark(text, tokens.texts[at])):
                        return None
                    at += 1
                case Fragment(name=name, kind=kind):
                    stop = fragment_end(kind, tokens, at, end)
                    if stop is None or end < stop:
                        return None
                    bindings[name] = Leaf(kind, at, stop)
                    at = stop
                case Group(open=opening, children=children):
                    if end <= at or tokens.texts[at] != opening:
                        return None
                    close = tokens.close[at]
                    found = self.sequence(children, 0, at + 1, close, bindings, True, depth + 1)
                    if found is None:
                        return None
                    bindings = found[1]
                    at = close + 1
                case Repeat() as repeat:
                    return self.repeat(repeat, pattern, index, at, end, bindings, whole, depth)
            index += 1
        return None if whole and at != end else (at, bindings)

    def repeat(
        self,
        repeat: Repeat,
        pattern: tuple[Matcher, ...],
        index: int,
        at: int,
        end: int,
        bindings: Bindings,
        whole: bool,
        depth: int,
    ) -> tuple[int, Bindings] | None:
        """Match a repetition and the rest of the pattern after it."""
        match repeat.children:
            case (Fragment() as fragment,):
                stops, columns = self.fragments(fragment, repeat, at, end)
            case _:
                stops, columns = self.turns(repeat, at, end, depth)
        least = 1 if repeat.operator == "+" else 0
        for count in range(len(stops) - 1, least - 1, -1):
            trial = dict(bindings)
            for name, column in columns.items():
                trial[name] = column if count == len(column) else column[:count]
            found = self.sequence(pattern, index + 1, stops[count], end, trial, whole, depth + 1)
            if found is not None:
                return found
            self.spend(1 + len(columns) * count)
        return None

    def turns(
        self, repeat: Repeat, at: int, end: int, depth: int
    ) -> tuple[list[int], dict[str, list[Value]]]:
        """As many turns as there are: where each ends, and the values of each variable."""
        stops = [at]
        columns: dict[str, list[Value]] = {name: [] for name in repeat.names}
        while len(stops) == 1 or repeat.operator != "?":
            start = self.after_separator(repeat, stops, end)
            turn = None if start is None else self.turn(repeat, start, end, depth)
            if turn is None or turn[0] <= stops[-1]:
                break
            for name in repeat.names:
                columns[name].append(turn[1][name])
            stops.append(turn[0])
        return stops, columns

    def turn(self, repeat: Repeat, at: int, end: int, depth: int) -> tuple[int, Bindings] | None:
        """
        One turn.

        Where it ends in an optional part that begins like the separator, as `$($x:expr $(,)?),+`,
        the part is left out if another turn follows the separator.
        """
        last = repeat.children[-1] if repeat.separator and repeat.children else None
        if isinstance(last, Repeat) and last.operator != "+" and _begins_with(last, repeat.separator[0]):
            early = self.sequence(repeat.children[:-1], 0, at, end, {}, False, depth + 1)
            if early is not None:
                following = self.after_separator(repeat, [at, early[0]], end)
                if following is not None and following < end:
                    another = self.sequence(repeat.children[:-1], 0, following, end, {}, False, depth + 1)
                    if another is not None:
                        return early[0], {**early[1], **{name: [] for name in last.names}}
        return self.sequence(repeat.children, 0, at, end, {}, False, depth + 1)

    def fragments(
        self, fragment: Fragment, repeat: Repeat, at: int, end: int
    ) -> tuple[list[int], dict[str, list[Value]]]:
        """The same where a turn is one fragment: macros that work through their tokens are made of these."""
        stops = [at]
        leaves: list[Value] = []
        kind = fragment.kind
        if kind == "tt" and not repeat.separator and repeat.operator != "?":
            self.token_trees(at, end, stops, leaves)
            return stops, {fragment.name: leaves}
        while len(stops) == 1 or repeat.operator != "?":
            start = self.after_separator(repeat, stops, end) if repeat.separator else stops[-1]
            stop = None if start is None else fragment_end(kind, self.tokens, start, end)
            if start is None or stop is None or stop <= stops[-1] or end < stop:
                break
            leaves.append(Leaf(kind, start, stop))
            stops.append(stop)
        self.spend(len(leaves))
        return stops, {fragment.name: leaves}

    def token_trees(self, at: int, end: int, stops: list[int], leaves: list[Value]) -> None:
        """All token trees of a range."""
        tokens = self.tokens
        kinds, texts, close = tokens.kinds, tokens.texts, tokens.close
        while at < end:
            if kinds[at] == OPEN:
                stop = close[at] + 1
            elif texts[at] == "<" or texts[at] == ">":
                stop = joined_end(tokens, at, end)
            else:
                stop = at + 1
            leaves.append(Leaf("tt", at, stop))
            stops.append(stop)
            at = stop
        self.spend(len(leaves))

    def after_separator(self, repeat: Repeat, stops: list[int], end: int) -> int | None:
        """Where the next turn begins; None where its separator is missing."""
        start = stops[-1]
        if 1 < len(stops):
            for word in repeat.separator:
                if end <= start or self.tokens.texts[start] != word:
                    return None
                start += 1
        return start

    def spend(self, steps: int) -> None:
        """Count steps, and give up where there are too many."""
        self.steps += steps
        if _MOST_STEPS < self.steps:
            raise _GaveUp("matching it takes too long")


def _begins_with(repeat: Repeat, word: str) -> bool:
    return bool(repeat.children) and repeat.children[0] == Word(word)


def _side_by_side(texts: Sequence[str]) -> str:
    """Tokens put next to one another, with a space only where two words would become one."""
    found: list[str] = []
    for text in texts:
        if found and _WORD.match(found[-1][-1:]) and _WORD.match(text[:1]):
            found.append(" ")
        found.append(text)
    return "".join(found)


_WORD = re.compile(r"""[\w"'\x80-\xff]""")


class _Writing:
    def __init__(self, rules: Rules, call: Tokens, mark: str) -> None:
        self.rules = rules
        self.call = call
        self.mark = mark
        self.parts: list[str] = []
        self.pieces: list[tuple[int, int, int]] = []
        self.size = 0

    def text(self) -> str:
        """All that was written. Empty brackets of generics are blanked: they mean nothing, and parsers trip."""
        whole = as_text("".join(self.parts))
        return _EMPTY_GENERICS.sub(lambda match: " " * len(match.group()), whole)

    def write(self, writers: tuple[Writer, ...], bindings: Bindings, depth: int) -> str | None:
        """Write a body; the reason in words where that fails."""
        for writer in writers:
            match writer:
                case Run(start=start, end=end):
                    tokens = self.rules.tokens
                    self.put(
                        DEFINITION,
                        tokens.starts[start],
                        tokens.text[tokens.starts[start] : tokens.ends[end - 1]],
                    )
                case CrateMark(at=at):
                    self.put(DEFINITION, self.rules.tokens.starts[at], self.mark)
                case Variable(name=name, at=at):
                    value = bindings.get(name)
                    if isinstance(value, list):
                        return f"${name} is used outside of its repetition"
                    if value is None:
                        return f"${name} is not bound"
                    self.variable(value, at)
                case Repeated() as repeated:
                    reason = self.repeated(repeated, bindings, depth)
                    if reason is not None:
                        return reason
        return None

    def repeated(self, repeated: Repeated, bindings: Bindings, depth: int) -> str | None:
        """Write a repetition, once for each turn of the variables in it."""
        turning = {name: value for name in repeated.names if isinstance(value := bindings.get(name), list)}
        if not turning:
            return "a repetition in its body uses no repeated variable"
        counts = {len(value) for value in turning.values()}
        if 1 < len(counts):
            return f"the repetitions of {', '.join(f'${name}' for name in sorted(turning))} differ in length"
        match repeated.children:
            case (Variable(name=name, at=at),) if repeated.separator is None and name in turning:
                return self.row(turning[name], at)
        for turn in range(counts.pop()):
            if turn and repeated.separator is not None:
                self.write((repeated.separator,), bindings, depth)
            inner_bindings = dict(bindings)
            for name, value in turning.items():
                inner_bindings[name] = value[turn]
            reason = self.write(repeated.children, inner_bindings, depth + 1)
            if reason is not None:
                return reason
        return None

    def row(self, values: list[Value], at: int) -> str | None:
        """Write `$($name)*`: what stood side by side in the call is one piece."""
        run: Leaf | None = None
        for value in values:
            if isinstance(value, list):
                return "a variable is used outside of its repetition"
            if run is not None and run.end == value.start and value.kind not in ("expr", "expr_2021"):
                run = Leaf(value.kind, run.start, value.end)
                continue
            if run is not None:
                self.variable(run, at)
            run = value
        if run is not None:
            self.variable(run, at)
        return None

    def variable(self, leaf: Leaf, at: int) -> None:
        """Write what a variable stands for; an expression stays one operand of what is around it."""
        if leaf.start == leaf.end:
            return
        tokens = self.call
        start = tokens.starts[leaf.start]
        text = tokens.text[start : tokens.ends[leaf.end - 1]]
        if leaf.start in tokens.documents and (tokens.texts[leaf.start] != "#" or leaf.end == leaf.start + 1):
            # A part of a doc comment, which can only be written as a part of an attribute.
            text = _side_by_side(tokens.texts[leaf.start : leaf.end])
        if leaf.kind in ("expr", "expr_2021") and self.needs_brackets(leaf, at):
            self.put(CALL, start, "(")
            self.put(CALL, start, text, before="")
            self.put(CALL, tokens.ends[leaf.end - 1] - 1, ")", before="")
        elif leaf.kind == "stmt" and tokens.texts[leaf.start] == "let" and self.lacks_end(leaf, at):
            # It is a statement already.
            self.put(CALL, start, text)
            self.put(CALL, tokens.ends[leaf.end - 1] - 1, ";", before="")
        else:
            self.put(CALL, start, text)

    def lacks_end(self, leaf: Leaf, at: int) -> bool:
        """Whether no semicolon ends a statement, neither its own nor one behind the variable at token `at`."""
        definition = self.rules.tokens
        after = definition.texts[at + 2] if at + 2 < len(definition) else ""
        return ";" not in (after, self.call.texts[leaf.end - 1])

    def needs_brackets(self, leaf: Leaf, at: int) -> bool:
        """Whether operators inside an expression would bind to those around the variable at token `at`."""
        definition = self.rules.tokens
        before = definition.texts[at - 1] if at else ""
        after = definition.texts[at + 2] if at + 2 < len(definition) else ""
        heading = before in _HEADING
        if (
            before not in _OPERATORS
            and after not in _OPERATORS
            and after not in (".", "?", "as")
            and not heading
        ):
            return False
        index = leaf.start
        while index < leaf.end:
            text = self.call.texts[index]
            if heading and text == "{":
                return True
            if text in _OPERATORS or text in ("as", "..", "..="):
                return True
            if self.call.kinds[index] == IDENT and text in ("if", "match", "return", "break", "move"):
                return True
            index = self.call.close[index] + 1
        return False

    def put(self, origin: int, start: int, text: str, before: str = "\n") -> None:
        # Lines, not blanks: what stands before may end in a line comment.
        # But a dollar that was handed on is a part of the name of a variable.
        if before and self.parts and self.parts[-1] != "$":
            self.parts.append(before)
            self.size += len(before)
        self.pieces.append((self.size, origin, start))
        self.parts.append(text)
        self.size += len(text)
        if _LONGEST < self.size:
            raise _GaveUp("its expansion is too long")


_EMPTY_GENERICS = re.compile(r"<[ \t]*\n\s*>")


def _is_mark(text: str, token: str) -> bool:
    return text == "$crate" and token.startswith("__crate_")


_HEADING = ("match", "if", "while", "in")
"""Behind these a struct is not built: its braces would be the block."""

_OPERATORS = frozenset(
    {
        *("+", "-", "*", "/", "%", "^", "&", "|", "&&", "||", "==", "!=", "<", ">", "!"),
        *("+=", "-=", "*=", "/=", "%=", "^=", "&=", "|="),
    }
)
