"""
Write allow comments at findings: a line above the statement of each, and nothing else.

What is written is a comment alone on its line, with the indentation and the
line end of the line below it. The tokens of the file are the same before and
after, or the finding is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from inroads.errors import UsageError
from inroads.facts import Finding
from inroads.texts import Texts, statements
from inroads.tokens import tokenise

_MARK = b"\xef\xbb\xbf"


class Added(msgspec.Struct, frozen=True):
    """
    What was written.

    Args:
        texts: Path -> the whole new text, for each file that changes.
        places: (path, line in the new text, rules) of each comment, sorted.
        left: A sentence for each finding that has no comment now.
    """

    texts: dict[str, bytes]
    places: tuple[tuple[str, int, tuple[str, ...]], ...]
    left: tuple[str, ...]


def comment(rules: Iterable[str], reason: str) -> str:
    """
    An allow comment of these rules.

    Raises:
        UsageError: The reason is empty or goes over several lines.
    """
    if not reason.strip():
        raise UsageError("--add-allow wants a reason: whoever reads the line next year will ask for it")
    if len(reason.splitlines()) > 1:
        raise UsageError("--add-allow: the reason must be one line")
    escaped = reason.strip().replace("\\", "\\\\").replace('"', '\\"')
    return f'// inroads: allow({", ".join(sorted(set(rules)))}) reason = "{escaped}"'


def add_allows(findings: Iterable[Finding], texts: Texts, reason: str) -> Added:
    """The texts with a comment above the statement of each finding; those of one line share one."""
    wanted = tuple(findings)
    comment((), reason)
    lines = statements(wanted, texts)
    places: dict[str, dict[int, set[str]]] = {}
    left: list[str] = []
    for one in wanted:
        if one.kind == "allow":
            left.append(f"{one.path}:{one.line}: {one.rule} is about a comment: mend that")
            continue
        line = lines.get((one.path, one.line, one.column), one.line)
        places.setdefault(one.path, {}).setdefault(line, set()).add(one.rule)
    changed: dict[str, bytes] = {}
    written: list[tuple[str, int, tuple[str, ...]]] = []
    for path in sorted(places):
        text = texts.text(path)
        above = 0
        for line in sorted(places[path]):
            rules = tuple(sorted(places[path][line]))
            made = _with_line(text, line + above, comment(rules, reason))
            if made is None:
                left.append(f"{path}:{line}: no comment can stand above this line ({', '.join(rules)})")
                continue
            text = made
            written.append((path, line + above, rules))
            above += 1
        if above:
            changed[path] = text
    return Added(changed, tuple(written), tuple(left))


def _with_line(text: bytes, line: int, words: str) -> bytes | None:
    """The text with a comment above a line; None where that would change more than comments."""
    lines = _lines(text)
    if not text or not 1 <= line <= len(lines):
        return None
    below = lines[line - 1]
    front = _MARK if line == 1 and below.startswith(_MARK) else b""
    code = below.removeprefix(front)
    indent = code[: len(code) - len(code.lstrip(b" \t"))]
    end = b"\r\n" if (below if below.endswith(b"\n") else lines[0]).endswith(b"\r\n") else b"\n"
    made = b"".join((*lines[: line - 1], front, indent, words.encode(), end, code, *lines[line:]))
    return made if tokenise(made).texts == tokenise(text).texts else None


def _lines(text: bytes) -> list[bytes]:
    """The lines with their ends; a carriage return alone ends none, as in Rust."""
    *whole, rest = text.split(b"\n")
    return [*(line + b"\n" for line in whole), *((rest,) if rest else ())]
