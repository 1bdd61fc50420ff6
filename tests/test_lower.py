"""Each construct of a body becomes the graph that it stands for; `graphs.show` tells a block a line."""

from __future__ import annotations

from graphs import same, shown


def test_if_and_else_meet_after_their_arms() -> None:
    same(
        shown("fn f(a: bool) { if a { go(1) } else { go(2) } go(3) }"),
        """
        0: -> 1 2
        1: [a is true]; call go(1) -> 3
        2: [a is false]; call go(2) -> 3
        3: call go(3); return plain
        """,
    )


def test_an_else_if_is_asked_where_the_first_condition_is_false() -> None:
    same(
        shown("fn f(a: bool, b: bool) { if a { go(1) } else if b { go(2) } go(3) }"),
        """
        0: -> 1 2
        1: [a is true]; call go(1) -> 6
        2: [a is false] -> 3 4
        3: [b is true]; call go(2) -> 5
        4: [b is false] -> 5
        5: -> 6
        6: call go(3); return plain
        """,
    )


def test_an_if_let_binds_what_is_inside() -> None:
    same(
        shown("fn f(o: Option<u32>) { if let Some(x) = o { go(x) } }"),
        """
        0: -> 1 2
        1: [o is Some]; call go(o) -> 3
        2: [o is None] -> 3
        3: return plain
        """,
    )


def test_a_let_chain_fails_at_each_of_its_links() -> None:
    same(
        shown("fn f(o: Option<u32>, b: bool) { if let Some(x) = o && b && yes() { go(x) } }"),
        """
        0: -> 1 2
        1: [o is Some] -> 3 4
        2: [o is None] -> 5
        3: [b is true]; call yes() -> 6 7
        4: [b is false] -> 5
        5: -> 8
        6: [the result of `yes` is true]; call go(o) -> 9
        7: [the result of `yes` is false] -> 8
        8: -> 9
        9: return plain
        """,
    )


def test_or_runs_its_right_side_where_the_left_is_false() -> None:
    same(
        shown("fn f(a: bool) { if a || yes() { go(1) } }"),
        """
        0: -> 1 2
        1: [a is true] -> 5
        2: [a is false]; call yes() -> 3 4
        3: [the result of `yes` is true] -> 5
        4: [the result of `yes` is false] -> 6
        5: call go(1) -> 6
        6: return plain
        """,
    )


def test_and_as_a_value_keeps_its_ends_apart_until_it_is_tested() -> None:
    same(
        shown("fn f(a: bool) { let both = a && yes(); go(1); if both { go(2) } }"),
        """
        0: -> 1 2
        1: [a is true]; call yes(); join a new value <- the result of `yes` -> 3
        2: [a is false]; join a new value <- false -> 3
        3: call go(1) -> 4 5
        4: [both is true]; call go(2) -> 6
        5: [both is false] -> 6
        6: return plain
        """,
    )


def test_arms_of_a_match_are_asked_in_order_and_the_last_without_a_twin() -> None:
    same(
        shown(
            "fn f(k: Kind) { match k { Kind::One(x) => go(x), Kind::Two { to } => go(to), Kind::Three => {} } }"
        ),
        """
        0: -> 1 2
        1: [k is One]; call go(k.0) -> 6
        2: [k is not One] -> 3 4
        3: [k is Two]; call go(k.to) -> 6
        4: [k is not Two] -> 5
        5: [k is Three] -> 6
        6: return plain
        """,
    )


def test_a_guard_that_fails_goes_on_to_the_next_arm() -> None:
    same(
        shown(
            "fn f(r: Result<u32, String>) { match r { Ok(n) if n > 4 => go(n), Ok(_) => go(1), Err(_) => go(2) } }"
        ),
        """
        0: -> 1 2
        1: [r is Ok] -> 3 4
        2: [r is Err]; call go(2) -> 5
        3: [r <= 4]; call go(1) -> 5
        4: [r > 4]; call go(r) -> 5
        5: return plain
        """,
    )


def test_alternatives_of_a_pattern_meet_with_one_name() -> None:
    same(
        shown("fn f(r: Result<u32, u32>) { match r { Ok(x) | Err(x) => go(x) } }"),
        """
        0: -> 1 2
        1: [r is Ok]; join x <- r -> 3
        2: [r is Err]; join x <- the error of r -> 3
        3: call go(x); return plain
        """,
    )


def test_a_nested_pattern_is_tested_from_outside_to_inside() -> None:
    same(
        shown("fn f(r: Result<Option<u32>, String>) { if let Ok(Some(x)) = r { go(x) } }"),
        """
        0: -> 1 2
        1: [r is Ok] -> 3 4
        2: [r is Err] -> 5
        3: [r.0 is Some]; call go(r) -> 6
        4: [r.0 is None] -> 5
        5: -> 6
        6: return plain
        """,
    )


def test_a_slice_pattern_tests_the_length() -> None:
    same(
        shown(
            "fn f(v: &[u32]) { match v { [] => {} [one] => go(*one), [first, .., last] => { go(*first); go(*last) } } }"
        ),
        """
        0: -> 1 2
        1: [v.len() == 0] -> 6
        2: [v.len() != 0] -> 3 4
        3: [v.len() == 1]; call go(v[0]) -> 6
        4: [v.len() != 1] -> 5
        5: [v.len() >= 2]; call go(v[0]); call go(v[-1]) -> 6
        6: return plain
        """,
    )


