"""Settings from outside: what is in force and why, the published schemas, and a file that fits."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from gate_project import PACK, Project, make_project
from inroads import schema
from inroads.cli.options import read_rulebook
from inroads.cli.run import group
from inroads.cli.session import open_session
from inroads.errors import SettingsError, UsageError
from inroads.rulebook import PACK_KEYS, parse_pack
from inroads.settings import KEYS, parse_settings, read_settings

ROOT = Path(__file__).parent.parent
LOST = "fn save() -> Result<(), String> { Err(String::new()) }\npub fn serve() {\n    let _ = save();\n}\n"


def run(*arguments: str) -> str:
    done = CliRunner().invoke(group, list(arguments), standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.stdout


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = make_project(tmp_path / "app")
    made.write("src/lost.rs", LOST)
    made.edit("src/main.rs", "mod pool;", "mod lost;\nmod pool;")
    made.edit("src/main.rs", "worker::serve();", "worker::serve();\n    lost::serve();")
    return made


def in_force(project: Project, *arguments: str) -> dict[str, dict[str, Any]]:
    told: dict[str, Any] = json.loads(
        run("settings", str(project.root), "--output-format", "json", *arguments)
    )
    found: dict[str, dict[str, Any]] = told["settings"]
    return found


def levels_of(project: Project, *arguments: str) -> dict[str, str]:
    found = project.check(*arguments).report["findings"]
    return {str(one["rule"]): str(one["level"]) for one in found}


def test_each_value_names_its_source(project: Project) -> None:
    project.write("inroads.toml", 'packs = ["pool.toml"]\ntests = true\nlog-macros = ["audit"]\n')
    told = in_force(project, "--certain", "--fail-level", "deny", "-D", "swallow")
    assert told["packs"] == {"value": ["pool.toml"], "sources": ["inroads.toml"]}
    assert told["tests"] == {"value": True, "sources": ["inroads.toml"]}
    assert told["certain"] == {"value": True, "sources": ["--certain"]}
    assert told["fail-level"] == {"value": "deny", "sources": ["--fail-level"]}
    assert told["exclude"] == {"value": [], "sources": ["default"]}
    assert told["log-macros"]["sources"] == ["default", "inroads.toml"]
    assert told["log-macros"]["value"][-1] == "audit"
    assert told["levels.swallow"] == {"value": "deny", "sources": ["-D"]}


def test_every_setting_is_told(project: Project) -> None:
    assert set(in_force(project)) == set(KEYS) - {"levels"}


def test_a_flag_beats_the_file_which_beats_the_manifest_which_beats_the_default(project: Project) -> None:
    manifest = '[package]\nname = "app"\nversion = "0.1.0"\n[package.metadata.inroads]\nselect = ["gap"]\n'
    assert in_force(project)["select"] == {"value": ["all"], "sources": ["default"]}
    (project.root / "inroads.toml").unlink()
    project.write("Cargo.toml", manifest)
    where = "Cargo.toml: [package.metadata.inroads]"
    assert in_force(project)["select"] == {"value": ["gap"], "sources": [where]}
    project.write("Cargo.toml", manifest + '[workspace.metadata.inroads]\nselect = ["order"]\n')
    assert in_force(project)["select"]["value"] == ["order"]
    project.write(".inroads.toml", 'select = ["swallow"]\n')
    assert in_force(project)["select"] == {"value": ["swallow"], "sources": [".inroads.toml"]}
    project.write("inroads.toml", 'select = ["order"]\n')
    assert in_force(project)["select"] == {"value": ["order"], "sources": ["inroads.toml"]}
    assert in_force(project, "--select", "gap")["select"] == {"value": ["gap"], "sources": ["--select"]}


def test_what_is_not_read_is_told(project: Project) -> None:
    project.write(".inroads.toml", "")
    project.write("Cargo.toml", '[package]\nname = "app"\n[package.metadata.inroads]\ntests = true\n')
    text = run("settings", str(project.root))
    assert "# not read, since inroads.toml is there: .inroads.toml\n" in text
    assert "# not read, since inroads.toml is there: Cargo.toml: [package.metadata.inroads]\n" in text


def test_what_is_told_to_people_can_be_read_as_settings(project: Project) -> None:
    project.write(
        "inroads.toml",
        'packs = ["pool.toml"]\n[levels]\nswallow = "deny"\n[[paths]]\npaths = ["a b/"]\nlevels = { gap = "allow" }\n',
    )
    table = tomllib.loads(run("settings", str(project.root), "-W", "gap"))
    assert table["levels"] == {"swallow": "deny", "gap": "warn"}
    assert table["paths"] == [{"paths": ["a b/"], "levels": {"gap": "allow"}}]


def test_a_mistake_in_a_flag_is_told_here_too(project: Project) -> None:
    with pytest.raises(SettingsError, match='did you mean "swallow"'):
        run("settings", str(project.root), "-D", "swalow")


def test_the_levels_of_a_path_hold_there_and_take_kinds(project: Project) -> None:
    assert levels_of(project) == {"error-dropped": "warn"}
    head = 'packs = ["pool.toml"]\n'
    for level in ("deny", "allow"):
        project.write(
            "inroads.toml", f'{head}[[paths]]\npaths = ["lost.rs"]\nlevels = {{ swallow = "{level}" }}\n'
        )
        assert levels_of(project) == ({"error-dropped": "deny"} if level == "deny" else {})
        assert levels_of(project, "-W", "error-dropped") == {"error-dropped": "warn"}
    project.write("inroads.toml", f'{head}[[paths]]\npaths = ["tests/"]\nlevels = {{ swallow = "allow" }}\n')
    assert levels_of(project) == {"error-dropped": "warn"}


def test_a_later_table_of_paths_beats_an_earlier_one(project: Project) -> None:
    project.write(
        "inroads.toml",
        'packs = ["pool.toml"]\n[[paths]]\npaths = ["src/"]\nlevels = { error-dropped = "allow" }\n'
        '[[paths]]\npaths = ["src/lost.rs"]\nlevels = { error-dropped = "deny" }\n',
    )
    assert levels_of(project) == {"error-dropped": "deny"}


def test_a_rule_that_is_off_can_be_on_under_a_path(project: Project) -> None:
    project.edit("src/main.rs", "    pool.fill();\n", "")
    head = 'packs = ["pool.toml"]\n[levels]\ntake-before-fill = "allow"\nswallow = "allow"\n'
    project.write("inroads.toml", head)
    assert levels_of(project) == {}
    project.write(
        "inroads.toml",
        f'{head}[[paths]]\npaths = ["src/worker.rs"]\nlevels = {{ take-before-fill = "warn" }}\n',
    )
    assert levels_of(project) == {"take-before-fill": "warn"}


def test_a_flag_beats_the_levels_of_a_file(project: Project) -> None:
    project.write("inroads.toml", 'packs = ["pool.toml"]\n[levels]\nerror-dropped = "deny"\n')
    assert levels_of(project) == {"error-dropped": "deny"}
    assert levels_of(project, "-W", "swallow") == {"error-dropped": "warn"}
    assert levels_of(project, "-A", "swallow") == {}


@pytest.mark.parametrize("name", schema.NAMES)
def test_the_published_schema_is_what_the_code_says(name: str) -> None:
    file = {"settings": "inroads.schema.json", "pack": "pack.schema.json"}[name]
    assert (ROOT / "schemas" / file).read_text() == schema.schema_text(name), (
        f"stale: run `inroads settings --schema {name} > schemas/{file}`"
    )
    jsonschema.Draft7Validator.check_schema(schema.schema(name))
    assert run("settings", "--schema", name) == schema.schema_text(name)


def test_an_unknown_schema_names_those_that_are() -> None:
    with pytest.raises(UsageError, match="known are settings, pack"):
        run("settings", "--schema", "rules")


def test_the_schema_has_every_key() -> None:
    assert set(schema.settings_schema()["properties"]) == set(KEYS)  # type: ignore[call-overload]  # a plain dict
    assert set(schema.pack_schema()["properties"]) == set(PACK_KEYS)  # type: ignore[call-overload]  # a plain dict


@pytest.mark.parametrize("path", sorted((ROOT / "rules").glob("*.toml")), ids=lambda path: path.name)
def test_every_pack_that_ships_follows_the_schema(path: Path) -> None:
    jsonschema.validate(tomllib.loads(path.read_text()), schema.pack_schema())


SETTINGS = """
packs = "one.toml"
select = ["a"]
ignore = "b"
fail-level = "deny"
certain = true
exclude = ["x/"]
log-macros = ["m"]
reason-words = ["w"]
baseline = "b.toml"
ledger = "l.toml"
[levels]
a = "warn"
[[paths]]
paths = ["t/"]
levels = { a = "allow" }
[[extern]]
crate = "c"
declarations = "pub struct S;"
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ('"deny"', '"denny"'),
        ("certain = true", 'certain = "yes"'),
        ('["a"]', "[1]"),
        ("ignore", "ignores"),
        ('a = "warn"', 'a = "warm"'),
        ('paths = ["t/"]\n', ""),
        ('levels = { a = "allow" }', ""),
        ('crate = "c"\n', ""),
        ("[[extern]]", "[extern]"),
        ("declarations", "declaration"),
    ],
)
def test_schema_and_reader_agree_on_settings(old: str, new: str) -> None:
    table = tomllib.loads(SETTINGS.replace(old, new, 1))
    fits = jsonschema.Draft7Validator(schema.settings_schema()).is_valid(table)
    try:
        parse_settings(table, "inroads.toml")
        reads = True
    except SettingsError:
        reads = False
    assert fits == reads == (old == new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ('"order"', '"ordr"'),
        ('needs = ["Pool::fill"]', 'need = ["Pool::fill"]'),
        ('target = ["Pool::take"]\n', ""),
        ('"take-before-fill"\nkind', '"Take_before"\nkind'),
        ('"deny"', '"error"'),
        ('why = "An empty pool has nothing to give."\n', ""),
        ('name = "taken first"\n', ""),
        ("code =", "text ="),
        ("needs", "while_held = 1\nneeds"),
        ("needs", 'edition = "2021"\nneeds'),
    ],
)
def test_schema_and_reader_agree_on_packs(old: str, new: str) -> None:
    text = PACK.replace(old, new, 1)
    fits = jsonschema.Draft7Validator(schema.pack_schema()).is_valid(tomllib.loads(text))
    try:
        parse_pack(text, "p.toml", own=True)
        reads = True
    except SettingsError:
        reads = False
    assert fits == reads == (old == new)


