"""What the methods of Result, Option, iterators, futures and handles do with the error inside."""

from __future__ import annotations

# On any shape: the value comes out as it went in.
SAME = frozenset(
    {
        *("as_ref", "as_mut", "as_deref", "as_deref_mut", "clone", "cloned", "copied", "to_owned", "by_ref"),
        *(
            "borrow",
            "borrow_mut",
            "into_inner",
            "into",
            "try_into_inner",
            "lock",
            "get_mut",
            "boxed",
            "boxed_local",
        ),
        *(
            "fuse",
            "shared",
            "into_future",
            "compat",
            "unwrap_panic",
            "as_pin_mut",
            "right_future",
            "left_future",
        ),
        *("instrument", "in_current_span", "with_subscriber", "in_scope", "or_cancelled"),
    }
)

# Result -> Result, the error kept or wrapped.
KEEPS_ERROR = frozenset(
    {
        *("map", "and_then", "and", "inspect", "inspect_ok", "map_ok", "flatten"),
        *(
            "context",
            "with_context",
            "wrap_err",
            "wrap_err_with",
            "change_context",
            "attach",
            "attach_printable",
        ),
        *(
            "into_diagnostic",
            "report",
            "chain_err",
            "annotate",
            "into_report",
            "track_caller",
            "map_into",
            "err_into",
        ),
        *(
            "with_note",
            "note",
            "suggestion",
            "with_suggestion",
            "section",
            "with_section",
            "attach_printable_lazy",
        ),
    }
)
PANICS = frozenset({"unwrap", "expect", "unwrap_unchecked", "into_ok", "unwrap_throw", "expect_throw"})
DEFAULTS = frozenset({"unwrap_or", "unwrap_or_default", "map_or", "or", "map_or_default"})
ARM_CLOSURES = frozenset({"unwrap_or_else", "map_or_else", "or_else"})

# Option -> Option, None kept.
KEEPS_NONE = frozenset(
    {
        *(
            "map",
            "and_then",
            "and",
            "filter",
            "inspect",
            "flatten",
            "zip",
            "unzip",
            "take",
            "replace",
            "is_some_and",
        ),
    }
)
TO_RESULT = frozenset({"ok_or", "ok_or_else", "context", "with_context", "wrap_err", "wrap_err_with"})

# Iterator -> iterator or collection of the same elements.
KEEPS_ELEMENTS = frozenset(
    {
        *(
            "into_iter",
            "iter",
            "iter_mut",
            "drain",
            "rev",
            "skip",
            "take",
            "peekable",
            "step_by",
            "chain",
            "cycle",
        ),
        *(
            "by_ref",
            "skip_while",
            "take_while",
            "collect",
            "collect_vec",
            "sorted",
            "sorted_by",
            "sorted_by_key",
        ),
        *(
            "par_iter",
            "into_par_iter",
            "into_values",
            "values",
            "into_stream",
        ),
        *(
            "unique",
            "dedup",
            "concat",
            "to_vec",
            "into_boxed_slice",
            "split_off",
            "inspect",
            "filter",
            "max_by_key",
        ),
        *("interleave", "intersperse", "throttle", "timeout"),
        # What changes the successes only, and keeps the errors among them.
        *("flatten_ok", "map_ok", "filter_ok", "filter_map_ok", "and_then", "try_filter", "try_filter_map"),
        *("map_err", "map_into", "err_into", "try_flatten"),
    }
)
# What puts an element into a collection.
GATHERS = frozenset({"push", "push_back", "push_front"})
# Methods of collections whose Some is what stood there before.
GIVES_BACK = frozenset({"insert", "replace", "push", "get_or_insert_with", "entry", "swap"})
ONE_ELEMENT = frozenset(
    {
        *(
            "next",
            "last",
            "nth",
            "pop",
            "pop_front",
            "pop_back",
            "first",
            "find",
            "max",
            "min",
            "max_by",
            "min_by",
        ),
        *("get", "remove", "swap_remove", "next_back", "reduce", "peek", "try_next", "recv"),
    }
)
ELEMENTS_LOST = frozenset({"flatten", "count", "len", "clear", "truncate", "while_some"})
TAKES_EACH = frozenset(
    {
        *(
            "map",
            "for_each",
            "filter_map",
            "flat_map",
            "find_map",
            "map_while",
            "filter",
            "any",
            "all",
            "partition",
        ),
        *(
            "try_for_each",
            "position",
            "then",
            "for_each_concurrent",
            "try_for_each_concurrent",
            "is_some_and",
        ),
        *("fold", "try_fold", "scan", "partition_map", "retain", "take_while", "skip_while", "find"),
    }
)
# A stream of futures -> the stream of their outputs.
AWAITS_ELEMENTS = frozenset({"buffer_unordered", "buffered", "try_buffer_unordered", "try_buffered"})
# What a stream does with the output of the future that its closure gives.
AWAITS_EACH = frozenset(
    {
        "then",
        "filter_map",
        "for_each",
        "for_each_concurrent",
        "filter",
        "take_while",
        "skip_while",
        "any",
        "all",
    }
)
# The parameter of the closure that is the element.
# Methods whose value is made of what the function gives that they are handed.
RUNS_EACH = frozenset(
    {
        *("map", "flat_map", "filter_map", "find_map", "map_while"),
        *("and_then", "then", "map_ok", "then_with", "map_or"),
    }
)