def test_let_else_leaves_where_the_pattern_fails() -> None:
    same(
        shown("fn f(r: Result<u32, String>) { let Ok(x) = r else { go(1); return }; go(x) }"),
        """
        0: -> 1 2
        1: [r is Ok]; call go(r); return plain
        2: [r is Err]; call go(1); return plain
        """,
    )


def test_a_question_mark_on_a_result_returns_its_error() -> None:
    same(
        shown("fn f() -> Result<u32, String> { let x = load()?; go(x); Ok(x) }"),
        """
        0: call load() -> 1 2
        1: [the result of `load` is Ok]; call go(x); return ok
        2: [the result of `load` is Err]; return err
        """,
    )


def test_a_question_mark_on_an_option_returns_none() -> None:
    same(
        shown("fn f() -> Option<u32> { let x = get()?; Some(x) }"),
        """
        0: call get() -> 1 2
        1: [the result of `get` is Some]; return some
        2: [the result of `get` is None]; return none
        """,
    )


def test_a_result_that_is_handed_on_leaves_both_ways() -> None:
    same(
        shown("fn f() -> Result<u32, String> { load() }"),
        """
        0: call load() -> 1 2
        1: [the result of `load` is Ok]; return ok
        2: [the result of `load` is Err]; return err
        """,
    )


def test_a_bool_that_is_handed_on_leaves_both_ways() -> None:
    same(
        shown("fn f(o: Option<u32>) -> bool { o.is_some() }"),
        """
        0: -> 1 2
        1: [o is Some]; return true
        2: [o is None]; return false
        """,
    )


def test_a_match_in_tail_position_leaves_by_each_arm() -> None:
    same(
        shown(
            "fn f(o: Option<u32>) -> Option<u32> { match o { Some(x) => { go(x); Some(x) } None => None } }"
        ),
        """
        0: -> 1 2
        1: [o is Some]; call go(o); return some
        2: [o is None]; return none
        """,
    )


def test_a_return_in_the_middle_ends_its_path() -> None:
    same(
        shown("fn f(b: bool) { if b { return } go(1) }"),
        """
        0: -> 1 2
        1: [b is true]; return plain
        2: [b is false]; call go(1); return plain
        """,
    )


def test_a_loop_goes_back_through_one_latch() -> None:
    same(
        shown("fn f() { loop { if yes() { continue } go(1) } }"),
        """
        0: -> 1
        1: -> 2
        2: call yes() -> 3 4
        3: [the result of `yes` is true] -> 5
        4: [the result of `yes` is false]; call go(1) -> 5
        5: -> 6
        6: -> 1
        """,
    )


def test_break_with_a_value_leaves_the_labelled_loop() -> None:
    same(
        shown("""fn f() -> u32 { 'a: loop { loop { if yes() { break 'a 3 } go(1) } } }"""),
        """
        0: -> 1
        1: -> 2
        2: -> 3
        3: -> 4
        4: call yes() -> 5 6
        5: [the result of `yes` is true] -> 8
        6: [the result of `yes` is false]; call go(1) -> 7
        7: -> 3
        8: return plain
        """,
    )


def test_a_labelled_block_is_left_by_break() -> None:
    same(
        shown("""fn f() -> u32 { let x = 'b: { if yes() { break 'b 1 } go(1); 2 }; go(3); x }"""),
        """
        0: call yes() -> 1 2
        1: [the result of `yes` is true]; join a new value <- 1 -> 3
        2: [the result of `yes` is false]; call go(1); join a new value <- 2 -> 3
        3: call go(3); return plain
        """,
    )


def test_a_while_loop_asks_before_each_turn() -> None:
    same(
        shown("fn f() { while yes() { go(1) } go(2) }"),
        """
        0: -> 1
        1: call yes() -> 2 3
        2: [the result of `yes` is true]; call go(1) -> 4
        3: [the result of `yes` is false] -> 5
        4: -> 1
        5: call go(2); return plain
        """,
    )


def test_while_let_binds_this_turns_value() -> None:
    same(
        shown("fn f(mut v: Vec<u32>) { while let Some(x) = v.pop() { go(x) } }"),
        """
        0: -> 1
        1: join the result of `pop` <- each(v) -> 2 3
        2: [the result of `pop` is Some]; call go(x) -> 4
        3: [the result of `pop` is None] -> 5
        4: -> 1
        5: return plain
        """,
    )


def test_a_for_loop_binds_an_element_of_its_collection() -> None:
    same(
        shown("fn f(xs: &[Item]) { for x in xs { if x.live { continue } go(x.id) } go(1) }"),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn] -> 4 5
        3: [no more turns] -> 8
        4: [each(xs).live is true] -> 6
        5: [each(xs).live is false]; call go(each(xs).id) -> 6
        6: -> 7
        7: -> 1
        8: call go(1); return plain
        """,
    )


def test_continue_with_a_label_ends_the_outer_turn() -> None:
    same(
        shown(
            """fn f(xs: &[Vec<u32>]) { 'o: for ys in xs { for y in ys { if *y == 0 { continue 'o } go(*y) } go(1) } }"""
        ),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn] -> 4
        3: [no more turns] -> 13
        4: -> 5 6
        5: [another turn] -> 7 8
        6: [no more turns] -> 10
        7: [each(each(xs)) == 0] -> 11
        8: [each(each(xs)) != 0]; call go(each(each(xs))) -> 9
        9: -> 4
        10: call go(1) -> 11
        11: -> 12
        12: -> 1
        13: return plain
        """,
    )


def test_a_panic_ends_the_path() -> None:
    same(
        shown("""fn f(b: bool) { if b { panic!("no") } go(1) }"""),
        """
        0: -> 1 2
        1: [b is true]; panic
        2: [b is false]; call go(1); return plain
        """,
    )


