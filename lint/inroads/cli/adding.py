"""`inroads check --add-allow`: write the comments, and say what was done."""

from __future__ import annotations

from pathlib import Path

from inroads.adding import Added, add_allows, comment
from inroads.cli.gate import Gate
from inroads.cli.session import Session
from inroads.errors import UsageError
from inroads.facts import Report
from inroads.intake import read_files
from inroads.texts import Texts


def add(session: Session, gate: Gate, report: Report, reason: str) -> str:
    """
    Write an allow comment at each finding that was kept; what was done, in words.

    Raises:
        UsageError: The reason is none, the text that was judged is not the one on disk, or a file can't be written.
    """
    comment((), reason)
    if gate.staged or (session.disk is None and session.base is None):
        raise UsageError("--add-allow writes to the files on disk, and this run reads others")
    tree = session.tree
    files = read_files(tree, tuple(sorted({one.path for one in report.findings})), jobs=1).files
    added = add_allows(report.findings, Texts(tree.read, files), reason)
    for path, text in added.texts.items():
        _write(session.root / path, text)
    return _told(added)


def _told(added: Added) -> str:
    comments = len(added.places)
    files = len(added.texts)
    lines = [f"added {comments} {_noun(comments, 'comment')} in {files} {_noun(files, 'file')}"]
    lines += [f"  {path}:{line} {', '.join(rules)}" for path, line, rules in added.places]
    lines += [f"left: {one}" for one in added.left]
    return "".join(f"{line}\n" for line in lines)


def _noun(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"


def _write(path: Path, text: bytes) -> None:
    try:
        path.write_bytes(text)
    except OSError as error:
        raise UsageError(f"{path}: can't be written: {error.strerror}") from error