@pytest.fixture
def bare(project: Project) -> Project:
    (project.root / "inroads.toml").unlink()
    return project


def test_init_writes_a_file_that_says_nothing_new_where_all_is_default(bare: Project) -> None:
    before = levels_of(bare)
    run("init", str(bare.root))
    text = (bare.root / "inroads.toml").read_text()
    assert tomllib.loads(text) == {}
    assert levels_of(bare) == before
    assert "println! (1)" in text
    assert "Error types in use, and how many functions return each: String (1)." in text


def test_what_init_has_as_comments_are_valid_settings(bare: Project) -> None:
    text = run("init", str(bare.root), "--stdout")
    lines = [line.removeprefix("# ") for line in text.splitlines()]
    kept = []
    inside = False
    for line in lines:
        quotes = line.count("'''")
        if inside or quotes or " = " in line.split("#")[0] or line.startswith("["):
            kept.append(line)
        inside ^= quotes % 2 == 1
    table = tomllib.loads("\n".join(kept))
    assert set(table) == set(KEYS) - {"select", "ignore"}
    jsonschema.validate(table, schema.settings_schema())
    parse_settings(table, "inroads.toml")


def test_init_finds_log_macros_and_foreign_folders(bare: Project) -> None:
    bare.write(
        "src/lost.rs",
        LOST
        + "fn tell() {\n    slog_warn!(1);\n    warn_span!(2);\n    debug_assert!(true);\n    log_it!();\n}\n",
    )
    bare.write("third_party/x/src/lib.rs", "fn f() {}\n")
    run("init", str(bare.root))
    settings = read_settings(bare.root)
    assert settings.log_macros == ("log_it", "slog_warn")
    assert settings.exclude == ("third_party/",)