def test_exit_and_functions_that_never_return_end_the_path() -> None:
    same(
        shown("fn f(b: bool) { if b { std::process::exit(1) } else { never() } }"),
        """
        0: -> 1 2
        1: [b is true]; call exit(1); exit
        2: [b is false]; call never(); diverge
        """,
    )


def test_unwrap_goes_on_where_there_is_something() -> None:
    same(
        shown("fn f() { let x = load().unwrap(); go(x) }"),
        """
        0: call load() -> 1 2
        1: [the result of `load` is Ok]; call go(x); return plain
        2: [the result of `load` is Err]; panic
        """,
    )


def test_unwrap_or_else_runs_its_closure_on_the_error() -> None:
    same(
        shown("fn f() { let x = load().unwrap_or_else(|_| { go(1); 2 }); go(x) }"),
        """
        0: call load() -> 1 2
        1: [the result of `load` is Ok]; join a new value <- the result of `load` -> 3
        2: [the result of `load` is Err]; call go(1); join a new value <- 2 -> 3
        3: call go(x); return plain
        """,
    )


def test_and_then_is_a_match() -> None:
    same(
        shown("fn f() -> Result<u32, String> { load().and_then(|x| { go(x); Ok(x) }) }"),
        """
        0: call load() -> 1 2
        1: [the result of `load` is Ok]; call go(x); return ok
        2: [the result of `load` is Err]; return err
        """,
    )


def test_map_err_keeps_the_answer() -> None:
    same(
        shown("fn f() -> Result<u32, String> { let x = load().map_err(|e| { go(1); e })?; Ok(x) }"),
        """
        0: call load() -> 1 2
        1: [the result of `load` is Ok]; return ok
        2: [the result of `load` is Err]; call go(1); return err
        """,
    )


def test_is_err_is_a_test_of_the_result() -> None:
    same(
        shown("fn f(r: Result<u32, String>) { if r.is_err() { return } go(1) }"),
        """
        0: -> 1 2
        1: [r is Ok]; call go(1); return plain
        2: [r is Err]; return plain
        """,
    )


def test_a_stored_result_is_tested_where_it_is_asked() -> None:
    same(
        shown("fn f() { let r = load(); go(1); if let Ok(x) = r { go(x) } }"),
        """
        0: call load(); call go(1) -> 1 2
        1: [r is Ok]; call go(r) -> 3
        2: [r is Err] -> 3
        3: return plain
        """,
    )


def test_then_runs_its_closure_where_the_condition_holds() -> None:
    same(
        shown("fn f(b: bool) -> Option<u32> { b.then(|| { go(1); 5 }) }"),
        """
        0: -> 1 2
        1: [b is true]; call go(1); return some
        2: [b is false]; return none
        """,
    )


def test_for_each_is_a_loop() -> None:
    same(
        shown("fn f(xs: &[Item]) { xs.iter().for_each(|x| go(x.id)) }"),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn]; call go(each(xs).id) -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: return plain
        """,
    )


def test_adaptors_run_at_the_consumer() -> None:
    same(
        shown("""
        fn f(xs: &[Item]) {
            let lazy = xs.iter().filter(|x| x.live).map(|x| x.id);
            go(1);
            lazy.for_each(|id| go(id))
        }
        """),
        """
        0: call go(1) -> 1
        1: -> 2 3
        2: [another turn] -> 4 5
        3: [no more turns] -> 8
        4: [each(xs).live is true]; call go(each(xs).id) -> 6
        5: [each(xs).live is false] -> 6
        6: -> 7
        7: -> 1
        8: return plain
        """,
    )


def test_any_leaves_at_the_first_answer() -> None:
    same(
        shown("fn f(xs: &[Item]) -> bool { xs.iter().any(|x| x.live) }"),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn] -> 4 5
        3: [no more turns]; return false
        4: [each(xs).live is true]; return true
        5: [each(xs).live is false] -> 6
        6: -> 1
        """,
    )


def test_collecting_results_leaves_at_the_first_error() -> None:
    same(
        shown("fn f(xs: &[u32]) -> Result<Vec<u32>, String> { xs.iter().map(|_| load()).collect() }"),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn]; call load() -> 4 5
        3: [no more turns]; return ok
        4: [the result of `load` is Ok] -> 6
        5: [the result of `load` is Err]; return err
        6: -> 1
        """,
    )


def test_a_mapped_collection_keeps_its_elements() -> None:
    same(
        shown(
            "fn f(xs: &[Item]) { let ids: Vec<u32> = xs.iter().map(|x| x.id).collect(); for id in ids { go(id) } }"
        ),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn] -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: -> 6
        6: -> 7 8
        7: [another turn]; call go(each(xs).id) -> 9
        8: [no more turns] -> 10
        9: -> 6
        10: return plain
        """,
    )


def test_a_filtered_collection_is_a_part() -> None:
    same(
        shown("""
        fn f(xs: &[Item]) {
            let some: Vec<&Item> = xs.iter().filter(|x| x.live).collect();
            for x in some { go(x.id) }
        }
        """),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn] -> 4 5
        3: [no more turns] -> 8
        4: [each(xs).live is true] -> 6
        5: [each(xs).live is false] -> 6
        6: -> 7
        7: -> 1
        8: -> 9
        9: -> 10 11
        10: [another turn]; call go(each(a part of xs).id) -> 12
        11: [no more turns] -> 13
        12: -> 9
        13: return plain
        """,
    )


def test_enumerate_keeps_the_element() -> None:
    same(
        shown("fn f(xs: &[Item]) { for (n, x) in xs.iter().enumerate() { go(x.id) } }"),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn]; call go(each(xs).id) -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: return plain
        """,
    )


