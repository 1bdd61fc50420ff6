"""Comments that allow a finding."""

from __future__ import annotations

from datetime import date

import msgspec

from inroads.allow import Allows, apply_allows, gather, stale_allows
from inroads.facts import Finding, Kind, Road, Step
from inroads.rust.extract import extract
from made_finding import made_finding

TODAY = date(2026, 11, 30)


def allows_of(source: str) -> Allows:
    return gather({"a.rs": extract(source.encode())})


def finding(line: int, rule: str = "late-sync", kind: Kind = "order", column: int = 5) -> Finding:
    return made_finding(path="a.rs", line=line, end_line=line, column=column, rule=rule, kind=kind)


def road(*lines: int, good: bool = False) -> Road:
    steps = tuple(Step(path="a.rs", line=line, column=1, note="") for line in lines)
    return Road(root="main", path="a.rs", line=lines[0], fingerprint="", steps=steps, good=good)


def allowed(
    source: str, one: Finding, statements: dict[tuple[str, int, int], int] | None = None
) -> list[str]:
    judged = apply_allows([one], statements or {}, allows_of(source), TODAY)
    return [found.reason or "" for found in judged.allowed]


def stale(source: str, *found: Finding, ran: tuple[str, ...] = ("late-sync",)) -> list[tuple[str, int, str]]:
    allows = allows_of(source)
    apply_allows(found, {}, allows, TODAY)
    return [
        (one.rule, one.line, one.message)
        for one in stale_allows(allows, ["late-sync", "other"], lambda mark: mark.rule in ran, TODAY)
    ]


def test_a_comment_behind_the_code_speaks_of_its_line() -> None:
    source = 'fn f() {\n    g(); // inroads: allow(late-sync) reason = "warm-up"\n    g();\n}\n'
    assert allowed(source, finding(2)) == ["warm-up"]
    assert allowed(source, finding(3)) == []


def test_a_comment_above_speaks_of_the_line_of_code_below() -> None:
    source = 'fn f() {\n    // inroads: allow(late-sync) reason = "warm-up"\n    // and more to say\n\n    g();\n}\n'
    assert allowed(source.replace("\n\n", "\n"), finding(4)) == ["warm-up"]
    assert allowed(source, finding(5)) == []


def test_a_comment_above_a_statement_speaks_of_all_its_lines() -> None:
    source = 'fn f() {\n    // inroads: allow(late-sync) reason = "r"\n    let x = a\n        .g();\n}\n'
    assert allowed(source, finding(4), {("a.rs", 4, 5): 3}) == ["r"]


def test_a_comment_above_an_item_speaks_of_all_of_it() -> None:
    source = (
        '// inroads: allow(late-sync) reason = "r"\n#[inline]\nfn f() {\n    g();\n}\nfn h() {\n    g();\n}\n'
    )
    assert allowed(source, finding(4)) == ["r"]
    assert allowed(source, finding(7)) == []


def test_a_comment_between_attribute_and_item_speaks_of_it() -> None:
    source = '#[inline]\n// inroads: allow(late-sync) reason = "r"\nfn f() {\n    g();\n}\n'
    assert allowed(source, finding(4)) == ["r"]


def test_one_comment_may_name_several_rules() -> None:
    source = 'fn f() {\n    g(); // inroads: allow(other, late-sync) reason = "r"\n}\n'
    assert allowed(source, finding(2)) == ["r"]


def test_a_swallowed_error_may_be_allowed_where_it_dies() -> None:
    source = 'fn f() {\n    let r = g();\n    // inroads: allow(late-sync) reason = "r"\n    drop(r);\n}\n'
    one = msgspec.structs.replace(
        finding(2, kind="swallow"), related=(Step(path="a.rs", line=4, column=5, note="dies"),)
    )
    assert allowed(source, one) == ["r"]


def test_an_allow_on_the_way_closes_the_roads_through_it() -> None:
    source = 'fn f() {\n    g(); // inroads: allow(late-sync) reason = "r"\n    g();\n    h();\n}\n'
    one = msgspec.structs.replace(finding(4), roads=(road(2, 4), road(3, 4)), roads_total=2)
    judged = apply_allows([one], {}, allows_of(source), TODAY)
    assert [(len(left.roads), left.roads_total, left.trace[0].line) for left in judged.kept] == [(1, 1, 3)]


