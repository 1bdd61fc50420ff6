"""What holds of every control-flow graph, and what hostile bodies cost."""

from __future__ import annotations

import time

import pytest

from graphs import graph_of, program
from inroads.lower.consistency import violations
from inroads.lower.model import Block, Call, Graph, Loop, Raise, Return
from inroads.program import Program
from linking import link_text
from syntax_corpus import snippets

SNIPPETS = snippets()


@pytest.mark.parametrize("name", SNIPPETS)
def test_every_graph_of_the_corpus_is_sound(name: str) -> None:
    whole = Program(link_text(SNIPPETS[name], "2024"))
    for function in whole.tables.functions:
        if function.has_body:
            assert list(violations(whole.graph(function.id))) == []


def test_a_let_that_can_not_be_passed_goes_on() -> None:
    whole = Program(
        link_text("fn go() -> bool { true } fn f() { let false = go(); let Some(x) = go(); go(); }")
    )
    graph = whole.graph(next(one.id for one in whole.tables.functions if one.name == "f"))
    assert list(violations(graph)) == []
    assert sum(isinstance(event, Call) for block in graph.blocks for event in block.events) == 3


@pytest.mark.parametrize("value", ["x.(1)", "crate::(a)"])
def test_an_initialiser_that_calls_nothing_by_name_is_linked(value: str) -> None:
    assert link_text(f"const A: u8 = {value};").initialisers in (0, 1)


def test_a_graph_that_is_not_sound_is_found_out() -> None:
    graph = Graph(
        0,
        (Block(0, (), (1, 9)), Block(1, (Return(None, "plain", None),), (0,)), Block(2, (), ())),
        (Loop(3, 0, 0, 1, 1, None, 7, None, (0, 1)),),
        (),
    )
    assert list(violations(graph)) == [
        "block 0 leads to 9, which is not there",
        "block 1 is a way out and has successors",
        "block 2 leads nowhere and is no way out",
        "block 2 is not reached",
        "the loop of row 3 names block 7, which is not there",
    ]


def test_the_parts_of_a_loop_are_named() -> None:
    graph = graph_of("fn f(xs: &[u32]) { for x in xs { if *x == 0 { break } go(*x) } go(1) }")
    (loop,) = graph.loops
    assert loop.done is not None and loop.after is not None and loop.latch is not None
    assert loop.header in graph.blocks[loop.latch].successors
    assert graph.blocks[loop.header].successors == (loop.body, loop.done)
    assert loop.over == graph.parameters[0]


def test_a_loop_without_an_end_has_no_block_after_it() -> None:
    (loop,) = graph_of("fn f() -> ! { loop { go(1) } }").loops
    assert (loop.done, loop.after) == (None, None)


def test_a_graph_does_not_depend_on_what_was_asked_before() -> None:
    text = (
        "fn a() { with(|| go(1)) } fn with(f: impl Fn()) { if yes() { f() } } fn f() { a(); with(|| go(2)) }"
    )
    first, second = program(text), program(text)
    ids = [one.id for one in first.tables.functions if one.has_body]
    forwards = {id: first.graph(id) for id in ids}
    backwards = {id: second.graph(id) for id in reversed(ids)}
    assert forwards == backwards


def test_a_match_of_many_arms_is_linear() -> None:
    arms = "".join(f"{number} => go({number})," for number in range(3000))
    started = time.process_time()
    graph = graph_of(f"fn f(x: u32) {{ match x {{ {arms} _ => {{}} }} }}")
    assert len(graph.blocks) < 4 * 3000
    assert time.process_time() - started < 20


def test_a_long_chain_of_calls_is_walked() -> None:
    chain = ".map(|x| x + 1)" * 1000
    graph = graph_of(f"fn f() -> Result<u32, String> {{ load(){chain} }}")
    assert {
        event.outcome for block in graph.blocks for event in block.events if isinstance(event, Return)
    } == {"ok", "err"}


def test_many_branches_over_many_variables_stay_affordable() -> None:
    lets = "".join(f"let mut v{number} = {number};" for number in range(200))
    ifs = "".join(f"if yes() {{ v{number} = 1; }}" for number in range(200))
    graph = graph_of(f"fn f() {{ {lets} {ifs} }}")
    assert len(graph.blocks) < 1000


