"""Write the pages that are made from code, and what the commands of the others print."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "lint"), str(ROOT / "tests")]

import click  # noqa: E402  # the checkout's own modules come first

from inroads.analyses import KINDS  # noqa: E402
from inroads.builtin import BUILT_IN  # noqa: E402
from inroads.cli.run import COMMANDS, group  # noqa: E402
from inroads.rulebook import RuleTest, load_rulebook  # noqa: E402
from inroads.samples import SAMPLES  # noqa: E402
from inroads.schema import pack_schema, settings_schema  # noqa: E402

_MADE = "<!-- Made by tools/docs.py; do not edit. -->\n"
_KIND_TITLES = {
    "order": "Order: a call before what it needs",
    "swallow": "Swallow: an error that nobody hears",
    "gap": "Gap: a wrapper that forgot",
}


def rules_page() -> str:
    """The reference of all rules, from the packs."""
    rulebook = load_rulebook()
    parts = [
        f"# Rules\n\n{_MADE}\nEvery rule that ships, from the packs in [rules/](../rules). "
        "`inroads explain RULE` tells the same with what is said of the bad example; `inroads rules` tells "
        "which apply to a workspace. A rule of kind order is inactive where its target does not exist.\n"
    ]
    rows = [
        f"| [{rule.head.id}](#{rule.head.id}) | {rule.head.kind} | {rule.head.level} | {rule.head.title} |"
        for kind in KINDS
        for rule in sorted(rulebook.rules, key=lambda one: one.head.id)
        if rule.head.kind == kind
    ]
    rows += [f"| [{id}](#{id}) | {one.kind} | {one.level} | {one.title} |" for id, one in BUILT_IN.items()]
    parts.append(
        "| rule | kind | level | what is wrong |\n| --- | --- | --- | --- |\n" + "\n".join(rows) + "\n"
    )
    tests = [test for pack in rulebook.packs for test in pack.tests]
    for kind, title in _KIND_TITLES.items():
        parts.append(f"## {title}\n")
        for rule in sorted(rulebook.rules, key=lambda one: one.head.id):
            if rule.head.kind != kind:
                continue
            head = rule.head
            parts.append(f"### {head.id}\n\n*{head.title}* ({head.level}, pack {head.pack})\n\n{head.why}\n")
            if head.help:
                parts.append(f"To mend it: {head.help}\n")
            mine = [test for test in tests if test.rule == head.id]
            parts += _example("Fires", next(test for test in mine if test.fires))
            parts += _example("Is quiet", next(test for test in mine if not test.fires))
    parts.append("## Without a pack\n")
    for id, one in BUILT_IN.items():
        parts.append(f"### {id}\n\n*{one.title}* ({one.kind}, {one.level})\n\n{one.why}\n")
        for word, sample in zip(("Fires", "Is quiet"), SAMPLES[id], strict=True):
            parts.append(f"{word}: {sample.name}\n\n```rust\n{sample.code}```\n")
    return "\n".join(parts)


def _example(word: str, test: RuleTest) -> list[str]:
    files = [
        (f"// {path}\n" if 1 < len(test.files) else "") + text.strip("\n") + "\n" for path, text in test.files
    ]
    return [f"{word}: {test.name}\n\n```rust\n{chr(10).join(files)}```\n"]


def command_line_page() -> str:
    """The reference of the command line, from `--help`."""
    parts = [f"# The command line\n\n{_MADE}\nWhat `--help` prints, command by command.\n"]
    context = click.Context(group, info_name="inroads", **group.context_settings)
    parts.append(f"```text\n{_help(group, context)}```\n")
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        parts.append(f"## inroads {name}\n\n```text\n{_help(command, inner)}```\n")
    return "\n".join(parts)


def _help(command: click.Command, context: click.Context) -> str:
    formatter = click.HelpFormatter(width=90)
    command.format_help(context, formatter)
    return formatter.getvalue()


def settings_page() -> str:
    """The reference of settings and packs, from the schemas."""
    return (
        f"# Settings and packs\n\n{_MADE}\n"
        "Settings stand in `inroads.toml` or `.inroads.toml` at the root of the workspace, else in\n"
        "`[workspace.metadata.inroads]` or `[package.metadata.inroads]` of its Cargo.toml. A flag beats a setting.\n"
        "`inroads settings` tells what is in force and where each value came from; `inroads init` writes a file\n"
        "that fits the workspace. Editors complete and check both by their schemas:\n"
        "[inroads.schema.json](../schemas/inroads.schema.json), [pack.schema.json](../schemas/pack.schema.json).\n\n"
        "## inroads.toml\n\n"
        + _table(settings_schema())
        + "\n## A rule pack\n\n"
        + _table(pack_schema())
        + "".join(f"\n### {one['title']}\n\n{_table(one)}" for one in _rules())
        + "\nThe language of patterns is told in [writing-a-rule.md](writing-a-rule.md), what is computed from\n"
        "them in [how-it-decides.md](how-it-decides.md), crates from outside in\n"
        "[foreign-crates.md](foreign-crates.md).\n"
    )


def _rules() -> list[dict[str, object]]:
    properties = pack_schema()["properties"]
    assert isinstance(properties, dict)
    found = properties["rule"]["items"]["oneOf"]
    assert isinstance(found, list)
    return found


def _table(schema: dict[str, object]) -> str:
    """One row a key: required or not, what it takes, what it means."""
    properties = schema["properties"]
    required = schema.get("required", [])
    assert isinstance(properties, dict) and isinstance(required, list)
    lines = ["| key | takes | |", "| --- | --- | --- |"]
    for key, one in sorted(properties.items(), key=lambda pair: (pair[0] not in required, pair[0])):
        text = one["description"] + (" **Required.**" if key in required else "")
        lines.append(f"| `{key}` | {_takes(one)} | {text} |")
    return "\n".join(lines) + "\n"


def _takes(one: dict[str, object]) -> str:
    default = one.get("default")
    shown = f" [`{str(default).lower()}`]" if isinstance(default, bool | str) else ""
    match one:
        case {"enum": list(words)}:
            return ", ".join(f"`{word}`" for word in words) + shown
        case {"const": word}:
            return f"`{word}`"
        case {"anyOf": [{"enum": list(words)}, *_]}:
            return "some of " + ", ".join(f"`{word}`" for word in words)
        case {"anyOf": _}:
            return "a text or a list of texts"
        case {"type": "array"}:
            return "tables"
        case {"type": "object"}:
            return "a table"
        case {"type": "boolean"}:
            return f"true or false{shown}"
    return f"a text{shown}"


GENERATED: dict[str, Callable[[], str]] = {
    "rules.md": rules_page,
    "command-line.md": command_line_page,
    "settings.md": settings_page,
}


def main(names: list[str]) -> None:
    """Write all pages, or those that are named."""
    from pages import DOCS, follow

    for name, make in GENERATED.items():
        (DOCS / name).write_text(make(), encoding="utf-8")
    for page in sorted(DOCS.glob("*.md")):
        if page.name in GENERATED or (names and page.name not in names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            _, text, _ = follow(page, Path(folder) / "home")
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
