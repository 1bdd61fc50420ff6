"""
Names of the standard library: the preludes, and where a re-exported name is documented.

Data only. A path that begins with `core` or `alloc` is written `std`; a name
that several modules export is written as in the documentation.
"""

from __future__ import annotations

PRIMITIVES = frozenset(
    {
        *("bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize"),
        *("i8", "i16", "i32", "i64", "i128", "isize", "f16", "f32", "f64", "f128"),
    }
)

STD_CRATES = frozenset({"std", "core", "alloc", "proc_macro", "test"})

# Types and traits first, then what is a value too.
PRELUDE_TYPES = {
    "Option": "std::option::Option",
    "Result": "std::result::Result",
    "Vec": "std::vec::Vec",
    "String": "std::string::String",
    "Box": "std::boxed::Box",
    "ToOwned": "std::borrow::ToOwned",
    "ToString": "std::string::ToString",
    "Clone": "std::clone::Clone",
    "Copy": "std::marker::Copy",
    "Send": "std::marker::Send",
    "Sync": "std::marker::Sync",
    "Sized": "std::marker::Sized",
    "Unpin": "std::marker::Unpin",
    "Drop": "std::ops::Drop",
    "Fn": "std::ops::Fn",
    "FnMut": "std::ops::FnMut",
    "FnOnce": "std::ops::FnOnce",
    "AsyncFn": "std::ops::AsyncFn",
    "AsyncFnMut": "std::ops::AsyncFnMut",
    "AsyncFnOnce": "std::ops::AsyncFnOnce",
    "AsRef": "std::convert::AsRef",
    "AsMut": "std::convert::AsMut",
    "Into": "std::convert::Into",
    "From": "std::convert::From",
    "Default": "std::default::Default",
    "Iterator": "std::iter::Iterator",
    "IntoIterator": "std::iter::IntoIterator",
    "Extend": "std::iter::Extend",
    "DoubleEndedIterator": "std::iter::DoubleEndedIterator",
    "ExactSizeIterator": "std::iter::ExactSizeIterator",
    "Eq": "std::cmp::Eq",
    "PartialEq": "std::cmp::PartialEq",
    "Ord": "std::cmp::Ord",
    "PartialOrd": "std::cmp::PartialOrd",
    "Debug": "std::fmt::Debug",
    "Hash": "std::hash::Hash",
}
PRELUDE_2021 = {
    "TryFrom": "std::convert::TryFrom",
    "TryInto": "std::convert::TryInto",
    "FromIterator": "std::iter::FromIterator",
}
PRELUDE_2024 = {
    "Future": "std::future::Future",
    "IntoFuture": "std::future::IntoFuture",
}
PRELUDE_VALUES = {
    "Some": "std::option::Option::Some",
    "None": "std::option::Option::None",
    "Ok": "std::result::Result::Ok",
    "Err": "std::result::Result::Err",
    "drop": "std::mem::drop",
    "size_of": "std::mem::size_of",
    "size_of_val": "std::mem::size_of_val",
    "align_of": "std::mem::align_of",
    "align_of_val": "std::mem::align_of_val",
}

# In the prelude these name a derive macro, and no trait.
DERIVES_ONLY = frozenset({"Debug", "Hash"})

PRELUDE_TRAITS = frozenset(
    PRELUDE_TYPES[name]
    for name in (
        *("ToOwned", "ToString", "Clone", "Copy", "Send", "Sync", "Sized", "Unpin", "Drop"),
        *("Fn", "FnMut", "FnOnce", "AsyncFn", "AsyncFnMut", "AsyncFnOnce", "AsRef", "AsMut", "Into", "From"),
        *("Default", "Iterator", "IntoIterator", "Extend", "DoubleEndedIterator", "ExactSizeIterator"),
        *("Eq", "PartialEq", "Ord", "PartialOrd"),
    )
)

STD_MACROS = frozenset(
    {
        *("assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"),
        *("cfg", "column", "compile_error", "concat", "dbg", "env", "eprint", "eprintln", "file", "format"),
        *("format_args", "include", "include_bytes", "include_str", "is_x86_feature_detected", "line"),
        *("matches", "module_path", "option_env", "panic", "print", "println", "stringify", "thread_local"),
        *("todo", "try", "unimplemented", "unreachable", "vec", "write", "writeln", "addr_of", "addr_of_mut"),
    }
)