def test_a_closure_in_a_variable_runs_where_it_is_called() -> None:
    same(
        shown("fn f() { let run = |x: u32| go(x); go(1); run(2) }"),
        """
        0: call go(1); call go(2); return plain
        """,
    )


def test_a_question_mark_in_a_closure_ends_the_closure() -> None:
    same(
        shown(
            "fn f() { let run = || -> Option<u32> { let x = get()?; go(x); Some(x) }; if run().is_some() { go(2) } }"
        ),
        """
        0: call get() -> 1 2
        1: [the result of `get` is Some]; call go(x) -> 3
        2: [the result of `get` is None] -> 3
        3: -> 4 5
        4: [x is Some]; call go(2) -> 6
        5: [x is None] -> 6
        6: return plain
        """,
    )


def test_a_closure_runs_where_the_callee_surely_runs_it() -> None:
    same(
        shown("""
        fn with(run: impl FnOnce(u32)) { go(1); run(3) }
        fn f() { with(|x| go(2)) }
        """),
        """
        0: call with(a new value); call go(2); return plain
        """,
    )


def test_a_closure_that_a_callee_may_run_stands_on_a_branch() -> None:
    same(
        shown("""
        fn maybe(run: impl Fn()) { if yes() { run() } }
        fn f() { maybe(|| go(2)); go(3) }
        """),
        """
        0: call maybe(a new value) -> 1 2
        1: [it runs]; call go(2) -> 3
        2: [it does not run] -> 3
        3: call go(3); return plain
        """,
    )


def test_a_closure_that_runs_before_some_runs_where_it_is_some() -> None:
    same(
        shown("""
        fn with<R>(run: impl FnOnce(u32) -> R) -> Option<R> { let x = get()?; Some(run(x)) }
        fn f() -> Option<()> { with(|x| go(2))?; go(3); Some(()) }
        """),
        """
        0: call with(a new value) -> 1 2
        1: [the result of `with` is Some]; call go(2); call go(3); return some
        2: [the result of `with` is None] -> 3 4
        3: [it runs]; call go(2) -> 5
        4: [it does not run] -> 5
        5: return none
        """,
    )


def test_an_async_call_happens_at_its_await() -> None:
    same(
        shown("async fn f() -> Result<u32, String> { let later = task(); go(1); later.await }"),
        """
        0: call go(1); call task(); await -> 1 2
        1: [the result of `task` is Ok]; return ok
        2: [the result of `task` is Err]; return err
        """,
    )


def test_an_async_block_runs_at_its_await() -> None:
    same(
        shown("async fn f() { let later = async { go(1); 5 }; go(2); go(later.await) }"),
        """
        0: call go(2); call go(1); await; call go(5); return plain
        """,
    )


def test_a_future_that_is_returned_runs() -> None:
    same(
        shown("fn f() -> impl Future<Output = ()> { async { go(1) } }"),
        """
        0: call go(1); return plain
        """,
    )


def test_a_thread_starts_here_and_has_run_once_it_is_joined() -> None:
    same(
        shown("fn f() { let handle = std::thread::spawn(|| go(1)); go(2); handle.join().unwrap(); go(3) }"),
        """
        0: -> 1 2
        1: [spawned]; call go(1); return detached
        2: [the spawner]; call go(2) -> 3 4
        3: [a new value is Ok]; call go(1); call go(3); return plain
        4: [a new value is Err]; panic
        """,
    )


def test_assert_panics_where_it_fails() -> None:
    same(
        shown("fn f(a: u32) { assert!(a > 1); go(1) }"),
        """
        0: -> 1 2
        1: [a <= 1]; panic
        2: [a > 1]; call go(1); return plain
        """,
    )


def test_a_debug_assert_may_be_passed_by() -> None:
    same(
        shown("fn f() { debug_assert!(yes()); go(1) }"),
        """
        0: -> 1 2
        1: [it runs]; call yes() -> 3 4
        2: [it does not run] -> 5
        3: [the result of `yes` is true] -> 5
        4: [the result of `yes` is false]; panic
        5: call go(1); return plain
        """,
    )


def test_matches_is_a_test_with_a_guard() -> None:
    same(
        shown("fn f(o: Option<u32>) { if matches!(o, Some(x) if x > 1) { go(1) } }"),
        """
        0: -> 1 2
        1: [o is Some] -> 3 4
        2: [o is None] -> 5
        3: [o <= 1] -> 5
        4: [o > 1]; call go(1) -> 6
        5: -> 6
        6: return plain
        """,
    )


def test_lengths_are_compared_in_one_form() -> None:
    same(
        shown("""
        fn f(v: &[u32]) {
            if v.is_empty() { go(0) }
            if v.len() > 0 { go(1) }
            if v.len() < 1 { go(2) }
            if !(v.len() == 0) { go(3) }
        }
        """),
        """
        0: -> 1 2
        1: [v.len() == 0]; call go(0) -> 3
        2: [v.len() != 0] -> 3
        3: -> 4 5
        4: [v.len() == 0] -> 6
        5: [v.len() != 0]; call go(1) -> 6
        6: -> 7 8
        7: [v.len() == 0]; call go(2) -> 9
        8: [v.len() != 0] -> 9
        9: -> 10 11
        10: [v.len() == 0] -> 12
        11: [v.len() != 0]; call go(3) -> 12
        12: return plain
        """,
    )


