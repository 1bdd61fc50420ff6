"""What an order finding says beside its line: certainty with its reason, roads, help, notes."""

from __future__ import annotations

from typing import Any

from inroads.analyses.base import Context
from inroads.analyses.order import OrderRule
from inroads.analyses.order.check import check
from inroads.analyses.order.present import absent
from inroads.check import load
from inroads.facts import Finding, Report
from inroads.rulebook import Choice, RuleTest, read_pack, select_rules
from inroads.settings import Settings
from inroads.testkit import run_test
from inroads.workspace import MemoryTree

HEAD = "fn forward(id: u32) { let _ = id; }\nfn sync(id: u32) { let _ = id; }\n"


def report(text: str, **keys: Any) -> Report:
    """The report of one order rule on a crate whose root is `text`."""
    rule: dict[str, Any] = {"id": "rule", "kind": "order", "title": "too early", "why": "a test"}
    rule |= {"target": ["sync(id: $id)"], "needs": ["forward(id: $id)"], "level": "deny"} | keys
    pack = read_pack({"pack": "test", "rule": [rule]}, "test.toml", tests="optional")
    rulebook = select_rules((pack,), Settings(), Choice())
    return run_test(rulebook, RuleTest("rule", "test", (("src/lib.rs", text),), "2021"))


def finding(text: str, **keys: Any) -> Finding:
    """The one finding of the rule."""
    (found,) = report(text, **keys).findings
    return found


def notes(one: Finding) -> list[str]:
    """The half sentences of its shortest road."""
    return [step.note for step in one.trace]


def test_a_key_that_is_made_here_is_sure() -> None:
    assert finding(HEAD + "pub fn f() { sync(3); }").certainty == "sure"


def test_a_key_out_of_stored_state_is_maybe_and_says_so() -> None:
    text = HEAD + "pub struct Q { next: Option<u32> }\nimpl Q { pub fn f(&mut self) {\n"
    text += "if let Some(id) = self.next.take() { sync(id); } } }"
    found = finding(text)
    assert found.certainty == "maybe"
    assert found.details == ("maybe: the key came out of stored state",)


def test_a_private_root_is_maybe_and_says_so() -> None:
    found = finding(HEAD + "fn f(id: u32) { sync(id); }")
    assert found.certainty == "maybe"
    assert "private" in found.details[0]


def test_a_need_in_a_closure_that_may_run_is_perhaps() -> None:
    text = HEAD + "pub fn f(id: u32, run: &dyn Fn(&dyn Fn())) { run(&|| forward(id)); sync(id); }"
    assert finding(text).certainty == "maybe"


def test_the_finding_points_at_the_name_that_is_called() -> None:
    found = finding(
        "pub struct S;\nimpl S { pub fn sync(&self) {} }\npub fn f(s: &S) { s . sync(); }",
        target=["S::sync"],
        needs=["S::forward"],
    )
    assert (found.line, found.column, found.end_column) == (3, 23, 27)


def test_each_road_has_its_frame_and_its_call() -> None:
    text = HEAD + (
        "fn work() {}\n"
        "fn helper(id: u32) {\n    work();\n    sync(id);\n}\n"
        "pub fn one(id: u32) { work(); helper(id); }\n"
        "pub fn two(id: u32) { work(); helper(id); }\n"
        "pub fn good(id: u32) { forward(id); helper(id); }\n"
    )
    found = finding(text)
    assert found.line == 6
    assert found.roads_total == 2
    assert [(road.root, road.line, road.good) for road in found.roads] == [
        ("example::one", 8, False),
        ("example::two", 9, False),
        ("example::good", 10, True),
    ]
    assert found.label == "no `forward` for `id` on 2 of 3 roads"


def test_the_branch_past_the_need_is_told() -> None:
    text = (
        HEAD
        + "pub fn f(id: u32, draft: Option<u8>) {\n if draft.is_some() {\n  forward(id);\n }\n sync(id);\n}"
    )
    assert notes(finding(text)) == [
        "`f`, an entry point",
        "`draft` is None: the need at 5 is skipped",
        "no `forward` for `id` before this",
    ]


def test_the_loop_that_may_run_zero_times_is_told() -> None:
    text = HEAD + "pub fn f(id: u32, xs: &[u8]) {\n for _x in xs {\n  forward(id);\n }\n sync(id);\n}"
    assert "the loop over `xs` may run zero times: the need at 5 is not reached" in notes(finding(text))


def test_the_need_that_fails_is_told() -> None:
    text = "fn forward() -> Result<(), ()> { Ok(()) }\nfn sync() {}\npub fn f() {\n let _ = forward();\n sync();\n}"
    found = finding(text, target=["sync"], needs=["forward"])
    assert "may fail here: its Result is not tested before the way goes on" in notes(found)


def test_the_undo_is_told() -> None:
    text = (
        HEAD
        + "fn release(id: u32) { let _ = id; }\npub fn f(id: u32) {\n forward(id);\n release(id);\n sync(id);\n}"
    )
    found = finding(text, undone_by=["release(id: $id)"])
    assert "undoes it" in notes(found)
    assert "again" in found.help