# Modules whose public names are documented in another one.
_MOVED_MODULES = {
    "std::prelude::v1": None,
    "std::prelude::rust_2015": None,
    "std::prelude::rust_2018": None,
    "std::prelude::rust_2021": None,
    "std::prelude::rust_2024": None,
    "std::io::prelude": "std::io",
    "std::fmt::rt": "std::fmt",
}
_MOVED = {
    "std::collections::hash_map::HashMap": "std::collections::HashMap",
    "std::collections::hash_set::HashSet": "std::collections::HashSet",
    "std::collections::btree_map::BTreeMap": "std::collections::BTreeMap",
    "std::collections::btree_set::BTreeSet": "std::collections::BTreeSet",
    "std::collections::vec_deque::VecDeque": "std::collections::VecDeque",
    "std::collections::binary_heap::BinaryHeap": "std::collections::BinaryHeap",
    "std::collections::linked_list::LinkedList": "std::collections::LinkedList",
    "std::collections::hash_map::DefaultHasher": "std::hash::DefaultHasher",
    "std::collections::hash_map::RandomState": "std::hash::RandomState",
    "std::collections::Bound": "std::ops::Bound",
    "std::ascii::AsciiExt": "std::ascii::AsciiExt",
    "std::error::Error": "std::error::Error",
    "std::os::unix::io::AsRawFd": "std::os::fd::AsRawFd",
    "std::os::unix::io::FromRawFd": "std::os::fd::FromRawFd",
    "std::os::unix::io::IntoRawFd": "std::os::fd::IntoRawFd",
    "std::os::unix::io::RawFd": "std::os::fd::RawFd",
    "std::os::unix::io::AsFd": "std::os::fd::AsFd",
    "std::os::unix::io::OwnedFd": "std::os::fd::OwnedFd",
    "std::os::unix::io::BorrowedFd": "std::os::fd::BorrowedFd",
}
for _name in ("Read", "Write", "BufRead", "Seek"):
    _MOVED[f"std::io::prelude::{_name}"] = f"std::io::{_name}"
_UNIX = {
    "fd": frozenset({"AsFd", "AsRawFd", "BorrowedFd", "FromRawFd", "IntoRawFd", "OwnedFd", "RawFd"}),
    "ffi": frozenset({"OsStrExt", "OsStringExt"}),
    "fs": frozenset(
        {"DirEntryExt", "FileExt", "FileTypeExt", "MetadataExt", "OpenOptionsExt", "PermissionsExt"}
    ),
    "process": frozenset({"CommandExt", "ExitStatusExt"}),
    "thread": frozenset({"JoinHandleExt"}),
}
for _name, _names in _UNIX.items():
    _home = "std::os::fd" if _name == "fd" else f"std::os::unix::{_name}"
    _MOVED.update({f"std::os::unix::prelude::{_one}": f"{_home}::{_one}" for _one in _names})