def test_closures_that_call_one_another_twice_do_not_explode() -> None:
    lines = ["let c0 = || go(1);"]
    lines += [f"let c{number} = || {{ c{number - 1}(); c{number - 1}() }};" for number in range(1, 20)]
    graph = graph_of(f"fn f() {{ {' '.join(lines)} c19() }}")
    assert len(graph.blocks) < 100_000


def test_deep_nesting_is_lowered_or_passed_over() -> None:
    depth = 400
    body = "if yes() {" * depth + "go(1)" + "}" * depth
    graph = graph_of(f"fn f() {{ {body} }}")
    assert graph.blocks


def test_a_function_that_hands_its_closure_to_itself_may_run_it() -> None:
    graph = graph_of(
        "fn again(n: u32, f: &dyn Fn()) { if n > 0 { f(); again(n - 1, f) } }\nfn f() { again(3, &|| go(1)) }"
    )
    assert len(graph.blocks) == 4


def test_when_a_callable_runs_does_not_depend_on_who_was_asked_first() -> None:
    text = "fn a(c: &dyn Fn()) { c(); b(c) } fn b(c: &dyn Fn()) { a(c) }"
    words = []
    for order in (("a", "b"), ("b", "a")):
        whole = program(text)
        ids = {one.name: one.id for one in whole.tables.functions}
        words.append({name: whole.runs(ids[name], 0) for name in order})
    assert words[0] == words[1] == {"a": "always", "b": "always"}


def test_a_callable_is_followed_through_many_hands_and_then_given_up() -> None:
    links = "".join(f"fn h{number}(c: &dyn Fn()) {{ h{number + 1}(c) }}\n" for number in range(100))
    whole = program(f"{links} fn h100(c: &dyn Fn()) {{ c() }}")
    ids = {one.name: one.id for one in whole.tables.functions}
    assert whole.runs(ids["h90"], 0) == "always"
    assert whole.runs(ids["h0"], 0) == "may"


def test_closures_full_of_nesting_that_call_one_another_are_cut_off() -> None:
    lines = ["let c0 = || go(1);"]
    for number in range(1, 24):
        body = "if yes() {" * 50 + f" c{number - 1}() " + "}" * 50
        lines.append(f"let c{number} = || {{ {body} }};")
    assert graph_of(f"fn f() {{ {' '.join(lines)} c23() }}").blocks


@pytest.mark.parametrize(
    "body",
    [
        "continue; go(1)",
        "let x = || break; x()",
        "loop { || break }",
        "'a: { || { break 'a } };",
        "async { break };",
        "loop { 'a: loop { continue 'b } }",
    ],
)
def test_a_jump_to_no_loop_goes_on_outside(body: str) -> None:
    graph_of(f"fn f() {{ {body} }}")


@pytest.mark.parametrize(
    "call", ["debug_assert!()", "debug_assert!(a <= &)", "debug_assert_eq!(1)", "assert!()"]
)
def test_an_assertion_of_nothing_is_passed(call: str) -> None:
    graph = graph_of(f"fn f() {{ {call}; go(1) }}")
    assert sum(isinstance(event, Return) for block in graph.blocks for event in block.events) == 1


def test_a_chain_of_combinators_is_linear() -> None:
    def seconds(count: int) -> float:
        text = f"fn f() {{ load(){'.and_then(|x| load())' * count}; }}"
        before = time.process_time()
        graph_of(text)
        return time.process_time() - before

    few, many = (min(seconds(count) for _ in range(2)) for count in (200, 800))
    assert many < 8 * few


def test_the_block_of_a_let_else_does_not_come_to_its_end() -> None:
    graph = graph_of("fn f() { let Some(x) = get() else { foreign::leave() }; go(x) }")
    assert sum(isinstance(event, Raise) for block in graph.blocks for event in block.events) == 1


def test_a_guard_of_two_conditions_does_not_end_an_arm_of_a_select() -> None:
    graph = graph_of(
        "async fn f() { select! { x = task(), if yes() || get().is_some() => { go(1); }, else => go(2) } }"
    )
    assert any(isinstance(event, Return) for block in graph.blocks for event in block.events)
    called = [event.row for block in graph.blocks for event in block.events if isinstance(event, Call)]
    assert len(called) == 5
