"""Errors in what a program tells of itself: its metrics, its profiles, the counters that it shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inroads.analyses.swallow import sorts
from inroads.analyses.swallow.logged import logs_of
from inroads.facts import CallRow, CastRow, MethodCallRow, StructRow

if TYPE_CHECKING:
    from inroads.analyses.swallow.place import Place

# What is there to be looked at by those who run the program.
_SELF = (
    r"(metrics?|kstats?|telemetry|prometheus|pprof|profiler|profiling|flamegraph|tracer|otel|otlp|opentelemetry"
    r"|jemalloc)"
)
# What a program does with them where they are its own; where they are its goods they are stored, sent and queried.
_REPORTS = re.compile(
    r"^(start|init|initiali[sz]e|setup|set_up|spawn|serve|run|install|register|report|publish|update|collect|track"
    rf"|record|expose|gather|refresh|emit|flush|dump|enable|configure|launch)_(\w+_)?{_SELF}(_|$)"
)
# What a log says of the harm, where that is all there is.
_HARM = re.compile(
    r"(?<![a-z])(stats|statistics|metrics|telemetry|profil[a-z]+|tracing|traces)(?![a-z])[^.]{0,60}"
    r"(?<![a-z])(will (not )?be|won't|unavailable|disabled|not (be )?(reported|collected|available|recorded))\b"
    r"|\bno [\w ]{0,30}(stats|statistics|metrics|telemetry|traces) (will|are|is)\b"
)
_TELEMETRY = re.compile(r"(?<![a-z])(telemetry|Telemetry|phone_?home|analytics_reporter)")
_FOLDS = re.compile(r"\\?\s+")
_COUNTS = re.compile(r"(^|_)(len|count|size|depth|usage|total|entries|bytes|backlog|pending)$")
_SHOWS = re.compile(r"(Status|Stats|Statistics|Metrics)$")


def self_report(p: Place) -> str | None:
    """Why a lost error leaves a gap in what the program tells of itself, and nowhere else; None if it does not."""
    if p.end.fate == "logged" and any(_HARM.search(_FOLDS.sub(" ", row.text.lower())) for row in logs_of(p)):
        return "the log says what of the program's own reports is missing"
    function = p.world.program.tables.functions[p.f.judged.function]
    if is_telemetry(p):
        return "a report of the program on how it is used"
    if (
        p.end.fate == "logged"
        and not p.nature.changes
        and _REPORTS.match(function.name) is not None
        and not p.world.returns_result(p.f.judged.function)
    ):
        return "a report of the program on itself, and it is logged"
    if is_shown_counter(p):
        return "a counter that is shown beside others"
    return None


def is_telemetry(p: Place) -> bool:
    """Whether a call belongs to the telemetry of the program, by the path of what is called or of who calls."""
    own = p.world.program.tables.functions[p.f.judged.function].path
    receiver = sorts.type_name(sorts.receiver_type(p.f, p.at))
    return any(_TELEMETRY.search(text) is not None for text in (own, receiver, *p.nature.paths))


def is_shown_counter(p: Place) -> bool:
    """Whether a number stands in for one that is shown: `Status { queued: self.queue_len().unwrap_or(0), .. }`."""
    f = p.f
    if p.end.fate != "defaulted" or p.nature.changes or _COUNTS.search(p.nature.name) is None:
        return False
    at = p.end.row
    for _ in range(5):
        use = f.uses.taken[at]
        if use is None or use.row is None:
            return False
        row = f.rows[use.row]
        if isinstance(row, StructRow):
            return bool(row.path.segments) and _SHOWS.search(row.path.segments[-1].name) is not None
        if not isinstance(row, (CallRow, CastRow, MethodCallRow)):
            return False
        at = use.row
    return False
