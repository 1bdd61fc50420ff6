"""Judge one function of a text, and say what it calls."""

from __future__ import annotations

from inroads.resolve.judge import judge
from inroads.resolve.model import Call, Judged
from inroads.resolve.tables import Tables
from linking import function, link_files, link_text


def judged_in(tables: Tables, path: str) -> Judged:
    """The judged function of a path."""
    return judge(tables, function(tables, path).id)


def calls_of(judged: Judged) -> list[Call]:
    """The calls of a judged function, in the order of their rows."""
    return [judged.calls[row] for row in sorted(judged.calls)]


def called(text: str, name: str = "f") -> list[str]:
    """What `app::name` of a library that is one file calls in the workspace, in order, each with its how."""
    return called_in({"src/lib.rs": text}, f"app::{name}")


def called_in(files: dict[str, str], path: str) -> list[str]:
    """What a function of a tree of files calls in the workspace: paths without the crate, and how."""
    return shown(judged_in(link_files(files), path))


def shown(judged: Judged) -> list[str]:
    """Each target in the workspace as `path how`; several targets of one call in one line."""
    found = []
    for call in calls_of(judged):
        targets = [
            target.path.removeprefix("app::") for target in call.targets if target.function is not None
        ]
        if targets:
            found.append(f"{' | '.join(targets)} {call.how}")
    return found


def reached(text: str, name: str = "f") -> list[str]:
    """The paths of what is called outside the workspace, in order."""
    judged = judged_in(link_text(text), f"app::{name}")
    return [target.path for call in calls_of(judged) for target in call.targets if target.function is None]
