"""
The branches of the specifications of order rules that can be turned round without anybody noticing.

    python tests/quiet_branches.py

writes them into `tests/spec/quiet-branches.md`, with the reason of each. A branch that stands in a
function with a mark is none of a quiet snippet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from inroads.analyses.order import OrderRule
from inroads.branches import Branch, branches
from inroads.mutate import line_of, quiet_after
from inroads.testkit import Example, examples, findings_in
from inroads.tokens import tokenise

SPEC = Path(__file__).parent / "spec"
LIST = SPEC / "quiet-branches.md"
FILES = ("order.md", "order-pairs.md", "order-shapes.md")
HEAD = """\
# Branches that can be turned round

Of the quiet snippets of the other pages each branch is turned round, one at a time: the blocks of an `if` and the
arms of a `match` are exchanged, the condition of a `while` is denied, a guard or a `?` is left out. Then a rule
should find something. Where it does not, the place is listed here with the reason; `python tests/quiet_branches.py`
writes this page, and a test holds it against what is found.
"""


def all_examples() -> list[tuple[str, Example]]:
    """The examples of all specifications of order rules, each with its page."""
    return [
        (name, example)
        for name in FILES
        for example in examples((SPEC / name).read_text(encoding="utf-8"), name)
    ]


def quiet_branches(page: str, example: Example) -> list[str]:
    """The branches of an example that can be turned round, as lines of the list."""
    (rule, *_) = (one for one in example.pack.rules if isinstance(one, OrderRule))
    found: list[str] = []
    before = _told(example)
    for path, text in example.files:
        for branch in _of_quiet_functions(text.encode()):
            turned = branch.flipped(text.encode()).decode()
            files = tuple((one, turned if one == path else old) for one, old in example.files)
            if _told(replace(example, files=files)) == before:
                line = line_of(text.encode(), branch)
                reason = quiet_after(rule, text.encode(), branch)
                place = f"line {line}" if path == "src/lib.rs" else f"{path} line {line}"
                found.append(f"- {page}, {example.name}, {place}, {branch.kind}: {reason}")
    return list(dict.fromkeys(found))


def _told(example: Example) -> list[tuple[str, int, int, int]]:
    """What is found, as far as a person would see a difference: the places, and how many roads lead there."""
    found = findings_in(example)
    return sorted((one.path, one.line, one.column, one.roads_total) for one in found)


def _of_quiet_functions(text: bytes) -> Iterator[Branch]:
    """The branches that stand in a function without a mark."""
    spans = list(_functions(text))
    for branch in branches(text):
        around = [span for span in spans if span[0] <= branch.start < span[1]]
        start, end = min(around, key=lambda span: span[1] - span[0], default=(0, 0))
        line_end = text.find(b"\n", end)
        if start < end and b"//~" not in text[start : line_end if 0 <= line_end else len(text)]:
            yield branch


def _functions(text: bytes) -> Iterator[tuple[int, int]]:
    """The functions of a text, from their `fn` to the end of their body."""
    tokens = tokenise(text)
    for index, token in enumerate(tokens.texts):
        if token != b"fn" or not re.match(rb"\w", b"".join(tokens.texts[index + 1 : index + 2])):
            continue
        at = index
        while at < len(tokens.texts) and tokens.texts[at] not in (b"{", b";"):
            at = max(tokens.partner[at], at) + 1
        if at < len(tokens.texts) and tokens.texts[at] == b"{":
            yield tokens.starts[index], tokens.starts[tokens.partner[at]] + 1


if __name__ == "__main__":
    lines = [line for page, example in all_examples() for line in quiet_branches(page, example)]
    LIST.write_text(HEAD + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} branches")
