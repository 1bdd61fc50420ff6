"""
The pages of docs/: their commands are run, and what they print is what the page shows.

A page is read from top to bottom. Comments in it say what a reader does not see:

    <!-- folder: examples/paged_decode/before -->   from here on in a fresh copy of this folder, a git repository
    <!-- folder: -->                                from here on in an empty one
    <!-- file: mine.toml -->                        the next block is the text of this file, and is written
    <!-- file: ci.yml schema: vendor.gitlab-ci -->  the same, and it follows the schema

A block ```console holds commands behind `$ ` and what they print, standard
error included; a line `...` stands for any lines. `inroads` in it is this
checkout. A command that fails is followed by its exit code, as `[1]`;
one of several lines goes on behind `> `.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
_PIECE = re.compile(
    r"^<!-- folder:(?P<folder>.*?) ?-->$"
    r"|^<!-- file: (?P<file>\S+)(?: schema: (?P<schema>\S+))? -->\n+```\w*\n(?P<text>.*?)^```$"
    r"|^```console\n(?P<console>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(slots=True)
class Reader:
    """Someone who follows a page in a folder of their own."""

    home: Path
    folder: Path = field(init=False)
    count: int = 0
    written: list[tuple[Path, str]] = field(default_factory=list)

    @property
    def bin(self) -> Path:
        """Where `inroads` is."""
        return self.home / "bin"

    def __post_init__(self) -> None:
        self.bin.mkdir(parents=True)
        shim = self.bin / "inroads"
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m inroads "$@"\n')
        shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
        self.open("")

    def open(self, example: str) -> None:
        """Begin in a fresh copy of a folder."""
        self.count += 1
        self.folder = self.home / str(self.count) / (Path(example).parts[-2] if example else "app")
        if example:
            ignored = shutil.ignore_patterns("target", ".inroads_cache", "Cargo.lock")
            shutil.copytree(ROOT / example, self.folder, ignore=ignored)
        else:
            self.folder.mkdir(parents=True)
        self.run("git init -q -b main && git add -A && git commit -q --allow-empty -m first")

    def write(self, path: str, text: str, schema: str | None) -> None:
        """Write a file that the page shows."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        if schema is not None:
            self.written.append((target, schema))

    def run(self, command: str) -> str:
        """What a command prints."""
        people = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
        identity = {f"GIT_{one}": "reader@example.org" for one in people}
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GITHUB_"))},
            **identity,
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "lint"),
            "NO_COLOR": "1",
            "COLUMNS": "100",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
        environment.pop("FORCE_COLOR", None)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        text = done.stdout.decode("utf-8", "replace").replace(
            str(self.folder), f"/home/me/{self.folder.name}"
        )
        if text and not text.endswith("\n"):
            text += "\n"
        return text + (f"[{done.returncode}]\n" if done.returncode else "")


@dataclass(frozen=True, slots=True)
class Ran:
    """A command of a page, what the page shows, and what was printed."""

    command: str
    shown: str
    printed: str

    @property
    def holds(self) -> bool:
        """Whether the page shows what was printed."""
        parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", self.shown, flags=re.MULTILINE)]
        return re.fullmatch("(?:.*\n)*?".join(parts), self.printed) is not None


def follow(page: Path, home: Path) -> tuple[list[Ran], str, Reader]:
    """Run a page: its commands, the page with what they print now, and the reader with the files."""
    reader = Reader(home)
    ran: list[Ran] = []

    def replaced(match: re.Match[str]) -> str:
        if match["folder"] is not None:
            reader.open(match["folder"].strip())
        elif match["file"] is not None:
            reader.write(match["file"], match["text"], match["schema"])
        else:
            parts = re.split(r"^\$ (.*(?:\n> .*|\n>$)*)\n", match["console"], flags=re.MULTILINE)
            made = ""
            for command, shown in zip(parts[1::2], parts[2::2], strict=True):
                typed = re.sub(r"^> ?", "", command, flags=re.MULTILINE)
                one = Ran(command, shown, reader.run(typed))
                ran.append(one)
                made += f"$ {command}\n{one.shown if one.holds else one.printed}"
            return f"```console\n{made}```"
        return match[0]

    text = page.read_text(encoding="utf-8")
    return ran, _PIECE.sub(replaced, text), reader
