"""What the well-known methods and functions mean for control flow and places: data, by name."""

from __future__ import annotations

from collections.abc import Iterable


def _words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# Methods without arguments (or with one that only says how) whose value is the receiver, looked through.
SAME = _words(
    """
    clone cloned copied to_owned to_vec as_ref as_mut as_deref as_deref_mut as_slice as_mut_slice as_str
    as_bytes as_path borrow get_ref into_inner deref deref_mut by_ref into_boxed_slice into_vec
    into_boxed_str as_pin_mut as_os_str to_path_buf get_mut_unchecked
    """
)
# The same, but the value is tested on its own: the lock may be poisoned, the option may be empty.
ACCESS = _words(
    """
    lock read write try_lock try_read try_write borrow_mut try_borrow try_borrow_mut get_mut upgrade
    """
)
# Those of them whose value is a guard that holds until it is dropped.
GUARDS = _words(
    """
    lock read write try_lock try_read try_write borrow borrow_mut try_borrow try_borrow_mut
    """
)
# Methods that make an iterator over the receiver, element by element.
ITERATE = _words(
    """
    iter iter_mut into_iter par_iter par_iter_mut into_par_iter drain into_par_iter_mut stream
    into_stream
    """
)
# Lazy adaptors: how the consumer's turn is changed.
LAZY = {
    "map": "map",
    "then": "map",
    "filter": "filter",
    "filter_map": "filter_map",
    "flat_map": "flat_map",
    "inspect": "inspect",
    "take_while": "while",
    "skip_while": "filter",
    "map_while": "map_while",
    "scan": "scan",
    "map_init": "inspect",
    "enumerate": "enumerate",
    "zip": "zip",
    "take": "part",
    "skip": "part",
    "step_by": "part",
    "flatten": "flatten",
    "chain": "chain",
    "rev": "same",
    "peekable": "same",
    "cloned": "same",
    "copied": "same",
    "by_ref": "same",
    "fuse": "same",
    "cycle": "same",
    "into_iter": "same",
    "iter": "same",
    "par_bridge": "same",
    "with_min_len": "same",
    "buffer_unordered": "same",
    "buffered": "same",
    "chunks": "chunks",
    "chunks_exact": "chunks",
    "windows": "chunks",
    "tuple_windows": "chunks",
}
# Consumers that run every turn to the end.
CONSUME = _words(
    """
    for_each collect count sum product last fold rfold reduce max min max_by max_by_key min_by min_by_key
    unzip partition collect_vec try_collect for_each_concurrent extend collect_into_vec join_all
    """
)
# Consumers that may leave before the last turn: on an Err or None of the closure, or on an answer of it.
CONSUME_TRY = _words("try_for_each try_fold try_rfold try_for_each_concurrent try_reduce")
CONSUME_UNTIL = {
    "all": ("false", "true"),
    "any": ("true", "false"),
    "find": ("true", "none"),
    "position": ("true", "none"),
    "find_map": ("some", "none"),
}
# Collections keep their elements under these, whatever the order.
REORDER = _words(
    """
    sort sort_by sort_by_key sort_unstable sort_unstable_by sort_unstable_by_key reverse shrink_to_fit
    dedup reserve iter iter_mut shuffle
    """
)
# Methods of std types that change their receiver; methods of the workspace are known by their signature.
CHANGE = _words(
    """
    push push_back push_front push_str insert insert_str remove pop pop_front pop_back clear extend
    extend_from_slice append truncate retain retain_mut resize drain split_off swap_remove replace take
    set fill swap entry get_or_insert_with get_or_insert store send rotate_left rotate_right fetch_add
    fetch_sub next
    """
)


def changes(name: str, paths: Iterable[str]) -> bool:
    """Whether a method from outside changes its receiver; `iter.take(2)` is called like `option.take()`."""
    if name not in CHANGE:
        return False
    return name == "next" or not any(path.startswith("std::iter::Iterator::") for path in paths)


