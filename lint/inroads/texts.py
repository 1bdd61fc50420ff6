"""
The texts behind a report: the lines that it shows, and the calls as they are written.

Files are read again only where something was found in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

import msgspec

from inroads.facts import FileFacts, Finding, Note, Report, Road
from inroads.fingerprint import Written, digest, written
from inroads.lines import LineIndex
from inroads.store import Store

# A call of more lines is shown by its first and its last ones.
_MOST_LINES = 6
_FIRST_LINES = 3
# Lines of a function up to which what is said above it speaks of all of it, and lines of its attributes.
_LONG = 120
_FEW = 8

Found = TypeVar("Found")
_decode_calls = msgspec.msgpack.Decoder(dict[str, dict[str, Written]]).decode
_decode_said = msgspec.msgpack.Decoder(dict[str, dict[str, bool]]).decode


class _Memo(Generic[Found]):
    """
    What was found at places of files, kept in the store from run to run.

    By content key, then by the place as text: of this run, and of the one before.
    """

    def __init__(
        self, name: str, decode: Callable[[bytes], dict[str, dict[str, Found]]], store: Store | None
    ) -> None:
        self._name = name
        self._decode = decode
        self._store = store
        self._past: dict[str, dict[str, Found]] | None = None
        self._now: dict[str, dict[str, Found]] = {}

    def get(self, key: str, place: str, find: Callable[[], Found]) -> Found:
        """What was found there, be it in an earlier run."""
        known = self._now.setdefault(key, {})
        if place not in known:
            past = self._earlier().get(key, {})
            known[place] = past[place] if place in past else find()
        return known[place]

    def keep(self) -> bool:
        """Keep what this run has asked for; whether that is anything new."""
        if self._store is None or self._now == self._earlier():
            return False
        self._store.put(self._name, msgspec.msgpack.encode(self._now))
        return True

    def _earlier(self) -> dict[str, dict[str, Found]]:
        if self._past is None:
            data = None if self._store is None else self._store.get(self._name)
            try:
                self._past = {} if data is None else self._decode(data)
            except msgspec.DecodeError:
                self._past = {}
        return self._past


class Texts:
    """
    The texts of a program's files, read when asked for, and kept.

    What calls are written in a file of known content, and what is said above its functions, is kept in the store
    from run to run.
    """

    def __init__(
        self,
        read: Callable[[str], bytes],
        files: Mapping[str, FileFacts],
        keys: Mapping[str, str] = {},
        store: Store | None = None,
    ) -> None:
        self._read = read
        self._files = files
        self._keys = keys
        self._store = store
        self._calls = _Memo("calls", _decode_calls, store)
        self._said = _Memo("documentation", _decode_said, store)
        self._texts: dict[str, bytes] = {}
        self._lines: dict[str, LineIndex] = {}

    def text(self, path: str) -> bytes:
        """The bytes of a file; empty where it is not one of the program's."""
        if path not in self._texts:
            self._texts[path] = self._read(path) if path in self._files else b""
        return self._texts[path]

    def line(self, path: str, line: int) -> str:
        """The text of a line without its end; "" past the last one."""
        lines = self.lines(path)
        if not 1 <= line <= len(lines):
            return ""
        start, end = lines.span(line)
        return self.text(path)[start:end].rstrip(b"\r\n").decode("utf-8", "replace")

    def offset(self, path: str, line: int, column: int) -> int:
        """The offset in the file of a line and column."""
        return self.lines(path).offset(line, column)

    def line_at(self, path: str, offset: int) -> int:
        """The line that holds an offset."""
        return self.lines(path).line(offset)

    def call(self, path: str, line: int, column: int, end: tuple[int, int] | None = None) -> Written:
        """The call that stands at a place; nothing where the file is not the program's."""
        if path not in self._files:
            return Written("", "", 0)

        def find() -> Written:
            start = self.offset(path, line, column)
            stop = self.offset(path, *end) if end else start + 1
            return written(self.text(path), self._files[path], start, stop)

        return self._calls.get(self._keys.get(path, path), f"{line}:{column}:{end}", find)

    def says(self, finding: Finding, meant: Callable[[str], bool]) -> bool:
        """Whether what is said above the function that a finding is in, see `said_above`, is meant so."""
        path = finding.path
        place = f"{finding.line}:{finding.column}:{finding.end_line} {finding.function}"
        return self._said.get(self._keys.get(path, path), place, lambda: meant(said_above(finding, self)))

    def keep(self) -> None:
        """Keep what was found for later runs."""
        fresh = [one.keep() for one in (self._calls, self._said)]
        if self._store is not None and any(fresh):
            self._store.flush()

    def lines(self, path: str) -> LineIndex:
        """Where the lines of a file begin; a byte-order mark is no part of the first."""
        if path not in self._lines:
            facts = self._files.get(path)
            front = 3 if self.text(path).startswith(b"\xef\xbb\xbf") else 0
            packed = facts.line_starts if facts is not None else b""
            self._lines[path] = LineIndex(packed, facts.size if facts is not None else 0, front)
        return self._lines[path]