def test_help_names_the_place_where_all_ways_still_have_it_before_them() -> None:
    text = HEAD + "pub fn f(id: u32, go: bool) {\n if go {\n  forward(id);\n }\n sync(id);\n}"
    assert "src/lib.rs:4" in finding(text).help


def test_evidence_is_proposed_only_where_it_would_mend_the_finding() -> None:
    text = HEAD + (
        "pub struct Ahead { ids: Vec<u32> }\n"
        "pub struct S { ahead: Option<Ahead> }\n"
        "impl S {\n"
        "    pub fn drop_it(&mut self) {\n"
        "        if let Some(ahead) = self.ahead.take() {\n"
        "            for id in &ahead.ids { sync(*id); }\n"
        "        }\n"
        "    }\n"
        "    pub fn look(&mut self, ids: Vec<u32>) {\n"
        "        for id in &ids { FORWARD(*id); }\n"
        "        self.ahead = Some(Ahead { ids });\n"
        "    }\n"
        "}\n"
    )
    mended = finding(text.replace("FORWARD", "forward"))
    assert 'evidence = ["Ahead { ids: $id, .. }"]' in mended.help
    assert "built only at src/lib.rs:13" in mended.help
    assert "evidence" not in finding(text.replace("FORWARD", "drop")).help


def test_a_tolerated_finding_becomes_a_note_at_the_guard() -> None:
    text = (
        "fn forward() {}\n"
        "fn mirror(lens: &[u32], layers: usize) -> Result<(), ()> {\n"
        "    if lens.is_empty() {\n        return Ok(());\n    }\n"
        "    if lens.len() != layers {\n        return Err(());\n    }\n    Ok(())\n}\n"
        "fn sync(lens: &[u32]) { let _ = mirror(lens, 2); }\n"
        "pub fn f(lens: &[u32]) { sync(lens); }\n"
    )
    keys = {"target": ["sync"], "needs": ["forward"], "fails": ["mirror(lens: $l)"], "bad": "$l.is_empty()"}
    found = report(text, **keys)
    assert found.findings == ()
    (note,) = (note for note in found.notes if note.kind == "tolerated")
    assert (note.path, note.line) == ("src/lib.rs", 3)
    assert "src/lib.rs:12" in note.message


def test_a_guard_behind_the_failing_check_tolerates_nothing() -> None:
    text = (
        "fn forward() {}\n"
        "fn mirror(lens: &[u32], layers: usize) -> Result<(), ()> {\n"
        "    if lens.len() != layers {\n        return Err(());\n    }\n"
        "    if lens.is_empty() {\n        return Ok(());\n    }\n    Ok(())\n}\n"
        "fn sync(lens: &[u32]) { let _ = mirror(lens, 2); }\n"
        "pub fn f(lens: &[u32]) { sync(lens); }\n"
    )
    keys = {"target": ["sync"], "needs": ["forward"], "fails": ["mirror(lens: $l)"], "bad": "$l.is_empty()"}
    assert len(report(text, **keys).findings) == 1


def test_all_expansions_of_one_macro_body_are_one_finding() -> None:
    text = (
        "fn forward() {}\nfn sync() {}\n"
        "macro_rules! entry {\n    ($name:ident) => {\n        pub fn $name() {\n            sync();\n"
        "            forward();\n        }\n    };\n}\n"
        "entry!(one);\nentry!(two);\n"
    )
    found = finding(text, target=["sync"], needs=["forward"])
    assert (found.line, found.roads_total) == (6, 2)


def test_a_need_that_matches_nothing_is_a_problem() -> None:
    found = report(HEAD + "pub fn f(id: u32) { sync(id); }", needs=["forwrd(id: $id)"])
    assert any("needs matches nothing" in problem.message for problem in found.problems)


def test_nine_conditions_make_it_maybe() -> None:
    names = [f"c{number}" for number in range(10)]
    tests = " ".join(f"if {name} {{ work(); }}" for name in names)
    text = (
        "fn forward() {}\nfn sync() {}\nfn work() {}\n"
        f"pub fn f({', '.join(f'{name}: bool' for name in names)}) {{\n"
        f"{tests}\nif c9 {{ forward(); }}\n{tests}\nif c9 {{ sync(); }}\n}}\n"
    )
    found = finding(text, target=["sync"], needs=["forward"])
    assert found.certainty == "maybe"
    assert "more conditions" in found.details[0]


def absence(target: str) -> str | None:
    """Why a target is not in the program with `sync` and `forward`; None where it is."""
    table = {
        "id": "rule",
        "kind": "order",
        "title": "t",
        "why": "w",
        "target": [target],
        "needs": ["forward"],
    }
    pack = read_pack({"pack": "test", "rule": [table]}, "test.toml", tests="optional")
    (rule,) = pack.rules
    assert isinstance(rule, OrderRule)
    files = {"Cargo.toml": b'[package]\nname = "a"\nversion = "0.1.0"\n', "src/lib.rs": HEAD.encode()}
    return absent(rule, load(MemoryTree(files)).program)