def test_a_condition_in_a_variable_is_the_condition() -> None:
    same(
        shown("fn f(o: Option<u32>) { let here = o.is_some(); go(1); if !here { return } go(2) }"),
        """
        0: call go(1) -> 1 2
        1: [o is Some]; call go(2); return plain
        2: [o is None]; return plain
        """,
    )


def test_a_flag_is_written_on_each_path() -> None:
    same(
        shown("fn f(b: bool) { let mut done = false; if b { done = true } if done { go(1) } }"),
        """
        0: let done <- false -> 1 2
        1: [b is true]; = done <- true; join done <- true -> 3
        2: [b is false]; join done <- false -> 3
        3: -> 4 5
        4: [done is true]; call go(1) -> 6
        5: [done is false] -> 6
        6: return plain
        """,
    )


def test_a_field_is_another_place_after_a_write() -> None:
    same(
        shown("fn f(x: &mut Item) { let before = x.id; x.id = 3; go(x.id); go(before) }"),
        """
        0: = x.id <- 3; call go(x.id); call go(x.id); return plain
        """,
    )


def test_take_leaves_none() -> None:
    same(
        shown("fn f(x: &mut Item) { x.slot.take(); if x.slot.is_some() { go(1) } go(2) }"),
        """
        0: join the result of `take` <- x.slot; = x.slot <- none; call go(2); return plain
        """,
    )


def test_swapped_places_have_each_others_value() -> None:
    same(
        shown("fn f(mut a: Item, mut b: Item) { std::mem::swap(&mut a.slot, &mut b.slot); go(a.slot) }"),
        """
        0: call swap(a.slot, b.slot); join a new value <- a.slot; = a.slot <- b.slot; = b.slot <- a new value; call go(a.slot); return plain
        """,
    )


def test_a_fold_hands_its_value_from_turn_to_turn() -> None:
    same(
        shown("fn f(v: Vec<u32>, n: u32) { go(v.iter().fold(n, |_, x| { go(*x); *x })) }"),
        """
        0: call fold(v, n, a new value); join fold() <- n -> 1
        1: -> 2 3
        2: [another turn]; call go(each(v)); join fold() <- each(v) -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: call go(fold()); return plain
        """,
    )


def test_unsafe_and_const_blocks_run_in_place() -> None:
    same(
        shown("fn f() { unsafe { go(1) } const { go(2) } go(3) }"),
        """
        0: call go(1); call go(2); call go(3); return plain
        """,
    )


def test_a_tuple_is_known_by_its_elements() -> None:
    same(
        shown("fn f(a: u32) { let pair = (a, load()); go(pair.0); if pair.1.is_ok() { go(2) } }"),
        """
        0: call load(); build () {0: a, 1: the result of `load`}; call go(a) -> 1 2
        1: [the result of `load` is Ok]; call go(2) -> 3
        2: [the result of `load` is Err] -> 3
        3: return plain
        """,
    )


def test_a_struct_literal_is_known_by_its_fields() -> None:
    same(
        shown("fn f(x: u32) { let k = Kind::Two { to: x }; if let Kind::Two { to } = k { go(to) } }"),
        """
        0: build Two {to: x}; call go(x); return plain
        """,
    )


def test_a_guard_is_dropped_at_the_end_of_its_scope() -> None:
    same(
        shown("fn f(s: &Store) { { let held = s.items.lock().unwrap(); go(1); } go(2) }", drops=True),
        """
        0: -> 1 2
        1: [the result of `lock` is Ok]; call go(1); drop s.items; call go(2); return plain
        2: [the result of `lock` is Err]; panic
        """,
    )


def test_a_discarded_guard_is_dropped_at_once() -> None:
    same(
        shown("fn f(s: &Store) { let _ = s.items.lock(); go(1) }", drops=True),
        """
        0: drop s.items; call go(1); return plain
        """,
    )


def test_a_temporary_is_dropped_with_its_statement() -> None:
    same(
        shown("fn f(s: &Store) { s.items.lock().unwrap().push(1); go(1) }", drops=True),
        """
        0: -> 1 2
        1: [the result of `lock` is Ok]; drop s.items; call go(1); return plain
        2: [the result of `lock` is Err]; panic
        """,
    )


def test_drop_ends_a_value_where_it_stands() -> None:
    same(
        shown("fn f(s: &Store) { let held = s.items.lock().unwrap(); drop(held); go(1) }", drops=True),
        """
        0: -> 1 2
        1: [the result of `lock` is Ok]; call drop(s.items); drop s.items; call go(1); return plain
        2: [the result of `lock` is Err]; panic
        """,
    )


def test_a_return_drops_what_it_leaves() -> None:
    same(
        shown(
            "fn f(s: &Store, b: bool) { let held = s.items.lock().unwrap(); if b { return } go(1) }",
            drops=True,
        ),
        """
        0: -> 1 2
        1: [the result of `lock` is Ok] -> 3 4
        2: [the result of `lock` is Err]; panic
        3: [b is true]; drop s.items; return plain
        4: [b is false]; call go(1); drop s.items; return plain
        """,
    )


def test_a_drop_impl_runs_at_the_end_of_the_scope() -> None:
    same(
        shown(
            """
        struct Tidy;
        impl Drop for Tidy { fn drop(&mut self) { go(1) } }
        fn f() { let tidy = Tidy; go(2) }
        """,
            drops=True,
        ),
        """
        0: build Tidy {}; call go(2); drop tidy; call drop(tidy); return plain
        """,
    )


