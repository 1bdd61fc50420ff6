"""Names of calls, constructors and macros that mean something to forwarding."""

from __future__ import annotations

# Calls without arguments that give the same value in another dress.
_SAME = """
    as_ref as_mut as_deref as_deref_mut as_pin_mut as_pin_ref deref deref_mut borrow borrow_mut
    try_borrow try_borrow_mut lock read write try_lock try_read try_write blocking_lock blocking_read
    blocking_write upgradable_read unwrap unwrap_unchecked expect get_mut get_ref get_unchecked_mut
    get_pin_mut project project_ref by_ref clone load load_full to_owned into_ref unwrap_or_else
    into_inner get_inner_mut upgrade as_slice as_str iter iter_mut into as_any to_vec
"""
SAME = frozenset(_SAME.split())
# What is done to a result without changing what it says.
_KEEPING = """
    into map_err inspect inspect_err inspect_ok or_else clone cloned copied to_owned boxed boxed_local
    instrument in_current_span with_current_subscriber with_subscriber await context with_context
    err_into map_into ok_or ok_or_else as_ref as_deref into_boxed or_not_found erase wrap_err
    wrap_err_with map_ok map unwrap expect fuse map_ok_or_else ready change_context
"""
KEEPING = frozenset(_KEEPING.split())
# What is done to the error of a result alone.
_ERRORS = """
    map_err err_into inspect_err context with_context wrap_err wrap_err_with change_context
"""
ERRORS = frozenset(_ERRORS.split())
# Constructors that wrap one value and stay the same value for our purpose.
_DRESSES = """
    Some Ok Err Ready Box Rc Arc Pin Cow Borrowed Owned Ref RefMut Cell RefCell Mutex RwLock Break
    Continue AssertUnwindSafe ManuallyDrop
"""
DRESSES = frozenset(_DRESSES.split())
_DRESSING = """
    new pin new_unchecked from as_ref as_mut new_pin leak
"""
DRESSING = frozenset(_DRESSING.split())
_DIVERGING = """
    panic unreachable todo unimplemented bail compile_error
"""
DIVERGING = frozenset(_DIVERGING.split())
_PASSING_MACROS = """
    ready try pin try_ready ready_ok
"""
PASSING_MACROS = frozenset(_PASSING_MACROS.split())
