"""
What the user has settled: `inroads.toml` or `.inroads.toml`, else metadata of Cargo.toml.

A setting that is absent is not in force; flags stand above all of these. All
mistakes of a file are told at once, each with its key and the nearest known
one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, cast

import msgspec

from inroads.analyses.base import TableReader, shown
from inroads.errors import SettingsError
from inroads.facts import Level
from inroads.lines import LineIndex
from inroads.resolve.foreign import Extern
from inroads.rust.extract import extract

_PATH = re.compile(r"[A-Za-z_][\w-]*(::[A-Za-z_]\w*)*")
LEVELS = ("allow", "warn", "deny")
FAIL_LEVELS = ("warn", "deny")
FILES = ("inroads.toml", ".inroads.toml")
KEYS = (
    *("packs", "select", "ignore", "levels", "fail-level", "certain", "tests", "exclude"),
    *("log-macros", "reason-words", "paths", "extern", "baseline", "ledger"),
)


class PathLevels(msgspec.Struct, frozen=True):
    """`[[paths]]`: the levels of rules under some path globs (as in .gitignore)."""

    globs: tuple[str, ...]
    levels: tuple[tuple[str, Level], ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """
    The settings of a workspace.

    Args:
        path: The file that they come from, relative to the root; "" where there is none.
        origin: The file, and the table in it where they are a part of a manifest.
        given: The keys that stand there, in the order of the file.
        packs: Rule packs, files or folders, relative to the root.
        fail_level: None where not set.
        externs: What is told of crates from outside.
    """

    path: str = ""
    origin: str = field(default="", compare=False)
    given: tuple[str, ...] = field(default=(), compare=False)
    packs: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    levels: tuple[tuple[str, Level], ...] = ()
    fail_level: str | None = None
    certain: bool = False
    tests: bool = False
    exclude: tuple[str, ...] = ()
    log_macros: tuple[str, ...] = ()
    reason_words: tuple[str, ...] = ()
    paths: tuple[PathLevels, ...] = ()
    externs: tuple[Extern, ...] = ()
    baseline: str = ""
    ledger: str = ""


class TextPath(Protocol):
    """A file or folder of texts: on the disk (pathlib.Path is one), or in git's index."""

    @property
    def name(self) -> str:
        """The last part of the path."""

    def __truediv__(self, name: str, /) -> TextPath:
        """What is called so inside."""

    def is_file(self) -> bool:
        """Whether it is a file."""

    def is_dir(self) -> bool:
        """Whether it is a folder."""

    def glob(self, pattern: str, /) -> Iterable[TextPath]:
        """What is directly inside and matches."""

    def read_text(self, encoding: str) -> str:
        """The text; OSError or UnicodeDecodeError where there is none."""