def test_a_finding_without_open_roads_is_allowed() -> None:
    source = 'fn f() {\n    g(); // inroads: allow(late-sync) reason = "r"\n    h();\n}\n'
    one = msgspec.structs.replace(finding(3), roads=(road(2, 3), road(1, 3, good=True)), roads_total=1)
    assert allowed(source, one) == ["r"]


def test_a_comment_without_a_finding_is_unused() -> None:
    source = 'fn f() {\n    g(); // inroads: allow(late-sync) reason = "r"\n}\n'
    assert [(rule, line) for rule, line, _ in stale(source)] == [("unused-allow", 2)]
    assert stale(source, finding(2)) == []


def test_a_comment_is_unused_only_for_rules_that_ran() -> None:
    source = 'fn f() {\n    g(); // inroads: allow(other) reason = "r"\n}\n'
    assert stale(source) == []


def test_an_expectation_must_be_met() -> None:
    source = 'fn f() {\n    g(); // inroads: expect(late-sync) reason = "r"\n}\n'
    assert [rule for rule, _, _ in stale(source)] == ["unmet-expect"]
    assert stale(source, finding(2)) == []
    assert allowed(source, finding(2)) == ["r"]


def test_an_unknown_rule_is_told_with_the_nearest() -> None:
    source = 'fn f() {\n    g(); // inroads: allow(late-sink) reason = "r"\n}\n'
    [(rule, _, message)] = stale(source)
    assert rule == "unknown-allow"
    assert 'did you mean "late-sync"?' in message


def test_a_comment_without_reason_protects_nothing_and_is_told() -> None:
    source = "fn f() {\n    g(); // inroads: allow(late-sync)\n}\n"
    assert allowed(source, finding(2)) == []
    [(rule, _, message)] = stale(source)
    assert (rule, "the reason is missing" in message) == ("malformed-allow", True)


def test_a_comment_that_is_no_directive_is_told() -> None:
    wrong = (
        "allw(late-sync)",
        "allow late-sync",
        'allow(late-sync) reson = "r"',
        'allow() reason = "r"',
        "allow(late-sync) reason = r",
    )
    for text in wrong:
        assert [rule for rule, _, _ in stale(f"fn f() {{}} // inroads: {text}\n")] == ["malformed-allow"], (
            text
        )


def test_a_date_ends_an_allow_after_that_day() -> None:
    source = 'fn f() {\n    g(); // inroads: allow(late-sync) reason = "r", until = 2026-11-30\n}\n'
    assert allowed(source, finding(2)) == ["r"]
    past = source.replace("2026-11-30", "2026-11-29")
    assert allowed(past, finding(2)) == []
    assert [rule for rule, _, _ in stale(past, finding(2))] == ["expired-allow"]


def test_a_comment_inside_a_string_is_none() -> None:
    assert allows_of('const A: &str = "// inroads: allow(late-sync)";\n').malformed == []


def test_a_quote_inside_a_reason_is_kept() -> None:
    source = 'fn f() {\n    g(); // inroads: allow(late-sync) reason = "a \\"b\\" c"\n}\n'
    assert allowed(source, finding(2)) == ['a "b" c']


def test_a_reason_inside_the_brackets_is_told_where_it_belongs() -> None:
    (told,) = stale('// inroads: allow(late-sync, reason = "x")\nfn f() {}\n')
    assert told[0] == "malformed-allow"
    assert "the reason stands behind the brackets" in told[2]


def test_documentation_allows_nothing_and_is_told() -> None:
    source = '/// inroads: allow(late-sync) reason = "x"\nfn f() {\n    sync();\n}\n'
    assert allowed(source, finding(3)) == []
    (told,) = stale(source)
    assert told[:2] == ("malformed-allow", 1)
    assert stale("/// Talks to inroads: allow(x).\n//! inroads: allow(x)\nfn f() {}\n") == []


def test_a_kind_is_no_rule() -> None:
    (told,) = stale('// inroads: allow(order) reason = "x"\nfn f() {}\n')
    assert told[2].endswith('no rule is called "order"; that is a kind: name the rule')
