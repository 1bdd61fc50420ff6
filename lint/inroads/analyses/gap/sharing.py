"""
Whether an inner value can be changed at all through what holds it.

    struct View<'a> { array: &'a Array }       no: a `&mut self` method has nothing to be handed on to
    struct Shared { array: Arc<Array> }        no
    struct Shared { array: Arc<Mutex<Array>> } yes
"""

from __future__ import annotations

from inroads.analyses.gap.inner import HOLDERS, Types, Written
from inroads.facts import FunctionItem, PathType, RefType

# What only reads may pass, and what makes it passable again for all.
_SHARING = frozenset({"Rc", "Arc", "Weak", "Ref", "RwLockReadGuard"})
_OPENING = """
    Mutex RwLock RefCell Cell UnsafeCell OnceCell OnceLock ReentrantMutex FairMutex AtomicRefCell MutexGuard
    RwLockWriteGuard RefMut OwnedMutexGuard MappedMutexGuard ArcSwap ArcSwapAny NonNull
"""
_OPEN = frozenset(_OPENING.split())
_DEEPEST = 12


def changes_self(item: FunctionItem) -> bool:
    """Whether a method takes `&mut self`, or a Pin of it."""
    type_ = item.receiver_type
    if item.receiver == "typed" and isinstance(type_, PathType) and type_.segments[-1].arguments:
        argument = type_.segments[-1].arguments[0]
        return isinstance(argument, RefType) and argument.mutable
    return item.receiver == "mut" or (isinstance(type_, RefType) and type_.mutable)


def is_shared(types: Types, start: Written, steps: tuple[str, ...]) -> bool:
    """Whether a place is reached through a shared reference, as far as types tell; what an accessor gives is not."""
    shared = leads_shared(types, start)
    current = start
    for step in steps:
        if step == "*":
            continue
        following = None if step.startswith("::") or step.endswith("()") else types.step(current, step)
        if following is None:
            return False
        current = following
        told = leads_shared(types, current)
        shared = shared if told is None else told
    return shared is True


def leads_shared(types: Types, written: Written) -> bool | None:
    """Whether a type holds another for reading only; None where it holds none, or as whoever holds it may."""
    shared: bool | None = None
    for _ in range(_DEEPEST):
        match written.type:
            case RefType(inner=inner, mutable=mutable):
                shared = shared if mutable else True
                written = Written(inner, written.module, written.names)
            case PathType(segments=segments, qself=None):
                name = segments[-1].name
                alias = types.unalias(written, types.tables.resolve(written.module, written.type, "type"))
                if alias is not None:
                    written = alias
                    continue
                if name in _OPEN:
                    return False
                if name not in HOLDERS or not segments[-1].arguments:
                    return shared
                shared = True if name in _SHARING else shared
                written = Written(segments[-1].arguments[0], written.module, written.names)
            case _:
                return shared
    return shared
