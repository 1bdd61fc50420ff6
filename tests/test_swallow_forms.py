"""The 67 ways to lose an error, each with its fate, its place of death, and a twin that loses nothing."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from inroads.analyses.swallow.ends import ALIVE
from inroads.facts import Fate
from swallow_program import Lost, lost

FORMS = Path(__file__).parent / "forms"

SPECIAL: dict[Fate, tuple[int, ...]] = {
    "logged": (9, 10, 12, 14, 16, 33, 35, 36, 37, 40, 47, 58, 59, 60, 64),
    "defaulted": (18, 19, 20, 21, 22, 51, 52, 55, 61, 62, 65),
    "turned-into-option": (8, 50),
    "turned-into-bool": (41, 56),
    "cause-lost": (23,),
    "overwritten": (49,),
}
EXPECTED: dict[int, Fate] = {form: fate for fate, forms in SPECIAL.items() for form in forms}

# The text of the call, and the text at the place of death, form by form.
PLACES: dict[int, tuple[str, str]] = {
    1: ("u()", "u(); }"),
    2: ("f()", "let _ ="),
    3: ("f()", "_ = f()"),
    4: ("f()", "let _unused"),
    5: ("f()", "let _: Result"),
    6: ("f()", "ok();"),
    7: ("f()", "ok();"),
    8: ("f()", "ok() }"),
    9: ("u()", "warn_log!"),
    10: ("u()", "warn_log!"),
    11: ("u()", "if let Err(_e)"),
    12: ("u()", "warn_log!"),
    13: ("f()", "if let Ok(x)"),
    14: ("f()", "warn_log!"),
    15: ("f()", "{} } }"),
    16: ("f()", "warn_log!"),
    17: ("f()", "() } }"),
    18: ("f()", "unwrap_or_default()"),
    19: ("f()", "unwrap_or(0)"),
    20: ("f()", "unwrap_or_else(|_| 0)"),
    21: ("f()", "map_or(0,"),
    22: ("f()", "map_or_else(|_| 0,"),
    23: ("f()", "map_err(|_|"),
    24: ("v()", "flatten()"),
    25: ("v()", "filter_map(Result::ok)"),
    26: ("v()", "ok())"),
    27: ("v()", "flat_map(|r| r)"),
    28: ("v()", "flatten()"),
    29: ("io::stdin().lock().lines()", "flatten()"),
    30: ("f()", "drop(f())"),
    31: ("f()", "std::mem::forget(f())"),
    32: ("f()", "return;"),
    33: ("f()", "warn_log!"),
    34: ("f()", "while let Ok(x)"),
    35: ("f()", "ok();"),
    36: ("f()", "let _ ="),
    37: ("f()", "unwrap_or_else(|e|"),
    38: ("s.tx.send(1)", "let _ ="),
    39: ("s.t()", "is_ok();"),
    40: ("u()", "swallow!("),
    41: ("u()", "is_ok() }"),
    42: ("(|| -> Result<(), E> { u()?; Ok(()) })()", "let _ ="),
    43: ("std::thread::spawn(|| u())", "std::thread::spawn("),
    44: ("h.join()", "let _ ="),
    45: ("af()", "let _ ="),
    46: ("af()", "let _ ="),
    47: ("af()", "warn_log!"),
    48: ("f()", "let r = f()"),
    49: ("f()", "r = f();"),
    50: ("f()", "ok()?"),
    51: ("u()", "unwrap_or(())"),
    52: ("u()", "unwrap_or_default()"),
    53: ('writeln!(io::stderr(), "x")', "let _ ="),
    54: ("v()", "for_each(drop)"),
    55: ("v()", "unwrap_or(1)"),
    56: ("v()", "is_ok()).count()"),
    57: ("f()", "ok() {"),
    58: ("u()", "warn_log!"),
    59: ("u()", "warn_log!"),
    60: ("u()", "warn_log!"),
    61: ("u()", "or(Ok(()))"),
    62: ("u()", "or_else(|_| Ok(()))"),
    63: ("f()", "is_ok() {"),
    64: ("u()", "warn_log!"),
    65: ("f()", "unwrap_or(1)"),
    66: ("u()", "matches!("),
    67: ("u()", "is_ok());"),
}


@cache
def of_file(name: str) -> dict[str, list[Lost]]:
    found: dict[str, list[Lost]] = {}
    for one in lost((FORMS / name).read_bytes()):
        found.setdefault(one.function, []).append(one)
    return found


@cache
def lines() -> tuple[str, ...]:
    return tuple((FORMS / "forms.rs").read_text().splitlines())


@pytest.mark.parametrize("form", range(1, 68))
def test_each_form_has_its_fate(form: int) -> None:
    found = of_file("forms.rs").get(f"f{form:02}", [])
    assert EXPECTED.get(form, "dropped") in [one.fate for one in found]


def of_form(form: int) -> Lost:
    wanted = EXPECTED.get(form, "dropped")
    return next(one for one in of_file("forms.rs")[f"f{form:02}"] if one.fate == wanted)


@pytest.mark.parametrize("form", sorted(PLACES))
def test_the_finding_spans_the_call(form: int) -> None:
    found = of_form(form)
    text = lines()[found.line - 1]
    assert re.search(rf"// F{form:02}\b", text)
    assert found.line == found.end_line
    assert text[found.column - 1 : found.end_column - 1] == PLACES[form][0]


@pytest.mark.parametrize("form", sorted(PLACES))
def test_the_place_of_death_is_where_the_error_can_no_longer_be_seen(form: int) -> None:
    found = of_form(form)
    text = lines()[found.death_line - 1]
    assert re.search(rf"// F{form:02}\b", text)
    assert text[found.death_column - 1 :].startswith(PLACES[form][1])


@pytest.mark.parametrize(
    ("form", "text"), [(9, "eprintln!($"), (16, "eprintln!($"), (40, 'eprintln!("{e:?}")')]
)
def test_an_error_that_dies_in_a_macro_is_shown_in_its_body_as_well(form: int, text: str) -> None:
    line, column = of_form(form).body
    assert lines()[line - 1][column - 1 :].startswith(text)


def test_no_form_is_without_its_place() -> None:
    assert sorted(PLACES) == list(range(1, 68))


@pytest.mark.parametrize("form", range(1, 68))
def test_the_twin_of_each_form_loses_nothing(form: int) -> None:
    # Another error of one meaning, raised in its place, is no loss.
    found = of_file("twins.rs").get(f"t{form:02}", [])
    assert [one.fate for one in found if one.fate not in ALIVE | {"cause-lost"}] == []


HELPER = 'fn oops(text: &str, e: &dyn std::fmt::Debug) { warn_log!("{text} {e:?}"); }\n'


@pytest.mark.parametrize("form", [9, 14, 16, 33, 37, 47, 58, 59, 60, 64])
def test_a_log_moved_into_a_helper_function_is_still_a_log(form: int) -> None:
    text = (FORMS / "forms.rs").read_text()
    text = re.sub(r'warn_log!\("(?:x )?\{e:\?\}"\)', 'oops("x", &e)', text)
    text = re.sub(r'warn_log!\("x"\)', 'oops("x", &0)', text)
    found = [one.fate for one in lost(text + HELPER) if one.function == f"f{form:02}"]
    assert "logged" in found
