"""`inroads settings`."""

from __future__ import annotations

import json

import click
import msgspec

from inroads.analyses.base import LOG_MACROS, REASON_WORDS
from inroads.cli.options import PATHS, read_rulebook, rule_options, words
from inroads.cli.session import Session, open_session
from inroads.cli.terminal import write_output
from inroads.errors import UsageError
from inroads.ledger import FILE as LEDGER
from inroads.settings import Settings, shadowed

DEFAULT = "default"


class Row(msgspec.Struct, frozen=True):
    """A setting in force; `value` is plain JSON, `sources` in the order in which they were read."""

    key: str
    value: object
    sources: tuple[str, ...]


@click.command("settings")
@PATHS
@click.option("--output-format", "format", type=click.Choice(("text", "json")), default="text")
@click.option(
    "--schema",
    "schema",
    is_flag=False,
    flag_value="settings",
    metavar="[settings|pack]",
    help="Print the JSON schema of inroads.toml, or of rule packs.",
)
@rule_options
@click.option("--certain", is_flag=True, help="As for `check`.")
@click.option("--tests", is_flag=True, help="As for `check`.")
@click.option("--fail-level", type=click.Choice(("warn", "deny")), help="As for `check`.")
@click.option("--baseline", metavar="FILE", default="", help="As for `check`.")
def command(
    paths: tuple[str, ...],
    format: str,
    schema: str | None,
    rules: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    deny: tuple[str, ...],
    warn: tuple[str, ...],
    allow: tuple[str, ...],
    certain: bool,
    tests: bool,
    fail_level: str | None,
    baseline: str,
) -> int:
    """
    Tell which settings are in force here, and where each comes from.

    A flag beats inroads.toml (or .inroads.toml), which beats the metadata of Cargo.toml, which beats the default.

    \b
    inroads settings
    inroads settings --select order -D error-dropped   what a run with these flags would do
    inroads settings --schema > inroads.schema.json
    """
    if schema is not None:
        from inroads.schema import NAMES, schema_text

        if schema not in NAMES:
            raise UsageError(f'--schema: there is none of "{schema}"; known are {", ".join(NAMES)}')
        write_output(schema_text(schema), None)
        return 0
    session = open_session(paths)
    # Words that name no rule are a mistake here as anywhere else.
    read_rulebook(session.texts, session.settings, rules, select, ignore, deny, warn, allow)
    flags: dict[str, tuple[object, str]] = {}
    if words(select):
        flags["select"] = (list(words(select)), "--select")
    if certain:
        flags["certain"] = (True, "--certain")
    if tests:
        flags["tests"] = (True, "--tests")
    if fail_level:
        flags["fail-level"] = (fail_level, "--fail-level")
    if baseline:
        flags["baseline"] = (baseline, "--baseline")
    added = {
        "packs": (list(rules), "--rules"),
        "ignore": (list(words(ignore)), "--ignore"),
    }
    levels = [(word, "allow", "-A") for word in words(allow)]
    levels += [(word, "warn", "-W") for word in words(warn)]
    levels += [(word, "deny", "-D") for word in words(deny)]
    rows = [*_rows(session, flags, added), *_levels(session.settings, levels)]
    hidden = shadowed(session.texts)
    told = _json(session, rows, hidden) if format == "json" else _text(session, rows, hidden)
    write_output(told, None)
    return 0


def _rows(
    session: Session, flags: dict[str, tuple[object, str]], added: dict[str, tuple[list[str], str]]
) -> list[Row]:
    """All settings but the levels, in the order in which the schema and the docs tell them."""
    settings = session.settings
    has_ledger = (session.texts / session.ledger_name).is_file()
    values: dict[str, object] = {
        "packs": list(settings.packs),
        "select": list(settings.select) or ["all"],
        "ignore": list(settings.ignore),
        "fail-level": settings.fail_level or "warn",
        "certain": settings.certain,
        "tests": settings.tests,
        "exclude": list(settings.exclude),
        "log-macros": [*LOG_MACROS, *settings.log_macros],
        "reason-words": [*REASON_WORDS, *settings.reason_words],
        "paths": [{"paths": list(one.globs), "levels": dict(one.levels)} for one in settings.paths],
        "extern": [one.crate + (f"::{one.module}" if one.module else "") for one in settings.externs],
        "baseline": settings.baseline,
        "ledger": settings.ledger or (LEDGER if has_ledger else ""),
    }
    rows = []
    for key, value in values.items():
        source: tuple[str, ...] = (settings.origin,) if key in settings.given else (DEFAULT,)
        if key in ("log-macros", "reason-words") and key in settings.given:
            source = (DEFAULT, *source)
        if key in flags:
            value, flag = flags[key]
            source = (flag,)
        more, flag = added.get(key, ([], ""))
        if more and isinstance(value, list):
            value = [*value, *more]
            source = (*(one for one in source if one != DEFAULT), flag)
        rows.append(Row(key, value, source))
    return rows


def _levels(settings: Settings, flags: list[tuple[str, str, str]]) -> list[Row]:
    """One row for each word that has a level; of two that name the same rule the later one counts."""
    found = {word: Row(f"levels.{word}", level, (settings.origin,)) for word, level in settings.levels}
    for word, level, flag in flags:
        found.pop(word, None)
        found[word] = Row(f"levels.{word}", level, (flag,))
    return list(found.values())


def _json(session: Session, rows: list[Row], hidden: tuple[str, ...]) -> str:
    made = {
        "version": 1,
        "root": session.root.as_posix(),
        "file": session.settings.origin or None,
        "not_read": list(hidden),
        "settings": {row.key: {"value": row.value, "sources": list(row.sources)} for row in rows},
    }
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def _text(session: Session, rows: list[Row], hidden: tuple[str, ...]) -> str:
    """TOML that could stand in inroads.toml, with the source of each value behind it."""
    lines = [f"# settings of {session.root.as_posix()}, from {session.settings.origin or 'no file'}"]
    lines += [f"# not read, since {session.settings.origin} is there: {one}" for one in hidden]
    top = [row for row in rows if not row.key.startswith("levels.")]
    levels = [row for row in rows if row.key.startswith("levels.")]
    lines += _aligned([(f"{row.key} = {_toml(row.value)}", row.sources) for row in top])
    if levels:
        lines += ["", "[levels]"]
        named = [(f"{row.key.removeprefix('levels.')} = {_toml(row.value)}", row.sources) for row in levels]
        lines += _aligned(named)
    return "".join(f"{line}\n" for line in lines)


def _aligned(rows: list[tuple[str, tuple[str, ...]]]) -> list[str]:
    width = max(len(text) for text, _ in rows if len(text) <= 60)
    return [f"{text.ljust(width)}  # {', '.join(sources)}" for text, sources in rows]


def _toml(value: object) -> str:
    """A value in TOML, on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case list():
            return f"[{', '.join(_toml(one) for one in value)}]"
        case dict():
            return f"{{ {', '.join(f'{key} = {_toml(one)}' for key, one in value.items())} }}"
    return json.dumps(value, ensure_ascii=False)
