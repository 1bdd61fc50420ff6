"""
JSON schemas of `inroads.toml` and of rule packs, made by the code that reads them.

A reader that writes down what it is asked for goes through the same functions
as a file does: so a key, its sort and its words are in the schema because the
program reads them. Only the sentences that explain a key stand here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from inroads.analyses import KINDS
from inroads.analyses.base import Kind, RuleHead, TableReader
from inroads.analyses.gap.traits import DUTIES, METHOD_KEYS, TRAIT_KEYS
from inroads.rulebook import RULE_ID, pack_head, rule_head, test_head
from inroads.settings import LEVELS, path_levels, read_extern, read_table

Json = dict[str, object]
DRAFT = "http://json-schema.org/draft-07/schema#"
NAMES = ("settings", "pack")

SETTING_TEXTS: Mapping[str, str] = {
    "packs": "Rule packs of the project: files, or folders of them, relative to this file.",
    "select": "Run only these rules, kinds or packs.",
    "ignore": "Leave these rules, kinds or packs out.",
    "levels": "The level of a rule, a kind or a pack.",
    "fail-level": "The least level that gives exit code 1.",
    "certain": "Leave out findings that are `maybe`.",
    "tests": "Look at test code, and at roads from tests, too.",
    "exclude": "Files that are no part of the program, as in .gitignore.",
    "log-macros": "Macros that only log, beside those that are known: their last segments.",
    "reason-words": "Words that make a comment the reason for losing an error, beside those that are known.",
    "paths": "Levels of rules under some paths.",
    "extern": "Crates from outside, described by Rust declarations without bodies.",
    "baseline": "The file of known findings.",
    "ledger": "The file of reviewed call sites; without this key inroads.ledger.toml, if it is there.",
}
PATH_TEXTS: Mapping[str, str] = {
    "paths": "The paths, as in .gitignore.",
    "levels": "The level of a rule there; a later table beats an earlier one.",
}
EXTERN_TEXTS: Mapping[str, str] = {
    "crate": "The name of the crate.",
    "module": "The path of the module inside it; left out for its root.",
    "declarations": "Types, traits, impls and functions in Rust, a semicolon in the place of each body.",
}
PACK_TEXTS: Mapping[str, str] = {
    "pack": "The pack's name [default: that of the file].",
    "title": "What the pack is about, in half a sentence.",
    "optional": "A rule whose target is not in the program is inactive rather than a mistake.",
    "rule": "The rules.",
    "extern": EXTERN_TEXTS["declarations"],
}
RULE_TEXTS: Mapping[str, str] = {
    "id": "Names the bad pattern, in small letters, digits and hyphens; reads well after `allow`.",
    "kind": "What is computed.",
    "title": "What is wrong, in half a sentence.",
    "level": "How bad it is.",
    "why": "Why the rule exists, in Markdown.",
    "help": "How to mend it.",
    "tags": "Words for people.",
    "test": "Tests: at least one that fires, and one that stays quiet.",
    "target": "Calls that must not happen too early; any one of.",
    "needs": "Calls that must have happened before, for the same captures; any one of.",
    "undone_by": "Calls that end a need; any one of.",
    "evidence": "Constructions and flags that exist only after the need.",
    "fails": "The function that fails on the bad state.",
    "bad": "The bad state, as the failing function sees it; over captures of `fails`.",
    "needs_success": "A need that returns a Result counts only where it was tested and is Ok.",
    "initially": "What holds where a road begins.",
    "from": "The only functions where roads begin.",
    "while_held": "The need holds as long as the guard that it gives.",
    "tests": "Roads from tests are told too.",
    "public": "Every public function is a place where roads begin.",
    "of": "The calls whose errors are followed.",
    "fates": "The ends of an error that are told.",
    "quiet": "Where a lost error is not told.",
    "traits": "The traits whose wrappers are looked at.",
    "shapes": "What the forgotten default does.",
    "foreign": "Traits from outside whose provided methods a wrapper must or should forward.",
}
TEST_TEXTS: Mapping[str, str] = {
    "name": "What is shown.",
    "code": "Rust, the text of src/lib.rs; `//~ rule-id` on each line that must fire.",
    "files": "Path and text of each file, in the place of `code`.",
    "edition": "The edition of Rust.",
}
_TEXT: Json = {"type": "string", "minLength": 1}
_TEXTS: Json = {"type": "array", "items": {"type": "string"}, "minItems": 1}
_FOREIGN: Mapping[str, Json] = {
    "paths": {**_TEXTS, "description": "The trait, under each path that names it."},
    "method": {"description": "Its provided methods."},
    "source": {"description": "Where that is told."},
    "checked": {"description": "Against what it was checked."},
    "note": {"description": "For people."},
}
_METHOD: Mapping[str, Json] = {
    "names": {**_TEXTS, "description": "The methods."},
    "forward": {"enum": list(DUTIES), "description": "Whether a wrapper that does not forward it is told."},
    "runs": {"type": "string", "description": "What the provided body runs instead."},
    "why": {"type": "string", "description": "What is lost."},
    "code": {"type": "string", "description": "The forward to be written; `{}` is the name."},
    "default": {"enum": ["constant", "calls-self"], "description": "What the provided body does."},
    "through": {**_TEXTS, "description": "Methods that the provided body calls."},
    "unless": {**_TEXTS, "description": "Methods of releases that do not have this one."},
    "asserted_by": {
        **_TEXTS,
        "description": "Provided methods of other traits that fail where this one is left to its default.",
    },
}


def schema(name: str) -> Json:
    """The schema of that name: `settings` or `pack`."""
    return settings_schema() if name == "settings" else pack_schema()


def schema_text(name: str) -> str:
    """The schema as JSON, the same bytes each time."""
    return json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"


def settings_schema() -> Json:
    """What `inroads.toml` may hold."""
    recorder = Recorder({}, "")
    read_table(recorder)
    recorder.described(SETTING_TEXTS)
    recorder.properties["levels"] = _described(_levels(), SETTING_TEXTS["levels"])
    paths = Recorder({}, "")
    path_levels(paths)
    paths.properties["levels"] = _levels()
    paths.needed.add("levels")
    paths.described(PATH_TEXTS)
    recorder.properties["paths"] = _list_of(paths.table_schema(), SETTING_TEXTS["paths"])
    recorder.properties["extern"] = _list_of(_extern(), SETTING_TEXTS["extern"])
    return {
        "$schema": DRAFT,
        "title": "inroads.toml",
        "description": "Settings of Inroads; also [workspace.metadata.inroads] of Cargo.toml.",
        **recorder.table_schema(),
    }


def pack_schema() -> Json:
    """What a rule pack may hold."""
    recorder = Recorder({}, "")
    pack_head(recorder, "pack.toml", own=True)
    rules = {"oneOf": [_rule(kind) for kind in KINDS.values()]}
    recorder.properties["rule"] = {"type": "array", "items": rules}
    recorder.properties["extern"] = {"type": "array", "items": _extern()}
    recorder.described(PACK_TEXTS)
    return {
        "$schema": DRAFT,
        "title": "A rule pack of Inroads",
        "description": "Rules, each with its tests.",
        **recorder.table_schema(),
    }


def _rule(kind: Kind[Any]) -> Json:
    """A `[[rule]]` of one kind."""
    recorder = Recorder({"kind": kind.name}, "")
    rule_head(recorder, "", "", optional=False)
    kind.parse(RuleHead("a", kind.name, "a", "warn"), recorder)
    recorder.properties["id"] = {"type": "string", "pattern": f"^{RULE_ID}$"}
    recorder.properties["kind"] = {"const": kind.name}
    if "foreign" in recorder.properties:
        recorder.properties["foreign"] = {"type": "array", "items": _foreign()}
    tests = Recorder({}, "")
    test_head(tests)
    tests.properties["code"] = {"type": "string"}
    tests.properties["files"] = {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "minProperties": 1,
    }
    tests.described(TEST_TEXTS)
    made = {**tests.table_schema(), "anyOf": [{"required": ["code"]}, {"required": ["files"]}]}
    recorder.properties["test"] = {"type": "array", "items": made, "minItems": 2}
    recorder.needed.add("test")
    recorder.described(RULE_TEXTS)
    return {"title": f"A rule of kind {kind.name}", **recorder.table_schema()}


def _extern() -> Json:
    recorder = Recorder({}, "")
    read_extern(recorder)
    recorder.described(EXTERN_TEXTS)
    return recorder.table_schema()


def _foreign() -> Json:
    method: Json = _object({key: _METHOD[key] for key in METHOD_KEYS}, {"names", "forward"})
    table = {key: _FOREIGN[key] for key in TRAIT_KEYS}
    table["method"] = {**table["method"], "anyOf": [method, {"type": "array", "items": method}]}
    return _object(table, {"paths"})


def _levels() -> Json:
    return {"type": "object", "additionalProperties": {"enum": list(LEVELS)}}


def _list_of(items: Json, text: str) -> Json:
    return {"description": text, "type": "array", "items": items}


def _described(schema: Json, text: str) -> Json:
    return {"description": text, **schema}


def _object(properties: Mapping[str, Json], required: set[str]) -> Json:
    return {
        "type": "object",
        "properties": dict(sorted(properties.items())),
        **({"required": sorted(required)} if required else {}),
        "additionalProperties": False,
    }


class Recorder(TableReader):
    """A reader that writes down what it is asked for, and answers with defaults."""

    properties: dict[str, Json] = msgspec.field(default_factory=dict)
    needed: set[str] = msgspec.field(default_factory=set)

    def table_schema(self) -> Json:
        """A table with the keys that were asked for and no others."""
        return _object(self.properties, self.needed)

    def described(self, texts: Mapping[str, str]) -> None:
        """Put a sentence on each key; KeyError where one has none."""
        for key, one in self.properties.items():
            self.properties[key] = _described(one, texts[key])

    def string(self, key: str, *, default: str = "", required: bool = False) -> str:
        """Writes down a text."""
        self._note(key, dict(_TEXT) if required else {"type": "string"}, required)
        return default

    def strings(self, key: str, *, default: tuple[str, ...] = (), required: bool = False) -> tuple[str, ...]:
        """Writes down a text or a list of texts."""
        many: Json = {"type": "array", "items": {"type": "string"}, **({"minItems": 1} if required else {})}
        self._note(key, {"anyOf": [{"type": "string"}, many], **_default(default)}, required)
        return default

    def tables(self, key: str) -> list[object]:
        """Writes down a list of tables."""
        self._note(key, {"type": "array", "items": {"type": "object"}}, False)
        return []

    def boolean(self, key: str, *, default: bool = False) -> bool:
        """Writes down true or false."""
        self._note(key, {"type": "boolean", "default": default}, False)
        return default

    def choice(self, key: str, choices: tuple[str, ...], *, default: str, required: bool = False) -> str:
        """Writes down one of some words."""
        self._note(key, {"enum": list(choices), **({"default": default} if default else {})}, required)
        return default

    def choices(self, key: str, known: tuple[str, ...], *, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Writes down some of some words."""
        one: Json = {"enum": list(known)}
        self._note(key, {"anyOf": [one, {"type": "array", "items": one}], **_default(default)}, False)
        return default

    def unread(self, known: tuple[str, ...]) -> None:
        """Nothing was there to be left unread."""

    def _note(self, key: str, schema: Json, required: bool) -> None:
        self.read.add(key)
        self.properties.setdefault(key, schema)
        if required:
            self.needed.add(key)


def _default(default: tuple[str, ...]) -> Json:
    return {"default": list(default)} if default else {}