ELEMENT_PARAMETER = {"fold": 1, "try_fold": 1, "scan": 1}

JOINS = frozenset({"join", "await", "join_unwrap", "result"})

# Methods that only a Result has: who calls one proves what it called it on.
PROVES_RESULT = frozenset(
    {
        *("map_err", "inspect_err", "is_err", "is_ok", "unwrap_err", "expect_err", "is_err_and", "is_ok_and"),
        *("wrap_err", "into_ok", "ok"),
    }
)
# Methods of Option too, where the closure of an Option has no parameter.
PROVES_BY_CLOSURE = frozenset({"unwrap_or_else", "or_else", "map_or_else"})

SPAWNS = frozenset(
    {
        *("spawn", "spawn_blocking", "spawn_local", "spawn_on", "spawn_named", "spawn_task", "spawn_pinned"),
        *("spawn_unchecked", "spawn_scoped", "spawn_blocking_on", "spawn_supervised"),
    }
)
RUNS = frozenset(
    {"block_on", "block_in_place", "run_until", "run", "with", "in_scope", "scope", "enter", "install"}
)
DROPS = frozenset({"drop", "forget", "drop_in_place"})
WRAPS = frozenset(
    {"new", "pin", "from", "into", "Ready", "ready", "black_box", "identity", "poll_fn", "take", "Reverse"}
)
WRAPPING_TYPES = frozenset(
    {
        *(
            "Box",
            "Rc",
            "Arc",
            "Pin",
            "Mutex",
            "RwLock",
            "Cell",
            "RefCell",
            "ManuallyDrop",
            "Cow",
            "Poll",
            "From",
        ),
        *("OnceCell", "Reverse", "hint", "convert", "mem"),
    }
)

FORMATS = frozenset(
    {"format", "format_args", "concat", "anyhow", "eyre", "format_err", "json", "vec", "dbg", "miette"}
)
PANIC_MACROS = frozenset({"panic", "todo", "unreachable", "unimplemented", "abort"})
ASSERTS = frozenset({"assert", "assert_eq", "assert_ne", "assert_matches", "const_assert"})
DEBUG_ASSERTS = frozenset({"debug_assert", "debug_assert_eq", "debug_assert_ne"})
RAISES = frozenset({"bail", "ensure", "throw", "try", "compile_error", "whatever", "ensure_whatever"})
WRITES = frozenset({"write", "writeln"})

MUTATORS = frozenset(
    {
        *(
            "insert",
            "push",
            "push_back",
            "push_front",
            "push_str",
            "pop",
            "pop_front",
            "pop_back",
            "remove",
            "clear",
        ),
        *(
            "extend",
            "append",
            "retain",
            "truncate",
            "store",
            "swap",
            "replace",
            "set",
            "swap_remove",
            "resize",
            "entry",
        ),
        *(
            "insert_str",
            "drain",
            "get_or_insert_with",
            "or_insert",
            "or_insert_with",
            "fill",
            "take",
            "get_or_insert",
        ),
        *(
            "compare_exchange",
            "fetch_or",
            "fetch_and",
            "notify_one",
            "notify_waiters",
            "notify_all",
            "cancel",
            "wake",
        ),
    }
)
COUNTS = frozenset(
    {
        *(
            "fetch_add",
            "fetch_sub",
            "inc",
            "inc_by",
            "increment",
            "observe",
            "add_assign",
            "tick",
            "mark",
            "incr",
        ),
        *("fetch_max", "fetch_min", "count", "with_label_values", "increment_counter", "record_error"),
    }
)
COUNT_MACROS = frozenset(
    {
        *(
            "counter",
            "gauge",
            "histogram",
            "increment_counter",
            "increment_gauge",
            "decrement_gauge",
            "metric",
        ),
        *("inc_counter", "record_metric", "statsd_count", "inc_new_counter_info", "inc_new_counter_error"),
    }
)
REPLIES = frozenset(
    {
        *(
            "send",
            "try_send",
            "blocking_send",
            "unbounded_send",
            "send_timeout",
            "reply",
            "respond",
            "send_error",
        ),
        *(
            "send_response",
            "start_send",
            "do_send",
            "send_async",
            "emit",
            "write_all",
            "abort",
            "fail",
            "set_error",
        ),
        *("set_exception", "complete", "notify", "report"),
    }
)
EXITS = frozenset(
    {"std::process::exit", "std::process::abort", "std::panic::resume_unwind", "std::panic::panic_any"}
)
SLEEPS = frozenset(
    {"sleep", "sleep_until", "sleep_ms", "yield_now", "snooze", "spin", "backoff", "delay_for", "tick"}
)