def read_settings(root: TextPath) -> Settings:
    """
    The settings of a workspace; all defaults where nobody has set anything.

    Raises:
        SettingsError: With every mistake of the file.
    """
    for name in FILES:
        path = root / name
        if path.is_file():
            return parse_settings(_loaded(path, name), name)
    manifest = root / "Cargo.toml"
    if manifest.is_file():
        try:
            table = tomllib.loads(manifest.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            # The workspace reports a manifest that can't be read.
            return Settings()
        for holder in ("workspace", "package"):
            found = _inside(table, holder, "metadata", "inroads")
            if found is not None:
                return parse_settings(found, f"Cargo.toml: [{holder}.metadata.inroads]")
    return Settings()


def shadowed(root: TextPath) -> tuple[str, ...]:
    """The places that hold settings too, and are not read, since another stands above them."""
    found = [name for name in FILES if (root / name).is_file()]
    manifest = root / "Cargo.toml"
    if manifest.is_file():
        try:
            table = tomllib.loads(manifest.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            table = {}
        found += [
            f"Cargo.toml: [{holder}.metadata.inroads]"
            for holder in ("workspace", "package")
            if _inside(table, holder, "metadata", "inroads") is not None
        ]
    return tuple(found[1:])


def parse_settings(table: Mapping[str, object], where: str) -> Settings:
    """The settings that a table holds; `where` begins each message."""
    mistakes: list[str] = []
    reader = TableReader(table, where, mistakes)
    settings = replace(read_table(reader), path=where.split(":")[0], origin=where, given=tuple(table))
    reader.unread(KEYS)
    if mistakes:
        raise SettingsError(tuple(mistakes))
    return settings


def read_table(reader: TableReader) -> Settings:
    """The settings that a reader gives; mistakes are noted in it."""
    # A default would say that the file has set it.
    fail_level = reader.choice("fail-level", FAIL_LEVELS, default="warn")
    return Settings(
        packs=reader.strings("packs"),
        select=reader.strings("select"),
        ignore=reader.strings("ignore"),
        levels=_levels(reader, "levels"),
        fail_level=fail_level if "fail-level" in reader.table else None,
        certain=reader.boolean("certain"),
        tests=reader.boolean("tests"),
        exclude=_globs(reader, "exclude"),
        log_macros=reader.strings("log-macros"),
        reason_words=tuple(word.lower() for word in reader.strings("reason-words")),
        paths=tuple(path_levels(one) for one in _tables(reader, "paths")),
        externs=tuple(read_extern(one) for one in _tables(reader, "extern")),
        baseline=reader.string("baseline"),
        ledger=reader.string("ledger"),
    )


def load_toml(text: str, where: str) -> Mapping[str, object]:
    """
    The table of a TOML text.

    Raises:
        SettingsError: Where it is no TOML; the message tells line and column.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError((f"{where}: this is no valid TOML: {error}",)) from error


def read_extern(reader: TableReader) -> Extern:
    """One `[[extern]]` table: Rust declarations without bodies, of a module of a crate from outside."""
    crate = reader.string("crate", required=True)
    module = reader.string("module")
    declarations = reader.string("declarations", required=True)
    reader.unread(("crate", "module", "declarations"))
    for key, value in (("crate", crate), ("module", module)):
        if value and not _PATH.fullmatch(value):
            reader.mistake(key, f'"{value}" is no path of names, as in `net::tcp`')
    facts = extract(declarations.encode())
    for problem in facts.problems[:1]:
        line, column = LineIndex(facts.line_starts, facts.size).position(problem.start)
        reader.mistake("declarations", f"line {line}, column {column}: {problem.message}")
    return Extern(crate.replace("-", "_"), module, declarations)


def _loaded(path: TextPath, name: str) -> Mapping[str, object]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError((f"{name}: can't be read: {error}",)) from error
    return load_toml(text, name)


def _inside(table: Mapping[str, object], *keys: str) -> Mapping[str, object] | None:
    value: object = table
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return cast(Mapping[str, object], value) if isinstance(value, dict) else None


def _levels(reader: TableReader, key: str) -> tuple[tuple[str, Level], ...]:
    """`rule = "level"` pairs, in the order of the file."""
    reader.read.add(key)
    value = reader.table.get(key, {})
    if not isinstance(value, dict):
        reader.mistake(key, f"expected a table of rules and levels, got {shown(value)}")
        return ()
    inner = TableReader(value, f"{reader.where}: {key}", reader.mistakes)
    return tuple(
        (rule, cast(Level, inner.choice(rule, LEVELS, default="warn", required=True))) for rule in value
    )


def _tables(reader: TableReader, key: str) -> tuple[TableReader, ...]:
    """A reader for each table of a list of tables."""
    reader.read.add(key)
    value = reader.table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        reader.mistake(key, f"expected a list of tables (`[[{key}]]`), got {shown(value)}")
        return ()
    return tuple(
        TableReader(one, f"{reader.where}: {key} {number}", reader.mistakes)
        for number, one in enumerate(value, start=1)
    )


def _globs(reader: TableReader, key: str, *, required: bool = False) -> tuple[str, ...]:
    """Patterns as in .gitignore; one that can match nothing is a mistake."""
    globs = reader.strings(key, required=required)
    for glob in globs:
        if not _is_glob(glob):
            reader.mistake(key, f'"{glob}" is no pattern as in .gitignore; it would match nothing')
    return globs


def _is_glob(glob: str) -> bool:
    """Whether some file may match; an unclosed `[` or a lone `!` match none."""
    # Most settings have no globs, and the import takes long.
    from pathspec import GitIgnoreSpec

    try:
        patterns = GitIgnoreSpec.from_lines([glob]).patterns
    except (ValueError, re.error):
        return False
    return any(one.include is not None for one in patterns)


def path_levels(reader: TableReader) -> PathLevels:
    """One `[[paths]]` table."""
    globs = _globs(reader, "paths", required=True)
    levels = _levels(reader, "levels")
    if not levels and "levels" not in reader.table:
        reader.mistake("levels", "is missing")
    reader.unread(("paths", "levels"))
    return PathLevels(globs, levels)
