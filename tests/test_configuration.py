"""cfg, under the one configuration."""

from __future__ import annotations

import pytest

from inroads.facts import Attribute
from inroads.resolve.configuration import Activity, activity, effective, predicate, switches_of
from inroads.rust.extract import extract


@pytest.mark.parametrize(
    ("text", "normal", "test"),
    [
        ('feature = "any"', True, True),
        ('not(feature = "any")', False, False),
        ("unix", True, True),
        ("windows", False, False),
        ('target_os = "linux"', True, True),
        ('target_os = "macos"', False, False),
        ('any(target_os = "macos", target_pointer_width = "64")', True, True),
        ("test", False, True),
        ("not(test)", True, False),
        ("all(test, unix)", False, True),
        ("all()", True, True),
        ("any()", False, False),
        ("debug_assertions", True, True),
        ("tokio_unstable", False, False),
        ("not(loom)", True, True),
        ("all(not(all(loom, test)), not(windows),)", True, True),
        ('panic = "unwind"', True, True),
        ("/* why */ unix // so", True, True),
        ("", False, False),
        ("not(", False, False),
    ],
)
def test_predicates(text: str, normal: bool, test: bool) -> None:
    assert predicate(text) == Activity(normal, test)


def test_all_cfg_attributes_must_hold() -> None:
    assert activity((Attribute("cfg", "unix"), Attribute("cfg", "test"))) == Activity(False, True)
    assert activity((Attribute("cfg_attr", "unix, cfg(windows)"),)) == Activity(False, False)
    assert activity((Attribute("cfg_attr", "windows, cfg(windows)"),)) == Activity(True, True)


def test_an_attribute_behind_cfg_attr_is_found() -> None:
    found = effective((Attribute("cfg_attr", 'all(unix, feature = "x"), path = "a,b.rs", inline'),), "path")
    assert found is not None and found.text == '"a,b.rs"'
    assert effective((Attribute("cfg_attr", 'windows, path = "w.rs"'),), "path") is None


def test_deep_nesting_is_off_not_an_error() -> None:
    assert predicate("not(" * 5000 + "test" + ")" * 5000) in (Activity(True, True), Activity(False, False))


def test_a_feature_for_unstable_parts_of_the_language_is_off() -> None:
    inner = (Attribute("cfg_attr", 'feature = "nightly", feature(test, core_intrinsics)'),)
    switches = switches_of(inner, None)
    assert predicate('feature = "nightly"', switches) == (False, False)
    assert predicate('not(feature = "nightly")', switches) == (True, True)
    assert predicate('feature = "other"', switches) == (True, True)


def test_names_that_a_build_script_sets_are_on_but_for_those_that_tell_of_a_lack() -> None:
    script = extract(
        b'fn main() { println!("cargo:rustc-cfg=has_simd"); println!("cargo::rustc-cfg=no_const_new"); '
        b'println!("cargo:rustc-cfg=width_32"); println!("cargo:rustc-cfg=width_64"); }'
    )
    switches = switches_of((), script)
    assert switches.on == {"has_simd", "width_64"}
