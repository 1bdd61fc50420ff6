"""The names by which calls and errors are known for what they are: data, no code."""

from __future__ import annotations

import re

SENDS = frozenset(
    {
        *(
            "send",
            "try_send",
            "blocking_send",
            "unbounded_send",
            "send_timeout",
            "send_async",
            "send_blocking",
        ),
        *(
            "send_replace",
            "send_modify",
            "start_send",
            "try_broadcast",
            "broadcast",
            "send_deadline",
            "force_send",
        ),
    }
)
RECEIVES = frozenset(
    {
        *("recv", "try_recv", "recv_timeout", "recv_async", "blocking_recv", "recv_deadline", "changed"),
        *("pop", "try_pop"),
    }
)
LOCKS = frozenset(
    {
        "lock",
        "read",
        "write",
        "try_lock",
        "try_read",
        "try_write",
        "into_inner",
        "get_mut",
        "wait",
        "wait_timeout",
    }
)
# What gives back what it was given where there is no room for it.
REJECTS = frozenset({"try_push", "try_enqueue", "try_push_back", "try_push_front", "force_push"})
TEARDOWN = frozenset(
    {
        *(
            "close",
            "shutdown",
            "kill",
            "remove_file",
            "remove_dir",
            "remove_dir_all",
            "unlink",
            "abort",
            "cancel",
        ),
        *(
            "wait",
            "join",
            "stop",
            "terminate",
            "cleanup",
            "clean_up",
            "disconnect",
            "finish",
            "unlock",
            "start_kill",
        ),
        *(
            "leave_alternate_screen",
            "disable_raw_mode",
            "try_wait",
            "detach",
            "deregister",
            "unsubscribe",
            "rollback",
        ),
        *("tcsetattr", "reset", "release", "drop_temporary", "flock", "unmount", "close_all"),
    }
)
# What takes back what was begun.
UNDOES = frozenset(
    {
        *("cancel", "rollback", "roll_back", "rollback_transaction", "abort", "abort_multipart"),
        *("undo", "revert", "discard"),
    }
)
# Where these fail there was nothing to take down; the labels of a metric among them.
SURE_TEARDOWN = frozenset({"kill", "start_kill", "disable_raw_mode", "rollback", "remove_label_values"})
# Changes something on disk, in a database, or in another process.
CHANGES = re.compile(
    r"^(write|flush|sync|save|commit|persist|store|insert|update|upsert|delete|remove|put|push|append|set|create|rename"
    r"|copy|hard_link|symlink|truncate|apply|register|unregister|install|release|retain|reserve|allocate|free|execute"
    r"|exec|publish|ack|nack|send|post|patch|upload|move|mkdir|rewind|advance|seal|mark|record|finish|finalize|migrate"
    r"|attach|detach|enqueue|add|submit|start|stop|close|init|configure|enable|disable|restore|reset|rollback|checkpoint"
    r"|replicate|replace|swap|emit|notify|transition|schedule|unlink|chmod|chown|fsync|prune|compact|merge|drain|evict)"
    r"(_|$)"
)
LOOKUPS = re.compile(
    r"^(get|find|lookup|look_up|parse|try_from|try_into|from_str|var|vars|metadata|symlink_metadata|canonicalize|exists"
    r"|try_exists|current|home_dir|hostname|duration_since|elapsed|from_utf8|to_str|into_string|stat"
    r"|peer_addr|local_addr|binary_search|strip_prefix|as_str|from_hex|downcast|try_reserve|checked|query_var|modified"
    r"|created|accessed|file_type|now|try_len|try_iter|try_acquire|try_acquire_owned|try_lock|try_lock_owned|to_std|from_std|try_parse|parse_str|into_data|into_trailers|to_string|to_vec|to_value|from_str_radix|from_(u8|u16|u32|u64|i32|i64|bytes|digit)|try_borrow|try_borrow_mut|len"
    r"|into_(?!inner(_|$))\w+|index_of|(\w+_)?(with|by)_(\w+_)?(name|id|index|key)"
    r"|hostname|absolute|is_terminal|(to|from)_(file|directory)_path|from_path_buf|downcast_ref|parse_from_str|try_as|is|has|which|available_parallelism|read_link|nodelay|get_ref|capture|extract)"
    r"(_|$)"
)
# What takes something away for good: where it can't, something stays that nobody needs.
REMOVES = re.compile(r"^(remove|delete|unlink|rmdir)(_|$)")
# What only advises the system, or makes something faster.
ADVISORY = re.compile(
    r"(^|_)(advise|madvise|fadvise|nocache|prefetch|readahead|hints?|nodelay|keepalive|priority|affinity|clear_(ram_)?cache|drop_cache|mlock|populate"
    r"|setrlimit|rlimit|thp|warm|warmup|warm_up|prewarm|buffer_size|buffer_bytes|quickack|linger|reuse_?addr|reuse_?port"
    r"|tos|ttl|user_timeout)(_|$)"
)
# What is made of something else, or is not: an associated function of a type from outside.
MAKES_OF = re.compile(
    r"^(try_)?from_(?!str$|.*(reader|file|path|env|dir|disk|url|uri|raw|settings|config|socket|stream|fd|process|store"
    r"|source|pem|der|pkcs\w*|key|cert)s?(_|$))\w+$"
)
# All that these do is to turn a short text into bytes, a name or a number; a payload comes in base64.
ENCODINGS = (
    *("hex::", "const_hex::", "faster_hex::", "hex_simd::", "bs58::", "base32::", "bech32::"),
    *("percent_encoding::", "urlencoding::", "multibase::", "idna::", "punycode::"),
)
# The alphabet of such a one, by its name: `HEXLOWER.decode(text)`.
ALPHABET = re.compile(r"^(HEX|BASE32|CROCKFORD|BASE58)[A-Z0-9_]*$")
# What is asked for its yes or no.
CHECKS = re.compile(
    r"(^|_)(check|ping|probe)$|^(check|meets|validate|verify|ensure|can|allow|allows|authorize|authorise|matches|test|supports"
    r"|require|should|must|may)(_|$)"
)
# What is called to find out whether something works.
PROBES = re.compile(
    r"(^|_)(ping|probe|health|healthy|health_?check|alive|heartbeat|reachable|connected|ready|readiness|liveness)(_|$)"
)
# What asks whether somebody may: he may not where that can't be told.
LEAVE = re.compile(r"(^|_)(auth|authz|permissions?|permitted|allowed|privileges?)(_|$)")
# What a function of the workspace is called that only looks something up; one that parses reads what somebody sent.
OWN_LOOKUPS = re.compile(r"^(get|find|lookup|look_up|has|is|len|try_borrow|try_borrow_mut|as|peek)(_|$)")
# Serialising what derives its serialisation fails only where memory does.
INFALLIBLE = frozenset(
    {"to_string", "to_string_pretty", "to_vec", "to_value", "to_vec_pretty", "encode_to_vec"}
)
INFALLIBLE_CRATES = ("serde_json::", "toml::", "serde_yaml::", "ron::")
# What asks nobody, though the crate talks to others: `HeaderValue::try_from(text)`.
LOCAL = frozenset({"try_from", "try_into", "from_str", "parse", "to_str", "from_utf8"})
REMOTE_CRATES = (
    "reqwest::",
    "sqlx::",
    "rusqlite::",
    "hyper::",
    "redis::",
    "postgres::",
    "tonic::",
    "diesel::",
)
IO_CRATES = (
    *("std::fs::", "std::io::", "std::net::", "std::os::", "std::process::"),
    *("tokio::fs::", "tokio::net::", "tokio::io::"),
    *REMOTE_CRATES,
)
# What tells of the machine and the process: where it can't, a report has a gap.
MACHINE_CRATES = (
    *(
        "sys_info::",
        "sysinfo::",
        "num_cpus::",
        "hostname::",
        "whoami::",
        "os_info::",
        "procfs::",
        "procinfo::",
    ),
    *("machine_uid::", "mac_address::", "raw_cpuid::", "core_affinity::", "rlimit::", "tikv_jemalloc_ctl::"),
    *("jemalloc_ctl::", "cgroups_rs::", "uname::", "local_ip_address::", "if_addrs::", "gethostname::"),
    *("sd_notify::", "libsystemd::", "tokio::signal::", "ctrlc::"),
)
# Errors that tell only that a thread or task is at its end, or has panicked, which was told already.
TRIVIAL_ERRORS = frozenset(
    (
        *("AccessError", "JoinError", "PoisonError", "TryLockError", "BorrowError", "BorrowMutError"),
        *("Infallible", "TryCurrentError"),
    )
)
SINGLE_ERRORS = frozenset(
    {
        *(
            "RecvError",
            "TryRecvError",
            "RecvTimeoutError",
            "AccessError",
            "Elapsed",
            "Aborted",
            "Canceled",
            "Cancelled",
            "ExactlyOneError",
        ),
        *(
            "AcquireError",
            "SystemTimeError",
            "TryFromIntError",
            "Infallible",
            "BorrowError",
            "BorrowMutError",
        ),
        *(
            "TryFromSliceError",
            "CharTryFromError",
            "VarError",
            "StripPrefixError",
            "TryReserveError",
            "fmt::Error",
        ),
        *(
            "ParseIntError",
            "ParseFloatError",
            "ParseBoolError",
            "ParseCharError",
            "AddrParseError",
            "Utf8Error",
        ),
        *(
            "FromUtf8Error",
            "PoisonError",
            "TryLockError",
            "SetLoggerError",
            "TryInitError",
            "OutOfRangeError",
        ),
        *(
            "SetGlobalDefaultError",
            "NulError",
            "FromBytesWithNulError",
            "LayoutError",
            "JoinError",
            "TryCurrentError",
        ),
    }
)