# What a glob of a standard module brings in, where globs are used in practice.
GLOBS: dict[str, frozenset[str]] = {
    "std::io::prelude": frozenset({"Read", "Write", "BufRead", "Seek"}),
    "std::io": frozenset(
        {
            *("Read", "Write", "BufRead", "Seek", "Error", "ErrorKind", "Result", "BufReader", "BufWriter"),
            *("Cursor", "SeekFrom", "LineWriter", "Stdin", "Stdout", "Stderr", "IsTerminal", "IoSlice"),
            *("IoSliceMut", "Empty", "Sink", "Repeat", "stdin", "stdout", "stderr", "copy", "empty", "sink"),
            *("repeat", "read_to_string"),
        }
    ),
    "std::collections": frozenset(
        {
            *("HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "BinaryHeap", "LinkedList"),
            *("hash_map", "hash_set", "btree_map", "btree_set", "vec_deque", "binary_heap", "linked_list"),
        }
    ),
    "std::sync": frozenset(
        {
            *("Arc", "Barrier", "Condvar", "LazyLock", "Mutex", "MutexGuard", "Once", "OnceLock", "RwLock"),
            *("RwLockReadGuard", "RwLockWriteGuard", "PoisonError", "TryLockError", "Weak", "LockResult"),
            *("TryLockResult", "atomic", "mpsc"),
        }
    ),
    "std::sync::atomic": frozenset(
        {
            *("AtomicBool", "AtomicI8", "AtomicI16", "AtomicI32", "AtomicI64", "AtomicIsize", "AtomicPtr"),
            *("AtomicU8", "AtomicU16", "AtomicU32", "AtomicU64", "AtomicUsize", "Ordering", "fence"),
            *("compiler_fence", "spin_loop_hint"),
        }
    ),
    "std::sync::mpsc": frozenset(
        {
            *("Sender", "SyncSender", "Receiver", "SendError", "RecvError", "TryRecvError", "TrySendError"),
            *("RecvTimeoutError", "channel", "sync_channel", "Iter", "IntoIter", "TryIter"),
        }
    ),
    "std::ops": frozenset(
        {
            *("Add", "AddAssign", "BitAnd", "BitAndAssign", "BitOr", "BitOrAssign", "BitXor", "BitXorAssign"),
            *("Div", "DivAssign", "Mul", "MulAssign", "Neg", "Not", "Rem", "RemAssign", "Shl", "ShlAssign"),
            *("Shr", "ShrAssign", "Sub", "SubAssign", "Deref", "DerefMut", "Index", "IndexMut", "Range"),
            *("RangeFrom", "RangeFull", "RangeInclusive", "RangeTo", "RangeToInclusive", "RangeBounds"),
            *("Bound", "ControlFlow", "Drop", "Fn", "FnMut", "FnOnce"),
        }
    ),
    "std::fmt": frozenset(
        {
            *("Debug", "Display", "Formatter", "Write", "Error", "Result", "Arguments", "Binary", "LowerHex"),
            *("UpperHex", "LowerExp", "UpperExp", "Octal", "Pointer", "Alignment", "format", "write"),
            *("DebugList", "DebugMap", "DebugSet", "DebugStruct", "DebugTuple"),
        }
    ),
    "std::cell": frozenset({"Cell", "RefCell", "Ref", "RefMut", "UnsafeCell", "OnceCell", "LazyCell"}),
    "std::cmp": frozenset(
        {"Eq", "PartialEq", "Ord", "PartialOrd", "Ordering", "Reverse", "max", "min", "max_by", "min_by"}
    ),
    "std::cmp::Ordering": frozenset({"Less", "Equal", "Greater"}),
    "std::sync::atomic::Ordering": frozenset({"Relaxed", "Release", "Acquire", "AcqRel", "SeqCst"}),
    "std::borrow::Cow": frozenset({"Borrowed", "Owned"}),
    "std::ops::Bound": frozenset({"Included", "Excluded", "Unbounded"}),
    "std::io::ErrorKind": frozenset(
        {
            *("NotFound", "PermissionDenied", "AlreadyExists", "InvalidInput", "InvalidData", "TimedOut"),
            *("WriteZero", "Interrupted", "UnexpectedEof", "WouldBlock", "BrokenPipe", "Other"),
        }
    ),
    "std::path": frozenset({"Path", "PathBuf", "Component", "Components", "Prefix", "MAIN_SEPARATOR"}),
    "std::fs": frozenset(
        {
            *(
                "File",
                "OpenOptions",
                "Metadata",
                "DirEntry",
                "ReadDir",
                "Permissions",
                "FileType",
                "DirBuilder",
            ),
            *("read", "write", "rename", "copy", "remove_file", "remove_dir", "remove_dir_all", "create_dir"),
            *("create_dir_all", "metadata", "read_dir", "read_to_string", "canonicalize", "hard_link"),
        }
    ),
    "std::mem": frozenset(
        {"swap", "replace", "take", "drop", "forget", "size_of", "transmute", "MaybeUninit"}
    ),
    "std::ptr": frozenset({"NonNull", "null", "null_mut", "read", "write", "copy", "eq", "drop_in_place"}),
    "std::convert": frozenset({"From", "Into", "TryFrom", "TryInto", "AsRef", "AsMut", "Infallible"}),
    "std::iter": frozenset(
        {
            *(
                "Iterator",
                "IntoIterator",
                "FromIterator",
                "DoubleEndedIterator",
                "ExactSizeIterator",
                "Extend",
            ),
            *(
                "FusedIterator",
                "Peekable",
                "Rev",
                "Map",
                "Filter",
                "Chain",
                "Zip",
                "Take",
                "Skip",
                "Enumerate",
            ),
            *("Product", "Sum", "empty", "once", "repeat", "from_fn", "successors", "zip"),
        }
    ),
    "std::time": frozenset({"Duration", "Instant", "SystemTime", "UNIX_EPOCH", "SystemTimeError"}),
    "std::net": frozenset(
        {
            *("IpAddr", "Ipv4Addr", "Ipv6Addr", "SocketAddr", "SocketAddrV4", "SocketAddrV6", "TcpListener"),
            *("TcpStream", "UdpSocket", "Shutdown", "ToSocketAddrs"),
        }
    ),
    "std::rc": frozenset({"Rc", "Weak"}),
    "std::task": frozenset({"Context", "Poll", "RawWaker", "RawWakerVTable", "Wake", "Waker", "ready"}),
    "std::option::Option": frozenset({"Some", "None"}),
    "std::result::Result": frozenset({"Ok", "Err"}),
}
for _name, _names in _UNIX.items():
    for _module in (f"std::os::unix::{_name}", "std::os::unix::prelude"):
        GLOBS[_module] = GLOBS.get(_module, frozenset()) | _names
GLOBS["std::os::unix::io"] = GLOBS["std::os::fd"] = _UNIX["fd"]
for _module, _target in list(_MOVED_MODULES.items()):
    if _target is None:
        GLOBS[_module] = frozenset({*PRELUDE_TYPES, *PRELUDE_2021, *PRELUDE_VALUES})

_TRAIT_NAMES = frozenset(
    {
        *("Read", "Write", "BufRead", "Seek", "IsTerminal", "Deref", "DerefMut", "Index", "IndexMut"),
        *("AsFd", "AsRawFd", "FromRawFd", "IntoRawFd", "OsStrExt", "OsStringExt", "DirEntryExt", "FileExt"),
        *("FileTypeExt", "MetadataExt", "OpenOptionsExt", "PermissionsExt", "CommandExt", "ExitStatusExt"),
        *("RangeBounds", "Display", "Debug", "Hash", "Hasher", "BuildHasher", "FromStr", "Error", "Any"),
        *("Borrow", "BorrowMut", "Future", "IntoFuture", "ToSocketAddrs", "FusedIterator", "Product", "Sum"),
        *("Add", "AddAssign", "BitAnd", "BitAndAssign", "BitOr", "BitOrAssign", "BitXor", "BitXorAssign"),
        *("Div", "DivAssign", "Mul", "MulAssign", "Neg", "Not", "Rem", "RemAssign", "Shl", "ShlAssign"),
        *("Shr", "ShrAssign", "Sub", "SubAssign", "TryFrom", "TryInto", "FromIterator", "Wake", "Pattern"),
        *(
            "Binary",
            "LowerHex",
            "UpperHex",
            "LowerExp",
            "UpperExp",
            "Octal",
            "Pointer",
            "SliceIndex",
            "Termination",
        ),
        *("AsFd", "AsRawFd", "FromRawFd", "IntoRawFd", "OsStrExt", "OsStringExt", "FileExt", "MetadataExt"),
        *("PermissionsExt", "OpenOptionsExt", "CommandExt", "ExitStatusExt", "DirBuilderExt", "FileTypeExt"),
    }
)


def documented(path: str) -> str:
    """
    The path under which a name of the standard library is documented.

    `core::fmt::Debug` and `alloc::vec::Vec` come out under `std`; a path of
    another crate comes out unchanged.
    """
    head, _, rest = path.partition("::")
    if head in ("core", "alloc"):
        path = f"std::{rest}" if rest else "std"
    elif head != "std":
        return path
    moved = _MOVED.get(path)
    if moved is not None:
        return moved
    parts = path.split("::")
    if len(parts) > 3 and parts[1] in ("prelude", "io", "fmt", "collections", "os"):
        module = "::".join(parts[:3])
        if module in _MOVED_MODULES:
            target = _MOVED_MODULES[module]
            tail = "::".join(parts[4:])
            base = prelude_path(parts[3], "2024") if target is None else f"{target}::{parts[3]}"
            if base is not None:
                return f"{base}::{tail}" if tail else base
        # `std::collections::hash_map::HashMap::new` is an associated item of what was moved.
        moved = _MOVED.get("::".join(parts[:4]))
        if moved is not None:
            return "::".join([moved, *parts[4:]])
    return path


def prelude_path(name: str, edition: str, namespace: str | None = None) -> str | None:
    """The documented path of a name of the prelude; None where the prelude has no such name."""
    if namespace != "value":
        found = PRELUDE_TYPES.get(name)
        if found is not None and name not in DERIVES_ONLY:
            return found
        if "2021" <= edition and name in PRELUDE_2021:
            return PRELUDE_2021[name]
        if "2024" <= edition and name in PRELUDE_2024:
            return PRELUDE_2024[name]
    if namespace != "type":
        return PRELUDE_VALUES.get(name)
    return None


def prelude_traits(edition: str) -> frozenset[str]:
    """The traits that are in scope everywhere."""
    extra: set[str] = set()
    if "2021" <= edition:
        extra.update(PRELUDE_2021.values())
    if "2024" <= edition:
        extra.update(PRELUDE_2024.values())
    return PRELUDE_TRAITS | extra


def glob_path(module: str, name: str) -> str | None:
    """What `name` is after `use module::*` of a standard module; None where that module has no such name."""
    names = GLOBS.get(module)
    if names is None or name not in names:
        return None
    return documented(f"{module}::{name}")


def glob_traits(module: str) -> frozenset[str]:
    """The traits that a glob of a standard module brings into scope."""
    return frozenset(
        documented(f"{module}::{name}") for name in GLOBS.get(module, frozenset()) if name in _TRAIT_NAMES
    )