def test_a_value_that_is_given_away_is_not_dropped() -> None:
    same(
        shown(
            """
        struct Tidy;
        impl Drop for Tidy { fn drop(&mut self) { go(1) } }
        fn keep(t: Tidy) { std::mem::forget(t) }
        fn f() { let tidy = Tidy; keep(tidy) }
        """,
            drops=True,
        ),
        """
        0: build Tidy {}; move tidy into call; call keep(tidy); return plain
        """,
    )


def test_uses_of_fields_and_statics_are_told() -> None:
    same(
        shown(
            """
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        fn f(x: &Item) { go(x.id); let n = COUNT.load(std::sync::atomic::Ordering::SeqCst); }
        """,
            reads=True,
        ),
        """
        0: read x.id; call go(x.id); read COUNT; call load(COUNT, SeqCst); return plain
        """,
    )


def test_one_arm_of_select_wins() -> None:
    same(
        shown("""
        async fn f() { tokio::select! { x = task() => { go(1) } _ = tokio::time::sleep(d()) => go(2), } go(3) }
        fn d() -> std::time::Duration { std::time::Duration::ZERO }
        """),
        """
        0: -> 1 2
        1: [this arm]; call task(); call go(1) -> 4
        2: [another arm] -> 3
        3: [this arm]; call d(); call sleep(the result of `d`); call go(2) -> 4
        4: call go(3); return plain
        """,
    )


def test_join_runs_all_of_its_futures() -> None:
    same(
        shown("async fn f() { let (a, b) = tokio::join!(task(), async { go(1); 2 }); go(b) }"),
        """
        0: -> 1 2
        1: [spawned]; call go(1); return detached
        2: [the spawner]; call task(); call go(1); call go(2); return plain
        """,
    )


def test_try_join_leaves_at_the_first_error() -> None:
    same(
        shown("async fn f() -> Result<(), String> { tokio::try_join!(task(), task())?; go(1); Ok(()) }"),
        """
        0: -> 1 2
        1: [spawned]; call task(); return detached
        2: [the spawner]; call task() -> 3 4
        3: [the result of `task` is Ok]; call task() -> 5 6
        4: [the result of `task` is Err]; return err
        5: [the result of `task` is Ok]; call go(1); return ok
        6: [the result of `task` is Err]; return err
        """,
    )


def test_a_task_that_is_spawned_has_run_once_it_is_awaited() -> None:
    same(
        shown(
            "async fn f() { let handle = tokio::spawn(async { go(1) }); go(2); if handle.await.is_ok() { go(3) } }"
        ),
        """
        0: -> 1 2
        1: [spawned]; call go(1); return detached
        2: [the spawner]; call go(2) -> 3 4
        3: [a new value is Ok]; call go(1); await -> 5
        4: [a new value is Err]; await -> 5
        5: -> 6 7
        6: [a new value is Ok]; call go(3) -> 8
        7: [a new value is Err] -> 8
        8: return plain
        """,
    )


def test_a_future_under_a_timeout_may_not_have_run() -> None:
    same(
        shown("""
        async fn f() { if tokio::time::timeout(d(), task()).await.is_ok() { go(1) } }
        fn d() -> std::time::Duration { std::time::Duration::ZERO }
        """),
        """
        0: call d(); call timeout(the result of `d`, a new value) -> 1 2
        1: [it runs]; call task(); await; join a new value <- ok -> 3
        2: [it does not run]; await; join a new value <- err -> 3
        3: -> 4 5
        4: [a new value is Ok]; call go(1) -> 6
        5: [a new value is Err] -> 6
        6: return plain
        """,
    )


def test_a_function_that_is_named_as_a_value_runs_at_the_consumer() -> None:
    same(
        shown("fn f(xs: Vec<u32>) { xs.into_iter().for_each(go); go(1) }"),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn]; call go(each(xs)) -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: call go(1); return plain
        """,
    )


def test_filter_map_passes_over_none() -> None:
    same(
        shown("fn f(xs: &[Item]) { for id in xs.iter().filter_map(|x| x.slot) { go(id) } }"),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn] -> 4 5
        3: [no more turns] -> 8
        4: [each(xs).slot is Some]; call go(each(xs).slot) -> 6
        5: [each(xs).slot is None] -> 6
        6: -> 7
        7: -> 1
        8: return plain
        """,
    )


def test_ok_turns_a_result_into_an_option() -> None:
    same(
        shown("fn f() { let o = load().ok(); if let Some(x) = o { go(x) } }"),
        """
        0: call load() -> 1 2
        1: [the result of `load` is Ok]; join a new value <- some -> 3
        2: [the result of `load` is Err]; join a new value <- none -> 3
        3: -> 4 5
        4: [a new value is Some]; call go(o) -> 6
        5: [a new value is None] -> 6
        6: return plain
        """,
    )


def test_an_option_as_a_result_is_left_by_question_mark() -> None:
    same(
        shown(
            "fn f(o: Option<u32>) -> Result<u32, String> { let x = o.ok_or(String::new())?; go(x); Ok(x) }"
        ),
        """
        0: call new() -> 1 2
        1: [o is Some]; join a new value <- ok; call go(o); return ok
        2: [o is None]; join a new value <- err; return err
        """,
    )


def test_unwrap_or_default_meets_in_a_new_value() -> None:
    same(
        shown("fn f(o: Option<u32>) { go(o.unwrap_or_default()) }"),
        """
        0: -> 1 2
        1: [o is Some]; join a new value <- o -> 3
        2: [o is None]; join a new value <- a new value -> 3
        3: call go(a new value); return plain
        """,
    )