def said_above(finding: Finding, texts: Texts) -> str:
    """
    What stands in comments directly above the function that a finding is in, documentation or not; empty where
    there is nothing, or the function is too long for that to speak of each part.

    Found by the text alone: the nearest `fn` of that name above the finding, and the end at its own depth below.
    """
    name = re.escape(finding.function.rpartition("::")[2]).encode()
    heads = re.compile(rb"\bfn\s+(?:r#)?%s\b" % name)
    before = texts.offset(finding.path, finding.line, finding.column)
    head = max((one.start() for one in heads.finditer(texts.text(finding.path), 0, before)), default=None)
    if head is None:
        return ""
    line = texts.line_at(finding.path, head)
    written = texts.line(finding.path, line)
    end = written[: len(written) - len(written.lstrip())] + "}"
    last = range(finding.end_line, line + _LONG)
    if not any(texts.line(finding.path, one).startswith(end) for one in last):
        return ""
    found: list[str] = []
    for at in range(line - 1, 0, -1):
        text = texts.line(finding.path, at).strip()
        if text.startswith("//"):
            found.append(text.lstrip("/!").strip())
        elif not (text.startswith("#[") or (text.endswith(("]", ",")) and not found and line - at < _FEW)):
            break
    return "\n".join(reversed(found))


def with_fingerprints(findings: Iterable[Finding], texts: Texts) -> tuple[Finding, ...]:
    """The findings, with the parts of their fingerprints that come from the text."""
    return tuple(_with_fingerprint(finding, texts) for finding in findings)


def statements(findings: Iterable[Finding], texts: Texts) -> dict[tuple[str, int, int], int]:
    """The first line of the statement around each place where an allow comment may speak of a finding."""
    lines: dict[tuple[str, int, int], int] = {}
    for finding in findings:
        places = [(finding.path, finding.line, finding.column)]
        if finding.kind == "swallow":
            places += [(step.path, step.line, step.column) for step in finding.related]
        for place in places:
            if place not in lines:
                call = texts.call(*place)
                lines[place] = texts.line_at(place[0], call.statement) if call.call else place[1]
    return lines


def excerpted(line: int, end_line: int) -> tuple[int, ...]:
    """Those of the lines of a call that are shown: all of a few, else the first and the last ones."""
    if end_line - line < _MOST_LINES:
        return tuple(range(line, max(line, end_line) + 1))
    return (*range(line, line + _FIRST_LINES), *range(end_line - 1, end_line + 1))


def shown_lines(findings: Iterable[Finding], notes: Iterable[Note], texts: Texts) -> dict[str, str]:
    """The text of each line that a report may show, sorted by place."""
    places: set[tuple[str, int]] = {(note.path, note.line) for note in notes if note.path}
    for finding in findings:
        places.update((finding.path, line) for line in excerpted(finding.line, finding.end_line))
        steps = [*finding.trace, *finding.related, *(step for road in finding.roads for step in road.steps)]
        places.update((step.path, step.line) for step in steps)
        places.update((road.path, road.line) for road in finding.roads)
    return {f"{path}:{line}": texts.line(path, line) for path, line in sorted(places)}


def with_sources(report: Report, texts: Texts) -> Report:
    """The report with the lines that it shows."""
    shown = (*report.findings, *report.known, *report.allowed)
    return msgspec.structs.replace(report, sources=shown_lines(shown, report.notes, texts))


def _with_fingerprint(finding: Finding, texts: Texts) -> Finding:
    call = texts.call(finding.path, finding.line, finding.column, (finding.end_line, finding.end_column))
    fingerprint = msgspec.structs.replace(finding.fingerprint, call=call.call, context=call.context)
    roads = tuple(_road_with_fingerprint(road, texts) for road in finding.roads)
    return msgspec.structs.replace(finding, fingerprint=fingerprint, roads=roads)


def _road_with_fingerprint(road: Road, texts: Texts) -> Road:
    """A road is known by the frame where it begins and the call in that frame."""
    call = texts.call(road.path, road.line, road.column)
    return msgspec.structs.replace(road, fingerprint=digest(f"{road.root}\0{call.call}"))