def test_a_target_whose_parameter_has_another_name_is_not_there() -> None:
    assert absence("sync(id: $id)") is None
    told = absence("sync(seq: $id)")
    assert told == "target `sync(seq: $id)` is not in this program; `sync` takes (id)"


def test_roads_from_tests_are_counted_and_not_judged() -> None:
    text = (
        HEAD
        + "fn note() {}\npub fn f(id: u32) { note(); sync(id); }\npub fn g(id: u32) { forward(id); f(id); }\n"
    )
    text += "pub fn h(id: u32) { note(); f(id); }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() { super::f(1); super::f(2); }\n"
    text += "    #[test]\n    fn two() { super::g(3); }\n}\n"
    found = finding(text)
    assert (found.roads_total, found.roads_from_tests) == (1, 2)
    judged = finding(text, tests=True)
    assert (judged.roads_total, judged.roads_from_tests) == (3, 0)


def test_roads_from_tests_are_counted_on_the_way_to_where_a_key_is_born() -> None:
    text = HEAD + "fn note() {}\nfn f(id: u32) { note(); sync(id); }\nfn g(id: u32) { note(); f(id); }\n"
    text += "pub fn born() { note(); g(3); }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() { super::g(1); }\n"
    text += "    #[test]\n    fn two() { super::born(); }\n}\n"
    # A test that calls the function in which the key is made comes by a road that is told.
    assert finding(text).roads_from_tests == 1


def test_a_hundred_roads_from_tests_are_enough() -> None:
    text = HEAD + "pub fn f(id: u32) { sync(id); }\n#[cfg(test)]\nmod tests {\n"
    text += (
        "\n".join(f"    #[test] fn t{number}() {{ super::f({number}); }}" for number in range(150)) + "\n}\n"
    )
    assert finding(text).roads_from_tests == 101


def test_what_is_not_told_judges_no_test() -> None:
    text = HEAD + "pub fn f(id: u32) { forward(id); sync(id); }\n"
    text += "#[cfg(test)]\nmod tests { #[test] fn one() { super::f(1); } }\n"
    manifest = b'[package]\nname = "e"\nversion = "0.1.0"\nedition = "2021"\n'
    program = load(MemoryTree({"src/lib.rs": text.encode(), "Cargo.toml": manifest})).program
    pack = read_pack(
        {
            "pack": "t",
            "rule": [
                {
                    "id": "r",
                    "kind": "order",
                    "title": "t",
                    "why": "w",
                    "target": ["sync(id: $id)"],
                    "needs": ["forward(id: $id)"],
                }
            ],
        },
        "t.toml",
        tests="optional",
    )
    (rule,) = (one for one in pack.rules if isinstance(one, OrderRule))
    assert not any(isinstance(one, Finding) for one in check(rule, program, Context()))
    judged = {program.tables.functions[function].name for function in program._judged}
    assert "one" not in judged


def test_a_turn_of_a_loop_leads_past_no_need_behind_the_loop() -> None:
    text = HEAD + "pub fn f(id: u32, ids: &[u32], go: bool) {\n    if ids.is_empty() { return; }\n"
    text += "    for one in ids { note(*one); }\n    if go { forward(id); }\n    sync(id);\n}\n"
    text += "fn note(id: u32) { let _ = id; }\n"
    found = finding(text)
    assert [(step.line, step.note.partition(":")[0]) for step in found.trace[1:-1]] == [(6, "`go` is false")]


CLOSED = (
    "pub struct P;\nimpl P { pub fn get(&self) {} pub fn close(&self) {} pub fn open(&self, key: u32) {} }\n"
)


def test_a_use_after_the_end_says_what_it_comes_after() -> None:
    keys: dict[str, Any] = {"target": ["P::get($p)"], "needs": [], "undone_by": ["P::close($p)"]}
    found = finding(CLOSED + "pub fn f(p: &P) { p.close(); p.get(); }", initially="met", **keys)
    assert found.label == "comes after `close` for `p`"
    assert found.help == "do it before `close` for `p`, or not at all"


def test_a_need_with_too_few_arguments_is_a_problem_that_says_what_it_takes() -> None:
    found = report(
        CLOSED + "pub fn f(p: &P) { p.open(1); p.get(); }", target=["P::get($p)"], needs=["P::open($p)"]
    )
    assert [one.message for one in found.problems] == [
        'rule "rule": needs matches nothing in this program; `P::open` takes (self, key)'
    ]


def test_a_need_with_more_behind_it_takes_any() -> None:
    text = CLOSED + "pub fn f(p: &P) { p.open(1); p.get(); }"
    found = report(text, target=["P::get($p)"], needs=["P::open($p, ..)"])
    assert not found.findings and not found.problems