def test_a_try_block_is_left_by_its_question_mark() -> None:
    same(
        shown(
            "fn f() -> Option<u32> { let r: Result<u32, String> = (|| { let x = load()?; go(x); Ok(x) })(); r.ok() }"
        ),
        """
        0: call load() -> 1 2
        1: [the result of `load` is Ok]; call go(x) -> 3
        2: [the result of `load` is Err] -> 3
        3: -> 4 5
        4: [x is Ok]; join a new value <- some; return some
        5: [x is Err]; join a new value <- none; return none
        """,
    )


def test_a_match_on_two_values_tests_one_after_the_other() -> None:
    same(
        shown("""
        fn f(a: Option<u32>, b: Option<u32>) {
            match (a, b) {
                (Some(x), Some(y)) => { go(x); go(y) }
                (Some(x), None) | (None, Some(x)) => go(x),
                (None, None) => {}
            }
        }
        """),
        """
        0: build () {0: a, 1: b} -> 1 2
        1: [a is Some] -> 3 4
        2: [a is None] -> 5 6
        3: [b is Some]; call go(a); call go(b) -> 8
        4: [b is None]; join x <- a -> 7
        5: [b is Some]; join x <- b -> 7
        6: [b is None] -> 8
        7: call go(x) -> 8
        8: return plain
        """,
    )


def test_a_comparison_with_true_is_the_condition_itself() -> None:
    same(
        shown("fn f(b: bool) { if b == false { go(1) } }"),
        """
        0: -> 1 2
        1: [b is true] -> 3
        2: [b is false]; call go(1) -> 3
        3: return plain
        """,
    )


def test_an_inner_break_with_a_value_makes_the_value_of_a_loop() -> None:
    same(
        shown("fn f() { let x = loop { if yes() { break 1 } break 2 }; go(x) }"),
        """
        0: -> 1
        1: -> 2
        2: call yes() -> 3 4
        3: [the result of `yes` is true]; join a new value <- 1 -> 5
        4: [the result of `yes` is false]; join a new value <- 2 -> 5
        5: -> 6
        6: call go(x); return plain
        """,
    )


def test_a_while_true_loop_is_left_by_break_alone() -> None:
    same(
        shown("fn f() { while true { if yes() { break } } go(1) }"),
        """
        0: -> 1
        1: call yes() -> 2 3
        2: [the result of `yes` is true] -> 5
        3: [the result of `yes` is false] -> 4
        4: -> 1
        5: call go(1); return plain
        """,
    )


def test_a_map_keeps_its_keys() -> None:
    same(
        shown("""
        use std::collections::HashMap;
        fn f(m: &HashMap<u32, Item>, k: u32) {
            if let Some(x) = m.get(&k) { go(x.id) }
            for (key, x) in m { go(*key); go(x.id) }
            for x in m.values() { go(x.id) }
        }
        """),
        """
        0: call get(m, k) -> 1 2
        1: [the result of `get` is Some]; call go(m[k].1.id) -> 3
        2: [the result of `get` is None] -> 3
        3: -> 4
        4: -> 5 6
        5: [another turn]; call go(each(m).0); call go(each(m).1.id) -> 7
        6: [no more turns] -> 8
        7: -> 4
        8: -> 9
        9: -> 10 11
        10: [another turn]; call go(each(m).1.id) -> 12
        11: [no more turns] -> 13
        12: -> 9
        13: return plain
        """,
    )


def test_an_assignment_makes_a_new_value() -> None:
    same(
        shown("fn f(mut a: u32, b: u32) { go(a); a = b; go(a); a += 1; go(a) }"),
        """
        0: call go(a); = a <- b; call go(a); += a <- ?; call go(a); return plain
        """,
    )


def test_a_box_and_a_lock_are_looked_through() -> None:
    same(
        shown(
            "fn f(s: &Store, b: Box<Item>) { go(b.id); let items = s.items.lock().unwrap(); go(items[0]) }"
        ),
        """
        0: call go(b.id) -> 1 2
        1: [the result of `lock` is Ok]; call go(s.items[0]); return plain
        2: [the result of `lock` is Err]; panic
        """,
    )


def test_a_collection_filled_in_a_loop_holds_what_was_pushed() -> None:
    same(
        shown("""
        fn f(xs: &[Item]) {
            let mut ids = Vec::new();
            for x in xs { ids.push(x.id); }
            send(&ids)
        }
        fn send(_: &[u32]) {}
        """),
        """
        0: call new() -> 1
        1: -> 2 3
        2: [another turn] -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: call send(all of each(xs).id); return plain
        """,
    )


def test_a_collection_that_some_turns_do_not_fill_is_a_part() -> None:
    same(
        shown("""
        fn f(xs: &[Item]) {
            let mut ids = vec![];
            for x in xs { if x.live { ids.push(x.id); } }
            send(&ids)
        }
        fn send(_: &[u32]) {}
        """),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn] -> 4 5
        3: [no more turns] -> 8
        4: [each(xs).live is true] -> 6
        5: [each(xs).live is false] -> 6
        6: -> 7
        7: -> 1
        8: call send(all of each(a part of xs).id); return plain
        """,
    )


def test_a_collection_filled_twice_is_one_of_its_own() -> None:
    same(
        shown("""
        fn f(xs: &[Item], ys: &[Item]) {
            let mut ids = Vec::new();
            for x in xs { ids.push(x.id); }
            for y in ys { ids.push(y.id); }
            send(&ids)
        }
        fn send(_: &[u32]) {}
        """),
        """
        0: call new() -> 1
        1: -> 2 3
        2: [another turn] -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: -> 6
        6: -> 7 8
        7: [another turn] -> 9
        8: [no more turns] -> 10
        9: -> 6
        10: call send(the result of `new`); return plain
        """,
    )


def test_an_index_of_a_collection_is_its_element() -> None:
    same(
        shown("""
        fn f(xs: &[Item]) {
            for i in 0..xs.len() { go(xs[i].id) }
            for (i, _) in xs.iter().enumerate() { go(xs[i].id) } }
        """),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn]; call go(each(xs).id) -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: -> 6
        6: -> 7 8
        7: [another turn]; call go(each(xs).id) -> 9
        8: [no more turns] -> 10
        9: -> 6
        10: return plain
        """,
    )


