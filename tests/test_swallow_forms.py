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

# The text at the first token of the call, and where it is not the line's own place, at the place of death.
CALLS = {
    29: "io::stdin().lock().lines()",
    38: "s.tx.send",
    39: "s.t()",
    42: "(||",
    43: "std::thread::spawn",
    44: "h.join()",
    45: "af()",
    46: "af()",
    47: "af()",
    53: "writeln!",
    24: "v()",
    25: "v()",
    26: "v()",
    27: "v()",
    28: "v()",
    54: "v()",
    55: "v()",
    56: "v()",
}
DEATHS = {
    1: "u()", 2: "let _", 6: "ok()", 11: "if let", 13: "if let", 18: "unwrap_or_default()",
    19: "unwrap_or(0)", 24: "flatten()", 30: "drop(f())", 34: "while let", 48: "let r",
    49: "r = f()", 63: "is_ok()",
}  # fmt: skip


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


@pytest.mark.parametrize("form", range(1, 68))
def test_the_finding_points_at_the_first_token_of_the_call(form: int) -> None:
    wanted = EXPECTED.get(form, "dropped")
    found = next(one for one in of_file("forms.rs")[f"f{form:02}"] if one.fate == wanted)
    text = lines()[found.line - 1]
    assert re.search(rf"// F{form:02}\b", text)
    call = CALLS.get(form)
    rest = text[found.column - 1 :]
    assert rest.startswith(call) if call is not None else re.match(r"[fu]\(\)", rest)


@pytest.mark.parametrize("form", sorted(DEATHS))
def test_the_place_of_death_is_where_the_error_can_no_longer_be_seen(form: int) -> None:
    wanted = EXPECTED.get(form, "dropped")
    found = next(one for one in of_file("forms.rs")[f"f{form:02}"] if one.fate == wanted)
    assert lines()[found.death_line - 1][found.death_column - 1 :].startswith(DEATHS[form])


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