def test_init_overwrites_nothing(project: Project) -> None:
    before = (project.root / "inroads.toml").read_text()
    with pytest.raises(UsageError, match=r"inroads.toml holds settings already"):
        run("init", str(project.root))
    assert (project.root / "inroads.toml").read_text() == before
    (project.root / "inroads.toml").unlink()
    project.write("Cargo.toml", '[package]\nname = "app"\n[package.metadata.inroads]\ntests = true\n')
    with pytest.raises(UsageError, match=r"Cargo.toml: \[package.metadata.inroads\] holds settings"):
        run("init", str(project.root))
    assert not (project.root / "inroads.toml").exists()


def test_a_pack_that_is_not_there_is_told_with_the_setting(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "a"\nversion = "0.1.0"\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src/main.rs").write_text("fn main() {}\n")
    (tmp_path / "inroads.toml").write_text('packs = ["nope.toml", "gone"]\n')
    with pytest.raises(SettingsError) as caught:
        open_and_read(tmp_path)
    assert caught.value.messages == (
        "inroads.toml: packs: nope.toml: there is no such file or folder",
        "inroads.toml: packs: gone: there is no such file or folder",
    )


def open_and_read(root: Path) -> None:
    session = open_session((str(root),))
    read_rulebook(session.texts, session.settings, ())