def test_the_length_of_a_mapped_collection_is_that_of_the_first() -> None:
    same(
        shown("""
        fn f(xs: &[Item]) { let ids: Vec<u32> = xs.iter().map(|x| x.id).collect();
         if ids.len() == 1 { go(ids[0]) } }
        """),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn] -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: -> 6 7
        6: [xs.len() == 1]; call go(xs[0].id) -> 8
        7: [xs.len() != 1] -> 8
        8: return plain
        """,
    )


def test_a_closure_that_is_stored_may_run_from_here_on() -> None:
    same(
        shown("""
        struct Keeper { run: Option<Box<dyn Fn()>> }
        impl Keeper { fn f(&mut self) { self.run = Some(Box::new(|| go(1))); go(2) } }
        """),
        """
        0: -> 1 2
        1: [it runs]; call go(1) -> 3
        2: [it does not run] -> 3
        3: call new(a new value); = self.run <- some; call go(2); return plain
        """,
    )


def test_a_closure_that_is_returned_may_run() -> None:
    same(
        shown("fn f() -> impl Fn() { move || go(1) }"),
        """
        0: -> 1 2
        1: [it runs]; call go(1) -> 3
        2: [it does not run] -> 3
        3: return plain
        """,
    )


def test_a_move_closure_takes_the_guards_that_it_names() -> None:
    same(
        shown(
            "fn f(s: &Store) { let held = s.items.lock().unwrap(); let run = move || go(held[0]); run(); go(2) }",
            drops=True,
        ),
        """
        0: -> 1 2
        1: [the result of `lock` is Ok]; move s.items into capture; call go(s.items[0]); call go(2); drop run; return plain
        2: [the result of `lock` is Err]; panic
        """,
    )


def test_an_underscore_assignment_ends_with_its_statement() -> None:
    same(
        shown("fn f(s: &Store) { _ = s.items.lock(); go(1) }", drops=True),
        """
        0: drop s.items; call go(1); return plain
        """,
    )


def test_temporaries_of_a_tail_end_after_the_locals_before_2024() -> None:
    same(
        shown(
            "fn f(s: &Store) -> usize { let held = s.items.lock().unwrap(); s.items.lock().unwrap().len() }",
            drops=True,
            edition="2021",
        ),
        """
        0: -> 1 2
        1: [the result of `lock` is Ok] -> 3 4
        2: [the result of `lock` is Err]; panic
        3: [the result of `lock` is Ok]; drop s.items; drop s.items; return plain
        4: [the result of `lock` is Err]; panic
        """,
    )


def test_self_as_a_constructor_makes_its_type() -> None:
    same(
        shown("""
        struct Own(u32);
        impl Own { fn f(x: u32) -> Self { Self(x) } }
        """),
        """
        0: build Own {0: x}; return plain
        """,
    )


def test_join_all_runs_the_future_of_each_element() -> None:
    same(
        shown("""
        async fn work(x: u32) { go(x) }
        async fn f(xs: Vec<u32>) { futures::future::join_all(xs.into_iter().map(|x| work(x))).await; go(1) }
        """),
        """
        0: call join_all(xs) -> 1
        1: -> 2 3
        2: [another turn]; call work(each(xs)) -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: await; call go(1); return plain
        """,
    )


def test_try_join_all_leaves_at_the_first_error() -> None:
    same(
        shown("""
        async fn work(x: u32) -> Result<u32, String> { go(x); Ok(x) }
        async fn f(xs: Vec<u32>) -> Result<(), String> {
            let all: Vec<_> = xs.iter().map(|x| work(*x)).collect();
            futures::future::try_join_all(all).await?;
            Ok(())
        }
        """),
        """
        0: -> 1
        1: -> 2 3
        2: [another turn] -> 4
        3: [no more turns] -> 5
        4: -> 1
        5: call try_join_all(all) -> 6
        6: -> 7 8
        7: [another turn]; call work(each(xs)) -> 9 10
        8: [no more turns]; await; return ok
        9: [the result of `work` is Ok] -> 11
        10: [the result of `work` is Err]; await; return err
        11: -> 6
        """,
    )


def test_a_future_that_is_kept_may_run_and_one_that_is_dropped_never_does() -> None:
    same(
        shown("""
        type Kept = Vec<Box<dyn Future<Output = Result<u32, String>>>>;
        async fn f(kept: &mut Kept) { task(); let _ = task(); kept.push(Box::new(task())); go(1) }
        """),
        """
        0: call new(a new value) -> 1 2
        1: [it runs]; call task() -> 3
        2: [it does not run] -> 3
        3: call go(1); return plain
        """,
    )


def test_an_own_macro_runs_in_place() -> None:
    same(
        shown("""
        macro_rules! twice { ($e:expr) => { { $e; $e } } }
        fn f() { twice!(go(1)) }
        """),
        """
        0: call go(1); call go(1); return plain
        """,
    )