# Methods that keep a Result's or Option's variant and value.
KEEP = _words(
    """
    map_err inspect_err inspect context with_context wrap_err wrap_err_with in_current_span instrument
    transpose flatten change_context attach_printable err_into into_diagnostic
    """
)
# Wrappers that carry a future, a closure or a value inside.
CARRY_FUNCTIONS = _words(
    """
    std::boxed::Box::pin std::boxed::Box::new std::pin::Pin::new std::rc::Rc::new std::sync::Arc::new
    std::cell::RefCell::new std::cell::Cell::new std::sync::Mutex::new std::sync::RwLock::new
    std::pin::pin std::iter::once std::iter::IntoIterator::into_iter std::convert::identity
    std::rc::Rc::clone std::sync::Arc::clone tokio::sync::Mutex::new tokio::sync::RwLock::new
    parking_lot::Mutex::new parking_lot::RwLock::new std::boxed::Box::leak std::mem::ManuallyDrop::new
    std::panic::AssertUnwindSafe std::num::Wrapping std::clone::Clone::clone
    std::pin::Pin::new_unchecked std::borrow::Cow::Borrowed std::borrow::Cow::Owned
    """
)
CARRY_METHODS = _words(
    """
    boxed boxed_local fuse in_current_span instrument into_future shared with_subscriber
    """
)
# By the last two segments of a path, for crates whose paths may be re-exported.
RUN_NOW = _words("block_on block_in_place run_until enter scope run_local")
SPAWN = _words(
    """
    spawn spawn_local spawn_blocking spawn_on spawn_unchecked spawn_pinned spawn_scoped spawn_task
    """
)
THREAD_SCOPES = _words(
    "std::thread::scope crossbeam::scope crossbeam::thread::scope crossbeam_utils::thread::scope"
)
TIMEOUT = _words("timeout timeout_at")
# Calls that never return, by whole path.
EXITS = _words("std::process::exit std::process::abort std::intrinsics::abort")
PANICS = _words(
    """
    std::panic::panic_any std::panic::resume_unwind std::hint::unreachable_unchecked
    """
)
PANIC_MACROS = _words("panic unreachable todo unimplemented bail_out compile_error")
ASSERT_MACROS = _words("assert debug_assert")
ASSERT_COMPARES = {"assert_eq": "==", "debug_assert_eq": "==", "assert_ne": "!=", "debug_assert_ne": "!="}
# Macros that leave the function with an error: anyhow, eyre and their like.
BAIL_MACROS = _words("bail")
ENSURE_MACROS = _words("ensure ensure_eq ensure_ne")
JOIN_MACROS = _words("join try_join")
SELECT_MACROS = _words("select select_biased")
# Types whose end means nothing to a rule: dropping them runs no code that anyone would order.
PLAIN_TYPES = _words(
    """
    std::string::String std::path::PathBuf std::vec::Vec std::option::Option std::result::Result
    std::path::Path std::collections::HashMap std::collections::BTreeMap std::collections::HashSet
    std::collections::BTreeSet std::collections::VecDeque std::boxed::Box std::rc::Rc std::sync::Arc
    std::borrow::Cow std::time::Duration std::time::Instant std::ffi::OsString std::cell::Cell
    std::cell::RefCell std::sync::Mutex std::sync::RwLock std::ops::Range std::net::SocketAddr
    std::io::Error std::time::SystemTime std::sync::atomic::AtomicBool
    """
)
# What places look through: the type inside is their first argument.
WRAPPERS = _words(
    """
    std::boxed::Box std::rc::Rc std::sync::Arc std::cell::Cell std::cell::RefCell std::sync::Mutex
    std::sync::RwLock std::pin::Pin std::option::Option std::result::Result std::sync::MutexGuard
    std::sync::RwLockReadGuard std::sync::RwLockWriteGuard std::cell::Ref std::cell::RefMut
    std::rc::Weak std::sync::Weak std::borrow::Cow std::mem::ManuallyDrop std::sync::LazyLock
    std::sync::OnceLock std::cell::OnceCell std::cell::LazyCell std::cell::UnsafeCell tokio::sync::Mutex
    tokio::sync::RwLock parking_lot::Mutex parking_lot::RwLock tokio::sync::MutexGuard
    parking_lot::MutexGuard
    """
)
ITERATORS = _words(
    """
    Iterator DoubleEndedIterator ExactSizeIterator ParallelIterator Stream
    """
)
MAPS = _words("HashMap BTreeMap IndexMap DashMap FxHashMap AHashMap")
COLLECTIONS = MAPS | _words(
    """
    Vec VecDeque SmallVec ArrayVec HashSet BTreeSet IndexSet Slab String Bytes
    """
)
# Methods from outside that take their receiver by value.
GIVE = _words("join unwrap expect finish commit shutdown forget leak and_then map_err wait_with_output build")
# Functions that make one future of many.
JOIN_ALL = _words("join_all try_join_all")
