"""
Whether `cfg` leaves an item in, under the one configuration that is judged.

All features are on and `not(feature = "..")` is therefore false; the target is
64-bit Linux on x86_64 with GNU libc; debug assertions are on. `test` has both
answers, since a crate is compiled with and without it. Names that only a
`--cfg` flag switches on (`tokio_unstable`, `loom`, `docsrs`, `miri`) are off.

A crate has switches of its own: names that its build script sets are on, but for
those that tell of a lack (`no_..`); features that switch on unstable parts of the
language are off, since no stable compiler takes them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from inroads.facts import Attribute, FileFacts

_SWITCHED_ON = frozenset(
    {
        *("unix", "debug_assertions", "overflow_checks", "ub_checks", "panic", "true"),
        *("target_thread_local", "target_has_atomic"),
    }
)
_VALUES = {
    "target_os": frozenset({"linux"}),
    "target_arch": frozenset({"x86_64"}),
    "target_family": frozenset({"unix"}),
    "target_env": frozenset({"gnu"}),
    "target_vendor": frozenset({"unknown"}),
    "target_endian": frozenset({"little"}),
    "target_pointer_width": frozenset({"64"}),
    "target_has_atomic": frozenset({"8", "16", "32", "64", "ptr"}),
    "target_feature": frozenset({"fxsr", "sse", "sse2"}),
    "panic": frozenset({"unwind"}),
}
_TOKEN = re.compile(r'\s*(?:(?P<name>[A-Za-z_][\w:]*)|"(?P<text>(?:[^"\\]|\\.)*)"|(?P<sign>[(),=]))')
_DEEPEST = 64


class Switches(NamedTuple):
    """What one crate adds: names that its build script sets, and features that stay off."""

    on: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()


NO_SWITCHES = Switches()


class Activity(NamedTuple):
    """Whether a thing is compiled outside of tests, and whether in tests."""

    normal: bool
    test: bool


def activity(attributes: tuple[Attribute, ...], switches: Switches = NO_SWITCHES) -> Activity:
    """When an item under these attributes is compiled; all its `cfg` must hold."""
    normal = test = True
    for attribute in attributes:
        if attribute.path == "cfg":
            one = predicate(attribute.text, switches)
            normal, test = normal and one.normal, test and one.test
        elif attribute.path == "cfg_attr" and "cfg" in attribute.text:
            condition, inner = conditional(attribute.text, switches)
            for one_inner in inner:
                if one_inner.path == "cfg":
                    one = predicate(one_inner.text, switches)
                    normal = normal and (one.normal or not condition.normal)
                    test = test and (one.test or not condition.test)
    return Activity(normal, test)


@lru_cache(maxsize=4096)
def predicate(text: str, switches: Switches = NO_SWITCHES) -> Activity:
    """The value of what stands inside `cfg(..)`; what cannot be read is off."""
    tokens = [
        (match.lastgroup or "", match.group(match.lastgroup or 0))
        for match in _TOKEN.finditer(_without_comments(text))
    ]
    reader = _Reader(tokens, switches)
    return reader.one(0)


@lru_cache(maxsize=4096)
def conditional(text: str, switches: Switches = NO_SWITCHES) -> tuple[Activity, tuple[Attribute, ...]]:
    """The condition of a `cfg_attr` and the attributes that it adds."""
    parts = split_at_commas(text)
    if not parts:
        return Activity(False, False), ()
    return predicate(parts[0], switches), tuple(_attribute(part) for part in parts[1:] if part)


def switches_of(inner: tuple[Attribute, ...], build_script: FileFacts | None) -> Switches:
    """
    The switches of a crate.

    Args:
        inner: The inner attributes of its root, where `cfg_attr(feature = "x", feature(..))` may stand.
        build_script: Facts of its package's build script.
    """
    off: set[str] = set()
    for attribute in inner:
        if attribute.path == "cfg_attr" and (match := _UNSTABLE.match(attribute.text)):
            off.add(match.group(1))
    names: set[str] = set()
    for body in () if build_script is None else build_script.bodies:
        names.update(match.decode() for match in _SET_BY_SCRIPT.findall(body.data))
    on = {name for name in names if not _LACK & set(name.split("_"))}
    # Of names for several widths the one for 64 bits.
    on = {name for name in on if not name.endswith("32") or f"{name[:-2]}64" not in on}
    return Switches(frozenset(on), frozenset(off))


_UNSTABLE = re.compile(r'\s*feature\s*=\s*"([^"]*)"\s*,\s*feature\s*\(')
_SET_BY_SCRIPT = re.compile(rb"cargo::?rustc-cfg=([A-Za-z_]\w*)")
_LACK = frozenset({"no", "not", "without", "omit", "disable", "disabled", "missing", "old"})


def effective(attributes: tuple[Attribute, ...], name: str) -> Attribute | None:
    """The first attribute of this name, also one that a `cfg_attr` adds; None where there is none."""
    for attribute in attributes:
        if attribute.path == name:
            return attribute
        if attribute.path == "cfg_attr" and name in attribute.text:
            condition, inner = conditional(attribute.text)
            if condition.normal or condition.test:
                for one in inner:
                    if one.path == name:
                        return one
    return None


def split_at_commas(text: str) -> list[str]:
    """Split at the commas that stand outside brackets and strings; parts are trimmed, a last empty one is left out."""
    parts: list[str] = []
    depth = start = 0
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == '"':
            at += 1
            while at < len(text) and text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif sign == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    last = text[start:].strip()
    if last:
        parts.append(last)
    return parts


class _Reader:
    """Reads a predicate by recursive descent, to a bounded depth."""

    def __init__(self, tokens: list[tuple[str, str]], switches: Switches) -> None:
        self.tokens = tokens
        self.switches = switches
        self.at = 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("", "")

    def one(self, depth: int) -> Activity:
        kind, name = self.peek()
        self.at += 1
        if kind != "name" or depth > _DEEPEST:
            return Activity(False, False)
        following = self.peek()
        if following == ("sign", "="):
            self.at += 1
            _, value = self.peek()
            self.at += 1
            if name == "feature":
                on = value not in self.switches.off
            else:
                on = value in _VALUES.get(name, ())
            return Activity(on, on)
        if following == ("sign", "("):
            self.at += 1
            parts: list[Activity] = []
            while self.peek()[0] and self.peek() != ("sign", ")"):
                if self.peek() == ("sign", ","):
                    self.at += 1
                    continue
                parts.append(self.one(depth + 1))
            self.at += 1
            return _combined(name, parts)
        if name == "test":
            return Activity(False, True)
        on = name in _SWITCHED_ON or name in self.switches.on
        return Activity(on, on)


def _combined(name: str, parts: list[Activity]) -> Activity:
    if name == "all":
        return Activity(all(part.normal for part in parts), all(part.test for part in parts))
    if name == "any":
        return Activity(any(part.normal for part in parts), any(part.test for part in parts))
    if name == "not" and len(parts) == 1:
        return Activity(not parts[0].normal, not parts[0].test)
    return Activity(False, False)


def _attribute(text: str) -> Attribute:
    match = re.match(r"\s*([\w:]+)\s*(.*)", text, re.DOTALL)
    if match is None:
        return Attribute("")
    path, rest = match.group(1), match.group(2).strip()
    if rest.startswith("="):
        return Attribute(path, rest[1:].strip())
    return Attribute(path, rest[1:-1].strip() if rest[:1] in ("(", "[", "{") else rest)


def _without_comments(text: str) -> str:
    if "/" not in text:
        return text
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


_TEST_ATTRIBUTES = frozenset(
    {
        *("test", "bench", "rstest", "test_case", "test_log", "quickcheck", "proptest", "wasm_bindgen_test"),
        *("test_matrix", "traced_test", "should_panic"),
    }
)


def is_test(attribute: Attribute) -> bool:
    """Whether an attribute makes a function a test or a benchmark."""
    path = attribute.path
    if path == "cfg_attr":
        condition, inner = conditional(attribute.text)
        return (condition.normal or condition.test) and any(is_test(one) for one in inner)
    return path.rpartition("::")[2] in _TEST_ATTRIBUTES
