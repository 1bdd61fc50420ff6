"""`inroads check --fix` and `--add-allow`: write what is safe to write, and say what was done and what was not."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from inroads.adding import Added, add_allows, comment
from inroads.cli.files import write_file
from inroads.cli.gate import Gate
from inroads.cli.session import Session
from inroads.errors import UsageError
from inroads.facts import Finding, Report
from inroads.fixing import Fixed, without_unused
from inroads.intake import read_files
from inroads.texts import Texts

NOTHING = Added({}, (), ())


class Edits:
    """
    The edits that `--fix` and `--add-allow` make of a report.

    Args:
        fix: Whether allow comments that nothing needs go.
        reason: What an allow comment at each other finding says; None for no comments.

    Raises:
        UsageError: The reason is none, or the text that was judged is not the one on disk.
    """

    def __init__(
        self, session: Session, gate: Gate, report: Report, *, fix: bool, reason: str | None
    ) -> None:
        if reason is not None:
            comment((), reason)
        if gate.staged or (session.disk is None and session.base is None):
            flag = "--add-allow" if reason is not None else "--fix"
            raise UsageError(f"{flag} writes to the files on disk, and this run reads others")
        tree = session.tree
        files = read_files(tree, tuple(sorted({one.path for one in report.findings})), jobs=1).files
        self.root = session.root
        self.texts = Texts(tree.read, files)
        self.reason = reason
        self.fix = fix
        kept = report.findings
        self.fixed = Fixed({}, (), tuple(kept))
        if fix:
            self.fixed = without_unused(kept, self.texts.text, lambda _, line: line)
        self.added = NOTHING
        if reason is not None:
            self.added = add_allows(self.fixed.left, self.texts, reason)
            if fix:
                # Both on one text: the comments first, then out goes what nothing needs, some lines further down.
                self.fixed = without_unused(kept, self._text_with_comments, self._moved)
        self.new = {**self.added.texts, **self.fixed.texts}

    def _text_with_comments(self, path: str) -> bytes:
        return self.added.texts.get(path, self.texts.text(path))

    def _moved(self, path: str, line: int) -> int:
        """Where a line stands below the comments that were written above it."""
        for where, at, _ in self.added.places:
            line += where == path and at <= line
        return line

    def write(self) -> None:
        """Write the files."""
        for path, text in self.new.items():
            write_file(self.root / path, text)

    def diff(self) -> str:
        """What would be written, as a unified diff; empty where nothing would."""
        lines: list[str] = []
        for path in sorted(self.new):
            before, after = (
                text.decode("utf-8", "replace").splitlines(keepends=True)
                for text in (self.texts.text(path), self.new[path])
            )
            lines.extend(difflib.unified_diff(before, after, f"a/{path}", f"b/{path}"))
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)

    def told(self, *, done: bool = True) -> str:
        """What was done, or would be, and what was not, in words."""
        lines: list[str] = []
        if self.fix:
            gone = len(self.fixed.places)
            what = f"{'took out' if done else 'would take out'} {gone} unused {_noun(gone, 'allow')}"
            lines.append(f"{what} in {_files(path for path, _, _ in self.fixed.places)}")
            lines += [f"  {path}:{line} {rule}" for path, line, rule in self.fixed.places]
        if self.reason is not None:
            comments = len(self.added.places)
            what = f"{'added' if done else 'would add'} {comments} {_noun(comments, 'comment')}"
            lines.append(f"{what} in {_files(path for path, _, _ in self.added.places)}")
            lines += [f"  {path}:{line} {', '.join(rules)}" for path, line, rules in self.added.places]
            lines += [f"left: {one}" for one in self.added.left]
        elif left := _of_people(self.fixed.left):
            lines += left
        return "".join(f"{line}\n" for line in lines)


def _of_people(left: tuple[Finding, ...]) -> list[str]:
    """Why the findings that are left are for a person to mend."""
    if not left:
        return []
    noun = "finding is" if len(left) == 1 else "findings are"
    return [
        f"left: {len(left)} {noun} for you to mend: whatever mends a finding changes what the program does, and no",
        "  edit of that sort is made. Each says its smallest repair; one that is right as it is gets an allow comment",
        '  with your reason: inroads check --fix --add-allow "why"',
    ]


def _files(paths: Iterable[str]) -> str:
    number = len(set(paths))
    return f"{number} {_noun(number, 'file')}"


def _noun(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"
